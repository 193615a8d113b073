// scenes/kapitza.c: a pendulum that stands on its head, because its pivot is shaken.
//
// The pivot is led along y = h sin(w t). For w far above sqrt(g / l) the pendulum moves as in a
// potential of its own, m g y + m (h w)^2 / 4 sin^2(angle) (P. Kapitza, 1951), and stands upright
// where (h w)^2 > 2 g l.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define KAPITZA_LENGTH 1.0 // m
#define KAPITZA_LEAN   0.2 // rad from the vertical at the start

static const scene_option kapitza_options[] = {
    {"height", 0.1, 0, 1, "m: h of the shaking"},
    {"frequency", 12, 0, 100, "Hz of the shaking"},
};

typedef struct kapitza_state {
    double height, frequency; // m, rad/s
    tn_body_id pivot, bob;
    tn_joint_id path;
    double lowest; // m of the bob over the pivot
    double off;    // m off the path, at most
} kapitza_state;

static void kapitza_shake(double time, tn_motion_path_state *out, void *user_data) {
    const kapitza_state *state = user_data;
    double h = state->height, w = state->frequency, s = portable_sin(w * time);
    out->position.y = h * s;
    out->velocity.y = h * w * portable_cos(w * time);
    out->acceleration.y = -h * w * w * s;
}

static void kapitza_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// 1 kg in a ball of 0.1 m; without a shape, so that it is drawn as a line from the pivot.
static tn_body_id kapitza_build_bob(scene_run *run) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = build_point(KAPITZA_LENGTH * portable_sin(KAPITZA_LEAN),
                                    KAPITZA_LENGTH * portable_cos(KAPITZA_LEAN), 0.0);
    def.has_mass = true;
    def.mass.mass = 1.0;
    def.mass.inertia.xx = def.mass.inertia.yy = def.mass.inertia.zz = 0.004;
    tn_body_id bob = tn_body_create(run->world, &def);
    run->has_failed |= bob.value == 0;
    return bob;
}

static bool kapitza_build(scene_run *run) {
    kapitza_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->height = scene_run_get_value(run, "height");
    state->frequency = 2.0 * BUILD_PI * scene_run_get_value(run, "frequency");
    state->lowest = KAPITZA_LENGTH;
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.mass = 1.0;
    part.filter.mask = 0;
    state->pivot = build_box(run, &part, 0.2, 0.1, 0.1);
    state->bob = kapitza_build_bob(run);
    build_hinge(run, state->pivot, state->bob, build_point(0.0, 0.0, 0.0), build_axis_z());
    tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
    def.base.body_b = state->pivot;
    def.evaluate = kapitza_shake;
    def.evaluate_user_data = state;
    def.leads_rotation = true;
    state->path = tn_motion_path_joint_create(run->world, &def);
    run->has_failed |= state->path.value == 0;
    scene_run_name_body(run, state->bob, "bob");
    scene_run_name_joint(run, state->path, "path");
    return true;
}

static void kapitza_after_step(scene_run *run, double dt) {
    (void)dt;
    kapitza_state *state = run->state;
    double above = tn_body_get_center(run->world, state->bob).y -
                   tn_body_get_center(run->world, state->pivot).y;
    state->lowest = fmin(state->lowest, above);
    state->off = fmax(state->off, tn_joint_get_error(run->world, state->path).linear_length);
}

static void kapitza_measure(scene_run *run) {
    const kapitza_state *state = run->state;
    double push = state->height * state->frequency;
    scene_run_add_figure(run, "stands_by_theory",
                         push * push > 2.0 * BUILD_GRAVITY * KAPITZA_LENGTH ? 1.0 : 0.0);
    scene_run_add_figure(run, "lowest_above_the_pivot_m", state->lowest);
    scene_run_add_figure(run, "off_the_path_max_m", state->off);
}

const scene scene_kapitza = {
    .name = "kapitza",
    .summary = "a pendulum that stands on its head on a pivot that is led up and down",
    .time = 5.0,
    .options = kapitza_options,
    .option_count = 2,
    .configure = kapitza_configure,
    .build = kapitza_build,
    .after_step = kapitza_after_step,
    .measure = kapitza_measure,
};
