// world/collide/contact_hand_on.h: the load of points that end goes to those that begin.
#ifndef TNI_WORLD_COLLIDE_CONTACT_HAND_ON_H
#define TNI_WORLD_COLLIDE_CONTACT_HAND_ON_H

#include "world/collide/narrow.h"

// The points that a contact had in the last step, with their impulses.
typedef struct tni_contact_before {
    uint32_t count;
    uint32_t features[TNI_MANIFOLD_MAX_POINTS];
    vec3s arms[TNI_MANIFOLD_MAX_POINTS]; // from the moving body's centre of mass
    float impulses[TNI_MANIFOLD_MAX_POINTS];
    vec3s normal, friction;
} tni_contact_before;

// Takes the points that push, before the manifold is made anew. Any worker may call it.
void tni_contact_take_before(const tn_world *world, const tni_contact *contact,
                             const tni_shape_motion *a, const tni_shape_motion *b, double dt,
                             tni_contact_before *out);
// Notes in the contact's memory, after that, the loads that have gone. Returns whether any has.
bool tni_contact_note_lost(const tn_world *world, const tni_contact *contact,
                           const tni_contact_before *before);
// Gives the loads that contacts of this one's moving body have lost to the body's new points. One
// thread calls it, when all contacts are made.
void tni_contact_hand_on(tn_world *world, uint32_t contact);

#endif
