// joints/parts/axis.c: the x axes of two frames.
//
// Symbols: x_a, y_a, z_a axes of frame a (they turn with body a); x_b x axis of frame b;
// w_a, w_b angular velocities; D = w_b - w_a. All in world axes.
//
// Parallel:  C = u . x_b  for u = y_a and u = z_a
//            C' = (w_a x u) . x_b + u . (w_b x x_b) = (x_b x u) . D
//            ang_a = -(x_b x u)   ang_b = x_b x u
//            Jdot v = (w_a x (w_a x u)) . x_b + 2 (w_a x u) . (w_b x x_b) + u . (w_b x (w_b x x_b))
//                   = (w_b . u) (D . x_b) - (w_a . x_b) (D . u) - C |D|^2
//            Signs: turning b about z_a makes the first C grow, about y_a the second fall.
//            C is the sine of the error: past 90 degrees it would pull toward opposite axes. There
//            the rows pull the shortest way home instead: C = a n . z_a and -a n . y_a (a the swing
//            angle, n its axis), rows z_a and -y_a, no velocity term.
// Swing:     angle = atan2(|x_a x x_b|, x_a . x_b),  angle' = n . D,  n = x_a x x_b / |x_a x x_b|
//            Where the axes are aligned or opposite n is y_a: any axis perpendicular to x_a will
//            do.
// Twist:     twist = 2 atan2(q_x, q_w) of the relative rotation q, see angle.c, which is
//            atan2(2 q_x q_w, q_w^2 - q_x^2)
//            = atan2(y_b . z_a - z_b . y_a, y_b . y_a + z_b . z_a);
//            twist' = t . D,  t = (x_a + x_b) / (1 + x_a . x_b)
//            t grows as 1 / cos(swing / 2); beyond 120 degrees, where the twist means little, its
//            length is held at 2, and where the axes are opposite it is x_a. A swing that goes past
//            the opposite turns the twist by any angle at once: a limit that is passed so must not
//            throw the bodies. From 120 degrees on the share |x_a + x_b|^2 of it is fed back, which
//            is 1 there and 0 at the opposite.
// Source: the derivatives are of A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997;
// swing and twist after F. S. Grassia, "Practical parameterization of rotations using the
// exponential map", Journal of Graphics Tools 3(3), 1998, section 5; t follows by differentiating.
// Test: tests/joints/test_rows.c
#include "joints/parts/axis.h"

// Below this sine, or square of the sum, the direction is taken from the named fallback instead.
#define AXIS_DEGENERATE 1e-9
// The greatest length of the twist direction.
#define AXIS_LONGEST_TWIST 2.0

tni_axes tni_axes_from_rotation(tni_dquat rotation) {
    tni_dmat3 r = dmat3_from_quat(rotation);
    tni_axes axes = {{r.m[0][0], r.m[1][0], r.m[2][0]},
                     {r.m[0][1], r.m[1][1], r.m[2][1]},
                     {r.m[0][2], r.m[1][2], r.m[2][2]}};
    return axes;
}

tni_axes tni_axes_of_frame(const tni_dpose *frame, const tni_body_motion *body) {
    return tni_axes_from_rotation(dquat_mul(body->rotation, frame->rotation));
}

tni_swing tni_axis_measure_swing(const tni_axes *frame_a, tni_dvec3 x_b) {
    tni_dvec3 cross = dvec3_cross(frame_a->x, x_b);
    double sine = dvec3_length(cross);
    tni_swing swing = {tni_maths_atan2(sine, dvec3_dot(frame_a->x, x_b)), frame_a->y};
    if (sine > AXIS_DEGENERATE) {
        swing.axis = dvec3_scale(cross, 1.0 / sine);
    }
    return swing;
}

void tni_axis_emit_far(const tni_turned_frame *frame_a, tni_dvec3 x_b, tni_pin *pin) {
    tni_axes axes = tni_turned_axes(frame_a);
    tni_swing swing = tni_axis_measure_swing(&axes, x_b);
    tni_dvec3 error = dvec3_scale(swing.axis, swing.angle);
    pin->axis[0] = tni_pin_vector(axes.z);
    pin->axis[1] = tni_pin_vector(dvec3_scale(axes.y, -1.0));
    pin->turn_error = tni_pin_lanes(dvec3_dot(error, axes.z), -dvec3_dot(error, axes.y), 0.0);
    pin->turn_velocity_term = f4_splat(0.0f);
}

static tni_pair axis_lay_side_by_side(tni_dvec3 p, tni_dvec3 q) {
    tni_pair pair = {d2_make(p.x, q.x), d2_make(p.y, q.y), d2_make(p.z, q.z)};
    return pair;
}

void tni_axis_emit_rows(const tni_axes *frame_a, tni_dvec3 x_b, const tni_body_motion *a,
                        const tni_body_motion *b, tni_row *rows) {
    tni_dvec3 zero = dvec3_make(0.0, 0.0, 0.0);
    tni_turned_frame turned_a = {axis_lay_side_by_side(zero, frame_a->x),
                                 axis_lay_side_by_side(frame_a->y, frame_a->z)};
    tni_turned_frame turned_b = {axis_lay_side_by_side(zero, x_b),
                                 axis_lay_side_by_side(zero, zero)};
    tni_pin pin;
    tni_axis_emit(&turned_a, &turned_b, tni_pin_vector(a->angular_velocity),
                  tni_pin_vector(b->angular_velocity), &pin);
    tni_pin_write_turns(&pin, 2, rows);
}

double tni_axis_measure_twist(const tni_axes *frame_a, const tni_axes *frame_b) {
    double sine = dvec3_dot(frame_b->y, frame_a->z) - dvec3_dot(frame_b->z, frame_a->y);
    double cosine = dvec3_dot(frame_b->y, frame_a->y) + dvec3_dot(frame_b->z, frame_a->z);
    double twist = tni_maths_atan2(sine, cosine);
    return twist <= -MATHS_PI ? twist + 2.0 * MATHS_PI : twist;
}

// |x_a + x_b| = sqrt(2 (1 + x_a . x_b)), so that t = 2 sum / |sum|^2.
tni_dvec3 tni_axis_get_twist_direction(tni_dvec3 x_a, tni_dvec3 x_b) {
    tni_dvec3 sum = dvec3_add(x_a, x_b);
    double square = dvec3_dot(sum, sum);
    if (!(square > AXIS_DEGENERATE)) {
        return x_a;
    }
    bool is_short = square * AXIS_LONGEST_TWIST * AXIS_LONGEST_TWIST < 4.0;
    return dvec3_scale(sum, is_short ? AXIS_LONGEST_TWIST / sqrt(square) : 2.0 / square);
}

double tni_axis_get_twist_ease(tni_dvec3 x_a, tni_dvec3 x_b) {
    tni_dvec3 sum = dvec3_add(x_a, x_b);
    double square = dvec3_dot(sum, sum);
    return square < 1.0 ? 1.0 - square : 0.0;
}
