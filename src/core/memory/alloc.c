// core/memory/alloc.c: the world's allocator, counted, and growth of arrays.
//
// Every block goes through two functions, so that the count of allocations and the bytes in use are
// exact: a test asserts that a step makes none, and another fails the n-th for every n.
// Test: tests/core/memory/test_alloc.c
#include "core/memory/alloc.h"

#include <string.h>

#include "core/platform.h"

#define ALLOC_FIRST_CAPACITY 8u
// An array doubles up to this many bytes: its reserve is then small.
#define ALLOC_LEAST_LARGE 65536u

void tni_allocator_init(tni_allocator *allocator, tn_alloc_fn alloc, tn_free_fn free,
                        void *user_data) {
    memset(allocator, 0, sizeof *allocator);
    allocator->alloc = alloc;
    allocator->free = free;
    allocator->user_data = user_data;
}

void *tni_alloc(tni_allocator *allocator, size_t size) {
    if (size == 0) {
        return NULL;
    }
    void *memory = allocator->alloc
                       ? allocator->alloc(size, TNI_ALLOC_ALIGNMENT, allocator->user_data)
                       : tni_platform_alloc(size);
    if (!memory) {
        return NULL;
    }
    allocator->allocations += 1;
    allocator->bytes += size;
    if (allocator->bytes > allocator->peak_bytes) {
        allocator->peak_bytes = allocator->bytes;
    }
    return memory;
}

void *tni_alloc_zeroed(tni_allocator *allocator, size_t size) {
    void *memory = tni_alloc(allocator, size);
    if (memory) {
        memset(memory, 0, size);
    }
    return memory;
}

void tni_free(tni_allocator *allocator, void *memory, size_t size) {
    if (!memory) {
        return;
    }
    TN_ASSERT(allocator->bytes >= size);
    allocator->bytes -= size;
    if (allocator->free) {
        allocator->free(memory, size, allocator->user_data);
    } else {
        tni_platform_free(memory);
    }
}

void *tni_array_grow(tni_allocator *allocator, void *array, uint32_t count, uint32_t *capacity,
                     uint32_t needed, size_t element_size) {
    TN_ASSERT(count <= *capacity && element_size > 0);
    if (needed <= *capacity) {
        return array;
    }
    bool is_large = *capacity > ALLOC_LEAST_LARGE / element_size;
    uint64_t grown = (uint64_t)*capacity + (is_large ? *capacity / 2 : *capacity);
    if (grown < ALLOC_FIRST_CAPACITY) {
        grown = ALLOC_FIRST_CAPACITY;
    }
    if (grown < needed) {
        grown = needed;
    }
    if (grown > UINT32_MAX) {
        grown = UINT32_MAX;
    }
    if (grown > SIZE_MAX / element_size) {
        return NULL;
    }
    void *moved = tni_alloc(allocator, (size_t)grown * element_size);
    if (!moved) {
        return NULL;
    }
    if (count > 0) {
        memcpy(moved, array, count * element_size);
    }
    tni_free(allocator, array, *capacity * element_size);
    *capacity = (uint32_t)grown;
    return moved;
}
