// joints/parts/error.h: a joint's error from its parts in world axes.
#ifndef TNI_JOINTS_PARTS_ERROR_H
#define TNI_JOINTS_PARTS_ERROR_H

#include "joints/parts/axis.h"
#include "joints/parts/limit.h"
#include "joints/parts/point.h"
#include "joints/parts/twist.h"

static inline tn_vec3 tni_error_to_frame(const tni_axes *frame, tni_dvec3 v) {
    tn_vec3 in_frame = {dvec3_dot(frame->x, v), dvec3_dot(frame->y, v), dvec3_dot(frame->z, v)};
    return in_frame;
}

// Makes the error per axis of the frame, from `linear` and `angular` in world axes.
static inline tn_joint_error tni_error_make(const tni_axes *frame, tni_dvec3 linear,
                                            tni_dvec3 angular) {
    tn_joint_error error = {.linear = tni_error_to_frame(frame, linear),
                            .angular = tni_error_to_frame(frame, angular),
                            .linear_length = dvec3_length(linear),
                            .angular_length = dvec3_length(angular)};
    return error;
}

// Returns the angular error of two frames whose x axes should agree: the swing, and the turn about
// them past a limit.
static inline tni_dvec3 tni_error_of_axes(const tni_joint *joint, const tn_limit *limit,
                                          const tni_axes *frame_a, const tni_axes *frame_b) {
    tni_scalar scalar = tni_twist_make_scalar(joint, limit, frame_a, frame_b);
    tni_swing swing = tni_axis_measure_swing(frame_a, frame_b->x);
    return dvec3_add_scaled(dvec3_scale(swing.axis, swing.angle),
                            tni_limit_get_excess(&scalar, limit), frame_a->x);
}

// Returns how far a translation along n is past a limit.
static inline double tni_error_along(const tni_point *point, tni_dvec3 n, const tn_limit *limit) {
    tni_scalar scalar = {.value = dvec3_dot(n, point->d)};
    return tni_limit_get_excess(&scalar, limit);
}

// Returns how far two points, of which one slides along n, are apart across n and past a limit.
static inline tni_dvec3 tni_error_past(const tni_point *point, tni_dvec3 n, const tn_limit *limit) {
    double excess = tni_error_along(point, n, limit);
    return dvec3_add_scaled(point->d, excess - dvec3_dot(n, point->d), n);
}

#endif
