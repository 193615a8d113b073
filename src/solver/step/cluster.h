// solver/step/cluster.h: which islands go through all substeps together, apart from everything
// else.
#ifndef TNI_SOLVER_STEP_CLUSTER_H
#define TNI_SOLVER_STEP_CLUSTER_H

#include "core/base.h"
#include "solver/step/colors.h"

// These parts of a step's contacts are kept: the bodies that move, and whether another body carries
// them.
typedef struct tni_cluster_contacts {
    const tni_color_block *blocks;
    const bool *is_driven; // a body that moves by itself holds on
    uint32_t count;
} tni_cluster_contacts;

typedef struct tni_cluster_bodies {
    uint32_t count;          // of clusters
    uint32_t *contact_lines; // by solver body: of contacts, each counted at one of its bodies
    uint32_t *of;            // by solver body: its cluster, or TNI_NONE; null where there are none
    uint32_t *bodies;        // of the first cluster, then of the next ones, each by their numbers
    uint32_t *body_ends;     // by cluster, in `bodies`
} tni_cluster_bodies;

// The substeps read this many cache lines of a contact.
#define TNI_CLUSTER_CONTACT_LINES 7u

// The scratch memory has this many numbers for each body, and each array of `clusters` one.
#define TNI_CLUSTER_SCRATCH 2

// Finds the clusters. `is_blocked` marks bodies that go with everything else, and so do all that
// they touch; it is changed. The arrays of `clusters` are there.
void tni_clusters_find(const tni_cluster_contacts *contacts, uint32_t body_count, bool *is_blocked,
                       uint32_t *scratch, tni_cluster_bodies *clusters);

#endif
