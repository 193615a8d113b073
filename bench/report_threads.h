// bench/report_threads.h: the part of the page that is about threads.
#ifndef BENCH_REPORT_THREADS_H
#define BENCH_REPORT_THREADS_H

#include "bench/report.h"

// Nothing where no workers were asked for.
void report_write_threads(const bench_report *report, FILE *file);

#endif
