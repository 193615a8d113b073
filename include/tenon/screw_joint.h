/// tenon/screw_joint.h: moves a bolt along an axis as it turns in a nut.
///
/// Frames a (the nut) and b (the bolt) share the x axis; b moves along it by `lead` per turn.
/// C = travel - lead turns - phase, where the phase makes C = 0 when the joint is made. Whole turns
/// are counted, so that the bolt stays in its thread over any number of them.
///
/// The thread has no friction: a load on the bolt turns it, however small the lead. A hinge with
/// friction or a motor beside it can hold a vice shut.
///
/// Signs: the bolt turns about +x of frame a by the right-hand rule and travels along +x. A
/// left-handed thread has a negative lead.
///
/// The joint remembers the turns, as a gear does: see tenon/gear_joint.h.
#ifndef TENON_SCREW_JOINT_H
#define TENON_SCREW_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_screw_joint_def {
    tn_joint_def base;
    double lead; ///< m per turn, not 0. Default 0.01
} tn_screw_joint_def;

TN_API tn_screw_joint_def tn_screw_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; ZERO_AXIS if y_b is along x_a.
TN_API tn_joint_id tn_screw_joint_create(tn_world *world, const tn_screw_joint_def *def);
TN_API tn_screw_joint_def tn_screw_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Sets the lead; the bolt stays where it is.
/// Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_screw_joint_set_lead(tn_world *world, tn_joint_id joint, double lead);
/// Returns C: how far the bolt is ahead of its thread, m. It is about 0.
TN_API double tn_screw_joint_get_phase_error(const tn_world *world, tn_joint_id joint);
/// Return the bolt's turn, rad, with all whole turns, since the joint was made or its frames or its
/// lead changed, its travel along the axis, m, and the rate of that, m/s.
TN_API double tn_screw_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_screw_joint_get_travel(const tn_world *world, tn_joint_id joint);
TN_API double tn_screw_joint_get_speed(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
