// collision/ray_convex.h: rays and curved or rounded shapes: see ray.h.
#ifndef TNI_COLLISION_RAY_CONVEX_H
#define TNI_COLLISION_RAY_CONVEX_H

#include "collision/ray.h"

// ray.c: finds where a ray enters the ball about the origin, when it begins outside. Returns false
// when it does not enter.
bool tni_ray_enter_ball(tni_dvec3 origin, tni_dvec3 translation, double radius,
                        double *out_fraction);

bool tni_ray_meet_cylinder(const tni_geometry *geometry, const tni_ray *ray, tni_ray_hit *out_hit);
bool tni_ray_meet_tapered_capsule(const tni_geometry *geometry, const tni_ray *ray,
                                  tni_ray_hit *out_hit);
bool tni_ray_meet_ellipsoid(const tni_geometry *geometry, const tni_ray *ray, tni_ray_hit *out_hit);
// For any shape that has a rounding.
bool tni_ray_meet_rounded(const tni_geometry *geometry, const tni_ray *ray, tni_ray_hit *out_hit);

#endif
