// world/step/step_balance.c: takes from machines the energy that nothing gave them in a step.
//
// Sweeps that are cut short, joints that contradict each other and blows that joints pass on leave
// velocities that no force accounts for. Warm starting repeats them, and they grow. So each island
// with joints is checked at the end of the step for
//
//     T1 <= T0 + W,   W = work of gravity, applied forces and motors
//
// If its kinetic energy T1 is more than that by a share, velocities relative to the island's mean
// are scaled down to the allowed energy; all velocities, if something that does not move holds the
// island. This keeps J v = 0 of joints, J v >= 0 of contacts, and the momentum of a free island.
// Joints, limits, friction and blows may only take energy.
//
// Work along the path of the poses counts pushes out of an overlap, which leave no speed, and work
// at the mean velocity misses what comes before and after a blow: the larger of the two is allowed.
// If a joint is far open, though, the smaller one is allowed: otherwise bodies that contradicting
// joints pull to and fro would fall again and again. The joints of an island that had too much also
// start the next step with smaller impulses.
//
// Such a joint is *strained* from then on, for as long as it is far open. So is one that is swept
// and opens on though it is a metre open: what hangs on it would fall with it without end. Its
// island has no slack and loses a share of its velocities in each step, so that it comes to rest
// where the errors balance. Its joints start cold, without the impulses of the last substep: its
// bodies have turned since, and these impulses act along stale directions. (Motors keep theirs: one
// without a cap would make up for a whole step's path anew in every substep.) From zero each row's
// solution only takes away from the bodies' velocity about the bias, so that sweeps cannot add to
// it. An island is left alone if something unknown may feed it: joints that time or a moving anchor
// leads, contacts with kinematic bodies, forces of the user. (The file world/step/balance_islands.c
// finds who is balanced together, and what springs and winches give.)
//
// The account of an island has what it gains little by little: world/step/balance_account.c.
// Test: tests/world/step/test_step_balance.c, tests/scenes/test_bursts.c
#include "solver/movers/span_rope.h"
#include "world/joints.h"
#include "world/step/balance.h"

// Shares of the kinetic energy, and heights, m, of the island: an excess up to their sum is left
// alone, since joints and contacts that give way to a load give it back. The first two are for
// islands whose joints are all exact.
#define BALANCE_EXACT_SHARE  2e-3
#define BALANCE_EXACT_HEIGHT 1e-3
#define BALANCE_SHARE        2e-2
#define BALANCE_HEIGHT       0.05
// m/s: bodies may gain this speed, which round-off leaves where joints pull at each other; in a
// world without gravity there is no height to measure it against.
#define BALANCE_SPEED 1e-4
// The share by which the work of motors, which is taken at mean speeds, may be off.
#define BALANCE_MOTOR_SHARE 0.05
// The square of the sine of half a turn whose direction is known.
#define BALANCE_SMALL_TURN 0.25
// 1/s: how fast an island with a strained joint comes to rest.
#define BALANCE_STRAINED_RATE 3.0

size_t tni_step_balance_size(void) {
    return sizeof(tni_balance);
}

// Returns the work of a body's torque along its turn. A turn of more than about a radian has no
// direction of its own: then it is `mean`, the work at the mean angular velocity.
static double balance_get_turn_work(const tni_body_mass *mass, const tni_body *body,
                                    const tni_body_motion *now, double mean) {
    if (dvec3_dot(mass->torque, mass->torque) == 0.0) {
        return mean;
    }
    tni_dquat turn = dquat_mul(now->rotation, dquat_conjugate(body->rotation));
    tni_dvec3 half = dvec3_make(turn.x, turn.y, turn.z);
    double square = dvec3_dot(half, half);
    if (!(square < BALANCE_SMALL_TURN)) {
        return mean;
    }
    // arcsin(x) = x (1 + x^2 / 6 + 3 x^4 / 40 + ...)
    double scale = 2.0 * (1.0 + square / 6.0 + 0.075 * square * square);
    return (turn.w < 0.0 ? -scale : scale) * dvec3_dot(mass->torque, half);
}

// Adds the work, and bounds of the kinetic energies from the least and the largest moment of
// inertia: T0 from below, T1 from above.
static void balance_add_bounds(const tn_world *world, const tni_step *step, uint32_t i, double dt) {
    const tni_solver *solver = &step->solver;
    const tni_body_mass *mass = &solver->bodies.masses[i];
    const tni_inertia *inertia = mass->inertia;
    const tni_body_motion *now = &solver->bodies.motions[i];
    const tni_body *body = tni_body_at(world, step->body_of[i]);
    tni_balance *balance = &step->balances[step->balance_of[i]];
    double m = body->mass;
    tni_dvec3 a = solver->bodies.pulls[i].acceleration;
    tni_dvec3 v0 = body->velocity, v1 = now->velocity;
    tni_dvec3 w0 = body->angular_velocity, w1 = now->angular_velocity;
    tni_dvec3 way = dvec3_sub(now->position, body->position);
    double turned = 0.5 * dt * dvec3_dot(mass->torque, dvec3_add(w0, w1));
    double turned_on_way = balance_get_turn_work(mass, body, now, turned);
    double j = inertia->ratio_j, k = inertia->ratio_k; // over the middle one: one is at most 1
    double least = j < k ? j : k, most = j < k ? k : j;
    balance->before += 0.5 * (m * dvec3_dot(v0, v0) + inertia->moment * least * dvec3_dot(w0, w0));
    balance->after += 0.5 * (m * dvec3_dot(v1, v1) + inertia->moment * most * dvec3_dot(w1, w1));
    balance->way_work += m * dvec3_dot(a, way) + turned_on_way;
    balance->mean_work += 0.5 * dt * m * dvec3_dot(a, dvec3_add(v0, v1)) + turned;
    balance->mass += m;
    balance->weight += m * dvec3_length(a);
}

// Adds the kinetic energies themselves, for an island whose bounds do not decide.
static void balance_add_body(const tn_world *world, const tni_step *step, uint32_t i) {
    const tni_solver *solver = &step->solver;
    const tni_body_mass *mass = &solver->bodies.masses[i];
    const tni_body_motion *now = &solver->bodies.motions[i];
    const tni_body *body = tni_body_at(world, step->body_of[i]);
    tni_balance *balance = &step->balances[step->balance_of[i]];
    double m = body->mass;
    tni_dvec3 v0 = body->velocity, v1 = now->velocity;
    balance->before += 0.5 * m * dvec3_dot(v0, v0) +
                       inertia_get_energy(mass->inertia, body->rotation, body->angular_velocity);
    balance->after += 0.5 * m * dvec3_dot(v1, v1) +
                      inertia_get_energy(mass->inertia, now->rotation, now->angular_velocity);
    balance->momentum = dvec3_add_scaled(balance->momentum, m, v1);
}

// Returns the energy that an island may have after this work, without slack, J. If a joint is far
// open, motors pull at an error: they may only slow the island down.
static double balance_get_allowed(const tni_balance *balance, double work, bool is_open) {
    double motors = balance->motor_work + BALANCE_MOTOR_SHARE * fabs(balance->motor_work);
    work += is_open ? maths_min_d(motors, 0.0) : motors;
    return maths_max_d(balance->before + work, 0.0);
}

// Returns the slack of an island with this energy, J.
static double balance_get_slack(const tni_balance *balance, double energy) {
    double share = balance->is_swept ? BALANCE_SHARE : BALANCE_EXACT_SHARE;
    double height = balance->is_swept ? BALANCE_HEIGHT : BALANCE_EXACT_HEIGHT;
    double whole = energy + balance->elastic;
    double least = 0.5 * balance->mass * BALANCE_SPEED * BALANCE_SPEED;
    return balance->is_strained ? 0.0
                                : maths_max_d(share * whole + height * balance->weight, least);
}

// Returns whether the energies' bounds leave open that an island has too much. Nearly all have
// less.
static bool balance_is_close(const tni_balance *balance) {
    double allowed =
        balance_get_allowed(balance, maths_min_d(balance->way_work, balance->mean_work), true);
    double slack = balance_get_slack(balance, balance->before);
    bool is_followed = balance->is_strained || tni_balance_may_gain(balance);
    return !balance->is_fed && (is_followed || balance->after > allowed + slack);
}

// Returns the share of its velocities that an island keeps after this work: 1 if it may keep all.
static double balance_get_share(const tni_balance *balance, double work, bool is_open) {
    double allowed = balance_get_allowed(balance, work, is_open);
    double slack = balance_get_slack(balance, maths_max_d(balance->before, balance->after));
    if (balance->is_fed || !(balance->after > allowed + slack)) {
        return 1.0;
    }
    // Between one slack and two the remaining excess fades out, so that round-off decides nothing.
    allowed += maths_max_d(allowed + 2.0 * slack - balance->after, 0.0);
    double mean = balance_get_mean(balance), inner = balance->after - mean;
    bool is_some = inner > 0.0 && isfinite(inner);
    // The square root of this share would leave exactly the allowed energy, but round-off would
    // then decide if that is next to nothing.
    return is_some ? maths_max_d(allowed - mean, 0.0) / inner : 1.0;
}

static void balance_weigh(tni_balance *balance, double dt, uint32_t substeps) {
    balance->share = balance->open_share = balance->account.share = 1.0;
    if (!balance->is_close) {
        return;
    }
    bool has_account = tni_balance_has_account(balance);
    if (has_account && !balance->account.has_broken && !balance->has_spans) {
        tni_balance_charge(balance, dt, substeps);
    }
    balance->share =
        balance_get_share(balance, maths_max_d(balance->way_work, balance->mean_work), false);
    balance->open_share =
        balance_get_share(balance, maths_min_d(balance->way_work, balance->mean_work), true);
    if (balance->is_strained && !balance->is_fed) {
        double keep = 1.0 / (1.0 + BALANCE_STRAINED_RATE * dt);
        balance->share = maths_min_d(balance->share, keep);
        balance->open_share = maths_min_d(balance->open_share, keep);
    }
}

static bool balance_find_excess(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    uint32_t count = solver->joints.count + solver->joints.exact_count;
    bool any = false;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_joint_block *block = &solver->joints.blocks[i];
        tni_balance *balance = &step->balances[balance_get_root(step, block)];
        bool has_excess = balance->share < 1.0 || balance->open_share < 1.0;
        has_excess |= balance->account.share < 1.0;
        if (has_excess && tni_step_may_feed(tni_joint_at(world, block->world_joint),
                                            &solver->bodies.motions[block->body_a],
                                            &solver->bodies.motions[block->body_b])) {
            balance->share = balance->open_share = balance->account.share = 1.0;
            balance->is_fed = true;
        } else if (balance->open_share < 1.0 && balance_is_open(solver, block)) {
            balance->is_open = tni_joint_at(world, block->world_joint)->is_strained = true;
        }
    }
    for (uint32_t i = 1; i <= world->awake_bodies.count; ++i) {
        tni_balance *balance = &step->balances[i];
        if (balance_is_root(step, i)) {
            balance->share = balance->is_open ? balance->open_share : balance->share;
            balance->has_excess = balance->share < 1.0;
            balance->share = maths_min_d(balance->share, balance->account.share);
            any |= balance->share < 1.0;
        }
    }
    return any;
}

static void balance_slow_down(const tni_step *step, const tni_balance *balance, uint32_t i) {
    tni_body_motion *motion = &step->solver.bodies.motions[i];
    tni_dvec3 mean = dvec3_scale(balance->momentum, 1.0 / balance->mass);
    mean = balance->is_held ? dvec3_make(0.0, 0.0, 0.0) : mean;
    tni_dvec3 inner = dvec3_sub(motion->velocity, mean);
    motion->velocity = dvec3_add_scaled(mean, balance->share, inner);
    motion->angular_velocity = dvec3_scale(motion->angular_velocity, balance->share);
}

// Finds the islands whose kinetic energies must be computed. Returns whether there are any.
static bool balance_find_close(const tn_world *world, const tni_step *step, double dt) {
    uint32_t count = world->awake_bodies.count;
    for (uint32_t i = 1; i <= count; ++i) {
        if (step->is_watched[step->balance_of[i]] && step->solver.bodies.masses[i].is_dynamic) {
            balance_add_bounds(world, step, i, dt);
        }
    }
    bool any = false;
    for (uint32_t i = 1; i <= count; ++i) {
        tni_balance *balance = &step->balances[i];
        if (balance_is_root(step, i) && balance_is_close(balance)) {
            balance->before = balance->after = 0.0;
            any = balance->is_close = true;
        }
    }
    return any;
}

// Returns whether the world is to be balanced. A method that serves comparison may gain energy.
static bool balance_is_asked(const tn_world *world, const tni_solver *solver) {
    bool may_drift = tni_method_is_compared(world->def.research.integrator);
    return !may_drift && world->def.dynamics == TN_DYNAMICS_SECOND_ORDER &&
           solver->joints.count + solver->joints.exact_count > 0;
}

// Finds the islands that must slow down, and by how much. Returns whether there are any.
static bool balance_judge(tn_world *world, const tni_step *step, double dt) {
    const tni_solver *solver = &step->solver;
    uint32_t count = world->awake_bodies.count;
    if (!balance_find_close(world, step, dt)) {
        return false;
    }
    for (uint32_t i = 1; i <= count; ++i) {
        const tni_balance *balance = &step->balances[step->balance_of[i]];
        if (step->is_watched[step->balance_of[i]] && balance->is_close &&
            solver->bodies.masses[i].is_dynamic) {
            balance_add_body(world, step, i);
        }
    }
    tni_balance_add_springs(step);
    for (uint32_t i = 1; i <= count; ++i) {
        if (balance_is_root(step, i)) {
            balance_weigh(&step->balances[i], dt, solver->substeps);
        }
    }
    return balance_find_excess(world, step);
}

void tni_step_balance(tn_world *world, tni_step *step, double dt) {
    tni_solver *solver = &step->solver;
    uint32_t count = world->awake_bodies.count;
    if (!balance_is_asked(world, solver)) {
        return;
    }
    tni_balance_gather(world, step);
    bool is_any = balance_judge(world, step, dt);
    tni_balance_keep_accounts(world, step, dt);
    if (!is_any) {
        return;
    }
    for (uint32_t i = 1; i <= count; ++i) {
        const tni_balance *balance = &step->balances[step->balance_of[i]];
        if (step->is_watched[step->balance_of[i]] && solver->bodies.masses[i].is_dynamic &&
            balance->share < 1.0) {
            balance_slow_down(step, balance, i);
        }
    }
    for (uint32_t i = 1; i <= count && solver->ledger.measures_work; ++i) {
        const tni_balance *balance = &step->balances[i];
        if (balance_is_root(step, i) && balance->share < 1.0) {
            double inner = balance->after - balance_get_mean(balance);
            solver->ledger.work.joint += (balance->share * balance->share - 1.0) * inner;
        }
    }
    for (uint32_t i = 1; i <= count; ++i) {
        step->has_excess |= balance_is_root(step, i) && step->balances[i].has_excess;
    }
    world->change_count += 1; // velocities were set: see may_run_away in world/step/step.c
}

static void balance_scale_impulses(tni_joint *joint, double share) {
    for (uint32_t r = 0; r < TNI_JOINT_MAX_ROWS; ++r) {
        joint->impulses[r] *= (float)share;
    }
}

// Scales the impulses that ropes and functions of several bodies begin the next step with.
static void balance_scale_spans(const tni_step *step) {
    const tni_solver *solver = &step->solver;
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        tni_span *span = &solver->movers.spans[i];
        uint32_t root = tni_balance_get_span_root(step, span);
        const tni_balance *balance = root != 0 ? &step->balances[root] : NULL;
        if (balance == NULL || balance->is_fed) {
            continue;
        }
        double share = balance->has_excess ? balance->share : 1.0;
        share = balance->is_strained || balance->is_open ? 0.0 : share;
        for (uint32_t r = 0; span->rope != NULL && r < span->row_count; ++r) {
            span->rope->own->tensions[r] *= share;
        }
        for (uint32_t r = 0; span->rope == NULL && r < span->row_count; ++r) {
            span->rows[r].state.impulse *= (float)share;
        }
    }
}

void tni_step_balance_impulses(tn_world *world, const tni_step *step) {
    const tni_solver *solver = &step->solver;
    if (!step->has_excess && !step->has_strained) {
        return;
    }
    balance_scale_spans(step);
    tni_joint_plan_drop(world); // its values go into the records first
    for (uint32_t i = 0; i < solver->joints.count + solver->joints.exact_count; ++i) {
        const tni_balance *balance =
            &step->balances[balance_get_root(step, &solver->joints.blocks[i])];
        tni_joint *joint = tni_joint_at(world, solver->joints.blocks[i].world_joint);
        joint->starts_cold = balance->is_strained || balance->is_open;
        if (step->has_excess && balance->has_excess) {
            balance_scale_impulses(joint, balance->share);
        }
    }
}
