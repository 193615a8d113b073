// scenes/junkyard.c: scrap of many shapes falls into a yard, where a heavy pusher drives through
// it.
//
// Pieces are boxes, beams, balls, pipes, wheels, wedges and rocks. The pusher is a body of many
// tonnes on a slider with a speed motor, as wide as the yard.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define JUNKYARD_SPACING     1.5  // m between the middles of pieces
#define JUNKYARD_KINDS       8    // of which the last two are rocks
#define JUNKYARD_WALL        4.0  // m of the walls' height
#define JUNKYARD_THICKNESS   1.0  // m of walls and pusher
#define JUNKYARD_PUSHER_MASS 50e3 // kg
#define JUNKYARD_PUSHER      3.0  // m of its height
#define JUNKYARD_FORCE       2e6  // N of its motor
#define JUNKYARD_MARGIN      3.0  // m between the pieces and the walls

static const scene_option junkyard_options[] = {
    {"count", 2000, 1, 20000, "pieces"},
    {"side", 16, 2, 100, "pieces along each edge of a layer"},
    {"speed", 1.5, 0, 10, "m/s of the pusher"},
};

typedef struct junkyard_state {
    tn_joint_id slider;
    double length; // m of the yard inside, along x and z
} junkyard_state;

static void junkyard_add_wedge(scene_run *run, const build_part *part, double size) {
    tn_vec3 points[6];
    for (int i = 0; i < 2; i++) {
        double z = i == 0 ? -0.4 * size : 0.4 * size;
        points[3 * i] = build_point(-0.5 * size, -0.2 * size, z);
        points[3 * i + 1] = build_point(0.6 * size, -0.2 * size, z);
        points[3 * i + 2] = build_point(-0.5 * size, 0.5 * size, z);
    }
    build_hull(run, part, points, 6);
}

static void junkyard_add_piece(scene_run *run, const build_part *part, int kind, uint32_t *seed) {
    double size = 0.6 + 0.5 * build_random(seed);
    switch (kind) {
    case 0:
        build_box(run, part, size, 0.8 * size, 0.6 * size);
        break;
    case 1:
        build_box(run, part, 1.6 * size, 0.25 * size, 0.25 * size);
        break;
    case 2:
        build_sphere(run, part, 0.45 * size);
        break;
    case 3:
        build_capsule(run, part, 0.9 * size, 0.2 * size);
        break;
    case 4:
        build_disc(run, part, 0.5 * size, 0.3 * size);
        break;
    case 5:
        junkyard_add_wedge(run, part, size);
        break;
    default:
        build_rock(run, part, size, seed);
        break;
    }
}

static void junkyard_add_wall(scene_run *run, double x, double z, double length, double depth) {
    build_part part = build_part_at(x, 0.5 * JUNKYARD_WALL, z);
    part.type = TN_BODY_TYPE_STATIC;
    build_box(run, &part, length, JUNKYARD_WALL, depth);
}

static void junkyard_add_yard(scene_run *run, double length) {
    double middle = 0.5 * (length + JUNKYARD_THICKNESS);
    double whole = length + 2.0 * JUNKYARD_THICKNESS;
    build_ground(run, 0.0);
    junkyard_add_wall(run, -middle, 0.0, JUNKYARD_THICKNESS, length);
    junkyard_add_wall(run, middle, 0.0, JUNKYARD_THICKNESS, length);
    junkyard_add_wall(run, 0.0, -middle, whole, JUNKYARD_THICKNESS);
    junkyard_add_wall(run, 0.0, middle, whole, JUNKYARD_THICKNESS);
}

// From the left wall to three quarters of the way to the right one.
static void junkyard_add_pusher(scene_run *run, junkyard_state *state) {
    double gap = 0.05; // m to walls and ground
    build_part part = build_part_at(-0.5 * state->length + 0.5 * JUNKYARD_THICKNESS + gap,
                                    0.5 * JUNKYARD_PUSHER + gap, 0.0);
    part.mass = JUNKYARD_PUSHER_MASS;
    tn_body_id pusher =
        build_box(run, &part, JUNKYARD_THICKNESS, JUNKYARD_PUSHER, state->length - 2.0 * gap);
    state->slider = build_slider(run, (tn_body_id){0}, pusher, part.pose.position, build_axis_x());
    tn_slider_joint_set_limit(
        run->world, state->slider,
        (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = (float)(0.75 * state->length)});
    tn_slider_joint_set_motor(run->world, state->slider,
                              (tn_motor){.mode = TN_MOTOR_MODE_SPEED,
                                         .target_speed = (float)scene_run_get_value(run, "speed"),
                                         .max_force = (float)JUNKYARD_FORCE});
    scene_run_name_body(run, pusher, "pusher");
    scene_run_name_joint(run, state->slider, "slide");
}

static bool junkyard_build(scene_run *run) {
    junkyard_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    uint32_t seed = 5;
    state->length = JUNKYARD_SPACING * side + 2.0 * JUNKYARD_MARGIN;
    junkyard_add_yard(run, state->length);
    junkyard_add_pusher(run, state);
    for (int i = 0; i < count; i++) {
        build_part part = build_part_in_layers(i, side, JUNKYARD_SPACING, &seed);
        junkyard_add_piece(run, &part, (int)(JUNKYARD_KINDS * build_random(&seed)), &seed);
    }
    return true;
}

static void junkyard_measure(scene_run *run) {
    const junkyard_state *state = run->state;
    scene_run_add_figure(run, "pushed_m",
                         tn_slider_joint_get_translation(run->world, state->slider));
    scene_run_add_figure(run, "motor_force",
                         (double)tn_joint_get_motor_effort(run->world, state->slider));
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}

const scene scene_junkyard = {
    .name = "junkyard",
    .summary = "scrap of many shapes falling before a heavy pusher",
    .time = 8.0,
    .options = junkyard_options,
    .option_count = 3,
    .build = junkyard_build,
    .measure = junkyard_measure,
};
