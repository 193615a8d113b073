// solver/dense.h: the inverse of the small symmetric matrices of blocks, K = J W J^T of 1 to 8
// rows.
//
// Gauss-Jordan elimination down the diagonal. K is positive semidefinite, so no exchange of rows is
// needed; where a pivot falls to round-off of its diagonal (both bodies locked in that direction,
// or rows that say the same) its row and column of the inverse are set to zero, which leaves that
// row without impulse instead of dividing by nothing. Rows are `lanes` apart, and whole lanes are
// worked on, so that the loops vectorise when the caller's `lanes` is a constant; unused lanes stay
// zero. Source: G. Golub, C. Van Loan, "Matrix computations", 4th ed. 2013, 4.1 and 4.2
// (elimination of positive definite matrices without pivoting). Test: tests/solver/test_dense.c
#ifndef TNI_SOLVER_DENSE_H
#define TNI_SOLVER_DENSE_H

#include "core/base.h"
#include "core/maths.h"
#include "core/simd.h"

// A pivot under this share of its diagonal is round-off in float.
#define DENSE_PIVOT_FLOOR 1e-6f

// Three rows, the point of a ball joint, by cofactors. False where a pivot would be round-off.
TNI_FORCE_INLINE bool tni_dense_invert_three(const float *restrict k, float *restrict inverse,
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

// row -= factor * pivot_row, whole lanes.
TNI_FORCE_INLINE void dense_subtract(float *row, const float *pivot_row, float factor,
                                     uint32_t lanes) {
    tni_f4 f = f4_splat(factor);
    for (uint32_t j = 0; j < lanes; j += 4) {
        f4_store(row + j, f4_sub(f4_load(row + j), f4_mul(f, f4_load(pivot_row + j))));
    }
}

TNI_FORCE_INLINE void dense_scale(float *row, float factor, uint32_t lanes) {
    for (uint32_t j = 0; j < lanes; j += 4) {
        f4_store(row + j, f4_mul(f4_load(row + j), f4_splat(factor)));
    }
}

// Destroys k. Both are n rows of `lanes` floats, 4 or 8.
TNI_FORCE_INLINE void tni_dense_invert(float *k, float *inverse, uint32_t n, uint32_t lanes) {
    float diagonal[8];
    for (uint32_t i = 0; i < n; ++i) {
        diagonal[i] = k[i * lanes + i];
        for (uint32_t j = 0; j < lanes; ++j) {
            inverse[i * lanes + j] = i == j ? 1.0f : 0.0f;
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        float pivot = k[i * lanes + i];
        bool is_sound = pivot > DENSE_PIVOT_FLOOR * diagonal[i] && pivot > FLT_MIN;
        float scale = is_sound ? 1.0f / pivot : 0.0f;
        dense_scale(k + i * lanes, scale, lanes);
        dense_scale(inverse + i * lanes, scale, lanes);
        for (uint32_t r = 0; r < n; ++r) {
            if (r != i) {
                float factor = k[r * lanes + i];
                dense_subtract(k + r * lanes, k + i * lanes, factor, lanes);
                dense_subtract(inverse + r * lanes, inverse + i * lanes, factor, lanes);
            }
        }
        for (uint32_t r = 0; r < n && !is_sound; ++r) {
            inverse[r * lanes + i] = 0.0f;
        }
    }
}

#endif
