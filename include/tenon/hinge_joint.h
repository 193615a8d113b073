/// tenon/hinge_joint.h: two points coincide and two axes agree: a door, a wheel, a crank.
#ifndef TENON_HINGE_JOINT_H
#define TENON_HINGE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_hinge_joint_def {
    tn_joint_def base;
    tn_limit limit; ///< rad. Narrower than a turn: within -2 pi to 2 pi, and the turn of the angle
                    ///< nearest to the middle of the range counts. A turn wide or wider: within
                    ///< -1e6 to 1e6, and whole turns are counted, from the one in the range that
                    ///< is nearest to (-pi, pi]; motor and spring act on that angle too
    tn_motor motor; ///< speed rad/s, max_force N·m
    tn_spring spring;       ///< `rest` in rad
    float friction;         ///< N·m, >= 0. Default 0
    float viscous_friction; ///< N·m·s/rad, >= 0: grows with the speed. Default 0
} tn_hinge_joint_def;

TN_API tn_hinge_joint_def tn_hinge_joint_def_default(void);
/// Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_hinge_joint_create(tn_world *world, const tn_hinge_joint_def *def);
TN_API tn_hinge_joint_def tn_hinge_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_hinge_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit);
/// Drives the joint toward a target speed, or a position when `motor.mode` is POSITION.
/// Units: rad/s, rad, N·m. Range: max_force, stiffness, damping >= 0. Default: off.
/// Effect: wakes both bodies; keeps the accumulated impulse.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_hinge_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor);
/// These change one target of the motor alone: where it drives to, rad, of mode POSITION; and how
/// fast, rad/s. Setting what already is wakes nobody.
TN_API tn_result tn_hinge_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                    float position);
TN_API tn_result tn_hinge_joint_set_target_speed(tn_world *world, tn_joint_id joint, float speed);
TN_API tn_result tn_hinge_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring);
TN_API tn_result tn_hinge_joint_set_friction(tn_world *world, tn_joint_id joint, float friction);
TN_API tn_result tn_hinge_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                     float friction);
/// The angle now, rad, in (-pi, pi] or with its whole turns where the limit counts them, and the
/// speed of b relative to a about the axis, rad/s.
TN_API double tn_hinge_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_hinge_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
