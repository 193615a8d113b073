// joints/parts/cross.c: the cross of a Cardan joint: its arms stay perpendicular.
//
// Symbols: x_a, y_a, z_a and x_b, y_b, z_b axes of the frames; y_a is the arm that is fixed to body
// a, z_b that fixed to b; w_a, w_b angular velocities; D = w_b - w_a. All in world axes.
//
// Arms:     C = y_a . z_b,  C' = u . D,  u = z_b x y_a
//           ang_a = -u   ang_b = u
//           Jdot v = (w_b . y_a) (D . z_b) - (w_a . z_b) (D . y_a) - C |D|^2
//
// This is what axis.c says of two axes that stay perpendicular. At any angles C = 0 is a pose of
// the joint, even if the frames are half a turn apart about x, so that no pose is far off, unlike
// with other turns. If the arms are parallel u has no direction, and is x_a.
//
// Angles:   frame b is frame a turned by alpha about y, then by gamma about its own z, so that z_b
//           is R_y(alpha) z seen from frame a, and y_a is R_z(-gamma) y seen from frame b:
//
//           alpha = atan2(z_b . x_a, z_b . z_a)    gamma = atan2(y_a . x_b, y_a . y_b)
//           alpha' = s . D,  s = (y_a - C z_b) / (1 - C^2)
//           gamma' = t . D,  t = (z_b - C y_a) / (1 - C^2)
//
// s and t are dual to the arms: D = alpha' y_a + gamma' z_b + a part along u. They grow as
// 1 / sqrt(1 - C^2), and are held at the length of 2.
//
// Error:    the turn of b away from the right angle: atan2(C, |u|) about u.
// Source: the joint after R. Hooke, "A description of helioscopes", 1676; derivatives as in axis.c.
// Test: tests/joints/test_rows.c, tests/joints/test_universal_joint.c
#include "joints/parts/cross.h"

#include "joints/parts/axis.h"

// The arms are parallel if the square of their sine is below this.
#define CROSS_DEGENERATE 1e-18
// The greatest length of the directions of the angles.
#define CROSS_LONGEST 2.0

tni_cross tni_cross_make(const tni_axes *frame_a, const tni_axes *frame_b) {
    tni_cross cross = {*frame_a, *frame_b, dvec3_dot(frame_a->y, frame_b->z)};
    return cross;
}

tni_cross tni_cross_measure(const tni_joint *joint, const tni_body_motion *a,
                            const tni_body_motion *b) {
    tni_axes frame_a = tni_axes_of_frame(&joint->frame_a, a);
    tni_axes frame_b = tni_axes_of_frame(&joint->frame_b, b);
    return tni_cross_make(&frame_a, &frame_b);
}

void tni_rows_add_cross(tni_rows *out, const tni_cross *cross) {
    tni_dvec3 u = dvec3_cross(cross->frame_b.z, cross->frame_a.y);
    if (out->goes_home && !(dvec3_dot(u, u) > CROSS_DEGENERATE)) {
        tni_rows_set_term(out, tni_rows_add_turn(out, cross->frame_a.x, cross->error), 0.0);
        return;
    }
    tni_rows_add_across(out, cross->frame_a.y, cross->frame_b.z);
}

static double cross_get_angle(const tni_cross *cross, uint32_t index) {
    const tni_axes *a = &cross->frame_a, *b = &cross->frame_b;
    double sine = index == 0 ? dvec3_dot(b->z, a->x) : dvec3_dot(a->y, b->x);
    double cosine = index == 0 ? dvec3_dot(b->z, a->z) : dvec3_dot(a->y, b->y);
    double angle = tni_maths_atan2(sine, cosine);
    return angle <= -MATHS_PI ? angle + 2.0 * MATHS_PI : angle;
}

// Returns s or t.
static tni_dvec3 cross_get_direction(const tni_cross *cross, uint32_t index) {
    tni_dvec3 own = index == 0 ? cross->frame_a.y : cross->frame_b.z;
    tni_dvec3 other = index == 0 ? cross->frame_b.z : cross->frame_a.y;
    double square = 1.0 - cross->error * cross->error;
    if (!(square > CROSS_DEGENERATE)) {
        return own;
    }
    tni_dvec3 across = dvec3_add_scaled(own, -cross->error, other);
    bool is_short = square * CROSS_LONGEST * CROSS_LONGEST < 1.0;
    return dvec3_scale(across, is_short ? CROSS_LONGEST / sqrt(square) : 1.0 / square);
}

tni_scalar tni_cross_make_angle(const tni_cross *cross, uint32_t index) {
    return tni_scalar_of_angle(cross_get_direction(cross, index), cross_get_angle(cross, index));
}

tni_joint_value tni_cross_measure_angle(const tni_cross *cross, uint32_t index,
                                        const tni_body_motion *a, const tni_body_motion *b) {
    tni_dvec3 relative = dvec3_sub(b->angular_velocity, a->angular_velocity);
    tni_joint_value value = {cross_get_angle(cross, index),
                             dvec3_dot(cross_get_direction(cross, index), relative)};
    return value;
}

tni_dvec3 tni_cross_get_error(const tni_cross *cross) {
    tni_dvec3 u = dvec3_cross(cross->frame_b.z, cross->frame_a.y);
    double sine = dvec3_length(u);
    tni_dvec3 axis = sine * sine > CROSS_DEGENERATE ? dvec3_scale(u, 1.0 / sine) : cross->frame_a.x;
    return dvec3_scale(axis, tni_maths_atan2(cross->error, sine));
}
