/// tenon/rack_pinion_joint.h: rolls a wheel along a rack: one turns, the other slides.
///
/// Body a is the pinion, which turns about the x axis of frame a. Body b is the rack, which slides
/// along the x axis of frame b. Other joints, such as a hinge and a slider, guide them.
/// C = travel - radius angle - phase: the travel of the rack along its axis from frame a to frame
/// b, the pinion's turn about its axis against the rack, and a phase that makes C = 0 when the
/// joint is made. Whole turns are counted, and both stay in phase over any number of them.
///
/// Signs: turning the pinion about +x of frame a moves the rack along +x of frame b by the radius
/// per radian, or the other way if the radius is negative.
///
/// The joint remembers the turns, as a gear does: see tenon/gear_joint.h.
#ifndef TENON_RACK_PINION_JOINT_H
#define TENON_RACK_PINION_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_rack_pinion_joint_def {
    tn_joint_def base; ///< frame a: at the pinion's centre, x its axis; frame b: x along the rack
    double radius;     ///< m per radian, not 0: the pitch radius. Default 1
} tn_rack_pinion_joint_def;

TN_API tn_rack_pinion_joint_def tn_rack_pinion_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; ZERO_AXIS for a rack parallel to the
/// axis.
TN_API tn_joint_id tn_rack_pinion_joint_create(tn_world *world,
                                               const tn_rack_pinion_joint_def *def);
TN_API tn_rack_pinion_joint_def tn_rack_pinion_joint_get_def(const tn_world *world,
                                                             tn_joint_id joint);
/// Sets the radius; pinion and rack mesh as they stand.
/// Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_rack_pinion_joint_set_radius(tn_world *world, tn_joint_id joint, double radius);
/// Returns C: how far the rack is ahead of its place, m. It is about 0.
TN_API double tn_rack_pinion_joint_get_phase_error(const tn_world *world, tn_joint_id joint);
/// Return the pinion's turn against the rack, rad, with all whole turns, since the joint was made
/// or its frames or its radius changed, and the rack's travel from frame a to frame b, m.
TN_API double tn_rack_pinion_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_rack_pinion_joint_get_travel(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
