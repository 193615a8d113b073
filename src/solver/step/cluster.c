// solver/step/cluster.c: small islands go through all substeps by themselves.
//
// Sweeps of a large world read more than fits into a cache, and each of them brings all of it from
// memory, whether it has a thousand small islands or one large one. But islands do not need each
// other. So some small ones are put together into a cluster (solver/step/cluster_find.c), which
// fits into the cache, and goes through all substeps of the step before the next one begins: its
// numbers come from memory once, and the world's records of its contacts become rows and impulses
// again in that time. And where there are workers clusters run side by side, with nothing to wait
// for between their colors.
//
// A cluster is a solver of its own for its part of the same arrays: contacts and bodies that they
// hold, without joints, and with a ledger of its own. Bodies that do not move are read by several
// clusters and never written.
// Rows of contacts, 700 bytes of each, stand only in a room that the worker's clusters have one
// after the other: so they never leave its cache. Test: tests/world/step/test_clusters.c
#include "solver/contacts/contact_work.h"
#include "solver/solver.h"
#include "solver/stacks/stack.h"

static tni_solver cluster_get_solver(const tni_solver *all, const tni_cluster *cluster,
                                     uint32_t worker) {
    size_t contacts = all->clusters.most_contacts, groups = all->clusters.most_groups;
    tni_solver solver = {
        .h = all->h,
        .inv_h = all->inv_h,
        .dh = all->dh,
        .gravity = all->gravity,
        .substeps = all->substeps,
        .uses_avx2 = all->uses_avx2,
        .bodies.count = all->bodies.count,
        .bodies.states = all->bodies.states,
        .bodies.deltas = all->bodies.deltas,
        .bodies.motions = all->bodies.motions,
        .bodies.masses = all->bodies.masses,
        .bodies.pulls = all->bodies.pulls,
        .bodies.kinds = all->bodies.kinds,
        .bodies.turns_inertia = cluster->turns_inertia,
        .batches.count = cluster->batch_count,
        .batches.bodies = all->batches.bodies + cluster->first_batch,
        .batches.kinds = all->batches.kinds + cluster->first_batch,
        .bodies.is_free = all->bodies.is_free,
        .bodies.is_exact = all->bodies.is_exact,
        .bodies.held_count = INTEGRATE_LANES * cluster->batch_count,
        .contacts.count = cluster->contact_count,
        .contacts.own_count = cluster->contact_count,
        .contacts.gates = all->contacts.gates + cluster->first_contact,
        .contacts.records = all->clusters.records + contacts * worker,
        .contacts.group_count = cluster->group_count,
        .contacts.groups = all->clusters.groups + groups * worker,
        .contacts.stack_count = cluster->stack_count,
        .contacts.stacks =
            all->contacts.stacks != NULL ? all->contacts.stacks + cluster->first_stack : NULL,
        .contacts.depths =
            all->contacts.depths != NULL ? all->contacts.depths + cluster->first_contact : NULL,
        .contacts.is_pushed = all->contacts.is_pushed,
        .contacts.pushes = all->contacts.pushes,
        .contacts.inertias = all->contacts.inertias,
        .contacts.has_new_inertia = all->contacts.has_new_inertia,
        .contacts.bouncing = all->contacts.bouncing + cluster->first_contact,
        .contacts.first_hits = all->contacts.first_hits,
        .settings.contact_bias = all->settings.contact_bias,
        .settings.contact_softness = all->settings.contact_softness,
        .settings.static_softness = all->settings.static_softness,
        .settings.contact_iterations = all->settings.contact_iterations,
        .settings.relax_iterations = all->settings.relax_iterations,
        .settings.contact_closed = all->settings.contact_closed,
        .settings.contact_calm = all->settings.contact_calm,
        .settings.contact_rest = all->settings.contact_rest,
        .settings.restitution_threshold = all->settings.restitution_threshold,
        .bodies.has_added_inertia = all->bodies.has_added_inertia,
        .ledger.measures_work = all->ledger.measures_work,
        .ledger.body_count = cluster->body_count,
        .ledger.bodies = cluster->bodies,
        .ledger.motions_before = all->ledger.motions_before,
    };
    if (all->ledger.measures_work) {
        solver.contacts.starts = all->clusters.starts + groups * worker;
    }
    return solver;
}

static void cluster_run_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const tni_solver *all = context;
    for (uint32_t i = first; i < last; ++i) {
        tni_cluster *cluster = &all->clusters.clusters[i];
        tni_solver solver = cluster_get_solver(all, cluster, worker);
        all->clusters.load(i, &solver, all->clusters.context);
        // On one thread colors are only an order.
        uint32_t one = 1;
        solver.contacts.turn_ends = &solver.contacts.group_count;
        solver.contacts.loop_ends = &one;
        solver.contacts.loop_count = 1;
        tni_solver_run_held(&solver);
        all->clusters.store(i, &solver, all->clusters.context);
        cluster->work = solver.ledger.work;
    }
}

static void cluster_add_work(tni_solver_work *sum, const tni_solver_work *more) {
    sum->gravity += more->gravity;
    sum->force += more->force;
    sum->friction += more->friction;
    sum->impact += more->impact;
    sum->damping += more->damping;
}

void tni_clusters_run(tni_solver *solver) {
    tni_tasks_run(solver->tasks, cluster_run_range, solver->clusters.count, 1, solver);
    for (uint32_t i = 0; i < solver->clusters.count && solver->ledger.measures_work; ++i) {
        cluster_add_work(&solver->ledger.work, &solver->clusters.clusters[i].work);
    }
}
