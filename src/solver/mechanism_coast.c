// solver/mechanism_coast.c: a way through a stage that asks for no convergence.
//
// A step that has spent what it may on stages that fail, and a piece that is cut no further
// (solver/mechanism.c), go on as RATTLE does. The velocities take what the forces give over h and
// are projected onto the rows of the pose where it begins: what joints, limits and springs give is
// found by linear solves. The bodies follow these velocities at constant angular momentum. Newton
// steps on the poses alone close the joints, and the velocities are projected once more. The method
// is of first order. It ends with no more energy than it began with and was given: it damps.
//
// Motors and friction with a cap rest in it. Limits take part in the velocities; one that is passed
// is put back by a small way in the first Newton step and is left alone in the others, since its
// row may nearly depend on those of the joints, and the joints close first. Limits do not bounce.
// Where the joints do not close or a limit is gone through, as after a turn of a radian, the
// mechanism stays where it was, to be slowed down.
//
// Source: E. Hairer, C. Lubich, G. Wanner, "Geometric numerical integration", 2006, VII.1.4.
// Test: tests/solver/test_mechanism_coast.c
#include "solver/mechanism_stage.h"

// m or rad: joints are closed to the first within so many Newton steps, and to the second at least.
#define COAST_CLOSED 1e-7
#define COAST_ENOUGH 1e-5
#define COAST_PASSES 6
// m or rad: a limit that is passed so much farther is gone through.
#define COAST_PASSED 1e-2

static tni_dvec3 coast_lock(const tni_mechanism_body *body, tni_dvec3 gain) {
    gain.x = tni_mechanism_is_locked(body, 0) ? 0.0 : gain.x;
    gain.y = tni_mechanism_is_locked(body, 1) ? 0.0 : gain.y;
    gain.z = tni_mechanism_is_locked(body, 2) ? 0.0 : gain.z;
    return gain;
}

// Gives the velocities what forces and damping do over h.
static void coast_accelerate(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->moving_count; ++i) {
        tni_mechanism_body *body = &mechanism->bodies[i];
        tni_body_motion *motion = &body->motion;
        tni_dvec3 gain = coast_lock(body, dvec3_scale(body->acceleration, h));
        motion->velocity =
            dvec3_scale(dvec3_add(motion->velocity, gain), 1.0 / (1.0 + h * body->linear_damping));
        if (body->locks >= TN_BODY_LOCK_ANGULAR_X) {
            continue;
        }
        tni_dmat3 inverse = inertia_inverse_in_world(&body->inertia, motion->rotation);
        tni_dvec3 turn = dmat3_mul_vec(&inverse, dvec3_scale(body->torque, h));
        motion->angular_velocity = dvec3_scale(dvec3_add(motion->angular_velocity, turn),
                                               1.0 / (1.0 + h * body->angular_damping));
    }
}

static void coast_move_body(tni_mechanism_body *body, double h, bool is_moving) {
    tni_body_motion *motion = &body->motion;
    bool may_turn = is_moving && body->locks < TN_BODY_LOCK_ANGULAR_X;
    tni_dvec3 w = motion->angular_velocity;
    tni_dmat3 inertia = inertia_in_world(&body->inertia, motion->rotation);
    tni_dvec3 momentum = dmat3_mul_vec(&inertia, w);
    tni_dquat turn = dquat_cayley(dvec3_scale(w, h));
    motion->position = dvec3_add_scaled(motion->position, h, motion->velocity);
    motion->rotation = dquat_normalize(dquat_mul(turn, motion->rotation));
    if (may_turn) {
        tni_dmat3 inverse = inertia_inverse_in_world(&body->inertia, motion->rotation);
        motion->angular_velocity = dmat3_mul_vec(&inverse, momentum);
    }
}

static void coast_move(tni_mechanism *mechanism, double h) {
    for (uint32_t i = 0; i < mechanism->body_count; ++i) {
        coast_move_body(&mechanism->bodies[i], h, i < mechanism->moving_count);
    }
    mechanism->time += h;
}

// Limits are out until the projection finds that they would be passed. A spring that would pass its
// cap gives nothing, since a projection knows no caps.
static void coast_set_actors(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        tni_springs_start(mechanism, joint);
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            bool has_cap = actor->kind == TNI_ACTOR_SPEED && isfinite(actor->max_force);
            bool is_slack = actor->is_one_sided && !(actor->error < 0.0);
            bool is_weak = fabs(actor->stiffness * actor->error) > actor->max_force;
            bool is_limit = actor->kind == TNI_ACTOR_LIMIT;
            actor->is_out =
                actor->kind == TNI_ACTOR_SPRING ? is_slack || is_weak : is_limit || has_cap;
            actor->is_held = actor->is_stalled = actor->holds = false;
        }
    }
}

// Springs have given what they give over h. Limits that push or are passed take part in the first
// Newton step.
static void coast_leave_springs(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            tni_mechanism_actor *actor = &joint->actors[r];
            bool is_passed = actor->kind == TNI_ACTOR_LIMIT && joint->rows[r].error < 0.0;
            actor->passed = is_passed ? joint->rows[r].error : 0.0;
            actor->is_out = actor->kind == TNI_ACTOR_SPRING || (actor->is_out && !is_passed);
        }
    }
}

static void coast_leave_limits(tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            joint->actors[r].is_out |= joint->actors[r].kind == TNI_ACTOR_LIMIT;
        }
    }
}

// False where a limit was gone through.
static bool coast_keeps_limits(const tni_mechanism *mechanism) {
    for (uint32_t i = 0; i < mechanism->joint_count; ++i) {
        const tni_mechanism_joint *joint = &mechanism->joints[i];
        for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
            const tni_mechanism_actor *actor = &joint->actors[r];
            bool is_limit = actor->kind == TNI_ACTOR_LIMIT;
            if (is_limit && joint->rows[r].error < actor->passed - COAST_PASSED) {
                return false;
            }
        }
    }
    return true;
}

// True if the joints are closed.
static bool coast_close(tni_mechanism *mechanism) {
    double error = (double)INFINITY;
    for (uint32_t pass = 0; pass < COAST_PASSES && error > COAST_CLOSED; ++pass) {
        if (!tni_mechanism_project_begin(mechanism, 0.0)) {
            return false;
        }
        tni_mechanism_project_poses(mechanism);
        tni_mechanism_project_move(mechanism);
        coast_leave_limits(mechanism);
        mechanism->report.iterations += 1;
        error = tni_mechanism_get_stray(mechanism);
    }
    return error <= COAST_ENOUGH;
}

bool tni_mechanism_coast(tni_mechanism *mechanism, double h) {
    double energy = tni_mechanism_get_energy(mechanism);
    tni_stage_keep(mechanism);
    tni_mechanism_scale_impulses(mechanism, 0.0);
    tni_mechanism_expect(mechanism, h);
    coast_set_actors(mechanism);
    coast_accelerate(mechanism, h);
    mechanism->is_coasting = true;
    bool is_closed = tni_mechanism_get_stray(mechanism) <= COAST_ENOUGH;
    bool is_done = (is_closed || coast_close(mechanism)) && tni_mechanism_project(mechanism, h);
    if (is_done) {
        coast_leave_springs(mechanism);
        coast_move(mechanism, h);
        is_done = coast_close(mechanism) && tni_mechanism_project(mechanism, h) &&
                  coast_keeps_limits(mechanism);
    }
    mechanism->report.iterations += 2;
    mechanism->is_coasting = false;
    mechanism->is_open = false;
    mechanism->rise_count = 0;
    if (!is_done) {
        tni_stage_put_back(mechanism);
        return false;
    }
    tni_stage_hold_energy(mechanism, energy, h);
    tni_mechanism_remember(mechanism);
    return true;
}
