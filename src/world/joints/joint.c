// world/joints/joint.c: keeps joints in the world's lists: ends, frames, waking, destruction.
//
// A joint hangs by its two ends in the lists of its bodies (key = joint * 2 + end). It is awake,
// and so takes part in steps, when one of its bodies is awake and neither they nor it are disabled.
// Test: tests/joints/test_joint_world.c, tests/joints/test_joint_enabled.c
#include <string.h>

#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"

// ---- ends ------------------------------------------------------------------------------------

static uint32_t joint_get_body(const tni_joint *joint, uint32_t end) {
    return end == 0 ? joint->body_a : joint->body_b;
}

void tni_joint_link(tn_world *world, uint32_t joint, uint32_t end) {
    tni_joint_edge *edge = &tni_joint_at(world, joint)->edges[end];
    uint32_t body_index = joint_get_body(tni_joint_at(world, joint), end);
    edge->previous = TNI_NONE;
    edge->next = TNI_NONE;
    if (body_index == TNI_NONE) {
        return;
    }
    tni_body *body = tni_body_at(world, body_index);
    uint32_t key = joint * 2 + end;
    edge->next = body->joint_head;
    if (edge->next != TNI_NONE) {
        tni_joint_at(world, edge->next >> 1)->edges[edge->next & 1].previous = key;
    }
    body->joint_head = key;
    body->joint_count += 1;
}

void tni_joint_unlink(tn_world *world, uint32_t joint, uint32_t end) {
    const tni_joint_edge *edge = &tni_joint_at(world, joint)->edges[end];
    uint32_t body_index = joint_get_body(tni_joint_at(world, joint), end);
    if (body_index == TNI_NONE) {
        return;
    }
    tni_body *body = tni_body_at(world, body_index);
    if (edge->previous != TNI_NONE) {
        tni_joint_at(world, edge->previous >> 1)->edges[edge->previous & 1].next = edge->next;
    } else {
        body->joint_head = edge->next;
    }
    if (edge->next != TNI_NONE) {
        tni_joint_at(world, edge->next >> 1)->edges[edge->next & 1].previous = edge->previous;
    }
    body->joint_count -= 1;
}

bool tni_bodies_are_joined_without_contact(const tn_world *world, uint32_t body_a,
                                           uint32_t body_b) {
    // The shorter list is enough, because a joint is in both.
    bool is_a_shorter =
        tni_body_at(world, body_a)->joint_count <= tni_body_at(world, body_b)->joint_count;
    uint32_t body = is_a_shorter ? body_a : body_b, other = is_a_shorter ? body_b : body_a;
    uint32_t key = tni_body_at(world, body)->joint_head;
    while (key != TNI_NONE) {
        const tni_joint *joint = tni_joint_at(world, key >> 1);
        if (joint_get_body(joint, 1 - (key & 1)) == other &&
            !joint->def.base.is_collision_allowed && !joint->is_disabled) {
            return true;
        }
        key = joint->edges[key & 1].next;
    }
    return false;
}

// ---- frames ----------------------------------------------------------------------------------

// Returns a frame, given in a body's frame, about the centre of mass, where a particle's always is.
static tni_dpose joint_make_frame(const tn_world *world, uint32_t body, const tn_pose *pose) {
    tni_dpose frame;
    frame.position = dvec3_from_plain(pose->position);
    frame.rotation = dquat_from_plain(pose->rotation);
    if (body != TNI_NONE && tni_body_at(world, body)->is_particle) {
        frame.position = dvec3_make(0.0, 0.0, 0.0);
    } else if (body != TNI_NONE) {
        frame.position = dvec3_sub(frame.position, tni_body_at(world, body)->local_center);
    }
    return frame;
}

void tni_joint_make_frames(const tn_world *world, tni_joint *joint) {
    tni_dpose frame_a = joint_make_frame(world, joint->body_a, &joint->def.base.frame_a);
    tni_dpose frame_b = joint_make_frame(world, joint->body_b, &joint->def.base.frame_b);
    tni_joint_set_frames(joint, &frame_a, &frame_b);
}

void tni_joint_update_frames(tn_world *world, uint32_t joint_index) {
    tni_joint_plan_drop(world);
    tni_joint_make_frames(world, tni_joint_at(world, joint_index));
}

tni_body_motion tni_joint_get_body_motion(const tn_world *world, uint32_t body) {
    if (body != TNI_NONE) {
        return tni_body_get_motion(tni_body_at(world, body));
    }
    tni_body_motion at_rest = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    return at_rest;
}

// Lets a joint see the point of an affine body: see solver/movers/affine.c.
static void joint_look(const tn_world *world, uint32_t body, const tni_dpose *frame,
                       tni_body_motion *motion) {
    const tni_reduced *affine =
        body != TNI_NONE ? tni_body_get_affine(world, tni_body_at(world, body)) : NULL;
    if (affine != NULL) {
        tni_reduced_body seen = tni_affine_look(affine, frame->position);
        motion->position = seen.position;
        motion->velocity = tni_reduced_get_velocity(affine, seen.linear);
    }
}

void tni_joint_get_motions(const tn_world *world, const tni_joint *joint, tni_body_motion *out_a,
                           tni_body_motion *out_b) {
    *out_a = tni_joint_get_body_motion(world, joint->body_a);
    *out_b = tni_joint_get_body_motion(world, joint->body_b);
    if (world->reduced_list.count > 0) {
        joint_look(world, joint->body_a, &joint->frame_a, out_a);
        joint_look(world, joint->body_b, &joint->frame_b, out_b);
    }
}

static tni_body_mobility joint_get_mobility(const tn_world *world, uint32_t body) {
    tni_body_mobility mobility = {.inv_mass = maths_vec3_zero()};
    if (body != TNI_NONE) {
        mobility.inv_mass = tni_body_axis_inv_mass(tni_body_at(world, body));
        mobility.inv_inertia = tni_body_world_inv_inertia(tni_body_at(world, body));
    }
    return mobility;
}

double tni_joint_get_elastic_energy(const tn_world *world, const tni_joint *joint) {
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    tni_body_mobility of_a = joint_get_mobility(world, joint->body_a);
    tni_body_mobility of_b = joint_get_mobility(world, joint->body_b);
    tni_world_begin_reading(world);
    double energy = tni_joint_measure_elastic_energy(joint, &a, &b, &of_a, &of_b);
    tni_world_end_reading(world);
    return energy;
}

void tni_body_remember_turns(tn_world *world, uint32_t body) {
    uint32_t key = tni_body_at(world, body)->joint_head;
    while (key != TNI_NONE) {
        tni_joint *joint = tni_joint_at(world, key >> 1);
        if (tni_joint_has_memory(joint)) {
            tni_body_motion a, b;
            tni_joint_get_motions(world, joint, &a, &b);
            tni_joint_seek(joint, &a, &b);
            tni_joint_remember(joint, &a, &b);
        }
        key = joint->edges[key & 1].next;
    }
}

// ---- awake or not -----------------------------------------------------------------------------

static bool joint_body_is_awake(const tn_world *world, uint32_t body) {
    return body != TNI_NONE && tni_body_at(world, body)->awake_index != TNI_NONE;
}

static bool joint_body_is_disabled(const tn_world *world, uint32_t body) {
    return body != TNI_NONE && !tni_body_at(world, body)->is_enabled;
}

static bool joint_should_be_awake(const tn_world *world, const tni_joint *joint) {
    return !joint->is_disabled &&
           (joint_body_is_awake(world, joint->body_a) ||
            joint_body_is_awake(world, joint->body_b)) &&
           !joint_body_is_disabled(world, joint->body_a) &&
           !joint_body_is_disabled(world, joint->body_b);
}

static void joint_enter_awake(tn_world *world, uint32_t joint) {
    tni_index_list *list = &world->awake_joints;
    TN_ASSERT(list->count < list->capacity);
    tni_joint_plan_drop(world);
    tni_joint_at(world, joint)->awake_index = list->count;
    list->items[list->count] = joint;
    list->count += 1;
    world->is_choice_stale = true;
}

static void joint_leave_awake(tn_world *world, uint32_t joint) {
    tni_index_list *list = &world->awake_joints;
    tni_joint_plan_drop(world);
    uint32_t place = tni_joint_at(world, joint)->awake_index;
    uint32_t last = list->items[list->count - 1];
    list->items[place] = last;
    tni_joint_at(world, last)->awake_index = place;
    list->count -= 1;
    tni_joint_at(world, joint)->awake_index = TNI_NONE;
    world->is_choice_stale = true;
}

void tni_joint_update_awake(tn_world *world, uint32_t joint) {
    bool is_awake = tni_joint_at(world, joint)->awake_index != TNI_NONE;
    bool should_be_awake = joint_should_be_awake(world, tni_joint_at(world, joint));
    if (should_be_awake && !is_awake) {
        joint_enter_awake(world, joint);
    } else if (!should_be_awake && is_awake) {
        joint_leave_awake(world, joint);
    }
}

void tni_body_update_joints_awake(tn_world *world, uint32_t body) {
    uint32_t key = tni_body_at(world, body)->joint_head;
    while (key != TNI_NONE) {
        tni_joint_update_awake(world, key >> 1);
        key = tni_joint_at(world, key >> 1)->edges[key & 1].next;
    }
}

void tni_joint_wake_bodies(tn_world *world, uint32_t joint) {
    uint32_t body_a = tni_joint_at(world, joint)->body_a,
             body_b = tni_joint_at(world, joint)->body_b;
    if (body_a != TNI_NONE) {
        tni_body_wake(world, body_a);
    }
    if (body_b != TNI_NONE) {
        tni_body_wake(world, body_b);
    }
}

// ---- enabled or not ---------------------------------------------------------------------------

void tni_joint_forget(tn_world *world, uint32_t index) {
    tni_joint *joint = tni_joint_at(world, index);
    if (tni_joint_is_tie(joint)) {
        tni_joint_forget(world, joint->def.function.owner);
        return;
    }
    tni_body_motion a, b;
    tni_joint_get_motions(world, joint, &a, &b);
    memset(joint->impulses, 0, sizeof joint->impulses);
    memset(&joint->bearing, 0, sizeof joint->bearing);
    memset(joint->motor_efforts, 0, sizeof joint->motor_efforts);
    joint->reaction_force = joint->reaction_torque = maths_vec3(0.0f, 0.0f, 0.0f);
    joint->linear_error = joint->angular_error = joint->linear_rest = joint->angular_rest = 0.0;
    joint->motor_work = isfinite(joint->motor_work) ? joint->motor_work : 0.0;
    if (tni_joint_get_row_bearing(joint) != NULL) {
        memset(tni_joint_get_row_bearing(joint), 0, sizeof(tni_row_bearing));
    }
    if (tni_joint_is_function(joint)) {
        world->features.spans->forget_function(world, joint->def.function.apart);
    }
    tni_world_begin_callback(world); // asks the joint's callback
    tni_joint_mesh(joint, &a, &b, 0.0, TNI_COUNTS_BOTH);
    tni_world_end_callback(world);
}

void tni_joint_set_disabled(tn_world *world, uint32_t index, bool is_disabled) {
    tni_joint *joint = tni_joint_at(world, index);
    uint32_t body_a = joint->body_a, body_b = joint->body_b;
    tni_joint_plan_drop(world);
    tni_joint_wake_bodies(world, index);
    joint->is_disabled = is_disabled;
    joint->is_strained = joint->is_opposed = joint->starts_cold = false;
    joint->open_time = 0.0f;
    joint->open_error = joint->gain = joint->gain_scale = 0.0;
    joint->exact_pause = joint->exact_hold = 0;
    tni_joint_update_awake(world, index);
    world->is_choice_stale = true;
    if (joint->def.base.is_collision_allowed) {
        return;
    }
    if (is_disabled) {
        tni_joint_allow_contacts(world, body_a, body_b);
    } else if (body_a != TNI_NONE && body_b != TNI_NONE) {
        tni_bodies_destroy_contacts_between(world, body_a, body_b);
    }
}

// ---- destruction -----------------------------------------------------------------------------

// Lets the bodies touch again: the next step looks for their pairs.
void tni_joint_allow_contacts(tn_world *world, uint32_t body_a, uint32_t body_b) {
    if (body_a != TNI_NONE && body_b != TNI_NONE) {
        tni_body_queue_shapes(world, body_a);
        tni_body_queue_shapes(world, body_b);
    }
}

// Begins a destruction. A tie goes with the joint that it serves, and that joint with its ties.
static bool joint_begin_destruction(tn_world *world, uint32_t joint) {
    const tni_joint *record = tni_joint_at(world, joint);
    if (!tni_joint_is_function(record)) {
        return true;
    }
    if (!tni_joint_is_tie(record)) {
        tni_function_untie(world, joint);
    } else if (record->def.function.owner != TNI_NONE) {
        tni_joint_destroy_at(world, record->def.function.owner);
        return false;
    }
    return true;
}

void tni_joint_destroy_at(tn_world *world, uint32_t joint) {
    if (!joint_begin_destruction(world, joint)) {
        return;
    }
    const tni_joint *record = tni_joint_at(world, joint);
    uint32_t body_a = record->body_a, body_b = record->body_b, handle = record->handle;
    bool forbade_contacts = !record->def.base.is_collision_allowed;
    world->limit_event_joints -= record->def.base.has_limit_events ? 1 : 0;
    tni_joint_plan_drop(world);
    tni_joint_wake_bodies(world, joint);
    if (tni_joint_at(world, joint)->awake_index != TNI_NONE) {
        joint_leave_awake(world, joint);
    }
    tni_joint_unlink(world, joint, 0);
    tni_joint_unlink(world, joint, 1);
    tni_joint_def_drop(world, tni_joint_at(world, joint));
    tni_function_drop(world, tni_joint_at(world, joint));
    tni_pool_release(&world->joint_pool, handle);
    world->is_choice_stale = true;
    if (forbade_contacts) {
        tni_joint_allow_contacts(world, body_a, body_b);
    }
}

void tni_body_destroy_joints(tn_world *world, uint32_t body) {
    while (tni_body_at(world, body)->joint_head != TNI_NONE) {
        tni_joint_destroy_at(world, tni_body_at(world, body)->joint_head >> 1);
    }
}
