/// tenon/fixed_joint.h: keeps two frames together: a weld, rigid or springy.
#ifndef TENON_FIXED_JOINT_H
#define TENON_FIXED_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_fixed_joint_def {
    tn_joint_def base;
    tn_spring linear_spring;  ///< off (default): rigid. `rest` is not used
    tn_spring angular_spring; ///< off (default): rigid. `rest` is not used
} tn_fixed_joint_def;

TN_API tn_fixed_joint_def tn_fixed_joint_def_default(void);
/// Makes the joint. Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_fixed_joint_create(tn_world *world, const tn_fixed_joint_def *def);
TN_API tn_fixed_joint_def tn_fixed_joint_get_def(const tn_world *world, tn_joint_id joint);
TN_API tn_result tn_fixed_joint_set_springs(tn_world *world, tn_joint_id joint, tn_spring linear,
                                            tn_spring angular);

TN_EXTERN_C_END

#endif
