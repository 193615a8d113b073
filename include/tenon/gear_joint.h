/// tenon/gear_joint.h: keeps the turns of two wheels in a ratio: spur gears, ring gears, bevel
/// gears, worms, chains.
///
/// Each wheel turns about the x axis of its frame; other joints hold the wheels.
/// C = alpha_a + ratio alpha_b - phase, where alpha is a wheel's turn about its axis against a
/// direction that both bodies share, and the phase makes C = 0 when the joint is made. So speeds
/// keep
///     w_a + ratio w_b = 0,
/// each relative to that direction. On a carrier that moves, the direction moves with it, so that
/// planetary gears need only the two wheels. Whole turns are counted, and the wheels stay in phase
/// over any number of them.
///
/// Signs: with axes that point the same way, wheels with outer teeth turn against each other, with
/// ratio > 0. A ring with inner teeth turns with its pinion: ratio < 0.
///
/// The joint remembers the turns. A body whose pose is set keeps the nearest turn. After a change
/// of a frame, of the ratio or of the reference the wheels mesh as they stand, and keep their
/// error.
#ifndef TENON_GEAR_JOINT_H
#define TENON_GEAR_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// Chooses what the turns are measured against.
typedef enum tn_gear_reference {
    TN_GEAR_REFERENCE_CENTERS = 0, ///< the line from frame a to frame b, for axes that are parallel
                                   ///< and apart: spur and ring gears, belts
    TN_GEAR_REFERENCE_AXES,        ///< the common perpendicular of the two axes, for axes that are
                                   ///< not parallel: bevel gears, worms
    TN_GEAR_REFERENCE_WORLD, ///< a direction of the world, for wheels whose axes stand still in the
                             ///< world, in any position: also one behind the other
} tn_gear_reference;

typedef struct tn_gear_joint_def {
    tn_joint_def base; ///< frames: origin at the wheel's centre, x along its axis
    tn_gear_reference reference;
    double ratio; ///< turns of a for each of b, not 0. Ignored if both teeth are given. Default 1
    int32_t teeth_a; ///< 0 (default): `ratio` counts; else the ratio is exactly teeth_b / teeth_a
    int32_t teeth_b; ///< both up to 1,000,000; one is negative for a ring
} tn_gear_joint_def;

TN_API tn_gear_joint_def tn_gear_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; ZERO_AXIS for bodies without a reference:
/// CENTERS with frames one behind the other along an axis, AXES with parallel axes.
TN_API tn_joint_id tn_gear_joint_create(tn_world *world, const tn_gear_joint_def *def);
TN_API tn_gear_joint_def tn_gear_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Sets another ratio, in place of teeth; the wheels mesh as they stand. Errors: INVALID_ARGUMENT,
/// NOT_FINITE (call ignored).
TN_API tn_result tn_gear_joint_set_ratio(tn_world *world, tn_joint_id joint, double ratio);
/// Does the same by teeth.
TN_API tn_result tn_gear_joint_set_teeth(tn_world *world, tn_joint_id joint, int32_t teeth_a,
                                         int32_t teeth_b);
/// Returns teeth_b / teeth_a, or the ratio given.
TN_API double tn_gear_joint_get_ratio(const tn_world *world, tn_joint_id joint);
/// Returns C: how far wheel a is ahead of its place, rad. It is about 0.
TN_API double tn_gear_joint_get_phase_error(const tn_world *world, tn_joint_id joint);
/// Return the turns of the wheels against the reference, rad, with all whole turns, since the joint
/// was made or its frames or its ratio changed.
TN_API double tn_gear_joint_get_angle_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_gear_joint_get_angle_b(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
