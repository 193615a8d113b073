// core/memory/arena.c: scratch memory of one step: a stack that is emptied at the step's end.
//
// The block cannot move while a step holds pointers into it. So requests that do not fit go to
// overflow blocks of their own, and the block is enlarged at the reset, when nothing points into
// it.
//
// The system gives out memory when it is first written to, page by page, and a block of its full
// size in one step makes that step two or three times as long as its neighbours. So the successor
// of a block that is nearly full is written to gradually, at a few resets, before it takes over.
// Test: tests/core/memory/test_arena.c
#include "core/memory/arena.h"

#include <string.h>

// A block that a step was too large for gets spare room of the most ever used divided by SPARE, and
// a successor by AHEAD: a world that has filled one block fills the next.
#define ARENA_SPARE 6u
#define ARENA_AHEAD 3u
// Writes this many bytes apart make the system give out all memory: no page is smaller.
#define ARENA_PAGE 4096u
// A successor is made when the most ever used leaves less than the block's size over this,
#define ARENA_LEAST_REST 16u
// and is written to over this number of resets, at least this number of bytes at each.
#define ARENA_TOUCHES     8u
#define ARENA_LEAST_TOUCH 65536u
// No successor is made for a smaller block: a new one of that size costs a step some ten
// microseconds at most.
#define ARENA_LEAST_AHEAD 262144u

// A float of such bytes is large and positive, and a bool of them is neither true nor false.
#define ARENA_STALE 0x5a

// This stands at the front of its block; the memory handed out begins one alignment further.
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

// Frees blocks down to `last`, which stays.
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
    tni_free(arena->allocator, arena->next, arena->next_capacity);
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
    // The size is in whole cache lines, at least one, so that a size of 0 has an address of its
    // own.
    size_t lines = (size + TNI_ALLOC_ALIGNMENT - 1) / TNI_ALLOC_ALIGNMENT;
    size_t rounded = (lines > 0 ? lines : 1) * TNI_ALLOC_ALIGNMENT;
    if (rounded > arena->capacity - arena->used) {
        return arena_alloc_overflow(arena, rounded);
    }
    void *memory = arena->block + arena->used;
    arena->used += rounded;
    arena->total += rounded;
#ifndef NDEBUG
    memset(memory, ARENA_STALE, rounded); // so that hashes tell who reads before it writes
#endif
    return memory;
}

void *tni_arena_alloc_zeroed(tni_arena *arena, size_t size) {
    void *memory = tni_arena_alloc(arena, size);
    if (memory) {
        memset(memory, 0, size);
    }
    return memory;
}

// Makes the successor, with its share of spare room. Without memory this is tried again at the next
// reset.
static void arena_make_next(tni_arena *arena, size_t parts) {
    size_t capacity = arena->peak + arena->peak / parts;
    arena->next = tni_alloc(arena->allocator, capacity);
    arena->next_capacity = arena->next ? capacity : 0;
    arena->next_touched = 0;
}

static void arena_drop_next(tni_arena *arena) {
    tni_free(arena->allocator, arena->next, arena->next_capacity);
    arena->next = NULL;
    arena->next_capacity = 0;
}

static void arena_take_next(tni_arena *arena) {
    tni_free(arena->allocator, arena->block, arena->capacity);
    arena->block = arena->next;
    arena->capacity = arena->next_capacity;
    arena->next = NULL;
    arena->next_capacity = 0;
}

// Writes to a part of the successor. Returns true when all of it is written to.
static bool arena_touch_next(tni_arena *arena) {
    size_t part = arena->next_capacity / ARENA_TOUCHES;
    size_t end = arena->next_touched + (part > ARENA_LEAST_TOUCH ? part : ARENA_LEAST_TOUCH);
    end = end < arena->next_capacity ? end : arena->next_capacity;
    for (; arena->next_touched < end; arena->next_touched += ARENA_PAGE) {
        arena->next[arena->next_touched] = 0;
    }
    return arena->next_touched >= arena->next_capacity;
}

// Grows at once: there is no time to touch the block first.
static void arena_grow_now(tni_arena *arena) {
    if (arena->next_capacity < arena->peak) {
        arena_drop_next(arena);
        arena_make_next(arena, ARENA_SPARE);
    }
    if (arena->next) {
        arena_take_next(arena);
    }
}

static void arena_grow_ahead(tni_arena *arena) {
    if (!arena->next) {
        arena_make_next(arena, ARENA_AHEAD);
    } else if (arena_touch_next(arena)) {
        arena_take_next(arena);
    }
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
        arena_grow_now(arena);
    } else if (arena->capacity >= ARENA_LEAST_AHEAD &&
               arena->capacity - arena->peak < arena->capacity / ARENA_LEAST_REST) {
        arena_grow_ahead(arena);
    }
    arena->used = 0;
    arena->total = 0;
}
