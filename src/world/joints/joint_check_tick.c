// world/joints/joint_check_tick.c: are the definitions of cams, ratchets and escapements sound?
// Test: tests/joints/test_joint_misuse_transmissions.c
#include "world/joints/joint_internal.h"

#define TICK_MOST_TEETH 1000000
// rad: over a shorter lift the wheel would have to be pushed by no angle at all.
#define TICK_LEAST_ANGLE 1e-9

tni_check tni_joint_check_cam(const tn_cam_joint_def *def) {
    if (def->radii == NULL || def->radius_count < TN_CAM_LEAST_RADII ||
        def->radius_count > TN_CAM_MOST_RADII) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "A cam has 4 to 4096 radii."};
    }
    tni_check check = {TN_RESULT_OK, NULL};
    for (uint32_t i = 0; i < def->radius_count; ++i) {
        check = tni_check_both(check, tni_check_number(isfinite(def->radii[i]), def->radii[i] > 0.0,
                                                       "A cam's radii must be finite and > 0."));
    }
    const tni_check checks[] = {
        check,
        tni_check_number(isfinite(def->roller_radius), def->roller_radius >= 0.0,
                         "A roller's radius must be finite and >= 0."),
        tni_check_choice((int)def->follower, TN_CAM_FOLLOWER_FLAT,
                         "A cam's follower is ROLLER or FLAT."),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check tick_check_wheel(int32_t teeth, int32_t least, int32_t direction) {
    return tni_check_both(
        tni_check_that(teeth >= least && teeth <= TICK_MOST_TEETH, TN_RESULT_INVALID_ARGUMENT,
                       "A ratchet has 1 to 1,000,000 teeth, an escape wheel 2 at least."),
        tni_check_that(direction == 1 || direction == -1, TN_RESULT_INVALID_ARGUMENT,
                       "A direction is 1 or -1."));
}

tni_check tni_joint_check_ratchet(const tn_ratchet_joint_def *def) {
    return tni_check_both(tni_check_amount(def->drag, "A ratchet's drag must be finite and >= 0."),
                          tick_check_wheel(def->teeth, 1, def->direction));
}

tni_check tni_joint_check_escapement(const tn_escapement_joint_def *def) {
    double lift = def->lift_angle, lock = def->lock_angle, drop = def->drop_angle;
    bool has_faces = lift > TICK_LEAST_ANGLE && lock > 0.0 && lift + lock < MATHS_PI;
    const tni_check checks[] = {
        tick_check_wheel(def->teeth, 2, def->direction),
        tni_check_that(isfinite(lift) && isfinite(lock) && isfinite(drop), TN_RESULT_NOT_FINITE,
                       "An escapement's angles must be finite."),
        tni_check_that(has_faces, TN_RESULT_INVALID_ARGUMENT,
                       "Lift and lock of an escapement must be > 0 and < pi together."),
        tni_check_that(drop > 0.0 && drop < MATHS_PI / def->teeth, TN_RESULT_INVALID_ARGUMENT,
                       "The drop must be > 0 and less than half a tooth's pitch."),
    };
    return tni_check_all(checks, sizeof checks);
}
