// joints/screw_joint.c: b turns about the x axis of frame a and moves along it in proportion.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a (they turn with a);
// x_b, y_b axes of frame b; phi the azimuth of y_b about x_a, measured in a (parts/azimuth.c),
// which is the turn of b; l the lead, m for each turn.
//
// Equality rows (5):  C = y_a . d, z_a . d             see parts/point.c
//                     C = x_a . d - l / (2 pi) phi - phase
//                     C = (y_a . x_b, z_a . x_b)       see parts/axis.c
// phi is known modulo 2 pi: whole turns are remembered (parts/turns.h). Signs: positive moves b
// along +x of frame a, and turns it about +x by the right-hand rule.
// Source: as in the parts.
// Test: tests/joints/test_screw_joint.c, tests/joints/test_exact_rows.c
#include "joints/kind.h"
#include "joints/parts/azimuth.h"
#include "joints/parts/error.h"
#include "joints/parts/exact.h"
#include "joints/parts/plain_rows.h"

#define SCREW_THREAD_ROW 2
#define SCREW_AXIS_ROW   3

typedef struct screw_frames {
    tni_point point;
    tni_axes a;
    tni_dvec3 x_b;
    tni_azimuth phi;
} screw_frames;

static screw_frames screw_measure(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b) {
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    screw_frames frames = {.point = tni_point_measure(joint, a, b),
                           .a = tni_axes_of_frame(&joint->frame_a, a),
                           .x_b = frame_b.x};
    frames.phi = tni_azimuth_of_direction(&frames.a, frame_b.y, false);
    return frames;
}

// m for each radian.
static double screw_get_pitch(const tni_joint *joint) {
    return joint->def.screw.lead / (2.0 * MATHS_PI);
}

// The lead times the whole turns, and the rest.
static double screw_get_error(const tni_joint *joint, const screw_frames *frames) {
    if (!(frames->phi.inverse > 0.0)) {
        return 0.0;
    }
    int64_t turns = tni_turns_count(&joint->memory.turns[0], frames->phi.angle);
    double way = joint->def.screw.lead * (double)turns + screw_get_pitch(joint) * frames->phi.angle;
    return dvec3_dot(frames->a.x, frames->point.d) - way - joint->memory.phase;
}

static tni_row_count screw_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count count = {5, 5, 0, SCREW_AXIS_ROW};
    return count;
}

static void screw_emit_lengths(const tni_joint *joint, const screw_frames *frames,
                               tni_exact_row *rows) {
    tni_exact_emit_along(&frames->point, frames->a.y, &rows[0]);
    tni_exact_emit_along(&frames->point, frames->a.z, &rows[1]);
    tni_exact_row *thread = &rows[SCREW_THREAD_ROW];
    *thread = (tni_exact_row){.error = 0.0};
    if (frames->phi.inverse > 0.0) {
        tni_exact_emit_along(&frames->point, frames->a.x, thread);
        tni_azimuth_add_row(&frames->phi, -screw_get_pitch(joint), tni_row_end_of_a(thread),
                            tni_row_end_of_b(thread));
        thread->error = screw_get_error(joint, frames);
    }
}

static void screw_get_length_terms(const tni_joint *joint, const screw_frames *frames,
                                   const tni_body_motion *a, const tni_body_motion *b,
                                   double *terms) {
    tni_exact_measure_slide_terms(&frames->point, &frames->a, a, b, terms);
    terms[SCREW_THREAD_ROW] = 0.0;
    if (frames->phi.inverse > 0.0) {
        terms[SCREW_THREAD_ROW] = tni_exact_measure_along_term(&frames->point, frames->a.x, a, b) -
                                  screw_get_pitch(joint) * tni_azimuth_get_term(&frames->phi, a, b);
    }
}

static void screw_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_pin *pin, tni_row *rows) {
    screw_frames frames = screw_measure(joint, a, b);
    tni_exact_row exact[SCREW_AXIS_ROW];
    double terms[SCREW_AXIS_ROW];
    screw_emit_lengths(joint, &frames, exact);
    screw_get_length_terms(joint, &frames, a, b, terms);
    for (int i = 0; i < SCREW_AXIS_ROW; ++i) {
        tni_plain_row_emit(&exact[i], terms[i], false, &rows[i]);
    }
    tni_turned_frame frame_a = tni_frame_turn(a->rotation, &joint->vectors_a);
    tni_turned_frame frame_b = tni_frame_turn(b->rotation, &joint->vectors_b);
    tni_pin axes;
    (void)pin;
    tni_axis_emit(&frame_a, &frame_b, tni_pin_vector(a->angular_velocity),
                  tni_pin_vector(b->angular_velocity), &axes);
    tni_pin_write_turns(&axes, 2, rows + SCREW_AXIS_ROW);
}

static void screw_emit_exact(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, tni_exact_row *rows) {
    screw_frames frames = screw_measure(joint, a, b);
    screw_emit_lengths(joint, &frames, rows);
    tni_exact_emit_axis(&frames.a, frames.x_b, rows + SCREW_AXIS_ROW);
}

static void screw_measure_exact(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, double *errors) {
    screw_frames frames = screw_measure(joint, a, b);
    errors[0] = dvec3_dot(frames.a.y, frames.point.d);
    errors[1] = dvec3_dot(frames.a.z, frames.point.d);
    errors[SCREW_THREAD_ROW] = screw_get_error(joint, &frames);
    tni_exact_measure_axis(&frames.a, frames.x_b, errors + SCREW_AXIS_ROW);
}

static void screw_add_curvature(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, const double *x,
                                tni_curvature *curvature) {
    screw_frames frames = screw_measure(joint, a, b);
    tni_curvature_add_along(&frames.point, frames.a.y, x[0], curvature);
    tni_curvature_add_along(&frames.point, frames.a.z, x[1], curvature);
    if (frames.phi.inverse > 0.0) {
        double thread = x[SCREW_THREAD_ROW];
        tni_curvature_add_along(&frames.point, frames.a.x, thread, curvature);
        tni_azimuth_add_curvature(&frames.phi, -screw_get_pitch(joint) * thread, curvature->a,
                                  curvature->b);
    }
    tni_curvature_add_axis(&frames.a, frames.x_b, x + SCREW_AXIS_ROW, curvature);
}

static void screw_measure_terms(const tni_joint *joint, const tni_body_motion *a,
                                const tni_body_motion *b, double *terms) {
    screw_frames frames = screw_measure(joint, a, b);
    screw_get_length_terms(joint, &frames, a, b, terms);
    tni_exact_measure_axis_terms(&frames.a, frames.x_b, a, b, terms + SCREW_AXIS_ROW);
}

static tn_joint_error screw_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    screw_frames frames = screw_measure(joint, a, b);
    double travel = dvec3_dot(frames.a.x, frames.point.d);
    tni_dvec3 linear =
        dvec3_add_scaled(frames.point.d, screw_get_error(joint, &frames) - travel, frames.a.x);
    tni_swing swing = tni_axis_measure_swing(&frames.a, frames.x_b);
    return tni_error_make(&frames.a, linear, dvec3_scale(swing.axis, swing.angle));
}

// The travel and its rate.
static tni_joint_value screw_measure_value(const tni_joint *joint, uint32_t index,
                                           const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    screw_frames frames = screw_measure(joint, a, b);
    tni_dvec3 rate = tni_point_get_rate(&frames.point, a, b);
    rate = dvec3_sub(rate, dvec3_cross(a->angular_velocity, frames.point.d));
    tni_joint_value value = {dvec3_dot(frames.a.x, frames.point.d), dvec3_dot(frames.a.x, rate)};
    return value;
}

static bool screw_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b, tni_joint_value turning[2]) {
    screw_frames frames = screw_measure(joint, a, b);
    turning[0] = (tni_joint_value){frames.phi.angle, tni_azimuth_get_rate(&frames.phi, a, b)};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return frames.phi.inverse > 0.0;
}

const tni_joint_kind tni_screw_joint_kind = {.count_rows = screw_count_rows,
                                             .emit = screw_emit,
                                             .emit_exact = screw_emit_exact,
                                             .measure_exact = screw_measure_exact,
                                             .add_curvature = screw_add_curvature,
                                             .measure_terms = screw_measure_terms,
                                             .measure_error = screw_measure_error,
                                             .measure_value = screw_measure_value,
                                             .measure_turning = screw_measure_turning,
                                             .phase_row = SCREW_THREAD_ROW};
