// The scratch stack of a step.
#include <criterion/criterion.h>
#include <string.h>

#include "core/memory/arena.h"
#include "tests/support/budget.h"

static tni_allocator allocator;
static tni_arena arena;

static void setup(void) {
    test_budget = INT32_MAX;
    tni_allocator_init(&allocator, test_alloc, test_free, NULL);
    tni_arena_init(&arena, &allocator);
}

static void teardown(void) {
    tni_arena_destroy(&arena);
    cr_assert_eq(allocator.bytes, 0);
}

TestSuite(arena, .init = setup, .fini = teardown);

Test(arena, pieces_are_aligned_and_do_not_overlap) {
    for (int step = 0; step < 3; ++step) {
        uint8_t *pieces[64];
        for (size_t i = 0; i < 64; ++i) {
            pieces[i] = tni_arena_alloc(&arena, i * 5);
            cr_assert_not_null(pieces[i]);
            cr_assert_eq((uintptr_t)pieces[i] % 64, 0);
            memset(pieces[i], (int)i, i * 5);
        }
        for (size_t i = 0; i < 64; ++i) {
            for (size_t k = 0; k < i * 5; ++k) {
                cr_assert_eq(pieces[i][k], i);
            }
            cr_assert(i == 0 || pieces[i] != pieces[i - 1]);
        }
        tni_arena_reset(&arena);
    }
}

Test(arena, makes_no_allocation_after_the_first_step) {
    for (int step = 0; step < 10; ++step) {
        uint64_t before = allocator.allocations;
        for (int i = 0; i < 100; ++i) {
            cr_assert_not_null(tni_arena_alloc(&arena, 1000));
        }
        if (step > 0) {
            cr_assert_eq(allocator.allocations, before);
            cr_assert_eq(allocator.bytes, arena.capacity);
        }
        tni_arena_reset(&arena);
        cr_assert_eq(allocator.allocations, before + (step == 0 ? 101 : 0));
    }
}

Test(arena, keeps_pointers_valid_when_it_overflows) {
    uint32_t *first = tni_arena_alloc(&arena, sizeof *first);
    tni_arena_reset(&arena);
    first = tni_arena_alloc(&arena, sizeof *first);
    *first = 12345;
    uint8_t *large = tni_arena_alloc(&arena, 1 << 20);
    memset(large, 0xff, 1 << 20);
    cr_assert_eq(*first, 12345);
}

Test(arena, a_slowly_growing_demand_seldom_allocates) {
    uint64_t before = allocator.allocations;
    for (size_t step = 0; step < 1000; ++step) {
        cr_assert_not_null(tni_arena_alloc(&arena, 10000 + step * 64));
        tni_arena_reset(&arena);
    }
    cr_assert(allocator.allocations - before < 30);
}

// The demand grows by a two-hundredth in each step: there is always time for the next block.
Test(arena, a_block_that_fills_up_is_replaced_before_it_overflows) {
    size_t size = 1 << 20;
    cr_assert_not_null(tni_arena_alloc(&arena, size));
    tni_arena_reset(&arena);
    size_t capacity = arena.capacity;
    for (int step = 0; step < 200; ++step) {
        uint8_t *piece = tni_arena_alloc(&arena, size);
        cr_assert_null(arena.overflow);
        piece[0] = piece[size - 1] = 1;
        tni_arena_reset(&arena);
        size += size / 200;
    }
    cr_assert(arena.capacity > 2 * capacity);
    cr_assert(arena.capacity < 2 * size);
}

// The block it was about to have is too small then.
Test(arena, a_sudden_demand_beyond_the_next_block_is_met) {
    cr_assert_not_null(tni_arena_alloc(&arena, 1 << 20));
    tni_arena_reset(&arena);
    cr_assert_not_null(tni_arena_alloc(&arena, arena.capacity / 64 * 64));
    tni_arena_reset(&arena);
    cr_assert_not_null(arena.next);
    for (int step = 0; step < 2; ++step) {
        uint8_t *piece = tni_arena_alloc(&arena, 1 << 22);
        piece[(1 << 22) - 1] = 1;
        tni_arena_reset(&arena);
    }
    cr_assert(arena.capacity >= 1 << 22);
    cr_assert_null(arena.next);
    cr_assert_eq(allocator.bytes, arena.capacity);
}

Test(arena, zeroed_memory_is_zero_after_reuse) {
    for (int step = 0; step < 4; ++step) {
        uint8_t *piece = tni_arena_alloc_zeroed(&arena, 500);
        for (int i = 0; i < 500; ++i) {
            cr_assert_eq(piece[i], 0);
        }
        memset(piece, 0xee, 500);
        tni_arena_reset(&arena);
    }
}

Test(arena, without_memory_gives_null_and_stays_usable) {
    test_budget = 1;
    cr_assert_not_null(tni_arena_alloc(&arena, 100));
    cr_assert_null(tni_arena_alloc(&arena, 100));
    cr_assert_null(tni_arena_alloc_zeroed(&arena, 100));
    cr_assert_null(tni_arena_alloc(&arena, SIZE_MAX));
    cr_assert_null(tni_arena_alloc(&arena, SIZE_MAX - 100));

    // The block cannot grow at this reset; the next one makes it.
    tni_arena_reset(&arena);
    cr_assert_eq(arena.capacity, 0);
    test_budget = 10;
    tni_arena_reset(&arena);
    cr_assert(arena.capacity >= 128);
    cr_assert_not_null(tni_arena_alloc(&arena, 100));
    size_t capacity = arena.capacity;
    cr_assert_not_null(tni_arena_alloc(&arena, 5000));
    test_budget = 0;
    tni_arena_reset(&arena);
    cr_assert_eq(arena.capacity, capacity);
    cr_assert_not_null(tni_arena_alloc(&arena, 100));
}

// What a rewind gives back is used again, in the block and in overflow blocks; what was there
// before the mark stays.
Test(arena, a_rewind_gives_back_what_came_after_the_mark) {
    for (int step = 0; step < 3; ++step) {
        uint8_t *kept = tni_arena_alloc(&arena, 1000);
        memset(kept, 7, 1000);
        for (int i = 0; i < 50; ++i) {
            tni_arena_mark mark = tni_arena_get_mark(&arena);
            for (int k = 0; k < 10; ++k) {
                uint8_t *scratch = tni_arena_alloc(&arena, 5000);
                cr_assert_not_null(scratch);
                memset(scratch, 0xff, 5000);
            }
            tni_arena_rewind(&arena, mark);
        }
        for (int i = 0; i < 1000; ++i) {
            cr_assert_eq(kept[i], 7);
        }
        tni_arena_reset(&arena);
        // Ten pieces and the one that is kept, not five hundred of them.
        cr_assert(arena.capacity >= 51000 && arena.capacity < 61000);
    }
    uint64_t before = allocator.allocations;
    tni_arena_mark mark = tni_arena_get_mark(&arena);
    cr_assert_not_null(tni_arena_alloc(&arena, 50000));
    tni_arena_rewind(&arena, mark);
    cr_assert_not_null(tni_arena_alloc(&arena, 50000));
    cr_assert_eq(allocator.allocations, before);
}
