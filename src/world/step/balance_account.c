// world/step/balance_account.c: what an island with joints gains little by little.
//
// A step gains too little to be seen by its own balance (world/step/step_balance.c), but the gains
// add up: the direction of a force holds for a substep in which bodies turn on, sweeps are cut
// short, motors and limits close loops, and a joint that a blow or a load has opened lifts what
// hangs on it when it closes. So each island with joints has an account over its steps,
//
//     G = G + T1 - T0 - W,   W = work of gravity, applied forces and motors,
//
// and what exceeds a slack is taken from the velocities of a step that gains. A negative G is
// credit: energy goes up and down with the pose, and would go down for good if only its rises
// counted. But it is small: what sweeps, limits, friction and blows have taken is gone, and gives
// nobody the right to gain. Islands that meet go on with the larger G.
//
// Swept joints that nothing but equalities acts on have none: what they lose in one part of a swing
// they give back in another.
//
// Conjugate gradients have more credit. They solve all joints at once and as stiffly as they can,
// so nothing damps what they do; their joints give under a blow, and give back within some
// substeps, until the credit lapses. What motors give them is known to a twentieth, and counts as
// given even if motors take it: if they lift much while little moves, a mechanism may gain as much
// as moves.
//
// The account forgets what a motion cannot pay, and a little of the motion stays, or a mechanism
// without motion would never move again: joints that close lift a mast that stands in balance by
// more in a step than it is fast when it begins to fall. Test:
// tests/world/step/test_step_balance.c, tests/bench/test_machines.c
#include "world/step/balance.h"

// Shares and m: an account may hold a share of the largest kinetic energy of about the last
// ACCOUNT_TIME (s), and a height; and it may owe the third. A motion keeps the energy of a fall
// from the least height, whatever is in the account.
#define ACCOUNT_SHARE  1e-3
#define ACCOUNT_TIME   1.0
#define ACCOUNT_HEIGHT 5e-6
#define ACCOUNT_CREDIT 3e-3
#define ACCOUNT_LEAST  2e-6
// The heights where conjugate gradients solve, m; there credit falls by half or more in so many
// substeps.
#define ACCOUNT_GRADIENT_HEIGHT 1e-4
#define ACCOUNT_GRADIENT_LEAST  1e-5
#define ACCOUNT_LAPSE           12.0
// The share by which the work of motors may be off for conjugate gradients, where it is taken at
// mean speeds.
#define ACCOUNT_MOTOR_SHARE 0.05

bool tni_balance_has_account(const tni_balance *balance) {
    const tni_balance_account *account = &balance->account;
    bool is_alone = !balance->has_bounded && !balance->is_pushed;
    return account->has_gradients || !balance->is_swept || !is_alone;
}

static double account_get_slack(const tni_balance *balance) {
    double height = balance->account.has_gradients ? ACCOUNT_GRADIENT_HEIGHT : ACCOUNT_HEIGHT;
    return ACCOUNT_SHARE * balance->account.scale + height * balance->weight;
}

// Returns what motors have given.
static double account_get_driven(const tni_balance *balance) {
    double most = (1.0 + ACCOUNT_MOTOR_SHARE) * fabs(balance->motor_work);
    return balance->account.has_gradients ? most : balance->motor_work;
}

static double account_get_step_gain(const tni_balance *balance) {
    double change = balance->after - balance->before;
    return change - balance->way_work - account_get_driven(balance);
}

bool tni_balance_may_gain(const tni_balance *balance) {
    const tni_balance_account *account = &balance->account;
    if (!tni_balance_has_account(balance)) {
        return false;
    }
    double least = -ACCOUNT_CREDIT * account->scale;
    return account->has_gradients || account->gain + account_get_step_gain(balance) > least;
}

// Adds energies to the scale of the account.
static void account_follow_scale(tni_balance *balance, double most, double dt) {
    balance->account.scale = maths_max_d(most, balance->account.scale / (1.0 + dt / ACCOUNT_TIME));
}

// Returns the least that is in the account after the step: the credit that is left.
static double account_get_least(const tni_balance *balance, uint32_t substeps) {
    const tni_balance_account *account = &balance->account;
    if (!account->has_gradients) {
        return -ACCOUNT_CREDIT * account->scale;
    }
    return account->is_bounded ? 0.0 : account->gain / (1.0 + substeps / ACCOUNT_LAPSE);
}

void tni_balance_charge(tni_balance *balance, double dt, uint32_t substeps) {
    tni_balance_account *account = &balance->account;
    double inner = balance->after - balance_get_mean(balance);
    double gain = account_get_step_gain(balance);
    account->gain += gain;
    account->gain = isfinite(account->gain) ? account->gain : 0.0;
    account_follow_scale(balance, maths_max_d(balance->before, balance->after), dt);
    if (account->gain < 0.0) {
        account->gain = maths_max_d(account->gain, account_get_least(balance, substeps));
    }
    double excess = account->gain - account_get_slack(balance);
    excess = account->has_gradients ? excess : maths_min_d(excess, gain);
    double height = account->has_gradients ? ACCOUNT_GRADIENT_LEAST : ACCOUNT_LEAST;
    double least = height * balance->weight;
    bool is_some = excess > 0.0 && inner > least && isfinite(inner);
    account->share = is_some ? sqrt(maths_max_d(inner - excess, least) / inner) : 1.0;
}

static void account_pay(tni_balance *balance) {
    double inner = balance->after - balance_get_mean(balance);
    double taken = (1.0 - balance->share * balance->share) * inner;
    double gain = maths_min_d(balance->account.gain - taken, account_get_slack(balance));
    balance->account.gain = isfinite(gain) ? gain : 0.0;
}

void tni_balance_keep_accounts(tn_world *world, const tni_step *step, double dt) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 1; i <= world->awake_bodies.count; ++i) {
        tni_balance *balance = &step->balances[i];
        if (balance_is_root(step, i) && balance->is_close) {
            account_pay(balance);
        } else if (balance_is_root(step, i)) {
            account_follow_scale(balance, balance->is_fed ? 0.0 : balance->before, dt);
            balance->account.gain = -ACCOUNT_CREDIT * balance->account.scale;
        }
    }
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        const tni_balance *balance = &step->balances[balance_get_root(step, block)];
        tni_joint *joint = tni_joint_at(world, block->world_joint);
        joint->gain = balance->is_fed ? 0.0 : balance->account.gain;
        joint->gain_scale = balance->is_fed ? 0.0 : balance->account.scale;
    }
}
