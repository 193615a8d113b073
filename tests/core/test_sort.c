// The radix sort against the C library's, on lists of every kind and length.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/sort.h"

enum {
    LONGEST = 5000
};

static uint64_t keys[LONGEST], expected[LONGEST], scratch[LONGEST];

static int compare(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t random_state = 7;

static uint64_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void expect_sorted(uint32_t count) {
    memcpy(expected, keys, count * sizeof *keys);
    qsort(expected, count, sizeof *expected, compare);
    tni_sort_u64(keys, scratch, count);
    cr_assert_arr_eq(keys, expected, count * sizeof *keys);
}

Test(sort, sorts_random_keys_of_every_length) {
    for (uint32_t count = 1; count < 400; ++count) {
        for (uint32_t i = 0; i < count; ++i) {
            keys[i] = next_random();
        }
        expect_sorted(count);
    }
    for (uint32_t i = 0; i < LONGEST; ++i) {
        keys[i] = next_random();
    }
    expect_sorted(LONGEST);
}

Test(sort, sorts_keys_that_differ_in_some_bytes_only) {
    // Every subset of bytes: odd and even numbers of passes, skipped ones between.
    for (uint32_t subset = 0; subset < 256; ++subset) {
        uint64_t mask = 0;
        for (int byte = 0; byte < 8; ++byte) {
            mask |= (subset >> byte & 1u) ? 0xffull << (8 * byte) : 0;
        }
        uint32_t count = 100 + subset;
        for (uint32_t i = 0; i < count; ++i) {
            keys[i] = (next_random() & mask) | (0x1122334455667788ull & ~mask);
        }
        expect_sorted(count);
    }
}

Test(sort, keeps_sorted_reversed_and_equal_keys_right) {
    for (uint32_t count = 1; count < 1000; count += 37) {
        for (uint32_t i = 0; i < count; ++i) {
            keys[i] = i;
        }
        expect_sorted(count);
        for (uint32_t i = 0; i < count; ++i) {
            keys[i] = UINT64_MAX - i;
        }
        expect_sorted(count);
        for (uint32_t i = 0; i < count; ++i) {
            keys[i] = 5;
        }
        expect_sorted(count);
    }
}

Test(sort, of_nothing_touches_nothing) {
    tni_sort_u64(NULL, NULL, 0);
    keys[0] = 3;
    keys[1] = 2;
    tni_sort_u64(keys, scratch, 1);
    cr_assert_eq(keys[0], 3);
    cr_assert_eq(keys[1], 2);
}
