// world/mechanisms/mechanism_heaps.c: decides which mechanisms alternate between sweeps and exact
// joints.
//
// Contacts through the joints cost a solve for each row that pushes, and one mechanism on another
// asks for many sweeps. So mechanisms that touch each other, directly or over loose bodies between
// them, are one heap with one price, and if that is too high they alternate
// (solver/exact/mechanism_alternate.c): a pile pays for itself and not the crane beside it. The
// price is counted in numbers, not in time, and a mechanism that has begun to alternate goes on for
// a while, so that none changes its method with every step. Sweeps hold bodies of like masses well
// enough; a mechanism of uneven masses does not alternate.
// Test: tests/world/mechanisms/test_mechanism_piles.c
#include <string.h>

#include "core/union_find.h"

#include "solver/touches/touch.h"

#include "world/step/step_mechanisms.h"

static void heaps_join(const tni_solver *solver, tni_mechanism_plan *plan) {
    memcpy(plan->heaps, plan->roots, solver->bodies.count * sizeof(uint32_t));
    for (uint32_t i = 0; i < solver->contacts.own_count; ++i) {
        const tni_contact_record *record = &solver->contacts.records[i];
        if (tni_mechanism_moves(solver, record->body_a) &&
            tni_mechanism_moves(solver, record->body_b)) {
            union_find_join(plan->heaps, record->body_a, record->body_b);
        }
    }
}

// Sums the prices, taking each mechanism once, by its first joint.
static void heaps_sum_prices(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total,
                             bool *is_counted) {
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        uint32_t root = tni_mechanism_plan_root(solver, plan, block);
        if (block->is_projected && !is_counted[root]) {
            is_counted[root] = true;
            plan->prices[union_find_root(plan->heaps, root)] +=
                (uint64_t)plan->contacts[root] * TNI_TOUCH_ROWS * 6 * plan->bodies[root];
        }
    }
}

static void heaps_find_uneven(const tni_solver *solver, const tni_mechanism_plan *plan,
                              uint32_t total, bool *is_uneven) {
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        if (tni_mechanism_get_mass_ratio(solver, block) > TNI_CHOICE_MASS_RATIO) {
            is_uneven[tni_mechanism_plan_root(solver, plan, block)] = true;
        }
    }
}

// Keeps a joint alternating for a while. A heap that is too dear alternates if somebody asked for
// exact joints: AUTO leaves a mechanism with many contacts before.
static void heaps_count_down(const tni_mechanism_plan *plan, uint32_t root, bool is_chosen,
                             tni_joint *joint) {
    uint64_t price = plan->prices[union_find_root(plan->heaps, root)];
    uint64_t most = TNI_MECHANISM_MOST_COLUMNS / (joint->alternation > 0 ? 2 : 1);
    if (plan->presses[root] || (price > most && !is_chosen)) {
        joint->alternation = TNI_MECHANISM_ALTERNATION;
    } else if (joint->alternation > 0) {
        joint->alternation -= 1;
    }
}

// Forgets a joint's impulses from while its mechanism was solved at once: the rows of a taut net
// then share a load almost without bound, which is no start for sweeps.
static void heaps_forget(const tni_solver *solver, const tni_joint_block *block) {
    for (uint32_t r = 0; r < block->row_count; ++r) {
        solver->joints.row_states[block->first_row + r].impulse = 0.0f;
    }
}

static bool heaps_have_any(const tn_world *world, const tni_solver *solver, uint32_t total) {
    bool any = solver->contacts.own_count > 0;
    for (uint32_t i = 0; i < total && !any; ++i) {
        any = tni_joint_at(world, solver->joints.blocks[i].world_joint)->alternation > 0;
    }
    return any;
}

bool tni_mechanism_plan_alternate(tn_world *world, const tni_solver *solver,
                                  tni_mechanism_plan *plan, uint32_t total) {
    if (!heaps_have_any(world, solver, total)) {
        return true;
    }
    bool *is_counted = tni_arena_alloc_zeroed(&world->arena, solver->bodies.count * sizeof(bool));
    bool *is_uneven = tni_arena_alloc_zeroed(&world->arena, solver->bodies.count * sizeof(bool));
    if (is_counted == NULL || is_uneven == NULL ||
        !tni_mechanism_plan_find_pressing(world, solver, plan, total)) {
        return false;
    }
    heaps_join(solver, plan);
    heaps_sum_prices(solver, plan, total, is_counted);
    heaps_find_uneven(solver, plan, total, is_uneven);
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        tni_joint *joint = tni_joint_at(world, block->world_joint);
        uint32_t root = tni_mechanism_plan_root(solver, plan, block);
        if (!block->is_projected || is_uneven[root]) {
            joint->alternation = 0;
            continue;
        }
        bool has_begun = joint->alternation > 0;
        heaps_count_down(plan, root, tni_mechanism_is_chosen(world, joint), joint);
        if (!has_begun && joint->alternation > 0) {
            heaps_forget(solver, block);
        }
        plan->alternates[root] |= joint->alternation > 0;
    }
    return true;
}
