/// tenon/universal_joint.h: ties two shafts that meet at a point and may bend there: a Cardan or
/// Hooke's joint.
#ifndef TENON_UNIVERSAL_JOINT_H
#define TENON_UNIVERSAL_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The joint's cross has one arm along y of frame a and the other along z of frame b; these stay
/// perpendicular, and the anchors together. The shafts are along the x axes. At zero angles the
/// frames agree; from there b turns by the first angle about y of frame a, then by the second about
/// its own z. One joint does not carry speed evenly: at a bend of beta, tan(out) = tan(in) /
/// cos(beta), and the second shaft turns at cos(beta) to 1 / cos(beta) of the first one's speed.
/// Two with equal angles even it out if the arms on the shaft between them are parallel. See the
/// manual.
typedef struct tn_universal_joint_def {
    tn_joint_def base;
    tn_axis first;  ///< the angle about y of frame a. rad, rad/s, N·m. Limits within -2 pi to 2 pi
    tn_axis second; ///< the same about z of frame b
} tn_universal_joint_def;

TN_API tn_universal_joint_def tn_universal_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_universal_joint_create(tn_world *world, const tn_universal_joint_def *def);
TN_API tn_universal_joint_def tn_universal_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Change everything that acts on one of the two angles.
/// Effect: wakes both bodies; rows that stay keep their impulses.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_universal_joint_set_first(tn_world *world, tn_joint_id joint, tn_axis axis);
TN_API tn_result tn_universal_joint_set_second(tn_world *world, tn_joint_id joint, tn_axis axis);
/// Change one target of a motor: the angle, rad, of mode POSITION, and the speed, rad/s. A target
/// that is set already wakes nothing.
TN_API tn_result tn_universal_joint_set_first_target_position(tn_world *world, tn_joint_id joint,
                                                              float position);
TN_API tn_result tn_universal_joint_set_first_target_speed(tn_world *world, tn_joint_id joint,
                                                           float speed);
TN_API tn_result tn_universal_joint_set_second_target_position(tn_world *world, tn_joint_id joint,
                                                               float position);
TN_API tn_result tn_universal_joint_set_second_target_speed(tn_world *world, tn_joint_id joint,
                                                            float speed);
/// Return the angles now, rad, with full turns as a hinge's, and their rates, rad/s.
TN_API double tn_universal_joint_get_first_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_universal_joint_get_second_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_universal_joint_get_first_speed(const tn_world *world, tn_joint_id joint);
TN_API double tn_universal_joint_get_second_speed(const tn_world *world, tn_joint_id joint);
/// Return the motors' torques in the last step, N·m.
TN_API float tn_universal_joint_get_first_torque(const tn_world *world, tn_joint_id joint);
TN_API float tn_universal_joint_get_second_torque(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
