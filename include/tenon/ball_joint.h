/// tenon/ball_joint.h: keeps two points together. Turning is free, or is held by a cone, a twist
/// limit, a motor, a spring or friction.
#ifndef TENON_BALL_JOINT_H
#define TENON_BALL_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// A motor about all three axes. It is solved implicitly, as one block.
typedef struct tn_ball_motor {
    tn_motor_mode mode;
    tn_vec3 target_velocity; ///< rad/s: of b relative to a, in the axes of frame a
    tn_quat target_rotation; ///< of frame b in frame a. POSITION
    float stiffness;         ///< N·m/rad, in ACCELERATION 1/s^2; >= 0. POSITION
    float damping;           ///< N·m·s/rad, in ACCELERATION 1/s; >= 0. POSITION
    float max_torque;        ///< N·m, >= 0. 0 or INFINITY (default): no cap
    tn_drive_mode drive;     ///< default FORCE. POSITION
} tn_ball_motor;
/// Returns a motor that is off, without a cap, whose target is that the frames agree.
TN_API tn_ball_motor tn_ball_motor_default(void);

typedef struct tn_ball_joint_def {
    tn_joint_def base;
    tn_limit cone_limit;  ///< rad: greatest angle between the x axes, `upper` 0 to pi, `lower` 0
    tn_limit twist_limit; ///< rad, about x, within -pi to pi
    tn_ball_motor motor;
    tn_spring spring;       ///< N·m/rad: pulls the frames together; `rest` is not used
    float friction;         ///< N·m, >= 0: against turning. Default 0
    float viscous_friction; ///< N·m·s/rad, >= 0: torque by turning speed. Default 0
} tn_ball_joint_def;

TN_API tn_ball_joint_def tn_ball_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_ball_joint_create(tn_world *world, const tn_ball_joint_def *def);
TN_API tn_ball_joint_def tn_ball_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_ball_joint_set_cone_limit(tn_world *world, tn_joint_id joint, tn_limit limit);
TN_API tn_result tn_ball_joint_set_twist_limit(tn_world *world, tn_joint_id joint, tn_limit limit);
TN_API tn_result tn_ball_joint_set_motor(tn_world *world, tn_joint_id joint, tn_ball_motor motor);
/// Change one target of the motor: the rotation of frame b in frame a, of mode POSITION, and the
/// angular velocity of b relative to a, rad/s, in the axes of frame a. A target that is set already
/// wakes nothing. Errors: also ZERO_AXIS for a zero rotation in mode POSITION (call ignored).
TN_API tn_result tn_ball_joint_set_target_rotation(tn_world *world, tn_joint_id joint,
                                                   tn_quat rotation);
TN_API tn_result tn_ball_joint_set_target_velocity(tn_world *world, tn_joint_id joint,
                                                   tn_vec3 velocity);
TN_API tn_result tn_ball_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring);
TN_API tn_result tn_ball_joint_set_friction(tn_world *world, tn_joint_id joint, float friction);
TN_API tn_result tn_ball_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                    float friction);
/// Return the rotation of frame b in frame a, the angle between the x axes and the twist about x
/// (rad), and the angular velocity of b relative to a in the axes of frame a (rad/s).
TN_API tn_quat tn_ball_joint_get_rotation(const tn_world *world, tn_joint_id joint);
TN_API double tn_ball_joint_get_cone_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_ball_joint_get_twist(const tn_world *world, tn_joint_id joint);
TN_API tn_vec3 tn_ball_joint_get_velocity(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
