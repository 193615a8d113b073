// world/queries/query_batch.c: many queries at once.
//
// The world's workers help one thread at a time; other threads ask alone, and in the order that
// they were given. The order does not matter for answers. It is that of the six coordinates of both
// ends, their bits interlaced (G. Morton, 1966), so queries that are near in all of them are near
// in it. Test: tests/threads/test_queries.c
#include "core/latch.h"
#include "core/sort.h"
#include "world/queries/query_internal.h"

// Fewer queries are not sorted.
#define BATCH_LEAST_SORTED 256u
// Bits of each coordinate in a key.
#define BATCH_BITS 5

typedef struct batch_run {
    const tni_query_batch *batch;
    const uint64_t *keys; // in order: the lower half is the index. Or null
} batch_run;

static void batch_run_piece(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const batch_run *run = context;
    for (uint32_t i = first; i < last; ++i) {
        uint32_t index = run->keys != NULL ? (uint32_t)(run->keys[i] & UINT32_MAX) : i;
        run->batch->answer(run->batch->context, index);
    }
}

// ---- the order ----------------------------------------------------------------------------------

// The box of all first ends, and of all second ones.
typedef struct batch_range {
    double lower[6], upper[6];
} batch_range;

static void batch_get_numbers(const tni_query_batch *batch, uint32_t index, double numbers[6]) {
    tni_dvec3 ends[2];
    batch->get_line(batch->context, index, ends);
    for (int k = 0; k < 2; ++k) {
        numbers[3 * k] = ends[k].x;
        numbers[3 * k + 1] = ends[k].y;
        numbers[3 * k + 2] = ends[k].z;
    }
}

static batch_range batch_get_range(const tni_query_batch *batch) {
    batch_range range;
    for (uint32_t i = 0; i < batch->count; ++i) {
        double numbers[6];
        batch_get_numbers(batch, i, numbers);
        for (int k = 0; k < 6; ++k) {
            range.lower[k] = i == 0 ? numbers[k] : maths_min_d(range.lower[k], numbers[k]);
            range.upper[k] = i == 0 ? numbers[k] : maths_max_d(range.upper[k], numbers[k]);
        }
    }
    return range;
}

static uint64_t batch_get_key(const tni_query_batch *batch, const batch_range *range,
                              uint32_t index) {
    double numbers[6];
    uint64_t key = 0;
    batch_get_numbers(batch, index, numbers);
    for (int k = 0; k < 6; ++k) {
        double size = range->upper[k] - range->lower[k];
        double share = (numbers[k] - range->lower[k]) * maths_inverse_or_zero_d(size);
        uint32_t cell = (uint32_t)(share * ((1 << BATCH_BITS) - 1));
        for (int bit = 0; bit < BATCH_BITS; ++bit) {
            key |= (uint64_t)(cell >> bit & 1u) << (6 * bit + 5 - k);
        }
    }
    return key << 32 | index;
}

// Returns the keys in order, with room for as many behind them, or null without memory.
static uint64_t *batch_sort(tni_allocator *allocator, const tni_query_batch *batch) {
    uint64_t *keys = tni_alloc(allocator, 2 * (size_t)batch->count * sizeof *keys);
    if (keys != NULL) {
        batch_range range = batch_get_range(batch);
        for (uint32_t i = 0; i < batch->count; ++i) {
            keys[i] = batch_get_key(batch, &range, i);
        }
        tni_sort_u64(keys, keys + batch->count, batch->count);
    }
    return keys;
}

void tni_query_run_batch(const tn_world *world, const tni_query_batch *batch) {
    tn_world *owner = (tn_world *)world;
    batch_run run = {batch, NULL};
    if (batch->count <= batch->piece || !tni_latch_try(&owner->helps_query)) {
        batch_run_piece(0, batch->count, 0, &run);
        return;
    }
    // One thread at a time is here, so it may use the allocator.
    uint64_t *keys = NULL;
    if (batch->count >= BATCH_LEAST_SORTED) {
        keys = batch_sort(&owner->allocator, batch);
        run.keys = keys;
    }
    tni_tasks_run(&world->tasks, batch_run_piece, batch->count, batch->piece, &run);
    tni_free(&owner->allocator, keys, 2 * (size_t)batch->count * sizeof *keys);
    tni_latch_reopen(&owner->helps_query);
}
