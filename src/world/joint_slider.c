// world/joint_slider.c: the public functions of slider joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_slider_joint.c
#include "world/joint_internal.h"

tn_slider_joint_def tn_slider_joint_def_default(void) {
    tn_slider_joint_def def = {.base = tn_joint_def_default(), .motor = tni_motor_default()};
    return def;
}

tn_joint_id tn_slider_joint_create(tn_world *world, const tn_slider_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_SLIDER, def, sizeof *def, __func__);
}

tn_slider_joint_def tn_slider_joint_get_def(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_SLIDER, __func__);
    tn_slider_joint_def none = {.base = {.break_force = 0.0f}};
    return record ? record->def.slider : none;
}

tn_result tn_slider_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit) {
    tni_joint_def def;
    uint32_t index = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__, &def);
    if (index != TNI_NONE) {
        tni_limit_set(&def.slider.limit, &limit);
        tni_joint_commit_change(world, index, &def, __func__);
    }
    return tni_world_get_refusal(world);
}

tn_result tn_slider_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor) {
    tni_joint_def def;
    uint32_t index = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__, &def);
    if (index != TNI_NONE) {
        def.slider.motor = motor;
        tni_joint_commit_change(world, index, &def, __func__);
    }
    return tni_world_get_refusal(world);
}

tn_result tn_slider_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring) {
    tni_joint_def def;
    uint32_t index = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__, &def);
    if (index != TNI_NONE) {
        def.slider.spring = spring;
        tni_joint_commit_change(world, index, &def, __func__);
    }
    return tni_world_get_refusal(world);
}

tn_result tn_slider_joint_set_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_def def;
    uint32_t index = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__, &def);
    if (index != TNI_NONE) {
        def.slider.friction = friction;
        tni_joint_commit_change(world, index, &def, __func__);
    }
    return tni_world_get_refusal(world);
}

tn_result tn_slider_joint_set_viscous_friction(tn_world *world, tn_joint_id joint, float friction) {
    tni_joint_def def;
    uint32_t index = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SLIDER, __func__, &def);
    if (index != TNI_NONE) {
        def.slider.viscous_friction = friction;
        tni_joint_commit_change(world, index, &def, __func__);
    }
    return tni_world_get_refusal(world);
}

double tn_slider_joint_get_translation(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SLIDER, __func__).position;
}

double tn_slider_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SLIDER, __func__).speed;
}
