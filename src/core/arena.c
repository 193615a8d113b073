// core/arena.c: scratch memory of one step: a stack that is emptied at the step's end.
//
// The block cannot move while a step holds pointers into it. So what does not fit goes to overflow
// blocks of its own, and the block is enlarged at the reset, when nothing points into it.
// Test: tests/core/test_arena.c
#include "core/arena.h"

#include <string.h>

// Stands at the front of its block; the memory handed out begins one alignment further.
struct tni_arena_overflow {
    tni_arena_overflow *next;
    size_t byte_size; // of the whole block, this header included
};

_Static_assert(sizeof(struct tni_arena_overflow) <= TNI_ALLOC_ALIGNMENT,
               "the header must not reach into the memory handed out");

void tni_arena_init(tni_arena *arena, tni_allocator *allocator) {
    memset(arena, 0, sizeof *arena);
    arena->allocator = allocator;
}

// Down to `last`, which stays.
static void arena_free_overflow(tni_arena *arena, const tni_arena_overflow *last) {
    while (arena->overflow != last) {
        tni_arena_overflow *next = arena->overflow->next;
        tni_free(arena->allocator, arena->overflow, arena->overflow->byte_size);
        arena->overflow = next;
    }
}

void tni_arena_destroy(tni_arena *arena) {
    arena_free_overflow(arena, NULL);
    tni_free(arena->allocator, arena->block, arena->capacity);
    memset(arena, 0, sizeof *arena);
}

static void *arena_alloc_overflow(tni_arena *arena, size_t size) {
    size_t byte_size = size + TNI_ALLOC_ALIGNMENT;
    tni_arena_overflow *overflow = tni_alloc(arena->allocator, byte_size);
    if (!overflow) {
        return NULL;
    }
    overflow->next = arena->overflow;
    overflow->byte_size = byte_size;
    arena->overflow = overflow;
    arena->total += size;
    return (uint8_t *)overflow + TNI_ALLOC_ALIGNMENT;
}

void *tni_arena_alloc(tni_arena *arena, size_t size) {
    if (size > SIZE_MAX - 2 * TNI_ALLOC_ALIGNMENT) {
        return NULL;
    }
    // Whole cache lines, at least one, so that a size of 0 has an address of its own.
    size_t lines = (size + TNI_ALLOC_ALIGNMENT - 1) / TNI_ALLOC_ALIGNMENT;
    size_t rounded = (lines > 0 ? lines : 1) * TNI_ALLOC_ALIGNMENT;
    if (rounded > arena->capacity - arena->used) {
        return arena_alloc_overflow(arena, rounded);
    }
    void *memory = arena->block + arena->used;
    arena->used += rounded;
    arena->total += rounded;
    return memory;
}

void *tni_arena_alloc_zeroed(tni_arena *arena, size_t size) {
    void *memory = tni_arena_alloc(arena, size);
    if (memory) {
        memset(memory, 0, size);
    }
    return memory;
}

// A sixth more than the peak, so that a scene that slowly fills up does not grow it every step.
static void arena_grow_block(tni_arena *arena) {
    size_t capacity = arena->peak + arena->peak / 6;
    uint8_t *block = tni_alloc(arena->allocator, capacity);
    if (!block) {
        return;
    }
    tni_free(arena->allocator, arena->block, arena->capacity);
    arena->block = block;
    arena->capacity = capacity;
}

static void arena_note_peak(tni_arena *arena) {
    if (arena->total > arena->peak) {
        arena->peak = arena->total;
    }
}

tni_arena_mark tni_arena_get_mark(const tni_arena *arena) {
    tni_arena_mark mark = {arena->used, arena->total, arena->overflow};
    return mark;
}

void tni_arena_rewind(tni_arena *arena, tni_arena_mark mark) {
    TN_ASSERT(arena->used >= mark.used && arena->total >= mark.total);
    arena_note_peak(arena);
    arena_free_overflow(arena, mark.overflow);
    arena->used = mark.used;
    arena->total = mark.total;
}

void tni_arena_reset(tni_arena *arena) {
    arena_note_peak(arena);
    arena_free_overflow(arena, NULL);
    if (arena->peak > arena->capacity) {
        arena_grow_block(arena);
    }
    arena->used = 0;
    arena->total = 0;
}
