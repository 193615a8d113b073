// solver/stack.c: the contacts of a small island solved all at once, after the sweeps of solve B.
//
// Gauss-Seidel carries a load one contact further in each turn: a column of n boxes asks for n^2
// sweeps. What sweeps leave undone is done here, in one step of the proximal point method. With M
// the mass matrix of the island's bodies, v their velocities, J the rows of its contacts and x
// their impulses, it looks for the change dv of v that minimises
//     phi(dv) = dv·M dv / 2 + sum_i |P_i(y_i)|^2 / (2 k_i),    y_i = x_i - k_i (J (v + dv) + b)_i,
// where P_i(y_i), the new impulse, is the admissible one nearest to y_i, and
// k_i = 1 / (eps K_ii) with K = J W J^T. (Rows that are bounded above, as friction is, have the
// corresponding Moreau envelope in place of the square.) Its gradient is
//     g = M dv - J^T (P(y) - x),
// so that where it is zero, dv is what the change of the impulses does. Of the rows, P is
//     a normal             max(y, 0)
//     friction, (t1, t2)   y, shortened to the length c = friction * sum of x_n; one k for both
//     twisting             y, at most (friction * patch radius + twisting_resistance) sum x_n
// with the load x_n as it stands before the solve. Then phi is convex and has one minimum, whatever
// touches whatever else, and it is found by Newton's method with a line search:
//     H p = -g,    H = M + J^T D J,    D = k on rows that give way, 0 on those that do not;
//     friction that slides in direction e = y/|y| has D = k c/|y| (I - e e^T).
// phi is piecewise quadratic but for what slides: once the set of rows that give way stays the same
// one step is exact. H is positive definite whatever rows depend on each other; J W J^T is not,
// with four points in a plane.
//
// It cannot add energy. With u = J (v + dv) and b = 0 the change of kinetic energy is
// u·(P(y) - x) - dv·M dv / 2, and for each row u (P(y) - x) = (x - y)(P(y) - x) / k <= 0, since P
// is a projection and x is admissible. What eps leaves is a small share, and the next substep
// begins with it. b is gap/h of a point that is open and pushed in solve A; gaps no larger than the
// depth at which points rest are none. The sum of all impulses, and not dv, is what bodies get, so
// that momentum is kept to round-off.
//
// Rows of a contact: [n, r_i x n], [t, m x t], [0, n] on b and the opposite on a, about the centre
// of a; the centre of b is `offset` away, so that on b an impulse F with torque T has T + offset x
// F (solver/contact_lanes.h).
// Sources: R. Rockafellar, "Monotone operators and the proximal point algorithm", SIAM J. Control
// Optim. 14(5), 1976; J.-J. Moreau, "Proximité et dualité dans un espace hilbertien", Bull. Soc.
// Math. France 93, 1965; L. Qi, J. Sun, "A nonsmooth version of Newton's method", Math. Programming
// 58, 1993; E. Todorov, "Convex and analytically-invertible dynamics with contacts and
// constraints", ICRA 2014; A. Castro, F. Permenter, X. Han, "An unconstrained convex formulation of
// compliant contact", IEEE Trans. Robotics 39(2), 2023. Test: tests/solver/test_stack.c
#include "solver/stack.h"

#include <string.h>

#include "solver/solver.h"

// eps: softness of a row, of its own K.
#define STACK_SOFTNESS 1e-3
// Newton steps of a solve. Most need one or two.
#define STACK_MOST_STEPS 32
// A first step that is cut to less than this share is of a set that is far from the right one:
// then rows begin that much softer, and get harder by the other with each step.
#define STACK_SHORT     0.5
#define STACK_SOFT      0.01
#define STACK_HARDENING 3.0
// How much harder rows are in a stack that is new, whose whole load is found in one solve.
#define STACK_NEW_HARDNESS 100.0
// Of a line search.
#define STACK_MOST_TRIALS 12
// The slope of phi at the end of a step, of that at its beginning, from which it is cut.
#define STACK_STEEP 0.5
// Of the energy that a substep's forces give a body: a decrease of phi that is none. A velocity of
// 1e-5 of such a kick changes an impulse by a hundredth of it (1 / eps).
#define STACK_CONVERGED 1e-10
// A point that is so many times as deep as it rests is lifted by a solve A that is exact, too.
#define STACK_SUNK 4.0
// Share of its weight, over a substep, from which a stack is not new.
#define STACK_NEW_LOAD 0.5
// N·s: a bound of friction that is none.
#define STACK_UNLIMITED 1e100
// Change of an inverse inertia, relative to its trace, from which it is inverted again.
#define STACK_NEW_INERTIA 1e-6f

#define STACK_N      TNI_STACK_FREEDOMS
#define STACK_POINTS 0xfu
#define STACK_STICKS ((1u << TNI_STACK_SLIDE) | (2u << TNI_STACK_SLIDE))
#define STACK_TWISTS (1u << TNI_STACK_TWIST)

// ---- bodies -----------------------------------------------------------------------------------

static bool stack_is_near(const tni_sym3 *p, const tni_sym3 *q) {
    float limit = STACK_NEW_INERTIA * (q->xx + q->yy + q->zz);
    return fabsf(p->xx - q->xx) <= limit && fabsf(p->yy - q->yy) <= limit &&
           fabsf(p->zz - q->zz) <= limit && fabsf(p->xy - q->xy) <= limit &&
           fabsf(p->xz - q->xz) <= limit && fabsf(p->yz - q->yz) <= limit;
}

// The inverse of an inverse inertia; axes that are locked, whose numbers are 0, get 1.
static void stack_invert_inertia(const tni_sym3 *w, uint32_t locks, double out[6]) {
    double xx = (double)w->xx + ((locks & TN_BODY_LOCK_ANGULAR_X) != 0 ? 1.0 : 0.0);
    double yy = (double)w->yy + ((locks & TN_BODY_LOCK_ANGULAR_Y) != 0 ? 1.0 : 0.0);
    double zz = (double)w->zz + ((locks & TN_BODY_LOCK_ANGULAR_Z) != 0 ? 1.0 : 0.0);
    double xy = (double)w->xy, xz = (double)w->xz, yz = (double)w->yz;
    double x = yy * zz - yz * yz, y = xz * yz - xy * zz, z = xy * yz - xz * yy;
    double det = xx * x + xy * y + xz * z, s = det > 0.0 ? 1.0 / det : 0.0;
    out[0] = s * x;
    out[1] = s * (xx * zz - xz * xz);
    out[2] = s * (xx * yy - xy * xy);
    out[3] = s * y;
    out[4] = s * z;
    out[5] = s * (xy * xz - xx * yz);
}

// Inverses of what the state has, where they are old.
static void stack_update_mass(const tni_solver *solver, tni_stack *stack, tni_stack_body *body) {
    const tni_body_state *state = &solver->states[body->body];
    const tni_body_mass *mass = &solver->masses[body->body];
    if (body->mass > 0.0 && stack_is_near(&state->inv_inertia, &body->inv_inertia)) {
        return;
    }
    body->locks = tni_body_mass_get_locks(mass);
    body->inv_inertia = state->inv_inertia;
    float inv_mass = maths_max(state->inv_mass.x, maths_max(state->inv_mass.y, state->inv_mass.z));
    body->mass = inv_mass > 0.0f ? 1.0 / (double)inv_mass : 1.0;
    stack_invert_inertia(&state->inv_inertia, body->locks, body->inertia);
    stack->is_factored = false;
}

// Before a solve. Returns what forces give it in a substep, m/s.
static double stack_start_body(const tni_solver *solver, tni_stack *stack, tni_stack_body *body) {
    tni_dvec3 kick = dvec3_scale(solver->masses[body->body].acceleration, solver->dh);
    memset(body->dv, 0, sizeof body->dv);
    stack_update_mass(solver, stack, body);
    return sqrt(dvec3_dot(kick, kick));
}

// M x
static void stack_weigh(const tni_stack_body *body, const double x[STACK_N], double out[STACK_N]) {
    const double *i = body->inertia;
    out[0] = body->mass * x[0];
    out[1] = body->mass * x[1];
    out[2] = body->mass * x[2];
    out[3] = i[0] * x[3] + i[3] * x[4] + i[4] * x[5];
    out[4] = i[3] * x[3] + i[1] * x[4] + i[5] * x[5];
    out[5] = i[4] * x[3] + i[5] * x[4] + i[2] * x[5];
}

static double stack_dot(const double a[STACK_N], const double b[STACK_N]) {
    double sum = a[0] * b[0];
    for (uint32_t k = 1; k < STACK_N; ++k) {
        sum += a[k] * b[k];
    }
    return sum;
}

// ---- contacts ---------------------------------------------------------------------------------

static void stack_set_row(double row[STACK_N], vec3s line, vec3s turn) {
    for (uint32_t k = 0; k < 3; ++k) {
        row[k] = (double)line.raw[k];
        row[3 + k] = (double)turn.raw[k];
    }
}

// What stays the same in a step.
static void stack_load(const tni_solver *solver, tni_stack *stack, tni_stack_contact *c) {
    const tni_contact_record *record = &solver->contact_records[c->contact];
    tni_contact_view view;
    tni_contact_get_view(solver, c->contact, &view);
    memset(c->rows, 0, sizeof c->rows);
    for (uint32_t p = 0; p < record->point_count; ++p) {
        stack_set_row(c->rows[p], record->normal, view.turn[p]);
        c->stiffness[p] = (double)view.point_mass[p] / STACK_SOFTNESS;
    }
    for (uint32_t t = 0; t < 2; ++t) {
        stack_set_row(c->rows[TNI_STACK_SLIDE + t], view.tangent[t],
                      glms_vec3_cross(view.middle, view.tangent[t]));
        c->stiffness[TNI_STACK_SLIDE + t] =
            0.5 * ((double)view.slide_mass[0] + (double)view.slide_mass[1]) / STACK_SOFTNESS;
    }
    stack_set_row(c->rows[TNI_STACK_TWIST], maths_vec3_zero(), record->normal);
    c->stiffness[TNI_STACK_TWIST] = (double)view.twist_mass / STACK_SOFTNESS;
    for (uint32_t k = 0; k < 3; ++k) {
        c->offset[k] = (double)record->offset.raw[k];
    }
    c->point_count = (uint8_t)record->point_count;
    c->friction = (double)record->friction;
    c->twist_bound = (double)view.twist_bound;
    c->is_loaded = true;
    stack->is_factored = false;
}

static void stack_add_cross(double to[3], const double a[3], const double b[3]) {
    to[0] += a[1] * b[2] - a[2] * b[1];
    to[1] += a[2] * b[0] - a[0] * b[2];
    to[2] += a[0] * b[1] - a[1] * b[0];
}

// J of two velocities, either of which may be null for zero.
static void stack_get_speeds(const tni_stack_contact *c, const double *of_a, const double *of_b,
                             double out[TNI_STACK_ROWS]) {
    double m[STACK_N] = {0.0};
    if (of_b != NULL) {
        memcpy(m, of_b, sizeof m);
        stack_add_cross(m, of_b + 3, c->offset);
    }
    for (uint32_t k = 0; k < STACK_N && of_a != NULL; ++k) {
        m[k] -= of_a[k];
    }
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        out[r] = stack_dot(c->rows[r], m);
    }
}

static void stack_get_velocity(const tni_solver *solver, uint32_t body, double out[STACK_N]) {
    const tni_body_state *state = &solver->states[body];
    for (uint32_t k = 0; k < 3; ++k) {
        out[k] = (double)state->v.raw[k];
        out[3 + k] = (double)state->w.raw[k];
    }
}

// In solve B: points that are open take part if they were pushed.
static void stack_start_relax(const tni_solver *solver, tni_stack *stack, tni_stack_contact *c,
                              const tni_contact_load *load) {
    double depth = (double)solver->contact_depths[c->contact];
    c->hardness = 1.0;
    for (uint32_t p = 0; p < c->point_count; ++p) {
        double gap = (double)load->gap[p], x = (double)load->impulse[p];
        bool is_open = gap > 0.0 && !(x > 0.0);
        c->open |= is_open ? (uint8_t)(1u << p) : 0;
        c->speed[p] += gap > depth && !is_open ? (gap - depth) * (double)solver->inv_h : 0.0;
        c->old[p] = c->center[p] = x;
        stack->is_sunk |= gap < -STACK_SUNK * depth;
    }
    for (uint32_t t = 0; t < 3; ++t) {
        c->old[TNI_STACK_SLIDE + t] = (double)load->slide[t];
    }
}

// In solve A: the rows of contact_sweep_wide.c, whose softness is gamma K. A new stack has no load
// yet to which it could be drawn.
static void stack_start_bias(const tni_solver *solver, const tni_stack *stack, tni_stack_contact *c,
                             const tni_contact_load *load) {
    bool is_static = solver->contact_records[c->contact].is_static;
    const tni_softness *soft = is_static ? &solver->static_softness : &solver->contact_softness;
    const tn_bias *bias = &solver->contact_bias;
    double depth = (double)solver->contact_depths[c->contact];
    double gamma = (double)soft->impulse_scale / (double)soft->mass_scale;
    c->hardness = stack->is_new || gamma < STACK_SOFTNESS ? 1.0 : STACK_SOFTNESS / gamma;
    for (uint32_t p = 0; p < c->point_count; ++p) {
        double gap = (double)load->gap[p], warm = (double)load->warm[p];
        double push = fmin(gap + (double)bias->slop, 0.0) + (stack->is_new ? 0.0 : depth);
        c->speed[p] += gap > 0.0 ? gap * (double)solver->inv_h
                                 : fmax((double)soft->rate * push, -(double)bias->max_speed);
        c->old[p] = (double)load->impulse[p] - warm;
        c->center[p] = gap > 0.0 || stack->is_new ? c->old[p] : warm;
    }
    for (uint32_t t = 0; t < 3; ++t) {
        c->old[TNI_STACK_SLIDE + t] = (double)load->slide[t] - (double)load->slide_warm[t];
    }
}

// Before a solve.
static void stack_start_contact(const tni_solver *solver, tni_stack *stack, tni_stack_contact *c,
                                bool use_bias) {
    const tni_contact_gate *gate = &solver->contact_gates[c->contact];
    c->is_shut = gate->is_shut && !gate->is_touch;
    if (!c->is_shut) {
        c->set = 0;
        c->slides = false;
        c->slide_cap = 0.0;
        return;
    }
    if (!c->is_loaded) {
        stack_load(solver, stack, c);
    }
    tni_contact_load load;
    double v_a[STACK_N], v_b[STACK_N], sum = 0.0;
    tni_contact_get_load(solver, c->contact, &load);
    stack_get_velocity(solver, c->body_a, v_a);
    stack_get_velocity(solver, c->body_b, v_b);
    stack_get_speeds(c, v_a, v_b, c->speed);
    memset(c->change, 0, sizeof c->change);
    c->open = (uint8_t)(0xfu << c->point_count & 0xfu);
    if (use_bias) {
        stack_start_bias(solver, stack, c, &load);
    } else {
        stack_start_relax(solver, stack, c, &load);
    }
    for (uint32_t r = TNI_STACK_SLIDE; r < TNI_STACK_ROWS; ++r) {
        c->center[r] = c->old[r];
    }
    for (uint32_t p = 0; p < c->point_count; ++p) {
        sum += c->old[p];
    }
    c->slide_cap = c->friction * sum;
    c->twist_cap = c->twist_bound * sum;
    stack->load += sum;
}

// ---- impulses ---------------------------------------------------------------------------------

// Of a row, as it is now.
static double stack_get_stiffness(const tni_stack *stack, const tni_stack_contact *c, uint32_t r) {
    double hardness = r < TNI_LANES ? stack->hardness * c->hardness : stack->hardness;
    return hardness * c->stiffness[r];
}

// P(y) of a contact at the velocities `along` times its step further; which rows give way.
static void stack_project(const tni_stack *stack, tni_stack_contact *c, double along) {
    double y[TNI_STACK_ROWS], *x = c->wanted;
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        double speed = c->speed[r] + c->change[r] + along * c->step[r];
        y[r] = c->center[r] - stack_get_stiffness(stack, c, r) * speed;
    }
    c->set = 0;
    for (uint32_t p = 0; p < TNI_LANES; ++p) {
        bool is_open = (c->open >> p & 1) != 0, pushes = !is_open && y[p] > 0.0;
        x[p] = is_open ? c->old[p] : (pushes ? y[p] : 0.0);
        c->set |= pushes ? (uint8_t)(1u << p) : 0;
    }
    double *slide = &x[TNI_STACK_SLIDE], y1 = y[TNI_STACK_SLIDE], y2 = y[TNI_STACK_SLIDE + 1];
    double square = y1 * y1 + y2 * y2, cap = c->slide_cap;
    c->slides = square > cap * cap;
    slide[0] = y1;
    slide[1] = y2;
    if (c->slides) {
        double inverse = 1.0 / sqrt(square);
        c->slide_along[0] = y1 * inverse;
        c->slide_along[1] = y2 * inverse;
        c->slide_share = cap * inverse;
        slide[0] = cap * c->slide_along[0];
        slide[1] = cap * c->slide_along[1];
        c->slides = c->slide_share * stack->hardness > STACK_SOFTNESS;
    } else {
        c->set |= STACK_STICKS;
    }
    double twist = y[TNI_STACK_TWIST], most = c->twist_cap;
    bool holds = twist <= most && twist >= -most;
    x[TNI_STACK_TWIST] = holds ? twist : (twist > 0.0 ? most : -most);
    c->set |= holds ? STACK_TWISTS : 0;
}

// Adds what rows give the bodies, each times `x`.
static void stack_push(tni_stack *stack, const tni_stack_contact *c,
                       const double x[TNI_STACK_ROWS]) {
    double push[STACK_N] = {0.0};
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        for (uint32_t k = 0; k < STACK_N; ++k) {
            push[k] += x[r] * c->rows[r][k];
        }
    }
    if (c->a != TNI_STACK_NOBODY) {
        for (uint32_t k = 0; k < STACK_N; ++k) {
            stack->bodies[c->a].push[k] -= push[k];
        }
    }
    if (c->b != TNI_STACK_NOBODY) {
        double *to = stack->bodies[c->b].push;
        for (uint32_t k = 0; k < STACK_N; ++k) {
            to[k] += push[k];
        }
        stack_add_cross(to + 3, c->offset, push);
    }
}

// The impulses at dv. Drops a factor of other rows. Returns whether a full step with the factor was
// exact.
static bool stack_evaluate(tni_stack *stack) {
    bool is_exact = true;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        memset(stack->bodies[i].push, 0, sizeof stack->bodies[i].push);
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        double difference[TNI_STACK_ROWS];
        if (c->is_shut) {
            stack_project(stack, c, 0.0);
            for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
                difference[r] = c->wanted[r] - c->old[r];
            }
            stack_push(stack, c, difference);
        }
        bool is_same = c->set == c->factored && !c->slides;
        stack->is_factored = stack->is_factored && is_same;
        is_exact = is_exact && ((c->set & STACK_STICKS) != 0 || !(c->slide_cap > 0.0));
    }
    return is_exact && stack->is_factored;
}

// ---- the matrix -------------------------------------------------------------------------------

// J^T D J about the centre of a: lower triangle and upper.
static void stack_add_row(double g[STACK_N][STACK_N], const double row[STACK_N], double stiffness) {
    for (uint32_t k = 0; k < STACK_N; ++k) {
        double scaled = stiffness * row[k];
        for (uint32_t l = 0; l < STACK_N; ++l) {
            g[k][l] += scaled * row[l];
        }
    }
}

// Friction that slides: across its direction, and a share along it.
static void stack_add_slide(const tni_stack *stack, const tni_stack_contact *c,
                            double g[STACK_N][STACK_N]) {
    const double *t1 = c->rows[TNI_STACK_SLIDE], *t2 = c->rows[TNI_STACK_SLIDE + 1];
    double stiffness = stack->hardness * c->stiffness[TNI_STACK_SLIDE] * c->slide_share;
    double across[STACK_N], along[STACK_N];
    for (uint32_t k = 0; k < STACK_N; ++k) {
        across[k] = c->slide_along[0] * t2[k] - c->slide_along[1] * t1[k];
        along[k] = c->slide_along[0] * t1[k] + c->slide_along[1] * t2[k];
    }
    stack_add_row(g, across, stiffness);
    if (stack->roundness > 0.0) {
        stack_add_row(g, along, stiffness * stack->roundness);
    }
}

static void stack_weigh_contact(const tni_stack *stack, const tni_stack_contact *c,
                                double g[STACK_N][STACK_N]) {
    for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
        if ((c->set >> r & 1) != 0) {
            stack_add_row(g, c->rows[r], stack_get_stiffness(stack, c, r));
        }
    }
    if (c->slides) {
        stack_add_slide(stack, c, g);
    }
}

static void stack_add_block(double *restrict block, const double from[STACK_N][STACK_N],
                            double sign) {
    for (uint32_t k = 0; k < STACK_N; ++k) {
        for (uint32_t l = 0; l < STACK_N; ++l) {
            block[k * STACK_N + l] += sign * from[k][l];
        }
    }
}

// With X what takes a push about a's centre to b's: G, G X^T and X G X^T. Blocks are column by
// column, so that the block of rows of b and columns of a is the one that is written as G X^T.
static void stack_assemble_contact(tni_stack *stack, const tni_stack_contact *c) {
    double g[STACK_N][STACK_N] = {{0.0}}, h[STACK_N][STACK_N];
    stack_weigh_contact(stack, c, g);
    if (c->a != TNI_STACK_NOBODY) {
        stack_add_block(stack->diagonal + (size_t)c->a * TNI_STACK_BLOCK, (void *)g, 1.0);
    }
    if (c->b == TNI_STACK_NOBODY) {
        return;
    }
    for (uint32_t k = 0; k < STACK_N; ++k) {
        stack_add_cross(&g[k][3], c->offset, g[k]);
    }
    if (c->a != TNI_STACK_NOBODY && c->a < c->b) {
        stack_add_block(tni_stack_get_block(stack, c->a, c->b), (void *)g, -1.0);
    }
    for (uint32_t k = 0; k < STACK_N; ++k) {
        for (uint32_t l = 0; l < STACK_N; ++l) {
            h[l][k] = g[k][l];
        }
    }
    if (c->a != TNI_STACK_NOBODY && c->a > c->b) {
        stack_add_block(tni_stack_get_block(stack, c->b, c->a), (void *)h, -1.0);
    }
    for (uint32_t k = 0; k < STACK_N; ++k) {
        stack_add_cross(&h[k][3], c->offset, h[k]);
    }
    stack_add_block(stack->diagonal + (size_t)c->b * TNI_STACK_BLOCK, (void *)h, 1.0);
}

static void stack_set_mass(const tni_stack_body *body, double *d) {
    static const uint8_t entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    memset(d, 0, TNI_STACK_BLOCK * sizeof *d);
    for (uint32_t k = 0; k < 3; ++k) {
        d[k * STACK_N + k] = body->mass;
        for (uint32_t l = 0; l < 3; ++l) {
            d[(3 + k) * STACK_N + 3 + l] = body->inertia[entry[k][l]];
        }
    }
}

// A locked freedom has a row and a column of its own.
static void stack_lock(tni_stack *stack, uint32_t i) {
    uint32_t locks = stack->bodies[i].locks;
    for (uint32_t k = 0; k < STACK_N; ++k) {
        double *d = stack->diagonal + (size_t)i * TNI_STACK_BLOCK;
        if ((locks >> k & 1) == 0) {
            continue;
        }
        for (uint32_t l = 0; l < STACK_N; ++l) {
            d[k * STACK_N + l] = d[l * STACK_N + k] = l == k ? 1.0 : 0.0;
        }
        for (uint32_t j = 0; j < stack->body_count; ++j) {
            bool is_first = i < j, has = (stack->below[is_first ? i : j] >> (is_first ? j : i) & 1);
            double *block = j == i || !has
                                ? NULL
                                : tni_stack_get_block(stack, is_first ? i : j, is_first ? j : i);
            for (uint32_t l = 0; l < STACK_N && block != NULL; ++l) {
                block[is_first ? k * STACK_N + l : l * STACK_N + k] = 0.0;
            }
        }
    }
}

static void stack_assemble(tni_stack *stack) {
    memset(stack->blocks, 0, (size_t)stack->block_count * TNI_STACK_BLOCK * sizeof(double));
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        stack_set_mass(&stack->bodies[i], stack->diagonal + (size_t)i * TNI_STACK_BLOCK);
    }
    stack->is_factored = true;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        c->factored = 0;
        if (c->is_shut) {
            stack_assemble_contact(stack, c);
            c->factored = c->set;
        }
    }
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        if (stack->bodies[i].locks != 0) {
            stack_lock(stack, i);
        }
    }
}

// ---- Newton steps -----------------------------------------------------------------------------

// p, and J p. Returns -g·p.
static double stack_find_step(tni_stack *stack) {
    double decrease = 0.0;
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        tni_stack_body *body = &stack->bodies[i];
        stack_weigh(body, body->dv, body->residual);
        for (uint32_t k = 0; k < STACK_N; ++k) {
            bool is_locked = (body->locks >> k & 1) != 0;
            body->residual[k] = is_locked ? 0.0 : body->push[k] - body->residual[k];
            body->step[k] = body->residual[k];
        }
    }
    tni_stack_backsolve(stack);
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        decrease += stack_dot(stack->bodies[i].step, stack->bodies[i].residual);
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (c->is_shut) {
            stack_get_speeds(c, c->a != TNI_STACK_NOBODY ? stack->bodies[c->a].step : NULL,
                             c->b != TNI_STACK_NOBODY ? stack->bodies[c->b].step : NULL, c->step);
        }
    }
    return decrease;
}

// The slope of phi along p: p·g at dv + along p. `own` is p·M dv and p·M p.
static double stack_get_slope(tni_stack *stack, const double own[2], double along) {
    double slope = own[0] + along * own[1];
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (!c->is_shut) {
            continue;
        }
        stack_project(stack, c, along);
        for (uint32_t r = 0; r < TNI_STACK_ROWS; ++r) {
            slope -= (c->wanted[r] - c->old[r]) * c->step[r];
        }
    }
    return slope;
}

// How much of the step to take: where phi is least along it, roughly, by false position (Illinois).
static double stack_find_length(tni_stack *stack, double decrease) {
    double own[2] = {0.0, 0.0}, weighed[STACK_N];
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        tni_stack_body *body = &stack->bodies[i];
        stack_weigh(body, body->step, weighed);
        own[0] += stack_dot(weighed, body->dv);
        own[1] += stack_dot(weighed, body->step);
    }
    double low = 0.0, high = 1.0, of_low = -decrease, of_high = stack_get_slope(stack, own, 1.0);
    if (of_high <= STACK_STEEP * decrease) {
        return 1.0;
    }
    double along = 1.0;
    for (uint32_t i = 0; i < STACK_MOST_TRIALS; ++i) {
        along = low + (high - low) * of_low / (of_low - of_high);
        double slope = stack_get_slope(stack, own, along);
        if (slope >= 0.0 && slope <= 0.1 * decrease) {
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

// In a stack that is new nothing has a load by which to tell who gives way: all may.
static void stack_assume_all(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        if (c->is_shut) {
            c->set = (uint8_t)((STACK_POINTS & ~(uint32_t)c->open) | STACK_STICKS | STACK_TWISTS);
            c->slides = false;
        }
    }
    stack->is_factored = false;
}

// From dv = 0 with softer rows, which are hardened step by step.
static void stack_restart(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        memset(stack->bodies[i].dv, 0, sizeof stack->bodies[i].dv);
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        memset(stack->contacts[i].change, 0, sizeof stack->contacts[i].change);
    }
    stack->hardness = STACK_SOFT;
    stack->roundness = 1.0;
    stack->is_factored = false;
}

static double stack_get_hardness(const tni_stack *stack) {
    return stack->is_new ? STACK_NEW_HARDNESS : 1.0;
}

static void stack_harden(tni_stack *stack) {
    double full = stack_get_hardness(stack);
    if (stack->hardness < full) {
        stack->hardness = fmin(full, stack->hardness * STACK_HARDENING);
        stack->is_factored = false;
    }
}

// A stack that is new bears less than it weighs, so that the loads of its contacts say nothing.
// Then friction is unlimited at first.
static void stack_unbound(tni_stack *stack) {
    for (uint32_t i = 0; i < stack->contact_count && stack->is_new; ++i) {
        stack->contacts[i].slide_cap = stack->contacts[i].twist_cap = STACK_UNLIMITED;
    }
}

// And then bounded by the load that contacts were found to bear. Returns whether some was beyond.
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

// False where it does not come to an end.
static bool stack_iterate(tni_stack *stack, double energy) {
    bool was_full = false;
    double full = stack_get_hardness(stack);
    stack->is_factored = stack->is_factored && stack->hardness == full;
    stack->hardness = full;
    stack->roundness = 0.0;
    for (uint32_t i = 0; i < STACK_MOST_STEPS; ++i) {
        bool is_exact = stack_evaluate(stack);
        if (is_exact && was_full) {
            return true;
        }
        if (i == 0 && stack->is_new) {
            stack_assume_all(stack);
        }
        if (!stack->is_factored) {
            stack_assemble(stack);
            tni_stack_factor(stack);
        }
        double decrease = stack_find_step(stack);
        if (stack->hardness == full && !(decrease > STACK_CONVERGED * energy)) {
            return true;
        }
        double along = stack_find_length(stack, decrease);
        if (i == 0 && along < STACK_SHORT) {
            stack_restart(stack);
            continue;
        }
        stack_take_step(stack, along);
        was_full = along == 1.0 && stack->hardness == full;
        stack->roundness = along < 1.0 ? 1.0 : 0.0;
        stack_harden(stack);
    }
    return false;
}

// ---- a stack ----------------------------------------------------------------------------------

static void stack_move_body(tni_solver *solver, const tni_stack_body *body) {
    tni_body_state *state = &solver->states[body->body];
    const tni_sym3 *w = &state->inv_inertia;
    float *total = solver->contact_pushes[body->body].total;
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

// Before the first solve of a step.
static void stack_look(const tni_solver *solver, tni_stack *stack) {
    double load = 0.0, weight = 0.0;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        uint32_t index = stack->contacts[i].contact;
        const tni_contact_record *record = &solver->contact_records[index];
        double least = (double)solver->contact_gates[index].least;
        stack->is_sunk |= least < -STACK_SUNK * (double)solver->contact_depths[index];
        for (uint32_t p = 0; p < record->point_count; ++p) {
            load += (double)record->impulse[p];
        }
    }
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        double kick = stack_start_body(solver, stack, &stack->bodies[i]);
        weight += stack->bodies[i].mass * kick;
    }
    stack->is_new = load < STACK_NEW_LOAD * weight;
    stack->is_known = true;
}

// Whether solve A asks for it.
static bool stack_is_lifted(const tni_solver *solver, tni_stack *stack) {
    if (!stack->is_known) {
        stack_look(solver, stack);
    }
    return stack->is_new || stack->is_sunk;
}

static void stack_solve(tni_solver *solver, tni_stack *stack, bool use_bias) {
    double energy = 0.0, weight = 0.0;
    if (stack->has_failed || (use_bias && !stack_is_lifted(solver, stack))) {
        return;
    }
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        double kick = stack_start_body(solver, stack, &stack->bodies[i]);
        weight += stack->bodies[i].mass * kick;
        energy += stack->bodies[i].mass * kick * kick / (double)stack->body_count;
    }
    stack->load = 0.0;
    stack->is_sunk = use_bias && stack->is_sunk;
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        stack_start_contact(solver, stack, &stack->contacts[i], use_bias);
    }
    stack->is_new = use_bias ? stack->is_new : stack->load < STACK_NEW_LOAD * weight;
    stack->is_factored = stack->is_factored && !use_bias && !stack->was_biased;
    stack->was_biased = use_bias;
    stack_unbound(stack);
    stack->has_failed = !stack_iterate(stack, energy) ||
                        (stack->is_new && stack_bound(stack) && !stack_iterate(stack, energy));
    if (stack->has_failed) {
        return;
    }
    for (uint32_t i = 0; i < stack->contact_count; ++i) {
        tni_stack_contact *c = &stack->contacts[i];
        double change[TNI_STACK_ROWS];
        for (uint32_t r = 0; r < TNI_STACK_ROWS && c->is_shut; ++r) {
            change[r] = c->wanted[r] - c->old[r];
        }
        if (c->is_shut) {
            tni_contact_add_impulses(solver, c->contact, change, change + TNI_STACK_SLIDE);
        }
    }
    for (uint32_t i = 0; i < stack->body_count; ++i) {
        stack_move_body(solver, &stack->bodies[i]);
    }
}

// Which solve, of whom.
typedef struct stack_phase {
    tni_solver *solver;
    bool use_bias;
} stack_phase;

static void stack_solve_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const stack_phase *phase = context;
    for (uint32_t i = first; i < last; ++i) {
        stack_solve(phase->solver, &phase->solver->stacks[i], phase->use_bias);
    }
}

void tni_stacks_solve(tni_solver *solver, bool use_bias) {
    stack_phase phase = {solver, use_bias};
    tni_tasks_run(solver->tasks, stack_solve_range, solver->stack_count, 1, &phase);
}

void tni_stacks_solve_part(tni_solver *solver, uint32_t part, bool use_bias) {
    for (uint32_t i = 0; i < solver->stack_count; ++i) {
        if (solver->stacks[i].part == part) {
            stack_solve(solver, &solver->stacks[i], use_bias);
        }
    }
}
