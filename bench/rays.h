// bench/rays.h: what a ray into a pile costs, in every engine that casts rays.
#ifndef BENCH_RAYS_H
#define BENCH_RAYS_H

#include <stdbool.h>
#include <stdint.h>

// Prints a table: tenon on one thread and on `workers`, then its peers. False where memory fails.
bool rays_run(uint32_t workers);

#endif
