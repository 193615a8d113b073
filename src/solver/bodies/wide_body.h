// solver/bodies/wide_body.h: the states of eight bodies in lanes, and their velocities back.
//
// It is for kernels on core/wide.h, in files *_wide.c.
#ifndef TNI_SOLVER_BODIES_WIDE_BODY_H
#define TNI_SOLVER_BODIES_WIDE_BODY_H

#include "core/wide_vector.h"
#include "solver/solver.h"

typedef struct tni_wide_body {
    tni_v8 v, w, inv_mass;
    tni_s8 inv_inertia;
    tni_f8 unused;
} tni_wide_body;

#define WIDE_BODY_FLOATS (uint32_t)(sizeof(tni_body_state) / sizeof(float))

TNI_KERNEL tni_wide_body wide_body_load(const tni_body_state *states,
                                        const uint32_t body[WIDE_LANES]) {
    tni_f8 p[4], q[4], r[4], s[4];
    f8_gather4(states->numbers, WIDE_BODY_FLOATS, body, p);
    f8_gather4(states->numbers + 4, WIDE_BODY_FLOATS, body, q);
    f8_gather4(states->numbers + 8, WIDE_BODY_FLOATS, body, r);
    f8_gather4(states->numbers + 12, WIDE_BODY_FLOATS, body, s);
    tni_wide_body lanes = {{p[0], p[1], p[2]},
                           {q[0], q[1], q[2]},
                           {q[3], r[0], r[1]},
                           {r[2], r[3], s[0], s[1], s[2], s[3]},
                           p[3]};
    return lanes;
}

// Stores the velocities of the bodies whose bit is set; the numbers that lie behind them go back as
// they came. Nothing moves the other bodies, and several threads may read them at once.
TNI_KERNEL void wide_body_store_moving(tni_body_state *states, const uint32_t body[WIDE_LANES],
                                       uint32_t moving, const tni_wide_body *lanes) {
    tni_body_state spare;
    tni_f8 v[4] = {lanes->v.x, lanes->v.y, lanes->v.z, lanes->unused};
    tni_f8 w[4] = {lanes->w.x, lanes->w.y, lanes->w.z, lanes->inv_mass.x};
    if (moving == 0) {
        return;
    }
    f8_transpose(&v[0], &v[1], &v[2], &v[3]);
    f8_transpose(&w[0], &w[1], &w[2], &w[3]);
    for (uint32_t i = 0; i < 4; ++i) {
        float *low = (moving >> i & 1) != 0 ? states[body[i]].numbers : spare.numbers;
        float *high = (moving >> i & 16) != 0 ? states[body[i + 4]].numbers : spare.numbers;
        f8_store_halves(low, high, v[i]);
        f8_store_halves(low + TNI_STATE_W, high + TNI_STATE_W, w[i]);
    }
}

#endif
