// collision/path/path_hold.h: whether the planes of a pair hold on its way, by a few sums.
#ifndef TNI_COLLISION_PATH_PATH_HOLD_H
#define TNI_COLLISION_PATH_PATH_HOLD_H

#include "collision/manifold/manifold.h"

// The sums need these data of a pair. See collision/path/path.h for a pair that is followed.
typedef struct tni_path_sums {
    const tni_manifold *manifold;     // at the start
    tni_dvec3 velocity_a, velocity_b; // of the centres of mass, m/s
    tni_dvec3 spin_a, spin_b;         // rad/s
    tni_dvec3 from_a, from_b;         // from the centres of mass to the manifold's origin, m
    double dt, tolerance, slack, reach_speed; // of tni_path
    bool has_axes;                            // both are boxes or hulls
    bool is_confirmed;                        // the axis was found to carry before
} tni_path_sums;

// rad: shapes that turn farther than the first within dt may come nearer with other points than
// those that they have. Beyond the second, first order does not say where their planes are.
#define TNI_PATH_TURN     0.2
#define TNI_PATH_FAR_TURN 0.5

// Do planes hold by the least gap and n.(v_a - v_b) alone? They do for most pairs, which do not
// close within dt, overlap, or lie on an axis that is confirmed, which they do not cross. `way` is
// how far they close at most.
static inline bool tni_path_keeps(double gap, double way, double slack, double tolerance,
                                  bool is_confirmed) {
    return gap > way + slack || gap <= -tolerance || (is_confirmed && gap - way > -tolerance);
}

// Returns e of path.c, m: the least gap that points have at the end of dt, straight on, HUGE_VAL
// without any. It uses only the members `manifold` to `dt`.
double tni_path_get_end(const tni_path_sums *sums);
// Returns true when the planes of the manifold hold for dt, so that the pair need not be followed.
// Notes whether that confirms their axis.
bool tni_path_stays(const tni_path_sums *sums, bool *out_is_confirmed);

#endif
