/// tenon/rope_joint.h: a rope from a point of one body over sheaves on others to a point of a last
/// one: a tackle, a crane's rope, a winch, a capstan.
///
/// The rope goes in straight pieces from point to point. Each point but the first and the last is a
/// sheave that is small beside the pieces. The rope is as long as it is: C = sum of the pieces -
/// length <= 0. It pulls and never pushes; without friction each piece pulls alike. A sheave with
/// friction, a bollard, holds the rope by Euler's law: the tensions on its two sides T1, T2 keep
/// within T2 <= T1 exp(mu wrap), and the rope passes only where they are at that bound. At the last
/// point a winch may let the rope out or haul it in. A rope that does not stretch, without friction
/// and with an infinite max_tension, is part of a mechanism that is solved exactly where it asks
/// for DIRECT (or CG, with no other joint of CG beside it), or where AUTO chooses so; any other is
/// solved by projected Gauss-Seidel.
#ifndef TENON_ROPE_JOINT_H
#define TENON_ROPE_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

#define TN_ROPE_MAX_POINTS 16

/// Where the rope is made fast, or a sheave that it goes over.
typedef struct tn_rope_point {
    tn_body_id body;  ///< null: the world. A body may have several points
    tn_vec3 position; ///< m, in the body's frame; of the world: in world coordinates
    float friction;   ///< mu, >= 0, between rope and sheave. Default 0. Not of the ends
    uint32_t turns;   ///< whole turns about the sheave beside the bend one sees. Default 0
} tn_rope_point;

typedef struct tn_rope_joint_def {
    /// Its bodies and frames are not looked at. A hertz above 0 makes the rope a spring of that
    /// frequency. break_force is of the tension in any piece. Default is_collision_allowed: true.
    tn_joint_def base;
    tn_rope_point points[TN_ROPE_MAX_POINTS]; ///< in the order of the rope
    uint32_t point_count;                     ///< 2 to TN_ROPE_MAX_POINTS
    double length;         ///< m, > 0; 0 (default): as long as its pieces are when it is made
    bool is_rigid;         ///< true: C = 0, it pushes too. Default false. Then without friction
    float axial_stiffness; ///< N, >= 0: E A, force by strain. 0 (default): it does not stretch
    float axial_damping;   ///< N·s, >= 0: force by rate of strain, where it stretches
    float payout_speed;    ///< m/s at the last point: length grows; < 0: it is hauled in. Default 0
    float max_tension;     ///< N, >= 0, that the last point holds: more draws rope out. Default
                           ///< INFINITY
} tn_rope_joint_def;

TN_API tn_rope_joint_def tn_rope_joint_def_default(void);
/// Errors: see tn_distance_joint_create; INVALID_ARGUMENT also for a number of points, a length or
/// a friction out of range, for what is_rigid cannot have and for a point of a particle beside its
/// centre; SAME_BODY where all points are of one body.
TN_API tn_joint_id tn_rope_joint_create(tn_world *world, const tn_rope_joint_def *def);
/// As it is now: with the length that it has.
TN_API tn_rope_joint_def tn_rope_joint_get_def(const tn_world *world, tn_joint_id joint);

/// m, > 0: all at once; the rope of each piece changes in proportion. Wakes the bodies.
/// Errors: INVALID_ID, WRONG_TYPE, NOT_FINITE, INVALID_ARGUMENT (call ignored); so of all below.
TN_API tn_result tn_rope_joint_set_length(tn_world *world, tn_joint_id joint, double length);
/// m/s and N at the last point: the speed of a winch, and what its brake holds. Wakes the bodies.
TN_API tn_result tn_rope_joint_set_payout(tn_world *world, tn_joint_id joint, float payout_speed,
                                          float max_tension);
/// mu and whole turns at one sheave, 1 to point_count - 2. Wakes the bodies.
TN_API tn_result tn_rope_joint_set_friction(tn_world *world, tn_joint_id joint, uint32_t sheave,
                                            float friction, uint32_t turns);
/// N and N·s. Wakes the bodies.
TN_API tn_result tn_rope_joint_set_elasticity(tn_world *world, tn_joint_id joint,
                                              float axial_stiffness, float axial_damping);

/// m: of the rope itself, unstretched; and of all its pieces from point to point now.
TN_API double tn_rope_joint_get_length(const tn_world *world, tn_joint_id joint);
TN_API double tn_rope_joint_get_extent(const tn_world *world, tn_joint_id joint);
/// N: mean over the last step of a piece, 0 to point_count - 2; positive pulls. 0 where the rope is
/// slack, and beyond the last piece.
TN_API float tn_rope_joint_get_tension(const tn_world *world, tn_joint_id joint, uint32_t piece);
/// m: of a piece now, from point to point; 0 beyond the last one.
TN_API double tn_rope_joint_get_piece(const tn_world *world, tn_joint_id joint, uint32_t piece);
/// rad: how far the rope goes around a sheave now, with its turns; 0 for what is none.
TN_API double tn_rope_joint_get_wrap(const tn_world *world, tn_joint_id joint, uint32_t sheave);
/// m of rope before a sheave, from the first point on: what passed over it is what this lost. As
/// the last step left it. 0 for what is no sheave.
TN_API double tn_rope_joint_get_passed(const tn_world *world, tn_joint_id joint, uint32_t sheave);
/// Is no piece under tension after the last step?
TN_API bool tn_rope_joint_is_slack(const tn_world *world, tn_joint_id joint);
/// Does the rope slip over a sheave with friction; or for the last point, from the winch?
TN_API bool tn_rope_joint_is_slipping(const tn_world *world, tn_joint_id joint, uint32_t point);

TN_EXTERN_C_END

#endif
