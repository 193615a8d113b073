// collision/gjk.h: the distance between two convex sets of points.
#ifndef TNI_COLLISION_GJK_H
#define TNI_COLLISION_GJK_H

#include "collision/narrow.h"

typedef struct tni_gjk_result {
    float distance;
    vec3s normal;           // unit, from a to b; zero when they overlap
    vec3s point_a, point_b; // the closest points, both in a's frame
    uint32_t count;         // corners of the last simplex
    uint16_t index_a[4], index_b[4];
    bool is_overlapping;
} tni_gjk_result;

void tni_gjk_distance(const vec3s *points_a, uint32_t count_a, const vec3s *points_b,
                      uint32_t count_b, const tni_relative *relative, tni_gjk_result *result);

#endif
