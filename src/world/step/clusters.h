// world/step/clusters.h: a step's clusters: islands that go through all substeps together.
#ifndef TNI_WORLD_STEP_CLUSTERS_H
#define TNI_WORLD_STEP_CLUSTERS_H

#include "world/step/step_internal.h"

// Once joints and bodies are gathered: step->clusters. False when memory cannot be had.
bool tni_step_find_clusters(tn_world *world, tni_step *step, const tni_cluster_contacts *contacts);
// Marks bodies that something other than contacts acts on: joints, forces, coordinates.
void tni_step_block_bodies(const tni_step *step, bool *is_blocked);
// The bodies of clusters, and the others that rows hold, into batches.
bool tni_step_plan_bodies(tn_world *world, tni_step *step);

#endif
