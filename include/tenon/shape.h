/// tenon/shape.h: shapes, which are the geometry of a body. A body may have several, each with its
/// material.
#ifndef TENON_SHAPE_H
#define TENON_SHAPE_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

typedef enum tn_shape_type {
    TN_SHAPE_TYPE_SPHERE = 0,
    TN_SHAPE_TYPE_CAPSULE,
    TN_SHAPE_TYPE_BOX,
    TN_SHAPE_TYPE_HULL, ///< tenon/hull.h
    TN_SHAPE_TYPE_HALF_SPACE,
    TN_SHAPE_TYPE_CYLINDER,
    TN_SHAPE_TYPE_CONE,
    TN_SHAPE_TYPE_TAPERED_CYLINDER,
    TN_SHAPE_TYPE_TAPERED_CAPSULE,
    TN_SHAPE_TYPE_ELLIPSOID,
    TN_SHAPE_TYPE_MESH,         ///< tenon/mesh.h
    TN_SHAPE_TYPE_HEIGHT_FIELD, ///< tenon/height_field.h
    TN_SHAPE_TYPE_COMPOUND,     ///< tenon/compound.h
} tn_shape_type;

/// Decides whether two shapes may touch. A group that both have decides first: a positive one
/// always lets them touch, a negative one never. Otherwise each one's `mask` must hold a bit of the
/// other's `category`; in a world with `is_one_mask_enough` one of them suffices.
typedef struct tn_filter {
    uint64_t category; ///< default 1
    uint64_t mask;     ///< default all
    int32_t group;     ///< default 0: none
} tn_filter;
/// Returns the filter that touches everything. A filter that is all zero touches nothing.
TN_API tn_filter tn_filter_default(void);

/// Chooses how two shapes that meet combine a number of their materials. If their modes differ, the
/// later one in this list counts.
typedef enum tn_combine {
    TN_COMBINE_DEFAULT = 0, ///< friction sqrt(f1 f2), the larger restitution
    TN_COMBINE_AVERAGE,
    TN_COMBINE_MINIMUM,
    TN_COMBINE_MULTIPLY,
    TN_COMBINE_MAXIMUM,
} tn_combine;

/// Says how a shape rubs, bounces and rolls. Two shapes that meet have the larger resistance of
/// each kind.
typedef struct tn_material {
    float friction;            ///< Coulomb's, >= 0, while sliding. Default 0.6
    float restitution;         ///< 0 to 1. Default 0
    float rolling_resistance;  ///< m, >= 0: torque per newton against rolling. Default 0
    float twisting_resistance; ///< m, >= 0: torque per newton against spinning on the spot, beside
                               ///< the friction of a patch of several points. Default 0
    float static_friction;     ///< while not sliding: 0 means `friction`, else at least `friction`.
                               ///< Default 0
    /// The frequency of a soft surface, Hz, >= 0: what lies on it sinks in by g / (2 pi hertz)^2
    /// and bounces at that rate. 0 is rigid. Of two shapes that meet the softer one counts. Default
    /// 0
    float hertz;
    float damping_ratio;            ///< of a soft surface, >= 0; 1 is critical. Default 0
    tn_combine friction_combine;    ///< for both frictions. Default DEFAULT
    tn_combine restitution_combine; ///< default DEFAULT
    /// Scales both frictions along each axis of the shape's local pose, 0 to 1000: the blade of a
    /// skate along x is {0.02, 1, 1}. Friction then stays in an ellipse across the contact's
    /// normal, and while it slides it takes as much energy as it can (the associated flow rule).
    /// The scales of two shapes multiply where their axes agree; in between they make a geometric
    /// mean. The materials of triangles and children have the axes of the whole shape. Default 0,
    /// 0, 0, which is the same as 1, 1, 1: friction is the same in all directions
    tn_vec3 friction_scale;
} tn_material;
TN_API tn_material tn_material_default(void);

/// Moves the surface of a shape along itself, in the axes of its local pose, while its body stays
/// where it is: conveyors, turntables, tracks. Only the part along the surface counts.
typedef struct tn_surface_velocity {
    tn_vec3 linear;  ///< m/s
    tn_vec3 angular; ///< rad/s, about the origin of the local pose
} tn_surface_velocity;

/// Defines a shape. Start from tn_shape_def_default().
typedef struct tn_shape_def {
    tn_pose local_pose; ///< the shape's pose in the body's frame. The quaternion is normalised
    float density;      ///< kg/m^3, >= 0. Default 1000
    tn_material material;
    tn_surface_velocity surface_velocity; ///< default 0
    tn_filter filter;
    float rounding; ///< m, >= 0: a ball of this radius goes round the shape, which grows by it on
                    ///< all sides. Spheres and capsules add it to their radii. Default 0
    bool has_hit_events;     ///< default true
    bool has_persist_events; ///< each step reports its contacts that last. Default false
    bool has_pre_solve;   ///< the world's pre-solve callback is asked about its contacts. Default
                          ///< false
    bool is_sensor;       ///< it notices what overlaps it: see tenon/sensor.h. Default false
    bool detects_sensors; ///< as a sensor, it notices other sensors too. Default false
    void *user_data;
} tn_shape_def;

TN_API tn_shape_def tn_shape_def_default(void);

/// No shape may reach farther than 1e9 m from the origin of its local pose (INVALID_ARGUMENT).
///
/// Makes a ball about the origin of the local pose. Range: radius > 0, m.
TN_API tn_shape_id tn_sphere_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                          float radius);
/// Makes a cylinder with round caps along the local y axis. `half_length`, m, goes from the middle
/// to the centre of a cap. Range: half_length and radius > 0.
TN_API tn_shape_id tn_capsule_shape_create(tn_world *world, tn_body_id body,
                                           const tn_shape_def *def, float half_length,
                                           float radius);
/// Makes a box with edges of 2 * half_extents. Range: each > 0, m.
TN_API tn_shape_id tn_box_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                       tn_vec3 half_extents);
/// Makes a cylinder along the local y axis. `half_length`, m, goes from the middle to a cap. Range:
/// half_length and radius > 0.
TN_API tn_shape_id tn_cylinder_shape_create(tn_world *world, tn_body_id body,
                                            const tn_shape_def *def, float half_length,
                                            float radius);
/// Makes a cone along the local y axis. The origin of the local pose is half way up: the base is
/// `half_length` below, the apex as far above. Range: half_length and radius > 0, m.
TN_API tn_shape_id tn_cone_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                        float half_length, float radius);
/// Makes a cylinder whose caps have two radii, the bottom one at -half_length of the local y axis.
/// Range: half_length > 0, m; radii >= 0, and one of them > 0: a cone if the other is 0, a cylinder
/// if they are equal.
TN_API tn_shape_id tn_tapered_cylinder_shape_create(tn_world *world, tn_body_id body,
                                                    const tn_shape_def *def, float half_length,
                                                    float radius_bottom, float radius_top);
/// Makes the convex hull of two balls, the bottom one about -half_length of the local y axis.
/// Range: each > 0, m; the radii differ by less than 2 * half_length, so that no ball holds the
/// other.
TN_API tn_shape_id tn_tapered_capsule_shape_create(tn_world *world, tn_body_id body,
                                                   const tn_shape_def *def, float half_length,
                                                   float radius_bottom, float radius_top);
/// Makes an ellipsoid with half axes along the local axes. Range: each > 0, m.
TN_API tn_shape_id tn_ellipsoid_shape_create(tn_world *world, tn_body_id body,
                                             const tn_shape_def *def, tn_vec3 radii);
/// Makes a shape of all space below the local x-z plane; local y is the outward normal. The body
/// must be static (WRONG_TYPE).
TN_API tn_shape_id tn_half_space_shape_create(tn_world *world, tn_body_id body,
                                              const tn_shape_def *def);
/// Errors of all: WORLD_LOCKED, INVALID_ID, WRONG_TYPE (particles take spheres alone, affine
/// bodies spheres, capsules, boxes and hulls without a rounding; half-spaces, meshes, height fields
/// and compounds have none either), INVALID_ARGUMENT, NOT_FINITE, ZERO_AXIS, OUT_OF_MEMORY,
/// TOO_LARGE: they return null. The body's mass follows its shapes unless it was set.

TN_API void tn_shape_destroy(tn_world *world, tn_shape_id shape);
TN_API bool tn_shape_is_valid(const tn_world *world, tn_shape_id shape);
TN_API tn_body_id tn_shape_get_body(const tn_world *world, tn_shape_id shape);
TN_API tn_shape_type tn_shape_get_type(const tn_world *world, tn_shape_id shape);
TN_API tn_pose tn_shape_get_local_pose(const tn_world *world, tn_shape_id shape);
/// Return the numbers of a shape's geometry, m, or zero for a shape of another type (WRONG_TYPE).
TN_API float tn_sphere_shape_get_radius(const tn_world *world, tn_shape_id shape);
TN_API float tn_capsule_shape_get_radius(const tn_world *world, tn_shape_id shape);
TN_API float tn_capsule_shape_get_half_length(const tn_world *world, tn_shape_id shape);
TN_API tn_vec3 tn_box_shape_get_half_extents(const tn_world *world, tn_shape_id shape);
TN_API float tn_cylinder_shape_get_radius(const tn_world *world, tn_shape_id shape);
TN_API float tn_cylinder_shape_get_half_length(const tn_world *world, tn_shape_id shape);
TN_API float tn_cone_shape_get_radius(const tn_world *world, tn_shape_id shape);
TN_API float tn_cone_shape_get_half_length(const tn_world *world, tn_shape_id shape);
/// These three are for cylinders and cones, too.
TN_API float tn_tapered_cylinder_shape_get_radius_bottom(const tn_world *world, tn_shape_id shape);
TN_API float tn_tapered_cylinder_shape_get_radius_top(const tn_world *world, tn_shape_id shape);
TN_API float tn_tapered_cylinder_shape_get_half_length(const tn_world *world, tn_shape_id shape);
TN_API float tn_tapered_capsule_shape_get_radius_bottom(const tn_world *world, tn_shape_id shape);
TN_API float tn_tapered_capsule_shape_get_radius_top(const tn_world *world, tn_shape_id shape);
TN_API float tn_tapered_capsule_shape_get_half_length(const tn_world *world, tn_shape_id shape);
TN_API tn_vec3 tn_ellipsoid_shape_get_radii(const tn_world *world, tn_shape_id shape);
/// Returns the rounding, m: 0 for spheres and capsules, whose radii have it.
TN_API float tn_shape_get_rounding(const tn_world *world, tn_shape_id shape);

/// Change a shape in place. Its contacts are made anew, its body's mass follows unless it was set,
/// and what it touched or comes to touch wakes. A value that the shape has already changes nothing.
/// A disabled shape is as if it were not there: it touches nothing, no query or sensor finds it,
/// and it has no mass; default: enabled. Range: as for creation.
/// Errors: INVALID_ID, WRONG_TYPE (a shape of another type; what its body may not bear),
/// INVALID_ARGUMENT, NOT_FINITE, ZERO_AXIS, OUT_OF_MEMORY (the shape stays as it was).
TN_API tn_result tn_shape_set_enabled(tn_world *world, tn_shape_id shape, bool is_enabled);
TN_API bool tn_shape_is_enabled(const tn_world *world, tn_shape_id shape);
TN_API tn_result tn_shape_set_local_pose(tn_world *world, tn_shape_id shape, tn_pose local_pose);
TN_API tn_result tn_sphere_shape_set_radius(tn_world *world, tn_shape_id shape, float radius);
TN_API tn_result tn_capsule_shape_set_radius(tn_world *world, tn_shape_id shape, float radius);
TN_API tn_result tn_capsule_shape_set_half_length(tn_world *world, tn_shape_id shape,
                                                  float half_length);
TN_API tn_result tn_box_shape_set_half_extents(tn_world *world, tn_shape_id shape,
                                               tn_vec3 half_extents);
TN_API tn_result tn_cylinder_shape_set_radius(tn_world *world, tn_shape_id shape, float radius);
TN_API tn_result tn_cylinder_shape_set_half_length(tn_world *world, tn_shape_id shape,
                                                   float half_length);
TN_API tn_result tn_cone_shape_set_radius(tn_world *world, tn_shape_id shape, float radius);
TN_API tn_result tn_cone_shape_set_half_length(tn_world *world, tn_shape_id shape,
                                               float half_length);
/// For cylinders and cones, too: the radii decide which of the three the shape is from now on.
TN_API tn_result tn_tapered_cylinder_shape_set_lengths(tn_world *world, tn_shape_id shape,
                                                       float half_length, float radius_bottom,
                                                       float radius_top);
TN_API tn_result tn_tapered_capsule_shape_set_lengths(tn_world *world, tn_shape_id shape,
                                                      float half_length, float radius_bottom,
                                                      float radius_top);
TN_API tn_result tn_ellipsoid_shape_set_radii(tn_world *world, tn_shape_id shape, tn_vec3 radii);
/// For boxes, hulls, cylinders and cones of all kinds, and ellipsoids: others have none of their
/// own (WRONG_TYPE).
TN_API tn_result tn_shape_set_rounding(tn_world *world, tn_shape_id shape, float rounding);
/// Returns the axis-aligned box around the shape where it is now, rounded outward to floats. That
/// of a half-space is all space.
TN_API tn_bounds tn_shape_get_bounds(const tn_world *world, tn_shape_id shape);

/// Set and return the density, kg/m^3. Setting wakes the body, whose mass follows unless it was
/// set.
TN_API tn_result tn_shape_set_density(tn_world *world, tn_shape_id shape, float density);
TN_API float tn_shape_get_density(const tn_world *world, tn_shape_id shape);
/// Set and return the material and the filter. Setting wakes the body, and a new filter makes the
/// shape's contacts anew. A shape whose filter has no category or no mask, and no positive group,
/// costs a step nothing.
TN_API tn_result tn_shape_set_material(tn_world *world, tn_shape_id shape, tn_material material);
TN_API tn_material tn_shape_get_material(const tn_world *world, tn_shape_id shape);
/// Set and return how the surface moves along itself. Friction takes what touches the shape along.
/// Setting wakes the body and what it touches. Errors: INVALID_ID, NOT_FINITE.
TN_API tn_result tn_shape_set_surface_velocity(tn_world *world, tn_shape_id shape,
                                               tn_surface_velocity velocity);
TN_API tn_surface_velocity tn_shape_get_surface_velocity(const tn_world *world, tn_shape_id shape);
TN_API tn_result tn_shape_set_filter(tn_world *world, tn_shape_id shape, tn_filter filter);
TN_API tn_filter tn_shape_get_filter(const tn_world *world, tn_shape_id shape);
/// Set and return whether the world's pre-solve callback is asked about the shape's contacts. It is
/// asked if either shape wants it. Setting wakes the body and what it touches.
TN_API tn_result tn_shape_set_pre_solve(tn_world *world, tn_shape_id shape, bool has_pre_solve);
TN_API bool tn_shape_has_pre_solve(const tn_world *world, tn_shape_id shape);
/// Set and return whether each step reports the contacts of the shape that last. They are reported
/// if either shape wants it.
TN_API tn_result tn_shape_set_persist_events(tn_world *world, tn_shape_id shape,
                                             bool has_persist_events);
TN_API bool tn_shape_has_persist_events(const tn_world *world, tn_shape_id shape);
TN_API tn_result tn_shape_set_user_data(tn_world *world, tn_shape_id shape, void *user_data);
TN_API void *tn_shape_get_user_data(const tn_world *world, tn_shape_id shape);

TN_EXTERN_C_END

#endif
