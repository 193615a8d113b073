// bench/stack_watch.h: follows a world of bodies that ought to stay where they are.
#ifndef BENCH_STACK_WATCH_H
#define BENCH_STACK_WATCH_H

#include "bench/quality.h"
#include "bench/quality_world.h"

// How a run is made. The options --seconds, --hz and --substeps go first.
typedef struct stack_plan {
    double seconds, hz;
    uint32_t substeps;
    double fallen;    // m: a body that is this far from its start has fallen
    bool ends_asleep; // ends as soon as all sleep
} stack_plan;

// The outcome of a run. Gravity points to -y.
typedef struct stack_result {
    double sink;    // m: the most that a body's center is lower at the end
    double drift;   // m: the farthest that one is beside its start at the end
    double kinetic; // J at the end
    double largest; // J: the largest kinetic energy
    double rise;    // J: the most that the energy rose after a low
    double gain;    // J: the most that it was above that of the start
    double asleep;  // s: when all slept; negative: not in this time
    bool stands;
} stack_result;

// 60 Hz x 4 for a time, and fallen at half the size.
stack_plan stack_plan_of(double seconds, double size);
stack_result stack_follow(const quality *report, tn_world *world, stack_plan plan);
// "sink 0.41 mm, drift 0.02 mm, 3e-11 J, asleep at 0.6 s" or "... FALLS"; static text.
const char *stack_describe(const stack_result *result);

// A column of cubes on a plane, of 1000 kg/m^3 and friction 0.6; the topmost `ratio` times as
// dense.
tn_world *stack_tower_create(int height, double size, double gravity, double ratio);

#endif
