// bench/machine_watch.h: what may not happen to a machine: it gains energy, opens, gets lost.
#ifndef BENCH_MACHINE_WATCH_H
#define BENCH_MACHINE_WATCH_H

#include "bench/machine_world.h"

typedef struct machine_result {
    double scale;        // J: the largest kinetic energy, or the range of the potential one
    double gain;         // of the scale: the largest rise of the energy, less the motors' work
    double gain_time;    // s: of the top of that rise
    double ledger;       // of the scale: how far works and change of kinetic energy are apart
    double opening;      // m: the largest error of a joint that lasted
    double bend;         // rad: likewise
    uint32_t open_steps; // the most in a row with an error of more than MACHINE_OPEN
    bool is_lost;
    double slow;         // the most iterations of a step, by the median
    uint32_t iterations; // the most iterations of a step
    uint32_t failures;   // of the direct solver, over the whole run
    uint32_t reasons;    // bits: every tn_mechanism_reason that a mechanism of it was swept for
} machine_result;

// m: joints that are this far open for more than MACHINE_OPEN_STEPS steps in a row do not hold.
#define MACHINE_OPEN       1e-3
#define MACHINE_OPEN_STEPS 10
// Of the scale: energy out of nothing.
#define MACHINE_GAIN 5e-3
// m: a body this far from where it started is lost.
#define MACHINE_FAR 1e3
// A step may need so many times the median of iterations.
#define MACHINE_SLOW 20.0

// Steps at 60 Hz with 4 substeps. With `is_verbose` each step is printed.
machine_result machine_watch(const machine *made, double seconds, bool is_verbose);

#endif
