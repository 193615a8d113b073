// solver/step/part_loop.c: loops over bodies and contacts go by the parts that sweeps have too: see
// solver/step/part.c.
#include "solver/solver.h"

void tni_parts_run_batches(const tni_solver *solver, tn_task_fn task, uint32_t min_range,
                           void *context) {
    if (solver->batches.part_count > 0) {
        const uint32_t *ends = solver->batches.part_ends, parts = solver->batches.part_count;
        uint32_t spans = ends[parts] > ends[parts - 1] ? parts + 1 : parts;
        tni_tasks_run_spans(solver->tasks, task, ends, spans, context);
    } else {
        tni_tasks_run(solver->tasks, task, solver->batches.count, min_range, context);
    }
}

typedef struct part_turns {
    const tni_solver *solver;
    tn_task_fn task;
    void *context;
} part_turns;

static void part_run_turns(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const part_turns *run = context;
    uint32_t parts = run->solver->batches.part_count, turns = tni_parts_count_turns(run->solver);
    run->task(first, last, worker, run->context);
    if (first == 0 && turns > 2 * parts) {
        run->task(parts, turns - parts, worker, run->context);
    }
    run->task(turns - parts + first, turns - parts + last, worker, run->context);
}

void tni_parts_run_turns(const tni_solver *solver, tn_task_fn task, void *context) {
    part_turns run = {solver, task, context};
    tni_tasks_run(solver->tasks, part_run_turns, solver->batches.part_count, 1, &run);
}
