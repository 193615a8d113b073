// joints/parts/turns.h: whole turns of an angle, kept from substep to substep.
//
// A pose tells an angle modulo 2 pi. Whoever needs more remembers: the angle at the last pose that
// was taken note of, in whole turns and a rest in (-pi, pi], and how far it goes until the poses
// that are asked about next, as its speed then foretells. Of all turns at such a pose the one
// nearest to that is taken, so that a wheel may make any number of turns in a substep, as long as
// its speed changes by less than half a turn in it. Turns are whole numbers: nothing is lost
// however many there are. Test: tests/joints/test_turns.c
#ifndef TNI_JOINTS_PARTS_TURNS_H
#define TNI_JOINTS_PARTS_TURNS_H

#include "core/maths.h"

typedef struct tni_turns {
    int64_t count; // whole turns
    double rest;   // rad, in (-pi, pi]
    double ahead;  // rad: of what is asked about from what is remembered
} tni_turns;

// Turns beyond which they are no longer counted: 2^53 of them would be 28,000 years at 10,000 rpm.
#define TNI_TURNS_MOST 9007199254740992.0

// The whole turns of an angle whose rest is `rest`.
static inline int64_t tni_turns_count(const tni_turns *turns, double rest) {
    double apart = floor((turns->rest + turns->ahead - rest) / (2.0 * MATHS_PI) + 0.5);
    bool is_sound = fabs(apart + (double)turns->count) < TNI_TURNS_MOST; // not so of a NaN
    return turns->count + (is_sound ? (int64_t)apart : 0);
}

// rad, with all its turns.
static inline double tni_turns_get_angle(const tni_turns *turns, double rest) {
    return rest + 2.0 * MATHS_PI * (double)tni_turns_count(turns, rest);
}

// Remembers that pose, and expects what is asked about to be there.
static inline void tni_turns_take(tni_turns *turns, double rest) {
    turns->count = tni_turns_count(turns, rest);
    turns->rest = rest;
    turns->ahead = 0.0;
}

// Begins to count.
static inline void tni_turns_start(tni_turns *turns, double rest) {
    turns->count = 0;
    turns->rest = rest;
    turns->ahead = 0.0;
}

#endif
