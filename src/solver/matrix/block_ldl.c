// solver/matrix/block_ldl.c: the numbers of a block L D L^T, and solving with it.
//
// Right-looking, panel by panel. With A the diagonal block of a panel and B the rows below it,
//     A = l d l^T,   X = B l^-T,   L = X d^-1,   rows below: A_ab -= X_a L_b^T  for all a >= b
// The diagonal block keeps 1/d on its diagonal, l below and l^T above; the rows keep L.
// No rows are exchanged: the order (block_order.c) leaves a body's pivots positive and a joint's
// negative, except those of redundant rows. A pivot of these is round-off of the scale J W J^T of
// its row; it is counted, and what regularises it (a softness on the diagonal, added by the caller)
// keeps it away from zero.
// Sources: I. Duff, A. Erisman, J. Reid, "Direct methods for sparse matrices", 2nd ed. 2017, 10;
// T. Davis, "Direct methods for sparse linear systems", 2006, 4.8 (supernodes); R. Vanderbei,
// "Symmetric quasidefinite matrices", SIAM J. Optim. 5(1), 1995.
// Test: tests/solver/matrix/test_block_ldl.c
#include "solver/matrix/block_ldl.h"

#include "core/simd_double.h"
#include "core/unroll.h"
#include "solver/matrix/block_pivot.h"

#include <string.h>

// Rows are reduced in pairs, and a panel of one node with one block below it is eliminated on the
// stack, if the nodes have no more rows: most joints have less, and larger arrays on the stack keep
// the compiler from inlining.
#define LDL_USUAL_MAX 12

// Returns the number of rows below panel s.
static uint32_t ldl_get_height(const tni_block_pattern *pattern, size_t s) {
    uint32_t height = 0;
    for (uint32_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        height += pattern->sizes[pattern->rows[b]];
    }
    return height;
}

// ---- the diagonal block ------------------------------------------------------------------------

// These factor d = l D l^T in place, n x n with its rows `stride` apart: 1 / D stands on the
// diagonal, l below it, and D l^T above. This one does one column:
TNI_KERNEL void ldl_factor_column(double *restrict d, uint32_t n, uint32_t stride, uint32_t j,
                                  const double *restrict scales, tni_block_report *report) {
    double pivot = d[j * stride + j];
    for (uint32_t k = 0; k < j; ++k) {
        pivot -= d[j * stride + k] * d[k * stride + j];
    }
    double inverse = 1.0 / block_check_pivot(pivot, scales[j], report);
    d[j * stride + j] = inverse;
    for (uint32_t i = j + 1; i < n; ++i) {
        double sum = d[i * stride + j];
        for (uint32_t k = 0; k < j; ++k) {
            sum -= d[i * stride + k] * d[k * stride + j];
        }
        d[j * stride + i] = sum;
        d[i * stride + j] = sum * inverse;
    }
}

TNI_KERNEL void ldl_factor_diagonal(double *restrict d, uint32_t n, uint32_t stride,
                                    const double *restrict scales, tni_block_report *report) {
    for (uint32_t j = 0; j < n; ++j) {
        ldl_factor_column(d, n, stride, j, scales, report);
    }
}

// ---- the rows below ----------------------------------------------------------------------------

TNI_KERNEL
void ldl_reduce_pair_column(const double *restrict d, uint32_t n, uint32_t stride, uint32_t k,
                            tni_d2 *z, double *restrict rows, double *restrict x) {
    for (uint32_t j = k + 1; j < n; ++j) {
        z[j] = d2_sub(z[j], d2_mul(d2_splat(d[j * stride + k]), z[k]));
    }
    x[k] = d2_low(z[k]);
    x[stride + k] = d2_high(z[k]);
    z[k] = d2_mul(z[k], d2_splat(d[k * stride + k]));
    rows[k] = d2_low(z[k]);
    rows[stride + k] = d2_high(z[k]);
}

// Reduces two rows side by side: x <- x l^-T, and times 1/d.
TNI_KERNEL void ldl_reduce_pair(const double *restrict d, uint32_t n, uint32_t stride,
                                double *restrict rows, double *restrict x) {
    tni_d2 z[LDL_USUAL_MAX];
    for (uint32_t j = 0; j < n; ++j) {
        z[j] = d2_make(rows[j], rows[stride + j]);
    }
#define LDL_STEP(k) ldl_reduce_pair_column(d, n, stride, k, z, rows, x)
    TNI_UNROLL(n, LDL_STEP)
#undef LDL_STEP
}

TNI_KERNEL void ldl_reduce_row_column(const double *restrict d, uint32_t n, uint32_t stride,
                                      uint32_t k, double *z, double *restrict row,
                                      double *restrict x) {
    for (uint32_t j = k + 1; j < n; ++j) {
        z[j] -= d[j * stride + k] * z[k];
    }
    x[k] = z[k];
    row[k] = z[k] * d[k * stride + k];
}

TNI_KERNEL void ldl_reduce_row(const double *restrict d, uint32_t n, uint32_t stride,
                               double *restrict row, double *restrict x) {
    double z[TNI_BLOCK_MAX];
    for (uint32_t j = 0; j < n; ++j) {
        z[j] = row[j];
    }
    for (uint32_t k = 0; k < n; ++k) {
        ldl_reduce_row_column(d, n, stride, k, z, row, x);
    }
}

TNI_KERNEL void ldl_reduce_rows(const double *restrict d, uint32_t n, uint32_t stride,
                                uint32_t height, double *restrict rows, double *restrict x) {
    uint32_t paired = n <= LDL_USUAL_MAX ? height - height % 2 : 0;
    for (uint32_t r = 0; r < paired; r += 2) {
        ldl_reduce_pair(d, n, stride, rows + r * stride, x + r * stride);
    }
    for (uint32_t r = paired; r < height; ++r) {
        ldl_reduce_row(d, n, stride, rows + r * stride, x + r * stride);
    }
}

// ---- products ----------------------------------------------------------------------------------

// Returns a . b as two sums side by side, with the last product of an odd n by itself.
TNI_KERNEL double ldl_dot(const double *a, const double *b, uint32_t n) {
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

// Subtracts target -= a b^T for m rows of a and k of b, each 1 to 3: all sums at once, in
// registers. The rows of a and b have n numbers.
TNI_KERNEL void ldl_subtract_tile(double *restrict target, uint32_t target_stride,
                                  const double *restrict a, const double *restrict b,
                                  uint32_t stride, uint32_t m, uint32_t k, uint32_t n) {
    tni_d2 sums[3][3];
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t j = 0; j < k; ++j) {
            sums[i][j] = d2_splat(0.0);
        }
    }
    for (uint32_t c = 0; c + 1 < n; c += 2) {
        for (uint32_t i = 0; i < m; ++i) {
            for (uint32_t j = 0; j < k; ++j) {
                sums[i][j] = d2_add_product(sums[i][j], d2_load(a + i * stride + c),
                                            d2_load(b + j * stride + c));
            }
        }
    }
    for (uint32_t i = 0; i < m; ++i) {
        double *row = target + i * target_stride;
        if (n % 2 == 1) {
            for (uint32_t j = 0; j < k; ++j) {
                row[j] -= a[i * stride + n - 1] * b[j * stride + n - 1];
            }
        }
        if (k >= 2) {
            tni_d2 both = d2_add(d2_lows(sums[i][0], sums[i][1]), d2_highs(sums[i][0], sums[i][1]));
            d2_store(row, d2_sub(d2_load(row), both));
        }
        if (k % 2 == 1) {
            row[k - 1] -= d2_sum(sums[i][k - 1]);
        }
    }
}

// Subtracts up to three rows of the product, in tiles of up to three columns.
TNI_KERNEL void ldl_subtract_rows(double *restrict target, uint32_t target_stride,
                                  const double *restrict a, const double *restrict b,
                                  uint32_t stride, uint32_t m, uint32_t k, uint32_t n) {
    uint32_t j = 0;
    for (; j + 3 <= k; j += 3) {
        ldl_subtract_tile(target + j, target_stride, a, b + j * stride, stride, m, 3, n);
    }
    if (k - j == 2) {
        ldl_subtract_tile(target + j, target_stride, a, b + j * stride, stride, m, 2, n);
    } else if (k - j == 1) {
        ldl_subtract_tile(target + j, target_stride, a, b + j * stride, stride, m, 1, n);
    }
}

// Subtracts target -= a b^T, with a of m x n and b of k x n, their rows `stride` apart.
static void ldl_subtract_product(double *restrict target, uint32_t target_stride,
                                 const double *restrict a, const double *restrict b,
                                 uint32_t stride, uint32_t m, uint32_t k, uint32_t n) {
    uint32_t i = 0;
    for (; i + 3 <= m; i += 3) {
        ldl_subtract_rows(target + i * target_stride, target_stride, a + i * stride, b, stride, 3,
                          k, n);
    }
    if (m - i == 2) {
        ldl_subtract_rows(target + i * target_stride, target_stride, a + i * stride, b, stride, 2,
                          k, n);
    } else if (m - i == 1) {
        ldl_subtract_rows(target + i * target_stride, target_stride, a + i * stride, b, stride, 1,
                          k, n);
    }
}

// Subtracts a . b in the order of a tile: the last product of an odd n first, then the sums of the
// others.
TNI_KERNEL double ldl_subtract_dot(double target, const double *a, const double *b, uint32_t n) {
    tni_d2 sum = d2_splat(0.0);
    for (uint32_t c = 0; c + 1 < n; c += 2) {
        sum = d2_add_product(sum, d2_load(a + c), d2_load(b + c));
    }
    double before = n % 2 == 1 ? target - a[n - 1] * b[n - 1] : target;
    return before - d2_sum(sum);
}

// These subtract the lower half of target -= a b^T, of m rows; sizes are known to the compiler.
// This one does row i:
TNI_KERNEL void ldl_subtract_own_row(double *restrict target, const double *restrict a,
                                     const double *restrict b, uint32_t i, uint32_t m, uint32_t n) {
    for (uint32_t j = 0; j <= i; ++j) {
        target[j] = m == n ? target[j] - ldl_dot(a + i * n, b + j * n, n)
                           : ldl_subtract_dot(target[j], a + i * n, b + j * n, n);
    }
}

TNI_KERNEL void ldl_subtract_own(double *restrict target, uint32_t stride, const double *restrict a,
                                 const double *restrict b, uint32_t m, uint32_t n) {
    for (uint32_t i = 0; i < m; ++i) {
        ldl_subtract_own_row(target + i * stride, a, b, i, m, n);
    }
}

// Does the same for square blocks of a size known to the compiler, and only for the lower half when
// b is a.
TNI_KERNEL
void ldl_subtract_square(double *restrict target, uint32_t stride, const double *restrict a,
                         const double *restrict b, uint32_t n, bool is_diagonal) {
    if (is_diagonal) {
        ldl_subtract_own(target, stride, a, b, n, n);
        return;
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            target[i * stride + j] -= ldl_dot(a + i * n, b + j * n, n);
        }
    }
}

// ---- one panel ---------------------------------------------------------------------------------

// Subtracts what a panel, n wide, takes from the remaining matrix.
TNI_KERNEL
void ldl_subtract_panel(const tni_block_pattern *pattern, uint32_t s, uint32_t n, bool is_node,
                        const double *below, const double *x, double *values) {
    const uint32_t *target = pattern->targets + pattern->updates[s];
    const double *b_rows = below, *b_x = x;
    for (uint32_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        uint32_t k = pattern->sizes[pattern->rows[b]], stride = pattern->strides[pattern->rows[b]];
        const double *a_x = b_x;
        for (uint32_t a = b; a < pattern->columns[s + 1]; ++a) {
            uint32_t m = pattern->sizes[pattern->rows[a]];
            if (is_node && m == n && k == n) {
                ldl_subtract_square(values + *target++, stride, a_x, b_rows, n, a == b);
            } else {
                ldl_subtract_product(values + *target++, stride, a_x, b_rows, n, m, k, n);
            }
            a_x += m * n;
        }
        b_rows += k * n;
        b_x += k * n;
    }
}

// Eliminates a panel of one node with one block of m rows, as chains have them.
TNI_KERNEL void ldl_eliminate_link(const double *restrict d, uint32_t n, uint32_t m,
                                   double *restrict below, double *restrict target,
                                   uint32_t stride) {
    double l[LDL_USUAL_MAX * LDL_USUAL_MAX], x[LDL_USUAL_MAX * LDL_USUAL_MAX];
    memcpy(l, below, m * n * sizeof *l);
    ldl_reduce_rows(d, n, n, m, l, x);
    memcpy(below, l, m * n * sizeof *l);
    ldl_subtract_own(target, stride, x, l, m, n);
}

// Factors a panel of one node.
TNI_KERNEL void ldl_factor_node(const tni_block_pattern *pattern, uint32_t s, uint32_t n,
                                const double *scales, double *values, double *scratch,
                                tni_block_report *report) {
    uint32_t first = pattern->starts[s];
    uint32_t begin = pattern->columns[s], end = pattern->columns[s + 1];
    double *d = values + pattern->diagonals[first], *below = d + n * n;
    ldl_factor_diagonal(d, n, n, scales + pattern->unknowns[first], report);
    bool is_link = end - begin == 1 && n <= LDL_USUAL_MAX &&
                   pattern->sizes[pattern->rows[begin]] <= LDL_USUAL_MAX;
    if (is_link) {
        double *target = values + pattern->targets[pattern->updates[s]];
        uint32_t stride = pattern->strides[pattern->rows[begin]];
#define LDL_CALL(m) ldl_eliminate_link(d, n, m, below, target, stride)
        TNI_BY_SIZE(pattern->sizes[pattern->rows[begin]], LDL_CALL)
#undef LDL_CALL
    } else if (begin != end) {
        ldl_reduce_rows(d, n, n, ldl_get_height(pattern, s), below, scratch);
        ldl_subtract_panel(pattern, s, n, true, below, scratch, values);
    }
}

// Factors the columns of a node within a panel: first subtracts what the columns before it take
// from them, for all rows at once.
TNI_KERNEL void ldl_factor_columns(double *numbers, double *x, uint32_t width, uint32_t rows,
                                   uint32_t column, uint32_t n, const double *scales,
                                   tni_block_report *report) {
    double *d = numbers + column * (width + 1);
    double *own_x = x + column * (width + 1);
    ldl_subtract_product(d, width, x + column * width, numbers + column * width, width,
                         rows - column, n, column);
    ldl_factor_diagonal(d, n, width, scales + column, report);
    ldl_reduce_rows(d, n, width, rows - column - n, d + n * width, own_x + n * width);
}

static void ldl_factor_panel(const tni_block_pattern *pattern, uint32_t s, const double *scales,
                             double *values, double *scratch, tni_block_report *report) {
    uint32_t first = pattern->starts[s], width = pattern->strides[first];
    uint32_t rows = width + ldl_get_height(pattern, s);
    double *numbers = values + pattern->diagonals[first];
    const double *own_scales = scales + pattern->unknowns[first];
    for (uint32_t p = first; p < pattern->starts[s + 1]; ++p) {
        uint32_t column = pattern->unknowns[p] - pattern->unknowns[first];
#define LDL_CALL(n) ldl_factor_columns(numbers, scratch, width, rows, column, n, own_scales, report)
        TNI_BY_SIZE(pattern->sizes[p], LDL_CALL)
#undef LDL_CALL
    }
    ldl_subtract_panel(pattern, s, width, false, numbers + width * width, scratch + width * width,
                       values);
}

tni_block_report tni_block_factor(const tni_block_pattern *pattern, const double *scales,
                                  double *values, double *scratch) {
    tni_block_report report = {0, true};
    for (uint32_t s = 0; s < pattern->panel_count; ++s) {
        if (pattern->is_idle[s]) {
            continue;
        }
        if (pattern->starts[s + 1] - pattern->starts[s] > 1) {
            ldl_factor_panel(pattern, s, scales, values, scratch, &report);
        } else {
#define LDL_CALL(n) ldl_factor_node(pattern, s, n, scales, values, scratch, &report)
            TNI_BY_SIZE(pattern->sizes[pattern->starts[s]], LDL_CALL)
#undef LDL_CALL
        }
    }
    return report;
}

// ---- solving -----------------------------------------------------------------------------------

// These are the numbers of a right side in pairs, as products read them. They are made pair by
// pair: a pair that is read from two numbers written by themselves makes the processor wait.
typedef struct ldl_pairs {
    tni_d2 pair[TNI_PANEL_MAX / 2];
    double last; // of an odd n
} ldl_pairs;

// Does what ldl_dot does.
TNI_KERNEL double ldl_dot_pairs(const double *a, const ldl_pairs *x, uint32_t n) {
    if (n == 1) {
        return a[0] * x->last;
    }
    tni_d2 sum = d2_mul(d2_load(a), x->pair[0]);
    for (uint32_t k = 1; 2 * k + 1 < n; ++k) {
        sum = d2_add_product(sum, d2_load(a + 2 * k), x->pair[k]);
    }
    double both = d2_sum(sum);
    return n % 2 == 0 ? both : both + a[n - 1] * x->last;
}

// Subtracts other -= block own, with a block of m x n.
TNI_KERNEL void ldl_subtract_below(const double *restrict block, uint32_t m, uint32_t n,
                                   const ldl_pairs *own, double *restrict other) {
    for (uint32_t i = 0; i < m; ++i) {
        other[i] -= ldl_dot_pairs(block + i * n, own, n);
    }
}

// These find own = l^-1 x of a small block. This one finds one number:
TNI_KERNEL void ldl_reduce_number(const double *restrict d, uint32_t n, uint32_t c, const double *x,
                                  double *z, ldl_pairs *own) {
    z[c] = x[c];
    for (uint32_t k = 0; k < c; ++k) {
        z[c] -= d[c * n + k] * z[k];
    }
    if (c % 2 == 1) {
        own->pair[c / 2] = d2_make(z[c - 1], z[c]);
    } else {
        own->last = z[c];
    }
}

TNI_KERNEL void ldl_reduce_small(const double *restrict d, uint32_t n, const double *x,
                                 ldl_pairs *own) {
    double z[6];
    for (uint32_t c = 0; c < n; ++c) {
        ldl_reduce_number(d, n, c, x, z, own);
    }
}

// Does the same for a panel: z_c = x_c - l_c . z, each sum taken in the order of ldl_dot. All rows
// go on by two numbers as soon as these are known.
TNI_KERNEL void ldl_reduce_panel(const double *restrict d, uint32_t n, const double *x,
                                 ldl_pairs *own) {
    tni_d2 sums[TNI_PANEL_MAX];
    for (uint32_t c = 0; c < n; c += 2) {
        double first = c == 0 ? x[0] : x[c] - d2_sum(sums[c]);
        own->last = first;
        if (c + 1 == n) {
            break;
        }
        double product = d[(c + 1) * n + c] * first;
        double second = x[c + 1] - (c == 0 ? product : d2_sum(sums[c + 1]) + product);
        tni_d2 pair = d2_make(first, second);
        own->pair[c / 2] = pair;
        for (uint32_t r = c + 2; r < n; ++r) {
            tni_d2 l = d2_load(d + r * n + c);
            sums[r] = c == 0 ? d2_mul(l, pair) : d2_add_product(sums[r], l, pair);
        }
    }
}

// Subtracts own -= block^T other.
TNI_KERNEL void ldl_subtract_above(const double *restrict block, uint32_t m, uint32_t n,
                                   const double *restrict other, double *restrict own) {
    for (uint32_t i = 0; i < m; ++i) {
        for (uint32_t c = 0; c < n; ++c) {
            own[c] -= block[i * n + c] * other[i];
        }
    }
}

// Does the same for small blocks, two columns side by side, in registers.
TNI_KERNEL void ldl_subtract_above_row(const double *restrict row, uint32_t n, double other,
                                       ldl_pairs *own) {
    tni_d2 factor = d2_splat(other);
    for (uint32_t c = 0; c + 1 < n; c += 2) {
        own->pair[c / 2] = d2_sub(own->pair[c / 2], d2_mul(d2_load(row + c), factor));
    }
    if (n % 2 == 1) {
        own->last -= row[n - 1] * other;
    }
}

TNI_KERNEL void ldl_subtract_above_small(const double *restrict block, uint32_t m, uint32_t n,
                                         const double *restrict other, ldl_pairs *own) {
    for (uint32_t i = 0; i < m; ++i) {
        ldl_subtract_above_row(block + i * n, n, other[i], own);
    }
}

// Is the right side zero here? One that touches one body leaves all panels alone except those
// between it and the root.
TNI_KERNEL bool ldl_is_zero(const double *x, uint32_t n) {
    bool is_zero = true;
    for (uint32_t c = 0; c < n && is_zero; ++c) {
        is_zero = x[c] == 0.0;
    }
    return is_zero;
}

// Solves x <- l^-1 x, then takes it from the rows below.
TNI_KERNEL void ldl_forward(const tni_block_pattern *pattern, uint32_t s, uint32_t n,
                            const double *values, double *x) {
    uint32_t first = pattern->starts[s];
    const double *restrict d = values + pattern->diagonals[first], *block = d + n * n;
    double *place = x + pattern->unknowns[first];
    if (ldl_is_zero(place, n)) {
        return;
    }
    ldl_pairs own;
    own.last = 0.0;
    if (n <= 6) {
        ldl_reduce_small(d, n, place, &own);
    } else {
        ldl_reduce_panel(d, n, place, &own);
    }
    for (uint32_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        double *other = x + pattern->unknowns[pattern->rows[b]];
        uint32_t m = pattern->sizes[pattern->rows[b]];
#define LDL_CALL(m) ldl_subtract_below(block, m, n, &own, other)
        TNI_BY_SIZE(m, LDL_CALL)
#undef LDL_CALL
        block += m * n;
    }
    for (uint32_t c = 0; c + 1 < n; c += 2) {
        place[c] = d2_low(own.pair[c / 2]) * d[c * n + c];
        place[c + 1] = d2_high(own.pair[c / 2]) * d[(c + 1) * (n + 1)];
    }
    if (n % 2 == 1) {
        place[n - 1] = own.last * d[n * n - 1];
    }
}

// Makes a step of x <- l^-T x: number k, which is known, is taken from those before it.
TNI_KERNEL void ldl_expand_number(const double *restrict d, uint32_t n, uint32_t k, double *own) {
    for (uint32_t c = 0; c < k; ++c) {
        own[c] -= d[k * n + c] * own[k];
    }
}

// Finishes a panel's own numbers, which the rows below it have changed, and writes them out.
TNI_KERNEL void ldl_expand_own(const double *restrict d, uint32_t n, double *own,
                               double *restrict place) {
    for (uint32_t i = 0; i < n; ++i) {
        ldl_expand_number(d, n, n - 1 - i, own);
    }
    for (uint32_t c = 0; c < n; ++c) {
        place[c] = own[c];
    }
}

TNI_KERNEL void ldl_backward_small(const tni_block_pattern *pattern, uint32_t s, uint32_t n,
                                   const double *values, double *x) {
    uint32_t first = pattern->starts[s];
    const double *restrict d = values + pattern->diagonals[first], *block = d + n * n;
    double *place = x + pattern->unknowns[first], own[6];
    ldl_pairs pairs;
    for (uint32_t c = 0; c + 1 < n; c += 2) {
        pairs.pair[c / 2] = d2_make(place[c], place[c + 1]);
    }
    pairs.last = place[n - 1];
    for (uint32_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        const double *other = x + pattern->unknowns[pattern->rows[b]];
        uint32_t m = pattern->sizes[pattern->rows[b]];
#define LDL_CALL(m) ldl_subtract_above_small(block, m, n, other, &pairs)
        TNI_BY_SIZE(m, LDL_CALL)
#undef LDL_CALL
        block += m * n;
    }
    for (uint32_t c = 0; c + 1 < n; c += 2) {
        own[c] = d2_low(pairs.pair[c / 2]);
        own[c + 1] = d2_high(pairs.pair[c / 2]);
    }
    if (n % 2 == 1) {
        own[n - 1] = pairs.last;
    }
    ldl_expand_own(d, n, own, place);
}

TNI_KERNEL void ldl_backward(const tni_block_pattern *pattern, uint32_t s, uint32_t n,
                             const double *values, double *x) {
    if (n <= 6) {
        ldl_backward_small(pattern, s, n, values, x);
        return;
    }
    uint32_t first = pattern->starts[s];
    const double *restrict d = values + pattern->diagonals[first], *block = d + n * n;
    double *place = x + pattern->unknowns[first], own[TNI_PANEL_MAX];
    for (uint32_t c = 0; c < n; ++c) {
        own[c] = place[c];
    }
    for (uint32_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        uint32_t m = pattern->sizes[pattern->rows[b]];
        ldl_subtract_above(block, m, n, x + pattern->unknowns[pattern->rows[b]], own);
        block += m * n;
    }
    ldl_expand_own(d, n, own, place);
}

static void ldl_solve_panels(const tni_block_pattern *pattern, const double *values, double *x) {
    for (uint32_t s = 0; s < pattern->panel_count; ++s) {
        if (pattern->is_idle[s]) {
            continue;
        }
#define LDL_CALL(n) ldl_forward(pattern, s, n, values, x)
        TNI_BY_SIZE(pattern->strides[pattern->starts[s]], LDL_CALL)
#undef LDL_CALL
    }
    for (uint32_t s = pattern->panel_count; s-- > 0;) {
        if (pattern->is_idle[s]) {
            continue;
        }
#define LDL_CALL(n) ldl_backward(pattern, s, n, values, x)
        TNI_BY_SIZE(pattern->strides[pattern->starts[s]], LDL_CALL)
#undef LDL_CALL
    }
}

void tni_block_solve(const tni_block_pattern *pattern, const double *values, double *x) {
    uint32_t lone = pattern->lone;
    if (lone != TNI_NONE) {
        x[pattern->unknowns[lone]] *= values[pattern->diagonals[lone]];
    } else {
        ldl_solve_panels(pattern, values, x);
    }
}
