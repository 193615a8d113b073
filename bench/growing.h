// bench/growing.h: the longest step of a world that grows, beside those around it.
#ifndef BENCH_GROWING_H
#define BENCH_GROWING_H

#include <stdbool.h>

// Prints a table. False where memory fails.
bool growing_run(void);

#endif
