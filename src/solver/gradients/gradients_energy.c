// solver/gradients/gradients_energy.c: fast turning mechanisms of conjugate gradients gain no
// energy.
//
// A step that freezes the direction of a joint's force for a substep is of second order while
// bodies turn by little in it. A chain that whirls by 0.14 rad and more in a substep gains energy
// in it, however exactly the rows are solved: 2 percent in a second at 0.14 rad, 150 percent at
// 0.56, and it bursts. Rigid joints between bodies that nothing else holds do no work. So the
// kinetic energy that solves A and B together added is taken away again, by one factor on all
// velocities of the mechanism, which leaves J v = 0 as it is; where the mechanism hangs on nothing
// that stands still, the factor is on the velocities relative to that of its centre of mass, which
// it keeps. When motors, springs or limits act, or when a body that moves by itself holds the
// mechanism or is near, work is done, and nothing is taken. Test:
// tests/solver/gradients/test_gradients_energy.c
#include "solver/gradients/gradient_lanes.h"

// rad in a substep: if no body turns by more than this, the energy is not measured.
#define ENERGY_LEAST_TURN 0.1f
// A gain of more than this share of the kinetic energy is reported as a failure.
#define ENERGY_TOLD 0.01

static double energy_of_turn(const tni_inertia *inertia, tni_dquat rotation, tni_dvec3 w) {
    if (inertia->is_round) {
        return 0.5 * inertia->moment * dvec3_dot(w, w);
    }
    return inertia_get_energy(inertia, rotation, w);
}

static double energy_of_body(const tni_solver *solver, uint32_t body, tni_dvec3 middle) {
    const tni_body_state *state = &solver->bodies.states[body];
    const tni_body_mass *mass = &solver->bodies.masses[body];
    tni_dvec3 v = dvec3_sub(dvec3_from_float(state->v), middle);
    double energy = 0.5 * maths_inverse_or_zero_d(mass->inv_mass) * dvec3_dot(v, v);
    if (mass->inertia->inverse > 0.0) {
        energy += energy_of_turn(mass->inertia, solver->bodies.motions[body].rotation,
                                 dvec3_from_float(state->w));
    }
    return energy;
}

// Returns the energy, J, of the motion relative to `middle`.
static double energy_of(const tni_solver *solver, const tni_gradients *g, tni_dvec3 middle) {
    double energy = 0.0;
    for (uint32_t k = 0; k < g->body_count; ++k) {
        energy += energy_of_body(solver, g->bodies[k], middle);
    }
    return energy;
}

static bool energy_turns_fast(const tni_solver *solver, const tni_gradients *g) {
    float most = ENERGY_LEAST_TURN * solver->inv_h, square = 0.0f;
    for (uint32_t k = 0; k < g->body_count; ++k) {
        vec3s w = solver->bodies.states[g->bodies[k]].w;
        square = maths_max(square, glms_vec3_dot(w, w));
    }
    return square > most * most;
}

// Returns whether this joint does no work; and notes if it hangs on a body that does not move.
static bool energy_is_idle(const tni_solver *solver, const tni_joint_block *block, bool *is_hung) {
    bool moves_a = solver->bodies.masses[block->body_a].is_dynamic;
    bool moves_b = solver->bodies.masses[block->body_b].is_dynamic;
    *is_hung = *is_hung || !moves_a || !moves_b;
    return !block->has_awake_bounded && !tni_joint_has_callback(block->joint) &&
           (moves_a || tni_motion_is_still(&solver->bodies.motions[block->body_a])) &&
           (moves_b || tni_motion_is_still(&solver->bodies.motions[block->body_b]));
}

static bool energy_is_watched(const tni_solver *solver, tni_gradients *g) {
    bool is_idle = energy_turns_fast(solver, g) && !g->state.is_coupled && !g->state.is_struck;
    g->state.is_hung = false;
    for (uint32_t i = 0; i < g->count && is_idle; ++i) {
        is_idle = energy_is_idle(solver, &solver->joints.blocks[g->first + i], &g->state.is_hung);
    }
    for (uint32_t k = 0; k < g->body_count && is_idle; ++k) {
        is_idle = solver->bodies.masses[g->bodies[k]].locks == 0;
    }
    return is_idle;
}

void tni_gradients_begin_phase(tni_solver *solver, bool is_first_half) {
    const tni_dvec3 zero = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        tni_gradients *g = &solver->gradients.systems[i];
        if (is_first_half) {
            g->state.is_watched = energy_is_watched(solver, g);
            g->state.gain = g->right_side = 0.0;
        }
        g->state.gain -= g->state.is_watched ? energy_of(solver, g, zero) : 0.0;
    }
}

static tni_dvec3 energy_find_middle(const tni_solver *solver, const tni_gradients *g) {
    tni_dvec3 momentum = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (uint32_t k = 0; k < g->body_count && !g->state.is_hung; ++k) {
        uint32_t body = g->bodies[k];
        double m = maths_inverse_or_zero_d(solver->bodies.masses[body].inv_mass);
        momentum = dvec3_add_scaled(momentum, m, dvec3_from_float(solver->bodies.states[body].v));
        mass += m;
    }
    return dvec3_scale(momentum, maths_inverse_or_zero_d(mass));
}

// Returns the work, for the ledger, of the change of a body's velocities from one motion to the
// other: it works at the mean of the phase, as all impulses do.
static double energy_find_work(const tni_solver *solver, uint32_t body, const tni_body_motion *from,
                               const tni_body_motion *to) {
    const tni_body_motion *before = &solver->ledger.motions_before[body];
    const tni_body_mass *mass = &solver->bodies.masses[body];
    tni_dvec3 v = dvec3_scale(dvec3_add(before->velocity, to->velocity), 0.5);
    tni_dvec3 w = dvec3_scale(dvec3_add(before->angular_velocity, to->angular_velocity), 0.5);
    tni_dvec3 dv = dvec3_sub(to->velocity, from->velocity);
    tni_dvec3 dw = dvec3_sub(to->angular_velocity, from->angular_velocity);
    double work = maths_inverse_or_zero_d(mass->inv_mass) * dvec3_dot(dv, v);
    if (mass->inertia->inverse > 0.0) {
        tni_dmat3 inertia = inertia_in_world(mass->inertia, solver->bodies.motions[body].rotation);
        work += dvec3_dot(dmat3_mul_vec(&inertia, dw), w) -
                tni_work_find_stiffened(solver, body, w, dw); // which the phase adds
    }
    return work;
}

static void energy_slow_body(tni_solver *solver, uint32_t body, tni_dvec3 middle, double factor) {
    tni_body_state *state = &solver->bodies.states[body];
    tni_body_motion from = {.velocity = dvec3_from_float(state->v),
                            .angular_velocity = dvec3_from_float(state->w)};
    tni_dvec3 beside = dvec3_sub(from.velocity, middle);
    tni_body_motion to = {.velocity = dvec3_add_scaled(middle, factor, beside),
                          .angular_velocity = dvec3_scale(from.angular_velocity, factor)};
    state->v = dvec3_to_float(to.velocity);
    state->w = dvec3_to_float(to.angular_velocity);
    if (solver->ledger.measures_work) {
        solver->ledger.work.joint += energy_find_work(solver, body, &from, &to);
    }
}

static void energy_take(tni_solver *solver, tni_gradients *g) {
    tni_dvec3 middle = energy_find_middle(solver, g);
    double energy = energy_of(solver, g, middle);
    g->report.failures += g->state.gain > ENERGY_TOLD * energy && !g->state.is_soft ? 1 : 0;
    double left = energy > 0.0 ? maths_max_d(0.0, 1.0 - g->state.gain / energy) : 0.0;
    for (uint32_t k = 0; k < g->body_count; ++k) {
        energy_slow_body(solver, g->bodies[k], middle, sqrt(left));
    }
}

void tni_gradients_end_phase(tni_solver *solver, bool is_first_half) {
    const tni_dvec3 zero = {0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < solver->gradients.count; ++i) {
        tni_gradients *g = &solver->gradients.systems[i];
        g->state.gain += g->state.is_watched ? energy_of(solver, g, zero) : 0.0;
        if (!is_first_half && g->state.gain > 0.0) {
            energy_take(solver, g);
        }
    }
}
