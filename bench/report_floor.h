// bench/report_floor.h: the part of the page that compares a step with the least its sweeps take.
#ifndef BENCH_REPORT_FLOOR_H
#define BENCH_REPORT_FLOOR_H

#include "bench/report.h"

void report_write_floor(const bench_report *report, FILE *file);

#endif
