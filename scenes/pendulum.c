// scenes/pendulum.c: a rod that swings from one end, through any angle.
//
// A uniform rod of length l hung at its end swings like a point on a thread of 2 l / 3.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define PENDULUM_THICKNESS 0.05 // m

static const scene_option pendulum_options[] = {
    {"length", 1, 0.1, 100, "m of the rod"},
    {"angle", 120, 0, 179, "deg from hanging, at the start"},
};

typedef struct pendulum_state {
    tn_joint_id hinge;
    double angle, energy; // rad and J at the start
    figure_period period;
} pendulum_state;

static void pendulum_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool pendulum_build(scene_run *run) {
    pendulum_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double length = scene_run_get_value(run, "length");
    state->angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    tn_vec3 pivot = build_point(0.0, 0.0, 0.0);

    // Made hanging and then turned, so that the hinge's angle is the pendulum's.
    build_part part = build_part_at(0.0, -0.5 * length, 0.0);
    part.mass = 1.0;
    tn_body_id rod = build_box(run, &part, PENDULUM_THICKNESS, length, PENDULUM_THICKNESS);
    state->hinge = build_hinge(run, (tn_body_id){0}, rod, pivot, build_axis_z());
    build_part turned = build_part_turned(0.5 * length * portable_sin(state->angle),
                                          -0.5 * length * portable_cos(state->angle), state->angle);
    tn_body_set_pose(run->world, rod, turned.pose);
    state->energy = figure_get_energy(run);
    scene_run_name_body(run, rod, "rod");
    scene_run_name_joint(run, state->hinge, "pivot");
    return true;
}

static void pendulum_after_step(scene_run *run, double dt) {
    (void)dt;
    pendulum_state *state = run->state;
    figure_period_add(&state->period, tn_world_get_time(run->world),
                      tn_hinge_joint_get_angle(run->world, state->hinge));
}

static void pendulum_measure(scene_run *run) {
    const pendulum_state *state = run->state;
    double length = scene_run_get_value(run, "length");

    // The box is a little thick: its reduced length is (l^2 + t^2) / (6 l) + l / 2.
    double reduced =
        (length * length + PENDULUM_THICKNESS * PENDULUM_THICKNESS) / (6.0 * length) + 0.5 * length;
    double swing = BUILD_GRAVITY * 0.5 * length * (1.0 - portable_cos(state->angle));
    scene_run_add_figure(run, "period_s", figure_period_get(&state->period));
    scene_run_add_figure(run, "period_exact_s", figure_get_pendulum_period(reduced, state->angle));
    scene_run_add_figure(run, "energy_change_relative",
                         (figure_get_energy(run) - state->energy) / fmax(swing, 1e-12));
}

const scene scene_pendulum = {
    .name = "pendulum",
    .summary = "a rod that swings from one end",
    .time = 10.0,
    .options = pendulum_options,
    .option_count = 2,
    .configure = pendulum_configure,
    .build = pendulum_build,
    .after_step = pendulum_after_step,
    .measure = pendulum_measure,
};
