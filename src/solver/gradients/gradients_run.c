// solver/gradients/gradients_run.c: chooses how each mechanism of conjugate gradients is solved in
// a substep.
//
// If all rows that act are equalities, conjugate_gradients.c solves it. If some are bounded,
// nonsmooth_gradients.c does. If that failed, it is swept, with the softness that sweeps need,
// until the end of the step. Other things that its bodies touch come in turn with it, so that a
// coupled mechanism is solved once in every round.
#include "core/platform.h"
#include "solver/gradients/gradient_lanes.h"
#include "solver/rows/equality.h"
#include "solver/rows/locks.h"

void tni_gradients_soften(tni_solver *solver, tni_gradients *gradients) {
    gradients->report.failures += gradients->state.is_soft ? 0 : 1;
    gradients->state.is_soft = true;
    gradients->has_lanes = false;
    for (uint32_t i = 0; i < gradients->count; ++i) {
        tni_joint_block *block = &solver->joints.blocks[gradients->first + i];
        if (!tni_joint_is_soft(block->joint)) {
            block->softness = gradients->sweep_softness;
        }
        if (block->group != NULL) {
            joint_group_rest(solver, block)->rate = block->softness.rate;
        }
    }
}

void tni_gradients_leave(tni_solver *solver, uint32_t block) {
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        tni_gradients *gradients = &solver->gradients.systems[i];
        if (block >= gradients->first && block - gradients->first < gradients->count) {
            uint32_t failures = gradients->report.failures;
            tni_gradients_soften(solver, gradients);
            gradients->report.failures = failures;
            gradients->state.is_left = true;
        }
    }
}

static bool gradients_are_bounded(const tni_solver *solver, const tni_gradients *gradients) {
    for (uint32_t i = 0; i < gradients->count && gradients->bounded_count > 0; ++i) {
        if (solver->joints.blocks[gradients->first + i].has_awake_bounded) {
            return true;
        }
    }
    return false;
}

// Sweeps with the softness of the blocks.
static void gradients_sweep(tni_solver *solver, const tni_gradients *gradients, bool use_bias) {
    if (gradients->grouped_count == 0) {
        tni_joint_blocks_solve(solver, gradients->first, gradients->count, use_bias);
        return;
    }
    tni_softness soft = gradients->state.is_soft ? gradients->sweep_softness : gradients->softness;
    for (uint32_t i = 0; i < gradients->lanes_count; ++i) {
        const tni_gradient_lanes *lanes = &gradients->lanes[i];
        if (lanes->group != NULL) {
            WIDE_CALL(solver->uses_avx2, tni_joint_group_solve, solver, lanes->group, NULL, soft,
                      use_bias);
            continue;
        }
        for (uint32_t k = 0; k < lanes->members.count; ++k) {
            uint32_t joint = gradients->first + lanes->members.joint[k];
            tni_joint_blocks_solve(solver, joint, 1, use_bias);
        }
    }
}

// Runs solve B. If it goes wrong, a sweep takes its place.
void tni_gradients_relax(tni_solver *solver, tni_gradients *gradients) {
    if (gradients->state.is_left) {
        gradients_sweep(solver, gradients, false);
    } else if (gradients_are_bounded(solver, gradients)) {
        tni_gradients_solve_bounded(solver, gradients, false);
    } else if (!tni_gradients_solve_equalities(solver, gradients, false)) {
        gradients_sweep(solver, gradients, false);
    }
}

// Returns n . K n of a pin's point.
static float gradients_get_point_response(const tni_pin_block *pin, tni_f4 n) {
    tni_f4 sum = f4_mul(f4_add(pin->mass_a, pin->mass_b), n);
    for (uint32_t j = 0; j < 3; ++j) {
        tni_f4 turned =
            f4_add(f4_cross(pin->spin_a[j], pin->r_a), f4_cross(pin->spin_b[j], pin->r_b));
        sum = f4_add_product(sum, f4_splat_lane(n, j), turned);
    }
    return f4_dot3(n, sum);
}

// Is a row lost? (K^-1)_ii K_ii is 1 or more for a row that is solved for.
static bool gradients_is_lost(float inverse, float own) {
    return own > FLT_MIN && inverse * own < 0.5f;
}

// Has locking taken out a row of the block that still moves something (solver/rows/locks.h)? Its
// matrix would not serve the remaining rows: the residual of the lost row stays.
static bool gradients_has_lost_row(const tni_joint_block *block) {
    const tni_f4 axes[3] = {f4_make(1.0f, 0.0f, 0.0f, 0.0f), f4_make(0.0f, 1.0f, 0.0f, 0.0f),
                            f4_make(0.0f, 0.0f, 1.0f, 0.0f)};
    for (uint32_t i = 0; i < block->point_rows; ++i) {
        const tni_pin_block *pin = block->pin;
        tni_f4 n = tni_pin_slides(block->point_rows) ? pin->turns->plane[i] : axes[i];
        float inverse = f4_dot3(n, f4_mul_columns(pin->inverse, n));
        if (gradients_is_lost(inverse, gradients_get_point_response(pin, n))) {
            return true;
        }
    }
    for (uint32_t i = 0; i < block->equality_count && block->point_rows == 0; ++i) {
        const float *response = tni_equality_response(block->equality, block->lanes) + 16 * i;
        const float *inverse = tni_equality_inverse(block->equality, block->lanes);
        float own = 0.0f;
        for (uint32_t c = 0; c < 12; ++c) {
            own += block->equality[c * block->lanes + i] * response[4 * (c / 3) + c % 3];
        }
        if (gradients_is_lost(inverse[i * block->lanes + i], own)) {
            return true;
        }
    }
    return false;
}

static bool gradients_have_lost_rows(const tni_solver *solver, const tni_gradients *gradients) {
    for (uint32_t i = 0; i < gradients->count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[gradients->first + i];
        bool is_locked = tni_state_is_locked(&solver->bodies.states[block->body_a]) ||
                         tni_state_is_locked(&solver->bodies.states[block->body_b]);
        if (is_locked && block->group == NULL && gradients_has_lost_row(block)) {
            return true;
        }
    }
    return false;
}

static bool gradients_solve_together(tni_solver *solver, tni_gradients *gradients) {
    if (gradients_are_bounded(solver, gradients)) {
        return tni_gradients_solve_bounded(solver, gradients, true);
    }
    return tni_gradients_solve_equalities(solver, gradients, true);
}

// Replaces the impulses of the second kick, half of the last substep's, by the present ones, since
// the old ones were of joints that fight each other.
static void gradients_forget(const tni_solver *solver, const tni_gradients *gradients) {
    for (uint32_t i = 0; i < gradients->count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[gradients->first + i];
        gradient_set_warm(block, gradient_get_impulse(block));
    }
}

// Softens a mechanism between a refresh and the end of its solve A: the biases of its blocks, and
// what bounded rows take along of equalities, are those of a softness.
static void gradients_soften_now(tni_solver *solver, tni_gradients *gradients) {
    bool was_soft = gradients->state.is_soft;
    tni_gradients_soften(solver, gradients);
    for (uint32_t i = 0; i < gradients->count && !was_soft; ++i) {
        tni_joint_block *block = &solver->joints.blocks[gradients->first + i];
        if (block->group == NULL) {
            tni_joint_block_refresh(solver, block);
        }
    }
}

static void gradients_solve(tni_solver *solver, tni_gradients *gradients, bool is_first_round) {
    tni_gradient_lanes_load(solver, gradients);
    bool is_far =
        is_first_round && (gradients->is_far || gradients_have_lost_rows(solver, gradients));
    bool is_solved = !is_far && gradients_solve_together(solver, gradients);
    if (!is_far && gradients->state.is_strained && !gradients->state.is_soft) {
        gradients_soften_now(solver, gradients);
        is_solved = gradients_solve_together(solver, gradients);
        gradients_forget(solver, gradients);
    }
    if (!is_solved) {
        gradients_soften_now(solver, gradients);
        gradients->state.is_left = true;
        gradients_sweep(solver, gradients, true);
    }
}

// Does anything else hold its bodies? A contact that does not push makes no difference.
static bool gradients_are_coupled(const tni_solver *solver, const tni_gradients *gradients) {
    bool is_coupled = gradients->state.is_coupled;
    for (uint32_t i = 0; i < gradients->body_count && solver->contacts.own_count > 0; ++i) {
        is_coupled = is_coupled || solver->contacts.is_pushed[gradients->bodies[i]];
    }
    return is_coupled;
}

void tni_gradients_run(tni_solver *solver, bool use_bias, bool is_first_round) {
    double clock = solver->gradients.count > 0 ? tni_platform_get_ms() : 0.0;
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        tni_gradients *gradients = &solver->gradients.systems[i];
        if (!use_bias) {
            tni_gradients_relax(solver, gradients);
        } else if (gradients->state.is_left) {
            gradients_sweep(solver, gradients, true);
        } else if (is_first_round || gradients_are_coupled(solver, gradients)) {
            gradients_solve(solver, gradients, is_first_round);
        }
        double now = tni_platform_get_ms();
        gradients->solve_ms += now - clock;
        clock = now;
    }
}
