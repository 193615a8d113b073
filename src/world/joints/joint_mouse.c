// world/joints/joint_mouse.c: the public functions of mouse joints.
// Test: tests/joints/test_mouse_joint.c
#include "world/joints/joint_internal.h"

#include "world/records/convert.h"

tn_mouse_joint_def tn_mouse_joint_def_default(void) {
    tn_mouse_joint_def def = {.base = tn_joint_def_default(), .max_force = INFINITY};
    def.base.hertz = 5.0f;
    return def;
}

tn_joint_id tn_mouse_joint_create(tn_world *world, const tn_mouse_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_MOUSE, &tni_mouse_joint_kind, def, sizeof *def,
                            __func__);
}

tn_mouse_joint_def tn_mouse_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_MOUSE, __func__).mouse;
}

tn_result tn_mouse_joint_set_target(tn_world *world, tn_joint_id joint, tn_vec3 target) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_MOUSE, __func__);
    if (change.joint == TNI_NONE) {
        return tni_world_end_change(world);
    }
    if (!convert_is_finite(target)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, __func__, "The target must be finite.",
                         joint.value);
        return tni_world_end_change(world);
    }
    tn_joint_def *base = &change.def.base;
    if (base->body_a.value != 0) {
        tn_vec3 local = tn_body_get_local_point(world, base->body_a, target);
        target = local;
    }
    base->frame_a.position = target;
    return tni_joint_commit_change(world, &change);
}

tn_vec3 tn_mouse_joint_get_target(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_MOUSE, __func__);
    tn_vec3 none = {0.0, 0.0, 0.0};
    if (!record) {
        return none;
    }
    tn_vec3 p = record->def.base.frame_a.position;
    tn_body_id body = record->def.base.body_a;
    return body.value == 0 ? p : tn_body_get_world_point(world, body, p);
}

tn_result tn_mouse_joint_set_max_force(tn_world *world, tn_joint_id joint, float max_force) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_MOUSE, __func__);
    tni_cap_set(&change.def.mouse.max_force, max_force);
    return tni_joint_commit_change(world, &change);
}

double tn_mouse_joint_get_distance(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_MOUSE, __func__).position;
}
