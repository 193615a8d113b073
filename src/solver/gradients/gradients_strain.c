// solver/gradients/gradients_strain.c: distinguishes mechanisms whose joints fight each other
// from loaded ones.
//
// Joints that contradict each other press against each other as hard as their softness lets them,
// and the bodies that they hold turn a little in every substep, while the impulses x keep their
// direction: as if a spring that acts at the wrong end of the substep held the body. Its frequency
// w_g, with r the arm and I the inertia,
//     (h w_g)^2 = h |x| r / I        (|x| over the substep; of a turn, without r)
// must stay well below 2. A heavy load strains joints too, and there it is the price of carrying
// it. But a load comes from bodies: with impulses P on the bodies, no joint of a tree carries more
// than their sum, and one of a loop carries a lever's ratio more. Joints that carry many times the
// impulses that all bodies together get carry each other.
// Source: M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", SIGGRAPH 2015
// (what the direction of a joint's force does). Test: tests/world/mechanisms/test_gradients.c
#include "solver/gradients/gradient_lanes.h"

// A joint is strained from this (h w_g)^2 on.
#define STRAIN_SQUARE 4.0f
// Joints may carry this many times the impulses that all bodies get.
#define STRAIN_RATIO 30.0f

// A strain is in N·s and N·m·s over a substep.
typedef struct strain {
    float push, turn;
} strain;

static float strain_length(tni_f4 x) {
    return sqrtf(f4_dot3(x, x));
}

// Returns the impulses that a joint carries. Solve A sees half of a substep.
static strain strain_of_joint(const tni_joint_block *block, tni_pin_numbers x) {
    float first = 2.0f * strain_length(x.point);
    strain carried = {first, 2.0f * strain_length(x.turn)};
    if (block->form == TNI_JOINT_FORM_THREE) {
        carried = (strain){0.0f, first}; // a weld with a soft point
    }
    return carried;
}

static float strain_inverse_inertia(const tni_body_state *state) {
    tni_sym3 m = state->inv_inertia;
    return maths_max(m.xx, maths_max(m.yy, m.zz));
}

static float strain_square(const tni_solver *solver, const tni_joint_block *block, strain carried) {
    const tni_body_state *a = &solver->bodies.states[block->body_a],
                         *b = &solver->bodies.states[block->body_b];
    float arm_a = 0.0f, arm_b = 0.0f;
    if (block->group != NULL) {
        arm_a = strain_length(joint_group_get(&block->group->r_a, block->lane));
        arm_b = strain_length(joint_group_get(&block->group->r_b, block->lane));
    } else if (block->point_rows > 0) {
        arm_a = strain_length(block->pin->r_a);
        arm_b = strain_length(block->pin->r_b);
    }
    float of_a = (carried.push * arm_a + carried.turn) * strain_inverse_inertia(a);
    float of_b = (carried.push * arm_b + carried.turn) * strain_inverse_inertia(b);
    return solver->h * maths_max(of_a, of_b);
}

// Finds the most that a joint of a group carries, among those that are strained.
static void strain_add_group(const tni_solver *solver, const tni_gradients *g,
                             const tni_gradient_lanes *group, bool adds_found, strain *most) {
    for (uint32_t i = 0; i < group->members.count; ++i) {
        const tni_joint_block *block = lanes_block(solver, g, group, i);
        tni_pin_numbers x = gradient_get_impulse(block);
        if (adds_found) {
            x = gradient_add_scaled(x, 1.0f, tni_gradient_lanes_get_found(g, group, i));
        }
        strain carried = strain_of_joint(block, x);
        // This is written so that a NaN counts.
        if (!(strain_square(solver, block, carried) < STRAIN_SQUARE)) {
            most->push = maths_max(most->push, carried.push);
            most->turn = maths_max(most->turn, carried.turn);
        }
    }
}

static strain strain_find_most(const tni_solver *solver, const tni_gradients *g, bool adds_found) {
    strain most = {0.0f, 0.0f};
    // This is the least square for the lanes, which leave out 2 h and a factor of 2: see there.
    float least = STRAIN_SQUARE * STRAIN_SQUARE / (8.0f * solver->h * solver->h);
    for (uint32_t i = 0; i < g->lanes_count; ++i) {
        const tni_gradient_lanes *group = &g->lanes[i];
        if (WIDE_CALL(solver->uses_avx2, tni_lanes_is_strained, solver, g, group, adds_found,
                      least)) {
            strain_add_group(solver, g, group, adds_found, &most);
        }
    }
    return most;
}

// Returns the sum of the impulses that all bodies get from the joints, and the moments that these
// can make.
static strain strain_of_bodies(const tni_solver *solver, const tni_gradients *g, bool adds_found) {
    WIDE_CALL(solver->uses_avx2, tni_lanes_push, solver, g, adds_found);
    strain sum = {0.0f, 0.0f};
    tni_dvec3 origin = solver->bodies.motions[g->bodies[0]].position;
    for (uint32_t k = 0; k < g->body_count; ++k) {
        uint32_t body = g->bodies[k];
        const tni_body_state *state = &solver->bodies.states[body];
        tni_dvec3 apart = dvec3_sub(solver->bodies.motions[body].position, origin);
        float mass = maths_inverse_or_zero(
            maths_max(state->inv_mass.x, maths_max(state->inv_mass.y, state->inv_mass.z)));
        const tni_gradient_motion *along = &g->along[k + 1];
        float push = 2.0f * mass * strain_length(f4_load(along->v));
        float turn = 2.0f * strain_length(f4_load(along->w)) *
                     maths_inverse_or_zero(strain_inverse_inertia(state));
        sum.push += push;
        sum.turn += turn + push * (float)sqrt(dvec3_dot(apart, apart));
    }
    return sum;
}

bool tni_gradients_are_strained(const tni_solver *solver, const tni_gradients *g, bool adds_found) {
    strain most = strain_find_most(solver, g, adds_found);
    if (most.push == 0.0f && most.turn == 0.0f) {
        return false;
    }
    strain all = strain_of_bodies(solver, g, adds_found);
    // A couple of forces makes a moment, and a moment a couple of forces.
    return most.push > STRAIN_RATIO * all.push || most.turn > STRAIN_RATIO * all.turn;
}
