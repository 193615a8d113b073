// joints/tilt_joint.c: the x axes of two frames stay at an angle.
//
// Symbols: x_a, x_b the x axes of frames a and b, in world axes; w_a, w_b the angular velocities;
// alpha the angle.
//
// Equality row (1):  C   = x_a . x_b - cos(alpha)
//                    C'  = (x_a x x_b) . (w_a - w_b)
// so J = [0, x_a x x_b, 0, x_b x x_a]. At an angle of 0 or pi the row is zero and holds nothing.
// Source: the perpendicular row of parts/exact.c, less a constant.
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/plain_rows.h"

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

// The row in double, for the direct solver.
static void tilt_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_exact_row *rows) {
    tilt_axes axes = tilt_measure(joint, a, b);
    tni_exact_emit_perpendicular(axes.a.x, axes.x_b, &rows[0]);
    rows[0].error -= cos(joint->def.tilt.angle);
}

static void tilt_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, double *errors) {
    tni_exact_row row;
    tilt_emit_exact(joint, a, b, &row);
    errors[0] = row.error;
}

// Jdot v, which is C'' at zero acceleration.
static void tilt_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, double *terms) {
    tilt_axes axes = tilt_measure(joint, a, b);
    terms[0] = tni_exact_measure_perpendicular_term(axes.a.x, axes.x_b, a, b);
}

// The same row in float, for sweeps.
static void tilt_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_pin *pin, tni_row *rows) {
    (void)pin; // it holds no point
    tni_exact_row exact;
    double term;
    tilt_emit_exact(joint, a, b, &exact);
    tilt_measure_terms(joint, a, b, &term);
    tni_plain_row_emit(&exact, term, true, &rows[0]);
}

// How the torque of the row turns with its bodies.
static void tilt_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, const double *x,
                               tni_curvature *curvature) {
    tilt_axes axes = tilt_measure(joint, a, b);
    tni_curvature_add_perpendicular(axes.a.x, axes.x_b, x[0], curvature);
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
                                            .emit_exact = tilt_emit_exact,
                                            .measure_exact = tilt_measure_exact,
                                            .add_curvature = tilt_add_curvature,
                                            .measure_terms = tilt_measure_terms,
                                            .measure_error = tilt_measure_error,
                                            .measure_value = tilt_measure_value};
