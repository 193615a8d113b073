// world/joints/joint_universal.c: the public functions of universal joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_universal_joint.c
#include "world/joints/joint_internal.h"

tn_universal_joint_def tn_universal_joint_def_default(void) {
    return (tn_universal_joint_def){
        .base = tn_joint_def_default(), .first = tn_axis_default(), .second = tn_axis_default()};
}

tn_joint_id tn_universal_joint_create(tn_world *world, const tn_universal_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_UNIVERSAL, &tni_universal_joint_kind, def,
                            sizeof *def, __func__);
}

tn_universal_joint_def tn_universal_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_UNIVERSAL, __func__).universal;
}

tn_result tn_universal_joint_set_first(tn_world *world, tn_joint_id joint, tn_axis axis) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_UNIVERSAL, __func__);
    tni_joint_axis_set(&change.def.universal.first, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_universal_joint_set_second(tn_world *world, tn_joint_id joint, tn_axis axis) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_UNIVERSAL, __func__);
    tni_joint_axis_set(&change.def.universal.second, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_universal_joint_set_first_target_position(tn_world *world, tn_joint_id joint,
                                                       float position) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_UNIVERSAL, __func__);
    tni_float_set(&change.def.universal.first.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_universal_joint_set_first_target_speed(tn_world *world, tn_joint_id joint,
                                                    float speed) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_UNIVERSAL, __func__);
    tni_float_set(&change.def.universal.first.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_universal_joint_set_second_target_position(tn_world *world, tn_joint_id joint,
                                                        float position) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_UNIVERSAL, __func__);
    tni_float_set(&change.def.universal.second.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_universal_joint_set_second_target_speed(tn_world *world, tn_joint_id joint,
                                                     float speed) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_UNIVERSAL, __func__);
    tni_float_set(&change.def.universal.second.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

double tn_universal_joint_get_first_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_UNIVERSAL, 0, __func__).position;
}

double tn_universal_joint_get_second_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_UNIVERSAL, 1, __func__).position;
}

double tn_universal_joint_get_first_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_UNIVERSAL, 0, __func__).speed;
}

double tn_universal_joint_get_second_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_UNIVERSAL, 1, __func__).speed;
}

float tn_universal_joint_get_first_torque(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_effort(world, joint, TN_JOINT_TYPE_UNIVERSAL, 0, __func__);
}

float tn_universal_joint_get_second_torque(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_effort(world, joint, TN_JOINT_TYPE_UNIVERSAL, 1, __func__);
}
