// scenes/fit_circle.c: a circle that fits scattered points as well as a circle can, while a hand
// pulls its centre away and lets go.
//
// Variables are the centre c and the radius r, x of another particle. The goal is the sum of the
// squared distances of the points from the circle,
//
//     E = sum_i (|p_i - c| - r)^2 / 2
//
// the geometric fit, which has no closed form. Source: W. Gander, G. Golub, R. Strebel,
// "Least-squares fitting of circles and ellipses", BIT 34, 1994.
#include "scenes/fit.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define CIRCLE_POINTS 24
#define CIRCLE_DOTS   60
#define CIRCLE_NOISE  0.15 // m
#define CIRCLE_HELD   2.0  // s

static const scene_option fit_circle_options[] = {
    {"strength", 100, 0, 1e12, "N/m, of each distance"},
    {"mobility", 0.1, 0.001, 100, "s: velocity for a force of 1 N on 1 kg"},
};

typedef struct fit_circle_state {
    tn_body_id variables[2]; // the centre; the radius
    tn_body_id dots[CIRCLE_DOTS];
    tn_force_id goal;
    tn_node error;
    fit_hand hand;
} fit_circle_state;

static void fit_circle_configure(const double *values, tn_world_def *def) {
    fit_configure(def, values[1]);
}

static tn_vec3 fit_circle_find_dot(const scene_run *run, int i) {
    const fit_circle_state *state = run->state;
    tn_vec3 c = fit_get(run, state->variables[0]);
    double r = fit_get(run, state->variables[1]).x, turn = 2.0 * BUILD_PI * i / CIRCLE_DOTS;
    return build_point(c.x + r * portable_cos(turn), c.y + r * portable_sin(turn), 0.0);
}

// A point somewhere near a circle of 1 m, and its square in the sum.
static tn_node fit_circle_add_point(scene_run *run, tn_graph *graph, tn_node sum, int index,
                                    uint32_t *seed) {
    double turn = 1.6 * BUILD_PI * (index + build_random(seed)) / CIRCLE_POINTS;
    double away = 1.0 + CIRCLE_NOISE * (2.0 * build_random(seed) - 1.0);
    double x = 0.3 + away * portable_cos(turn), y = 1.0 + away * portable_sin(turn);
    scene_run_name_body(run, fit_add_dot(run, x, y, 0.03), "data_%d", index);
    tn_node p = tn_graph_add_vector(graph, (tn_vec3){x, y, 0.0});
    tn_node center = tn_graph_add_point(graph, 0, (tn_vec3){0.0, 0.0, 0.0});
    return fit_add_square(graph, sum, tn_graph_add_distance(graph, p, center),
                          fit_variable(graph, 1, 0));
}

static bool fit_circle_build(scene_run *run) {
    fit_circle_state *state = scene_run_alloc_state(run, sizeof *state);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    if (state == NULL || graph == NULL) {
        tn_graph_destroy(graph);
        return false;
    }
    uint32_t seed = 5;
    state->variables[0] = fit_add_point(run, -0.4, 0.2, 0.05);
    state->variables[1] = fit_add_point(run, 0.4, -0.6, 0.05);
    tn_body_set_locks(run->world, state->variables[1],
                      TN_BODY_LOCK_LINEAR_Y | TN_BODY_LOCK_LINEAR_Z);
    state->error = tn_graph_add_number(graph, 0.0);
    for (int i = 0; i < CIRCLE_POINTS; ++i) {
        state->error = fit_circle_add_point(run, graph, state->error, i, &seed);
    }
    state->goal = fit_add_goal(run, graph, state->error, state->variables, 2,
                               scene_run_get_value(run, "strength"));
    for (int i = 0; i < CIRCLE_DOTS; ++i) {
        tn_vec3 at = fit_circle_find_dot(run, i);
        state->dots[i] = fit_add_dot(run, at.x, at.y, 0.012);
    }
    fit_hand_take(&state->hand, run, state->variables[0], build_point(-1.2, 1.2, 0.0), CIRCLE_HELD);
    scene_run_name_body(run, state->variables[0], "center");
    scene_run_name_body(run, state->variables[1], "radius");
    return true;
}

static void fit_circle_before_step(scene_run *run, double dt) {
    fit_circle_state *state = run->state;
    fit_hand_move(&state->hand, run, dt);
}

static void fit_circle_after_step(scene_run *run, double dt) {
    (void)dt;
    const fit_circle_state *state = run->state;
    for (int i = 0; i < CIRCLE_DOTS; ++i) {
        tn_vec3 at = fit_circle_find_dot(run, i);
        fit_move(run, state->dots[i], at.x, at.y);
    }
}

static void fit_circle_measure(scene_run *run) {
    const fit_circle_state *state = run->state;
    double error = tn_goal_force_get_value(run->world, state->goal, state->error);
    scene_run_add_figure(run, "rms_m", sqrt(2.0 * error / CIRCLE_POINTS));
    scene_run_add_figure(run, "steepness", fit_get_steepness(run, state->goal, 2));
    scene_run_add_figure(run, "center_x_m", fit_get(run, state->variables[0]).x);
    scene_run_add_figure(run, "center_y_m", fit_get(run, state->variables[0]).y);
    scene_run_add_figure(run, "radius_m", fit_get(run, state->variables[1]).x);
}

static void fit_circle_sketch(const scene_run *run, const scene_sketch *sketch) {
    const fit_circle_state *state = run->state;
    sketch_thread(sketch, SCENE_PEN_CURVE, run->world, state->dots, CIRCLE_DOTS, true);
}

const scene scene_fit_circle = {
    .name = "fit_circle",
    .summary = "a circle fits scattered points, is pulled away and comes back: a goal",
    .time = 5.0,
    .options = fit_circle_options,
    .option_count = 2,
    .configure = fit_circle_configure,
    .build = fit_circle_build,
    .before_step = fit_circle_before_step,
    .after_step = fit_circle_after_step,
    .measure = fit_circle_measure,
    .picture = {.moments = 1, .sketch = fit_circle_sketch},
};
