// joints/paths/field.c: a row that keeps a function of one point, as a body sees it, at zero.
//
// Symbols: p = R_a^T (p_b - x_a) the place of frame b's origin as body a sees it; C(p), with
// gradient n and second derivatives H, both in world axes; s = p_b - x_a = r_a + d; u the velocity
// of p_b as body a sees it.
//
//   u = v_b + w_b x r_b - v_a - w_a x s
//   C' = n . u, so that the row is that of a point along n fixed to a (parts/along.c)
//   Jdot v = n . g + u . H u, with g as in parts/along.c
//   K is that of parts/along.c, and, since n turns, for each body -x P^T H P,
//   P = [1, -[r_b]] for b and [1, -[s]] for a, [r] the matrix of r x
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997, section 3 (implicit
// functions as constraints and their second derivatives).
// Test: tests/joints/test_rows.c, tests/joints/test_exact_rows.c
#include "joints/paths/field.h"

#include "joints/parts/along.h"

void tni_field_add_product(tni_field *field, double s, tni_dvec3 p, tni_dvec3 q) {
    const double left[3] = {p.x, p.y, p.z}, right[3] = {q.x, q.y, q.z};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            field->second.m[i][j] += 0.5 * s * (left[i] * right[j] + right[i] * left[j]);
        }
    }
}

tni_dvec3 tni_field_get_velocity(const tni_point *point, const tni_body_motion *a,
                                 const tni_body_motion *b) {
    return dvec3_sub(tni_point_get_rate(point, a, b), dvec3_cross(a->angular_velocity, point->d));
}

double tni_field_measure_term(const tni_field *field, const tni_point *point,
                              const tni_body_motion *a, const tni_body_motion *b) {
    tni_dvec3 u = tni_field_get_velocity(point, a, b);
    return dvec3_dot(field->gradient, tni_along_get_drift(point, a, b)) +
           dvec3_dot(u, dmat3_mul_vec(&field->second, u));
}

// k -= x P^T H P for a point at r.
static void field_add_body(const tni_dmat3 *h, tni_dvec3 r, double x, double k[6][6]) {
    const double p[3][6] = {{1.0, 0.0, 0.0, 0.0, r.z, -r.y},
                            {0.0, 1.0, 0.0, -r.z, 0.0, r.x},
                            {0.0, 0.0, 1.0, r.y, -r.x, 0.0}};
    double hp[3][6];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 6; ++j) {
            hp[i][j] = h->m[i][0] * p[0][j] + h->m[i][1] * p[1][j] + h->m[i][2] * p[2][j];
        }
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            k[i][j] -= x * (p[0][i] * hp[0][j] + p[1][i] * hp[1][j] + p[2][i] * hp[2][j]);
        }
    }
}

void tni_rows_add_field(tni_rows *out, const tni_field *field, const tni_point *point) {
    uint32_t r = tni_rows_begin(out, false);
    tni_rows_put_along(out, r, point, field->gradient, 0);
    tni_rows_set_error(out, r, field->value);
    if (out->terms != NULL) {
        tni_dvec3 u = tni_field_get_velocity(point, out->ends[0], out->ends[1]);
        out->terms[r] += dvec3_dot(u, dmat3_mul_vec(&field->second, u));
    }
    if (out->curvature != NULL) {
        double x = out->strengths[r];
        field_add_body(&field->second, dvec3_add(point->r_a, point->d), x,
                       curvature_get_end(out->curvature, 0, true));
        field_add_body(&field->second, point->r_b, x, curvature_get_end(out->curvature, 1, true));
    }
}
