// core/memory/arena.h: scratch memory of one step: a stack that is emptied at the step's end.
//
// An arena is one block. When a step asks for more than the block holds, the remaining bytes come
// from overflow blocks; at the next reset the block is enlarged past the most that was ever used,
// so that after warm-up a step makes no allocation. A block that is nearly full gets its successor
// ahead of time, so that a world that grows gradually never overflows.
#ifndef TNI_CORE_MEMORY_ARENA_H
#define TNI_CORE_MEMORY_ARENA_H

#include "core/memory/alloc.h"

typedef struct tni_arena_overflow tni_arena_overflow;

typedef struct tni_arena {
    tni_allocator *allocator;
    uint8_t *block;
    size_t capacity;
    size_t used;  // in the block
    size_t total; // in the block and the overflow blocks
    size_t peak;  // the largest total of any step
    tni_arena_overflow *overflow;
    uint8_t *next; // the block's successor, or null
    size_t next_capacity;
    size_t next_touched; // of it, from its beginning
} tni_arena;

// A mark notes how far an arena is filled.
typedef struct tni_arena_mark {
    size_t used, total;
    tni_arena_overflow *overflow;
} tni_arena_mark;

void tni_arena_init(tni_arena *arena, tni_allocator *allocator);
void tni_arena_destroy(tni_arena *arena);
// Returns memory that is 64-byte aligned and not zeroed; null when memory cannot be had. A size of
// 0 gives a valid pointer.
void *tni_arena_alloc(tni_arena *arena, size_t size);
void *tni_arena_alloc_zeroed(tni_arena *arena, size_t size);
// These make scratch within a step: all memory taken since the mark is given back. Marks nest.
tni_arena_mark tni_arena_get_mark(const tni_arena *arena);
void tni_arena_rewind(tni_arena *arena, tni_arena_mark mark);
// Frees everything taken since the last reset. If growing the block fails, the old one stays.
void tni_arena_reset(tni_arena *arena);

#endif
