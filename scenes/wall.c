// scenes/wall.c: a wall of bricks in running bond; a ball may be thrown at it.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define WALL_BRICK_LENGTH 0.5    // m
#define WALL_BRICK_HEIGHT 0.25   // m, and its depth
#define WALL_DENSITY      1800.0 // kg/m^3, of fired clay

static const scene_option wall_options[] = {
    {"rows", 16, 1, 100, "courses of bricks"},
    {"columns", 12, 1, 100, "bricks in a full course"},
    {"ball_speed", 0, 0, 100, "m/s of a ball of 50 kg thrown at the middle; 0: no ball"},
};

static void wall_add_brick(scene_run *run, double x, double y, double length) {
    build_part part = build_part_at(x, y, 0.0);
    part.density = WALL_DENSITY;
    build_box(run, &part, length, WALL_BRICK_HEIGHT, WALL_BRICK_HEIGHT);
}

// Every second course starts and ends with half a brick.
static void wall_add_course(scene_run *run, int row, int columns) {
    double y = (row + 0.5) * WALL_BRICK_HEIGHT;
    double left = -0.5 * columns * WALL_BRICK_LENGTH;
    bool has_halves = row % 2 == 1;
    double half = 0.5 * WALL_BRICK_LENGTH;
    if (has_halves) {
        wall_add_brick(run, left + 0.5 * half, y, half);
        wall_add_brick(run, -left - 0.5 * half, y, half);
    }
    int count = has_halves ? columns - 1 : columns;
    double start = has_halves ? left + half : left;
    for (int i = 0; i < count; i++) {
        wall_add_brick(run, start + (i + 0.5) * WALL_BRICK_LENGTH, y, WALL_BRICK_LENGTH);
    }
}

static bool wall_build(scene_run *run) {
    int rows = (int)scene_run_get_value(run, "rows");
    int columns = (int)scene_run_get_value(run, "columns");
    double speed = scene_run_get_value(run, "ball_speed");
    build_ground(run, 0.0);
    for (int row = 0; row < rows; row++) {
        wall_add_course(run, row, columns);
    }
    if (speed > 0.0) {
        build_part part = build_part_at(0.0, 0.5 * rows * WALL_BRICK_HEIGHT, 4.0);
        part.mass = 50.0;
        part.velocity.linear.z = -speed;
        scene_run_name_body(run, build_sphere(run, &part, 0.25), "ball");
    }
    return true;
}

static void wall_measure(scene_run *run) {
    figure_add_stability(run, 0.5 * WALL_BRICK_HEIGHT);
}

const scene scene_wall = {
    .name = "wall",
    .summary = "a brick wall in running bond, with a ball to throw at it",
    .time = 5.0,
    .options = wall_options,
    .option_count = 3,
    .build = wall_build,
    .measure = wall_measure,
};
