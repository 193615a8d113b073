// world/step/parts.h: the parts of what goes through the substeps together, for workers to keep to.
#ifndef TNI_WORLD_STEP_PARTS_H
#define TNI_WORLD_STEP_PARTS_H

#include "world/step/step_internal.h"

// Once clusters are known: step->parts, and room to put the awake bodies in order after the step.
// False when memory cannot be had.
bool tni_step_find_parts(tn_world *world, tni_step *step);
// Once it is known how many of `count` contacts between moving bodies go across the cuts of each
// level, the last cuts first: takes back cuts that too many go across, and asks for a better order
// of the bodies where it would be one.
void tni_step_choose_parts(tn_world *world, tni_step *step,
                           const uint32_t across[TNI_PART_MAX_LEVELS], uint32_t count);

#endif
