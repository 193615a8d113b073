/// tenon/six_axis_joint.h: frees, locks or limits each of three translations and three turns, with
/// a spring and a drive for each: a mount on springs, a shake table, a joint from another engine
/// (generic, 6 DOF, D6).
///
/// Translations are those of frame b along the axes of frame a. The turns are a twist about x and,
/// after it, a swing about an axis perpendicular to x, given by its angles about the y and z axes
/// of frame a (see swing_twist_joint.h). If only one turn is not locked, it is the plain angle
/// about its axis, and may go round any number of times. A limit on the twist alone may reach from
/// -pi to pi. Swings are ill-defined near half a turn: keep limits on them within 2.5 rad.
#ifndef TENON_SIX_AXIS_JOINT_H
#define TENON_SIX_AXIS_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

/// Names one of the six axes.
typedef enum tn_six_axis {
    TN_SIX_AXIS_LINEAR_X = 0,
    TN_SIX_AXIS_LINEAR_Y,
    TN_SIX_AXIS_LINEAR_Z,
    TN_SIX_AXIS_ANGULAR_X, ///< twist
    TN_SIX_AXIS_ANGULAR_Y, ///< swing
    TN_SIX_AXIS_ANGULAR_Z, ///< swing
} tn_six_axis;

#define TN_SIX_AXIS_COUNT 6

/// The bit of `locks` that holds one axis at 0, and all six bits.
#define TN_SIX_AXIS_LOCK(which) (1u << (which))
#define TN_SIX_AXIS_LOCK_ALL    0x3fu

/// Limits several axes together: the length of the vector of translations, the angle between the
/// third axes of frames b and a for two turns, or the angle of the whole turn for three. glTF's
/// KHR_physics_rigid_bodies (draft) defines limits on two and three axes so.
typedef struct tn_round_limit {
    bool x, y, z;       ///< two or three of them; none: off
    float lower, upper; ///< m or rad; 0 <= lower <= upper, finite; for turns upper <= pi
} tn_round_limit;

typedef struct tn_six_axis_joint_def {
    tn_joint_def base;
    uint32_t locks; ///< TN_SIX_AXIS_LOCK bits. Default TN_SIX_AXIS_LOCK_ALL
    /// By tn_six_axis, for those that are not locked. Translations m, N; turns rad, N·m, with
    /// limits within -pi to pi.
    tn_axis axes[TN_SIX_AXIS_COUNT];
    tn_round_limit linear_limit; ///< in addition to the limits of the axes, which make a box
    tn_round_limit angular_limit;
} tn_six_axis_joint_def;

/// Returns a definition with all six locked: a fixed joint.
TN_API tn_six_axis_joint_def tn_six_axis_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; TOO_LARGE if it needs more than 21 rows:
/// a locked axis, a spring, a motor and either friction take one each, a limit two, a round limit
/// one, or two with a lower end above 0.
TN_API tn_joint_id tn_six_axis_joint_create(tn_world *world, const tn_six_axis_joint_def *def);
TN_API tn_six_axis_joint_def tn_six_axis_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Set which axes are held at 0, what acts on one of the others, its motor alone, or both round
/// limits.
/// Effect: wakes both bodies; rows that stay keep their impulses.
/// Errors: INVALID_ID, WRONG_TYPE, INVALID_ARGUMENT, NOT_FINITE, TOO_LARGE (call ignored).
TN_API tn_result tn_six_axis_joint_set_locks(tn_world *world, tn_joint_id joint, uint32_t locks);
TN_API tn_result tn_six_axis_joint_set_axis(tn_world *world, tn_joint_id joint, tn_six_axis which,
                                            tn_axis axis);
TN_API tn_result tn_six_axis_joint_set_motor(tn_world *world, tn_joint_id joint, tn_six_axis which,
                                             tn_motor motor);
/// Change one target of an axis's motor: the position, m or rad, or the speed, m/s or rad/s.
TN_API tn_result tn_six_axis_joint_set_target_position(tn_world *world, tn_joint_id joint,
                                                       tn_six_axis which, float position);
TN_API tn_result tn_six_axis_joint_set_target_speed(tn_world *world, tn_joint_id joint,
                                                    tn_six_axis which, float speed);
TN_API tn_result tn_six_axis_joint_set_round_limits(tn_world *world, tn_joint_id joint,
                                                    tn_round_limit linear, tn_round_limit angular);
/// Return the value of an axis now (m or rad) and its rate (m/s or rad/s). Errors: INVALID_ID,
/// WRONG_TYPE, INVALID_ARGUMENT (`which` is none of the six): 0.
TN_API double tn_six_axis_joint_get_position(const tn_world *world, tn_joint_id joint,
                                             tn_six_axis which);
TN_API double tn_six_axis_joint_get_speed(const tn_world *world, tn_joint_id joint,
                                          tn_six_axis which);
/// Returns the rotation of frame b in frame a.
TN_API tn_quat tn_six_axis_joint_get_rotation(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
