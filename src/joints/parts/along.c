// joints/parts/along.c: the position of the anchor of b along one axis of frame a.
//
// Symbols and rows are those of point.c, "along n fixed to a"; s = r_a + d:
//     C = n . d    lin_a = -n   ang_a = -(s x n)   lin_b = n   ang_b = r_b x n
//     Jdot v = n . g,   g = d'' + 2 d' x w_a + w_a x (w_a x d)
//     Curvature (curvature.h): for b a force x n at r_b;  for a, whose turns carry n along,
//     turns -x [(n s^T + s n^T)/2 - (n . s) 1], between shift and turn -x [n]
// Source: as in point.c.
// Test: tests/joints/test_rows.c, tests/joints/test_exact_rows.c
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

tni_scalar tni_along_make_moving(const tni_point *point, tni_dvec3 n, const tni_rows *out) {
    tni_scalar scalar = tni_along_make_scalar(point, n);
    if (!out->is_still) {
        scalar.acceleration = dvec3_dot(n, tni_along_get_drift(point, out->ends[0], out->ends[1]));
    }
    return scalar;
}

static void along_add_curvature(const tni_point *point, tni_dvec3 n, uint32_t own,
                                tni_curvature *curvature) {
    double(*k)[6] = curvature_get_end(curvature, own, true);
    curvature_add_turns(curvature_get_end(curvature, 1 - own, false), 1.0, n, point->r_b);
    curvature_add_turns(k, 1.0, n, dvec3_add(point->r_a, point->d));
    curvature_add_mixed(k, n);
}

// Returns the row of n . d, which acts between the body `own` and the other one.
static tni_exact_row along_make_row(const tni_point *point, tni_dvec3 n, uint32_t own) {
    tni_exact_row row;
    row.ends[own].linear = dvec3_scale(n, -1.0);
    row.ends[own].angular = dvec3_cross(n, dvec3_add(point->r_a, point->d));
    row.ends[1 - own].linear = n;
    row.ends[1 - own].angular = dvec3_cross(point->r_b, n);
    row.error = dvec3_dot(n, point->d);
    return row;
}

void tni_rows_put_along(const tni_rows *out, uint32_t r, const tni_point *point, tni_dvec3 n,
                        uint32_t own) {
    if (out->exact != NULL) {
        tni_exact_row row = along_make_row(point, n, own);
        for (int c = 0; c < 12; ++c) {
            out->exact[r].jacobian[c] += row.jacobian[c];
        }
    }
    if (out->terms != NULL) {
        tni_dvec3 g = tni_along_get_drift(point, out->ends[own], out->ends[1 - own]);
        out->terms[r] += dvec3_dot(n, g);
    }
    if (out->curvature != NULL) {
        along_add_curvature(point, dvec3_scale(n, out->strengths[r]), own, out->curvature);
    }
}

void tni_along_write(const tni_point *point, const tni_dvec3 *directions, uint32_t count,
                     tni_rows *out, uint32_t first) {
    tni_dvec3 g = dvec3_make(0.0, 0.0, 0.0);
    if (out->terms != NULL) {
        g = tni_along_get_drift(point, out->ends[0], out->ends[1]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        tni_dvec3 n = directions[i];
        if (out->exact != NULL) {
            out->exact[first + i] = along_make_row(point, n, 0);
        }
        tni_rows_set_term(out, first + i, dvec3_dot(n, g));
        if (out->curvature != NULL) {
            tni_dvec3 force = dvec3_scale(n, out->strengths[first + i]);
            along_add_curvature(point, force, 0, out->curvature);
        }
        if (out->pin != NULL) {
            out->pin->plane[i] = tni_pin_vector(n);
        }
    }
    if (out->pin != NULL) {
        out->pin->r_a = tni_pin_vector(dvec3_add(point->r_a, point->d));
        out->pin->r_b = tni_pin_vector(point->r_b);
    }
}

tni_joint_value tni_along_measure(const tni_point *point, tni_dvec3 n, const tni_body_motion *a,
                                  const tni_body_motion *b) {
    tni_dvec3 axis_rate = dvec3_cross(a->angular_velocity, n);
    tni_joint_value value = {dvec3_dot(n, point->d), dvec3_dot(n, tni_point_get_rate(point, a, b)) +
                                                         dvec3_dot(axis_rate, point->d)};
    return value;
}
