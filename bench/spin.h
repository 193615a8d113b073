// bench/spin.h: how a thread of the benchmark waits for what another is about to write.
#ifndef BENCH_SPIN_H
#define BENCH_SPIN_H

#include <sched.h>
#include <stdint.h>

#define SPIN_LOOKS 4000 // before a thread lets others on its processor

// Between two looks, after so many: with one processor for both the other one must get it.
static inline void spin_look_again(uint32_t looks) {
    if (looks > SPIN_LOOKS) {
        sched_yield();
    }
}

#endif
