// solver/matrix/block_lane_numbers.h: number i of four matrices, in the kernels that have one in
// each lane.
#ifndef TNI_SOLVER_MATRIX_BLOCK_LANE_NUMBERS_H
#define TNI_SOLVER_MATRIX_BLOCK_LANE_NUMBERS_H

#include "core/wide_double.h"
#include "solver/matrix/block_lanes.h"

TNI_KERNEL tni_d4 lanes_at(const double *p, size_t i) {
    return d4_load(p + TNI_BLOCK_LANES * i);
}

TNI_KERNEL void lanes_put(double *p, size_t i, tni_d4 a) {
    d4_store(p + TNI_BLOCK_LANES * i, a);
}

#endif
