// scenes/build_car.c: see build_car.h.
#include "scenes/build_car.h"

#include <math.h>

#define CAR_MASS   600.0
#define CAR_WHEEL  18.0 // kg
#define CAR_SPRING 1.8  // Hz
#define CAR_WIDTH  0.2  // m of a wheel that is a cylinder
#define CAR_FAST   1e4  // rad/s: a speed that no wheel comes to

tn_body_id build_add_chassis(scene_run *run, const build_car_def *def) {
    build_part part = build_part_at(def->x, BUILD_CAR_RADIUS + BUILD_CAR_RISE, def->z);
    part.velocity.linear.x = def->start;
    part.density = CAR_MASS / (2.8 * 0.3 * 1.0 + 1.3 * 0.4 * 1.0);
    tn_body_id chassis = build_body(run, &part);
    build_add_box(run, chassis, &part, build_point(0.0, 0.0, 0.0), build_point(2.8, 0.3, 1.0));
    build_add_box(run, chassis, &part, build_point(-0.25, 0.35, 0.0), build_point(1.3, 0.4, 1.0));
    scene_run_name_body(run, chassis, "chassis");
    return chassis;
}

static void car_set_motors(tn_wheel_joint_def *def, bool is_front, const build_car_def *car) {
    def->has_steering = is_front;
    def->steering_limit = (tn_limit){
        .is_enabled = true, .lower = -(float)BUILD_CAR_TURN, .upper = (float)BUILD_CAR_TURN};
    def->steering_motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                     .target_position = (float)car->steer,
                                     .stiffness = 2e4f,
                                     .damping = 800.0f,
                                     .max_force = INFINITY};
    def->spin_motor.mode = is_front ? TN_MOTOR_MODE_OFF : TN_MOTOR_MODE_SPEED;
    def->spin_motor.target_speed = (float)(car->speed / BUILD_CAR_RADIUS);
    def->spin_motor.max_force = 250.0f;
}

static tn_body_id car_add_round(scene_run *run, tn_vec3 place, const build_car_def *car) {
    build_part part = build_part_at(place.x, place.y, place.z);
    part.mass = CAR_WHEEL;
    part.material.friction = 1.0f;
    part.velocity.linear.x = car->start;
    part.velocity.angular.z = -car->start / BUILD_CAR_RADIUS;
    return car->has_cylinders ? build_cylinder(run, &part, BUILD_CAR_RADIUS, CAR_WIDTH)
                              : build_sphere(run, &part, BUILD_CAR_RADIUS);
}

static tn_joint_id car_add_wheel(scene_run *run, tn_body_id chassis, tn_body_id wheel,
                                 const tn_wheel_joint_def *motors) {
    tn_vec3 place = tn_body_get_pose(run->world, wheel).position;
    tn_wheel_joint_def def = *motors;
    if (!tn_joint_def_set_frames_by_axes(run->world, &def.base, chassis, wheel, place,
                                         build_axis_y(), build_axis_x())) {
        run->has_failed = true;
    }
    double w = 2.0 * BUILD_PI * CAR_SPRING, quarter = 0.25 * CAR_MASS;
    def.suspension = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS,
                                 .stiffness = (float)(quarter * w * w),
                                 .damping = (float)(2.0 * 0.35 * quarter * w),
                                 // Long enough to carry a quarter of the car as it was built.
                                 .rest = (float)(-BUILD_GRAVITY / (w * w))};
    def.suspension_limit = (tn_limit){.is_enabled = true, .lower = -0.12f, .upper = 0.12f};
    tn_joint_id joint = tn_wheel_joint_create(run->world, &def);
    run->has_failed |= joint.value == 0;
    return joint;
}

build_car build_add_car(scene_run *run, const build_car_def *car_def) {
    build_car car = {.chassis = build_add_chassis(run, car_def)};
    for (int i = 0; i < 4; i++) {
        bool is_front = i < 2, is_left = i % 2 == 0;
        tn_wheel_joint_def def = tn_wheel_joint_def_default();
        car_set_motors(&def, is_front, car_def);
        double along = is_front ? 0.5 * BUILD_CAR_BASE : -0.5 * BUILD_CAR_BASE;
        double aside = is_left ? -0.5 * BUILD_CAR_TRACK : 0.5 * BUILD_CAR_TRACK;
        tn_vec3 place = build_point(car_def->x + along, BUILD_CAR_RADIUS, car_def->z + aside);
        tn_body_id wheel = car_add_round(run, place, car_def);
        car.wheels[i] = car_add_wheel(run, car.chassis, wheel, &def);
        const char *end = is_front ? "front" : "rear", *side = is_left ? "left" : "right";
        scene_run_name_joint(run, car.wheels[i], "%s_%s", end, side);
        scene_run_name_body(run, wheel, "%s_%s_wheel", end, side);
    }
    return car;
}

// A motor that never comes to its speed pushes with all that it may.
void build_drive_car(scene_run *run, const build_car *car, double torque) {
    tn_motor motor = {.mode = torque == 0.0 ? TN_MOTOR_MODE_OFF : TN_MOTOR_MODE_SPEED};
    motor.target_speed = (float)(torque < 0.0 ? -CAR_FAST : CAR_FAST);
    motor.max_force = (float)fabs(torque);
    for (int i = 2; i < 4; i++) {
        run->has_failed |=
            tn_wheel_joint_set_spin_motor(run->world, car->wheels[i], motor) != TN_RESULT_OK;
    }
}

void build_steer_car(scene_run *run, const build_car *car, double angle) {
    for (int i = 0; i < 2; i++) {
        run->has_failed |= tn_wheel_joint_set_steering_target(run->world, car->wheels[i],
                                                              (float)angle) != TN_RESULT_OK;
    }
}
