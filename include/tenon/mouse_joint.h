/// tenon/mouse_joint.h: pulls a point of a body softly to a target: a hand, a cursor, a tractor
/// beam.
///
/// The joint is a spring between the origins of the frames, with `base.hertz` (> 0; default 5) and
/// `base.damping_ratio` (default 1: no overshoot), so that light and heavy bodies follow alike. A
/// cap on its force keeps it from tearing away what is heavy or stuck. Turning is free. The pull
/// counts as a motor: tn_joint_get_motor_effort and tn_joint_get_motor_work return its length and
/// work.
#ifndef TENON_MOUSE_JOINT_H
#define TENON_MOUSE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_mouse_joint_def {
    tn_joint_def
        base;        ///< frame_a: the target, usually in the world; frame_b: the point that is held
    float max_force; ///< N, >= 0: greatest pull. 0 or INFINITY (default): no cap
} tn_mouse_joint_def;

TN_API tn_mouse_joint_def tn_mouse_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_mouse_joint_create(tn_world *world, const tn_mouse_joint_def *def);
TN_API tn_mouse_joint_def tn_mouse_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Moves the target to a point in the world, m. If the joint has a body a, the target then moves
/// with it. Wakes both bodies. Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE (call ignored).
TN_API tn_result tn_mouse_joint_set_target(tn_world *world, tn_joint_id joint, tn_vec3 target);
TN_API tn_vec3 tn_mouse_joint_get_target(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_mouse_joint_set_max_force(tn_world *world, tn_joint_id joint, float max_force);
/// Returns the distance of the point from its target, m.
TN_API double tn_mouse_joint_get_distance(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
