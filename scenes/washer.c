// scenes/washer.c: a drum of flat staves with four paddles that turns and tumbles thousands of
// cubes.
//
// The drum is one kinematic body about the z axis; two half-spaces close its ends, so that one can
// look inside.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define WASHER_RADIUS    8.0 // m, inside, at the middle of a stave
#define WASHER_LENGTH    8.0 // m between the half-spaces
#define WASHER_STAVES    36
#define WASHER_PADDLES   4
#define WASHER_REACH     1.2 // m of a paddle into the drum
#define WASHER_THICKNESS 0.4 // m of staves and paddles
#define WASHER_CUBE      0.4 // m
#define WASHER_PITCH     0.5 // m between the middles of cubes
#define WASHER_ACROSS    18  // cubes of a layer along x
#define WASHER_ALONG     15  // cubes of a layer along z
#define WASHER_LOWEST    5.0 // m of the first layer below the drum's axis

static const scene_option washer_options[] = {
    {"count", 5000, 1, 5000, "cubes"},
    {"speed", 25, 0, 360, "deg/s of the drum"},
};

static void washer_add_drum(scene_run *run) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.type = TN_BODY_TYPE_KINEMATIC;
    part.velocity.angular.z = scene_run_get_value(run, "speed") * BUILD_PI / 180.0;
    tn_body_id drum = build_body(run, &part);
    scene_run_name_body(run, drum, "drum");
    double outer = WASHER_RADIUS + 0.5 * WASHER_THICKNESS;
    // Staves meet at their outer edges.
    double width =
        2.0 * (WASHER_RADIUS + WASHER_THICKNESS) * portable_tan(BUILD_PI / WASHER_STAVES);
    for (int i = 0; i < WASHER_STAVES; i++) {
        double angle = 2.0 * BUILD_PI * i / WASHER_STAVES;
        build_add_turned_box(
            run, drum, &part,
            build_point(outer * portable_cos(angle), outer * portable_sin(angle), 0.0), angle,
            build_point(WASHER_THICKNESS, width, WASHER_LENGTH));
    }
    double middle = WASHER_RADIUS - 0.5 * WASHER_REACH;
    for (int i = 0; i < WASHER_PADDLES; i++) {
        double angle = 2.0 * BUILD_PI * i / WASHER_PADDLES;
        build_add_turned_box(
            run, drum, &part,
            build_point(middle * portable_cos(angle), middle * portable_sin(angle), 0.0), angle,
            build_point(WASHER_REACH, WASHER_THICKNESS, WASHER_LENGTH));
    }
}

static bool washer_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    build_pane(run, -0.5 * WASHER_LENGTH);
    build_pane(run, 0.5 * WASHER_LENGTH);
    washer_add_drum(run);
    for (int i = 0; i < count; i++) {
        double x = WASHER_PITCH * (i % WASHER_ACROSS - 0.5 * (WASHER_ACROSS - 1));
        double z = WASHER_PITCH * (i / WASHER_ACROSS % WASHER_ALONG - 0.5 * (WASHER_ALONG - 1));
        double y = WASHER_PITCH * (i / (WASHER_ACROSS * WASHER_ALONG)) - WASHER_LOWEST;
        build_part part = build_part_at(x, y, z);
        build_box(run, &part, WASHER_CUBE, WASHER_CUBE, WASHER_CUBE);
    }
    return true;
}

static void washer_measure(scene_run *run) {
    uint32_t escaped = 0;
    for (uint32_t i = 0; i < run->start_count; i++) {
        tn_vec3 p = tn_body_get_center(run->world, run->starts[i].body);
        escaped += portable_hypot(p.x, p.y) > WASHER_RADIUS || fabs(p.z) > 0.5 * WASHER_LENGTH;
    }
    scene_run_add_figure(run, "escaped", escaped);
}

const scene scene_washer = {
    .name = "washer",
    .summary = "a turning drum that tumbles thousands of cubes",
    .time = 10.0,
    .options = washer_options,
    .option_count = 2,
    .build = washer_build,
    .measure = washer_measure,
};
