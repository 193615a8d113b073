/// tenon/motion_path_joint.h: a point or a whole body is led along a path in time: a shake table, a
/// hand that carries a tray, the pivot of a pendulum that is moved.
///
/// The path is given beside frame a, by a callback of time or by points at times. Where it is, how
/// fast and how it speeds up all enter the equations, so that the body is where the path is at the
/// end of each step, with the path's speed, and not a step behind. Whatever force that takes is
/// there: the path does work.
#ifndef TENON_MOTION_PATH_JOINT_H
#define TENON_MOTION_PATH_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// The most points of a path.
#define TN_MOTION_PATH_MAX_POINTS 4096

/// Where the path is at a time, in frame a. All but `rotation`, which is then none, are 0 when the
/// callback is called. Turns are of use where `leads_rotation` is set.
typedef struct tn_motion_path_state {
    tn_vec3 position;             ///< m
    tn_vec3 velocity;             ///< m/s: its rate
    tn_vec3 acceleration;         ///< m/s^2: the rate of that
    tn_quat rotation;             ///< of any length but 0
    tn_vec3 angular_velocity;     ///< rad/s
    tn_vec3 angular_acceleration; ///< rad/s^2
} tn_motion_path_state;

/// The path at a time, s. It must give the same numbers for the same time and user data, for the
/// step asks it many times and from several threads, also for times that are then not taken. It
/// must not call anything that changes the world. Numbers that are not finite make the joint do
/// nothing, which the world reports after the step (NOT_FINITE).
typedef void (*tn_motion_path_joint_fn)(double time, tn_motion_path_state *out_state,
                                        void *user_data);

typedef struct tn_motion_path_joint_def {
    tn_joint_def base;
    tn_motion_path_joint_fn evaluate; ///< null: points at times instead
    void *evaluate_user_data;         ///< handed through; not owned
    const double *times;              ///< s, growing. Copied
    const tn_vec3 *points;            ///< m, in frame a. Copied
    uint32_t point_count;             ///< 2 to TN_MOTION_PATH_MAX_POINTS
    bool is_looped; ///< of points: after the last time, at which it is where it was at the first
                    ///< one, it begins again; at least 4 points. Else it rests before and after.
                    ///< Default false
    bool leads_rotation; ///< the callback's rotation is led as well. Default false
    double start_time;   ///< s: on the path, when the joint is made. Default 0
    double speed;        ///< s of the path for each of the world, of either sign. Default 1
} tn_motion_path_joint_def;

TN_API tn_motion_path_joint_def tn_motion_path_joint_def_default(void);
/// Errors: see tn_distance_joint_create; NOT_FINITE also where the callback gives such numbers now.
TN_API tn_joint_id tn_motion_path_joint_create(tn_world *world,
                                               const tn_motion_path_joint_def *def);
/// `times` and `points` are then the joint's own, which live as long as it does.
TN_API tn_motion_path_joint_def tn_motion_path_joint_get_def(const tn_world *world,
                                                             tn_joint_id joint);
/// Goes to another time of the path. The joint is then off by as much as the path is far, and
/// closes as joints do. Wakes both bodies. Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE (call
/// ignored).
TN_API tn_result tn_motion_path_joint_set_time(tn_world *world, tn_joint_id joint, double time);
/// 0 stops where it is, negative goes back. Wakes both bodies.
/// Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE (call ignored).
TN_API tn_result tn_motion_path_joint_set_speed(tn_world *world, tn_joint_id joint, double speed);
/// The time on the path now, s.
TN_API double tn_motion_path_joint_get_time(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
