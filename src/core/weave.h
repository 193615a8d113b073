// core/weave.h: strands side by side, tied to their neighbors by knots, on several threads.
//
// Work that is cut into strips goes by turns: all strips, then what lies between strips, then all
// strips again. In a chain of loops (core/tasks.h) every worker waits for all others at the end of
// each; but strip i asks only for what lies on its two sides, and that only for its two strips. So
// here a turn begins as soon as those are done that it asks for:
//     strand i in round r     knots i - 1 and i of round r - 1
//     knot i in round r       strands i and i + 1 of round r - 1
// Rounds are of strands and of knots by turns. Each worker has some strands that lie together, as
// much as the others by what they cost, with the knots behind them, so that what it works on stays
// in its cache; of two workers the one with less has the knot between them. Of its own it takes
// first those that a neighbor waits for. Others it takes only where their worker has not come, or
// after a long while: all that they touch goes to and fro then.
// What a turn reads and writes must be its own strand's, or its two strands': then it finds the
// same however many work. Test: tests/threads/test_weave.c
#ifndef TNI_CORE_WEAVE_H
#define TNI_CORE_WEAVE_H

#include "core/tasks.h"

#define TNI_WEAVE_MOST_STRANDS 16u

// `is_shared`: another worker has a neighbor, and may have written last what the turn reads.
typedef void tni_weave_fn(uint32_t round, uint32_t turn, bool is_shared, void *context);

typedef struct tni_weave {
    uint32_t strand_count; // up to TNI_WEAVE_MOST_STRANDS
    uint32_t round_count;
    bool begins_with_knots; // then rounds 0, 2, ... are of knots
    tni_weave_fn *task;     // strand or knot `turn` in a round
    void *context;
    const uint32_t *costs; // by strand, of about as much in each round; null: all alike
} tni_weave;

static inline bool weave_is_of_knots(const tni_weave *weave, uint32_t round) {
    return (round % 2 == 0) == weave->begins_with_knots;
}

// Comes back when all turns are done. Without threads, or with the application's, the rounds are
// loops one after the other.
void tni_weave_run(const tni_tasks *tasks, const tni_weave *weave);

#endif
