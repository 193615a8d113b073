// world/step/step_mechanisms.c: gathers the joints that are solved exactly into mechanisms.
//
// A mechanism is the set of exact joints that moving bodies tie together. Its composition (bodies,
// joints, the pattern of its matrix) is kept in the world; every step fills in the numbers.
//
//     what TN_SOLVER_AUTO chose before      mechanism_choice.c
//     which joints, and which together      mechanism_groups.c
//     which of them alternate               mechanism_heaps.c
//     composition                           mechanism_records.c
//     numbers in                            mechanism_fill.c
//     contacts                              mechanism_contacts.c, mechanism_wedged.c
//     information about the last step       mechanism_notes.c
// Test: tests/world/mechanisms/test_mechanisms.c
#include "world/step/step_mechanisms.h"
#include "solver/exact/mechanism_span.h"

// Moves the blocks of mechanisms to the end, and keeps the order of both parts.
static bool mechanisms_sort_blocks(tn_world *world, tni_solver *solver) {
    uint32_t count = solver->joints.count, kept = 0, moved = 0;
    tni_joint_block *sorted = tni_arena_alloc(&world->joint_arena, count * sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        moved += solver->joints.blocks[i].is_exact ? 1 : 0;
    }
    solver->joints.exact_count = moved;
    solver->joints.count = count - moved;
    moved = solver->joints.count;
    for (uint32_t i = 0; i < count; ++i) {
        sorted[solver->joints.blocks[i].is_exact ? moved++ : kept++] = solver->joints.blocks[i];
    }
    solver->joints.blocks = sorted;
    return true;
}

// The share of an error that sweeps remove in a substep if a mechanism alternates. Its joints are
// closed otherwise: this is for passed limits, which shake a pile at a larger share.
#define MECHANISMS_BETA 0.02f

// Makes the group's joints rigid: they are closed when sweeps begin, and soft rows need an error.
static void mechanisms_stiffen(tni_solver *solver, const tni_mechanism_plan *plan, uint32_t group) {
    for (uint32_t k = plan->first[group]; k < plan->first[group + 1]; ++k) {
        tni_softness rigid = {MECHANISMS_BETA * solver->inv_h, 1.0f, 0.0f};
        solver->joints.blocks[plan->joints[k]].softness = rigid;
    }
}

static bool mechanisms_gather_one(tn_world *world, tni_solver *solver, tni_mechanism_plan *plan,
                                  uint32_t group, tni_mechanism_cast *cast) {
    tni_mechanism_record *record = &world->mechanisms[group];
    tni_mechanism_find_cast(solver, plan, group, cast);
    if (!plan->is_arranged && !tni_mechanism_record_stands(world, group, cast->signature)) {
        tni_mechanism_records_arrange(world, solver, plan, group, cast);
        tni_mechanism_find_cast(solver, plan, group, cast);
    }
    if (!tni_mechanism_record_place(world, solver, plan, group, cast, group) ||
        !tni_mechanism_fill(world, solver, plan, group, cast, record)) {
        return false;
    }
    solver->exact.mechanisms[group] = &record->mechanism;
    const tni_joint_block *block = &solver->joints.blocks[plan->joints[plan->first[group]]];
    record->mechanism.traits.is_coupled = !block->is_exact;
    for (uint32_t s = 0; s < record->mechanism.spans.count; ++s) {
        tni_span *span = record->mechanism.spans.spans[s].span;
        span->is_exact = block->is_exact;
        record->mechanism.traits.may_break =
            record->mechanism.traits.may_break || span->load != NULL;
    }
    record->mechanism.traits.alternates = cast->alternates;
    if (cast->alternates) {
        mechanisms_stiffen(solver, plan, group);
    }
    for (uint32_t i = 0; i < cast->moving; ++i) {
        solver->bodies.is_exact[cast->bodies[i]] = block->is_exact;
    }
    return true;
}

bool tni_step_gather_mechanisms(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    tni_mechanism_plan plan = {.group_count = 0};
    tni_mechanism_cast cast = {.count = 0};
    uint32_t total = solver->joints.count;
    if (!tni_mechanism_plan_mark(world, solver)) {
        return true;
    }
    cast.bodies = tni_arena_alloc(&world->arena, solver->bodies.count * sizeof(uint32_t));
    if (cast.bodies == NULL || !tni_mechanism_plan_allocate(world, solver, &plan)) {
        return false;
    }
    tni_mechanism_plan_join(solver, &plan, total);
    if (!tni_mechanism_plan_bar(world, solver, &plan, total) ||
        !mechanisms_sort_blocks(world, solver)) {
        return false;
    }
    tni_mechanism_plan_number(solver, &plan, total);
    solver->exact.mechanisms =
        tni_arena_alloc(&world->joint_arena, plan.group_count * sizeof *solver->exact.mechanisms);
    if (solver->exact.mechanisms == NULL ||
        !tni_mechanism_records_reserve(world, plan.group_count)) {
        return false;
    }
    for (uint32_t g = 0; g < plan.group_count; ++g) {
        if (!mechanisms_gather_one(world, solver, &plan, g, &cast)) {
            return false;
        }
    }
    solver->exact.count = plan.group_count;
    return tni_mechanism_contacts_gather(world, solver);
}

// Returns whether limits may rest or wake, which would change the matrix from step to step.
static bool mechanisms_has_resting_limits(const tni_mechanism *mechanism) {
    bool has_some = false;
    for (uint32_t k = 0; k < mechanism->joint_count && !has_some; ++k) {
        has_some = tni_mechanism_limits_may_rest(&mechanism->joints[k]);
    }
    return has_some;
}

bool tni_step_may_keep_mechanisms(const tni_solver *solver) {
    bool may_keep =
        solver->joints.count == 0 && solver->gradients.count == 0 && solver->contacts.count == 0;
    for (uint32_t i = 0; i < solver->exact.count && may_keep; ++i) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[i];
        may_keep = !mechanism->traits.is_coupled && !mechanism->traits.may_break &&
                   !mechanisms_has_resting_limits(mechanism);
    }
    return may_keep;
}

void tni_step_refill_mechanisms(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        tni_mechanism_refill(solver, mechanism);
        for (uint32_t k = 0; k < mechanism->moving_count; ++k) {
            solver->bodies.is_exact[mechanism->bodies[k].solver_body] = true;
        }
    }
}
