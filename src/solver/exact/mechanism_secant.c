// solver/exact/mechanism_secant.c: Newton's method where its matrix is not the derivative.
//
// The matrix of a stage has J halfway on both sides, and the rows are closed at the end. When rows
// depend on others, or nearly do, the rows halfway make of a combination of them a number as large
// as E or larger, and those at the end make nothing of it: along this direction an iteration leaves
// the share s / (s + E) of the error, or throws it over. With d_k the solution of iteration k and
// s_k the step that was taken, the secant through the last two says where the next solution is
// least:
//     y = d_k - d_(k-1),   q = <d_k, y> / <y, y>,   s_k = d_k - q (s_(k-1) + y)
// with the energy of motion for the product. Along one direction that leaves nothing, whatever the
// rate is; the others go on as they did. Source: D. G. Anderson, "Iterative procedures for
// nonlinear integral equations", J. ACM 12(4), 1965. Test:
// tests/solver/exact/test_mechanism_secant.c
#include "solver/exact/mechanism.h"

#include <string.h>

// q is no more than this: it belongs to an iteration that leaves all but a fiftieth of the error,
// or overshoots by as much.
#define SECANT_MOST 50.0

size_t tni_mechanism_secant_count(const tni_mechanism *mechanism) {
    return 2 * (6 * (size_t)mechanism->moving_count + mechanism->matrix.pattern.unknown_count);
}

// Returns the steps. The solutions of bodies and then of joints stand before them.
static double *secant_get_steps(const tni_mechanism *mechanism) {
    return mechanism->matrix.kept + tni_mechanism_secant_count(mechanism) / 2;
}

void tni_mechanism_keep_solution(tni_mechanism *mechanism) {
    size_t half = tni_mechanism_secant_count(mechanism) / 2;
    double *solution = mechanism->matrix.kept;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        memcpy(solution + 6 * i, mechanism->bodies[i].change, 6 * sizeof(double));
    }
    size_t first = 6 * (size_t)mechanism->moving_count;
    memcpy(solution + first, mechanism->matrix.unknowns, (half - first) * sizeof(double));
    memcpy(secant_get_steps(mechanism), solution, half * sizeof(double));
}

static double secant_get_product(const tni_mechanism_body *body, const double *a, const double *b) {
    tni_dvec3 spin = dmat3_mul_vec(&body->block.inertia, dvec3_make(b[3], b[4], b[5]));
    return body->mass * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) +
           dvec3_dot(dvec3_make(a[3], a[4], a[5]), spin);
}

// Returns q.
static double secant_get_share(const tni_mechanism *mechanism) {
    double along = 0.0, square = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        const double *before = mechanism->matrix.kept + 6 * i;
        double y[6];
        for (uint32_t c = 0; c < 6; ++c) {
            y[c] = body->change[c] - before[c];
        }
        along += secant_get_product(body, body->change, y);
        square += secant_get_product(body, y, y);
    }
    double share = along * maths_inverse_or_zero_d(square);
    return maths_max_d(-SECANT_MOST, maths_min_d(SECANT_MOST, share));
}

// Takes x from a solution to a step; both take the place of those kept before.
static void secant_go(double *x, double *solution, double *step, size_t count, double share) {
    for (size_t i = 0; i < count; ++i) {
        double d = x[i];
        x[i] = d - share * (step[i] + d - solution[i]);
        solution[i] = d;
        step[i] = x[i];
    }
}

void tni_mechanism_take_secant(tni_mechanism *mechanism) {
    double share = secant_get_share(mechanism);
    double *solution = mechanism->matrix.kept, *step = secant_get_steps(mechanism);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        secant_go(mechanism->bodies[i].change, solution + 6 * i, step + 6 * i, 6, share);
    }
    size_t first = 6 * (size_t)mechanism->moving_count;
    secant_go(mechanism->matrix.unknowns, solution + first, step + first,
              mechanism->matrix.pattern.unknown_count, share);
}
