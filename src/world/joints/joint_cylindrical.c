// world/joints/joint_cylindrical.c: the public functions of cylindrical joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_cylindrical_joint.c
#include "world/joints/joint_internal.h"

tn_cylindrical_joint_def tn_cylindrical_joint_def_default(void) {
    return (tn_cylindrical_joint_def){
        .base = tn_joint_def_default(), .slide = tn_axis_default(), .turn = tn_axis_default()};
}

tn_joint_id tn_cylindrical_joint_create(tn_world *world, const tn_cylindrical_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_CYLINDRICAL, &tni_cylindrical_joint_kind, def,
                            sizeof *def, __func__);
}

tn_cylindrical_joint_def tn_cylindrical_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_CYLINDRICAL, __func__).cylindrical;
}

tn_result tn_cylindrical_joint_set_slide(tn_world *world, tn_joint_id joint, tn_axis axis) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CYLINDRICAL, __func__);
    tni_joint_axis_set(&change.def.cylindrical.slide, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_cylindrical_joint_set_turn(tn_world *world, tn_joint_id joint, tn_axis axis) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CYLINDRICAL, __func__);
    tni_joint_axis_set(&change.def.cylindrical.turn, &axis);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_cylindrical_joint_set_slide_target_position(tn_world *world, tn_joint_id joint,
                                                         float position) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CYLINDRICAL, __func__);
    tni_float_set(&change.def.cylindrical.slide.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_cylindrical_joint_set_slide_target_speed(tn_world *world, tn_joint_id joint,
                                                      float speed) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CYLINDRICAL, __func__);
    tni_float_set(&change.def.cylindrical.slide.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_cylindrical_joint_set_turn_target_position(tn_world *world, tn_joint_id joint,
                                                        float position) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CYLINDRICAL, __func__);
    tni_float_set(&change.def.cylindrical.turn.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_cylindrical_joint_set_turn_target_speed(tn_world *world, tn_joint_id joint,
                                                     float speed) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CYLINDRICAL, __func__);
    tni_float_set(&change.def.cylindrical.turn.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

double tn_cylindrical_joint_get_translation(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CYLINDRICAL, 0, __func__).position;
}

double tn_cylindrical_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CYLINDRICAL, 0, __func__).speed;
}

double tn_cylindrical_joint_get_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CYLINDRICAL, 1, __func__).position;
}

double tn_cylindrical_joint_get_angular_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CYLINDRICAL, 1, __func__).speed;
}

float tn_cylindrical_joint_get_motor_force(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_effort(world, joint, TN_JOINT_TYPE_CYLINDRICAL, 0, __func__);
}

float tn_cylindrical_joint_get_motor_torque(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_effort(world, joint, TN_JOINT_TYPE_CYLINDRICAL, 1, __func__);
}
