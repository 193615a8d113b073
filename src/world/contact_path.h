// world/contact_path.h: the contact of a pair that moves, made along its way through a step.
#ifndef TNI_WORLD_CONTACT_PATH_H
#define TNI_WORLD_CONTACT_PATH_H

#include "world/narrow.h"

// A pair of shapes under way, followed for `dt`.
typedef struct tni_contact_path {
    const tn_world *world;
    const tni_shape_motion *a, *b;
    double dt;
    double strain; // m: how far straining moves the surfaces of affine bodies within dt
    float margin;  // m: how far points are looked for
} tni_contact_path;

// What following the way of a pair came to.
typedef struct tni_contact_meeting {
    bool is_walked;    // the manifold is that of a later time
    bool hits;         // surfaces meet on the way, at `time`
    bool is_confirmed; // no other axis of the pair carries
    double time;       // s
    vec3s offset;      // from the centre of mass of b to that of a at that time, m
} tni_contact_meeting;

// Follows the pair from the manifold of the step's start, which stands in `contact`, and puts the
// planes there that hold on the whole way: see contact_path.c. Writes the manifold, where it is
// walked, and nothing else of the contact.
tni_contact_meeting tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact);

#endif
