// core/memory/pages.c: an array that grows by pages, so that nothing in it moves.
//
// Worlds are small more often than large: the first page begins with a few elements and doubles,
// which copies less than a page. Then pages come in lots of an eighth to a quarter of those that
// there are, so that a world that fills up asks for memory seldom: four times while it doubles. The
// largest lots fill a huge page of the system (core/memory/alloc.c): a processor that goes through
// a hundred thousand bodies in pages of 4 kB spends a twelfth of a step on their addresses. Test:
// tests/core/memory/test_pages.c
#include "core/memory/pages.h"

#include <string.h>

#define PAGES_FIRST_CAPACITY 8u

void tni_pages_init(tni_pages *pages, tni_allocator *allocator, size_t element_size) {
    memset(pages, 0, sizeof *pages);
    pages->allocator = allocator;
    pages->element_size = element_size;
}

static size_t pages_get_size(const tni_pages *pages, uint32_t capacity) {
    return (capacity < TNI_PAGE_COUNT ? capacity : TNI_PAGE_COUNT) * pages->element_size;
}

// Returns the pages of the largest lot.
static uint32_t pages_get_largest_lot(const tni_pages *pages) {
    size_t lot = TNI_ALLOC_HUGE / (TNI_PAGE_COUNT * pages->element_size);
    return lot < 1 ? 1 : (uint32_t)lot;
}

// Returns the number of pages that come at once when page `index` is needed: a quarter of the power
// of two below it. Four lots end at the next power of two, until they are the largest, so that the
// size of each is known from its first page.
static uint32_t pages_get_lot(const tni_pages *pages, uint32_t index) {
    uint32_t largest = pages_get_largest_lot(pages), lot = 1;
    while (lot <= index / 8 && lot < largest) {
        lot *= 2;
    }
    return lot < largest ? lot : largest;
}

void tni_pages_destroy(tni_pages *pages) {
    uint32_t count = (pages->capacity + TNI_PAGE_COUNT - 1) >> TNI_PAGE_SHIFT;
    for (uint32_t i = 0; i < count; i += pages_get_lot(pages, i)) {
        tni_free(pages->allocator, pages->pages[i],
                 pages_get_lot(pages, i) * pages_get_size(pages, pages->capacity));
    }
    tni_free(pages->allocator, pages->pages, pages->table_capacity * sizeof *pages->pages);
    tni_pages_init(pages, pages->allocator, pages->element_size);
}

// Grows the first page, until it is full.
static bool pages_grow_first(tni_pages *pages, uint32_t needed) {
    uint32_t capacity = pages->capacity > 0 ? 2 * pages->capacity : PAGES_FIRST_CAPACITY;
    while (capacity < needed && capacity < TNI_PAGE_COUNT) {
        capacity *= 2;
    }
    void *page = tni_alloc(pages->allocator, pages_get_size(pages, capacity));
    if (!page) {
        return false;
    }
    if (pages->capacity > 0) {
        size_t size = pages_get_size(pages, pages->capacity);
        memcpy(page, pages->pages[0], size);
        tni_free(pages->allocator, pages->pages[0], size);
    }
    pages->pages[0] = page;
    pages->capacity = capacity;
    return true;
}

static bool pages_add(tni_pages *pages) {
    uint32_t used = pages->capacity >> TNI_PAGE_SHIFT, count = pages_get_lot(pages, used);
    size_t size = pages_get_size(pages, TNI_PAGE_COUNT);
    uint8_t *memory = tni_alloc(pages->allocator, count * size);
    if (!memory) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        pages->pages[used + i] = memory + i * size;
    }
    pages->capacity += count * TNI_PAGE_COUNT;
    return true;
}

// Makes room in the table for this many pages and the remainder of the last one's lot; the table
// doubles when it grows, which costs little.
static bool pages_grow_table(tni_pages *pages, uint32_t used, uint32_t wanted) {
    wanted += pages_get_lot(pages, wanted - 1) - 1;
    if (wanted <= pages->table_capacity) {
        return true;
    }
    void **table = tni_array_grow(pages->allocator, pages->pages, used, &pages->table_capacity,
                                  wanted > 1 ? 2 * wanted : 1, sizeof *table);
    pages->pages = table != NULL ? table : pages->pages;
    return table != NULL;
}

bool tni_pages_reserve(tni_pages *pages, uint32_t needed) {
    if (needed <= pages->capacity) {
        return true;
    }
    if (needed > UINT32_MAX - pages_get_largest_lot(pages) * TNI_PAGE_COUNT) {
        return false;
    }
    uint32_t used = (pages->capacity + TNI_PAGE_COUNT - 1) >> TNI_PAGE_SHIFT;
    bool has_room = pages_grow_table(pages, used, (needed + TNI_PAGE_COUNT - 1) >> TNI_PAGE_SHIFT);
    while (has_room && pages->capacity < needed) {
        has_room =
            pages->capacity < TNI_PAGE_COUNT ? pages_grow_first(pages, needed) : pages_add(pages);
    }
    return has_room;
}
