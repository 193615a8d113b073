/// tenon/belt_joint.h: ties two pulleys by a belt, or a chain.
///
/// Each pulley turns about the x axis of its frame. Other joints hold the pulleys, with parallel
/// axes. Speeds keep radius_a w_a = radius_b w_b, each relative to the line from centre to centre;
/// a crossed belt turns b the other way round. A chain, or a toothed belt, has teeth: whole turns
/// are counted, and it stays in phase over any number of them. A belt with a pretension slips where
/// the difference of its tensions exceeds what friction holds,
///     T1 - T2 = 2 pretension (q - 1) / (q + 1),   q = exp(friction wrap),
/// with the smaller wrap of the two pulleys. The belt does not hold the centres at their distance:
/// their own joints do. More than two pulleys need more joints.
#ifndef TENON_BELT_JOINT_H
#define TENON_BELT_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_belt_joint_def {
    tn_joint_def base; ///< frames: origin at the pulley's centre, x along its axis. A belt with a
                       ///< hertz above 0 stretches, where it does not slip
    double radius_a, radius_b; ///< m, > 0: where the belt runs. Default 0.1
    int32_t teeth_a, teeth_b;  ///< for a chain, which does not slip: their ratio is the exact ratio
                               ///< of the turns. 1 to 1,000,000. Default 0: the radii count
    bool is_crossed;           ///< default false: both pulleys turn the same way
    float friction;            ///< mu, >= 0, between belt and pulleys. Default 0.3
    float pretension;          ///< N, >= 0, in each strand. Default INFINITY: it does not slip
} tn_belt_joint_def;

TN_API tn_belt_joint_def tn_belt_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; ZERO_AXIS for centres one behind the
/// other.
TN_API tn_joint_id tn_belt_joint_create(tn_world *world, const tn_belt_joint_def *def);
TN_API tn_belt_joint_def tn_belt_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Changes the pulleys and keeps what has slipped so far. A chain then goes by its radii. Wakes
/// both bodies, as do all setters below. Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_belt_joint_set_radii(tn_world *world, tn_joint_id joint, double radius_a,
                                         double radius_b);
TN_API tn_result tn_belt_joint_set_teeth(tn_world *world, tn_joint_id joint, int32_t teeth_a,
                                         int32_t teeth_b);
TN_API tn_result tn_belt_joint_set_crossed(tn_world *world, tn_joint_id joint, bool is_crossed);
/// Sets how the belt holds, as a tensioner does.
TN_API tn_result tn_belt_joint_set_grip(tn_world *world, tn_joint_id joint, float friction,
                                        float pretension);
/// Returns the turns of b for each turn of a: negative if they turn against each other.
TN_API double tn_belt_joint_get_ratio(const tn_world *world, tn_joint_id joint);
/// Return the length of belt that has slipped since the joint was made, positive where pulley a is
/// ahead (m; the error of a belt that does not slip), and its rate (m/s).
TN_API double tn_belt_joint_get_slip(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_slip_speed(const tn_world *world, tn_joint_id joint);
/// Return the mean difference of the strands' tensions in the last step, N, positive if it turns b
/// about +x, and the largest difference before the belt slips, which may be INFINITY.
TN_API float tn_belt_joint_get_force(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_slip_force(const tn_world *world, tn_joint_id joint);
/// Return the angles that the belt covers on pulley a and pulley b now, rad, and its length, m.
TN_API double tn_belt_joint_get_wrap_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_wrap_b(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_length(const tn_world *world, tn_joint_id joint);
/// Return the turns of the pulleys against the line from centre to centre, rad, with all whole
/// turns, since the joint was made or its frames or its ratio changed.
TN_API double tn_belt_joint_get_angle_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_angle_b(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
