// solver/stack_factor.c: the linear system of a stack's bodies, block by block.
//
// The matrix A has six rows for each body and is symmetric and positive definite. Bodies that share
// a contact have a block off the diagonal. With the bodies in the order of elimination
//     A = L D L^T,    L unit lower triangular, D diagonal,
// is found body by body (right-looking): with A_ii = l d l^T and A_ji the blocks below it,
//     X_j = A_ji l^-T,   L_ji = X_j d^-1,   A_kj -= X_k L_ji^T   for all j <= k below i.
// Pivots are positive, so none is exchanged. The order is that of minimum degree: at each step the
// body with the fewest neighbours, of these the first; its neighbours then are each other's. Sets
// of bodies are words of 64 bits, so that finding the order is a few instructions a body. A tower
// is eliminated from an end, and its matrix is block tridiagonal.
// Sources: G. Golub, C. Van Loan, "Matrix Computations", 4th ed. 2013, 4.3; A. George, J. Liu, "The
// evolution of the minimum degree ordering algorithm", SIAM Review 31(1), 1989.
// Test: tests/solver/test_stack.c
#include "solver/stack.h"

#define FACTOR_N TNI_STACK_FREEDOMS

// ---- order ------------------------------------------------------------------------------------

// Of those that remain.
static uint32_t factor_find_least(const uint64_t *beside, uint64_t remaining, uint32_t count) {
    uint32_t least = TNI_STACK_NOBODY, degree = count + 1;
    for (uint32_t i = 0; i < count; ++i) {
        if ((remaining & tni_stack_bit(i)) != 0) {
            uint32_t own = tni_stack_count(beside[i] & remaining);
            least = own < degree ? i : least;
            degree = own < degree ? own : degree;
        }
    }
    return least;
}

void tni_stack_order(tni_stack *stack, uint8_t order[TNI_STACK_MAX_BODIES]) {
    uint32_t n = stack->body_count, place[TNI_STACK_MAX_BODIES];
    uint64_t column[TNI_STACK_MAX_BODIES];
    uint64_t remaining = n < 64 ? tni_stack_bit(n) - 1 : ~(uint64_t)0;
    for (uint32_t k = 0; k < n; ++k) {
        uint32_t i = factor_find_least(stack->beside, remaining, n);
        remaining &= ~tni_stack_bit(i);
        order[k] = (uint8_t)i;
        place[i] = k;
        column[k] = stack->beside[i] & remaining;
        for (uint32_t j = 0; j < n; ++j) {
            if ((column[k] & tni_stack_bit(j)) != 0) {
                stack->beside[j] = (stack->beside[j] | column[k]) & ~tni_stack_bit(j);
            }
        }
    }
    stack->block_count = 0;
    for (uint32_t k = 0; k < n; ++k) {
        stack->below[k] = 0;
        for (uint32_t j = 0; j < n; ++j) {
            stack->below[k] |= (column[k] & tni_stack_bit(j)) != 0 ? tni_stack_bit(place[j]) : 0;
        }
        stack->first_block[k] = stack->block_count;
        stack->block_count += tni_stack_count(stack->below[k]);
    }
}

// ---- blocks -----------------------------------------------------------------------------------

// d = l D l^T in place: 1 / D on the diagonal, l below it.
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

// X = block l^-T, and the block becomes X D^-1.
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

// target -= X L^T
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

void tni_stack_factor(tni_stack *stack) {
    double x[TNI_STACK_MAX_BODIES][TNI_STACK_BLOCK];
    uint8_t rows[TNI_STACK_MAX_BODIES];
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        const double *d = stack->diagonal + (size_t)i * TNI_STACK_BLOCK;
        double *column = stack->blocks + (size_t)stack->first_block[i] * TNI_STACK_BLOCK;
        uint32_t count = 0;
        factor_diagonal(stack->diagonal + (size_t)i * TNI_STACK_BLOCK);
        for (uint32_t j = i + 1; j < stack->body_count; ++j) {
            if ((stack->below[i] & tni_stack_bit(j)) != 0) {
                factor_column(d, column + (size_t)count * TNI_STACK_BLOCK, x[count]);
                rows[count++] = (uint8_t)j;
            }
        }
        for (uint32_t p = 0; p < count; ++p) {
            const double *l = column + (size_t)p * TNI_STACK_BLOCK;
            factor_reduce(x[p], l, stack->diagonal + (size_t)rows[p] * TNI_STACK_BLOCK);
            for (uint32_t q = p + 1; q < count; ++q) {
                factor_reduce(x[q], l, tni_stack_get_block(stack, rows[p], rows[q]));
            }
        }
    }
}

// ---- solving ----------------------------------------------------------------------------------

// to -= L from
static void factor_lower(const double *restrict l, const double *restrict from,
                         double *restrict to) {
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        for (uint32_t r = 0; r < FACTOR_N; ++r) {
            to[r] -= l[c * FACTOR_N + r] * from[c];
        }
    }
}

// to -= L^T from
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
    const double *d = stack->diagonal + (size_t)i * TNI_STACK_BLOCK;
    const double *l = stack->blocks + (size_t)stack->first_block[i] * TNI_STACK_BLOCK;
    double *own = stack->bodies[i].step;
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        for (uint32_t r = c + 1; r < FACTOR_N; ++r) {
            own[r] -= d[c * FACTOR_N + r] * own[c];
        }
    }
    for (uint32_t j = i + 1; j < stack->body_count; ++j) {
        if ((stack->below[i] & tni_stack_bit(j)) != 0) {
            factor_lower(l, own, stack->bodies[j].step);
            l += TNI_STACK_BLOCK;
        }
    }
}

static void factor_backward(tni_stack *stack, uint32_t i) {
    const double *d = stack->diagonal + (size_t)i * TNI_STACK_BLOCK;
    const double *l = stack->blocks + (size_t)stack->first_block[i] * TNI_STACK_BLOCK;
    double *own = stack->bodies[i].step;
    for (uint32_t c = 0; c < FACTOR_N; ++c) {
        own[c] *= d[c * FACTOR_N + c];
    }
    for (uint32_t j = i + 1; j < stack->body_count; ++j) {
        if ((stack->below[i] & tni_stack_bit(j)) != 0) {
            factor_upper(l, stack->bodies[j].step, own);
            l += TNI_STACK_BLOCK;
        }
    }
    for (uint32_t c = FACTOR_N; c-- > 0;) {
        for (uint32_t r = c + 1; r < FACTOR_N; ++r) {
            own[c] -= d[c * FACTOR_N + r] * own[r];
        }
    }
}

void tni_stack_backsolve(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        factor_forward(stack, i);
    }
    for (uint32_t i = stack->body_count; i-- > 0;) {
        factor_backward(stack, i);
    }
}
