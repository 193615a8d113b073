// solver/exact/mechanism_close.c: at the start of a step, errors that the user, new joints or
// Gauss-Seidel left are closed without speed; and joints that cannot be closed together are found.
//
// These are Newton steps q <- q + W J^T y, (J W J^T + E) y = -C, on the poses alone. When rows
// depend on others and contradict them, E (1e-10 of each row's own J W J^T) makes the step that of
// the least squares sum C_k^2 / E_k: the steps die away at the pose that no joint would leave
// without another one's loss, and C stays. There it is a combination of rows that no motion
// changes: J^T E^-1 C = 0. The error that stays is each row's rest C*, and the mechanism goes on
// with C - C* in the place of C: it behaves like one that was built with these errors. Without that
// a stage would press the joints against each other with C / (h E). The next step begins with the
// full C again, so that joints that are mended close. Small errors of loops whose closing lifts the
// bodies with nothing to pay for that stay open in the same way (solver/exact/mechanism_stage.c).
//
// Limits that a step takes past their ends, or farther past, are closed with them. Motors without a
// cap hold still during it; those with one, springs and friction with one take no part, since
// nothing that has a cap gives an impulse at once. A pose to which Gauss-Seidel has let a motor
// draw the joints past all that they can reach cannot be closed that way: the steps lead far off.
// Then the poses are put back, and the motors give way; where it is no better without them, the
// rows stay as far open as they are.
//
// Source: A. Bjorck, "Numerical methods for least squares problems", 1996, 9.2 (Gauss-Newton).
// Test: tests/solver/exact/test_mechanism_close.c, tests/world/mechanisms/test_mechanisms.c,
// tests/joints/test_driven_values.c
#include "solver/exact/mechanism_span.h"

#include <string.h>

#define CLOSE_ENOUGH TNI_MECHANISM_CLOSED
#define CLOSE_PASSES 16
// A step that moves the bodies by no more than this share of the error leads nowhere any more.
#define CLOSE_STILL 1e-3
// Steps that make the error this many times as large lead far off.
#define CLOSE_WORSE 10.0

void tni_mechanism_note_rests(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        tni_joint_measure_exact(joint->joint, &mechanism->bodies[joint->a].motion,
                                &mechanism->bodies[joint->b].motion, joint->rest);
    }
    tni_mechanism_spans_note_rests(mechanism);
    mechanism->traits.is_contradictory = true;
}

void tni_mechanism_clear_rests(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        memset(mechanism->joints[i].rest, 0, sizeof mechanism->joints[i].rest);
    }
    mechanism->traits.is_contradictory = mechanism->stage.is_resting = false;
}

// Makes motors keep the speeds that they have.
static void close_hold_speeds(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            if (joint->actors[r].kind == TNI_ACTOR_SPEED) {
                joint->actors[r].target_speed =
                    tni_exact_row_speed(&joint->rows[r], &mechanism->bodies[joint->a].motion,
                                        &mechanism->bodies[joint->b].motion);
            }
        }
    }
}

// Takes out what has a cap, which only the rows of where the bodies are tell.
static void close_leave_capped(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        if (joint->row_count > joint->equality_count) {
            tni_actors_emit(joint, &mechanism->bodies[joint->a].motion,
                            &mechanism->bodies[joint->b].motion);
        }
    }
    tni_actors_give_way(mechanism);
}

static void close_keep(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].end = mechanism->bodies[i].motion;
    }
}

static void close_put_back(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        mechanism->bodies[i].motion = mechanism->bodies[i].end;
    }
}

// Takes motors and friction out. Returns true if any of them held on until now.
static bool close_give_way(tni_mechanism *mechanism) {
    bool any = false;
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            any |= actor->kind == TNI_ACTOR_SPEED && !actor->is_out;
            actor->is_out |= actor->kind == TNI_ACTOR_SPEED;
        }
    }
    return any;
}

// Returns whether loops that closed have lifted the bodies by more than the mechanism may owe. If
// not, it owes what they have.
static bool close_lifts(tni_mechanism *mechanism) {
    double lift = 0.0;
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        const tni_mechanism_body *body = &mechanism->bodies[i];
        tni_dvec3 way = dvec3_sub(body->motion.position, body->end.position);
        lift -= body->mass * dvec3_dot(body->acceleration, way);
    }
    bool lifts = tni_mechanism_has_loops(mechanism) && !mechanism->traits.is_contradictory &&
                 mechanism->stage.debt + lift > tni_mechanism_get_most_debt(mechanism);
    mechanism->stage.debt += lifts ? 0.0 : maths_max_d(lift, 0.0);
    return lifts;
}

void tni_mechanism_close(tni_mechanism *mechanism) {
    double first = tni_mechanism_get_worst_error(mechanism), open = first;
    uint32_t pass = 0;
    close_keep(mechanism);
    if (open > CLOSE_ENOUGH) {
        close_leave_capped(mechanism);
        tni_actors_note_passed(mechanism);
    }
    bool passes = false;
    for (; pass < CLOSE_PASSES && (open > CLOSE_ENOUGH || passes); ++pass) {
        if (!tni_mechanism_project_begin(mechanism, 0.0)) {
            tni_actors_leave_passed(mechanism);
            return;
        }
        tni_mechanism_project_poses(mechanism);
        tni_mechanism_project_move(mechanism);
        open = tni_mechanism_get_worst_error(mechanism);
        passes = tni_actors_take_passed(mechanism);
        bool is_worse = !(open <= CLOSE_WORSE * first);
        if (is_worse) {
            close_put_back(mechanism);
            open = first;
        }
        if (is_worse && close_give_way(mechanism)) {
            continue;
        }
        if (is_worse || tni_mechanism_get_move(mechanism) <= CLOSE_STILL * open) {
            tni_mechanism_note_rests(mechanism);
            break;
        }
    }
    if (pass > 0 && first <= TNI_MECHANISM_RESTS && close_lifts(mechanism)) {
        close_put_back(mechanism);
        tni_mechanism_note_rests(mechanism);
        mechanism->stage.is_resting = true;
    }
    if (pass > 0) {
        tni_actors_leave_passed(mechanism);
        close_hold_speeds(mechanism);
        tni_mechanism_project_velocities(mechanism);
    }
}

double tni_mechanism_get_rest(const tni_mechanism_joint *joint, bool is_angular) {
    double square = 0.0;
    for (uint32_t r = 0; r < joint->equality_count; ++r) {
        const tni_exact_row *row = &joint->rows[r];
        bool is_turn = dvec3_dot(row->lin_b, row->lin_b) == 0.0;
        square += is_turn == is_angular ? joint->rest[r] * joint->rest[r] : 0.0;
    }
    double rest = sqrt(square);
    return rest > CLOSE_ENOUGH ? rest : 0.0;
}
