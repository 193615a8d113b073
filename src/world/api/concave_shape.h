// world/api/concave_shape.h: shapes made from geometry that is many children.
#ifndef TNI_WORLD_API_CONCAVE_SHAPE_H
#define TNI_WORLD_API_CONCAVE_SHAPE_H

#include "collision/concave.h"
#include "core/saved.h"
#include "world/records/convert.h"
#include "world/world.h"

typedef struct tni_concave_source {
    tni_geometry_type type;
    tni_concave *geometry;        // or null, which is refused
    const tn_material *materials; // or null
    uint32_t material_count;
} tni_concave_source;

// Returns OK, NOT_FINITE or, beyond TNI_GEOMETRY_FARTHEST, TOO_LARGE.
tn_result tni_concave_check_numbers(const float *numbers, size_t count);
// Does a definition have both functions for its memory, or none?
static inline bool concave_has_memory(tn_alloc_fn alloc, tn_free_fn free) {
    return (alloc == NULL) == (free == NULL);
}

// Return what every kind of geometry has; null gives zeros.
static inline tn_bounds concave_get_bounds(const tni_concave *concave) {
    return concave != NULL ? convert_from_bounds(&concave->bounds) : (tn_bounds){0};
}
static inline uint64_t concave_get_bytes(const tni_concave *concave) {
    return concave != NULL ? concave->allocator.bytes : 0;
}

// Bytes that are to become an object, and its memory.
typedef struct tni_concave_bytes {
    const void *memory;
    uint64_t size;
    tn_alloc_fn alloc;
    tn_free_fn free;
    void *user_data;
} tni_concave_bytes;
// Opens the bytes of an object, and sets up its allocator. Returns INVALID_ARGUMENT or what
// tni_loader_open() returns.
tn_result tni_concave_open(const tni_concave_bytes *bytes, tni_saved_kind kind, uint32_t version,
                           tni_loader *loader, tni_allocator *allocator);

// Creates a shape, which becomes a user of the geometry.
tn_shape_id tni_concave_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                     const tni_concave_source *source, const char *function);

#endif
