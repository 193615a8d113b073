// joints/wheel_joint.c: a wheel on a chassis: suspension, steering and spin.
//
// Symbols: d = p_b - p_a from anchor to anchor; x_a, y_a, z_a axes of frame a, the chassis; x_b,
// y_b, z_b those of b, the wheel; D = w_b - w_a; all in world axes. x_a is the axis of suspension
// and steering, z_b the axle.
//
// Equality rows (3):  C = n . d for n = y_a, z_a, as a slider; see parts/along.c
//                     C = x_a . z_b: the axle stays perpendicular to x_a; see parts/axis.c
//               (4)   and, if it is not steered, also C = y_a . z_b: the rows of a hinge about the
//                     axle, see parts/axis.c with z for x
// Values:  length   x_a . d, with the row of n = x_a
//          steering angle of z_b about x_a: atan2(-y_a . z_b, z_a . z_b)
//          spin     angle of the wheel about z_b from where its x_b points up:
//                   atan2(-x_a . y_b, x_a . x_b)
// An angle atan2(s, c) of s = u . p and c = u . q, with p and q turning with b against u, or the
// reverse, has the rate
//     (c s' - s c') / (s^2 + c^2),   (u . p)' = (p x u) . D
// If the axle is perpendicular to x_a, q = (turn about x by steering) (turn about z by spin), and
// the directions of these rates are x_a and z_b. They are set to these if s and c vanish, with the
// axle along the suspension. Spring and limit act on the length, limit and motor on the steering,
// motor on the spin. Bounded rows stand in the order spring, spin motor, steering motor, limits.
// Source: as in the parts; the derivative of atan2.
// Test: tests/joints/test_rows.c, tests/joints/test_wheel_joint.c
#include "joints/wheel.h"

#include "joints/kind.h"
#include "joints/parts/along.h"
#include "joints/parts/angle.h"
#include "joints/parts/error.h"
#include "joints/parts/limit.h"
#include "joints/parts/motor.h"
#include "joints/parts/spring.h"
#include "joints/parts/twist.h"

// If s^2 + c^2 is below this, the angle is undefined.
#define WHEEL_DEGENERATE 1e-9

// A part of an angle: u . p and p x u, with p fixed to b and u to a.
typedef struct wheel_part {
    double value;
    tni_dvec3 gradient;
} wheel_part;

static wheel_part wheel_get_part(tni_dvec3 u, tni_dvec3 p, double sign) {
    wheel_part part = {sign * dvec3_dot(u, p), dvec3_scale(dvec3_cross(p, u), sign)};
    return part;
}

static tni_wheel_angle wheel_make_angle(wheel_part sine, wheel_part cosine, tni_dvec3 fallback) {
    double square = sine.value * sine.value + cosine.value * cosine.value;
    tni_wheel_angle angle = {tni_maths_atan2(sine.value, cosine.value), fallback};
    if (square > WHEEL_DEGENERATE) {
        tni_dvec3 sum = dvec3_scale(sine.gradient, cosine.value / square);
        angle.direction = dvec3_add_scaled(sum, -sine.value / square, cosine.gradient);
    }
    return angle;
}

tni_wheel_angle tni_wheel_measure_steering(const tni_axes *frame_a, const tni_axes *frame_b) {
    return wheel_make_angle(wheel_get_part(frame_a->y, frame_b->z, -1.0),
                            wheel_get_part(frame_a->z, frame_b->z, 1.0), frame_a->x);
}

tni_wheel_angle tni_wheel_measure_spin(const tni_axes *frame_a, const tni_axes *frame_b) {
    return wheel_make_angle(wheel_get_part(frame_a->x, frame_b->y, -1.0),
                            wheel_get_part(frame_a->x, frame_b->x, 1.0), frame_b->z);
}

static tni_scalar wheel_make_scalar(tni_wheel_angle angle) {
    return tni_scalar_of_angle(angle.direction, angle.angle);
}

// Returns the axes of a frame with z first.
static tni_axes wheel_begin_with_axle(const tni_axes *axes) {
    tni_axes turned = {axes->z, axes->x, axes->y};
    return turned;
}

static tni_row_count wheel_count_rows(const tni_joint *joint) {
    const tn_wheel_joint_def *def = &joint->def.wheel;
    uint32_t equalities = def->has_steering ? 3 : 4;
    uint32_t steering =
        tni_motor_count_rows(&def->steering_motor) + tni_limit_count_rows(&def->steering_limit);
    uint32_t bounded =
        tni_spring_count_rows(&def->suspension) + tni_motor_count_rows(&def->spin_motor) +
        tni_limit_count_rows(&def->suspension_limit) + (def->has_steering ? steering : 0);
    tni_row_count count = {equalities + bounded, equalities, 0, 2};
    return count;
}

// ---- rows --------------------------------------------------------------------------------------

static void wheel_add_axle(const tni_axes *frame_a, tni_dvec3 axle, bool is_steered,
                           tni_rows *out) {
    if (is_steered) {
        tni_rows_add_across(out, frame_a->x, axle);
        return;
    }
    tni_axes from_a = wheel_begin_with_axle(frame_a);
    tni_rows_add_axis(out, &from_a, axle);
}

static tni_scalar wheel_make_steering(const tni_joint *joint, const tni_axes *frame_a,
                                      const tni_axes *frame_b) {
    tni_scalar scalar = wheel_make_scalar(tni_wheel_measure_steering(frame_a, frame_b));
    return tni_twist_wind_scalar(joint, &joint->def.wheel.steering_limit, 0, scalar);
}

static void wheel_emit_bounded(const tni_joint *joint, const tni_scalar *length,
                               const tni_axes *frame_a, const tni_axes *frame_b, tni_row *rows) {
    const tn_wheel_joint_def *def = &joint->def.wheel;
    rows += tni_spring_emit(length, &def->suspension, NULL, rows);
    if (def->spin_motor.mode != TN_MOTOR_MODE_OFF) {
        tni_scalar spin = wheel_make_scalar(tni_wheel_measure_spin(frame_a, frame_b));
        rows += tni_motor_emit(&spin, &def->spin_motor, NULL, rows);
    }
    if (def->has_steering) {
        tni_scalar steering = wheel_make_steering(joint, frame_a, frame_b);
        rows += tni_motor_emit(&steering, &def->steering_motor, &def->steering_limit, rows);
        rows += tni_limit_emit(&steering, &def->steering_limit, rows);
    }
    tni_limit_emit(length, &def->suspension_limit, rows);
}

static void wheel_emit(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                       tni_rows *out) {
    tni_frames frames = tni_frames_measure(joint, a, b);
    const tni_dvec3 across[2] = {frames.a.y, frames.a.z};
    tni_rows_add_along(out, &frames.point, across, 2);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    wheel_add_axle(&frames.a, frame_b.z, joint->def.wheel.has_steering, out);
    if (out->bounded != NULL) {
        tni_scalar length = tni_along_make_moving(&frames.point, frames.a.x, out);
        wheel_emit_bounded(joint, &length, &frames.a, &frame_b, out->bounded);
    }
}

// ---- values ------------------------------------------------------------------------------------

// Returns the swing by which the axle is off; if it is steered, only the part that is not steering.
static tni_dvec3 wheel_get_axle_error(const tni_joint *joint, const tni_axes *frame_a,
                                      const tni_axes *frame_b) {
    const tn_wheel_joint_def *def = &joint->def.wheel;
    if (!def->has_steering) {
        tni_axes from_a = wheel_begin_with_axle(frame_a);
        tni_swing swing = tni_axis_measure_swing(&from_a, frame_b->z);
        return dvec3_scale(swing.axis, swing.angle);
    }
    tni_dvec3 across = dvec3_cross(frame_b->z, frame_a->x);
    double along = dvec3_dot(frame_a->x, frame_b->z), length = dvec3_length(across);
    tni_scalar steering = wheel_make_steering(joint, frame_a, frame_b);
    double angle = tni_maths_atan2(along, length) * maths_inverse_or_zero_d(length);
    double excess = tni_limit_get_excess(&steering, &def->steering_limit);
    return dvec3_add_scaled(dvec3_scale(across, angle), excess, frame_a->x);
}

static tn_joint_error wheel_measure_error(const tni_joint *joint, const tni_body_motion *a,
                                          const tni_body_motion *b) {
    const tn_wheel_joint_def *def = &joint->def.wheel;
    tni_frames frames = tni_frames_measure(joint, a, b);
    // Along the free axis only the distance past a limit counts.
    tni_dvec3 linear = tni_error_past(&frames.point, frames.a.x, &def->suspension_limit);
    tni_axes frame_b = tni_axes_of_vectors(&joint->vectors_b, b);
    return tni_error_make(&frames.a, linear, wheel_get_axle_error(joint, &frames.a, &frame_b));
}

static tni_joint_value wheel_measure_value(const tni_joint *joint, uint32_t index,
                                           const tni_body_motion *a, const tni_body_motion *b) {
    (void)index;
    tni_point point = tni_point_measure(joint, a, b);
    return tni_along_measure(&point, tni_axes_of_frame(&joint->frame_a, a).x, a, b);
}

static bool wheel_measure_turning(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b, tni_joint_value turning[2]) {
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    tni_wheel_angle steering = tni_wheel_measure_steering(&frame_a, &frame_b);
    tni_dvec3 relative = dvec3_sub(b->angular_velocity, a->angular_velocity);
    turning[0] = (tni_joint_value){steering.angle, dvec3_dot(steering.direction, relative)};
    turning[1] = (tni_joint_value){0.0, 0.0};
    return true;
}

static const tn_limit *wheel_get_wound(const tni_joint *joint, uint32_t index) {
    const tn_wheel_joint_def *def = &joint->def.wheel;
    bool is_steering = index == 0 && def->has_steering;
    return is_steering ? tni_twist_get_wound(&def->steering_limit) : NULL;
}

static const tni_joint_counter wheel_counter = {.measure_turning = wheel_measure_turning,
                                                .get_wound = wheel_get_wound};

const tni_joint_kind tni_wheel_joint_kind = {.count_rows = wheel_count_rows,
                                             .emit = wheel_emit,
                                             .measure_error = wheel_measure_error,
                                             .measure_value = wheel_measure_value,
                                             .counter = &wheel_counter};
