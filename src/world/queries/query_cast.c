// world/queries/query_cast.c: moves a convex shape along a straight way, and finds what it touches.
//
// The box of the shape is swept through the trees first. Test:
// tests/world/queries/test_query_probes.c
#include "world/queries/query_probe.h"

typedef struct probe_cast {
    tni_probe probe;
    tni_ray ray;          // of the middle of its box
    tni_dvec3 reach;      // half the edges of that
    double limit;         // of the shape that is visited
    tn_probe_hit first;   // its shape is null: none so far
    tni_query_list *list; // or null: only the first counts
    // The first piece that is met of the shape that is visited.
    tni_placed_gap gap;
    double fraction;
    bool meets;
} probe_cast;

static void cast_meet_piece(const tni_query_piece *piece, void *context) {
    probe_cast *cast = context;
    tni_placed placed;
    tni_placed_gap gap;
    double fraction;
    tni_query_place_piece(piece, &placed);
    if (!tni_placed_cast(&placed, &cast->probe.placed, cast->probe.translation, cast->limit,
                         &fraction, &gap) ||
        !tni_probe_is_gap(&gap)) {
        return;
    }
    // It may begin inside two pieces: then the deeper one counts.
    bool is_first = !cast->meets || fraction < cast->fraction ||
                    (fraction == cast->fraction && gap.separation < cast->gap.separation);
    if (is_first) {
        cast->meets = true;
        cast->fraction = cast->limit = fraction;
        cast->gap = gap;
    }
}

static double cast_visit(uint32_t index, double limit, void *context) {
    probe_cast *cast = context;
    const tn_world *world = cast->probe.world;
    const tni_shape *shape = tni_shape_at(world, index);
    if (!tni_query_passes(world, &cast->probe.filter, shape)) {
        return limit;
    }
    cast->meets = false;
    cast->limit = limit;
    tni_query_visit_pieces_along(world, index, &cast->ray, cast->reach, &cast->limit,
                                 cast_meet_piece, cast);
    bool begins_inside = cast->meets && cast->fraction == 0.0 && cast->gap.separation < 0.0;
    if (!cast->meets || (begins_inside && cast->probe.given->inside != TN_QUERY_INSIDE_REPORT)) {
        return limit;
    }
    tn_probe_hit hit = tni_probe_describe(world, index, &cast->gap, cast->fraction);
    bool counts = cast->list != NULL || cast->first.shape.value == 0 ||
                  tni_probe_compare_fractions(&hit, &cast->first) < 0;
    if (!counts || !tni_query_accepts(world, &cast->probe.filter, shape)) {
        return limit;
    }
    if (cast->list != NULL) {
        tni_query_list_add(cast->list, &hit);
        return limit;
    }
    cast->first = hit;
    return hit.fraction;
}

static void cast_run(const tn_world *world, const tn_probe *given, probe_cast *cast) {
    tni_probe_read(world, given, &cast->probe);
    const tni_bounds *bounds = &cast->probe.bounds;
    tni_dvec3 lower = dvec3_from_float(bounds->lower), upper = dvec3_from_float(bounds->upper);
    cast->reach = dvec3_scale(dvec3_sub(upper, lower), 0.5);
    cast->ray = (tni_ray){dvec3_add(lower, cast->reach), cast->probe.translation};
    tni_query_visit_along(world, &cast->probe.filter, &cast->ray, cast->reach, cast_visit, cast);
}

static uint32_t cast_find_first(const tn_world *world, const tn_probe *given, tn_probe_hit *hits,
                                uint32_t capacity) {
    (void)capacity;
    probe_cast cast = {.list = NULL};
    cast_run(world, given, &cast);
    *hits = cast.first;
    return cast.first.shape.value != 0;
}

bool tn_world_cast_probe(const tn_world *world, const tn_probe *probe, tn_probe_hit *out_hit) {
    tni_float_environment host = tni_float_environment_enter();
    tn_probe_hit hit = {0};
    if (tni_probe_begin(world, probe, 1, &hit, __func__)) {
        cast_find_first(world, probe, &hit, 1);
    }
    tni_float_environment_leave(host);
    if (out_hit != NULL) {
        *out_hit = hit;
    }
    return hit.shape.value != 0;
}

uint32_t tn_world_cast_probes(const tn_world *world, const tn_probe *probes, uint32_t count,
                              tn_probe_hit *out_hits) {
    return tni_probe_run_batch(world, probes, count, cast_find_first, out_hits, 1, NULL, __func__);
}

static uint32_t cast_find_all(const tn_world *world, const tn_probe *probe, tn_probe_hit *out_hits,
                              uint32_t capacity) {
    tni_query_list list = {.items = (char *)out_hits, .size = sizeof *out_hits};
    list.capacity = out_hits != NULL ? capacity : 0;
    list.compare = tni_probe_compare_fractions;
    probe_cast cast = {.list = &list};
    cast_run(world, probe, &cast);
    return tni_query_list_sort(&list);
}

uint32_t tn_world_cast_probe_all(const tn_world *world, const tn_probe *probe,
                                 tn_probe_hit *out_hits, uint32_t capacity) {
    return tni_probe_run(world, probe, cast_find_all, out_hits, capacity, __func__);
}
