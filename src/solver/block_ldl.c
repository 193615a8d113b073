// solver/block_ldl.c: the numbers of a block L D L^T, and solving with it.
//
// Right-looking: for each column p in order, with D its diagonal block,
//     D_p = l d l^T,   L_ap = A_ap D_p^-1,   A_ab -= A_ap L_bp^T  for all a >= b below p
// No exchange of rows: the order (block_order.c) leaves a body's block positive definite and a
// joint's negative definite, but for redundant rows. A pivot of these is round-off of the scale
// J W J^T of its row; it is counted, and what regularises it (a softness on the diagonal, added by
// the caller) keeps it away from zero.
// Sources: I. Duff, A. Erisman, J. Reid, "Direct methods for sparse matrices", 2nd ed. 2017, 10;
// R. Vanderbei, "Symmetric quasidefinite matrices", SIAM J. Optim. 5(1), 1995.
// Test: tests/solver/test_block_ldl.c
#include "solver/block_ldl.h"

#include "core/simd_double.h"

#include <string.h>

// A pivot under this share of its row's scale says that the row depends on others.
#define LDL_DEPENDENT 1e-7
// A pivot is never taken for less than this share.
#define LDL_PIVOT_FLOOR 1e-15

// The sizes that occur most have loops of their own, which the compiler unrolls.
#define LDL_BY_SIZE(n, call)                                                                       \
    switch (n) {                                                                                   \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        call(3);                                                                                   \
        break;                                                                                     \
    case 5:                                                                                        \
        call(5);                                                                                   \
        break;                                                                                     \
    case 6:                                                                                        \
        call(6);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(n);                                                                                   \
        break;                                                                                     \
    }

// ---- one diagonal block ------------------------------------------------------------------------

// d = l D l^T in place: 1 / D on the diagonal, l below it, D l^T above. A body's pivots must be
// positive, a joint's negative: those that are not become the floor.
TNI_FORCE_INLINE uint32_t ldl_factor_diagonal(double *restrict d, uint32_t n,
                                              const double *restrict scales, bool *is_sound) {
    uint32_t dependent = 0;
    for (uint32_t j = 0; j < n; ++j) {
        double pivot = d[j * n + j];
        for (uint32_t k = 0; k < j; ++k) {
            pivot -= d[j * n + k] * d[k * n + j];
        }
        if (scales[j] > 0.0) {
            dependent += -pivot < LDL_DEPENDENT * scales[j] ? 1 : 0;
            pivot = -pivot < LDL_PIVOT_FLOOR * scales[j] ? -LDL_PIVOT_FLOOR * scales[j] : pivot;
        } else if (!(pivot > 0.0)) {
            *is_sound = false;
            pivot = 1.0;
        }
        double inverse = 1.0 / pivot;
        d[j * n + j] = inverse;
        for (uint32_t i = j + 1; i < n; ++i) {
            double sum = d[i * n + j];
            for (uint32_t k = 0; k < j; ++k) {
                sum -= d[i * n + k] * d[k * n + j];
            }
            d[j * n + i] = sum;
            d[i * n + j] = sum * inverse;
        }
    }
    return dependent;
}

// x <- (l D l^T)^-1 x
TNI_FORCE_INLINE void ldl_solve_diagonal(const double *restrict d, uint32_t n, double *restrict x) {
    for (uint32_t i = 1; i < n; ++i) {
        double sum = x[i];
        for (uint32_t k = 0; k < i; ++k) {
            sum -= d[i * n + k] * x[k];
        }
        x[i] = sum;
    }
    for (uint32_t i = 0; i < n; ++i) {
        x[i] *= d[i * n + i];
    }
    for (uint32_t i = n; i-- > 0;) {
        double sum = x[i];
        for (uint32_t k = i + 1; k < n; ++k) {
            sum -= d[k * n + i] * x[k];
        }
        x[i] = sum;
    }
}

// ---- one column --------------------------------------------------------------------------------

// The same for two right sides, side by side.
TNI_FORCE_INLINE void ldl_solve_diagonal_twice(const double *restrict d, uint32_t n,
                                               double *restrict x, double *restrict y) {
    tni_d2 z[TNI_BLOCK_MAX];
    for (uint32_t i = 0; i < n; ++i) {
        z[i] = d2_make(x[i], y[i]);
        for (uint32_t k = 0; k < i; ++k) {
            z[i] = d2_sub(z[i], d2_mul(d2_splat(d[i * n + k]), z[k]));
        }
    }
    for (uint32_t i = 0; i < n; ++i) {
        z[i] = d2_mul(z[i], d2_splat(d[i * n + i]));
    }
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = i + 1; k < n; ++k) {
            z[i] = d2_sub(z[i], d2_mul(d2_splat(d[k * n + i]), z[k]));
        }
        x[i] = d2_low(z[i]);
        y[i] = d2_high(z[i]);
    }
}

// L_ap = A_ap D^-1 for `height` rows in place.
TNI_FORCE_INLINE void ldl_solve_rows(const double *restrict d, uint32_t n, uint32_t height,
                                     double *restrict rows) {
    for (uint32_t r = 0; r + 1 < height; r += 2) {
        ldl_solve_diagonal_twice(d, n, rows + r * n, rows + r * n + n);
    }
    if (height % 2 == 1) {
        ldl_solve_diagonal(d, n, rows + (height - 1) * n);
    }
}

// The same for all rows below the diagonal, A_ap kept in scratch.
TNI_FORCE_INLINE void ldl_scale_column(const double *restrict d, uint32_t n, uint32_t height,
                                       double *restrict below, double *restrict scratch) {
    memcpy(scratch, below, (size_t)height * n * sizeof(double));
    ldl_solve_rows(d, n, height, below);
}

// Two sums side by side, the last product of an odd n by itself.
TNI_FORCE_INLINE double ldl_dot(const double *a, const double *b, uint32_t n) {
    if (n == 1) {
        return a[0] * b[0];
    }
    tni_d2 sum = d2_mul(d2_load(a), d2_load(b));
    for (uint32_t c = 2; c + 1 < n; c += 2) {
        sum = d2_add_product(sum, d2_load(a + c), d2_load(b + c));
    }
    double both = d2_sum(sum);
    return n % 2 == 0 ? both : both + a[n - 1] * b[n - 1];
}

// target -= a b^T, a of m x n, b of k x n; of a diagonal block the lower half is enough.
TNI_FORCE_INLINE void ldl_subtract_product(double *restrict target, const double *restrict a,
                                           const double *restrict b, uint32_t m, uint32_t k,
                                           uint32_t n, bool is_diagonal) {
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t j = 0; j < (is_diagonal ? i + 1 : k); ++j) {
            target[i * k + j] -= ldl_dot(a + i * n, b + j * n, n);
        }
    }
}

// A column with one block of its own size, as chains have them.
TNI_FORCE_INLINE void ldl_eliminate_link(const double *restrict d, uint32_t n,
                                         double *restrict below, double *restrict target) {
    double a[TNI_BLOCK_MAX * TNI_BLOCK_MAX], l[TNI_BLOCK_MAX * TNI_BLOCK_MAX];
    for (uint32_t i = 0; i < n * n; ++i) {
        l[i] = a[i] = below[i];
    }
    ldl_solve_rows(d, n, n, l);
    for (uint32_t i = 0; i < n * n; ++i) {
        below[i] = l[i];
    }
    ldl_subtract_product(target, a, l, n, n, n, true);
}

TNI_FORCE_INLINE void ldl_eliminate_column(const tni_block_pattern *pattern, uint32_t p, uint32_t n,
                                           double *values, double *scratch) {
    uint32_t first = pattern->columns[p], end = pattern->columns[p + 1];
    if (first == end) {
        return;
    }
    uint32_t last = end - 1;
    const double *d = values + pattern->diagonals[p];
    double *below = values + pattern->blocks[first];
    if (first == last && pattern->sizes[pattern->rows[first]] == n && n <= 6) {
        ldl_eliminate_link(d, n, below, values + pattern->targets[pattern->updates[p]]);
        return;
    }
    uint32_t bottom = pattern->blocks[last] + pattern->sizes[pattern->rows[last]] * n;
    ldl_scale_column(d, n, (bottom - pattern->blocks[first]) / n, below, scratch);
    const uint32_t *target = pattern->targets + pattern->updates[p];
    for (uint32_t a = first; a < end; ++a) {
        const double *original = scratch + (pattern->blocks[a] - pattern->blocks[first]);
        uint32_t m = pattern->sizes[pattern->rows[a]];
        for (uint32_t b = first; b < a; ++b) {
            uint32_t k = pattern->sizes[pattern->rows[b]];
            if (m == n && k == n) {
                ldl_subtract_product(values + *target++, original, values + pattern->blocks[b], n,
                                     n, n, false);
            } else {
                ldl_subtract_product(values + *target++, original, values + pattern->blocks[b], m,
                                     k, n, false);
            }
        }
        if (m == n) {
            ldl_subtract_product(values + *target++, original, values + pattern->blocks[a], n, n, n,
                                 true);
        } else {
            ldl_subtract_product(values + *target++, original, values + pattern->blocks[a], m, m, n,
                                 true);
        }
    }
}

TNI_FORCE_INLINE uint32_t ldl_factor_column(const tni_block_pattern *pattern, uint32_t p,
                                            uint32_t n, const double *scales, double *values,
                                            double *scratch, bool *is_sound) {
    uint32_t dependent = ldl_factor_diagonal(values + pattern->diagonals[p], n,
                                             scales + pattern->unknowns[p], is_sound);
    ldl_eliminate_column(pattern, p, n, values, scratch);
    return dependent;
}

tni_block_report tni_block_factor(const tni_block_pattern *pattern, const double *scales,
                                  double *values, double *scratch) {
    tni_block_report report = {0, TNI_NONE, true};
    for (uint32_t p = 0; p < pattern->count; ++p) {
        uint32_t dependent = 0;
#define LDL_CALL(size)                                                                             \
    dependent = ldl_factor_column(pattern, p, size, scales, values, scratch, &report.is_sound)
        LDL_BY_SIZE(pattern->sizes[p], LDL_CALL)
#undef LDL_CALL
        if (dependent > 0 && report.dependent_count == 0) {
            report.first_dependent = pattern->node_at[p];
        }
        report.dependent_count += dependent;
    }
    return report;
}

// ---- solving -----------------------------------------------------------------------------------

// other -= block own, block of m x n.
TNI_FORCE_INLINE void ldl_subtract_below(const double *restrict block, uint32_t m, uint32_t n,
                                         const double *restrict own, double *restrict other) {
    for (uint32_t i = 0; i < m; ++i) {
        other[i] -= ldl_dot(block + i * n, own, n);
    }
}

// own -= block^T other
TNI_FORCE_INLINE void ldl_subtract_above(const double *restrict block, uint32_t m, uint32_t n,
                                         const double *restrict other, double *restrict own) {
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t c = 0; c < n; ++c) {
            own[c] -= block[i * n + c] * other[i];
        }
    }
}

TNI_FORCE_INLINE void ldl_forward(const tni_block_pattern *pattern, uint32_t p, uint32_t n,
                                  const double *values, double *x) {
    const double *own = x + pattern->unknowns[p];
    for (uint32_t b = pattern->columns[p]; b < pattern->columns[p + 1]; ++b) {
        const double *block = values + pattern->blocks[b];
        double *other = x + pattern->unknowns[pattern->rows[b]];
        uint32_t m = pattern->sizes[pattern->rows[b]];
        if (m == n) {
            ldl_subtract_below(block, n, n, own, other);
        } else {
            ldl_subtract_below(block, m, n, own, other);
        }
    }
}

TNI_FORCE_INLINE void ldl_backward(const tni_block_pattern *pattern, uint32_t p, uint32_t n,
                                   const double *values, double *x) {
    double *place = x + pattern->unknowns[p], own[TNI_BLOCK_MAX];
    for (uint32_t c = 0; c < n; ++c) {
        own[c] = place[c];
    }
    ldl_solve_diagonal(values + pattern->diagonals[p], n, own);
    for (uint32_t b = pattern->columns[p]; b < pattern->columns[p + 1]; ++b) {
        const double *block = values + pattern->blocks[b];
        const double *other = x + pattern->unknowns[pattern->rows[b]];
        uint32_t m = pattern->sizes[pattern->rows[b]];
        if (m == n) {
            ldl_subtract_above(block, n, n, other, own);
        } else {
            ldl_subtract_above(block, m, n, other, own);
        }
    }
    for (uint32_t c = 0; c < n; ++c) {
        place[c] = own[c];
    }
}

void tni_block_solve(const tni_block_pattern *pattern, const double *values, double *x) {
    for (uint32_t p = 0; p < pattern->count; ++p) {
#define LDL_CALL(size) ldl_forward(pattern, p, size, values, x)
        LDL_BY_SIZE(pattern->sizes[p], LDL_CALL)
#undef LDL_CALL
    }
    for (uint32_t p = pattern->count; p-- > 0;) {
#define LDL_CALL(size) ldl_backward(pattern, p, size, values, x)
        LDL_BY_SIZE(pattern->sizes[p], LDL_CALL)
#undef LDL_CALL
    }
}
