// world/joints/joint_ball.c: the public functions of ball joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_ball_joint.c
#include "joints/parts/axis.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/records/convert.h"

tn_ball_motor tn_ball_motor_default(void) {
    return (tn_ball_motor){.target_rotation = {0.0, 0.0, 0.0, 1.0}, .max_torque = INFINITY};
}

tn_ball_joint_def tn_ball_joint_def_default(void) {
    return (tn_ball_joint_def){.base = tn_joint_def_default(), .motor = tn_ball_motor_default()};
}

tn_joint_id tn_ball_joint_create(tn_world *world, const tn_ball_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_BALL, &tni_ball_joint_kind, def, sizeof *def,
                            __func__);
}

tn_ball_joint_def tn_ball_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_BALL, __func__).ball;
}

tn_result tn_ball_joint_set_cone_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    tni_limit_set(&change.def.ball.cone_limit, &limit);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ball_joint_set_twist_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    tni_limit_set(&change.def.ball.twist_limit, &limit);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ball_joint_set_motor(tn_world *world, tn_joint_id joint, tn_ball_motor motor) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    tni_ball_motor_set(&change.def.ball.motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ball_joint_set_target_rotation(tn_world *world, tn_joint_id joint, tn_quat rotation) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    tni_rotation_set(&change.def.ball.motor.target_rotation, &rotation);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ball_joint_set_target_velocity(tn_world *world, tn_joint_id joint, tn_vec3 velocity) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    convert_set_vec3(&change.def.ball.motor.target_velocity, &velocity);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ball_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    tni_spring_set(&change.def.ball.spring, &spring);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ball_joint_set_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    tni_float_set(&change.def.ball.friction, friction);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ball_joint_set_viscous_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_BALL, __func__);
    tni_float_set(&change.def.ball.viscous_friction, friction);
    return tni_joint_commit_change(world, &change);
}

double tn_ball_joint_get_twist(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_BALL, __func__).position;
}

tn_quat tn_ball_joint_get_rotation(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_rotation(world, joint, TN_JOINT_TYPE_BALL, __func__);
}

tn_vec3 tn_ball_joint_get_velocity(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_velocity(world, joint, TN_JOINT_TYPE_BALL, __func__);
}

double tn_ball_joint_get_cone_angle(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_BALL, __func__);
    if (!record) {
        return 0.0;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, record, &a, &b);
    tni_axes frame_a = tni_axes_of_frame(&record->frame_a, &a);
    return tni_axis_measure_swing(&frame_a, tni_axes_of_frame(&record->frame_b, &b).x).angle;
}
