// world/records/lists.c: a growing list of indices.
// Test: tests/world/records/test_oom.c
#include "world/world.h"

bool tni_index_list_reserve(tni_allocator *allocator, tni_index_list *list, uint32_t needed) {
    uint32_t *items = tni_array_grow(allocator, list->items, list->count, &list->capacity, needed,
                                     sizeof *list->items);
    if (needed > 0 && !items) {
        return false;
    }
    list->items = items;
    return true;
}

bool tni_index_list_add(tni_allocator *allocator, tni_index_list *list, uint32_t item) {
    if (!tni_index_list_reserve(allocator, list, list->count + 1)) {
        return false;
    }
    list->items[list->count] = item;
    list->count += 1;
    return true;
}
