// core/memory/pages.h: an array that grows by pages, so that nothing in it moves.
//
// An array that doubles copies all its elements in the call that finds it full: a world of some ten
// thousand bodies halts for that. Here growing takes one more page, or a lot of at most a quarter
// of those that there are, and no more than that is in reserve. The price is one more load from a
// table that stays in the cache.
#ifndef TNI_CORE_MEMORY_PAGES_H
#define TNI_CORE_MEMORY_PAGES_H

#include "core/memory/alloc.h"

#define TNI_PAGE_SHIFT 8
#define TNI_PAGE_COUNT (1u << TNI_PAGE_SHIFT) // elements

typedef struct tni_pages {
    tni_allocator *allocator;
    void **pages;
    uint32_t table_capacity;
    uint32_t capacity; // in elements: the first page grows until it is one
    size_t element_size;
} tni_pages;

void tni_pages_init(tni_pages *pages, tni_allocator *allocator, size_t element_size);
void tni_pages_destroy(tni_pages *pages);
// Makes room for `needed` elements; returns false when memory cannot be had, with nothing lost.
// Elements of the first page may move while it is not full.
bool tni_pages_reserve(tni_pages *pages, uint32_t needed);

// Returns an element. Callers know its size as a constant, which saves a product by element_size.
static inline void *tni_pages_at(const tni_pages *pages, uint32_t index, size_t size) {
    uint8_t *page = pages->pages[index >> TNI_PAGE_SHIFT];
    return page + (index & (TNI_PAGE_COUNT - 1u)) * size;
}

#endif
