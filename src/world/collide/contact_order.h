// world/collide/contact_order.h: the order in which a step's contacts are swept, and their groups.
#ifndef TNI_WORLD_COLLIDE_CONTACT_ORDER_H
#define TNI_WORLD_COLLIDE_CONTACT_ORDER_H

#include "world/step/step_internal.h"

// A contact that has points.
typedef struct tni_kept_contact {
    uint32_t contact, place; // in the list of awake contacts
    uint32_t index;          // as they will be swept
    bool is_static;          // with a body that does not give way
} tni_kept_contact;

typedef struct tni_contact_order {
    tni_kept_contact *kept;    // in the order of the list, as they most likely lie in memory
    uint32_t count, own_count; // the first own_count are in no cluster
    uint32_t *groups;          // where each group begins, and the end of the last
    uint32_t group_count, own_group_count;
    // Of those in no cluster: see solver.h.
    uint32_t *turn_ends, *loop_ends;
    uint32_t turn_count, loop_count;
    tni_cluster *clusters;  // their contacts and groups
    uint32_t *kept_at;      // by index, of contacts in clusters: its place in `kept`
    tni_touching *touching; // what `kept` says of islands
} tni_contact_order;

// From a contact of the world to the solver's, with `scale` of its impulses; and back, with the hit
// that it may be (world/step/step_contacts.c).
void tni_step_fill_contact(const tn_world *world, const tni_kept_contact *kept, float scale,
                           tni_contact_record *record);
void tni_step_store_contact(tn_world *world, const tni_contact_record *record);

// With the step's clusters, whose contacts come behind. False when memory cannot be had.
bool tni_contact_order_find(tn_world *world, tni_step *step, tni_contact_order *order);

#endif
