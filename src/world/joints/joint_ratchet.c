// world/joints/joint_ratchet.c: the public functions of ratchet joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/transmissions/test_ratchet_joint.c
#include "world/joints/joint_internal.h"

tn_ratchet_joint_def tn_ratchet_joint_def_default(void) {
    return (tn_ratchet_joint_def){
        .base = tn_joint_def_default(), .teeth = 12, .direction = 1, .is_engaged = true};
}

tn_joint_id tn_ratchet_joint_create(tn_world *world, const tn_ratchet_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_RATCHET, &tni_ratchet_joint_kind, def, sizeof *def,
                            __func__);
}

tn_ratchet_joint_def tn_ratchet_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_RATCHET, __func__).ratchet;
}

tn_result tn_ratchet_joint_set_engaged(tn_world *world, tn_joint_id joint, bool is_engaged) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_RATCHET, __func__);
    change.def.ratchet.is_engaged = is_engaged;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_ratchet_joint_set_drag(tn_world *world, tn_joint_id joint, float drag) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_RATCHET, __func__);
    tni_float_set(&change.def.ratchet.drag, drag);
    return tni_joint_commit_change(world, &change);
}

double tn_ratchet_joint_get_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_RATCHET, __func__).position;
}

double tn_ratchet_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_RATCHET, __func__).speed;
}

int64_t tn_ratchet_joint_get_tooth(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_RATCHET, __func__);
    return record ? record->memory.tooth : 0;
}
