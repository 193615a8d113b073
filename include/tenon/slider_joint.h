/// tenon/slider_joint.h: lets one body slide along an axis of the other without turning: a piston,
/// a lift.
#ifndef TENON_SLIDER_JOINT_H
#define TENON_SLIDER_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_slider_joint_def {
    tn_joint_def base;
    tn_limit limit;         ///< m
    tn_motor motor;         ///< speed m/s, max_force N
    tn_spring spring;       ///< `rest` in m
    float friction;         ///< N, >= 0. Default 0
    float viscous_friction; ///< N·s/m, >= 0: force by speed. Default 0
} tn_slider_joint_def;

TN_API tn_slider_joint_def tn_slider_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_slider_joint_create(tn_world *world, const tn_slider_joint_def *def);
TN_API tn_slider_joint_def tn_slider_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_slider_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit);
/// Drives the joint toward a target speed, or a position when `motor.mode` is POSITION.
/// Units: m/s, m, N. Range: max_force, stiffness, damping >= 0. Default: off.
/// Effect: wakes both bodies; keeps the accumulated impulse.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_slider_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor);
/// Change one target of the motor: the translation, m, of mode POSITION, and the speed, m/s. A
/// target that is set already wakes nothing.
TN_API tn_result tn_slider_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                     float position);
TN_API tn_result tn_slider_joint_set_target_speed(tn_world *world, tn_joint_id joint, float speed);
TN_API tn_result tn_slider_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring);
TN_API tn_result tn_slider_joint_set_friction(tn_world *world, tn_joint_id joint, float friction);
TN_API tn_result tn_slider_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                      float friction);
/// Return the translation of b along the axis now (m), and its rate (m/s).
TN_API double tn_slider_joint_get_translation(const tn_world *world, tn_joint_id joint);
TN_API double tn_slider_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
