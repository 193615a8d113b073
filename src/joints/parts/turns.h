// joints/parts/turns.h: counts whole turns of an angle from substep to substep.
//
// A pose gives an angle modulo 2 pi. To count turns, a joint remembers the angle at the last pose
// that it noted, as whole turns and a rest in (-pi, pi], and how far the angle goes, at its speed
// then, until the poses that it is asked about next. At such a pose it takes the angle nearest to
// that prediction, so that a wheel may make any number of turns in a substep, as long as its speed
// changes by less than half a turn in it. Turns are whole numbers: nothing is lost however many
// there are.
// Test: tests/joints/test_turns.c
#ifndef TNI_JOINTS_PARTS_TURNS_H
#define TNI_JOINTS_PARTS_TURNS_H

#include "core/maths.h"

typedef struct tni_turns {
    int64_t count; // whole turns
    double rest;   // rad, in (-pi, pi]
    double ahead;  // rad: from the remembered angle to the one that is predicted
} tni_turns;

// Beyond this turns are no longer counted: 2^53 of them would take 28,000 years at 10,000 rpm.
#define TNI_TURNS_MOST 9007199254740992.0

// Returns the whole turns of an angle whose rest is `rest`.
static inline int64_t tni_turns_count(const tni_turns *turns, double rest) {
    double apart = floor((turns->rest + turns->ahead - rest) / (2.0 * MATHS_PI) + 0.5);
    bool is_sound = fabs(apart + (double)turns->count) < TNI_TURNS_MOST; // false for a NaN
    return turns->count + (is_sound ? (int64_t)apart : 0);
}

// Returns the angle with all its turns, rad.
static inline double tni_turns_get_angle(const tni_turns *turns, double rest) {
    return rest + 2.0 * MATHS_PI * (double)tni_turns_count(turns, rest);
}

// Remembers this pose, and predicts no further motion.
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
