// world/step/warm_start.c: forgets what a step would begin with: the impulses of the last one, and
// whatever else contacts, joints and mechanisms remember of steps before.
//
// A world's state is where its bodies are and how they move, with the turns that joints count, the
// rope between sheaves, and what sleeps. All else that goes from step to step is there to begin
// near the solution, or to choose a method by what lies behind. It is set to what it is after a
// creation. Test: tests/world/step/test_warm_start.c
#include <string.h>

#include "joints/functions/function_joint.h"
#include "solver/contacts/contact_follow.h"
#include "solver/contacts/contact_sweeps.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/step/step_mechanisms.h"

// What touches is told from what is only near by whether it touched before. So a contact of awake
// bodies ends, and may begin anew; those of sleeping ones, which no step looks at, go on touching.
static void warm_part_contact(tn_world *world, tni_contact *contact) {
    if (contact->awake_index == TNI_NONE) {
        return;
    }
    if (contact->is_touching) {
        tni_events_add_end(world, contact);
    }
    contact->is_touching = contact->was_touching = contact->may_wake = false;
    contact->manifold.point_count = 0;
}

static void warm_forget_contact(tn_world *world, uint32_t index) {
    tni_contact *contact = tni_contact_at(world, index);
    warm_part_contact(world, contact);
    memset(contact->normal_impulses, 0, sizeof contact->normal_impulses);
    memset(contact->step_impulses, 0, sizeof contact->step_impulses);
    contact->friction_impulse = contact->rolling_impulse = maths_vec3_zero();
    contact->step_friction_impulse = contact->slip = maths_vec3_zero();
    contact->borne = contact->lift = 0.0f;
    contact->cache = (tni_manifold_cache){0};
    contact->sweeps = 0;
    contact->is_remembered = contact->is_walked = contact->is_confirmed = contact->slides = false;
    contact->follows = TNI_FOLLOWS_NOTHING;
    tni_contact_memory_at(world, index)->lost.load = 0.0f;
}

// Keeps the definition, the turns it counts, the work of its motors and its places in lists.
static void warm_forget_joint(tn_world *world, uint32_t index) {
    tni_joint *joint = tni_joint_at(world, index);
    joint->exact_pause = joint->exact_hold = joint->alternation = 0;
    joint->choice = joint->choice_reason = 0;
    joint->needs_more = joint->is_strained = joint->starts_cold = joint->is_opposed = false;
    joint->presses = joint->whips = false;
    joint->open_time = joint->yield = 0.0f;
    joint->open_error = joint->gain = joint->gain_scale = 0.0;
    joint->choice_group = 0;
    joint->work_signature = 0;
    joint->work = 0.0;
    joint->dependent_rows = 0;
    memset(joint->impulses, 0, sizeof joint->impulses);
    memset(&joint->bearing, 0, sizeof joint->bearing);
    if (tni_joint_get_row_bearing(joint) != NULL) {
        memset(tni_joint_get_row_bearing(joint), 0, sizeof(tni_row_bearing));
    }
    if (tni_joint_is_function(joint) && !tni_joint_is_tie(joint)) {
        world->features.spans->forget_impulses(joint->def.function.apart);
    }
}

static void warm_forget_body(tni_body *body) {
    body->bend = maths_vec3_zero();
    body->stack_resume = 0;
    body->is_exact = body->is_touched = false;
    if (body->awake_index != TNI_NONE) {
        body->rest_time = 0.0f;
        memset(&body->rest, 0, sizeof body->rest);
    }
}

tn_result tn_world_clear_warm_start(tn_world *world) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_end_change(world);
    }
    tni_joint_plan_drop(world); // its impulses go into the records first
    tni_mechanisms_forget_all(world);
    for (uint32_t i = 0; i < world->body_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->body_pool, i) != 0) {
            warm_forget_body(tni_body_at(world, i));
        }
    }
    for (uint32_t i = 0; i < world->contact_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->contact_pool, i) != 0) {
            warm_forget_contact(world, i);
        }
    }
    for (uint32_t i = 0; i < world->joint_pool.slot_count; ++i) {
        if (tni_pool_handle(&world->joint_pool, i) != 0) {
            warm_forget_joint(world, i);
        }
    }
    world->contact_sweeps = TNI_CONTACT_SWEEPS_LEAST;
    world->previous_h = 0.0;
    world->parts_across = 0;
    world->has_space_keys = world->has_new_keys = false;
    world->is_choice_stale = true;
    return tni_world_end_change(world);
}
