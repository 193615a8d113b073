// solver/stacks/stack_factor_wide.c: the linear system of a stack's bodies, block by block.
//
// The matrix A has six rows for each body and is symmetric and positive definite. Bodies that share
// a contact have a block off the diagonal. With the bodies in the order of elimination
//     A = L D L^T,    L unit lower triangular, D diagonal,
// is found body by body (right-looking): with A_ii = l d l^T and A_ji the blocks below it,
//     X_j = A_ji l^-T,   L_ji = X_j d^-1,   A_kj -= X_k L_ji^T   for all j <= k below i.
// Pivots are positive, so none is exchanged. The order is that of solver/stacks/stack_order.c.
// Every block is six by six, column by column, so that inner loops run over the six numbers of a
// column. Source: G. Golub, C. Van Loan, "Matrix Computations", 4th ed. 2013, 4.3. Test:
// tests/solver/stacks/test_stack.c
#include "core/wide.h"
#include "solver/stacks/stack.h"

#define FACTOR_N TNI_STACK_FREEDOMS

// ---- blocks -----------------------------------------------------------------------------------

// Factors d = l D l^T in place: 1 / D stands on the diagonal, l below it.
static void factor_diagonal(double *restrict d) {
    double pivots[FACTOR_N];
    for (uint32_t j = 0; j < FACTOR_N; ++j) {
        double scaled[FACTOR_N], pivot = d[j * FACTOR_N + j];
        for (uint32_t k = 0; k < j; ++k) {
            scaled[k] = d[k * FACTOR_N + j] * pivots[k];
            pivot -= d[k * FACTOR_N + j] * scaled[k];
        }
        double inverse = 1.0 / pivot;
        pivots[j] = pivot;
        d[j * FACTOR_N + j] = inverse;
        for (uint32_t i = j + 1; i < FACTOR_N; ++i) {
            double sum = d[j * FACTOR_N + i];
            for (uint32_t k = 0; k < j; ++k) {
                sum -= d[k * FACTOR_N + i] * scaled[k];
            }
            d[j * FACTOR_N + i] = sum * inverse;
        }
    }
}

// Makes X = block l^-T; the block becomes X D^-1.
static void factor_column(const double *restrict d, double *restrict block, double *restrict x) {
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        double *to = x + (size_t)c * FACTOR_N;
        for (uint32_t r = 0; r < FACTOR_N; ++r) {
            to[r] = block[c * FACTOR_N + r];
        }
        for (uint32_t k = 0; k < c; ++k) {
            double l = d[k * FACTOR_N + c];
            for (uint32_t r = 0; r < FACTOR_N; ++r) {
                to[r] -= l * x[k * FACTOR_N + r];
            }
        }
        for (uint32_t r = 0; r < FACTOR_N; ++r) {
            block[c * FACTOR_N + r] = d[c * FACTOR_N + c] * to[r];
        }
    }
}

// Subtracts target -= X L^T.
static void factor_reduce(const double *restrict x, const double *restrict l,
                          double *restrict target) {
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        double *to = target + (size_t)c * FACTOR_N;
        for (uint32_t k = 0; k < FACTOR_N; ++k) {
            double share = l[k * FACTOR_N + c];
            for (uint32_t r = 0; r < FACTOR_N; ++r) {
                to[r] -= share * x[k * FACTOR_N + r];
            }
        }
    }
}

void WIDE_NAME(tni_stack_factor)(tni_stack *stack) {
    uint32_t words = stack->matrix.words;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        const uint64_t *rows = tni_stack_get_set(stack, stack->matrix.filled, i);
        double *d = stack->matrix.diagonal + (size_t)i * TNI_STACK_BLOCK;
        double *x = stack->matrix.column;
        factor_diagonal(d);
        for (uint32_t j = tni_stack_next(rows, words, i); j != TNI_STACK_NOBODY;
             j = tni_stack_next(rows, words, j + 1)) {
            factor_column(d, tni_stack_get_block(stack, i, j), x);
            x += TNI_STACK_BLOCK;
        }
        x = stack->matrix.column;
        for (uint32_t j = tni_stack_next(rows, words, i); j != TNI_STACK_NOBODY;
             j = tni_stack_next(rows, words, j + 1)) {
            const double *l = tni_stack_get_block(stack, i, j), *other = x;
            for (uint32_t k = tni_stack_next(rows, words, j + 1); k != TNI_STACK_NOBODY;
                 k = tni_stack_next(rows, words, k + 1)) {
                other += TNI_STACK_BLOCK;
                factor_reduce(other, l, tni_stack_get_block(stack, j, k));
            }
            factor_reduce(x, l, stack->matrix.diagonal + (size_t)j * TNI_STACK_BLOCK);
            x += TNI_STACK_BLOCK;
        }
    }
}

// ---- solving ----------------------------------------------------------------------------------

// Subtracts to -= L from.
static void factor_lower(const double *restrict l, const double *restrict from,
                         double *restrict to) {
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        for (uint32_t r = 0; r < FACTOR_N; ++r) {
            to[r] -= l[c * FACTOR_N + r] * from[c];
        }
    }
}

// Subtracts to -= L^T from.
static void factor_upper(const double *restrict l, const double *restrict from,
                         double *restrict to) {
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        double sum = 0.0;
        for (uint32_t r = 0; r < FACTOR_N; ++r) {
            sum += l[c * FACTOR_N + r] * from[r];
        }
        to[c] -= sum;
    }
}

static void factor_forward(tni_stack *stack, uint32_t i) {
    const double *d = stack->matrix.diagonal + (size_t)i * TNI_STACK_BLOCK;
    double *own = stack->bodies[i].step;
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        for (uint32_t r = c + 1; r < FACTOR_N; ++r) {
            own[r] -= d[c * FACTOR_N + r] * own[c];
        }
    }
    const uint64_t *rows = tni_stack_get_set(stack, stack->matrix.filled, i);
    for (uint32_t j = tni_stack_next(rows, stack->matrix.words, i); j != TNI_STACK_NOBODY;
         j = tni_stack_next(rows, stack->matrix.words, j + 1)) {
        factor_lower(tni_stack_get_block(stack, i, j), own, stack->bodies[j].step);
    }
}

static void factor_backward(tni_stack *stack, uint32_t i) {
    const double *d = stack->matrix.diagonal + (size_t)i * TNI_STACK_BLOCK;
    double *own = stack->bodies[i].step;
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        own[c] *= d[c * FACTOR_N + c];
    }
    const uint64_t *rows = tni_stack_get_set(stack, stack->matrix.filled, i);
    for (uint32_t j = tni_stack_next(rows, stack->matrix.words, i); j != TNI_STACK_NOBODY;
         j = tni_stack_next(rows, stack->matrix.words, j + 1)) {
        factor_upper(tni_stack_get_block(stack, i, j), stack->bodies[j].step, own);
    }
    for (uint32_t c = FACTOR_N; c-- > 0;) {
        for (uint32_t r = c + 1; r < FACTOR_N; ++r) {
            own[c] -= d[c * FACTOR_N + r] * own[r];
        }
    }
}

void WIDE_NAME(tni_stack_backsolve)(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        factor_forward(stack, i);
    }
    for (uint32_t i = stack->body_count; i-- > 0;) {
        factor_backward(stack, i);
    }
}
