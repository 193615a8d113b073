// joints/pulley_joint.c: a rope over two points of the world, with a body at each end.
//
// Symbols: g a point of the world, p = x + r the anchor of a body, r from its centre of mass;
// L = |p - g| a side's length, n = (p - g) / L; v, w velocity and angular velocity; i the ratio;
// all in world axes, "a" and "b" for each side.
//
//   L' = n . v_p,   v_p = v + w x r
//   lin = n   ang = r x n
//   L'' at zero acceleration = Jdot v = n . (w x (w x r)) + (|v_p|^2 - (n . v_p)^2) / L
//
// Rigid: C = L_a + i L_b - length. A rope: C = length - L_a - i L_b >= 0. Limits act on L_a and
// L_b. Signs: positive is longer, so a rope under tension has a positive impulse in its own row and
// a rigid one a negative one; the tension is x / h on side a and i x / h on side b. Where an anchor
// is at g its n has no direction: it is then the x axis of the world and the last term of L'' is
// left out. Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, section 3 (the
// distance constraint), once for each side. Test: tests/joints/test_pulley_joint.c,
// tests/joints/test_exact_rows.c
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/limit.h"
#include "joints/parts/plain_rows.h"
#include "joints/parts/point.h"

// m: below this length the direction of a side is not trusted.
#define PULLEY_COINCIDENT 1e-9

typedef struct pulley_side {
    tni_dvec3 r, n;
    double length;
} pulley_side;

typedef struct pulley_rope {
    pulley_side a, b;
} pulley_rope;

static pulley_side pulley_measure_side(tni_dvec3 arm, const tn_vec3 *ground,
                                       const tni_body_motion *body) {
    tni_dvec3 g = dvec3_make(ground->x, ground->y, ground->z);
    tni_dvec3 line = dvec3_add(dvec3_sub(body->position, g), arm);
    pulley_side side = {arm, {1.0, 0.0, 0.0}, dvec3_length(line)};
    if (side.length > PULLEY_COINCIDENT) {
        side.n = dvec3_scale(line, 1.0 / side.length);
    }
    return side;
}

static pulley_rope pulley_measure(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b) {
    const tn_pulley_joint_def *def = &joint->def.pulley;
    tni_point point = tni_point_measure(joint, a, b);
    pulley_rope rope = {pulley_measure_side(point.r_a, &def->ground_a, a),
                        pulley_measure_side(point.r_b, &def->ground_b, b)};
    return rope;
}

static double pulley_get_length(const tni_joint *joint, const pulley_rope *rope) {
    return rope->a.length + joint->def.pulley.ratio * rope->b.length;
}

static double pulley_get_excess(const tni_joint *joint, const pulley_rope *rope) {
    return pulley_get_length(joint, rope) - joint->def.pulley.length;
}

static tni_dvec3 pulley_get_anchor_velocity(const pulley_side *side, const tni_body_motion *body) {
    return dvec3_add(body->velocity, dvec3_cross(body->angular_velocity, side->r));
}

static double pulley_get_side_rate(const pulley_side *side, const tni_body_motion *body) {
    return dvec3_dot(side->n, pulley_get_anchor_velocity(side, body));
}

// L'' at zero acceleration, of a side taken to be at least `least` long.
static double pulley_get_side_term(const pulley_side *side, const tni_body_motion *body,
                                   double least) {
    tni_dvec3 w = body->angular_velocity, v = pulley_get_anchor_velocity(side, body);
    tni_dvec3 across = dvec3_add_scaled(v, -dvec3_dot(side->n, v), side->n);
    double length = side->length > least ? side->length : least;
    double inverse_length = length > PULLEY_COINCIDENT ? 1.0 / length : 0.0;
    return dvec3_dot(side->n, dvec3_cross(w, dvec3_cross(w, side->r))) +
           dvec3_dot(across, across) * inverse_length;
}

static double pulley_get_term(const tni_joint *joint, const pulley_rope *rope,
                              const tni_body_motion *a, const tni_body_motion *b) {
    return pulley_get_side_term(&rope->a, a, 0.0) +
           joint->def.pulley.ratio * pulley_get_side_term(&rope->b, b, 0.0);
}

// ---- rows --------------------------------------------------------------------------------------

// A length is never negative, so a lower limit of 0 is none.
static uint32_t pulley_count_limit(const tn_limit *limit) {
    return limit->is_enabled ? (limit->lower > 0.0f ? 2 : 1) : 0;
}

static tni_row_count pulley_count_rows(const tni_joint *joint) {
    const tn_pulley_joint_def *def = &joint->def.pulley;
    uint32_t limits = pulley_count_limit(&def->limit_a) + pulley_count_limit(&def->limit_b);
    uint32_t equalities = def->is_rigid ? 1 : 0;
    tni_row_count count = {1 + limits, equalities, 0, equalities};
    return count;
}

static tni_scalar pulley_make_side(const pulley_side *side, bool is_a) {
    tni_f4 lin = tni_pin_vector(side->n), ang = tni_pin_vector(dvec3_cross(side->r, side->n));
    tni_f4 zero = f4_splat(0.0f);
    tni_scalar scalar = {.lin_a = is_a ? lin : zero,
                         .ang_a = is_a ? ang : zero,
                         .lin_b = is_a ? zero : lin,
                         .ang_b = is_a ? zero : ang,
                         .value = side->length};
    return scalar;
}

// The side's curve is taken at the limit where it is shorter: what is slack is no circle.
static uint32_t pulley_emit_limit(const tn_limit *limit, const pulley_side *side,
                                  const tni_body_motion *body, bool is_a, tni_row *rows) {
    uint32_t count = 0;
    tni_scalar scalar = pulley_make_side(side, is_a);
    if (limit->is_enabled && limit->lower > 0.0f) {
        scalar.acceleration = pulley_get_side_term(side, body, (double)limit->lower);
        tni_limit_emit_lower(&scalar, limit, &rows[count++]);
    }
    if (limit->is_enabled) {
        scalar.acceleration = pulley_get_side_term(side, body, (double)limit->upper);
        tni_limit_emit_upper(&scalar, limit, &rows[count++]);
    }
    return count;
}

// C = L_a + i L_b - length
static void pulley_emit_rope(const tni_joint *joint, const pulley_rope *rope, tni_exact_row *row) {
    double ratio = joint->def.pulley.ratio;
    row->lin_a = rope->a.n;
    row->ang_a = dvec3_cross(rope->a.r, rope->a.n);
    row->lin_b = dvec3_scale(rope->b.n, ratio);
    row->ang_b = dvec3_scale(dvec3_cross(rope->b.r, rope->b.n), ratio);
    row->error = pulley_get_excess(joint, rope);
}

// The same the other way round, one-sided.
static void pulley_slacken(tni_row *row) {
    for (int c = 0; c < 12; ++c) {
        row->jacobian[c] = -row->jacobian[c];
    }
    row->error = -row->error;
    row->velocity_term = -row->velocity_term;
    row->kind = TNI_ROW_LIMIT;
}

static void pulley_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_pin *pin, tni_row *rows) {
    (void)pin;
    const tn_pulley_joint_def *def = &joint->def.pulley;
    pulley_rope rope = pulley_measure(joint, a, b);
    tni_exact_row exact;
    pulley_emit_rope(joint, &rope, &exact);
    tni_plain_row_emit(&exact, pulley_get_term(joint, &rope, a, b), false, rows);
    if (!def->is_rigid) {
        pulley_slacken(rows);
    }
    rows += 1;
    rows += pulley_emit_limit(&def->limit_a, &rope.a, a, true, rows);
    pulley_emit_limit(&def->limit_b, &rope.b, b, false, rows);
}

static uint32_t pulley_measure_limit(const tn_limit *limit, const pulley_side *side,
                                     double *errors) {
    uint32_t count = 0;
    if (limit->is_enabled && limit->lower > 0.0f) {
        errors[count++] = side->length - (double)limit->lower;
    }
    if (limit->is_enabled) {
        errors[count++] = (double)limit->upper - side->length;
    }
    return count;
}

static void pulley_measure_limits(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b, double *errors) {
    const tn_pulley_joint_def *def = &joint->def.pulley;
    pulley_rope rope = pulley_measure(joint, a, b);
    if (!def->is_rigid) {
        errors[0] = -pulley_get_excess(joint, &rope);
    }
    errors += 1;
    errors += pulley_measure_limit(&def->limit_a, &rope.a, errors);
    pulley_measure_limit(&def->limit_b, &rope.b, errors);
}

// ---- in double ---------------------------------------------------------------------------------

static void pulley_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, tni_exact_row *rows) {
    if (joint->def.pulley.is_rigid) {
        pulley_rope rope = pulley_measure(joint, a, b);
        pulley_emit_rope(joint, &rope, rows);
    }
}

static void pulley_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double *errors) {
    if (joint->def.pulley.is_rigid) {
        pulley_rope rope = pulley_measure(joint, a, b);
        errors[0] = pulley_get_excess(joint, &rope);
    }
}

// Of a distance from a point that stands still.
static void pulley_add_side_curvature(const pulley_side *side, double x, double k[6][6]) {
    double still[6][6] = {{0.0}};
    tni_point point = {.r_b = side->r};
    tni_curvature of_side = {.a = still, .b = k};
    tni_curvature_add_distance(&point, side->n, side->length, x, &of_side);
}

static void pulley_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, const double *x,
                                 tni_curvature *curvature) {
    if (joint->def.pulley.is_rigid) {
        pulley_rope rope = pulley_measure(joint, a, b);
        pulley_add_side_curvature(&rope.a, x[0], curvature->a);
        pulley_add_side_curvature(&rope.b, joint->def.pulley.ratio * x[0], curvature->b);
        curvature->a_has_linear = curvature->b_has_linear = true;
    }
}

static void pulley_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double *terms) {
    if (joint->def.pulley.is_rigid) {
        pulley_rope rope = pulley_measure(joint, a, b);
        terms[0] = pulley_get_term(joint, &rope, a, b);
    }
}

// ---- values ------------------------------------------------------------------------------------

static double pulley_get_side_excess(const tn_limit *limit, const pulley_side *side) {
    tni_scalar scalar = {.value = side->length};
    return tni_limit_get_excess(&scalar, limit);
}

// What the rope is off by, or of one that may go slack too long by, along side a; and what each
// side is past its limits.
static tn_joint_error pulley_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                           const tni_body_motion *b) {
    const tn_pulley_joint_def *def = &joint->def.pulley;
    pulley_rope rope = pulley_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    double excess = pulley_get_excess(joint, &rope);
    excess = def->is_rigid || excess > 0.0 ? excess : 0.0;
    tni_dvec3 linear =
        dvec3_scale(rope.a.n, excess + pulley_get_side_excess(&def->limit_a, &rope.a));
    linear = dvec3_add_scaled(linear, pulley_get_side_excess(&def->limit_b, &rope.b), rope.b.n);
    return tni_error_make(&frame_a, linear, dvec3_make(0.0, 0.0, 0.0));
}

static tni_joint_value pulley_measure_value(const tni_joint *joint, uint32_t index,
                                            const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    pulley_rope rope = pulley_measure(joint, a, b);
    tni_joint_value value = {pulley_get_length(joint, &rope),
                             pulley_get_side_rate(&rope.a, a) +
                                 joint->def.pulley.ratio * pulley_get_side_rate(&rope.b, b)};
    return value;
}

double tni_pulley_measure_side(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, bool is_a) {
    pulley_rope rope = pulley_measure(joint, a, b);
    return is_a ? rope.a.length : rope.b.length;
}

const tni_joint_kind tni_pulley_joint_kind = {.count_rows = pulley_count_rows,
                                              .emit = pulley_emit,
                                              .measure_limits = pulley_measure_limits,
                                              .emit_exact = pulley_emit_exact,
                                              .measure_exact = pulley_measure_exact,
                                              .add_curvature = pulley_add_curvature,
                                              .measure_terms = pulley_measure_terms,
                                              .measure_error = pulley_measure_error,
                                              .measure_value = pulley_measure_value};
