// world/api/body.c: creates and destroys bodies; sets their type and whether they are enabled,
// awake or may sleep.
//
// Everything that may run out of memory comes before anything changes: the arrays and the lists are
// grown first, so that the rest of a creation cannot fail.
// Test: tests/world/api/test_body.c
#include <string.h>

#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/parts.h"
#include "world/records/convert.h"

#define BODY_ALL_LOCKS 63u

tn_body_def tn_body_def_default(void) {
    tn_body_def def = {0};
    def.type = TN_BODY_TYPE_DYNAMIC;
    def.pose.rotation.w = 1.0;
    def.gravity_scale = 1.0f;
    def.is_sleep_allowed = true;
    def.is_awake = true;
    def.is_enabled = true;
    return def;
}

static bool body_has_type(tn_body_type type) {
    return type == TN_BODY_TYPE_STATIC || type == TN_BODY_TYPE_KINEMATIC ||
           type == TN_BODY_TYPE_DYNAMIC;
}

static tni_check body_check_def(const tn_body_def *def) {
    if (!def) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "A body needs a definition."};
    }
    tn_vec3 w = def->velocity.angular;
    bool is_known = body_has_type(def->type) && (def->locks & ~BODY_ALL_LOCKS) == 0;
    bool are_finite = convert_is_finite(def->velocity.linear) && convert_is_finite(w) &&
                      isfinite(def->linear_damping) && isfinite(def->angular_damping) &&
                      isfinite(def->gravity_scale);
    bool turns = w.x != 0.0 || w.y != 0.0 || w.z != 0.0;
    const tni_check checks[] = {
        tni_check_that(
            is_known, TN_RESULT_INVALID_ARGUMENT,
            "The type must be static, kinematic or dynamic, and locks a set of tn_body_lock."),
        tni_check_that(are_finite, TN_RESULT_NOT_FINITE,
                       "Velocities, damping and gravity_scale must be finite."),
        tni_check_that(!(def->linear_damping < 0.0f || def->angular_damping < 0.0f),
                       TN_RESULT_INVALID_ARGUMENT, "Damping must not be negative."),
        tni_body_check_max_speeds(def->max_linear_speed, def->max_angular_speed),
        tni_check_that(!(def->is_particle && turns), TN_RESULT_INVALID_ARGUMENT,
                       "A particle has no angular velocity."),
        {convert_check_pose(&def->pose),
         "The pose must be finite, and its quaternion must have a length: start from "
         "tn_body_def_default()."},
        def->has_mass ? tni_mass_check(&def->mass, def->type, def->is_particle)
                      : (tni_check){TN_RESULT_OK, NULL},
    };
    return tni_check_all(checks, sizeof checks);
}

// Grows the array of bodies and every list that must have room for one more body.
static bool body_reserve(tn_world *world) {
    uint32_t index = tni_pool_next_index(&world->body_pool);
    uint32_t count = world->body_pool.live_count + 1;
    return tni_pages_reserve(&world->bodies, index + 1) && tni_blend_reserve(world, index + 1) &&
           tni_index_list_reserve(&world->allocator, &world->awake_bodies, count) &&
           tni_index_list_reserve(&world->allocator, &world->space_keys, count) &&
           tni_index_list_reserve(&world->allocator, &world->events.sleep_notes, count);
}

static void body_init(tni_body *body, const tn_body_def *def, uint32_t handle) {
    memset(body, 0, sizeof *body);
    body->handle = handle;
    body->type = def->type;
    body->is_particle = def->is_particle;
    body->locks = def->locks;
    body->is_enabled = def->is_enabled;
    body->is_sleep_allowed = def->is_sleep_allowed;
    body->linear_damping = def->linear_damping;
    body->angular_damping = def->angular_damping;
    body->gravity_scale = def->gravity_scale;
    tni_body_give_max_speeds(body, def->max_linear_speed, def->max_angular_speed);
    body->user_data = def->user_data;
    body->shape_head = TNI_NONE;
    body->contact_head = TNI_NONE;
    body->joint_head = TNI_NONE;
    body->force_head = TNI_NONE;
    body->reduced = TNI_NONE;
    body->awake_index = TNI_NONE;
    body->sleep_next = TNI_NONE;
    body->sleep_note = TNI_NONE;
    tni_body_set_frame(body, &def->pose);
    if (def->type != TN_BODY_TYPE_STATIC) {
        body->velocity = dvec3_from_plain(def->velocity.linear);
        body->angular_velocity = dvec3_from_plain(def->velocity.angular);
    }
}

static void body_init_mass(tn_world *world, uint32_t index, const tn_body_def *def) {
    tni_body *body = tni_body_at(world, index);
    tni_dvec3 velocity = body->velocity;
    if (def->has_mass) {
        tni_body_give_mass(body, &def->mass);
    }
    tni_body_update_mass(world, index);
    // A definition's velocity belongs to the centre of mass that it gives.
    body->velocity = velocity;
}

// Makes a new body awake, asleep on its own or, if static or disabled, neither.
static void body_init_awake(tn_world *world, uint32_t index, bool is_awake) {
    tni_body *body = tni_body_at(world, index);
    if (body->type == TN_BODY_TYPE_STATIC || !body->is_enabled) {
        return;
    }
    body->was_awake = is_awake;
    if (!is_awake) {
        body->sleep_next = index;
        return;
    }
    tni_joint_plan_drop(world);
    tni_body_list_awake(world, index);
}

static tn_body_id body_create(tn_world *world, const tn_body_def *def, const char *function) {
    tn_body_id none = {0};
    if (!tni_world_accepts(world, body_check_def(def), function, 0)) {
        return none;
    }
    if (tni_pool_next_index(&world->body_pool) >= TNI_POOL_MAX_SLOTS) {
        tni_world_report(world, TN_RESULT_TOO_LARGE, function, "A world holds 4194304 bodies.", 0);
        return none;
    }
    uint32_t handle = body_reserve(world) ? tni_pool_acquire(&world->body_pool) : 0;
    if (handle == 0) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, function,
                         "There is no memory for another body.", 0);
        return none;
    }
    uint32_t index = handle & TNI_POOL_INDEX_MASK;
    body_init(tni_body_at(world, index), def, handle);
    tni_body_note_max_speeds(world, tni_body_at(world, index));
    body_init_mass(world, index, def);
    body_init_awake(world, index, def->is_awake);
    tni_blend_place(world, index);
    return (tn_body_id){handle};
}

tn_body_id tn_body_create(tn_world *world, const tn_body_def *def) {
    tn_body_id made = {0};
    if (tni_world_begin_change(world, __func__)) {
        made = body_create(world, def, __func__);
    }
    tni_world_end_change(world);
    return made;
}

void tni_body_destroy_at(tn_world *world, uint32_t index) {
    if (tni_body_at(world, index)->reduced != TNI_NONE) {
        world->features.spans->destroy_reduced(world, tni_body_at(world, index)->reduced);
    }
    tni_body_wake_neighbours(world, index);
    tni_body_destroy_joints(world, index);
    if (tni_body_at(world, index)->force_head != TNI_NONE) {
        world->features.forces->leave_body(world, index);
    }
    tni_body_destroy_contacts(world, index);
    tni_body *body = tni_body_at(world, index);
    while (body->shape_head != TNI_NONE) {
        tni_shape_destroy_at(world, body->shape_head);
    }
    tni_body_leave_awake(world, index);
    tni_events_forget_body(world, index);
    tni_pool_release(&world->body_pool, body->handle);
}

void tn_body_destroy(tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index != TNI_NONE) {
        tni_body_destroy_at(world, index);
    }
    tni_world_end_change(world);
}

bool tn_body_is_valid(const tn_world *world, tn_body_id id) {
    return world && tni_pool_find(&world->body_pool, id.value) != TNI_POOL_NONE;
}

bool tn_body_is_particle(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index != TNI_NONE && tni_body_at(world, index)->is_particle;
}

// ---- type and enabling ------------------------------------------------------------------------

tn_body_type tn_body_get_type(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index == TNI_NONE ? TN_BODY_TYPE_STATIC : tni_body_at(world, index)->type;
}

static bool body_has_half_space(const tn_world *world, const tni_body *body) {
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        if (tni_shape_at(world, i)->geometry.type == TNI_GEOMETRY_HALF_SPACE) {
            return true;
        }
    }
    return false;
}

// Would a dynamic body get no mass from its concave shapes?
static bool body_lacks_mass(const tn_world *world, const tni_body *body) {
    bool lacks = false;
    for (uint32_t i = body->shape_head; i != TNI_NONE; i = tni_shape_at(world, i)->next) {
        const tni_concave_shape *concave = tni_shape_at(world, i)->concave;
        lacks = lacks || (concave != NULL && !concave->geometry->is_closed);
    }
    return lacks && !body->has_given_mass;
}

static tni_check body_check_type_change(const tn_world *world, const tni_body *body,
                                        tn_body_type type) {
    tn_mass mass = tni_body_get_mass(body);
    bool is_given = type == TN_BODY_TYPE_DYNAMIC && body->has_given_mass;
    const tni_check checks[] = {
        tni_check_that(body_has_type(type), TN_RESULT_INVALID_ARGUMENT,
                       "The type must be static, kinematic or dynamic."),
        tni_check_that(type == TN_BODY_TYPE_STATIC || !body_has_half_space(world, body),
                       TN_RESULT_WRONG_TYPE, "A body with a half-space must stay static."),
        tni_check_that(type != TN_BODY_TYPE_DYNAMIC || !body_lacks_mass(world, body),
                       TN_RESULT_INVALID_MASS,
                       "A mesh that is not closed gives a dynamic body no mass: set it first."),
        is_given ? tni_mass_check(&mass, type, body->is_particle) : (tni_check){TN_RESULT_OK, NULL},
    };
    return tni_check_all(checks, sizeof checks);
}

tn_result tn_body_set_type(tn_world *world, tn_body_id id, tn_body_type type) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE || tni_body_at(world, index)->type == type ||
        tni_body_is_led(world, index, __func__)) {
        return tni_world_end_change(world);
    }
    tni_body *body = tni_body_at(world, index);
    if (!tni_world_accepts(world, body_check_type_change(world, body, type), __func__, id.value)) {
        return tni_world_end_change(world);
    }
    if (!tni_body_change_tree(world, index, type)) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory to move the body's shapes to another tree.", id.value);
        return tni_world_end_change(world);
    }
    tni_body_wake_neighbours(world, index);
    tni_body_leave_awake(world, index);
    tni_body_destroy_contacts(world, index);
    body->type = type;
    body->has_target = false;
    if (type == TN_BODY_TYPE_STATIC) {
        body->velocity = dvec3_make(0.0, 0.0, 0.0);
        body->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
    }
    body->force = dvec3_make(0.0, 0.0, 0.0);
    body->torque = dvec3_make(0.0, 0.0, 0.0);
    tni_body_update_mass(world, index);
    if (world->features.spans != NULL) {
        world->features.spans->center_functions(world);
    }
    tni_body_wake(world, index);
    tni_body_wake_overlapping(world, index);
    return tni_world_end_change(world);
}

tn_result tn_body_set_enabled(tn_world *world, tn_body_id id, bool is_enabled) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE || tni_body_at(world, index)->is_enabled == is_enabled) {
        return tni_world_end_change(world);
    }
    if (!is_enabled) {
        tni_body_disable(world, index);
        return tni_world_end_change(world);
    }
    tni_body *body = tni_body_at(world, index);
    body->is_enabled = true;
    if (!tni_body_enter_broad_phase(world, index)) {
        body->is_enabled = false;
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory to put the body's shapes back.", id.value);
        return tni_world_end_change(world);
    }
    tni_body_wake(world, index);
    tni_body_wake_neighbours(world, index);
    tni_body_wake_overlapping(world, index);
    tni_body_update_joints_awake(world, index);
    return tni_world_end_change(world);
}

void tni_body_disable(tn_world *world, uint32_t index) {
    tni_body *body = tni_body_at(world, index);
    tni_body_wake_neighbours(world, index);
    tni_body_leave_awake(world, index);
    tni_body_destroy_contacts(world, index);
    tni_body_leave_broad_phase(world, index);
    body->is_enabled = false;
    tni_body_update_joints_awake(world, index);
    body->has_target = false;
    body->force = dvec3_make(0.0, 0.0, 0.0);
    body->torque = dvec3_make(0.0, 0.0, 0.0);
}

bool tn_body_is_enabled(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index != TNI_NONE && tni_body_at(world, index)->is_enabled;
}

// ---- sleep ------------------------------------------------------------------------------------

tn_result tn_body_set_awake(tn_world *world, tn_body_id id, bool is_awake) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    if (is_awake) {
        tni_body_wake(world, index);
    } else if (tni_body_at(world, index)->awake_index != TNI_NONE) {
        tni_body_sleep(world, index);
    }
    return tni_world_end_change(world);
}

bool tn_body_is_awake(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index != TNI_NONE && tni_body_at(world, index)->awake_index != TNI_NONE;
}

tn_result tn_body_set_sleep_allowed(tn_world *world, tn_body_id id, bool is_allowed) {
    uint32_t index = tni_world_find_body_to_change(world, id, __func__);
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    bool had_sleep = tni_body_at(world, index)->is_sleep_allowed;
    tni_body_at(world, index)->is_sleep_allowed = is_allowed;
    if (had_sleep && !is_allowed) {
        tni_body_wake(world, index);
    }
    return tni_world_end_change(world);
}

bool tn_body_is_sleep_allowed(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    return index != TNI_NONE && tni_body_at(world, index)->is_sleep_allowed;
}
