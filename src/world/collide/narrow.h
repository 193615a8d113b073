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

// ---- manifold_update.c --------------------------------------------------------------------------

// The work that remains to be done for a contact on one thread.
typedef enum tni_update_left {
    TNI_UPDATE_WALKED = 1,   // it was made along the path of its pair
    TNI_UPDATE_SUSPECT = 2,  // it may be a ghost
    TNI_UPDATE_FOLLOWER = 4, // its geometry turns within the step
    TNI_UPDATE_LOSER = 8,    // points that bore a load have gone
} tni_update_left;
// Makes the manifold of an awake contact, and notes in the list what has come of it. Returns what
// is left (tni_update_left).
uint32_t tni_contact_update(tn_world *world, tni_awake_contact *entry, double dt);
// Notes in the list what has changed of a contact since.
void tni_contact_note_changed(tni_awake_contact *entry, tni_contact *contact);

#endif
