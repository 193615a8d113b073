// core/dmat3.h: more of 3 x 3 matrices in double, beside what core/maths.h has.
// Test: tests/core/test_dmat3.c
#ifndef TNI_CORE_DMAT3_H
#define TNI_CORE_DMAT3_H

#include "core/maths.h"

// Reads the rows one after the other.
static inline tni_dmat3 dmat3_read(const double *nine) {
    tni_dmat3 m = {
        {{nine[0], nine[1], nine[2]}, {nine[3], nine[4], nine[5]}, {nine[6], nine[7], nine[8]}}};
    return m;
}

static inline tni_dmat3 dmat3_transpose(const tni_dmat3 *a) {
    tni_dmat3 t;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            t.m[i][j] = a->m[j][i];
        }
    }
    return t;
}

// Returns A^T B.
static inline tni_dmat3 dmat3_mul_transposed(const tni_dmat3 *a, const tni_dmat3 *b) {
    tni_dmat3 r;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r.m[i][j] = a->m[0][i] * b->m[0][j] + a->m[1][i] * b->m[1][j] + a->m[2][i] * b->m[2][j];
        }
    }
    return r;
}

static inline tni_dvec3 dmat3_mul_transposed_vec(const tni_dmat3 *a, tni_dvec3 v) {
    return dvec3_make(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                      a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                      a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

static inline tni_dmat3 dmat3_add_scaled(const tni_dmat3 *a, double s, const tni_dmat3 *b) {
    tni_dmat3 sum;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum.m[i][j] = a->m[i][j] + s * b->m[i][j];
        }
    }
    return sum;
}

// Returns (A + A^T) / 2.
static inline tni_dmat3 dmat3_symmetric_part(const tni_dmat3 *a) {
    tni_dmat3 s;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            s.m[i][j] = 0.5 * (a->m[i][j] + a->m[j][i]);
        }
    }
    return s;
}

static inline tni_dvec3 dmat3_get_column(const tni_dmat3 *a, int j) {
    return dvec3_make(a->m[0][j], a->m[1][j], a->m[2][j]);
}

// Returns tr(A B^T).
static inline double dmat3_dot(const tni_dmat3 *a, const tni_dmat3 *b) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        sum += a->m[i][0] * b->m[i][0] + a->m[i][1] * b->m[i][1] + a->m[i][2] * b->m[i][2];
    }
    return sum;
}

static inline double dmat3_trace(const tni_dmat3 *a) {
    return a->m[0][0] + a->m[1][1] + a->m[2][2];
}

// Returns tr A 1 - A.
static inline tni_dmat3 dmat3_complement(const tni_dmat3 *a) {
    tni_dmat3 g;
    double trace = dmat3_trace(a);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            g.m[i][j] = (i == j ? trace : 0.0) - a->m[i][j];
        }
    }
    return g;
}

// Returns [w] A, the cross product of w with each column.
static inline tni_dmat3 dmat3_cross(tni_dvec3 w, const tni_dmat3 *a) {
    tni_dmat3 c;
    for (int j = 0; j < 3; ++j) {
        c.m[0][j] = w.y * a->m[2][j] - w.z * a->m[1][j];
        c.m[1][j] = w.z * a->m[0][j] - w.x * a->m[2][j];
        c.m[2][j] = w.x * a->m[1][j] - w.y * a->m[0][j];
    }
    return c;
}

// Returns the w of A - A^T = [w].
static inline tni_dvec3 dmat3_axial(const tni_dmat3 *a) {
    return dvec3_make(a->m[2][1] - a->m[1][2], a->m[0][2] - a->m[2][0], a->m[1][0] - a->m[0][1]);
}

// Returns the derivative of det A by A; its columns are the cross products of A's.
static inline tni_dmat3 dmat3_cofactor(const tni_dmat3 *a) {
    tni_dmat3 c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
            c.m[i][j] = a->m[p][r] * a->m[q][s] - a->m[p][s] * a->m[q][r];
        }
    }
    return c;
}

static inline double dmat3_determinant(const tni_dmat3 *a) {
    tni_dmat3 c = dmat3_cofactor(a);
    return a->m[0][0] * c.m[0][0] + a->m[0][1] * c.m[0][1] + a->m[0][2] * c.m[0][2];
}

#endif
