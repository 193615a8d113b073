// solver/conjugate_gradients.c: equality rows of a mechanism together, without a matrix.
//
// Wanted are the impulses x of all joints with
//     J v + bias + gamma D x = 0,   v = u + W J^T x
// u the velocities without x, D the blocks on the diagonal of J W J^T, and gamma D the softness of
// the rows (solver/softness.c). That is A x = b with A = J W J^T + gamma D and b = -(J u + bias): A
// is symmetric and, with gamma > 0, positive definite however redundant the rows are. Conjugate
// gradients with a preconditioner M need only products with A, and those are two passes over the
// joints, one that pushes bodies and one that asks how fast the joints open:
//     z = M^-1 r       beta  = r.z / (r.z before)         p = z + beta p
//     A p = J (W J^T p) + gamma D p                       alpha = r.z / p.A p
//     x += alpha p     v += alpha W J^T p                 r -= alpha A p
// W J^T p = W J^T z + beta (W J^T p before) goes along by body. D has no matrix either, only the
// inverse of each block: D p = D z + beta (D p before), and D z is known from where z came from.
// Below, `weighted` vectors are (1 + gamma) D times the plain ones, and mass_scale = 1/(1 + gamma),
// impulse_scale = gamma/(1 + gamma).
//     M = (1 + gamma) D         block Jacobi: z_i = M_i^-1 r_i
//     M = (L + D') D'^-1 (D' + L^T), D' = (1 + gamma) D     symmetric Gauss-Seidel: a sweep forth
//                               and one back from z = 0. Costs twice as much a time and takes
//                               fewer; it pays where rows are redundant
// The solve begins at the impulses of the last substep and ends when r.M^-1 r has fallen to
// tolerance^2 b.D^-1 b: where nothing changes it is over before it began. Conditions that say the
// same leave A singular but for gamma; such a part of b belongs to one eigenvalue, gamma, which
// takes one iteration. Contradictory rows have then the answer of least squares in the metric of D
// (to order gamma), and their impulses stay finite.
// Stability: a solve that is cut short is worse than none. The number of iterations that softness
// needs is about sqrt of the condition number, 2.5 h omega with block Jacobi, whence the stiffness
// that a budget allows: see world/step_gradients.c. A residual that did not fall leaves the
// mechanism to Gauss-Seidel.
// Numbers are floats, sums of them doubles in the order of the blocks.
// Sources: M. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems",
// 1952; Y. Saad, "Iterative methods for sparse linear systems", 2nd ed. 2003, 9.2 and 10.2
// (preconditioned, symmetric Gauss-Seidel); D. Baraff, "Linear-time dynamics using Lagrange
// multipliers", 1996 (J W J^T of joints). Test: tests/solver/test_conjugate_gradients.c
#include "solver/gradient_block.h"
#include "solver/gradient_vectors.h"

// A residual (relative, not squared) that a solve may end with at its last iteration. What is
// worse did harm: the mechanism is left to Gauss-Seidel.
#define GRADIENTS_WORST_RESIDUAL 0.5

// ---- preconditioners: z, D z, W J^T z; r.z ----------------------------------------------------

TNI_FORCE_INLINE tni_pin_numbers gradient_soft_invert(const tni_joint_block *block,
                                                      tni_pin_numbers r) {
    return tni_pin_scale(gradient_invert(block, r), block->softness.mass_scale);
}

// Of one block, for its residual. D z is r itself.
TNI_FORCE_INLINE void gradient_jacobi(const tni_solver *solver, const tni_gradients *g, uint32_t i,
                                      bool is_wide, tni_pin_numbers r, gradient_sum *sum) {
    const tni_joint_block *block = &solver->joints[g->first + i];
    tni_pin_numbers z = gradient_soft_invert(block, r);
    gradient_store(g->step, i, is_wide, z);
    gradient_sum_add(sum, r, z, is_wide);
    gradient_push_motions(solver, block, z, g->change);
}

TNI_FORCE_INLINE double gradients_sweep(const tni_solver *solver, const tni_gradients *g,
                                        bool is_wide) {
    gradient_sum sum = gradient_sum_start();
    tni_pin_numbers none = tni_pin_zero();
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        tni_velocities v = gradient_get_motions(g->change, block);
        tni_pin_numbers r = gradient_load(g->residual, i, is_wide);
        r = gradient_sub(r, gradient_speed(block, &v, none));
        tni_pin_numbers z = gradient_soft_invert(block, r);
        gradient_store(g->step, i, is_wide, z);
        gradient_store(g->weighted, i, is_wide, r);
        gradient_push_motions(solver, block, z, g->change);
    }
    for (uint32_t i = g->count; i-- > 0;) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        tni_velocities v = gradient_get_motions(g->change, block);
        tni_pin_numbers r = gradient_load(g->residual, i, is_wide);
        tni_pin_numbers z = gradient_load(g->step, i, is_wide);
        tni_pin_numbers weighted = gradient_load(g->weighted, i, is_wide);
        tni_pin_numbers left = gradient_sub(r, gradient_speed(block, &v, none));
        left = gradient_add_scaled(left, -block->softness.impulse_scale, weighted);
        tni_pin_numbers more = gradient_soft_invert(block, left);
        z = gradient_add_scaled(z, 1.0f, more);
        gradient_store(g->step, i, is_wide, z);
        gradient_store(g->weighted, i, is_wide, gradient_add_scaled(weighted, 1.0f, left));
        gradient_sum_add(&sum, r, z, is_wide);
        gradient_push_motions(solver, block, more, g->change);
    }
    return gradient_sum_end(&sum);
}

// ---- start and end ----------------------------------------------------------------------------

// W J^T x of the impulses that the solve starts from, in `change`.
static void gradients_push_start(const tni_solver *solver, const tni_gradients *g) {
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        gradient_push_motions(solver, block, gradient_get_impulse(block), g->change);
    }
}

void tni_gradients_clear(const tni_gradients *g, tni_gradient_motion *motions) {
    tni_gradient_motion still = {f4_splat(0.0f), f4_splat(0.0f)};
    for (uint32_t k = 0; k < g->body_count; ++k) {
        motions[g->bodies[k]] = still;
    }
}

// K x of the block alone.
static tni_pin_numbers gradient_respond(const tni_solver *solver, const tni_joint_block *block,
                                        tni_pin_numbers x) {
    tni_velocities v = tni_velocities_zero();
    gradient_push(block, x, &solver->states[block->body_a], &solver->states[block->body_b], &v);
    return gradient_speed(block, &v, tni_pin_zero());
}

// Of solve A: r = b - A x, and b.D^-1 b. With the velocities v = u + W J^T x:
// r = -(J v + bias) - gamma D x,  and b = -(J v + bias) + J W J^T x.
double tni_gradients_start(const tni_solver *solver, const tni_gradients *g) {
    gradient_sum sum = gradient_sum_start();
    gradients_push_start(solver, g);
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        tni_velocities v =
            tni_velocities_load(&solver->states[block->body_a], &solver->states[block->body_b]);
        tni_pin_numbers speed = gradient_speed(block, &v, gradient_get_bias(block));
        v = gradient_get_motions(g->change, block);
        tni_pin_numbers b = gradient_sub(gradient_speed(block, &v, tni_pin_zero()), speed);
        gradient_sum_add(&sum, b, gradient_soft_invert(block, b), true);
        float gamma =
            block->softness.impulse_scale * maths_inverse_or_zero(block->softness.mass_scale);
        tni_pin_numbers held = gradient_respond(solver, block, gradient_get_impulse(block));
        tni_pin_numbers r = gradient_sub(tni_pin_zero(), speed);
        gradient_store(g->residual, i, g->is_wide, gradient_add_scaled(r, -gamma, held));
    }
    tni_gradients_clear(g, g->change);
    return gradient_sum_end(&sum);
}

// Of solve B: r = -J v; returns r.D^-1 r.
static double gradients_start_relax(const tni_solver *solver, const tni_gradients *g) {
    gradient_sum sum = gradient_sum_start();
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        tni_velocities v =
            tni_velocities_load(&solver->states[block->body_a], &solver->states[block->body_b]);
        tni_pin_numbers none = tni_pin_zero();
        tni_pin_numbers r = gradient_sub(none, gradient_speed(block, &v, none));
        gradient_sum_add(&sum, r, gradient_soft_invert(block, r), true);
        gradient_store(g->residual, i, g->is_wide, r);
    }
    return gradient_sum_end(&sum);
}

// Adds what was found to the impulses and to the velocities.
static void gradients_take(const tni_solver *solver, const tni_gradients *g) {
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        tni_body_state *a = &solver->states[block->body_a], *b = &solver->states[block->body_b];
        tni_pin_numbers x = gradient_load(g->found, i, g->is_wide);
        gradient_set_impulse(block, gradient_add_scaled(gradient_get_impulse(block), 1.0f, x));
        tni_velocities v = tni_velocities_load(a, b);
        gradient_push(block, x, a, b, &v);
        tni_velocities_store(&v, a, b);
    }
}

// ---- an iteration -----------------------------------------------------------------------------

// The first z; r.z
static double gradients_begin(const tni_solver *solver, const tni_gradients *g) {
    tni_gradients_clear(g, g->along);
    gradient_sum sum = gradient_sum_start();
    for (uint32_t i = 0; i < g->count; ++i) {
        gradient_store(g->found, i, g->is_wide, tni_pin_zero());
        gradient_store(g->search, i, g->is_wide, tni_pin_zero());
        gradient_store(g->search_weighted, i, g->is_wide, tni_pin_zero());
        if (!g->is_swept) {
            tni_pin_numbers r = gradient_load(g->residual, i, g->is_wide);
            gradient_jacobi(solver, g, i, g->is_wide, r, &sum);
        }
    }
    return g->is_swept ? gradients_sweep(solver, g, g->is_wide) : gradient_sum_end(&sum);
}

// W J^T p from W J^T z, which is cleared for the next.
static void gradients_turn_bodies(const tni_gradients *g, float beta) {
    tni_gradient_motion still = {f4_splat(0.0f), f4_splat(0.0f)};
    tni_f4 factor = f4_splat(beta);
    for (uint32_t k = 0; k < g->body_count; ++k) {
        tni_gradient_motion *change = &g->change[g->bodies[k]], *along = &g->along[g->bodies[k]];
        along->v = f4_add_product(change->v, factor, along->v);
        along->w = f4_add_product(change->w, factor, along->w);
        *change = still;
    }
}

// p, D p and A p; p.A p
TNI_FORCE_INLINE double gradients_turn(const tni_solver *solver, const tni_gradients *g,
                                       bool is_wide, float beta) {
    gradient_sum sum = gradient_sum_start();
    const tni_f4 *weights = g->is_swept ? g->weighted : g->residual;
    gradients_turn_bodies(g, beta);
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        tni_velocities v = gradient_get_motions(g->along, block);
        tni_pin_numbers p = gradient_load(g->search, i, is_wide);
        tni_pin_numbers weighted = gradient_load(g->search_weighted, i, is_wide);
        p = gradient_add_scaled(gradient_load(g->step, i, is_wide), beta, p);
        weighted = gradient_add_scaled(gradient_load(weights, i, is_wide), beta, weighted);
        tni_pin_numbers image = gradient_speed(block, &v, tni_pin_zero());
        image = gradient_add_scaled(image, block->softness.impulse_scale, weighted);
        gradient_store(g->search, i, is_wide, p);
        gradient_store(g->search_weighted, i, is_wide, weighted);
        gradient_store(g->image, i, is_wide, image);
        gradient_sum_add(&sum, p, image, is_wide);
    }
    return gradient_sum_end(&sum);
}

// x += alpha p and r -= alpha A p, then the next z; r.z
TNI_FORCE_INLINE double gradients_advance(const tni_solver *solver, const tni_gradients *g,
                                          bool is_wide, float alpha) {
    gradient_sum sum = gradient_sum_start();
    for (uint32_t i = 0; i < g->count; ++i) {
        tni_pin_numbers r = gradient_load(g->residual, i, is_wide);
        r = gradient_add_scaled(r, -alpha, gradient_load(g->image, i, is_wide));
        gradient_store(g->residual, i, is_wide, r);
        tni_pin_numbers x = gradient_load(g->found, i, is_wide);
        x = gradient_add_scaled(x, alpha, gradient_load(g->search, i, is_wide));
        gradient_store(g->found, i, is_wide, x);
        if (!g->is_swept) {
            gradient_jacobi(solver, g, i, is_wide, r, &sum);
        }
    }
    return g->is_swept ? gradients_sweep(solver, g, is_wide) : gradient_sum_end(&sum);
}

// Until r.z has fallen to `least` or the iterations are used up; returns r.z.
TNI_FORCE_INLINE double gradients_iterate(const tni_solver *solver, tni_gradients *g, bool is_wide,
                                          double now, double least) {
    double before = 1.0;
    for (uint32_t i = 0; now > least && i < g->most_iterations; ++i) {
        double curvature = gradients_turn(solver, g, is_wide, i > 0 ? (float)(now / before) : 0.0f);
        if (!(curvature > 0.0)) {
            break; // nothing is left that could be moved
        }
        before = now;
        now = gradients_advance(solver, g, is_wide, (float)(now / curvature));
        g->report.iterations += 1;
    }
    return now;
}

bool tni_gradients_solve_equalities(const tni_solver *solver, tni_gradients *g, bool use_bias) {
    double right_side =
        use_bias ? tni_gradients_start(solver, g) : gradients_start_relax(solver, g);
    double now = gradients_begin(solver, g);
    right_side = fmax(right_side, now) + TNI_GRADIENTS_NOTHING;
    g->right_side = use_bias ? right_side : fmax(right_side, g->right_side);
    double least = (double)g->tolerance * (double)g->tolerance * g->right_side;
    // Written twice, so that the loops know the shape of the vectors.
    now = g->is_wide ? gradients_iterate(solver, g, true, now, least)
                     : gradients_iterate(solver, g, false, now, least);
    tni_gradients_clear(g, g->change);
    double residual = sqrt(now / g->right_side);
    // Written so that a NaN is bad.
    if (!(residual <= GRADIENTS_WORST_RESIDUAL)) {
        return false;
    }
    if (use_bias && !g->is_soft && tni_gradients_are_strained(solver, g, true)) {
        g->is_strained = true;
        return false;
    }
    gradients_take(solver, g);
    g->report.residual = fmax(residual, g->report.residual);
    return true;
}
