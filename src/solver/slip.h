// solver/slip.h: friction of what slides, on two rows at once.
//
// An impulse x along two tangents, with the mass M = K^-1, would hold a point. If x is longer than
// the cap c, the point slides on, and friction has the length c and acts against the velocity u
// that is left:
//     y = -c u / |u|,     u = K (y - x)
// This is not x made shorter: where M is no multiple of 1, as at the end of a plank or beside the
// middle of a cube, M u leads away from u, and what slides would leave its line. Steps down the
// slope of the energy lead there,
//     y <- P(y - k u),     k the least eigenvalue of M,
// where P is the nearest vector in the circle. A sweep takes one, from the impulse that there is.
// Source: the projected gradient method; J. Nocedal, S. Wright, "Numerical optimization", 2nd ed.
// 2006, 16.7. Test: tests/solver/test_slip.c
#ifndef TNI_SOLVER_SLIP_H
#define TNI_SOLVER_SLIP_H

#include <math.h>

#include "core/maths.h"

// Steps of what is solved once.
#define SLIP_STEPS 8

static inline bool tni_slip_is_long(const float x[2], float cap) {
    return x[0] * x[0] + x[1] * x[1] > cap * cap;
}

// The nearest vector in the circle.
static inline void tni_slip_shorten(float x[2], float cap) {
    if (tni_slip_is_long(x, cap)) {
        float share = cap / sqrtf(x[0] * x[0] + x[1] * x[1]);
        x[0] *= share;
        x[1] *= share;
    }
}

// What friction makes of the impulse that would hold the point; `mass` is M: 00, 11, 01.
static inline void tni_slip_solve(const float mass[3], float cap, float x[2]) {
    float tilt = 0.5f * (mass[0] - mass[1]);
    float most = 0.5f * (mass[0] + mass[1]) + sqrtf(tilt * tilt + mass[2] * mass[2]);
    float scale = maths_inverse_or_zero(most), y[2] = {x[0], x[1]};
    tni_slip_shorten(y, cap);
    for (int i = 0; i < SLIP_STEPS && tni_slip_is_long(x, cap); ++i) {
        // k K = adj(M) / (the largest eigenvalue of M)
        float r[2] = {x[0] - y[0], x[1] - y[1]};
        y[0] += scale * (mass[1] * r[0] - mass[2] * r[1]);
        y[1] += scale * (mass[0] * r[1] - mass[2] * r[0]);
        tni_slip_shorten(y, cap);
    }
    x[0] = y[0];
    x[1] = y[1];
}

#endif
