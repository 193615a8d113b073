// scenes/four_bar.c: a crank-rocker: ground, crank, coupler and rocker, driven at the crank.
//
// The crank turns fully when the shortest and longest bar together are no longer than the other two
// (F. Grashof, Theoretische Maschinenlehre, 1883). The rocker swings between the two positions in
// which crank and coupler lie in line; their angles follow from the cosine rule.
#include "scenes/engine.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

static const scene_option four_bar_options[] = {
    {"crank", 0.3, 0.01, 10, "m"},
    {"coupler", 0.9, 0.01, 10, "m"},
    {"rocker", 0.7, 0.01, 10, "m"},
    {"ground", 1.0, 0.01, 10, "m between the fixed pivots"},
    {"speed", 6.283185307, -100, 100, "rad/s of the motor"},
};

typedef struct four_bar_state {
    tn_joint_id motor, rocker;
    double lower, upper; // rad: the rocker's swing so far
    engine_speed speed;
} four_bar_state;

static tn_body_id four_bar_add_bar(scene_run *run, tn_vec3 from, tn_vec3 to, const char *name) {
    tn_body_id bar = build_bar(run, from, to, 2.0 * build_distance(from, to), 0.05, 0.05);
    scene_run_name_body(run, bar, "%s", name);
    return bar;
}

static bool four_bar_build(scene_run *run) {
    four_bar_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_body_id world = {0};
    tn_vec3 a = build_point(0.0, 0.0, 0.0);
    tn_vec3 d = build_point(scene_run_get_value(run, "ground"), 0.0, 0.0);
    tn_vec3 b = build_point(0.0, scene_run_get_value(run, "crank"), 0.0);
    tn_vec3 c =
        build_meet(b, scene_run_get_value(run, "coupler"), d, scene_run_get_value(run, "rocker"));
    tn_body_id crank = four_bar_add_bar(run, a, b, "crank");
    tn_body_id coupler = four_bar_add_bar(run, b, c, "coupler");
    tn_body_id rocker = four_bar_add_bar(run, c, d, "rocker");
    state->motor = build_hinge(run, world, crank, a, build_axis_z());
    build_hinge(run, crank, coupler, b, build_axis_z());
    build_hinge(run, coupler, rocker, c, build_axis_z());
    state->rocker = build_hinge(run, world, rocker, d, build_axis_z());
    build_hinge_speed(run, state->motor, scene_run_get_value(run, "speed"), 1e6);
    return true;
}

static void four_bar_after_step(scene_run *run, double dt) {
    (void)dt;
    four_bar_state *state = run->state;
    double angle = tn_hinge_joint_get_angle(run->world, state->rocker);
    state->lower = fmin(state->lower, angle);
    state->upper = fmax(state->upper, angle);
    engine_speed_add(&state->speed, run, state->motor);
}

// The angle at the rocker's pivot when crank and coupler in line reach as far as `reach`.
static double four_bar_get_extreme(const scene_run *run, double reach) {
    double rocker = scene_run_get_value(run, "rocker");
    double ground = scene_run_get_value(run, "ground");
    double cosine = (rocker * rocker + ground * ground - reach * reach) / (2.0 * rocker * ground);
    return portable_acos(fmax(-1.0, fmin(1.0, cosine)));
}

static void four_bar_measure(scene_run *run) {
    const four_bar_state *state = run->state;
    double crank = scene_run_get_value(run, "crank");
    double coupler = scene_run_get_value(run, "coupler");
    double swing =
        four_bar_get_extreme(run, coupler + crank) - four_bar_get_extreme(run, coupler - crank);
    double degrees = 180.0 / BUILD_PI;
    scene_run_add_figure(run, "crank_speed", engine_speed_get(&state->speed, run));
    scene_run_add_figure(run, "rocker_swing_deg", (state->upper - state->lower) * degrees);
    scene_run_add_figure(run, "rocker_swing_exact_deg", swing * degrees);
}

const scene scene_four_bar = {
    .name = "four_bar",
    .summary = "a crank-rocker four-bar linkage with a motor",
    .time = 5.0,
    .options = four_bar_options,
    .option_count = 5,
    .build = four_bar_build,
    .after_step = four_bar_after_step,
    .measure = four_bar_measure,
};
