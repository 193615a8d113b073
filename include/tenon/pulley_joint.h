/// tenon/pulley_joint.h: hangs a body from each end of a rope over two wheels that are fixed in the
/// world: a hoist, a counterweight, a block and tackle.
///
/// C = |p_a - ground_a| + ratio |p_b - ground_b| - length, where p are the origins of the frames.
/// The wheels have no mass. With a ratio of n the rope runs n times between body b and its wheel: b
/// moves an n-th as far as a, and is pulled n times as hard.
#ifndef TENON_PULLEY_JOINT_H
#define TENON_PULLEY_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_pulley_joint_def {
    tn_joint_def base;          ///< frames: origin where the rope is fastened
    tn_vec3 ground_a, ground_b; ///< m, world: where each side leaves its wheel
    double ratio;               ///< > 0. Default 1
    double length;              ///< m, > 0: side a plus `ratio` times side b. Default 1
    bool is_rigid; ///< true (default): C = 0; false: C <= 0, as for a rope that may go slack
    tn_limit limit_a, limit_b; ///< the least and greatest length of each side, m, lower >= 0
} tn_pulley_joint_def;

TN_API tn_pulley_joint_def tn_pulley_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_pulley_joint_create(tn_world *world, const tn_pulley_joint_def *def);
TN_API tn_pulley_joint_def tn_pulley_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Sets the length. Wakes both bodies, as do all below. Errors: INVALID_ARGUMENT, NOT_FINITE.
TN_API tn_result tn_pulley_joint_set_length(tn_world *world, tn_joint_id joint, double length);
/// Sets the ratio, and changes the length so that C stays as it is and nothing is pulled.
TN_API tn_result tn_pulley_joint_set_ratio(tn_world *world, tn_joint_id joint, double ratio);
TN_API tn_result tn_pulley_joint_set_rigid(tn_world *world, tn_joint_id joint, bool is_rigid);
TN_API tn_result tn_pulley_joint_set_grounds(tn_world *world, tn_joint_id joint, tn_vec3 ground_a,
                                             tn_vec3 ground_b);
TN_API tn_result tn_pulley_joint_set_limits(tn_world *world, tn_joint_id joint, tn_limit limit_a,
                                            tn_limit limit_b);
/// Return the two sides now, side a plus `ratio` times side b (m), and the rate of that (m/s).
TN_API double tn_pulley_joint_get_length_a(const tn_world *world, tn_joint_id joint);
TN_API double tn_pulley_joint_get_length_b(const tn_world *world, tn_joint_id joint);
TN_API double tn_pulley_joint_get_length(const tn_world *world, tn_joint_id joint);
TN_API double tn_pulley_joint_get_rate(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
