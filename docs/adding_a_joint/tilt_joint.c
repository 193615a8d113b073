// joints/tilt_joint.c: the x axes of two frames stay at an angle.
//
// Symbols: x_a, x_b the x axes of frames a and b, in world axes; w_a, w_b the angular velocities;
// alpha the angle.
//
// Equality row (1):  C   = x_a . x_b - cos(alpha)
//                    C'  = (x_a x x_b) . (w_a - w_b)
// so J = [0, x_a x x_b, 0, x_b x x_a]. At an angle of 0 or pi the row is zero and holds nothing.
// Source: the row of two axes that stay across in parts/axis.c, less a constant.
#include "joints/kind.h"
#include "joints/parts/error.h"

typedef struct tilt_axes {
    tni_axes a;
    tni_dvec3 x_b;
} tilt_axes;

static tilt_axes tilt_measure(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b) {
    tilt_axes axes = {tni_axes_of_frame(&joint->frame_a, a),
                      tni_axes_of_frame(&joint->frame_b, b).x};
    return axes;
}

static tni_row_count tilt_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count count = {.rows = 1, .equalities = 1};
    return count;
}

// The row of two axes that stay across, whose error is another one.
static void tilt_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_rows *out) {
    tilt_axes axes = tilt_measure(joint, a, b);
    tni_rows_add_across(out, axes.a.x, axes.x_b);
    tni_rows_set_error(out, 0, dvec3_dot(axes.a.x, axes.x_b) - cos(joint->def.tilt.angle));
}

static tn_joint_error tilt_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    tilt_axes axes = tilt_measure(joint, a, b);
    tni_swing swing = tni_axis_measure_swing(&axes.a, axes.x_b);
    tni_dvec3 turn = dvec3_scale(swing.axis, swing.angle - joint->def.tilt.angle);
    return tni_error_make(&axes.a, dvec3_make(0.0, 0.0, 0.0), turn);
}

// The angle between the axes.
static tni_joint_value tilt_measure_value(const tni_joint *joint, uint32_t index,
                                          const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tilt_axes axes = tilt_measure(joint, a, b);
    tni_swing swing = tni_axis_measure_swing(&axes.a, axes.x_b);
    tni_dvec3 relative = dvec3_sub(b->angular_velocity, a->angular_velocity);
    tni_joint_value value = {swing.angle, dvec3_dot(swing.axis, relative)};
    return value;
}

const tni_joint_kind tni_tilt_joint_kind = {.count_rows = tilt_count_rows,
                                            .emit = tilt_emit,
                                            .measure_error = tilt_measure_error,
                                            .measure_value = tilt_measure_value};
