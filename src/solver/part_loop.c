// solver/part_loop.c: loops over bodies by the parts that sweeps have too: see solver/part.c.
#include "solver/solver.h"

void tni_parts_run_batches(const tni_solver *solver, tn_task_fn task, uint32_t min_range,
                           void *context) {
    if (solver->part_count > 0) {
        tni_tasks_run_spans(solver->tasks, task, solver->part_batch_ends, solver->part_count,
                            context);
    } else {
        tni_tasks_run(solver->tasks, task, solver->batch_count, min_range, context);
    }
}
