// scenes/ragdolls.c: a hundred figures of 11 bodies and 10 joints, dropped in a pile.
#include "scenes/doll.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define RAGDOLLS_SPACING 1.0 // m between them
#define RAGDOLLS_LAYER   2.0 // m between layers

static const scene_option ragdolls_options[] = {
    {"count", 100, 1, 5000, "figures"},
    {"side", 5, 1, 50, "figures along each edge of a layer"},
};

static void ragdolls_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool ragdolls_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    uint32_t seed = 7;
    build_ground(run, 0.0);
    for (int i = 0; i < count; i++) {
        int layer = i / (side * side);
        double x = RAGDOLLS_SPACING * (i % side - 0.5 * (side - 1));
        double z = RAGDOLLS_SPACING * (i / side % side - 0.5 * (side - 1));
        tn_vec3 place = build_point(x, 1.5 + RAGDOLLS_LAYER * layer, z);
        double yaw = 2.0 * BUILD_PI * build_random(&seed);
        double lean = 0.6 * (build_random(&seed) - 0.5);
        doll_add(run, place, yaw, lean, -(i + 1));
    }
    return true;
}

static void ragdolls_measure(scene_run *run) {
    scene_run_add_figure(run, "joints", tn_world_count_joints(run->world));
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}

const scene scene_ragdolls = {
    .name = "ragdolls",
    .summary = "a hundred figures dropped in a pile",
    .time = 10.0,
    .options = ragdolls_options,
    .option_count = 2,
    .configure = ragdolls_configure,
    .build = ragdolls_build,
    .measure = ragdolls_measure,
};
