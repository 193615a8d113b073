// world/queries/query_overlap.c: what a convex shape overlaps where it is, and what is near it.
//
// Test: tests/world/queries/test_query_probes.c
#include "world/queries/query_probe.h"

// m: no world reaches farther.
#define OVERLAP_FARTHEST 1e12

typedef struct probe_search {
    tni_probe probe;
    tni_query_list list;
    // The nearest piece of the shape that is visited.
    tni_placed_gap gap;
    bool is_measured;
} probe_search;

// Keeps the gap of a piece, if it is the smallest so far.
static void overlap_take(probe_search *search, const tni_placed_gap *gap) {
    bool is_nearer = !search->is_measured || gap->separation < search->gap.separation;
    if (is_nearer && tni_probe_is_gap(gap)) {
        search->gap = *gap;
        search->is_measured = true;
    }
}

static void overlap_measure_piece(const tni_query_piece *piece, void *context) {
    probe_search *search = context;
    tni_placed placed;
    tni_placed_gap gap;
    tni_query_place_piece(piece, &placed);
    tni_placed_measure(&placed, &search->probe.placed, &gap);
    overlap_take(search, &gap);
}

static void overlap_measure_overlap(const tni_query_piece *piece, void *context) {
    probe_search *search = context;
    tni_placed placed;
    tni_placed_gap gap;
    tni_query_place_piece(piece, &placed);
    if (tni_placed_measure_overlap(&placed, &search->probe.placed, &gap)) {
        overlap_take(search, &gap);
    }
}

static void overlap_touch_piece(const tni_query_piece *piece, void *context) {
    probe_search *search = context;
    tni_placed placed;
    if (!search->is_measured) {
        tni_query_place_piece(piece, &placed);
        search->is_measured = tni_placed_overlap(&placed, &search->probe.placed);
    }
}

static tni_bounds overlap_grow(const tni_bounds *bounds, double distance) {
    double most = maths_min_d(distance, OVERLAP_FARTHEST);
    tni_dvec3 way = dvec3_make(most, most, most);
    return tni_bounds_round(dvec3_sub(dvec3_from_float(bounds->lower), way),
                            dvec3_add(dvec3_from_float(bounds->upper), way));
}

// Adds the shape if it is within the distance, by a measure of its pieces, and passes the filter.
static void overlap_add(probe_search *search, uint32_t index, double distance,
                        tni_query_piece_fn *measure) {
    const tn_world *world = search->probe.world;
    const tni_shape *shape = tni_shape_at(world, index);
    if (!tni_query_passes(world, &search->probe.filter, shape)) {
        return;
    }
    search->gap = (tni_placed_gap){0};
    search->is_measured = false;
    tni_bounds near = overlap_grow(&search->probe.bounds, distance);
    tni_query_visit_pieces(world, index, &near, measure, search);
    if (search->is_measured && search->gap.separation <= distance &&
        tni_query_accepts(world, &search->probe.filter, shape)) {
        tn_probe_hit hit = tni_probe_describe(world, index, &search->gap, 0.0);
        tni_query_list_add(&search->list, &hit);
    }
}

static void overlap_begin(const tn_world *world, const tn_probe *given, tn_probe_hit *hits,
                          uint32_t capacity, tni_query_compare_fn *compare, probe_search *search) {
    tni_probe_read(world, given, &search->probe);
    search->list = (tni_query_list){.items = (char *)hits, .size = sizeof *hits};
    search->list.capacity = hits != NULL ? capacity : 0;
    search->list.compare = compare;
}

// ---- overlaps ---------------------------------------------------------------------------------

static void overlap_visit(uint32_t index, void *context) {
    probe_search *search = context;
    bool has_depth = search->probe.given->has_depth;
    overlap_add(search, index, 0.0, has_depth ? overlap_measure_overlap : overlap_touch_piece);
}

static uint32_t overlap_find(const tn_world *world, const tn_probe *given, tn_probe_hit *hits,
                             uint32_t capacity) {
    probe_search search;
    overlap_begin(world, given, hits, capacity, tni_probe_compare_shapes, &search);
    tni_query_visit_shapes(world, &search.probe.filter, &search.probe.bounds, overlap_visit,
                           &search);
    return tni_query_list_sort(&search.list);
}

uint32_t tn_world_overlap_probe(const tn_world *world, const tn_probe *probe,
                                tn_probe_hit *out_hits, uint32_t capacity) {
    return tni_probe_run(world, probe, overlap_find, out_hits, capacity, __func__);
}

uint32_t tn_world_overlap_probes(const tn_world *world, const tn_probe *probes, uint32_t count,
                                 tn_probe_hit *out_hits, uint32_t capacity, uint32_t *out_counts) {
    if (world && out_counts == NULL && count > 0) {
        tni_probe_begin(world, probes, count, NULL, __func__);
        return 0;
    }
    return tni_probe_run_batch(world, probes, count, overlap_find, out_hits, capacity, out_counts,
                               __func__);
}

// ---- what is near -----------------------------------------------------------------------------

// Once the list is full, only what is nearer than its last hit counts.
static double overlap_visit_near(uint32_t index, double limit, void *context) {
    probe_search *search = context;
    overlap_add(search, index, limit, overlap_measure_piece);
    const tn_probe_hit *last = tni_query_list_get_last(&search->list);
    return last == NULL ? limit : maths_min_d(limit, maths_max_d(last->distance, 0.0));
}

static uint32_t overlap_find_nearest(const tn_world *world, const tn_probe *given,
                                     tn_probe_hit *hits, uint32_t capacity) {
    probe_search search;
    overlap_begin(world, given, hits, capacity, tni_probe_compare_distances, &search);
    if (search.list.capacity > 0) {
        tni_query_visit_near(world, &search.probe.filter, &search.probe.bounds, given->max_distance,
                             overlap_visit_near, &search);
    }
    uint32_t count = tni_query_list_sort(&search.list);
    return count < search.list.capacity ? count : search.list.capacity;
}

uint32_t tn_world_find_nearest(const tn_world *world, const tn_probe *probe, tn_probe_hit *out_hits,
                               uint32_t capacity) {
    return tni_probe_run(world, probe, overlap_find_nearest, out_hits, capacity, __func__);
}

uint32_t tn_world_find_all_nearest(const tn_world *world, const tn_probe *probes, uint32_t count,
                                   tn_probe_hit *out_hits, uint32_t capacity,
                                   uint32_t *out_counts) {
    if (world && out_counts == NULL && count > 0) {
        tni_probe_begin(world, probes, count, NULL, __func__);
        return 0;
    }
    return tni_probe_run_batch(world, probes, count, overlap_find_nearest, out_hits, capacity,
                               out_counts, __func__);
}
