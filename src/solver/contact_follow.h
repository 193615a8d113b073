// solver/contact_follow.h: contacts whose manifold is made anew in each substep.
#ifndef TNI_SOLVER_CONTACT_FOLLOW_H
#define TNI_SOLVER_CONTACT_FOLLOW_H

#include "collision/manifold.h"
#include "solver/contact.h"

// One shape of such a contact.
typedef struct tni_contact_follow_end {
    const tni_geometry *geometry;
    bool is_fixed;      // its body is none of the solver's: the frame is the world's
    tni_dvec3 position; // of the geometry's frame in that of the body's centre of mass
    tni_dquat rotation; // likewise
    tni_dvec3 center;   // of the centre of mass of a fixed body, world
} tni_contact_follow_end;

struct tni_contact_follow {
    tni_contact_follow_end a, b;
    float margin;                 // m: how far points are looked for
    uint32_t features[TNI_LANES]; // of the points as they stand in the record
};

// After the drift, of the lanes of a group that follow: see contact_follow.c.
void tni_contact_group_follow(tni_solver *solver, tni_contact_group *group);

#endif
