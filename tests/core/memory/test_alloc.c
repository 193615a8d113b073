// The counted allocator and the growth of arrays.
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory/alloc.h"

// An allocator that gives `budget` blocks and then none, and remembers what it was asked.
typedef struct test_memory {
    int budget;
    size_t last_size, last_alignment, last_freed;
    int allocs, frees;
} test_memory;

static void *test_alloc(size_t size, size_t alignment, void *user_data) {
    test_memory *memory = user_data;
    if (memory->budget == 0) {
        return NULL;
    }
    memory->budget -= 1;
    memory->allocs += 1;
    memory->last_size = size;
    memory->last_alignment = alignment;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void test_free(void *block, size_t size, void *user_data) {
    test_memory *memory = user_data;
    memory->frees += 1;
    memory->last_freed = size;
    free(block);
}

Test(alloc, default_blocks_are_aligned_to_a_cache_line) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    for (size_t size = 1; size < 300; ++size) {
        uint8_t *block = tni_alloc(&allocator, size);
        cr_assert_not_null(block);
        cr_assert_eq((uintptr_t)block % TNI_ALLOC_ALIGNMENT, 0);
        memset(block, 0xab, size);
        tni_free(&allocator, block, size);
    }
    cr_assert_eq(allocator.bytes, 0);
    cr_assert_eq(allocator.allocations, 299);
}

Test(alloc, a_default_block_that_fills_a_huge_page_is_one) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    const size_t sizes[] = {TNI_ALLOC_HUGE, TNI_ALLOC_HUGE - 50000, TNI_ALLOC_HUGE + 1};
    for (size_t i = 0; i < 3; ++i) {
        uint8_t *block = tni_alloc(&allocator, sizes[i]);
        cr_assert_not_null(block);
        cr_assert(i == 2 || (uintptr_t)block % TNI_ALLOC_HUGE == 0);
        memset(block, 0xab, sizes[i]);
        tni_free(&allocator, block, sizes[i]);
    }
    cr_assert_eq(allocator.bytes, 0);
}

Test(alloc, counts_bytes_peak_and_allocations) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    void *a = tni_alloc(&allocator, 100);
    void *b = tni_alloc(&allocator, 50);
    cr_assert_eq(allocator.bytes, 150);
    tni_free(&allocator, a, 100);
    cr_assert_eq(allocator.bytes, 50);
    cr_assert_eq(allocator.peak_bytes, 150);
    cr_assert_eq(allocator.allocations, 2);
    tni_free(&allocator, b, 50);
    tni_free(&allocator, NULL, 10);
    cr_assert_eq(allocator.bytes, 0);
}

Test(alloc, hooks_get_the_size_the_alignment_and_the_user_data) {
    test_memory memory = {.budget = 10};
    tni_allocator allocator;
    tni_allocator_init(&allocator, test_alloc, test_free, &memory);
    void *block = tni_alloc(&allocator, 77);
    cr_assert_eq(memory.last_size, 77);
    cr_assert_eq(memory.last_alignment, TNI_ALLOC_ALIGNMENT);
    tni_free(&allocator, block, 77);
    cr_assert_eq(memory.last_freed, 77);
    cr_assert_eq(memory.frees, 1);
}

Test(alloc, nothing_is_null_and_is_not_counted) {
    test_memory memory = {.budget = 0};
    tni_allocator allocator;
    tni_allocator_init(&allocator, test_alloc, test_free, &memory);
    cr_assert_null(tni_alloc(&allocator, 10));
    cr_assert_null(tni_alloc_zeroed(&allocator, 10));
    memory.budget = 5;
    cr_assert_null(tni_alloc(&allocator, 0));
    cr_assert_eq(allocator.bytes, 0);
    cr_assert_eq(allocator.allocations, 0);

    tni_allocator_init(&allocator, NULL, NULL, NULL);
    cr_assert_null(tni_alloc(&allocator, SIZE_MAX));
    cr_assert_null(tni_alloc(&allocator, SIZE_MAX - 65));
}

Test(alloc, zeroed_memory_is_zero) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    for (int round = 0; round < 20; ++round) {
        uint8_t *block = tni_alloc_zeroed(&allocator, 1000);
        for (int i = 0; i < 1000; ++i) {
            cr_assert_eq(block[i], 0);
        }
        memset(block, 0xff, 1000);
        tni_free(&allocator, block, 1000);
    }
}

Test(alloc, a_growing_array_keeps_its_elements_and_grows_by_half_again_or_more) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    uint32_t *array = NULL;
    uint32_t capacity = 0;
    for (uint32_t count = 0; count < 50000; ++count) {
        uint32_t old_capacity = capacity;
        array = tni_array_grow(&allocator, array, count, &capacity, count + 1, sizeof *array);
        cr_assert_not_null(array);
        cr_assert(capacity > count);
        if (capacity != old_capacity) {
            bool is_small = old_capacity * sizeof *array <= 65536;
            cr_assert(capacity >= old_capacity + old_capacity / (is_small ? 1 : 2));
            cr_assert(capacity <= 2 * old_capacity || old_capacity == 0);
        }
        array[count] = count * 7;
        cr_assert_eq(array[count / 2], count / 2 * 7);
    }
    cr_assert(allocator.allocations < 20);
    cr_assert_eq(allocator.bytes, capacity * sizeof *array);
    tni_free(&allocator, array, capacity * sizeof *array);
    cr_assert_eq(allocator.bytes, 0);
}

Test(alloc, an_array_that_is_large_enough_stays_where_it_is) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    uint32_t capacity = 0;
    double *array = tni_array_grow(&allocator, NULL, 0, &capacity, 100, sizeof *array);
    cr_assert_eq(capacity, 100);
    cr_assert_eq(tni_array_grow(&allocator, array, 3, &capacity, 100, sizeof *array), array);
    cr_assert_eq(allocator.allocations, 1);
    tni_free(&allocator, array, capacity * sizeof *array);
}

Test(alloc, an_array_that_cannot_grow_is_unchanged) {
    test_memory memory = {.budget = 1};
    tni_allocator allocator;
    tni_allocator_init(&allocator, test_alloc, test_free, &memory);
    uint32_t capacity = 0;
    uint32_t *array = tni_array_grow(&allocator, NULL, 0, &capacity, 4, sizeof *array);
    uint32_t old_capacity = capacity;
    for (uint32_t i = 0; i < capacity; ++i) {
        array[i] = i;
    }
    cr_assert_null(tni_array_grow(&allocator, array, capacity, &capacity, capacity + 1, 4));
    cr_assert_eq(capacity, old_capacity);
    cr_assert_eq(memory.frees, 0);
    for (uint32_t i = 0; i < capacity; ++i) {
        cr_assert_eq(array[i], i);
    }
    // More bytes than an address can count.
    memory.budget = 1;
    cr_assert_null(
        tni_array_grow(&allocator, array, capacity, &capacity, UINT32_MAX, SIZE_MAX / 2));
    cr_assert_eq(capacity, old_capacity);
    tni_free(&allocator, array, capacity * sizeof *array);
    cr_assert_eq(allocator.bytes, 0);
}
