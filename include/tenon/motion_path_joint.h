/// tenon/motion_path_joint.h: leads a point or a whole body along a path in time: a shake table, a
/// hand that carries a tray, the pivot of a pendulum that is moved.
///
/// The path is given in frame a, by a callback of time or by points at times. Its position,
/// velocity and acceleration all enter the equations, so that at the end of each step the body is
/// where the path is, with the path's velocity, and not a step behind. The path takes whatever
/// force that needs, and does work.
#ifndef TENON_MOTION_PATH_JOINT_H
#define TENON_MOTION_PATH_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The limit on the points of a path.
#define TN_MOTION_PATH_MAX_POINTS 4096

/// The place of the path at a time, in frame a. All members are 0 when the callback begins, except
/// `rotation`, which is the identity. The turns count only with `leads_rotation`.
typedef struct tn_motion_path_state {
    tn_vec3 position;             ///< m
    tn_vec3 velocity;             ///< m/s: its rate
    tn_vec3 acceleration;         ///< m/s^2: the rate of that
    tn_quat rotation;             ///< of any length but 0
    tn_vec3 angular_velocity;     ///< rad/s
    tn_vec3 angular_acceleration; ///< rad/s^2
} tn_motion_path_state;

/// Computes the path at a time, s. It must give the same numbers for the same time and user data:
/// the step calls it many times, from several threads, and for times that are not reached. It must
/// not change the world. With numbers that are not finite the joint does nothing, and the world
/// reports it after the step (NOT_FINITE).
typedef void (*tn_motion_path_joint_fn)(double time, tn_motion_path_state *out_state,
                                        void *user_data);

typedef struct tn_motion_path_joint_def {
    tn_joint_def base;
    tn_motion_path_joint_fn evaluate; ///< null: `points` at `times` are used
    void *evaluate_user_data;         ///< passed to `evaluate`; not owned
    const double *times;              ///< s, increasing. Copied
    const tn_vec3 *points;            ///< m, in frame a. Copied
    uint32_t point_count;             ///< 2 to TN_MOTION_PATH_MAX_POINTS
    bool is_looped; ///< for points, at least 4: the path begins again after its last time, at which
                    ///< it is where it was at the first. Else it rests before and after. Default
                    ///< false
    bool leads_rotation; ///< also leads the rotation of the callback. Default false
    double start_time;   ///< s: time on the path when the joint is made. Default 0
    double speed;        ///< s of the path per s of the world, of either sign. Default 1
} tn_motion_path_joint_def;

TN_API tn_motion_path_joint_def tn_motion_path_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; NOT_FINITE also for the callback's
/// numbers.
TN_API tn_joint_id tn_motion_path_joint_create(tn_world *world,
                                               const tn_motion_path_joint_def *def);
/// Returns the definition. Its `times` and `points` belong to the joint and live as long as it
/// does.
TN_API tn_motion_path_joint_def tn_motion_path_joint_get_def(const tn_world *world,
                                                             tn_joint_id joint);
/// Goes to another time of the path. The joint is then open by the distance to that place, and
/// closes as joints do. Wakes both bodies. Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE (call
/// ignored).
TN_API tn_result tn_motion_path_joint_set_time(tn_world *world, tn_joint_id joint, double time);
/// Sets the speed: 0 stops on the path, a negative one goes back. Wakes both bodies.
/// Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE (call ignored).
TN_API tn_result tn_motion_path_joint_set_speed(tn_world *world, tn_joint_id joint, double speed);
/// Returns the time on the path now, s.
TN_API double tn_motion_path_joint_get_time(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
