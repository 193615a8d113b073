// core/memory/alloc.h: the world's allocator, counted. All memory of a world comes through here.
#ifndef TNI_CORE_MEMORY_ALLOC_H
#define TNI_CORE_MEMORY_ALLOC_H

#include "core/base.h"

// Every block is aligned to this: one cache line, and wide enough for any vector type.
#define TNI_ALLOC_ALIGNMENT 64
// A huge page has this many bytes. A block that nearly fills one is one, if it is the C library's.
#define TNI_ALLOC_HUGE ((size_t)2 << 20)

typedef struct tni_allocator {
    tn_alloc_fn alloc; // null: the C library's
    tn_free_fn free;
    void *user_data;
    uint64_t bytes;       // now in use
    uint64_t peak_bytes;  // most ever in use
    uint64_t allocations; // how many were ever made
} tni_allocator;

// Initializes the allocator. Null hooks choose the C library's allocator.
void tni_allocator_init(tni_allocator *allocator, tn_alloc_fn alloc, tn_free_fn free,
                        void *user_data);

// Returns a block that is not zeroed. It is null when the hook has none, or size is 0.
void *tni_alloc(tni_allocator *allocator, size_t size);
void *tni_alloc_zeroed(tni_allocator *allocator, size_t size);
// Frees a block. `size` must be the size asked for. Null memory is allowed.
void tni_free(tni_allocator *allocator, void *memory, size_t size);

// Grows an array of `count` live elements so that it holds at least `needed`: a small one
// doubles, a large one grows by half again or more. Returns the array (moved or not) and updates
// *capacity, or null with nothing changed.
void *tni_array_grow(tni_allocator *allocator, void *array, uint32_t count, uint32_t *capacity,
                     uint32_t needed, size_t element_size);

#endif
