// joints/parts/point.c: rows that hold two anchors together.
//
// Symbols: x_a, x_b centres of mass; r_a, r_b from them to the anchors; p = x + r the anchors;
// v, w velocity and angular velocity; d = p_b - p_a. All in world axes.
//
// All three axes:      C = d
//                      C' = v_b + w_b x r_b - v_a - w_a x r_a
//                      row i, e the i-th axis of the world:
//                      lin_a = -e   ang_a = -(r_a x e)   lin_b = e   ang_b = r_b x e
//                      Jdot v = e . (w_b x (w_b x r_b) - w_a x (w_a x r_a))
//                      K = (1/m_a + 1/m_b) 1 - [r_a] I_a^-1 [r_a] - [r_b] I_b^-1 [r_b], the
//                      inverse of the effective mass, [r] the matrix of r x
// Along n fixed to a:  C = n . d,   n' = w_a x n
//                      C' = n . d' + (w_a x n) . d = n . d' + w_a . (n x d)
//                      lin_a = -n   ang_a = -((r_a + d) x n)   lin_b = n   ang_b = r_b x n
//                      Jdot v = n . d'' + 2 (w_a x n) . d' + (w_a x (w_a x n)) . d = n . g
//                      g = d'' + 2 d' x w_a + w_a x (w_a x d)
// Signs: C grows when b moves along the axis.
// Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, section 3 (C, its two
// derivatives, J W J^T); D. Baraff, "Rigid body simulation", the same notes, section 2 (velocity of
// a point of a body).
// Test: tests/joints/test_rows.c
#include "joints/parts/point.h"

tni_dvec3 tni_point_get_rate(const tni_point *point, const tni_body_motion *a,
                             const tni_body_motion *b) {
    tni_dvec3 of_a = dvec3_add(a->velocity, dvec3_cross(a->angular_velocity, point->r_a));
    tni_dvec3 of_b = dvec3_add(b->velocity, dvec3_cross(b->angular_velocity, point->r_b));
    return dvec3_sub(of_b, of_a);
}

// w x (w x r) = w (w . r) - r |w|^2
static tni_dvec3 point_centripetal(tni_dvec3 w, tni_dvec3 r) {
    return dvec3_add_scaled(dvec3_scale(w, dvec3_dot(w, r)), -dvec3_dot(w, w), r);
}

tni_dvec3 tni_point_get_centripetal(const tni_point *point, const tni_body_motion *a,
                                    const tni_body_motion *b) {
    return dvec3_sub(point_centripetal(b->angular_velocity, point->r_b),
                     point_centripetal(a->angular_velocity, point->r_a));
}

tni_f4 tni_point_get_drift(const tni_point *point, const tni_body_motion *a,
                           const tni_body_motion *b) {
    tni_f4 w_a = tni_pin_vector(a->angular_velocity), w_b = tni_pin_vector(b->angular_velocity);
    tni_f4 of_a = f4_cross(w_a, tni_pin_vector(point->r_a));
    tni_f4 of_b = f4_cross(w_b, tni_pin_vector(point->r_b));
    tni_f4 rate = f4_add(tni_pin_vector(dvec3_sub(b->velocity, a->velocity)), f4_sub(of_b, of_a));
    tni_f4 with_a = f4_sub(f4_cross(w_a, tni_pin_vector(point->d)), of_a);
    with_a = f4_sub(with_a, f4_add(rate, rate));
    return f4_yzx(f4_add(f4_cross_turned(w_b, of_b), f4_cross_turned(w_a, with_a)));
}
