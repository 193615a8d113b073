// world/joints/joint_cam.c: the public functions of cam joints.
// Test: tests/joints/test_joint_setters.c, tests/joints/transmissions/test_cam_joint.c
#include "joints/transmissions/profile.h"
#include "world/joints/joint_internal.h"

tn_cam_joint_def tn_cam_joint_def_default(void) {
    return (tn_cam_joint_def){.base = tn_joint_def_default()};
}

tn_joint_id tn_cam_joint_create(tn_world *world, const tn_cam_joint_def *def) {
    return tni_joint_create(world, TN_JOINT_TYPE_CAM, &tni_cam_joint_kind, def, sizeof *def,
                            __func__);
}

tn_cam_joint_def tn_cam_joint_get_def(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_def(world, joint, TN_JOINT_TYPE_CAM, __func__).cam;
}

tn_result tn_cam_joint_set_follower(tn_world *world, tn_joint_id joint, tn_cam_follower follower,
                                    double roller_radius) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CAM, __func__);
    change.def.cam.follower = follower;
    tni_double_set(&change.def.cam.roller_radius, roller_radius);
    return tni_joint_commit_change(world, &change);
}

tn_result tn_cam_joint_set_desmodromic(tn_world *world, tn_joint_id joint, bool is_desmodromic) {
    tni_joint_change change = tni_joint_begin_change(world, joint, TN_JOINT_TYPE_CAM, __func__);
    change.def.cam.is_desmodromic = is_desmodromic;
    return tni_joint_commit_change(world, &change);
}

double tn_cam_joint_get_radius(const tn_world *world, tn_joint_id joint, double angle) {
    const tni_joint *record = tni_joint_read(world, joint, TN_JOINT_TYPE_CAM, __func__);
    if (!record) {
        return 0.0;
    }
    if (!isfinite(angle)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, __func__, "The angle must be finite.",
                         joint.value);
        return 0.0;
    }
    return tni_profile_get_radius(record->def.cam.profile, fmod(angle, 2.0 * MATHS_PI));
}

double tn_cam_joint_get_lift(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CAM, 0, __func__).position;
}

double tn_cam_joint_get_lift_rate(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CAM, 0, __func__).speed;
}

double tn_cam_joint_get_gap(const tn_world *world, tn_joint_id joint) {
    return tni_joint_read_value_at(world, joint, TN_JOINT_TYPE_CAM, 1, __func__).position;
}
