// world/collide/narrow.h: declares what the files of a world's narrow phase share.
#ifndef TNI_WORLD_COLLIDE_NARROW_H
#define TNI_WORLD_COLLIDE_NARROW_H

#include "world/world.h"

// Contacts lie in memory as they were made, and the list of awake ones is in no order, so a pass
// over the list fetches memory some contacts ahead. (Forced inline: a compiler may take a function
// that only fetches for one that does nothing.)
#define TNI_NARROW_AHEAD 8

TNI_KERNEL void tni_narrow_fetch(const void *object, size_t size) {
    const char *bytes = object;
    for (size_t at = 0; at < size; at += TNI_CACHE_LINE) {
        TNI_PREFETCH(bytes + at);
    }
}

// shape_motion.c: fills the motions of a body's shapes for a step of dt.
void tni_body_update_motions(tn_world *world, uint32_t body, double dt);
// Returns the motion of a shape whose body is awake, else computes it in *out.
const tni_shape_motion *tni_shape_get_motion(const tn_world *world, uint32_t shape, double dt,
                                             tni_shape_motion *out);

// The shapes of a contact, and their axes once something asks for them.
typedef struct tni_narrow_pair {
    const tni_shape_motion *a, *b;
    bool has_boxes;
    tni_oriented_box box_a, box_b; // half extents are set for boxes only
} tni_narrow_pair;

static inline void tni_narrow_set_boxes(tni_narrow_pair *pair) {
    if (!pair->has_boxes) {
        tni_oriented_box_set(&pair->box_a, pair->a->rotation, pair->a->half_extents);
        tni_oriented_box_set(&pair->box_b, pair->b->rotation, pair->b->half_extents);
        pair->has_boxes = true;
    }
}

// contact_apart.c: returns whether two boxes without points are farther apart than the margin along
// the axis that parted them when they were last looked at. False decides nothing.
bool tni_contact_is_apart(const tni_contact *contact, tni_narrow_pair *pair, float margin);

// contact_recycle.c: remembers what the manifold, just made for `margin`, was made from, if the
// shapes, which approach by at most `way` in a step, are slow enough to follow.
void tni_contact_remember(tn_world *world, tni_contact *contact, tni_narrow_pair *pair,
                          float margin, float way);
// Brings the manifold up to date without making it anew. Returns false when the shapes have moved
// too far for that, or the manifold lacks points that are wanted.
bool tni_contact_recycle(const tn_world *world, tni_contact *contact, tni_narrow_pair *pair,
                         float margin);

#endif
