/// tenon/belt_joint.h: a belt, or a chain, about two pulleys.
///
/// Each pulley turns about the x axis of its frame; the pulleys' own hinges are joints of their
/// own, and their axes are parallel. Speeds keep radius_a w_a = radius_b w_b, each relative to the
/// line from centre to centre; a crossed belt turns b the other way round. A chain, or a toothed
/// belt, has teeth: whole turns are counted, and it stays in phase over any number of them. A belt
/// with a pretension slips where the difference of its tensions is more than friction holds,
///     T1 - T2 = 2 pretension (q - 1) / (q + 1),   q = exp(friction wrap),
/// the wrap being the smaller one of both pulleys. How long the belt is matters for nothing: that
/// the centres keep their distance is for their own joints. More pulleys are more joints.
#ifndef TENON_BELT_JOINT_H
#define TENON_BELT_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_belt_joint_def {
    tn_joint_def base; ///< frames: origin in the pulley's centre, x along its axis. A hertz above 0
                       ///< lets it stretch, where it does not slip
    double radius_a, radius_b; ///< m, > 0, where the belt runs. Default 0.1
    int32_t teeth_a, teeth_b;  ///< of a chain: their ratio is that of the turns, with no bit lost,
                               ///< and it does not slip. 1 to 1,000,000. Default 0: by the radii
    bool is_crossed;           ///< default false: both pulleys turn the same way round
    float friction;            ///< mu, >= 0, of belt and pulleys. Default 0.3
    float pretension;          ///< N, >= 0, of each strand. Default INFINITY: it does not slip
} tn_belt_joint_def;

TN_API tn_belt_joint_def tn_belt_joint_def_default(void);
/// Errors: as tn_distance_joint_create; ZERO_AXIS where the centres are one behind the other.
TN_API tn_joint_id tn_belt_joint_create(tn_world *world, const tn_belt_joint_def *def);
TN_API tn_belt_joint_def tn_belt_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Other pulleys from now on, where what slipped so far stays. A chain is one by radii then.
/// Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored). Wakes both bodies; so do all below.
TN_API tn_result tn_belt_joint_set_radii(tn_world *world, tn_joint_id joint, double radius_a,
                                         double radius_b);
TN_API tn_result tn_belt_joint_set_teeth(tn_world *world, tn_joint_id joint, int32_t teeth_a,
                                         int32_t teeth_b);
TN_API tn_result tn_belt_joint_set_crossed(tn_world *world, tn_joint_id joint, bool is_crossed);
/// A tensioner, and how the belt holds.
TN_API tn_result tn_belt_joint_set_grip(tn_world *world, tn_joint_id joint, float friction,
                                        float pretension);
/// Turns of b for each of a: below zero where they turn against each other.
TN_API double tn_belt_joint_get_ratio(const tn_world *world, tn_joint_id joint);
/// m of belt that pulley a is ahead by, since it was made: what slipped; of what does not slip its
/// error. And how fast that grows, m/s.
TN_API double tn_belt_joint_get_slip(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_slip_speed(const tn_world *world, tn_joint_id joint);
/// N: by how much the tensions of both strands differ, mean over the last step; positive turns b on
/// about its axis. And the most that it can be before it slips; INFINITY of what does not.
TN_API float tn_belt_joint_get_force(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_slip_force(const tn_world *world, tn_joint_id joint);
/// rad that the belt lies about pulley a, or b, now; and m that it is long.
TN_API double tn_belt_joint_get_wrap_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_wrap_b(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_length(const tn_world *world, tn_joint_id joint);
/// Turns of the pulleys against the line from centre to centre, rad, with all whole turns, since
/// the joint was made or its frames or its ratio changed.
TN_API double tn_belt_joint_get_angle_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_belt_joint_get_angle_b(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
