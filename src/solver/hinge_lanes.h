// solver/hinge_lanes.h: up to four hinges at a new pose at once, for machines too small for groups.
//
// Groups (solver/joint_group.h) ask for joints that share no body and are swept together. Joints of
// a small machine hang on each other, so they are swept one by one; but what a refresh works out is
// each joint's own, whatever else its bodies carry. So hinges go through their refresh four at a
// time, one in each lane, and come back as the blocks that sweeps read, with the bits that each
// would have by itself (joints/hinge_joint.c, solver/pin.c).
#ifndef TNI_SOLVER_HINGE_LANES_H
#define TNI_SOLVER_HINGE_LANES_H

#include "core/wide.h"
#include "solver/solver.h"

#define HINGE_LANES 4

// Hinges without anything else, whose bias has been faded with the turn of their bodies. Returns
// bits, one for each that must be done by itself: its axes are more than 90 degrees apart, or its
// matrix is singular.
#define HINGE_KERNELS(suffix)                                                                      \
    uint32_t tni_hinges_refresh##suffix(const tni_solver *solver, tni_joint_block *const *blocks,  \
                                        uint32_t count)
HINGE_KERNELS(_baseline);
HINGE_KERNELS(_avx2);

#endif
