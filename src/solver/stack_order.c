// solver/stack_order.c: in which order a stack's bodies are eliminated, and what that fills.
//
// The order is that of minimum degree: at each step the body with the fewest neighbours, of these
// the first, is eliminated, and its neighbours become each other's. Sets of bodies are words of 64
// bits, so that it takes a few instructions a body. A tower is eliminated from its ends, and its
// matrix is block tridiagonal.
//
// The order is found once a step, for all pairs that may touch, and memory is for what these fill.
// In a solve fewer of them bear, and only what they fill is computed.
// Source: A. George, J. Liu, "The evolution of the minimum degree ordering algorithm", SIAM Review
// 31(1), 1989. Test: tests/solver/test_stack.c
#include "solver/stack.h"

// Finds the least of those that remain.
static uint32_t order_find_least(const uint8_t *degree, uint64_t remaining) {
    uint32_t least = TNI_STACK_NOBODY, of_least = TNI_STACK_MAX_BODIES;
    while (remaining != 0) {
        uint32_t i = tni_stack_take(&remaining);
        least = degree[i] < of_least ? i : least;
        of_least = degree[i] < of_least ? degree[i] : of_least;
    }
    return least;
}

void tni_stack_order(tni_stack *stack, uint8_t order[TNI_STACK_MAX_BODIES]) {
    uint32_t n = stack->body_count, place[TNI_STACK_MAX_BODIES] = {0};
    uint64_t column[TNI_STACK_MAX_BODIES] = {0};
    uint64_t remaining = n < 64 ? tni_stack_bit(n) - 1 : ~(uint64_t)0;
    uint8_t degree[TNI_STACK_MAX_BODIES];
    for (uint32_t i = 0; i < n; ++i) {
        degree[i] = (uint8_t)tni_stack_count(stack->matrix.beside[i]);
    }
    for (uint32_t k = 0; k < n && k < TNI_STACK_MAX_BODIES; ++k) {
        uint32_t i = order_find_least(degree, remaining);
        remaining &= ~tni_stack_bit(i);
        order[k] = (uint8_t)i;
        place[i] = k;
        column[k] = stack->matrix.beside[i] & remaining;
        for (uint64_t rest = column[k]; rest != 0;) {
            uint32_t j = tni_stack_take(&rest);
            stack->matrix.beside[j] = (stack->matrix.beside[j] | column[k]) & ~tni_stack_bit(j);
            degree[j] = (uint8_t)tni_stack_count(stack->matrix.beside[j] & remaining);
        }
    }
    stack->matrix.block_count = 0;
    for (uint32_t k = 0; k < n; ++k) {
        stack->matrix.below[k] = 0;
        for (uint64_t rest = column[k]; rest != 0;) {
            stack->matrix.below[k] |= tni_stack_bit(place[tni_stack_take(&rest)]);
        }
        stack->matrix.first_block[k] = stack->matrix.block_count;
        stack->matrix.block_count += tni_stack_count(stack->matrix.below[k]);
    }
}

// Rows below the first body of a column are below that body, too.
void tni_stack_fill(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        uint64_t rows = stack->matrix.filled[i];
        if (rows != 0) {
            uint32_t first = tni_stack_take(&rows);
            stack->matrix.filled[first] |= rows;
        }
    }
}
