// scenes/tiled_floor.c: a crate slides over a floor of level tiles, each a body of its own.
//
// The tiles are level, so the crate goes as far as on one slab: v^2 / (2 mu g), straight on. With
// friction 0 it goes on at its speed.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define TILED_FLOOR_CRATE 0.5 // m
#define TILED_FLOOR_THICK 0.1 // m
#define TILED_FLOOR_ROWS  4

static const scene_option tiled_floor_options[] = {
    {"tile", 0.5, 0.1, 5, "m, side of a tile"},
    {"length", 9, 1, 100, "m of floor ahead of the crate"},
    {"speed", 6, 0, 50, "m/s of the crate at the start"},
    {"friction", 0.3, 0, 1, "between crate and tiles"},
    {"yaw", 0, 0, 1.6, "rad that the crate is turned by about the vertical"},
};

typedef struct tiled_floor_state {
    tn_body_id crate;
    double rise_max; // m: the highest that the crate's center got above its start
} tiled_floor_state;

static void tiled_floor_add_tiles(scene_run *run, double friction) {
    double tile = scene_run_get_value(run, "tile");
    int count = (int)ceil((scene_run_get_value(run, "length") + 2.0) / tile);
    for (int i = 0; i < count; i++) {
        for (int row = 0; row < TILED_FLOOR_ROWS; row++) {
            build_part part = build_part_at(-1.0 + tile * (i + 0.5), -0.5 * TILED_FLOOR_THICK,
                                            tile * (row - 0.5 * (TILED_FLOOR_ROWS - 1)));
            part.type = TN_BODY_TYPE_STATIC;
            part.material.friction = (float)friction;
            build_box(run, &part, tile, TILED_FLOOR_THICK, tile);
        }
    }
}

static bool tiled_floor_build(scene_run *run) {
    tiled_floor_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    double friction = scene_run_get_value(run, "friction");
    tiled_floor_add_tiles(run, friction);
    build_part part = build_part_at(0.0, 0.5 * TILED_FLOOR_CRATE, 0.0);
    build_turn(&part.pose, build_axis_y(), scene_run_get_value(run, "yaw"));
    part.density = 500.0;
    part.material.friction = (float)friction;
    part.velocity.linear.x = scene_run_get_value(run, "speed");
    state->crate = build_box(run, &part, TILED_FLOOR_CRATE, TILED_FLOOR_CRATE, TILED_FLOOR_CRATE);
    scene_run_name_body(run, state->crate, "crate");
    return true;
}

static void tiled_floor_after_step(scene_run *run, double dt) {
    (void)dt;
    tiled_floor_state *state = run->state;
    double rise = tn_body_get_center(run->world, state->crate).y - 0.5 * TILED_FLOOR_CRATE;
    state->rise_max = fmax(state->rise_max, rise);
}

static void tiled_floor_measure(scene_run *run) {
    const tiled_floor_state *state = run->state;
    tn_vec3 end = tn_body_get_center(run->world, state->crate);
    double speed = scene_run_get_value(run, "speed");
    double drag = scene_run_get_value(run, "friction") * BUILD_GRAVITY;
    double time = tn_world_get_time(run->world);
    double stop = drag > 0.0 ? fmin(time, speed / drag) : time;
    scene_run_add_figure(run, "way_m", end.x);
    scene_run_add_figure(run, "way_exact_m", speed * stop - 0.5 * drag * stop * stop);
    scene_run_add_figure(run, "aside_m", fabs(end.z));
    scene_run_add_figure(run, "rise_max_m", state->rise_max);
}

const scene scene_tiled_floor = {
    .name = "tiled_floor",
    .summary = "a crate slides over a floor of level tiles",
    .time = 4.0,
    .options = tiled_floor_options,
    .option_count = 5,
    .build = tiled_floor_build,
    .after_step = tiled_floor_after_step,
    .measure = tiled_floor_measure,
};
