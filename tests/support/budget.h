// tests/support/budget.h: memory that runs out when a test wants it to.
#ifndef TESTS_SUPPORT_BUDGET_H
#define TESTS_SUPPORT_BUDGET_H

#include <stddef.h>
#include <stdlib.h>

// Allocations that are left, the most bytes that one has asked for, and blocks not given back.
static int test_budget;
static size_t test_largest;
static int test_taken;

static inline void *test_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    if (test_budget == 0) {
        return NULL;
    }
    test_budget -= 1;
    test_taken += 1;
    test_largest = size > test_largest ? size : test_largest;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static inline void test_free(void *block, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    test_taken -= 1;
    free(block);
}

#endif
