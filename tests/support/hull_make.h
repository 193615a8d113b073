// tests/support/hull_make.h: hulls of points, and shapes of hulls that nothing else uses.
#ifndef TESTS_SUPPORT_HULL_MAKE_H
#define TESTS_SUPPORT_HULL_MAKE_H

#include "tenon/hull.h"

// A hull, with the caller as its user, or null.
static inline tn_hull *hull_make(const tn_vec3 *points, uint32_t count) {
    tn_hull_def def = tn_hull_def_default();
    def.points = points;
    def.point_count = count;
    return tn_hull_create(&def, NULL);
}

// A shape of a hull of its own.
static inline tn_shape_id hull_shape_make(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                          const tn_vec3 *points, uint32_t count) {
    tn_hull *hull = hull_make(points, count);
    tn_shape_id shape = tn_hull_shape_create(world, body, def, hull);
    tn_hull_release(hull);
    return shape;
}

#endif
