// solver/stacks/stack.c: the contacts of a small island solved all at once: in solve A instead of
// sweeps, in solve B after them.
//
// Gauss-Seidel carries a load one contact further in each turn: a column of n boxes asks for n^2
// sweeps. The remaining error is taken here, in one step of the proximal point method. With M the
// mass matrix of the island's bodies, v their velocities, J the rows of its contacts and x their
// impulses, it looks for the change dv of v that minimises
//     phi(dv) = dv·M dv / 2 + x·J dv + sum_i |P_i(y_i)|^2 / (2 k_i),
//     y_i = x_i - k_i (J (v + dv) + b)_i,
// where P_i(y_i), the new impulse, is the admissible one nearest to y_i, and
// k_i = 1 / (eps K_ii) with K = J W J^T. (Rows that are bounded above, as friction is, have the
// corresponding Moreau envelope in place of the square.) Its gradient is
//     g = M dv - J^T (P(y) - x),
// so that where it is zero, dv is the effect of the change of the impulses. For the rows, P is
//     a normal             max(y, 0)
//     friction, (t1, t2)   y, shortened to the length c = friction * sum of x_n; one k for both
//     twisting             y, at most (friction * patch radius + twisting_resistance) sum x_n
// with the load x_n as it stands before the solve. Then phi is convex and has one minimum,
// whichever bodies touch, and it is found by Newton's method with a line search:
//     H p = -g,    H = M + J^T D J,    D = k on rows that give way, 0 on those that do not;
//     friction that slides in direction e = y/|y| has D = k c/|y| (I - e e^T).
// phi is piecewise quadratic except for friction that slides: once the set of rows that give way
// stays the same one step is exact. H is positive definite whatever rows depend on each other; J W
// J^T is not, with four points in a plane.
//
// It cannot add energy. With u = J (v + dv) and b = 0 the change of kinetic energy is
// u·(P(y) - x) - dv·M dv / 2, and for each row u (P(y) - x) = (x - y)(P(y) - x) / k <= 0, since P
// is a projection and x is admissible. eps leaves a small share of the error, and the next substep
// begins with it. In solve B b is gap/h of a point that is open and pushed in solve A; gaps no
// larger than the depth at which points rest are none. In solve A it is gap/h of every open point,
// the speed at which a closed one is drawn to that depth, and the bend of bodies that turn; rows
// are proximal about half of the last substep's impulses, so that a stack at rest has nothing to
// do. Bodies get the sum of all impulses, and not dv, so that momentum is kept to round-off.
//
// Sources: R. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM J. Control
// Optim. 14(5), 1976; J.-J. Moreau, "Proximité et dualité dans un espace hilbertien", Bull. Soc.
// Math. France 93, 1965; L. Qi, J. Sun, "A nonsmooth version of Newton's method", Math. Programming
// 58, 1993; E. Todorov, "Convex and analytically-invertible dynamics with contacts and
// constraints", ICRA 2014; A. Castro, F. Permenter, X. Han, "An unconstrained convex formulation of
// compliant contact", IEEE Trans. Robotics 39(2), 2023. Test: tests/solver/stacks/test_stack.c
#include <string.h>

#include "solver/solver.h"
#include "solver/stacks/stack_rows.h"

// A stack that bears this share of its weight, over a substep, is not new.
#define STACK_NEW_LOAD 0.5
// A new stack is also slow: its bodies are not faster than this many times the speed that forces
// give them in a substep.
#define STACK_SLOW 4.0
// A contact that pushes with more than this many times the momentum of the whole stack at the
// speeds that its rows ask for is jammed. In towers, arches and houses of cards it is 1 at most.
#define STACK_JAMMED 50.0
// N·s: a bound of friction this large is no bound.
#define STACK_UNLIMITED 1e100
// Kicks are seen in a stack if a thousandth of one (STACK_MATCHED) moves a body, in a substep, by
// more than half of the depth at which its points rest.
#define STACK_SEEN 500.0

// ---- bounds of friction -----------------------------------------------------------------------

// Unlimits the friction of a new stack at first: it bears less than it weighs, so that the loads of
// its contacts say nothing.
static void stack_unbound(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->contact_count && stack->is_new; ++i) {
        stack->contacts[i].slide_cap = stack->contacts[i].twist_cap = STACK_UNLIMITED;
    }
}

// Bounds friction by the load that contacts were found to bear. Returns whether some friction was
// beyond its bound.
static bool stack_bound(tni_stack *stack) {
    bool is_beyond = false;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (!c->is_shut) {
            continue;
        }
        const double *x = c->wanted, *slide = &x[TNI_STACK_SLIDE];
        double sum = x[0] + x[1] + x[2] + x[3];
        c->slide_cap = c->friction * sum;
        c->twist_cap = c->twist_bound * sum;
        double square = slide[0] * slide[0] + slide[1] * slide[1];
        is_beyond |=
            square > c->slide_cap * c->slide_cap || fabs(x[TNI_STACK_TWIST]) > c->twist_cap;
    }
    return is_beyond;
}

// ---- a stack ----------------------------------------------------------------------------------

static void stack_move_body(tni_solver *solver, const tni_stack_body *body) {
    tni_body_state *state = &solver->bodies.states[body->body];
    const tni_sym3 *w = &state->inv_inertia;
    float *total = solver->contacts.pushes[body->body].total;
    const double *push = body->push, x = push[3], y = push[4], z = push[5];
    for (uint32_t k = 0; k < 3; ++k) {
        total[k] = (float)((double)total[k] + push[k]);
        total[4 + k] = (float)((double)total[4 + k] + push[3 + k]);
        state->v.raw[k] =
            (float)((double)state->v.raw[k] + (double)state->inv_mass.raw[k] * push[k]);
    }
    double turn[3] = {(double)w->xx * x + (double)w->xy * y + (double)w->xz * z,
                      (double)w->xy * x + (double)w->yy * y + (double)w->yz * z,
                      (double)w->xz * x + (double)w->yz * y + (double)w->zz * z};
    for (uint32_t k = 0; k < 3; ++k) {
        state->w.raw[k] = (float)((double)state->w.raw[k] + turn[k]);
    }
}

// Returns whether a body moves as if it had been let go a few substeps ago.
static bool stack_is_slow(const tni_solver *solver, const tni_stack_body *body, double kick) {
    vec3s v = solver->bodies.states[body->body].v;
    double square = (double)v.x * (double)v.x + (double)v.y * (double)v.y;
    return square + (double)v.z * (double)v.z <= STACK_SLOW * STACK_SLOW * kick * kick;
}

// Returns how far a kick takes a body within a substep, or its edge where it turns more easily than
// a cube of its size (I = m size^2 / 6).
static double stack_get_coarseness(const tni_stack *stack, const tni_stack_body *body, double kick,
                                   double depth) {
    double size = depth / (double)TNI_STACK_DEPTH;
    double turning = body->mass * body->spin * size * size / 6.0;
    return kick * maths_max_d(1.0, turning) / stack->most_kick;
}

// Looks at a stack before the first solve of a step.
static void stack_look(const tni_solver *solver, tni_stack *stack) {
    double load = 0.0, depth = (double)INFINITY;
    bool is_slow = true;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        uint32_t index = stack->contacts[i].contact;
        const tni_contact_record *record = &solver->contacts.records[index];
        depth = maths_min_d(depth, (double)solver->contacts.depths[index]);
        for (uint32_t p = 0; p < record->point_count; ++p) {
            load += (double)record->impulse[p];
        }
    }
    stack->most_kick = STACK_SEEN * depth * (double)solver->inv_h;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        double kick = tni_stack_start_body(solver, stack, &stack->bodies[i]);
        stack->weight += stack->bodies[i].mass * kick;
        stack->mean_kick += kick / (double)stack->body_count;
        double coarseness = stack_get_coarseness(stack, &stack->bodies[i], kick, depth);
        stack->coarseness = maths_max_d(stack->coarseness, coarseness);
        is_slow = is_slow && stack_is_slow(solver, &stack->bodies[i], kick);
    }
    tni_stack_set_shares(stack);
    stack->is_new = load < STACK_NEW_LOAD * stack->weight && is_slow;
    stack->matrix.uses_avx2 = solver->uses_avx2;
}

// Returns whether the stack needs solve B. One at rest, whose last solve was over at once, needs it
// in every other substep, and in the last one: that costs half as much, and the stack stands as
// well.
static bool stack_is_due(const tni_solver *solver, tni_stack *stack) {
    uint32_t left = solver->substeps - 1 - stack->round++;
    return left % 2 == 0 || stack->was_hard || stack->is_new || stack->coarseness > 1.0;
}

// Starts a solve. Returns the energy that a substep's forces give a body, on average, or less if so
// much would be seen.
static double stack_start(const tni_solver *solver, tni_stack *stack, bool use_bias) {
    double energy = 0.0;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        double kick = tni_stack_start_body(solver, stack, &stack->bodies[i]);
        kick = maths_min_d(kick, stack->most_kick);
        energy += stack->bodies[i].mass * kick * kick / (double)stack->body_count;
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_start_contact(solver, stack, &stack->contacts[i], use_bias);
    }
    return energy;
}

// Returns the load of all contacts after a solve, N·s.
static double stack_get_load(const tni_stack *stack) {
    double sum = 0.0;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        const tni_stack_contact *c = &stack->contacts[i];
        for (uint32_t p = 0; p < c->point_count && c->is_shut; ++p) {
            sum += c->wanted[p];
        }
    }
    return sum;
}

// Returns whether contacts push with far more than their stack could ask for: a body is wedged
// between things that do not give way, and no velocity draws it out of both.
static bool stack_is_jammed(const tni_stack *stack) {
    double mass = 0.0, fastest = stack->mean_kick, most = 0.0;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        mass += stack->bodies[i].mass;
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        const tni_stack_contact *c = &stack->contacts[i];
        for (uint32_t p = 0; p < c->point_count && c->is_shut; ++p) {
            fastest = maths_max_d(fastest, fabs(c->speed[p]));
            most = maths_max_d(most, c->wanted[p]);
        }
    }
    return most > STACK_JAMMED * mass * fastest;
}

// Applies the solution to contacts and bodies.
static void stack_give(tni_solver *solver, const tni_stack *stack) {
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        const tni_stack_contact *c = &stack->contacts[i];
        double change[TNI_STACK_ROWS];
        if (!c->is_shut) {
            continue;
        }
        for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
            change[r] = c->wanted[r] - c->old[r];
        }
        tni_contact_add_impulses(solver, c->contact, change, change + TNI_STACK_SLIDE);
    }
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        stack_move_body(solver, &stack->bodies[i]);
    }
}

// Finds the solution. The bounds of friction of a new stack follow from the load that is found
// first.
static bool stack_find(tni_stack *stack, double energy) {
    stack->was_hard = false;
    stack_unbound(stack);
    return tni_stack_iterate(stack, energy) &&
           (!stack->is_new || !stack_bound(stack) || tni_stack_iterate(stack, energy));
}

// Releases the stack's contacts to the sweeps, from the next solve on.
static void stack_release(tni_solver *solver, const tni_stack *stack) {
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        uint32_t index = stack->contacts[i].contact;
        const tni_contact_gate *gate = &solver->contacts.gates[index];
        tni_contact_group *group = &solver->contacts.groups[gate->slot / TNI_CONTACTS];
        solver->contacts.depths[index] = 0.0f;
        group->wide.is_spared[gate->slot % TNI_CONTACTS] = 0.0f;
    }
}

static void stack_solve(tni_solver *solver, tni_stack *stack, bool use_bias) {
    if (stack->has_failed) {
        return;
    }
    if (use_bias && stack->round == 0) {
        stack_look(solver, stack);
    }
    if (!use_bias && !stack_is_due(solver, stack)) {
        return;
    }
    stack->has_failed =
        !stack_find(stack, stack_start(solver, stack, use_bias)) || stack_is_jammed(stack);
    if (stack->has_failed) {
        stack_release(solver, stack);
        return;
    }
    stack_give(solver, stack);
    stack->is_new =
        stack->is_new && (use_bias || stack_get_load(stack) < STACK_NEW_LOAD * stack->weight);
}

// A phase is a solve of a solver.
typedef struct stack_phase {
    tni_solver *solver;
    bool use_bias;
} stack_phase;

static void stack_solve_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const stack_phase *phase = context;
    for (uint32_t i = first; i < last; ++i) {
        stack_solve(phase->solver, &phase->solver->contacts.stacks[i], phase->use_bias);
    }
}

void tni_stacks_solve(tni_solver *solver, bool use_bias) {
    stack_phase phase = {solver, use_bias};
    tni_tasks_run(solver->tasks, stack_solve_range, solver->contacts.stack_count, 1, &phase);
}

void tni_stacks_solve_part(tni_solver *solver, uint32_t part, bool use_bias) {
    for (uint32_t i = 0; i < solver->contacts.stack_count; ++i) {
        if (solver->contacts.stacks[i].part == part) {
            stack_solve(solver, &solver->contacts.stacks[i], use_bias);
        }
    }
}
