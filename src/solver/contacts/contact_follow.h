// solver/contacts/contact_follow.h: contacts whose manifold is made anew within the step.
#ifndef TNI_SOLVER_CONTACTS_CONTACT_FOLLOW_H
#define TNI_SOLVER_CONTACTS_CONTACT_FOLLOW_H

#include "collision/manifold/manifold.h"
#include "solver/contacts/contact.h"

// A contact is made anew in one of these ways.
typedef enum tni_follows {
    TNI_FOLLOWS_NOTHING = 0,
    TNI_FOLLOWS_SHAPES, // its manifold is that of the shapes
    TNI_FOLLOWS_PLANE,  // a round shape has the same cores, over a plane of the other one
} tni_follows;

// A contact that follows has two of these, one for each shape.
typedef struct tni_contact_follow_end {
    const tni_geometry *geometry;
    bool is_fixed;      // its body is none of the solver's: the frame is the world's
    tni_dvec3 position; // of the geometry's frame in that of the body's centre of mass
    tni_dquat rotation; // likewise
    tni_dvec3 center;   // of the centre of mass of a fixed body, world
    float reach;        // m per rad: how fast turning about the centre of mass moves the surface
} tni_contact_follow_end;

struct tni_contact_follow {
    tni_contact_follow_end a, b;
    float margin;                 // m: how far points are looked for
    uint32_t features[TNI_LANES]; // of the points as they stand in the record
    // A plane has these beside:
    bool is_plane, is_of_b;     // the round shape is that of b
    double radius;              // m
    tni_dvec3 cores[TNI_LANES]; // in the frame of its body's centre of mass
    tni_dvec3 surface, normal;  // a point of the plane and its normal, in the other's
    // A contact that looks before it first pushes, and is not made anew in each substep, has these:
    bool looks;
    bool turns_far;        // in a step: gaps do not go by displacements
    bool has_met;          // it has looked, and pushes: `manifold` is what it saw
    bool is_new;           // in the phase at hand
    tni_manifold manifold; // positions from `origin`
    tni_dvec3 origin;
};

// These return the centre of mass of an end's body, and the shape's frame with positions from the
// origin.
tni_dvec3 tni_contact_follow_get_center(const tni_solver *solver, const tni_contact_follow_end *end,
                                        uint32_t body);
tni_frame tni_contact_follow_get_frame(const tni_solver *solver, const tni_contact_follow_end *end,
                                       uint32_t body, tni_dvec3 origin);
// Returns the part of a point's gap that comes from the displacement since the step's start, by the
// record's arms.
float tni_contact_follow_get_way(const tni_solver *solver, const tni_contact_record *record,
                                 uint32_t p);
// Notes how the record's points turn, with the bodies where they are: see
// solver/contacts/contact_arms.h.
void tni_contact_follow_set_pivot(const tni_solver *solver, const tni_manifold *manifold,
                                  tni_contact_record *record);

// Makes the lanes of a group that follow anew after the drift: see contact_follow.c.
void tni_contact_group_follow(tni_solver *solver, tni_contact_group *group);
// Looks at the shapes of a contact whose gate is about to shut. Returns false where nothing is in
// the way, until the end of the substep (solve A) or now. Else the record becomes that of the
// meeting.
bool tni_contact_look(tni_solver *solver, tni_contact_record *record, bool use_bias);

#endif
