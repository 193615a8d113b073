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
// Stat. Comput. 4, 1983.) With a grain (solver/contacts/grain.h) the two rows may be of very
// different lengths, so that M is far from a multiple of 1. Then lambda is sought to the last
// digits on the eigenvectors of M, p_i of x and m_i of M, from
//     1 / |y| = 1 / c,     y_i = p_i / (1 + lambda m_i),
// whose left side is concave: Newton's steps from 0 rise to the root and never pass it.
// Test: tests/solver/contacts/test_slip.c
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

// Newton's method takes at most this many steps with a grain, and ends when the length is right to
// this share.
#define SLIP_MOST_STEPS 60
#define SLIP_RIGHT      1e-12

// Returns lambda for the impulse p and the masses m > 0 along the eigenvectors.
static inline double slip_find_lambda(const double m[2], const double p[2], double cap) {
    double lambda = 0.0;
    for (int i = 0; i < SLIP_MOST_STEPS; ++i) {
        double d[2] = {1.0 + lambda * m[0], 1.0 + lambda * m[1]};
        double y[2] = {p[0] / d[0], p[1] / d[1]}, square = y[0] * y[0] + y[1] * y[1];
        double length = sqrt(square), excess = length / cap - 1.0;
        double fall = y[0] * y[0] * m[0] / d[0] + y[1] * y[1] * m[1] / d[1];
        if (!(excess > SLIP_RIGHT) || !(fall > 0.0)) {
            break;
        }
        lambda += excess * square / fall;
    }
    return lambda;
}

// Does the same as tni_slip_solve for rows with a grain.
static inline void tni_slip_solve_grain(const double mass[3], double cap, double x[2]) {
    if (!tni_slip_is_long(x, cap)) {
        return;
    }
    if (!(cap > 0.0)) {
        x[0] = x[1] = 0.0;
        return;
    }
    double trace = mass[0] + mass[1], half = 0.5 * (mass[0] - mass[1]);
    double radius = sqrt(half * half + mass[2] * mass[2]), first = 0.5 * trace + radius;
    double det = mass[0] * mass[1] - mass[2] * mass[2];
    double m[2] = {1.0, first > 0.0 ? det / (first * first) : 1.0}; // in units of the first
    // The eigenvector of the first is (cosine, sine).
    double along = half >= 0.0 ? half + radius : mass[2],
           across = half >= 0.0 ? mass[2] : radius - half;
    double length = sqrt(along * along + across * across);
    double cosine = length > 0.0 ? along / length : 1.0,
           sine = length > 0.0 ? across / length : 0.0;
    double p[2] = {cosine * x[0] + sine * x[1], cosine * x[1] - sine * x[0]};
    m[1] = m[1] > 0.0 ? m[1] : 0.0;
    double lambda = slip_find_lambda(m, p, cap);
    double y[2] = {p[0] / (1.0 + lambda * m[0]), p[1] / (1.0 + lambda * m[1])};
    double scale = cap / sqrt(y[0] * y[0] + y[1] * y[1] + SLIP_TINY);
    x[0] = scale * (cosine * y[0] - sine * y[1]);
    x[1] = scale * (sine * y[0] + cosine * y[1]);
}

static inline void tni_slip_solve_as(bool has_grain, const double mass[3], double cap,
                                     double x[2]) {
    if (has_grain) {
        tni_slip_solve_grain(mass, cap, x);
    } else {
        tni_slip_solve(mass, cap, x);
    }
}

#endif
