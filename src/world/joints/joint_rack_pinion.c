// world/joints/joint_rack_pinion.c: the public functions of rack and pinion joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/transmissions/test_rack_pinion_joint.c
#include "world/joints/joint_internal.h"

tn_rack_pinion_joint_def tn_rack_pinion_joint_def_default(void) {
    return (tn_rack_pinion_joint_def){.base = tn_joint_def_default(), .radius = 1.0};
}

tn_joint_id tn_rack_pinion_joint_create(tn_world *world, const tn_rack_pinion_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_RACK_PINION, &tni_rack_pinion_joint_kind, def,
                            sizeof *def, __func__);
}

tn_rack_pinion_joint_def tn_rack_pinion_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_RACK_PINION, __func__).rack_pinion;
}

tn_result tn_rack_pinion_joint_set_radius(tn_world *world, tn_joint_id joint, double radius) {
    tni_joint_change change =
        tni_joint_begin_change(world, joint, TN_JOINT_TYPE_RACK_PINION, __func__);
    tni_double_set(&change.def.rack_pinion.radius, radius);
    return tni_joint_commit_change(world, &change);
}

double tn_rack_pinion_joint_get_phase_error(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_phase_error(world, joint, TN_JOINT_TYPE_RACK_PINION, __func__);
}

// The rack's azimuth in the pinion decreases as the pinion turns forward.
double tn_rack_pinion_joint_get_angle(const tn_world *world, tn_joint_id joint) {
    return -tni_joint_read_turn(world, joint, TN_JOINT_TYPE_RACK_PINION, 0, __func__);
}

double tn_rack_pinion_joint_get_travel(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_RACK_PINION, __func__).position;
}
