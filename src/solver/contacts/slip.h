// solver/contacts/slip.h: friction of sliding bodies, on two rows at once.
//
// An impulse x along two tangents, with the mass M = K^-1, would hold a point. If x is longer than
// the cap c, the point slides on, and friction has the length c and acts against the velocity u
// that is left:
//     y = -c u / |u|,     u = K (y - x)
// so that (1 + lambda M) y = x with lambda = c / |u|. This is not x made shorter: where M is
// no multiple of 1, as at the end of a plank or beside the middle of a cube, M u leads away from u,
// and a sliding body would leave its line. With e = x / |x|, M and lambda in units of tr M and 1 /
// tr M and g = adj(M) e,
//     y = |x| (e + lambda g) / d,     d = 1 + lambda + lambda^2 det M
// and lambda is the root of d / |e + lambda g| - |x| / c, which rises and is nearly straight: two
// steps of Newton's from 0 are enough, and y is given its length. (The same root is sought for the
// radius of trust regions: J. More, D. Sorensen, "Computing a trust region step", SIAM J. Sci.
// Stat. Comput. 4, 1983.) Test: tests/solver/contacts/test_slip.c
#ifndef TNI_SOLVER_CONTACTS_SLIP_H
#define TNI_SOLVER_CONTACTS_SLIP_H

#include <math.h>
#include <stdbool.h>

// Newton's method takes this many steps.
#define SLIP_STEPS 2
// Friction that is this many times too weak acts against the present velocity.
#define SLIP_MOST_RATIO 1e4
// This is added under a root or in a divisor, so that nothing is divided by zero.
#define SLIP_TINY 1e-30

static inline bool tni_slip_is_long(const double x[2], double cap) {
    return x[0] * x[0] + x[1] * x[1] > cap * cap;
}

// Replaces the impulse that would hold the point by that of friction; `mass` is M: 00, 11, 01.
static inline void tni_slip_solve(const double mass[3], double cap, double x[2]) {
    if (!tni_slip_is_long(x, cap)) {
        return;
    }
    double length = sqrt(x[0] * x[0] + x[1] * x[1]), trace = mass[0] + mass[1];
    double inverse = trace > SLIP_TINY ? 1.0 / trace : 0.0, e[2] = {x[0] / length, x[1] / length};
    double m[3] = {inverse * mass[0], inverse * mass[1], inverse * mass[2]};
    double g[2] = {m[1] * e[0] - m[2] * e[1], m[0] * e[1] - m[2] * e[0]};
    double det = m[0] * m[1] - m[2] * m[2], lambda = 0.0;
    double ratio = cap * SLIP_MOST_RATIO > length ? length / cap : SLIP_MOST_RATIO;
    for (int i = 0; i < SLIP_STEPS; ++i) {
        double y[2] = {e[0] + lambda * g[0], e[1] + lambda * g[1]};
        double square = y[0] * y[0] + y[1] * y[1], slope = y[0] * g[0] + y[1] * g[1];
        double d = 1.0 + lambda * (1.0 + lambda * det), rate = 1.0 + 2.0 * lambda * det;
        lambda += square * (ratio * sqrt(square) - d) / (rate * square - d * slope);
    }
    double y[2] = {e[0] + lambda * g[0], e[1] + lambda * g[1]};
    double scale = cap / sqrt(y[0] * y[0] + y[1] * y[1]);
    x[0] = scale * y[0];
    x[1] = scale * y[1];
}

#endif
