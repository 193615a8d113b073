// world/mechanisms/mechanism_strike.c: finds pairs of bodies that hang and are about to run into a
// limit, for TN_SOLVER_AUTO.
//
// A body that hangs by one joint is one block, and sweeps stop it at its limit as exactly as it can
// be. Of two, one behind the other, the outer one goes on while the inner one stops: a swept joint
// between them is a spring of a quarter of the substep rate, opens by some tenths of a millimetre,
// and lifts them by that when it closes. What it gives back is 1 to 7 % of the energy that the blow
// has taken, and the pair has no other motion by then that could pay for it. So the direct solver
// takes the blow: from the step before until STRIKE_HOLD steps after the last one that foresees it.
// Chains of three and more are exact anyway (solver/step/choice.c). Test:
// tests/world/mechanisms/test_strike.c, tests/bench/test_machines.c
#include "world/step/step_mechanisms.h"

// m/s or rad/s: slower blows open nothing that is seen.
#define STRIKE_LEAST_SPEED 0.1
// A limit is about to be met if it would be within this many steps.
#define STRIKE_STEPS 2.0
// The pair is exact for this many steps after the last that foresees a blow.
#define STRIKE_HOLD 8

static bool strike_is_asked(const tni_mechanism_choice *choice) {
    return choice->strikes;
}

static bool strike_may_be_held(const tni_mechanism_choice *choice) {
    bool is_light = choice->choice.method == TNI_CHOICE_PGS &&
                    choice->choice.reason == TN_MECHANISM_REASON_LIGHT;
    return choice->is_pair && (is_light || choice->choice.reason == TN_MECHANISM_REASON_OPENED);
}

// Returns whether a limit of the joint is about to be met.
static bool strike_is_near(const tni_solver *solver, const tni_joint_block *block, double dt) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    const tni_body_motion *a = &solver->bodies.motions[block->body_a];
    const tni_body_motion *b = &solver->bodies.motions[block->body_b];
    bool is_near = false;
    tni_joint_emit_bounded(block->joint, a, b, rows);
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        double speed = rows[r].kind == TNI_ROW_LIMIT ? tni_row_get_speed(&rows[r], a, b) : 0.0;
        is_near |=
            speed < -STRIKE_LEAST_SPEED && (double)rows[r].error + STRIKE_STEPS * dt * speed < 0.0;
    }
    return is_near;
}

// Leaves to sweeps what would be too much together with those that are exact already.
static void strike_choose(tn_world *world) {
    uint32_t rows = 0;
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        const tni_mechanism_choice *choice = &world->choices[g];
        rows += choice->choice.reason == TN_MECHANISM_REASON_OPENED ? choice->rows : 0;
    }
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        tni_mechanism_choice *choice = &world->choices[g];
        bool is_new = choice->strikes && choice->choice.reason == TN_MECHANISM_REASON_LIGHT;
        choice->strikes &= !is_new || rows + choice->rows <= TNI_CHOICE_MOST_HELD_ROWS;
        rows += is_new && choice->strikes ? choice->rows : 0;
    }
}

void tni_mechanism_hold_strikes(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    double dt = solver->dh * (double)solver->substeps;
    bool any = false;
    for (uint32_t g = 0; g < world->choice_count; ++g) {
        world->choices[g].strikes = false;
        any |= strike_may_be_held(&world->choices[g]);
    }
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    any &= world->choice_count <= TNI_CHOICE_CROWD;
    for (uint32_t i = 0; i < count && any; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        const tni_joint *joint = tni_joint_at(world, block->world_joint);
        bool has_limits = joint->has_limits && block->row_count > block->equality_count;
        if (has_limits && joint->choice_group < world->choice_count) {
            tni_mechanism_choice *choice = &world->choices[joint->choice_group];
            choice->strikes |= strike_may_be_held(choice) && strike_is_near(solver, block, dt);
        }
    }
    if (any) {
        strike_choose(world);
        tni_mechanism_hold_exact(world, solver, strike_is_asked, STRIKE_HOLD);
    }
}
