// solver/step/part_alone.c: parts of joints that go through all substeps by themselves.
//
// Machines and dolls that touch nothing need nothing from each other, and parts of them
// (solver/joints/joint_part.c) share no body that moves. So each part goes through all substeps of
// a step before it meets another: its numbers stay in one worker's cache, and workers wait once in
// a step and not at the end of every loop over bodies, joints and sweeps. On one thread, too, a
// part is done with before the next one begins.
//
// A part is a solver of its own for its groups, single blocks and bodies, in the same arrays, as
// clusters of contacts are (solver/step/cluster.c). Bodies that do not move are read by all of them
// and written by none; their places in float are found before. This serves worlds without
// mechanisms and ledger, in which no joint is held by a body that moves without giving way. The
// sums are those of solver/step/substep.c over all, in the same order. Test:
// tests/world/step/test_joint_parts.c
#include "solver/joints/joint_group.h"

bool tni_joint_parts_go_alone(const tni_solver *solver) {
    return solver->joint_parts.follow_contacts && solver->contacts.own_count == 0 &&
           solver->breaking.count == 0;
}

bool tni_joint_parts_suit(const tni_solver *solver) {
    return solver->joint_parts.count > 1 && solver->exact.count == 0 &&
           solver->gradients.count == 0 && !solver->ledger.measures_work &&
           tni_solver_has_only_pairs(solver);
}

bool tni_joint_parts_make_solvers(tni_solver *solver, tni_arena *arena) {
    if (!tni_joint_parts_suit(solver)) {
        return true;
    }
    solver->joint_parts.solvers =
        tni_arena_alloc(arena, solver->joint_parts.count * sizeof *solver->joint_parts.solvers);
    return solver->joint_parts.solvers != NULL;
}

static void alone_take_joints(const tni_solver *all, uint32_t p, tni_solver *its) {
    const tni_joint_part *part = &all->joint_parts.parts[p];
    uint32_t first_item = p > 0 ? all->joint_parts.ends[p - 1] : 0;
    its->lanes.group_count = part->group_count;
    its->lanes.groups += part->first_group;
    its->lanes.rests += part->first_group;
    its->lanes.single_count = part->single_count;
    its->lanes.singles += part->first_single;
    its->lanes.turn_count = part->turn_count;
    its->lanes.turns += part->first_turn;
    its->lanes.item_count = all->joint_parts.ends[p] - first_item;
    its->lanes.items = all->joint_parts.items + first_item;
    its->lanes.place_count = part->place_count;
    its->lanes.place_bodies += part->first_place;
}

static void alone_take_bodies(const tni_solver *all, uint32_t p, tni_solver *its) {
    uint32_t first = p > 0 ? all->joint_parts.batch_ends[p - 1] : 0;
    its->batches.count = all->joint_parts.batch_ends[p] - first;
    its->batches.bodies += first;
    its->batches.kinds += first;
    its->bodies.held_count = INTEGRATE_LANES * its->batches.count;
}

// Returns the solver of part p. On one thread items are one loop.
tni_solver *tni_joint_part_take(const tni_solver *all, uint32_t p) {
    tni_solver *its = &all->joint_parts.solvers[p];
    *its = *all;
    its->is_part = true;
    its->tasks = NULL;
    its->joint_parts.solvers = NULL;
    its->joint_parts.follow_contacts = false;
    its->batches.part_count = 0;
    its->joint_parts.count = 1;
    alone_take_joints(all, p, its);
    alone_take_bodies(all, p, its);
    its->lanes.loop_count = 1;
    its->lanes.loop_ends = &its->lanes.item_count;
    return its;
}

static void alone_run_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const tni_solver *all = context;
    for (uint32_t p = first; p < last; ++p) {
        tni_solver_run_held(tni_joint_part_take(all, p));
    }
}

// Finds the places of bodies that do not move.
void tni_joint_parts_open(tni_solver *solver) {
    tni_solver fixed = *solver;
    fixed.lanes.place_count = solver->joint_parts.parts[0].first_place;
    tni_joint_groups_place(&fixed);
}

void tni_joint_parts_run_alone(tni_solver *solver) {
    tni_joint_parts_open(solver);
    tni_tasks_run(solver->tasks, alone_run_range, solver->joint_parts.count, 1, solver);
}
