// world/mechanism_groups.c: which joints are solved exactly, and which of them belong together.
//
// Joints that ask for it and tie something that moves are exact. Union-find over the bodies they
// tie makes mechanisms, numbered by their first joint. A mechanism that something hangs on which
// only Gauss-Seidel does, or that touches very much, is barred: Gauss-Seidel moves it.
// Test: tests/world/test_mechanisms.c
#include "solver/touch.h"
#include "world/step_mechanisms.h"

// m or rad: Gauss-Seidel, which gives way, brings joints together that are farther apart.
#define GROUPS_FARTHEST 0.1

static bool groups_wants_exact(const tn_world *world, const tni_joint *joint) {
    // A method that is there to be compared may drift as far as it does.
    bool may_drift = tni_method_is_compared(world->def.integrator);
    bool is_far = joint->linear_error > GROUPS_FARTHEST || joint->angular_error > GROUPS_FARTHEST;
    if (joint->exact_pause > 0 || (is_far && !may_drift)) {
        return false;
    }
    tn_solver solver = joint->def.base.solver;
    solver = solver == TN_SOLVER_AUTO ? world->def.solver : solver;
    return solver == TN_SOLVER_DIRECT;
}

static uint32_t groups_find(uint32_t *roots, uint32_t i) {
    while (roots[i] != i) {
        roots[i] = roots[roots[i]];
        i = roots[i];
    }
    return i;
}

bool tni_mechanism_plan_allocate(tn_world *world, const tni_solver *solver,
                                 tni_mechanism_plan *plan) {
    tni_arena *arena = &world->arena;
    uint32_t bodies = solver->body_count, joints = solver->joint_count;
    plan->roots = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->group_of = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->joints = tni_arena_alloc(arena, joints * sizeof(uint32_t));
    plan->first = tni_arena_alloc_zeroed(arena, (joints + 2) * sizeof(uint32_t));
    plan->local_of = tni_arena_alloc(arena, bodies * sizeof(uint32_t));
    plan->stamp = tni_arena_alloc_zeroed(arena, bodies * sizeof(uint32_t));
    plan->is_barred = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    return plan->roots != NULL && plan->group_of != NULL && plan->joints != NULL &&
           plan->first != NULL && plan->local_of != NULL && plan->stamp != NULL &&
           plan->is_barred != NULL;
}

static bool groups_has_frequencies(const tni_joint *joint) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_body_motion still = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    tni_row_count count = tni_joint_count_rows(joint);
    if (count.rows == count.equalities) {
        return false;
    }
    tni_joint_emit(joint, &still, &still, rows);
    for (uint32_t r = count.equalities; r < count.rows; ++r) {
        if (rows[r].kind == TNI_ROW_FREQUENCY) {
            return true;
        }
    }
    return false;
}

void tni_mechanism_plan_mark(const tn_world *world, tni_solver *solver) {
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        tni_joint_block *block = &solver->joints[i];
        block->is_projected =
            block->row_count > 0 && groups_wants_exact(world, block->joint) &&
            !(block->equality_count == 0 && groups_has_frequencies(block->joint)) &&
            (tni_mechanism_moves(solver, block->body_a) ||
             tni_mechanism_moves(solver, block->body_b));
    }
}

// A body of every joint, one that moves.
static uint32_t groups_anchor(const tni_solver *solver, const tni_joint_block *block) {
    return tni_mechanism_moves(solver, block->body_a) ? block->body_a : block->body_b;
}

void tni_mechanism_plan_join(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total) {
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        plan->roots[i] = i;
        plan->group_of[i] = TNI_NONE;
    }
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (block->is_projected && tni_mechanism_moves(solver, block->body_a) &&
            tni_mechanism_moves(solver, block->body_b)) {
            uint32_t a = groups_find(plan->roots, block->body_a);
            uint32_t b = groups_find(plan->roots, block->body_b);
            plan->roots[a > b ? a : b] = a > b ? b : a;
        }
    }
}

// Bars what touches so much that its contacts would cost too much through the joints.
static void groups_bar_crowded(const tni_solver *solver, tni_mechanism_plan *plan) {
    uint32_t *bodies = plan->local_of, *contacts = plan->stamp; // by root; free until later
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        bodies[i] = contacts[i] = 0;
    }
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        bodies[groups_find(plan->roots, i)] += 1;
    }
    for (uint32_t i = 0; i < solver->contact_count; ++i) {
        const tni_contact_record *record = &solver->contact_records[i];
        contacts[groups_find(plan->roots, record->body_a)] += 1;
        contacts[groups_find(plan->roots, record->body_b)] += 1;
    }
    for (uint32_t i = 0; i < solver->body_count; ++i) {
        size_t columns = (size_t)contacts[i] * TNI_TOUCH_ROWS * 6 * bodies[i];
        plan->is_barred[i] |= columns > TNI_MECHANISM_MOST_COLUMNS;
        contacts[i] = 0;
    }
}

void tni_mechanism_plan_bar(tni_solver *solver, tni_mechanism_plan *plan, uint32_t total) {
    groups_bar_crowded(solver, plan);
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (!block->is_projected || groups_has_frequencies(block->joint)) {
            plan->is_barred[groups_find(plan->roots, block->body_a)] = true;
            plan->is_barred[groups_find(plan->roots, block->body_b)] = true;
        }
    }
    for (uint32_t i = 0; i < total; ++i) {
        tni_joint_block *block = &solver->joints[i];
        uint32_t root = groups_find(plan->roots, groups_anchor(solver, block));
        block->is_exact = block->is_projected && !plan->is_barred[root];
    }
}

void tni_mechanism_plan_number(const tni_solver *solver, tni_mechanism_plan *plan, uint32_t total) {
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (!block->is_projected) {
            continue;
        }
        uint32_t root = groups_find(plan->roots, groups_anchor(solver, block));
        if (plan->group_of[root] == TNI_NONE) {
            plan->group_of[root] = plan->group_count++;
        }
        plan->first[plan->group_of[root] + 2] += 1;
    }
    for (uint32_t g = 0; g < plan->group_count; ++g) {
        plan->first[g + 2] += plan->first[g + 1];
    }
    for (uint32_t i = 0; i < total; ++i) {
        const tni_joint_block *block = &solver->joints[i];
        if (block->is_projected) {
            uint32_t root = groups_find(plan->roots, groups_anchor(solver, block));
            plan->joints[plan->first[plan->group_of[root] + 1]++] = i;
        }
    }
}
