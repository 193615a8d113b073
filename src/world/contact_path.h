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
    bool hits;         // the surfaces meet within dt
    bool is_confirmed; // no other axis of the pair carries
    double time;       // s: of the manifold
    double blow;       // s: when the pair meets in earnest, or dt
    vec3s offset;      // from the centre of mass of b to that of a at `time`, m
} tni_contact_meeting;

// Follows the pair from the manifold of the step's start, which stands in `contact`, and puts the
// planes there that hold on the whole way: see contact_path.c. Writes the manifold, where it is
// walked, and nothing else of the contact.
tni_contact_meeting tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact);
// Writes what came of it to the contact.
void tni_contact_path_note(const tni_contact_path *path, tni_contact *contact,
                           const tni_contact_meeting *meeting);
// The manifold of the step's start once more, where another has taken its place.
void tni_contact_path_begin(const tni_contact_path *path, tni_contact *contact);

// contact_blows.c: a walked contact anew, up to the time at which one of its bodies is struck by
// another. On one thread, when all contacts are made. Returns true when it changed.
bool tni_contact_order_blow(tn_world *world, uint32_t contact, double dt);

#endif
