// joints/transmissions/screw_joint.c: b turns about the x axis of frame a and moves along it in
// proportion.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a (they turn with a);
// x_b, y_b axes of frame b; phi the azimuth of y_b about x_a, measured in a (parts/azimuth.c),
// which is the turn of b; l the lead, m per turn.
//
// Equality rows (5):  C = y_a . d, z_a . d             see parts/point.c
//                     C = x_a . d - l / (2 pi) phi - phase
//                     C = (y_a . x_b, z_a . x_b)       see parts/axis.c
// phi is known modulo 2 pi: whole turns are remembered (parts/turns.h). Signs: positive moves b
// along +x of frame a, and turns it about +x by the right-hand rule.
// Source: as in the parts.
// Test: tests/joints/transmissions/test_screw_joint.c, tests/joints/test_exact_rows.c
#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/error.h"
#include "joints/transmissions/azimuth.h"

#define SCREW_THREAD_ROW 2

typedef struct screw_frames {
    tni_frames at;
    tni_azimuth phi;
} screw_frames;

static screw_frames screw_measure(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b) {
    screw_frames frames = {.at = tni_frames_measure(joint, a, b)};
    tni_dvec3 y_b = tni_axes_of_vectors(&joint->vectors_b, b).y;
    frames.phi = tni_azimuth_of_direction(&frames.at.a, y_b, false);
    return frames;
}

// Returns m per radian.
static double screw_get_pitch(const tni_joint *joint) {
    return joint->def.screw.lead / (2.0 * MATHS_PI);
}

// Returns the travel less the lead times the whole turns and the pitch times the remaining angle.
static double screw_get_error(const tni_joint *joint, const screw_frames *frames) {
    if (!(frames->phi.inverse > 0.0)) {
        return 0.0;
    }
    int64_t turns = tni_turns_count(&joint->memory.turns[0], frames->phi.angle);
    double way = joint->def.screw.lead * (double)turns + screw_get_pitch(joint) * frames->phi.angle;
    return dvec3_dot(frames->at.a.x, frames->at.point.d) - way - joint->memory.phase;
}

static tni_row_count screw_count_rows(const tni_joint *joint) {
    (void)joint;
    tni_row_count count = {5, 5, 0, 3};
    return count;
}

static void screw_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_rows *out) {
    screw_frames frames = screw_measure(joint, a, b);
    const tni_axes *axes = &frames.at.a;
    const tni_dvec3 across[2] = {axes->y, axes->z};
    tni_rows_add_along(out, &frames.at.point, across, 2);
    uint32_t thread = tni_rows_begin(out, false);
    if (frames.phi.inverse > 0.0) {
        tni_rows_put_along(out, thread, &frames.at.point, axes->x, 0);
        tni_rows_put_azimuth(out, thread, &frames.phi, -screw_get_pitch(joint), 0);
        tni_rows_set_error(out, thread, screw_get_error(joint, &frames));
    }
    tni_rows_add_axis(out, axes, frames.at.x_b);
}

static tn_joint_error screw_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    screw_frames frames = screw_measure(joint, a, b);
    double travel = dvec3_dot(frames.at.a.x, frames.at.point.d);
    tni_dvec3 linear = dvec3_add_scaled(frames.at.point.d, screw_get_error(joint, &frames) - travel,
                                        frames.at.a.x);
    tni_swing swing = tni_axis_measure_swing(&frames.at.a, frames.at.x_b);
    return tni_error_make(&frames.at.a, linear, dvec3_scale(swing.axis, swing.angle));
}

// Measures the travel and its rate.
static tni_joint_value screw_measure_value(const tni_joint *joint, uint32_t index,
                                           const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    screw_frames frames = screw_measure(joint, a, b);
    tni_dvec3 rate = tni_point_get_rate(&frames.at.point, a, b);
    rate = dvec3_sub(rate, dvec3_cross(a->angular_velocity, frames.at.point.d));
    tni_joint_value value = {dvec3_dot(frames.at.a.x, frames.at.point.d),
                             dvec3_dot(frames.at.a.x, rate)};
    return value;
}

static bool screw_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b, tni_joint_value turning[2]) {
    screw_frames frames = screw_measure(joint, a, b);
    turning[0] = (tni_joint_value){frames.phi.angle, tni_azimuth_get_rate(&frames.phi, a, b)};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return frames.phi.inverse > 0.0;
}

static const tni_joint_counter screw_counter = {.measure_turning = screw_measure_turning,
                                                .phase_row = SCREW_THREAD_ROW};

const tni_joint_kind tni_screw_joint_kind = {.count_rows = screw_count_rows,
                                             .emit = screw_emit,
                                             .measure_error = screw_measure_error,
                                             .measure_value = screw_measure_value,
                                             .counter = &screw_counter};
