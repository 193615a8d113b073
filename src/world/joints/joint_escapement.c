// world/joints/joint_escapement.c: the public functions of escapement joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/transmissions/test_escapement_joint.c
#include "world/joints/joint_internal.h"

tn_escapement_joint_def tn_escapement_joint_def_default(void) {
    return (tn_escapement_joint_def){.base = tn_joint_def_default(),
                                     .teeth = 30,
                                     .direction = 1,
                                     .lift_angle = 0.035,
                                     .lock_angle = 0.009,
                                     .drop_angle = 0.026};
}

tn_joint_id tn_escapement_joint_create(tn_world *world, const tn_escapement_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_ESCAPEMENT, &tni_escapement_joint_kind, def,
                            sizeof *def, __func__);
}

tn_escapement_joint_def tn_escapement_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_ESCAPEMENT, __func__).escapement;
}

tn_result tn_escapement_joint_set_angles(tn_world *world, tn_joint_id joint, double lift_angle,
                                         double lock_angle, double drop_angle) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_ESCAPEMENT, __func__);
    tni_double_set(&change.def.escapement.lift_angle, lift_angle);
    tni_double_set(&change.def.escapement.lock_angle, lock_angle);
    tni_double_set(&change.def.escapement.drop_angle, drop_angle);
    return tni_joint_commit_change(world, &change);
}

double tn_escapement_joint_get_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_ESCAPEMENT, __func__).position;
}

double tn_escapement_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_ESCAPEMENT, __func__).speed;
}

int64_t tn_escapement_joint_get_beats(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_ESCAPEMENT, __func__);
    return record ? record->memory.tooth : 0;
}

double tn_escapement_joint_get_gap(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_ESCAPEMENT, 1, __func__).position;
}
