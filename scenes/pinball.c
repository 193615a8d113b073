// scenes/pinball.c: a pinball table whose flippers, spinner and gates are given by their angles,
// and whose balls are rigid bodies.
//
// What turns knows no joint that could open under a blow: one coordinate says where it is. A
// flipper has a hinge besides, which bears nothing and gives it its motor and its stops. The table
// is the x-y plane, tilted: what it bears of the balls is left out, as they are locked to it.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define PINBALL_WIDTH   1.0  // m
#define PINBALL_HEIGHT  1.6  // m
#define PINBALL_WALL    0.04 // m, thickness
#define PINBALL_DEPTH   0.1  // m
#define PINBALL_BALL    0.04 // m, radius
#define PINBALL_MOST    6
#define PINBALL_FLIPPER 0.2     // m, from pivot to tip
#define PINBALL_REST    (-0.44) // rad, of a flipper that hangs
#define PINBALL_RAISED  0.52    // rad
#define PINBALL_SPEED   18.0    // rad/s, of its motor
#define PINBALL_TORQUE  6.0     // N·m
#define PINBALL_GATES   3

static const scene_option pinball_options[] = {
    {"balls", 3, 1, PINBALL_MOST, "on the table"},
    {"slope", 20, 0, 90, "deg of the table"},
    {"bounce", 0.7, 0, 1, "of the bumpers"},
};

// One angle q about z through a pivot: the frame is at `length` from it, along x of the frame.
typedef struct pinball_arm {
    tn_vec3 pivot;
    double length;
    tn_reduced_id id;
} pinball_arm;

typedef struct pinball_flipper {
    pinball_arm arm;
    tn_joint_id hinge;
    double side; // -1 left, 1 right: which looks the other way
    bool is_up;
} pinball_flipper;

typedef struct pinball_state {
    pinball_flipper flippers[2];
    pinball_arm spinner, gates[PINBALL_GATES];
    tn_body_id balls[PINBALL_MOST];
    uint32_t ball_count, flips, drained;
} pinball_state;

static void pinball_configure(const double *values, tn_world_def *def) {
    double pull = BUILD_GRAVITY * portable_sin(values[1] * BUILD_PI / 180.0);
    def->gravity = build_point(0.0, -pull, 0.0);
    def->is_sleep_allowed = false;
}

static build_part pinball_part(double x, double y) {
    build_part part = build_part_at(x, y, 0.0);
    part.material.friction = 0.2f;
    return part;
}

// ---- what stands -------------------------------------------------------------------------------

static void pinball_add_wall(scene_run *run, tn_vec3 from, tn_vec3 to) {
    build_part part = build_part_between(from, to);
    part.type = TN_BODY_TYPE_STATIC;
    part.material.friction = 0.2f;
    build_box(run, &part, build_distance(from, to), PINBALL_WALL, PINBALL_DEPTH);
}

static void pinball_add_walls(scene_run *run) {
    double x = 0.5 * (PINBALL_WIDTH + PINBALL_WALL), top = PINBALL_HEIGHT + 0.5 * PINBALL_WALL;
    pinball_add_wall(run, build_point(-x, -0.1, 0.0), build_point(-x, top, 0.0));
    pinball_add_wall(run, build_point(x, -0.1, 0.0), build_point(x, top, 0.0));
    pinball_add_wall(run, build_point(-x, top, 0.0), build_point(x, top, 0.0));
    for (int k = -1; k <= 1; k += 2) {
        pinball_add_wall(run, build_point(0.5 * k, 0.46, 0.0), build_point(0.29 * k, 0.3, 0.0));
    }
}

static void pinball_add_bumper(scene_run *run, double x, double y) {
    build_part part = pinball_part(x, y);
    part.type = TN_BODY_TYPE_STATIC;
    part.material.restitution = (float)scene_run_get_value(run, "bounce");
    build_disc(run, &part, 0.07, PINBALL_DEPTH);
}

// ---- what turns --------------------------------------------------------------------------------

static void pinball_turn(const tn_reduced_input *input, tn_reduced_output *out, void *user_data) {
    const pinball_arm *arm = user_data;
    double q = input->coordinates[0], w = input->speeds[0], l = arm->length;
    double s = portable_sin(q), c = portable_cos(q);
    tn_reduced_motion *motion = &out->bodies[0];
    motion->pose.position = build_point(arm->pivot.x + l * c, arm->pivot.y + l * s, 0.0);
    motion->pose.rotation.z = portable_sin(0.5 * q);
    motion->pose.rotation.w = portable_cos(0.5 * q);
    motion->linear[0] = (tn_vec3){-l * s, l * c, 0.0};
    motion->angular[0] = build_axis_z();
    motion->acceleration = (tn_vec3){-l * c * w * w, -l * s * w * w, 0.0};
}

static void pinball_give_angle(scene_run *run, pinball_arm *arm, tn_body_id body, double angle) {
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 1;
    def.bodies[0] = body;
    def.function = pinball_turn;
    def.function_user_data = arm;
    def.coordinates[0] = angle;
    arm->id = tn_reduced_create(run->world, &def);
    run->has_failed = run->has_failed || arm->id.value == 0;
}

// Its hinge measures from where it is made, upward as the flipper goes.
static void pinball_add_flipper(scene_run *run, pinball_flipper *flipper, double side) {
    double angle = side < 0.0 ? PINBALL_REST : BUILD_PI - PINBALL_REST;
    flipper->side = side;
    flipper->arm.pivot = build_point(0.27 * side, 0.27, 0.0);
    flipper->arm.length = 0.5 * PINBALL_FLIPPER;
    build_part part = pinball_part(flipper->arm.pivot.x, flipper->arm.pivot.y);
    part.mass = 0.5;
    tn_body_id body = build_capsule(run, &part, PINBALL_FLIPPER, 0.02);
    pinball_give_angle(run, &flipper->arm, body, angle);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_vec3 axis = {0.0, 0.0, -side};
    if (!tn_joint_def_set_frames(run->world, &def.base, (tn_body_id){0}, body, flipper->arm.pivot,
                                 axis)) {
        run->has_failed = true;
        return;
    }
    def.limit = (tn_limit){.is_enabled = true, .upper = (float)(PINBALL_RAISED - PINBALL_REST)};
    def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED,
                           .target_speed = -(float)PINBALL_SPEED,
                           .max_force = (float)PINBALL_TORQUE};
    flipper->hinge = tn_hinge_joint_create(run->world, &def);
    run->has_failed = run->has_failed || flipper->hinge.value == 0;
    scene_run_name_body(run, body, side < 0.0 ? "left" : "right");
}

static void pinball_add_spinner(scene_run *run, pinball_arm *spinner, double x, double y) {
    spinner->pivot = build_point(x, y, 0.0);
    spinner->length = 0.0;
    build_part part = pinball_part(x, y);
    part.density = 500.0;
    tn_body_id body = build_body(run, &part);
    build_add_box(run, body, &part, build_point(0.0, 0.0, 0.0), build_point(0.28, 0.03, 0.06));
    build_add_box(run, body, &part, build_point(0.0, 0.0, 0.0), build_point(0.03, 0.28, 0.06));
    pinball_give_angle(run, spinner, body, 0.3);
    scene_run_name_body(run, body, "spinner");
}

static void pinball_add_gate(scene_run *run, pinball_arm *gate, double x, double y) {
    gate->pivot = build_point(x, y, 0.0);
    gate->length = 0.07;
    build_part part = pinball_part(x, y);
    part.mass = 0.1;
    tn_body_id body = build_box(run, &part, 0.14, 0.02, 0.06);
    pinball_give_angle(run, gate, body, -0.5 * BUILD_PI);
    scene_run_name_body(run, body, "gate");
}

// ---- balls -------------------------------------------------------------------------------------

static void pinball_add_ball(scene_run *run, tn_body_id *ball, uint32_t index) {
    build_part part = pinball_part(-0.3 + 0.22 * index, 1.5);
    part.velocity.linear.x = 0.8 - 0.3 * index;
    part.mass = 0.2;
    part.material.restitution = 0.2f;
    *ball = build_sphere(run, &part, PINBALL_BALL);
    tn_body_set_locks(run->world, *ball,
                      TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y);
    scene_run_name_body(run, *ball, "ball_%u", index);
}

static bool pinball_build(scene_run *run) {
    pinball_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    pinball_add_walls(run);
    pinball_add_bumper(run, -0.22, 1.2);
    pinball_add_bumper(run, 0.22, 1.2);
    pinball_add_bumper(run, 0.0, 0.6);
    pinball_add_flipper(run, &state->flippers[0], -1.0);
    pinball_add_flipper(run, &state->flippers[1], 1.0);
    pinball_add_spinner(run, &state->spinner, 0.0, 0.93);
    for (int i = 0; i < PINBALL_GATES; i++) {
        pinball_add_gate(run, &state->gates[i], 0.25 * (i - 1), 1.5);
    }
    state->ball_count = (uint32_t)scene_run_get_value(run, "balls");
    for (uint32_t i = 0; i < state->ball_count; i++) {
        pinball_add_ball(run, &state->balls[i], i);
    }
    return true;
}

// ---- play --------------------------------------------------------------------------------------

// On the flipper, or about to be.
static bool pinball_is_over(const scene_run *run, const pinball_flipper *flipper, tn_body_id ball) {
    tn_vec3 p = tn_body_get_center(run->world, ball);
    double x = -flipper->side * (p.x - flipper->arm.pivot.x), y = p.y - flipper->arm.pivot.y;
    return x > 0.04 && x < 0.22 && y > -0.12 && y < 0.08;
}

static void pinball_play(scene_run *run, pinball_state *state, pinball_flipper *flipper) {
    bool is_up = false;
    for (uint32_t i = 0; i < state->ball_count; i++) {
        is_up = is_up || pinball_is_over(run, flipper, state->balls[i]);
    }
    if (is_up == flipper->is_up) {
        return;
    }
    flipper->is_up = is_up;
    state->flips += is_up ? 1 : 0;
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED,
                      .target_speed = (float)(is_up ? PINBALL_SPEED : -PINBALL_SPEED),
                      .max_force = (float)PINBALL_TORQUE};
    tn_hinge_joint_set_motor(run->world, flipper->hinge, motor);
}

// What comes out below is put back on top.
static void pinball_return(scene_run *run, pinball_state *state, tn_body_id ball) {
    tn_vec3 p = tn_body_get_center(run->world, ball);
    if (p.y > 0.0) {
        return;
    }
    double way = state->drained % 2 == 0 ? 1.0 : -1.0;
    state->drained += 1;
    tn_body_set_pose(run->world, ball,
                     (tn_pose){build_point(-0.4 * way, 1.54, 0.0), {0.0, 0.0, 0.0, 1.0}});
    tn_body_set_velocity(run->world, ball, (tn_velocity){.linear = {way, 0.0, 0.0}});
}

static void pinball_after_step(scene_run *run, double dt) {
    (void)dt;
    pinball_state *state = run->state;
    pinball_play(run, state, &state->flippers[0]);
    pinball_play(run, state, &state->flippers[1]);
    for (uint32_t i = 0; i < state->ball_count; i++) {
        pinball_return(run, state, state->balls[i]);
    }
}

static void pinball_measure(scene_run *run) {
    const pinball_state *state = run->state;
    double turned = 0.0, highest = 0.0;
    tn_reduced_get_coordinates(run->world, state->spinner.id, &turned, 1);
    for (uint32_t i = 0; i < state->ball_count; i++) {
        highest = fmax(highest, tn_body_get_center(run->world, state->balls[i]).y);
    }
    scene_run_add_figure(run, "flips", (double)state->flips);
    scene_run_add_figure(run, "drained", (double)state->drained);
    scene_run_add_figure(run, "spinner_rad", turned);
    scene_run_add_figure(run, "highest_ball_m", highest);
}

const scene scene_pinball = {
    .name = "pinball",
    .summary = "rigid balls on a table whose flippers, spinner and gates are given by their angles",
    .time = 10.0,
    .options = pinball_options,
    .option_count = 3,
    .configure = pinball_configure,
    .build = pinball_build,
    .after_step = pinball_after_step,
    .measure = pinball_measure,
};
