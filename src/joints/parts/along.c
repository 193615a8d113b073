// joints/parts/along.c: how far the anchor of b is along one axis of frame a.
//
// Symbols and rows as in point.c, "along n fixed to a":
//     C = n . d    lin_a = -n   ang_a = -((r_a + d) x n)   lin_b = n   ang_b = r_b x n
//     Jdot v = n . g,   g = d'' + 2 d' x w_a + w_a x (w_a x d)
// Source: as in point.c.
// Test: tests/joints/test_rows.c
#include "joints/parts/along.h"

tni_scalar tni_along_make_scalar(const tni_point *point, tni_dvec3 n) {
    tni_scalar scalar = {.value = dvec3_dot(n, point->d)};
    scalar.lin_b = tni_pin_vector(n);
    scalar.lin_a = tni_scalar_turn(scalar.lin_b);
    scalar.ang_a = tni_pin_vector(dvec3_cross(n, dvec3_add(point->r_a, point->d)));
    scalar.ang_b = tni_pin_vector(dvec3_cross(point->r_b, n));
    return scalar;
}

tni_dvec3 tni_along_get_drift(const tni_point *point, const tni_body_motion *a,
                              const tni_body_motion *b) {
    tni_dvec3 w = a->angular_velocity, rate = tni_point_get_rate(point, a, b);
    tni_dvec3 g = tni_point_get_centripetal(point, a, b);
    g = dvec3_add_scaled(g, 2.0, dvec3_cross(rate, w));
    return dvec3_add(g, dvec3_cross(w, dvec3_cross(w, point->d)));
}

void tni_along_emit(const tni_point *point, tni_dvec3 n, tni_dvec3 drift, tni_row *row) {
    tni_scalar scalar = tni_along_make_scalar(point, n);
    tni_scalar_emit_row(&scalar, row, TNI_ROW_RIGID, TNI_ROLE_JOINT, scalar.value);
    row->velocity_term = (float)dvec3_dot(n, drift);
}

tni_joint_value tni_along_measure(const tni_point *point, tni_dvec3 n, const tni_body_motion *a,
                                  const tni_body_motion *b) {
    tni_dvec3 axis_rate = dvec3_cross(a->angular_velocity, n);
    tni_joint_value value = {dvec3_dot(n, point->d), dvec3_dot(n, tni_point_get_rate(point, a, b)) +
                                                         dvec3_dot(axis_rate, point->d)};
    return value;
}
