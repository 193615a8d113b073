// joints/parts/axis.c: the x axes of two frames.
//
// Symbols: x_a, y_a, z_a axes of frame a (they turn with body a); x_b x axis of frame b;
// w_a, w_b angular velocities; D = w_b - w_a. All in world axes.
//
// Across:    C = u . w, u fixed to a and w fixed to b: the sine of the deviation from a right angle
//            C' = (w_a x u) . w + u . (w_b x w) = (w x u) . D
//            ang_a = -(w x u)   ang_b = w x u
//            Jdot v = (w_a x (w_a x u)) . w + 2 (w_a x u) . (w_b x w) + u . (w_b x (w_b x w))
//                   = (w_b . u) (D . w) - (w_a . w) (D . u) - C |D|^2
//            Curvature of each body: x [(u . w) 1 - (u w^T + w u^T)/2]
//            C is zero only where u and w are perpendicular, so that it pulls them there from any
//            pose but one in which they are parallel.
// Parallel:  x_b stays perpendicular to y_a and to z_a.
//            Signs: turning b about z_a makes the first C grow, about y_a the second fall.
//            C is the sine of the error: past 90 degrees it would pull toward opposite axes. In
//            sweeps rows pull along the shortest turn there: C = a n . z_a and -a n . y_a (a the
//            swing angle, n its axis), with rows z_a and -y_a and no velocity term.
// Swing:     angle = atan2(|x_a x x_b|, x_a . x_b),  angle' = n . D,  n = x_a x x_b / |x_a x x_b|
//            If the axes are aligned or opposite, n is y_a: any axis perpendicular to x_a will do.
//            Jdot v = [c (|D|^2 - angle'^2) + (x_a . D) (x_b . w_a) - (x_b . D) (x_a . w_b)] / sine
//            c = x_a . x_b. Near the middle it grows as 1 / sine, and the way is no parabola.
// Twist:     twist = 2 atan2(q_x, q_w) of the relative rotation q, see angle.c, which is
//            atan2(2 q_x q_w, q_w^2 - q_x^2)
//            = atan2(y_b . z_a - z_b . y_a, y_b . y_a + z_b . z_a);
//            twist' = t . D,  t = (x_a + x_b) / (1 + x_a . x_b)
//            Jdot v = t . (w_b x w_a) + twist' D . (x_a x x_b) / (1 + c)
//            t grows as 1 / cos(swing / 2). Beyond 120 degrees, where the twist is ill-defined, its
//            length is held at 2, and if the axes are opposite it is x_a. A swing that passes the
//            opposite direction turns the twist by any angle at once: a limit that is violated in
//            this way must not throw the bodies. From 120 degrees on the share |x_a + x_b|^2 of the
//            violation is corrected, which is 1 there and 0 at the opposite.
// Source: the derivatives are of A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997;
// swing and twist after F. S. Grassia, "Practical parameterization of rotations using the
// exponential map", Journal of Graphics Tools 3(3), 1998, section 5; t follows by differentiating.
// Test: tests/joints/test_rows.c, tests/joints/test_exact_rows.c, tests/joints/test_whirls.c
#include "joints/parts/axis.h"

#include "joints/parts/curvature.h"

// Below this sine, or square of the sum, the direction is the fallback named above.
#define AXIS_DEGENERATE 1e-9
// The greatest length of the twist direction.
#define AXIS_LONGEST_TWIST 2.0
// Below this sine the way of a swing is taken as straight.
#define AXIS_LEAST_BEND 0.05

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

// Adds `count` rows of vectors u of a, side by side, that stay perpendicular to w of b.
static inline void axis_add(tni_rows *out, const tni_pair *u, tni_dvec3 w, uint32_t count) {
    tni_pair of_b = pair_make(w, w), j = pair_cross(&of_b, u);
    tni_d2 error = pair_dot(u, &of_b);
    uint32_t r = tni_rows_add_turn(out, pair_first(&j), d2_low(error));
    if (count > 1) {
        tni_rows_add_turn(out, pair_second(&j), d2_high(error));
    }
    if (out->terms != NULL) {
        tni_dvec3 w_a = out->ends[0]->angular_velocity, w_b = out->ends[1]->angular_velocity;
        tni_dvec3 relative = dvec3_sub(w_b, w_a);
        tni_pair spin = pair_make(w_b, w_b), change = pair_make(relative, relative);
        tni_d2 term = d2_mul(pair_dot(u, &spin), d2_splat(dvec3_dot(relative, w)));
        term = d2_sub(term, d2_mul(pair_dot(u, &change), d2_splat(dvec3_dot(w_a, w))));
        term = d2_sub(term, d2_mul(error, d2_splat(dvec3_dot(relative, relative))));
        out->terms[r] = d2_low(term);
        if (count > 1) {
            out->terms[r + 1] = d2_high(term);
        }
    }
}

// Adds the curvature of `count` rows whose vectors of a, times their strengths, sum to u.
static void axis_add_curvature(tni_rows *out, tni_dvec3 u, tni_dvec3 w, uint32_t count) {
    curvature_add_turns(out->curvature->a, 1.0, u, w);
    curvature_add_turns(out->curvature->b, 1.0, u, w);
    tni_rows_add(out, count);
}

void tni_rows_add_across(tni_rows *out, tni_dvec3 u, tni_dvec3 w) {
    if (out->curvature != NULL) {
        axis_add_curvature(out, dvec3_scale(u, out->strengths[out->count]), w, 1);
        return;
    }
    tni_pair twice = pair_make(u, u);
    axis_add(out, &twice, w, 1);
}

static void axis_add_far(tni_rows *out, const tni_axes *frame_a, tni_dvec3 x_b) {
    tni_swing swing = tni_axis_measure_swing(frame_a, x_b);
    tni_dvec3 error = dvec3_scale(swing.axis, swing.angle);
    uint32_t r = tni_rows_add_turn(out, frame_a->z, dvec3_dot(error, frame_a->z));
    tni_rows_add_turn(out, dvec3_scale(frame_a->y, -1.0), -dvec3_dot(error, frame_a->y));
    tni_rows_set_term(out, r, 0.0);
    tni_rows_set_term(out, r + 1, 0.0);
}

void tni_axis_write(const tni_axes *frame_a, tni_dvec3 x_b, tni_rows *out) {
    if (out->goes_home && dvec3_dot(frame_a->x, x_b) < 0.0) {
        axis_add_far(out, frame_a, x_b);
        return;
    }
    if (out->curvature != NULL) {
        const double *x = out->strengths + out->count;
        tni_dvec3 u = dvec3_add_scaled(dvec3_scale(frame_a->y, x[0]), x[1], frame_a->z);
        axis_add_curvature(out, u, x_b, 2);
        return;
    }
    tni_pair y_z = pair_make(frame_a->y, frame_a->z);
    axis_add(out, &y_z, x_b, 2);
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

// Returns no term for a swing past the one at which t is held at its greatest length.
double tni_axis_get_twist_term(tni_dvec3 x_a, tni_dvec3 x_b, tni_dvec3 w_a, tni_dvec3 w_b) {
    double sum = 1.0 + dvec3_dot(x_a, x_b);
    if (sum * AXIS_LONGEST_TWIST * AXIS_LONGEST_TWIST < 2.0) {
        return 0.0;
    }
    tni_dvec3 change = dvec3_sub(w_b, w_a), both = dvec3_add(x_a, x_b);
    double bend = dvec3_dot(both, dvec3_cross(w_b, w_a)) / sum;
    double rate = dvec3_dot(both, change) / sum;
    return bend + rate * dvec3_dot(change, dvec3_cross(x_a, x_b)) / sum;
}

double tni_axis_get_swing_term(tni_dvec3 x_a, tni_dvec3 x_b, tni_dvec3 w_a, tni_dvec3 w_b) {
    tni_dvec3 change = dvec3_sub(w_b, w_a), cross = dvec3_cross(x_a, x_b);
    double sine = dvec3_length(cross);
    if (sine < AXIS_LEAST_BEND) {
        return 0.0;
    }
    double rate = dvec3_dot(cross, change) / sine;
    double square = dvec3_dot(change, change) - rate * rate;
    double mixed =
        dvec3_dot(x_a, change) * dvec3_dot(x_b, w_a) - dvec3_dot(x_b, change) * dvec3_dot(x_a, w_b);
    return (dvec3_dot(x_a, x_b) * square + mixed) / sine;
}

double tni_axis_get_twist_ease(tni_dvec3 x_a, tni_dvec3 x_b) {
    tni_dvec3 sum = dvec3_add(x_a, x_b);
    double square = dvec3_dot(sum, sum);
    return square < 1.0 ? 1.0 - square : 0.0;
}
