// world/step/island.c: finds the bodies that touch or are tied together, by union-find.
//
// Only dynamic bodies join islands: bodies that stand on the same floor are not one island. The
// root of a set is its smallest solver index, so that islands are numbered the same in every run.
#include <string.h>

#include "core/union_find.h"

#include "world/step/joint_plan.h"

static void island_join(const tni_solver *solver, uint32_t *parents, uint32_t a, uint32_t b) {
    if (solver->bodies.masses[a].is_dynamic && solver->bodies.masses[b].is_dynamic) {
        union_find_join(parents, a, b);
    }
}

void tni_step_find_islands(tn_world *world, tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t *parents = step->island_of;
    const tni_joint_plan *plan = step->plan;
    uint32_t planned = plan != NULL ? plan->body_count : 0;
    if (plan != NULL) {
        memcpy(parents, plan->islands, planned * sizeof *parents);
    }
    for (uint32_t i = planned; i < solver->bodies.count; ++i) {
        parents[i] = i;
    }
    uint32_t joints = plan != NULL ? 0 : solver->joints.count + solver->joints.exact_count;
    for (uint32_t i = 0; i < joints; ++i) {
        island_join(solver, parents, solver->joints.blocks[i].body_a,
                    solver->joints.blocks[i].body_b);
    }
    for (uint32_t i = 0; i < solver->contacts.count; ++i) {
        if (step->touching[i].body_a != 0) {
            union_find_join(parents, step->touching[i].body_a, step->touching[i].body_b);
        }
    }
    if (solver->movers.forces != NULL) {
        world->features.forces->join(solver, parents);
    }
    if (world->features.spans != NULL) {
        world->features.spans->join(world, solver, parents);
    }
    // The plan's islands name roots already.
    bool are_roots = plan != NULL && solver->contacts.count == 0 && solver->movers.forces == NULL;
    uint32_t count = 0;
    for (uint32_t i = 1; i < solver->bodies.count; ++i) {
        parents[i] = are_roots ? parents[i] : union_find_root(parents, i);
        count += parents[i] == i && solver->bodies.masses[i].is_dynamic ? 1 : 0;
    }
    world->telemetry.islands = count;
}
