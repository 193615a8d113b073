// collision/gjk.h: the distance between two convex sets of points.
#ifndef TNI_COLLISION_GJK_H
#define TNI_COLLISION_GJK_H

#include "collision/narrow.h"

typedef struct tni_gjk_result {
    float distance;
    vec3s normal;           // unit, from a to b; zero when they overlap
    vec3s looked;           // the last direction in which a's support was looked for
    vec3s point_a, point_b; // the closest points, both in a's frame
    uint32_t count;         // corners of the last simplex
    uint16_t index_a[4], index_b[4];
    bool is_overlapping;
} tni_gjk_result;

// Returns a point of a convex shape that lies farthest along a direction of any length.
typedef tni_dvec3 tni_gjk_support_fn(const void *shape, tni_dvec3 direction);

// A set stands for the convex hull of its points. `lanes` are those of a hull, or null: then the
// points are looked at one by one. A curved set has a support function, which gets `shape`, and no
// points.
typedef struct tni_gjk_set {
    const vec3s *points;
    uint32_t count, lane_count;
    const float *lanes;
    tni_gjk_support_fn *support;
    const void *shape;
} tni_gjk_set;

static inline tni_gjk_set gjk_set_of_points(const vec3s *points, uint32_t count) {
    tni_gjk_set set = {points, count, 0, NULL, NULL, NULL};
    return set;
}

static inline tni_gjk_set gjk_set_of_hull(const tni_hull *hull) {
    tni_gjk_set set = {
        hull->vertices, hull->vertex_count, hull->lane_count, hull->lanes, NULL, NULL};
    return set;
}

static inline tni_gjk_set gjk_set_of_support(tni_gjk_support_fn *support, const void *shape) {
    tni_gjk_set set = {NULL, 0, 0, NULL, support, shape};
    return set;
}

// Returns the point of a set that lies farthest along a direction, in the set's own frame, and its
// number: 0 for a curved set.
tni_dvec3 tni_gjk_find_support(const tni_gjk_set *set, tni_dvec3 direction, uint16_t *out_index);

// Finds the distance. Of curved sets it is right to 1e-7 of their size. `relative` is the frame of
// b seen from a.
void tni_gjk_distance(const tni_gjk_set *a, const tni_gjk_set *b, const tni_relative *relative,
                      tni_gjk_result *result);

#endif
