// world/api/concave_shape.h: shapes made from geometry that is many children.
#ifndef TNI_WORLD_API_CONCAVE_SHAPE_H
#define TNI_WORLD_API_CONCAVE_SHAPE_H

#include "collision/concave/concave.h"
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
// Gives a triangle's three corners, or zeros for null; `out_corners` may be null.
static inline void concave_give_corners(const vec3s *corners, tn_vec3 *out_corners) {
    for (int i = 0; i < 3 && out_corners != NULL; ++i) {
        out_corners[i] = corners != NULL ? convert_from_float(corners[i]) : (tn_vec3){0};
    }
}

// Bytes that are to become an object, and its memory.
typedef struct tni_concave_bytes {
    const void *memory;
    uint64_t size;
    tn_alloc_fn alloc;
    tn_free_fn free;
    void *user_data;
} tni_concave_bytes;
// The bytes of a kind of geometry.
typedef struct tni_concave_format {
    tni_saved_kind kind;
    uint32_t version;
    tni_save_fn save;
    tni_concave *(*load)(tni_stream *stream, const tni_allocator *allocator, tn_result *out_result);
    bool (*is_sound)(const tni_concave *concave); // the lengths, which `load` does not check
} tni_concave_format;
// Saves a geometry, and loads one with one user. Null gives 0 bytes. Loading returns null after
// INVALID_ARGUMENT, FOREIGN_DATA, NEWER_DATA, DAMAGED_DATA or OUT_OF_MEMORY; `out_result` may be
// null.
uint64_t tni_concave_save(const tni_concave_format *format, const tni_concave *concave,
                          void *out_memory, uint64_t capacity);
tni_concave *tni_concave_load(const tni_concave_format *format, const tni_concave_bytes *bytes,
                              tn_result *out_result);

// Creates a shape, which becomes a user of the geometry.
tn_shape_id tni_concave_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                     const tni_concave_source *source, const char *function);

#endif
