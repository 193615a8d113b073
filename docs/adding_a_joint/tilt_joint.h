/// tenon/tilt_joint.h: keeps the x axes of two frames at an angle.
#ifndef TENON_TILT_JOINT_H
#define TENON_TILT_JOINT_H

#include "tenon/joint.h"

TN_EXTERN_C_BEGIN

typedef struct tn_tilt_joint_def {
    tn_joint_def base;
    double angle; ///< rad: between the x axes, above 0 and below pi. Default pi / 2
} tn_tilt_joint_def;

TN_API tn_tilt_joint_def tn_tilt_joint_def_default(void);
/// Errors: see tn_distance_joint_create.
TN_API tn_joint_id tn_tilt_joint_create(tn_world *world, const tn_tilt_joint_def *def);
TN_API tn_tilt_joint_def tn_tilt_joint_get_def(const tn_world *world, tn_joint_id joint);
/// The angle between the x axes now, rad.
TN_API double tn_tilt_joint_get_angle(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
