// scenes/ragdolls.c: a hundred figures of 11 bodies and 10 joints, dropped in a pile, on a plane or
// in a hilly valley of triangles.
#include "scenes/build_terrain.h"
#include "scenes/doll.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define RAGDOLLS_SPACING 1.0 // m between them
#define RAGDOLLS_LAYER   2.0 // m between layers
#define RAGDOLLS_MARGIN  6.0 // m of ground around them, of triangles
#define RAGDOLLS_SQUARE  0.3 // m of an edge of two triangles

static const scene_option ragdolls_options[] = {
    {"count", 100, 1, 5000, "figures"},
    {"side", 5, 1, 50, "figures along each edge of a layer"},
    {"hills", 0, 0, 2, "m, how high the hills of a ground of triangles are; 0: a plane"},
};

static void ragdolls_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static build_hills ragdolls_get_hills(const scene_run *run) {
    double height = scene_run_get_value(run, "hills");
    return (build_hills){height, 1.1, 1.3, height > 0.0 ? 0.03 : 0.0};
}

static void ragdolls_add_ground(scene_run *run, const build_hills *hills, int side) {
    if (hills->height <= 0.0) {
        build_ground(run, 0.0);
        return;
    }
    double half = 0.5 * RAGDOLLS_SPACING * side + RAGDOLLS_MARGIN;
    build_terrain terrain =
        build_terrain_make_square(half, (uint32_t)(2.0 * half / RAGDOLLS_SQUARE));
    terrain.get_height = build_hills_get_height;
    terrain.context = hills;
    build_add_terrain(run, &terrain);
}

static bool ragdolls_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    build_hills hills = ragdolls_get_hills(run);
    uint32_t seed = 7;
    ragdolls_add_ground(run, &hills, side);
    for (int i = 0; i < count; i++) {
        int layer = i / (side * side);
        double x = RAGDOLLS_SPACING * (i % side - 0.5 * (side - 1));
        double z = RAGDOLLS_SPACING * (i / side % side - 0.5 * (side - 1));
        double y = build_hills_get_height(x, z, &hills) + 1.5 + RAGDOLLS_LAYER * layer;
        tn_vec3 place = build_point(x, y, z);
        double yaw = 2.0 * BUILD_PI * build_random(&seed);
        double lean = 0.6 * (build_random(&seed) - 0.5);
        doll_add(run, place, yaw, lean, -(i + 1));
    }
    return true;
}

static void ragdolls_measure(scene_run *run) {
    scene_run_add_figure(run, "joints", tn_world_count_joints(run->world));
    build_hills hills = ragdolls_get_hills(run);
    scene_run_add_figure(run, "below_ground",
                         figure_count_under(run, build_hills_get_height, &hills));
}

const scene scene_ragdolls = {
    .name = "ragdolls",
    .summary = "a hundred figures dropped in a pile",
    .time = 10.0,
    .options = ragdolls_options,
    .option_count = 3,
    .configure = ragdolls_configure,
    .build = ragdolls_build,
    .measure = ragdolls_measure,
};
