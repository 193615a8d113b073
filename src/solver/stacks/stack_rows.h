// solver/stacks/stack_rows.h: the files of a stack share these: rows, impulses, and the matrix.
#ifndef TNI_SOLVER_STACKS_STACK_ROWS_H
#define TNI_SOLVER_STACKS_STACK_ROWS_H

#include "solver/stacks/stack.h"

// This is eps: the softness of a row, as a share of its own K. See stack.c.
#define STACK_SOFTNESS 1e-3
#define STACK_N        TNI_STACK_FREEDOMS
// These are sets of rows, a bit each.
#define STACK_POINTS 0xfu
#define STACK_STICKS ((1u << TNI_STACK_SLIDE) | (2u << TNI_STACK_SLIDE))
#define STACK_TWISTS (1u << TNI_STACK_TWIST)

static inline double tni_stack_dot(const double a[STACK_N], const double b[STACK_N]) {
    double sum = a[0] * b[0];
    for (uint32_t k = 1; k < STACK_N; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

static inline void tni_stack_add_cross(double to[3], const double a[3], const double b[3]) {
    to[0] += a[1] * b[2] - a[2] * b[1];
    to[1] += a[2] * b[0] - a[0] * b[2];
    to[2] += a[0] * b[1] - a[1] * b[0];
}

// Sets `out` to M x.
static inline void tni_stack_weigh(const tni_stack_body *body, const double x[STACK_N],
                                   double out[STACK_N]) {
    const double *i = body->inertia;
    out[0] = body->mass * x[0];
    out[1] = body->mass * x[1];
    out[2] = body->mass * x[2];
    out[3] = i[0] * x[3] + i[3] * x[4] + i[4] * x[5];
    out[4] = i[3] * x[3] + i[1] * x[4] + i[5] * x[5];
    out[5] = i[4] * x[3] + i[5] * x[4] + i[2] * x[5];
}

// These are called before a solve: solver/stacks/stack_rows.c. The first returns the speed that
// forces give the body in a substep, m/s.
double tni_stack_start_body(const tni_solver *solver, tni_stack *stack, tni_stack_body *body);
void tni_stack_set_shares(tni_stack *stack);
void tni_stack_start_contact(const tni_solver *solver, tni_stack *stack, tni_stack_contact *c,
                             bool use_bias);
// Finds J of two velocities, either of which may be null for zero.
void tni_stack_get_speeds(const tni_stack_contact *c, const double *of_a, const double *of_b,
                          double out[TNI_STACK_ROWS]);

// These make impulses and the matrix: solver/stacks/stack_matrix.c. The first finds P(y) of a
// contact, and which rows give way, at the velocities `along` times its step further.
void tni_stack_project(const tni_stack *stack, tni_stack_contact *c, double along);
// Finds the impulses at dv. Drops a factor of other rows. Returns whether a full step with the
// factor was exact.
bool tni_stack_evaluate(tni_stack *stack);
// Makes M + J^T D J of the rows that give way.
void tni_stack_assemble(tni_stack *stack);

// Finds dv of the least of phi, and its impulses: solver/stacks/stack_newton.c. `energy` is the one
// that a substep's forces give a body. Returns false where the search does not come to an end.
bool tni_stack_iterate(tni_stack *stack, double energy);

#endif
