// world/joints/joint_distance.c: the public functions of distance joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_distance_joint.c
#include "world/joints/joint_internal.h"

tn_distance_joint_def tn_distance_joint_def_default(void) {
    return (tn_distance_joint_def){.base = tn_joint_def_default(),
                                   .is_rigid = true,
                                   .length = 1.0f,
                                   .motor = tn_motor_default()};
}

tn_joint_id tn_distance_joint_create(tn_world *world, const tn_distance_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_DISTANCE, &tni_distance_joint_kind, def,
                            sizeof *def, __func__);
}

tn_distance_joint_def tn_distance_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_DISTANCE, __func__).distance;
}

tn_result tn_distance_joint_set_length(tn_world *world, tn_joint_id joint, float length) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_float_set(&change.def.distance.length, length);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_rigid(tn_world *world, tn_joint_id joint, bool is_rigid) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    change.def.distance.is_rigid = is_rigid;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_limit_set(&change.def.distance.limit, &limit);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_spring_set(&change.def.distance.spring, &spring);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_motor_set(&change.def.distance.motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                float position) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_float_set(&change.def.distance.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_target_speed(tn_world *world, tn_joint_id joint, float speed) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_float_set(&change.def.distance.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_float_set(&change.def.distance.friction, friction);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_distance_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                 float friction) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_DISTANCE, __func__);
    tni_float_set(&change.def.distance.viscous_friction, friction);
    return tni_joint_commit_change(world, &change);
}

double tn_distance_joint_get_length(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_DISTANCE, __func__).position;
}

double tn_distance_joint_get_rate(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_DISTANCE, __func__).speed;
}
