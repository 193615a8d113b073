// bench/report_bars.h: the part of the page that holds what tenon set out to reach against this
// run.
#ifndef BENCH_REPORT_BARS_H
#define BENCH_REPORT_BARS_H

#include "bench/report.h"

// Bars whose figures are not in the run are left out; nothing where that is all of them.
void report_write_bars(const bench_report *report, FILE *file);

#endif
