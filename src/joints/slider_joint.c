// joints/slider_joint.c: lets b slide along the x axis of frame a without turning.
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

static TNI_NO_INLINE void slider_emit_bounded(const tni_joint *joint, const tni_frames *frames,
                                              const tni_rows *out) {
    tni_scalar_actors actors = slider_get_actors(&joint->def.slider);
    tni_scalar scalar = tni_along_make_moving(&frames->point, frames->a.x, out);
    tni_scalar_emit(&scalar, &actors, out->bounded);
}

static void slider_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_rows *out) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    const tni_dvec3 across[2] = {frames.a.y, frames.a.z};
    tni_rows_add_along(out, &frames.point, across, 2);
    tni_rows_add_angle(out, &frames.a, tni_angle_measure_relative(joint, a, b));
    if (out->bounded != NULL) {
        slider_emit_bounded(joint, &frames, out);
    }
}

static tn_joint_error slider_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                           const tni_body_motion *b) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    // Along the free axis only the distance past a limit counts.
    tni_dvec3 linear = tni_error_past(&frames.point, frames.a.x, &joint->def.slider.limit);
    tni_dvec3 turn = tni_angle_get_rotation_vector(tni_angle_measure_relative(joint, a, b));
    return tni_error_make(&frames.a, linear, tni_axes_turn(&frames.a, turn));
}

static tni_joint_value slider_measure_value(const tni_joint *joint, uint32_t index,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_point point = tni_point_measure(joint, a, b);
    return tni_along_measure(&point, tni_axes_of_frame(&joint->frame_a, a).x, a, b);
}

const tni_joint_kind tni_slider_joint_kind = {.count_rows = slider_count_rows,
                                              .emit = slider_emit,
                                              .measure_error = slider_measure_error,
                                              .measure_value = slider_measure_value};
