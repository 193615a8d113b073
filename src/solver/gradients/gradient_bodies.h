// solver/gradients/gradient_bodies.h: blocks and bodies of the solver are turned into lanes, eight
// at a time.
//
// Only files *_wide.c include it. See solver/gradients/gradient_algebra.h.
#ifndef TNI_SOLVER_GRADIENTS_GRADIENT_BODIES_H
#define TNI_SOLVER_GRADIENTS_GRADIENT_BODIES_H

#include "solver/bodies/wide_body.h"
#include "solver/gradients/gradient_algebra.h"

TNI_KERNEL lanes_motion lanes_get_velocities(const tni_solver *solver, const uint32_t *body) {
    const float *numbers = solver->bodies.states->numbers;
    tni_f8 v[4], w[4];
    f8_gather4(numbers, WIDE_BODY_FLOATS, body, v);
    f8_gather4(numbers + TNI_STATE_W, WIDE_BODY_FLOATS, body, w);
    lanes_motion lanes = {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    return lanes;
}

// Turns three numbers of each of eight joints into lanes.
TNI_KERNEL tni_v8 lanes_turn(const tni_f4 each[8]) {
    tni_f8 row[4];
    for (uint32_t i = 0; i < 4; ++i) {
        row[i] = f8_join(each[i], each[i + 4]);
    }
    f8_transpose(&row[0], &row[1], &row[2], &row[3]);
    tni_v8 v = {row[0], row[1], row[2]};
    return v;
}

// Turns lanes back: three numbers and a zero of each joint.
TNI_KERNEL void lanes_turn_back(tni_v8 v, tni_f4 out[8]) {
    tni_f8 row[4] = {v.x, v.y, v.z, f8_zero()};
    f8_transpose(&row[0], &row[1], &row[2], &row[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = f8_low(row[i]);
        out[i + 4] = f8_high(row[i]);
    }
}

#endif
