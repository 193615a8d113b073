// world/api/shared_geometry.h: hulls, meshes, height fields and compounds as memory and bytes.
#ifndef TNI_WORLD_API_SHARED_GEOMETRY_H
#define TNI_WORLD_API_SHARED_GEOMETRY_H

#include "collision/shared.h"
#include "core/saved.h"

// Does a definition have both functions for its memory, or none?
static inline bool shared_has_memory(tn_alloc_fn alloc, tn_free_fn free) {
    return (alloc == NULL) == (free == NULL);
}
// Returns how many bytes of memory it takes. Null gives 0.
static inline uint64_t shared_get_bytes(const tni_shared *shared) {
    return shared != NULL ? shared->allocator.bytes : 0;
}

// Bytes that are to become an object, and its memory.
typedef struct tni_shared_bytes {
    const void *memory;
    uint64_t size;
    tn_alloc_fn alloc;
    tn_free_fn free;
    void *user_data;
} tni_shared_bytes;
// The bytes of a kind of geometry.
typedef struct tni_shared_format {
    tni_saved_kind kind;
    uint32_t version;
    tni_save_fn save;
    tni_shared *(*load)(tni_stream *stream, const tni_allocator *allocator, tn_result *out_result);
    bool (*is_sound)(const tni_shared *shared); // the lengths that `load` does not check, or null
} tni_shared_format;
// Saves a geometry, and loads one with one user. Null gives 0 bytes. Loading returns null after
// INVALID_ARGUMENT, FOREIGN_DATA, NEWER_DATA, DAMAGED_DATA or OUT_OF_MEMORY; `out_result` may be
// null.
uint64_t tni_shared_save(const tni_shared_format *format, const void *shared, void *out_memory,
                         uint64_t capacity);
tni_shared *tni_shared_load(const tni_shared_format *format, const tni_shared_bytes *bytes,
                            tn_result *out_result);

#endif
