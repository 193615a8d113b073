// world/joints/joint_planar.c: the public functions of planar joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_planar_joint.c
#include "world/joints/joint_internal.h"

tn_planar_joint_def tn_planar_joint_def_default(void) {
    return (tn_planar_joint_def){.base = tn_joint_def_default(),
                                 .y = tn_axis_default(),
                                 .z = tn_axis_default(),
                                 .turn = tn_axis_default()};
}

tn_joint_id tn_planar_joint_create(tn_world *world, const tn_planar_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_PLANAR, &tni_planar_joint_kind, def, sizeof *def,
                            __func__);
}

tn_planar_joint_def tn_planar_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_PLANAR, __func__).planar;
}

tn_result tn_planar_joint_set_y(tn_world *world, tn_joint_id joint, tn_axis axis) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_joint_axis_set(&change.def.planar.y, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_z(tn_world *world, tn_joint_id joint, tn_axis axis) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_joint_axis_set(&change.def.planar.z, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_turn(tn_world *world, tn_joint_id joint, tn_axis axis) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_joint_axis_set(&change.def.planar.turn, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_y_target_position(tn_world *world, tn_joint_id joint,
                                                float position) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_float_set(&change.def.planar.y.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_y_target_speed(tn_world *world, tn_joint_id joint, float speed) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_float_set(&change.def.planar.y.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_z_target_position(tn_world *world, tn_joint_id joint,
                                                float position) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_float_set(&change.def.planar.z.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_z_target_speed(tn_world *world, tn_joint_id joint, float speed) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_float_set(&change.def.planar.z.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_turn_target_position(tn_world *world, tn_joint_id joint,
                                                   float position) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_float_set(&change.def.planar.turn.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_planar_joint_set_turn_target_speed(tn_world *world, tn_joint_id joint, float speed) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_PLANAR, __func__);
    tni_float_set(&change.def.planar.turn.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

double tn_planar_joint_get_y(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_PLANAR, 0, __func__).position;
}

double tn_planar_joint_get_z(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_PLANAR, 1, __func__).position;
}

double tn_planar_joint_get_y_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_PLANAR, 0, __func__).speed;
}

double tn_planar_joint_get_z_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_PLANAR, 1, __func__).speed;
}

double tn_planar_joint_get_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_PLANAR, 2, __func__).position;
}

double tn_planar_joint_get_angular_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_PLANAR, 2, __func__).speed;
}

float tn_planar_joint_get_y_force(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_effort(world, joint, TN_JOINT_TYPE_PLANAR, 0, __func__);
}

float tn_planar_joint_get_z_force(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_effort(world, joint, TN_JOINT_TYPE_PLANAR, 1, __func__);
}

float tn_planar_joint_get_motor_torque(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_effort(world, joint, TN_JOINT_TYPE_PLANAR, 2, __func__);
}
