// collision/shared_hull.c: a convex hull that is made once and counts its users.
// Test: tests/world/api/test_hull_api.c
#include "collision/shared_hull.h"

static void shared_hull_destroy(tni_shared *shared) {
    tni_shared_hull *own = (tni_shared_hull *)shared;
    tni_allocator allocator = shared->allocator; // it lies in what is freed last
    tni_hull_destroy(&allocator, own->hull);
    tni_free(&allocator, own, sizeof *own);
}

// Returns one that has no hull yet, or null without memory.
static tni_shared_hull *shared_hull_allocate(const tni_allocator *allocator) {
    tni_allocator copy = *allocator;
    tni_shared_hull *own = tni_alloc_zeroed(&copy, sizeof *own);
    if (own != NULL) {
        tni_shared_init(&own->shared, &copy, shared_hull_destroy);
    }
    return own;
}

// Returns what has a hull now, or null.
static tni_shared_hull *shared_hull_finish(tni_shared_hull *own, tn_result result) {
    if (result != TN_RESULT_OK) {
        tni_shared_release((tni_shared *)own);
        return NULL;
    }
    return own;
}

tni_shared_hull *tni_shared_hull_build(const tni_allocator *allocator, const vec3s *points,
                                       uint32_t count, tn_result *out_result) {
    tni_shared_hull *own = shared_hull_allocate(allocator);
    *out_result = own != NULL ? tni_hull_build(&own->shared.allocator, points, count, &own->hull)
                              : TN_RESULT_OUT_OF_MEMORY;
    return shared_hull_finish(own, *out_result);
}

tni_shared_hull *tni_shared_hull_from_faces(const tni_allocator *allocator,
                                            const tni_hull_faces *faces, tn_result *out_result) {
    tni_shared_hull *own = shared_hull_allocate(allocator);
    *out_result = own != NULL ? tni_hull_from_faces(&own->shared.allocator, faces, &own->hull)
                              : TN_RESULT_OUT_OF_MEMORY;
    return shared_hull_finish(own, *out_result);
}

void tni_shared_hull_save(tni_stream *stream, const void *hull) {
    tni_hull_save(stream, ((const tni_shared_hull *)hull)->hull);
}

tni_shared *tni_shared_hull_load(tni_stream *stream, const tni_allocator *allocator,
                                 tn_result *out_result) {
    tni_shared_hull *own = shared_hull_allocate(allocator);
    *out_result = own != NULL ? tni_hull_load(stream, &own->shared.allocator, &own->hull)
                              : TN_RESULT_OUT_OF_MEMORY;
    if (*out_result == TN_RESULT_OK && !tni_stream_is_done(stream)) {
        *out_result = TN_RESULT_DAMAGED_DATA;
    }
    return (tni_shared *)shared_hull_finish(own, *out_result);
}
