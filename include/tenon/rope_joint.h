/// tenon/rope_joint.h: leads a rope from a point of one body over sheaves on others to a point of a
/// last one: a tackle, a crane's rope, a winch, a capstan.
///
/// The rope runs in straight pieces from point to point. Each point except the first and the last
/// is a sheave that is small beside the pieces. The rope keeps its length: C = sum of the pieces -
/// length <= 0. It pulls and never pushes, and without friction each piece pulls alike. A sheave
/// with friction, a bollard, holds the rope by Euler's law: the tensions on its two sides keep T2
/// <= T1 exp(mu wrap), and the rope passes only at that bound. A winch at the last point may let
/// the rope out or haul it in. A rope that does not stretch, without friction and with an infinite
/// max_tension, is part of a mechanism that is solved exactly if it asks for DIRECT (or for CG with
/// no other joint of CG beside it), or if AUTO chooses so; projected Gauss-Seidel solves any other.
#ifndef TENON_ROPE_JOINT_H
#define TENON_ROPE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

#define TN_ROPE_MAX_POINTS 16

/// A point at which the rope is fastened, or a sheave that it runs over.
typedef struct tn_rope_point {
    tn_body_id body;  ///< null: the world. A body may have several points
    tn_vec3 position; ///< m, in the body's frame, or in the world if the body is null
    float friction;   ///< mu, >= 0, between rope and sheave; not for the ends. Default 0
    uint32_t turns;   ///< whole turns about the sheave beside the visible bend. Default 0
} tn_rope_point;

typedef struct tn_rope_joint_def {
    /// Its bodies and frames are ignored. A hertz above 0 makes the rope a spring of that
    /// frequency. break_force bounds the tension in any piece. Default is_collision_allowed: true.
    tn_joint_def base;
    tn_rope_point points[TN_ROPE_MAX_POINTS]; ///< in the order of the rope
    uint32_t point_count;                     ///< 2 to TN_ROPE_MAX_POINTS
    double length;         ///< m, > 0; 0 (default): that of its pieces when it is made
    bool is_rigid;         ///< true: C = 0, the rope pushes too and has no friction. Default false
    float axial_stiffness; ///< N, >= 0: E A, force per strain. 0 (default): it does not stretch
    float axial_damping;   ///< N·s, >= 0: force per rate of strain, if it stretches
    float payout_speed;    ///< m/s at the last point: > 0 lets rope out, < 0 hauls it in. Default 0
    float max_tension; ///< N, >= 0: the last point holds this much; a greater tension draws rope
                       ///< out. 0 or INFINITY (default): it holds any
} tn_rope_joint_def;

TN_API tn_rope_joint_def tn_rope_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create; INVALID_ARGUMENT also for a number of
/// points, a length or a friction out of range, for settings that is_rigid excludes, and for a
/// point of a particle off its centre; SAME_BODY if all points are of one body.
TN_API tn_joint_id tn_rope_joint_create(tn_world *world, const tn_rope_joint_def *def);
/// Returns the definition with the length that the rope has now.
TN_API tn_rope_joint_def tn_rope_joint_get_def(const tn_world *world, tn_joint_id joint);

/// Sets the length, m, > 0, at once; each piece's share of the rope changes in proportion. Wakes
/// the bodies. Errors, as for all setters below: INVALID_ID, WRONG_TYPE, NOT_FINITE,
/// INVALID_ARGUMENT (call ignored).
TN_API tn_result tn_rope_joint_set_length(tn_world *world, tn_joint_id joint, double length);
/// Sets the speed of the winch, m/s, and the tension that its brake holds, N. Wakes the bodies.
TN_API tn_result tn_rope_joint_set_payout(tn_world *world, tn_joint_id joint, float payout_speed,
                                          float max_tension);
/// Sets friction and whole turns at one sheave, 1 to point_count - 2. Wakes the bodies.
TN_API tn_result tn_rope_joint_set_friction(tn_world *world, tn_joint_id joint, uint32_t sheave,
                                            float friction, uint32_t turns);
/// Sets stiffness, N, and damping, N·s. Wakes the bodies.
TN_API tn_result tn_rope_joint_set_elasticity(tn_world *world, tn_joint_id joint,
                                              float axial_stiffness, float axial_damping);

/// Return the unstretched length of the rope, and the length of all its pieces now, m.
TN_API double tn_rope_joint_get_length(const tn_world *world, tn_joint_id joint);
TN_API double tn_rope_joint_get_extent(const tn_world *world, tn_joint_id joint);
/// Returns the mean tension of a piece, 0 to point_count - 2, in the last step, N; positive pulls.
/// 0 if the rope is slack, and beyond the last piece.
TN_API float tn_rope_joint_get_tension(const tn_world *world, tn_joint_id joint, uint32_t piece);
/// Returns the length of a piece now, m; 0 beyond the last one.
TN_API double tn_rope_joint_get_piece(const tn_world *world, tn_joint_id joint, uint32_t piece);
/// Returns the angle that the rope covers on a sheave now, rad, with its turns; 0 for no sheave.
TN_API double tn_rope_joint_get_wrap(const tn_world *world, tn_joint_id joint, uint32_t sheave);
/// Returns the length of rope, m, between the first point and a sheave after the last step; it
/// falls by what passes over the sheave. 0 for no sheave.
TN_API double tn_rope_joint_get_passed(const tn_world *world, tn_joint_id joint, uint32_t sheave);
/// Returns whether no piece is under tension after the last step.
TN_API bool tn_rope_joint_is_slack(const tn_world *world, tn_joint_id joint);
/// Returns whether the rope slips over a sheave with friction, or, at the last point, from the
/// winch.
TN_API bool tn_rope_joint_is_slipping(const tn_world *world, tn_joint_id joint, uint32_t point);

TN_EXTERN_C_END

#endif
