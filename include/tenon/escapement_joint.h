/// tenon/escapement_joint.h: models Graham's deadbeat escapement: an escape wheel that is driven,
/// and an anchor that lets the wheel go on by half a tooth at each swing and is pushed on by it.
///
/// The wheel is body a and turns about the x axis of frame a. The anchor is body b and turns about
/// the x axis of frame b. Other joints hold them, with axes that are parallel and apart. Turns are
/// measured against the line of their centres, as in a gear. The anchor is in its middle position
/// where the y axis of frame b points to the wheel's centre.
///
/// One of the anchor's two pallets holds a tooth. While the anchor is off its middle on that side
/// the tooth rests on the pallet's dead face: the wheel stands, and the anchor swings free of it.
/// As the anchor comes back its impulse face meets the tooth: over `lift_angle` the wheel pushes
/// it, and advances by half a tooth's pitch less `drop_angle`. Then the tooth leaves, and the wheel
/// drops until the other pallet holds it, on whose dead face it lands `lock_angle` from the edge:
///
///     C = L(x) - advance >= 0, rad,   x the anchor's angle toward the pallet that holds,
///     L = 0 on the dead face,  x >= (lift - lock) / 2
///     L grows in proportion to where the tooth leaves,  x = -(lift + lock) / 2
///
/// C is an angle of the wheel. There is no friction. The joint remembers turns and beats. When it
/// is made, a tooth is at the pallet on the anchor's side. `base.hertz` changes nothing.
#ifndef TENON_ESCAPEMENT_JOINT_H
#define TENON_ESCAPEMENT_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_escapement_joint_def {
    tn_joint_def base;
    int32_t teeth;     ///< of the wheel, 2 to 1,000,000. Default 30
    int32_t direction; ///< 1 (default): the wheel is driven about +x of frame a; -1: about -x
    double lift_angle; ///< rad of the anchor, > 0: angle of the impulse. Default 0.035 (2 degrees)
    double lock_angle; ///< rad of the anchor, > 0; lift + lock < pi. Default 0.009 (half a degree)
    double drop_angle; ///< rad of the wheel, > 0 and < pi / teeth. Default 0.026 (1.5 degrees)
} tn_escapement_joint_def;

TN_API tn_escapement_joint_def tn_escapement_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; ZERO_AXIS for frames one behind the other
/// along an axis.
TN_API tn_joint_id tn_escapement_joint_create(tn_world *world, const tn_escapement_joint_def *def);
TN_API tn_escapement_joint_def tn_escapement_joint_get_def(const tn_world *world,
                                                           tn_joint_id joint);
/// Changes the faces; a tooth that touches keeps touching. Wakes both bodies. Errors:
/// INVALID_ARGUMENT, NOT_FINITE (call ignored).
TN_API tn_result tn_escapement_joint_set_angles(tn_world *world, tn_joint_id joint,
                                                double lift_angle, double lock_angle,
                                                double drop_angle);
/// Return the anchor's angle about x of frame b, in (-pi, pi] rad, 0 in its middle, and its rate,
/// rad/s.
TN_API double tn_escapement_joint_get_angle(const tn_world *world, tn_joint_id joint);
TN_API double tn_escapement_joint_get_speed(const tn_world *world, tn_joint_id joint);
/// Returns how many times a tooth has left a pallet: the ticks.
TN_API int64_t tn_escapement_joint_get_beats(const tn_world *world, tn_joint_id joint);
/// Returns C, rad of the wheel: 0 where the tooth touches the pallet.
TN_API double tn_escapement_joint_get_gap(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
