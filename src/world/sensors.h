// world/sensors.h: the functions of sensors that rooms of the world share.
#ifndef TNI_WORLD_SENSORS_H
#define TNI_WORLD_SENSORS_H

#include "world/world.h"

void tni_sensing_init(tn_world *world);
void tni_sensing_free(tn_world *world);
// Put a sensor into the list of those that look, and take it out. The first returns false without
// memory; the second does nothing for a shape that is not in the list.
bool tni_sensing_add(tn_world *world, uint32_t shape);
void tni_sensing_remove(tn_world *world, uint32_t shape);
// Call it when a shape of a body appears, changes or leaves, when the user moves the body, and when
// it falls asleep. The next look compares the body's shapes anew, as it does with those of awake
// bodies. Without sensors nobody looks.
void tni_sensing_list_change(tn_world *world, uint32_t body);
static inline void tni_sensing_note_change(tn_world *world, uint32_t body) {
    const tni_sensing *sensing = &world->sensing;
    if (sensing->sensors.count > 0 && tni_body_at(world, body)->sensed_change != sensing->look) {
        tni_sensing_list_change(world, body);
    }
}
// Takes an area out of the list, for a shape that goes: world/api/area.c. Wakes what it acted on.
void tni_area_remove(tn_world *world, uint32_t shape);
// Lets all sensors look, at the end of a step, and makes their events. Without memory it reports
// OUT_OF_MEMORY, and the overlaps stay as they were until the next step.
void tni_world_sense(tn_world *world);
// Returns the first of the world's overlaps of a sensor, and their count.
const uint64_t *tni_sensing_find(const tn_world *world, uint32_t sensor, uint32_t *out_count);
// Returns the handle of the shape in an overlap.
static inline uint32_t tni_overlap_get_shape(uint64_t overlap) {
    uint32_t turned = (uint32_t)overlap;
    return turned << TNI_POOL_INDEX_BITS | turned >> (32u - TNI_POOL_INDEX_BITS);
}
static inline uint32_t tni_overlap_get_sensor(uint64_t overlap) {
    return tni_overlap_get_shape(overlap >> 32);
}

#endif
