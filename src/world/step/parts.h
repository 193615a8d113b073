// world/step/parts.h: the parts of a world, for each worker to keep to its own.
#ifndef TNI_WORLD_STEP_PARTS_H
#define TNI_WORLD_STEP_PARTS_H

#include "world/step/step_internal.h"

// Fills step->parts once clusters are known, and makes room to order the awake bodies after the
// step. Returns false without memory.
bool tni_step_find_parts(tn_world *world, tni_step *step);
// Takes back cuts that too many contacts cross, and asks for another order of the bodies if that
// promises fewer. `across` says how many of `count` contacts between moving bodies cross the cuts
// of each level, the last cuts first.
void tni_step_choose_parts(const tn_world *world, tni_step *step,
                           const uint32_t across[TNI_PART_MAX_LEVELS], uint32_t count);

#endif
