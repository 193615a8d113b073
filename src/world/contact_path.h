// world/contact_path.h: the contact of a pair that moves, made along its way through a step.
#ifndef TNI_WORLD_CONTACT_PATH_H
#define TNI_WORLD_CONTACT_PATH_H

#include "collision/path.h"
#include "world/narrow.h"

// rad: shapes that turn by less in a step are known by their motions alone.
#define TNI_CONTACT_PATH_TURN 0.25f
// m: what is farther than this does not touch.
#define TNI_CONTACT_PATH_GAP 1e-4f
// A bound in float, with room for its round-off.
#define TNI_CONTACT_PATH_ROUND_OFF 1.0001f

// A pair of shapes under way, followed for `dt`.
typedef struct tni_contact_path {
    const tn_world *world;
    const tni_shape_motion *a, *b;
    double dt;
    double strain; // m: how far straining moves the surfaces of affine bodies within dt
    float margin;  // m: how far points are looked for
    float reach;   // m: no surface comes nearer by more within dt
} tni_contact_path;

// True where the pair is farther apart than its surfaces come together, whatever the direction:
// most contacts of a pile. Such a pair need not be followed.
static inline bool tni_contact_path_is_short(const tni_contact *contact, const tni_shape_motion *a,
                                             const tni_shape_motion *b, float reach) {
    float most = maths_max(TNI_CONTACT_PATH_ROUND_OFF * reach, TNI_CONTACT_PATH_GAP);
    return tni_manifold_get_least(&contact->manifold) > most &&
           a->turn_reach < TNI_CONTACT_PATH_TURN && b->turn_reach < TNI_CONTACT_PATH_TURN;
}

// Follows the pair from the manifold of the step's start, which stands in `contact`, and puts the
// planes there that hold on the whole way, where those do not. Returns whether the pair was
// followed and meets within dt.
bool tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact);
// The pair as it is followed, and what came of that written to the contact.
void tni_contact_path_set(const tni_contact_path *path, const tni_contact *contact,
                          tni_path *out_path);
void tni_contact_path_note(const tn_world *world, tni_contact *contact,
                           const tni_path_meeting *meeting);

// A capsule that turns so much within dt that its contacts have to know where its axis is.
bool tni_shape_rolls(const tni_geometry *geometry, const tni_shape_motion *motion, double dt);

// contact_blows.c: a walked contact anew, up to the time at which one of its bodies is struck by
// another. On one thread, when all contacts are made. Returns true when it changed.
bool tni_contact_order_blow(tn_world *world, uint32_t contact, double dt);

#endif
