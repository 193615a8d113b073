// bench/compare.h: what has changed since a run that was saved as JSON.
#ifndef BENCH_COMPARE_H
#define BENCH_COMPARE_H

#include "bench/report.h"

// False with a line on the standard error when the file cannot be read or is no run of the
// benchmark.
bool compare_can_read(const char *path);

// Prints a line for each case and engine that both runs have. False with a line on the standard
// error when the file cannot be read or is no run of the benchmark.
bool compare_print(const bench_report *report, const char *path, FILE *file);

#endif
