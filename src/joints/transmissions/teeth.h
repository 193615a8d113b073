// joints/transmissions/teeth.h: how far a wheel has turned since one of its teeth passed.
//
// Whole turns are counted in teeth, so that the remaining angle is exact however many turns there
// are:
//     way = s rest + p (s z n - k),   p = 2 pi / z
// where n is the whole turns and rest the remaining angle (parts/turns.h), s = 1 or -1 the
// direction, z the teeth per turn, and k the tooth.
// Test: tests/joints/transmissions/test_ratchet_joint.c
#ifndef TNI_JOINTS_TRANSMISSIONS_TEETH_H
#define TNI_JOINTS_TRANSMISSIONS_TEETH_H

#include <stdlib.h>

#include "joints/parts/turns.h"

// Up to this many turns the sum of teeth is exact.
#define TNI_TEETH_MOST_TURNS 4000000000000LL

typedef struct tni_teeth {
    int32_t count, direction; // z and s
} tni_teeth;

static inline double tni_teeth_get_pitch(tni_teeth teeth) {
    return 2.0 * MATHS_PI / teeth.count;
}

static inline double tni_teeth_get_way(tni_teeth teeth, const tni_turns *turns, double rest,
                                       int64_t tooth) {
    int64_t n = tni_turns_count(turns, rest), forward = (int64_t)teeth.direction * teeth.count;
    double whole = llabs(n) < TNI_TEETH_MOST_TURNS ? (double)(forward * n - tooth)
                                                   : (double)forward * (double)n - (double)tooth;
    return teeth.direction * rest + tni_teeth_get_pitch(teeth) * whole;
}

// Returns a tooth plus a number of teeth, as far as they can be counted.
static inline int64_t tni_teeth_add(int64_t tooth, double teeth) {
    bool is_sound = fabs(teeth + (double)tooth) < TNI_TURNS_MOST; // false for a NaN
    return tooth + (is_sound ? (int64_t)teeth : 0);
}

#endif
