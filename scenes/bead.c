// scenes/bead.c: a bead on a circle of wire, thrown from the lowest point: the example of A.
// Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997.
//
// From 2 sqrt(g r), 6.26 m/s on a circle of 1 m, the bead goes round, with k = 2 sqrt(g r) / v in
//     T = 4 r / v K(k)
// and below it swings like a pendulum of length r with sin(amplitude / 2) = 1 / k.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define BEAD_SIZE 0.05 // m: radius of the bead itself

static const scene_option bead_options[] = {
    {"radius", 1, 0.1, 100, "m of the circle"},
    {"speed", 7, 0, 1000, "m/s at the lowest point, at the start"},
};

typedef struct bead_state {
    tn_body_id bead;
    double energy, drift; // J at the start; m: farthest from the circle so far
    figure_period period; // of x, which rises through 0 at the lowest point
} bead_state;

static void bead_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool bead_build(scene_run *run) {
    bead_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_part part = build_part_at(0.0, -scene_run_get_value(run, "radius"), 0.0);
    part.mass = 1.0;
    part.velocity.linear.x = scene_run_get_value(run, "speed");
    state->bead = build_sphere(run, &part, BEAD_SIZE);
    tn_joint_id wire = build_rod(run, (tn_body_id){0}, state->bead, build_point(0.0, 0.0, 0.0),
                                 part.pose.position);
    state->energy = figure_get_energy(run);
    scene_run_name_body(run, state->bead, "bead");
    scene_run_name_joint(run, wire, "wire");
    return true;
}

static void bead_after_step(scene_run *run, double dt) {
    (void)dt;
    bead_state *state = run->state;
    tn_vec3 at = tn_body_get_center(run->world, state->bead);
    double off = build_length(at) - scene_run_get_value(run, "radius");
    state->drift = fmax(state->drift, fabs(off));
    figure_period_add(&state->period, tn_world_get_time(run->world), at.x);
}

static double bead_get_exact_period(double radius, double speed) {
    double turning = 2.0 * sqrt(BUILD_GRAVITY * radius); // m/s
    if (speed > turning) {
        return 4.0 * radius / speed * figure_get_elliptic_k(turning / speed);
    }
    return figure_get_pendulum_period(radius, 2.0 * portable_asin(speed / turning));
}

static void bead_measure(scene_run *run) {
    const bead_state *state = run->state;
    double speed = scene_run_get_value(run, "speed");
    double kinetic = 0.5 * speed * speed; // of 1 kg, at its most
    double change = figure_get_energy(run) - state->energy;
    scene_run_add_figure(run, "period_s", figure_period_get(&state->period));
    scene_run_add_figure(run, "period_exact_s",
                         bead_get_exact_period(scene_run_get_value(run, "radius"), speed));
    scene_run_add_figure(run, "radius_drift_m", state->drift);
    scene_run_add_figure(run, "energy_change_relative", change / fmax(kinetic, 1e-12));
}

const scene scene_bead = {
    .name = "bead",
    .summary = "a bead on a circle of wire, thrown all the way round",
    .time = 10.0,
    .options = bead_options,
    .option_count = 2,
    .configure = bead_configure,
    .build = bead_build,
    .after_step = bead_after_step,
    .measure = bead_measure,
};
