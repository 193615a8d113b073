// world/kept_bodies.c: see world/kept_bodies.h. Test: tests/world/test_kept_bodies.c
#include "world/kept_bodies.h"

#include <string.h>

#include "solver/integrate.h"
#include "world/joint_plan.h"

// Steps without a change before them.
#define KEPT_QUIET_STEPS 2
// Of a machine: of worlds with more than these nothing is kept. Bodies count that no joint has.
#define KEPT_MACHINE_JOINTS 64
#define KEPT_MACHINE_BODIES 256

// What is of bodies, from one solver to another.
static void kept_copy(const tni_solver *from, tni_solver *to) {
    to->states = from->states;
    to->motions = from->motions;
    to->masses = from->masses;
    to->pulls = from->pulls;
    to->kinds = from->kinds;
    to->is_free = from->is_free;
    to->has_added_inertia = from->has_added_inertia;
    to->knows_added = from->knows_added;
    to->batch_bodies = from->batch_bodies;
    to->batches = from->batches;
}

static void kept_copy_counts(const tni_solver *from, tni_solver *to) {
    to->batch_count = from->batch_count;
    to->held_count = from->held_count;
    to->part_count = from->part_count;
    to->part_batch_ends[0] = from->part_batch_ends[0];
    to->turns_inertia = from->turns_inertia;
}

// Joints that are all swept one by one.
static bool kept_is_machine(const tni_solver *joints, uint32_t body_count) {
    return joints->group_count == 0 && joints->gradients_count == 0 &&
           joints->joint_count <= KEPT_MACHINE_JOINTS && body_count <= KEPT_MACHINE_BODIES;
}

bool tni_kept_bodies_make(tn_world *world, const tni_solver *solver, tni_joint_plan *plan) {
    tni_arena *arena = &world->joint_arena;
    tni_kept_bodies *kept = &plan->bodies;
    tni_solver *arrays = &kept->arrays;
    size_t batches = tni_integrate_count_batches(plan->body_count) + 1;
    if (solver->mechanism_count > 0) {
        return true; // the records round their velocities
    }
    if (solver->strip_count == 0 && !kept_is_machine(solver, plan->body_count)) {
        return true;
    }
    kept->infinite_inertia = tni_inertia_infinite();
    arrays->batch_bodies = tni_arena_alloc(arena, batches * sizeof *arrays->batch_bodies);
    arrays->batches = tni_arena_alloc(arena, batches);
    return tni_step_allocate_bodies(arena, plan->body_count, arrays, &kept->body_of) &&
           arrays->batch_bodies != NULL && arrays->batches != NULL;
}

// A step begins without added inertia.
static void kept_forget_added(const tni_joint_plan *plan, tni_solver *solver) {
    uint32_t count = plan->body_count;
    memset(solver->has_added_inertia, 0, count * sizeof *solver->has_added_inertia);
    bool has_one = memchr(solver->knows_added, true, count) != NULL;
    for (uint32_t i = 0; i < count && has_one; ++i) {
        if (solver->knows_added[i]) {
            tni_body_refresh_inertia(solver, i);
            solver->knows_added[i] = false;
        }
    }
}

bool tni_kept_bodies_take(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    tni_joint_plan *plan = step->has_kept_joints ? world->joint_plan : NULL;
    if (plan == NULL || plan->bodies.arrays.states == NULL) {
        return false;
    }
    tni_kept_bodies *kept = &plan->bodies;
    kept_copy(&kept->arrays, solver);
    step->body_of = kept->body_of;
    step->infinite_inertia = &kept->infinite_inertia;
    solver->keeps_bodies = true;
    solver->has_kept_bodies = kept->are_whole && world->quiet_steps >= KEPT_QUIET_STEPS &&
                              world->def.dynamics == TN_DYNAMICS_SECOND_ORDER &&
                              world->force_list.count == 0;
    solver->has_kept_rows = solver->has_kept_bodies && plan->joints.strip_count == 0 &&
                            plan->joints.machine_count == 0; // caps stand in their rows
    kept->are_whole = false;
    kept_forget_added(plan, solver);
    return true;
}

bool tni_kept_bodies_take_batches(const tni_step *step, tni_solver *solver) {
    const tni_kept_bodies *kept = &step->plan->bodies;
    solver->batch_bodies = kept->arrays.batch_bodies;
    solver->batches = kept->arrays.batches;
    if (solver->has_kept_bodies) {
        kept_copy_counts(&kept->arrays, solver);
    }
    return solver->has_kept_bodies;
}

// Of a machine whose bodies had inertia added the states have that too.
static bool kept_is_as_gathered(const tni_solver *solver) {
    return solver->uses_strips ||
           (solver->strip_count == 0 && solver->contact_count == 0 && !solver->was_stiffened);
}

void tni_kept_bodies_note(tni_step *step) {
    const tni_solver *solver = &step->solver;
    if (solver->keeps_bodies && kept_is_as_gathered(solver)) {
        tni_kept_bodies *kept = &step->plan->bodies;
        kept_copy_counts(solver, &kept->arrays);
        kept->are_whole = true;
    }
}
