/// tenon/surface_joint.h: a point of one body stays on a surface of the other: a puck in a bowl, a
/// ring on a pole, a foot on a ball.
///
/// The origin of frame b keeps to a surface fixed to frame a, which is named or given by a
/// callback. The way over the surface and three turns stay free, without friction.
#ifndef TENON_SURFACE_JOINT_H
#define TENON_SURFACE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// About the origin of frame a, round about its x axis.
typedef enum tn_surface_shape {
    TN_SURFACE_SHAPE_SPHERE = 0, ///< of `radius`
    TN_SURFACE_SHAPE_ELLIPSOID,  ///< of `half_axes` along x, y and z
    TN_SURFACE_SHAPE_CYLINDER,   ///< of `radius` about x, without end
    TN_SURFACE_SHAPE_TORUS,      ///< a tube of `tube_radius` round a circle of `radius` about x
    TN_SURFACE_SHAPE_IMPLICIT,   ///< where the callback `evaluate` gives 0
} tn_surface_shape;

/// Where the point may be.
typedef enum tn_surface_side {
    TN_SURFACE_SIDE_BOTH = 0, ///< on the surface: held from both sides
    TN_SURFACE_SIDE_OUTSIDE,  ///< on it or outside, where the callback is > 0: it may lift off
    TN_SURFACE_SIDE_INSIDE,   ///< on it or inside, where the callback is < 0
} tn_surface_side;

/// What the callback gives for a point. Zero when it is called.
typedef struct tn_surface_value {
    double value;     ///< f, of any unit, < 0 inside
    tn_vec3 gradient; ///< of f, not zero near the surface
    bool has_second;  ///< are the second derivatives given? Else they come from differences
    double xx, yy, zz, xy, xz, yz;
} tn_surface_value;

/// f and its derivatives at a point of frame a, m. It must give the same numbers for the same point
/// and user data, for the step asks it many times and from several threads, also for points off the
/// surface. It must not call anything that changes the world. Numbers that are not finite make the
/// joint do nothing, which the world reports after the step (NOT_FINITE).
typedef void (*tn_surface_joint_fn)(tn_vec3 point, tn_surface_value *out_value, void *user_data);

typedef struct tn_surface_joint_def {
    tn_joint_def base;
    tn_surface_shape shape;       ///< default SPHERE
    tn_surface_side side;         ///< default BOTH
    double radius;                ///< m, > 0. SPHERE, CYLINDER, TORUS. Default 1
    double tube_radius;           ///< m, > 0, less than `radius`. TORUS. Default 0.25
    tn_vec3 half_axes;            ///< m, > 0. ELLIPSOID. Default 1, 1, 1
    tn_surface_joint_fn evaluate; ///< IMPLICIT: not null
    void *evaluate_user_data;     ///< handed through; not owned
} tn_surface_joint_def;

/// A sphere of 1 m, held from both sides.
TN_API tn_surface_joint_def tn_surface_joint_def_default(void);
/// Errors: see tn_distance_joint_create; NOT_FINITE also where the callback gives such numbers now.
TN_API tn_joint_id tn_surface_joint_create(tn_world *world, const tn_surface_joint_def *def);
TN_API tn_surface_joint_def tn_surface_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Wakes both bodies. Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT (call ignored).
TN_API tn_result tn_surface_joint_set_side(tn_world *world, tn_joint_id joint,
                                           tn_surface_side side);
/// Of a sphere, a cylinder or a torus, m. Wakes both bodies.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_surface_joint_set_radius(tn_world *world, tn_joint_id joint, double radius);
/// How far the point is off the surface now, positive outside (m), and its rate (m/s). Of an
/// ellipsoid and of a callback to first order, near the surface.
TN_API double tn_surface_joint_get_distance(const tn_world *world, tn_joint_id joint);
TN_API double tn_surface_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
