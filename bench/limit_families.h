// bench/limit_families.h: the families of tenon_limits, by the file that runs them.
#ifndef BENCH_LIMIT_FAMILIES_H
#define BENCH_LIMIT_FAMILIES_H

#include "bench/quality.h"

// limit_ranges.c: the ranges of sizes, masses, steps and places, and what happens beyond them.
void limit_ranges_run_sizes(quality *report);
void limit_ranges_run_lengths(quality *report);
void limit_ranges_run_masses(quality *report);
void limit_ranges_run_steps(quality *report);
void limit_ranges_run_places(quality *report);
void limit_ranges_run_beyond(quality *report);
// limit_counts.c: how many there may be.
void limit_counts_run_bodies(quality *report);
void limit_counts_run_joints(quality *report);
void limit_counts_run_shapes(quality *report);

#endif
