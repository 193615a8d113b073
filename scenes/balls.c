// scenes/balls.c: soft balls and capsules that roll down a ramp into a bin.
//
// All are affine bodies: they are flattened where they land and lie on each other, roll as they are
// deformed, and come to rest in the bin as ellipsoids.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define BALLS_SLOPE   0.4 // rad, and its cosine and sine
#define BALLS_COSINE  0.921060994
#define BALLS_SINE    0.389418342
#define BALLS_RAMP    4.0  // m
#define BALLS_DEPTH   1.0  // m, of ramp and bin
#define BALLS_BIN     1.4  // m, inside
#define BALLS_WALL    0.8  // m, high
#define BALLS_APART   0.62 // m, from one to the next
#define BALLS_RATIO   0.4  // Poisson's
#define BALLS_VISCOUS 0.03 // s
#define BALLS_DENSITY 200  // kg/m^3

static const scene_option balls_options[] = {
    {"count", 9, 1, 1000, "balls and capsules"},
    {"modulus", 1e4, 0, 1e12, "Pa, Young's"},
};

typedef struct balls_state {
    int count;
    tn_reduced_id bodies[];
} balls_state;

static void balls_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void balls_add_fixed(scene_run *run, double x, double y, double angle, tn_vec3 size) {
    build_part part = build_part_turned(x, y, angle);
    part.type = TN_BODY_TYPE_STATIC;
    build_box(run, &part, size.x, size.y, size.z);
}

// The ramp ends above the bin's near wall. Panes in front and behind keep all in the picture.
static void balls_add_bin(scene_run *run) {
    double wall = 0.1, middle = 0.5 * BALLS_BIN;
    tn_vec3 side = build_point(wall, BALLS_WALL, BALLS_DEPTH);
    tn_vec3 ramp = build_point(BALLS_RAMP, wall, BALLS_DEPTH);
    double across = 0.5 * BALLS_RAMP * BALLS_COSINE, up = 0.5 * BALLS_RAMP * BALLS_SINE;
    balls_add_fixed(run, -middle, 0.5 * BALLS_WALL, 0.0, side);
    balls_add_fixed(run, middle + 0.3, 0.5 * BALLS_WALL + 0.2, 0.0,
                    build_point(wall, BALLS_WALL + 0.4, BALLS_DEPTH));
    balls_add_fixed(run, -middle - across, BALLS_WALL + up, -BALLS_SLOPE, ramp);
    build_pane(run, -0.5 * BALLS_DEPTH);
    build_pane(run, 0.5 * BALLS_DEPTH);
}

static tn_body_id balls_add_body(scene_run *run, int index) {
    double way = 0.3 + BALLS_APART * (double)(index % 6), row = 0.75 * (double)(index / 6);
    double x = -0.5 * BALLS_BIN - way * BALLS_COSINE - 0.2;
    double y = BALLS_WALL + way * BALLS_SINE + 0.45 + row;
    build_part part = build_part_turned(x, y, 0.0);
    part.density = BALLS_DENSITY;
    if (index % 3 == 2) {
        build_turn(&part.pose, build_axis_y(), 0.5 * BUILD_PI); // across the ramp
        return build_capsule(run, &part, 0.4, 0.17);
    }
    return build_sphere(run, &part, index % 3 == 0 ? 0.25 : 0.2);
}

static bool balls_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    balls_state *state =
        scene_run_alloc_state(run, sizeof *state + (size_t)count * sizeof *state->bodies);
    if (state == NULL) {
        return false;
    }
    build_ground(run, 0.0);
    balls_add_bin(run);
    for (int i = 0; i < count; i++) {
        tn_body_id body = balls_add_body(run, i);
        scene_run_name_body(run, body, "ball_%d", i);
        state->bodies[state->count++] = build_affine(run, body, BALLS_RATIO, BALLS_VISCOUS);
    }
    return true;
}

static void balls_measure(scene_run *run) {
    const balls_state *state = run->state;
    figure_add_affine(run, state->bodies, state->count);
}

const scene scene_balls = {
    .name = "balls",
    .summary = "soft balls and capsules that roll down a ramp into a bin",
    .time = 5.0,
    .options = balls_options,
    .option_count = 2,
    .configure = balls_configure,
    .build = balls_build,
    .measure = balls_measure,
};
