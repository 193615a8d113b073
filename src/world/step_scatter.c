// world/step_scatter.c: the bodies' new poses and velocities, and the energy ledger.
//
// A body whose state is no longer finite keeps its last finite pose, stops, is disabled and
// reported; the rest of the world goes on.
#include <string.h>

#include "world/step_internal.h"

// Bodies ahead of the one that is written.
#define SCATTER_AHEAD 4

// m/s or rad/s: faster, and a float cannot hold the square of the speed.
#define SCATTER_MAX_SPEED 1e18

// m/s or rad/s: slower along an axis is at rest. Denormal numbers are slow to compute with.
#define SCATTER_REST 1e-20

static bool scatter_is_slow_enough(tni_dvec3 v) {
    return fabs(v.x) < SCATTER_MAX_SPEED && fabs(v.y) < SCATTER_MAX_SPEED &&
           fabs(v.z) < SCATTER_MAX_SPEED;
}

static bool scatter_is_finite(const tni_body_motion *motion) {
    return dvec3_is_finite(motion->position) && dquat_is_finite(motion->rotation) &&
           scatter_is_slow_enough(motion->velocity) &&
           scatter_is_slow_enough(motion->angular_velocity);
}

static void scatter_clear_forces(tni_body *body) {
    if (!body->is_pushed) {
        return;
    }
    body->is_pushed = false;
    body->force = dvec3_make(0.0, 0.0, 0.0);
    body->torque = dvec3_make(0.0, 0.0, 0.0);
}

// The impulses that carried the fault must not come back by warm starting.
static void scatter_forget_impulses(tn_world *world, const tni_body *body) {
    for (uint32_t key = body->joint_head; key != TNI_NONE;) {
        tni_joint *joint = tni_joint_at(world, key >> 1);
        for (int r = 0; r < TNI_JOINT_MAX_ROWS; ++r) {
            joint->impulses[r] = 0.0f;
        }
        key = joint->edges[key & 1].next;
    }
}

static void scatter_quarantine(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    tni_joint_plan_drop(world);
    body->velocity = dvec3_make(0.0, 0.0, 0.0);
    body->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
    scatter_forget_impulses(world, body);
    tni_body_disable(world, index);
    tni_world_report(
        world, TN_RESULT_BODY_NOT_FINITE, "tn_world_step",
        "A body's state became non-finite: it was put back to its last pose and disabled.",
        body->handle);
}

static tni_dvec3 scatter_flush(tni_dvec3 v) {
    return dvec3_make(fabs(v.x) < SCATTER_REST ? 0.0 : v.x, fabs(v.y) < SCATTER_REST ? 0.0 : v.y,
                      fabs(v.z) < SCATTER_REST ? 0.0 : v.z);
}

// See world/shape_motion.c.
static void scatter_bend(tni_body *body, const tni_body_motion *motion, double inverse_dt) {
    tni_dvec3 change = dvec3_sub(motion->velocity, body->velocity);
    body->bend = dvec3_to_float(dvec3_scale(change, inverse_dt));
}

// The motion gets what the body gets, for a step that keeps it.
static void scatter_body(tni_body *body, tni_body_motion *motion, double inverse_dt) {
    motion->velocity = scatter_flush(motion->velocity);
    motion->angular_velocity = scatter_flush(motion->angular_velocity);
    if (body->joint_head != TNI_NONE) {
        scatter_bend(body, motion, inverse_dt);
    }
    body->position = motion->position;
    body->rotation = motion->rotation;
    body->velocity = motion->velocity;
    body->angular_velocity = motion->angular_velocity;
    body->met_target = body->has_target;
    if (body->has_target) {
        body->has_target = false;
        body->velocity = dvec3_make(0.0, 0.0, 0.0);
        body->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
    }
    scatter_clear_forces(body);
}

typedef struct scatter_pass {
    tn_world *world;
    const tni_step *step;
    bool writes_moves; // as events
} scatter_pass;

// The motion; behind it flags are read, and what events tell of a body.
TNI_FORCE_INLINE void scatter_fetch(const tni_body *body) {
    const char *bytes = (const char *)body;
    TNI_PREFETCH_TO_WRITE(bytes);
    TNI_PREFETCH_TO_WRITE(bytes + TNI_CACHE_LINE);
    TNI_PREFETCH(bytes + 2 * TNI_CACHE_LINE);
    TNI_PREFETCH(bytes + 3 * TNI_CACHE_LINE);
}

// The awake ones come first of the solver's; behind them are static ones that joints brought along.
static void scatter_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const scatter_pass *pass = context;
    const tni_step *step = pass->step;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (i + SCATTER_AHEAD <= last) {
            scatter_fetch(tni_body_at(pass->world, step->body_of[i + SCATTER_AHEAD]));
        }
        tni_body *body = tni_body_at(pass->world, step->body_of[i]);
        tni_body_motion *motion = &step->solver.motions[i];
        if (body->is_exact != step->solver.is_exact[i]) {
            body->is_exact = step->solver.is_exact[i];
        }
        const bool *touched = step->solver.is_contact_body;
        body->is_touched = touched != NULL && touched[i];
        if (scatter_is_finite(motion)) {
            scatter_body(body, motion, pass->world->inverse_dt);
            if (pass->writes_moves) {
                tni_events_write_move(pass->world, body);
            }
        } else {
            scatter_clear_forces(body);
            step->is_broken[i] = true;
        }
    }
}

void tni_step_scatter_bodies(tn_world *world, tni_step *step) {
    scatter_pass pass = {world, step, tni_events_are_in_order(world)};
    uint32_t count = world->awake_bodies.count;
    tni_tasks_run(&world->tasks, scatter_range, count, tni_world_cut(world, TNI_STEP_MIN_RANGE),
                  &pass);
    step->has_moves = pass.writes_moves;
    if (memchr(step->is_broken, true, 1 + (size_t)count) == NULL) {
        return;
    }
    step->has_moves = false;
    for (uint32_t i = 1; i <= count; ++i) {
        if (step->is_broken[i]) {
            step->broken[step->broken_count++] = step->body_of[i];
        }
    }
}

// What a body's pose was set to has been looked at.
bool tni_body_is_runaway(const tni_body *body) {
    return !scatter_is_slow_enough(body->velocity) ||
           !scatter_is_slow_enough(body->angular_velocity);
}

void tni_step_quarantine_runaways(tn_world *world) {
    for (uint32_t i = world->awake_bodies.count; i-- > 0;) {
        uint32_t index = world->awake_bodies.items[i];
        tni_body *body = tni_body_at(world, index);
        if (tni_body_is_runaway(body)) {
            scatter_clear_forces(body);
            scatter_quarantine(world, index);
        }
    }
}

void tni_step_quarantine(tn_world *world, const tni_step *step) {
    for (uint32_t i = 0; i < step->broken_count; ++i) {
        scatter_quarantine(world, step->broken[i]);
    }
}

void tni_step_add_work(tn_world *world, const tni_step *step) {
    const tni_solver_work *work = &step->solver.work;
    world->ledger.gravity += work->gravity;
    world->ledger.force += work->force;
    world->ledger.motor += work->motor;
    world->ledger.spring += work->spring;
    world->ledger.joint += work->joint;
    world->ledger.friction += work->friction;
    world->ledger.impact += work->impact;
    world->ledger.damping += work->damping;
}
