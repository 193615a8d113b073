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

// How the swing is held, by half angles: an angle of zero locks its axis.
typedef struct tni_swing_limit {
    double half_y, half_z;
} tni_swing_limit;

static inline bool tni_swing_is_locked(double half_angle) {
    return !(half_angle > 0.0);
}

// Locked axes are equality rows, at most two; what is left is bounded.
static inline uint32_t tni_swing_count_locks(const tni_swing_limit *limit) {
    return (tni_swing_is_locked(limit->half_y) ? 1 : 0) +
           (tni_swing_is_locked(limit->half_z) ? 1 : 0);
}

// None where both are locked; else the cone, or what is left of it.
static inline uint32_t tni_swing_count_bounded(const tni_swing_limit *limit) {
    return tni_swing_count_locks(limit) < 2 ? 1 : 0;
}

void tni_swing_emit_bounded(const tni_swing_vector *swing, const tni_swing_limit *limit,
                            tni_row *row);
// How far the swing is past what it may be, as a vector in world axes. A soft cone may be passed.
tni_dvec3 tni_swing_get_excess(const tni_axes *frame_a, const tni_swing_vector *swing,
                               const tni_swing_limit *limit, bool is_soft);

#endif
