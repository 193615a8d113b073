// world/collide/contact_path.h: makes the contact of a moving pair along its path through a step.
#ifndef TNI_WORLD_COLLIDE_CONTACT_PATH_H
#define TNI_WORLD_COLLIDE_CONTACT_PATH_H

#include "collision/path/path.h"
#include "world/collide/narrow.h"

// rad: shapes that turn by less in a step are known by their motions alone.
#define TNI_CONTACT_PATH_TURN 0.25f
// m: a pair with a larger gap does not touch.
#define TNI_CONTACT_PATH_GAP 1e-4f
// A factor of float bounds that leaves room for their round-off.
#define TNI_CONTACT_PATH_ROUND_OFF 1.0001f

// A pair of shapes under way, followed for `dt`.
typedef struct tni_contact_path {
    const tn_world *world;
    const tni_shape_motion *a, *b;
    double dt;
    double strain; // m: how far straining moves the surfaces of affine bodies within dt
    double sag;    // m: how far joints take bodies off their straight paths within dt
    double way;    // m: relative motion of the bodies' centres within dt, with both
    float reach;   // m: the same with rotation: no surface approaches by more
    float margin;  // m: points are sought up to this separation
    // The axes of the shapes, once something asks for them; half extents are set for boxes only.
    bool has_boxes;
    tni_oriented_box box_a, box_b;
} tni_contact_path;

static inline void tni_contact_path_set_boxes(tni_contact_path *path) {
    if (!path->has_boxes) {
        tni_oriented_box_set(&path->box_a, path->a->rotation, path->a->half_extents);
        tni_oriented_box_set(&path->box_b, path->b->rotation, path->b->half_extents);
        path->has_boxes = true;
    }
}

// contact_apart.c: returns whether two boxes without points are farther apart than the margin along
// the axis that parted them when they were last looked at. False decides nothing.
bool tni_contact_is_apart(const tni_contact *contact, tni_contact_path *path);

// contact_recycle.c: remembers what the manifold, just made, was made from, if the shapes are slow
// enough to follow.
void tni_contact_remember(tni_contact *contact, tni_contact_path *path);
// Brings the manifold up to date without making it anew. Returns false when the shapes have moved
// too far for that, or the manifold lacks points that are wanted.
bool tni_contact_recycle(tni_contact *contact, tni_contact_path *path);

// Returns a shape at the start of its path.
tni_path_end tni_shape_get_path_end(const tn_world *world, uint32_t shape,
                                    const tni_shape_motion *motion);

// Returns whether the pair is farther apart than its surfaces can approach, whatever the direction,
// as most contacts of a pile are. Such a pair need not be followed. `gap` is its points' least.
static inline bool tni_contact_path_is_short(float gap, const tni_shape_motion *a,
                                             const tni_shape_motion *b, float reach) {
    float most = maths_max(TNI_CONTACT_PATH_ROUND_OFF * reach, TNI_CONTACT_PATH_GAP);
    return gap > most && a->turn_reach < TNI_CONTACT_PATH_TURN &&
           b->turn_reach < TNI_CONTACT_PATH_TURN;
}

// Returns the speed that gravity gives a body within the path's dt, m/s.
double tni_contact_path_get_kick(const tni_contact_path *path);

// Finds strain and sag of the contact's shapes, if there may be any.
double tni_contact_path_get_strain(const tni_contact_path *path, const tni_contact *contact);
double tni_contact_path_get_sag(const tni_contact_path *path, const tni_contact *contact);

// Finds how far the shapes of a path with motions may come: all members from `strain` on.
TNI_KERNEL void tni_contact_path_reach(tni_contact_path *path, const tni_contact *contact) {
    const tni_shape_motion *a = path->a, *b = path->b;
    path->way = dvec3_length(dvec3_sub(b->velocity, a->velocity)) * path->dt;
    if (a->is_deformed || b->is_deformed) {
        path->strain = tni_contact_path_get_strain(path, contact);
        path->way += path->strain;
    }
    if (a->is_bent || b->is_bent) {
        path->sag = tni_contact_path_get_sag(path, contact);
        path->way += path->sag;
    }
    path->reach = (float)path->way + a->turn_way + b->turn_way;
    path->margin = maths_max(path->world->def.contact_margin, path->reach);
}

// Follows the pair from the manifold of the step's start in `contact`. If its planes do not hold on
// the whole path, puts planes there that do. A pair whose path joints bend keeps its planes and
// looks before it pushes. Returns whether it was followed and meets within dt. `gap` is its least.
bool tni_contact_path_follow(const tni_contact_path *path, tni_contact *contact, float gap);
// The first returns the pair as it is followed. The second writes the result to the contact.
void tni_contact_path_set(const tni_contact_path *path, const tni_contact *contact,
                          tni_path *out_path);
void tni_contact_path_note(const tn_world *world, tni_contact *contact,
                           const tni_path_meeting *meeting);

// Returns whether the shape is a capsule that turns so much within dt that contacts need its axis.
bool tni_shape_rolls(const tni_geometry *geometry, const tni_shape_motion *motion, double dt);

// contact_blows.c: makes a walked contact anew, up to the time at which another body strikes one of
// its bodies. One thread calls it, when all contacts are made. Returns whether it changed.
bool tni_contact_order_blow(tn_world *world, uint32_t contact, double dt);

#endif
