// world/queries/query_list.c: keeps the first answers of a query in an array that the caller gave.
//
// While there is room, answers are added at the end. The array is a binary heap with the last
// answer on top, so when it is full a new answer that comes before that one takes its place
// (J. Williams, "Algorithm 232: Heapsort", 1964). No order of arrival changes what is kept, because
// no two answers compare equal. Test: tests/world/queries/test_query_rays.c
#include <stdlib.h>
#include <string.h>

#include "world/queries/query_internal.h"

#define LIST_LARGEST 128

static void *list_at(const tni_query_list *list, uint32_t index) {
    return list->items + (size_t)index * list->size;
}

static void list_swap(const tni_query_list *list, uint32_t i, uint32_t j) {
    char kept[LIST_LARGEST];
    TN_ASSERT(list->size <= sizeof kept);
    memcpy(kept, list_at(list, i), list->size);
    memcpy(list_at(list, i), list_at(list, j), list->size);
    memcpy(list_at(list, j), kept, list->size);
}

static void list_rise(const tni_query_list *list, uint32_t index) {
    while (index > 0) {
        uint32_t parent = (index - 1) / 2;
        if (list->compare(list_at(list, parent), list_at(list, index)) >= 0) {
            return;
        }
        list_swap(list, parent, index);
        index = parent;
    }
}

static void list_sink(const tni_query_list *list) {
    uint32_t index = 0;
    for (;;) {
        uint32_t child = 2 * index + 1, last = index;
        for (uint32_t i = child; i < child + 2 && i < list->capacity; ++i) {
            last = list->compare(list_at(list, i), list_at(list, last)) > 0 ? i : last;
        }
        if (last == index) {
            return;
        }
        list_swap(list, last, index);
        index = last;
    }
}

void tni_query_list_add(tni_query_list *list, const void *item) {
    list->count += 1;
    if (list->count <= list->capacity) {
        memcpy(list_at(list, list->count - 1), item, list->size);
        list_rise(list, list->count - 1);
    } else if (list->capacity > 0 && list->compare(item, list->items) < 0) {
        memcpy(list->items, item, list->size);
        list_sink(list);
    }
}

const void *tni_query_list_get_last(const tni_query_list *list) {
    return list->capacity > 0 && list->count >= list->capacity ? list->items : NULL;
}

uint32_t tni_query_list_sort(tni_query_list *list) {
    uint32_t kept = list->count < list->capacity ? list->count : list->capacity;
    if (kept > 1) {
        qsort(list->items, kept, list->size, list->compare);
    }
    return list->count;
}
