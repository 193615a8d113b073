// world/clusters.h: which islands go through all substeps together, apart from everything else.
#ifndef TNI_WORLD_CLUSTERS_H
#define TNI_WORLD_CLUSTERS_H

#include "solver/colors.h"
#include "world/step_internal.h"

// What is kept of a step's contacts: the bodies that move, and whether another body carries them.
typedef struct tni_cluster_contacts {
    const tni_color_block *blocks;
    const bool *is_driven; // a body that moves by itself holds on
    uint32_t count;
} tni_cluster_contacts;

// Once joints and bodies are gathered. False when memory cannot be had.
bool tni_clusters_find(tn_world *world, const tni_step *step, const tni_cluster_contacts *contacts,
                       tni_cluster_bodies *clusters);
// The bodies of clusters, and the others that rows hold, into batches.
bool tni_clusters_plan_bodies(tn_world *world, tni_step *step);

#endif
