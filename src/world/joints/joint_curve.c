// world/joints/joint_curve.c: the public functions of curve joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/paths/test_curve_joint.c
#include "joints/paths/curve.h"
#include "world/joints/joint_internal.h"

tn_curve_joint_def tn_curve_joint_def_default(void) {
    return (tn_curve_joint_def){.base = tn_joint_def_default(), .motor = tn_motor_default()};
}

tn_joint_id tn_curve_joint_create(tn_world *world, const tn_curve_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_CURVE, &tni_curve_joint_kind, def, sizeof *def,
                            __func__);
}

tn_curve_joint_def tn_curve_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_CURVE, __func__).curve;
}

tn_result tn_curve_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    tni_limit_set(&change.def.curve.limit, &limit);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_curve_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    tni_motor_set(&change.def.curve.motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_curve_joint_set_target_position(tn_world *world, tn_joint_id joint, float position) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    tni_float_set(&change.def.curve.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_curve_joint_set_target_speed(tn_world *world, tn_joint_id joint, float speed) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    tni_float_set(&change.def.curve.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_curve_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    tni_spring_set(&change.def.curve.spring, &spring);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_curve_joint_set_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    tni_float_set(&change.def.curve.friction, friction);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_curve_joint_set_viscous_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    tni_float_set(&change.def.curve.viscous_friction, friction);
    return tni_joint_commit_change(world, &change);
}

double tn_curve_joint_get_length(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_CURVE, __func__);
    return record ? record->def.curve.apart->length : 0.0;
}

double tn_curve_joint_get_way(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_CURVE, __func__).position;
}

double tn_curve_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_CURVE, __func__).speed;
}
