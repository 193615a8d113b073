// world/collide/narrow.h: declares what the files of a world's narrow phase share.
#ifndef TNI_WORLD_COLLIDE_NARROW_H
#define TNI_WORLD_COLLIDE_NARROW_H

#include "world/world.h"

// Contacts lie in memory as they were made, and the list of awake ones is in no order, so a pass
// over the list fetches memory some contacts ahead. (Forced inline: a compiler may take a function
// that only fetches for one that does nothing.)
#define TNI_NARROW_AHEAD 8

TNI_KERNEL void tni_narrow_fetch(const void *object, size_t size) {
    const char *bytes = object;
    for (size_t at = 0; at < size; at += TNI_CACHE_LINE) {
        TNI_PREFETCH(bytes + at);
    }
}

// shape_motion.c: fills the motions of a body's shapes for a step of dt.
void tni_body_update_motions(tn_world *world, uint32_t body, double dt);
// Returns the motion of a shape whose body is awake, else computes it in *out.
const tni_shape_motion *tni_shape_get_motion(const tn_world *world, uint32_t shape, double dt,
                                             tni_shape_motion *out);

#endif
