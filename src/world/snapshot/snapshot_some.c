// world/snapshot/snapshot_some.c: brings back the state of some bodies alone.
//
// The bytes are checked as for a load of the whole world. Then they are read once more, and what
// they have of the bodies is taken into the world as if the user had set it: what a body touches or
// is tied to wakes. Joints and contacts whose ends all come back, or do not move, begin with the
// impulses that they had then.
// Test: tests/world/snapshot/test_snapshot_some.c
#include "tenon/snapshot.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/snapshot/snapshot.h"

// A body that comes back.
typedef struct some_body {
    uint32_t index;
    bool is_read;
    bool sleeps; // it did, and nothing forbids it so far
    tni_body saved;
} some_body;

typedef struct some_load {
    tn_world *world;
    uint32_t *places; // by index of bodies: 1 + where it stands among these, or 0
    uint32_t place_count;
    some_body *bodies;
    uint32_t count, capacity;
} some_load;

// ---- which --------------------------------------------------------------------------------------

static some_body *some_find(const some_load *load, uint32_t index) {
    uint32_t place = index < load->place_count ? load->places[index] : 0;
    return place != 0 ? &load->bodies[place - 1] : NULL;
}

static bool some_reserve(some_load *load, uint32_t count) {
    tni_allocator *allocator = &load->world->allocator;
    uint32_t slots = load->world->body_pool.slot_count;
    load->places = tni_alloc_zeroed(allocator, slots * sizeof *load->places);
    load->place_count = load->places != NULL ? slots : 0;
    load->bodies = tni_alloc(allocator, count * sizeof *load->bodies);
    load->capacity = load->bodies != NULL ? count : 0;
    return load->places != NULL && load->bodies != NULL;
}

static void some_free(some_load *load) {
    tni_allocator *allocator = &load->world->allocator;
    tni_free(allocator, load->places, load->place_count * sizeof *load->places);
    tni_free(allocator, load->bodies, load->capacity * sizeof *load->bodies);
}

// The order of the list does not matter: they stand in the order of their indices.
static void some_list(some_load *load, const tn_body_id *bodies, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        load->places[bodies[i].value & TNI_POOL_INDEX_MASK] = 1;
    }
    for (uint32_t index = 0; index < load->place_count; ++index) {
        if (load->places[index] != 0) {
            load->bodies[load->count++] = (some_body){.index = index};
            load->places[index] = load->count;
        }
    }
}

static void some_take_body(void *context, uint32_t index, const tni_body *saved) {
    some_body *body = some_find(context, index);
    if (body != NULL) {
        body->saved = *saved;
        body->is_read = true;
    }
}

// Checks what a body is against what it was. Returns UNKNOWN_OBJECT if the bytes lack it.
static tn_result some_check(const tn_world *world, const some_body *body) {
    const tni_body *own = tni_body_at(world, body->index), *saved = &body->saved;
    if (!body->is_read || saved->handle != own->handle) {
        return TN_RESULT_UNKNOWN_OBJECT;
    }
    bool is_same = saved->type == own->type && saved->is_particle == own->is_particle;
    bool is_free = own->reduced == TNI_NONE && saved->reduced == TNI_NONE;
    return is_same && is_free ? TN_RESULT_OK : TN_RESULT_WRONG_TYPE;
}

// ---- bodies -------------------------------------------------------------------------------------

// Its centre of mass may be elsewhere in its frame by now: the frame comes back.
static void some_set_pose(tni_body *body, const tni_body *saved) {
    body->position = saved->position;
    body->rotation = saved->rotation;
    tni_dvec3 shift = dvec3_sub(body->local_center, saved->local_center);
    if (shift.x != 0.0 || shift.y != 0.0 || shift.z != 0.0) {
        tni_dvec3 arm = dquat_rotate(saved->rotation, shift);
        body->position = dvec3_add(saved->position, arm);
    }
}

static void some_set_motion(tni_body *body, const tni_body *saved) {
    body->velocity = saved->velocity;
    body->angular_velocity = saved->angular_velocity;
    body->force = saved->force;
    body->torque = saved->torque;
    body->is_pushed = saved->is_pushed;
    body->has_target = saved->has_target;
    body->met_target = saved->met_target;
    body->bend = saved->bend;
    body->rest_time = saved->rest_time;
    body->rest = saved->rest;
}

// Wakes what is near while it stands where it was, and again where it comes to stand.
static void some_place(tn_world *world, const some_body *body) {
    tni_body *own = tni_body_at(world, body->index);
    tni_body_wake_neighbours(world, body->index);
    some_set_pose(own, &body->saved);
    tni_body_remember_turns(world, body->index);
    tni_blend_place(world, body->index);
    tni_body_update_bounds(world, body->index, 0.0);
    tni_body_wake(world, body->index);
    tni_body_wake_overlapping(world, body->index);
}

// ---- sleep --------------------------------------------------------------------------------------

// Returns whether the body at the other end leaves this one asleep.
static bool some_may_sleep_beside(const some_load *load, uint32_t other) {
    if (other == TNI_NONE || tni_body_at(load->world, other)->awake_index == TNI_NONE) {
        return true;
    }
    const some_body *body = some_find(load, other);
    return body != NULL && body->sleeps;
}

static bool some_may_sleep(const some_load *load, const some_body *body) {
    const tn_world *world = load->world;
    const tni_body *own = tni_body_at(world, body->index);
    if (own->force_head != TNI_NONE) {
        return false;
    }
    for (uint32_t key = own->contact_head; key != TNI_NONE;
         key = tni_contact_edge_next(world, key)) {
        const tni_contact *contact = tni_contact_at(world, key >> 1);
        uint32_t other = (key & 1) != 0 ? contact->body_a : contact->body_b;
        if (contact->is_touching && !some_may_sleep_beside(load, other)) {
            return false;
        }
    }
    for (uint32_t key = own->joint_head; key != TNI_NONE;) {
        const tni_joint *joint = tni_joint_at(world, key >> 1);
        uint32_t other = (key & 1) != 0 ? joint->body_a : joint->body_b;
        if (!joint->is_disabled && !some_may_sleep_beside(load, other)) {
            return false;
        }
        key = joint->edges[key & 1].next;
    }
    return true;
}

// Bodies that slept fall asleep again, unless something that does not keeps them awake.
static void some_put_to_sleep(some_load *load) {
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (uint32_t i = 0; i < load->count; ++i) {
            some_body *body = &load->bodies[i];
            if (body->sleeps && !some_may_sleep(load, body)) {
                body->sleeps = false;
                has_changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < load->count; ++i) {
        if (load->bodies[i].sleeps) {
            tni_body_sleep(load->world, load->bodies[i].index);
        }
    }
}

// ---- joints and contacts ------------------------------------------------------------------------

// Returns whether an end of a joint or contact is as it was: it comes back, or never moves.
static bool some_is_back(const some_load *load, uint32_t index) {
    return index == TNI_NONE || some_find(load, index) != NULL ||
           tni_body_at(load->world, index)->type == TN_BODY_TYPE_STATIC;
}

static void some_take_joint(void *context, uint32_t index, const tni_joint *saved) {
    const some_load *load = context;
    tn_world *world = load->world;
    if (tni_pool_handle(&world->joint_pool, index) != saved->handle) {
        return;
    }
    tni_joint *joint = tni_joint_at(world, index);
    bool is_same = joint->type == saved->type && joint->rows.rows == saved->rows.rows &&
                   joint->body_a == saved->body_a && joint->body_b == saved->body_b;
    if (!is_same || !some_is_back(load, joint->body_a) || !some_is_back(load, joint->body_b)) {
        return;
    }
    memcpy(joint->impulses, saved->impulses, sizeof joint->impulses);
    joint->memory = saved->memory;
    joint->bearing = saved->bearing;
    joint->reaction_force = saved->reaction_force;
    joint->reaction_torque = saved->reaction_torque;
}

// A pair that touched then and touches now goes on as it did. The next step judges the others.
static void some_take_contact(void *context, uint32_t index, const tni_contact *saved) {
    const some_load *load = context;
    tn_world *world = load->world;
    if (tni_pool_handle(&world->contact_pool, index) != saved->handle) {
        return;
    }
    tni_contact *contact = tni_contact_at(world, index);
    bool is_same = contact->shape_a == saved->shape_a && contact->shape_b == saved->shape_b &&
                   contact->is_touching && saved->is_touching;
    if (!is_same || !some_is_back(load, contact->body_a) || !some_is_back(load, contact->body_b)) {
        return;
    }
    contact->cache = saved->cache;
    contact->origin = saved->origin;
    contact->manifold = saved->manifold;
    memcpy(contact->normal_impulses, saved->normal_impulses, sizeof contact->normal_impulses);
    memcpy(contact->step_impulses, saved->step_impulses, sizeof contact->step_impulses);
    contact->friction_impulse = saved->friction_impulse;
    contact->rolling_impulse = saved->rolling_impulse;
    contact->step_friction_impulse = saved->step_friction_impulse;
    contact->borne = saved->borne;
    contact->lift = saved->lift;
    contact->slip = saved->slip;
    contact->slides = saved->slides;
    contact->is_remembered = contact->is_walked = contact->is_confirmed = false;
    if (contact->awake_index != TNI_NONE) {
        tni_awake_contact *awake = &world->awake_contacts.items[contact->awake_index];
        awake->has_points = contact->manifold.point_count > 0;
        awake->is_quiet = awake->is_near = false;
    }
}

// ---- all ----------------------------------------------------------------------------------------

static void some_apply(some_load *load, tni_snapshot *snapshot) {
    tn_world *world = load->world;
    tni_joint_plan_drop(world); // its impulses go into the records first
    for (uint32_t i = 0; i < load->count; ++i) {
        some_place(world, &load->bodies[i]);
    }
    tni_snapshot_read_joints(snapshot, some_take_joint, load);
    tni_snapshot_read_contacts(snapshot, some_take_contact, load);
    for (uint32_t i = 0; i < load->count; ++i) {
        some_body *body = &load->bodies[i];
        body->sleeps = body->saved.awake_index == TNI_NONE &&
                       tni_body_at(world, body->index)->awake_index != TNI_NONE;
    }
    some_put_to_sleep(load);
    for (uint32_t i = 0; i < load->count; ++i) {
        some_set_motion(tni_body_at(world, load->bodies[i].index), &load->bodies[i].saved);
    }
}

// Finds the bodies. Returns why one cannot come back, and which.
static tn_result some_gather(some_load *load, tni_snapshot *snapshot, const tn_body_id *bodies,
                             uint32_t count, uint32_t *out_wrong) {
    tn_world *world = load->world;
    if (!some_reserve(load, count)) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    some_list(load, bodies, count);
    tni_snapshot_read_bodies(snapshot, some_take_body, load);
    for (uint32_t i = 0; i < load->count; ++i) {
        tn_result result = some_check(world, &load->bodies[i]);
        if (result != TN_RESULT_OK) {
            *out_wrong = tni_body_at(world, load->bodies[i].index)->handle;
            return result;
        }
    }
    return TN_RESULT_OK;
}

static tn_result some_load_bodies(tn_world *world, const void *memory, uint64_t size,
                                  const tn_body_id *bodies, uint32_t count, uint32_t *out_wrong) {
    if (bodies == NULL && count > 0) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (tni_pool_find(&world->body_pool, bodies[i].value) == TNI_POOL_NONE) {
            *out_wrong = bodies[i].value;
            return TN_RESULT_INVALID_ID;
        }
    }
    tni_snapshot snapshot;
    some_load load = {.world = world};
    tn_result result = tni_snapshot_open(&snapshot, world, memory, size);
    if (result == TN_RESULT_OK && count > 0) {
        result = some_gather(&load, &snapshot, bodies, count, out_wrong);
    }
    if (result == TN_RESULT_OK) {
        some_apply(&load, &snapshot);
    }
    some_free(&load);
    tni_snapshot_free(&snapshot);
    return result;
}

tn_result tn_world_load_bodies(tn_world *world, const void *memory, uint64_t size,
                               const tn_body_id *bodies, uint32_t count) {
    if (tni_world_begin_change(world, __func__)) {
        uint32_t wrong = 0;
        tn_result result = some_load_bodies(world, memory, size, bodies, count, &wrong);
        if (result != TN_RESULT_OK) {
            world->change_count -= 1; // it changed nothing
            tni_world_report(world, result, __func__, tn_result_text(result), wrong);
        }
    }
    return tni_world_end_change(world);
}
