// world/step/step_areas.h: what areas do to bodies in a step.
#ifndef TNI_WORLD_STEP_STEP_AREAS_H
#define TNI_WORLD_STEP_STEP_AREAS_H

#include "world/world.h"

typedef struct tni_area_effect tni_area_effect;

// The bodies that were awake, and what was done to each, in the arena.
typedef struct tni_step_areas {
    tni_area_effect *effects;
    uint32_t *bodies;
    uint32_t count;
} tni_step_areas;

// Adds forces and torques to the bodies in areas; returns false without memory, with nothing done.
// The second takes them back, for a step in which no time passes.
bool tni_step_apply_areas(tn_world *world, double dt, tni_step_areas *areas);
void tni_step_take_back_areas(tn_world *world, const tni_step_areas *areas);

#endif
