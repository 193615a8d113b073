// world/step/balance.h: the energy of islands with joints in a step: see world/step/step_balance.c.
#ifndef TNI_WORLD_STEP_BALANCE_H
#define TNI_WORLD_STEP_BALANCE_H

#include "world/step/step_internal.h"

// m: a joint is far open beyond this, which is more than sweeps leave under a load.
#define TNI_BALANCE_OPEN 0.05

// The account of an island. Its joints keep it from step to step.
typedef struct tni_balance_account {
    double gain, scale; // J: G, and the largest kinetic energy
    double share;       // the share of their velocities that bodies keep
    uint32_t joints;
    bool has_gradients; // conjugate gradients solve some of its joints
    bool is_bounded;    // motors, limits or friction act
    bool has_broken;    // a joint broke that held during the step
} tni_balance_account;

struct tni_balance {
    double before, after; // J: T0 and T1, or bounds of them
    double way_work, mean_work, motor_work;
    double elastic;      // J: in its ropes before the step
    double mass, weight; // kg, N
    tni_dvec3 momentum;
    bool is_held;      // something that does not move holds it
    bool is_fed;       // something unknown here may feed it
    bool has_spans;    // rows over several bodies take turns with its joints
    bool is_open;      // a joint of it is far open
    bool is_swept;     // a joint of it is not exact
    bool is_pushed;    // a contact of it pushes
    bool has_bounded;  // a joint of it has a motor, a limit, a spring or friction
    bool is_strained;  // a joint of it is strained
    bool is_close;     // its energy's bounds leave open whether it has too much
    bool has_excess;   // it had too much by its step alone
    double share;      // the factor of its velocities
    double open_share; // the same if a joint is far open
    tni_balance_account account;
};

// Returns the root of a joint's balance: that of an end that moves.
static inline uint32_t balance_get_root(const tni_step *step, const tni_joint_block *block) {
    bool moves_a = step->solver.bodies.masses[block->body_a].is_dynamic;
    return step->balance_of[moves_a ? block->body_a : block->body_b];
}

static inline bool balance_is_root(const tni_step *step, uint32_t i) {
    return step->balance_of[i] == i && step->is_watched[i];
}

// Returns how far a joint stands open after the step, m.
static inline double balance_get_error(const tni_solver *solver, const tni_joint_block *block) {
    return tni_joint_measure_error(block->joint, &solver->bodies.motions[block->body_a],
                                   &solver->bodies.motions[block->body_b])
        .linear_length;
}

static inline bool balance_is_open(const tni_solver *solver, const tni_joint_block *block) {
    return balance_get_error(solver, block) > TNI_BALANCE_OPEN;
}

// Returns the energy of the mean motion, which the island keeps, J.
static inline double balance_get_mean(const tni_balance *balance) {
    double mean = 0.5 * dvec3_dot(balance->momentum, balance->momentum) / balance->mass;
    return balance->is_held ? 0.0 : mean;
}

// Finds which bodies are balanced together, what holds and feeds them, and the work of their
// motors.
void tni_balance_gather(tn_world *world, tni_step *step);
// Returns the root of a span's balance, or 0 if none of its bodies has one.
uint32_t tni_balance_get_span_root(const tni_step *step, const tni_span *span);
// Counts as work what ropes that stretch released, in islands whose energy is computed.
void tni_balance_add_springs(const tni_step *step);

// Returns whether the bounds of an island's energies leave open that its account rises.
bool tni_balance_may_gain(const tni_balance *balance);
// Returns whether what an island gains is counted over its steps.
bool tni_balance_has_account(const tni_balance *balance);
// Adds the step to the account of an island, and finds the share of its velocities that it keeps.
void tni_balance_charge(tni_balance *balance, double dt, uint32_t substeps);
// Takes from the accounts what is taken from the islands, and stores them in the joints.
void tni_balance_keep_accounts(tn_world *world, const tni_step *step, double dt);

#endif
