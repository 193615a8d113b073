// bench/lowest.h: the times of steps that are made more than once.
//
// A run is the same each time it is made: step i does the same work to the last bit. What it takes
// longer one time than another is the machine's: another program on the processor, a clock that
// goes down. So of each step the lowest time counts, and mean and percentiles are those of these
// times: slow steps stay slow, disturbed ones do not. Source: J. Chen, J. Revels, "Robust
// benchmarking in noisy environments", IEEE HPEC 2016 (the minimum as the estimator).
// Test: tests/bench/test_lowest.c
#ifndef BENCH_LOWEST_H
#define BENCH_LOWEST_H

#include <stdbool.h>
#include <stdint.h>

// By step; null before the first run.
typedef struct lowest_times {
    double *times; // ms, owned
    uint32_t count;
} lowest_times;

typedef struct lowest_summary {
    double mean, median, p95, p99;
} lowest_summary;

// Takes the times of a run in. False when memory cannot be had: nothing is taken then. A run of
// another length is taken as far as both go.
bool lowest_add(lowest_times *lowest, const double *times, uint32_t count);
// Of `count` times, at least one, in any order; 0 when memory for sorting them cannot be had.
lowest_summary lowest_summarize(const double *times, uint32_t count);
void lowest_clear(lowest_times *lowest);

#endif
