// solver/exact/mechanism_project.c: a mechanism's poses and velocities back onto its rows.
//
// In the metric of the masses, at the poses q:
//     poses       q <- q + M^-1 J^T y,   J M^-1 J^T y = -C(q)      a Newton step, without speed
//     velocities  v <- v + M^-1 J^T z,   J M^-1 J^T z = -J v
// with one factorisation, as long as no limit is met or left: each of them is one more; poses that
// were farther off have a second step with the same one. It takes out what the midpoint stage did
// not resolve, never puts energy in, and makes J v = 0 hold at the pose where the next stage
// begins. Source: E. Hairer, C. Lubich, G. Wanner, "Geometric numerical integration", 2006, IV.4
// (projection methods); A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997.
// Test: tests/solver/exact/test_mechanism.c
#include "solver/exact/mechanism_span.h"
#include "solver/exact/mechanism_stage.h"

#include <string.h>

// m or rad: if the rows are farther open, the stage before did not close them: they contradict each
// other.
#define PROJECT_FARTHEST 1e-3
// After Gauss-Seidel or the user has moved the bodies, which leaves errors, this is the bound
// instead.
#define PROJECT_FARTHEST_COUPLED 0.1
// m or rad: if the rows are farther open and the chain is nearly taut, one Newton step leaves too
// much.
#define PROJECT_CLOSED 1e-7
// Poses that are put back to a stop are closed to this.
#define PROJECT_STOPPED 1e-10
// m or rad: poses that move farther, and are left farther open, have strayed.
#define PROJECT_STRAYED 0.1
// m or rad: poses moved by no more are those of the factor.
#define PROJECT_SAME 1e-6
// Limits may come and go this many times in one projection; and a speed into one that is less than
// this is round-off.
#define PROJECT_MAX_ROUNDS 16
#define PROJECT_TINY_SPEED 1e-12
// m or rad: a limit that was passed farther leads poses farther than one Newton step can take them;
// each further one of at most PASSES brings it back by no more than STEP, and in the last HELD of
// them it stays where it is, so that the joints close.
#define PROJECT_LIMIT_FAR    1e-3
#define PROJECT_LIMIT_STEP   0.1
#define PROJECT_LIMIT_PASSES 8
#define PROJECT_LIMIT_HELD   4
// Poses that are put back to a stop are solved for this many times, and once more.
#define PROJECT_STOP_PASSES 5
// At this many times its cap a motor has far too little.
#define PROJECT_OVERLOAD 10.0
// The rows of a taut net have an E this many times that of others.
#define PROJECT_SOFTER_TAUT 1e4
// A row that takes no part has an E this many times as large.
#define PROJECT_RESTS 1e12

typedef struct project_run {
    double h;
    double error;   // m or rad: of the worst row, where they were emitted
    double passed;  // m or rad: by which the limits that push were passed, at most
    uint32_t stops; // passes left for the poses at limits that bounce; 1: done, 0: there are none
} project_run;

// Sets the plain masses, without curvature.
static void project_weigh(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        body->block.mass = body->mass;
        body->block.inertia = inertia_in_world(&body->inertia, body->motion.rotation);
        body->block.has_curvature = false;
    }
}

// Softens the rows of a taut net, which nearly depend on each other: otherwise their round-off
// would take the poses and velocities far along the combination that they hardly notice.
static void project_soften_taut(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = 0; r < joint->equality_count; ++r) {
            joint->softness[r] *= PROJECT_SOFTER_TAUT;
        }
    }
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].softness *= PROJECT_SOFTER_TAUT;
    }
}

// Sets E of all rows. Springs that the stage has resolved have done their work there; where nothing
// touches the mechanism they take no part here, since they would push with what the joints give at
// either end (solver/exact/mechanism_carry.c).
static void project_soften(tni_mechanism *mechanism, double half) {
    tni_mechanism_soften(mechanism, half);
    if (mechanism->stage.taut_stages > 0) {
        project_soften_taut(mechanism);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            bool is_resolved = actor->kind == TNI_ACTOR_SPRING && !(actor->end_share > 0.0);
            bool rests = is_resolved && tni_mechanism_is_smooth(mechanism);
            joint->softness[r] *= rests ? PROJECT_RESTS : 1.0;
        }
    }
}

static void project_emit(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        mechanism->bodies[i].middle = mechanism->bodies[i].motion;
    }
    mechanism->times.middle = mechanism->times.now;
    tni_mechanism_emit(mechanism);
    if (mechanism->traits.is_coupled || !mechanism->matrix.has_scales) {
        tni_mechanism_scale(mechanism); // there was no stage
    }
}

static void project_start(tni_mechanism *mechanism, double half) {
    project_emit(mechanism);
    project_soften(mechanism, half);
    project_weigh(mechanism);
}

// Returns the right side of an actor's row. Right sides are zero on the bodies, and on the rows C,
// or the speed that J v has too much. Actors at their cap and limits that do not push take no part
// (their E is large, their right side zero: a slack rope does not push by a hair); motors hold
// still while poses are put right, and so do springs as far as they can in the time: what is stiff
// is not pushed off its place by rows that close. A limit that was met this side of its end may
// close up to it within h. One that bounces is left at a share of the speed it was met at.
static double project_get_fault(const tni_mechanism_joint *joint, uint32_t k, double speed,
                                double inv_h) {
    const tni_mechanism_actor *actor = &joint->actors[k];
    if (actor->kind == TNI_ACTOR_LIMIT && actor->arrival < 0.0) {
        return speed + actor->restitution * actor->arrival;
    }
    if (actor->kind == TNI_ACTOR_LIMIT) {
        double open = joint->rows[k].error > 0.0 ? joint->rows[k].error : 0.0;
        return speed + open * inv_h;
    }
    return actor->kind == TNI_ACTOR_SPEED ? speed - tni_actor_get_target(actor) : 0.0;
}

// Asks the next solve for changes alone, since poses need no impulses. The columns of spans, which
// are made with the factor, serve velocities too.
static void project_ask_for_changes(tni_mechanism *mechanism) {
    mechanism->stage.asks_for_changes = mechanism->spans.row_count == 0;
}

static void project_fill_poses(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *r = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            bool has_pose = k < joint->equality_count ||
                            (joint->actors[k].kind == TNI_ACTOR_LIMIT && !joint->actors[k].is_out);
            bool closes = has_pose && k >= joint->equality_count && joint->actors[k].closes;
            double error = joint->rows[k].error - (closes ? joint->actors[k].passed : 0.0);
            double least = k < joint->equality_count ? -DBL_MAX : -PROJECT_LIMIT_STEP;
            r[k] = has_pose ? maths_max_d(error, least) : 0.0;
        }
    }
    tni_mechanism_spans_fill_poses(mechanism);
    project_ask_for_changes(mechanism);
}

// Fills in the errors that the first step has left open; limits stay where it put them.
static void project_fill_rest(tni_mechanism *mechanism) {
    double errors[TNI_JOINT_MAX_EQUALITY_ROWS];
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double *r = tni_mechanism_of_joint(mechanism, i);
        tni_joint_measure_exact(joint->joint, &mechanism->bodies[joint->a].motion,
                                &mechanism->bodies[joint->b].motion, errors);
        for (uint32_t k = 0; k < joint->row_count; ++k) {
            r[k] = k < joint->equality_count ? errors[k] - joint->rest[k] : 0.0;
        }
    }
    tni_mechanism_spans_fill_rest(mechanism);
    project_ask_for_changes(mechanism);
}

// Adds the rates of the errors that time alone makes.
static void project_add_rates(const tni_mechanism_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b, double *r) {
    double rates[TNI_JOINT_MAX_EQUALITY_ROWS];
    tni_joint_measure_rates(joint->joint, a, b, rates);
    for (uint32_t k = 0; k < joint->equality_count; ++k) {
        r[k] += rates[k];
    }
}

static void project_fill_speeds(tni_mechanism *mechanism, double inv_h) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_body_motion *a = &mechanism->bodies[joint->a].motion;
        const tni_body_motion *b = &mechanism->bodies[joint->b].motion;
        double *r = tni_mechanism_of_joint(mechanism, i);
        if (joint->is_free) {
            tni_twist of_a = {a->velocity, a->angular_velocity};
            tni_twist of_b = {b->velocity, b->angular_velocity};
            tni_mechanism_get_pin_speeds(joint, joint->row_count, &of_a, &of_b, r);
        }
        for (uint32_t k = 0; k < joint->row_count && !joint->is_free; ++k) {
            r[k] = tni_exact_row_speed(&joint->rows[k], a, b);
        }
        if (tni_joint_has_rates(joint->joint)) {
            project_add_rates(joint, a, b, r);
        }
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            r[k] = joint->actors[k].is_out ? 0.0 : project_get_fault(joint, k, r[k], inv_h);
        }
    }
    tni_mechanism_spans_fill_speeds(mechanism, inv_h);
}

// Moves all bodies by their changes: first their turns, and then the lengths of these, each of
// which is a root and a division, side by side.
static void project_move(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        const double *d = mechanism->bodies[i].change;
        motion->position = dvec3_add(motion->position, dvec3_make(d[0], d[1], d[2]));
        motion->rotation = dquat_mul(dquat_cayley(dvec3_make(d[3], d[4], d[5])), motion->rotation);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        motion->rotation = dquat_normalize(motion->rotation);
    }
}

// Returns J v of a row with `share` of the changes in place.
static double project_get_new_speed(const tni_mechanism *mechanism,
                                    const tni_mechanism_joint *joint, uint32_t k, double share) {
    const tni_mechanism_body *a = &mechanism->bodies[joint->a], *b = &mechanism->bodies[joint->b];
    const tni_exact_row *row = &joint->rows[k];
    bool moves_a = joint->a < mechanism->moving_count, moves_b = joint->b < mechanism->moving_count;
    double of_a = moves_a ? tni_mechanism_dot6(row->jacobian, a->change) : 0.0;
    double of_b = moves_b ? tni_mechanism_dot6(row->jacobian + 6, b->change) : 0.0;
    return tni_exact_row_speed(row, &a->motion, &b->motion) + share * (of_a + of_b);
}

// Returns whether an actor has given an impulse of a projection itself: what is beyond its cap
// stands against velocities that the joints left.
static bool project_is_own(const tni_mechanism *mechanism, const tni_mechanism_actor *actor,
                           double x) {
    double most = actor->max_force * mechanism->stage.length;
    return !(most > 0.0 && fabs(x) > most);
}

void tni_mechanism_note_unknowns(tni_mechanism *mechanism, double middle) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const double *x = tni_mechanism_of_joint(mechanism, i);
        if (joint->is_free) {
            tni_mechanism_note_pin(joint, joint->rows, x, 1.0);
        }
        for (uint32_t r = 0; r < joint->row_count && !joint->is_free; ++r) {
            tni_mechanism_note_row(joint, r, &joint->rows[r], x[r]);
        }
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            if (!actor->is_out) {
                actor->sums.step_impulse += x[r];
                actor->sums.work += project_is_own(mechanism, actor, x[r])
                                        ? x[r] * project_get_new_speed(mechanism, joint, r, middle)
                                        : 0.0;
            }
        }
    }
    tni_mechanism_spans_note_unknowns(mechanism);
}

void tni_mechanism_note_blows(tni_mechanism *mechanism) {
    if (!mechanism->touch.has_blow) {
        return;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_mechanism_set_change(body, &body->blow);
        body->blow.linear = body->blow.angular = dvec3_make(0.0, 0.0, 0.0);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        memset(tni_mechanism_of_joint(mechanism, i), 0,
               mechanism->joints[i].row_count * sizeof(double));
    }
    tni_mechanism_spans_clear(mechanism);
    tni_mechanism_solve(mechanism, false);
    tni_mechanism_note_unknowns(mechanism, -0.5);
    mechanism->touch.has_blow = false;
}

static void project_push(tni_mechanism *mechanism) {
    tni_mechanism_note_unknowns(mechanism, 0.5);
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_body_motion *motion = &mechanism->bodies[i].motion;
        const double *d = mechanism->bodies[i].change;
        motion->velocity = dvec3_add(motion->velocity, dvec3_make(d[0], d[1], d[2]));
        motion->angular_velocity =
            dvec3_add(motion->angular_velocity, dvec3_make(d[3], d[4], d[5]));
    }
}

// Returns how far the worst row was off where they were emitted, m or rad; what is no number is
// far.
static double project_get_error(const tni_mechanism *mechanism) {
    double worst = tni_mechanism_spans_get_emitted_error(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = 0; r < joint->equality_count; ++r) {
            double error = fabs(joint->rows[r].error);
            worst = error <= worst ? worst : error <= DBL_MAX ? error : (double)INFINITY;
        }
    }
    return worst;
}

// ---- limits ------------------------------------------------------------------------------------

// Returns how far the limits that push were passed where they were emitted, m or rad, at most.
static double project_get_passed(const tni_mechanism *mechanism) {
    double most = 0.0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            const tni_mechanism_actor *actor = &joint->actors[k];
            bool pushes = actor->kind == TNI_ACTOR_LIMIT && !actor->is_out;
            most = pushes ? maths_max_d(most, -joint->rows[k].error) : most;
        }
    }
    return most;
}

static bool project_is_driven(const tni_mechanism_actor *actor) {
    return actor->kind == TNI_ACTOR_SPEED && !actor->is_out;
}

// Takes motors and friction out where there is a blow: it is over before they could give anything.
static void project_leave_motors(tni_mechanism *mechanism) {
    bool has_blow = false;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            has_blow |= joint->actors[k].kind == TNI_ACTOR_LIMIT && joint->actors[k].arrival < 0.0;
        }
    }
    for (uint32_t i = 0; i < mechanism->joint_count && has_blow; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            joint->actors[k].is_out |= project_is_driven(&joint->actors[k]);
        }
    }
}

static bool project_meets_limit(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            const tni_mechanism_actor *actor = &joint->actors[k];
            if (actor->kind == TNI_ACTOR_LIMIT && !actor->is_out) {
                return true;
            }
        }
    }
    return false;
}

// Takes a motor or friction out where its cap is far too little to hold its speed against a limit,
// and returns true if so. Stages know nothing of a limit that bounces or is met here first.
static bool project_overloads(const tni_mechanism *mechanism, tni_mechanism_actor *actor, double x,
                              double inv_h) {
    bool is_over = project_is_driven(actor) &&
                   fabs(x) * inv_h > PROJECT_OVERLOAD * actor->max_force &&
                   project_meets_limit(mechanism);
    actor->is_out |= is_over;
    return is_over;
}

// Takes limits in that would be passed, and out that would pull. Returns true when the equations
// changed.
static bool project_change_limits(tni_mechanism *mechanism, double inv_h) {
    bool changed = tni_mechanism_spans_change_limits(mechanism, inv_h);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const double *x = tni_mechanism_of_joint(mechanism, i);
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            tni_mechanism_actor *actor = &joint->actors[k];
            if (actor->kind != TNI_ACTOR_LIMIT) {
                changed |= actor->kind == TNI_ACTOR_SPEED &&
                           (tni_actors_stall(mechanism, joint, k, x[k], 0.5 / inv_h) ||
                            project_overloads(mechanism, actor, x[k], inv_h));
                continue;
            }
            double speed = project_get_new_speed(mechanism, joint, k, 1.0);
            bool passes = project_get_fault(joint, k, speed, inv_h) < -PROJECT_TINY_SPEED &&
                          !tni_mechanism_lets_pass(mechanism, actor, speed);
            double push = tni_actors_get_push(joint, k, 1.0 / inv_h);
            bool pulls = 2.0 * joint->impulse[k] + x[k] < -push;
            if (!(actor->is_out ? passes : pulls)) {
                continue;
            }
            changed = true;
            if (actor->is_out) {
                actor->is_out = false;
            } else {
                tni_actors_leave_limit(joint, k, 0.5 / inv_h);
            }
        }
        tni_actors_hold(joint);
    }
    return changed;
}

// Clears the impulse of a limit that went out, so that it gives nothing to the next stage.
static void project_leave_limits(tni_mechanism *mechanism) {
    tni_mechanism_spans_leave_limits(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t k = joint->equality_count; k < joint->row_count; ++k) {
            const tni_mechanism_actor *actor = &joint->actors[k];
            bool pushes = actor->kind != TNI_ACTOR_LIMIT || !actor->is_out;
            joint->impulse[k] = pushes ? joint->impulse[k] : 0.0;
        }
    }
}

// Returns the larger of `worst` and of the error of the worst joint, m or rad, or the excess of
// this error over its rest; NaN where one is.
static double project_measure(const tni_mechanism *mechanism, double worst, bool beyond_rest) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        double errors[TNI_JOINT_MAX_EQUALITY_ROWS];
        tni_joint_measure_exact(joint->joint, &mechanism->bodies[joint->a].motion,
                                &mechanism->bodies[joint->b].motion, errors);
        for (uint32_t r = 0; r < joint->equality_count; ++r) {
            double error = fabs(errors[r] - (beyond_rest ? joint->rest[r] : 0.0));
            if (isnan(error)) {
                return error;
            }
            worst = maths_max_d(worst, error);
        }
    }
    return worst;
}

double tni_mechanism_get_worst_error(const tni_mechanism *mechanism) {
    return project_measure(mechanism, tni_mechanism_spans_get_error(mechanism), false);
}

double tni_mechanism_get_move(const tni_mechanism *mechanism) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const double *d = mechanism->bodies[i].change;
        for (uint32_t c = 0; c < 6; ++c) {
            greatest = fabs(d[c]) <= greatest ? greatest : fabs(d[c]);
        }
    }
    return greatest;
}

bool tni_mechanism_project_start(tni_mechanism *mechanism, double half) {
    project_start(mechanism, half);
    return tni_mechanism_factor(mechanism);
}

bool tni_mechanism_project_begin(tni_mechanism *mechanism, double half) {
    project_start(mechanism, half);
    return project_get_error(mechanism) <= PROJECT_FARTHEST_COUPLED &&
           tni_mechanism_factor(mechanism);
}

void tni_mechanism_project_poses(tni_mechanism *mechanism) {
    project_fill_poses(mechanism);
    tni_mechanism_solve(mechanism, true);
    mechanism->stage.asks_for_changes = false;
}

void tni_mechanism_project_move(tni_mechanism *mechanism) {
    project_move(mechanism);
}

void tni_mechanism_project_velocities(tni_mechanism *mechanism) {
    project_fill_speeds(mechanism, 0.0);
    tni_mechanism_solve(mechanism, true);
    project_push(mechanism);
}

// Returns whether the mechanism has motors, friction or springs.
static bool project_has_drives(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            if (joint->actors[r].kind != TNI_ACTOR_LIMIT) {
                return true;
            }
        }
    }
    return false;
}

// Does its factor hold as one against contacts would? Springs do not hold, and no motor or friction
// with a cap takes part there: in a mechanism that touches something these have given way here as
// well.
static bool project_holds_as_contacts(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            bool has_cap = actor->kind == TNI_ACTOR_SPEED && isfinite(actor->max_force);
            if (actor->kind == TNI_ACTOR_SPRING || (has_cap && !actor->is_out)) {
                return false;
            }
        }
    }
    return true;
}

// May the next stage begin with this factor? Rows that depend on others agree in another way
// halfway than here, and motors hold with what is left of it: that is for mechanisms whose rows and
// motors prescribe all motion, where what a stage leaves open is closed by the projection.
static bool project_serves_on(const tni_mechanism *mechanism) {
    return mechanism->traits.is_prescribed
               ? tni_actors_hold_speeds(mechanism)
               : !project_has_drives(mechanism) && mechanism->matrix.dependent_rows == 0;
}

// Lets limits that were passed push, and hold the motors of their values.
static void project_hold(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_actors_hold(&mechanism->joints[i]);
    }
}

// Makes the equations of a projection. Returns false where the rows are too far open.
static bool project_begin(tni_mechanism *mechanism, project_run *projection) {
    double h = projection->h;
    if (mechanism->touch.is_touched) {
        tni_actors_give_way(mechanism);
    }
    project_emit(mechanism);
    tni_mechanism_leave_stops(mechanism); // those of a stage that failed
    projection->stops = tni_mechanism_meet_stops(mechanism, h) ? PROJECT_STOP_PASSES : 0;
    project_leave_motors(mechanism);
    tni_mechanism_spans_meet(mechanism);
    project_hold(mechanism);
    project_soften(mechanism, 0.5 * h);
    project_weigh(mechanism);
    projection->error = project_get_error(mechanism);
    projection->passed = project_get_passed(mechanism);
    return projection->error <= PROJECT_FARTHEST;
}

// Solves with a new factor, or with the last one; returns false where the new one is not sound.
static bool project_solve(tni_mechanism *mechanism, bool factors) {
    bool is_sound = !factors || tni_mechanism_factor(mechanism);
    if (is_sound) {
        tni_mechanism_solve(mechanism, true);
    }
    mechanism->stage.asks_for_changes = false;
    return is_sound;
}

static bool project_take_poses(tni_mechanism *mechanism) {
    project_fill_poses(mechanism);
    if (!project_solve(mechanism, true)) {
        return false;
    }
    project_move(mechanism);
    return true;
}

// Makes the equations anew where the poses are. Returns whether they are at their stops, or have
// been moved often enough.
static bool project_is_at_stops(tni_mechanism *mechanism, project_run *projection) {
    project_emit(mechanism);
    bool has_more = tni_mechanism_meet_stops(mechanism, projection->h);
    project_leave_motors(mechanism);
    project_soften(mechanism, 0.5 * projection->h);
    project_weigh(mechanism);
    projection->stops -= 1;
    bool is_there = !has_more && project_get_error(mechanism) <= PROJECT_STOPPED;
    return projection->stops <= 1 || is_there;
}

// Moves poses to their stops step by step: they go farther than one Newton step can take them,
// their rows turn on the way, and some may pass another stop.
static bool project_go_to_stops(tni_mechanism *mechanism, project_run *projection) {
    while (!project_is_at_stops(mechanism, projection)) {
        if (!project_take_poses(mechanism)) {
            return false;
        }
    }
    return true;
}

// Has the projection led the poses off, to where the rows are far open? It does so where the rows
// nearly depend on each other: where a motor without a cap presses a linkage against its dead
// centre.
static bool project_has_strayed(const tni_mechanism *mechanism) {
    return !(tni_mechanism_get_move(mechanism) <= PROJECT_STRAYED) &&
           !(project_measure(mechanism, 0.0, true) <= PROJECT_STRAYED);
}

// Takes the step that the first has left open, if it was far off.
static bool project_take_rest(tni_mechanism *mechanism, const project_run *projection) {
    if (!tni_mechanism_is_smooth(mechanism) || !(projection->error > PROJECT_CLOSED)) {
        return true;
    }
    project_fill_rest(mechanism);
    project_solve(mechanism, false);
    project_move(mechanism);
    return !project_has_strayed(mechanism);
}

// Takes further steps where limits that were passed have led the poses so far that joints have
// opened. Where limits and joints contradict each other it is the limits that yield.
static bool project_follow_limits(tni_mechanism *mechanism, project_run *projection) {
    uint32_t pass = 0;
    while (pass < PROJECT_LIMIT_PASSES &&
           !(project_measure(mechanism, 0.0, true) <= PROJECT_CLOSED)) {
        project_emit(mechanism);
        project_soften(mechanism, 0.5 * projection->h);
        project_weigh(mechanism);
        if (!tni_mechanism_factor(mechanism)) {
            return false;
        }
        if (pass + PROJECT_LIMIT_HELD < PROJECT_LIMIT_PASSES) {
            project_fill_poses(mechanism);
        } else {
            project_fill_rest(mechanism);
        }
        project_solve(mechanism, false);
        project_move(mechanism);
        pass += 1;
    }
    projection->error = pass > 0 ? projection->passed : projection->error;
    return project_measure(mechanism, 0.0, true) <= PROJECT_FARTHEST;
}

static bool project_close_poses(tni_mechanism *mechanism, project_run *projection) {
    if (!project_take_poses(mechanism)) {
        return false;
    }
    if (projection->stops > 0) {
        return project_go_to_stops(mechanism, projection) &&
               project_follow_limits(mechanism, projection);
    }
    if (projection->passed > PROJECT_LIMIT_FAR) {
        return project_follow_limits(mechanism, projection);
    }
    return !project_has_strayed(mechanism) && project_take_rest(mechanism, projection);
}

static void project_finish(tni_mechanism *mechanism, const project_run *projection) {
    project_push(mechanism);
    bool has_stopped = projection->stops > 0;
    tni_mechanism_leave_stops(mechanism);
    project_leave_limits(mechanism);
    mechanism->matrix.is_factored =
        !has_stopped && project_holds_as_contacts(mechanism) && projection->error <= PROJECT_SAME;
    mechanism->matrix.has_factor = !has_stopped && tni_mechanism_is_smooth(mechanism) &&
                                   tni_mechanism_is_precise(mechanism) &&
                                   project_serves_on(mechanism);
}

// Closes the velocities. The poses' factor serves them, until limits come or go or poses went to a
// stop.
static bool project_close_speeds(tni_mechanism *mechanism, const project_run *projection) {
    double inv_h = 1.0 / projection->h;
    bool factors = projection->stops > 0;
    for (uint32_t round = 0;; ++round) {
        project_fill_speeds(mechanism, inv_h);
        if (!project_solve(mechanism, factors)) {
            return false;
        }
        if (round == PROJECT_MAX_ROUNDS || !project_change_limits(mechanism, inv_h)) {
            break;
        }
        project_soften(mechanism, 0.5 * projection->h);
        project_weigh(mechanism);
        factors = true;
    }
    project_finish(mechanism, projection);
    return true;
}

bool tni_mechanism_project(tni_mechanism *mechanism, double h, bool *out_has_stops) {
    project_run projection = {.h = h};
    bool is_done = project_begin(mechanism, &projection) &&
                   project_close_poses(mechanism, &projection) &&
                   project_close_speeds(mechanism, &projection);
    *out_has_stops = projection.stops > 0;
    return is_done;
}
