// world/step/clusters.h: a step's clusters: islands that go through all substeps together.
#ifndef TNI_WORLD_STEP_CLUSTERS_H
#define TNI_WORLD_STEP_CLUSTERS_H

#include "world/step/step_internal.h"

// Fills step->clusters, once joints and bodies are gathered. Returns false without memory.
bool tni_step_find_clusters(tn_world *world, tni_step *step, const tni_cluster_contacts *contacts);
// Marks the bodies on which something other than contacts acts: joints, forces or coordinates.
void tni_step_block_bodies(const tni_step *step, bool *is_blocked);
// Puts the bodies of clusters, and the others that rows hold, into batches. Returns false without
// memory.
bool tni_step_plan_bodies(tn_world *world, tni_step *step);

#endif
