// joints/transmissions/rack_pinion_joint.c: keeps a wheel's turn and a rack's travel in a ratio.
//
// Symbols: n = x_b the rack's axis, fixed to b; d = p_b - p_a from frame to frame; r_a, r_b from
// the centres of mass to the frames; x_a the pinion's axis; phi the azimuth of n about x_a,
// measured in the pinion (parts/azimuth.c), so that its turn against the rack is -phi; r the
// radius.
//
// Equality row (1):  C = n . d + r phi - phase,  C' = n . d' + (w_b x n) . d - r (w_a - w_b) . x_a
//                    the travel has lin_a = -n   ang_a = n x r_a   lin_b = n
//                    ang_b = (r_b - d) x n, as a point along an axis of the other body, reversed:
//                    parts/point.c
// If the rack is a radius away, the two parts make one force along the rack at the pitch point. phi
// is known modulo 2 pi: whole turns are remembered (parts/turns.h). A rack along the pinion's axis
// gives no angle: the row is zero.
// Source: as in the parts.
// Test: tests/joints/transmissions/test_rack_pinion_joint.c, tests/joints/test_exact_rows.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"
#include "joints/transmissions/azimuth.h"

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

static void rack_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      tni_rows *out) {
    rack_line line = rack_measure(joint, a, b);
    uint32_t r = tni_rows_begin(out, false);
    if (line.phi.inverse > 0.0) {
        tni_rows_put_along(out, r, &line.from_b, dvec3_scale(line.n, -1.0), 1);
        tni_rows_put_azimuth(out, r, &line.phi, joint->def.rack_pinion.radius, 0);
        tni_rows_set_error(out, r, rack_get_error(joint, &line));
    }
}

// The error is along the rack.
static tn_joint_error rack_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                         const tni_body_motion *b) {
    rack_line line = rack_measure(joint, a, b);
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    return tni_error_make(&frame_a, dvec3_scale(line.n, rack_get_error(joint, &line)),
                          dvec3_make(0.0, 0.0, 0.0));
}

// Measures the travel and its rate.
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

static const tni_joint_counter rack_counter = {.measure_turning = rack_measure_turning};

const tni_joint_kind tni_rack_pinion_joint_kind = {.count_rows = rack_count_rows,
                                                   .emit = rack_emit,
                                                   .measure_error = rack_measure_error,
                                                   .measure_value = rack_measure_value,
                                                   .counter = &rack_counter};
