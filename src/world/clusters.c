// world/clusters.c: islands that are small go through all substeps together, some to a cluster.
//
// Why that pays: solver/cluster.c. An island here is what contacts with points hold together,
// whether they touch or may within the step. It goes its own way if it is small enough for the
// cache, no joint holds one of its bodies and nothing that moves by itself (a kinematic body)
// touches it: for these go through the substeps with others.
//
// Islands are taken by their smallest body, and a cluster is full when the next one would make it
// too large. So the result depends on bodies and contacts alone. Clusters are smaller in small
// worlds, where there would be too few for workers to share. Test: tests/world/test_clusters.c
#include "world/clusters.h"

#include "core/union_find.h"
#include "solver/integrate.h"
#include "world/joint_plan.h"

// Cache lines that the substeps ask for, of a body and of a contact.
#define CLUSTER_BODY_LINES    6u
#define CLUSTER_CONTACT_LINES 7u
// Lines of a cluster: at most, which is half of the second cache of most processors; and at least.
#define CLUSTER_MOST_LINES  4000u
#define CLUSTER_LEAST_LINES 1000u
// Of clusters: as many are enough for workers to share.
#define CLUSTER_ENOUGH 16u
// Contacts of a world that fits into a cache as it is.
#define CLUSTER_LEAST_CONTACTS 512u

typedef struct clusters_search {
    const tni_solver *solver;
    uint32_t *roots;  // by body
    uint32_t *lines;  // by root
    bool *is_blocked; // by root
} clusters_search;

static bool clusters_allocate(tn_world *world, uint32_t bodies, clusters_search *search,
                              tni_cluster_bodies *clusters) {
    tni_arena *arena = &world->arena;
    uint32_t *numbers = tni_arena_alloc(arena, 5 * (size_t)bodies * sizeof *numbers);
    search->is_blocked = tni_arena_alloc_zeroed(arena, bodies * sizeof(bool));
    if (numbers == NULL || search->is_blocked == NULL) {
        return false;
    }
    search->roots = numbers;
    search->lines = numbers + bodies;
    clusters->of = numbers + 2 * (size_t)bodies;
    clusters->bodies = numbers + 3 * (size_t)bodies;
    clusters->body_ends = numbers + 4 * (size_t)bodies;
    return true;
}

// ---- islands ----------------------------------------------------------------------------------

static void clusters_block_joints(const tni_step *step, clusters_search *search) {
    const tni_solver *solver = search->solver;
    const tni_joint_plan *plan = step->plan;
    for (uint32_t i = 0; plan != NULL && i < plan->body_count; ++i) {
        search->is_blocked[search->roots[i]] |= plan->is_held[i];
    }
    for (uint32_t i = 0; plan == NULL && i < solver->joint_count; ++i) {
        search->is_blocked[search->roots[solver->joints[i].body_a]] = true;
        search->is_blocked[search->roots[solver->joints[i].body_b]] = true;
    }
}

static uint32_t clusters_get_body(const tni_color_block *block) {
    return block->body_a != TNI_COLOR_NO_BODY ? block->body_a : block->body_b;
}

static void clusters_find_islands(const tni_cluster_contacts *contacts, clusters_search *search) {
    uint32_t bodies = search->solver->body_count, *roots = search->roots;
    for (uint32_t i = 0; i < bodies; ++i) {
        roots[i] = i;
        search->lines[i] = 0;
    }
    for (uint32_t k = 0; k < contacts->count; ++k) {
        const tni_color_block *block = &contacts->blocks[k];
        if (block->body_a != TNI_COLOR_NO_BODY && block->body_b != TNI_COLOR_NO_BODY) {
            union_find_join(roots, block->body_a, block->body_b);
        }
    }
    for (uint32_t i = 0; i < bodies; ++i) {
        roots[i] = union_find_root(roots, i);
    }
    for (uint32_t k = 0; k < contacts->count; ++k) {
        uint32_t root = roots[clusters_get_body(&contacts->blocks[k])];
        search->lines[root] += CLUSTER_CONTACT_LINES;
        search->is_blocked[root] |= contacts->is_driven[k];
    }
    // What no contact holds has no lines.
    for (uint32_t i = 1; i < bodies; ++i) {
        search->lines[roots[i]] += search->lines[roots[i]] > 0 ? CLUSTER_BODY_LINES : 0;
    }
    search->is_blocked[0] = true; // the world, and contacts that move nothing
}

// ---- clusters ---------------------------------------------------------------------------------

static bool clusters_take(const clusters_search *search, uint32_t root) {
    return search->roots[root] == root && !search->is_blocked[root] && search->lines[root] > 0 &&
           search->lines[root] <= CLUSTER_MOST_LINES;
}

static uint32_t clusters_choose_size(const clusters_search *search) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < search->solver->body_count; ++i) {
        sum += clusters_take(search, i) ? search->lines[i] : 0;
    }
    uint64_t share = sum / CLUSTER_ENOUGH;
    share = share < CLUSTER_LEAST_LINES ? CLUSTER_LEAST_LINES : share;
    return share > CLUSTER_MOST_LINES ? CLUSTER_MOST_LINES : (uint32_t)share;
}

// Of each root its cluster.
static uint32_t clusters_fill(const clusters_search *search, uint32_t *of) {
    uint32_t most = clusters_choose_size(search), count = 0, lines = 0;
    for (uint32_t i = 0; i < search->solver->body_count; ++i) {
        of[i] = TNI_NONE;
        if (!clusters_take(search, i)) {
            continue;
        }
        bool is_full = lines + search->lines[i] > most;
        count += count == 0 || is_full ? 1 : 0;
        lines = is_full ? search->lines[i] : lines + search->lines[i];
        of[i] = count - 1;
    }
    return count;
}

static void clusters_list_bodies(const clusters_search *search, tni_cluster_bodies *clusters) {
    uint32_t bodies = search->solver->body_count, start = 0;
    for (uint32_t c = 0; c < clusters->count; ++c) {
        clusters->body_ends[c] = 0;
    }
    for (uint32_t i = 0; i < bodies; ++i) {
        clusters->of[i] = clusters->of[search->roots[i]]; // roots come before their bodies
        if (clusters->of[i] != TNI_NONE) {
            clusters->body_ends[clusters->of[i]] += 1;
        }
    }
    for (uint32_t c = 0; c < clusters->count; ++c) {
        uint32_t count = clusters->body_ends[c];
        clusters->body_ends[c] = start;
        start += count;
    }
    for (uint32_t i = 0; i < bodies; ++i) {
        if (clusters->of[i] != TNI_NONE) {
            clusters->bodies[clusters->body_ends[clusters->of[i]]++] = i;
        }
    }
}

// The ledger sums work in the order of the bodies.
bool tni_clusters_find(tn_world *world, const tni_step *step, const tni_cluster_contacts *contacts,
                       tni_cluster_bodies *clusters) {
    const tni_solver *solver = &step->solver;
    clusters_search search = {.solver = solver};
    clusters->count = 0;
    clusters->of = NULL;
    if (contacts->count < CLUSTER_LEAST_CONTACTS || world->def.enable_energy_ledger) {
        return true;
    }
    if (!clusters_allocate(world, solver->body_count, &search, clusters)) {
        return false;
    }
    clusters_find_islands(contacts, &search);
    clusters_block_joints(step, &search);
    clusters->count = clusters_fill(&search, clusters->of);
    clusters_list_bodies(&search, clusters);
    return true;
}

// ---- their bodies -----------------------------------------------------------------------------

// Those that rows hold, without clusters.
static uint32_t clusters_list_others(const tni_step *step, uint32_t *others) {
    const tni_solver *solver = &step->solver;
    const uint32_t *of = step->clusters.of;
    uint32_t count = 0;
    for (uint32_t i = 1; i < solver->body_count; ++i) {
        if (!solver->is_free[i] && (of == NULL || of[i] == TNI_NONE)) {
            others[count++] = i;
        }
    }
    return count;
}

bool tni_clusters_plan_bodies(tn_world *world, tni_step *step) {
    tni_solver *solver = &step->solver;
    const tni_cluster_bodies *clusters = &step->clusters;
    size_t most = tni_integrate_count_batches(solver->body_count) + (size_t)clusters->count;
    uint32_t *others = tni_arena_alloc(&world->arena, solver->body_count * sizeof *others);
    solver->batch_bodies = tni_arena_alloc(&world->arena, most * sizeof *solver->batch_bodies);
    solver->batches = tni_arena_alloc(&world->arena, most);
    if (others == NULL || solver->batch_bodies == NULL || solver->batches == NULL) {
        return false;
    }
    solver->held_count = clusters_list_others(step, others);
    solver->batch_count = tni_integrate_count_batches(solver->held_count);
    solver->turns_inertia = tni_integrate_plan(solver, others, solver->held_count,
                                               solver->batch_bodies, solver->batches);
    uint32_t next = solver->batch_count, start = 0;
    for (uint32_t c = 0; c < clusters->count; ++c) {
        tni_cluster *cluster = &solver->clusters[c];
        uint32_t count = clusters->body_ends[c] - start;
        cluster->first_batch = next;
        cluster->batch_count = tni_integrate_count_batches(count);
        cluster->turns_inertia =
            tni_integrate_plan(solver, clusters->bodies + start, count, solver->batch_bodies + next,
                               solver->batches + next);
        next += cluster->batch_count;
        start += count;
    }
    return true;
}
