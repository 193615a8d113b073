// bench/lengths.h: what the direct solver takes by the length of a chain and of a loop, and
// by the number of joints on a body.
#ifndef BENCH_LENGTHS_H
#define BENCH_LENGTHS_H

#include <stdbool.h>

// Prints a table, and draws it into the file unless it is null. False where memory or the file
// fails.
bool lengths_run(const char *plot_path);

#endif
