// world/joints/joint_swing_twist.c: the public functions of swing-twist joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_swing_twist_joint.c
#include "joints/parts/swing.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

#define SWING_TWIST_HALF_TURN 3.1415927f // rad

tn_swing_twist_joint_def tn_swing_twist_joint_def_default(void) {
    return (tn_swing_twist_joint_def){
        .base = tn_joint_def_default(),
        .swing_limit_y = {.lower = -SWING_TWIST_HALF_TURN, .upper = SWING_TWIST_HALF_TURN},
        .swing_limit_z = {.lower = -SWING_TWIST_HALF_TURN, .upper = SWING_TWIST_HALF_TURN},
        .motor = tn_ball_motor_default()};
}

tn_joint_id tn_swing_twist_joint_create(tn_world *world, const tn_swing_twist_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_SWING_TWIST, &tni_swing_twist_joint_kind, def,
                            sizeof *def, __func__);
}

tn_swing_twist_joint_def tn_swing_twist_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_SWING_TWIST, __func__).swing_twist;
}

static tni_joint_change swing_twist_begin(tn_world *world, tn_joint_id joint,
                                          const char *function) {
    return tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SWING_TWIST, function);
}

tn_result tn_swing_twist_joint_set_swing_limits(tn_world *world, tn_joint_id joint,
                                                tn_limit limit_y, tn_limit limit_z) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    tni_limit_set(&change.def.swing_twist.swing_limit_y, &limit_y);
    tni_limit_set(&change.def.swing_twist.swing_limit_z, &limit_z);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_swing_twist_joint_set_twist_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    tni_limit_set(&change.def.swing_twist.twist_limit, &limit);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_swing_twist_joint_set_motor(tn_world *world, tn_joint_id joint, tn_ball_motor motor) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    tni_ball_motor_set(&change.def.swing_twist.motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_swing_twist_joint_set_target_rotation(tn_world *world, tn_joint_id joint,
                                                   tn_quat rotation) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    tni_rotation_set(&change.def.swing_twist.motor.target_rotation, &rotation);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_swing_twist_joint_set_target_velocity(tn_world *world, tn_joint_id joint,
                                                   tn_vec3 velocity) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    convert_set_vec3(&change.def.swing_twist.motor.target_velocity, &velocity);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_swing_twist_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    tni_spring_set(&change.def.swing_twist.spring, &spring);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_swing_twist_joint_set_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    tni_float_set(&change.def.swing_twist.friction, friction);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_swing_twist_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                    float friction) {
    tni_joint_change change = swing_twist_begin(world, joint, __func__);
    tni_float_set(&change.def.swing_twist.viscous_friction, friction);
    return tni_joint_commit_change(world, &change);
}

tn_quat tn_swing_twist_joint_get_rotation(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_rotation(world, joint, TN_JOINT_TYPE_SWING_TWIST, __func__);
}

tn_vec3 tn_swing_twist_joint_get_velocity(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_velocity(world, joint, TN_JOINT_TYPE_SWING_TWIST, __func__);
}

double tn_swing_twist_joint_get_twist(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SWING_TWIST, __func__).position;
}

tn_swing tn_swing_twist_joint_get_swing(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_SWING_TWIST, __func__);
    tn_swing angles = {0.0, 0.0};
    if (record) {
        tni_body_motion a, b;
        tni_joint_get_motions(world, record, &a, &b);
        tni_axes frame_a = tni_axes_of_frame(&record->frame_a, &a);
        tni_swing_vector swing =
            tni_swing_measure(&frame_a, tni_axes_of_frame(&record->frame_b, &b).x);
        angles = (tn_swing){swing.y, swing.z};
    }
    return angles;
}
