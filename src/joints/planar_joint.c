// joints/planar_joint.c: b's anchor stays in the plane across the x axis of frame a, and b turns
// about x alone.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a (they turn with a);
// x_b axis of frame b; r_a, r_b from the centres of mass to the anchors; all in world axes.
//
// Equality rows (3):  C = x_a . d                     see parts/point.c
//                     C = (y_a . x_b, z_a . x_b)      as of a hinge; see parts/axis.c
// Values:             y_a . d,  z_a . d               rows of a point along n = y_a, z_a
//                     angle about x                   its twist; see parts/axis.c
// Limits, motors, springs and friction act on each value. Signs: positive moves b along +y and +z
// of frame a, and turns it about +x by the right-hand rule. Source: as in the parts; the pair after
// F. Reuleaux, "Theoretische Kinematik", 1875. Test: tests/joints/test_rows.c,
// tests/joints/test_planar_joint.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"

#define PLANAR_VALUES 3

static uint32_t planar_get_axes(const tni_joint *joint, const tn_axis *axes[TNI_JOINT_MAX_VALUES]) {
    axes[0] = &joint->def.planar.y;
    axes[1] = &joint->def.planar.z;
    axes[2] = &joint->def.planar.turn;
    return PLANAR_VALUES;
}

static tni_row_count planar_count_rows(const tni_joint *joint) {
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = planar_get_axes(joint, axes);
    tni_row_count count = {3 + tni_scalar_count_axes(axes, values), 3, 1, 1};
    return count;
}

static void planar_emit_bounded(const tni_joint *joint, const tni_point *point,
                                const tni_turned_frame *turned_a, const tni_turned_frame *turned_b,
                                tni_f4 drift, tni_row *rows) {
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = planar_get_axes(joint, axes);
    tni_axes frame_a = tni_turned_axes(turned_a), frame_b = tni_turned_axes(turned_b);
    tni_scalar scalars[PLANAR_VALUES] = {
        tni_along_make_scalar(point, frame_a.y), tni_along_make_scalar(point, frame_a.z),
        tni_twist_make_scalar(joint, &axes[2]->limit, &frame_a, &frame_b)};
    scalars[0].acceleration = (double)f4_dot3(tni_pin_vector(frame_a.y), drift);
    scalars[1].acceleration = (double)f4_dot3(tni_pin_vector(frame_a.z), drift);
    tni_scalar_emit_axes(scalars, axes, values, rows);
}

static void planar_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_pin *pin, tni_row *rows) {
    tni_turned_frame frame_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame frame_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    tni_point point = tni_point_of_frames(&frame_a, &frame_b, a, b);
    tni_f4 drift = tni_point_get_drift(&point, a, b);
    if (pin != NULL) {
        tni_point_emit_plane(&point, tni_turned_axes(&frame_a).x, drift, pin);
        tni_axis_emit(&frame_a, &frame_b, tni_pin_vector(a->angular_velocity),
                      tni_pin_vector(b->angular_velocity), pin);
    }
    if (rows != NULL) {
        planar_emit_bounded(joint, &point, &frame_a, &frame_b, drift, rows);
    }
}

static void planar_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, tni_exact_row *rows) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_exact_emit_along(&frames.point, frames.a.x, &rows[0]);
    tni_exact_emit_axis(&frames.a, frames.x_b, rows + 1);
}

static void planar_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double *errors) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    errors[0] = dvec3_dot(frames.a.x, frames.point.d);
    tni_exact_measure_axis(&frames.a, frames.x_b, errors + 1);
}

static void planar_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, const double *x,
                                 tni_curvature *curvature) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_curvature_add_along(&frames.point, frames.a.x, x[0], curvature);
    tni_curvature_add_axis(&frames.a, frames.x_b, x + 1, curvature);
}

static void planar_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double *terms) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    terms[0] = tni_exact_measure_along_term(&frames.point, frames.a.x, a, b);
    tni_exact_measure_axis_terms(&frames.a, frames.x_b, a, b, terms + 1);
}

static tn_joint_error planar_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                           const tni_body_motion *b) {
    const tn_planar_joint_def *def = &joint->def.planar;
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    tni_dvec3 linear = dvec3_scale(frame_a.x, dvec3_dot(frame_a.x, point.d));
    double past_y = tni_error_along(&point, frame_a.y, &def->y.limit);
    double past_z = tni_error_along(&point, frame_a.z, &def->z.limit);
    linear = dvec3_add_scaled(linear, past_y, frame_a.y);
    linear = dvec3_add_scaled(linear, past_z, frame_a.z);
    tni_dvec3 angular = tni_error_of_axes(joint, &def->turn.limit, &frame_a, &frame_b);
    return tni_error_make(&frame_a, linear, angular);
}

static tni_joint_value planar_measure_value(const tni_joint *joint, uint32_t index,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    if (index == 2) {
        return tni_twist_measure_value(joint, &joint->def.planar.turn.limit, a, b);
    }
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_along_measure(&point, index == 0 ? frame_a.y : frame_a.z, a, b);
}

static const tn_limit *planar_get_wound(const tni_joint *joint, uint32_t index) {
    return index > 0 ? NULL : tni_twist_get_wound(&joint->def.planar.turn.limit);
}

const tni_joint_kind tni_planar_joint_kind = {.count_rows = planar_count_rows,
                                              .emit = planar_emit,
                                              .emit_exact = planar_emit_exact,
                                              .measure_exact = planar_measure_exact,
                                              .add_curvature = planar_add_curvature,
                                              .measure_terms = planar_measure_terms,
                                              .measure_error = planar_measure_error,
                                              .measure_value = planar_measure_value,
                                              .get_axes = planar_get_axes,
                                              .measure_turning = tni_twist_measure_turning,
                                              .get_wound = planar_get_wound};
