// world/joint_plan.c: the joints of a step kept for the next one. See world/joint_plan.h.
#include "world/joint_plan.h"

#include <string.h>

#include "core/union_find.h"

static bool plan_biases_are_equal(const tn_bias *p, const tn_bias *q) {
    return p->mode == q->mode && p->hertz == q->hertz && p->damping_ratio == q->damping_ratio &&
           p->beta == q->beta && p->slop == q->slop && p->max_speed == q->max_speed;
}

// Of the settings those that a plan depends on.
static bool plan_fits(const tn_world *world, const tni_solver *solver, const tni_joint_plan *plan) {
    const tn_world_def *now = &world->def, *then = &plan->def;
    return plan->joints.dh == solver->dh && now->solver == then->solver &&
           now->enable_energy_ledger == then->enable_energy_ledger &&
           now->joint_iterations == then->joint_iterations &&
           plan_biases_are_equal(&now->joint_bias, &then->joint_bias);
}

bool tni_joint_plan_is_kept(tn_world *world, const tni_solver *solver) {
    if (world->joint_plan != NULL && !plan_fits(world, solver, world->joint_plan)) {
        tni_joint_plan_drop(world);
    }
    if (world->joint_plan == NULL) {
        tni_arena_reset(&world->joint_arena);
    }
    return world->joint_plan != NULL;
}

// What is of joints, from one solver to another.
static void plan_copy(const tni_solver *from, tni_solver *to) {
    to->dh = from->dh;
    to->swept_count = from->swept_count;
    to->joint_count = from->joint_count;
    to->row_count = from->row_count;
    to->bounded_count = from->bounded_count;
    to->joints = from->joints;
    to->rows = from->rows;
    to->row_states = from->row_states;
    to->bounded_rows = from->bounded_rows;
    to->motor_work = from->motor_work;
    to->group_count = from->group_count;
    to->single_count = from->single_count;
    to->turn_count = from->turn_count;
    to->groups = from->groups;
    to->group_rests = from->group_rests;
    to->singles = from->singles;
    to->turns = from->turns;
    to->place_count = from->place_count;
    to->place_bodies = from->place_bodies;
    to->places = from->places;
    to->joint_softness = from->joint_softness;
    to->joint_iterations = from->joint_iterations;
}

void tni_joint_plan_take(tn_world *world, tni_step *step) {
    tni_joint_plan *plan = world->joint_plan;
    plan_copy(&plan->joints, &step->solver);
    step->has_mechanisms = plan->has_mechanisms;
    step->plan = plan;
    for (uint32_t i = 0; i < plan->fixed_count; ++i) {
        world->bodies[plan->fixed_bodies[i]].solver_index = TNI_NONE;
        tni_step_add_fixed_body(world, step, plan->fixed_bodies[i]);
    }
    TN_ASSERT(step->solver.body_count == plan->body_count);
}

// ---- making -----------------------------------------------------------------------------------

// Exact mechanisms, and joints that wait to be solved otherwise, ask the records in every step.
static bool plan_may_be_kept(const tni_solver *solver) {
    bool is_settled = solver->joint_count > 0 && solver->mechanism_count == 0 &&
                      solver->gradients_count == 0 && !solver->measures_work;
    for (uint32_t i = 0; i < solver->joint_count && is_settled; ++i) {
        is_settled = solver->joints[i].joint->exact_pause == 0;
    }
    return is_settled;
}

static bool plan_allocate(tn_world *world, tni_joint_plan *plan) {
    tni_arena *arena = &world->joint_arena;
    size_t bodies = plan->body_count, fixed = bodies - 1 - world->awake_bodies.count;
    plan->fixed_count = (uint32_t)fixed;
    plan->fixed_bodies = tni_arena_alloc(arena, fixed * sizeof *plan->fixed_bodies);
    plan->islands = tni_arena_alloc(arena, bodies * sizeof *plan->islands);
    plan->is_held = tni_arena_alloc_zeroed(arena, bodies * sizeof *plan->is_held);
    return plan->fixed_bodies != NULL && plan->islands != NULL && plan->is_held != NULL;
}

static void plan_tie(const tni_solver *solver, tni_joint_plan *plan) {
    for (uint32_t i = 0; i < plan->body_count; ++i) {
        plan->islands[i] = i;
    }
    for (uint32_t i = 0; i < solver->joint_count; ++i) {
        uint32_t a = solver->joints[i].body_a, b = solver->joints[i].body_b;
        plan->is_held[a] = plan->is_held[b] = true;
        if (solver->masses[a].is_dynamic && solver->masses[b].is_dynamic) {
            union_find_join(plan->islands, a, b);
        }
    }
    for (uint32_t i = 0; i < plan->body_count; ++i) {
        plan->islands[i] = union_find_root(plan->islands, i);
    }
}

bool tni_joint_plan_make(tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    if (!plan_may_be_kept(solver)) {
        return true;
    }
    tni_joint_plan *plan = tni_arena_alloc_zeroed(&world->joint_arena, sizeof *plan);
    if (plan == NULL) {
        return false;
    }
    plan->body_count = step->joint_body_count;
    if (!plan_allocate(world, plan)) {
        return false;
    }
    plan->def = world->def;
    plan->has_mechanisms = step->has_mechanisms;
    memcpy(plan->fixed_bodies, step->body_of + 1 + world->awake_bodies.count,
           plan->fixed_count * sizeof *plan->fixed_bodies);
    plan_copy(solver, &plan->joints);
    plan_tie(solver, plan);
    step->plan = plan;
    return true;
}

// One that did not fit into the arena's block is made once more, in a greater one: a later step
// must not ask for memory.
void tni_joint_plan_commit(tn_world *world, tni_step *step) {
    bool may_stay = !step->drops_plan && world->joint_arena.overflow == NULL;
    if (world->joint_plan != NULL && !may_stay) {
        tni_joint_plan_drop(world);
    }
    world->joint_plan = may_stay ? step->plan : NULL;
}

void tni_joint_plan_drop(tn_world *world) {
    world->joint_plan = NULL;
}
