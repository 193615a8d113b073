// bench/floor.h: the least that the sweeps of a step can take: operations, bytes, and how many of
// each this processor does in a second.
//
// A visit of a contact of p points costs, counted in solver/contacts/contact_sweep_wide.c,
//     257 + 30 p floating-point operations
// (relative motion, p speeds against the p x p matrix, friction on its 2 x 2 mass, twisting, both
// through the inverse inertias), and a row of a joint a third of what the block of a ball joint
// does:
//     J v 27, K^-1 15, impulse 6, W J^T x 54: 102 / 3 = 34
// It reads and writes the block once and its two bodies once:
//     a contact  294 + 2 (64 + 24) = 470 bytes,  a row of a joint  (92 + 2 (24 + 24)) / 3 = 63
// A step does that sweeps times in every substep. All of it comes from where it lies once, and then
// at best from a cache of the core's own: a part of the world can go through all substeps while it
// is there. What else a substep does, rows at a new pose and poses themselves, is not in it, nor is
// that joints of one machine wait for each other.
#ifndef BENCH_FLOOR_H
#define BENCH_FLOOR_H

#include <tenon/machines.h>

// Data of 16 KB, 256 KB, 4 MB and 64 MB: what a core's own caches hold, a shared one, memory.
#define FLOOR_SIZES 4

typedef struct floor_rates {
    double flops;              // per s, of one core
    double bytes[FLOOR_SIZES]; // per s, read and written, by the size of the data
} floor_rates;

typedef struct floor_cost {
    uint32_t contact_rows, joint_rows;
    double flops, bytes; // of a step
    double seconds;      // the longer of the two
} floor_cost;

// Takes a second.
floor_rates floor_measure_rates(void);
// Of the world's next step, from what the last one found; by Gauss-Seidel, as a world sweeps that
// asks for nothing else.
floor_cost floor_get_cost(const tn_telemetry *last, const floor_rates *rates);

#endif
