// core/tasks.h: loops whose turns do not need each other, over several threads.
//
// The output of a task may depend on its index alone, never on the piece or the worker: so the
// result is the same for any number of workers.
#ifndef TNI_CORE_TASKS_H
#define TNI_CORE_TASKS_H

#include "core/memory/alloc.h"
#include "core/platform.h"

// These are the library's own threads.
typedef struct tni_workers tni_workers;

// A world runs its loops by the application's hooks, by threads of its own, or, if both are null,
// one turn after the other.
typedef struct tni_tasks {
    tn_task_enqueue_fn enqueue;
    tn_task_finish_fn finish;
    void *user_data;
    tni_workers *workers;
} tni_tasks;

// Makes `count` workers, the calling thread and threads beside it. Returns null when there is no
// memory, when count is under 2, or when the platform has no threads: then everything runs on the
// caller. If the system refuses some threads there are fewer.
tni_workers *tni_workers_create(tni_allocator *allocator, uint32_t count);
// Joins the workers. Null is allowed.
void tni_workers_destroy(tni_allocator *allocator, tni_workers *workers);

// Counts the library's own workers, with the caller; 1 if there are none, or if the application has
// its own.
uint32_t tni_tasks_count_workers(const tni_tasks *tasks);
// Pauses between two looks for another thread's result, of which `looks` are over: for a moment at
// first, and in the long run other threads get the processor.
void tni_tasks_look_again(uint32_t looks);

// Between begin and end more loops come soon, and the library's own threads stay awake for them, so
// that none has to be woken. A step too small for loops calls neither.
void tni_tasks_begin(const tni_tasks *tasks);
void tni_tasks_end(const tni_tasks *tasks);

// Runs loops of the same task one after the other, as sweeps over colors or levels need them: loop
// k runs over [ends[k - 1], ends[k]), the first from 0 on, and no turn of it begins before all
// turns of the loops before it are done. With the library's own threads going from one loop to the
// next costs some tenths of a microsecond, far less than a call for each; so hand over a whole
// sweep, or more. Short loops that follow each other run as one piece, [first, last) over all of
// them: so the task goes through its turns in their order, and may leave out turns but never change
// places. A chain without a loop of two pieces runs on the caller, as one piece.
void tni_tasks_run_chain(const tni_tasks *tasks, tn_task_fn task, const uint32_t *ends,
                         uint32_t loop_count, uint32_t min_range, void *context);

static inline bool tni_tasks_have_helpers(const tni_tasks *tasks) {
    return tasks != NULL && (tasks->enqueue || tasks->workers);
}

// Runs task(first, last, worker, context) over [0, count) in pieces of at least min_range turns,
// and returns when all are done. A loop of fewer than two pieces of that length, and one inside of
// a task, runs on the caller, and so does every loop without `tasks`. One thread calls at a time.
// The function is in the header, so that without helpers a small world, whose loops are short,
// calls no more than the task.
static inline void tni_tasks_run(const tni_tasks *tasks, tn_task_fn task, uint32_t count,
                                 uint32_t min_range, void *context) {
    if (tni_tasks_have_helpers(tasks)) {
        tni_tasks_run_chain(tasks, task, &count, 1, min_range, context);
    } else if (count > 0) {
        task(0, count, 0, context);
    }
}

// Does the same over spans that are not cut: span k is [ends[k - 1], ends[k]), the first from 0 on.
void tni_tasks_run_spans(const tni_tasks *tasks, tn_task_fn task, const uint32_t *ends,
                         uint32_t span_count, void *context);

#endif
