// solver/exact/mechanism_actor.c: motors, springs and friction of a mechanism's joints inside its
// stage.
//
// They are rows of the same matrix (t half of the stage, x the impulse over it, halfway poses):
//     speed    J v_1 = target at the end, v_1 = 2 V - v_0       residual J V - (target + J v_0) / 2
//     spring   x/t + k C + c (J V - target) = 0                  residual that over s = k t + c,
//              and C moves by t dV                               E = 1 / (t s)
// so that a spring is integrated by the midpoint rule with all that it pulls on, to second order.
// A spring that is too stiff for the stage would ring by that rule: its v_1 = 2 V - v_0 changes its
// sign in every stage. There C and J V are those of the end, and C once more t v_1 further on, in
// the share p:
//     C -> C + p t (J V + J v_1),  J V -> J V + p (J v_1 - J V),  s -> k t (1 + 3 p) + c (1 + p)
// With p = 1 a spring without end comes to rest at C = 0 in two stages. A row whose |x| would pass
// max_force t is at its cap: its impulse stays what it is (E large). Friction is a speed of zero
// with a cap. An actor that was at its cap in the last stage begins there: a motor that pulls at
// what cannot move has no solution to begin with. It comes back where the body is faster than the
// motor wants. A soft limit is a spring of this kind with x >= 0. If it begins open and would be
// passed, open for the share r of its way, p is r^2 / 2, which takes as much from the motion as the
// spring then has (solver/joints/joint_bounded.c), and there is no damping. It lets go where it
// would pull. A limit that pushes stays at C = 0 through the stage: its work, 2 x (C_1 - C_0) / h,
// is nothing, and a taut rope is a rod. It lets go where its impulse would pull. Limits that come
// to push are found by the projection (mechanism_project.c), which takes the speed into them away.
// The stage finds what that does not foresee: a limit without restitution that would end passed
// pushes from then on, once in a stage, and when all others stand. One that is passed all the same,
// C_0 < 0, is left as far passed as it is, C_1 = C_0. Closing it would do the work above, and v_1 =
// 2 V - v_0 would throw it back with 2 |C_0| / h, which stays where the limit then lets go. The
// projection puts it back, without speed. A motor that pushes into a limit of its own value is
// held: it takes no part, and the limit's impulse is the sum of both. It is let go where that comes
// below -max_force t, which it never does where there is no cap. Two rows that want two speeds of
// one value have no solution. If a limit elsewhere stands against a motor, through the joints
// between them, only the impulse shows it: it is that of E, ten powers of ten too large. Then the
// motor rests for the stage, and the limit pulls as well as it pushes, so that the stage ends at
// it. From there on the motor holds what it drives where it is. If rigid rows alone stand against
// it, which then depend on each other and on its own, it rests as well: the mechanism is jammed,
// and every stage asks again whether it still is.
//
// Source: the implicit spring as a compliant row: M. Servin, C. Lacoursiere, N. Melin, "Interactive
// simulation of elastic deformable materials", SIGRAD 2006.
// Test: tests/solver/exact/test_mechanism_actor.c, tests/joints/test_limit_energy.c
#include <string.h>

#include "solver/exact/mechanism.h"

// t (k t + c) over the row's own mass, (omega t)^2 of a spring alone: a stage resolves a spring up
// to RESOLVED, and from TOO_STIFF on p is 1.
#define ACTOR_RESOLVED  0.25
#define ACTOR_TOO_STIFF 4.0

// E of a row that takes no part is this many times its own response.
#define ACTOR_OUT 1e12
// m or rad: a limit farther from its end than this, and than what it may go, rests.
#define ACTOR_NEAR 0.1
// Levers may take a value elsewhere this many times farther than a motor.
#define ACTOR_LEVER 10.0
// m or rad: a limit that a stage passes by no more than this is not.
#define ACTOR_PASSED 1e-7
// m or rad: a limit that is this near to its end is reached.
#define ACTOR_REACHED 1e-6
// A cap is passed by more than this share before it counts, so that round-off does not; and an
// impulse this near to it, as a float keeps it, is at it.
#define ACTOR_OVER_CAP 1e-9
#define ACTOR_AT_CAP   1e-6
// A motor that gives this share of its cap, or less, is far from its cap.
#define ACTOR_EASY 0.5
// At this many times its cap, a row makes the other rows' solution useless.
#define ACTOR_FAR_OVER_CAP 10.0
// rad: a motor that turns by more than this in a stage is fast.
#define ACTOR_FAST_TURN 1.0
// The square of the sine of the angle between a limit's axis and the turns that other rows leave to
// it: below this they hold its turn as well.
#define ACTOR_LEFT 1e-6
// The square of what limits leave of a row of a motor about all axes, which is of length 1: where
// it is less the others have all that is left.
#define ACTOR_NOTHING 1e-6
// At this many times the impulse that gives its own row its speed, a motor works against a limit.
#define ACTOR_ABSURD 1e7
// The same ratio counts for a motor against rigid rows, where there is no limit.
#define ACTOR_JAMMED 1e8
// m/s or rad/s: slower ones count as this fast, since their loads are those of gravity.
#define ACTOR_SLOWEST 1e-2

static tni_actor_kind actor_get_kind(const tni_row *row) {
    return row->kind == TNI_ROW_SPEED ? TNI_ACTOR_SPEED
           : tni_row_is_spring(row)   ? TNI_ACTOR_SPRING
                                      : TNI_ACTOR_LIMIT;
}

void tni_mechanism_find_actors(tni_mechanism_joint *joint) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_body_motion still = {.rotation = dquat_identity()};
    tni_row_count count = tni_joint_count_rows(joint->joint);
    joint->row_count = joint->equality_count = joint->all_count = count.equalities;
    joint->awake = UINT32_MAX;
    joint->has_limits = false;
    // The other rows of a joint like that are turns.
    joint->is_pin = count.point_rows == TNI_PIN_POINT_ROWS;
    joint->is_slide = count.point_rows == TNI_PIN_SLIDE_ROWS;
    if (count.rows == count.equalities) {
        return;
    }
    tni_joint_emit(joint->joint, &still, &still, rows);
    for (uint32_t i = count.equalities; i < count.rows; ++i) {
        if (joint->row_count < TNI_MECHANISM_MAX_ROWS) {
            tni_mechanism_actor *actor = &joint->actors[joint->row_count++];
            actor->kind = actor_get_kind(&rows[i]);
            actor->row = i;
            joint->has_limits |= actor->kind == TNI_ACTOR_LIMIT;
        }
    }
    joint->all_count = joint->row_count;
}

// Returns how far motors and springs may drive a value in a time, beside the way that its own speed
// takes it.
static double actors_get_driven_way(const tni_row *rows, uint32_t first, uint32_t last,
                                    double time) {
    double way = 0.0;
    for (uint32_t i = first; i < last; ++i) {
        if (tni_row_drives(&rows[i])) {
            double error = tni_row_is_spring(&rows[i]) ? fabs((double)rows[i].error) : 0.0;
            way = maths_max_d(way, time * fabs((double)rows[i].target_speed) + error);
        }
    }
    return way;
}

// May something meet the limit within a time? The value may go twice as fast as it does now, and as
// far as it is driven.
static bool actor_is_near(const tni_row *row, const tni_body_motion *a, const tni_body_motion *b,
                          double time, double driven) {
    double speed = tni_row_get_speed(row, a, b);
    double closing = maths_max_d(speed < 0.0 ? -2.0 * time * speed : 0.0, driven);
    return !((double)row->error > ACTOR_NEAR + closing);
}

double tni_actors_get_driven_way(const tni_mechanism_joint *joint, const tni_body_motion *a,
                                 const tni_body_motion *b, double time) {
    bool drives = false;
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        drives |= joint->actors[r].kind != TNI_ACTOR_LIMIT;
    }
    if (!drives) {
        return 0.0;
    }
    tni_row rows[TNI_JOINT_MAX_ROWS];
    uint32_t count = tni_joint_count_rows(joint->joint).rows;
    tni_joint_emit(joint->joint, a, b, rows);
    return actors_get_driven_way(rows, joint->equality_count, count, time);
}

bool tni_actors_rest(tni_mechanism_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                     const bool *pushes, double time, double driven) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    uint32_t before = joint->awake, first = joint->equality_count, count = first;
    uint32_t rows_count = tni_joint_count_rows(joint->joint).rows, taken = first;
    tni_joint_emit(joint->joint, a, b, rows);
    double own = actors_get_driven_way(rows, first, rows_count, 2.0 * time);
    driven = maths_max_d(own, ACTOR_LEVER * driven);
    joint->awake = 0;
    for (uint32_t i = first; i < rows_count && taken < joint->all_count; ++i, ++taken) {
        tni_actor_kind kind = actor_get_kind(&rows[i]);
        if (kind != TNI_ACTOR_LIMIT || pushes[i] || actor_is_near(&rows[i], a, b, time, driven)) {
            joint->actors[count].kind = kind;
            joint->actors[count++].row = i;
            joint->awake |= 1u << (i - first);
        }
    }
    joint->row_count = count;
    return joint->awake != before;
}

// ---- motors that push into limits ---------------------------------------------------------------

// Returns 1 where two rows are of the same value, -1 where one goes against the other, else 0.
static double actors_compare(const tni_mechanism_joint *joint, uint32_t r, uint32_t q) {
    const double *of_r = joint->rows[r].jacobian, *of_q = joint->rows[q].jacobian;
    bool is_same = true, is_turned = true;
    for (uint32_t c = 0; c < 12; ++c) {
        is_same = is_same && of_r[c] == of_q[c];
        is_turned = is_turned && of_r[c] == -of_q[c];
    }
    return is_same ? 1.0 : is_turned ? -1.0 : 0.0;
}

// Returns the limit that bears the force of a motor, or TNI_NONE.
static uint32_t actors_find_stop(const tni_mechanism_joint *joint, uint32_t r) {
    double target = joint->actors[r].target_speed;
    for (uint32_t q = joint->equality_count; q < joint->row_count && target != 0.0; ++q) {
        const tni_mechanism_actor *limit = &joint->actors[q];
        if (limit->kind == TNI_ACTOR_LIMIT && !limit->is_out &&
            actors_compare(joint, r, q) * target < 0.0) {
            return q;
        }
    }
    return TNI_NONE;
}

static bool actors_is_turning_motor(const tni_mechanism_actor *actor) {
    return actor->kind == TNI_ACTOR_SPEED && actor->group == 3 && actor->role == TNI_ROLE_MOTOR;
}

// A motor about all axes, three rows, that drives into a limit leaves the turn about the limit's
// axis to it. With s_i = e_i n of the rows' axes e and the limit's n, and |s|^2 = S:
//     e_i -= s_i / S  sum_j s_j e_j,     target_i -= s_i / S  sum_j s_j target_j
// The motor's impulse along that turn moves nothing then, and is dropped: motor and limit may have
// given it against each other before.
static void actors_leave_turn(tni_mechanism_joint *joint, uint32_t motor, uint32_t limit) {
    double s[3], speed = 0.0, square = 0.0, given = 0.0;
    for (uint32_t i = 0; i < 3; ++i) {
        s[i] = dvec3_dot(joint->rows[motor + i].ang_b, joint->rows[limit].ang_b);
        speed += s[i] * joint->actors[motor + i].target_speed;
        given += s[i] * joint->impulse[motor + i];
        square += s[i] * s[i];
    }
    if (!(speed < 0.0) || square < ACTOR_LEFT) {
        return;
    }
    joint->actors[limit].held_by = motor;
    for (uint32_t c = 0; c < 12; ++c) {
        double sum = 0.0;
        for (uint32_t i = 0; i < 3; ++i) {
            sum += s[i] * joint->rows[motor + i].jacobian[c];
        }
        for (uint32_t i = 0; i < 3; ++i) {
            joint->rows[motor + i].jacobian[c] -= s[i] / square * sum;
        }
    }
    for (uint32_t i = 0; i < 3; ++i) {
        joint->actors[motor + i].target_speed -= s[i] / square * speed;
        joint->impulse[motor + i] -= s[i] / square * given;
    }
}

// Has a row of which nothing is left take no part: it would push with the round-off of its error
// over the round-off of its response.
static void actors_leave_row(tni_mechanism_joint *joint, uint32_t r) {
    if (dvec3_dot(joint->rows[r].ang_b, joint->rows[r].ang_b) < ACTOR_NOTHING) {
        memset(joint->rows[r].jacobian, 0, sizeof joint->rows[r].jacobian);
        joint->actors[r].target_speed = 0.0;
        joint->impulse[r] = 0.0;
    }
}

static void actors_leave_turns(tni_mechanism_joint *joint, uint32_t motor) {
    for (uint32_t q = motor + 3; q < joint->row_count; ++q) {
        if (joint->actors[q].kind == TNI_ACTOR_LIMIT && !joint->actors[q].is_out) {
            actors_leave_turn(joint, motor, q);
        }
    }
    for (uint32_t i = 0; i < 3; ++i) {
        actors_leave_row(joint, motor + i);
    }
}

bool tni_actors_hold(tni_mechanism_joint *joint) {
    bool has_changed = false;
    for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
        if (actors_is_turning_motor(&joint->actors[r])) {
            actors_leave_turns(joint, r);
            r += 2;
        }
    }
    for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        if (actor->kind != TNI_ACTOR_SPEED || actor->group != 1 || actor->is_stalled) {
            continue;
        }
        uint32_t stop = actors_find_stop(joint, r);
        bool is_held = stop != TNI_NONE;
        actor->held_by = stop;
        if (is_held != actor->is_held) {
            actor->is_held = actor->is_out = is_held;
            joint->impulse[r] = 0.0;
            has_changed = true;
        }
    }
    return has_changed;
}

static bool actor_is_reached(const tni_mechanism_actor *limit) {
    return !(maths_max_d(limit->open, -limit->passed) > ACTOR_REACHED);
}

// At the beginning of the stage: is a limit reached, and does each one that pushes stand at its
// end?
static bool actors_are_at_limits(const tni_mechanism *mechanism) {
    bool is_at = false;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            bool is_limit = actor->kind == TNI_ACTOR_LIMIT, is_reached = actor_is_reached(actor);
            if (is_limit && !actor->is_out && !is_reached) {
                return false;
            }
            is_at |= is_limit && is_reached;
        }
    }
    return is_at;
}

void tni_actors_leave_limits(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
            joint->actors[r].is_out |= joint->actors[r].kind == TNI_ACTOR_LIMIT;
            joint->impulse[r] = joint->actors[r].kind == TNI_ACTOR_LIMIT ? 0.0 : joint->impulse[r];
        }
        tni_actors_hold(joint);
    }
}

void tni_actors_leave_far_limits(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            actor->is_out |= actor->kind == TNI_ACTOR_LIMIT && !actor_is_reached(actor);
        }
    }
}

// Lets limits pull if they push with an impulse over the mass of their row that is more than
// `most`, which is more than any mass could ask for.
static void actors_let_limits_pull(const tni_mechanism *mechanism, double most) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        const double *scales = mechanism->matrix.scales + joint->first_unknown;
        for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            actor->may_pull = actor->kind == TNI_ACTOR_LIMIT && !actor->is_out &&
                              fabs(joint->impulse[r]) * scales[r] > most;
        }
    }
}

static bool actors_any_limit_pushes(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
            if (joint->actors[r].kind == TNI_ACTOR_LIMIT && !joint->actors[r].is_out) {
                return true;
            }
        }
    }
    return false;
}

static void actors_set_stalled(tni_mechanism_joint *joint, uint32_t r) {
    tni_mechanism_actor *actor = &joint->actors[r];
    actor->is_stalled = actor->is_held = actor->is_out = true;
    actor->holds = false;
    actor->held_by = TNI_NONE;
    joint->impulse[r] = 0.0;
}

// Makes stalled motors hold, so that they give the force that a limit would otherwise have to pull
// with.
static void actors_hold_stalled(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            if (actor->is_stalled && !actor->holds) {
                actor->holds = true;
                actor->is_held = actor->is_out = false;
            }
        }
    }
}

bool tni_actors_stall(const tni_mechanism *mechanism, tni_mechanism_joint *joint, uint32_t r,
                      double x, double half) {
    const tni_mechanism_actor *actor = &joint->actors[r];
    bool may_work = actor->role == TNI_ROLE_MOTOR && actor->group == 1 && !actor->is_out;
    if (!may_work || tni_actor_get_target(actor) == 0.0) { // what brakes is no limit's enemy
        return false;
    }
    double speed = tni_exact_row_speed(&joint->rows[r], &mechanism->bodies[joint->a].motion,
                                       &mechanism->bodies[joint->b].motion);
    double least = maths_max_d(fabs(actor->target_speed) + fabs(speed), ACTOR_SLOWEST);
    double scale = mechanism->matrix.scales[joint->first_unknown + r];
    double own =
        maths_min_d(fabs(x), half * actor->max_force) * scale; // what a cap lets it have is found
    bool is_limited = own > ACTOR_ABSURD * least && actors_any_limit_pushes(mechanism);
    bool is_jammed = own > ACTOR_JAMMED * least && mechanism->matrix.dependent_rows > 0;
    if (!is_limited && !is_jammed) {
        return false;
    }
    actors_set_stalled(joint, r);
    if (!actors_are_at_limits(mechanism)) {
        actors_let_limits_pull(mechanism, ACTOR_ABSURD * ACTOR_SLOWEST);
    }
    return true;
}

double tni_actors_get_push(const tni_mechanism_joint *joint, uint32_t limit, double half) {
    uint32_t turning = joint->actors[limit].held_by;
    double push = turning == TNI_NONE ? 0.0 : half * joint->actors[turning].max_force;
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        const tni_mechanism_actor *actor = &joint->actors[r];
        push += actor->is_held && actor->held_by == limit ? half * actor->max_force : 0.0;
    }
    return push;
}

void tni_actors_leave_limit(tni_mechanism_joint *joint, uint32_t limit, double half) {
    joint->actors[limit].is_out = true;
    joint->actors[limit].held_by = TNI_NONE;
    joint->impulse[limit] = 0.0;
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        if (actor->is_held && actor->held_by == limit) {
            actor->is_held = false;
            joint->impulse[r] = copysign(half * actor->max_force, actor->target_speed);
        }
    }
}

// Did it end the last stage at its cap? Limits have none, and a cap for several rows does not
// count.
static bool actor_is_at_cap(const tni_mechanism_joint *joint, uint32_t r, double half) {
    const tni_mechanism_actor *actor = &joint->actors[r];
    double least = half * actor->max_force * (1.0 - ACTOR_AT_CAP);
    return actor->kind == TNI_ACTOR_SPEED && actor->group == 1 && fabs(joint->impulse[r]) >= least;
}

bool tni_actors_are_at_cap(const tni_mechanism *mechanism, double half) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            if (actor_is_at_cap(joint, r, half)) {
                return true;
            }
        }
    }
    return false;
}

bool tni_actors_hold_speeds(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            if (actor->kind == TNI_ACTOR_SPRING ||
                (actor->kind == TNI_ACTOR_SPEED && actor->is_out)) {
                return false;
            }
        }
    }
    return true;
}

bool tni_actors_hold_easily(const tni_mechanism *mechanism, double half) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            double most = ACTOR_EASY * half * actor->max_force;
            bool is_far = actor->group == 1 ? fabs(joint->impulse[r]) <= most : isinf(most);
            if (actor->kind != TNI_ACTOR_SPEED || !is_far) {
                return false;
            }
        }
    }
    return true;
}

// Starts a soft limit by the way that the guess takes it.
static void actor_start_soft_limit(const tni_mechanism *mechanism, tni_mechanism_joint *joint,
                                   uint32_t r, double half) {
    tni_mechanism_actor *actor = &joint->actors[r];
    double way = half * tni_exact_row_speed(&joint->rows[r], &mechanism->bodies[joint->a].middle,
                                            &mechanism->bodies[joint->b].middle);
    double before = actor->error - way, after = actor->error + way;
    actor->is_inside = before < 0.0;
    actor->is_out = !actor->is_inside && !(after < 0.0);
    double open = actor->is_inside || actor->is_out ? 0.0 : before / (before - after);
    actor->open_share = 0.5 * open * open;
    joint->impulse[r] = actor->is_out ? 0.0 : joint->impulse[r];
}

static void actors_measure_all_limits(tni_mechanism_joint *joint, const tni_body_motion *a,
                                      const tni_body_motion *b) {
    double errors[TNI_JOINT_MAX_ROWS];
    tni_joint_measure_limits(joint->joint, a, b, errors);
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        if (actor->kind == TNI_ACTOR_LIMIT) {
            actor->error = errors[actor->row];
        }
    }
}

void tni_actors_measure_limits(tni_mechanism_joint *joint, const tni_body_motion *a,
                               const tni_body_motion *b) {
    bool any = false;
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        any |= joint->actors[r].kind == TNI_ACTOR_LIMIT && !joint->actors[r].is_out;
    }
    joint->knows_limits = any;
    if (any) {
        actors_measure_all_limits(joint, a, b);
    }
}

static void actors_start_limits(const tni_mechanism *mechanism, tni_mechanism_joint *joint) {
    actors_measure_all_limits(joint, &mechanism->bodies[joint->a].motion,
                              &mechanism->bodies[joint->b].motion);
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        actor->passed = actor->error < 0.0 ? actor->error : 0.0;
        actor->open = actor->error > 0.0 ? actor->error : 0.0;
    }
}

void tni_actors_note_passed(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (mechanism->joints[i].has_limits) {
            actors_start_limits(mechanism, &mechanism->joints[i]);
        }
    }
}

bool tni_actors_take_passed(tni_mechanism *mechanism) {
    bool any = false;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        if (joint->has_limits) {
            actors_measure_all_limits(joint, &mechanism->bodies[joint->a].motion,
                                      &mechanism->bodies[joint->b].motion);
        }
        for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            if (actor->kind == TNI_ACTOR_LIMIT && actor->is_out &&
                actor->error < actor->passed - ACTOR_PASSED) {
                actor->is_out = false;
                actor->closes = any = true;
            }
        }
    }
    return any;
}

void tni_actors_leave_passed(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            actor->is_out |= actor->closes;
            actor->closes = false;
        }
    }
}

// A motor that turns by more than this in a stage, rad, may be past both ends of a range at its
// end, or in it again: the end that it drives to takes part from the start.
static void actors_foresee_limits(tni_mechanism_joint *joint, double half) {
    for (uint32_t r = joint->equality_count; r < joint->row_count && joint->has_limits; ++r) {
        const tni_mechanism_actor *motor = &joint->actors[r];
        double way = 2.0 * half * fabs(motor->target_speed);
        bool is_fast = motor->kind == TNI_ACTOR_SPEED && motor->group == 1 && way > ACTOR_FAST_TURN;
        for (uint32_t q = joint->equality_count; q < joint->row_count && is_fast; ++q) {
            tni_mechanism_actor *limit = &joint->actors[q];
            if (limit->kind == TNI_ACTOR_LIMIT && limit->is_out && limit->error < way &&
                actors_compare(joint, r, q) * motor->target_speed < 0.0) {
                limit->is_out = false;
            }
        }
    }
}

// Decides whether a motor goes on stalling at the start of a stage: one that holds goes on holding,
// and one that took no part still takes none.
static void actors_start_stalled(tni_mechanism_joint *joint, uint32_t r, bool is_at_limits) {
    tni_mechanism_actor *actor = &joint->actors[r];
    bool brakes = joint->impulse[r] * actor->target_speed < 0.0; // the limit is there for that
    actor->is_stalled = actor->is_stalled && is_at_limits && !(actor->holds && brakes);
    actor->holds = actor->holds && actor->is_stalled;
    if (actor->is_stalled && !actor->holds) {
        actors_set_stalled(joint, r);
    }
}

void tni_actors_start(tni_mechanism *mechanism, double half) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        if (mechanism->joints[i].has_limits) {
            actors_start_limits(mechanism, &mechanism->joints[i]);
        }
    }
    bool is_at_limits = actors_are_at_limits(mechanism);
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        tni_springs_start(mechanism, joint);
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            actor->has_come_back = actor->may_pull = false;
            if (actor->is_one_sided) {
                actor_start_soft_limit(mechanism, joint, r, half);
            } else if (actor->kind != TNI_ACTOR_LIMIT) {
                actor->is_out = actor_is_at_cap(joint, r, half);
                actor->is_held = false;
                actors_start_stalled(joint, r, is_at_limits);
            }
        }
        actors_foresee_limits(joint, half);
        tni_actors_hold(joint);
    }
    if (mechanism->stage.leaves_limits) {
        tni_actors_leave_limits(mechanism);
    }
}

// Takes every motor and drive with a cap out: it bears no blow beyond its cap.
void tni_actors_give_way(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            actor->is_out |= actor->kind != TNI_ACTOR_LIMIT && isfinite(actor->max_force);
        }
    }
}

void tni_actors_emit(tni_mechanism_joint *joint, const tni_body_motion *a,
                     const tni_body_motion *b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_joint_emit_actors(joint->joint, a, b, rows);
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        const tni_row *row = &rows[actor->row];
        for (uint32_t c = 0; c < 12; ++c) {
            joint->rows[r].jacobian[c] = (double)row->jacobian[c];
        }
        joint->rows[r].error = actor->error = (double)row->error;
        actor->role = row->role;
        actor->group = row->group;
        actor->target_speed = (double)row->target_speed;
        actor->form = row->kind;
        actor->is_one_sided = row->kind == TNI_ROW_SOFT_LIMIT;
        actor->restitution = (double)row->restitution;
        actor->given[0] = (double)row->stiffness;
        actor->given[1] = (double)row->damping;
        if (!tni_springs_go_by_mass(actor)) {
            actor->stiffness = actor->given[0];
            actor->damping = actor->given[1];
        }
        actor->max_force = (double)row->max_force;
        actor->held_by = actor->kind == TNI_ACTOR_SPEED ? actor->held_by : TNI_NONE;
    }
    tni_actors_hold(joint);
}

// Returns c, which a soft limit has only where it was passed.
static double actors_get_damping(const tni_mechanism_actor *actor) {
    return actor->is_one_sided && !actor->is_inside ? 0.0 : actor->damping;
}

static double actors_get_end_share(const tni_mechanism_actor *actor, double scale, double half) {
    double stiff = half * (half * actor->stiffness + actors_get_damping(actor)) * scale;
    double share = (stiff - ACTOR_RESOLVED) / (ACTOR_TOO_STIFF - ACTOR_RESOLVED);
    return share < 0.0 ? 0.0 : (share > 1.0 ? 1.0 : share);
}

// Returns p.
static double actors_get_share(const tni_mechanism_actor *actor) {
    bool is_open = actor->is_one_sided && actor->open_share > actor->end_share;
    return is_open ? actor->open_share : actor->end_share;
}

// Returns s of a spring.
static double actors_get_slope(const tni_mechanism_actor *actor, double half) {
    double p = actors_get_share(actor);
    return half * actor->stiffness * (1.0 + 3.0 * p) + actors_get_damping(actor) * (1.0 + p);
}

void tni_actors_soften(tni_mechanism_joint *joint, const double *scales, double half) {
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_mechanism_actor *actor = &joint->actors[r];
        actor->end_share = actors_get_end_share(actor, scales[r], half);
        double s = half * actors_get_slope(actor, half);
        if (actor->is_out || (actor->kind == TNI_ACTOR_SPRING && !(s > 0.0))) {
            joint->softness[r] = ACTOR_OUT * scales[r];
        } else if (actor->kind == TNI_ACTOR_SPRING) {
            joint->softness[r] = 1.0 / s;
        }
    }
}

// Returns how much too fast a row is where the stage's forces stand, so that it ends at its target
// speed; or so that it has this speed already halfway (`holds`).
static double actors_get_speed_fault(const tni_mechanism_joint *joint, uint32_t r,
                                     const tni_mechanism_body *a, const tni_mechanism_body *b,
                                     bool holds) {
    double speed = tni_exact_row_speed(&joint->rows[r], &a->middle, &b->middle);
    double before = tni_exact_row_speed(&joint->rows[r], &a->motion, &b->motion);
    double target = tni_actor_get_target(&joint->actors[r]);
    return speed - (holds ? target : 0.5 * (target + before));
}

// Returns the force that is missing at a spring.
static double actors_get_spring_fault(const tni_mechanism_joint *joint, uint32_t r,
                                      const tni_mechanism_body *a, const tni_mechanism_body *b,
                                      double half) {
    const tni_mechanism_actor *actor = &joint->actors[r];
    double speed = tni_exact_row_speed(&joint->rows[r], &a->middle, &b->middle);
    double gain = speed - tni_exact_row_speed(&joint->rows[r], &a->motion, &b->motion);
    double p = actors_get_share(actor);
    double error = actor->error + p * half * (2.0 * speed + gain);
    return joint->impulse[r] / half + actor->stiffness * error +
           actors_get_damping(actor) * (speed + p * gain - actor->target_speed);
}

void tni_actors_balance(const tni_mechanism *mechanism, const tni_mechanism_joint *joint,
                        double half, double way, double *residual) {
    const tni_mechanism_body *a = &mechanism->bodies[joint->a], *b = &mechanism->bodies[joint->b];
    bool holds = way == half || mechanism->stage.is_open;
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        const tni_mechanism_actor *actor = &joint->actors[r];
        double s = actors_get_slope(actor, half);
        if (actor->is_out || (actor->kind == TNI_ACTOR_SPRING && !(s > 0.0))) {
            residual[r] = 0.0;
        } else if (actor->kind == TNI_ACTOR_SPRING) {
            residual[r] = actors_get_spring_fault(joint, r, a, b, half) / s;
        } else if (actor->kind == TNI_ACTOR_LIMIT) {
            double gone = actor->error - actor->passed;
            residual[r] = gone / way + joint->softness[r] * joint->impulse[r];
        } else {
            residual[r] = actors_get_speed_fault(joint, r, a, b, holds);
        }
    }
}

static tni_actor_change actors_clamp_group(tni_mechanism_joint *joint, uint32_t first,
                                           double half) {
    uint32_t count = joint->actors[first].group == 3 ? 3 : 1;
    double square = 0.0, most = half * joint->actors[first].max_force;
    for (uint32_t r = first; r < first + count; ++r) {
        square += joint->impulse[r] * joint->impulse[r];
    }
    double length = sqrt(square);
    if (!(length > most * (1.0 + ACTOR_OVER_CAP)) || joint->actors[first].is_out) {
        return TNI_ACTOR_SAME;
    }
    for (uint32_t r = first; r < first + count; ++r) {
        joint->impulse[r] *= most / length;
        joint->actors[r].is_out = true;
    }
    return length > most * ACTOR_FAR_OVER_CAP ? TNI_ACTOR_FAR : TNI_ACTOR_CHANGED;
}

static tni_actor_change actors_let_go(tni_mechanism *mechanism, tni_mechanism_joint *joint,
                                      uint32_t r, double half) {
    tni_mechanism_actor *actor = &joint->actors[r];
    if (actor->is_out || actor->may_pull ||
        !(joint->impulse[r] < -tni_actors_get_push(joint, r, half))) {
        return TNI_ACTOR_SAME;
    }
    tni_actors_leave_limit(joint, r, half);
    if (actor->kind == TNI_ACTOR_LIMIT && actor_is_reached(actor)) {
        actors_hold_stalled(mechanism);
    }
    return TNI_ACTOR_CHANGED;
}

// Takes an actor off its cap where it would push a value that is past its target speed already; it
// does so once in a stage.
static tni_actor_change actors_come_back(const tni_mechanism *mechanism, tni_mechanism_joint *joint,
                                         uint32_t r) {
    tni_mechanism_actor *actor = &joint->actors[r];
    if (!actor->is_out || actor->has_come_back || actor->kind != TNI_ACTOR_SPEED) {
        return TNI_ACTOR_SAME;
    }
    double over = actors_get_speed_fault(joint, r, &mechanism->bodies[joint->a],
                                         &mechanism->bodies[joint->b], mechanism->stage.is_open);
    if (!(over * joint->impulse[r] > 0.0)) {
        return TNI_ACTOR_SAME;
    }
    actor->is_out = false;
    actor->has_come_back = true;
    return TNI_ACTOR_CHANGED;
}

// Lets a soft limit push that does not push where it should; it does so once in a stage.
static tni_actor_change actors_come_in(const tni_mechanism *mechanism, tni_mechanism_joint *joint,
                                       uint32_t r, double half) {
    tni_mechanism_actor *actor = &joint->actors[r];
    if (!actor->is_out || actor->has_come_back) {
        return TNI_ACTOR_SAME;
    }
    double fault = actors_get_spring_fault(joint, r, &mechanism->bodies[joint->a],
                                           &mechanism->bodies[joint->b], half);
    if (!(fault < 0.0)) {
        return TNI_ACTOR_SAME;
    }
    actor->is_out = false;
    actor->has_come_back = true;
    return TNI_ACTOR_CHANGED;
}

static tni_actor_change actors_clamp_soft_limit(tni_mechanism *mechanism,
                                                tni_mechanism_joint *joint, uint32_t r,
                                                double half) {
    tni_actor_change change = actors_let_go(mechanism, joint, r, half);
    return change == TNI_ACTOR_SAME ? actors_come_in(mechanism, joint, r, half) : change;
}

tni_actor_change tni_actors_clamp(tni_mechanism *mechanism, uint32_t index, double half,
                                  bool is_close) {
    tni_mechanism_joint *joint = &mechanism->joints[index];
    tni_actor_change most = TNI_ACTOR_SAME;
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        tni_actor_change change = TNI_ACTOR_SAME;
        if (joint->actors[r].kind == TNI_ACTOR_LIMIT) {
            change = is_close ? actors_let_go(mechanism, joint, r, half) : change;
        } else if (joint->actors[r].is_one_sided) {
            change = is_close ? actors_clamp_soft_limit(mechanism, joint, r, half) : change;
        } else if (joint->actors[r].kind == TNI_ACTOR_SPEED &&
                   tni_actors_stall(mechanism, joint, r, joint->impulse[r], half)) {
            change = TNI_ACTOR_FAR;
        } else if (joint->actors[r].group != 0) {
            change = actors_clamp_group(joint, r, half);
            if (is_close && change == TNI_ACTOR_SAME && joint->actors[r].group == 1) {
                change = actors_come_back(mechanism, joint, r);
            }
        }
        most = change > most ? change : most;
    }
    return most;
}

// Lets a limit push that the stage would pass, once in each stage. A value that is thrown at one
// that bounces passes it (solver/exact/mechanism_bounce.c), but not one that is pressed against it,
// nor by more than the projection could put back.
static bool actors_meet_limit(const tni_mechanism *mechanism, tni_mechanism_joint *joint,
                              uint32_t r) {
    tni_mechanism_actor *actor = &joint->actors[r];
    if (!actor->is_out || actor->has_come_back || !(actor->error < actor->passed - ACTOR_PASSED)) {
        return false;
    }
    double speed = tni_exact_row_speed(&joint->rows[r], &mechanism->bodies[joint->a].motion,
                                       &mechanism->bodies[joint->b].motion);
    bool is_thrown =
        actor->open > ACTOR_REACHED || tni_mechanism_lets_pass(mechanism, actor, speed);
    if (actor->restitution > 0.0 && is_thrown && actor->error > -ACTOR_NEAR) {
        return false;
    }
    actor->is_out = false;
    actor->has_come_back = true;
    return true;
}

bool tni_actors_meet(tni_mechanism *mechanism) {
    bool has_met = false;
    for (uint32_t i = 0; i < mechanism->joint_count && !mechanism->stage.leaves_limits; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        if (!joint->has_limits) {
            continue;
        }
        if (!joint->knows_limits) {
            actors_measure_all_limits(joint, &mechanism->bodies[joint->a].end,
                                      &mechanism->bodies[joint->b].end);
        }
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            bool meets = actor->kind == TNI_ACTOR_LIMIT && actors_meet_limit(mechanism, joint, r);
            has_met |= meets;
        }
        tni_actors_hold(joint);
    }
    return has_met;
}
