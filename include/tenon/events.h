/// tenon/events.h: returns what happened in the last step, as flat arrays.
///
/// The arrays belong to the world and are valid until the next step or change of the world. The
/// order in each is the same in every run and for every number of workers.
#ifndef TENON_EVENTS_H
#define TENON_EVENTS_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// Two shapes began or ceased to touch. A shape of an end event may be gone already.
typedef struct tn_contact_event {
    tn_shape_id shape_a, shape_b;
    tn_contact_id contact; ///< null in an end event if the contact is gone
} tn_contact_event;

/// Two shapes went on touching: they did before the step, and after it.
typedef struct tn_persist_event {
    tn_shape_id shape_a, shape_b;
    tn_contact_id contact;
    tn_vec3 point;  ///< the middle of its points, weighed by their impulses
    tn_vec3 normal; ///< from a to b
    float impulse;  ///< N·s along the normal during the step
} tn_persist_event;

/// Two shapes met faster than the world's hit threshold.
typedef struct tn_hit_event {
    tn_shape_id shape_a, shape_b;
    tn_vec3 point;
    tn_vec3 normal; ///< from a to b
    float speed;    ///< m/s, approaching, before the impact
    float impulse;  ///< N·s along the normal during the step
    float time;     ///< s from the start of the step to the impact, 0 to dt
} tn_hit_event;

/// Says which load broke a joint.
typedef enum tn_break_cause {
    TN_BREAK_CAUSE_FORCE = 0, ///< break_force
    TN_BREAK_CAUSE_TORQUE,    ///< break_torque
    TN_BREAK_CAUSE_LINEAR_X, ///< break_linear and break_angular: along and about an axis of frame a
    TN_BREAK_CAUSE_LINEAR_Y,
    TN_BREAK_CAUSE_LINEAR_Z,
    TN_BREAK_CAUSE_ANGULAR_X,
    TN_BREAK_CAUSE_ANGULAR_Y,
    TN_BREAK_CAUSE_ANGULAR_Z,
    TN_BREAK_CAUSE_ROW, ///< break_load of a row of a custom or function joint
} tn_break_cause;

/// A joint broke under its load and is gone.
typedef struct tn_joint_break_event {
    tn_joint_id joint; ///< stale
    tn_body_id body_a, body_b;
    void *user_data;     ///< the joint's
    float force, torque; ///< N, N·m: lengths of the mean load on body b
    tn_break_cause cause;
    float load, threshold; ///< N or N·m, for the cause; load > threshold
    uint32_t row;          ///< for TN_BREAK_CAUSE_ROW the row, else 0
} tn_joint_break_event;

/// A joint with `has_limit_events` reached an end of a limit, or left one. `limits` is its state
/// now.
typedef struct tn_joint_limit_event {
    tn_joint_id joint;
    void *user_data; ///< the joint's
    tn_joint_limits limits, before;
} tn_joint_limit_event;

/// A body moved. There is one event for every awake dynamic or moving kinematic body.
typedef struct tn_body_move_event {
    tn_body_id body;
    tn_pose pose;
    void *user_data;
    bool fell_asleep; ///< it fell asleep in this step, and does not move until it is woken
} tn_body_move_event;

/// A body fell asleep or woke.
typedef struct tn_sleep_event {
    tn_body_id body;
    bool is_awake;
} tn_sleep_event;

/// A shape began or ceased to overlap a sensor. A shape of an end event may be gone already.
typedef struct tn_sensor_event {
    tn_shape_id sensor, shape;
} tn_sensor_event;

typedef struct tn_events {
    const tn_contact_event *begins, *ends;
    const tn_hit_event *hits;
    const tn_joint_break_event *joint_breaks;
    const tn_body_move_event *moves;
    const tn_sleep_event *sleeps;
    const tn_joint_limit_event *joint_limits;
    uint32_t begin_count, end_count, hit_count, joint_break_count, move_count, sleep_count;
    uint32_t joint_limit_count;
    const tn_sensor_event *sensor_begins, *sensor_ends;
    uint32_t sensor_begin_count, sensor_end_count;
    const tn_persist_event *persists; ///< of shapes with has_persist_events
    uint32_t persist_count;
} tn_events;

/// Returns the events of the last step. Never fails; before the first step all counts are 0.
TN_API tn_events tn_world_get_events(const tn_world *world);
/// Copies the poses of the bodies that have moved, for renderers, in the order of `moves`. A pose
/// is 7 floats: the position minus `origin` (m) as x, y, z, and the rotation as x, y, z, w.
/// `out_poses` has room for 7 * capacity floats and `out_bodies` for `capacity` handles; either may
/// be null. Returns how many bodies have moved, which may be more than `capacity`.
TN_API uint32_t tn_world_get_moved_poses(const tn_world *world, tn_vec3 origin, float *out_poses,
                                         tn_body_id *out_bodies, uint32_t capacity);

/// Returns a pose between two: positions linearly, rotations along the shorter way, linearly and
/// then made a unit. At a fraction of 0 or less it is `before`, at 1 or more, or NaN, `after`, both
/// to the last bit. The quaternions have unit length. Thread: any.
TN_API tn_pose tn_pose_blend(tn_pose before, tn_pose after, double fraction);
/// Copies poses to draw at a moment between the begin (`fraction` 0) and the end (1) of the last
/// step, in the form and order of tn_world_get_moved_poses, blended as by tn_pose_blend. It gives
/// every body that moved in step number `since` or later. Pass 0 first, and then what
/// tn_world_get_step_count returned at the reading before: so a body that came to rest since then
/// is given once more, at its end. A `since` beyond the step count, as after a load or a clear,
/// counts as 0. A teleport is not blended: a body that was made, placed by hand or loaded since the
/// last step is given where it is now. `out_poses` has room for 7 * capacity floats and
/// `out_bodies` for `capacity` handles; either may be null. Returns how many such bodies there are,
/// which may be more than `capacity`. Errors: INVALID_ARGUMENT (the world keeps no previous poses:
/// tn_world_def.keeps_previous_poses), returns 0.
TN_API uint32_t tn_world_get_blended_poses(const tn_world *world, uint64_t since, double fraction,
                                           tn_vec3 origin, float *out_poses, tn_body_id *out_bodies,
                                           uint32_t capacity);

TN_EXTERN_C_END

#endif
