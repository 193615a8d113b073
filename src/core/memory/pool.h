// core/memory/pool.h: stable slots addressed by generation-checked handles.
#ifndef TNI_CORE_MEMORY_POOL_H
#define TNI_CORE_MEMORY_POOL_H

#include "core/memory/alloc.h"

#define TNI_POOL_INDEX_BITS      22
#define TNI_POOL_INDEX_MASK      ((1u << TNI_POOL_INDEX_BITS) - 1u)
#define TNI_POOL_MAX_SLOTS       (1u << TNI_POOL_INDEX_BITS)
#define TNI_POOL_LAST_GENERATION ((1u << (32 - TNI_POOL_INDEX_BITS)) - 1u)
#define TNI_POOL_QUARANTINE      1024
#define TNI_POOL_NONE            TNI_NONE

typedef struct tni_slot {
    uint32_t next_free; // in the first-in first-out queue of freed slots
    uint16_t generation;
    bool is_live;
} tni_slot;

typedef struct tni_pool {
    tni_allocator *allocator;
    tni_slot *slots;
    uint32_t slot_count; // slots ever used: live ones and free ones; loop bound for dense arrays
    uint32_t slot_capacity;
    uint32_t live_count;
    uint32_t free_head, free_tail, free_count;
    uint16_t first_generation; // of every slot
} tni_pool;

// Initializes a pool. first_generation is 1 to TNI_POOL_LAST_GENERATION. Pools that start at
// different generations refuse each other's handles until a slot has been used as many times as
// these lie apart.
void tni_pool_init(tni_pool *pool, tni_allocator *allocator, uint16_t first_generation);
void tni_pool_destroy(tni_pool *pool);
// Returns a new handle, or 0 when memory or indices run out. The index is handle &
// TNI_POOL_INDEX_MASK.
uint32_t tni_pool_acquire(tni_pool *pool);
// Makes room for `count` more: that many calls of acquire do not fail. Returns false when there is
// no memory.
bool tni_pool_reserve(tni_pool *pool, uint32_t count);
// Returns the index that the next acquire will give, so that a parallel array can be grown before
// it.
uint32_t tni_pool_next_index(const tni_pool *pool);
void tni_pool_release(tni_pool *pool, uint32_t handle);
// Releases all handles. Slots that are reused come in the order of their indices.
void tni_pool_clear(tni_pool *pool);
// Forgets all slots: indices begin at 0 again, with a generation that no slot has had. So a stale
// handle may match again after as many restarts as there are generations.
void tni_pool_restart(tni_pool *pool);
uint32_t tni_pool_find(const tni_pool *pool, uint32_t handle);
// Returns the live handle of a slot, or 0 if the slot is free.
uint32_t tni_pool_handle(const tni_pool *pool, uint32_t index);

#endif
