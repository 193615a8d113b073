// joints/fixed_joint.c: keeps two frames together: a weld, rigid or springy.
//
// Symbols: d = p_b - p_a from anchor to anchor; q the rotation of frame b in frame a; e_i the axes
// of frame a; D = w_b - w_a; all in world axes.
//
// Equality rows (6):  C = d                    along the axes of the world; see parts/point.c
//                     C = 2 vector part of q   see parts/angle.c
// A spring takes the place of its three rows, which leave the equalities and follow as a group:
//   linear   force = -k d - c d',  the point rows made soft
//   angular  torque = -k phi - c D,  phi the rotation vector of q, rows about e_i
// Rows stand in the order: rigid linear, rigid angular, springy linear, springy angular.
// Source: as in the parts.
// Test: tests/joints/test_rows.c, tests/joints/test_fixed_joint.c
#include "joints/kind.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
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

static void fixed_emit_bounded(const tni_joint *joint, const tni_frames *frames, tni_dquat q,
                               const tni_rows *out) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    tni_row *rows = out->bounded;
    if (fixed_is_soft(&def->linear_spring)) {
        tni_point_emit_soft(&frames->point, &def->linear_spring, rows);
        rows += 3;
    }
    if (fixed_is_soft(&def->angular_spring)) {
        tni_angle_emit_turn(&frames->a, tni_angle_get_rotation_vector(q), rows);
        tni_spring_soften(&def->angular_spring, rows);
    }
}

static void fixed_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_rows *out) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_dquat q = tni_angle_measure_relative(joint, a, b);
    if (!fixed_is_soft(&def->linear_spring)) {
        tni_rows_add_point(out, &frames.point);
    }
    if (!fixed_is_soft(&def->angular_spring)) {
        tni_rows_add_angle(out, &frames.a, q);
    }
    if (out->bounded != NULL) {
        fixed_emit_bounded(joint, &frames, q, out);
    }
}

// A springy half may move freely: it has no error.
static tn_joint_error fixed_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    const tn_fixed_joint_def *def = &joint->def.fixed;
    tni_frames frames = tni_frames_measure(joint, a, b);
    tni_dvec3 linear = dvec3_make(0.0, 0.0, 0.0), angular = linear;
    if (!fixed_is_soft(&def->linear_spring)) {
        linear = frames.point.d;
    }
    if (!fixed_is_soft(&def->angular_spring)) {
        tni_dquat q = tni_angle_measure_relative(joint, a, b);
        angular = tni_axes_turn(&frames.a, tni_angle_get_rotation_vector(q));
    }
    return tni_error_make(&frames.a, linear, angular);
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
                                             .measure_error = fixed_measure_error,
                                             .measure_value = fixed_measure_value};
