// joints/parts/twist.h: the turn of frame b about the x axes, as a joint's value.
//
// A pose tells it modulo 2 pi. That is enough for a range narrower than a turn; for a wider one the
// joint counts whole turns (turns.h), and the value goes on where a turn ends: limit, spring and a
// motor's position see the angle that is wound up. It begins in (-pi, pi], or in the turn nearest
// to that which lies in the range. Test: tests/joints/test_twist.c
#ifndef TNI_JOINTS_PARTS_TWIST_H
#define TNI_JOINTS_PARTS_TWIST_H

#include "joints/parts/axis.h"
#include "joints/parts/scalar.h"

// A full turn wide, or more?
static inline bool tni_twist_is_wide(const tn_limit *limit) {
    return (double)limit->upper - (double)limit->lower >= 2.0 * MATHS_PI;
}

// The limit if turns are counted for it, else null.
static inline const tn_limit *tni_twist_get_wound(const tn_limit *limit) {
    return limit->enabled && tni_twist_is_wide(limit) ? limit : NULL;
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
