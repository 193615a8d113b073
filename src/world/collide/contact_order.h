// world/collide/contact_order.h: the order in which a step's contacts are swept, and their groups.
#ifndef TNI_WORLD_COLLIDE_CONTACT_ORDER_H
#define TNI_WORLD_COLLIDE_CONTACT_ORDER_H

#include "world/step/step_internal.h"

// A contact that has points.
typedef struct tni_kept_contact {
    uint32_t contact, place; // in the list of awake contacts
    uint32_t index;          // place in the sweep
    bool is_static;          // one body does not give way
} tni_kept_contact;

typedef struct tni_contact_order {
    tni_kept_contact *kept;    // in list order, most likely that of memory
    uint32_t count, own_count; // the first own_count are in no cluster
    uint32_t *groups;          // where each group begins, and the end of the last
    uint32_t group_count, own_group_count;
    // For contacts in no cluster: see solver.h.
    uint32_t *turn_ends, *loop_ends;
    uint32_t turn_count, loop_count;
    tni_cluster *clusters;  // their contacts and groups
    uint32_t *kept_at;      // by index, for contacts in clusters: the place in `kept`
    tni_touching *touching; // bodies that `kept` contacts join to islands
} tni_contact_order;

// The first makes the solver's contact from the world's, with `scale` times its impulses. The
// second writes it back and adds its hit, if it is one (world/step/step_contacts.c).
void tni_step_fill_contact(const tn_world *world, const tni_kept_contact *kept, float scale,
                           tni_contact_record *record);
void tni_step_store_contact(tn_world *world, const tni_contact_record *record);

// Finds the order, with the step's clusters, whose contacts come last. Returns false when memory
// cannot be had.
bool tni_contact_order_find(tn_world *world, tni_step *step, tni_contact_order *order);

#endif
