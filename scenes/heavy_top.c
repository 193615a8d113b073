// scenes/heavy_top.c: the fast heavy top: 15 kg, 1 m from its tip, spinning with its axis level.
//
// The top of M. Geradin and A. Cardona, Flexible Multibody Dynamics, 2001, with y up. Energy and
// the vertical angular momentum about the tip are conserved.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define HEAVY_TOP_MASS       15.0     // kg
#define HEAVY_TOP_INERTIA    0.234375 // kg m^2 across the axis
#define HEAVY_TOP_SPINNING   0.46875  // kg m^2 about it
#define HEAVY_TOP_PRECESSION 4.61538  // rad/s at the start
#define HEAVY_TOP_SIDES      16       // of the cone that is drawn

static const scene_option heavy_top_options[] = {
    {"spin", 150, -10000, 10000, "rad/s about its axis"},
};

typedef struct heavy_top_state {
    tn_body_id top;
    double energy, momentum; // J; kg m^2/s about the vertical
} heavy_top_state;

static void heavy_top_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

// A cone with its tip at the body's origin; it touches nothing.
static tn_body_id heavy_top_add_cone(scene_run *run) {
    tn_vec3 points[HEAVY_TOP_SIDES + 1] = {{0.0, 0.0, 0.0}};
    for (uint32_t i = 0; i < HEAVY_TOP_SIDES; i++) {
        double angle = 2.0 * BUILD_PI * i / HEAVY_TOP_SIDES;
        points[i + 1] =
            build_point(0.25 * portable_cos(angle), 4.0 / 3.0, 0.25 * portable_sin(angle));
    }
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.filter.mask = 0;
    build_turn(&part.pose, build_axis_x(), -0.5 * BUILD_PI);
    return build_hull(run, &part, points, HEAVY_TOP_SIDES + 1);
}

static bool heavy_top_build(scene_run *run) {
    heavy_top_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->top = heavy_top_add_cone(run);
    tn_mass mass = {
        .mass = HEAVY_TOP_MASS,
        .center = build_axis_y(),
        .inertia = {.xx = HEAVY_TOP_INERTIA, .yy = HEAVY_TOP_SPINNING, .zz = HEAVY_TOP_INERTIA}};
    tn_body_set_mass(run->world, state->top, mass);
    tn_velocity velocity = {
        .linear = {HEAVY_TOP_PRECESSION, 0.0, 0.0},
        .angular = {0.0, -HEAVY_TOP_PRECESSION, -scene_run_get_value(run, "spin")}};
    tn_body_set_velocity(run->world, state->top, velocity);
    tn_joint_id tip = build_ball_joint(run, (tn_body_id){0}, state->top, build_point(0.0, 0.0, 0.0),
                                       build_axis_y());
    scene_run_name_body(run, state->top, "top");
    scene_run_name_joint(run, tip, "tip");
    state->energy = figure_get_energy(run);
    state->momentum = tn_world_get_energy(run->world).angular_momentum.y;
    return true;
}

static void heavy_top_measure(scene_run *run) {
    const heavy_top_state *state = run->state;
    double momentum = tn_world_get_energy(run->world).angular_momentum.y;
    scene_run_add_figure(run, "energy_change_relative",
                         (figure_get_energy(run) - state->energy) / state->energy);
    scene_run_add_figure(run, "vertical_momentum_change_relative",
                         (momentum - state->momentum) / fabs(state->momentum));
    scene_run_add_figure(run, "height_m", tn_body_get_center(run->world, state->top).y);
}

const scene scene_heavy_top = {
    .name = "heavy_top",
    .summary = "a fast heavy top on its tip, its axis level at the start",
    .time = 2.0,
    .options = heavy_top_options,
    .option_count = 1,
    .configure = heavy_top_configure,
    .build = heavy_top_build,
    .measure = heavy_top_measure,
};
