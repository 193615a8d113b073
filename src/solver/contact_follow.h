// solver/contact_follow.h: contacts whose manifold is made anew in each substep.
#ifndef TNI_SOLVER_CONTACT_FOLLOW_H
#define TNI_SOLVER_CONTACT_FOLLOW_H

#include "collision/manifold.h"
#include "solver/contact.h"

// How a contact is made anew.
typedef enum tni_follows {
    TNI_FOLLOWS_NOTHING = 0,
    TNI_FOLLOWS_SHAPES, // its manifold is that of the shapes
    TNI_FOLLOWS_PLANE,  // a round shape has the same cores, over a plane of the other one
} tni_follows;

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
    // Of a plane:
    bool is_plane, is_of_b;     // the round shape is that of b
    double radius;              // m
    tni_dvec3 cores[TNI_LANES]; // in the frame of its body's centre of mass
    tni_dvec3 surface, normal;  // a point of the plane and its normal, in the other's
};

// After the drift, of the lanes of a group that follow: see contact_follow.c.
void tni_contact_group_follow(tni_solver *solver, tni_contact_group *group);

#endif
