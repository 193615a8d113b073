// scenes/fit_spline.c: a cubic spline that fits scattered points, while a hand pulls one of its
// control points and lets go.
//
// Variables are the control points c_k of a uniform cubic B-spline. Point i has the parameter u_i,
// evenly along the curve, so that with the blending functions B_k
//
//     E = sum_i |sum_k B_k(u_i) c_k - p_i|^2 / 2
//
// is quadratic and its minimum the solution of the normal equations. Source: C. de Boor, "A
// practical guide to splines", 1978, chapter XIV.
#include "scenes/fit.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define SPLINE_CONTROLS   12
#define SPLINE_SEGMENTS   (SPLINE_CONTROLS - 3)
#define SPLINE_DOTS       90
#define SPLINE_NOISE      0.12 // m
#define SPLINE_HELD       2.0  // s
#define SPLINE_MAX_POINTS 1500

static const scene_option fit_spline_options[] = {
    {"points", 200, 20, SPLINE_MAX_POINTS, "that are fitted"},
    {"strength", 1000, 0, 1e12, "N/m, of each distance"},
    {"mobility", 0.1, 0.001, 100, "s: velocity for a force of 1 N on 1 kg"},
};

typedef struct fit_spline_state {
    tn_body_id controls[SPLINE_CONTROLS];
    tn_body_id dots[SPLINE_DOTS];
    tn_force_id goal;
    tn_node error;
    fit_hand hand;
} fit_spline_state;

static void fit_spline_configure(const double *values, tn_world_def *def) {
    fit_configure(def, values[2]);
}

// The segment that u is on, from 0 to SPLINE_SEGMENTS, and the weights of its four points.
static int fit_spline_weigh(double u, double weights[4]) {
    int segment = (int)fmin(floor(u), SPLINE_SEGMENTS - 1.0);
    double t = u - segment, s = 1.0 - t;
    weights[0] = s * s * s / 6.0;
    weights[1] = (3.0 * t * t * t - 6.0 * t * t + 4.0) / 6.0;
    weights[2] = (3.0 * s * s * s - 6.0 * s * s + 4.0) / 6.0;
    weights[3] = t * t * t / 6.0;
    return segment;
}

static tn_vec3 fit_spline_find_dot(const scene_run *run, int i) {
    const fit_spline_state *state = run->state;
    double weights[4];
    int first = fit_spline_weigh((double)SPLINE_SEGMENTS * i / (SPLINE_DOTS - 1), weights);
    tn_vec3 sum = build_point(0.0, 0.0, 0.0);
    for (int k = 0; k < 4; ++k) {
        tn_vec3 c = fit_get(run, state->controls[first + k]);
        sum.x += weights[k] * c.x;
        sum.y += weights[k] * c.y;
    }
    return sum;
}

// ---- the goal ----------------------------------------------------------------------------------

// What the goal is made of.
typedef struct fit_spline_goal {
    tn_graph *graph;
    tn_node variables[2][SPLINE_CONTROLS]; // by axis
    tn_node sum;
} fit_spline_goal;

// The distance along one axis.
static void fit_spline_add_axis(fit_spline_goal *goal, double u, uint32_t axis, double place) {
    double weights[4];
    int first = fit_spline_weigh(u, weights);
    tn_node curve = tn_graph_add_number(goal->graph, 0.0);
    for (int k = 0; k < 4; ++k) {
        tn_node weight = tn_graph_add_number(goal->graph, weights[k]);
        tn_node product =
            tn_graph_add_product(goal->graph, weight, goal->variables[axis][first + k]);
        curve = tn_graph_add_sum(goal->graph, curve, product);
    }
    goal->sum =
        fit_add_square(goal->graph, goal->sum, curve, tn_graph_add_number(goal->graph, place));
}

static void fit_spline_add_point(scene_run *run, fit_spline_goal *goal, int index, int count,
                                 uint32_t *seed) {
    double share = (double)index / (count - 1), turn = 2.0 * BUILD_PI * share;
    double x = -2.0 + 4.0 * share + SPLINE_NOISE * (2.0 * build_random(seed) - 1.0);
    double y =
        1.0 + 0.6 * portable_sin(1.5 * turn) + SPLINE_NOISE * (2.0 * build_random(seed) - 1.0);
    scene_run_name_body(run, fit_add_dot(run, x, y, 0.015), "data_%d", index);
    fit_spline_add_axis(goal, SPLINE_SEGMENTS * share, 0, x);
    fit_spline_add_axis(goal, SPLINE_SEGMENTS * share, 1, y);
}

// E of all points.
static fit_spline_goal fit_spline_add_points(scene_run *run, tn_graph *graph) {
    fit_spline_goal goal = {.graph = graph};
    uint32_t seed = 7;
    int count = (int)scene_run_get_value(run, "points");
    for (uint32_t k = 0; k < 2 * SPLINE_CONTROLS; ++k) {
        goal.variables[k % 2][k / 2] = fit_variable(graph, k / 2, k % 2);
    }
    goal.sum = tn_graph_add_number(graph, 0.0);
    for (int i = 0; i < count; ++i) {
        fit_spline_add_point(run, &goal, i, count, &seed);
    }
    return goal;
}

// ---- the scene ---------------------------------------------------------------------------------

static bool fit_spline_build(scene_run *run) {
    fit_spline_state *state = scene_run_alloc_state(run, sizeof *state);
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    if (state == NULL || graph == NULL) {
        tn_graph_destroy(graph);
        return false;
    }
    for (int k = 0; k < SPLINE_CONTROLS; ++k) {
        double x = -2.0 + 4.0 * (k - 1) / SPLINE_SEGMENTS;
        state->controls[k] = fit_add_point(run, x, 0.0, 0.05);
        scene_run_name_body(run, state->controls[k], "control_%d", k);
    }
    state->error = fit_spline_add_points(run, graph).sum;
    state->goal = fit_add_goal(run, graph, state->error, state->controls, SPLINE_CONTROLS,
                               scene_run_get_value(run, "strength"));
    for (int i = 0; i < SPLINE_DOTS; ++i) {
        tn_vec3 at = fit_spline_find_dot(run, i);
        state->dots[i] = fit_add_dot(run, at.x, at.y, 0.02);
    }
    fit_hand_take(&state->hand, run, state->controls[6], build_point(1.0, 3.0, 0.0), SPLINE_HELD);
    return true;
}

static void fit_spline_before_step(scene_run *run, double dt) {
    fit_spline_state *state = run->state;
    fit_hand_move(&state->hand, run, dt);
}

static void fit_spline_after_step(scene_run *run, double dt) {
    (void)dt;
    const fit_spline_state *state = run->state;
    for (int i = 0; i < SPLINE_DOTS; ++i) {
        tn_vec3 at = fit_spline_find_dot(run, i);
        fit_move(run, state->dots[i], at.x, at.y);
    }
}

static void fit_spline_measure(scene_run *run) {
    const fit_spline_state *state = run->state;
    double error = tn_goal_force_get_value(run->world, state->goal, state->error);
    scene_run_add_figure(run, "rms_m", sqrt(2.0 * error / scene_run_get_value(run, "points")));
    scene_run_add_figure(run, "steepness", fit_get_steepness(run, state->goal, SPLINE_CONTROLS));
}

// The spline, and the polygon of its control points.
static void fit_spline_sketch(const scene_run *run, const scene_sketch *sketch) {
    const fit_spline_state *state = run->state;
    sketch_thread(sketch, SCENE_PEN_THREAD, run->world, state->controls, SPLINE_CONTROLS, false);
    sketch_thread(sketch, SCENE_PEN_CURVE, run->world, state->dots, SPLINE_DOTS, false);
}

const scene scene_fit_spline = {
    .name = "fit_spline",
    .summary = "a spline fits 200 scattered points, is pulled away and comes back: a goal",
    .time = 5.0,
    .options = fit_spline_options,
    .option_count = 3,
    .configure = fit_spline_configure,
    .build = fit_spline_build,
    .before_step = fit_spline_before_step,
    .after_step = fit_spline_after_step,
    .measure = fit_spline_measure,
    .picture = {.moments = 1, .sketch = fit_spline_sketch},
};
