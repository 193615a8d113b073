// bench/chart.h: a picture of a run: the time of each case on each engine.
#ifndef BENCH_CHART_H
#define BENCH_CHART_H

#include "bench/report.h"

// An SVG file. False when it cannot be written.
bool chart_save(const bench_report *report, const char *path);

#endif
