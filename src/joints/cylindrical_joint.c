// joints/cylindrical_joint.c: b slides along the x axis of frame a and turns about it.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a (they turn with a);
// x_b axis of frame b; r_a, r_b from the centres of mass to the anchors; all in world axes.
//
// Equality rows (4):  C = n . d for n = y_a, z_a      as in a slider; see parts/point.c
//                     C = (y_a . x_b, z_a . x_b)      as in a hinge; see parts/axis.c
// Values:             x = x_a . d                     the row of a point along n = x_a
//                     angle about x                   its twist; see parts/axis.c
// Limits, motors, springs and friction act on each value. Signs: positive moves b along +x of frame
// a, and turns it about +x by the right-hand rule.
// Source: as in the parts; the pair after F. Reuleaux, "Theoretische Kinematik", 1875.
// Test: tests/joints/test_rows.c, tests/joints/test_cylindrical_joint.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"

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

static void cylindrical_emit_bounded(const tni_joint *joint, const tni_frames *frames,
                                     const tni_body_motion *b, const tni_rows *out) {
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    const tn_axis *axes[TNI_JOINT_MAX_VALUES];
    uint32_t values = cylindrical_get_axes(joint, axes);
    const tni_scalar scalars[CYLINDRICAL_VALUES] = {
        tni_along_make_moving(&frames->point, frames->a.x, out),
        tni_twist_make_scalar(joint, &axes[1]->limit, &frames->a, &frame_b)};
    tni_scalar_emit_axes(scalars, axes, values, out->bounded);
}

static void cylindrical_emit(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, tni_rows *out) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    const tni_dvec3 across[2] = {frames.a.y, frames.a.z};
    tni_rows_add_along(out, &frames.point, across, 2);
    tni_rows_add_axis(out, &frames.a, frames.x_b);
    if (out->bounded != NULL) {
        cylindrical_emit_bounded(joint, &frames, b, out);
    }
}

static tn_joint_error cylindrical_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                                const tni_body_motion *b) {
    const tn_cylindrical_joint_def *def = &joint->def.cylindrical;
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_dvec3 linear = tni_error_past(&frames.point, frames.a.x, &def->slide.limit);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_dvec3 angular = tni_error_of_axes(joint, &def->turn.limit, &frames.a, &frame_b);
    return tni_error_make(&frames.a, linear, angular);
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

static const tni_joint_counter cylindrical_counter = {.measure_turning = tni_twist_measure_turning,
                                                      .get_wound = cylindrical_get_wound};

const tni_joint_kind tni_cylindrical_joint_kind = {.count_rows = cylindrical_count_rows,
                                                   .emit = cylindrical_emit,
                                                   .measure_error = cylindrical_measure_error,
                                                   .measure_value = cylindrical_measure_value,
                                                   .get_axes = cylindrical_get_axes,
                                                   .counter = &cylindrical_counter};
