// solver/mechanism.c: a mechanism's substep, and what happens when a stage does not converge.
//
// A stage whose Newton iteration does not converge is never accepted: it is taken again as two
// halves, starting from no impulse, down to an eighth of the substep. There the backward Euler
// stage comes to its help. If that fails too, what contacts push with is let go, to be found again
// after the stage; and then the velocities are scaled down, which keeps J v = 0 where the rows do
// not move by themselves, and it is tried once more. While a body turns by more than
// MECHANISM_MAX_TURN in a stage, the substep is cut into more of them to begin with: the stage and
// its projection lose energy of the fourth order of the turn. Most of it goes in the projection:
// each takes the d by which the velocities have come to miss the rows. A stage that begins with d
// ends with -d and what it adds itself, so that in stages that follow each other most of it goes
// out again, and where nothing disturbs it a mechanism is projected after the last one only. Where
// joints and motors prescribe all motion, as in an engine that is driven, there is none to lose,
// and the path is closed by the rows in any case: MECHANISM_MAX_TURN_PRESCRIBED.
//
// Taut nets: in a curtain hung by its corners the top row is straight and as long as its span. It
// gives way in no first order and takes a load across only by a force without end, which E makes
// finite; its rows nearly depend on each other. A mechanism with loops that fails in its smallest
// stage is taken for such a net for a while: its projection is softer (mechanism_project.c),
// Newton's method gets more time (midpoint.c), backward Euler comes before the halves, and what a
// stage gains in energy is taken from the velocities.
// Test: tests/solver/test_mechanism.c, tests/world/test_mechanism_nets.c
#include "solver/mechanism.h"

// rad in one stage, and into how many stages a substep is cut for it at most.
#define MECHANISM_MAX_TURN            0.1
#define MECHANISM_MAX_TURN_GLIDING    0.12
#define MECHANISM_MAX_TURN_PRESCRIBED 0.4
#define MECHANISM_MAX_CUTS            4
// The smallest piece of a stage is this part of it.
#define MECHANISM_TICKS 8
// Of the velocities when nothing else helps, and how often.
#define MECHANISM_RETREAT      0.7
#define MECHANISM_MAX_RETREATS 8
// For how many stages a mechanism is then taken for a taut net.
#define MECHANISM_TAUT_STAGES 256

static void mechanism_scale_impulses(tni_mechanism *mechanism, double factor) {
    for (uint32_t i = 0; i < mechanism->joint_count && factor != 1.0; ++i) {
        for (uint32_t r = 0; r < mechanism->joints[i].all_count; ++r) {
            mechanism->joints[i].impulse[r] *= factor;
        }
    }
}

static void mechanism_slow_down(tni_mechanism *mechanism, double share) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        motion->velocity = dvec3_scale(motion->velocity, share);
        motion->angular_velocity = dvec3_scale(motion->angular_velocity, share);
    }
}

static void mechanism_let_go(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->acceleration = dvec3_sub(body->acceleration, body->fed.linear);
        body->torque = dvec3_sub(body->torque, body->fed.angular);
        body->fed.linear = body->fed.angular = dvec3_make(0.0, 0.0, 0.0);
        body->fed_friction = body->fed;
    }
    mechanism->is_fed = false;
    mechanism->has_let_go = true;
}

// What a stage that fails is put back to.
static void mechanism_keep(tni_mechanism *mechanism) {
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
}

static void mechanism_put_back(tni_mechanism *mechanism) {
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
    mechanism_scale_impulses(mechanism, 0.0);
}

// Nothing but its joints and the forces on its bodies moves it.
static bool mechanism_is_passive(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (mechanism->joints[i].row_count > mechanism->joints[i].equality_count) {
            return false;
        }
    }
    for (uint32_t i = mechanism->moving_count; i < mechanism->body_count; ++i) {
        tni_dvec3 v = mechanism->bodies[i].motion.velocity;
        tni_dvec3 w = mechanism->bodies[i].motion.angular_velocity;
        if (dvec3_dot(v, v) + dvec3_dot(w, w) > 0.0) {
            return false;
        }
    }
    return true;
}

// J, of the forces on the bodies in the stage just done.
static double mechanism_get_work(const tni_mechanism *mechanism, double h) {
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

// A stage of a taut net that began with `energy` ends with no more than that and the work.
static void mechanism_hold_energy(tni_mechanism *mechanism, double energy, double h) {
    double allowed = energy + mechanism_get_work(mechanism, h);
    double now = tni_mechanism_get_energy(mechanism);
    if (now > allowed && mechanism_is_passive(mechanism)) {
        mechanism_slow_down(mechanism, allowed > 0.0 ? sqrt(allowed / now) : 0.0);
    }
}

// One stage, with its projection or without; all or nothing.
static bool mechanism_try(tni_mechanism *mechanism, double h, bool is_backward, bool projects) {
    mechanism_keep(mechanism);
    mechanism->is_factored = false;
    double energy = mechanism->taut_stages > 0 ? tni_mechanism_get_energy(mechanism) : 0.0;
    tni_mechanism_give_lead(mechanism, h);
    bool is_done =
        is_backward ? tni_midpoint_stage_backward(mechanism, h) : tni_midpoint_stage(mechanism, h);
    if (is_done && (!projects || tni_mechanism_project(mechanism, h))) {
        if (!is_backward && tni_mechanism_is_precise(mechanism)) {
            tni_mechanism_make_lead(mechanism, h);
        }
        if (mechanism->taut_stages > 0) {
            mechanism_hold_energy(mechanism, energy, h);
        }
        return true;
    }
    mechanism->report.unclosed += is_done ? 1 : 0;
    mechanism_put_back(mechanism);
    return false;
}

// A piece by the midpoint rule, or else, where there is nothing better, by backward Euler.
static bool mechanism_try_both(tni_mechanism *mechanism, double h, bool is_smallest,
                               bool projects) {
    if (mechanism_try(mechanism, h, false, projects)) {
        return true;
    }
    if (mechanism->taut_stages == 0) {
        if (!is_smallest) {
            return false;
        }
        if (tni_mechanism_has_loops(mechanism)) {
            mechanism->taut_stages = MECHANISM_TAUT_STAGES;
            if (mechanism_try(mechanism, h, false, true)) {
                return true;
            }
        }
    }
    bool is_done = mechanism_try(mechanism, h, true, true);
    mechanism->report.backward += is_done ? 1 : 0;
    return is_done;
}

// A stage of h in pieces of halves of halves where it has to be; a piece is projected always.
static void mechanism_advance(tni_mechanism *mechanism, double h, bool projects) {
    double tick = h / MECHANISM_TICKS;
    uint32_t done = 0, piece = MECHANISM_TICKS, retreats = 0;
    while (done < MECHANISM_TICKS) {
        bool is_done = mechanism_try_both(mechanism, piece * tick, piece == 1,
                                          projects || piece < MECHANISM_TICKS);
        if (is_done) {
            done += piece;
            mechanism->taut_stages -= mechanism->taut_stages > 0 ? 1 : 0;
            while (piece < MECHANISM_TICKS && done % (2 * piece) == 0) {
                piece *= 2;
                mechanism_scale_impulses(mechanism, 2.0);
            }
        } else if (piece > 1) {
            piece /= 2;
            mechanism->report.splits += 1;
        } else if (mechanism->is_fed) {
            mechanism_let_go(mechanism);
        } else if (retreats < MECHANISM_MAX_RETREATS) {
            mechanism_slow_down(mechanism, MECHANISM_RETREAT);
            mechanism->report.failures += 1;
            retreats += 1;
        } else {
            break; // stays where it is until the next substep
        }
    }
    // What is left of a piece's impulses to those of a whole stage.
    mechanism_scale_impulses(mechanism, (double)MECHANISM_TICKS / piece);
}

static double mechanism_greatest_turn(const tni_mechanism *mechanism) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_dvec3 w = mechanism->bodies[i].motion.angular_velocity;
        double square = dvec3_dot(w, w);
        greatest = square > greatest ? square : greatest;
    }
    return sqrt(greatest);
}

static uint32_t mechanism_count_freedoms(const tni_mechanism *mechanism) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        count += tni_count_freedoms(mechanism->bodies[i].locks);
    }
    return count;
}

// Equalities, and what holds a speed and is not at its cap.
static uint32_t mechanism_count_firm_rows(const tni_mechanism *mechanism) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        count += joint->equality_count;
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            count += actor->kind == TNI_ACTOR_SPEED && !actor->is_out ? 1 : 0;
        }
    }
    return count;
}

// Do joints and motors leave it no motion of its own? By the factor of the last projection, which
// may miss some dependent rows, and what was found after the last step.
static bool mechanism_is_prescribed(const tni_mechanism *mechanism) {
    uint32_t likely = mechanism->dependent_rows, found = mechanism->found_rows;
    return mechanism_count_firm_rows(mechanism) >=
           mechanism_count_freedoms(mechanism) + (likely > found ? likely : found);
}

// Does it go through the cuts of a substep without projections between them? Not where limits are
// met in these, where joints move by themselves, or where leads follow them.
static bool mechanism_glides(const tni_mechanism *mechanism) {
    return tni_mechanism_is_smooth(mechanism) && !tni_mechanism_is_precise(mechanism) &&
           mechanism_is_passive(mechanism);
}

static uint32_t mechanism_get_cuts(const tni_mechanism *mechanism, double h, bool glides) {
    uint32_t cuts = 1;
    double turn = h * mechanism_greatest_turn(mechanism);
    double most = mechanism->is_prescribed ? MECHANISM_MAX_TURN_PRESCRIBED
                  : glides                 ? MECHANISM_MAX_TURN_GLIDING
                                           : MECHANISM_MAX_TURN;
    while (cuts < MECHANISM_MAX_CUTS && turn > most * cuts) {
        cuts *= 2;
    }
    return cuts;
}

void tni_mechanism_step(tni_mechanism *mechanism, double h) {
    bool glides = mechanism_glides(mechanism);
    uint32_t cuts = mechanism_get_cuts(mechanism, h, glides);
    mechanism_scale_impulses(mechanism, 1.0 / cuts);
    for (uint32_t i = 0; i < cuts; ++i) {
        mechanism_advance(mechanism, h / cuts, !glides || i + 1 == cuts);
    }
    mechanism_scale_impulses(mechanism, cuts);
    mechanism->is_prescribed = mechanism_is_prescribed(mechanism);
}
