// world/joints/joint_wheel.c: the public functions of wheel joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_wheel_joint.c
#include "joints/parts/axis.h"
#include "joints/parts/twist.h"
#include "joints/wheel.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"

tn_wheel_joint_def tn_wheel_joint_def_default(void) {
    return (tn_wheel_joint_def){.base = tn_joint_def_default(),
                                .steering_motor = tn_motor_default(),
                                .spin_motor = tn_motor_default()};
}

tn_joint_id tn_wheel_joint_create(tn_world *world, const tn_wheel_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_WHEEL, &tni_wheel_joint_kind, def, sizeof *def,
                            __func__);
}

tn_wheel_joint_def tn_wheel_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_WHEEL, __func__).wheel;
}

tn_result tn_wheel_joint_set_suspension(tn_world *world, tn_joint_id joint, tn_spring spring) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    tni_spring_set(&change.def.wheel.suspension, &spring);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_wheel_joint_set_suspension_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    tni_limit_set(&change.def.wheel.suspension_limit, &limit);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_wheel_joint_set_steering(tn_world *world, tn_joint_id joint, bool has_steering,
                                      tn_limit limit, tn_motor motor) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    change.def.wheel.has_steering = has_steering;
    tni_limit_set(&change.def.wheel.steering_limit, &limit);
    tni_motor_set(&change.def.wheel.steering_motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_wheel_joint_set_spin_motor(tn_world *world, tn_joint_id joint, tn_motor motor) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    tni_motor_set(&change.def.wheel.spin_motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_wheel_joint_set_steering_target(tn_world *world, tn_joint_id joint, float angle) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    tni_float_set(&change.def.wheel.steering_motor.target_position, angle);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_wheel_joint_set_spin_target_speed(tn_world *world, tn_joint_id joint, float speed) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    tni_float_set(&change.def.wheel.spin_motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

double tn_wheel_joint_get_suspension_length(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_WHEEL, __func__).position;
}

double tn_wheel_joint_get_suspension_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_WHEEL, __func__).speed;
}

typedef tni_wheel_angle (*wheel_measure_fn)(const tni_axes *frame_a, const tni_axes *frame_b);

// Returns an angle of a wheel, which may be null.
static tni_joint_value wheel_measure(const tn_world *world, const tni_joint *joint,
                                     wheel_measure_fn measure) {
    tni_joint_value value = {0.0, 0.0};
    if (joint != NULL) {
        tni_body_motion a, b;
        tni_joint_get_motions(world, joint, &a, &b);
        tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, &a);
        tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, &b);
        tni_wheel_angle angle = measure(&frame_a, &frame_b);
        tni_dvec3 relative = dvec3_sub(b.angular_velocity, a.angular_velocity);
        value = (tni_joint_value){angle.angle, dvec3_dot(angle.direction, relative)};
    }
    return value;
}

double tn_wheel_joint_get_steering_angle(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    double angle = wheel_measure(world, record, tni_wheel_measure_steering).position;
    bool is_steered = record != NULL && record->def.wheel.has_steering;
    return is_steered ? tni_twist_wind(record, &record->def.wheel.steering_limit, 0, angle) : angle;
}

double tn_wheel_joint_get_spin_angle(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    return wheel_measure(world, record, tni_wheel_measure_spin).position;
}

double tn_wheel_joint_get_spin_speed(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_WHEEL, __func__);
    return wheel_measure(world, record, tni_wheel_measure_spin).speed;
}
