// solver/joints/joint_angles_lanes.h: these functions are shared by the kernels of
// solver/joints/joint_angles.h.
//
// Only files *_wide.c include it. Test: tests/solver/joints/test_joint_angles.c
#ifndef TNI_SOLVER_JOINTS_JOINT_ANGLES_LANES_H
#define TNI_SOLVER_JOINTS_JOINT_ANGLES_LANES_H

#include "solver/joints/joint_angles.h"
#include "solver/joints/joint_group_lanes.h"

// Returns x = K^-1 r, by blocks: the point's rows, whose own block is `inverse`, and those of the
// turns.
TNI_KERNEL tni_v8 angles_invert(const tni_s8 *inverse, const tni_joint_angles *angles,
                                uint32_t turns, tni_v8 r, const tni_f8 r_turn[3],
                                tni_f8 out_turn[3]) {
    tni_v8 x = s8_mul(inverse, r), own;
    for (uint32_t k = 0; k < turns; ++k) {
        tni_v8 column = group_load(&angles->to_point[k]);
        x = v8_add_scaled(x, r_turn[k], column);
        out_turn[k] = v8_dot(column, r);
    }
    if (turns == 0) {
        return x;
    }
    tni_s8 block = group_load_symmetric(angles->inverse[0]);
    own = s8_mul(&block, v8_make(r_turn[0], r_turn[1], turns > 2 ? r_turn[2] : f8_zero()));
    const tni_f8 parts[3] = {own.x, own.y, own.z};
    for (uint32_t k = 0; k < turns; ++k) {
        out_turn[k] = f8_add(out_turn[k], parts[k]);
    }
    return x;
}

#endif
