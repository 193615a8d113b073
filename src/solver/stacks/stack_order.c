// solver/stacks/stack_order.c: the order in which a stack's bodies are eliminated, and its fill.
//
// The order is that of minimum degree: at each step the body with the fewest neighbours, of these
// the first, is eliminated, and its neighbours become each other's. Sets of bodies are words of 64
// bits, so that it takes a few instructions a body. A tower is eliminated from its ends, and its
// matrix is block tridiagonal.
//
// The order is found once a step, for all pairs that may touch, and memory is for their fill. In a
// solve fewer pairs bear a load, and only the fill of these is computed.
// Source: A. George, J. Liu, "The evolution of the minimum degree ordering algorithm", SIAM Review
// 31(1), 1989. Test: tests/solver/stacks/test_stack.c
#include <string.h>

#include "solver/stacks/stack.h"

// Finds the least of the remaining bodies.
static uint32_t order_find_least(const uint16_t *degree, const uint64_t *remaining,
                                 uint32_t words) {
    uint32_t least = TNI_STACK_NOBODY, of_least = TNI_STACK_MAX_BODIES;
    for (uint32_t i = tni_stack_next(remaining, words, 0); i != TNI_STACK_NOBODY;
         i = tni_stack_next(remaining, words, i + 1)) {
        least = degree[i] < of_least ? i : least;
        of_least = degree[i] < of_least ? degree[i] : of_least;
    }
    return least;
}

// Makes the remaining neighbours of an eliminated body each other's neighbours.
static void order_join(const tni_stack *stack, const uint64_t *column, const uint64_t *remaining,
                       uint16_t *degree) {
    uint32_t words = stack->matrix.words;
    for (uint32_t j = tni_stack_next(column, words, 0); j != TNI_STACK_NOBODY;
         j = tni_stack_next(column, words, j + 1)) {
        uint64_t *beside = tni_stack_get_set(stack, stack->matrix.beside, j);
        uint32_t count = 0;
        for (uint32_t w = 0; w < words; ++w) {
            beside[w] |= column[w];
            beside[w] &= w == j / 64 ? ~tni_stack_bit(j) : ~(uint64_t)0;
            count += tni_stack_count_word(beside[w] & remaining[w]);
        }
        degree[j] = (uint16_t)count;
    }
}

// Sets the columns, numbered anew, and the cost of eliminating them.
static void order_set_columns(tni_stack *stack, const uint16_t *order, const uint16_t *place) {
    tni_stack_matrix *matrix = &stack->matrix;
    matrix->block_count = matrix->longest = 0;
    matrix->products = 0;
    for (uint32_t k = 0; k < stack->body_count; ++k) {
        const uint64_t *column = tni_stack_get_set(stack, matrix->filled, order[k]);
        uint64_t *below = tni_stack_get_set(stack, matrix->below, k);
        uint32_t count = 0;
        memset(below, 0, matrix->words * sizeof *below);
        for (uint32_t j = tni_stack_next(column, matrix->words, 0); j != TNI_STACK_NOBODY;
             j = tni_stack_next(column, matrix->words, j + 1)) {
            tni_stack_put(below, place[j]);
            count += 1;
        }
        matrix->first_block[k] = matrix->block_count;
        matrix->block_count += count;
        matrix->longest = count > matrix->longest ? count : matrix->longest;
        matrix->products += count + (uint64_t)count * (count + 1) / 2;
    }
}

void tni_stack_order(tni_stack *stack, uint16_t order[TNI_STACK_MAX_BODIES]) {
    uint32_t n = stack->body_count, words = stack->matrix.words;
    uint16_t place[TNI_STACK_MAX_BODIES] = {0}, degree[TNI_STACK_MAX_BODIES];
    uint64_t remaining[TNI_STACK_MAX_WORDS] = {0};
    for (uint32_t i = 0; i < n; ++i) {
        tni_stack_put(remaining, i);
        const uint64_t *beside = tni_stack_get_set(stack, stack->matrix.beside, i);
        degree[i] = (uint16_t)tni_stack_count(beside, words);
    }
    for (uint32_t k = 0; k < n && k < TNI_STACK_MAX_BODIES; ++k) {
        uint32_t i = order_find_least(degree, remaining, words);
        remaining[i / 64] &= ~tni_stack_bit(i);
        order[k] = (uint16_t)i;
        place[i] = (uint16_t)k;
        const uint64_t *beside = tni_stack_get_set(stack, stack->matrix.beside, i);
        uint64_t *column = tni_stack_get_set(stack, stack->matrix.filled, i);
        for (uint32_t w = 0; w < words; ++w) {
            column[w] = beside[w] & remaining[w];
        }
        order_join(stack, column, remaining, degree);
    }
    order_set_columns(stack, order, place);
}

// Fills the factor's set: rows below the first body of a column are below that body, too.
void tni_stack_fill(tni_stack *stack) {
    uint32_t words = stack->matrix.words;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        const uint64_t *rows = tni_stack_get_set(stack, stack->matrix.filled, i);
        uint32_t first = tni_stack_next(rows, words, 0);
        if (first == TNI_STACK_NOBODY) {
            continue;
        }
        uint64_t *to = tni_stack_get_set(stack, stack->matrix.filled, first);
        for (uint32_t w = 0; w < words; ++w) {
            to[w] |= w == first / 64 ? rows[w] & ~tni_stack_bit(first) : rows[w];
        }
    }
}
