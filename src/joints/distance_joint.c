// joints/distance_joint.c: two points at a distance: rod, rope, spring.
//
// Symbols: d = p_b - p_a from anchor to anchor, L = |d| the length, n = d / L; r_a, r_b from the
// centres of mass to the anchors; v, w velocity and angular velocity; all in world axes.
//
//   L' = n . d',   d' = v_b + w_b x r_b - v_a - w_a x r_a
//   lin_a = -n   ang_a = -(r_a x n)   lin_b = n   ang_b = r_b x n
//   L'' at zero acceleration = Jdot v = n . (w_b x (w_b x r_b) - w_a x (w_a x r_a))
//                                       + (|d'|^2 - (n . d')^2) / L
//   1/m = J W J^T = 1/m_a + 1/m_b + (r_a x n) . I_a^-1 (r_a x n) + (r_b x n) . I_b^-1 (r_b x n)
//
// Rod: C = L - length. Limits, spring, motor and friction act on L itself; a rope is an upper limit
// alone. Signs: positive is longer, so a rod's impulse is positive when it pushes.
// Where the points coincide n has no direction: n is then the x axis of the world and the last term
// of L'' is left out.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, section 3 (the distance
// constraint); the angular parts as in parts/point.c.
// Test: tests/joints/test_rows.c, tests/joints/test_distance_joint.c
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/limit.h"
#include "joints/parts/point.h"

// m: below this length the direction between the points is not trusted.
#define DISTANCE_COINCIDENT 1e-9

typedef struct distance_line {
    tni_point point;
    tni_dvec3 n;
    double length;
} distance_line;

static distance_line distance_measure_line(const tni_joint *joint, const tni_body_motion *a,
                                           const tni_body_motion *b) {
    distance_line line = {.point = tni_point_measure(joint, a, b), .n = {1.0, 0.0, 0.0}};
    line.length = dvec3_length(line.point.d);
    if (line.length > DISTANCE_COINCIDENT) {
        line.n = dvec3_scale(line.point.d, 1.0 / line.length);
    }
    return line;
}

static tni_scalar distance_make_scalar(const distance_line *line) {
    tni_scalar scalar = {.value = line->length};
    scalar.lin_b = tni_pin_vector(line->n);
    scalar.lin_a = tni_scalar_turn(scalar.lin_b);
    scalar.ang_a = tni_pin_vector(dvec3_cross(line->n, line->point.r_a));
    scalar.ang_b = tni_pin_vector(dvec3_cross(line->point.r_b, line->n));
    return scalar;
}

// L'' at zero acceleration, on a line taken to be at least `least_length` long.
static double distance_velocity_term(const distance_line *line, const tni_body_motion *a,
                                     const tni_body_motion *b, double least_length) {
    // What is left of d' across the line turns the line.
    tni_dvec3 rate = tni_point_get_rate(&line->point, a, b);
    tni_dvec3 across = dvec3_add_scaled(rate, -dvec3_dot(line->n, rate), line->n);
    double length = line->length > least_length ? line->length : least_length;
    double inverse_length = length > DISTANCE_COINCIDENT ? 1.0 / length : 0.0;
    return dvec3_dot(line->n, tni_point_get_centripetal(&line->point, a, b)) +
           dvec3_dot(across, across) * inverse_length;
}

// The limit is emitted here, not as one of the actors: see distance_emit_limit.
static tni_scalar_actors distance_get_actors(const tn_distance_joint_def *def) {
    static const tn_limit none = {.is_enabled = false};
    tni_scalar_actors actors = {&def->spring, &def->motor, &none, def->friction,
                                def->viscous_friction};
    return actors;
}

// A length is never negative, so a lower limit of 0 is none: a row for it would stop what passes
// through the anchor.
static bool distance_has_lower_limit(const tn_distance_joint_def *def) {
    return def->limit.is_enabled && def->limit.lower > 0.0f;
}

static tni_row_count distance_count_rows(const tni_joint *joint) {
    const tn_distance_joint_def *def = &joint->def.distance;
    tni_scalar_actors actors = distance_get_actors(def);
    uint32_t equalities = def->is_rigid ? 1 : 0;
    uint32_t limits = (distance_has_lower_limit(def) ? 1 : 0) + (def->limit.is_enabled ? 1 : 0);
    tni_row_count count = {equalities + tni_scalar_count_rows(&actors) + limits, equalities, 0,
                           equalities};
    return count;
}

// The line's curve is taken at the limit where the line is shorter: a slack rope is no circle of
// its present length.
static void distance_emit_limit(const tn_distance_joint_def *def, const distance_line *line,
                                tni_scalar *scalar, const tni_body_motion *a,
                                const tni_body_motion *b, bool has_terms, tni_row *rows) {
    if (distance_has_lower_limit(def)) {
        scalar->acceleration =
            has_terms ? distance_velocity_term(line, a, b, (double)def->limit.lower) : 0.0;
        tni_limit_emit_lower(scalar, &def->limit, rows);
        rows += 1;
    }
    if (def->limit.is_enabled) {
        scalar->acceleration =
            has_terms ? distance_velocity_term(line, a, b, (double)def->limit.upper) : 0.0;
        tni_limit_emit_upper(scalar, &def->limit, rows);
    }
}

static void distance_emit_rows(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, bool has_terms, tni_row *rows) {
    const tn_distance_joint_def *def = &joint->def.distance;
    distance_line line = distance_measure_line(joint, a, b);
    tni_scalar scalar = distance_make_scalar(&line);
    if (def->is_rigid) {
        tni_scalar_emit_row(&scalar, rows, TNI_ROW_RIGID, TNI_ROLE_JOINT,
                            line.length - (double)def->length);
        rows->velocity_term = has_terms ? (float)distance_velocity_term(&line, a, b, 0.0) : 0.0f;
        rows += 1;
    }
    tni_scalar_actors actors = distance_get_actors(def);
    rows += tni_scalar_emit(&scalar, &actors, rows);
    distance_emit_limit(def, &line, &scalar, a, b, has_terms, rows);
}

static void distance_emit(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, tni_pin *pin, tni_row *rows) {
    (void)pin;
    distance_emit_rows(joint, a, b, true, rows);
}

static void distance_emit_still(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, tni_row *rows) {
    distance_emit_rows(joint, a, b, false, rows);
}

static void distance_measure_limits(const tni_joint *joint, const tni_body_motion *a,
                                    const tni_body_motion *b, double *errors) {
    const tn_distance_joint_def *def = &joint->def.distance;
    tni_scalar_actors actors = distance_get_actors(def);
    tni_scalar scalar; // of which a limit's room asks no more
    scalar.value = dvec3_length(tni_point_measure(joint, a, b).d);
    scalar.period = 0.0;
    errors += (def->is_rigid ? 1 : 0) + tni_scalar_count_rows(&actors);
    if (distance_has_lower_limit(def)) {
        *errors++ = tni_limit_get_lower_room(&scalar, &def->limit);
    }
    if (def->limit.is_enabled) {
        *errors = tni_limit_get_upper_room(&scalar, &def->limit);
    }
}

static void distance_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, tni_exact_row *rows) {
    const tn_distance_joint_def *def = &joint->def.distance;
    if (def->is_rigid) {
        distance_line line = distance_measure_line(joint, a, b);
        tni_exact_emit_distance(&line.point, line.n, line.length - (double)def->length, rows);
    }
}

static void distance_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                   const tni_body_motion *b, double *errors) {
    if (joint->def.distance.is_rigid) {
        errors[0] = distance_measure_line(joint, a, b).length - (double)joint->def.distance.length;
    }
}

static void distance_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                   const tni_body_motion *b, const double *x,
                                   tni_curvature *curvature) {
    if (joint->def.distance.is_rigid) {
        distance_line line = distance_measure_line(joint, a, b);
        tni_curvature_add_distance(&line.point, line.n, line.length, x[0], curvature);
    }
}

static void distance_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                   const tni_body_motion *b, double *terms) {
    if (joint->def.distance.is_rigid) {
        distance_line line = distance_measure_line(joint, a, b);
        terms[0] = distance_velocity_term(&line, a, b, 0.0);
    }
}

// The rod's error, or of a rope what it is past its limits, along the line.
static tn_joint_error distance_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                             const tni_body_motion *b) {
    const tn_distance_joint_def *def = &joint->def.distance;
    distance_line line = distance_measure_line(joint, a, b);
    tni_scalar scalar = distance_make_scalar(&line);
    double excess = def->is_rigid ? line.length - (double)def->length
                                  : tni_limit_get_excess(&scalar, &def->limit);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_error_make(&frame_a, dvec3_scale(line.n, excess), dvec3_make(0.0, 0.0, 0.0));
}

static tni_joint_value distance_measure_value(const tni_joint *joint, uint32_t index,
                                              const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    distance_line line = distance_measure_line(joint, a, b);
    tni_joint_value value = {line.length, dvec3_dot(line.n, tni_point_get_rate(&line.point, a, b))};
    return value;
}

static bool distance_get_line(const tni_joint *joint, tni_joint_line *out_line) {
    const tn_distance_joint_def *def = &joint->def.distance;
    out_line->is_rod = def->is_rigid;
    out_line->is_rope = def->limit.is_enabled;
    out_line->is_spring = def->spring.mode != TN_SPRING_MODE_OFF;
    out_line->length = def->length;
    out_line->upper = def->limit.upper;
    out_line->rest = def->spring.rest;
    uint32_t rows = (out_line->is_rod ? 1u : 0u) + (out_line->is_rope ? 1u : 0u) +
                    (out_line->is_spring ? 1u : 0u);
    return distance_count_rows(joint).rows == rows && tni_limit_is_hard(&def->limit) &&
           (!out_line->is_rod || rows == 1);
}

const tni_joint_kind tni_distance_joint_kind = {.count_rows = distance_count_rows,
                                                .emit = distance_emit,
                                                .emit_still = distance_emit_still,
                                                .measure_limits = distance_measure_limits,
                                                .emit_exact = distance_emit_exact,
                                                .measure_exact = distance_measure_exact,
                                                .add_curvature = distance_add_curvature,
                                                .measure_terms = distance_measure_terms,
                                                .measure_error = distance_measure_error,
                                                .measure_value = distance_measure_value,
                                                .get_line = distance_get_line};
