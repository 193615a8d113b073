// bench/overlap.h: the deepest overlap between boxes, and of boxes and balls with half-spaces; and
// how many of them sensors that are boxes overlap.
#ifndef BENCH_OVERLAP_H
#define BENCH_OVERLAP_H

#include "bench/model.h"

typedef struct overlap_finder overlap_finder;

// Null without memory. The model must outlive the finder.
overlap_finder *overlap_finder_create(const bench_model *model);
void overlap_finder_destroy(overlap_finder *finder);
// m, >= 0. Shapes of one body, and of two static ones, are left out, as are sensors.
double overlap_finder_find_deepest(overlap_finder *finder, const model_state *states);
// How many pairs there are of a sensor and a box or ball that it overlaps, which is no sensor.
uint32_t overlap_finder_count_noticed(overlap_finder *finder, const model_state *states);

#endif
