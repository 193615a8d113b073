/// tenon/wheel_joint.h: a wheel on a chassis: it moves along the suspension's axis, is steered
/// about that axis, and spins about its own.
///
/// Body a is the chassis, body b the wheel. The x axis of the frames is that of suspension and
/// steering, up; their y axis points forward and their z axis, to the left, is the axle: give both
/// to tn_joint_def_set_frames_by_axes. A positive spin drives forward.
#ifndef TENON_WHEEL_JOINT_H
#define TENON_WHEEL_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_wheel_joint_def {
    tn_joint_def base;
    tn_spring suspension;      ///< N/m or Hz; `rest` in m: the length it pulls to
    tn_limit suspension_limit; ///< m: how far the wheel may travel along x
    bool has_steering;         ///< default false: the axle stays where it is
    tn_limit steering_limit;   ///< rad, about x, within -pi to pi
    tn_motor steering_motor;   ///< N·m: POSITION steers to an angle
    tn_motor spin_motor;       ///< N·m: drives; SPEED 0 brakes with max_force, OFF lets it roll
} tn_wheel_joint_def;

TN_API tn_wheel_joint_def tn_wheel_joint_def_default(void);
/// Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_wheel_joint_create(tn_world *world, const tn_wheel_joint_def *def);
TN_API tn_wheel_joint_def tn_wheel_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_wheel_joint_set_suspension(tn_world *world, tn_joint_id joint,
                                               tn_spring spring);
TN_API tn_result tn_wheel_joint_set_suspension_limit(tn_world *world, tn_joint_id joint,
                                                     tn_limit limit);
/// Whether the wheel is steered, between which angles, and by what.
/// Effect: wakes both bodies; rows that stay keep their impulses.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_wheel_joint_set_steering(tn_world *world, tn_joint_id joint, bool has_steering,
                                             tn_limit limit, tn_motor motor);
TN_API tn_result tn_wheel_joint_set_spin_motor(tn_world *world, tn_joint_id joint, tn_motor motor);
/// These change what a driver does: the steering motor's target_position, rad, and the spin motor's
/// target_speed, rad/s. Setting what already is wakes nobody.
TN_API tn_result tn_wheel_joint_set_steering_target(tn_world *world, tn_joint_id joint,
                                                    float angle);
TN_API tn_result tn_wheel_joint_set_spin_target_speed(tn_world *world, tn_joint_id joint,
                                                      float speed);
/// Where the wheel is along x of the chassis (m): up positive; and its rate (m/s).
TN_API double tn_wheel_joint_get_suspension_length(const tn_world *world, tn_joint_id joint);
TN_API double tn_wheel_joint_get_suspension_speed(const tn_world *world, tn_joint_id joint);
/// The turn of the axle about x (rad): positive to the left.
TN_API double tn_wheel_joint_get_steering_angle(const tn_world *world, tn_joint_id joint);
/// The turn of the wheel about its axle, from -pi to pi (rad), and its rate against the chassis
/// (rad/s): positive forward.
TN_API double tn_wheel_joint_get_spin_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_wheel_joint_get_spin_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
