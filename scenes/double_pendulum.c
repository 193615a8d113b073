// scenes/double_pendulum.c: two rods in a row: chaos, and no energy lost.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define DOUBLE_PENDULUM_THICKNESS 0.05 // m

static const scene_option double_pendulum_options[] = {
    {"angle1", 120, -180, 180, "deg of the first rod from hanging"},
    {"angle2", 120, -180, 180, "deg of the second rod from hanging"},
};

typedef struct double_pendulum_state {
    double energy;       // J at the start
    double energy_drift; // J: the largest change so far
} double_pendulum_state;

static void double_pendulum_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_body_id double_pendulum_add(scene_run *run, tn_vec3 from, tn_vec3 to, const char *name) {
    build_part part = build_part_between(from, to);
    part.mass = 1.0;
    part.filter.mask = 0;
    tn_body_id rod =
        build_box(run, &part, 1.0, DOUBLE_PENDULUM_THICKNESS, DOUBLE_PENDULUM_THICKNESS);
    scene_run_name_body(run, rod, "%s", name);
    return rod;
}

static bool double_pendulum_build(scene_run *run) {
    double_pendulum_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double angle1 = scene_run_get_value(run, "angle1") * BUILD_PI / 180.0;
    double angle2 = scene_run_get_value(run, "angle2") * BUILD_PI / 180.0;
    tn_vec3 pivot = build_point(0.0, 0.0, 0.0);
    tn_vec3 elbow = build_point(portable_sin(angle1), -portable_cos(angle1), 0.0);
    tn_vec3 end = build_point(elbow.x + portable_sin(angle2), elbow.y - portable_cos(angle2), 0.0);
    tn_body_id first = double_pendulum_add(run, pivot, elbow, "first");
    tn_body_id second = double_pendulum_add(run, elbow, end, "second");
    tn_joint_id shoulder = build_hinge(run, (tn_body_id){0}, first, pivot, build_axis_z());
    scene_run_name_joint(run, shoulder, "shoulder");
    scene_run_name_joint(run, build_hinge(run, first, second, elbow, build_axis_z()), "elbow");
    state->energy = figure_get_energy(run);
    return true;
}

static void double_pendulum_after_step(scene_run *run, double dt) {
    (void)dt;
    double_pendulum_state *state = run->state;
    double change = figure_get_energy(run) - state->energy;
    if (fabs(change) > fabs(state->energy_drift)) {
        state->energy_drift = change;
    }
}

// Energies over what the pendulum has above hanging straight down, m g (0.5 + 1.5) m below the
// pivot.
static void double_pendulum_measure(scene_run *run) {
    const double_pendulum_state *state = run->state;
    double swing = state->energy + 2.0 * BUILD_GRAVITY;
    double change = figure_get_energy(run) - state->energy;
    scene_run_add_figure(run, "energy_change_relative", change / fmax(swing, 1e-12));
    scene_run_add_figure(run, "energy_drift_max_relative",
                         state->energy_drift / fmax(swing, 1e-12));
}

const scene scene_double_pendulum = {
    .name = "double_pendulum",
    .summary = "two rods in a row",
    .time = 10.0,
    .options = double_pendulum_options,
    .option_count = 2,
    .configure = double_pendulum_configure,
    .build = double_pendulum_build,
    .after_step = double_pendulum_after_step,
    .measure = double_pendulum_measure,
};
