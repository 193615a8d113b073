// joints/parts/teeth.h: how far a wheel has gone since one of its teeth passed.
//
// Whole turns are counted in teeth, so that what is left of them is exact however many they are:
//     way = s rest + p (s z n - k),   p = 2 pi / z
// n whole turns and their rest (parts/turns.h), s = 1 or -1 the direction, z teeth in a turn, k the
// tooth.
// Test: tests/joints/test_ratchet_joint.c
#ifndef TNI_JOINTS_PARTS_TEETH_H
#define TNI_JOINTS_PARTS_TEETH_H

#include <stdlib.h>

#include "joints/parts/turns.h"

// Turns that the sum of teeth is exact for.
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

// So many teeth further than a tooth, as far as they can be counted.
static inline int64_t tni_teeth_add(int64_t tooth, double teeth) {
    bool is_sound = fabs(teeth + (double)tooth) < TNI_TURNS_MOST; // not so of a NaN
    return tooth + (is_sound ? (int64_t)teeth : 0);
}

#endif
