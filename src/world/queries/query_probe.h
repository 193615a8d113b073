// world/queries/query_probe.h: a convex shape that asks, once its numbers have been checked.
#ifndef TNI_WORLD_QUERIES_QUERY_PROBE_H
#define TNI_WORLD_QUERIES_QUERY_PROBE_H

#include "world/queries/query_internal.h"

typedef struct tni_probe {
    const tn_world *world;
    const tn_probe *given;
    tni_query_filter filter;
    tni_geometry geometry;
    tni_placed placed;
    tni_bounds bounds; // where it is
    tni_dvec3 translation;
} tni_probe;

// Begins a query with probes, whose results go to `out`. Returns false after a report.
bool tni_probe_begin(const tn_world *world, const tn_probe *probes, uint32_t count, const void *out,
                     const char *function);
// Reads a probe that passed the check. It may not be copied.
void tni_probe_read(const tn_world *world, const tn_probe *given, tni_probe *out_probe);
// Returns whether a gap between a piece of a shape and the probe is one. Where they stand so far
// out that floats do not say where they touch, it has no numbers, and the piece is not found.
bool tni_probe_is_gap(const tni_placed_gap *gap);
// Fills in a hit of a shape.
tn_probe_hit tni_probe_describe(const tn_world *world, uint32_t shape, const tni_placed_gap *gap,
                                double fraction);
// Compares two hits by fraction, by distance or not at all; then by the index of the shape.
int tni_probe_compare_fractions(const void *a, const void *b);
int tni_probe_compare_distances(const void *a, const void *b);
int tni_probe_compare_shapes(const void *a, const void *b);

// One query of a batch: finds hits of a probe, and returns how many.
typedef uint32_t tni_probe_fn(const tn_world *world, const tn_probe *probe, tn_probe_hit *hits,
                              uint32_t capacity);
// Runs one query. Returns what it found.
uint32_t tni_probe_run(const tn_world *world, const tn_probe *probe, tni_probe_fn *run,
                       tn_probe_hit *hits, uint32_t capacity, const char *function);
// Runs a query for each probe. `counts` may be null. Returns how many probes found something.
uint32_t tni_probe_run_batch(const tn_world *world, const tn_probe *probes, uint32_t count,
                             tni_probe_fn *run, tn_probe_hit *hits, uint32_t capacity,
                             uint32_t *counts, const char *function);

#endif
