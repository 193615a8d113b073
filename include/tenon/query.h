/// tenon/query.h: what stands where: the first shape on a straight way, the shapes in a box.
///
/// Queries see every shape of an enabled body, asleep or awake, where it is now, but for those
/// whose filter lets them touch nothing. They change nothing. Thread: any number of threads at once
/// on one world, between its steps and while nobody changes it.
#ifndef TENON_QUERY_H
#define TENON_QUERY_H

#include "tenon/shape.h"

TN_EXTERN_C_BEGIN

/// Whether a shape counts as an answer. `world` must not be changed (WORLD_LOCKED). Called by the
/// thread that asks, and for many rays by the world's workers.
typedef bool (*tn_query_accept_fn)(const tn_world *world, tn_shape_id shape, void *user_data);

/// A query passes over shapes by this. Start from tn_query_filter_default(); a null pointer to a
/// filter stands for that.
typedef struct tn_query_filter {
    uint64_t category;         ///< as a shape's: finds what a shape with these may touch. Default 1
    uint64_t mask;             ///< default all
    int32_t group;             ///< default 0
    const tn_body_id *ignored; ///< bodies to look through: read during the call only
    uint32_t ignored_count;    ///< a few: each shape that is met is compared with all. Default 0
    tn_query_accept_fn accept; ///< or null: all that pass. Default null
    void *user_data;           ///< for `accept`
} tn_query_filter;

/// Category 1, mask all, group 0, nothing ignored, no callback. Thread: any.
TN_API tn_query_filter tn_query_filter_default(void);

/// A straight way through the world. Start from tn_ray_make().
typedef struct tn_ray {
    tn_vec3 origin;      ///< m
    tn_vec3 translation; ///< m: from the origin to where the way ends. Of no length: asks what is
                         ///< at the origin
    const tn_query_filter *filter; ///< or null: the default. Read during the call only
} tn_ray;

/// Where a ray first met a shape.
typedef struct tn_ray_hit {
    tn_shape_id shape; ///< null: the ray met nothing, and the rest is zero
    tn_vec3 point;
    tn_vec3 normal; ///< of length 1, outward. Of a ray that begins inside of the shape: against its
                    ///< way, or zero where that has no length
    double fraction; ///< 0 to 1, of the way. 0: it begins inside
} tn_ray_hit;

/// A ray with the default filter. Thread: any.
TN_API tn_ray tn_ray_make(tn_vec3 origin, tn_vec3 translation);

/// The first shape on the way, of two at the same place the one with the smaller index. Affine
/// bodies have the shape they are deformed to. Returns false when there is none, `out_hit` (may be
/// null) is then zero. Errors: INVALID_ARGUMENT (no ray, ignored bodies without an array),
/// NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY.
TN_API bool tn_world_cast_ray(const tn_world *world, const tn_ray *ray, tn_ray_hit *out_hit);
/// Many at once, on the world's workers where no other thread has them: `out_hits` has room for
/// `count`, hit i is that of ray i, and the same for any number of workers. Returns how many met a
/// shape. Errors: as of one ray, INVALID_ARGUMENT also without `out_hits`; a single bad ray makes
/// all of them miss.
TN_API uint32_t tn_world_cast_rays(const tn_world *world, const tn_ray *rays, uint32_t count,
                                   tn_ray_hit *out_hits);
/// The shapes whose own axis-aligned boxes (tn_body_get_bounds) overlap the box, and half-spaces
/// that reach into it: fills at most `capacity`, in the order of their indices if all have room,
/// returns how many there are. Errors: INVALID_ARGUMENT (a box whose corners are exchanged, ignored
/// bodies without an array), NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY: returns 0.
TN_API uint32_t tn_world_find_shapes(const tn_world *world, tn_bounds bounds,
                                     const tn_query_filter *filter, tn_shape_id *out_shapes,
                                     uint32_t capacity);

TN_EXTERN_C_END

#endif
