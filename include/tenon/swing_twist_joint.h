/// tenon/swing_twist_joint.h: keeps two points together and limits swing and twist separately: a
/// shoulder, a hip, a neck.
///
/// The rotation of frame b in frame a consists of a twist about x and, after it, a swing about an
/// axis perpendicular to x, which takes the x axis of frame a to that of frame b the shortest way.
/// The swing is the vector (y, z) of its angles about the y and z axes of frame a; its length is
/// the angle between the x axes. Its limits bound an elliptic cone, (y / limit_y)^2 + (z /
/// limit_z)^2 <= 1, with the end of each limit on the side of y and of z; a limit that is off
/// counts as pi. If only one end is 0 the cone is flat on that side, to 1e-4 rad. If both limits
/// are on they give way together: their stiffness, damping and restitution are the same. A locked
/// swing stays rigid.
#ifndef TENON_SWING_TWIST_JOINT_H
#define TENON_SWING_TWIST_JOINT_H

#include "tenon/ball_joint.h"

TN_EXTERN_C_BEGIN

/// The angles of the swing about the y and z axes of frame a, rad.
typedef struct tn_swing {
    double y, z;
} tn_swing;

typedef struct tn_swing_twist_joint_def {
    tn_joint_def base;
    tn_limit swing_limit_y; ///< rad, about y of frame a, with -pi <= lower <= 0 <= upper <= pi
    tn_limit swing_limit_z; ///< rad, likewise about z. Both ends 0: locked. Default off, -pi to pi
    tn_limit twist_limit;   ///< rad, about x, within -pi to pi
    tn_ball_motor motor;    ///< as a ball joint's
    tn_spring spring;       ///< N·m/rad: pulls the frames together; `rest` is not used
    float friction;         ///< N·m, >= 0, against turning. Default 0
    float viscous_friction; ///< N·m·s/rad, >= 0: torque by turning speed. Default 0
} tn_swing_twist_joint_def;

TN_API tn_swing_twist_joint_def tn_swing_twist_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_swing_twist_joint_create(tn_world *world,
                                               const tn_swing_twist_joint_def *def);
TN_API tn_swing_twist_joint_def tn_swing_twist_joint_get_def(const tn_world *world,
                                                             tn_joint_id joint);
/// Set limits and actors. They wake both bodies. Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT,
/// NOT_FINITE (call ignored).
TN_API tn_result tn_swing_twist_joint_set_swing_limits(tn_world *world, tn_joint_id joint,
                                                       tn_limit limit_y, tn_limit limit_z);
TN_API tn_result tn_swing_twist_joint_set_twist_limit(tn_world *world, tn_joint_id joint,
                                                      tn_limit limit);
TN_API tn_result tn_swing_twist_joint_set_motor(tn_world *world, tn_joint_id joint,
                                                tn_ball_motor motor);
/// Change one target of the motor: the rotation of frame b in frame a, of mode POSITION, and the
/// angular velocity of b relative to a, rad/s, in the axes of frame a. A target that is set already
/// wakes nothing. Errors: also ZERO_AXIS for a zero rotation in mode POSITION (call ignored).
TN_API tn_result tn_swing_twist_joint_set_target_rotation(tn_world *world, tn_joint_id joint,
                                                          tn_quat rotation);
TN_API tn_result tn_swing_twist_joint_set_target_velocity(tn_world *world, tn_joint_id joint,
                                                          tn_vec3 velocity);
TN_API tn_result tn_swing_twist_joint_set_spring(tn_world *world, tn_joint_id joint,
                                                 tn_spring spring);
TN_API tn_result tn_swing_twist_joint_set_friction(tn_world *world, tn_joint_id joint,
                                                   float friction);
TN_API tn_result tn_swing_twist_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                           float friction);
/// Return the rotation of frame b in frame a, its swing and its twist about x (rad), and the
/// angular velocity of b relative to a in the axes of frame a (rad/s).
TN_API tn_quat tn_swing_twist_joint_get_rotation(const tn_world *world, tn_joint_id joint);
TN_API tn_swing tn_swing_twist_joint_get_swing(const tn_world *world, tn_joint_id joint);
TN_API double tn_swing_twist_joint_get_twist(const tn_world *world, tn_joint_id joint);
TN_API tn_vec3 tn_swing_twist_joint_get_velocity(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
