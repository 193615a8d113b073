// collision/manifold/facet.h: the part of a convex shape that meets another along a normal.
#ifndef TNI_COLLISION_MANIFOLD_FACET_H
#define TNI_COLLISION_MANIFOLD_FACET_H

#include "collision/support.h"

typedef enum tni_facet_kind {
    TNI_FACET_POINT,
    TNI_FACET_SEGMENT,
    TNI_FACET_POLYGON,
    TNI_FACET_DISC
} tni_facet_kind;

// A point of a cap's rim is called by these numbers: the one that lies lowest, and where none does
// those at a quarter turn from each other, which the cap carries round.
enum {
    TNI_FACET_BOTTOM = 1,
    TNI_FACET_TOP = 2,
    TNI_FACET_RIM = 4 // and 15 more: 8 for each cap
};

// Corners run counter-clockwise, seen from outside; of a disc they are four points of its rim.
// Numbers name them: they are not 0, and smaller than 512.
typedef struct tni_facet {
    tni_facet_kind kind;
    uint32_t count;
    tni_dvec3 points[TNI_HULL_MAX_VERTICES];
    uint16_t numbers[TNI_HULL_MAX_VERTICES];
    tni_dvec3 normal; // unit, outward, of a polygon or a disc
    tni_dvec3 center; // of a disc
    double radius;    // m: of a disc
} tni_facet;

// Finds the facet of a core along a unit direction, in the geometry's own frame. Its points lie
// farthest along the direction, or come near to it: a face counts when its normal is less than a
// third of a radian off.
void tni_facet_find(const tni_convex *convex, tni_dvec3 direction, tni_facet *facet);

#endif
