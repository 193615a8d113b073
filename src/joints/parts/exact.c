// joints/parts/exact.c: the rows of the other parts in double, and their curvature.
//
// The rows are those of point.c, axis.c and angle.c; symbols as there. Second derivatives follow
// from exp(t) r = r + t x r + t x (t x r) / 2 + ..., for turns t of a body:
//
// A force f on a body at r from its centre, fixed direction, point fixed to the body:
//     C = f . (x + r),   d^2C(t, t) = (f . t)(r . t) - (f . r) |t|^2
//     K = (f . r) 1 - (f r^T + r f^T) / 2              (turns only; tension stiffens)
// Along n, fixed to a, s = p_b - x_a:   C = n . s + const
//     of b: a force x n at r_b;  of a: turns -x [(n s^T + s n^T)/2 - (n . s) 1],
//     between shift and turn -x [n]x, because the shift of a counts along the turned n
// Perpendicular, C = u . w, u on a and w on b:
//     K_aa = K_bb = x [(u . w) 1 - (u w^T + w u^T)/2];  of axes w is x_b
// Angle, C_i = 2 e_i . V:      v'' = -|t|^2 v / 4 for a turn of either body: K = x_i C_i / 4 1
// Distance, C = |d|:           K = P' (1 - n n^T) P x(-1)/|d| in point space, P = [1, -[r]x], and
// the
//                              turns of the points under the force x n on b, -x n on a
// Test: tests/joints/test_exact_rows.c
#include "joints/parts/exact.h"

#include "joints/parts/along.h"

// ---- rows --------------------------------------------------------------------------------------

void tni_exact_emit_along(const tni_point *point, tni_dvec3 n, tni_exact_row *row) {
    row->lin_b = n;
    row->lin_a = dvec3_scale(n, -1.0);
    row->ang_a = dvec3_cross(n, dvec3_add(point->r_a, point->d));
    row->ang_b = dvec3_cross(point->r_b, n);
    row->error = dvec3_dot(n, point->d);
}

static void exact_emit_turn(tni_dvec3 j, double error, tni_exact_row *row) {
    row->lin_a = row->lin_b = dvec3_make(0.0, 0.0, 0.0);
    row->ang_b = j;
    row->ang_a = dvec3_scale(j, -1.0);
    row->error = error;
}

void tni_exact_emit_perpendicular(tni_dvec3 u, tni_dvec3 w, tni_exact_row *row) {
    exact_emit_turn(dvec3_cross(w, u), dvec3_dot(u, w), row);
}

void tni_exact_emit_axis(const tni_axes *frame_a, tni_dvec3 x_b, tni_exact_row *rows) {
    tni_exact_emit_perpendicular(frame_a->y, x_b, &rows[0]);
    tni_exact_emit_perpendicular(frame_a->z, x_b, &rows[1]);
}

void tni_exact_emit_angle(const tni_axes *frame_a, tni_dquat q, tni_exact_row *rows) {
    const tni_dvec3 *axes[3] = {&frame_a->x, &frame_a->y, &frame_a->z};
    const double vector_part[3] = {q.x, q.y, q.z};
    tni_dvec3 v = dvec3_scale(frame_a->x, q.x);
    v = dvec3_add_scaled(v, q.y, frame_a->y);
    v = dvec3_add_scaled(v, q.z, frame_a->z);
    for (int i = 0; i < 3; ++i) {
        tni_dvec3 j = dvec3_add_scaled(dvec3_cross(v, *axes[i]), q.w, *axes[i]);
        exact_emit_turn(j, 2.0 * vector_part[i], &rows[i]);
    }
}

void tni_exact_emit_distance(const tni_point *point, tni_dvec3 n, double error,
                             tni_exact_row *row) {
    row->lin_b = n;
    row->lin_a = dvec3_scale(n, -1.0);
    row->ang_a = dvec3_cross(n, point->r_a);
    row->ang_b = dvec3_cross(point->r_b, n);
    row->error = error;
}

// ---- Jdot v: see point.c, axis.c and angle.c ---------------------------------------------------

void tni_exact_measure_point_terms(const tni_point *point, const tni_body_motion *a,
                                   const tni_body_motion *b, double *terms) {
    tni_dvec3 g = tni_point_get_centripetal(point, a, b);
    terms[0] = g.x;
    terms[1] = g.y;
    terms[2] = g.z;
}

double tni_exact_measure_along_term(const tni_point *point, tni_dvec3 n, const tni_body_motion *a,
                                    const tni_body_motion *b) {
    return dvec3_dot(n, tni_along_get_drift(point, a, b));
}

void tni_exact_measure_slide_terms(const tni_point *point, const tni_axes *frame_a,
                                   const tni_body_motion *a, const tni_body_motion *b,
                                   double *terms) {
    tni_dvec3 g = tni_along_get_drift(point, a, b);
    terms[0] = dvec3_dot(frame_a->y, g);
    terms[1] = dvec3_dot(frame_a->z, g);
}

double tni_exact_measure_perpendicular_term(tni_dvec3 u, tni_dvec3 w, const tni_body_motion *a,
                                            const tni_body_motion *b) {
    tni_dvec3 w_a = a->angular_velocity, w_b = b->angular_velocity;
    tni_dvec3 relative = dvec3_sub(w_b, w_a);
    return dvec3_dot(w_b, u) * dvec3_dot(relative, w) - dvec3_dot(w_a, w) * dvec3_dot(relative, u) -
           dvec3_dot(u, w) * dvec3_dot(relative, relative);
}

void tni_exact_measure_axis_terms(const tni_axes *frame_a, tni_dvec3 x_b, const tni_body_motion *a,
                                  const tni_body_motion *b, double *terms) {
    terms[0] = tni_exact_measure_perpendicular_term(frame_a->y, x_b, a, b);
    terms[1] = tni_exact_measure_perpendicular_term(frame_a->z, x_b, a, b);
}

void tni_exact_measure_angle_terms(const tni_axes *frame_a, tni_dquat q, const tni_body_motion *a,
                                   const tni_body_motion *b, double *terms) {
    tni_exact_row rows[3];
    tni_exact_emit_angle(frame_a, q, rows);
    tni_dvec3 relative = dvec3_sub(b->angular_velocity, a->angular_velocity);
    tni_dvec3 turning = dvec3_cross(relative, a->angular_velocity);
    for (int i = 0; i < 3; ++i) {
        terms[i] = dvec3_dot(rows[i].ang_b, turning) -
                   0.25 * dvec3_dot(relative, relative) * rows[i].error;
    }
}

// ---- curvature ---------------------------------------------------------------------------------

// The matrix of v x.
static tni_dmat3 curvature_cross_matrix(tni_dvec3 v) {
    tni_dmat3 m = {{{0.0, -v.z, v.y}, {v.z, 0.0, -v.x}, {-v.y, v.x, 0.0}}};
    return m;
}

void tni_curvature_add_along(const tni_point *point, tni_dvec3 n, double x, tni_curvature *k) {
    tni_dvec3 s = dvec3_add(point->r_a, point->d);
    tni_dmat3 cross = curvature_cross_matrix(n);
    curvature_add_turns(k->b, x, n, point->r_b);
    curvature_add_turns(k->a, x, n, s);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            k->a[i][3 + j] -= x * cross.m[i][j];
            k->a[3 + j][i] -= x * cross.m[i][j];
        }
    }
    k->a_has_linear = true;
}

void tni_curvature_add_perpendicular(tni_dvec3 u, tni_dvec3 w, double x, tni_curvature *k) {
    curvature_add_turns(k->b, x, u, w);
    curvature_add_turns(k->a, x, u, w);
}

void tni_curvature_add_axis(const tni_axes *frame_a, tni_dvec3 x_b, const double *x,
                            tni_curvature *k) {
    tni_dvec3 u = dvec3_add(dvec3_scale(frame_a->y, x[0]), dvec3_scale(frame_a->z, x[1]));
    curvature_add_turns(k->b, 1.0, u, x_b);
    curvature_add_turns(k->a, 1.0, u, x_b);
}

void tni_curvature_add_angle(tni_dquat q, const double *x, tni_curvature *k) {
    double stiffness = 0.5 * (x[0] * q.x + x[1] * q.y + x[2] * q.z);
    for (int i = 3; i < 6; ++i) {
        k->a[i][i] += stiffness;
        k->b[i][i] += stiffness;
    }
}

// One body's share: -x / length (1 - n n^T) of its point, sign +1 for b and -1 for a.
static void curvature_add_line(double k[6][6], tni_dvec3 r, tni_dvec3 n, double s) {
    tni_dmat3 cross = curvature_cross_matrix(r);
    double p[3][6];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            p[i][j] = i == j ? 1.0 : 0.0;
            p[i][3 + j] = -cross.m[i][j];
        }
    }
    double along[6];
    for (int j = 0; j < 6; ++j) {
        along[j] = n.x * p[0][j] + n.y * p[1][j] + n.z * p[2][j];
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            double dot = p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j];
            k[i][j] += s * (dot - along[i] * along[j]);
        }
    }
}

// The two directions across a unit vector, of the length sqrt(s).
static void curvature_find_across(tni_dvec3 n, double s, tni_dvec3 out_across[2]) {
    bool is_along_x = fabs(n.x) > 0.7;
    tni_dvec3 first = is_along_x ? dvec3_make(-n.z, 0.0, n.x) : dvec3_make(0.0, n.z, -n.y);
    out_across[0] = dvec3_scale(first, sqrt(s / dvec3_dot(first, first)));
    out_across[1] = dvec3_cross(n, out_across[0]);
}

// s (1 - n n^T) between the points.
static void curvature_make_sways(const tni_point *point, tni_dvec3 n, double s, tni_curvature *k) {
    tni_dvec3 across[TNI_MOST_SWAYS];
    curvature_find_across(n, s, across);
    for (uint32_t i = 0; i < TNI_MOST_SWAYS; ++i) {
        exact_set_row(&k->sways[i], across[i], dvec3_cross(across[i], point->r_a),
                      dvec3_cross(point->r_b, across[i]), 0.0);
    }
    k->sway_count = TNI_MOST_SWAYS;
}

void tni_curvature_add_distance(const tni_point *point, tni_dvec3 n, double length, double x,
                                tni_curvature *k) {
    double s = -x * maths_inverse_or_zero_d(length);
    curvature_add_turns(k->b, x, n, point->r_b);
    curvature_add_turns(k->a, -x, n, point->r_a);
    if (k->sways != NULL && s > 0.0) {
        curvature_make_sways(point, n, s, k);
        return;
    }
    curvature_add_line(k->b, point->r_b, n, s);
    curvature_add_line(k->a, point->r_a, n, s);
    k->a_has_linear = k->b_has_linear = true;
}
