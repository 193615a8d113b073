// An array that grows by pages.
#include <criterion/criterion.h>

#include "core/memory/pages.h"
#include "tests/support/budget.h"

static tni_allocator allocator;
static tni_pages pages;

static void setup(void) {
    test_budget = INT32_MAX;
    test_largest = 0;
    tni_allocator_init(&allocator, test_alloc, test_free, NULL);
    tni_pages_init(&pages, &allocator, sizeof(uint64_t));
}

static void teardown(void) {
    tni_pages_destroy(&pages);
    cr_assert_eq(allocator.bytes, 0);
}

TestSuite(pages, .init = setup, .fini = teardown);

static uint64_t *get(uint32_t index) {
    return tni_pages_at(&pages, index, sizeof(uint64_t));
}

Test(pages, keeps_what_is_in_it_while_it_grows) {
    for (uint32_t i = 0; i < 5000; ++i) {
        cr_assert(tni_pages_reserve(&pages, i + 1));
        cr_assert(pages.capacity > i);
        *get(i) = 3 * i;
    }
    for (uint32_t i = 0; i < 5000; ++i) {
        cr_assert_eq(*get(i), 3 * i);
    }
}

Test(pages, does_not_move_a_full_page) {
    cr_assert(tni_pages_reserve(&pages, TNI_PAGE_COUNT));
    uint64_t *first = get(0), *last = get(TNI_PAGE_COUNT - 1);
    cr_assert_eq(last - first, TNI_PAGE_COUNT - 1);
    cr_assert(tni_pages_reserve(&pages, 100000));
    cr_assert_eq(get(0), first);
    cr_assert_eq(get(TNI_PAGE_COUNT - 1), last);
}

// Beside the table, which has some bytes a page.
Test(pages, keeps_at_most_a_quarter_of_what_there_is_in_reserve) {
    for (uint32_t i = TNI_PAGE_COUNT; i < 50000; ++i) {
        cr_assert(tni_pages_reserve(&pages, i + 1));
        cr_assert(pages.capacity - i <= i / 4 || pages.capacity - i <= TNI_PAGE_COUNT);
    }
}

// Four lots while what there is doubles; the table grows more seldom.
Test(pages, asks_for_memory_a_few_times_while_it_doubles) {
    cr_assert(tni_pages_reserve(&pages, 4 * TNI_PAGE_COUNT));
    for (uint32_t full = 4 * TNI_PAGE_COUNT; full < 200000; full *= 2) {
        uint64_t before = allocator.allocations;
        for (uint32_t i = full; i < 2 * full; ++i) {
            cr_assert(tni_pages_reserve(&pages, i + 1));
        }
        cr_assert(allocator.allocations - before <= 5);
    }
}

// Lots of large elements: never more than there is already, never more than a huge page.
Test(pages, takes_lots_once_it_is_large) {
    typedef struct large {
        uint64_t numbers[64];
    } large;
    tni_pages many;
    tni_pages_init(&many, &allocator, sizeof(large));
    for (uint32_t i = 0; i < 20000; ++i) {
        uint32_t before = many.capacity;
        cr_assert(tni_pages_reserve(&many, i + 1));
        cr_assert(many.capacity <= 2 * before || before < TNI_PAGE_COUNT);
        ((large *)tni_pages_at(&many, i, sizeof(large)))->numbers[63] = i;
    }
    for (uint32_t i = 0; i < 20000; ++i) {
        cr_assert_eq(((large *)tni_pages_at(&many, i, sizeof(large)))->numbers[63], i);
    }
    cr_assert(test_largest <= TNI_ALLOC_HUGE && test_largest > TNI_ALLOC_HUGE / 4 * 3);
    tni_pages_destroy(&many);
}

Test(pages, a_few_elements_take_little) {
    cr_assert(tni_pages_reserve(&pages, 3));
    cr_assert(allocator.bytes <= 8 * sizeof(uint64_t) + 8 * sizeof(void *));
}

Test(pages, without_memory_keeps_what_it_has) {
    for (uint32_t i = 0; i < 1000; ++i) {
        test_budget = 0;
        bool has_room = tni_pages_reserve(&pages, i + 1);
        for (uint32_t k = 0; k < i; ++k) {
            cr_assert_eq(*get(k), k);
        }
        test_budget = 1; // for the table alone, where it grows
        has_room = has_room || tni_pages_reserve(&pages, i + 1);
        test_budget = INT32_MAX;
        cr_assert(has_room || tni_pages_reserve(&pages, i + 1));
        *get(i) = i;
    }
    cr_assert(!tni_pages_reserve(&pages, UINT32_MAX));
    cr_assert_eq(*get(999), 999);
}
