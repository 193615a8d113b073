// joints/transmissions/belt_joint.c: a belt or a chain about two pulleys: the row of a gear, held
// or bounded.
//
// Symbols: a, b the pulleys, r their radii, d from centre to centre; alpha the turn of a pulley
// about its axis against the line of centres; i = -r_b / r_a for an open belt, r_b / r_a for a
// crossed one; T1, T2 the tensions of the strands, F = T1 - T2.
//
// Row (1):  C = alpha_a + i alpha_b - phase, in turns of a, with J of a gear that is measured
//           against the line of centres, see gear_joint.c. That is a belt's J: with strands at
//           the angle s to that line, r_a - r_b = d sin s if it is open, r_a + r_b = d sin s if it
//           is crossed, T1 and T2 pull pulley b by F sin s across the line, F (r_a -+ r_b) / d,
//           which is lin_b = -(1 + i) / d for the couple F r_a on a.
//   It holds:  C = 0, as in a gear; with teeth z in place of r the sum of whole turns is exact.
//   It slips:  J v = 0 with |F| <= 2 T0 (q - 1) / (q + 1): from T1 = q T2 and T1 + T2 = 2 T0.
//              r_a C is then the length that has slipped.
// Wraps:    pi + 2 s about a and pi - 2 s about b, open; pi + 2 s about both, crossed.
// Length:   2 d cos s + r_a wrap_a + r_b wrap_b
// Source: L. Euler 1769 (parts/capstan.h); J. Shigley, C. Mischke, "Mechanical engineering design",
// 5th ed. 1989, 17-2 (wraps, lengths, initial tension).
// Test: tests/joints/transmissions/test_belt_joint.c
#include "joints/kind.h"
#include "joints/parts/axis.h"
#include "joints/parts/capstan.h"
#include "joints/parts/error.h"

// The pulleys' positions relative to each other.
typedef struct belt_line {
    double distance, sine, cosine; // m; the sine and cosine of s
} belt_line;

static bool belt_slips(const tn_belt_joint_def *def) {
    return def->teeth_a == 0 && isfinite(def->pretension);
}

static belt_line belt_measure(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b) {
    const tn_belt_joint_def *def = &joint->def.belt;
    tni_dpose frame_a = tni_joint_world_frame(&joint->frame_a, a);
    tni_dpose frame_b = tni_joint_world_frame(&joint->frame_b, b);
    tni_dvec3 line = dvec3_sub(frame_b.position, frame_a.position);
    tni_dvec3 axis = dquat_axis_x(frame_a.rotation);
    double distance = dvec3_length(dvec3_add_scaled(line, -dvec3_dot(line, axis), axis));
    double across = def->is_crossed ? def->radius_a + def->radius_b : def->radius_a - def->radius_b;
    double sine = maths_max_d(-1.0, maths_min_d(across * maths_inverse_or_zero_d(distance), 1.0));
    belt_line out = {distance, sine, sqrt(1.0 - sine * sine)};
    return out;
}

static double belt_get_wrap(const tni_joint *joint, const belt_line *line, bool is_a) {
    double s = tni_maths_atan2(line->sine, line->cosine);
    return MATHS_PI + (is_a || joint->def.belt.is_crossed ? 2.0 * s : -2.0 * s);
}

static double belt_get_slip_force(const tni_joint *joint, const belt_line *line) {
    const tn_belt_joint_def *def = &joint->def.belt;
    double wrap = maths_min_d(belt_get_wrap(joint, line, true), belt_get_wrap(joint, line, false));
    double q = tni_capstan_get_ratio((double)def->friction, wrap);
    return 2.0 * (double)def->pretension * (q - 1.0) / (q + 1.0);
}

tni_belt_shape tni_belt_measure(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b) {
    const tn_belt_joint_def *def = &joint->def.belt;
    belt_line line = belt_measure(joint, a, b);
    double wrap_a = belt_get_wrap(joint, &line, true), wrap_b = belt_get_wrap(joint, &line, false);
    tni_belt_shape shape = {wrap_a, wrap_b,
                            2.0 * line.distance * line.cosine + def->radius_a * wrap_a +
                                def->radius_b * wrap_b,
                            belt_slips(def) ? belt_get_slip_force(joint, &line) : (double)INFINITY};
    return shape;
}

// ---- rows --------------------------------------------------------------------------------------

static tni_row_count belt_count_rows(const tni_joint *joint) {
    uint32_t equalities = belt_slips(&joint->def.belt) ? 0 : 1;
    tni_row_count count = {1, equalities, 0, 0};
    return count;
}

static void belt_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_rows *out) {
    if (!belt_slips(&joint->def.belt)) {
        tni_gear_joint_kind.emit(joint, a, b, out);
    } else if (out->bounded != NULL) {
        tni_lone_row lone;
        tni_rows own = tni_rows_of_one(out, &lone);
        belt_line line = belt_measure(joint, a, b);
        double force = belt_get_slip_force(joint, &line);
        tni_gear_joint_kind.emit(joint, a, b, &own);
        tni_rows_bound(&own, 1.0, TNI_ROW_SPEED, out->bounded);
        out->bounded->role = TNI_ROLE_FRICTION;
        out->bounded->error = out->bounded->velocity_term = 0.0f;
        out->bounded->max_force = maths_to_float(joint->def.belt.radius_a * force);
    }
}

// ---- values ------------------------------------------------------------------------------------

// A belt that slips has no error.
static tn_joint_error belt_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    tn_joint_error none = {.linear_length = 0.0};
    return belt_slips(&joint->def.belt) ? none : tni_gear_joint_kind.measure_error(joint, a, b);
}

// Returns C, even if the belt has slipped.
static double belt_measure_phase(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b) {
    double error;
    tni_rows out = {.ends = {a, b}, .errors = &error};
    tni_gear_joint_kind.emit(joint, a, b, &out);
    return error;
}

static tni_joint_value belt_measure_value(const tni_joint *joint, uint32_t index,
                                          const tni_body_motion *a, const tni_body_motion *b) {
    return tni_gear_joint_kind.measure_value(joint, index, a, b);
}

static bool belt_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, tni_joint_value turning[2]) {
    return tni_gear_joint_kind.counter->measure_turning(joint, a, b, turning);
}

static const tni_joint_counter belt_counter = {.measure_turning = belt_measure_turning,
                                               .measure_phase = belt_measure_phase};

const tni_joint_kind tni_belt_joint_kind = {.count_rows = belt_count_rows,
                                            .emit = belt_emit,
                                            .measure_error = belt_measure_error,
                                            .measure_value = belt_measure_value,
                                            .counter = &belt_counter};
