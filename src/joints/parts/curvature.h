// joints/parts/curvature.h: the sums that the curvatures of parts share: see joints/exact_row.h.
//
// Turns of a body are exp(t) r = r + t x r + t x (t x r) / 2 + ..., so that a force f of fixed
// direction on a point of the body at r has
//     C = f . (x + r),   d^2C(t, t) = (f . t)(r . t) - (f . r) |t|^2
//     K = (f . r) 1 - (f r^T + r f^T) / 2              (turns only; tension stiffens)
#ifndef TNI_JOINTS_PARTS_CURVATURE_H
#define TNI_JOINTS_PARTS_CURVATURE_H

#include "joints/exact_row.h"

// k += s [(p . q) 1 - (p q^T + q p^T) / 2] on the turns.
static inline void curvature_add_turns(double k[6][6], double s, tni_dvec3 p, tni_dvec3 q) {
    double xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z, half = -0.5 * s;
    double xy = half * (p.x * q.y + p.y * q.x);
    double xz = half * (p.x * q.z + p.z * q.x);
    double yz = half * (p.y * q.z + p.z * q.y);
    k[3][3] += s * (yy + zz);
    k[3][4] += xy;
    k[3][5] += xz;
    k[4][3] += xy;
    k[4][4] += s * (xx + zz);
    k[4][5] += yz;
    k[5][3] += xz;
    k[5][4] += yz;
    k[5][5] += s * (xx + yy);
}

// Returns the matrix of v x.
static inline tni_dmat3 curvature_cross_matrix(tni_dvec3 v) {
    tni_dmat3 m = {{{0.0, -v.z, v.y}, {v.z, 0.0, -v.x}, {-v.y, v.x, 0.0}}};
    return m;
}

// k -= [n] x between shifts and turns, and its transpose below the diagonal.
static inline void curvature_add_mixed(double k[6][6], tni_dvec3 n) {
    tni_dmat3 cross = curvature_cross_matrix(n);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            k[i][3 + j] -= cross.m[i][j];
            k[3 + j][i] -= cross.m[i][j];
        }
    }
}

// k += s (p q^T + q p^T)
static inline void curvature_add_products(double k[6][6], double s, const double p[6],
                                          const double q[6]) {
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            k[i][j] += s * (p[i] * q[j] + q[i] * p[j]);
        }
    }
}

static inline void curvature_lay(tni_dvec3 linear, tni_dvec3 angular, double out[6]) {
    const double numbers[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (int i = 0; i < 6; ++i) {
        out[i] = numbers[i];
    }
}

// Returns the block of one end. `has_linear` says that more than turns is written to it.
static inline double (*curvature_get_end(tni_curvature *curvature, uint32_t end,
                                         bool has_linear))[6] {
    bool *flag = end == 0 ? &curvature->a_has_linear : &curvature->b_has_linear;
    *flag = *flag || has_linear;
    return end == 0 ? curvature->a : curvature->b;
}

#endif
