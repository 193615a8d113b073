// bench/threads.h: what more threads would make of a step, from loops measured on one.
//
// A step is what only one thread does, and loops that threads share. Through the world's hooks for
// tasks one thread runs every loop at once and takes its time, turns and least piece. Then n
// threads need about
//
//     T(n) = T - sum t + sum over loops ( t ceil(p / n) / p + (n + 1) c )
//
// with t the time of a loop, p the pieces it can be cut into, at most sixteen for each thread, and
// c the time in which one thread sees what another has written, for at the end of a loop each of n
// counts itself done, one after the other, and then all see it. c is measured with two threads.
// Memory that is too slow for all of them at once is not in it, nor processors of unlike speed.
#ifndef BENCH_THREADS_H
#define BENCH_THREADS_H

#include "bench/cases.h"

#include <stddef.h>
#include <stdint.h>

#define THREADS_COUNTS 5

typedef struct bench_threads {
    bool has_run;
    // Medians over the timed steps.
    double step_ms;   // processor time on one thread
    double serial_ms; // of it, outside of loops
    double loops;     // how many
    double predicted_ms[THREADS_COUNTS];
} bench_threads;

// 2, 4, 8, 16, 32
extern const uint32_t threads_counts[THREADS_COUNTS];

// s: c of the above. 0 where there are no threads.
double threads_measure_hand_over(void);
// Steps the case and fills *out, where there is memory for it.
void threads_measure(const bench_case *item, uint32_t steps, double hand_over, bench_threads *out);

#endif
