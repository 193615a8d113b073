// joints/parts/swing.h: the swing of frame b in frame a as a vector, and an elliptic cone for it.
#ifndef TNI_JOINTS_PARTS_SWING_H
#define TNI_JOINTS_PARTS_SWING_H

#include "joints/parts/axis.h"
#include "joints/row.h"

// Angles about the y and z axes of frame a, rad, and the directions g for which g . (w_b - w_a) is
// their rate.
typedef struct tni_swing_vector {
    double y, z;
    tni_dvec3 of_y, of_z; // world axes
} tni_swing_vector;

tni_swing_vector tni_swing_measure(const tni_axes *frame_a, tni_dvec3 x_b);

// The range of the swing about one axis: lower <= 0 <= upper. A range without width locks the axis.
typedef struct tni_swing_range {
    double lower, upper;
} tni_swing_range;

typedef struct tni_swing_limit {
    tni_swing_range y, z;
} tni_swing_limit;

static inline bool tni_swing_is_locked(tni_swing_range range) {
    return !(range.upper > range.lower);
}

// Counts the locked axes: each is an equality row. The remaining swing is bounded.
static inline uint32_t tni_swing_count_locks(const tni_swing_limit *limit) {
    return (tni_swing_is_locked(limit->y) ? 1 : 0) + (tni_swing_is_locked(limit->z) ? 1 : 0);
}

// Returns 0 if both axes are locked, else 1: the cone, or what the lock leaves of it.
static inline uint32_t tni_swing_count_bounded(const tni_swing_limit *limit) {
    return tni_swing_count_locks(limit) < 2 ? 1 : 0;
}

// Writes that row. Returns the direction of turns that lead straight out, with the length of the
// rates, or zero.
tni_dvec3 tni_swing_emit_bounded(const tni_swing_vector *swing, const tni_swing_limit *limit,
                                 tni_row *row);
// Sets Jdot v of that row, rad/s^2, for bodies that turn at w_a and w_b; 0 where no substep takes
// the swing as far as the end.
void tni_swing_set_term(const tni_axes *frame_a, tni_dvec3 x_b, const tni_swing_limit *limit,
                        tni_dvec3 outward, tni_dvec3 w_a, tni_dvec3 w_b, tni_row *row);
// Returns how far the swing is past its bounds, as a vector in world axes. A soft cone may be
// passed.
tni_dvec3 tni_swing_get_excess(const tni_axes *frame_a, const tni_swing_vector *swing,
                               const tni_swing_limit *limit, bool is_soft);

#endif
