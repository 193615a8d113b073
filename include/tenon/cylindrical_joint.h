/// tenon/cylindrical_joint.h: lets one body slide along an axis of the other and turn about it: a
/// bolt, a piston on its rod, a shaft in a bush.
#ifndef TENON_CYLINDRICAL_JOINT_H
#define TENON_CYLINDRICAL_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_cylindrical_joint_def {
    tn_joint_def base;
    tn_axis slide; ///< the translation along x of frame a. m, speed m/s, forces N
    tn_axis turn; ///< the angle about x. rad, speed rad/s, torques N·m. Its limit has the range of
                  ///< a hinge's
} tn_cylindrical_joint_def;

TN_API tn_cylindrical_joint_def tn_cylindrical_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_cylindrical_joint_create(tn_world *world,
                                               const tn_cylindrical_joint_def *def);
TN_API tn_cylindrical_joint_def tn_cylindrical_joint_get_def(const tn_world *world,
                                                             tn_joint_id joint);
/// Change everything that acts on one of the two values.
/// Effect: wakes both bodies; rows that stay keep their impulses.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_cylindrical_joint_set_slide(tn_world *world, tn_joint_id joint, tn_axis axis);
TN_API tn_result tn_cylindrical_joint_set_turn(tn_world *world, tn_joint_id joint, tn_axis axis);
/// Change one target of a motor: the translation, m, or the angle, rad, of mode POSITION, and the
/// speed, m/s or rad/s. A target that is set already wakes nothing.
TN_API tn_result tn_cylindrical_joint_set_slide_target_position(tn_world *world, tn_joint_id joint,
                                                                float position);
TN_API tn_result tn_cylindrical_joint_set_slide_target_speed(tn_world *world, tn_joint_id joint,
                                                             float speed);
TN_API tn_result tn_cylindrical_joint_set_turn_target_position(tn_world *world, tn_joint_id joint,
                                                               float position);
TN_API tn_result tn_cylindrical_joint_set_turn_target_speed(tn_world *world, tn_joint_id joint,
                                                            float speed);
/// Return the translation of b along the axis now (m), and its rate (m/s).
TN_API double tn_cylindrical_joint_get_translation(const tn_world *world, tn_joint_id joint);
TN_API double tn_cylindrical_joint_get_speed(const tn_world *world, tn_joint_id joint);
/// Return the angle now, rad, with full turns as a hinge's, and the speed of b about the axis,
/// rad/s.
TN_API double tn_cylindrical_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_cylindrical_joint_get_angular_speed(const tn_world *world, tn_joint_id joint);
/// Return the motors' force along the axis, N, and torque about it, N·m, in the last step.
TN_API float tn_cylindrical_joint_get_motor_force(const tn_world *world, tn_joint_id joint);
TN_API float tn_cylindrical_joint_get_motor_torque(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
