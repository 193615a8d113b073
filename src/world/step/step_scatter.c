// world/step/step_scatter.c: writes back the bodies' new poses and velocities, and the energy
// ledger.
//
// A body whose state is no longer finite keeps its last finite pose, stops, is disabled and
// reported. Its island skips the step (world/step/step_lost.c), and all else goes on.
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/step/step_internal.h"

// The loop over bodies prefetches this many bodies ahead.
#define SCATTER_AHEAD 4

// m/s or rad/s: a slower component becomes 0, since denormal numbers are slow to compute with.
#define SCATTER_REST 1e-20

static void scatter_clear_forces(tni_body *body) {
    if (!body->is_pushed) {
        return;
    }
    body->is_pushed = false;
    body->force = dvec3_make(0.0, 0.0, 0.0);
    body->torque = dvec3_make(0.0, 0.0, 0.0);
}

static void scatter_quarantine(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    tni_joint_plan_drop(world);
    body->velocity = dvec3_make(0.0, 0.0, 0.0);
    body->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
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

// See world/api/shape_motion.c.
static void scatter_bend(tni_body *body, const tni_body_motion *motion, double inverse_dt) {
    tni_dvec3 change = dvec3_sub(motion->velocity, body->velocity);
    body->bend = dvec3_to_float(dvec3_scale(change, inverse_dt));
}

// Writes a body. The motion gets the same values, for a plan that keeps it.
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
    bool writes_moves; // writes move events
} scatter_pass;

// Prefetches the motion, and the flags and other members behind it that move events need.
TNI_KERNEL void scatter_fetch(const tni_body *body) {
    const char *bytes = (const char *)body;
    TNI_PREFETCH_TO_WRITE(bytes);
    TNI_PREFETCH_TO_WRITE(bytes + TNI_CACHE_LINE);
    TNI_PREFETCH(bytes + 2 * TNI_CACHE_LINE);
    TNI_PREFETCH(bytes + 3 * TNI_CACHE_LINE);
}

// Writes awake bodies, which are the solver's first. Behind them are static ones that joints added.
static void scatter_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const scatter_pass *pass = context;
    const tni_step *step = pass->step;
    for (uint32_t i = first + 1; i <= last; ++i) {
        if (i + SCATTER_AHEAD <= last) {
            scatter_fetch(tni_body_at(pass->world, step->body_of[i + SCATTER_AHEAD]));
        }
        tni_body *body = tni_body_at(pass->world, step->body_of[i]);
        tni_body_motion *motion = &step->solver.bodies.motions[i];
        if (body->is_exact != step->solver.bodies.is_exact[i]) {
            body->is_exact = step->solver.bodies.is_exact[i];
        }
        const bool *touched = step->solver.contacts.is_pushed;
        body->is_touched = touched != NULL && touched[i];
        if (!step->is_lost[step->island_of[i]]) {
            scatter_body(body, motion, pass->world->inverse_dt);
            if (pass->writes_moves) {
                tni_events_write_move(pass->world, body);
            }
        } else {
            scatter_clear_forces(body);
        }
    }
}

void tni_step_scatter_bodies(tn_world *world, tni_step *step) {
    scatter_pass pass = {world, step, tni_events_are_in_order(world)};
    uint32_t count = world->awake_bodies.count;
    tni_tasks_run(&world->tasks, scatter_range, count, tni_world_cut(world, TNI_STEP_MIN_RANGE),
                  &pass);
    step->has_moves = pass.writes_moves && step->broken_count == 0;
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

static void scatter_add(double *sum, double work) {
    *sum += isfinite(work) ? work : 0.0;
}

void tni_step_add_work(tn_world *world, const tni_step *step) {
    if (step->broken_count > 0) {
        return; // it includes work on bodies that were reset
    }
    const tni_solver_work *work = &step->solver.ledger.work;
    scatter_add(&world->ledger.gravity, work->gravity);
    scatter_add(&world->ledger.force, work->force);
    scatter_add(&world->ledger.motor, work->motor);
    scatter_add(&world->ledger.spring, work->spring);
    scatter_add(&world->ledger.joint, work->joint);
    scatter_add(&world->ledger.friction, work->friction);
    scatter_add(&world->ledger.impact, work->impact);
    scatter_add(&world->ledger.damping, work->damping);
}
