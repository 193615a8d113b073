// world/joints/joint_screw.c: the public functions of screw joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/transmissions/test_screw_joint.c
#include "world/joints/joint_internal.h"

tn_screw_joint_def tn_screw_joint_def_default(void) {
    return (tn_screw_joint_def){.base = tn_joint_def_default(), .lead = 0.01};
}

tn_joint_id tn_screw_joint_create(tn_world *world, const tn_screw_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_SCREW, &tni_screw_joint_kind, def, sizeof *def,
                            __func__);
}

tn_screw_joint_def tn_screw_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_SCREW, __func__).screw;
}

tn_result tn_screw_joint_set_lead(tn_world *world, tn_joint_id joint, double lead) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_SCREW, __func__);
    tni_double_set(&change.def.screw.lead, lead);
    return tni_joint_commit_change(world, &change);
}

double tn_screw_joint_get_phase_error(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_phase_error(world, joint, TN_JOINT_TYPE_SCREW, __func__);
}

double tn_screw_joint_get_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_turn(world, joint, TN_JOINT_TYPE_SCREW, 0, __func__);
}

double tn_screw_joint_get_travel(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SCREW, __func__).position;
}

double tn_screw_joint_get_speed(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_SCREW, __func__).speed;
}
