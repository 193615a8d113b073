// joints/parts/error.h: a joint's error from its parts in world axes.
#ifndef TNI_JOINTS_PARTS_ERROR_H
#define TNI_JOINTS_PARTS_ERROR_H

#include "joints/joint.h"
#include "joints/parts/axis.h"

static inline tn_dvec3 tni_error_to_frame(const tni_axes *frame, tni_dvec3 v) {
    tn_dvec3 in_frame = {dvec3_dot(frame->x, v), dvec3_dot(frame->y, v), dvec3_dot(frame->z, v)};
    return in_frame;
}

// `linear` and `angular` in world axes; the result per axis of the frame.
static inline tn_joint_error tni_error_make(const tni_axes *frame, tni_dvec3 linear,
                                            tni_dvec3 angular) {
    tn_joint_error error = {.linear = tni_error_to_frame(frame, linear),
                            .angular = tni_error_to_frame(frame, angular),
                            .linear_length = dvec3_length(linear),
                            .angular_length = dvec3_length(angular)};
    return error;
}

#endif
