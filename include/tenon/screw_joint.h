/// tenon/screw_joint.h: a bolt in a nut: it slides along an axis as it turns about it.
///
/// Frames a (the nut) and b (the bolt) share the x axis; b moves along it by `lead` for each turn.
/// C = travel - lead turns - phase, the phase what this is when the joint is made. Whole turns are
/// counted, so that the bolt stays in its thread over any number of them.
///
/// The thread is without friction: a load on the bolt turns it, however small the lead. What holds
/// a vice shut is friction, for which a hinge or a motor beside it may stand.
///
/// Signs: the bolt's turn is about +x of frame a by the right-hand rule, its travel along +x. A
/// left-handed thread has a negative lead.
///
/// What the joint remembers: the turns, as a gear does: see tenon/gear_joint.h.
#ifndef TENON_SCREW_JOINT_H
#define TENON_SCREW_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_screw_joint_def {
    tn_joint_def base;
    double lead; ///< m for each turn, not 0. Default 0.01
} tn_screw_joint_def;

TN_API tn_screw_joint_def tn_screw_joint_def_default(void);
/// Errors: as tn_distance_joint_create; ZERO_AXIS where y of frame b is parallel to x of frame a.
TN_API tn_joint_id tn_screw_joint_create(tn_world *world, const tn_screw_joint_def *def);
TN_API tn_screw_joint_def tn_screw_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Another lead from now on; the bolt stays where it is.
/// Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_screw_joint_set_lead(tn_world *world, tn_joint_id joint, double lead);
/// How far the bolt is ahead of its thread, m: C. About 0.
TN_API double tn_screw_joint_get_phase_error(const tn_world *world, tn_joint_id joint);
/// The bolt's turn, rad, with all whole turns, since the joint was made or its frames or its lead
/// changed; its way along the axis, m, and how fast that grows, m/s.
TN_API double tn_screw_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_screw_joint_get_travel(const tn_world *world, tn_joint_id joint);
TN_API double tn_screw_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
