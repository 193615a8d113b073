// tests/joints/joint_kinds.h: the functions of each type of joint, for records that a test makes by
// itself.
#ifndef TESTS_JOINTS_JOINT_KINDS_H
#define TESTS_JOINTS_JOINT_KINDS_H

#include "joints/kind.h"

static const tni_joint_kind *const joint_kinds[] = {
    [TN_JOINT_TYPE_DISTANCE] = &tni_distance_joint_kind,
    [TN_JOINT_TYPE_BALL] = &tni_ball_joint_kind,
    [TN_JOINT_TYPE_HINGE] = &tni_hinge_joint_kind,
    [TN_JOINT_TYPE_SLIDER] = &tni_slider_joint_kind,
    [TN_JOINT_TYPE_FIXED] = &tni_fixed_joint_kind,
    [TN_JOINT_TYPE_UNIVERSAL] = &tni_universal_joint_kind,
    [TN_JOINT_TYPE_CYLINDRICAL] = &tni_cylindrical_joint_kind,
    [TN_JOINT_TYPE_PLANAR] = &tni_planar_joint_kind,
    [TN_JOINT_TYPE_MOUSE] = &tni_mouse_joint_kind,
    [TN_JOINT_TYPE_CUSTOM] = &tni_custom_joint_kind,
    [TN_JOINT_TYPE_FUNCTION] = &tni_function_joint_kind, // of one or two bodies; else a tie
    [TN_JOINT_TYPE_ROPE] = &tni_function_joint_kind,     // never with rows
    [TN_JOINT_TYPE_CURVE] = &tni_curve_joint_kind,
    [TN_JOINT_TYPE_SURFACE] = &tni_surface_joint_kind,
    [TN_JOINT_TYPE_MOTION_PATH] = &tni_motion_path_joint_kind,
    [TN_JOINT_TYPE_SWING_TWIST] = &tni_swing_twist_joint_kind,
    [TN_JOINT_TYPE_SIX_AXIS] = &tni_six_axis_joint_kind,
    [TN_JOINT_TYPE_WHEEL] = &tni_wheel_joint_kind,
    [TN_JOINT_TYPE_BELT] = &tni_belt_joint_kind,
    [TN_JOINT_TYPE_GEAR] = &tni_gear_joint_kind,
    [TN_JOINT_TYPE_RACK_PINION] = &tni_rack_pinion_joint_kind,
    [TN_JOINT_TYPE_SCREW] = &tni_screw_joint_kind,
    [TN_JOINT_TYPE_PULLEY] = &tni_pulley_joint_kind,
    [TN_JOINT_TYPE_CAM] = &tni_cam_joint_kind,
    [TN_JOINT_TYPE_RATCHET] = &tni_ratchet_joint_kind,
    [TN_JOINT_TYPE_ESCAPEMENT] = &tni_escapement_joint_kind,
};

// As creating it in a world does.
static inline void joint_set_type(tni_joint *joint, tn_joint_type type) {
    joint->type = type;
    joint->kind = joint_kinds[type];
}

#endif
