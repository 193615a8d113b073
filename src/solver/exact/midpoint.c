// solver/exact/midpoint.c: a mechanism's substep by the implicit midpoint rule, rows closed at its
// end.
//
// Symbols: h the substep, t = h/2; x, R a body's centre and rotation, m, I its mass and inertia in
// body axes, S(R) = R I R^T; V = (v, w) its velocities halfway, unknown; f, n applied force and
// torque; C the errors of the rows, J their Jacobian; l the rows' impulses over t, unknown.
//     halfway   x_m = x_0 + t v,  R_m = Exp(t w) R_0
//     end       x_1 = x_0 + h v,  R_1 = Exp(t w) R_m
//     momenta   m v      = m v_0 + t f + F,              [F; T] = J(q_m)^T l
//               S(R_m) w = L_0 + R_0 R_m^T (t n + T)
//     rows      C(q_1) = 0
// The torque acts with its body-frame components at both ends: without that slender bodies gain
// spin about their own axis, little by little.
//
// Newton's method on (V, l):  [M + t K(l), -J^T; -J, -E] [dV; dl] = [r; C(q_1)/h], K the curvature
// (joints/exact_row.h). K is what makes it converge for a light link under a heavy tension P: that
// link is a spring of stiffness P/L across, far faster than the substep, and the force's direction
// has to be implicit. Then  v_1 = 2 v - v_0,  L_1 = S(R_m) w + R_1 R_m^T (t n + T). Second order,
// no drift of energy; unconditionally stable for the transverse modes.
//
// Damping of a body counts as a force -c m v and a torque -c S w halfway.
//
// Stages without a projection after them, of mechanisms that are led (solver/exact/mechanism.c),
// end with an iteration on the rows alone: the momenta move with it by M dV - J^T dl = 0. They have
// no K, so that l enters them linearly: their first iteration takes it for zero and finds all of
// it, where a guess would only have been taken away again.
//
// If no solution of that is found, there is the backward Euler stage: one pose q_1 a whole h on, at
// which the rows, the forces and the velocities stand,
//     m v = m v_0 + h f + F,   S(R_1) w = L_0 + h n + T,   C(q_1) = 0,   v_1 = v,  L_1 = S(R_1) w.
// It is the same system with t = h, the end at the middle and no transport. It damps what it does
// not resolve and so is easier to solve; of first order, it is the last resort.
// Sources: E. Hairer, C. Lubich, G. Wanner, "Geometric numerical integration", 2006, II.1 and
// VII.4; M. Tournier, M. Nesme, B. Gilles, F. Faure, "Stable constrained dynamics", SIGGRAPH 2015;
// J. Simo, K. Wong, Int. J. Numer. Methods Eng. 31, 1991 (the torque's transport); A. Witkin,
// "Constrained dynamics", SIGGRAPH course notes, 1997 (rows and J W J^T).
// Test: tests/solver/exact/test_midpoint.c, tests/solver/exact/test_mechanism.c
#include "solver/exact/mechanism_span.h"
#include "solver/exact/mechanism_stage.h"

#define MIDPOINT_MAX_ITERATIONS 8
// Taut nets (solver/exact/mechanism.c) take more iterations. They, and a stage that a secant may
// follow, may move farther in one iteration than in the last, by this factor.
#define MIDPOINT_MAX_ITERATIONS_TAUT 24
#define MIDPOINT_GROWTH              4.0
// They take as many again each time that motors or limits change when the iteration is close, up to
// this many times.
#define MIDPOINT_MAX_ROUNDS 3
// An iteration that leaves more than this share of the last one is slow: a secant follows it.
#define MIDPOINT_SLOW 0.2
// m: Newton's method stops when no point of a body moves by more than about this any more.
#define MIDPOINT_TOLERANCE 1e-5
// An iteration that stops so leaves this share of its own step. If nothing disturbs a mechanism the
// iterations themselves show their share, and the last may move it by NEAR m at most.
#define MIDPOINT_RATE 0.1
#define MIDPOINT_NEAR 1e-4
// m: the same bound after the first iteration, whose size says nothing yet about how well it
// converges.
#define MIDPOINT_AT_ONCE 1e-9
// m or rad: limits need not be measured anew after a move of no more.
#define MIDPOINT_UNSEEN 1e-8
// Precise mechanisms go on until the next iteration would move them by this share of the stage's
// way, or m.
#define MIDPOINT_PRECISE_SHARE 1e-8
#define MIDPOINT_PRECISE       1e-13
// The share is this where joints and motors prescribe all motion: then no energy is at stake.
#define MIDPOINT_PRESCRIBED_SHARE 1e-3
// The rate of a stage's first iteration is used for this many stages like it; their first iteration
// may move this many times as far, and converge this many times slower.
#define MIDPOINT_RATE_STAGES 8
#define MIDPOINT_RATE_MOVE   4.0
#define MIDPOINT_RATE_SLOWER 2.0
// The projection's factor is not used for this many stages after it was of no use.
#define MIDPOINT_OWN_STAGES 16
// rad: a body may turn by no more than this in a stage of prescribed motion that uses the
// projection's factor.
#define MIDPOINT_OLD_TURN 0.1

// The factor is kept after a first iteration of no more than this share of the stage's way, and
// then while the next is this share of the last.
#define MIDPOINT_KEEP_SHARE 0.03
// Rows count as those at the end of the iterations if these have moved the mechanism by no more
// than this share of the stage's way since.
#define MIDPOINT_STRAY_SHARE 1e-6
// The share is this where all motion is prescribed, and only the direction of reported forces
// depends on it.
#define MIDPOINT_STRAY_SHARE_PRESCRIBED 2e-2
#define MIDPOINT_KEEP_RATE              0.1

typedef tni_midpoint_times midpoint_times;

static bool midpoint_is_backward(midpoint_times times) {
    return times.t == times.way;
}

// ---- poses -------------------------------------------------------------------------------------

static void midpoint_start(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dmat3 inertia = inertia_in_world(&body->inertia, body->motion.rotation);
        body->momentum = dmat3_mul_vec(&inertia, body->motion.angular_velocity);
    }
}

// Does nothing that it hangs on move? Then these bodies stay where they are all through the stage.
static bool midpoint_is_hung_still(tni_mechanism *mechanism) {
    bool is_still = true;
    for (uint32_t i = mechanism->moving_count; i < mechanism->body_count && is_still; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 v = body->motion.velocity, w = body->motion.angular_velocity;
        is_still = dvec3_dot(v, v) + dvec3_dot(w, w) == 0.0;
        body->middle = body->end = body->motion;
        body->back = dquat_identity();
    }
    return is_still;
}

// Returns the turn by w over a time. Cayley's map of r turns by 2 atan(|r|/2) = |r| - |r|^3/12 +
// ...; with the factor by |r| but for |r|^5/80.
static tni_dquat midpoint_turn(tni_dvec3 w, double time) {
    tni_dvec3 r = dvec3_scale(w, time);
    return dquat_cayley(dvec3_scale(r, 1.0 + dvec3_dot(r, r) * (1.0 / 12.0)));
}

// Returns true for a particle, or a body that is locked and does not spin.
static bool midpoint_never_turns(const tni_mechanism_body *body) {
    tni_dvec3 w = body->middle.angular_velocity;
    return tni_mechanism_only_shifts(body) && dvec3_dot(w, w) == 0.0;
}

// Moves the bodies where the velocities take them. All turns come first: each is a chain of a root
// and a division, and so they go on side by side.
static void midpoint_move(tni_mechanism *mechanism, midpoint_times times) {
    uint32_t count =
        mechanism->stage.is_hung_still ? mechanism->moving_count : mechanism->body_count;
    for (uint32_t i = 0; i < count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        if (midpoint_never_turns(body)) {
            body->back = dquat_identity();
            continue;
        }
        tni_dquat turn = midpoint_turn(body->middle.angular_velocity, times.t);
        body->back = dquat_conjugate(turn);
    }
    for (uint32_t i = 0; i < count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_body_motion *middle = &body->middle, *end = &body->end;
        tni_dquat turn = dquat_conjugate(body->back);
        middle->position = dvec3_add_scaled(body->motion.position, times.t, middle->velocity);
        end->position = dvec3_add_scaled(body->motion.position, times.way, middle->velocity);
        if (midpoint_never_turns(body)) {
            middle->rotation = end->rotation = body->motion.rotation;
            continue;
        }
        middle->rotation = dquat_mul(turn, body->motion.rotation);
        if (midpoint_is_backward(times)) {
            end->rotation = middle->rotation;
            body->back = dquat_identity();
        } else {
            end->rotation = dquat_mul(turn, middle->rotation);
        }
    }
}

// ---- residuals ---------------------------------------------------------------------------------

// Finds what is missing in the momenta of a body, and its block of the matrix.
static void midpoint_balance(tni_mechanism *mechanism, uint32_t i, double half) {
    tni_mechanism_body *body = &mechanism->bodies[i];
    double *r = body->change;
    double thick = 1.0 + half * body->linear_damping;
    double stiff = 1.0 + half * body->angular_damping;
    tni_dvec3 linear = dvec3_add_scaled(body->motion.velocity, half, body->acceleration);
    linear = dvec3_add_scaled(linear, -thick, body->middle.velocity);
    linear = dvec3_add_scaled(body->linear, body->mass, linear);
    body->block.mass = body->mass * thick;
    if (midpoint_never_turns(body)) {
        tni_mechanism_store6(r, linear, dvec3_make(0.0, 0.0, 0.0));
        return;
    }
    tni_dmat3 inertia = inertia_in_world(&body->inertia, body->middle.rotation);
    tni_dvec3 torque = dvec3_add_scaled(body->angular, half, body->torque);
    tni_dvec3 spin = dmat3_mul_vec(&inertia, body->middle.angular_velocity);
    tni_dvec3 angular = dvec3_add(body->momentum, dquat_rotate(body->back, torque));
    angular = dvec3_add_scaled(angular, -stiff, spin);
    tni_mechanism_store6(r, linear, angular);
    for (uint32_t k = 0; k < 6 && body->locks != 0; ++k) {
        r[k] = tni_mechanism_is_locked(body, k) ? 0.0 : r[k];
    }
    body->block.inertia = inertia;
    for (uint32_t p = 0; p < 9 && stiff != 1.0; ++p) {
        body->block.inertia.m[p / 3][p % 3] *= stiff;
    }
}

// C at the end poses over h, and what the actors miss halfway.
static void midpoint_close_rows(tni_mechanism *mechanism, midpoint_times times) {
    double inv_h = 1.0 / times.way, errors[TNI_JOINT_MAX_EQUALITY_ROWS];
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_mechanism_body *a = &mechanism->bodies[joint->a];
        const tni_mechanism_body *b = &mechanism->bodies[joint->b];
        double *r = tni_mechanism_of_joint(mechanism, i);
        tni_joint_measure_exact(joint->joint, &a->end, &b->end, errors);
        for (uint32_t k = 0; k < joint->equality_count; ++k) {
            double error = errors[k] - joint->rest[k];
            r[k] = error * inv_h + joint->softness[k] * joint->impulse[k];
        }
        if (joint->row_count > joint->equality_count) {
            tni_actors_measure_limits(joint, &a->end, &b->end);
            tni_actors_balance(mechanism, joint, times.t, times.way, r);
        }
    }
    tni_mechanism_spans_fill_ends(mechanism, inv_h);
}

// ---- Newton's method ---------------------------------------------------------------------------

// Returns the square of a body's speed, or of its turn for its points.
static double midpoint_measure(const tni_mechanism_body *body, tni_dvec3 v, tni_dvec3 w) {
    double turn = dvec3_dot(w, dmat3_mul_vec(&body->block.inertia, w)) * body->inv_mass;
    return dvec3_dot(v, v) > turn ? dvec3_dot(v, v) : turn;
}

// Returns how far the velocities move a point of a body in a time, m, at most.
static double midpoint_get_way(const tni_mechanism *mechanism, double time) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        double square =
            midpoint_measure(body, body->middle.velocity, body->middle.angular_velocity);
        greatest = square > greatest ? square : greatest;
    }
    return time * sqrt(greatest);
}

static void midpoint_add_impulses(const tni_mechanism_joint *joint, const double *d, double times) {
    double *impulse = joint->impulse;
    for (uint32_t r = 0; r < joint->equality_count; ++r) {
        impulse[r] += times * d[r];
    }
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        impulse[r] += joint->actors[r].is_out ? 0.0 : times * d[r];
    }
}

// Returns how far the solution moves a point of a body halfway, m, at most.
static double midpoint_get_move(const tni_mechanism *mechanism, double half) {
    double greatest = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        const double *d = body->change;
        double square =
            midpoint_measure(body, dvec3_make(d[0], d[1], d[2]), dvec3_make(d[3], d[4], d[5]));
        // Written so that a NaN counts as far.
        greatest = square <= greatest ? greatest : square;
    }
    return half * sqrt(greatest);
}

// Adds `times` the solution to the velocities and impulses.
static void midpoint_update(tni_mechanism *mechanism, double times) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        const double *d = body->change;
        tni_dvec3 dv = dvec3_make(d[0], d[1], d[2]), dw = dvec3_make(d[3], d[4], d[5]);
        tni_body_motion *middle = &body->middle;
        middle->velocity = dvec3_add_scaled(middle->velocity, times, dv);
        middle->angular_velocity = dvec3_add_scaled(middle->angular_velocity, times, dw);
    }
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        midpoint_add_impulses(&mechanism->joints[i], tni_mechanism_of_joint(mechanism, i), times);
    }
    tni_mechanism_spans_update(mechanism, times);
}

// Measures limits anew before a stage is accepted: an iteration that is taken for the last one may
// have moved far from where they were measured; a motor that sets out from its limit has a guess
// that stands still.
static void midpoint_look_at_limits(tni_mechanism *mechanism, midpoint_times times, double moved) {
    bool any = false;
    for (uint32_t i = 0; i < mechanism->joint_count && moved > MIDPOINT_UNSEEN; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        any |= joint->has_limits;
        joint->knows_limits = false;
    }
    if (any) {
        midpoint_move(mechanism, times);
    }
}

static tni_actor_change midpoint_clamp_actors(tni_mechanism *mechanism, midpoint_times times,
                                              bool is_close, double moved) {
    double t = times.t;
    tni_actor_change most = TNI_ACTOR_SAME;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (mechanism->joints[i].row_count > mechanism->joints[i].equality_count) {
            tni_actor_change change = tni_actors_clamp(mechanism, i, t, is_close);
            most = change > most ? change : most;
        }
    }
    bool lets_go = is_close && tni_mechanism_spans_let_go(mechanism);
    most = lets_go && most == TNI_ACTOR_SAME ? TNI_ACTOR_CHANGED : most;
    if (!is_close || most != TNI_ACTOR_SAME) {
        return most;
    }
    midpoint_look_at_limits(mechanism, times, moved);
    bool meets = tni_actors_meet(mechanism);
    return meets ? TNI_ACTOR_CHANGED : most;
}

// Restarts the stage, with the actors that are at their cap by now.
static void midpoint_restart(tni_mechanism *mechanism) {
    mechanism->carry.rise_count = 0;
    mechanism->matrix.rates[0].stages = mechanism->matrix.rates[1].stages = 0;
    tni_mechanism_guess(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            bool is_at_cap = r >= joint->equality_count && joint->actors[r].is_out;
            joint->impulse[r] = is_at_cap ? joint->impulse[r] : 0.0;
        }
    }
    tni_mechanism_spans_scale_impulses(mechanism, 0.0);
}

// An iteration makes these parts anew; each value includes those before it.
typedef enum midpoint_effort {
    MIDPOINT_ROWS,      // what the rows miss, with the factor of the last one
    MIDPOINT_RESIDUALS, // and the momenta
    MIDPOINT_FACTOR,
    MIDPOINT_SOFTNESS,
    MIDPOINT_SCALES,
} midpoint_effort;

// Adds curvature, except to a mechanism that is led: the rows alone say how it moves, and K would
// only part its forces, by the second order of the error of the guess.
static void midpoint_curve(tni_mechanism *mechanism, double half) {
    if (!mechanism->carry.has_paces) {
        tni_mechanism_add_curvatures(mechanism, half);
        return;
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].block.has_curvature = false;
    }
}

// Returns true if impulses need no guess; one that stands at a cap is given and not found.
static bool midpoint_needs_no_impulses(const tni_mechanism *mechanism) {
    return mechanism->carry.has_paces && tni_actors_hold_speeds(mechanism);
}

static void midpoint_push(tni_mechanism *mechanism, const tni_newton *newton) {
    if (newton->iteration == 0 && midpoint_needs_no_impulses(mechanism)) {
        tni_mechanism_clear_joints(mechanism);
    } else {
        tni_mechanism_apply_joints(mechanism);
    }
}

// Makes the equations of an iteration. Returns whether they need a factor of their own.
static bool midpoint_prepare(tni_mechanism *mechanism, const tni_newton *newton) {
    midpoint_times times = newton->times;
    midpoint_effort effort = (midpoint_effort)newton->effort;
    midpoint_move(mechanism, times);
    if (effort == MIDPOINT_ROWS) {
        midpoint_close_rows(mechanism, times);
        return false;
    }
    if (effort >= MIDPOINT_FACTOR) {
        tni_mechanism_emit(mechanism);
    }
    bool takes_scales = effort >= MIDPOINT_SCALES || !mechanism->matrix.has_scales;
    if (takes_scales) {
        tni_mechanism_scale(mechanism);
        mechanism->matrix.has_scales = true;
    }
    if (newton->iteration == 0) {
        tni_actors_start(mechanism, times.t);
    }
    if (takes_scales || effort >= MIDPOINT_SOFTNESS) {
        tni_mechanism_soften(mechanism, times.t);
    }
    if (effort >= MIDPOINT_FACTOR) {
        midpoint_push(mechanism, newton);
        midpoint_curve(mechanism, times.t);
    } else {
        tni_mechanism_apply_fresh(mechanism);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        midpoint_balance(mechanism, i, times.t);
    }
    midpoint_close_rows(mechanism, times);
    return effort >= MIDPOINT_FACTOR;
}

// Solves an iteration. Returns false if the factor is not sound.
static bool midpoint_solve(tni_mechanism *mechanism, const tni_newton *newton) {
    if (midpoint_prepare(mechanism, newton) && !tni_mechanism_factor(mechanism)) {
        return false;
    }
    tni_mechanism_solve(mechanism, newton->effort == MIDPOINT_ROWS);
    return true;
}

static uint32_t midpoint_get_most(const tni_mechanism *mechanism, const tni_newton *newton) {
    bool is_taut = mechanism->stage.taut_stages > 0;
    return is_taut ? (1 + newton->rounds) * MIDPOINT_MAX_ITERATIONS_TAUT : MIDPOINT_MAX_ITERATIONS;
}

// Has an iteration, not the first, of a mechanism that is not precise left next to nothing?
static bool midpoint_is_near(const tni_mechanism *mechanism, double moved, double before) {
    if (!tni_mechanism_is_smooth(mechanism)) {
        return moved < MIDPOINT_TOLERANCE;
    }
    double left = before > 0.0 ? moved * moved / before : MIDPOINT_RATE * moved;
    return moved < MIDPOINT_NEAR && left < MIDPOINT_RATE * MIDPOINT_TOLERANCE;
}

// Returns how far the next iteration would move after the first one, m: by the rate that the last
// stages had.
static double midpoint_foresee(const tni_mechanism *mechanism, tni_newton_rate *rate,
                               double moved) {
    bool is_like = mechanism->carry.rise_count > 1 && rate->stages > 0 &&
                   tni_mechanism_is_smooth(mechanism) &&
                   moved < MIDPOINT_RATE_MOVE * rate->first_move;
    rate->stages -= is_like ? 1 : 0;
    return is_like ? MIDPOINT_RATE_SLOWER * rate->share * moved : moved;
}

static void midpoint_note_rate(tni_newton_rate *rate, uint32_t k, double moved, double before) {
    if (k == 1 && before > 0.0) {
        rate->first_move = before;
        rate->share = moved / before;
        rate->stages = MIDPOINT_RATE_STAGES;
    }
}

static double midpoint_get_enough(const tni_mechanism *mechanism, double way) {
    double share =
        mechanism->traits.is_prescribed ? MIDPOINT_PRESCRIBED_SHARE : MIDPOINT_PRECISE_SHARE;
    return share * way + MIDPOINT_PRECISE;
}

// Is asked after iteration k, which moved `moved`; the one before it moved `before`, or the
// equations were others and it is 0.
static bool midpoint_is_close(tni_mechanism *mechanism, const tni_newton *newton, double moved) {
    uint32_t k = newton->iteration;
    double before = newton->before;
    tni_newton_rate *rate = &mechanism->matrix.rates[newton->rate];
    if (!tni_mechanism_is_precise(mechanism)) {
        return k == 0 ? moved < MIDPOINT_AT_ONCE : midpoint_is_near(mechanism, moved, before);
    }
    double next = before > 0.0 ? moved * moved / before
                  : k == 0     ? midpoint_foresee(mechanism, rate, moved)
                               : moved;
    midpoint_note_rate(rate, k, moved, before);
    mechanism->carry.is_resolved = next < midpoint_get_enough(mechanism, newton->way);
    if (newton->rate == 1 && k > 0) {
        mechanism->matrix.own_stages =
            mechanism->carry.is_resolved && k == 1 ? 0 : MIDPOINT_OWN_STAGES;
    }
    // The iteration is the last if only round-off is left, or there is no time for more.
    bool is_last = (before > 0.0 && moved > before && moved < MIDPOINT_AT_ONCE) ||
                   k + 1 == midpoint_get_most(mechanism, newton);
    return mechanism->carry.is_resolved || (is_last && moved < MIDPOINT_TOLERANCE);
}

// Is it about to leave the solution? In a stage that passes a singular position the rows halfway,
// which stand in the matrix, are not those at the end: shorter stages pass it step by step.
static bool midpoint_diverges(const tni_mechanism *mechanism, const tni_newton *newton,
                              double moved) {
    uint32_t k = newton->iteration;
    double before = newton->before;
    bool may_grow = mechanism->stage.taut_stages > 0 || newton->has_kept;
    double growth = may_grow ? MIDPOINT_GROWTH : 1.0;
    return k > 1 && before > 0.0 && moved > growth * before && moved > MIDPOINT_AT_ONCE;
}

// Does the factor serve once more? It does after a short way, and as long as iterations converge
// fast. An iteration that fails with it is taken back.
static bool midpoint_keeps_factor(const tni_mechanism *mechanism, double way, double moved,
                                  double before) {
    double most = before > 0.0 ? MIDPOINT_KEEP_RATE * before : MIDPOINT_KEEP_SHARE * way;
    return tni_mechanism_is_smooth(mechanism) && moved < most;
}

// Returns what the first iteration makes anew. The scales that a step's first stage takes serve the
// others too, where nothing touches and there are no springs, whose rows get their stiffness from
// their scales.
static midpoint_effort midpoint_get_first_effort(const tni_mechanism *mechanism) {
    bool takes_scales = !mechanism->matrix.has_scales || !tni_mechanism_is_smooth(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count && !takes_scales; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            takes_scales |= joint->actors[r].kind == TNI_ACTOR_SPRING;
        }
    }
    return takes_scales ? MIDPOINT_SCALES : MIDPOINT_SOFTNESS;
}

// Do the bodies turn little enough for the projection's factor? An error of impulses that go on
// through three stages is up to seven times as large in the next guess, and an iteration with that
// factor leaves about half of the turn of it.
static bool midpoint_turns_little(const tni_mechanism *mechanism, double h) {
    double most = MIDPOINT_OLD_TURN / h;
    bool is_slow = true;
    for (uint32_t i = 0; i < mechanism->moving_count && is_slow; ++i) {
        tni_dvec3 w = mechanism->bodies[i].motion.angular_velocity;
        is_slow = dvec3_dot(w, w) < most * most;
    }
    return is_slow;
}

// Does the stage begin with the projection's factor, that of the pose where it begins? It converges
// as the turn of half a stage, but from a good guess one iteration may be enough.
static bool midpoint_takes_old_factor(tni_mechanism *mechanism, double half) {
    if (!mechanism->matrix.has_factor || mechanism->carry.rise_count < 2 ||
        !tni_mechanism_is_smooth(mechanism) || !tni_mechanism_is_precise(mechanism)) {
        return false;
    }
    if (mechanism->matrix.own_stages > 0) {
        mechanism->matrix.own_stages -= 1;
        return false;
    }
    bool is_slow = midpoint_turns_little(mechanism, 2.0 * half);
    return !mechanism->traits.is_prescribed || (is_slow && !tni_actors_are_at_cap(mechanism, half));
}

// True if rows depend on others and the projection's factor makes more of their disagreement
// halfway than the joints push with at all: measured by what their impulses would do alone,
// squared.
static bool midpoint_is_stress(const tni_mechanism *mechanism) {
    double change = 0.0, all = 0.0;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        const double *d = tni_mechanism_of_joint(mechanism, i);
        const double *scales = mechanism->matrix.scales + joint->first_unknown;
        for (uint32_t r = 0; r < joint->equality_count; ++r) {
            change += scales[r] * d[r] * d[r];
            all += scales[r] * joint->impulse[r] * joint->impulse[r];
        }
    }
    return !(change <= all);
}

// Is it the solution of Newton's own iteration after another one, so that a secant may follow it?
static bool midpoint_may_keep(const tni_mechanism *mechanism, const tni_newton *newton) {
    return newton->effort >= MIDPOINT_FACTOR && newton->before > 0.0 &&
           mechanism->spans.count == 0 && !mechanism->touch.is_touched &&
           mechanism->matrix.dependent_rows > 0;
}

// Adds the solution, or the step of a secant. Returns how far the solution would go, m.
static double midpoint_take(tni_mechanism *mechanism, tni_newton *newton) {
    double moved = midpoint_get_move(mechanism, newton->times.t);
    bool may_keep = midpoint_may_keep(mechanism, newton);
    bool has_kept = newton->has_kept && may_keep;
    newton->has_kept = has_kept || (may_keep && moved > MIDPOINT_SLOW * newton->before);
    if (has_kept) {
        tni_mechanism_take_secant(mechanism);
    } else if (newton->has_kept) {
        tni_mechanism_keep_solution(mechanism);
    }
    midpoint_update(mechanism, 1.0);
    return moved;
}

typedef enum midpoint_outcome {
    MIDPOINT_GOES_ON,
    MIDPOINT_DONE,
    MIDPOINT_FAILED,
} midpoint_outcome;

// Adds the solution, where there is one, and chooses what the next iteration takes anew.
static midpoint_outcome midpoint_iterate(tni_mechanism *mechanism, tni_newton *newton) {
    bool is_sound = midpoint_solve(mechanism, newton);
    midpoint_times times = newton->times;
    double before = newton->before, moved = -1.0;
    uint32_t k = newton->iteration;
    if (newton->rate == 1 && k == 0 && mechanism->matrix.dependent_rows > 0 &&
        midpoint_is_stress(mechanism)) {
        mechanism->matrix.own_stages = MIDPOINT_OWN_STAGES;
        newton->rate = 0;
        newton->effort = MIDPOINT_FACTOR;
        return MIDPOINT_GOES_ON;
    }
    if (is_sound) {
        mechanism->report.iterations += 1;
        moved = midpoint_take(mechanism, newton);
        newton->way = midpoint_get_way(mechanism, times.t);
        bool has_rows =
            newton->effort >= MIDPOINT_FACTOR ||
            (newton->effort == MIDPOINT_RESIDUALS && mechanism->matrix.fresh_rows != NULL);
        newton->strayed = has_rows ? moved : newton->strayed + moved;
    }
    if (newton->effort <= MIDPOINT_RESIDUALS && k > 0 && !(moved < before)) {
        midpoint_update(mechanism, -1.0);
        newton->effort = MIDPOINT_FACTOR;
        return MIDPOINT_GOES_ON;
    }
    if (!(moved >= 0.0 && moved < 1e30) || midpoint_diverges(mechanism, newton, moved)) {
        return MIDPOINT_FAILED;
    }
    bool is_close = midpoint_is_close(mechanism, newton, moved);
    tni_actor_change change = midpoint_clamp_actors(mechanism, times, is_close, moved);
    if (is_close && change == TNI_ACTOR_SAME && k == 0 && newton->closes) {
        newton->effort = MIDPOINT_ROWS;
        newton->before = moved;
        return MIDPOINT_GOES_ON;
    }
    if (is_close && change == TNI_ACTOR_SAME) {
        return MIDPOINT_DONE;
    }
    if (change == TNI_ACTOR_FAR) {
        midpoint_restart(mechanism);
    }
    bool keeps = midpoint_keeps_factor(mechanism, newton->way, moved, before);
    newton->effort = change != TNI_ACTOR_SAME ? MIDPOINT_SOFTNESS
                     : keeps                  ? MIDPOINT_RESIDUALS
                                              : MIDPOINT_FACTOR;
    newton->before = change == TNI_ACTOR_SAME ? moved : 0.0;
    newton->rounds += is_close && newton->rounds < MIDPOINT_MAX_ROUNDS ? 1 : 0;
    return MIDPOINT_GOES_ON;
}

// ---- the end -----------------------------------------------------------------------------------

// Returns J v at the mean of the velocities before and after, which a stage of the midpoint rule
// has halfway: times the impulse it is the work.
static double midpoint_get_mean_speed(const tni_mechanism *mechanism,
                                      const tni_mechanism_joint *joint, uint32_t r,
                                      midpoint_times times) {
    const tni_mechanism_body *a = &mechanism->bodies[joint->a], *b = &mechanism->bodies[joint->b];
    double speed = tni_exact_row_speed(&joint->rows[r], &a->middle, &b->middle);
    if (midpoint_is_backward(times)) {
        speed = 0.5 * (speed + tni_exact_row_speed(&joint->rows[r], &a->motion, &b->motion));
    }
    return speed;
}

static void midpoint_note_actors(tni_mechanism *mechanism, tni_mechanism_joint *joint,
                                 midpoint_times times) {
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        double x = times.way / times.t * joint->impulse[r];
        joint->actors[r].sums.step_impulse += x;
        joint->actors[r].sums.work += x * midpoint_get_mean_speed(mechanism, joint, r, times);
    }
}

static void midpoint_note_reactions(tni_mechanism *mechanism, midpoint_times times,
                                    bool are_fresh) {
    double share = times.way / times.t;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const tni_exact_row *rows =
            are_fresh ? tni_mechanism_get_fresh(mechanism, joint) : joint->rows;
        if (joint->is_free) {
            tni_mechanism_note_pin(joint, rows, joint->impulse, share);
        }
        for (uint32_t r = 0; r < joint->row_count && !joint->is_free; ++r) {
            const tni_exact_row *row = r < joint->equality_count ? &rows[r] : &joint->rows[r];
            tni_mechanism_note_row(joint, r, row, share * joint->impulse[r]);
        }
        midpoint_note_actors(mechanism, joint, times);
    }
    tni_mechanism_spans_note(mechanism, share);
}

static void midpoint_finish_backward(tni_mechanism_body *body) {
    body->motion = body->end;
    body->motion.velocity = body->middle.velocity;
    body->motion.angular_velocity = body->middle.angular_velocity;
}

// Deduces the impulses that the joints gave a body from what it has gained: the equations of the
// momenta are used the other way round.
static void midpoint_deduce(tni_mechanism_body *body, tni_dvec3 spin, double half) {
    double thick = 1.0 + half * body->linear_damping;
    double stiff = 1.0 + half * body->angular_damping;
    tni_dvec3 before = dvec3_add_scaled(body->motion.velocity, half, body->acceleration);
    tni_dvec3 gain = dvec3_sub(dvec3_scale(body->middle.velocity, thick), before);
    tni_dvec3 turned = dvec3_sub(dvec3_scale(spin, stiff), body->momentum);
    turned = dquat_rotate(dquat_conjugate(body->back), turned);
    body->linear = dvec3_scale(gain, body->mass);
    body->angular = dvec3_add_scaled(turned, -half, body->torque);
}

static void midpoint_finish_body(tni_mechanism_body *body, double half, bool deduces) {
    tni_dvec3 w = body->middle.angular_velocity;
    tni_dmat3 inertia = inertia_in_world(&body->inertia, body->middle.rotation);
    tni_dvec3 spin = dmat3_mul_vec(&inertia, w);
    if (deduces) {
        midpoint_deduce(body, spin, half);
    }
    tni_dvec3 torque = dvec3_add_scaled(body->angular, half, body->torque);
    torque = dvec3_add_scaled(torque, -half * body->angular_damping, spin);
    // The turn from the axes halfway to those at the end is the turn from start to halfway once
    // more.
    tni_dvec3 momentum = dvec3_add(spin, dquat_rotate(dquat_conjugate(body->back), torque));
    body->motion.velocity =
        dvec3_add_scaled(dvec3_scale(body->middle.velocity, 2.0), -1.0, body->motion.velocity);
    tni_dvec3 w_before = body->motion.angular_velocity;
    body->motion.position = body->end.position;
    body->motion.rotation = body->end.rotation;
    if (body->locks >= TN_BODY_LOCK_ANGULAR_X) {
        body->motion.angular_velocity = dvec3_add_scaled(dvec3_scale(w, 2.0), -1.0, w_before);
        return;
    }
    tni_dmat3 inverse = inertia_inverse_in_world(&body->inertia, body->motion.rotation);
    body->motion.angular_velocity = dmat3_mul_vec(&inverse, momentum);
}

// May impulses be deduced? The rows of a precise mechanism that has hardly moved since they were
// made show well enough where the joints push, and its momenta show how much: these equations are
// solved. An iteration with an older factor has made rows of its own, and keeps them for this if
// there is room.
static bool midpoint_may_deduce(const tni_mechanism *mechanism, const tni_newton *newton) {
    double share =
        mechanism->traits.is_prescribed ? MIDPOINT_STRAY_SHARE_PRESCRIBED : MIDPOINT_STRAY_SHARE;
    double most = share * newton->way;
    bool may = tni_mechanism_is_precise(mechanism) && tni_mechanism_is_smooth(mechanism) &&
               !midpoint_is_backward(newton->times) && newton->strayed < most;
    for (uint32_t i = 0; i < mechanism->moving_count && may; ++i) {
        may = mechanism->bodies[i].locks == 0;
    }
    return may;
}

static void midpoint_finish(tni_mechanism *mechanism, const tni_newton *newton) {
    midpoint_times times = newton->times;
    bool deduces = midpoint_may_deduce(mechanism, newton);
    midpoint_move(mechanism, times);
    bool are_fresh =
        deduces && newton->effort == MIDPOINT_RESIDUALS && mechanism->matrix.fresh_rows != NULL;
    if (!deduces) {
        // The last correction moved the bodies once more; a torque not of their last poses would
        // shake light links.
        tni_mechanism_emit(mechanism);
        tni_mechanism_apply_joints(mechanism);
    }
    midpoint_note_reactions(mechanism, times, are_fresh);
    if (tni_mechanism_is_precise(mechanism)) {
        tni_mechanism_note_rises(mechanism);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_body_motion *end = &mechanism->bodies[i].end;
        end->rotation = dquat_normalize(end->rotation);
    }
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        if (midpoint_is_backward(times)) {
            midpoint_finish_backward(&mechanism->bodies[i]);
        } else {
            midpoint_finish_body(&mechanism->bodies[i], times.t, deduces);
        }
    }
    for (uint32_t i = mechanism->moving_count;
         i < mechanism->body_count && !mechanism->stage.is_hung_still; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].end;
    }
    for (uint32_t i = 0; i < mechanism->joint_count && midpoint_is_backward(times); ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = 0; r < joint->row_count; ++r) {
            joint->impulse[r] *= 0.5;
        }
    }
    if (midpoint_is_backward(times)) {
        tni_mechanism_spans_scale_impulses(mechanism, 0.5);
    }
    mechanism->times.now = mechanism->times.end;
}

void tni_midpoint_begin(tni_mechanism *mechanism, double h, bool is_backward, tni_newton *newton) {
    newton->times.t = is_backward ? h : 0.5 * h;
    newton->times.way = h;
    newton->iteration = newton->rounds = 0;
    newton->before = 0.0;
    newton->strayed = DBL_MAX;
    newton->has_kept = false;
    mechanism->times.middle = mechanism->times.now + newton->times.t;
    mechanism->times.end = mechanism->times.now + newton->times.way;
    tni_mechanism_spans_begin(mechanism);
    midpoint_start(mechanism);
    tni_mechanism_guess(mechanism);
    mechanism->stage.is_hung_still = midpoint_is_hung_still(mechanism);
    mechanism->report.stages += 1;
    bool is_old = !is_backward && midpoint_takes_old_factor(mechanism, newton->times.t);
    if (is_old || !midpoint_needs_no_impulses(mechanism)) {
        tni_mechanism_guess_impulses(mechanism);
    }
    newton->rate = is_old ? 1 : 0;
    newton->effort = is_old ? MIDPOINT_RESIDUALS : midpoint_get_first_effort(mechanism);
    mechanism->matrix.has_factor = false;
}

bool tni_midpoint_converge(tni_mechanism *mechanism, tni_newton *newton) {
    midpoint_outcome outcome = midpoint_iterate(mechanism, newton);
    while (outcome == MIDPOINT_GOES_ON &&
           newton->iteration + 1 < midpoint_get_most(mechanism, newton)) {
        newton->iteration += 1;
        outcome = midpoint_iterate(mechanism, newton);
    }
    if (outcome != MIDPOINT_DONE) {
        return false;
    }
    midpoint_finish(mechanism, newton);
    return true;
}
