// core/memory/pool.c: stable slots addressed by generation-checked handles.
//
// A handle packs [generation : 10 | index : 22]. Generation 0 is never used, so 0 is the null
// handle.
//
// Freed slots wait in a first-in first-out queue until TNI_POOL_QUARANTINE of them are waiting.
// Reusing the newest slot would be kinder to the cache, but a bullet spawned and destroyed every
// frame would run through all 1023 generations of that one slot in 17 s at 60 Hz, after which a
// stale handle matches again. With the queue it takes about a million destroys.
// Test: tests/core/memory/test_pool.c
#include "core/memory/pool.h"

#include <string.h>

void tni_pool_init(tni_pool *pool, tni_allocator *allocator, uint16_t first_generation) {
    TN_ASSERT(first_generation >= 1 && first_generation <= TNI_POOL_LAST_GENERATION);
    memset(pool, 0, sizeof *pool);
    pool->allocator = allocator;
    pool->first_generation = first_generation;
    pool->free_head = TNI_POOL_NONE;
    pool->free_tail = TNI_POOL_NONE;
}

void tni_pool_destroy(tni_pool *pool) {
    tni_free(pool->allocator, pool->slots, pool->slot_capacity * sizeof *pool->slots);
    tni_pool_init(pool, pool->allocator, pool->first_generation);
}

// Does the pool reuse a slot? The quarantine holds slots back as long as there are fresh indices to
// give instead.
static bool pool_reuses_slot(const tni_pool *pool) {
    bool is_full = pool->slot_count == TNI_POOL_MAX_SLOTS;
    return pool->free_count > (is_full ? 0 : TNI_POOL_QUARANTINE);
}

static uint32_t pool_pop_free(tni_pool *pool) {
    uint32_t index = pool->free_head;
    pool->free_head = pool->slots[index].next_free;
    pool->free_count -= 1;
    if (pool->free_count == 0) {
        pool->free_tail = TNI_POOL_NONE;
    }
    return index;
}

static void pool_push_free(tni_pool *pool, uint32_t index) {
    pool->slots[index].next_free = TNI_POOL_NONE;
    if (pool->free_count == 0) {
        pool->free_head = index;
    } else {
        pool->slots[pool->free_tail].next_free = index;
    }
    pool->free_tail = index;
    pool->free_count += 1;
}

// Appends a slot. Returns TNI_POOL_NONE when memory or indices run out.
static uint32_t pool_append_slot(tni_pool *pool) {
    if (pool->slot_count == TNI_POOL_MAX_SLOTS) {
        return TNI_POOL_NONE;
    }
    tni_slot *slots = tni_array_grow(pool->allocator, pool->slots, pool->slot_count,
                                     &pool->slot_capacity, pool->slot_count + 1, sizeof *slots);
    if (!slots) {
        return TNI_POOL_NONE;
    }
    pool->slots = slots;
    uint32_t index = pool->slot_count;
    pool->slot_count += 1;
    pool->slots[index] =
        (tni_slot){.next_free = TNI_POOL_NONE, .generation = pool->first_generation};
    return index;
}

bool tni_pool_reserve(tni_pool *pool, uint32_t count) {
    if (count > TNI_POOL_MAX_SLOTS - pool->live_count) {
        return false;
    }
    uint32_t left = TNI_POOL_MAX_SLOTS - pool->slot_count;
    tni_slot *slots =
        tni_array_grow(pool->allocator, pool->slots, pool->slot_count, &pool->slot_capacity,
                       pool->slot_count + (count < left ? count : left), sizeof *slots);
    pool->slots = slots != NULL ? slots : pool->slots;
    return slots != NULL;
}

uint32_t tni_pool_acquire(tni_pool *pool) {
    uint32_t index = pool_reuses_slot(pool) ? pool_pop_free(pool) : pool_append_slot(pool);
    if (index == TNI_POOL_NONE) {
        return 0;
    }
    pool->slots[index].is_live = true;
    pool->live_count += 1;
    return tni_pool_handle(pool, index);
}

uint32_t tni_pool_next_index(const tni_pool *pool) {
    return pool_reuses_slot(pool) ? pool->free_head : pool->slot_count;
}

// The generation moves on at once, so that the slot's handle is stale from here.
static void pool_retire(tni_slot *slot) {
    slot->is_live = false;
    slot->generation =
        (uint16_t)(slot->generation == TNI_POOL_LAST_GENERATION ? 1 : slot->generation + 1);
}

// Releases a handle. A stale handle is ignored.
void tni_pool_release(tni_pool *pool, uint32_t handle) {
    uint32_t index = tni_pool_find(pool, handle);
    if (index == TNI_POOL_NONE) {
        return;
    }
    pool_retire(&pool->slots[index]);
    pool->live_count -= 1;
    pool_push_free(pool, index);
}

void tni_pool_clear(tni_pool *pool) {
    pool->free_head = pool->free_tail = TNI_POOL_NONE;
    pool->free_count = 0;
    for (uint32_t i = 0; i < pool->slot_count; ++i) {
        if (pool->slots[i].is_live) {
            pool_retire(&pool->slots[i]);
        }
        pool_push_free(pool, i);
    }
    pool->live_count = 0;
}

void tni_pool_restart(tni_pool *pool) {
    tni_pool_clear(pool);
    for (uint32_t i = 0; i < pool->slot_count; ++i) { // free ones have their next generation
        uint16_t next = pool->slots[i].generation;
        pool->first_generation = next > pool->first_generation ? next : pool->first_generation;
    }
    pool->slot_count = pool->free_count = 0;
    pool->free_head = pool->free_tail = TNI_POOL_NONE;
}

// Returns the slot index, or TNI_POOL_NONE if the handle is null, stale or was never issued.
// Every public function calls this first, in all builds: one load and two compares.
uint32_t tni_pool_find(const tni_pool *pool, uint32_t handle) {
    uint32_t index = handle & TNI_POOL_INDEX_MASK;
    if (handle == 0 || index >= pool->slot_count) {
        return TNI_POOL_NONE;
    }
    const tni_slot *slot = &pool->slots[index];
    bool matches = slot->is_live && slot->generation == handle >> TNI_POOL_INDEX_BITS;
    return matches ? index : TNI_POOL_NONE;
}

uint32_t tni_pool_handle(const tni_pool *pool, uint32_t index) {
    if (index >= pool->slot_count || !pool->slots[index].is_live) {
        return 0;
    }
    return (uint32_t)pool->slots[index].generation << TNI_POOL_INDEX_BITS | index;
}
