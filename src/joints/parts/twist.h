// joints/parts/twist.h: the turn of frame b about the x axes as a joint's value, and angles that
// are wound.
//
// A pose gives an angle modulo 2 pi. That is enough for a range narrower than a turn. For a wider
// one the joint counts whole turns (turns.h), and the value goes on beyond a turn: limit, spring
// and a motor's position act on this wound angle. It begins in (-pi, pi], or in the turn nearest to
// that within the range. A range that falls short of a turn by less than a limit may be violated
// counts as a turn wide: otherwise an angle past one end would be within the other.
// Test: tests/joints/test_twist.c, tests/joints/test_angle_limits.c
#ifndef TNI_JOINTS_PARTS_TWIST_H
#define TNI_JOINTS_PARTS_TWIST_H

#include "joints/parts/axis.h"
#include "joints/parts/scalar.h"

// rad: the gap between the ends above which turns are not counted.
#define TWIST_LEAST_GAP 0.02

// Returns whether the limit is a full turn wide, or wider.
static inline bool tni_twist_is_wide(const tn_limit *limit) {
    return (double)limit->upper - (double)limit->lower >= 2.0 * MATHS_PI - TWIST_LEAST_GAP;
}

// Returns the limit if turns are counted for it, else null.
static inline const tn_limit *tni_twist_get_wound(const tn_limit *limit) {
    return limit->is_enabled && tni_twist_is_wide(limit) ? limit : NULL;
}

// Returns the angle that a joint counts as its first or second one, wound if its limit asks for
// that.
static inline double tni_twist_wind(const tni_joint *joint, const tn_limit *limit, uint32_t index,
                                    double angle) {
    return tni_twist_get_wound(limit) == NULL
               ? angle
               : tni_turns_get_angle(&joint->memory.turns[index], angle);
}

// Does the same for its scalar, which then has no period.
static inline tni_scalar tni_twist_wind_scalar(const tni_joint *joint, const tn_limit *limit,
                                               uint32_t index, tni_scalar scalar) {
    scalar.value = tni_twist_wind(joint, limit, index, scalar.value);
    scalar.period = tni_twist_get_wound(limit) == NULL ? scalar.period : 0.0;
    return scalar;
}

// Returns the whole turns that a wound angle begins with.
int64_t tni_twist_get_first_turn(const tn_limit *wound, double rest);

// Make and measure the value of a joint whose turn about x has this limit.
tni_scalar tni_twist_make_scalar(const tni_joint *joint, const tn_limit *limit,
                                 const tni_axes *frame_a, const tni_axes *frame_b);
tni_joint_value tni_twist_measure_value(const tni_joint *joint, const tn_limit *limit,
                                        const tni_body_motion *a, const tni_body_motion *b);
// Measures the angle that the joint counts: see tni_joint_counter.
bool tni_twist_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, tni_joint_value turning[2]);

#endif
