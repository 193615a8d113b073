/// tenon/query.h: what stands where: the first shape on a straight way, the shapes in a box.
///
/// Queries see every shape of an enabled body, asleep or awake, where it is now, but for those
/// whose filter lets them touch nothing. They change no motion. Thread: one at a time per world,
/// and not during a step; the rays of one call are spread over the world's workers.
#ifndef TENON_QUERY_H
#define TENON_QUERY_H

#include "tenon/shape.h"

TN_EXTERN_C_BEGIN

/// A straight way through the world. Start from tn_ray_make().
typedef struct tn_ray {
    tn_position origin;  ///< m
    tn_vec3 translation; ///< m: from the origin to where the way ends. Of no length: asks what is
                         ///< at the origin
    tn_filter filter;    ///< as a shape's: hits what a shape with it may touch
} tn_ray;

/// Where a ray first met a shape.
typedef struct tn_ray_hit {
    tn_shape_id shape; ///< null: the ray met nothing, and the rest is zero
    tn_position point;
    tn_vec3 normal; ///< of length 1, outward. Of a ray that begins inside of the shape: against its
                    ///< way, or zero where that has no length
    double fraction; ///< 0 to 1, of the way. 0: it begins inside
} tn_ray_hit;

/// A ray with the default filter (category 1, mask all, group 0). Thread: any.
TN_API tn_ray tn_ray_make(tn_position origin, tn_vec3 translation);

/// The first shape on the way, of two at the same place the one with the smaller index. Affine
/// bodies have the shape they are deformed to. Returns false when there is none, `out_hit` (may be
/// null) is then zero. Errors: INVALID_ARGUMENT (no ray), NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY.
TN_API bool tn_world_cast_ray(tn_world *world, const tn_ray *ray, tn_ray_hit *out_hit);
/// Many at once, on the world's workers: `out_hits` has room for `count`, hit i is that of ray i,
/// and the same for any number of workers. Returns how many met a shape. Errors: as of one ray,
/// INVALID_ARGUMENT also without `out_hits`; a single bad ray makes all of them miss.
TN_API uint32_t tn_world_cast_rays(tn_world *world, const tn_ray *rays, uint32_t count,
                                   tn_ray_hit *out_hits);
/// The shapes whose own axis-aligned boxes (tn_body_get_bounds) overlap the box, and half-spaces
/// that reach into it: fills at most `capacity`, in the order of their indices if all have room,
/// returns how many there are. Errors: INVALID_ARGUMENT (no filter, a box whose corners are
/// exchanged), NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY: returns 0.
TN_API uint32_t tn_world_find_shapes(tn_world *world, tn_bounds bounds, const tn_filter *filter,
                                     tn_shape_id *out_shapes, uint32_t capacity);

TN_EXTERN_C_END

#endif
