// world/joints/joint_create.c: makes a joint. All that may fail comes before anything is changed.
// Test: tests/joints/test_joint_misuse_create.c, tests/joints/test_joint_world.c
#include "world/contacts.h"
#include "world/joints.h"
#include "world/joints/joint_internal.h"

#include <string.h>

static const tn_joint_id joint_null = {0};
static const char *const joint_no_memory = "There is no memory for another joint.";

static bool joint_refuse(tn_world *world, tn_result result, const char *function,
                         const char *message) {
    tni_world_report(world, result, function, message, 0);
    return false;
}

// Finds a body's index from its handle; null is the world. Returns false after a report.
static bool joint_find_body(tn_world *world, tn_body_id id, const char *function,
                            uint32_t *out_body) {
    *out_body = TNI_NONE;
    if (id.value == 0) {
        return true;
    }
    *out_body = tni_world_find_body(world, id, function);
    return *out_body != TNI_NONE;
}

static bool joint_body_is_dynamic(const tn_world *world, uint32_t body) {
    return body != TNI_NONE && tni_body_at(world, body)->type == TN_BODY_TYPE_DYNAMIC;
}

static bool joint_find_bodies(tn_world *world, const tn_joint_def *def, const char *function,
                              tni_joint *joint) {
    if (!joint_find_body(world, def->body_a, function, &joint->body_a) ||
        !joint_find_body(world, def->body_b, function, &joint->body_b)) {
        return false;
    }
    if (joint->body_a == joint->body_b && joint->body_a != TNI_NONE) {
        return joint_refuse(world, TN_RESULT_SAME_BODY, function,
                            "body_a and body_b must be two different bodies.");
    }
    if (!joint_body_is_dynamic(world, joint->body_a) &&
        !joint_body_is_dynamic(world, joint->body_b)) {
        return joint_refuse(world, TN_RESULT_NO_DYNAMIC_BODY, function,
                            "At least one of body_a and body_b must be dynamic.");
    }
    return true;
}

static bool joint_suits_particles(tn_world *world, const tni_joint_def *def, const tni_joint *joint,
                                  const char *function) {
    tni_check check =
        tni_particle_check_joint(world, joint->type, def, joint->body_a, joint->body_b);
    return tni_world_accepts(world, check, function, 0);
}

// Makes the joint, which is in no list yet, mesh at its bodies' poses if its kind meshes. Its
// callback must give numbers there, and the data that its kind keeps must be sound.
static bool joint_begin(tn_world *world, tni_joint *joint, const char *function) {
    tni_body_motion a, b;
    tni_joint_make_frames(world, joint);
    tni_joint_get_motions(world, joint, &a, &b);
    tni_joint_mesh(joint, &a, &b, 0.0, TNI_COUNTS_BOTH);
    tni_joint_note_row_kinds(joint);
    joint->rows = tni_joint_count_rows(joint);
    if (!tni_joint_gives_numbers(world, joint, function)) {
        return false;
    }
    const tni_joint_keeper *keeper = joint->kind->keeper;
    const char *fault =
        keeper != NULL && keeper->find_fault != NULL ? keeper->find_fault(joint) : NULL;
    if (fault != NULL) {
        return joint_refuse(world, TN_RESULT_INVALID_ARGUMENT, function, fault);
    }
    return tni_joint_has_reference(joint, &a, &b) ||
           joint_refuse(world, TN_RESULT_ZERO_AXIS, function,
                        "The frames give no direction to measure angles against.");
}

bool tni_joints_make_room(tn_world *world, uint32_t slots) {
    if (slots > world->joints.capacity) {
        tni_joint_plan_drop(world); // its blocks point at records, which may move here
    }
    return tni_pages_reserve(&world->joints, slots);
}

bool tni_joints_reserve(tn_world *world, uint32_t count, const char *function) {
    const tni_pool *pool = &world->joint_pool;
    if (count > TNI_POOL_MAX_SLOTS - pool->live_count) {
        return joint_refuse(world, TN_RESULT_TOO_LARGE, function,
                            "There are as many joints as handles can name.");
    }
    uint32_t left = TNI_POOL_MAX_SLOTS - pool->slot_count;
    uint32_t slots = pool->slot_count + (count < left ? count : left);
    if (!tni_pool_reserve(&world->joint_pool, count) || !tni_joints_make_room(world, slots) ||
        !tni_index_list_reserve(&world->allocator, &world->awake_joints,
                                pool->live_count + count)) {
        return joint_refuse(world, TN_RESULT_OUT_OF_MEMORY, function, joint_no_memory);
    }
    return true;
}

static tn_joint_id joint_insert(tn_world *world, const tni_joint *record) {
    uint32_t handle = tni_pool_acquire(&world->joint_pool);
    uint32_t index = handle & TNI_POOL_INDEX_MASK;
    *tni_joint_at(world, index) = *record;
    tni_joint_at(world, index)->handle = handle;
    world->limit_event_joints += record->def.base.has_limit_events ? 1 : 0;
    tni_joint_plan_drop(world);
    tni_joint_link(world, index, 0);
    tni_joint_link(world, index, 1);
    if (!record->def.base.is_collision_allowed && record->body_a != TNI_NONE &&
        record->body_b != TNI_NONE) {
        tni_bodies_destroy_contacts_between(world, record->body_a, record->body_b);
    }
    tni_joint_wake_bodies(world, index);
    tni_joint_update_awake(world, index);
    world->is_choice_stale = true;
    tn_joint_id id = {handle};
    return id;
}

static tn_joint_id joint_create(tn_world *world, tn_joint_type type, const tni_joint_kind *kind,
                                const void *def, size_t size, const char *function) {
    if (!def) {
        joint_refuse(world, TN_RESULT_INVALID_ARGUMENT, function, "The definition is null.");
        return joint_null;
    }
    tni_joint_def own;
    memset(&own, 0, sizeof own);
    memcpy(&own, def, size);
    if (!tni_world_accepts(world, tni_joint_def_check(type, &own), function, 0)) {
        return joint_null;
    }
    tni_joint_def_normalize(&own);
    tni_joint record;
    memset(&record, 0, sizeof record);
    record.type = type;
    record.kind = kind;
    record.awake_index = TNI_NONE;
    record.lane = TNI_NONE;
    if (!joint_find_bodies(world, &own.base, function, &record) ||
        !joint_suits_particles(world, &own, &record, function) ||
        !tni_joints_reserve(world, 1, function)) {
        return joint_null;
    }
    if (!tni_joint_def_keep(world, &own, &record)) {
        joint_refuse(world, TN_RESULT_OUT_OF_MEMORY, function, joint_no_memory);
        return joint_null;
    }
    tni_world_begin_callback(world); // asks the joint's callback
    bool begins = joint_begin(world, &record, function);
    tni_world_end_callback(world);
    if (!begins) {
        tni_joint_def_drop(world, &record);
        return joint_null;
    }
    return joint_insert(world, &record);
}

tn_joint_id tni_joint_create(tn_world *world, tn_joint_type type, const tni_joint_kind *kind,
                             const void *def, size_t size, const char *function) {
    tn_joint_id made = joint_null;
    if (tni_world_begin_change(world, function)) {
        made = joint_create(world, type, kind, def, size, function);
    }
    tni_world_end_change(world);
    return made;
}
