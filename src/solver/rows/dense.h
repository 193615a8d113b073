// solver/rows/dense.h: the inverse of the small symmetric matrices of blocks, K = J W J^T of 1 to 8
// rows.
//
// The method is Gauss-Jordan elimination down the diagonal. K is positive semidefinite, so no
// exchange of rows is needed; where a pivot falls to round-off of its diagonal (both bodies locked
// in that direction, or redundant rows) its row and column of the inverse are set to zero, which
// leaves that row without impulse instead of dividing by nothing. The inverse grows in the columns
// that are done with. Rows are `lanes` apart, and whole lanes are worked on; unused lanes stay
// zero. Source: G. Golub, C. Van Loan, "Matrix computations", 4th ed. 2013, 4.1 and 4.2
// (elimination of positive definite matrices without pivoting). Test:
// tests/solver/rows/test_dense.c
#ifndef TNI_SOLVER_ROWS_DENSE_H
#define TNI_SOLVER_ROWS_DENSE_H

#include "core/base.h"
#include "core/maths.h"
#include "core/simd.h"

// In float, a pivot under this share of its diagonal is round-off.
#define DENSE_PIVOT_FLOOR 1e-6f

// Inverts three rows by cofactors. Returns false where a pivot would be round-off.
TNI_KERNEL bool tni_dense_invert_three(const float *restrict k, float *restrict inverse,
                                       uint32_t lanes) {
    float a = k[0], b = k[1], c = k[2], d = k[lanes + 1], e = k[lanes + 2], f = k[2 * lanes + 2];
    float aa = d * f - e * e, ab = c * e - b * f, ac = b * e - c * d;
    float bb = a * f - c * c, bc = b * c - a * e, cc = a * d - b * b;
    float det = a * aa + b * ab + c * ac;
    // The pivots are a, cc / a and det / cc; their diagonals a, d and f.
    bool is_sound = a > FLT_MIN && cc > DENSE_PIVOT_FLOOR * a * d && cc > FLT_MIN &&
                    det > DENSE_PIVOT_FLOOR * cc * f && det > FLT_MIN;
    if (!is_sound) {
        return false;
    }
    float s = 1.0f / det;
    const float rows[3][3] = {
        {s * aa, s * ab, s * ac}, {s * ab, s * bb, s * bc}, {s * ac, s * bc, s * cc}};
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            inverse[i * lanes + j] = rows[i][j];
        }
    }
    return true;
}

// Makes one step of the elimination, in place: column p of the matrix, done with, makes room for
// that of the inverse.
TNI_KERNEL void dense_eliminate(tni_f4 rows[6][2], uint32_t p, uint32_t n, uint32_t vectors,
                                float diagonal) {
    uint32_t own = p / 4, lane = p % 4;
    float pivot = f4_first(f4_splat_lane(rows[p][own], lane));
    bool is_sound = pivot > DENSE_PIVOT_FLOOR * diagonal && pivot > FLT_MIN;
    float scale = is_sound ? 1.0f / pivot : 0.0f;
    for (uint32_t v = 0; v < vectors; ++v) {
        rows[p][v] = f4_mul(rows[p][v], f4_splat(scale));
    }
    rows[p][own] = f4_set_lane(rows[p][own], lane, scale);
    for (uint32_t r = 0; r < n; ++r) {
        if (r != p) {
            tni_f4 factor = f4_splat_lane(rows[r][own], lane);
            rows[r][own] = f4_set_lane(rows[r][own], lane, 0.0f);
            for (uint32_t v = 0; v < vectors; ++v) {
                rows[r][v] = f4_sub(rows[r][v], f4_mul(factor, rows[p][v]));
            }
        }
    }
}

// Inverts a matrix. The two matrices are n rows of `lanes` floats, 4 or 8, n at most 6.
TNI_KERNEL void tni_dense_invert(const float *k, float *inverse, uint32_t n, uint32_t lanes) {
    uint32_t vectors = lanes / 4;
    tni_f4 rows[6][2] = {{f4_splat(0.0f)}};
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t v = 0; v < vectors; ++v) {
            rows[i][v] = f4_load(k + i * lanes + 4 * v);
        }
    }
    // The steps are written out, so that a constant n leaves no loop and all of it stays in
    // registers.
    dense_eliminate(rows, 0, n, vectors, k[0]);
    if (n > 1) {
        dense_eliminate(rows, 1, n, vectors, k[lanes + 1]);
    }
    if (n > 2) {
        dense_eliminate(rows, 2, n, vectors, k[2 * lanes + 2]);
    }
    if (n > 3) {
        dense_eliminate(rows, 3, n, vectors, k[3 * lanes + 3]);
    }
    if (n > 4) {
        dense_eliminate(rows, 4, n, vectors, k[4 * lanes + 4]);
    }
    if (n > 5) {
        dense_eliminate(rows, 5, n, vectors, k[5 * lanes + 5]);
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t v = 0; v < vectors; ++v) {
            f4_store(inverse + i * lanes + 4 * v, rows[i][v]);
        }
    }
}

// ---- in double --------------------------------------------------------------------------------

#define DENSE_MAX_ROWS 8

// Returns the row with the greatest pivot over its scale of those that are not done and whose pivot
// is more than the share `least` of its diagonal, or n.
static inline uint32_t dense_find_pivot(double m[DENSE_MAX_ROWS][DENSE_MAX_ROWS],
                                        const double *scale, const double *diagonal, uint32_t done,
                                        uint32_t n, double least) {
    double most = 0.0;
    uint32_t best = n;
    for (uint32_t i = 0; i < n; ++i) {
        bool is_sound = diagonal[i] > (double)FLT_MIN && m[i][i] > least * diagonal[i];
        double share = is_sound ? m[i][i] / scale[i] : 0.0;
        if ((done >> i & 1) == 0 && share > most) {
            most = share;
            best = i;
        }
    }
    return best;
}

// Makes one step of Gauss-Jordan elimination in place.
static inline void dense_eliminate_exactly(double m[DENSE_MAX_ROWS][DENSE_MAX_ROWS], uint32_t p,
                                           uint32_t n) {
    double scale = 1.0 / m[p][p];
    m[p][p] = 1.0;
    for (uint32_t j = 0; j < n; ++j) {
        m[p][j] *= scale;
    }
    for (uint32_t i = 0; i < n; ++i) {
        double factor = m[i][p];
        for (uint32_t j = 0; i != p && j < n; ++j) {
            m[i][j] = (j == p ? 0.0 : m[i][j]) - factor * m[p][j];
        }
    }
}

// Inverts n rows in place, the greatest pivot over its scale first; without scales, over its
// diagonal. Each pivot grows by the share `ridge` of its diagonal. Rows whose pivot is less than
// the share `least` of it are redundant: they and their columns become zero. Returns the others, as
// bits.
static inline uint32_t tni_dense_invert_exactly(double m[DENSE_MAX_ROWS][DENSE_MAX_ROWS],
                                                const double *scale, uint32_t n, double least,
                                                double ridge) {
    double diagonal[DENSE_MAX_ROWS];
    uint32_t done = 0;
    for (uint32_t i = 0; i < n; ++i) {
        diagonal[i] = m[i][i];
    }
    scale = scale != NULL ? scale : diagonal;
    for (uint32_t p = dense_find_pivot(m, scale, diagonal, done, n, least); p < n;
         p = dense_find_pivot(m, scale, diagonal, done, n, least)) {
        m[p][p] += ridge * diagonal[p];
        dense_eliminate_exactly(m, p, n);
        done |= 1u << p;
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            bool has = (done >> i & 1) != 0 && (done >> j & 1) != 0;
            m[i][j] = has ? m[i][j] : 0.0;
        }
    }
    return done;
}

#endif
