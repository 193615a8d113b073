// joints/hinge_joint.c: two points coincide and two axes agree; one turn is free.
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
#include "joints/parts/exact.h"
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

static tni_dvec3 hinge_turn_axis(const tni_body_motion *body, const tni_frame_vectors *vectors) {
    tni_turn turn = tni_turn_make(body->rotation);
    tni_pair origin_x = turn_pair(&turn, vectors->origin_x);
    return pair_second(&origin_x);
}

// What acts without looking at the angle.
static void hinge_emit_about_axis(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b, const tni_scalar_actors *actors,
                                  tni_row *rows) {
    tni_dvec3 x_a = hinge_turn_axis(a, &joint->vectors_a);
    tni_dvec3 x_b = hinge_turn_axis(b, &joint->vectors_b);
    tni_scalar scalar = tni_scalar_of_angle(tni_axis_get_twist_direction(x_a, x_b), 0.0);
    tni_scalar_emit(&scalar, actors, rows);
}

static void hinge_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_pin *pin, tni_row *rows) {
    tni_scalar_actors actors = hinge_get_actors(&joint->def.hinge);
    if (pin == NULL && !tni_scalar_needs_value(&actors)) {
        hinge_emit_about_axis(joint, a, b, &actors, rows);
        return;
    }
    tni_turned_frame frame_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame frame_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    if (pin != NULL) {
        tni_point point = tni_point_of_frames(&frame_a, &frame_b, a, b);
        tni_f4 w_a = tni_pin_vector(a->angular_velocity);
        tni_f4 w_b = tni_pin_vector(b->angular_velocity);
        tni_point_emit(&point, w_a, w_b, pin);
        tni_axis_emit(&frame_a, &frame_b, w_a, w_b, pin);
    }
    if (rows != NULL && tni_scalar_count_rows(&actors) > 0) {
        tni_axes axes_a = tni_turned_axes(&frame_a), axes_b = tni_turned_axes(&frame_b);
        tni_scalar scalar =
            tni_scalar_needs_value(&actors)
                ? tni_twist_make_scalar(joint, actors.limit, &axes_a, &axes_b)
                : tni_scalar_of_angle(tni_axis_get_twist_direction(axes_a.x, axes_b.x), 0.0);
        tni_scalar_emit(&scalar, &actors, rows);
    }
}

static void hinge_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, tni_exact_row *rows) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_exact_emit_point(&frames.point, rows);
    tni_exact_emit_axis(&frames.a, frames.x_b, rows + 3);
}

static void hinge_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, double *errors) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_exact_measure_point(&frames.point, errors);
    tni_exact_measure_axis(&frames.a, frames.x_b, errors + 3);
}

static void hinge_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, const double *x,
                                tni_curvature *curvature) {
    tni_exact_frames frames = tni_exact_measure_frames(joint, a, b);
    tni_curvature_add_point(&frames.point, x, curvature);
    tni_curvature_add_axis(&frames.a, frames.x_b, x + 3, curvature);
}

static void hinge_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, double *terms) {
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_dvec3 x_b = tni_axes_of_frame(&joint->frame_b, b).x;
    tni_exact_measure_point_terms(&point, a, b, terms);
    tni_exact_measure_axis_terms(&frame_a, x_b, a, b, terms + 3);
}

static tn_joint_error hinge_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    tni_dvec3 angular = tni_error_of_axes(joint, &joint->def.hinge.limit, &frame_a, &frame_b);
    return tni_error_make(&frame_a, tni_point_measure(joint, a, b).d, angular);
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

const tni_joint_kind tni_hinge_joint_kind = {.count_rows = hinge_count_rows,
                                             .emit = hinge_emit,
                                             .emit_exact = hinge_emit_exact,
                                             .measure_exact = hinge_measure_exact,
                                             .add_curvature = hinge_add_curvature,
                                             .measure_terms = hinge_measure_terms,
                                             .measure_error = hinge_measure_error,
                                             .measure_value = hinge_measure_value,
                                             .measure_turning = tni_twist_measure_turning,
                                             .get_wound = hinge_get_wound,
                                             .get_ranges = hinge_get_ranges};
