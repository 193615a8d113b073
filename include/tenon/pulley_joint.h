/// tenon/pulley_joint.h: a rope over two wheels that are fixed in the world, with a body at each
/// end: a hoist, a counterweight, a block and tackle.
///
/// C = |p_a - ground_a| + ratio |p_b - ground_b| - length, p the origins of the frames. The wheels
/// themselves have no mass. With a ratio of n the rope runs n times between body b and its wheel: b
/// moves an n-th of what a does, and is pulled n times as hard.
#ifndef TENON_PULLEY_JOINT_H
#define TENON_PULLEY_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_pulley_joint_def {
    tn_joint_def base;          ///< frames: origin where the rope is made fast
    tn_vec3 ground_a, ground_b; ///< m, world: where each side leaves its wheel
    double ratio;               ///< > 0. Default 1
    double length;              ///< m, > 0: of side a and `ratio` times side b. Default 1
    bool is_rigid;              ///< true (default): C = 0; false, a rope: C <= 0, it may go slack
    tn_limit limit_a, limit_b;  ///< least and greatest length of each side, m, lower >= 0
} tn_pulley_joint_def;

TN_API tn_pulley_joint_def tn_pulley_joint_def_default(void);
/// Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_pulley_joint_create(tn_world *world, const tn_pulley_joint_def *def);
TN_API tn_pulley_joint_def tn_pulley_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Errors: INVALID_ARGUMENT, NOT_FINITE (call ignored). Wakes both bodies.
TN_API tn_result tn_pulley_joint_set_length(tn_world *world, tn_joint_id joint, double length);
/// Another ratio from now on; the length changes with it by as much as side b makes of that, so
/// that nothing is pulled.
TN_API tn_result tn_pulley_joint_set_ratio(tn_world *world, tn_joint_id joint, double ratio);
TN_API tn_result tn_pulley_joint_set_rigid(tn_world *world, tn_joint_id joint, bool is_rigid);
TN_API tn_result tn_pulley_joint_set_grounds(tn_world *world, tn_joint_id joint, tn_vec3 ground_a,
                                             tn_vec3 ground_b);
TN_API tn_result tn_pulley_joint_set_limits(tn_world *world, tn_joint_id joint, tn_limit limit_a,
                                            tn_limit limit_b);
/// The sides now, and what C compares with `length`, m; and how fast that grows, m/s.
TN_API double tn_pulley_joint_get_length_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_pulley_joint_get_length_b(const tn_world *world, tn_joint_id joint);
TN_API double tn_pulley_joint_get_length(const tn_world *world, tn_joint_id joint);
TN_API double tn_pulley_joint_get_rate(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
