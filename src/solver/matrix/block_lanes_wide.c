// solver/matrix/block_lanes_wide.c: four matrices of one pattern, factored and solved with at once.
//
// One matrix in each lane, and in each lane what solver/matrix/block_ldl.c does, whose sums these
// are, in the same order: of a product those of even and of odd columns side by side, then the last
// of an odd count by itself. That file takes two rows or two columns at once; here a lane has one
// number only, so there is no order of sums to keep. Test: tests/solver/matrix/test_block_lanes.c
#include "core/unroll.h"
#include "solver/matrix/block_lane_numbers.h"
#include "solver/matrix/block_pivot.h"

// ---- the diagonal block ------------------------------------------------------------------------

// 1/d of unknown u.
TNI_KERNEL tni_d4 lanes_invert(tni_d4 pivot, const double *const *scales, size_t u,
                               tni_block_report *reports) {
    double d[TNI_BLOCK_LANES];
    d4_store(d, pivot);
    double a = 1.0 / block_check_pivot(d[0], scales[0][u], &reports[0]);
    double b = 1.0 / block_check_pivot(d[1], scales[1][u], &reports[1]);
    double c = 1.0 / block_check_pivot(d[2], scales[2][u], &reports[2]);
    double e = 1.0 / block_check_pivot(d[3], scales[3][u], &reports[3]);
    return d4_make(a, b, c, e);
}

// d = l D l^T in place: 1/D on the diagonal, l below it, D l^T above. The first unknown is u.
TNI_KERNEL void lanes_factor_diagonal(double *d, size_t n, size_t stride,
                                      const double *const *scales, size_t u,
                                      tni_block_report *reports) {
    for (size_t j = 0; j < n; ++j) {
        tni_d4 pivot = lanes_at(d, j * stride + j);
        for (size_t k = 0; k < j; ++k) {
            pivot = d4_sub_product(pivot, lanes_at(d, j * stride + k), lanes_at(d, k * stride + j));
        }
        tni_d4 inverse = lanes_invert(pivot, scales, u + j, reports);
        lanes_put(d, j * stride + j, inverse);
        for (size_t i = j + 1; i < n; ++i) {
            tni_d4 sum = lanes_at(d, i * stride + j);
            for (size_t k = 0; k < j; ++k) {
                sum = d4_sub_product(sum, lanes_at(d, i * stride + k), lanes_at(d, k * stride + j));
            }
            lanes_put(d, j * stride + i, sum);
            lanes_put(d, i * stride + j, d4_mul(sum, inverse));
        }
    }
}

// ---- the rows below ----------------------------------------------------------------------------

// x <- x l^-T of `count` rows, one or two, and times 1/d.
TNI_KERNEL void lanes_reduce_few(const double *restrict d, size_t n, size_t stride, size_t count,
                                 double *restrict rows, double *restrict x) {
    tni_d4 z[2][TNI_BLOCK_MAX];
    for (size_t r = 0; r < count; ++r) {
        for (size_t j = 0; j < n; ++j) {
            z[r][j] = lanes_at(rows, r * stride + j);
        }
    }
    for (size_t k = 0; k < n; ++k) {
        tni_d4 inverse = lanes_at(d, k * stride + k);
        for (size_t j = k + 1; j < n; ++j) {
            tni_d4 l = lanes_at(d, j * stride + k);
            for (size_t r = 0; r < count; ++r) {
                z[r][j] = d4_sub_product(z[r][j], l, z[r][k]);
            }
        }
        for (size_t r = 0; r < count; ++r) {
            lanes_put(x, r * stride + k, z[r][k]);
            lanes_put(rows, r * stride + k, d4_mul(z[r][k], inverse));
        }
    }
}

TNI_KERNEL void lanes_reduce_rows(const double *restrict d, size_t n, size_t stride, size_t height,
                                  double *restrict rows, double *restrict x) {
    size_t r = 0;
    for (; r + 1 < height; r += 2) {
        size_t place = TNI_BLOCK_LANES * r * stride;
        lanes_reduce_few(d, n, stride, 2, rows + place, x + place);
    }
    if (r < height) {
        size_t place = TNI_BLOCK_LANES * r * stride;
        lanes_reduce_few(d, n, stride, 1, rows + place, x + place);
    }
}

// ---- products ----------------------------------------------------------------------------------

// The two orders in which solver/matrix/block_ldl.c takes a product away from a target.
typedef enum lanes_order {
    LANES_TILE,   // the last column of an odd count first, then the sums of the others
    LANES_SQUARE, // all in one sum
} lanes_order;

// A row of target -= a b^T for k rows of b, up to six: all sums at once, in registers. The rows of
// a and b have n numbers.
TNI_KERNEL void lanes_subtract_row(double *restrict target, const double *restrict a,
                                   const double *restrict b, size_t stride, size_t k, size_t n,
                                   lanes_order order) {
    tni_d4 evens[6], odds[6];
    for (size_t j = 0; j < k; ++j) {
        evens[j] = odds[j] = d4_splat(0.0);
    }
    for (size_t c = 0; c + 1 < n; c += 2) {
        tni_d4 even = lanes_at(a, c), odd = lanes_at(a, c + 1);
        for (size_t j = 0; j < k; ++j) {
            tni_d4 first = d4_mul(even, lanes_at(b, j * stride + c));
            tni_d4 second = d4_mul(odd, lanes_at(b, j * stride + c + 1));
            bool begins = order == LANES_SQUARE && c == 0; // 0 - 0 is not -0
            evens[j] = begins ? first : d4_add(evens[j], first);
            odds[j] = begins ? second : d4_add(odds[j], second);
        }
    }
    for (size_t j = 0; j < k; ++j) {
        tni_d4 before = lanes_at(target, j), both = d4_add(evens[j], odds[j]);
        if (n % 2 == 1) {
            tni_d4 last = d4_mul(lanes_at(a, n - 1), lanes_at(b, j * stride + n - 1));
            before = order == LANES_TILE ? d4_sub(before, last) : before;
            both = order == LANES_TILE ? both : n == 1 ? last : d4_add(both, last);
        }
        lanes_put(target, j, d4_sub(before, both));
    }
}

// target -= a b^T for m rows of a and k of b, up to six. In a block on the diagonal at most the
// first six columns are asked for, and their upper half is never read.
TNI_KERNEL void lanes_subtract(double *restrict target, size_t target_stride,
                               const double *restrict a, const double *restrict b, size_t stride,
                               size_t m, size_t k, size_t n, lanes_order order) {
    for (size_t i = 0; i < m; ++i) {
        lanes_subtract_row(target + TNI_BLOCK_LANES * i * target_stride,
                           a + TNI_BLOCK_LANES * i * stride, b, stride, k, n, order);
    }
}

// The same of any k.
TNI_KERNEL void lanes_subtract_all(double *restrict target, size_t target_stride,
                                   const double *restrict a, const double *restrict b,
                                   size_t stride, size_t m, size_t k, size_t n, lanes_order order) {
    for (size_t j = 0; j < k; j += 6) {
        double *columns = target + TNI_BLOCK_LANES * j;
        const double *rows = b + TNI_BLOCK_LANES * j * stride;
#define LANES_CALL(few)                                                                            \
    case few:                                                                                      \
        lanes_subtract(columns, target_stride, a, rows, stride, m, few, n, order);                 \
        break;
        switch (k - j) {
            LANES_CALL(1)
            LANES_CALL(2)
            LANES_CALL(3)
            LANES_CALL(4)
            LANES_CALL(5)
        default:
            lanes_subtract(columns, target_stride, a, rows, stride, m, 6, n, order);
            break;
        }
#undef LANES_CALL
    }
}

static void lanes_subtract_any(double *restrict target, size_t target_stride,
                               const double *restrict a, const double *restrict b, size_t stride,
                               size_t m, size_t k, size_t n) {
    lanes_subtract_all(target, target_stride, a, b, stride, m, k, n, LANES_TILE);
}

// Takes a square block beside a node of its own size.
static void lanes_subtract_square(double *restrict target, size_t target_stride,
                                  const double *restrict a, const double *restrict b, size_t n) {
    lanes_subtract_all(target, target_stride, a, b, n, n, n, n, LANES_SQUARE);
}

// ---- one panel ---------------------------------------------------------------------------------

// Subtracts what a panel, n wide, takes from the rest of the matrix.
TNI_KERNEL void lanes_subtract_panel(const tni_block_pattern *pattern, size_t s, size_t n,
                                     bool is_node, const double *below, const double *x,
                                     double *values) {
    const uint32_t *target = pattern->targets + pattern->updates[s];
    const double *b_rows = below, *b_x = x;
    for (size_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        size_t k = pattern->sizes[pattern->rows[b]], stride = pattern->strides[pattern->rows[b]];
        const double *a_x = b_x;
        for (size_t a = b; a < pattern->columns[s + 1]; ++a) {
            size_t m = pattern->sizes[pattern->rows[a]];
            double *block = values + TNI_BLOCK_LANES * *target++;
            if (is_node && m == n && k == n && n <= 6) {
                lanes_subtract(block, stride, a_x, b_rows, n, n, n, n, LANES_SQUARE);
            } else if (is_node && m == n && k == n) {
                lanes_subtract_square(block, stride, a_x, b_rows, n);
            } else {
                lanes_subtract_any(block, stride, a_x, b_rows, n, m, k, n);
            }
            a_x += TNI_BLOCK_LANES * m * n;
        }
        b_rows += TNI_BLOCK_LANES * k * n;
        b_x += TNI_BLOCK_LANES * k * n;
    }
}

TNI_KERNEL void lanes_factor_node(const tni_block_pattern *pattern, size_t s, size_t n,
                                  const double *const *scales, double *values, double *scratch,
                                  tni_block_report *reports) {
    size_t first = pattern->starts[s];
    double *d = values + TNI_BLOCK_LANES * pattern->diagonals[first];
    double *below = d + TNI_BLOCK_LANES * n * n;
    lanes_factor_diagonal(d, n, n, scales, pattern->unknowns[first], reports);
    lanes_reduce_rows(d, n, n, block_get_height(pattern, s), below, scratch);
    lanes_subtract_panel(pattern, s, n, true, below, scratch, values);
}

// The columns of a node within a panel: first what the columns before it take from them.
TNI_KERNEL void lanes_factor_columns(double *numbers, double *x, size_t width, size_t rows,
                                     size_t column, size_t n, const double *const *scales, size_t u,
                                     tni_block_report *reports) {
    double *d = numbers + TNI_BLOCK_LANES * column * (width + 1);
    double *own_x = x + TNI_BLOCK_LANES * column * (width + 1);
    size_t place = TNI_BLOCK_LANES * column * width;
    if (column > 0) {
        lanes_subtract_any(d, width, x + place, numbers + place, width, rows - column, n, column);
    }
    lanes_factor_diagonal(d, n, width, scales, u, reports);
    lanes_reduce_rows(d, n, width, rows - column - n, d + TNI_BLOCK_LANES * n * width,
                      own_x + TNI_BLOCK_LANES * n * width);
}

static void lanes_factor_panel(const tni_block_pattern *pattern, size_t s,
                               const double *const *scales, double *values, double *scratch,
                               tni_block_report *reports) {
    size_t first = pattern->starts[s], width = pattern->strides[first];
    size_t rows = width + block_get_height(pattern, s);
    double *numbers = values + TNI_BLOCK_LANES * pattern->diagonals[first];
    for (size_t p = first; p < pattern->starts[s + 1]; ++p) {
        size_t column = pattern->unknowns[p] - pattern->unknowns[first];
#define LANES_CALL(n)                                                                              \
    lanes_factor_columns(numbers, scratch, width, rows, column, n, scales, pattern->unknowns[p],   \
                         reports)
        TNI_BY_SIZE(pattern->sizes[p], LANES_CALL)
#undef LANES_CALL
    }
    size_t square = TNI_BLOCK_LANES * width * width;
    lanes_subtract_panel(pattern, s, width, false, numbers + square, scratch + square, values);
}

void WIDE_NAME(tni_block_lanes_factor)(const tni_block_pattern *pattern,
                                       const double *const scales[TNI_BLOCK_LANES], double *values,
                                       double *scratch, tni_block_report reports[TNI_BLOCK_LANES]) {
    for (size_t k = 0; k < TNI_BLOCK_LANES; ++k) {
        reports[k].dependent_count = 0;
        reports[k].is_sound = true;
    }
    for (size_t s = 0; s < pattern->panel_count; ++s) {
        if (pattern->is_idle[s]) {
            continue;
        }
        if (pattern->starts[s + 1] - pattern->starts[s] > 1) {
            lanes_factor_panel(pattern, s, scales, values, scratch, reports);
        } else {
#define LANES_CALL(n) lanes_factor_node(pattern, s, n, scales, values, scratch, reports)
            TNI_BY_SIZE(pattern->sizes[pattern->starts[s]], LANES_CALL)
#undef LANES_CALL
        }
    }
}

// ---- solving -----------------------------------------------------------------------------------

// a . x of n numbers, at least one.
TNI_KERNEL tni_d4 lanes_dot(const double *a, const double *x, size_t n) {
    tni_d4 even = d4_mul(lanes_at(a, 0), lanes_at(x, 0));
    if (n == 1) {
        return even;
    }
    tni_d4 odd = d4_mul(lanes_at(a, 1), lanes_at(x, 1));
    for (size_t c = 2; c + 1 < n; c += 2) {
        even = d4_add_product(even, lanes_at(a, c), lanes_at(x, c));
        odd = d4_add_product(odd, lanes_at(a, c + 1), lanes_at(x, c + 1));
    }
    tni_d4 both = d4_add(even, odd);
    return n % 2 == 0 ? both : d4_add_product(both, lanes_at(a, n - 1), lanes_at(x, n - 1));
}

// x <- l^-1 x. Small blocks take one product after the other, panels their sums at once.
TNI_KERNEL void lanes_reduce_x(const double *restrict d, size_t n, double *restrict x) {
    for (size_t c = 1; c < n; ++c) {
        tni_d4 z = lanes_at(x, c);
        if (n > 6) {
            z = d4_sub(z, lanes_dot(d + TNI_BLOCK_LANES * c * n, x, c));
        } else {
            for (size_t k = 0; k < c; ++k) {
                z = d4_sub_product(z, lanes_at(d, c * n + k), lanes_at(x, k));
            }
        }
        lanes_put(x, c, z);
    }
}

TNI_KERNEL void lanes_forward(const tni_block_pattern *pattern, size_t s, size_t n,
                              const double *values, double *x) {
    size_t first = pattern->starts[s];
    const double *d = values + TNI_BLOCK_LANES * pattern->diagonals[first];
    const double *block = d + TNI_BLOCK_LANES * n * n;
    double *own = x + TNI_BLOCK_LANES * pattern->unknowns[first];
    lanes_reduce_x(d, n, own);
    for (size_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        double *other = x + TNI_BLOCK_LANES * pattern->unknowns[pattern->rows[b]];
        size_t m = pattern->sizes[pattern->rows[b]];
        for (size_t i = 0; i < m; ++i) {
            lanes_put(other, i, d4_sub(lanes_at(other, i), lanes_dot(block, own, n)));
            block += TNI_BLOCK_LANES * n;
        }
    }
    for (size_t c = 0; c < n; ++c) {
        lanes_put(own, c, d4_mul(lanes_at(own, c), lanes_at(d, c * (n + 1))));
    }
}

// own -= the rows of a block times what is known, then l^-T.
TNI_KERNEL void lanes_backward(const tni_block_pattern *pattern, size_t s, size_t n,
                               const double *values, double *x) {
    size_t first = pattern->starts[s];
    const double *restrict d = values + TNI_BLOCK_LANES * pattern->diagonals[first];
    const double *restrict block = d + TNI_BLOCK_LANES * n * n;
    double *place = x + TNI_BLOCK_LANES * pattern->unknowns[first];
    tni_d4 own[TNI_PANEL_MAX];
    for (size_t c = 0; c < n; ++c) {
        own[c] = lanes_at(place, c);
    }
    for (size_t b = pattern->columns[s]; b < pattern->columns[s + 1]; ++b) {
        const double *other = x + TNI_BLOCK_LANES * pattern->unknowns[pattern->rows[b]];
        size_t m = pattern->sizes[pattern->rows[b]];
        for (size_t i = 0; i < m; ++i) {
            tni_d4 known = lanes_at(other, i);
            for (size_t c = 0; c < n; ++c) {
                own[c] = d4_sub_product(own[c], lanes_at(block, i * n + c), known);
            }
        }
        block += TNI_BLOCK_LANES * m * n;
    }
    for (size_t i = 1; i < n; ++i) {
        size_t k = n - i;
        for (size_t c = 0; c < k; ++c) {
            own[c] = d4_sub_product(own[c], lanes_at(d, k * n + c), own[k]);
        }
    }
    for (size_t c = 0; c < n; ++c) {
        lanes_put(place, c, own[c]);
    }
}

void WIDE_NAME(tni_block_lanes_solve)(const tni_block_pattern *pattern, const double *values,
                                      double *x) {
    for (size_t s = 0; s < pattern->panel_count; ++s) {
        if (pattern->is_idle[s]) {
            continue;
        }
#define LANES_CALL(n) lanes_forward(pattern, s, n, values, x)
        TNI_BY_SIZE(pattern->strides[pattern->starts[s]], LANES_CALL)
#undef LANES_CALL
    }
    for (size_t s = pattern->panel_count; s-- > 0;) {
        if (pattern->is_idle[s]) {
            continue;
        }
#define LANES_CALL(n) lanes_backward(pattern, s, n, values, x)
        TNI_BY_SIZE(pattern->strides[pattern->starts[s]], LANES_CALL)
#undef LANES_CALL
    }
}
