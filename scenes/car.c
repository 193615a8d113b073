// scenes/car.c: a small car drives over bumps and turns.
//
// Four wheel joints: springs carry the chassis, the front wheels are steered by drives to an angle,
// the rear ones driven to a speed with a torque at most. The wheels are balls: prisms of many sides
// would lose a good part of the drive on their edges.
#include "scenes/build.h"
#include "scenes/registry.h"

#include <math.h>

#define CAR_BASE   2.0  // m between the axles
#define CAR_TRACK  1.3  // m between the wheels of an axle
#define CAR_RADIUS 0.32 // m of a wheel
#define CAR_MASS   600.0
#define CAR_WHEEL  18.0 // kg
#define CAR_SPRING 1.8  // Hz

static const scene_option car_options[] = {
    {"speed", 5, -20, 20, "m/s of the rear wheels"},
    {"steer", 0, -0.6, 0.6, "rad of the front wheels, to the left"},
    {"bumps", 6, 0, 40, "across the way"},
    {"height", 0.06, 0, 0.2, "m of a bump"},
};

typedef struct car_state {
    tn_body_id chassis;
    tn_joint_id wheels[4]; // front left, front right, rear left, rear right
    double travel_max;     // m of a wheel, from where it stands
    double tilt_max;       // rad of the chassis off the level
} car_state;

static void car_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->enable_sleep = false;
}

static tn_body_id car_add_chassis(scene_run *run) {
    build_part part = build_part_at(0.0, CAR_RADIUS + 0.2, 0.0);
    part.density = CAR_MASS / (2.8 * 0.3 * 1.0 + 1.3 * 0.4 * 1.0);
    tn_body_id chassis = build_body(run, &part);
    build_add_box(run, chassis, &part, build_vec3(0.0, 0.0, 0.0), build_vec3(2.8, 0.3, 1.0));
    build_add_box(run, chassis, &part, build_vec3(-0.25, 0.35, 0.0), build_vec3(1.3, 0.4, 1.0));
    scene_run_name_body(run, chassis, "chassis");
    return chassis;
}

static tn_joint_id car_add_wheel(scene_run *run, tn_body_id chassis, bool is_front, bool is_left) {
    build_part part = build_part_at(is_front ? 0.5 * CAR_BASE : -0.5 * CAR_BASE, CAR_RADIUS,
                                    is_left ? -0.5 * CAR_TRACK : 0.5 * CAR_TRACK);
    part.mass = CAR_WHEEL;
    part.material.friction = 1.0f;
    tn_body_id wheel = build_sphere(run, &part, CAR_RADIUS);
    tn_wheel_joint_def def = tn_wheel_joint_def_default();
    if (!tn_joint_def_set_frames(run->world, &def.base, chassis, wheel, part.pose.position,
                                 build_axis_y())) {
        run->has_failed = true;
    }
    double w = 2.0 * BUILD_PI * CAR_SPRING, quarter = 0.25 * CAR_MASS;
    def.suspension = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS,
                                 .stiffness = (float)(quarter * w * w),
                                 .damping = (float)(2.0 * 0.35 * quarter * w),
                                 // Long enough to carry a quarter of the car as it was built.
                                 .rest = (float)(-BUILD_GRAVITY / (w * w))};
    def.suspension_limit = (tn_limit){.enabled = true, .lower = -0.12f, .upper = 0.12f};
    def.enable_steering = is_front;
    def.steering_limit = (tn_limit){.enabled = true, .lower = -0.7f, .upper = 0.7f};
    def.steering_motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                    .target_position = (float)scene_run_get_value(run, "steer"),
                                    .stiffness = 2e4f,
                                    .damping = 800.0f,
                                    .max_force = INFINITY};
    def.spin_motor.mode = is_front ? TN_MOTOR_MODE_OFF : TN_MOTOR_MODE_SPEED;
    def.spin_motor.target_speed = (float)(-scene_run_get_value(run, "speed") / CAR_RADIUS);
    def.spin_motor.max_force = 250.0f;
    tn_joint_id joint = tn_wheel_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    const char *end = is_front ? "front" : "rear", *side = is_left ? "left" : "right";
    scene_run_name_body(run, wheel, "%s_%s_wheel", end, side);
    scene_run_name_joint(run, joint, "%s_%s", end, side);
    return joint;
}

static void car_add_bumps(scene_run *run) {
    int bumps = (int)scene_run_get_value(run, "bumps");
    double height = scene_run_get_value(run, "height");
    for (int i = 0; i < bumps && height > 0.0; i++) {
        // Every other one under the left wheels only: a ramp on either side, half in the ground.
        build_part part = build_part_turned(4.0 + 1.7 * i, 0.0, 0.25 * BUILD_PI);
        part.pose.position.z = i % 2 == 0 ? 0.0 : -0.5 * CAR_TRACK;
        part.type = TN_BODY_TYPE_STATIC;
        double side = height * sqrt(2.0);
        build_box(run, &part, side, side, i % 2 == 0 ? 3.0 * CAR_TRACK : CAR_TRACK);
    }
}

static bool car_build(scene_run *run) {
    car_state *state = scene_run_alloc_state(run, sizeof *state);
    if (state == NULL) {
        return false;
    }
    state->chassis = car_add_chassis(run);
    for (int i = 0; i < 4; i++) {
        state->wheels[i] = car_add_wheel(run, state->chassis, i < 2, i % 2 == 0);
    }
    car_add_bumps(run);
    build_ground(run, 0.0);
    return true;
}

static double car_get_tilt(const scene_run *run, const car_state *state) {
    tn_pose pose = tn_body_get_pose(run->world, state->chassis);
    return 2.0 * asin(fmin(1.0, hypot(pose.rotation[0], pose.rotation[2])));
}

static void car_after_step(scene_run *run, double dt) {
    (void)dt;
    car_state *state = run->state;
    for (int i = 0; i < 4; i++) {
        double length = tn_wheel_joint_get_suspension_length(run->world, state->wheels[i]);
        state->travel_max = fmax(state->travel_max, fabs(length));
    }
    state->tilt_max = fmax(state->tilt_max, car_get_tilt(run, state));
}

static void car_measure(scene_run *run) {
    const car_state *state = run->state;
    tn_position place = tn_body_get_center(run->world, state->chassis);
    tn_dvec3 v = tn_body_get_velocity(run->world, state->chassis).linear;
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
};
