// solver/part_loop.c: loops over bodies by the parts that sweeps have too: see solver/part_find.c.
#include "solver/solver.h"

typedef struct part_loop {
    const tni_solver *solver;
    tn_task_fn task;
    void *context;
} part_loop;

static void part_run_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const part_loop *loop = context;
    const uint32_t *ends = loop->solver->part_batch_ends;
    loop->task(first > 0 ? ends[first - 1] : 0, ends[last - 1], worker, loop->context);
}

void tni_parts_run_batches(const tni_solver *solver, tn_task_fn task, uint32_t min_range,
                           void *context) {
    if (solver->part_count > 0) {
        part_loop loop = {solver, task, context};
        tni_tasks_run(solver->tasks, part_run_range, solver->part_count, 1, &loop);
    } else {
        tni_tasks_run(solver->tasks, task, solver->batch_count, min_range, context);
    }
}
