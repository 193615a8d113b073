// solver/gradients_strain.c: mechanisms that fight themselves, told from loaded ones.
//
// Joints that contradict each other press against each other as hard as their softness lets them,
// and what holds them is turned a little in every substep, while the impulses x keep their
// direction: as if a spring held the body that acts at the wrong end of the substep. Its frequency
// w_g, with r the arm and I the inertia,
//     (h w_g)^2 = h |x| r / I        (|x| over the substep; of a turn, without r)
// must stay well below 2. A heavy load strains joints too, and there it is the price of carrying
// it. But a load comes from bodies: of impulses P on the bodies, in a tree no joint carries more
// than their sum, in a loop a lever's ratio more. Joints that carry many times what all bodies
// together get carry each other.
// Source: M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", SIGGRAPH 2015
// (what the direction of a joint's force does). Test: tests/world/test_gradients.c
#include "solver/gradient_lanes.h"
#include "solver/gradient_vectors.h"

// (h w_g)^2 from which a joint is strained.
#define STRAIN_SQUARE 4.0f
// What joints may carry of what all bodies get.
#define STRAIN_RATIO 30.0f

// N·s and N·m·s over a substep.
typedef struct strain {
    float push, turn;
} strain;

static float strain_length(tni_f4 x) {
    return sqrtf(f4_dot3(x, x));
}

// What a joint carries. Solve A sees half of a substep.
static strain strain_of_joint(const tni_joint_block *block, tni_pin_numbers x) {
    float first = 2.0f * strain_length(x.point);
    strain carried = {first, 2.0f * strain_length(x.turn)};
    if (block->form == TNI_JOINT_FORM_THREE) {
        carried = (strain){0.0f, first}; // a weld with a soft point
    }
    return carried;
}

static tni_pin_numbers strain_impulse(const tni_solver *solver, const tni_gradients *g, uint32_t i,
                                      bool adds_found) {
    tni_pin_numbers x = gradient_get_impulse(&solver->joints[g->first + i]);
    return adds_found ? gradient_add_scaled(x, 1.0f, gradient_load(g->found, i, g->is_wide)) : x;
}

static float strain_inverse_inertia(const tni_body_state *state) {
    tni_sym3 m = state->inv_inertia;
    return maths_max(m.xx, maths_max(m.yy, m.zz));
}

static float strain_square(const tni_solver *solver, const tni_joint_block *block, strain carried) {
    const tni_body_state *a = &solver->states[block->body_a], *b = &solver->states[block->body_b];
    float arm_a = 0.0f, arm_b = 0.0f;
    if (block->point_rows > 0) {
        arm_a = strain_length(block->pin->r_a);
        arm_b = strain_length(block->pin->r_b);
    }
    float of_a = (carried.push * arm_a + carried.turn) * strain_inverse_inertia(a);
    float of_b = (carried.push * arm_b + carried.turn) * strain_inverse_inertia(b);
    return solver->h * maths_max(of_a, of_b);
}

static tni_f4 strain_squares(const tni_f4 *x) {
    tni_f4 sum = f4_mul(x[0], x[0]);
    return f4_add_product(f4_add_product(sum, x[1], x[1]), x[2], x[2]);
}

static tni_f4 strain_inverse_inertias(const tni_lanes_masses *masses) {
    const tni_f4 *m = masses->inertia.m;
    return f4_max(m[0], f4_max(m[1], m[2]));
}

// Four joints at once, without a root: (push arm + turn)^2 <= 2 (push^2 arm^2 + turn^2).
TNI_FORCE_INLINE bool strain_is_possible(const tni_solver *solver, const tni_gradients *g,
                                         const tni_gradient_lanes *group, tni_lanes_kind kind,
                                         bool adds_found) {
    const tni_f4 *found = lanes_numbers(g, group).x;
    tni_f4 x[6], zero = f4_splat(0.0f);
    lanes_get_impulses(solver, g, group, kind, x);
    for (uint32_t i = 0; adds_found && i < lanes_rows(kind); ++i) {
        x[i] = f4_add(x[i], found[i]);
    }
    tni_f4 push = strain_squares(x), arm = zero, turn = push;
    if (kind != TNI_LANES_ROWS) {
        arm = f4_max(strain_squares(group->r_a), strain_squares(group->r_b));
        turn = kind == TNI_LANES_FRAME ? strain_squares(x + 3) : zero;
    }
    tni_f4 inertia =
        f4_max(strain_inverse_inertias(&group->of_a), strain_inverse_inertias(&group->of_b));
    tni_f4 carried = f4_mul(f4_mul(inertia, inertia), f4_add_product(turn, push, arm));
    float most[4], factor = 8.0f * solver->h * solver->h, least = STRAIN_SQUARE * STRAIN_SQUARE;
    f4_store(most, carried);
    // Written so that a NaN counts.
    return !(factor * most[0] < least && factor * most[1] < least && factor * most[2] < least &&
             factor * most[3] < least);
}

static bool strain_may_be(const tni_solver *solver, const tni_gradients *g,
                          const tni_gradient_lanes *group, bool adds_found) {
    switch (group->members.kind) {
    case TNI_LANES_POINT:
        return strain_is_possible(solver, g, group, TNI_LANES_POINT, adds_found);
    case TNI_LANES_FRAME:
        return strain_is_possible(solver, g, group, TNI_LANES_FRAME, adds_found);
    case TNI_LANES_ROWS:
        break;
    }
    return strain_is_possible(solver, g, group, TNI_LANES_ROWS, adds_found);
}

// The most that a joint of a group carries, of those that are strained.
static void strain_add_group(const tni_solver *solver, const tni_gradients *g,
                             const tni_gradient_lanes *group, bool adds_found, strain *most) {
    tni_pin_numbers found[4];
    lanes_split(lanes_numbers(g, group).x, group->members.kind, found);
    for (uint32_t i = 0; i < group->members.count; ++i) {
        const tni_joint_block *block = lanes_block(solver, g, group, i);
        tni_pin_numbers x = gradient_get_impulse(block);
        x = adds_found ? gradient_add_scaled(x, 1.0f, found[i]) : x;
        strain carried = strain_of_joint(block, x);
        // Written so that a NaN counts.
        if (!(strain_square(solver, block, carried) < STRAIN_SQUARE)) {
            most->push = maths_max(most->push, carried.push);
            most->turn = maths_max(most->turn, carried.turn);
        }
    }
}

static strain strain_find_most(const tni_solver *solver, const tni_gradients *g, bool adds_found) {
    strain most = {0.0f, 0.0f};
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        if (strain_may_be(solver, g, &g->lanes[i], adds_found)) {
            strain_add_group(solver, g, &g->lanes[i], adds_found, &most);
        }
    }
    return most;
}

// What all bodies get from the joints, and the moments that it can make.
static strain strain_of_bodies(const tni_solver *solver, const tni_gradients *g, bool adds_found) {
    for (uint32_t i = 0; i < g->count; ++i) {
        const tni_joint_block *block = &solver->joints[g->first + i];
        gradient_push_motions(solver, block, strain_impulse(solver, g, i, adds_found), g->change);
    }
    strain sum = {0.0f, 0.0f};
    tni_dvec3 origin = solver->motions[g->bodies[0]].position;
    for (uint32_t k = 0; k < g->body_count; ++k) {
        uint32_t body = g->bodies[k];
        const tni_body_state *state = &solver->states[body];
        tni_dvec3 apart = dvec3_sub(solver->motions[body].position, origin);
        float mass = maths_inverse_or_zero(
            maths_max(state->inv_mass.x, maths_max(state->inv_mass.y, state->inv_mass.z)));
        float push = 2.0f * mass * strain_length(g->change[body].v);
        float turn = 2.0f * strain_length(g->change[body].w) *
                     maths_inverse_or_zero(strain_inverse_inertia(state));
        sum.push += push;
        sum.turn += turn + push * (float)sqrt(dvec3_dot(apart, apart));
    }
    tni_gradients_clear_all(g);
    return sum;
}

bool tni_gradients_are_strained(const tni_solver *solver, const tni_gradients *g, bool adds_found) {
    strain most = strain_find_most(solver, g, adds_found);
    if (most.push == 0.0f && most.turn == 0.0f) {
        return false;
    }
    if (adds_found) {
        tni_gradients_unload(g);
    }
    strain all = strain_of_bodies(solver, g, adds_found);
    // A couple of forces makes a moment, and a moment a couple of forces.
    return most.push > STRAIN_RATIO * all.push || most.turn > STRAIN_RATIO * all.turn;
}
