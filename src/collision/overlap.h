// collision/overlap.h: whether two shapes overlap.
#ifndef TNI_COLLISION_OVERLAP_H
#define TNI_COLLISION_OVERLAP_H

#include "collision/geometry.h"

// Returns whether the two shapes have a point in common. The poses are those of the geometries' own
// frames in the world. Two half-spaces never do.
bool tni_geometry_overlaps(const tni_geometry *a, const tni_dpose *pose_a, const tni_geometry *b,
                           const tni_dpose *pose_b);

#endif
