/// tenon/surface_joint.h: keeps a point of one body on a surface of the other: a puck in a bowl, a
/// ring on a pole, a foot on a ball.
///
/// The origin of frame b stays on a surface that is fixed to frame a and is either named or given
/// by a callback. It moves over the surface and turns freely, without friction.
#ifndef TENON_SURFACE_JOINT_H
#define TENON_SURFACE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// Names a surface about the origin of frame a, with the x axis of frame a as its axis.
typedef enum tn_surface_shape {
    TN_SURFACE_SHAPE_SPHERE = 0, ///< of `radius`
    TN_SURFACE_SHAPE_ELLIPSOID,  ///< of `half_axes` along x, y and z
    TN_SURFACE_SHAPE_CYLINDER,   ///< of `radius` about x, infinitely long
    TN_SURFACE_SHAPE_TORUS,      ///< a tube of `tube_radius` around a circle of `radius` about x
    TN_SURFACE_SHAPE_IMPLICIT,   ///< the zeros of the callback `evaluate`
} tn_surface_shape;

/// Chooses on which side of the surface the point may be.
typedef enum tn_surface_side {
    TN_SURFACE_SIDE_BOTH = 0, ///< on the surface or outside, where f > 0: it may lift off
    TN_SURFACE_SIDE_OUTSIDE,  ///< on the surface or inside, where f < 0
    TN_SURFACE_SIDE_INSIDE,   ///< on it or inside, where the callback is < 0
} tn_surface_side;

/// The result of the callback for a point. It is zero when the callback begins.
typedef struct tn_surface_value {
    double value;     ///< f, of any unit, < 0 inside
    tn_vec3 gradient; ///< of f, not zero near the surface
    bool has_second;  ///< true: the second derivatives below are given; false: differences replace
                      ///< them
    double xx, yy, zz, xy, xz, yz;
} tn_surface_value;

/// Computes f and its derivatives at a point of frame a, m. It must give the same numbers for the
/// same point and user data: the step calls it many times, from several threads, also for points
/// off the surface. It must not change the world. With numbers that are not finite the joint does
/// nothing, and the world reports it after the step (NOT_FINITE).
typedef void (*tn_surface_joint_fn)(tn_vec3 point, tn_surface_value *out_value, void *user_data);

typedef struct tn_surface_joint_def {
    tn_joint_def base;
    tn_surface_shape shape;       ///< default SPHERE
    tn_surface_side side;         ///< default BOTH
    double radius;                ///< m, > 0. SPHERE, CYLINDER, TORUS. Default 1
    double tube_radius;           ///< m, > 0, less than `radius`. TORUS. Default 0.25
    tn_vec3 half_axes;            ///< m, > 0. ELLIPSOID. Default 1, 1, 1
    tn_surface_joint_fn evaluate; ///< IMPLICIT: not null
    void *evaluate_user_data;     ///< passed to `evaluate`; not owned
} tn_surface_joint_def;

/// Returns a sphere of 1 m that holds the point from both sides.
TN_API tn_surface_joint_def tn_surface_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; NOT_FINITE also for the callback's
/// numbers.
TN_API tn_joint_id tn_surface_joint_create(tn_world *world, const tn_surface_joint_def *def);
TN_API tn_surface_joint_def tn_surface_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Sets the side. Wakes both bodies. Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT (call
/// ignored).
TN_API tn_result tn_surface_joint_set_side(tn_world *world, tn_joint_id joint,
                                           tn_surface_side side);
/// Sets the radius of a sphere, a cylinder or a torus, m. Wakes both bodies.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_surface_joint_set_radius(tn_world *world, tn_joint_id joint, double radius);
/// Return the distance of the point from the surface now, positive outside (m), and its rate (m/s).
/// For an ellipsoid or a callback they are accurate to first order near the surface.
TN_API double tn_surface_joint_get_distance(const tn_world *world, tn_joint_id joint);
TN_API double tn_surface_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
