// joints/slider_joint.c: b slides along the x axis of frame a and does not turn against it.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a (they turn with a);
// r_a, r_b from the centres of mass to the anchors; q the rotation of frame b in frame a; all in
// world axes.
//
// Equality rows (5):  C = n . d for n = y_a, z_a    with ang_a = -((r_a + d) x n), because the axis
//                     turns with body a and the anchor of b is r_a + d from its centre;
//                     see parts/point.c
//                     C = 2 vector part of q        see parts/angle.c
// Value:              x = x_a . d, with the same row for n = x_a
// Limits, motor, spring and friction act on x. Signs: positive moves b along +x of frame a.
// 1/m = J W J^T = 1/m_a + 1/m_b + ang_a . I_a^-1 ang_a + ang_b . I_b^-1 ang_b.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_slider_joint.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/limit.h"
#include "joints/parts/point.h"

static tni_scalar_actors slider_get_actors(const tn_slider_joint_def *def) {
    tni_scalar_actors actors = {&def->spring, &def->motor, &def->limit, def->friction,
                                def->viscous_friction};
    return actors;
}

static tni_row_count slider_count_rows(const tni_joint *joint) {
    tni_scalar_actors actors = slider_get_actors(&joint->def.slider);
    tni_row_count count = {5 + tni_scalar_count_rows(&actors), 5, TNI_PIN_SLIDE_ROWS, 2};
    return count;
}

static void slider_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_pin *pin, tni_row *rows) {
    tni_turned_frame turned_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame turned_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    tni_point point = tni_point_of_frames(&turned_a, &turned_b, a, b);
    tni_axes frame_a = tni_turned_axes(&turned_a);
    tni_f4 drift = tni_point_get_drift(&point, a, b);
    if (pin != NULL) {
        tni_point_emit_slide(&point, frame_a.y, frame_a.z, drift, pin);
        tni_angle_emit(&frame_a, tni_angle_measure_relative(joint, a, b), a, b, pin);
    }
    tni_scalar_actors actors = slider_get_actors(&joint->def.slider);
    if (rows != NULL && tni_scalar_count_rows(&actors) > 0) {
        tni_scalar scalar = tni_along_make_scalar(&point, frame_a.x);
        scalar.acceleration = (double)f4_dot3(tni_pin_vector(frame_a.x), drift);
        tni_scalar_emit(&scalar, &actors, rows);
    }
}

static void slider_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, tni_exact_row *rows) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_exact_emit_along(&frames.point, frames.a.y, &rows[0]);
    tni_exact_emit_along(&frames.point, frames.a.z, &rows[1]);
    tni_exact_emit_angle(&frames.a, tni_angle_measure_relative(joint, a, b), rows + 2);
}

static void slider_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double *errors) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    errors[0] = dvec3_dot(frames.a.y, frames.point.d);
    errors[1] = dvec3_dot(frames.a.z, frames.point.d);
    tni_exact_measure_angle(tni_angle_measure_relative(joint, a, b), errors + 2);
}

static void slider_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, const double *x,
                                 tni_curvature *curvature) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_curvature_add_along(&frames.point, frames.a.y, x[0], curvature);
    tni_curvature_add_along(&frames.point, frames.a.z, x[1], curvature);
    tni_curvature_add_angle(tni_angle_measure_relative(joint, a, b), x + 2, curvature);
}

static void slider_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double *terms) {
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_dquat q = tni_angle_measure_relative(joint, a, b);
    tni_exact_measure_slide_terms(&point, &frame_a, a, b, terms);
    tni_exact_measure_angle_terms(&frame_a, q, a, b, terms + 2);
}

static tn_joint_error slider_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                           const tni_body_motion *b) {
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    // Of the free axis only what is past a limit counts.
    double excess = tni_error_along(&point, frame_a.x, &joint->def.slider.limit);
    double free = dvec3_dot(frame_a.x, point.d);
    tni_dvec3 linear = dvec3_add_scaled(point.d, excess - free, frame_a.x);
    tni_dvec3 turn = tni_angle_get_rotation_vector(tni_angle_measure_relative(joint, a, b));
    tni_dvec3 angular = dvec3_scale(frame_a.x, turn.x);
    angular = dvec3_add_scaled(angular, turn.y, frame_a.y);
    angular = dvec3_add_scaled(angular, turn.z, frame_a.z);
    return tni_error_make(&frame_a, linear, angular);
}

static tni_joint_value slider_measure_value(const tni_joint *joint, uint32_t index,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_point point = tni_point_measure(joint, a, b);
    return tni_along_measure(&point, tni_axes_of_frame(&joint->frame_a, a).x, a, b);
}

const tni_joint_kind tni_slider_joint_kind = {.count_rows = slider_count_rows,
                                              .emit = slider_emit,
                                              .emit_exact = slider_emit_exact,
                                              .measure_exact = slider_measure_exact,
                                              .add_curvature = slider_add_curvature,
                                              .measure_terms = slider_measure_terms,
                                              .measure_error = slider_measure_error,
                                              .measure_value = slider_measure_value};
