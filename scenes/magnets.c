// scenes/magnets.c: magnets on a pole that float one over the other.
//
// Each turns the same pole to the next. The lowest pair of a pile of two floats where
// 3 mu0 m^2 / (2 pi r^4) is the weight of the upper one.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#define MAGNETS_MASS   0.1   // kg
#define MAGNETS_RADIUS 0.03  // m
#define MAGNETS_HEIGHT 0.016 // m
#define MAGNETS_MU0    1.25663706212e-6

static const scene_option magnets_options[] = {
    {"count", 5, 2, 12, "magnets; the lowest is held"},
    {"moment", 15, 0, 100, "A m^2 of each"},
};

typedef struct magnets_state {
    tn_body_id bodies[12];
    uint32_t count;
} magnets_state;

static void magnets_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static tn_body_id magnets_add(scene_run *run, uint32_t index) {
    build_part part = build_part_at(0.0, 0.1 * index, 0.0);
    part.type = index == 0 ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    part.mass = MAGNETS_MASS;
    tn_body_id body =
        build_box(run, &part, 2.0 * MAGNETS_RADIUS, MAGNETS_HEIGHT, 2.0 * MAGNETS_RADIUS);
    if (index > 0) {
        tn_joint_id pole =
            build_slider(run, (tn_body_id){0}, body, part.pose.position, build_axis_y());
        tn_slider_joint_set_viscous_friction(run->world, pole, 0.5f);
    }
    return body;
}

static bool magnets_build(scene_run *run) {
    magnets_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->count = (uint32_t)scene_run_get_value(run, "count");
    tn_magnet_force_def def = tn_magnet_force_def_default();
    def.base.connector_count = state->count;
    for (uint32_t i = 0; i < state->count; i++) {
        state->bodies[i] = magnets_add(run, i);
        def.base.connectors[i].body = state->bodies[i];
        def.base.connectors[i].is_at_center = true;
        def.base.connectors[i].axis = build_axis_y();
        def.base.connectors[i].amount =
            (i % 2 == 0 ? 1.0 : -1.0) * scene_run_get_value(run, "moment");
        scene_run_name_body(run, state->bodies[i], "magnet %u", i);
    }
    run->has_failed |= tn_magnet_force_create(run->world, &def).value == 0;
    return true;
}

static void magnets_measure(scene_run *run) {
    const magnets_state *state = run->state;
    double m = scene_run_get_value(run, "moment"), below = 0.0;
    for (uint32_t i = 1; i < state->count; i++) {
        double y = tn_body_get_center(run->world, state->bodies[i]).y;
        if (i == 1 || i + 1 == state->count) {
            scene_run_add_figure(run, i == 1 ? "lowest_gap_m" : "highest_gap_m", y - below);
        }
        below = y;
    }
    double square =
        sqrt(3.0 * MAGNETS_MU0 * m * m / (2.0 * BUILD_PI * MAGNETS_MASS * BUILD_GRAVITY));
    scene_run_add_figure(run, "gap_of_two_by_theory_m", sqrt(square));
}

const scene scene_magnets = {
    .name = "magnets",
    .summary = "magnets on a pole that float one over the other",
    .time = 10.0,
    .options = magnets_options,
    .option_count = 2,
    .configure = magnets_configure,
    .build = magnets_build,
    .measure = magnets_measure,
};
