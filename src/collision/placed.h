// collision/placed.h: convex shapes in the world: how far two of them are apart, and where one
// meets the other on its way.
#ifndef TNI_COLLISION_PLACED_H
#define TNI_COLLISION_PLACED_H

#include "collision/support.h"

// A convex shape at a place. It points into itself: it may not be copied.
typedef struct tni_placed {
    tni_convex convex;  // in its own frame
    tni_convex rest;    // of a mapped shape: before the map
    tni_dmat3 map;      // of a mapped shape: from the frame at rest to world axes
    tni_dvec3 position; // of the frame
    tni_dquat rotation; // of a mapped shape: none
    bool is_half_space; // the convex is not set: the frame's y axis is the outward normal
} tni_placed;

void tni_placed_set(tni_placed *placed, const tni_geometry *geometry, tni_dvec3 position,
                    tni_dquat rotation);
// Sets a shape whose points X, in the geometry's frame, are at `position` + map X.
void tni_placed_set_mapped(tni_placed *placed, const tni_geometry *geometry, tni_dvec3 position,
                           const tni_dmat3 *map);
// Returns the point farthest along a direction of the world. It is not for half-spaces.
tni_dvec3 tni_placed_get_point(const tni_placed *placed, tni_dvec3 direction);

// Distances are right to 1e-6 of the size of the larger shape, or better.
typedef struct tni_placed_gap {
    double separation; // m: negative where they overlap, by the least depth
    tni_dvec3 normal;  // unit, from a to b
    tni_dvec3 point_a; // on a's surface, in the world
} tni_placed_gap;

// Measures two shapes; b may not be a half-space. The second does so only if they overlap, which it
// returns, and the third says no more than that.
void tni_placed_measure(const tni_placed *a, const tni_placed *b, tni_placed_gap *out_gap);
bool tni_placed_measure_overlap(const tni_placed *a, const tni_placed *b, tni_placed_gap *out_gap);
bool tni_placed_overlap(const tni_placed *a, const tni_placed *b);

// Finds the first fraction, up to `limit`, of the translation at which b meets a. At 0 they
// overlap, and the gap has the depth; else its separation is 0. Returns false if they do not meet.
bool tni_placed_cast(const tni_placed *a, const tni_placed *b, tni_dvec3 translation, double limit,
                     double *out_fraction, tni_placed_gap *out_gap);

#endif
