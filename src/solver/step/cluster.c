// solver/step/cluster.c: small islands go through all substeps by themselves.
//
// What the sweeps of a large world read does not fit into a cache, and each of them brings all of
// it from memory: of a thousand small islands as of one large one. But islands do not ask for each
// other. So some that are small are put together to a cluster (solver/step/cluster_find.c), which
// fits, and goes through all substeps of the step before the next one begins: its numbers come from
// memory once, and the world's records of its contacts become rows and impulses again in that time.
// And where there are workers clusters run side by side, with nothing to wait for between their
// colors.
//
// A cluster is a solver of its own for its part of the same arrays: contacts and bodies that they
// hold, without joints. Others read and never write what does not move. Rows of contacts, 700 bytes
// of each, are nowhere but in a room that the worker's clusters have one after the other: so they
// never leave its cache. Test: tests/world/step/test_clusters.c
#include "solver/solver.h"
#include "solver/stacks/stack.h"

static tni_solver cluster_get_solver(const tni_solver *all, const tni_cluster *cluster,
                                     uint32_t worker) {
    size_t contacts = all->most_cluster_contacts, groups = all->most_cluster_groups;
    tni_solver solver = {
        .h = all->h,
        .inv_h = all->inv_h,
        .dh = all->dh,
        .substeps = all->substeps,
        .uses_avx2 = all->uses_avx2,
        .body_count = all->body_count,
        .states = all->states,
        .deltas = all->deltas,
        .motions = all->motions,
        .masses = all->masses,
        .pulls = all->pulls,
        .kinds = all->kinds,
        .turns_inertia = cluster->turns_inertia,
        .batch_count = cluster->batch_count,
        .batch_bodies = all->batch_bodies + cluster->first_batch,
        .batches = all->batches + cluster->first_batch,
        .is_free = all->is_free,
        .is_exact = all->is_exact,
        .held_count = INTEGRATE_LANES * cluster->batch_count,
        .contact_count = cluster->contact_count,
        .own_contact_count = cluster->contact_count,
        .contact_gates = all->contact_gates + cluster->first_contact,
        .contact_records = all->cluster_records + contacts * worker,
        .contact_group_count = cluster->group_count,
        .contact_groups = all->cluster_groups + groups * worker,
        .stack_count = cluster->stack_count,
        .stacks = all->stacks != NULL ? all->stacks + cluster->first_stack : NULL,
        .contact_depths =
            all->contact_depths != NULL ? all->contact_depths + cluster->first_contact : NULL,
        .is_contact_body = all->is_contact_body,
        .contact_pushes = all->contact_pushes,
        .contact_inertias = all->contact_inertias,
        .has_new_inertia = all->has_new_inertia,
        .bouncing = all->bouncing + cluster->first_contact,
        .first_hits = all->first_hits,
        .contact_bias = all->contact_bias,
        .contact_softness = all->contact_softness,
        .static_softness = all->static_softness,
        .contact_iterations = all->contact_iterations,
        .relax_iterations = all->relax_iterations,
        .contact_closed = all->contact_closed,
        .contact_calm = all->contact_calm,
        .contact_rest = all->contact_rest,
        .restitution_threshold = all->restitution_threshold,
        .has_added_inertia = all->has_added_inertia,
    };
    return solver;
}

static void cluster_run_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const tni_solver *all = context;
    for (uint32_t i = first; i < last; ++i) {
        tni_solver solver = cluster_get_solver(all, &all->clusters[i], worker);
        all->load_cluster(i, &solver, all->cluster_context);
        // On one thread colors are nothing but an order.
        uint32_t one = 1;
        solver.contact_turn_ends = &solver.contact_group_count;
        solver.contact_loop_ends = &one;
        solver.contact_loop_count = 1;
        tni_solver_run_held(&solver);
        all->store_cluster(i, &solver, all->cluster_context);
    }
}

void tni_clusters_run(tni_solver *solver) {
    tni_tasks_run(solver->tasks, cluster_run_range, solver->cluster_count, 1, solver);
}
