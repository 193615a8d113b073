// world/joints/joint_tilt.c: the public functions of tilt joints.
#include "world/joints/joint_internal.h"

tn_tilt_joint_def tn_tilt_joint_def_default(void) {
    return (tn_tilt_joint_def){.base = tn_joint_def_default(), .angle = 0.5 * MATHS_PI};
}

tn_joint_id tn_tilt_joint_create(tn_world *world, const tn_tilt_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_TILT, &tni_tilt_joint_kind, def, sizeof *def,
                            __func__);
}

tn_tilt_joint_def tn_tilt_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_TILT, __func__).tilt;
}

double tn_tilt_joint_get_angle(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value(world, joint, TN_JOINT_TYPE_TILT, __func__).position;
}
