/// tenon/planar_joint.h: lets one body slide and turn on a plane of the other: a puck on a table, a
/// body that moves in two dimensions.
#ifndef TENON_PLANAR_JOINT_H
#define TENON_PLANAR_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_planar_joint_def {
    tn_joint_def base;
    tn_axis y, z; ///< the translations along y and z of frame a; the plane is perpendicular to its
                  ///< x. m, speed m/s, forces N
    tn_axis turn; ///< the angle about x. rad, speed rad/s, torques N·m. Its limit has the range of
                  ///< a hinge's
} tn_planar_joint_def;

TN_API tn_planar_joint_def tn_planar_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_planar_joint_create(tn_world *world, const tn_planar_joint_def *def);
TN_API tn_planar_joint_def tn_planar_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Change everything that acts on one of the three values.
/// Effect: wakes both bodies; rows that stay keep their impulses.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_planar_joint_set_y(tn_world *world, tn_joint_id joint, tn_axis axis);
TN_API tn_result tn_planar_joint_set_z(tn_world *world, tn_joint_id joint, tn_axis axis);
TN_API tn_result tn_planar_joint_set_turn(tn_world *world, tn_joint_id joint, tn_axis axis);
/// Change one target of a motor: the translation, m, or the angle, rad, of mode POSITION, and the
/// speed, m/s or rad/s. A target that is set already wakes nothing.
TN_API tn_result tn_planar_joint_set_y_target_position(tn_world *world, tn_joint_id joint,
                                                       float position);
TN_API tn_result tn_planar_joint_set_y_target_speed(tn_world *world, tn_joint_id joint,
                                                    float speed);
TN_API tn_result tn_planar_joint_set_z_target_position(tn_world *world, tn_joint_id joint,
                                                       float position);
TN_API tn_result tn_planar_joint_set_z_target_speed(tn_world *world, tn_joint_id joint,
                                                    float speed);
TN_API tn_result tn_planar_joint_set_turn_target_position(tn_world *world, tn_joint_id joint,
                                                          float position);
TN_API tn_result tn_planar_joint_set_turn_target_speed(tn_world *world, tn_joint_id joint,
                                                       float speed);
/// Return the translations of b along y and z of frame a now (m), and their rates (m/s).
TN_API double tn_planar_joint_get_y(const tn_world *world, tn_joint_id joint);
TN_API double tn_planar_joint_get_z(const tn_world *world, tn_joint_id joint);
TN_API double tn_planar_joint_get_y_speed(const tn_world *world, tn_joint_id joint);
TN_API double tn_planar_joint_get_z_speed(const tn_world *world, tn_joint_id joint);
/// Return the angle now, rad, with full turns as a hinge's, and the speed of b about x, rad/s.
TN_API double tn_planar_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_planar_joint_get_angular_speed(const tn_world *world, tn_joint_id joint);
/// Return the motors' forces along y and z, N, and torque about x, N·m, in the last step.
TN_API float tn_planar_joint_get_y_force(const tn_world *world, tn_joint_id joint);
TN_API float tn_planar_joint_get_z_force(const tn_world *world, tn_joint_id joint);
TN_API float tn_planar_joint_get_motor_torque(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
