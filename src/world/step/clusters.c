// world/step/clusters.c: finds the clusters of a step and plans the batches of their bodies.
//
// solver/step/cluster_find.c says which islands make a cluster.
// Test: tests/world/step/test_clusters.c
#include "world/step/clusters.h"

#include "solver/bodies/integrate.h"
#include "solver/joints/joint_group.h"
#include "solver/movers/force.h"
#include "solver/movers/span_contact.h"
#include "world/step/joint_plan.h"

// A world with fewer contacts fits into a cache without clusters.
#define CLUSTERS_LEAST_CONTACTS 512u

static void clusters_block_forces(const tni_step *step, bool *is_blocked) {
    const tni_forces *forces = step->solver.movers.forces;
    for (uint32_t i = 0; forces != NULL && i < forces->body_count; ++i) {
        if (forces->bodies[i].body != TNI_NONE) {
            is_blocked[forces->bodies[i].body] = true;
        }
    }
}

static void clusters_block_joints(const tni_step *step, bool *is_blocked) {
    const tni_solver *solver = &step->solver;
    const tni_joint_plan *plan = step->plan;
    for (uint32_t i = 0; plan != NULL && i < plan->body_count; ++i) {
        is_blocked[i] = plan->is_held[i];
    }
    for (uint32_t i = 0; plan == NULL && i < solver->joints.count; ++i) {
        is_blocked[solver->joints.blocks[i].body_a] = is_blocked[solver->joints.blocks[i].body_b] =
            true;
    }
}

static void clusters_block_span_contacts(const tni_solver *solver, bool *is_blocked) {
    for (uint32_t i = 0; i < solver->movers.span_contact_count; ++i) {
        is_blocked[solver->movers.span_contacts[i].ends[0].body] = true;
        is_blocked[solver->movers.span_contacts[i].ends[1].body] = true;
    }
}

void tni_step_block_bodies(const tni_step *step, bool *is_blocked) {
    clusters_block_joints(step, is_blocked);
    clusters_block_forces(step, is_blocked);
    clusters_block_span_contacts(&step->solver, is_blocked);
}

bool tni_step_find_clusters(tn_world *world, tni_step *step, const tni_cluster_contacts *contacts) {
    tni_cluster_bodies *clusters = &step->clusters;
    size_t bodies = step->solver.bodies.count;
    if (contacts->count < CLUSTERS_LEAST_CONTACTS) {
        return true;
    }
    size_t numbers = (4 + TNI_CLUSTER_SCRATCH) * bodies;
    uint32_t *memory = tni_arena_alloc(&world->arena, numbers * sizeof *memory);
    bool *is_blocked = tni_arena_alloc_zeroed(&world->arena, bodies * sizeof *is_blocked);
    if (memory == NULL || is_blocked == NULL) {
        return false;
    }
    clusters->of = memory;
    clusters->bodies = memory + bodies;
    clusters->body_ends = memory + 2 * bodies;
    tni_step_block_bodies(step, is_blocked);
    clusters->contact_lines = memory + 3 * bodies;
    tni_clusters_find(contacts, (uint32_t)bodies, is_blocked, memory + 4 * bodies, clusters);
    return true;
}

// ---- their bodies -----------------------------------------------------------------------------

// Lists the bodies from `first` to before `last` that rows hold and no cluster has: those that give
// way, those that do not, or both if `gives_way` is null. Returns how many.
static uint32_t clusters_list_others(const tni_step *step, uint32_t first, uint32_t last,
                                     const bool *gives_way, uint32_t *others) {
    const tni_solver *solver = &step->solver;
    const uint32_t *of = step->clusters.of;
    uint32_t count = 0;
    for (uint32_t i = first; i < last; ++i) {
        bool is_wanted = gives_way == NULL || solver->bodies.masses[i].is_dynamic == *gives_way;
        if (is_wanted && !solver->bodies.is_free[i] && (of == NULL || of[i] == TNI_NONE)) {
            others[count++] = i;
        }
    }
    return count;
}

// Fills batches with the bodies, from `first_batch` on. Returns the number of batches.
static uint32_t clusters_plan(tni_solver *solver, const uint32_t *bodies, uint32_t count,
                              uint32_t first_batch, bool *turns_inertia) {
    *turns_inertia |=
        tni_integrate_plan(solver, bodies, count, solver->batches.bodies + first_batch,
                           solver->batches.kinds + first_batch);
    return tni_integrate_count_batches(count);
}

static void clusters_plan_listed(tni_solver *solver, const uint32_t *others, uint32_t count) {
    solver->bodies.held_count += count;
    solver->batches.count +=
        clusters_plan(solver, others, count, solver->batches.count, &solver->bodies.turns_inertia);
}

static void clusters_plan_part(const tni_step *step, tni_solver *solver, uint32_t first,
                               uint32_t last, const bool *gives_way, uint32_t *others) {
    uint32_t count = clusters_list_others(step, first, last, gives_way, others);
    clusters_plan_listed(solver, others, count);
}

// Returns whether some body in the batches from `first` on moves or is awake; others stand still.
static bool clusters_move(const tni_solver *solver, uint32_t first, uint32_t awake) {
    bool move = false;
    for (uint32_t b = first; b < solver->batches.count; ++b) {
        move = move || solver->batches.kinds[b] != TNI_BATCH_NONE;
        for (uint32_t i = 0; i < INTEGRATE_LANES; ++i) {
            uint32_t body = solver->batches.bodies[b].body[i];
            move = move || (body != 0 && body <= awake);
        }
    }
    return move;
}

// Returns whether every part of joints has groups, which its solver requires.
static bool clusters_have_groups(const tni_solver *solver) {
    bool have_groups = true;
    for (uint32_t p = 0; p < solver->joint_parts.count; ++p) {
        have_groups = have_groups && solver->joint_parts.parts[p].group_count > 0;
    }
    return have_groups;
}

// Sorts bodies by their part, keeping their order within it. `ends` is by part.
static void clusters_sort_by_part(const tni_solver *solver, const uint32_t *others, uint32_t count,
                                  uint32_t *sorted, uint32_t *ends) {
    uint32_t next[1 << TNI_PART_MAX_LEVELS] = {0}, end = 0;
    for (uint32_t i = 0; i < count; ++i) {
        next[solver->joint_parts.part_of[others[i]]] += 1;
    }
    for (uint32_t p = 0; p < solver->joint_parts.count; ++p) {
        uint32_t begin = end;
        ends[p] = end += next[p];
        next[p] = begin;
    }
    for (uint32_t i = 0; i < count; ++i) {
        sorted[next[solver->joint_parts.part_of[others[i]]]++] = others[i];
    }
}

// Plans the bodies by parts of joints. The bodies of such a part need not be consecutive.
static void clusters_plan_joint_parts(const tni_step *step, tni_solver *solver, uint32_t awake,
                                      uint32_t *others) {
    const bool gives_way = true, does_not = false;
    uint32_t *sorted = others + solver->bodies.count, ends[1 << TNI_PART_MAX_LEVELS];
    uint32_t all = clusters_list_others(step, 1, solver->bodies.count, &gives_way, others);
    uint32_t joint_parts = solver->joint_parts.count;
    solver->bodies.held_count = solver->batches.count = 0;
    clusters_sort_by_part(solver, others, all, sorted, ends);
    for (uint32_t p = 0; p < joint_parts; ++p) {
        uint32_t first = p > 0 ? ends[p - 1] : 0;
        clusters_plan_listed(solver, sorted + first, ends[p] - first);
        solver->joint_parts.batch_ends[p] = solver->batches.count;
    }
    clusters_plan_part(step, solver, 1, solver->bodies.count, &does_not, others);
    bool drives = clusters_move(solver, solver->joint_parts.batch_ends[joint_parts - 1], awake);
    uint32_t parts = solver->contacts.own_count > 0 ? part_count(&step->parts) : joint_parts;
    for (uint32_t p = 0; p < parts; ++p) {
        solver->batches.part_ends[p] =
            solver->joint_parts.batch_ends[(p + 1) * (joint_parts / parts) - 1];
    }
    solver->batches.part_ends[parts] = solver->batches.count;
    solver->joint_parts.follow_contacts = parts > 1 && !drives && clusters_have_groups(solver);
    bool are_used = solver->contacts.own_count > 0 || solver->joint_parts.follow_contacts;
    solver->batches.part_count = parts > 1 && are_used ? parts : 0;
}

// Drops the batches if mechanisms move all their bodies, so that no pass has anything to do.
static void clusters_forget_idle(tni_solver *solver) {
    for (uint32_t b = 0; b < solver->batches.count; ++b) {
        if (solver->batches.kinds[b] != TNI_BATCH_NONE) {
            return;
        }
    }
    solver->batches.count = 0;
}

// Plans the bodies outside clusters part by part, and then those that do not give way. The last
// part also has the bodies that were added after the parts were found.
static void clusters_plan_others(const tni_step *step, tni_solver *solver, uint32_t awake,
                                 uint32_t *others) {
    uint32_t parts = part_count(&step->parts), first = 1;
    bool follows = solver->contacts.own_count == 0 || step->parts.follows_joints;
    if (solver->joint_parts.solvers != NULL && follows) {
        clusters_plan_joint_parts(step, solver, awake, others);
        return;
    }
    const bool gives_way = true, does_not = false;
    solver->batches.part_count = parts > 1 ? parts : 0;
    solver->bodies.held_count = solver->batches.count = 0;
    if (parts == 1) {
        clusters_plan_part(step, solver, 1, solver->bodies.count, NULL, others);
        clusters_forget_idle(solver);
        return;
    }
    for (uint32_t p = 0; p < parts; ++p) {
        uint32_t last = p + 1 < parts ? step->parts.ends[p] : solver->bodies.count;
        clusters_plan_part(step, solver, first, last, &gives_way, others);
        solver->batches.part_ends[p] = solver->batches.count;
        first = last;
    }
    clusters_plan_part(step, solver, 1, solver->bodies.count, &does_not, others);
    solver->batches.part_ends[parts] = solver->batches.count;
}

bool tni_step_plan_bodies(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    const tni_cluster_bodies *clusters = &step->clusters;
    size_t most = tni_integrate_count_batches(solver->bodies.count) + (size_t)clusters->count +
                  (1u << TNI_PART_MAX_LEVELS) + 1;
    uint32_t *others =
        tni_arena_alloc(&world->arena, 2 * (size_t)solver->bodies.count * sizeof *others);
    solver->batches.bodies = tni_arena_alloc(&world->arena, most * sizeof *solver->batches.bodies);
    solver->batches.kinds = tni_arena_alloc(&world->arena, most);
    if (others == NULL || solver->batches.bodies == NULL || solver->batches.kinds == NULL) {
        return false;
    }
    clusters_plan_others(step, solver, world->awake_bodies.count, others);
    uint32_t next = solver->batches.count, start = 0;
    for (uint32_t c = 0; c < clusters->count; ++c) {
        tni_cluster *cluster = &solver->clusters.clusters[c];
        cluster->bodies = clusters->bodies + start;
        cluster->body_count = clusters->body_ends[c] - start;
        cluster->first_batch = next;
        cluster->batch_count = clusters_plan(solver, cluster->bodies, cluster->body_count, next,
                                             &cluster->turns_inertia);
        next += cluster->batch_count;
        start = clusters->body_ends[c];
    }
    return true;
}
