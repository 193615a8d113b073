// solver/gradients/conjugate_gradients.c: equality rows of a mechanism together, without a matrix.
//
// Wanted are the impulses x of all joints with
//     J v + bias + gamma D x = 0,   v = u + W J^T x
// u the velocities without x, D the blocks on the diagonal of J W J^T, and gamma D the softness of
// the rows (solver/rows/softness.c). That is A x = b with A = J W J^T + gamma D and b = -(J u +
// bias): A is symmetric and, with gamma > 0, positive definite however redundant the rows are.
// Conjugate gradients with a preconditioner M need only products with A, and those are two passes
// over the joints, one that pushes bodies and one that asks how fast the joints open:
//     z = M^-1 r       beta  = r.z / (r.z before)         p = z + beta p
//     A p = J (W J^T p) + gamma D p                       alpha = r.z / p.A p
//     x += alpha p                                        r -= alpha A p
// D has no matrix, only the inverse of each block. D' = (1 + gamma) D are the blocks on the
// diagonal of A, with mass_scale = 1/(1 + gamma) and impulse_scale = gamma/(1 + gamma), and A = L +
// D' + L^T.
//     M = D'                               block Jacobi: each joint alone
//     M = (L + D') D'^-1 (D' + L^T)        symmetric Gauss-Seidel: a sweep forth and one back.
//                                          Costs twice as much a time and takes fewer; it pays
//                                          where rows are redundant
// The passes are in solver/gradients/gradient_passes_wide.c and gradient_start_wide.c, eight joints
// at once (solver/gradients/gradient_lanes.h). The solve begins at the impulses of the last substep
// and ends when r.M^-1 r has fallen to tolerance^2 b.D'^-1 b; one whose r.D'^-1 r begins there
// needs no iteration. Redundant rows leave A singular but for gamma; that part of b belongs to one
// eigenvalue, gamma, which takes one iteration. Contradictory rows have then the answer of least
// squares in the metric of D (to order gamma), and their impulses stay finite. Stability: a solve
// that is cut short is worse than none. The number of iterations that softness needs is about sqrt
// of the condition number, 2.5 h omega with block Jacobi, whence the stiffness that a budget
// allows: see world/step/step_gradients.c. A residual that did not fall leaves the mechanism to
// Gauss-Seidel. Numbers are floats, sums of them doubles in the order of the groups. Sources: M.
// Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952; Y. Saad,
// "Iterative methods for sparse linear systems", 2nd ed. 2003, 9.2 and 10.2 (preconditioned,
// symmetric Gauss-Seidel); D. Baraff, "Linear-time dynamics using Lagrange multipliers", 1996 (J W
// J^T of joints). Test: tests/solver/gradients/test_conjugate_gradients.c
#include <string.h>

#include "solver/gradients/gradient_lanes.h"

// A solve may end with this residual (relative, not squared) at its last iteration. A solve with a
// larger one did harm: the mechanism is left to Gauss-Seidel.
#define GRADIENTS_WORST_RESIDUAL 0.5
// With sweeps, solve B ends at this many times the tolerance: the next solve A finds the remaining
// error at no cost. Without sweeps, it would find many small waves that take more iterations than
// were saved.
#define GRADIENTS_RELAX_TOLERANCE 2.0

void tni_gradients_clear(const tni_gradients *g, tni_gradient_motion *motions) {
    memset(motions, 0, ((size_t)g->body_count + 1) * sizeof *motions);
}

static double gradients_turn(const tni_solver *solver, const tni_gradients *g, float beta) {
    if (g->state.is_swept) {
        tni_gradients_clear(g, g->along);
        tni_gradients_clear(g, g->change);
    }
    return WIDE_CALL(solver->uses_avx2, tni_lanes_turn, g, beta);
}

// Iterates from r.z, until it has fallen to `least` or the iterations are used up; returns r.z.
static double gradients_iterate(const tni_solver *solver, tni_gradients *g, double now,
                                double least) {
    double before = 1.0;
    if (g->state.is_swept) {
        now = WIDE_CALL(solver->uses_avx2, tni_lanes_begin, g);
    }
    for (uint32_t i = 0; now > least && i < g->most_iterations; ++i) {
        double curvature = gradients_turn(solver, g, i > 0 ? (float)(now / before) : 0.0f);
        if (!(curvature > 0.0)) {
            break; // nothing is left that could be moved
        }
        before = now;
        now = WIDE_CALL(solver->uses_avx2, tni_lanes_advance, g, (float)(now / curvature));
        g->report.iterations += 1;
    }
    return now;
}

// Finds the first residual r; returns b.D'^-1 b, and r.D'^-1 r in out_now. In solve B they are the
// same.
static double gradients_start(const tni_solver *solver, tni_gradients *g, bool use_bias,
                              double *out_now) {
    tni_gradient_lanes_load(solver, g);
    if (!use_bias) {
        *out_now = WIDE_CALL(solver->uses_avx2, tni_lanes_start_relax, solver, g);
        return *out_now;
    }
    WIDE_CALL(solver->uses_avx2, tni_lanes_push, solver, g, false);
    tni_lanes_sums sums = WIDE_CALL(solver->uses_avx2, tni_lanes_start_bias, solver, g, true);
    *out_now = sums.residual;
    return sums.right_side;
}

double tni_gradients_get_right_side(const tni_solver *solver, tni_gradients *g) {
    tni_gradient_lanes_load(solver, g);
    WIDE_CALL(solver->uses_avx2, tni_lanes_push, solver, g, false);
    tni_lanes_sums sums = WIDE_CALL(solver->uses_avx2, tni_lanes_start_bias, solver, g, false);
    return sums.right_side;
}

bool tni_gradients_solve_equalities(const tni_solver *solver, tni_gradients *g, bool use_bias) {
    double now = 0.0, right_side = gradients_start(solver, g, use_bias, &now);
    right_side = maths_max_d(right_side, now) + TNI_GRADIENTS_NOTHING;
    g->right_side = use_bias ? right_side : maths_max_d(right_side, g->right_side);
    bool is_looser = g->state.is_swept && !use_bias;
    double tolerance = (double)g->tolerance * (is_looser ? GRADIENTS_RELAX_TOLERANCE : 1.0);
    double least = tolerance * tolerance * g->right_side;
    // This is written so that a NaN is more.
    bool has_found = !(now <= least);
    now = has_found ? gradients_iterate(solver, g, now, least) : now;
    tni_gradients_clear(g, g->change);
    double residual = sqrt(now / g->right_side);
    // This is written so that a NaN is bad.
    if (!(residual <= GRADIENTS_WORST_RESIDUAL)) {
        return false;
    }
    if (use_bias && !g->state.is_soft && tni_gradients_are_strained(solver, g, has_found)) {
        g->state.is_strained = true;
        return false;
    }
    if (has_found) {
        WIDE_CALL(solver->uses_avx2, tni_lanes_take, solver, g);
    }
    g->report.residual = maths_max_d(residual, g->report.residual);
    return true;
}
