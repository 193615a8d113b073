// collision/ray.h: where a ray first meets a geometry.
#ifndef TNI_COLLISION_RAY_H
#define TNI_COLLISION_RAY_H

#include "collision/geometry.h"

// A ray has the points origin + s translation with s from 0 to 1.
typedef struct tni_ray {
    tni_dvec3 origin, translation;
} tni_ray;

// Returns the ray as a frame at this place sees it.
static inline tni_ray ray_in_frame(const tni_ray *ray, tni_dvec3 position, tni_dquat rotation) {
    tni_ray local = {dquat_rotate_inverse(rotation, dvec3_sub(ray->origin, position)),
                     dquat_rotate_inverse(rotation, ray->translation)};
    return local;
}

typedef struct tni_ray_hit {
    double fraction;  // s
    tni_dvec3 normal; // unit, outward; zero for a ray that begins inside, with s = 0
} tni_ray_hit;

// A ray is asked for the first place where it enters, which is its origin if it begins inside; for
// the first where it enters anything that it does not begin inside; or for the first where it
// leaves. It enters a surface, which has no inside, by its front and leaves it by its back.
typedef enum tni_ray_way {
    TNI_RAY_ENTERS,
    TNI_RAY_ENTERS_ANEW,
    TNI_RAY_LEAVES
} tni_ray_way;

// Casts a ray in the geometry's own frame (its position and rotation do not count); the hit's
// normal is in it, too. Returns false when they do not meet, and `out_hit` is then undefined.
bool tni_geometry_cast_ray(const tni_geometry *geometry, const tni_ray *ray, tni_ray_way way,
                           tni_ray_hit *out_hit);

// Slabs serve to cast a ray at boxes: the result is the s at which it enters, 0 for one that begins
// inside, infinite for one that passes by.
typedef struct tni_ray_slabs {
    double origin[3], inverse[3]; // 1 / translation
    bool is_across[3];            // it does not go along this axis
} tni_ray_slabs;
tni_ray_slabs tni_ray_get_slabs(const tni_ray *ray);
double tni_bounds_cast_ray(const tni_bounds *bounds, const tni_ray_slabs *slabs);

#endif
