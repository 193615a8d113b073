/// tenon/gear_joint.h: two wheels whose turns keep a ratio: spur gears, ring gears, bevel gears,
/// worms, chains.
///
/// Each wheel turns about the x axis of its frame; the wheels' own hinges are joints of their own.
/// C = alpha_a + ratio alpha_b - phase, alpha the wheel's turn about its axis against a direction
/// that both bodies have in common, and the phase what it is when the joint is made. So speeds keep
///     w_a + ratio w_b = 0,
/// each relative to that direction. On a carrier that moves, the direction moves with it, so that
/// planetary gears need no more than the two wheels. Whole turns are counted, and the wheels stay
/// in phase over any number of them.
///
/// Signs: with axes that point the same way, wheels with teeth outside turn against each other:
/// ratio > 0. A ring, with teeth inside, turns with its pinion: ratio < 0.
///
/// What the joint remembers: the turns. A body that is put elsewhere keeps the turn that is
/// nearest; after a change of a frame, of the ratio or of the reference the wheels mesh as they
/// stand, and what error they have they keep.
#ifndef TENON_GEAR_JOINT_H
#define TENON_GEAR_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// What the turns are measured against.
typedef enum tn_gear_reference {
    TN_GEAR_REFERENCE_CENTERS = 0, ///< the line from frame a to frame b, for axes that are parallel
                                   ///< and apart: spur and ring gears, belts
    TN_GEAR_REFERENCE_AXES,        ///< the common perpendicular of the two axes, for axes that are
                                   ///< not parallel: bevel gears, worms
    TN_GEAR_REFERENCE_WORLD,       ///< a direction of the world, for wheels whose axes stand still
                             ///< in the world, however they lie: also for one behind the other
} tn_gear_reference;

typedef struct tn_gear_joint_def {
    tn_joint_def base; ///< frames: origin in the wheel's centre, x along its axis
    tn_gear_reference reference;
    double ratio;    ///< turns of a for each of b, not 0. Default 1. Unless both teeth are given
    int32_t teeth_a; ///< of both wheels: the ratio is teeth_b / teeth_a, with no bit lost however
    int32_t teeth_b; ///< many turns. Of a ring negative. Up to 1,000,000. Default 0: `ratio` counts
} tn_gear_joint_def;

TN_API tn_gear_joint_def tn_gear_joint_def_default(void);
/// Errors: as tn_distance_joint_create; ZERO_AXIS where the bodies give no direction of reference:
/// CENTERS with frames one behind the other along an axis, AXES with parallel axes.
TN_API tn_joint_id tn_gear_joint_create(tn_world *world, const tn_gear_joint_def *def);
TN_API tn_gear_joint_def tn_gear_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Another ratio from now on; the wheels mesh as they stand. Takes the place of teeth.
/// Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_gear_joint_set_ratio(tn_world *world, tn_joint_id joint, double ratio);
/// The same by teeth.
TN_API tn_result tn_gear_joint_set_teeth(tn_world *world, tn_joint_id joint, int32_t teeth_a,
                                         int32_t teeth_b);
/// teeth_b / teeth_a, or the ratio given.
TN_API double tn_gear_joint_get_ratio(const tn_world *world, tn_joint_id joint);
/// How far wheel a is ahead of its place, rad: C. About 0.
TN_API double tn_gear_joint_get_phase_error(const tn_world *world, tn_joint_id joint);
/// Turns of the wheels against the reference, rad, with all whole turns, since the joint was made
/// or its frames or its ratio changed.
TN_API double tn_gear_joint_get_angle_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_gear_joint_get_angle_b(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
