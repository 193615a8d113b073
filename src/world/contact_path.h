// world/contact_path.h: the contact of a pair that moves, made along its way through a step.
#ifndef TNI_WORLD_CONTACT_PATH_H
#define TNI_WORLD_CONTACT_PATH_H

#include "collision/path.h"
#include "world/narrow.h"

// A pair of shapes under way, followed for `dt`.
typedef struct tni_contact_path {
    const tn_world *world;
    const tni_shape_motion *a, *b;
    double dt;
    double strain; // m: how far straining moves the surfaces of affine bodies within dt
    double sag;    // m: how far joints take bodies off their straight ways within dt
    float margin;  // m: how far points are looked for
    float reach;   // m: no surface comes nearer by more within dt
} tni_contact_path;

// Follows the pair from the manifold of the step's start, which stands in `contact`, and puts the
// planes there that hold on the whole way, where those do not. A pair whose way joints bend keeps
// those of the start, and looks before it pushes. Returns whether the pair was followed and meets
// within dt.
bool tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact);
// The pair as it is followed, and what came of that written to the contact.
void tni_contact_path_set(const tni_contact_path *path, const tni_contact *contact,
                          tni_path *out_path);
void tni_contact_path_note(const tn_world *world, tni_contact *contact,
                           const tni_path_meeting *meeting);

// contact_blows.c: a walked contact anew, up to the time at which one of its bodies is struck by
// another. On one thread, when all contacts are made. Returns true when it changed.
bool tni_contact_order_blow(tn_world *world, uint32_t contact, double dt);

#endif
