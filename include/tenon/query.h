/// tenon/query.h: finds what is on a ray, on the way of a shape, in a box or a shape, and near.
///
/// Queries see every shape of an enabled body where it is now, asleep or awake, except shapes whose
/// filter lets them touch nothing. They change nothing. Thread: any number of threads may query one
/// world at once, between its steps and while no thread changes it.
#ifndef TENON_QUERY_H
#define TENON_QUERY_H

#include "tenon/hull.h"

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

/// Says what a ray or a shape cast makes of a shape that it begins inside.
typedef enum tn_query_inside {
    TN_QUERY_INSIDE_REPORT = 0, ///< meets it at once, at a fraction of 0 (default)
    TN_QUERY_INSIDE_PASS,   ///< goes on inside: a ray may report where it leaves, if it has back
                            ///< faces
    TN_QUERY_INSIDE_IGNORE, ///< does not see that shape at all
} tn_query_inside;

/// A straight line through the world. Start from tn_ray_make().
typedef struct tn_ray {
    tn_vec3 origin;      ///< m
    tn_vec3 translation; ///< m: from the origin to the end. A zero asks what is at the origin
    const tn_query_filter *filter; ///< null: the default. Read during the call only
    tn_query_inside inside;        ///< default REPORT
    bool has_back_faces; ///< the ray also meets shapes where it leaves them, and triangles of one
                         ///< side from behind. Default false
} tn_ray;

/// The place at which a ray meets a shape.
typedef struct tn_ray_hit {
    tn_shape_id shape; ///< null: the ray meets nothing, and the other members are zero
    tn_vec3 point;
    tn_vec3 normal;  ///< outward, of length 1. If the ray begins inside the shape: against the ray,
                     ///< or zero if the ray has no length
    double fraction; ///< 0 to 1, of the translation. 0: the ray begins inside
    bool is_back;    ///< the ray leaves the shape here
} tn_ray_hit;

/// Returns a ray with the default filter, that reports what it begins inside and no back faces.
/// Thread: any.
TN_API tn_ray tn_ray_make(tn_vec3 origin, tn_vec3 translation);

/// Finds the first shape on the ray; if two are equally near, the one with the smaller index.
/// Affine bodies have their deformed shape. Returns false if there is none, and sets `out_hit` (may
/// be null) to zero. Errors: INVALID_ARGUMENT (no ray, ignored bodies without an array, no such
/// `inside`), NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY.
TN_API bool tn_world_cast_ray(const tn_world *world, const tn_ray *ray, tn_ray_hit *out_hit);
/// Returns whether the ray meets any shape. It stops at the first one that it finds, so it is
/// quicker than tn_world_cast_ray where many lie on the ray. Errors: as above.
TN_API bool tn_world_cast_ray_any(const tn_world *world, const tn_ray *ray);
/// Finds all shapes on the ray. Fills in the first `capacity` hits in the order of their fractions,
/// equal ones by the index of the shape, and returns how many there are. With back faces a shape
/// that the ray enters and leaves has two hits: the first places where it does, if it is a mesh, a
/// height field or a compound. Errors: as above, returns 0.
TN_API uint32_t tn_world_cast_ray_all(const tn_world *world, const tn_ray *ray,
                                      tn_ray_hit *out_hits, uint32_t capacity);
/// Casts many rays, on the world's workers unless another thread uses them. `out_hits` has room for
/// `count`, and hit i is that of ray i, the same for any number of workers. Returns how many rays
/// met a shape. Errors: as for one ray, INVALID_ARGUMENT also without `out_hits`; one bad ray makes
/// all of them miss.
TN_API uint32_t tn_world_cast_rays(const tn_world *world, const tn_ray *rays, uint32_t count,
                                   tn_ray_hit *out_hits);
/// The same for tn_world_cast_ray_any and tn_world_cast_ray_all. `out_meets` has room for `count`.
/// `out_hits` has room for `capacity` hits of each ray, those of ray i from i * capacity on, and
/// `out_counts`, which has room for `count`, says how many each ray has. Return how many rays met a
/// shape.
TN_API uint32_t tn_world_cast_rays_any(const tn_world *world, const tn_ray *rays, uint32_t count,
                                       bool *out_meets);
TN_API uint32_t tn_world_cast_rays_all(const tn_world *world, const tn_ray *rays, uint32_t count,
                                       tn_ray_hit *out_hits, uint32_t capacity,
                                       uint32_t *out_counts);
/// Finds the shapes whose own axis-aligned boxes (as in tn_body_get_bounds) overlap the box, and
/// the half-spaces that reach into it. Fills in at most `capacity` handles, in the order of their
/// indices if all have room, and returns how many there are. Errors: INVALID_ARGUMENT (lower above
/// upper, ignored bodies without an array), NOT_FINITE, WORLD_LOCKED, OUT_OF_MEMORY: returns 0.
TN_API uint32_t tn_world_find_shapes(const tn_world *world, tn_bounds bounds,
                                     const tn_query_filter *filter, tn_shape_id *out_shapes,
                                     uint32_t capacity);

/// A convex shape that asks: where it would touch on its way, what it overlaps, how far it is from
/// other shapes. Start from a function tn_..._probe_make(); it belongs to no body.
typedef struct tn_probe {
    tn_shape_type type; ///< any that is convex, but for HALF_SPACE
    float radius;       ///< m: of a sphere (0: a point), a capsule or a cylinder; of the base of a
                        ///< cone; at -half_length of what is tapered
    float radius_top;   ///< m: at +half_length of a tapered cylinder or capsule
    float half_length;  ///< m: of a capsule, a cylinder or a cone, along its y axis
    tn_vec3 half_extents; ///< m: of a box; the half axes of an ellipsoid
    float rounding;       ///< m, >= 0: a ball of this radius goes round all of these. Default 0
    const tn_hull *hull;  ///< of a hull. The probe is no user of it
    tn_shape_id shape;    ///< not null: a shape of the world whose geometry, at rest, replaces the
                          ///< members above: one that is convex, and no half-space
    tn_pose pose;         ///< of its own frame, in the world
    tn_vec3 translation;  ///< m: for casts. It does not turn
    double max_distance;  ///< m, >= 0 or infinite: for tn_world_find_nearest. Default infinite
    tn_query_inside inside;        ///< for casts: PASS is as IGNORE. Default REPORT
    bool has_depth;                ///< overlaps have point, normal and depth, which takes longer.
                                   ///< Default true
    const tn_query_filter *filter; ///< null: the default. Read during the call only
} tn_probe;

/// What a probe finds at one shape.
typedef struct tn_probe_hit {
    tn_shape_id shape; ///< null: nothing, and the other members are zero
    tn_vec3 point;     ///< on the surface of the shape: where it is touched, or nearest
    tn_vec3 normal;    ///< of length 1, out of the shape toward the probe
    double fraction;   ///< of a cast: 0 to 1 of the translation, up to where they touch
    double distance;   ///< m: between the surfaces; where they overlap, less than 0 by the least
                       ///< way that parts them. 0 where a cast touches
} tn_probe_hit;

/// Return probes that stand still, with the default filter. Lengths are those of the shapes of the
/// same types, and may be 0 for spheres, capsules and boxes. Thread: any.
TN_API tn_probe tn_point_probe_make(tn_vec3 point);
TN_API tn_probe tn_sphere_probe_make(tn_vec3 center, float radius);
TN_API tn_probe tn_capsule_probe_make(tn_pose pose, float half_length, float radius);
TN_API tn_probe tn_box_probe_make(tn_pose pose, tn_vec3 half_extents);
TN_API tn_probe tn_cylinder_probe_make(tn_pose pose, float half_length, float radius);
TN_API tn_probe tn_cone_probe_make(tn_pose pose, float half_length, float radius);
TN_API tn_probe tn_tapered_cylinder_probe_make(tn_pose pose, float half_length, float radius_bottom,
                                               float radius_top);
TN_API tn_probe tn_tapered_capsule_probe_make(tn_pose pose, float half_length, float radius_bottom,
                                              float radius_top);
TN_API tn_probe tn_ellipsoid_probe_make(tn_pose pose, tn_vec3 radii);
TN_API tn_probe tn_hull_probe_make(tn_pose pose, const tn_hull *hull);
TN_API tn_probe tn_shape_probe_make(tn_pose pose, tn_shape_id shape);

/// Accuracy of all that follow: distances and depths are right to 1e-5 of the size of the larger
/// shape, or better, and so is a cast's place across the surface that it touches: for shapes of
/// some metres to less than 1e-4 m. A shape is as large as it reaches from its own frame, so points
/// of a hull belong near its origin. Errors of all: INVALID_ARGUMENT (no probe, no hull, a number
/// out of its range, no such type, ignored bodies without an array), NOT_FINITE, ZERO_AXIS
/// (quaternion), INVALID_ID (shape), WRONG_TYPE (the shape is a half-space, or a mesh, a height
/// field or a compound), WORLD_LOCKED, OUT_OF_MEMORY: nothing is found.

/// Moves the probe along its translation, and finds the first shape that it touches; if two are
/// equally near, the one with the smaller index. A shape that it overlaps at the start is found at
/// a fraction of 0, with the depth. Returns false if there is none.
TN_API bool tn_world_cast_probe(const tn_world *world, const tn_probe *probe,
                                tn_probe_hit *out_hit);
/// Finds all shapes that the probe touches on its way. Fills in the first `capacity` hits in the
/// order of their fractions, equal ones by index, and returns how many there are.
TN_API uint32_t tn_world_cast_probe_all(const tn_world *world, const tn_probe *probe,
                                        tn_probe_hit *out_hits, uint32_t capacity);
/// Finds all shapes that the probe overlaps where it is: a point probe finds those that hold the
/// point. Fills in the first `capacity` hits in the order of the shapes' indices, and returns how
/// many there are.
TN_API uint32_t tn_world_overlap_probe(const tn_world *world, const tn_probe *probe,
                                       tn_probe_hit *out_hits, uint32_t capacity);
/// Finds the shapes nearest to the probe, within its `max_distance`, overlapping ones with a
/// distance below 0. Fills in at most `capacity` hits, sorted by distance, equal ones by index, and
/// returns how many it filled in.
TN_API uint32_t tn_world_find_nearest(const tn_world *world, const tn_probe *probe,
                                      tn_probe_hit *out_hits, uint32_t capacity);

/// The same for many probes, on the world's workers unless another thread uses them, with the same
/// results for any number of workers. `out_hits` has room for one hit of each, or for `capacity`
/// hits of each, those of probe i from i * capacity on, and `out_counts` for what a single call
/// returns. Return how many probes found something; one bad probe makes all of them find nothing.
TN_API uint32_t tn_world_cast_probes(const tn_world *world, const tn_probe *probes, uint32_t count,
                                     tn_probe_hit *out_hits);
TN_API uint32_t tn_world_overlap_probes(const tn_world *world, const tn_probe *probes,
                                        uint32_t count, tn_probe_hit *out_hits, uint32_t capacity,
                                        uint32_t *out_counts);
TN_API uint32_t tn_world_find_all_nearest(const tn_world *world, const tn_probe *probes,
                                          uint32_t count, tn_probe_hit *out_hits, uint32_t capacity,
                                          uint32_t *out_counts);

TN_EXTERN_C_END

#endif
