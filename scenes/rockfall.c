// scenes/rockfall.c: rocks fall on a height field, a hilly valley.
#include "scenes/build_terrain.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define ROCKFALL_SPACING 1.5 // m between the middles of rocks
#define ROCKFALL_MARGIN  6.0 // m of ground around them
#define ROCKFALL_CELL    0.5 // m

static const scene_option rockfall_options[] = {
    {"count", 200, 1, 20000, "rocks"},
    {"side", 8, 2, 100, "rocks along each edge of a layer"},
    {"hills", 0.6, 0, 2, "m, how high the hills are"},
};

static build_hills rockfall_get_hills(const scene_run *run) {
    return (build_hills){scene_run_get_value(run, "hills"), 0.9, 1.1, 0.02};
}

static bool rockfall_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    build_hills hills = rockfall_get_hills(run);
    double half = 0.5 * ROCKFALL_SPACING * side + ROCKFALL_MARGIN;
    build_terrain terrain = build_terrain_make_square(half, (uint32_t)(2.0 * half / ROCKFALL_CELL));
    terrain.get_height = build_hills_get_height;
    terrain.context = &hills;
    terrain.is_field = true;
    build_add_terrain(run, &terrain);
    uint32_t seed = 17;
    for (int i = 0; i < count; i++) {
        build_part part = build_part_in_layers(i, side, ROCKFALL_SPACING, &seed);
        tn_vec3 *at = &part.pose.position;
        at->y += build_hills_get_height(at->x, at->z, &hills);
        build_rock(run, &part, 0.6 + 0.5 * build_random(&seed), &seed);
    }
    return true;
}

static void rockfall_measure(scene_run *run) {
    build_hills hills = rockfall_get_hills(run);
    scene_run_add_figure(run, "below_ground",
                         figure_count_under(run, build_hills_get_height, &hills));
}

const scene scene_rockfall = {
    .name = "rockfall",
    .summary = "rocks falling on a height field",
    .time = 6.0,
    .options = rockfall_options,
    .option_count = 3,
    .build = rockfall_build,
    .measure = rockfall_measure,
};
