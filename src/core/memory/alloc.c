// core/memory/alloc.c: the world's allocator, counted, and growth of arrays.
//
// Every block goes through two functions, so that the count of allocations and the bytes in use are
// exact: a test asserts that a step makes none, and another fails the n-th for every n.
// Test: tests/core/memory/test_alloc.c
#ifdef __linux__
#define _DEFAULT_SOURCE // madvise
#endif

#include "core/memory/alloc.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define ALLOC_FIRST_CAPACITY 8u
// An array doubles up to this many bytes: its reserve is then small.
#define ALLOC_LEAST_LARGE 65536u

#ifndef _WIN32
// Returns a huge page of the system, if it has any.
static void *alloc_huge_page(void) {
    void *memory = aligned_alloc(TNI_ALLOC_HUGE, TNI_ALLOC_HUGE);
#ifdef MADV_HUGEPAGE
    if (memory) {
        (void)madvise(memory, TNI_ALLOC_HUGE, MADV_HUGEPAGE); // a wish: it may fail
    }
#endif
    return memory;
}
#endif

static void *alloc_from_libc(size_t size) {
    // No object is larger than this; and the rounding below must not wrap.
    if (size > PTRDIFF_MAX) {
        return NULL;
    }
#ifdef _WIN32
    return _aligned_malloc(size, TNI_ALLOC_ALIGNMENT);
#else
    if (size <= TNI_ALLOC_HUGE && size > TNI_ALLOC_HUGE / 4 * 3) {
        return alloc_huge_page();
    }
    // aligned_alloc wants a multiple of the alignment.
    size_t lines = (size + TNI_ALLOC_ALIGNMENT - 1) / TNI_ALLOC_ALIGNMENT;
    return aligned_alloc(TNI_ALLOC_ALIGNMENT, lines * TNI_ALLOC_ALIGNMENT);
#endif
}

static void alloc_to_libc(void *memory) {
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

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
                       : alloc_from_libc(size);
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
        alloc_to_libc(memory);
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
