// collision/support.h: convex shapes by their support points, and how far two of them are apart.
//
// A convex shape is a core with a ball of some radius about each of its points. The core of a
// sphere is a point, that of a capsule a segment; boxes, hulls, cylinders and ellipsoids are cores
// of their own, with their rounding for a radius. A half-space is no such shape.
#ifndef TNI_COLLISION_SUPPORT_H
#define TNI_COLLISION_SUPPORT_H

#include "collision/gjk.h"

// It points to the geometry, and to itself: it may not be copied.
typedef struct tni_convex {
    const tni_geometry *geometry;
    tni_gjk_set set; // the core, in the geometry's own frame
    double radius;   // m: of the ball about the core
    double size;     // m: how far the core reaches from the frame's origin
    vec3s points[2]; // of a core that is a point or a segment
} tni_convex;

void tni_convex_set(tni_convex *convex, const tni_geometry *geometry);
// Returns the point of the core, or of the whole shape, farthest along a direction. Both are in the
// geometry's own frame.
tni_dvec3 tni_convex_get_core_point(const tni_convex *convex, tni_dvec3 direction);
tni_dvec3 tni_convex_get_point(const tni_convex *convex, tni_dvec3 direction);

// The separation along a unit normal n is how far b lies beyond a along it, negative where they
// overlap: the greatest of all n is the distance, or the depth with its sign turned.
typedef struct tni_convex_gap {
    double separation;          // m
    tni_dvec3 normal;           // unit, from a to b
    tni_dvec3 point_a, point_b; // on the surfaces, where they are nearest: separation n apart
    bool is_deep;               // the cores overlap
} tni_convex_gap;

// Returns the separation along n, in a's frame. `relative` is the frame of b seen from a.
double tni_convex_get_separation(const tni_convex *a, const tni_convex *b,
                                 const tni_relative *relative, tni_dvec3 n);
// Returns true only if a plane parts the shapes, along the line between their frames or a face of a
// box: less work than to measure them, and most pairs that are apart are parted so.
bool tni_convex_are_parted(const tni_convex *a, const tni_convex *b, const tni_relative *relative);
// Measures two shapes, in a's frame. Distances are right to 1e-7 of the larger shape's size. If the
// cores overlap, the depth is that of a normal from which no small turn makes it less. In 998 of
// 1,000 deep overlaps it is the least of all, and else at most a twentieth of the size more;
// support.c says how it is found.
void tni_convex_measure(const tni_convex *a, const tni_convex *b, const tni_relative *relative,
                        tni_convex_gap *out_gap);
// The same from a unit normal that is known to be near, that of the step before: its search is
// shorter. Returns false when the cores overlap by more than a fiftieth of the smaller inner
// radius: then another normal may be better.
bool tni_convex_measure_near(const tni_convex *a, const tni_convex *b, const tni_relative *relative,
                             tni_dvec3 normal, tni_convex_gap *out_gap);

#endif
