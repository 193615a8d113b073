// solver/gradient_bodies.h: blocks and bodies of the solver into lanes, eight at a time.
//
// Only for files *_wide.c. See solver/gradient_algebra.h.
#ifndef TNI_SOLVER_GRADIENT_BODIES_H
#define TNI_SOLVER_GRADIENT_BODIES_H

#include "solver/gradient_algebra.h"

typedef struct lanes_body {
    lanes_motion motion;
    lanes3 mass; // inverse, by axis
    lanes_sym3 inertia;
} lanes_body;

#define LANES_STATE_FLOATS (uint32_t)(sizeof(tni_body_state) / sizeof(float))

TNI_FORCE_INLINE lanes_body lanes_get_body(const tni_solver *solver, const uint32_t *body) {
    const float *numbers = solver->states->numbers;
    tni_f8 p[4], q[4], r[4], s[4];
    lanes_gather(numbers, LANES_STATE_FLOATS, body, p);
    lanes_gather(numbers + TNI_STATE_W, LANES_STATE_FLOATS, body, q);
    lanes_gather(numbers + 8, LANES_STATE_FLOATS, body, r);
    lanes_gather(numbers + 12, LANES_STATE_FLOATS, body, s);
    lanes_body own = {.motion = {{p[0], p[1], p[2]}, {q[0], q[1], q[2]}},
                      .mass = {q[3], r[0], r[1]},
                      .inertia = {r[2], r[3], s[0], s[1], s[2], s[3]}};
    return own;
}

TNI_FORCE_INLINE lanes_motion lanes_get_velocities(const tni_solver *solver, const uint32_t *body) {
    const float *numbers = solver->states->numbers;
    tni_f8 v[4], w[4];
    lanes_gather(numbers, LANES_STATE_FLOATS, body, v);
    lanes_gather(numbers + TNI_STATE_W, LANES_STATE_FLOATS, body, w);
    lanes_motion lanes = {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    return lanes;
}

// Three numbers of eight joints into lanes.
TNI_FORCE_INLINE lanes3 lanes_turn(const tni_f4 each[8]) {
    tni_f8 row[4];
    for (uint32_t i = 0; i < 4; ++i) {
        row[i] = f8_join(each[i], each[i + 4]);
    }
    f8_transpose(&row[0], &row[1], &row[2], &row[3]);
    lanes3 v = {row[0], row[1], row[2]};
    return v;
}

// And back: three numbers and a zero of each.
TNI_FORCE_INLINE void lanes_turn_back(lanes3 v, tni_f4 out[8]) {
    tni_f8 row[4] = {v.x, v.y, v.z, f8_zero()};
    f8_transpose(&row[0], &row[1], &row[2], &row[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        out[i] = f8_low(row[i]);
        out[i + 4] = f8_high(row[i]);
    }
}

#endif
