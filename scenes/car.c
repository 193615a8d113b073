// scenes/car.c: a small car drives over bumps and turns.
//
// The car is that of build_car.h.
#include "scenes/build_car.h"
#include "scenes/registry.h"

#include <math.h>

static const scene_option car_options[] = {
    {"speed", 5, -20, 20, "m/s of the rear wheels"},
    {"steer", 0, -0.6, 0.6, "rad of the front wheels, to the left"},
    {"bumps", 6, 0, 40, "across the way"},
    {"height", 0.06, 0, 0.2, "m of a bump"},
};

typedef struct car_state {
    build_car car;
    double travel_max; // m of a wheel, from where it stands
    double tilt_max;   // rad of the chassis off the level
} car_state;

static void car_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void car_add_bumps(scene_run *run) {
    int bumps = (int)scene_run_get_value(run, "bumps");
    double height = scene_run_get_value(run, "height");
    for (int i = 0; i < bumps && height > 0.0; i++) {
        // Every other one under the left wheels only: a ramp on either side, half in the ground.
        build_part part = build_part_turned(4.0 + 1.7 * i, 0.0, 0.25 * BUILD_PI);
        part.pose.position.z = i % 2 == 0 ? 0.0 : -0.5 * BUILD_CAR_TRACK;
        part.type = TN_BODY_TYPE_STATIC;
        double side = height * sqrt(2.0);
        build_box(run, &part, side, side, i % 2 == 0 ? 3.0 * BUILD_CAR_TRACK : BUILD_CAR_TRACK);
    }
}

static bool car_build(scene_run *run) {
    car_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    build_car_def def = {.speed = scene_run_get_value(run, "speed"),
                         .steer = scene_run_get_value(run, "steer")};
    state->car = build_add_car(run, &def);
    car_add_bumps(run);
    build_ground(run, 0.0);
    return true;
}

static double car_get_tilt(const scene_run *run, const car_state *state) {
    tn_pose pose = tn_body_get_pose(run->world, state->car.chassis);
    return 2.0 * asin(fmin(1.0, hypot(pose.rotation.x, pose.rotation.z)));
}

static void car_after_step(scene_run *run, double dt) {
    (void)dt;
    car_state *state = run->state;
    for (int i = 0; i < 4; i++) {
        double length = tn_wheel_joint_get_suspension_length(run->world, state->car.wheels[i]);
        state->travel_max = fmax(state->travel_max, fabs(length));
    }
    state->tilt_max = fmax(state->tilt_max, car_get_tilt(run, state));
}

static void car_measure(scene_run *run) {
    const car_state *state = run->state;
    tn_vec3 place = tn_body_get_center(run->world, state->car.chassis);
    tn_vec3 v = tn_body_get_velocity(run->world, state->car.chassis).linear;
    scene_run_add_figure(run, "driven_m", place.x);
    scene_run_add_figure(run, "aside_m", place.z);
    scene_run_add_figure(run, "speed_m_s", hypot(v.x, v.z));
    scene_run_add_figure(run, "travel_max_m", state->travel_max);
    scene_run_add_figure(run, "tilt_max_rad", state->tilt_max);
}

const scene scene_car = {
    .name = "car",
    .summary = "a small car drives over bumps",
    .time = 6.0,
    .options = car_options,
    .option_count = 4,
    .configure = car_configure,
    .build = car_build,
    .after_step = car_after_step,
    .measure = car_measure,
    .picture = {.moments = 4},
};
