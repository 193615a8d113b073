// collision/stretch.h: balls and capsules that an affine map has deformed.
//
// A maps the undeformed shape, in its own frame, to the present one: x = A X. A ball of radius r
// becomes an ellipsoid whose point farthest along a unit n is r A A^T n / |A^T n| from its centre;
// a capsule becomes a segment with that ellipsoid along it. Test:
// tests/collision/manifold/test_manifold_stretched.c
#ifndef TNI_COLLISION_STRETCH_H
#define TNI_COLLISION_STRETCH_H

#include "collision/geometry.h"
#include "collision/manifold/manifold.h"

// See tni_manifold_compute. Only shapes that are stretched name it: otherwise a linker leaves it
// out.
typedef void tni_collide_stretched_fn(const tni_geometry *a, const tni_frame *frame_a,
                                      const tni_geometry *b, const tni_frame *frame_b, float margin,
                                      tni_manifold_cache *cache, tni_manifold *manifold);

typedef struct tni_stretch {
    tni_collide_stretched_fn *collide;
    tni_dmat3 map, inverse;           // A, and back
    double half_length, radius;       // m: of the shape at rest; half_length 0 of a ball
    double least_axis, greatest_axis; // m: half axes of the ellipsoid
    double least_curve;               // m: its least radius of curvature
} tni_stretch;

// Makes a stretched shape. `map` is symmetric, with positive eigenvalues, in the frame of `rest`.
// The frame of the result is turned so that a capsule's segment lies along its y axis again.
void tni_stretch_make(const tni_geometry *rest, const tni_dmat3 *map, tni_stretch *out_stretch,
                      tni_geometry *out_geometry);
// Returns the farthest point of the ellipsoid, from its centre.
tni_dvec3 tni_stretch_get_point(const tni_stretch *stretch, tni_dvec3 n);

#endif
