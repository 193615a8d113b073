// solver/pin_lanes.h: up to four pins at a new pose at once, for machines too small for groups.
//
// Groups (solver/joint_group.h) ask for joints that share no body and are swept together. Joints of
// a small machine hang on each other, so they are swept one by one; but what a refresh works out is
// each joint's own, whatever else its bodies carry. So hinges and sliders go through their refresh
// four at a time, one in each lane, and come back as the blocks that sweeps read, with the bits
// that each would have by itself (joints/hinge_joint.c, joints/slider_joint.c, solver/pin.c).
#ifndef TNI_SOLVER_PIN_LANES_H
#define TNI_SOLVER_PIN_LANES_H

#include "core/wide.h"
#include "solver/solver.h"

#define PINS_LANES 4

// The equalities of hinges and sliders; and of rows that are kept what velocities change, the
// biases alone. Returns bits, one for each that must be done by itself: it is turned too far from
// where it belongs (a hinge 90 degrees, a slider 120), or its matrix is singular.
#define PINS_KERNELS(suffix)                                                                       \
    uint32_t tni_pins_refresh##suffix(const tni_solver *solver, tni_joint_block *const *blocks,    \
                                      uint32_t count);                                             \
    uint32_t tni_pins_rebias##suffix(const tni_solver *solver, tni_joint_block *const *blocks,     \
                                     uint32_t count)
PINS_KERNELS(_baseline);
PINS_KERNELS(_avx2);

#endif
