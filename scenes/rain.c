// scenes/rain.c: figures that fall, one above the other, onto a field of roofs and crooked blocks.
#include "scenes/doll.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define RAIN_SPACING 1.6 // m between the places that figures fall on
#define RAIN_LAYER   4.0 // m between one figure and the next above it
#define RAIN_LOWEST  5.0 // m of the lowest figures
#define RAIN_SPREAD  3.0 // m by which heights differ within a layer
#define RAIN_ROOF    1.0 // m of a roof's height, and half its width
#define RAIN_BLOCK   0.8 // m of a crooked block's edge

static const scene_option rain_options[] = {
    {"count", 200, 1, 5000, "figures"},
    {"side", 7, 1, 50, "figures along each edge of a layer"},
};

// A ridge along z, of one hull as long as its pitch.
static void rain_add_roof(scene_run *run, double x, double z) {
    double half = 0.5 * RAIN_SPACING;
    tn_vec3 points[6];
    for (int i = 0; i < 2; i++) {
        double end = i == 0 ? -half : half;
        points[3 * i] = build_point(-RAIN_ROOF, 0.0, end);
        points[3 * i + 1] = build_point(RAIN_ROOF, 0.0, end);
        points[3 * i + 2] = build_point(0.0, RAIN_ROOF, end);
    }
    build_part part = build_part_at(x, 0.0, z);
    part.type = TN_BODY_TYPE_STATIC;
    build_hull(run, &part, points, 6);
}

static void rain_add_block(scene_run *run, double x, double z, uint32_t *seed) {
    build_part part = build_part_at(x, 0.5 * RAIN_BLOCK, z);
    part.type = TN_BODY_TYPE_STATIC;
    build_turn(&part.pose, build_axis_x(), BUILD_PI * build_random(seed));
    build_turn(&part.pose, build_axis_y(), BUILD_PI * build_random(seed));
    build_box(run, &part, RAIN_BLOCK, RAIN_BLOCK, RAIN_BLOCK);
}

static bool rain_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    uint32_t seed = 11;
    build_ground(run, 0.0);
    for (int i = 0; i < (side + 2) * (side + 2); i++) { // a place more on each side
        double x = RAIN_SPACING * (i % (side + 2) - 0.5 * (side + 1));
        double z = RAIN_SPACING * (i / (side + 2) - 0.5 * (side + 1));
        if (i % (side + 2) % 2 == 0) {
            rain_add_roof(run, x, z);
        } else {
            rain_add_block(run, x, z, &seed);
        }
    }
    for (int i = 0; i < count; i++) {
        double x = RAIN_SPACING * (i % side - 0.5 * (side - 1));
        double z = RAIN_SPACING * (i / side % side - 0.5 * (side - 1));
        double y =
            RAIN_LOWEST + RAIN_LAYER * (i / (side * side)) + RAIN_SPREAD * build_random(&seed);
        double yaw = 2.0 * BUILD_PI * build_random(&seed);
        double lean = BUILD_PI * (build_random(&seed) - 0.5);
        doll_add(run, build_point(x, y, z), yaw, lean, -(i + 1));
    }
    return true;
}

static void rain_measure(scene_run *run) {
    scene_run_add_figure(run, "joints", tn_world_count_joints(run->world));
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}

const scene scene_rain = {
    .name = "rain",
    .summary = "figures raining onto a field of roofs and crooked blocks",
    .time = 8.0,
    .options = rain_options,
    .option_count = 2,
    .build = rain_build,
    .measure = rain_measure,
};
