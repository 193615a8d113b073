/// tenon/ratchet_joint.h: lets a wheel with teeth turn one way, while a pawl keeps it from turning
/// back: a winch, a jack, a freewheel, the click of a clock.
///
/// The angle is that of b against a about the x axis of frame a; another joint is their axle. The
/// angle may grow freely in `direction`, and never falls below the last tooth that it has passed:
/// C = angle - tooth >= 0, rad. It begins at a tooth, as the frames stand. Whole turns are counted,
/// so that the ratchet stays in phase over any number of teeth.
///
/// The joint remembers the turns and the tooth. A change of a frame keeps the distance to the
/// tooth. A body that tn_body_set_pose puts behind the tooth is turned forward to it. `base.hertz`
/// changes nothing: the pawl is rigid.
#ifndef TENON_RATCHET_JOINT_H
#define TENON_RATCHET_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_ratchet_joint_def {
    tn_joint_def base;
    int32_t teeth;     ///< per turn, 1 to 1,000,000. Default 12
    int32_t direction; ///< 1 (default): b turns freely about +x; -1: about -x
    bool is_engaged;   ///< default true; false: the pawl is lifted and follows the wheel
    float drag; ///< N·m, >= 0: friction of the pawl on the wheel, also while lifted. Default 0
} tn_ratchet_joint_def;

TN_API tn_ratchet_joint_def tn_ratchet_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; ZERO_AXIS if the y axis of frame b is
/// along the x axis of frame a.
TN_API tn_joint_id tn_ratchet_joint_create(tn_world *world, const tn_ratchet_joint_def *def);
TN_API tn_ratchet_joint_def tn_ratchet_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Lifts the pawl, or drops it behind the last tooth at or below the wheel's angle. Wakes both
/// bodies.
TN_API tn_result tn_ratchet_joint_set_engaged(tn_world *world, tn_joint_id joint, bool is_engaged);
/// Sets the drag. Wakes both bodies. Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_ratchet_joint_set_drag(tn_world *world, tn_joint_id joint, float drag);
/// Return the angle in `direction` since the joint was made, with all whole turns, rad, and its
/// rate, rad/s.
TN_API double tn_ratchet_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_ratchet_joint_get_speed(const tn_world *world, tn_joint_id joint);
/// Returns how many teeth the pawl has passed.
TN_API int64_t tn_ratchet_joint_get_tooth(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
