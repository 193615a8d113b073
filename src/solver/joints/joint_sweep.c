// solver/joints/joint_sweep.c: sweeps and warm starts over groups of joints, on workers.
//
// The order of a sweep is a list of items: a group, or blocks that come one after the other. Items
// that follow each other and share no body that moves make a loop. The items of a loop may run at
// once; a chain of loops (core/tasks.h) keeps the remaining order, so the result is that of one
// thread. Levels of a few groups become loops too short for a second worker; colors
// (solver/joints/joint_group.c) are long ones. Parts (solver/joints/joint_part.c) are swept side by
// side, each in the order of its items. Test: tests/solver/joints/test_joint_group.c
#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_block_kernels.h"
#include "solver/joints/joint_group.h"
#include "solver/joints/joint_threads.h"

// A sweep looks ahead for this many groups of threads at most.
#define SWEEP_MOST_THREADS 16

typedef struct sweep_run {
    tni_solver *solver;
    tni_sweep_phase phase;
} sweep_run;

// ---- the loops --------------------------------------------------------------------------------

typedef struct sweep_plan {
    uint32_t *used; // by body: the last loop that has it, counted from 1
    uint32_t loop;
} sweep_plan;

static bool sweep_may_join(const tni_solver *solver, const sweep_plan *plan,
                           const tni_joint_group *group) {
    bool may_join = true;
    for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
        uint32_t a = group->body_a[lane], b = group->body_b[lane];
        may_join =
            may_join && (plan->used[a] != plan->loop || !solver->bodies.masses[a].is_dynamic);
        may_join =
            may_join && (plan->used[b] != plan->loop || !solver->bodies.masses[b].is_dynamic);
    }
    return may_join;
}

static void sweep_close_loop(tni_solver *solver, sweep_plan *plan) {
    uint32_t begin =
        solver->lanes.loop_count > 0 ? solver->lanes.loop_ends[solver->lanes.loop_count - 1] : 0;
    if (solver->lanes.item_count > begin) {
        solver->lanes.loop_ends[solver->lanes.loop_count++] = solver->lanes.item_count;
    }
    plan->loop += 1;
}

static void sweep_add_groups(tni_solver *solver, sweep_plan *plan, uint32_t first, uint32_t last) {
    for (uint32_t g = first; g < last; ++g) {
        const tni_joint_group *group = &solver->lanes.groups[g];
        if (!sweep_may_join(solver, plan, group)) {
            sweep_close_loop(solver, plan);
        }
        for (uint32_t lane = 0; lane < WIDE_LANES; ++lane) {
            plan->used[group->body_a[lane]] = plan->used[group->body_b[lane]] = plan->loop;
        }
        solver->lanes.items[solver->lanes.item_count++] = (tni_joint_item){g, 0, 0};
    }
}

static void sweep_add_turns(tni_solver *solver, sweep_plan *plan) {
    uint32_t group = 0, single = 0;
    for (uint32_t t = 0; t < solver->lanes.turn_count; ++t) {
        const tni_joint_turn *turn = &solver->lanes.turns[t];
        sweep_add_groups(solver, plan, group, group + turn->group_count);
        sweep_close_loop(solver, plan);
        group += turn->group_count;
        if (turn->single_count > 0) {
            solver->lanes.items[solver->lanes.item_count++] =
                (tni_joint_item){TNI_NONE, single, turn->single_count};
            sweep_close_loop(solver, plan);
        }
        single += turn->single_count;
        for (uint32_t p = turn->part; p < solver->joint_parts.count; ++p) {
            solver->joint_parts.ends[p] = solver->lanes.item_count;
        }
    }
}

bool tni_joint_items_make(tni_solver *solver, tni_arena *arena, tni_arena *scratch) {
    size_t most = (size_t)solver->lanes.group_count + solver->lanes.turn_count;
    solver->lanes.items = tni_arena_alloc(arena, most * sizeof *solver->lanes.items);
    solver->lanes.loop_ends = tni_arena_alloc(arena, most * sizeof *solver->lanes.loop_ends);
    sweep_plan plan = {
        .used = tni_arena_alloc_zeroed(scratch, solver->bodies.count * sizeof *plan.used),
        .loop = 1};
    if (solver->lanes.items == NULL || solver->lanes.loop_ends == NULL || plan.used == NULL) {
        return false;
    }
    sweep_add_turns(solver, &plan);
    return true;
}

// ---- one group --------------------------------------------------------------------------------

static void sweep_general(const sweep_run *run, uint32_t index) {
    const tni_solver *solver = run->solver;
    tni_joint_group *group = &solver->lanes.groups[index];
    const tni_joint_group_rest *rest = &solver->lanes.rests[index];
    bool avx2 = solver->uses_avx2, is_first = run->phase == TNI_SWEEP_WARM_FIRST;
    bool is_start = is_first || run->phase == TNI_SWEEP_WARM_SECOND;
    bool use_bias = run->phase == TNI_SWEEP_SOLVE;
    if (is_start) {
        WIDE_CALL(avx2, tni_joint_group_warm_start, solver, group, rest->angles, is_first);
    } else {
        WIDE_CALL(avx2, tni_joint_group_solve, solver, group, rest->angles,
                  solver->settings.joint_softness, use_bias);
    }
}

// Returns how many groups of threads there are from this one on, whose records follow each other
// too.
static uint32_t sweep_count_threads(const tni_solver *solver, uint32_t first, uint32_t last) {
    if (solver->lanes.threads_count == 0 || solver->lanes.rests[first].threads == NULL) {
        return 0;
    }
    const tni_joint_threads *threads = solver->lanes.rests[first].threads;
    uint32_t left = (uint32_t)(solver->lanes.threads + solver->lanes.threads_count - threads),
             count = 1;
    uint32_t most = last - first < left ? last - first : left;
    most = most < SWEEP_MOST_THREADS ? most : SWEEP_MOST_THREADS;
    while (count < most && threads[count].group == &solver->lanes.groups[first + count]) {
        ++count;
    }
    return count;
}

static void sweep_threads(const sweep_run *run, uint32_t first, uint32_t count) {
    const tni_solver *solver = run->solver;
    tni_joint_threads *threads = solver->lanes.rests[first].threads;
    bool avx2 = solver->uses_avx2, is_first = run->phase == TNI_SWEEP_WARM_FIRST;
    if (is_first || run->phase == TNI_SWEEP_WARM_SECOND) {
        WIDE_CALL(avx2, tni_joint_threads_warm_start, solver, threads, count, is_first);
    } else {
        bool use_bias = run->phase == TNI_SWEEP_SOLVE;
        WIDE_CALL(avx2, tni_joint_threads_solve, solver, threads, count, use_bias);
    }
}

// Sweeps the groups from `first` to before `last`.
static void sweep_groups(const sweep_run *run, uint32_t first, uint32_t last) {
    const tni_solver *solver = run->solver;
    while (first < last) {
        uint32_t threads = sweep_count_threads(solver, first, last);
        if (threads > 0) {
            sweep_threads(run, first, threads);
            first += threads;
        } else {
            sweep_general(run, first++);
        }
    }
}

void tni_joint_groups_sweep(tni_solver *solver, tni_sweep_phase phase, uint32_t first,
                            uint32_t last) {
    sweep_run run = {solver, phase};
    sweep_groups(&run, first, last);
}

// ---- all --------------------------------------------------------------------------------------

static void sweep_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const sweep_run *run = context;
    tni_solver *solver = run->solver;
    bool is_start = run->phase == TNI_SWEEP_WARM_FIRST || run->phase == TNI_SWEEP_WARM_SECOND;
    while (first < last) {
        const tni_joint_item *item = &solver->lanes.items[first];
        uint32_t end = first + 1;
        if (item->group != TNI_NONE) {
            while (end < last &&
                   solver->lanes.items[end].group == solver->lanes.items[end - 1].group + 1) {
                ++end;
            }
            sweep_groups(run, item->group, item->group + (end - first));
        }
        // Without groups the blocks start in a pass of their own.
        for (uint32_t i = 0; i < item->single_count && !is_start; ++i) {
            tni_joint_blocks_solve(solver, solver->lanes.singles[item->first_single + i], 1,
                                   run->phase == TNI_SWEEP_SOLVE);
        }
        first = end;
    }
}

static void sweep_start(tni_solver *solver, tni_sweep_phase phase) {
    sweep_run run = {solver, phase};
    if (solver->joint_parts.count > 1) {
        tni_tasks_run_spans(solver->tasks, sweep_range, solver->joint_parts.ends,
                            solver->joint_parts.count, &run);
        return;
    }
    tni_tasks_run_chain(solver->tasks, sweep_range, solver->lanes.loop_ends,
                        solver->lanes.loop_count, JOINT_GROUP_MIN_RANGE, &run);
}

void tni_joint_groups_solve(tni_solver *solver, bool use_bias) {
    sweep_start(solver, use_bias ? TNI_SWEEP_SOLVE : TNI_SWEEP_RELAX);
}

// Starts all groups. Those of conjugate gradients come behind, one after the other: they stand in
// no loop.
void tni_joint_groups_warm_start(tni_solver *solver, bool is_first_half) {
    sweep_run run = {solver, is_first_half ? TNI_SWEEP_WARM_FIRST : TNI_SWEEP_WARM_SECOND};
    sweep_start(solver, run.phase);
    uint32_t swept = 0;
    for (uint32_t t = 0; t < solver->lanes.turn_count; ++t) {
        swept += solver->lanes.turns[t].group_count;
    }
    sweep_groups(&run, swept, solver->lanes.group_count);
}
