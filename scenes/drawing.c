// scenes/drawing.c: drawing by constraints: a circle, an ellipse and a cubic curve between them,
// which a hand pulls by the ellipse and then lets go.
//
// The numbers of the drawing are coordinates of bodies: two centres, the radius (x of one body),
// the half-axes (x and y of one) and four control points. Four rows tie the shapes together:
//
//     |k_0 - c| = r     (k_1 - k_0) . (k_0 - c) = 0            on the circle, and along it
//     g(k_3) = 1        (k_3 - k_2) . grad g(k_3) = 0          on the ellipse, and along it
//
// with g(p) = ((p - e)_x / a)^2 + ((p - e)_y / b)^2. In first-order dynamics every number goes as
// far as it is pulled, in proportion, and stays where it is when the hand lets go. Source: A.
// Witkin, M. Gleicher, W. Welch, "Interactive dynamics", 1990.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"
#include "scenes/sketch.h"

#include <math.h>

#define DRAWING_DOTS  36  // of each shape, to be seen
#define DRAWING_HELD  3.0 // s, until the hand lets go
#define DRAWING_STILL 3.5 // s, from when on nothing may move
#define DRAWING_CURL  0.9 // m: how far the hand goes to and fro

static const scene_option drawing_options[] = {
    {"mobility", 1, 0.01, 100, "s: velocity for a force of 1 N on 1 kg"},
};

// Which body has which numbers.
enum {
    DRAWING_CENTER,
    DRAWING_RADIUS,
    DRAWING_ELLIPSE,
    DRAWING_AXES,
    DRAWING_FIRST,
    DRAWING_SECOND,
    DRAWING_THIRD,
    DRAWING_FOURTH,
    DRAWING_NUMBERS
};

typedef struct drawing_state {
    tn_body_id numbers[DRAWING_NUMBERS];
    tn_body_id dots[3][DRAWING_DOTS];
    tn_joint_id ties, hand;
    double time, farthest_off, speed_after;
} drawing_state;

static void drawing_configure(const double *values, tn_world_def *def) {
    def->dynamics = TN_DYNAMICS_FIRST_ORDER;
    def->mobility = values[0];
    def->gravity = (tn_vec3){0.0, 0.0, 0.0};
    def->is_sleep_allowed = false;
}

// ---- what is drawn -----------------------------------------------------------------------------

static tn_body_id drawing_add_number(scene_run *run, int index) {
    static const double starts[DRAWING_NUMBERS][2] = {{-1.5, 1.2}, {0.6, 0.0},  {1.6, 1.0},
                                                      {0.9, 0.5},  {-1.5, 1.8}, {-0.5, 1.8},
                                                      {0.6, 1.5},  {1.6, 1.5}};
    build_part part = build_part_at(starts[index][0], starts[index][1], 0.0);
    bool is_point = index != DRAWING_RADIUS && index != DRAWING_AXES;
    part.mass = is_point ? 1.0 : 10.0; // shapes move rather than change their sizes
    part.filter.mask = 0;
    tn_body_id body = is_point ? build_sphere(run, &part, 0.06) : build_body(run, &part);
    tn_body_set_locks(run->world, body,
                      TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y |
                          TN_BODY_LOCK_ANGULAR_Z);
    return body;
}

static tn_vec3 drawing_get(const scene_run *run, int index) {
    const drawing_state *state = run->state;
    return tn_body_get_pose(run->world, state->numbers[index]).position;
}

static tn_vec3 drawing_find_round(tn_vec3 center, double a, double b, double turn) {
    return build_point(center.x + a * portable_cos(turn), center.y + b * portable_sin(turn), 0.0);
}

// Bernstein's polynomials.
static tn_vec3 drawing_find_cubic(const scene_run *run, double u) {
    double v = 1.0 - u;
    const double weights[4] = {v * v * v, 3.0 * u * v * v, 3.0 * u * u * v, u * u * u};
    tn_vec3 sum = build_point(0.0, 0.0, 0.0);
    for (int i = 0; i < 4; ++i) {
        tn_vec3 k = drawing_get(run, DRAWING_FIRST + i);
        sum.x += weights[i] * k.x;
        sum.y += weights[i] * k.y;
    }
    return sum;
}

static tn_vec3 drawing_find_dot(const scene_run *run, int shape, int index) {
    double share = (double)index / DRAWING_DOTS, turn = 2.0 * BUILD_PI * share;
    double radius = drawing_get(run, DRAWING_RADIUS).x;
    tn_vec3 axes = drawing_get(run, DRAWING_AXES);
    return shape == 0 ? drawing_find_round(drawing_get(run, DRAWING_CENTER), radius, radius, turn)
           : shape == 1
               ? drawing_find_round(drawing_get(run, DRAWING_ELLIPSE), axes.x, axes.y, turn)
               : drawing_find_cubic(run, share);
}

static void drawing_add_dots(scene_run *run) {
    drawing_state *state = run->state;
    for (int shape = 0; shape < 3; ++shape) {
        for (int i = 0; i < DRAWING_DOTS; ++i) {
            tn_vec3 place = drawing_find_dot(run, shape, i);
            build_part part = build_part_at(place.x, place.y, 0.0);
            part.type = TN_BODY_TYPE_KINEMATIC;
            part.filter.mask = 0;
            state->dots[shape][i] = build_sphere(run, &part, 0.02);
        }
    }
}

// ---- what ties it ------------------------------------------------------------------------------

// ((p - e)_x / a) ((q)_x / a) + the same of y: with q = p - e this is g, with a direction half of
// its rate.
static tn_node drawing_add_form(tn_graph *graph, tn_node axes, tn_node p, tn_node q) {
    tn_node sum = tn_graph_add_number(graph, 0.0);
    for (uint32_t k = 0; k < 2; ++k) {
        tn_node axis = tn_graph_add_component(graph, axes, k);
        tn_node product = tn_graph_add_product(graph, tn_graph_add_component(graph, p, k),
                                               tn_graph_add_component(graph, q, k));
        product = tn_graph_add_quotient(graph, product, tn_graph_add_product(graph, axis, axis));
        sum = tn_graph_add_sum(graph, sum, product);
    }
    return sum;
}

static void drawing_add_rows(tn_graph *graph, tn_node out_rows[4]) {
    tn_node n[DRAWING_NUMBERS];
    for (uint32_t i = 0; i < DRAWING_NUMBERS; ++i) {
        n[i] = tn_graph_add_point(graph, i, (tn_vec3){0.0, 0.0, 0.0});
    }
    tn_node radius = tn_graph_add_component(graph, n[DRAWING_RADIUS], 0);
    tn_node spoke = tn_graph_add_difference(graph, n[DRAWING_FIRST], n[DRAWING_CENTER]);
    tn_node leaving = tn_graph_add_difference(graph, n[DRAWING_SECOND], n[DRAWING_FIRST]);
    tn_node place = tn_graph_add_difference(graph, n[DRAWING_FOURTH], n[DRAWING_ELLIPSE]);
    tn_node coming = tn_graph_add_difference(graph, n[DRAWING_FOURTH], n[DRAWING_THIRD]);
    out_rows[0] = tn_graph_add_difference(graph, tn_graph_add_norm(graph, spoke), radius);
    out_rows[1] = tn_graph_add_dot(graph, leaving, spoke);
    out_rows[2] =
        tn_graph_add_difference(graph, drawing_add_form(graph, n[DRAWING_AXES], place, place),
                                tn_graph_add_number(graph, 1.0));
    out_rows[3] = drawing_add_form(graph, n[DRAWING_AXES], place, coming);
}

static tn_joint_id drawing_tie(scene_run *run) {
    const drawing_state *state = run->state;
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_function_joint_def def = tn_function_joint_def_default();
    def.graph = graph;
    def.body_count = DRAWING_NUMBERS;
    def.row_count = 4;
    drawing_add_rows(graph, def.nodes);
    for (int i = 0; i < DRAWING_NUMBERS; ++i) {
        def.bodies[i] = state->numbers[i];
    }
    tn_joint_id joint = tn_function_joint_create(run->world, &def);
    tn_graph_destroy(graph);
    run->has_failed |= joint.value == 0;
    return joint;
}

static tn_joint_id drawing_hold(scene_run *run) {
    const drawing_state *state = run->state;
    tn_mouse_joint_def def = tn_mouse_joint_def_default();
    def.base.body_b = state->numbers[DRAWING_ELLIPSE];
    def.base.frame_a.position = drawing_get(run, DRAWING_ELLIPSE);
    def.base.hertz = 5.0f;
    def.max_force = 100.0f;
    tn_joint_id joint = tn_mouse_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

// ---- the scene ---------------------------------------------------------------------------------

static bool drawing_build(scene_run *run) {
    drawing_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    for (int i = 0; i < DRAWING_NUMBERS; ++i) {
        state->numbers[i] = drawing_add_number(run, i);
    }
    tn_vec3 center = drawing_get(run, DRAWING_CENTER);
    build_ball_joint(run, (tn_body_id){0}, state->numbers[DRAWING_CENTER], center, build_axis_z());
    state->ties = drawing_tie(run);
    state->hand = drawing_hold(run);
    drawing_add_dots(run);
    scene_run_name_body(run, state->numbers[DRAWING_ELLIPSE], "ellipse");
    scene_run_name_body(run, state->numbers[DRAWING_RADIUS], "radius");
    scene_run_name_joint(run, state->ties, "ties");
    return true;
}

static void drawing_before_step(scene_run *run, double dt) {
    drawing_state *state = run->state;
    state->time += dt;
    if (state->time < DRAWING_HELD) {
        double turn = 2.0 * BUILD_PI * state->time / DRAWING_HELD;
        tn_mouse_joint_set_target(
            run->world, state->hand,
            build_point(1.6 + 0.5 * DRAWING_CURL * portable_sin(turn),
                        1.0 - 0.5 * DRAWING_CURL * (1.0 - portable_cos(0.5 * turn)), 0.0));
    } else if (state->hand.value != 0) {
        tn_joint_destroy(run->world, state->hand);
        state->hand = (tn_joint_id){0};
    }
}

static void drawing_after_step(scene_run *run, double dt) {
    (void)dt;
    drawing_state *state = run->state;
    double off = tn_joint_get_error(run->world, state->ties).linear_length;
    state->farthest_off = fmax(state->farthest_off, off);
    for (int i = 0; i < DRAWING_NUMBERS && state->time > DRAWING_STILL; ++i) {
        tn_vec3 v = tn_body_get_velocity(run->world, state->numbers[i]).linear;
        state->speed_after = fmax(state->speed_after, build_length(v));
    }
    for (int shape = 0; shape < 3; ++shape) {
        for (int i = 0; i < DRAWING_DOTS; ++i) {
            tn_pose pose = tn_body_get_pose(run->world, state->dots[shape][i]);
            pose.position = drawing_find_dot(run, shape, i);
            tn_body_set_pose(run->world, state->dots[shape][i], pose);
        }
    }
}

static void drawing_measure(scene_run *run) {
    const drawing_state *state = run->state;
    scene_run_add_figure(run, "ties_off_max_m", state->farthest_off);
    scene_run_add_figure(run, "speed_after_mps", state->speed_after);
    scene_run_add_figure(run, "radius_m", drawing_get(run, DRAWING_RADIUS).x);
}

// The three shapes, and the handles of the curve.
static void drawing_sketch(const scene_run *run, const scene_sketch *sketch) {
    const drawing_state *state = run->state;
    for (int shape = 0; shape < 3; ++shape) {
        tn_vec3 line[DRAWING_DOTS + 1];
        for (int i = 0; i <= DRAWING_DOTS; ++i) {
            line[i] = drawing_find_dot(run, shape, i);
        }
        sketch->add(sketch->context, SCENE_PEN_CURVE, line, DRAWING_DOTS + 1);
    }
    sketch_thread(sketch, SCENE_PEN_THREAD, run->world, &state->numbers[DRAWING_FIRST], 2, false);
    sketch_thread(sketch, SCENE_PEN_THREAD, run->world, &state->numbers[DRAWING_THIRD], 2, false);
}

const scene scene_drawing = {
    .name = "drawing",
    .summary = "circle, ellipse and curve tied together and dragged: first-order dynamics",
    .time = 5.0,
    .options = drawing_options,
    .option_count = 1,
    .configure = drawing_configure,
    .build = drawing_build,
    .before_step = drawing_before_step,
    .after_step = drawing_after_step,
    .measure = drawing_measure,
    .picture = {.moments = 3, .sketch = drawing_sketch},
};
