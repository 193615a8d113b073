// solver/step/cluster_find.c: islands that are small go through all substeps together, some to a
// cluster.
//
// solver/step/cluster.c says why that pays. An island here is a set of bodies that contacts with
// points hold together, whether they touch or may within the step. It goes its own way if it is
// small enough for the cache, no joint holds one of its bodies and nothing that moves by itself (a
// kinematic body) touches it: for these go through the substeps with others.
//
// Islands are taken by their smallest body, and a cluster is full when the next one would make it
// too large. So the result depends on bodies and contacts alone. Clusters are smaller in small
// worlds, where there would be too few for workers to share.
// Test: tests/solver/step/test_cluster_find.c
#include <string.h>

#include "core/union_find.h"
#include "solver/step/cluster.h"

// The substeps read this many cache lines of a body.
#define CLUSTER_BODY_LINES 6u
// A cluster has no more lines than the first, which is half of the second cache of most processors;
// and it is filled up to the second at least.
#define CLUSTER_MOST_LINES  4000u
#define CLUSTER_LEAST_LINES 2500u
// This many clusters are enough for workers to share, which wait at the end for the last of them.
#define CLUSTER_ENOUGH 32u
typedef struct clusters_search {
    uint32_t body_count;
    uint32_t *roots;  // by body
    uint32_t *lines;  // by root
    bool *is_blocked; // by root
} clusters_search;

// ---- islands ----------------------------------------------------------------------------------

// Returns the first of the bodies that move: where parts are cut by these counts, a contact across
// a cut counts for the part before it, which sweeps it in its turn
// (world/collide/contact_order_cells.h).
static uint32_t clusters_get_body(const tni_color_block *block) {
    uint32_t a = block->body_a, b = block->body_b;
    bool is_a = b == TNI_COLOR_NO_BODY || (a != TNI_COLOR_NO_BODY && a < b);
    return is_a ? a : b;
}

// Finds the islands. Contacts are counted at one of their bodies, and added up at the roots, which
// come before their bodies.
static void clusters_find_islands(const tni_cluster_contacts *contacts, clusters_search *search,
                                  uint32_t *contact_lines) {
    uint32_t bodies = search->body_count, *roots = search->roots, *lines = search->lines;
    for (uint32_t i = 0; i < bodies; ++i) {
        roots[i] = i;
        lines[i] = 0;
    }
    for (uint32_t k = 0; k < contacts->count; ++k) {
        const tni_color_block *block = &contacts->blocks[k];
        lines[clusters_get_body(block)] += TNI_CLUSTER_CONTACT_LINES;
        if (block->body_a != TNI_COLOR_NO_BODY && block->body_b != TNI_COLOR_NO_BODY) {
            union_find_join(roots, block->body_a, block->body_b);
        }
    }
    memcpy(contact_lines, lines, bodies * sizeof *lines);
    for (uint32_t i = 0; i < bodies; ++i) {
        uint32_t root = union_find_root(roots, i);
        roots[i] = root;
        if (root != i) {
            lines[root] += lines[i] + CLUSTER_BODY_LINES;
        } else if (lines[i] > 0) {
            lines[i] += CLUSTER_BODY_LINES; // what no contact holds has none
        }
    }
}

// Blocks islands: a blocked body blocks its island.
static void clusters_block(const tni_cluster_contacts *contacts, clusters_search *search) {
    bool has_driven = memchr(contacts->is_driven, true, contacts->count) != NULL;
    for (uint32_t k = 0; k < contacts->count && has_driven; ++k) {
        search->is_blocked[clusters_get_body(&contacts->blocks[k])] |= contacts->is_driven[k];
    }
    for (uint32_t i = 0; i < search->body_count; ++i) {
        search->is_blocked[search->roots[i]] |= search->is_blocked[i];
    }
    search->is_blocked[0] = true; // the world, and contacts that move nothing
}

// ---- clusters ---------------------------------------------------------------------------------

static bool clusters_take(const clusters_search *search, uint32_t root) {
    return search->roots[root] == root && !search->is_blocked[root] && search->lines[root] > 0 &&
           search->lines[root] <= CLUSTER_MOST_LINES;
}

// Returns the size of clusters, or 0 where no island goes its own way.
static uint32_t clusters_choose_size(const clusters_search *search) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < search->body_count; ++i) {
        sum += clusters_take(search, i) ? search->lines[i] : 0;
    }
    if (sum == 0) {
        return 0;
    }
    uint64_t share = sum / CLUSTER_ENOUGH;
    share = share < CLUSTER_LEAST_LINES ? CLUSTER_LEAST_LINES : share;
    return share > CLUSTER_MOST_LINES ? CLUSTER_MOST_LINES : (uint32_t)share;
}

// Finds the cluster of each root.
static uint32_t clusters_fill(const clusters_search *search, uint32_t most, uint32_t *of) {
    uint32_t count = 0, lines = 0;
    for (uint32_t i = 0; i < search->body_count; ++i) {
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
    uint32_t bodies = search->body_count, start = 0;
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

void tni_clusters_find(const tni_cluster_contacts *contacts, uint32_t body_count, bool *is_blocked,
                       uint32_t *scratch, tni_cluster_bodies *clusters) {
    clusters_search search = {body_count, scratch, scratch + body_count, is_blocked};
    clusters_find_islands(contacts, &search, clusters->contact_lines);
    clusters_block(contacts, &search);
    uint32_t most = clusters_choose_size(&search);
    clusters->count = 0;
    if (most == 0) {
        clusters->of = NULL;
        return;
    }
    clusters->count = clusters_fill(&search, most, clusters->of);
    clusters_list_bodies(&search, clusters);
}
