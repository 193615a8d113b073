// joints/parts/twist.h: the turn of frame b about the x axes, as a joint's value, and angles that
// are wound up.
//
// A pose tells an angle modulo 2 pi. That is enough for a range narrower than a turn; for a wider
// one the joint counts whole turns (turns.h), and the value goes on where a turn ends: limit,
// spring and a motor's position see the angle that is wound up. It begins in (-pi, pi], or in the
// turn nearest to that which lies in the range. A range that is narrower by less than what a limit
// may be passed by counts as a turn wide: else what passes one end would be within the other.
// Test: tests/joints/test_twist.c, tests/joints/test_angle_limits.c
#ifndef TNI_JOINTS_PARTS_TWIST_H
#define TNI_JOINTS_PARTS_TWIST_H

#include "joints/parts/axis.h"
#include "joints/parts/scalar.h"

// rad: the gap between the ends of a range that turns are not counted for.
#define TWIST_LEAST_GAP 0.02

// A full turn wide, or more?
static inline bool tni_twist_is_wide(const tn_limit *limit) {
    return (double)limit->upper - (double)limit->lower >= 2.0 * MATHS_PI - TWIST_LEAST_GAP;
}

// The limit if turns are counted for it, else null.
static inline const tn_limit *tni_twist_get_wound(const tn_limit *limit) {
    return limit->is_enabled && tni_twist_is_wide(limit) ? limit : NULL;
}

// The angle that a joint counts as its first or second one, wound up where its limit asks for that.
static inline double tni_twist_wind(const tni_joint *joint, const tn_limit *limit, uint32_t index,
                                    double angle) {
    return tni_twist_get_wound(limit) == NULL
               ? angle
               : tni_turns_get_angle(&joint->memory.turns[index], angle);
}

// The same of its scalar, which then has no period.
static inline tni_scalar tni_twist_wind_scalar(const tni_joint *joint, const tn_limit *limit,
                                               uint32_t index, tni_scalar scalar) {
    scalar.value = tni_twist_wind(joint, limit, index, scalar.value);
    scalar.period = tni_twist_get_wound(limit) == NULL ? scalar.period : 0.0;
    return scalar;
}

// The whole turns that a wound angle begins with.
int64_t tni_twist_get_first_turn(const tn_limit *wound, double rest);

// Of a joint whose turn about x has this limit.
tni_scalar tni_twist_make_scalar(const tni_joint *joint, const tn_limit *limit,
                                 const tni_axes *frame_a, const tni_axes *frame_b);
tni_joint_value tni_twist_measure_value(const tni_joint *joint, const tn_limit *limit,
                                        const tni_body_motion *a, const tni_body_motion *b);
// What it counts: see tni_joint_kind.
bool tni_twist_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, tni_joint_value turning[2]);

#endif
