// world/joints/joint_slider.c: the public functions of slider joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_slider_joint.c
#include "world/joints/joint_internal.h"

tn_slider_joint_def tn_slider_joint_def_default(void) {
    return (tn_slider_joint_def){.base = tn_joint_def_default(), .motor = tn_motor_default()};
}

tn_joint_id tn_slider_joint_create(tn_world *world, const tn_slider_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_SLIDER, &tni_slider_joint_kind, def, sizeof *def,
                            __func__);
}

tn_slider_joint_def tn_slider_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_SLIDER, __func__).slider;
}

tn_result tn_slider_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tni_limit_set(&change.def.slider.limit, &limit);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_slider_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tni_motor_set(&change.def.slider.motor, &motor);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_slider_joint_set_target_position(tn_world *world, tn_joint_id joint, float position) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tni_float_set(&change.def.slider.motor.target_position, position);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_slider_joint_set_target_speed(tn_world *world, tn_joint_id joint, float speed) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tni_float_set(&change.def.slider.motor.target_speed, speed);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_slider_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tni_spring_set(&change.def.slider.spring, &spring);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_slider_joint_set_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tni_float_set(&change.def.slider.friction, friction);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_slider_joint_set_viscous_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tni_float_set(&change.def.slider.viscous_friction, friction);
    return tni_joint_commit_change(world, &change);
}

double tn_slider_joint_get_translation(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SLIDER, __func__).position;
}

double tn_slider_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SLIDER, __func__).speed;
}
