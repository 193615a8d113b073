// world/clusters.c: the clusters of a step: who may be in one, and their bodies.
//
// Which islands make a cluster is solver/cluster_find.c. Test: tests/world/test_clusters.c
#include "world/clusters.h"

#include "solver/integrate.h"
#include "world/joint_plan.h"
#include "world/kept_bodies.h"

// Contacts of a world that fits into a cache as it is.
#define CLUSTERS_LEAST_CONTACTS 512u

static void clusters_block_joints(const tni_step *step, bool *is_blocked) {
    const tni_solver *solver = &step->solver;
    const tni_joint_plan *plan = step->plan;
    for (uint32_t i = 0; plan != NULL && i < plan->body_count; ++i) {
        is_blocked[i] = plan->is_held[i];
    }
    for (uint32_t i = 0; plan == NULL && i < solver->joint_count; ++i) {
        is_blocked[solver->joints[i].body_a] = is_blocked[solver->joints[i].body_b] = true;
    }
}

// The ledger sums work in the order of the bodies.
bool tni_step_find_clusters(tn_world *world, tni_step *step, const tni_cluster_contacts *contacts) {
    tni_cluster_bodies *clusters = &step->clusters;
    size_t bodies = step->solver.body_count;
    if (contacts->count < CLUSTERS_LEAST_CONTACTS || world->def.enable_energy_ledger) {
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
    clusters_block_joints(step, is_blocked);
    clusters->contact_lines = memory + 3 * bodies;
    tni_clusters_find(contacts, (uint32_t)bodies, is_blocked, memory + 4 * bodies, clusters);
    return true;
}

// ---- their bodies -----------------------------------------------------------------------------

// Those from `first` on, before `last`, that rows hold, without clusters; that give way or do not,
// or both.
static uint32_t clusters_list_others(const tni_step *step, uint32_t first, uint32_t last,
                                     const bool *gives_way, uint32_t *others) {
    const tni_solver *solver = &step->solver;
    const uint32_t *of = step->clusters.of;
    uint32_t count = 0;
    for (uint32_t i = first; i < last; ++i) {
        bool is_wanted = gives_way == NULL || solver->masses[i].is_dynamic == *gives_way;
        if (is_wanted && !solver->is_free[i] && (of == NULL || of[i] == TNI_NONE)) {
            others[count++] = i;
        }
    }
    return count;
}

// Batches of bodies from `first_batch` on. Returns how many.
static uint32_t clusters_plan(tni_solver *solver, const uint32_t *bodies, uint32_t count,
                              uint32_t first_batch, bool *turns_inertia) {
    *turns_inertia |= tni_integrate_plan(solver, bodies, count, solver->batch_bodies + first_batch,
                                         solver->batches + first_batch);
    return tni_integrate_count_batches(count);
}

static void clusters_plan_part(const tni_step *step, tni_solver *solver, uint32_t first,
                               uint32_t last, const bool *gives_way, uint32_t *others) {
    uint32_t count = clusters_list_others(step, first, last, gives_way, others);
    solver->held_count += count;
    solver->batch_count +=
        clusters_plan(solver, others, count, solver->batch_count, &solver->turns_inertia);
}

// Part by part. The last has also what came after the parts were found. Then what does not give
// way.
static void clusters_plan_others(const tni_step *step, tni_solver *solver, uint32_t *others) {
    uint32_t parts = part_count(&step->parts), first = 1;
    const bool gives_way = true, does_not = false;
    solver->part_count = parts > 1 ? parts : 0;
    solver->held_count = solver->batch_count = 0;
    if (parts == 1) {
        clusters_plan_part(step, solver, 1, solver->body_count, NULL, others);
        return;
    }
    for (uint32_t p = 0; p < parts; ++p) {
        uint32_t last = p + 1 < parts ? step->parts.ends[p] : solver->body_count;
        clusters_plan_part(step, solver, first, last, &gives_way, others);
        solver->part_batch_ends[p] = solver->batch_count;
        first = last;
    }
    clusters_plan_part(step, solver, 1, solver->body_count, &does_not, others);
    solver->part_batch_ends[parts] = solver->batch_count;
}

bool tni_step_plan_bodies(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    const tni_cluster_bodies *clusters = &step->clusters;
    bool has_room = solver->keeps_bodies && solver->contact_count == 0;
    if (has_room && tni_kept_bodies_take_batches(step, solver)) {
        return true;
    }
    size_t most = tni_integrate_count_batches(solver->body_count) + (size_t)clusters->count +
                  part_count(&step->parts) + 1;
    uint32_t *others = tni_arena_alloc(&world->arena, solver->body_count * sizeof *others);
    if (!has_room) {
        solver->batch_bodies = tni_arena_alloc(&world->arena, most * sizeof *solver->batch_bodies);
        solver->batches = tni_arena_alloc(&world->arena, most);
    }
    if (others == NULL || solver->batch_bodies == NULL || solver->batches == NULL) {
        return false;
    }
    clusters_plan_others(step, solver, others);
    uint32_t next = solver->batch_count, start = 0;
    for (uint32_t c = 0; c < clusters->count; ++c) {
        tni_cluster *cluster = &solver->clusters[c];
        cluster->first_batch = next;
        cluster->batch_count =
            clusters_plan(solver, clusters->bodies + start, clusters->body_ends[c] - start, next,
                          &cluster->turns_inertia);
        next += cluster->batch_count;
        start = clusters->body_ends[c];
    }
    return true;
}
