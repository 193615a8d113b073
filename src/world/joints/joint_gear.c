// world/joints/joint_gear.c: the public functions of gear joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/transmissions/test_gear_joint.c
#include "world/joints/joint_internal.h"

tn_gear_joint_def tn_gear_joint_def_default(void) {
    return (tn_gear_joint_def){.base = tn_joint_def_default(), .ratio = 1.0};
}

tn_joint_id tn_gear_joint_create(tn_world *world, const tn_gear_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_GEAR, &tni_gear_joint_kind, def, sizeof *def,
                            __func__);
}

tn_gear_joint_def tn_gear_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_GEAR, __func__).gear;
}

tn_result tn_gear_joint_set_ratio(tn_world *world, tn_joint_id joint, double ratio) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_GEAR, __func__);
    tni_double_set(&change.def.gear.ratio, ratio);
    change.def.gear.teeth_a = change.def.gear.teeth_b = 0;
    return tni_joint_commit_change(world, &change);
}

tn_result tn_gear_joint_set_teeth(tn_world *world, tn_joint_id joint, int32_t teeth_a,
                                  int32_t teeth_b) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_GEAR, __func__);
    change.def.gear.teeth_a = teeth_a;
    change.def.gear.teeth_b = teeth_b;
    return tni_joint_commit_change(world, &change);
}

double tn_gear_joint_get_ratio(const tn_world *world, tn_joint_id joint) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_GEAR, __func__);
    return record ? tni_gear_get_ratio(&record->def.gear) : 0.0;
}

double tn_gear_joint_get_phase_error(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_phase_error(world, joint, TN_JOINT_TYPE_GEAR, __func__);
}

// The reference's azimuth in a wheel decreases as the wheel turns forward.
double tn_gear_joint_get_angle_a(const tn_world *world, tn_joint_id joint) {
    return -tni_joint_read_turn(world, joint, TN_JOINT_TYPE_GEAR, 0, __func__);
}

double tn_gear_joint_get_angle_b(const tn_world *world, tn_joint_id joint) {
    return -tni_joint_read_turn(world, joint, TN_JOINT_TYPE_GEAR, 1, __func__);
}
