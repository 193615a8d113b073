/// tenon/wheel_joint.h: holds a wheel on a chassis. The wheel moves along the suspension's axis, is
/// steered about that axis, and spins about its own.
///
/// Body a is the chassis, body b the wheel. The x axis of the frames is that of suspension and
/// steering and points up; their y axis points forward; their z axis points left and is the axle.
/// Give up and forward to tn_joint_def_set_frames_by_axes. A positive spin drives forward.
#ifndef TENON_WHEEL_JOINT_H
#define TENON_WHEEL_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_wheel_joint_def {
    tn_joint_def base;
    tn_spring suspension;      ///< N/m or Hz; `rest` in m: the length that it pulls to
    tn_limit suspension_limit; ///< m: range of the wheel's travel along x
    bool has_steering;         ///< default false: the axle does not turn about x
    tn_limit steering_limit;   ///< rad, about x, within -pi to pi
    tn_motor steering_motor;   ///< N·m: POSITION steers to an angle
    tn_motor spin_motor; ///< N·m: drives; SPEED 0 brakes with max_force; OFF lets the wheel roll
} tn_wheel_joint_def;

TN_API tn_wheel_joint_def tn_wheel_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_wheel_joint_create(tn_world *world, const tn_wheel_joint_def *def);
TN_API tn_wheel_joint_def tn_wheel_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_wheel_joint_set_suspension(tn_world *world, tn_joint_id joint,
                                               tn_spring spring);
TN_API tn_result tn_wheel_joint_set_suspension_limit(tn_world *world, tn_joint_id joint,
                                                     tn_limit limit);
/// Sets whether the wheel is steered, within which angles, and by which motor.
/// Effect: wakes both bodies; rows that stay keep their impulses.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_wheel_joint_set_steering(tn_world *world, tn_joint_id joint, bool has_steering,
                                             tn_limit limit, tn_motor motor);
TN_API tn_result tn_wheel_joint_set_spin_motor(tn_world *world, tn_joint_id joint, tn_motor motor);
/// Change a driver's targets: the steering motor's target_position, rad, and the spin motor's
/// target_speed, rad/s. A target that is set already wakes nothing.
TN_API tn_result tn_wheel_joint_set_steering_target(tn_world *world, tn_joint_id joint,
                                                    float angle);
TN_API tn_result tn_wheel_joint_set_spin_target_speed(tn_world *world, tn_joint_id joint,
                                                      float speed);
/// Return the wheel's position along x of the chassis (m), positive up, and its rate (m/s).
TN_API double tn_wheel_joint_get_suspension_length(const tn_world *world, tn_joint_id joint);
TN_API double tn_wheel_joint_get_suspension_speed(const tn_world *world, tn_joint_id joint);
/// Returns the turn of the axle about x (rad), positive to the left.
TN_API double tn_wheel_joint_get_steering_angle(const tn_world *world, tn_joint_id joint);
/// Return the turn of the wheel about its axle, from -pi to pi (rad), and its rate relative to the
/// chassis (rad/s), positive forward.
TN_API double tn_wheel_joint_get_spin_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_wheel_joint_get_spin_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
