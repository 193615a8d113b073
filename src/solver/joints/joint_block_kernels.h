// solver/joints/joint_block_kernels.h: warm starts and sweeps over blocks: see
// solver/joints/joint_block_wide.c.
#ifndef TNI_SOLVER_JOINTS_JOINT_BLOCK_KERNELS_H
#define TNI_SOLVER_JOINTS_JOINT_BLOCK_KERNELS_H

#include "core/wide.h"
#include "solver/solver.h"

// These work on blocks that lie together.
#define JOINT_BLOCK_KERNELS(suffix)                                                                \
    void tni_joint_block_warm_start##suffix(const tni_solver *solver, uint32_t first,              \
                                            uint32_t count, bool is_first_half);                   \
    void tni_joint_block_solve##suffix(const tni_solver *solver, uint32_t first, uint32_t count,   \
                                       bool use_bias)
JOINT_BLOCK_KERNELS(_baseline);
JOINT_BLOCK_KERNELS(_avx2);

#endif
