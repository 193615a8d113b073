/// tenon/curve_joint.h: keeps a point of one body on a curve of the other: a bead on a wire, a
/// roller coaster, a curtain on its rail.
///
/// The origin of frame b stays on a curve that is fixed to frame a: a cubic spline through given
/// points, whose direction and curvature are continuous. Three turns and the travel along the curve
/// are free. The joint's value is the distance along the curve from its first point; on a closed
/// curve it starts within the first round and goes on round by round. The joint remembers where on
/// the curve it is, so that the curve may cross itself.
#ifndef TENON_CURVE_JOINT_H
#define TENON_CURVE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The limit on the points of a curve.
#define TN_CURVE_MAX_POINTS 4096

typedef struct tn_curve_joint_def {
    tn_joint_def base;
    const tn_vec3 *points; ///< m, in frame a, finite, each different from the next. Copied
    uint32_t point_count;  ///< 2 to TN_CURVE_MAX_POINTS; at least 3 for a closed curve
    bool is_closed;        ///< the last point leads to the first. Default false
    tn_limit limit;   ///< m along the curve. The ends of an open curve are limits too, as soft and
                      ///< bouncing as this one, enabled or not
    tn_motor motor;   ///< m/s, N
    tn_spring spring; ///< `rest` in m
    float friction;   ///< N, >= 0. Default 0
    float viscous_friction; ///< N·s/m, >= 0: force by speed. Default 0
} tn_curve_joint_def;

/// Returns an open curve without points.
TN_API tn_curve_joint_def tn_curve_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; INVALID_ARGUMENT also for a curve that
/// turns back on itself in a point.
TN_API tn_joint_id tn_curve_joint_create(tn_world *world, const tn_curve_joint_def *def);
/// Returns the definition. Its `points` belong to the joint and live as long as it does.
TN_API tn_curve_joint_def tn_curve_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_curve_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit);
/// Drives the point along the curve at a target speed, or to a place if `motor.mode` is POSITION.
/// Units: m/s, m, N. Range: max_force, stiffness, damping >= 0. Default: off.
/// Effect: wakes both bodies; keeps the accumulated impulse.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_curve_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor);
/// Change one target of the motor: the distance along the curve, m, of mode POSITION, and the
/// speed, m/s. A target that is set already wakes nothing.
TN_API tn_result tn_curve_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                    float position);
TN_API tn_result tn_curve_joint_set_target_speed(tn_world *world, tn_joint_id joint, float speed);
TN_API tn_result tn_curve_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring);
TN_API tn_result tn_curve_joint_set_friction(tn_world *world, tn_joint_id joint, float friction);
TN_API tn_result tn_curve_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                     float friction);
/// Returns the length of the whole curve, m.
TN_API double tn_curve_joint_get_length(const tn_world *world, tn_joint_id joint);
/// Return the distance along the curve from its first point now (m), and its rate (m/s).
TN_API double tn_curve_joint_get_way(const tn_world *world, tn_joint_id joint);
TN_API double tn_curve_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
