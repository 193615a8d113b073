// solver/stacks/stack_newton.c: the least of phi, step by step.
//
// phi, its gradient g and the matrix H are derived in stack.c. A step is p = -H^-1 g. A whole step
// is taken where it ends the search; else about as much of it as brings phi down most. Two measures
// save steps. A step that has to be cut short shows that the rows that are taken to give way are
// far from the right ones: then the search begins again with soft rows, which are hardened from
// step to step. And while steps are cut, friction that slides is as stiff along its direction as
// across it: D = k c/|y| I bounds the curvature of its envelope from above (as iteratively
// reweighted least squares have it), where k c/|y| (I - e e^T) is its own. Sources: see stack.c; J.
// Nocedal, S. Wright, "Numerical optimization", 2nd ed. 2006, 3.5; P. Huber, "Robust statistics",
// 1981, 7.8. Test: tests/solver/stacks/test_stack.c
#include <string.h>

#include "core/wide.h"
#include "solver/solver.h"
#include "solver/stacks/stack_rows.h"

// A solve takes no more Newton steps than this. Most need one or two.
#define STACK_MOST_STEPS 64
// A stack at rest needs at most this many.
#define STACK_EASY 2u
// A first step that is cut to less than this share begins again; rows are then this soft, and from
// step to step this many times harder.
#define STACK_SHORT     0.5
#define STACK_SOFT      0.01
#define STACK_HARDENING 3.0
// Rows are this many times harder in a stack that is new, whose whole load is found in one solve.
#define STACK_NEW_HARDNESS 100.0
// Rows of a coarse stack have this hardness, as a share of its coarseness.
#define STACK_COARSE_HARDNESS 0.1
// A line search makes no more trials than this.
#define STACK_MOST_TRIALS 12
// These are slopes of phi as shares of that at the beginning of a step: one that ends with more
// than the first is cut, and the search for its length may stop below the second.
#define STACK_STEEP 0.5
#define STACK_FLAT  0.1
// A decrease of phi by less than this share of the energy that a substep's forces give a body is
// none. A velocity of 1e-5 of that kick changes an impulse by a hundredth of it (1 / eps).
#define STACK_CONVERGED 1e-10
// Bodies may get this share of the same energy beside the least of phi: a thousandth of that kick.
#define STACK_MATCHED 1e-6

// Returns the part of the impulses' effect on the bodies that dv leaves out, as an energy: g·W g /
// 2. (dv never leaves this function; bodies get what the impulses give.)
static double stack_get_mismatch(tni_stack *stack) {
    double energy = 0.0;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        tni_stack_body *body = &stack->bodies[i];
        double weighed[STACK_N];
        tni_stack_weigh(body, body->dv, weighed);
        for (uint32_t k = 0; k < STACK_N; ++k) {
            double rest = (body->locks >> k & 1) != 0 ? 0.0 : body->push[k] - weighed[k];
            double inverse = k < 3 ? 1.0 / body->mass : body->spin;
            energy += 0.5 * inverse * rest * rest;
        }
    }
    return energy;
}

// Finds p, and J p. Returns -g·p.
static double stack_find_step(tni_stack *stack) {
    double decrease = 0.0;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        tni_stack_body *body = &stack->bodies[i];
        tni_stack_weigh(body, body->dv, body->residual);
        for (uint32_t k = 0; k < STACK_N; ++k) {
            bool is_locked = (body->locks >> k & 1) != 0;
            body->residual[k] = is_locked ? 0.0 : body->push[k] - body->residual[k];
            body->step[k] = body->residual[k];
        }
    }
    WIDE_CALL(stack->matrix.uses_avx2, tni_stack_backsolve, stack);
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        decrease += tni_stack_dot(stack->bodies[i].step, stack->bodies[i].residual);
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (c->is_shut) {
            tni_stack_get_speeds(c, c->a != TNI_STACK_NOBODY ? stack->bodies[c->a].step : NULL,
                                 c->b != TNI_STACK_NOBODY ? stack->bodies[c->b].step : NULL,
                                 c->step);
        }
    }
    return decrease;
}

// Returns the slope of phi along p: p·g at dv + along p. `own` is p·M dv and p·M p.
static double stack_get_slope(tni_stack *stack, const double own[2], double along) {
    double slope = own[0] + along * own[1];
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (!c->is_shut) {
            continue;
        }
        tni_stack_project(stack, c, along);
        for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
            slope -= (c->wanted[r] - c->old[r]) * c->step[r];
        }
    }
    return slope;
}

// Returns how much of the step to take: about to where phi is least along it, by false position
// (Illinois).
static double stack_find_length(tni_stack *stack, double decrease) {
    double own[2] = {0.0, 0.0}, weighed[STACK_N];
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        tni_stack_body *body = &stack->bodies[i];
        tni_stack_weigh(body, body->step, weighed);
        own[0] += tni_stack_dot(weighed, body->dv);
        own[1] += tni_stack_dot(weighed, body->step);
    }
    double low = 0.0, high = 1.0, of_low = -decrease, of_high = stack_get_slope(stack, own, 1.0);
    if (of_high <= STACK_STEEP * decrease) {
        return 1.0;
    }
    double along = 1.0;
    for (uint32_t i = 0; i < STACK_MOST_TRIALS; ++i) {
        along = low + (high - low) * of_low / (of_low - of_high);
        double slope = stack_get_slope(stack, own, along);
        if (slope >= 0.0 && slope <= STACK_FLAT * decrease) {
            break;
        }
        if (slope > 0.0) {
            high = along;
            of_high = slope;
            of_low *= 0.5;
        } else {
            low = along;
            of_low = slope;
            of_high *= 0.5;
        }
    }
    return along;
}

static void stack_take_step(tni_stack *stack, double along) {
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        tni_stack_body *body = &stack->bodies[i];
        for (uint32_t k = 0; k < STACK_N; ++k) {
            body->dv[k] += along * body->step[k];
        }
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
            c->change[r] += along * c->step[r];
        }
    }
}

// Assumes that all rows give way: in a stack that is new no row has a load that shows which ones
// do.
static void stack_assume_all(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (c->is_shut) {
            c->set = (uint8_t)((STACK_POINTS & ~(uint32_t)c->open) | STACK_STICKS | STACK_TWISTS);
            c->slides = false;
        }
    }
    stack->matrix.is_factored = false;
}

// Restarts from dv = 0 with softer rows, which are hardened step by step.
static void stack_restart(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        memset(stack->bodies[i].dv, 0, sizeof stack->bodies[i].dv);
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        memset(stack->contacts[i].change, 0, sizeof stack->contacts[i].change);
    }
    stack->hardness = STACK_SOFT;
    stack->roundness = 1.0;
    stack->matrix.is_factored = false;
}

// Returns the hardness of rows. In a substep a tower that leans by a little leans further by the
// share kick h / size of it, and the share eps of that is left: a coarse stack needs harder rows.
static double stack_get_hardness(const tni_stack *stack) {
    double hardness = maths_max_d(1.0, STACK_COARSE_HARDNESS * stack->coarseness);
    return stack->is_new ? maths_max_d(STACK_NEW_HARDNESS, hardness) : hardness;
}

static void stack_harden(tni_stack *stack) {
    double full = stack_get_hardness(stack);
    if (stack->hardness < full) {
        stack->hardness = maths_min_d(full, stack->hardness * STACK_HARDENING);
        stack->matrix.is_factored = false;
    }
}

// Returns whether the whole step ends the search; else dv is as it was. (With the very rows of the
// factor it is exact, and needs no line search.)
static bool stack_try_whole(tni_stack *stack, double energy) {
    stack_take_step(stack, 1.0);
    bool is_done = tni_stack_evaluate(stack) || stack_get_mismatch(stack) <= STACK_MATCHED * energy;
    if (!is_done) {
        stack_take_step(stack, -1.0);
    }
    return is_done;
}

bool tni_stack_iterate(tni_stack *stack, double energy) {
    double full = stack_get_hardness(stack);
    stack->matrix.is_factored = stack->matrix.is_factored && stack->hardness == full;
    stack->hardness = full;
    stack->roundness = 0.0;
    bool is_softened = false;
    tni_stack_evaluate(stack);
    for (uint32_t i = 0; i < STACK_MOST_STEPS && stack->allowance > 0; ++i) {
        stack->was_hard = stack->was_hard || i >= STACK_EASY;
        if (i == 0 && stack->is_new) {
            stack_assume_all(stack);
        }
        if (!stack->matrix.is_factored) {
            stack->allowance -= 1;
            tni_stack_assemble(stack);
            WIDE_CALL(stack->matrix.uses_avx2, tni_stack_factor, stack);
        }
        double decrease = stack_find_step(stack);
        if (!(decrease >= 0.0)) {
            return false; // not finite
        }
        bool is_full = stack->hardness == full;
        if (is_full && (decrease <= STACK_CONVERGED * energy || stack_try_whole(stack, energy))) {
            return true;
        }
        double along = stack_find_length(stack, decrease);
        if (along < STACK_SHORT && !is_softened && (i == 0 || !stack->is_new)) {
            is_softened = true;
            stack_restart(stack);
        } else {
            stack_take_step(stack, along);
            stack->roundness = along < 1.0 ? 1.0 : 0.0;
            stack_harden(stack);
        }
        tni_stack_evaluate(stack);
    }
    return false;
}
