// joints/cylindrical_joint.c: b slides along the x axis of frame a and turns about it.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a (they turn with a);
// x_b axis of frame b; r_a, r_b from the centres of mass to the anchors; all in world axes.
//
// Equality rows (4):  C = n . d for n = y_a, z_a      as of a slider; see parts/point.c
//                     C = (y_a . x_b, z_a . x_b)      as of a hinge; see parts/axis.c
// Values:             x = x_a . d                     the row of a point along n = x_a
//                     angle about x                   its twist; see parts/axis.c
// Limits, motors, springs and friction act on each value. Signs: positive moves b along +x of frame
// a, and turns it about +x by the right-hand rule.
// Source: as in the parts; the pair after F. Reuleaux, "Theoretische Kinematik", 1875.
// Test: tests/joints/test_rows.c, tests/joints/test_cylindrical_joint.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"

#define CYLINDRICAL_VALUES 2

static uint32_t cylindrical_get_axes(const tni_joint *joint,
                                     const tn_axis *axes[TNI_JOINT_MAX_VALUES]) {
    axes[0] = &joint->def.cylindrical.slide;
    axes[1] = &joint->def.cylindrical.turn;
    return CYLINDRICAL_VALUES;
}

static tni_row_count cylindrical_count_rows(const tni_joint *joint) {
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = cylindrical_get_axes(joint, axes);
    tni_row_count count = {4 + tni_scalar_count_axes(axes, values), 4, TNI_PIN_SLIDE_ROWS, 2};
    return count;
}

static void cylindrical_emit_bounded(const tni_joint *joint, const tni_point *point,
                                     const tni_turned_frame *turned_a,
                                     const tni_turned_frame *turned_b, tni_f4 drift,
                                     tni_row *rows) {
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = cylindrical_get_axes(joint, axes);
    tni_axes frame_a = tni_turned_axes(turned_a), frame_b = tni_turned_axes(turned_b);
    tni_scalar scalars[CYLINDRICAL_VALUES] = {
        tni_along_make_scalar(point, frame_a.x),
        tni_twist_make_scalar(joint, &axes[1]->limit, &frame_a, &frame_b)};
    scalars[0].acceleration = (double)f4_dot3(tni_pin_vector(frame_a.x), drift);
    tni_scalar_emit_axes(scalars, axes, values, rows);
}

static void cylindrical_emit(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, tni_pin *pin, tni_row *rows) {
    tni_turned_frame frame_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame frame_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    tni_point point = tni_point_of_frames(&frame_a, &frame_b, a, b);
    tni_f4 drift = tni_point_get_drift(&point, a, b);
    if (pin != NULL) {
        tni_axes axes = tni_turned_axes(&frame_a);
        tni_point_emit_slide(&point, axes.y, axes.z, drift, pin);
        tni_axis_emit(&frame_a, &frame_b, tni_pin_vector(a->angular_velocity),
                      tni_pin_vector(b->angular_velocity), pin);
    }
    if (rows != NULL) {
        cylindrical_emit_bounded(joint, &point, &frame_a, &frame_b, drift, rows);
    }
}

static void cylindrical_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                                   const tni_body_motion *b, tni_exact_row *rows) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_exact_emit_along(&frames.point, frames.a.y, &rows[0]);
    tni_exact_emit_along(&frames.point, frames.a.z, &rows[1]);
    tni_exact_emit_axis(&frames.a, frames.x_b, rows + 2);
}

static void cylindrical_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, double *errors) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    errors[0] = dvec3_dot(frames.a.y, frames.point.d);
    errors[1] = dvec3_dot(frames.a.z, frames.point.d);
    tni_exact_measure_axis(&frames.a, frames.x_b, errors + 2);
}

static void cylindrical_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, const double *x,
                                      tni_curvature *curvature) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_curvature_add_along(&frames.point, frames.a.y, x[0], curvature);
    tni_curvature_add_along(&frames.point, frames.a.z, x[1], curvature);
    tni_curvature_add_axis(&frames.a, frames.x_b, x + 2, curvature);
}

static void cylindrical_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b, double *terms) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_exact_measure_slide_terms(&frames.point, &frames.a, a, b, terms);
    tni_exact_measure_axis_terms(&frames.a, frames.x_b, a, b, terms + 2);
}

static tn_joint_error cylindrical_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                                const tni_body_motion *b) {
    const tn_cylindrical_joint_def *def = &joint->def.cylindrical;
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    double excess = tni_error_along(&point, frame_a.x, &def->slide.limit);
    tni_dvec3 linear = dvec3_add_scaled(point.d, excess - dvec3_dot(frame_a.x, point.d), frame_a.x);
    tni_dvec3 angular = tni_error_of_axes(joint, &def->turn.limit, &frame_a, &frame_b);
    return tni_error_make(&frame_a, linear, angular);
}

static tni_joint_value cylindrical_measure_value(const tni_joint *joint, uint32_t index,
                                                 const tni_body_motion *a,
                                                 const tni_body_motion *b) {
    if (index == 1) {
        return tni_twist_measure_value(joint, &joint->def.cylindrical.turn.limit, a, b);
    }
    tni_point point = tni_point_measure(joint, a, b);
    return tni_along_measure(&point, tni_axes_of_frame(&joint->frame_a, a).x, a, b);
}

static const tn_limit *cylindrical_get_wound(const tni_joint *joint, uint32_t index) {
    return index > 0 ? NULL : tni_twist_get_wound(&joint->def.cylindrical.turn.limit);
}

const tni_joint_kind tni_cylindrical_joint_kind = {.count_rows = cylindrical_count_rows,
                                                   .emit = cylindrical_emit,
                                                   .emit_exact = cylindrical_emit_exact,
                                                   .measure_exact = cylindrical_measure_exact,
                                                   .add_curvature = cylindrical_add_curvature,
                                                   .measure_terms = cylindrical_measure_terms,
                                                   .measure_error = cylindrical_measure_error,
                                                   .measure_value = cylindrical_measure_value,
                                                   .get_axes = cylindrical_get_axes,
                                                   .measure_turning = tni_twist_measure_turning,
                                                   .get_wound = cylindrical_get_wound};
