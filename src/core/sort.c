// core/sort.c: a stable radix sort of 64-bit keys, least significant byte first.
//
// A first look finds the bits in which keys differ at all, and whether they stand in order already,
// as the indices of awake bodies mostly do. Then the keys are counted and sorted by each byte in
// which they differ, one after the other: keys here are packed indices, so two to four passes are
// usual. Short lists are sorted by insertion, which is faster than clearing the counters.
// Test: tests/core/test_sort.c
#include "core/sort.h"

#include <stdbool.h>
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

// Returns the bits in which some key differs from the first; 0 also if they are in order.
static uint64_t sort_look(const uint64_t *keys, uint32_t count) {
    uint64_t differences = 0;
    bool is_in_order = true;
    for (uint32_t i = 1; i < count; ++i) {
        differences |= keys[i] ^ keys[0];
        is_in_order &= keys[i - 1] <= keys[i];
    }
    return is_in_order ? 0 : differences;
}

static void sort_pass(const uint64_t *from, uint64_t *to, uint32_t count, int byte) {
    uint32_t next[SORT_VALUES];
    memset(next, 0, sizeof next);
    for (uint32_t i = 0; i < count; ++i) {
        next[sort_byte_of(from[i], byte)] += 1;
    }
    uint32_t sum = 0;
    for (int value = 0; value < SORT_VALUES; ++value) {
        uint32_t of_value = next[value];
        next[value] = sum;
        sum += of_value;
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
    uint64_t differences = sort_look(keys, count);
    uint64_t *from = keys, *to = scratch;
    for (int byte = 0; byte < SORT_BYTES; ++byte) {
        if (sort_byte_of(differences, byte) != 0) {
            sort_pass(from, to, count, byte);
            uint64_t *swap = from;
            from = to;
            to = swap;
        }
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof *keys);
    }
}
