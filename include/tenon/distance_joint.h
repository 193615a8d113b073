/// tenon/distance_joint.h: keeps two points at a distance: a rod, a rope with a maximum, or a
/// spring.
///
/// C = |p_b - p_a| - length. A rod has neither spring nor limit; a rope has `limit` with lower 0
/// and upper its length, and `is_rigid` false; a spring has `spring` on and `is_rigid` false.
#ifndef TENON_DISTANCE_JOINT_H
#define TENON_DISTANCE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_distance_joint_def {
    tn_joint_def base;
    bool is_rigid;          ///< true (default): the joint is a rod of `length`
    float length;           ///< m, > 0: of the rod. Default 1
    tn_limit limit;         ///< the least and greatest distance, m, lower >= 0
    tn_spring spring;       ///< `rest` in m
    tn_motor motor;         ///< along the line; lengthening is positive
    float friction;         ///< N, >= 0, against a change of length. Default 0
    float viscous_friction; ///< N·s/m, >= 0: force by speed. Default 0
} tn_distance_joint_def;

TN_API tn_distance_joint_def tn_distance_joint_def_default(void);
/// Makes the joint. Errors, as for all joints: WORLD_LOCKED, INVALID_ARGUMENT, INVALID_ID,
/// SAME_BODY, NO_DYNAMIC_BODY, WRONG_TYPE (particles), NOT_FINITE, ZERO_AXIS, OUT_OF_MEMORY,
/// TOO_LARGE: returns null.
TN_API tn_joint_id tn_distance_joint_create(tn_world *world, const tn_distance_joint_def *def);
TN_API tn_distance_joint_def tn_distance_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_distance_joint_set_length(tn_world *world, tn_joint_id joint, float length);
TN_API tn_result tn_distance_joint_set_rigid(tn_world *world, tn_joint_id joint, bool is_rigid);
TN_API tn_result tn_distance_joint_set_limit(tn_world *world, tn_joint_id joint, tn_limit limit);
TN_API tn_result tn_distance_joint_set_spring(tn_world *world, tn_joint_id joint, tn_spring spring);
TN_API tn_result tn_distance_joint_set_motor(tn_world *world, tn_joint_id joint, tn_motor motor);
/// Change one target of the motor: the distance, m, of mode POSITION, and its rate, m/s. A target
/// that is set already wakes nothing.
TN_API tn_result tn_distance_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                       float position);
TN_API tn_result tn_distance_joint_set_target_speed(tn_world *world, tn_joint_id joint,
                                                    float speed);
TN_API tn_result tn_distance_joint_set_friction(tn_world *world, tn_joint_id joint, float friction);
TN_API tn_result tn_distance_joint_set_viscous_friction(tn_world *world, tn_joint_id joint,
                                                        float friction);
/// Return the distance now (m) and its rate (m/s).
TN_API double tn_distance_joint_get_length(const tn_world *world, tn_joint_id joint);
TN_API double tn_distance_joint_get_rate(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
