/// tenon/shape.h: shapes: the geometry of a body, several per body, each with its material.
#ifndef TENON_SHAPE_H
#define TENON_SHAPE_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

typedef enum tn_shape_type {
    TN_SHAPE_TYPE_SPHERE = 0,
    TN_SHAPE_TYPE_CAPSULE,
    TN_SHAPE_TYPE_BOX,
    TN_SHAPE_TYPE_HULL,
    TN_SHAPE_TYPE_HALF_SPACE,
} tn_shape_type;

/// Two shapes may touch if each one's `mask` holds a bit of the other's `category`; a common group
/// decides first: positive always, negative never, 0 no say.
typedef struct tn_filter {
    uint64_t category; ///< default 1
    uint64_t mask;     ///< default all
    int32_t group;     ///< default 0
} tn_filter;
/// Touches everything. One that is all zero touches nothing.
TN_API tn_filter tn_filter_default(void);

/// Two shapes that meet combine a number of their materials by this. Of two modes the later one in
/// this list counts.
typedef enum tn_combine {
    TN_COMBINE_DEFAULT = 0, ///< friction sqrt(f1 f2), restitution the larger one
    TN_COMBINE_AVERAGE,
    TN_COMBINE_MINIMUM,
    TN_COMBINE_MULTIPLY,
    TN_COMBINE_MAXIMUM,
} tn_combine;

/// How a shape rubs, bounces and rolls. Two resistances meet as the larger one.
typedef struct tn_material {
    float friction;            ///< Coulomb, >= 0, of what slides. Default 0.6
    float restitution;         ///< 0 to 1. Default 0
    float rolling_resistance;  ///< m, >= 0: torque per newton against rolling. Default 0
    float twisting_resistance; ///< m, >= 0: torque per newton against spinning on the spot, beside
                               ///< that of a patch of several points. Default 0
    float static_friction;     ///< of what does not slide: 0 (as `friction`), or at least
                               ///< `friction`. Default 0
    tn_combine friction_combine;    ///< of both frictions. Default DEFAULT
    tn_combine restitution_combine; ///< default DEFAULT
} tn_material;
TN_API tn_material tn_material_default(void);

/// What a shape is made from. Start from tn_shape_def_default().
typedef struct tn_shape_def {
    tn_pose local_pose; ///< of the shape in the body's frame. The quaternion is normalised
    float density;      ///< kg/m^3, >= 0. Default 1000
    tn_material material;
    tn_filter filter;
    bool has_hit_events; ///< default true
    void *user_data;
} tn_shape_def;

TN_API tn_shape_def tn_shape_def_default(void);

/// A ball about the local pose's origin. Range: radius > 0, m.
TN_API tn_shape_id tn_sphere_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                          float radius);
/// A cylinder with round caps along the local y axis: `half_length` from the middle to a cap's
/// centre.
TN_API tn_shape_id tn_capsule_shape_create(tn_world *world, tn_body_id body,
                                           const tn_shape_def *def, float half_length,
                                           float radius);
/// A box of edges 2 * half_extents. Range: each > 0, m.
TN_API tn_shape_id tn_box_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                       tn_vec3 half_extents);
/// A convex hull made before. One hull may serve many shapes.
TN_API tn_shape_id tn_hull_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                        tn_hull_id hull);
/// All space below the local x-z plane (local y is the outward normal). Static bodies only
/// (WRONG_TYPE).
TN_API tn_shape_id tn_half_space_shape_create(tn_world *world, tn_body_id body,
                                              const tn_shape_def *def);
/// All five: errors WORLD_LOCKED, INVALID_ID, INVALID_ARGUMENT, NOT_FINITE, ZERO_AXIS,
/// OUT_OF_MEMORY, TOO_LARGE: return null. The body's mass follows unless it was set by hand.

/// Builds a convex hull around points. Range: 4 to 65535 points, at most 255 corners left.
/// Errors: DEGENERATE_HULL, NOT_FINITE, INVALID_ARGUMENT, TOO_LARGE, OUT_OF_MEMORY: returns null
/// and sets `out_result` if not null.
TN_API tn_hull_id tn_hull_create(tn_world *world, const tn_vec3 *points, uint32_t count,
                                 tn_result *out_result);
/// Gives the hull back. Shapes made from it live on, and as long as one does the handle serves to
/// read it; no new shapes are made from it (INVALID_ID). Its memory goes with the last of them.
TN_API void tn_hull_destroy(tn_world *world, tn_hull_id hull);
/// Counts and copies for drawing: corners, and faces as corner indices. Returns how many there are.
TN_API uint32_t tn_hull_get_vertices(const tn_world *world, tn_hull_id hull, tn_vec3 *out_vertices,
                                     uint32_t capacity);
/// Triangles that cover the surface, counter-clockwise from outside: 3 indices each. Returns the
/// number of indices there are.
TN_API uint32_t tn_hull_get_triangles(const tn_world *world, tn_hull_id hull, uint32_t *out_indices,
                                      uint32_t capacity);

TN_API void tn_shape_destroy(tn_world *world, tn_shape_id shape);
TN_API bool tn_shape_is_valid(const tn_world *world, tn_shape_id shape);
TN_API tn_body_id tn_shape_get_body(const tn_world *world, tn_shape_id shape);
TN_API tn_shape_type tn_shape_get_type(const tn_world *world, tn_shape_id shape);
TN_API tn_pose tn_shape_get_local_pose(const tn_world *world, tn_shape_id shape);
/// The numbers of its geometry; WRONG_TYPE gives zero.
TN_API float tn_sphere_shape_get_radius(const tn_world *world, tn_shape_id shape);
TN_API float tn_capsule_shape_get_radius(const tn_world *world, tn_shape_id shape);
TN_API float tn_capsule_shape_get_half_length(const tn_world *world, tn_shape_id shape);
TN_API tn_vec3 tn_box_shape_get_half_extents(const tn_world *world, tn_shape_id shape);
TN_API tn_hull_id tn_hull_shape_get_hull(const tn_world *world, tn_shape_id shape);

/// Density, kg/m^3: the body's mass follows unless it was set by hand.
TN_API tn_result tn_shape_set_density(tn_world *world, tn_shape_id shape, float density);
TN_API float tn_shape_get_density(const tn_world *world, tn_shape_id shape);
/// Material and filter. A new filter makes the shape's contacts anew. Wakes the body. A shape whose
/// filter has no category or no mask, and no positive group, costs a step nothing.
TN_API tn_result tn_shape_set_material(tn_world *world, tn_shape_id shape, tn_material material);
TN_API tn_material tn_shape_get_material(const tn_world *world, tn_shape_id shape);
TN_API tn_result tn_shape_set_filter(tn_world *world, tn_shape_id shape, tn_filter filter);
TN_API tn_filter tn_shape_get_filter(const tn_world *world, tn_shape_id shape);
TN_API tn_result tn_shape_set_user_data(tn_world *world, tn_shape_id shape, void *user_data);
TN_API void *tn_shape_get_user_data(const tn_world *world, tn_shape_id shape);

TN_EXTERN_C_END

#endif
