// scenes/character.c: a character walks a course: stairs, a slope, a conveyor, boxes to push, a low
// passage, a lift, and a slope that is too steep.
//
// The character is no body: the scene moves it before each step, leg by leg. A leg ends where its
// place along x is reached, or when its time is over.
#include "scenes/build.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define WALK_RADIUS  0.3  // m
#define WALK_TALL    0.5  // m: half of the capsule between its caps: 1.6 m high
#define WALK_LOW     0.15 // m: crouching, 0.9 m high
#define WALK_STEPS   6
#define WALK_RISE    0.2 // m of a step
#define WALK_TREAD   0.35
#define WALK_BALCONY 2.5  // m
#define WALK_BELT    1.0  // m/s of the conveyor
#define WALK_LIFT    0.05 // m: half of the lift's height
#define WALK_BOXES   2
#define WALK_ROUND   12u // points of a cap's outline

static const scene_option walk_options[] = {
    {"speed", 1.5, 0.5, 4, "m/s of the character"},
};

// Where it walks to: with shares of its speed along x and z, until x (m), or for a time (s) if that
// is not 0. Its feet are then at `height`, m.
typedef struct walk_leg {
    double along, aside, x, time;
    bool is_low;
    double height;
} walk_leg;

static const walk_leg walk_legs[] = {
    {1.0, 0.0, 5.5, 0.0, false, 6 * WALK_RISE}, // up the stairs
    {1.0, 0.0, 9.9, 0.0, false, 0.0},           // down the slope
    {1.0, 0.0, 11.0, 0.0, false, 0.1},          // onto the conveyor
    {0.0, 0.0, 13.5, 0.0, false, 0.1},          // which carries it
    {1.0, 0.0, 18.0, 0.0, false, 0.0},          // pushes the boxes
    {0.0, -1.0, 0.0, 1.0, false, 0.0},          // goes past them
    {1.0, 0.0, 22.0, 0.0, false, 0.0},          //
    {1.0, 0.0, 26.3, 0.0, true, 0.0},           // through the passage
    {1.0, 0.0, 28.0, 0.0, false, 0.1},          // onto the lift
    {0.0, 0.0, 0.0, 4.0, false, WALK_BALCONY},  // which goes up
    {1.0, 0.0, 31.0, 0.0, false, WALK_BALCONY}, // the balcony
    {1.0, 0.0, 0.0, 2.0, false, WALK_BALCONY},  // the slope that it cannot climb
};
#define WALK_LEGS  (int)(sizeof walk_legs / sizeof walk_legs[0])
#define WALK_RIDES 9 // the leg on the lift

typedef struct walk_state {
    tn_character character;
    tn_body_id boxes[WALK_BOXES], lift;
    int leg;
    double leg_time, time, time_end, height_off_max;
    int stuck_moves, refusals; // moves in which it was stuck; tries to get up in the passage
} walk_state;

static tn_probe walk_make_probe(double half_length) {
    tn_pose pose = tn_body_def_default().pose;
    return tn_capsule_probe_make(pose, (float)half_length, (float)WALK_RADIUS);
}

// ---- the course ---------------------------------------------------------------------------------

// A box from corner to corner, across the whole course.
static tn_body_id walk_add_block(scene_run *run, double left, double bottom, double right,
                                 double top) {
    build_part part = build_part_at(0.5 * (left + right), 0.5 * (bottom + top), -1.0);
    part.type = TN_BODY_TYPE_STATIC;
    return build_box(run, &part, right - left, top - bottom, 6.0);
}

// A plank whose upper side goes from a point at an angle.
static void walk_add_slope(scene_run *run, double x, double y, double angle, double length) {
    double c = portable_cos(angle), s = portable_sin(angle), half = 0.5 * length;
    build_part part = build_part_turned(x + half * c + 0.1 * s, y + half * s - 0.1 * c, angle);
    part.type = TN_BODY_TYPE_STATIC;
    part.pose.position.z = -1.0;
    build_box(run, &part, length, 0.2, 6.0);
}

static void walk_add_course(scene_run *run, walk_state *state) {
    build_ground(run, 0.0);
    for (int i = 0; i < WALK_STEPS; i++) {
        walk_add_block(run, 2.0 + WALK_TREAD * i, WALK_RISE * i, 7.0, WALK_RISE * (i + 1));
    }
    double fall = WALK_STEPS * WALK_RISE;
    walk_add_slope(run, 7.0, fall, -0.5, fall / portable_sin(0.5));
    tn_body_id belt = walk_add_block(run, 10.3, 0.0, 14.0, 0.1);
    tn_shape_id shape;
    run->has_failed |= tn_body_get_shapes(run->world, belt, &shape, 1) != 1;
    tn_surface_velocity speed = {.linear = {WALK_BELT, 0.0, 0.0}};
    tn_shape_set_surface_velocity(run->world, shape, speed);
    for (int i = 0; i < WALK_BOXES; i++) {
        build_part box = build_part_at(16.0 + 1.2 * i, 0.3, 0.0);
        box.density = 100.0;
        state->boxes[i] = build_box(run, &box, 0.6, 0.6, 0.6);
    }
    walk_add_block(run, 22.8, 1.1, 25.4, 2.0);
    build_part lift = build_part_at(28.0, WALK_LIFT, -1.0);
    lift.type = TN_BODY_TYPE_KINEMATIC;
    state->lift = build_box(run, &lift, 1.6, 2.0 * WALK_LIFT, 3.0);
    walk_add_block(run, 28.85, 0.0, 35.0, WALK_BALCONY);
    walk_add_slope(run, 31.8, WALK_BALCONY, 1.1, 3.0);
}

static bool walk_build(scene_run *run) {
    walk_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    walk_add_course(run, state);
    state->character = tn_character_make(walk_make_probe(WALK_TALL));
    tn_vec3 start = build_point(0.0, WALK_TALL + WALK_RADIUS + 0.01, 0.0);
    tn_character_set_position(run->world, &state->character, start);
    return true;
}

// ---- the walk -----------------------------------------------------------------------------------

static double walk_get_feet(const walk_state *state) {
    const tn_probe *probe = &state->character.probe;
    return probe->pose.position.y - (double)probe->half_length - WALK_RADIUS;
}

// Crouches, or gets up where there is room.
static void walk_set_pose(scene_run *run, walk_state *state, bool is_low) {
    double half = is_low ? WALK_LOW : WALK_TALL;
    tn_probe probe = walk_make_probe(half);
    bool is_so = state->character.probe.half_length == probe.half_length;
    if (!is_so && !tn_character_set_probe(run->world, &state->character, &probe)) {
        state->refusals += 1;
    }
}

// Goes on to the next leg if this one is done.
static void walk_change_leg(walk_state *state, double dt) {
    const walk_leg *leg = &walk_legs[state->leg];
    state->leg_time += dt;
    bool is_done = leg->time > 0.0 ? state->leg_time >= leg->time
                                   : state->character.probe.pose.position.x >= leg->x;
    if (is_done) {
        double off = fabs(walk_get_feet(state) - leg->height);
        state->height_off_max = fmax(state->height_off_max, off);
        state->leg += 1;
        state->leg_time = 0.0;
        state->time_end = state->time;
    }
}

static void walk_move_lift(scene_run *run, const walk_state *state, double dt) {
    double top = tn_body_get_pose(run->world, state->lift).position.y + WALK_LIFT;
    double speed = state->leg >= WALK_RIDES ? fmin(1.0, (WALK_BALCONY - top) / dt) : 0.0;
    tn_body_set_linear_velocity(run->world, state->lift, build_point(0.0, speed, 0.0));
}

static void walk_before_step(scene_run *run, double dt) {
    walk_state *state = run->state;
    walk_move_lift(run, state, dt);
    if (state->leg == WALK_LEGS) {
        return;
    }
    const walk_leg *leg = &walk_legs[state->leg];
    double x = state->character.probe.pose.position.x;
    bool tries = leg->is_low && fabs(x - 24.0) < 0.5; // to get up, under the ceiling
    walk_set_pose(run, state, leg->is_low && !tries);
    bool stands = state->character.state == TN_CHARACTER_STATE_GROUND;
    double fall = stands ? 0.0 : state->character.velocity.y - BUILD_GRAVITY * dt;
    double speed = scene_run_get_value(run, "speed");
    tn_vec3 velocity = {leg->along * speed, fall, leg->aside * speed};
    run->has_failed |=
        tn_character_move(run->world, &state->character, velocity, dt) != TN_RESULT_OK;
    state->stuck_moves += state->character.is_stuck ? 1 : 0;
    state->time += dt;
    walk_change_leg(state, dt);
}

static void walk_measure(scene_run *run) {
    const walk_state *state = run->state;
    tn_vec3 at = state->character.probe.pose.position;
    tn_vec3 box = tn_body_get_center(run->world, state->boxes[0]);
    scene_run_add_figure(run, "legs_done", state->leg);
    scene_run_add_figure(run, "legs", WALK_LEGS);
    scene_run_add_figure(run, "time_end_s", state->time_end);
    scene_run_add_figure(run, "walked_m", at.x);
    scene_run_add_figure(run, "feet_m", walk_get_feet(state));
    scene_run_add_figure(run, "height_off_max_m", state->height_off_max);
    scene_run_add_figure(run, "pushed_m", box.x - 16.0);
    scene_run_add_figure(run, "stuck_moves", state->stuck_moves);
    scene_run_add_figure(run, "refused_to_get_up", state->refusals);
}

// The outline of the capsule, seen along z.
static void walk_sketch(const scene_run *run, const scene_sketch *sketch) {
    const walk_state *state = run->state;
    const tn_probe *probe = &state->character.probe;
    tn_vec3 middle = probe->pose.position, outline[2 * WALK_ROUND];
    for (uint32_t i = 0; i < 2 * WALK_ROUND; i++) {
        bool is_top = i < WALK_ROUND;
        double angle = BUILD_PI * (is_top ? i : i - 1.0) / (WALK_ROUND - 1.0);
        double half = (double)probe->half_length * (is_top ? 1.0 : -1.0);
        outline[i] = build_point(middle.x + WALK_RADIUS * portable_cos(angle),
                                 middle.y + half + WALK_RADIUS * portable_sin(angle), middle.z);
    }
    sketch->add(sketch->context, SCENE_PEN_PLATE, outline, 2 * WALK_ROUND);
}

const scene scene_character = {
    .name = "character",
    .summary = "a character on stairs, slopes, a conveyor and a lift, with boxes to push",
    .time = 30.0,
    .options = walk_options,
    .option_count = 1,
    .build = walk_build,
    .before_step = walk_before_step,
    .measure = walk_measure,
    .picture = {.moments = 14, .view = SCENE_VIEW_FRONT, .sketch = walk_sketch},
};
