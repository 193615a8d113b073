// solver/gradients/gradient_block.h: these functions let conjugate gradients work with the equality
// rows of one joint.
//
// See solver/gradients/gradients.h. A block's rows are those that the sweeps use, in the same
// lanes: a pin (solver/rows/pin.h) has the point and the turns, others (solver/rows/equality.h)
// have up to four rows in `point`. Velocities are the bodies' own or changes of them.
#ifndef TNI_SOLVER_GRADIENTS_GRADIENT_BLOCK_H
#define TNI_SOLVER_GRADIENTS_GRADIENT_BLOCK_H

#include "solver/joints/joint_group.h"
#include "solver/rows/equality.h"

TNI_KERNEL tni_pin_numbers gradient_sub(tni_pin_numbers a, tni_pin_numbers b) {
    tni_pin_numbers difference = {f4_sub(a.point, b.point), f4_sub(a.turn, b.turn)};
    return difference;
}

// Returns a + s b.
TNI_KERNEL tni_pin_numbers gradient_add_scaled(tni_pin_numbers a, float s, tni_pin_numbers b) {
    tni_f4 factor = f4_splat(s);
    tni_pin_numbers sum = {f4_add_product(a.point, factor, b.point),
                           f4_add_product(a.turn, factor, b.turn)};
    return sum;
}

TNI_KERNEL tni_pin_numbers gradient_get_bias(const tni_joint_block *block) {
    tni_pin_numbers bias = tni_pin_zero();
    if (block->point_rows > 0) {
        bias.point = block->pin->bias;
        bias.turn = block->turns > 0 ? block->pin->turns->bias : bias.turn;
    } else if (block->equality_count > 0) {
        bias.point = f4_load(tni_equality_bias(block->equality, 4));
    }
    return bias;
}

TNI_KERNEL tni_pin_numbers gradient_get_impulse(const tni_joint_block *block) {
    tni_pin_numbers x = tni_pin_zero();
    if (block->group != NULL) {
        x.point = joint_group_get(&block->group->impulse, block->lane);
    } else if (block->point_rows > 0) {
        x.point = block->pin->impulse;
        x.turn = block->turns > 0 ? block->pin->turns->impulse : x.turn;
    } else if (block->equality_count > 0) {
        x.point = f4_load(tni_equality_impulse(block->equality, 4));
    }
    return x;
}

// Sets the impulses of the second kick.
static inline void gradient_set_warm(const tni_joint_block *block, tni_pin_numbers x) {
    if (block->group != NULL) {
        joint_group_set(&block->group->warm, block->lane, x.point);
    } else if (block->point_rows > 0) {
        block->pin->warm = x.point;
        if (block->turns > 0) {
            block->pin->turns->warm = x.turn;
        }
    } else if (block->equality_count > 0) {
        f4_store(tni_equality_warm(block->equality, 4), x.point);
    }
}

TNI_KERNEL void gradient_set_impulse(const tni_joint_block *block, tni_pin_numbers x) {
    if (block->point_rows > 0) {
        block->pin->impulse = x.point;
        if (block->turns > 0) {
            block->pin->turns->impulse = x.turn;
        }
    } else if (block->equality_count > 0) {
        f4_store(tni_equality_impulse(block->equality, 4), x.point);
    }
}

#endif
