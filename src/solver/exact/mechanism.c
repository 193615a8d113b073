// solver/exact/mechanism.c: a mechanism's substep, and what happens when a stage does not converge.
//
// A stage whose Newton iteration does not converge is never accepted: it is taken again as two
// halves, starting from no impulse, down to an eighth of the substep. There the backward Euler
// stage is tried. If that fails too, the impulses of contacts are left out, and are found again
// after the stage; then the velocities are scaled down, which keeps J v = 0 where the rows do not
// move by themselves, and the stage is tried once more. Nothing within a mechanism changes the
// velocity of its centre of mass: where nothing holds the mechanism, only velocities relative to
// that centre are scaled. While a body turns by more than MECHANISM_MAX_TURN in a stage, the
// substep is cut into more of them to begin with: the stage and its projection lose energy of the
// fourth order of the turn. Some substeps are also cut after one whose whole stage did not
// converge: halves that begin with impulses cost less than a stage that fails and halves that begin
// without. The projection loses most of the energy: it takes away the d by which the velocities
// have come to miss the rows. A stage that begins with d ends with -d and its own addition, so that
// most of d cancels in stages that follow each other, and where nothing disturbs it a mechanism is
// projected after the last one only. When joints and motors prescribe all motion, as in an engine
// that is driven, there is no energy to lose, and the path is closed by the rows in any case:
// MECHANISM_MAX_TURN_PRESCRIBED.
//
// Before velocities are scaled, limits are left to the projection: it moves poses and velocities by
// the rows of where the stage ends, so that it finds an answer where an iteration finds none, since
// the row of a limit turns fast (a twist whose axis is nearly reversed) or several depend on each
// other. Where limits and joints contradict each other there, it is the limit that yields.
//
// With the velocities, limits that the failed stages have met, and that are far from their ends,
// are forgotten. A stage ends at a limit that takes part from its start, however far it is and
// however short the stage: a motor that passes its range in a stage would fail for ever.
//
// A prescribed mechanism that nothing disturbs is led: its velocities halfway are those that the
// rows say, whatever the stage began with, and what d does to the joints' impulses in one stage it
// takes back in the next. So where motors are far from their caps, and there are no limits, it is
// projected at the end of the step, and in its stages the rows are closed once more, by the factor
// that is at hand: what one of them left open would be up to 15 times as much in the guess of the
// next (solver/exact/midpoint.c).
//
// Taut nets: in a curtain hung by its corners the top row is straight and as long as its span. The
// row does not yield to first order and bears a load across it only by an infinite force, which E
// makes finite; its equalities nearly depend on each other. A mechanism with loops that fails in
// its smallest stage is taken for a taut net for a while: its projection is softer
// (mechanism_project.c), Newton's method gets more time (midpoint.c), backward Euler comes before
// the halves, and the energy that a stage gains is taken from the velocities.
// Test: tests/solver/exact/test_mechanism.c, tests/world/mechanisms/test_mechanism_nets.c
#include "solver/exact/mechanism_stage.h"

// A body turns by no more rad than this in one stage; for that a substep is cut into MAX_CUTS
// stages at most.
#define MECHANISM_MAX_TURN            0.1
#define MECHANISM_MAX_TURN_GLIDING    0.12
#define MECHANISM_MAX_TURN_PRESCRIBED 0.4
#define MECHANISM_MAX_CUTS            4
// The smallest piece of a stage is this part of it.
#define MECHANISM_TICKS 8
// When nothing else helps, this share of the velocities is kept, up to MAX_RETREATS times.
#define MECHANISM_RETREAT      0.7
#define MECHANISM_MAX_RETREATS 8
// A substep whose whole stage did not converge makes the next ones be cut for this many substeps.
#define MECHANISM_HARD_SUBSTEPS 32
// A mechanism that fails in its smallest stage is taken for a taut net for this many stages.
#define MECHANISM_TAUT_STAGES 256

static void mechanism_let_go(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->acceleration = dvec3_sub(body->acceleration, body->fed.linear);
        body->torque = dvec3_sub(body->torque, body->fed.angular);
        body->fed.linear = body->fed.angular = dvec3_make(0.0, 0.0, 0.0);
        body->fed_friction = body->fed;
    }
    mechanism->stage.is_fed = false;
    mechanism->stage.has_let_go = true;
}

// Takes a piece that the midpoint rule has failed in by backward Euler, where there is nothing
// better. Returns true if the piece is done.
static bool mechanism_try_backward(tni_mechanism *mechanism, double h, bool is_smallest) {
    if (mechanism->stage.taut_stages == 0) {
        if (!is_smallest) {
            return false;
        }
        if (tni_mechanism_has_loops(mechanism)) {
            mechanism->stage.taut_stages = MECHANISM_TAUT_STAGES;
            if (tni_stage_run(mechanism, h, false, true)) {
                return true;
            }
        }
    }
    bool is_done = tni_stage_run(mechanism, h, true, true);
    mechanism->report.backward += is_done ? 1 : 0;
    return is_done;
}

static void mechanism_count_stage(tni_mechanism *mechanism) {
    mechanism->stage.taut_stages -= mechanism->stage.taut_stages > 0 ? 1 : 0;
}

static bool mechanism_has_limits(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (mechanism->joints[i].has_limits) {
            return true;
        }
    }
    return false;
}

// Takes a stage of h in which the midpoint rule has failed, in pieces that are halved as often as
// it needs; a piece is always projected.
static void mechanism_advance(tni_mechanism *mechanism, double h, bool projects) {
    double tick = h / MECHANISM_TICKS;
    uint32_t done = 0, piece = MECHANISM_TICKS, retreats = 0;
    bool has_failed = true;
    mechanism->matrix.has_factor = false;
    while (done < MECHANISM_TICKS) {
        mechanism->stage.is_piece = piece < MECHANISM_TICKS;
        mechanism->stage.is_smallest_piece = piece == 1;
        bool is_done = !has_failed && tni_stage_run(mechanism, piece * tick, false,
                                                    projects || piece < MECHANISM_TICKS);
        is_done = is_done || mechanism_try_backward(mechanism, piece * tick, piece == 1);
        has_failed = false;
        bool has_left = mechanism->stage.leaves_limits;
        mechanism->stage.leaves_limits = false;
        if (is_done) {
            done += piece;
            mechanism_count_stage(mechanism);
            while (piece < MECHANISM_TICKS && done % (2 * piece) == 0) {
                piece *= 2;
                tni_mechanism_scale_impulses(mechanism, 2.0);
            }
        } else if (piece > 1) {
            piece /= 2;
            mechanism->report.splits += 1;
        } else if (mechanism->stage.is_fed) {
            mechanism_let_go(mechanism);
        } else if (!has_left && mechanism_has_limits(mechanism)) {
            mechanism->stage.leaves_limits = true;
        } else if (retreats < MECHANISM_MAX_RETREATS) {
            tni_mechanism_slow_down(mechanism, MECHANISM_RETREAT);
            tni_actors_leave_far_limits(mechanism);
            mechanism->report.failures += 1;
            retreats += 1;
        } else {
            mechanism->report.jams += 1;
            tni_mechanism_fall_on(mechanism, (MECHANISM_TICKS - done) * tick);
            break;
        }
    }
    mechanism->matrix.has_factor = mechanism->stage.is_piece = mechanism->stage.is_smallest_piece =
        false;
    // Scales the impulses of a piece to those of a whole stage.
    tni_mechanism_scale_impulses(mechanism, (double)MECHANISM_TICKS / piece);
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

// Counts the equalities, and the actors that hold a speed and are not at their cap.
static uint32_t mechanism_count_firm_rows(const tni_mechanism *mechanism) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        if (joint->is_broken) {
            continue;
        }
        count += joint->equality_count;
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            count += actor->kind == TNI_ACTOR_SPEED && !actor->is_out ? 1 : 0;
        }
    }
    return count;
}

// Do joints and motors leave it no motion of its own? Judges by the dependent rows that the factor
// of the last projection saw, which may miss some, and by those that were found after the last
// step.
static bool mechanism_is_prescribed(const tni_mechanism *mechanism) {
    uint32_t likely = mechanism->matrix.dependent_rows, found = mechanism->matrix.found_rows;
    return mechanism_count_firm_rows(mechanism) >=
           mechanism_count_freedoms(mechanism) + (likely > found ? likely : found);
}

// Does it go through the cuts of a substep without projections between them? It does not where
// projections meet limits, where joints move by themselves, or where leads follow the projections.
static bool mechanism_glides(const tni_mechanism *mechanism) {
    return tni_mechanism_is_smooth(mechanism) && !tni_mechanism_is_precise(mechanism) &&
           tni_mechanism_is_passive(mechanism);
}

// Do joints and motors lead it through the substep, with nothing else that could hold it?
static bool mechanism_is_led(const tni_mechanism *mechanism, double half) {
    return mechanism->traits.is_prescribed && tni_mechanism_is_smooth(mechanism) &&
           tni_mechanism_is_precise(mechanism) && tni_actors_hold_easily(mechanism, half);
}

static uint32_t mechanism_get_cuts(const tni_mechanism *mechanism, double h, bool glides) {
    bool is_hard = mechanism->stage.hard_substeps > 0 && tni_mechanism_is_smooth(mechanism);
    uint32_t cuts = is_hard ? 2 : 1;
    double turn = h * mechanism_greatest_turn(mechanism);
    double most = mechanism->traits.is_prescribed ? MECHANISM_MAX_TURN_PRESCRIBED
                  : glides                        ? MECHANISM_MAX_TURN_GLIDING
                                                  : MECHANISM_MAX_TURN;
    while (cuts < MECHANISM_MAX_CUTS && turn > most * cuts) {
        cuts *= 2;
    }
    return cuts;
}

void tni_mechanism_step(tni_mechanism *mechanism, double h) {
    mechanism->past.followers -= mechanism->past.followers > 0 ? 1 : 0;
    bool is_led = mechanism_is_led(mechanism, 0.5 * h);
    bool glides = is_led || mechanism_glides(mechanism);
    bool is_followed = is_led && mechanism->past.followers > 0;
    uint32_t cuts = mechanism_get_cuts(mechanism, h, glides);
    mechanism->stage.hard_substeps -= mechanism->stage.hard_substeps > 0 ? 1 : 0;
    tni_mechanism_scale_impulses(mechanism, 1.0 / cuts);
    for (uint32_t k = 0; k < cuts; ++k) {
        bool projects = k + 1 == cuts ? !is_followed : !glides;
        bool closes = projects || tni_mechanism_is_precise(mechanism);
        if (tni_stage_run(mechanism, h / cuts, false, projects)) {
            mechanism_count_stage(mechanism);
        } else {
            mechanism->stage.hard_substeps = MECHANISM_HARD_SUBSTEPS;
            mechanism_advance(mechanism, h / cuts, closes);
        }
    }
    tni_mechanism_scale_impulses(mechanism, cuts);
    mechanism->traits.is_prescribed = mechanism_is_prescribed(mechanism);
}
