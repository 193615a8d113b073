// scenes/roller_coaster.c: a train on a closed track in space: each car on the same curve, the cars
// coupled by rods.
//
// The track is x = 6 sin t, y = 2.5 cos t + 1.2 cos 3 t, z = 3 sin 2 t through 64 points: seen from
// above a figure of eight, whose branches cross 5 m over each other. Without a motor the train runs
// over its highest point at 3 m/s, down, round, and keeps its energy.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>

#define ROLLER_POINTS 64
#define ROLLER_CARS   8     // at most
#define ROLLER_GAP    0.035 // of the round, from car to car
#define ROLLER_START  3.0   // m/s
#define ROLLER_TURN   6.28318530717958647692

static const scene_option roller_options[] = {
    {"cars", 3, 1, ROLLER_CARS, "in the train"},
    {"speed", 0, 0, 100, "m/s that a motor holds; 0: it runs freely"},
};

typedef struct roller_state {
    tn_joint_id joints[ROLLER_CARS];
    uint32_t cars;
    double energy, lost; // J: at the start, the most that was off
    double farthest_off; // m off the track
} roller_state;

static tn_vec3 roller_get_point(double share) {
    double t = ROLLER_TURN * share;
    return (tn_vec3){6.0 * portable_sin(t), 2.5 * portable_cos(t) + 1.2 * portable_cos(3.0 * t),
                     3.0 * portable_sin(2.0 * t)};
}

// ROLLER_START along the track.
static tn_vec3 roller_get_velocity(double share) {
    tn_vec3 from = roller_get_point(share - 1e-4), to = roller_get_point(share + 1e-4);
    tn_vec3 way = {to.x - from.x, to.y - from.y, to.z - from.z};
    double s = ROLLER_START / build_length(way);
    return (tn_vec3){way.x * s, way.y * s, way.z * s};
}

// Puts a car on the track, near enough for the curve to draw it in.
static tn_body_id roller_build_car(scene_run *run, roller_state *state, uint32_t car,
                                   const tn_vec3 *track) {
    tn_vec3 at = roller_get_point(-ROLLER_GAP * car);
    build_part part = build_part_at(at.x, at.y, at.z);
    part.mass = 2.0;
    part.velocity.linear = roller_get_velocity(-ROLLER_GAP * car);
    part.filter.mask = 0;
    tn_body_id body = build_sphere(run, &part, 0.25);
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = body;
    def.points = track;
    def.point_count = ROLLER_POINTS;
    def.is_closed = true;
    double speed = scene_run_get_value(run, "speed");
    def.motor.mode = car == 0 && speed > 0.0 ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
    def.motor.target_speed = (float)speed;
    state->joints[car] = tn_curve_joint_create(run->world, &def);
    run->has_failed |= state->joints[car].value == 0;
    return body;
}

static bool roller_build(scene_run *run) {
    roller_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    tn_vec3 track[ROLLER_POINTS];
    for (uint32_t i = 0; i < ROLLER_POINTS; ++i) {
        track[i] = roller_get_point((double)i / ROLLER_POINTS);
    }
    tn_body_id before = {0};
    state->cars = (uint32_t)scene_run_get_value(run, "cars");
    for (uint32_t i = 0; i < state->cars; ++i) {
        tn_body_id body = roller_build_car(run, state, i, track);
        if (i > 0) {
            build_rod(run, before, body, tn_body_get_pose(run->world, before).position,
                      tn_body_get_pose(run->world, body).position);
        }
        before = body;
    }
    state->energy = figure_get_energy(run);
    scene_run_name_joint(run, state->joints[0], "track");
    return true;
}

static void roller_after_step(scene_run *run, double dt) {
    (void)dt;
    roller_state *state = run->state;
    for (uint32_t i = 0; i < state->cars; ++i) {
        double off = tn_joint_get_error(run->world, state->joints[i]).linear_length;
        state->farthest_off = fmax(state->farthest_off, off);
    }
    state->lost = fmax(state->lost, fabs(figure_get_energy(run) - state->energy));
}

static void roller_measure(scene_run *run) {
    const roller_state *state = run->state;
    double way = tn_curve_joint_get_way(run->world, state->joints[0]);
    scene_run_add_figure(run, "rounds",
                         way / tn_curve_joint_get_length(run->world, state->joints[0]));
    scene_run_add_figure(run, "off_the_track_max_m", state->farthest_off);
    scene_run_add_figure(run, "energy_off_max_J", state->lost);
}

const scene scene_roller_coaster = {
    .name = "roller_coaster",
    .summary = "a train on a closed track in space, each car on one curve",
    .time = 10.0,
    .options = roller_options,
    .option_count = 2,
    .build = roller_build,
    .after_step = roller_after_step,
    .measure = roller_measure,
};
