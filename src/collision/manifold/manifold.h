// collision/manifold/manifold.h: where two shapes touch: up to four points with feature ids.
//
// Everything is in world axes relative to a point near the pair (the caller passes both frames
// relative to one origin), so that a scene 100 km out has the contacts it has at home.
#ifndef TNI_COLLISION_MANIFOLD_MANIFOLD_H
#define TNI_COLLISION_MANIFOLD_MANIFOLD_H

#include "collision/geometry.h"

#define TNI_MANIFOLD_MAX_POINTS 4

// This is the frame of one geometry (its own frame, not its body's), relative to the pair's origin.
typedef struct tni_frame {
    vec3s position;
    versors rotation;
} tni_frame;

typedef struct tni_manifold_point {
    vec3s position;   // midway between the two surfaces, relative to the pair's origin
    float separation; // m, negative when they overlap
    uint32_t feature; // the same pair of features gives the same id in the next step; never 0
} tni_manifold_point;

typedef struct tni_manifold {
    vec3s normal; // unit, from a to b
    uint32_t point_count;
    tni_manifold_point points[TNI_MANIFOLD_MAX_POINTS];
} tni_manifold;

// A feature that is neither a corner nor a crossing of edges has this kind, in its highest byte.
#define TNI_FEATURE_OF_OTHER 4u

// Has it two points that may lie along a capsule or a cylinder?
static inline bool tni_manifold_has_line(const tni_manifold *manifold) {
    return manifold->point_count == 2 &&
           manifold->points[0].feature >> 24 == TNI_FEATURE_OF_OTHER &&
           manifold->points[1].feature >> 24 == TNI_FEATURE_OF_OTHER;
}

// Does the line of two points lie along a shape that is round about `axis`? The two of a capsule
// always do. A cylinder may have two points on its rim instead, and the spin of a cone about its
// axis moves its line.
static inline bool tni_manifold_lies_along(const tni_manifold *manifold,
                                           const tni_geometry *geometry, tni_dvec3 axis) {
    if (geometry->type == TNI_GEOMETRY_CAPSULE) {
        return true;
    }
    vec3s line = glms_vec3_sub(manifold->points[1].position, manifold->points[0].position);
    float along = glms_vec3_dot(line, dvec3_to_float(axis)), most = 0.1f * glms_vec3_norm(line);
    return fabsf(along) > 9.0f * most &&
           fabsf(glms_vec3_dot(manifold->normal, dvec3_to_float(axis))) < 0.1f;
}

// Returns the separation of the nearest point, m: FLT_MAX without any.
static inline float tni_manifold_get_least(const tni_manifold *manifold) {
    float least = FLT_MAX;
    for (uint32_t i = 0; i < manifold->point_count; ++i) {
        least = maths_min(least, manifold->points[i].separation);
    }
    return least;
}

// One step leaves this for the next, which starts its search where the last one ended. It is zeroed
// for a new pair.
typedef struct tni_manifold_cache {
    uint16_t axis_kind; // 0 none, 1 face of a, 2 face of b, 3 edge pair, 4 a normal of its own
    uint16_t index_a, index_b;
} tni_manifold_cache;

// An oriented box is given by the directions of its own axes. The last number of each row of four
// is 0.
typedef struct tni_oriented_box {
    float axes[3][4];
    float half_extents[4];
} tni_oriented_box;

void tni_oriented_box_set(tni_oriented_box *box, versors rotation, vec3s half_extents);

// Returns whether a pair of types can touch at all: two half-spaces cannot, nor two concave ones.
bool tni_manifold_has_pair(tni_geometry_type a, tni_geometry_type b);

// Fills `manifold` with every point whose separation is at most `margin` (m, >= 0: speculative
// contacts). It works for every pair of types in either order. point_count is 0 when apart.
void tni_manifold_compute(const tni_geometry *a, const tni_frame *frame_a, const tni_geometry *b,
                          const tni_frame *frame_b, float margin, tni_manifold_cache *cache,
                          tni_manifold *manifold);

// Does the same for two boxes at once, where d leads from a's centre to b's: positions are relative
// to a's centre. The normal is left alone when there are no points.
void tni_manifold_compute_boxes(const tni_oriented_box *a, const tni_oriented_box *b, tni_dvec3 d,
                                float margin, tni_manifold_cache *cache, tni_manifold *manifold);

#endif
