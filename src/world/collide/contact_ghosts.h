// world/collide/contact_ghosts.h: contacts with features that cannot be met.
#ifndef TNI_WORLD_COLLIDE_CONTACT_GHOSTS_H
#define TNI_WORLD_COLLIDE_CONTACT_GHOSTS_H

#include "world/collide/narrow.h"

// Returns whether a new contact may be a ghost. Any worker may call it.
bool tni_contact_is_suspect(const tn_world *world, const tni_contact *contact,
                            const tni_shape_motion *a, const tni_shape_motion *b, double dt);
// Drops or turns a suspect that is a ghost: see contact_ghosts.c. One thread calls it, when all
// contacts are made. Returns whether it changed the contact.
bool tni_contact_lay_ghost(tn_world *world, uint32_t contact, double dt);

#endif
