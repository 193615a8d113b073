// world/joints/joint_check_tick.c: are the definitions of cams, ratchets and escapements sound?
// Test: tests/joints/test_joint_misuse.c
#include "world/joints/joint_internal.h"

#define TICK_MOST_TEETH 1000000
// rad: over a shorter lift the wheel would have to be pushed by no angle at all.
#define TICK_LEAST_ANGLE 1e-9

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

static tni_joint_check tick_check_wheel(int32_t teeth, int32_t least, int32_t direction) {
    if (teeth < least || teeth > TICK_MOST_TEETH) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT,
                         "A ratchet has 1 to 1,000,000 teeth, an escape wheel 2 at least.");
    }
    if (direction != 1 && direction != -1) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT, "A direction is 1 or -1.");
    }
    return tick_ok;
}

tni_joint_check tni_joint_check_ratchet(const tn_ratchet_joint_def *def) {
    if (!isfinite(def->drag)) {
        return tick_fail(TN_RESULT_NOT_FINITE, "A ratchet's drag must be finite and >= 0.");
    }
    if (def->drag < 0.0f) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT, "A ratchet's drag must be finite and >= 0.");
    }
    return tick_check_wheel(def->teeth, 1, def->direction);
}

tni_joint_check tni_joint_check_escapement(const tn_escapement_joint_def *def) {
    tni_joint_check check = tick_check_wheel(def->teeth, 2, def->direction);
    if (check.result != TN_RESULT_OK) {
        return check;
    }
    if (!isfinite(def->lift_angle) || !isfinite(def->lock_angle) || !isfinite(def->drop_angle)) {
        return tick_fail(TN_RESULT_NOT_FINITE, "An escapement's angles must be finite.");
    }
    bool has_faces = def->lift_angle > TICK_LEAST_ANGLE && def->lock_angle > 0.0 &&
                     def->lift_angle + def->lock_angle < MATHS_PI;
    if (!has_faces) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT,
                         "Lift and lock of an escapement must be > 0 and < pi together.");
    }
    if (!(def->drop_angle > 0.0 && def->drop_angle < MATHS_PI / def->teeth)) {
        return tick_fail(TN_RESULT_INVALID_ARGUMENT,
                         "The drop must be > 0 and less than half a tooth's pitch.");
    }
    return tick_ok;
}
