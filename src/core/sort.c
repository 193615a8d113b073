// core/sort.c: a stable radix sort of 64-bit keys, least significant byte first.
//
// One pass over the keys counts all eight bytes; a byte that is the same in every key costs nothing
// more. Keys here are packed indices with many such bytes, so two or three passes are usual. Short
// lists are sorted by insertion, which is faster than clearing the counters.
// Test: tests/core/test_sort.c
#include "core/sort.h"

#include <string.h>

#define SORT_BYTES          8
#define SORT_VALUES         256
#define SORT_INSERTION_LAST 48u // at about this length the two cost the same

static void sort_by_insertion(uint64_t *keys, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) {
        uint64_t key = keys[i];
        uint32_t j = i;
        while (j > 0 && keys[j - 1] > key) {
            keys[j] = keys[j - 1];
            --j;
        }
        keys[j] = key;
    }
}

static uint32_t sort_byte_of(uint64_t key, int byte) {
    return (uint32_t)(key >> (8 * byte)) & (SORT_VALUES - 1);
}

static void sort_pass(const uint64_t *from, uint64_t *to, uint32_t count, int byte,
                      const uint32_t *histogram) {
    uint32_t next[SORT_VALUES];
    uint32_t sum = 0;
    for (int value = 0; value < SORT_VALUES; ++value) {
        next[value] = sum;
        sum += histogram[value];
    }
    for (uint32_t i = 0; i < count; ++i) {
        to[next[sort_byte_of(from[i], byte)]++] = from[i];
    }
}

void tni_sort_u64(uint64_t *keys, uint64_t *scratch, uint32_t count) {
    if (count <= SORT_INSERTION_LAST) {
        sort_by_insertion(keys, count);
        return;
    }
    uint32_t histograms[SORT_BYTES][SORT_VALUES];
    memset(histograms, 0, sizeof histograms);
    for (uint32_t i = 0; i < count; ++i) {
        for (int byte = 0; byte < SORT_BYTES; ++byte) {
            histograms[byte][sort_byte_of(keys[i], byte)] += 1;
        }
    }
    uint64_t *from = keys, *to = scratch;
    for (int byte = 0; byte < SORT_BYTES; ++byte) {
        bool all_equal = histograms[byte][sort_byte_of(from[0], byte)] == count;
        if (!all_equal) {
            sort_pass(from, to, count, byte, histograms[byte]);
            uint64_t *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
    }
}
