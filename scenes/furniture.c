// scenes/furniture.c: bodies of three to six shapes fall on a plane: stools, jacks, dumbbells and
// chairs.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define FURNITURE_SPACING 1.4 // m between the middles of pieces
#define FURNITURE_KINDS   4

static const scene_option furniture_options[] = {
    {"count", 100, 1, 20000, "pieces"},
    {"side", 6, 2, 100, "pieces along each edge of a layer"},
};

static void furniture_add_legs(scene_run *run, tn_body_id body, const build_part *part,
                               double apart) {
    for (int i = 0; i < 4; i++) {
        double x = i % 2 == 0 ? -apart : apart, z = i < 2 ? -apart : apart;
        build_add_box(run, body, part, build_point(x, -0.25, z), build_point(0.08, 0.5, 0.08));
    }
}

static void furniture_add_jack(scene_run *run, tn_body_id body, const build_part *part) {
    tn_vec3 middle = build_point(0.0, 0.0, 0.0);
    build_add_box(run, body, part, middle, build_point(1.0, 0.16, 0.16));
    build_add_box(run, body, part, middle, build_point(0.16, 1.0, 0.16));
    build_add_box(run, body, part, middle, build_point(0.16, 0.16, 1.0));
}

static void furniture_add_dumbbell(scene_run *run, tn_body_id body, const build_part *part) {
    build_add_box(run, body, part, build_point(0.0, 0.0, 0.0), build_point(0.6, 0.1, 0.1));
    build_add_sphere(run, body, part, build_point(-0.35, 0.0, 0.0), 0.22);
    build_add_sphere(run, body, part, build_point(0.35, 0.0, 0.0), 0.22);
}

static void furniture_add_piece(scene_run *run, const build_part *part, int kind) {
    tn_body_id body = build_body(run, part);
    switch (kind) {
    case 0: // a stool
        build_add_box(run, body, part, build_point(0.0, 0.04, 0.0), build_point(0.6, 0.08, 0.6));
        furniture_add_legs(run, body, part, 0.25);
        break;
    case 1:
        furniture_add_jack(run, body, part);
        break;
    case 2:
        furniture_add_dumbbell(run, body, part);
        break;
    default: // a chair
        build_add_box(run, body, part, build_point(0.0, 0.04, 0.0), build_point(0.5, 0.08, 0.5));
        build_add_box(run, body, part, build_point(-0.22, 0.35, 0.0), build_point(0.06, 0.55, 0.5));
        furniture_add_legs(run, body, part, 0.2);
        break;
    }
}

static bool furniture_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    uint32_t seed = 23;
    build_ground(run, 0.0);
    for (int i = 0; i < count; i++) {
        build_part part = build_part_in_layers(i, side, FURNITURE_SPACING, &seed);
        part.density = 500.0;
        furniture_add_piece(run, &part, i % FURNITURE_KINDS);
    }
    return true;
}

static void furniture_measure(scene_run *run) {
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}

const scene scene_furniture = {
    .name = "furniture",
    .summary = "stools, jacks, dumbbells and chairs of several shapes falling on the ground",
    .time = 6.0,
    .options = furniture_options,
    .option_count = 2,
    .build = furniture_build,
    .measure = furniture_measure,
};
