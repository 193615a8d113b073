// bench/run.h: runs one case on one engine: time per step, and quality from poses.
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench/engine.h"
#include "bench/lowest.h"
#include "bench/measure.h"
#include "bench/tenon_engine.h"

// Mean wall time of tenon's stages in a timed step, ms.
typedef struct bench_stages {
    double pairs, manifolds, islands, solve, finish;
} bench_stages;

typedef struct bench_result {
    bool has_run; // false: the engine cannot hold the scene, or was not asked
    uint32_t steps;
    lowest_times times;                        // ms, of each step the lowest of the repeats
    double mean_ms, median_ms, p95_ms, p99_ms; // of these
    double highest_median_ms; // of the repeats: how far it is above median_ms is the run's noise
    double instructions;      // mean of a timed step; < 0: the machine does not tell
    bench_quality quality;
    tenon_report report;       // of tenon only
    uint64_t step_allocations; // of tenon only: in the steps that were timed
    bench_stages stages;       // of tenon only
} bench_result;

// Is the engine meant to run this case? Dense solvers are for small ones, series for tenon alone.
bool run_is_for(const bench_case *item, const bench_engine *engine);
// A run of `steps` steps; the first few are not timed. With `has_quality` every step is measured
// too. Null where the engine is not meant for the case or cannot hold it, or without memory.
typedef struct run_state run_state;
run_state *run_begin(const bench_case *item, const bench_engine *engine, const bench_model *model,
                     uint32_t steps, bool has_quality);
// Up to `count` steps more, as many as are begun within `seconds` but a few at least. How many.
uint32_t run_advance(run_state *run, uint32_t count, double seconds);
// Merges a run that has gone to its end with those before it (of each step the lowest time, and the
// quality that was measured, stay) and destroys it.
void run_end(run_state *run, bench_result *result);
// What a result has of memory.
void run_clear(bench_result *result);

#endif
