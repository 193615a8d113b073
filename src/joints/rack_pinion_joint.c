// joints/rack_pinion_joint.c: a wheel's turn and a rack's travel keep a ratio.
//
// Symbols: n = x_b the rack's axis, fixed to b; d = p_b - p_a from frame to frame; r_a, r_b from
// the centres of mass to the frames; x_a the pinion's axis; phi the azimuth of n about x_a,
// measured in the pinion (parts/azimuth.c), so that its turn against the rack is -phi; r the
// radius.
//
// Equality row (1):  C = n . d + r phi - phase,  C' = n . d' + (w_b x n) . d - r (w_a - w_b) . x_a
//                    of the travel: lin_a = -n   ang_a = n x r_a   lin_b = n   ang_b = (r_b - d) x
//                    n, that of a point along an axis of the other body, turned round:
//                    parts/point.c
// With the rack a radius away the two parts make one force along the rack at the pitch point.
// phi is known modulo 2 pi: whole turns are remembered (parts/turns.h). A rack along the pinion's
// axis gives no angle: the row is zero.
// Source: as in the parts.
// Test: tests/joints/test_rack_pinion_joint.c, tests/joints/test_exact_rows.c
#include "joints/kind.h"
#include "joints/parts/azimuth.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/plain_rows.h"

typedef struct rack_line {
    tni_point from_b; // from the rack's frame to the pinion's: "a" in it is the rack
    tni_dvec3 n;
    tni_azimuth phi;
} rack_line;

static rack_line rack_measure(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b) {
    tni_point point = tni_point_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    rack_line line = {.n = tni_axes_of_frame(&joint->frame_b, b).x};
    line.from_b = (tni_point){point.r_b, point.r_a, dvec3_scale(point.d, -1.0)};
    line.phi = tni_azimuth_of_direction(&frame_a, line.n, false);
    return line;
}

static double rack_get_travel(const rack_line *line) {
    return -dvec3_dot(line->n, line->from_b.d);
}

static double rack_get_error(const tni_joint *joint, const rack_line *line) {
    if (!(line->phi.inverse > 0.0)) {
        return 0.0;
    }
    double angle = tni_turns_get_angle(&joint->memory.turns[0], line->phi.angle);
    return rack_get_travel(line) + joint->def.rack_pinion.radius * angle - joint->memory.phase;
}

static tni_row_count rack_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count count = {1, 1, 0, 1};
    return count;
}

static void rack_emit_line(const tni_joint *joint, const rack_line *line, tni_exact_row *row) {
    *row = (tni_exact_row){.error = rack_get_error(joint, line)};
    if (!(line->phi.inverse > 0.0)) {
        return;
    }
    tni_exact_row turned;
    tni_exact_emit_along(&line->from_b, dvec3_scale(line->n, -1.0), &turned);
    row->lin_a = turned.lin_b;
    row->ang_a = turned.ang_b;
    row->lin_b = turned.lin_a;
    row->ang_b = turned.ang_a;
    tni_azimuth_add_row(&line->phi, joint->def.rack_pinion.radius, tni_row_end_of_a(row),
                        tni_row_end_of_b(row));
}

static double rack_get_term(const tni_joint *joint, const rack_line *line, const tni_body_motion *a,
                            const tni_body_motion *b) {
    if (!(line->phi.inverse > 0.0)) {
        return 0.0;
    }
    return joint->def.rack_pinion.radius * tni_azimuth_get_term(&line->phi, a, b) -
           tni_exact_measure_along_term(&line->from_b, line->n, b, a);
}

static void rack_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_pin *pin, tni_row *rows) {
    (void)pin;
    rack_line line = rack_measure(joint, a, b);
    tni_exact_row exact;
    rack_emit_line(joint, &line, &exact);
    tni_plain_row_emit(&exact, rack_get_term(joint, &line, a, b), false, rows);
}

static void rack_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b, tni_exact_row *rows) {
    rack_line line = rack_measure(joint, a, b);
    rack_emit_line(joint, &line, rows);
}

static void rack_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, double *errors) {
    rack_line line = rack_measure(joint, a, b);
    errors[0] = rack_get_error(joint, &line);
}

static void rack_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, const double *x,
                               tni_curvature *curvature) {
    rack_line line = rack_measure(joint, a, b);
    if (!(line.phi.inverse > 0.0)) {
        return;
    }
    tni_curvature turned = {.a = curvature->b, .b = curvature->a};
    tni_curvature_add_along(&line.from_b, line.n, -x[0], &turned);
    curvature->b_has_linear = true;
    tni_azimuth_add_curvature(&line.phi, joint->def.rack_pinion.radius * x[0], curvature->a,
                              curvature->b);
}

static void rack_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b, double *terms) {
    rack_line line = rack_measure(joint, a, b);
    terms[0] = rack_get_term(joint, &line, a, b);
}

// Along the rack.
static tn_joint_error rack_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    rack_line line = rack_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_error_make(&frame_a, dvec3_scale(line.n, rack_get_error(joint, &line)),
                          dvec3_make(0.0, 0.0, 0.0));
}

// The travel and its rate.
static tni_joint_value rack_measure_value(const tni_joint *joint, uint32_t index,
                                          const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    rack_line line = rack_measure(joint, a, b);
    tni_dvec3 rate = tni_point_get_rate(&line.from_b, b, a);
    rate = dvec3_sub(rate, dvec3_cross(b->angular_velocity, line.from_b.d));
    tni_joint_value value = {rack_get_travel(&line), -dvec3_dot(line.n, rate)};
    return value;
}

static bool rack_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, tni_joint_value turning[2]) {
    rack_line line = rack_measure(joint, a, b);
    turning[0] = (tni_joint_value){line.phi.angle, tni_azimuth_get_rate(&line.phi, a, b)};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return line.phi.inverse > 0.0;
}

const tni_joint_kind tni_rack_pinion_joint_kind = {.count_rows = rack_count_rows,
                                                   .emit = rack_emit,
                                                   .emit_exact = rack_emit_exact,
                                                   .measure_exact = rack_measure_exact,
                                                   .add_curvature = rack_add_curvature,
                                                   .measure_terms = rack_measure_terms,
                                                   .measure_error = rack_measure_error,
                                                   .measure_value = rack_measure_value,
                                                   .measure_turning = rack_measure_turning};
