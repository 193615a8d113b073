// joints/hinge_joint.c: keeps two points together and two axes parallel; one turn is free.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a; x_b axis of frame b;
// D = w_b - w_a; q the rotation of frame b in frame a; all in world axes.
//
// Equality rows (5):  C = d                     along the axes of the world; see parts/point.c
//                     C = (y_a . x_b, z_a . x_b)  with C' = (x_b x y_a, x_b x z_a) . D;
//                     see parts/axis.c
// Value:              angle = 2 atan2(q_x, q_w) in (-pi, pi], or wound (parts/twist.h),
//                     angle' = t . D,
//                     t = (x_a + x_b) / (1 + x_a . x_b), which is x_a where the axes agree
//                     ang_a = -t   ang_b = t
// Limits, motor, spring and friction act on the angle. Signs: positive turns b about +x of frame a
// by the right-hand rule. 1/m = J W J^T = t . (I_a^-1 + I_b^-1) t.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_hinge_joint.c
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/parts/limit.h"
#include "joints/parts/point.h"

static tni_scalar_actors hinge_get_actors(const tn_hinge_joint_def *def) {
    tni_scalar_actors actors = {&def->spring, &def->motor, &def->limit, def->friction,
                                def->viscous_friction};
    return actors;
}

static tni_row_count hinge_count_rows(const tni_joint *joint) {
    tni_scalar_actors actors = hinge_get_actors(&joint->def.hinge);
    tni_row_count count = {5 + tni_scalar_count_rows(&actors), 5, TNI_PIN_POINT_ROWS, 3};
    return count;
}

static TNI_NO_INLINE void hinge_emit_bounded(const tni_joint *joint, const tni_frames *frames,
                                             const tni_body_motion *b, tni_row *rows) {
    tni_scalar_actors actors = hinge_get_actors(&joint->def.hinge);
    tni_scalar scalar;
    if (tni_scalar_needs_value(&actors)) {
        tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
        scalar = tni_twist_make_scalar(joint, actors.limit, &frames->a, &frame_b);
    } else {
        tni_dvec3 direction = tni_axis_get_twist_direction(frames->a.x, frames->x_b);
        scalar = tni_scalar_of_angle(direction, 0.0);
    }
    tni_scalar_emit(&scalar, &actors, rows);
}

static void hinge_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_rows *out) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_rows_add_point(out, &frames.point);
    tni_rows_add_axis(out, &frames.a, frames.x_b);
    if (out->bounded != NULL) {
        hinge_emit_bounded(joint, &frames, b, out->bounded);
    }
}

static tn_joint_error hinge_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    tni_dvec3 angular = tni_error_of_axes(joint, &joint->def.hinge.limit, &frames.a, &frame_b);
    return tni_error_make(&frames.a, frames.point.d, angular);
}

static tni_joint_value hinge_measure_value(const tni_joint *joint, uint32_t index,
                                           const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    return tni_twist_measure_value(joint, &joint->def.hinge.limit, a, b);
}

static const tn_limit *hinge_get_wound(const tni_joint *joint, uint32_t index) {
    return index > 0 ? NULL : tni_twist_get_wound(&joint->def.hinge.limit);
}

static bool hinge_get_ranges(const tni_joint *joint, tni_joint_ranges *out_ranges) {
    tni_scalar_actors actors = hinge_get_actors(&joint->def.hinge);
    out_ranges->twist = tni_limit_or_null(actors.limit);
    return tni_limit_is_hard(actors.limit) && !tni_joint_has_memory(joint) &&
           tni_scalar_count_rows(&actors) == tni_limit_count_rows(actors.limit);
}

static const tni_joint_counter hinge_counter = {.measure_turning = tni_twist_measure_turning,
                                                .get_wound = hinge_get_wound};

const tni_joint_kind tni_hinge_joint_kind = {.count_rows = hinge_count_rows,
                                             .emit = hinge_emit,
                                             .measure_error = hinge_measure_error,
                                             .measure_value = hinge_measure_value,
                                             .get_ranges = hinge_get_ranges,
                                             .counter = &hinge_counter};
