// solver/dense.c: L D L^T of the small symmetric matrices of joint blocks, 1 to 6 rows.
//
// The lower triangle is stored by rows: (0,0), (1,0), (1,1), (2,0) ... After factoring, the strict
// triangle holds L and the diagonal holds 1/d. K = J W J^T is positive semidefinite: where a pivot
// falls to round-off of its diagonal (both bodies locked in that direction, or rows that say the
// same) 1/d is set to 0, which leaves that row without impulse instead of dividing by nothing.
// Source: G. Golub, C. Van Loan, "Matrix computations", 4th ed. 2013, 4.1.2.
#include "solver/solver.h"

// A pivot under this share of its diagonal is round-off in float.
#define DENSE_PIVOT_FLOOR 1e-6f

static inline uint32_t dense_row(uint32_t i) {
    return i * (i + 1u) / 2u;
}

void tni_dense_factor(float *lower, uint32_t n) {
    float d[TNI_JOINT_MAX_EQUALITY_ROWS];
    for (uint32_t i = 0; i < n; ++i) {
        float *row_i = lower + dense_row(i);
        float diagonal = row_i[i];
        float pivot = diagonal;
        for (uint32_t j = 0; j < i; ++j) {
            const float *row_j = lower + dense_row(j);
            float sum = row_i[j];
            for (uint32_t k = 0; k < j; ++k) {
                sum -= row_i[k] * row_j[k] * d[k];
            }
            row_i[j] = sum * row_j[j];
            pivot -= row_i[j] * row_i[j] * d[j];
        }
        bool is_sound = pivot > DENSE_PIVOT_FLOOR * diagonal && pivot > FLT_MIN;
        d[i] = is_sound ? pivot : 0.0f;
        row_i[i] = is_sound ? 1.0f / pivot : 0.0f;
    }
}

void tni_dense_solve(const float *lower, uint32_t n, float *x) {
    for (uint32_t i = 1; i < n; ++i) {
        const float *row = lower + dense_row(i);
        for (uint32_t k = 0; k < i; ++k) {
            x[i] -= row[k] * x[k];
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        x[i] *= lower[dense_row(i) + i];
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; ++k) {
            x[i] -= lower[dense_row(k) + i] * x[k];
        }
    }
}
