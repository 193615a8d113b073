// bench/snapshots.h: what it costs to keep a world's last frames, and to go back to them.
#ifndef BENCH_SNAPSHOTS_H
#define BENCH_SNAPSHOTS_H

#include <stdbool.h>

// Prints a table. False where memory fails.
bool snapshots_run(void);

#endif
