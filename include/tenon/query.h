/// tenon/query.h: finds the first shape on a ray, and the shapes in a box.
///
/// Queries see every shape of an enabled body where it is now, asleep or awake, except shapes whose
/// filter lets them touch nothing. They change nothing. Thread: any number of threads may query one
/// world at once, between its steps and while no thread changes it.
#ifndef TENON_QUERY_H
#define TENON_QUERY_H

#include "tenon/shape.h"

TN_EXTERN_C_BEGIN

/// Returns whether a shape counts as an answer. It must not change `world` (WORLD_LOCKED). The
/// querying thread calls it, and for many rays the world's workers do.
typedef bool (*tn_query_accept_fn)(const tn_world *world, tn_shape_id shape, void *user_data);

/// Decides which shapes a query ignores. Start from tn_query_filter_default(); a null pointer to a
/// filter means that default, and a filter that is all zero finds nothing.
typedef struct tn_query_filter {
    uint64_t category; ///< as for a shape: the query finds what that shape may touch. Default 1
    uint64_t mask;     ///< default all
    int32_t group;     ///< default 0
    const tn_body_id *ignored; ///< bodies to ignore; read during the call only
    uint32_t ignored_count;    ///< a few: each shape that is met is compared with all. Default 0
    bool finds_sensors;        ///< sensors count as answers too. Default false
    tn_query_accept_fn accept; ///< null (default): accepts all
    void *user_data;           ///< for `accept`
} tn_query_filter;

/// Returns the default filter: category 1, mask all, group 0, no ignored body, no callback. Thread:
/// any.
TN_API tn_query_filter tn_query_filter_default(void);

/// A straight line through the world. Start from tn_ray_make().
typedef struct tn_ray {
    tn_vec3 origin;      ///< m
    tn_vec3 translation; ///< m: from the origin to the end. A zero asks what is at the origin
    const tn_query_filter *filter; ///< null: the default. Read during the call only
} tn_ray;

/// The place at which a ray first meets a shape.
typedef struct tn_ray_hit {
    tn_shape_id shape; ///< null: the ray meets nothing, and the other members are zero
    tn_vec3 point;
    tn_vec3 normal;  ///< outward, of length 1. If the ray begins inside the shape: against the ray,
                     ///< or zero if the ray has no length
    double fraction; ///< 0 to 1, of the translation. 0: the ray begins inside
} tn_ray_hit;

/// Returns a ray with the default filter. Thread: any.
TN_API tn_ray tn_ray_make(tn_vec3 origin, tn_vec3 translation);

/// Finds the first shape on the ray; if two are equally near, the one with the smaller index.
/// Affine bodies have their deformed shape. Returns false if there is none, and sets `out_hit` (may
/// be null) to zero. Errors: INVALID_ARGUMENT (no ray, ignored bodies without an array),
/// NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY.
TN_API bool tn_world_cast_ray(const tn_world *world, const tn_ray *ray, tn_ray_hit *out_hit);
/// Casts many rays, on the world's workers unless another thread uses them. `out_hits` has room for
/// `count`, and hit i is that of ray i, the same for any number of workers. Returns how many rays
/// met a shape. Errors: as for one ray, INVALID_ARGUMENT also without `out_hits`; one bad ray makes
/// all of them miss.
TN_API uint32_t tn_world_cast_rays(const tn_world *world, const tn_ray *rays, uint32_t count,
                                   tn_ray_hit *out_hits);
/// Finds the shapes whose own axis-aligned boxes (as in tn_body_get_bounds) overlap the box, and
/// the half-spaces that reach into it. Fills in at most `capacity` handles, in the order of their
/// indices if all have room, and returns how many there are. Errors: INVALID_ARGUMENT (lower above
/// upper, ignored bodies without an array), NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY: returns 0.
TN_API uint32_t tn_world_find_shapes(const tn_world *world, tn_bounds bounds,
                                     const tn_query_filter *filter, tn_shape_id *out_shapes,
                                     uint32_t capacity);

TN_EXTERN_C_END

#endif
