// world/queries/query_batch.c: many queries at once.
//
// The world's workers help one thread at a time; other threads ask alone. Test:
// tests/threads/test_queries.c
#include "core/latch.h"
#include "world/queries/query_internal.h"

void tni_query_run_batch(const tn_world *world, tn_task_fn task, uint32_t count, uint32_t piece,
                         void *context) {
    tni_latch *helps = &((tn_world *)world)->helps_query;
    if (count > piece && tni_latch_try(helps)) {
        tni_tasks_run(&world->tasks, task, count, piece, context);
        tni_latch_reopen(helps);
    } else {
        task(0, count, 0, context);
    }
}
