// solver/matrix/block_lanes.h: four matrices of one pattern, factored and solved with at once.
//
// Number i of the matrix in lane k lies at 4 i + k. Every lane is given exactly the arithmetic of
// solver/matrix/block_ldl.c: a matrix has the same factor alone as beside any others.
#ifndef TNI_SOLVER_MATRIX_BLOCK_LANES_H
#define TNI_SOLVER_MATRIX_BLOCK_LANES_H

#include "core/wide.h"
#include "solver/matrix/block_ldl.h"

#define TNI_BLOCK_LANES 4

// Does what tni_block_factor does; scales are those of each lane by themselves.
void tni_block_lanes_factor_baseline(const tni_block_pattern *pattern,
                                     const double *const scales[TNI_BLOCK_LANES], double *values,
                                     double *scratch, tni_block_report reports[TNI_BLOCK_LANES]);
void tni_block_lanes_solve_baseline(const tni_block_pattern *pattern, const double *values,
                                    double *x);
void tni_block_lanes_factor_avx2(const tni_block_pattern *pattern,
                                 const double *const scales[TNI_BLOCK_LANES], double *values,
                                 double *scratch, tni_block_report reports[TNI_BLOCK_LANES]);
void tni_block_lanes_solve_avx2(const tni_block_pattern *pattern, const double *values, double *x);
#endif
