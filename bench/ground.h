// bench/ground.h: how far bodies are in the ground, and how many have fallen through it: below
// static half-spaces, meshes and height fields whose triangles look up.
#ifndef BENCH_GROUND_H
#define BENCH_GROUND_H

#include "bench/model.h"

typedef struct ground_finder ground_finder;

// Null without memory. The model must outlive the finder.
ground_finder *ground_finder_create(const bench_model *model);
void ground_finder_destroy(ground_finder *finder);
// m, >= 0: how deep a corner of a box or hull, or an end of a ball or capsule, is below the plane
// of the triangle at its place.
double ground_finder_find_deepest(const ground_finder *finder, const model_state *states);
// How many dynamic bodies have their centre of mass below the ground.
uint32_t ground_finder_count_lost(const ground_finder *finder, const model_state *states);

#endif
