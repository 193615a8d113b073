// world/queries/query_box.c: finds the shapes whose boxes overlap a box.
//
// Test: tests/world/queries/test_query.c
#include <stdlib.h>

#include "world/bodies.h"
#include "world/contacts.h"
#include "world/queries/query_internal.h"
#include "world/records/convert.h"

typedef struct box_search {
    const tn_world *world;
    tn_bounds bounds;
    tni_query_filter filter;
    tn_shape_id *shapes;
    uint32_t count, capacity; // count: found, even beyond the capacity
} box_search;

// Returns whether a shape's box overlaps the given one. The search goes by that one rounded to
// floats, which is larger.
static bool box_overlaps(const tni_bounds *own, const tn_bounds *given) {
    return (double)own->lower.x <= given->upper.x && (double)own->upper.x >= given->lower.x &&
           (double)own->lower.y <= given->upper.y && (double)own->upper.y >= given->lower.y &&
           (double)own->lower.z <= given->upper.z && (double)own->upper.z >= given->lower.z;
}

static void box_note_shape(uint32_t index, void *context) {
    box_search *search = context;
    const tni_shape *shape = tni_shape_at(search->world, index);
    tni_bounds own = tni_shape_get_bounds(search->world, index);
    if (!box_overlaps(&own, &search->bounds) ||
        !tni_query_passes(search->world, &search->filter, shape) ||
        !tni_query_accepts(search->world, &search->filter, shape)) {
        return;
    }
    if (search->count < search->capacity) {
        search->shapes[search->count].value = shape->handle;
    }
    search->count += 1;
}

static int box_compare_shapes(const void *a, const void *b) {
    uint32_t x = ((const tn_shape_id *)a)->value & TNI_POOL_INDEX_MASK;
    uint32_t y = ((const tn_shape_id *)b)->value & TNI_POOL_INDEX_MASK;
    return x < y ? -1 : x > y ? 1 : 0;
}

static bool box_check(const tn_world *world, const tn_bounds *bounds, const tn_query_filter *filter,
                      const char *function) {
    if (!convert_is_finite(bounds->lower) || !convert_is_finite(bounds->upper)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, function, "The box must be finite.", 0);
        return false;
    }
    bool is_box = bounds->lower.x <= bounds->upper.x && bounds->lower.y <= bounds->upper.y &&
                  bounds->lower.z <= bounds->upper.z;
    if (!is_box) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "The lower corner of the box must not be above the upper one.", 0);
        return false;
    }
    return tni_query_check_filter(world, filter, function);
}

static uint32_t box_find(const tn_world *world, const tn_bounds *bounds,
                         const tn_query_filter *filter, tn_shape_id *out_shapes,
                         uint32_t capacity) {
    box_search search = {.world = world, .bounds = *bounds, .shapes = out_shapes};
    search.filter = tni_query_read_filter(filter);
    search.capacity = out_shapes != NULL ? capacity : 0;
    tni_bounds rounded =
        tni_bounds_round(dvec3_from_plain(bounds->lower), dvec3_from_plain(bounds->upper));
    tni_query_visit_shapes(world, &search.filter, &rounded, box_note_shape, &search);
    if (out_shapes != NULL && search.count > 1 && search.count <= search.capacity) {
        qsort(out_shapes, search.count, sizeof *out_shapes, box_compare_shapes);
    }
    return search.count;
}

uint32_t tn_world_find_shapes(const tn_world *world, tn_bounds bounds,
                              const tn_query_filter *filter, tn_shape_id *out_shapes,
                              uint32_t capacity) {
    tni_float_environment host = tni_float_environment_enter();
    uint32_t count = 0;
    if (tni_query_begin(world, __func__) && box_check(world, &bounds, filter, __func__)) {
        count = box_find(world, &bounds, filter, out_shapes, capacity);
    }
    tni_float_environment_leave(host);
    return count;
}
