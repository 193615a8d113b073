// world/mechanisms/mechanism_strike.c: finds one or two bodies that hang and are about to have a
// blow, or lean on a limit, for TN_SOLVER_AUTO.
//
// A body that hangs by one joint is one block, and sweeps stop it at its limit as exactly as it can
// be. Of two, one behind the other, the outer one goes on while the inner one stops: a swept joint
// between them is a spring of a quarter of the substep rate, opens by some tenths of a millimetre,
// and lifts them by that when it closes. What it gives back is 1 to 7 % of the energy that the blow
// has taken, and the pair has no other motion by then that could pay for it. So the direct solver
// takes the blow: from the step before until TNI_STRIKE_HOLD steps after the last one that foresees
// it. The same is done where the bodies begin with speeds that their joints do not allow, which is
// a blow in the first step, and while a load would open their joints, or they lean on a limit: the
// lever of the outer one opens the inner joint until AUTO closes it, and lifts both, again and
// again. One body alone is held where it would lean on its limit and open its joint so: the joint
// bears the weight, but not its moment, and gives way by as many times more as it would turn the
// body (by 3 mm instead of 0.6, for a bar of 0.8 m at 60 Hz without substeps). Chains of three and
// more are exact anyway (solver/step/choice.c). Test: tests/world/mechanisms/test_strike.c,
// tests/bench/test_machines.c
#include "solver/joints/joint_bounded.h"

#include "world/step/step_mechanisms.h"

// m/s or rad/s: slower blows open nothing that is seen.
#define STRIKE_LEAST_SPEED 0.1
// A limit is about to be met if it would be within this many steps.
#define STRIKE_STEPS 2.0
// m and rad: a load that would open a joint farther is left to the direct solver.
#define STRIKE_SAG  5e-4
#define STRIKE_BEND 2e-3
// m or rad: a limit that has an impulse and is open by less is leaned on.
#define STRIKE_LEANS 1e-3f

static bool strike_is_asked(const tni_mechanism_choice *choice) {
    return choice->strikes;
}

static bool strike_may_be_held(const tni_mechanism_choice *choice) {
    bool is_light = choice->choice.method == TNI_CHOICE_PGS &&
                    choice->choice.reason == TN_MECHANISM_REASON_LIGHT;
    return choice->is_hung_few && (is_light || choice->choice.reason == TN_MECHANISM_REASON_OPENED);
}

// Returns whether a limit is about to be met, or leaned on.
static bool strike_is_near(const tni_row *row, double speed, float impulse, double dt) {
    bool is_met =
        speed < -STRIKE_LEAST_SPEED && (double)row->error + STRIKE_STEPS * dt * speed < 0.0;
    return is_met || (impulse > 0.0f && row->error < STRIKE_LEANS);
}

// Returns whether the joint is about to meet a limit of its own, or leans on it.
static bool strike_has_limit(const tni_joint_block *block, const tni_row *rows,
                             const tni_body_motion *a, const tni_body_motion *b, double dt) {
    bool has_limit = false;
    for (uint32_t r = block->equality_count; r < block->row_count; ++r) {
        has_limit |= rows[r].kind == TNI_ROW_LIMIT &&
                     strike_is_near(&rows[r], tni_row_get_speed(&rows[r], a, b),
                                    block->joint->impulses[r], dt);
    }
    return has_limit;
}

// Returns whether the bodies move as the joint does not allow.
static bool strike_has_blow(const tni_joint_block *block, const tni_row *rows,
                            const tni_body_motion *a, const tni_body_motion *b) {
    bool has_blow = false;
    for (uint32_t r = 0; r < block->equality_count; ++r) {
        double speed = tni_row_get_speed(&rows[r], a, b) - (double)rows[r].target_speed;
        has_blow |= rows[r].kind == TNI_ROW_RIGID && fabs(speed) > STRIKE_LEAST_SPEED;
    }
    return has_blow;
}

static bool strike_sags(const tni_solver *solver, const tni_joint_block *block, const tni_row *rows,
                        const float *impulses) {
    tni_joint_sag sag = tni_joint_foresee_sag(solver, block, rows, impulses);
    return sag.linear > STRIKE_SAG || sag.angular > STRIKE_BEND;
}

bool tni_mechanism_strikes(const tni_solver *solver, const tni_joint_block *block,
                           uint32_t bodies) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    float weight[TNI_JOINT_MAX_ROWS];
    const tni_body_motion *a = &solver->bodies.motions[block->body_a];
    const tni_body_motion *b = &solver->bodies.motions[block->body_b];
    double dt = solver->dh * (double)solver->substeps;
    if (block->joint->has_limits) {
        tni_joint_emit_bounded(block->joint, a, b, rows);
    }
    bool has_limit = block->joint->has_limits && strike_has_limit(block, rows, a, b, dt);
    if (bodies == 1 ? !has_limit : has_limit) {
        return has_limit; // a pair needs no more, and a body alone needs it
    }
    tni_joint_emit(block->joint, a, b, rows);
    if (bodies > 1) {
        return strike_has_blow(block, rows, a, b) ||
               strike_sags(solver, block, rows, block->joint->impulses);
    }
    tni_joint_foresee_weight(solver, block, rows, weight);
    return strike_sags(solver, block, rows, weight);
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
        if (joint->choice_group < world->choice_count) {
            tni_mechanism_choice *choice = &world->choices[joint->choice_group];
            choice->strikes |= strike_may_be_held(choice) &&
                               tni_mechanism_strikes(solver, block, choice->info.bodies);
        }
    }
    if (any) {
        strike_choose(world);
        tni_mechanism_hold_exact(world, solver, strike_is_asked, TNI_STRIKE_HOLD);
    }
}
