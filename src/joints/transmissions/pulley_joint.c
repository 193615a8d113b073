// joints/transmissions/pulley_joint.c: a rope over two points of the world, with a body at each
// end.
//
// Symbols: L_a, L_b the lengths of the lines from a point of the world to an anchor of each body,
// with their rows: parts/line.c; i the ratio.
//
// Rigid: C = L_a + i L_b - length. A rope: C = length - L_a - i L_b >= 0. Limits act on L_a and
// L_b. Signs: positive is longer, so a rope under tension has a positive impulse in its own row and
// a rigid one a negative one; the tension is x / h on side a and i x / h on side b.
// Source: as in the parts, once for each side.
// Test: tests/joints/transmissions/test_pulley_joint.c, tests/joints/test_exact_rows.c
#include "joints/kind.h"
#include "joints/parts/error.h"
#include "joints/parts/limit.h"
#include "joints/parts/line.h"

typedef struct pulley_rope {
    tni_line a, b; // from the ground to each body
} pulley_rope;

static tni_line pulley_measure_side(tni_dvec3 arm, const tn_vec3 *ground,
                                    const tni_body_motion *body, uint32_t end) {
    tni_dvec3 g = dvec3_make(ground->x, ground->y, ground->z);
    tni_point point = {.r_b = arm, .d = dvec3_add(dvec3_sub(body->position, g), arm)};
    return tni_line_make(&point, TNI_LINE_GROUND, end);
}

static pulley_rope pulley_measure(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b) {
    const tn_pulley_joint_def *def = &joint->def.pulley;
    tni_point point = tni_point_measure(joint, a, b);
    pulley_rope rope = {pulley_measure_side(point.r_a, &def->ground_a, a, 0),
                        pulley_measure_side(point.r_b, &def->ground_b, b, 1)};
    return rope;
}

static double pulley_get_length(const tni_joint *joint, const pulley_rope *rope) {
    return rope->a.length + joint->def.pulley.ratio * rope->b.length;
}

static double pulley_get_excess(const tni_joint *joint, const pulley_rope *rope) {
    return pulley_get_length(joint, rope) - joint->def.pulley.length;
}

// ---- rows --------------------------------------------------------------------------------------

static tni_row_count pulley_count_rows(const tni_joint *joint) {
    const tn_pulley_joint_def *def = &joint->def.pulley;
    uint32_t limits = tni_line_count_limit(&def->limit_a) + tni_line_count_limit(&def->limit_b);
    uint32_t equalities = def->is_rigid ? 1 : 0;
    tni_row_count count = {1 + limits, equalities, 0, equalities};
    return count;
}

// C = L_a + i L_b - length
static void pulley_add_rope(const tni_joint *joint, const pulley_rope *rope, tni_rows *out) {
    uint32_t r = tni_rows_begin(out, false);
    tni_rows_put_line(out, r, &rope->a, 1.0);
    tni_rows_put_line(out, r, &rope->b, joint->def.pulley.ratio);
    tni_rows_set_error(out, r, pulley_get_excess(joint, rope));
}

static void pulley_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                        tni_rows *out) {
    const tn_pulley_joint_def *def = &joint->def.pulley;
    pulley_rope rope = pulley_measure(joint, a, b);
    tni_row *rows = out->bounded;
    if (def->is_rigid) {
        pulley_add_rope(joint, &rope, out);
    } else if (rows != NULL) { // the same row with the opposite sign, one-sided
        tni_lone_row lone;
        tni_rows own = tni_rows_of_one(out, &lone);
        pulley_add_rope(joint, &rope, &own);
        tni_rows_bound(&own, -1.0, TNI_ROW_LIMIT, rows++);
    }
    if (rows != NULL) {
        rows += tni_line_emit_limit(&rope.a, &def->limit_a, out, rows);
        tni_line_emit_limit(&rope.b, &def->limit_b, out, rows);
    }
}

// ---- values ------------------------------------------------------------------------------------

static double pulley_get_side_excess(const tn_limit *limit, const tni_line *side) {
    tni_scalar scalar = {.value = side->length};
    return tni_limit_get_excess(&scalar, limit);
}

// The error is along side a: that of the rope, or, if it may go slack, only how much it is too
// long. Each side adds how far it is past its limits.
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
                             tni_line_get_rate(&rope.a, a, b) +
                                 joint->def.pulley.ratio * tni_line_get_rate(&rope.b, a, b)};
    return value;
}

double tni_pulley_measure_side(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, bool is_a) {
    pulley_rope rope = pulley_measure(joint, a, b);
    return is_a ? rope.a.length : rope.b.length;
}

const tni_joint_kind tni_pulley_joint_kind = {.count_rows = pulley_count_rows,
                                              .emit = pulley_emit,
                                              .measure_error = pulley_measure_error,
                                              .measure_value = pulley_measure_value};
