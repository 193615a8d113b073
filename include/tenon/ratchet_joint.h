/// tenon/ratchet_joint.h: a ratchet: a wheel with teeth that turns one way, and a pawl that keeps
/// it from turning back: a winch, a jack, a freewheel, the click of a clock.
///
/// The angle is that of b against a about the x axis of frame a; what the two turn on is a joint of
/// their own. It may grow freely in `direction`, and never falls below the last tooth that it has
/// passed: C = angle - tooth >= 0, rad. It begins at a tooth, as the frames stand. Whole turns are
/// counted, so that it stays in phase over any number of teeth.
///
/// What the joint remembers: the turns and the tooth. After a change of a frame it goes on as far
/// from its tooth as it was. A body that is put behind the tooth by tn_body_set_pose is turned
/// forward to it. `base.hertz` changes nothing: the pawl is rigid.
#ifndef TENON_RATCHET_JOINT_H
#define TENON_RATCHET_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_ratchet_joint_def {
    tn_joint_def base;
    int32_t teeth;     ///< in a turn, 1 to 1,000,000. Default 12
    int32_t direction; ///< 1 (default): b turns freely about +x; -1: about -x
    bool is_engaged;   ///< default true; false: the pawl is lifted and follows the wheel
    float drag; ///< N·m, >= 0: the friction of the pawl on the wheel, also lifted. Default 0
} tn_ratchet_joint_def;

TN_API tn_ratchet_joint_def tn_ratchet_joint_def_default(void);
/// Errors: as tn_distance_joint_create; ZERO_AXIS where the y axis of frame b is along the x axis
/// of frame a.
TN_API tn_joint_id tn_ratchet_joint_create(tn_world *world, const tn_ratchet_joint_def *def);
TN_API tn_ratchet_joint_def tn_ratchet_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Lifts the pawl or lets it down: then it falls behind the last tooth at or below the wheel's
/// angle. Wakes both bodies.
TN_API tn_result tn_ratchet_joint_set_engaged(tn_world *world, tn_joint_id joint, bool is_engaged);
/// Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored). Wakes both bodies.
TN_API tn_result tn_ratchet_joint_set_drag(tn_world *world, tn_joint_id joint, float drag);
/// The angle in `direction` since the joint was made, with all whole turns, rad, and its rate,
/// rad/s.
TN_API double tn_ratchet_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_ratchet_joint_get_speed(const tn_world *world, tn_joint_id joint);
/// How many teeth the pawl has passed.
TN_API int64_t tn_ratchet_joint_get_tooth(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
