// solver/exact/mechanism_stage.c: a stage of a mechanism and its projection.
//
// The stage (midpoint.c), its projection (mechanism_project.c) and the leads of the next stage
// (mechanism_carry.c) follow each other; what fails is put back.
//
// Energy. The rows halfway are not those at the end, and where joints push hard and turn fast, as
// in a loop that passes a singular position, they do work. A stage that ends with more energy than
// what pushed it gave is taken for one that did not converge: shorter stages do less of it, by the
// square of their length. The energy that the pieces of a stage gain all the same, or a stage that
// converged slowly, or any stage of a taut net, is taken from the velocities.
//
// Dead points. A row that loops hold in its dead point has no lever: to close it by a micrometre
// bodies go by a millimetre, against weights and motors, and its force does that work from nothing.
// The mechanism owes what velocities cannot pay, and later losses settle that debt. A stage that
// would make it owe too much is taken once more with the errors that it began with left open (C_1 =
// C_0: for a row that is quadratic in the motion the midpoint rule does no work then), as are the
// stages after it in the same step. If that owes too much as well, the mechanism stays where it is
// for the stage. Test: tests/solver/exact/test_mechanism.c, tests/bench/test_machines.c
#include "solver/exact/mechanism_stage.h"

#include "solver/exact/mechanism_span.h"

// A stage that ends with this share of the kinetic energy too much is not accepted. Resolved motion
// is off by less, to and fro.
#define STAGE_GAIN 2e-3
// The round-off of a body's pose, and what its projection adds, go this far: m, and a share of the
// body's distance from the origin. Against the forces on the bodies this is work, and bodies at
// rest have no other energy.
#define STAGE_ROUND_WAY   1e-12
#define STAGE_ROUND_SHARE 1e-15

// A mechanism may owe what its weight does over this way, m, and the energy of half the square of a
// speed of 1e-4 m/s, which round-off leaves where there is no weight.
#define STAGE_DEBT  8e-6
#define STAGE_SPEED 1e-4

typedef struct stage_run {
    double h, energy;
    bool is_backward, projects;
    bool is_open; // it began with velocities that were not projected
    tni_newton newton;
    bool is_short;  // no motion could pay for what its joints gave
    bool is_again;  // it is taken once more for that
    bool has_stops; // the projection has put poses back to limits that bounce
} stage_run;

void tni_mechanism_scale_impulses(tni_mechanism *mechanism, double factor) {
    for (uint32_t i = 0; i < mechanism->joint_count && factor != 1.0; ++i) {
        for (uint32_t r = 0; r < mechanism->joints[i].all_count; ++r) {
            double *impulse = &mechanism->joints[i].impulse[r];
            *impulse = factor > 0.0 ? factor * *impulse : 0.0;
        }
    }
    tni_mechanism_spans_scale_impulses(mechanism, factor);
}

// Returns the mass, kg, of a mechanism that nothing holds; else 0.
static double stage_get_free_mass(const tni_mechanism *mechanism) {
    double mass = 0.0;
    bool is_held = mechanism->body_count > mechanism->moving_count;
    for (uint32_t i = 0; i < mechanism->moving_count && !is_held; ++i) {
        mass += mechanism->bodies[i].mass;
        is_held = mechanism->bodies[i].locks != 0;
    }
    return is_held ? 0.0 : mass;
}

// Returns the same, but 0 with spans too: a function may hold bodies at a place, without an end
// there.
static double stage_get_loose_mass(const tni_mechanism *mechanism) {
    return mechanism->spans.count > 0 ? 0.0 : stage_get_free_mass(mechanism);
}

// Returns the velocity of the common centre of mass, which nothing within a mechanism changes; zero
// where something holds it. Adds the energy of that motion to `out_energy`.
static tni_dvec3 stage_get_drift(const tni_mechanism *mechanism, double *out_energy) {
    tni_dvec3 momentum = dvec3_make(0.0, 0.0, 0.0);
    double inverse = maths_inverse_or_zero_d(stage_get_free_mass(mechanism));
    for (uint32_t i = 0; i < mechanism->moving_count && inverse > 0.0; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        momentum = dvec3_add_scaled(momentum, body->mass, body->motion.velocity);
    }
    *out_energy = 0.5 * inverse * dvec3_dot(momentum, momentum);
    return dvec3_scale(momentum, inverse);
}

void tni_mechanism_slow_down(tni_mechanism *mechanism, double share) {
    double energy;
    tni_dvec3 drift = stage_get_drift(mechanism, &energy);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        tni_dvec3 inner = dvec3_sub(motion->velocity, drift);
        motion->velocity = dvec3_add_scaled(drift, share, inner);
        motion->angular_velocity = dvec3_scale(motion->angular_velocity, share);
    }
}

void tni_mechanism_fall_on(tni_mechanism *mechanism, double h) {
    double energy, mass = stage_get_loose_mass(mechanism);
    tni_dvec3 drift = stage_get_drift(mechanism, &energy), pull = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < mechanism->moving_count && mass > 0.0; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        pull = dvec3_add_scaled(pull, body->mass / mass, body->acceleration);
    }
    tni_dvec3 way = dvec3_add_scaled(dvec3_scale(drift, h), 0.5 * h * h, pull);
    for (uint32_t i = 0; i < mechanism->moving_count && mass > 0.0; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        motion->position = dvec3_add(motion->position, way);
        motion->velocity = dvec3_add_scaled(motion->velocity, h, pull);
    }
}

// Takes from the velocities the energy in `now` that is beyond `allowed`.
static void stage_take_energy(tni_mechanism *mechanism, double allowed, double now) {
    double drift;
    stage_get_drift(mechanism, &drift);
    double left = allowed - drift, inner = now - drift;
    tni_mechanism_slow_down(mechanism, left > 0.0 && inner > left ? sqrt(left / inner) : 0.0);
}

// ---- what a stage that fails is put back to -----------------------------------------------------

static void stage_keep(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].before = mechanism->bodies[i].motion;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        joint->sums_before = joint->sums;
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            joint->actors[r].sums_before = joint->actors[r].sums;
        }
    }
    tni_mechanism_spans_keep_stage(mechanism);
}

static void stage_put_back(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].before;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        joint->sums = joint->sums_before;
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            joint->actors[r].sums = joint->actors[r].sums_before;
        }
    }
    tni_mechanism_spans_put_stage_back(mechanism);
    tni_mechanism_scale_impulses(mechanism, 0.0);
    tni_mechanism_expect(mechanism, 0.0);
}

// Gives a free mechanism back the momentum of the forces on it, which is all that it can have.
// Joints that hardly hold one another, as at a singular position, push with far more than the loads
// ask for, and their round-off would be momentum from nothing.
static void stage_keep_drift(tni_mechanism *mechanism, double h) {
    tni_dvec3 missing = dvec3_make(0.0, 0.0, 0.0);
    double mass = stage_get_loose_mass(mechanism);
    for (uint32_t i = 0; i < mechanism->moving_count && mass > 0.0; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 due = dvec3_add_scaled(body->before.velocity, h, body->acceleration);
        missing = dvec3_add_scaled(missing, body->mass, dvec3_sub(due, body->motion.velocity));
    }
    tni_dvec3 change = dvec3_scale(missing, maths_inverse_or_zero_d(mass));
    for (uint32_t i = 0; i < mechanism->moving_count && mass > 0.0; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        motion->velocity = dvec3_add(motion->velocity, change);
    }
}

// ---- energy of taut nets -----------------------------------------------------------------------

// Do its joints do work, because time or what it hangs on moves them?
static bool stage_is_led(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (tni_joint_has_rates(mechanism->joints[i].joint)) {
            return true;
        }
    }
    for (uint32_t i = mechanism->moving_count; i < mechanism->body_count; ++i) {
        tni_dvec3 v = mechanism->bodies[i].motion.velocity;
        tni_dvec3 w = mechanism->bodies[i].motion.angular_velocity;
        if (dvec3_dot(v, v) + dvec3_dot(w, w) > 0.0) {
            return true;
        }
    }
    return tni_mechanism_spans_have_rates(mechanism);
}

bool tni_mechanism_is_passive(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (mechanism->joints[i].row_count > mechanism->joints[i].equality_count) {
            return false;
        }
    }
    return !stage_is_led(mechanism) && !tni_mechanism_spans_have_limits(mechanism);
}

// Returns the work, J, of actors in the stage just done.
static double stage_get_actors_work(const tni_mechanism *mechanism) {
    double work = 0.0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            work += joint->actors[r].sums.work - joint->actors[r].sums_before.work;
        }
    }
    return work;
}

// Returns the work, J, of the forces on the bodies in the stage just done.
static double stage_get_work(const tni_mechanism *mechanism, double h) {
    double work = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 way = dvec3_sub(body->motion.position, body->before.position);
        tni_dvec3 w = dvec3_add(body->before.angular_velocity, body->motion.angular_velocity);
        work += body->mass * dvec3_dot(body->acceleration, way);
        work += 0.5 * h * dvec3_dot(body->torque, w);
    }
    return work;
}

// Returns the energy with the momenta that the stage begins with.
static double stage_get_first_energy(const tni_mechanism *mechanism) {
    double energy = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 v = body->motion.velocity;
        energy += 0.5 * (body->mass * dvec3_dot(v, v) +
                         dvec3_dot(body->motion.angular_velocity, body->momentum));
    }
    return energy;
}

// Returns the energy with the inertia of the projection.
static double stage_get_last_energy(const tni_mechanism *mechanism) {
    double energy = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 v = body->motion.velocity, w = body->motion.angular_velocity;
        energy += 0.5 * (body->mass * dvec3_dot(v, v) +
                         dvec3_dot(w, dmat3_mul_vec(&body->block.inertia, w)));
    }
    return energy;
}

// Returns how well the work is known, J, by the round-off of poses.
static double stage_get_work_error(const tni_mechanism *mechanism) {
    double error = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 x = body->motion.position, a = body->acceleration;
        double way = STAGE_ROUND_WAY + STAGE_ROUND_SHARE * sqrt(dvec3_dot(x, x));
        error += body->mass * sqrt(dvec3_dot(a, a)) * way;
    }
    return error;
}

// Returns the error, m or rad, of the joint that was open farthest when the stage began.
static double stage_get_first_error(const tni_mechanism *mechanism) {
    double worst = 0.0, errors[TNI_JOINT_MAX_EQUALITY_ROWS];
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        tni_joint_measure_exact(joint->joint, &mechanism->bodies[joint->a].before,
                                &mechanism->bodies[joint->b].before, errors);
        for (uint32_t r = 0; r < joint->equality_count; ++r) {
            worst = maths_max_d(worst, fabs(errors[r] - joint->rest[r]));
        }
    }
    return worst;
}

// Returns the most, J, that a mechanism may owe.
double tni_mechanism_get_most_debt(const tni_mechanism *mechanism) {
    double most = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_dvec3 a = mechanism->bodies[i].acceleration;
        most += mechanism->bodies[i].mass *
                (STAGE_DEBT * sqrt(dvec3_dot(a, a)) + 0.5 * STAGE_SPEED * STAGE_SPEED);
    }
    return most;
}

// Returns whether a mechanism would owe too much after a stage that was to leave it `allowed`, J.
static bool stage_is_beyond(const tni_mechanism *mechanism, double allowed) {
    double drift;
    stage_get_drift(mechanism, &drift);
    return allowed - mechanism->stage.debt + tni_mechanism_get_most_debt(mechanism) < drift;
}

// Returns whether a stage is to be taken once more, with its joints as far open as they were. Only
// loops hold a joint in a dead point. Joints that contradict each other have rests of their own.
static bool stage_asks_to_rest(const tni_mechanism *mechanism, const stage_run *stage,
                               double allowed) {
    bool may_rest = !stage->is_again && tni_mechanism_has_loops(mechanism) &&
                    (mechanism->stage.is_resting || !mechanism->traits.is_contradictory);
    return may_rest && stage_is_beyond(mechanism, allowed) &&
           stage_get_first_error(mechanism) <= TNI_MECHANISM_RESTS;
}

// Has a mechanism stay for h where it was before a stage that no motion could pay for, and come to
// rest there. What its motors did in that stage is not done.
static void stage_stay(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].before;
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            joint->actors[r].sums = joint->actors[r].sums_before;
        }
    }
    tni_mechanism_expect(mechanism, 0.0);
    tni_mechanism_slow_down(mechanism, 0.0);
    tni_mechanism_fall_on(mechanism, h);
}

// Adds what the joints have given, J, to what the mechanism owes. What they take pays for what they
// give in the same step: bodies sink to and fro where a joint hardly holds them.
static void stage_owe(tni_mechanism *mechanism, double given) {
    double most = tni_mechanism_get_most_debt(mechanism);
    mechanism->stage.debt = maths_min_d(mechanism->stage.debt + given, most);
}

// Takes from the velocities what they have beyond `allowed`, J. Returns false where they cannot
// pay, and the stage is to be taken once more.
static bool stage_pay(tni_mechanism *mechanism, stage_run *stage, double allowed, double now) {
    double drift;
    stage->is_short = stage_asks_to_rest(mechanism, stage, allowed);
    if (stage->is_short) {
        return false;
    }
    if (stage->is_again && stage_is_beyond(mechanism, allowed)) {
        stage_stay(mechanism, stage->h);
        return true;
    }
    stage_get_drift(mechanism, &drift);
    stage_take_energy(mechanism, allowed, now);
    stage_owe(mechanism, maths_max_d(drift - allowed, 0.0));
    return true;
}

// Makes a stage of a taut net end with no more energy than it began with and the work.
static bool stage_hold_energy(tni_mechanism *mechanism, stage_run *stage) {
    double allowed = stage->energy + stage_get_work(mechanism, stage->h);
    double now = tni_mechanism_get_energy(mechanism);
    allowed += stage_get_actors_work(mechanism);
    if (stage_is_led(mechanism)) {
        return true;
    }
    if (!(now > allowed)) {
        stage_owe(mechanism, now - allowed);
        return true;
    }
    return stage_pay(mechanism, stage, allowed, now);
}

// Returns false where a stage that was just projected has gained energy, and shorter ones may do
// better.
static bool stage_keeps_energy(tni_mechanism *mechanism, stage_run *stage) {
    double now = stage_get_last_energy(mechanism);
    double allowed = stage->energy + stage_get_work(mechanism, stage->h);
    double most = now > stage->energy ? now : stage->energy;
    bool is_doubtful = mechanism->stage.is_piece || stage->newton.has_kept;
    double slack = is_doubtful ? 0.0 : STAGE_GAIN * most;
    if (!(now > allowed + slack) || mechanism->spans.count > 0) {
        double given = now - allowed - stage_get_actors_work(mechanism);
        stage_owe(mechanism, maths_min_d(given, 0.0));
        return true;
    }
    now = tni_mechanism_get_energy(mechanism); // the projection's inertia may be of parts
    allowed += stage_get_actors_work(mechanism) + stage_get_work_error(mechanism);
    if (!(now > allowed + slack) || stage_is_led(mechanism)) {
        return true;
    }
    bool gains = now > allowed + STAGE_GAIN * most;
    if (!mechanism->stage.is_smallest_piece && gains &&
        !stage_asks_to_rest(mechanism, stage, allowed)) {
        return false;
    }
    return stage_pay(mechanism, stage, allowed, now);
}

// ---- the parts ---------------------------------------------------------------------------------

static void stage_begin(tni_mechanism *mechanism, stage_run *stage) {
    bool is_precise = tni_mechanism_is_precise(mechanism);
    stage->is_open = mechanism->stage.is_open;
    mechanism->stage.length = stage->h;
    stage->newton.closes = is_precise && !stage->projects;
    stage_keep(mechanism);
    tni_mechanism_expect(mechanism, stage->h);
    mechanism->matrix.is_factored = false;
    stage->energy = mechanism->stage.taut_stages > 0 ? tni_mechanism_get_energy(mechanism) : 0.0;
    tni_mechanism_give_lead(mechanism, stage->h,
                            is_precise && (!stage->projects || stage->is_open));
}

static bool stage_run_newton(tni_mechanism *mechanism, stage_run *stage) {
    tni_midpoint_begin(mechanism, stage->h, stage->is_backward, &stage->newton);
    if (mechanism->stage.taut_stages == 0) {
        stage->energy = stage_get_first_energy(mechanism);
    }
    return tni_midpoint_converge(mechanism, &stage->newton);
}

static bool stage_run_projection(tni_mechanism *mechanism, stage_run *stage) {
    mechanism->stage.is_open = !stage->projects && tni_actors_hold_speeds(mechanism);
    bool is_done =
        mechanism->stage.is_open || tni_mechanism_project(mechanism, stage->h, &stage->has_stops);
    mechanism->report.unclosed += is_done ? 0 : 1;
    return is_done;
}

static void stage_find_lead(tni_mechanism *mechanism, const stage_run *stage) {
    double most;
    if (stage->is_backward || !tni_mechanism_is_precise(mechanism)) {
        return;
    }
    tni_mechanism_leave_rises(mechanism, stage->h);
    bool is_closed = !stage->is_open && !mechanism->stage.is_open && !stage->has_stops;
    if (is_closed && tni_mechanism_ask_for_lead(mechanism, &most)) {
        tni_mechanism_solve(mechanism, true);
        tni_mechanism_take_lead(mechanism, stage->h, most);
    }
}

static bool stage_finish(tni_mechanism *mechanism, stage_run *stage) {
    if (mechanism->stage.taut_stages > 0 || mechanism->stage.is_piece || stage->newton.has_kept) {
        stage_keep_drift(mechanism, stage->h);
    }
    if (mechanism->stage.taut_stages > 0) {
        if (!stage_hold_energy(mechanism, stage)) {
            return false;
        }
    } else if (stage->projects && !stage->is_open && !stage_keeps_energy(mechanism, stage)) {
        return false;
    }
    tni_mechanism_remember(mechanism);
    return true;
}

static bool stage_try(tni_mechanism *mechanism, stage_run *stage) {
    stage_begin(mechanism, stage);
    bool is_done = stage_run_newton(mechanism, stage) && stage_run_projection(mechanism, stage);
    if (is_done) {
        stage_find_lead(mechanism, stage);
        is_done = stage_finish(mechanism, stage);
    }
    if (!is_done) {
        stage_put_back(mechanism);
    }
    return is_done;
}

bool tni_stage_run(tni_mechanism *mechanism, double h, bool is_backward, bool projects) {
    stage_run first = {.h = h, .is_backward = is_backward, .projects = projects};
    bool is_done = stage_try(mechanism, &first);
    if (!first.is_short) {
        return is_done;
    }
    stage_run again = {.h = h, .is_backward = is_backward, .projects = projects, .is_again = true};
    tni_mechanism_note_rests(mechanism);
    mechanism->stage.is_resting = true;
    is_done = stage_try(mechanism, &again);
    if (!is_done) {
        again.newton = (tni_newton){0};
        tni_mechanism_clear_rests(mechanism);
        is_done = stage_try(mechanism, &again);
    }
    return is_done;
}
