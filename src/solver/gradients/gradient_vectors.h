// solver/gradients/gradient_vectors.h: vectors of one or two parts for every joint of a mechanism,
// and sums over them.
#ifndef TNI_SOLVER_GRADIENTS_GRADIENT_VECTORS_H
#define TNI_SOLVER_GRADIENTS_GRADIENT_VECTORS_H

#include "solver/rows/pin.h"

// The products of this many blocks are added in float before they go to the sum in double.
#define GRADIENT_CHUNK 64

TNI_KERNEL tni_pin_numbers gradient_load(const tni_f4 *vector, uint32_t i, bool is_wide) {
    tni_pin_numbers x = {vector[is_wide ? 2 * i : i], f4_splat(0.0f)};
    if (is_wide) {
        x.turn = vector[2 * i + 1];
    }
    return x;
}

TNI_KERNEL void gradient_store(tni_f4 *vector, uint32_t i, bool is_wide, tni_pin_numbers x) {
    vector[is_wide ? 2 * i : i] = x.point;
    if (is_wide) {
        vector[2 * i + 1] = x.turn;
    }
}

typedef struct gradient_sum {
    tni_f4 part;
    double total;
    uint32_t count;
} gradient_sum;

static inline gradient_sum gradient_sum_start(void) {
    gradient_sum sum = {f4_splat(0.0f), 0.0, 0};
    return sum;
}

static inline double gradient_sum_end(gradient_sum *sum) {
    sum->total += (double)f4_sum(sum->part);
    sum->part = f4_splat(0.0f);
    sum->count = 0;
    return sum->total;
}

TNI_KERNEL void gradient_sum_add(gradient_sum *sum, tni_pin_numbers x, tni_pin_numbers y,
                                 bool is_wide) {
    sum->part = f4_add_product(sum->part, x.point, y.point);
    if (is_wide) {
        sum->part = f4_add_product(sum->part, x.turn, y.turn);
    }
    if (++sum->count == GRADIENT_CHUNK) {
        gradient_sum_end(sum);
    }
}

#endif
