/// tenon/cylindrical_joint.h: one body slides along an axis of the other and turns about it: a
/// bolt, a piston on its rod, a shaft in a bush.
#ifndef TENON_CYLINDRICAL_JOINT_H
#define TENON_CYLINDRICAL_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_cylindrical_joint_def {
    tn_joint_def base;
    tn_axis slide; ///< the translation along x of frame a. m, speed m/s, forces N
    tn_axis turn;  ///< the angle about x. rad, speed rad/s, torques N·m. Its limit is
                   ///< as that of a hinge
} tn_cylindrical_joint_def;

TN_API tn_cylindrical_joint_def tn_cylindrical_joint_def_default(void);
/// Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_cylindrical_joint_create(tn_world *world,
                                               const tn_cylindrical_joint_def *def);
TN_API tn_cylindrical_joint_def tn_cylindrical_joint_get_def(const tn_world *world,
                                                             tn_joint_id joint);
/// Changes all that acts on one of the two values; the other is left alone.
/// Effect: wakes both bodies; keeps the impulses of what stays.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_cylindrical_joint_set_slide(tn_world *world, tn_joint_id joint, tn_axis axis);
TN_API tn_result tn_cylindrical_joint_set_turn(tn_world *world, tn_joint_id joint, tn_axis axis);
/// The translation of b along the axis now (m), and its rate (m/s).
TN_API double tn_cylindrical_joint_get_translation(const tn_world *world, tn_joint_id joint);
TN_API double tn_cylindrical_joint_get_speed(const tn_world *world, tn_joint_id joint);
/// The angle now, in (-pi, pi] rad, and the speed of b relative to a about the axis, rad/s.
TN_API double tn_cylindrical_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_cylindrical_joint_get_angular_speed(const tn_world *world, tn_joint_id joint);
/// What each motor gave in the last step: N along the axis, N·m about it.
TN_API float tn_cylindrical_joint_get_motor_force(const tn_world *world, tn_joint_id joint);
TN_API float tn_cylindrical_joint_get_motor_torque(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
