// solver/gradients/nonsmooth_gradients.c: sweeps over a mechanism with bounded rows, accelerated.
//
// Projected Gauss-Seidel is steepest descent of a kind: one sweep takes the impulses x to x' =
// P(x), and d = x' - x is the remaining (preconditioned, projected) gradient. The Fletcher-Reeves
// rule makes conjugate directions of it:
//     x' = P(x)      d = x' - x      beta = d.D d / (d.D d before)
//     beta > 1:  the direction is worth nothing any more: p = d, and go on from x'
//     else:      x = x' + beta p,    p = beta p + d
// The velocities go the same way, v = v' + beta q and q = beta q + (v' - v), so that they stay
// those of the impulses. Bounds (motors at their cap, limits, friction) hold after every sweep, and
// a sweep comes last. On equality rows it takes about as many sweeps as conjugate gradients take
// iterations. In d.D d the mean diagonal of a joint's block D serves as well as the block.
// Source: M. Silcowitz-Hansen, S. Niebe, K. Erleben, "A nonsmooth nonlinear conjugate gradient
// method for interactive contact force problems", The Visual Computer 26, 2010, algorithm 2.
// Test: tests/solver/gradients/test_conjugate_gradients.c
#include "solver/gradients/gradient_block.h"
#include "solver/gradients/gradient_vectors.h"
#include "solver/joints/joint_bounded.h"
#include "solver/joints/joint_machine.h"

// Solve B, which sweeps rigid rows, makes this many iterations: with more, errors of rows that meet
// bounds or contacts come back.
#define NONSMOOTH_RELAX 8

// Returns the mean diagonals of the block's D: of the point or the rows, and of the turns.
static tni_pin_numbers nonsmooth_weigh(const tni_joint_block *block) {
    tni_pin_numbers weights = tni_pin_zero();
    if (block->equality_count == 0) {
        return weights;
    }
    float trace = 0.0f, rows = 3.0f;
    if (block->point_rows > 0) {
        const tni_f4 *p = block->pin->inverse;
        trace =
            f4_first(p[0]) + f4_first(f4_splat_lane(p[1], 1)) + f4_first(f4_splat_lane(p[2], 2));
        rows = (float)block->point_rows;
    } else {
        rows = (float)block->equality_count;
        const float *inverse = tni_equality_inverse(block->equality, 4);
        trace = inverse[0] + inverse[5] + inverse[10];
    }
    weights.point = f4_splat(rows * maths_inverse_or_zero(trace));
    if (block->turns > 0) {
        const tni_f4 *t = block->pin->turns->inverse;
        trace = f4_first(t[0]) + (block->turns > 1 ? f4_first(f4_splat_lane(t[1], 1)) : 0.0f);
        trace += block->turns > 2 ? f4_first(f4_splat_lane(t[2], 2)) : 0.0f;
        weights.turn = f4_splat((float)block->turns * maths_inverse_or_zero(trace));
    }
    return weights;
}

// Saves the impulses that a sweep starts from.
static void nonsmooth_save(const tni_solver *solver, const tni_gradients *g) {
    for (uint32_t i = 0; i < g->count && g->equality_count > 0; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[g->first + i];
        gradient_store(g->step, i, g->state.is_wide, gradient_get_impulse(block));
    }
    for (uint32_t k = 0; k < g->bounded.swept_count; ++k) {
        g->bounded.step[k] = solver->joints.row_states[g->bounded.rows[k]].impulse;
    }
    for (uint32_t k = 0; k < g->body_count; ++k) {
        const float *numbers = solver->bodies.states[g->bodies[k]].numbers;
        f4_store(g->change[k + 1].v, f4_load(numbers));
        f4_store(g->change[k + 1].w, f4_load(numbers + TNI_STATE_W));
    }
}

// Puts d in the place of the saved impulses; returns d.D d.
static double nonsmooth_measure(const tni_solver *solver, const tni_gradients *g) {
    gradient_sum sum = gradient_sum_start();
    double square = 0.0;
    for (uint32_t i = 0; i < g->count && g->equality_count > 0; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[g->first + i];
        tni_pin_numbers d =
            gradient_sub(gradient_get_impulse(block), gradient_load(g->step, i, g->state.is_wide));
        gradient_store(g->step, i, g->state.is_wide, d);
        tni_pin_numbers weights = gradient_load(g->weighted, i, g->state.is_wide);
        weights.point = f4_mul(weights.point, d.point);
        weights.turn = f4_mul(weights.turn, d.turn);
        gradient_sum_add(&sum, d, weights, g->state.is_wide);
    }
    for (uint32_t k = 0; k < g->bounded.swept_count; ++k) {
        float change = solver->joints.row_states[g->bounded.rows[k]].impulse - g->bounded.step[k];
        square += (double)(change * change * g->bounded.weights[k]);
        g->bounded.step[k] = change;
    }
    return square + gradient_sum_end(&sum);
}

// Turns rows: x += beta p; p = beta p + d.
static void nonsmooth_turn_rows(const tni_solver *solver, const tni_gradients *g, float beta) {
    for (uint32_t i = 0; i < g->count && g->equality_count > 0; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[g->first + i];
        tni_pin_numbers p = tni_pin_scale(gradient_load(g->search, i, g->state.is_wide), beta);
        gradient_set_impulse(block, gradient_add_scaled(gradient_get_impulse(block), 1.0f, p));
        p = gradient_add_scaled(p, 1.0f, gradient_load(g->step, i, g->state.is_wide));
        gradient_store(g->search, i, g->state.is_wide, p);
    }
    for (uint32_t k = 0; k < g->bounded.swept_count; ++k) {
        float along = beta * g->bounded.search[k];
        solver->joints.row_states[g->bounded.rows[k]].impulse += along;
        g->bounded.search[k] = along + g->bounded.step[k];
    }
}

static void nonsmooth_turn_bodies(const tni_solver *solver, const tni_gradients *g, float beta) {
    tni_f4 factor = f4_splat(beta);
    for (uint32_t k = 0; k < g->body_count; ++k) {
        float *numbers = solver->bodies.states[g->bodies[k]].numbers;
        tni_gradient_motion *along = &g->along[k + 1], *old = &g->change[k + 1];
        tni_f4 v = f4_load(numbers), w = f4_load(numbers + TNI_STATE_W);
        tni_f4 more_v = f4_mul(factor, f4_load(along->v));
        tni_f4 more_w = f4_mul(factor, f4_load(along->w));
        f4_store(numbers, f4_add(v, more_v));
        f4_store(numbers + TNI_STATE_W, f4_add(w, more_w));
        f4_store(along->v, f4_add(more_v, f4_sub(v, f4_load(old->v))));
        f4_store(along->w, f4_add(more_w, f4_sub(w, f4_load(old->w))));
    }
}

// Lists the bounded rows to sweep; a limit far from its end is not swept.
static void nonsmooth_list_bounded(const tni_solver *solver, tni_gradients *g) {
    g->bounded.swept_count = 0;
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[g->first + i];
        const tni_bounded_row *rows = solver->joints.bounded_rows + block->first_bounded;
        uint32_t bounded = (uint32_t)block->row_count - block->equality_count;
        for (uint32_t r = 0; r < bounded; ++r) {
            if (!rows[r].is_dormant) {
                uint32_t k = g->bounded.swept_count++;
                g->bounded.rows[k] = block->first_row + block->equality_count + r;
                g->bounded.weights[k] = maths_inverse_or_zero(rows[r].drive[1].mass);
                g->bounded.search[k] = 0.0f;
            }
        }
    }
}

static void nonsmooth_start(const tni_solver *solver, tni_gradients *g) {
    tni_gradients_clear(g, g->along);
    for (uint32_t i = 0; i < g->count && g->equality_count > 0; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[g->first + i];
        gradient_store(g->search, i, g->state.is_wide, tni_pin_zero());
        gradient_store(g->weighted, i, g->state.is_wide, nonsmooth_weigh(block));
    }
    nonsmooth_list_bounded(solver, g);
}

bool tni_gradients_solve_bounded(tni_solver *solver, tni_gradients *g, bool use_bias) {
    double before = 0.0, now = 0.0;
    if (use_bias) {
        double rigid = tni_gradients_get_right_side(solver, g) + TNI_GRADIENTS_NOTHING;
        g->right_side = maths_max_d(g->right_side, rigid);
    }
    nonsmooth_start(solver, g);
    double least = (double)g->tolerance * (double)g->tolerance * g->right_side;
    uint32_t most = use_bias ? g->most_iterations : NONSMOOTH_RELAX;
    for (uint32_t i = 0; i < most; ++i) {
        nonsmooth_save(solver, g);
        tni_joint_blocks_solve(solver, g->first, g->count, use_bias);
        if (use_bias) {
            tni_joint_machines_hold(solver, g->first, g->count);
        }
        now = nonsmooth_measure(solver, g);
        g->report.iterations += 1;
        if (i == 0 && use_bias) {
            g->right_side = maths_max_d(g->right_side, now);
            least = (double)g->tolerance * (double)g->tolerance * g->right_side;
        }
        if (!(now > least) || i + 1 == most) {
            break;
        }
        double beta = before > 0.0 && now <= before ? now / before : 0.0;
        nonsmooth_turn_rows(solver, g, (float)beta);
        nonsmooth_turn_bodies(solver, g, (float)beta);
        before = now;
    }
    tni_gradients_clear(g, g->change);
    double residual = sqrt(now / g->right_side);
    g->report.residual = maths_max_d(residual, g->report.residual);
    g->state.is_strained = g->state.is_strained || (use_bias && !g->state.is_soft &&
                                                    tni_gradients_are_strained(solver, g, false));
    return now <= g->right_side; // false where it is no number
}
