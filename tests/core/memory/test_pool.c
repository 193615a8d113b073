// Handles: stale ones are noticed, and stay noticed for long.
#include <criterion/criterion.h>
#include <stdlib.h>

#include "core/memory/pool.h"

static tni_allocator allocator;
static tni_pool pool;

static void setup(void) {
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_pool_init(&pool, &allocator, 1);
}

static void teardown(void) {
    tni_pool_destroy(&pool);
    cr_assert_eq(allocator.bytes, 0);
}

TestSuite(pool, .init = setup, .fini = teardown);

Test(pool, handles_are_found_by_their_index) {
    for (uint32_t i = 0; i < 1000; ++i) {
        cr_assert_eq(tni_pool_next_index(&pool), i);
        uint32_t handle = tni_pool_acquire(&pool);
        cr_assert_neq(handle, 0);
        cr_assert_eq(handle & TNI_POOL_INDEX_MASK, i);
        cr_assert_eq(tni_pool_find(&pool, handle), i);
        cr_assert_eq(tni_pool_handle(&pool, i), handle);
    }
    cr_assert_eq(pool.live_count, 1000);
    cr_assert_eq(pool.slot_count, 1000);
}

Test(pool, stale_handle_is_not_found) {
    uint32_t stale = tni_pool_acquire(&pool);
    tni_pool_release(&pool, stale);
    cr_assert_eq(tni_pool_find(&pool, stale), TNI_POOL_NONE);
    cr_assert_eq(tni_pool_handle(&pool, 0), 0);
    cr_assert_eq(pool.live_count, 0);
}

Test(pool, null_and_never_issued_handles_are_not_found) {
    cr_assert_eq(tni_pool_find(&pool, 0), TNI_POOL_NONE);
    uint32_t handle = tni_pool_acquire(&pool);
    cr_assert_eq(tni_pool_find(&pool, 0), TNI_POOL_NONE);
    cr_assert_eq(tni_pool_find(&pool, handle + 1), TNI_POOL_NONE);
    cr_assert_eq(tni_pool_find(&pool, handle + (1u << TNI_POOL_INDEX_BITS)), TNI_POOL_NONE);
    cr_assert_eq(tni_pool_find(&pool, UINT32_MAX), TNI_POOL_NONE);
    cr_assert_eq(tni_pool_handle(&pool, 1), 0);
    cr_assert_eq(tni_pool_handle(&pool, TNI_NONE), 0);
}

Test(pool, with_another_first_generation_refuses_the_handles) {
    tni_pool other;
    tni_pool_init(&other, &allocator, TNI_POOL_LAST_GENERATION);
    for (uint32_t i = 0; i < 10; ++i) {
        uint32_t mine = tni_pool_acquire(&pool), others = tni_pool_acquire(&other);
        cr_assert_eq(tni_pool_find(&other, mine), TNI_POOL_NONE);
        cr_assert_eq(tni_pool_find(&pool, others), TNI_POOL_NONE);
        cr_assert_eq(tni_pool_find(&other, others), i);
        tni_pool_release(&other, others);
        cr_assert_eq(tni_pool_find(&other, others), TNI_POOL_NONE);
        cr_assert_eq(other.slots[i].generation, 1);
    }
    tni_pool_destroy(&other);
}

Test(pool, releasing_a_stale_handle_does_nothing) {
    uint32_t handle = tni_pool_acquire(&pool);
    uint32_t other = tni_pool_acquire(&pool);
    tni_pool_release(&pool, handle);
    tni_pool_release(&pool, handle);
    tni_pool_release(&pool, 0);
    cr_assert_eq(pool.free_count, 1);
    cr_assert_eq(pool.live_count, 1);
    cr_assert_eq(tni_pool_find(&pool, other), 1);
}

Test(pool, a_freed_slot_waits_in_quarantine) {
    uint32_t first = tni_pool_acquire(&pool);
    tni_pool_release(&pool, first);
    // Until a thousand more have been freed, every new handle has an index of its own.
    for (uint32_t i = 1; i <= TNI_POOL_QUARANTINE; ++i) {
        uint32_t handle = tni_pool_acquire(&pool);
        cr_assert_eq(handle & TNI_POOL_INDEX_MASK, i);
        tni_pool_release(&pool, handle);
    }
    // Then the oldest comes back, with another generation.
    cr_assert_eq(tni_pool_next_index(&pool), 0);
    uint32_t reused = tni_pool_acquire(&pool);
    cr_assert_eq(reused & TNI_POOL_INDEX_MASK, 0);
    cr_assert_neq(reused, first);
    cr_assert_eq(tni_pool_find(&pool, first), TNI_POOL_NONE);
    cr_assert_eq(tni_pool_find(&pool, reused), 0);
}

Test(pool, next_index_is_what_acquire_gives) {
    uint32_t live[2000];
    uint32_t count = 0;
    uint32_t random = 1;
    for (int i = 0; i < 50000; ++i) {
        random = random * 1664525u + 1013904223u;
        if (count < 2000 && (count == 0 || random >> 31)) {
            uint32_t index = tni_pool_next_index(&pool);
            live[count] = tni_pool_acquire(&pool);
            cr_assert_eq(live[count] & TNI_POOL_INDEX_MASK, index);
            count += 1;
        } else {
            uint32_t victim = (random >> 8) % count;
            tni_pool_release(&pool, live[victim]);
            cr_assert_eq(tni_pool_find(&pool, live[victim]), TNI_POOL_NONE);
            live[victim] = live[--count];
        }
        cr_assert_eq(pool.live_count, count);
        cr_assert_eq(pool.live_count + pool.free_count, pool.slot_count);
    }
    for (uint32_t i = 0; i < count; ++i) {
        cr_assert_eq(tni_pool_find(&pool, live[i]), live[i] & TNI_POOL_INDEX_MASK);
    }
}

Test(pool, a_stale_handle_stays_stale_for_a_million_creations) {
    uint32_t stale = tni_pool_acquire(&pool);
    tni_pool_release(&pool, stale);
    uint32_t creations = 0;
    while (tni_pool_find(&pool, stale) == TNI_POOL_NONE && creations < 3000000) {
        uint32_t handle = tni_pool_acquire(&pool);
        cr_assert_neq(handle, 0);
        if (tni_pool_find(&pool, stale) != TNI_POOL_NONE) {
            break;
        }
        tni_pool_release(&pool, handle);
        creations += 1;
    }
    // Ten bits of generation do wrap; the queue spreads that over all waiting slots.
    cr_assert(creations > 1000000, "matched again after %u", creations);
    cr_assert(creations < 3000000, "generations never wrapped");
    cr_assert_eq(pool.slot_count, TNI_POOL_QUARANTINE + 1);
}

Test(pool, a_wrapped_generation_is_never_null) {
    for (uint32_t i = 0; i < 2200000; ++i) {
        uint32_t handle = tni_pool_acquire(&pool);
        cr_assert(handle >> TNI_POOL_INDEX_BITS != 0);
        tni_pool_release(&pool, handle);
    }
}

Test(pool, takes_slots_from_quarantine_when_indices_run_out_and_then_refuses) {
    uint32_t first = tni_pool_acquire(&pool);
    uint32_t second = tni_pool_acquire(&pool);
    for (uint32_t i = 2; i < TNI_POOL_MAX_SLOTS; ++i) {
        cr_assert(tni_pool_acquire(&pool) != 0);
    }
    cr_assert_eq(tni_pool_acquire(&pool), 0);
    cr_assert_eq(pool.live_count, TNI_POOL_MAX_SLOTS);

    tni_pool_release(&pool, second);
    tni_pool_release(&pool, first);
    cr_assert_eq(tni_pool_next_index(&pool), 1);
    cr_assert_eq(tni_pool_acquire(&pool) & TNI_POOL_INDEX_MASK, 1);
    cr_assert_eq(tni_pool_acquire(&pool) & TNI_POOL_INDEX_MASK, 0);
    cr_assert_eq(tni_pool_acquire(&pool), 0);
}

static void *no_alloc(size_t size, size_t alignment, void *user_data) {
    bool *has_memory = user_data;
    size_t lines = (size + alignment - 1) / alignment;
    return *has_memory ? aligned_alloc(alignment, lines * alignment) : NULL;
}

static void no_free(void *memory, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(memory);
}

Test(pool, without_memory_gives_the_null_handle_and_keeps_the_others) {
    bool has_memory = true;
    tni_allocator tight;
    tni_allocator_init(&tight, no_alloc, no_free, &has_memory);
    tni_pool small;
    tni_pool_init(&small, &tight, 1);
    has_memory = false;
    cr_assert_eq(tni_pool_acquire(&small), 0);
    has_memory = true;
    uint32_t handles[100];
    for (uint32_t i = 0; i < 8; ++i) {
        handles[i] = tni_pool_acquire(&small);
    }
    has_memory = false;
    uint32_t count = 8;
    while (count < 100 && (handles[count] = tni_pool_acquire(&small)) != 0) {
        count += 1;
    }
    cr_assert(count < 100);
    cr_assert_eq(small.live_count, count);
    for (uint32_t i = 0; i < count; ++i) {
        cr_assert_eq(tni_pool_find(&small, handles[i]), i);
    }
    has_memory = true;
    cr_assert_neq(tni_pool_acquire(&small), 0);
    tni_pool_destroy(&small);
    cr_assert_eq(tight.bytes, 0);
}

// Freed slots in quarantine and new ones alike.
Test(pool, gives_as_many_as_were_reserved_without_memory) {
    bool has_memory = true;
    tni_allocator tight;
    tni_allocator_init(&tight, no_alloc, no_free, &has_memory);
    tni_pool small;
    tni_pool_init(&small, &tight, 1);
    for (uint32_t reserved = 1; reserved < 200; reserved = 2 * reserved + 1) {
        has_memory = true;
        cr_assert(tni_pool_reserve(&small, reserved));
        has_memory = false;
        uint32_t before = small.live_count, last = 0;
        for (uint32_t i = 0; i < reserved; ++i) {
            last = tni_pool_acquire(&small);
            cr_assert_neq(last, 0);
        }
        cr_assert_eq(small.live_count, before + reserved);
        tni_pool_release(&small, last);
    }
    cr_assert_not(tni_pool_reserve(&small, 100000));
    cr_assert_not(tni_pool_reserve(&small, UINT32_MAX));
    tni_pool_destroy(&small);
    cr_assert_eq(tight.bytes, 0);
}

Test(pool, a_cleared_one_knows_no_handle_and_gives_indices_in_order) {
    enum {
        COUNT = 3 * TNI_POOL_QUARANTINE
    };
    static uint32_t handles[COUNT];
    for (uint32_t i = 0; i < COUNT; ++i) {
        handles[i] = tni_pool_acquire(&pool);
    }
    for (uint32_t i = 0; i < COUNT; i += 7) {
        tni_pool_release(&pool, handles[COUNT - 1 - i]);
    }
    tni_pool_clear(&pool);
    cr_assert_eq(pool.live_count, 0);
    uint32_t last = 0;
    for (uint32_t i = 0; i < COUNT; ++i) {
        cr_assert_eq(tni_pool_find(&pool, handles[i]), TNI_POOL_NONE);
        uint32_t index = tni_pool_acquire(&pool) & TNI_POOL_INDEX_MASK;
        cr_assert(i == 0 || index > last);
        last = index;
    }
    for (uint32_t i = 0; i < COUNT; ++i) {
        cr_assert_eq(tni_pool_find(&pool, handles[i]), TNI_POOL_NONE);
    }
}

Test(pool, one_that_restarts_gives_the_first_indices_and_knows_no_old_handle) {
    uint32_t handles[300];
    for (int round = 0; round < 5; ++round) {
        for (uint32_t i = 0; i < 300; ++i) {
            uint32_t handle = tni_pool_acquire(&pool);
            cr_assert_eq(handle & TNI_POOL_INDEX_MASK, i);
            cr_assert(round == 0 || handle != handles[i]);
            cr_assert(round == 0 || tni_pool_find(&pool, handles[i]) == TNI_POOL_NONE);
            handles[i] = handle;
        }
        tni_pool_release(&pool, handles[7]);
        tni_pool_restart(&pool);
        cr_assert_eq(pool.live_count, 0);
        cr_assert_eq(tni_pool_find(&pool, handles[3]), TNI_POOL_NONE);
    }
}
