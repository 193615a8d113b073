// world/step/step_lost.c: restores islands in which a body became non-finite.
//
// Non-finite numbers spread within a step over everything that touches the body or is tied to it,
// and how far depends on how a compiler orders comparisons. So the whole island is reset: its
// bodies and coordinates are again where they were when the step began, with their velocities, and
// its contacts and joints forget their impulses, reactions, loads and turns. Only the bodies to
// blame are disabled (world/step/step_scatter.c); the others continue in the next step. To blame
// are the bodies that their own forces take beyond LOST_SPEED, or, if there are none, all
// non-finite ones. The energy ledger leaves out a step that lost an island.
// Test: tests/world/step/test_step_lost.c
#include <string.h>

#include "core/simd_double.h"
#include "joints/functions/rope_joint.h"
#include "solver/movers/affine.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"
#include "world/step/step_internal.h"

// m/s or rad/s: a float cannot hold the square of a higher speed.
#define LOST_SPEED 1e18

static bool lost_is_slow_enough(tni_dvec3 v) {
    return fabs(v.x) < LOST_SPEED && fabs(v.y) < LOST_SPEED && fabs(v.z) < LOST_SPEED;
}

// Only velocities are checked: a pose is checked when it is set.
bool tni_body_is_runaway(const tni_body *body) {
    return !lost_is_slow_enough(body->velocity) || !lost_is_slow_enough(body->angular_velocity);
}

static bool lost_is_finite(const tni_body_motion *motion) {
    return dvec3_is_finite(motion->position) && dquat_is_finite(motion->rotation) &&
           lost_is_slow_enough(motion->velocity) && lost_is_slow_enough(motion->angular_velocity);
}

// Recognises nearly all sound bodies by two sums. Each speed is below the root of the sum of their
// squares, and a sum is finite only if all of its terms are.
static bool lost_is_sound(const tni_body_motion *motion) {
    const tni_dvec3 *p = &motion->position, *v = &motion->velocity, *w = &motion->angular_velocity;
    const tni_dquat *q = &motion->rotation;
    tni_d2 v_xy = d2_load(&v->x), w_xy = d2_load(&w->x), z = d2_make(v->z, w->z);
    tni_d2 pose = d2_add(d2_add(d2_load(&p->x), d2_load(&q->x)), d2_load(&q->z));
    pose = d2_add(pose, d2_make(p->z, 0.0));
    tni_d2 sum = d2_add(d2_add(d2_mul(v_xy, v_xy), d2_mul(w_xy, w_xy)), d2_mul(z, z));
    sum = d2_add(sum, d2_sub(pose, pose));
    return d2_low(sum) + d2_high(sum) < LOST_SPEED * LOST_SPEED;
}

// Marks broken bodies. (Awake bodies are the solver's first.)
static void lost_look(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const tni_step *step = context;
    for (uint32_t i = first + 1; i <= last; ++i) {
        const tni_body_motion *motion = &step->solver.bodies.motions[i];
        if (!lost_is_sound(motion) && !lost_is_finite(motion)) {
            step->is_broken[i] = true;
        }
    }
}

// Returns whether the forces on the body alone take it beyond LOST_SPEED.
static bool lost_is_to_blame(const tn_world *world, const tni_step *step, uint32_t i, double dt) {
    const tni_body *body = tni_body_at(world, step->body_of[i]);
    const tni_body_mass *mass = &step->solver.bodies.masses[i];
    tni_dvec3 pull = step->solver.bodies.pulls[i].acceleration;
    tni_dmat3 ease = inertia_inverse_in_world(mass->inertia, body->rotation);
    tni_dvec3 spin_up = dmat3_mul_vec(&ease, mass->torque);
    return !lost_is_slow_enough(dvec3_add_scaled(body->velocity, dt, pull)) ||
           !lost_is_slow_enough(dvec3_add_scaled(body->angular_velocity, dt, spin_up));
}

static void lost_find_causes(const tn_world *world, tni_step *step, double dt) {
    uint32_t count = world->awake_bodies.count, *causes = step->island_sizes;
    memset(causes, 0, step->solver.bodies.count * sizeof *causes);
    for (uint32_t i = 1; i <= count; ++i) {
        uint32_t root = step->island_of[i];
        causes[root] += step->is_lost[root] && lost_is_to_blame(world, step, i, dt) ? 1 : 0;
    }
    for (uint32_t i = 1; i <= count; ++i) {
        uint32_t root = step->island_of[i];
        bool is_cause =
            causes[root] > 0 ? lost_is_to_blame(world, step, i, dt) : step->is_broken[i];
        if (step->is_lost[root] && is_cause) {
            step->broken[step->broken_count++] = step->body_of[i];
        }
    }
}

void tni_step_find_lost(tn_world *world, tni_step *step, double dt) {
    uint32_t count = world->awake_bodies.count;
    tni_tasks_run(&world->tasks, lost_look, count, tni_world_cut(world, TNI_STEP_MIN_RANGE), step);
    if (memchr(step->is_broken, true, 1 + (size_t)count) == NULL) {
        return;
    }
    for (uint32_t i = 1; i <= count; ++i) {
        if (step->is_broken[i]) {
            step->is_lost[step->island_of[i]] = true;
        }
    }
    lost_find_causes(world, step, dt);
    for (uint32_t i = 1; i <= count; ++i) {
        if (step->is_lost[step->island_of[i]]) {
            step->solver.bodies.motions[i] = tni_body_at(world, step->body_of[i])->motion;
        }
    }
}

static void lost_forget_contact(tni_contact *contact) {
    memset(contact->normal_impulses, 0, sizeof contact->normal_impulses);
    memset(contact->step_impulses, 0, sizeof contact->step_impulses);
    contact->friction_impulse = contact->rolling_impulse = maths_vec3(0.0f, 0.0f, 0.0f);
    contact->step_friction_impulse = contact->friction_impulse;
    contact->borne = 0.0f;
    contact->sweeps = 0;
    contact->is_remembered = false;
}

static void lost_forget_body(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    body->bend = maths_vec3(0.0f, 0.0f, 0.0f);
    body->rest_time = 0.0f;
    for (uint32_t key = body->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        lost_forget_contact(tni_contact_at(world, key >> 1));
    }
    for (uint32_t key = body->joint_head; key != TNI_NONE;) {
        tni_joint_forget(world, key >> 1);
        key = tni_joint_at(world, key >> 1)->edges[key & 1].next;
    }
}

static double lost_get_number(double x) {
    return isfinite(x) ? x : 0.0;
}

static void lost_forget_info(tn_mechanism_info *info) {
    info->residual = lost_get_number(info->residual);
    info->worst_joint_linear = lost_get_number(info->worst_joint_linear);
    info->worst_joint_angular = lost_get_number(info->worst_joint_angular);
}

// Clears non-finite numbers in information about mechanisms that was stored before the reset.
static void lost_forget_infos(tn_world *world) {
    for (uint32_t i = 0; i < world->mechanism_count; ++i) {
        lost_forget_info(&world->mechanisms[i].info);
    }
    for (uint32_t i = 0; i < world->gradients_count; ++i) {
        lost_forget_info(&world->gradients_infos[i]);
    }
    for (uint32_t i = 0; i < world->told_choice_count; ++i) {
        lost_forget_info(&world->choices[i].info);
    }
}

void tni_step_forget_lost(tn_world *world, tni_step *step) {
    if (step->broken_count == 0) {
        return;
    }
    tni_joint_plan_drop(world); // its values go into the records first
    for (uint32_t i = 1; i <= world->awake_bodies.count; ++i) {
        if (step->is_lost[step->island_of[i]]) {
            lost_forget_body(world, step->body_of[i]);
        }
    }
    for (uint32_t i = 0; i < step->solver.movers.reduced_count; ++i) {
        tni_reduced *reduced = step->solver.movers.reduced[i];
        if (step->is_lost[step->island_of[reduced->bodies[0].body]]) {
            world->features.spans->restore_reduced(reduced);
        }
    }
    lost_forget_infos(world);
}
