// joints/fixed_joint.c: two frames agree: a weld, rigid or springy.
//
// Symbols: d = p_b - p_a from anchor to anchor; q the rotation of frame b in frame a; e_i the axes
// of frame a; D = w_b - w_a; all in world axes.
//
// Equality rows (6):  C = d                    along the axes of the world; see parts/point.c
//                     C = 2 vector part of q   see parts/angle.c
// A spring takes the place of its three rows: they leave the equalities and follow as a group.
//   linear   force = -k d - c d',  the point rows made soft
//   angular  torque = -k phi - c D,  phi the rotation vector of q, rows about e_i
// Rows stand in the order: rigid linear, rigid angular, springy linear, springy angular.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_fixed_joint.c
#include "joints/kind.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/point.h"
#include "joints/parts/spring.h"

static bool fixed_is_soft(const tn_spring *spring) {
    return spring->mode != TN_SPRING_MODE_OFF;
}

static tni_row_count fixed_count_rows(const tni_joint *joint) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    uint32_t lengths = fixed_is_soft(&def->linear_spring) ? 0 : 3;
    uint32_t turns = fixed_is_soft(&def->angular_spring) ? 0 : 3;
    tni_row_count count = {6, lengths + turns, lengths > 0 ? TNI_PIN_POINT_ROWS : 0, lengths};
    return count;
}

static void fixed_emit_soft_angular(const tn_spring *spring, const tni_axes *frame_a, tni_dquat q,
                                    tni_row *rows) {
    tni_angle_emit_turn(frame_a, tni_angle_get_rotation_vector(q), rows);
    tni_spring_soften(spring, rows);
}

static void fixed_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_pin *pin, tni_row *rows) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    bool is_linear_soft = fixed_is_soft(&def->linear_spring);
    bool is_angular_soft = fixed_is_soft(&def->angular_spring);
    tni_turned_frame turned_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame turned_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    tni_point point = tni_point_of_frames(&turned_a, &turned_b, a, b);
    tni_axes frame_a = tni_turned_axes(&turned_a);
    tni_dquat q = tni_angle_measure_relative(joint, a, b);
    tni_pin own;
    pin = is_linear_soft || pin == NULL ? &own : pin;
    tni_point_emit(&point, tni_pin_vector(a->angular_velocity), tni_pin_vector(b->angular_velocity),
                   pin);
    if (!is_angular_soft) {
        tni_angle_emit(&frame_a, q, a, b, pin);
    }
    if (is_linear_soft) {
        // Rigid rows come first.
        uint32_t turns = is_angular_soft ? 0 : 3;
        tni_pin_write_turns(pin, turns, rows);
        tni_pin_write_point(pin, rows + turns);
        tni_spring_soften(&def->linear_spring, rows + turns);
        rows += turns + 3;
    }
    if (is_angular_soft) {
        fixed_emit_soft_angular(&def->angular_spring, &frame_a, q, rows);
    }
}

static void fixed_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, tni_exact_row *rows) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    if (!fixed_is_soft(&def->linear_spring)) {
        tni_point point = tni_point_measure(joint, a, b);
        tni_exact_emit_point(&point, rows);
        rows += 3;
    }
    if (!fixed_is_soft(&def->angular_spring)) {
        tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
        tni_exact_emit_angle(&frame_a, tni_angle_measure_relative(joint, a, b), rows);
    }
}

static void fixed_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, double *errors) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    if (!fixed_is_soft(&def->linear_spring)) {
        tni_point point = tni_point_measure(joint, a, b);
        tni_exact_measure_point(&point, errors);
        errors += 3;
    }
    if (!fixed_is_soft(&def->angular_spring)) {
        tni_exact_measure_angle(tni_angle_measure_relative(joint, a, b), errors);
    }
}

static void fixed_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, const double *x,
                                tni_curvature *curvature) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    if (!fixed_is_soft(&def->linear_spring)) {
        tni_point point = tni_point_measure(joint, a, b);
        tni_curvature_add_point(&point, x, curvature);
        x += 3;
    }
    if (!fixed_is_soft(&def->angular_spring)) {
        tni_curvature_add_angle(tni_angle_measure_relative(joint, a, b), x, curvature);
    }
}

static void fixed_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, double *terms) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    if (!fixed_is_soft(&def->linear_spring)) {
        tni_point point = tni_point_measure(joint, a, b);
        tni_exact_measure_point_terms(&point, a, b, terms);
        terms += 3;
    }
    if (!fixed_is_soft(&def->angular_spring)) {
        tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
        tni_exact_measure_angle_terms(&frame_a, tni_angle_measure_relative(joint, a, b), a, b,
                                      terms);
    }
}

// A springy half is free to move: it has no error.
static tn_joint_error fixed_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_dvec3 linear = dvec3_make(0.0, 0.0, 0.0), angular = linear;
    if (!fixed_is_soft(&def->linear_spring)) {
        linear = tni_point_measure(joint, a, b).d;
    }
    if (!fixed_is_soft(&def->angular_spring)) {
        tni_dvec3 turn = tni_angle_get_rotation_vector(tni_angle_measure_relative(joint, a, b));
        angular = dvec3_scale(frame_a.x, turn.x);
        angular = dvec3_add_scaled(angular, turn.y, frame_a.y);
        angular = dvec3_add_scaled(angular, turn.z, frame_a.z);
    }
    return tni_error_make(&frame_a, linear, angular);
}

// A fixed joint has no free value.
static tni_joint_value fixed_measure_value(const tni_joint *joint, uint32_t index,
                                           const tni_body_motion *a, const tni_body_motion *b) {
    (void)joint, (void)index, (void)a, (void)b;
    tni_joint_value value = {0.0, 0.0};
    return value;
}

const tni_joint_kind tni_fixed_joint_kind = {.count_rows = fixed_count_rows,
                                             .emit = fixed_emit,
                                             .emit_exact = fixed_emit_exact,
                                             .measure_exact = fixed_measure_exact,
                                             .add_curvature = fixed_add_curvature,
                                             .measure_terms = fixed_measure_terms,
                                             .measure_error = fixed_measure_error,
                                             .measure_value = fixed_measure_value};
