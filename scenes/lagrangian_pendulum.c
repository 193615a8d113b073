// scenes/lagrangian_pendulum.c: an arm that is given by its angle, and a chain of links on it.
//
// The arm knows no joint: its pose follows from one coordinate, and no error can open there. The
// links are rigid bodies on hinges.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define LAGRANGIAN_PENDULUM_ARM       1.0  // m
#define LAGRANGIAN_PENDULUM_LINKS     3    // of the chain
#define LAGRANGIAN_PENDULUM_LINK      0.4  // m
#define LAGRANGIAN_PENDULUM_THICKNESS 0.05 // m

static const scene_option lagrangian_pendulum_options[] = {
    {"angle", 60, -180, 180, "deg of the arm from hanging"},
};

typedef struct lagrangian_pendulum_state {
    tn_reduced_id arm;
    double energy, swing; // J at the start, and above hanging straight down
} lagrangian_pendulum_state;

static void lagrangian_pendulum_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// The arm's middle is half its length from the pivot, and its x axis points away from it.
static void lagrangian_pendulum_move(const tn_reduced_input *input, tn_reduced_output *out,
                                     void *user_data) {
    (void)user_data;
    double q = input->coordinates[0], w = input->speeds[0], l = 0.5 * LAGRANGIAN_PENDULUM_ARM;
    double s = portable_sin(q), c = portable_cos(q), turn = 0.5 * q - 0.25 * BUILD_PI;
    tn_reduced_motion *arm = &out->bodies[0];
    arm->pose.position = build_point(l * s, -l * c, 0.0);
    arm->pose.rotation.z = portable_sin(turn);
    arm->pose.rotation.w = portable_cos(turn);
    arm->linear[0] = (tn_vec3){l * c, l * s, 0.0};
    arm->angular[0] = build_axis_z();
    arm->acceleration = (tn_vec3){-l * s * w * w, l * c * w * w, 0.0};
}

static tn_body_id lagrangian_pendulum_add_bar(scene_run *run, tn_vec3 from, tn_vec3 to,
                                              double mass) {
    return build_bar(run, from, to, mass, LAGRANGIAN_PENDULUM_THICKNESS,
                     LAGRANGIAN_PENDULUM_THICKNESS);
}

static bool lagrangian_pendulum_build(scene_run *run) {
    lagrangian_pendulum_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double angle = scene_run_get_value(run, "angle") * BUILD_PI / 180.0;
    tn_vec3 pivot = build_point(0.0, 0.0, 0.0);
    tn_vec3 end = build_point(LAGRANGIAN_PENDULUM_ARM * portable_sin(angle),
                              -LAGRANGIAN_PENDULUM_ARM * portable_cos(angle), 0.0);
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 1;
    def.bodies[0] = lagrangian_pendulum_add_bar(run, pivot, end, 2.0);
    def.function = lagrangian_pendulum_move;
    def.coordinates[0] = angle;
    state->arm = tn_reduced_create(run->world, &def);
    run->has_failed = run->has_failed || state->arm.value == 0;
    scene_run_name_body(run, def.bodies[0], "arm");
    tn_body_id before = def.bodies[0];
    double lowest = 2.0 * 0.5 * LAGRANGIAN_PENDULUM_ARM;
    for (int i = 0; i < LAGRANGIAN_PENDULUM_LINKS; i++) {
        tn_vec3 next = build_point(end.x, end.y - LAGRANGIAN_PENDULUM_LINK, 0.0);
        tn_body_id link = lagrangian_pendulum_add_bar(run, end, next, 0.4);
        build_hinge(run, before, link, end, build_axis_z());
        scene_run_name_body(run, link, "link_%d", i);
        lowest += 0.4 * (LAGRANGIAN_PENDULUM_ARM + (i + 0.5) * LAGRANGIAN_PENDULUM_LINK);
        before = link;
        end = next;
    }
    state->energy = figure_get_energy(run);
    state->swing = state->energy + lowest * BUILD_GRAVITY;
    return true;
}

static void lagrangian_pendulum_measure(scene_run *run) {
    const lagrangian_pendulum_state *state = run->state;
    double angle = 0.0;
    tn_reduced_get_coordinates(run->world, state->arm, &angle, 1);
    double change = figure_get_energy(run) - state->energy;
    scene_run_add_figure(run, "angle_rad", angle);
    scene_run_add_figure(run, "energy_change_relative", change / fmax(state->swing, 1e-12));
    scene_run_add_figure(run, "joint_gap_m", figure_get_joint_gap(run));
}

const scene scene_lagrangian_pendulum = {
    .name = "lagrangian_pendulum",
    .summary = "an arm given by its angle alone, with a chain of rigid links on it",
    .time = 5.0,
    .options = lagrangian_pendulum_options,
    .option_count = 1,
    .configure = lagrangian_pendulum_configure,
    .build = lagrangian_pendulum_build,
    .measure = lagrangian_pendulum_measure,
};
