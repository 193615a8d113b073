// world/joints/joint_fixed.c: the public functions of fixed joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/test_fixed_joint.c
#include "world/joints/joint_internal.h"

tn_fixed_joint_def tn_fixed_joint_def_default(void) {
    return (tn_fixed_joint_def){.base = tn_joint_def_default()};
}

tn_joint_id tn_fixed_joint_create(tn_world *world, const tn_fixed_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_FIXED, &tni_fixed_joint_kind, def, sizeof *def,
                            __func__);
}

tn_fixed_joint_def tn_fixed_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_FIXED, __func__).fixed;
}

tn_result tn_fixed_joint_set_springs(tn_world *world, tn_joint_id joint, tn_spring linear,
                                     tn_spring angular) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_FIXED, __func__);
    tni_spring_set(&change.def.fixed.linear_spring, &linear);
    tni_spring_set(&change.def.fixed.angular_spring, &angular);
    return tni_joint_commit_change(world, &change);
}
