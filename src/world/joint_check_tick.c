// world/joint_check_tick.c: are the definitions of cams, ratchets and escapements sound?
// Test: tests/joints/test_joint_misuse.c
#include "world/joint_internal.h"

static const tni_joint_check tick_ok = {TN_RESULT_OK, NULL};

static tni_joint_check tick_fail(tn_result result, const char *message) {
    tni_joint_check check = {result, message};
    return check;
}

tni_joint_check tni_joint_check_cam(const tn_cam_joint_def *def) {
    if (def->radii == NULL || def->radius_count < TN_CAM_LEAST_RADII ||
        def->radius_count > TN_CAM_MOST_RADII) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT, "A cam has 4 to 4096 radii.");
    }
    for (uint32_t i = 0; i < def->radius_count; ++i) {
        if (!isfinite(def->radii[i])) {
            return tick_fail(TN_RESULT_NOT_FINITE, "A cam's radii must be finite and > 0.");
        }
        if (!(def->radii[i] > 0.0)) {
            return tick_fail(TN_RESULT_INVALID_ARGUMENT, "A cam's radii must be finite and > 0.");
        }
    }
    if (!isfinite(def->roller_radius)) {
        return tick_fail(TN_RESULT_NOT_FINITE, "A roller's radius must be finite and >= 0.");
    }
    if (def->roller_radius < 0.0) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT, "A roller's radius must be finite and >= 0.");
    }
    if ((int)def->follower < 0 || (int)def->follower > TN_CAM_FOLLOWER_FLAT) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT, "A cam's follower is ROLLER or FLAT.");
    }
    return tick_ok;
}
