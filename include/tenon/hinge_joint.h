/// tenon/hinge_joint.h: keeps two points together and two axes parallel: a door, a wheel, a crank.
#ifndef TENON_HINGE_JOINT_H
#define TENON_HINGE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_hinge_joint_def {
    tn_joint_def base;
    /// The range of the angle, rad. One below a full turn lies within -2 pi to 2 pi; the angle then
    /// has the full turns that bring it nearest to its middle. One of a full turn or more lies
    /// within -1e6 to 1e6: full turns are counted, beginning in the range as near to (-pi, pi] as
    /// may be, and motor and spring act on that angle too.
    tn_limit limit;
    tn_motor motor;         ///< speed rad/s, max_force N·m
    tn_spring spring;       ///< `rest` in rad
    float friction;         ///< N·m, >= 0. Default 0
    float viscous_friction; ///< N·m·s/rad, >= 0: torque by speed. Default 0
} tn_hinge_joint_def;

TN_API tn_hinge_joint_def tn_hinge_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_hinge_joint_create(tn_world *world, const tn_hinge_joint_def *def);
TN_API tn_hinge_joint_def tn_hinge_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_hinge_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit);
/// Drives the joint toward a target speed, or a position when `motor.mode` is POSITION.
/// Units: rad/s, rad, N·m. Range: max_force, stiffness, damping >= 0. Default: off.
/// Effect: wakes both bodies; keeps the accumulated impulse.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_hinge_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor);
/// Change one target of the motor: the angle, rad, of mode POSITION, and the speed, rad/s. A target
/// that is set already wakes nothing.
TN_API tn_result tn_hinge_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                    float position);
TN_API tn_result tn_hinge_joint_set_target_speed(tn_world *world, tn_joint_id joint, float speed);
TN_API tn_result tn_hinge_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring);
TN_API tn_result tn_hinge_joint_set_friction(tn_world *world, tn_joint_id joint, float friction);
TN_API tn_result tn_hinge_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                     float friction);
/// Return the angle now, rad, in (-pi, pi] or with its full turns if the limit counts them, and the
/// speed of b relative to a about the axis, rad/s.
TN_API double tn_hinge_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_hinge_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
