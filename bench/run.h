// bench/run.h: runs one case on one engine: time per step, and quality from poses.
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench/engine.h"
#include "bench/measure.h"
#include "bench/tenon_engine.h"

// Mean wall time of tenon's stages in a timed step, ms.
typedef struct bench_stages {
    double pairs, manifolds, islands, solve, finish;
} bench_stages;

typedef struct bench_result {
    bool has_run; // false: the engine cannot hold the scene, or was not asked
    uint32_t steps;
    double mean_ms, median_ms, p95_ms, p99_ms;
    double highest_median_ms; // of the repeats: how far it is above median_ms is the run's noise
    double instructions;      // mean of a timed step; < 0: the machine does not tell
    bench_quality quality;
    tenon_report report;       // of tenon only
    uint64_t step_allocations; // of tenon only: in the steps that were timed
    bench_stages stages;       // of tenon only
} bench_result;

// Is the engine meant to run this case? Dense solvers are for small ones, series for tenon alone.
bool run_is_for(const bench_case *item, const bench_engine *engine);
// Runs the case for `steps` steps; the first few are not timed. With `has_quality` every step is
// measured too. Repeats are merged: the lowest times and the quality that was measured stay.
void run_case(const bench_case *item, const bench_engine *engine, const bench_model *model,
              uint32_t steps, bool has_quality, bench_result *result);

#endif
