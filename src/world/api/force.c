// world/api/force.c: forces in the world's lists: creation, destruction, waking; and the public
// functions that all of them share.
//
// A force hangs by its ends in the lists of its bodies, as joints do, and stands in one list in the
// order of creation, in which it is asked. Test: tests/forces/test_force.c, test_force_misuse.c
#include <stddef.h>
#include <string.h>

#include "core/same.h"
#include "forces/goal.h"
#include "world/api/force_internal.h"
#include "world/bodies.h"
#include "world/joints.h"

static const tn_force_id force_null = {0};

tn_connector tn_connector_default(void) {
    tn_connector connector = {.axis = {1.0, 0.0, 0.0}};
    return connector;
}

tn_force_def tn_force_def_default(void) {
    tn_force_def def = {.base.is_enabled = true};
    for (uint32_t i = 0; i < TN_FORCE_MAX_CONNECTORS; ++i) {
        def.base.connectors[i] = tn_connector_default();
    }
    return def;
}

// ---- lists -------------------------------------------------------------------------------------

static void force_link(tn_world *world, uint32_t force) {
    const tni_force *record = tni_force_at(world, force);
    for (uint32_t i = 0; i < record->end_count; ++i) {
        tni_force_end *end = &record->ends[i];
        uint32_t key = force << TNI_FORCE_END_BITS | i;
        end->previous = end->next = TNI_NONE;
        if (end->body == TNI_NONE) {
            continue;
        }
        tni_body *body = tni_body_at(world, end->body);
        end->next = body->force_head;
        if (end->next != TNI_NONE) {
            tni_force_end_at(world, end->next)->previous = key;
        }
        body->force_head = key;
    }
}

static void force_unlink(tn_world *world, uint32_t force) {
    const tni_force *record = tni_force_at(world, force);
    for (uint32_t i = 0; i < record->end_count; ++i) {
        const tni_force_end *end = &record->ends[i];
        if (end->body == TNI_NONE) {
            continue;
        }
        if (end->previous != TNI_NONE) {
            tni_force_end_at(world, end->previous)->next = end->next;
        } else {
            tni_body_at(world, end->body)->force_head = end->next;
        }
        if (end->next != TNI_NONE) {
            tni_force_end_at(world, end->next)->previous = end->previous;
        }
    }
}

// Takes a force off the list. Later ones move up, so that the order of creation stays.
static void force_leave_list(tn_world *world, uint32_t force) {
    tni_index_list *list = &world->force_list;
    list->count -= 1;
    for (uint32_t i = tni_force_at(world, force)->place; i < list->count; ++i) {
        list->items[i] = list->items[i + 1];
        tni_force_at(world, list->items[i])->place = i;
    }
}

void tni_force_wake_bodies(tn_world *world, uint32_t force) {
    const tni_force *record = tni_force_at(world, force);
    for (uint32_t i = 0; i < record->end_count; ++i) {
        if (record->ends[i].body != TNI_NONE) {
            tni_body_wake(world, record->ends[i].body);
        }
    }
}

// ---- creation ----------------------------------------------------------------------------------

static tn_force_id force_refuse(const tn_world *world, tn_result result, const char *function,
                                const char *message) {
    tni_world_report(world, result, function, message, 0);
    return force_null;
}

static bool force_find_bodies(tn_world *world, const tn_force_base *base, const char *function,
                              uint32_t *out_bodies) {
    bool has_dynamic = false;
    for (uint32_t i = 0; i < base->connector_count; ++i) {
        out_bodies[i] = TNI_NONE;
        if (base->connectors[i].body.value != 0) {
            out_bodies[i] = tni_world_find_body(world, base->connectors[i].body, function);
            if (out_bodies[i] == TNI_NONE) {
                return false;
            }
            has_dynamic |= tni_body_at(world, out_bodies[i])->type == TN_BODY_TYPE_DYNAMIC;
        }
    }
    if (!has_dynamic) {
        force_refuse(world, TN_RESULT_NO_DYNAMIC_BODY, function,
                     "At least one of a force's bodies must be dynamic.");
    }
    return has_dynamic;
}

static bool force_names_twice(const uint32_t *bodies, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            if (bodies[i] == bodies[k] && bodies[i] != TNI_NONE) {
                return true;
            }
        }
    }
    return false;
}

// Checks the number of connectors and that their bodies suit the type. Returns false after a
// report.
static bool force_suits(const tn_world *world, const tni_force *given, const tn_force_base *base,
                        const uint32_t *bodies, const char *function) {
    uint32_t count = base->connector_count;
    bool is_pair = given->type == TN_FORCE_TYPE_SPRING || given->type == TN_FORCE_TYPE_MOTOR;
    if ((is_pair && count != 2) || (given->type == TN_FORCE_TYPE_MAGNET && count < 2)) {
        force_refuse(world, TN_RESULT_INVALID_ARGUMENT, function,
                     "A spring and a motor have two connectors, magnets two or more.");
        return false;
    }
    bool is_water = given->type == TN_FORCE_TYPE_BUOYANCY;
    for (uint32_t i = 0; i < count; ++i) {
        if (is_water && bodies[i] == TNI_NONE) {
            force_refuse(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "Water bears bodies, not the world.");
            return false;
        }
        tni_check check = tni_force_check_amount(given->type, base->connectors[i].amount);
        if (check.result != TN_RESULT_OK) {
            force_refuse(world, check.result, function, check.message);
            return false;
        }
    }
    bool is_goal = given->type == TN_FORCE_TYPE_GOAL;
    if ((is_pair || is_water || is_goal) && force_names_twice(bodies, count)) {
        force_refuse(world, TN_RESULT_SAME_BODY, function, "Two connectors are of one body.");
        return false;
    }
    tni_check check =
        is_goal ? tni_force_check_goal(world, given, bodies) : (tni_check){TN_RESULT_OK, ""};
    if (check.result != TN_RESULT_OK) {
        force_refuse(world, check.result, function, check.message);
    }
    return check.result == TN_RESULT_OK;
}

static void force_fill(tni_force *force, const tni_force *given, const tn_force_base *base,
                       const uint32_t *bodies) {
    tni_force_end *ends = force->ends;
    uint32_t handle = force->handle, place = force->place;
    *force = *given;
    force->handle = handle;
    force->place = place;
    force->ends = ends;
    force->end_count = base->connector_count;
    force->acts_once_per_step = base->acts_once_per_step;
    force->keeps_awake = base->keeps_awake;
    force->is_enabled = base->is_enabled;
    for (uint32_t i = 0; i < base->connector_count; ++i) {
        const tn_connector *connector = &base->connectors[i];
        tni_dvec3 axis = dvec3_from_plain(connector->axis);
        ends[i].body = bodies[i];
        ends[i].is_at_center = connector->is_at_center || given->type == TN_FORCE_TYPE_BUOYANCY ||
                               given->type == TN_FORCE_TYPE_GOAL;
        ends[i].point = dvec3_from_plain(connector->point);
        ends[i].axis = dvec3_scale(axis, 1.0 / dvec3_length(axis));
        ends[i].amount = connector->amount;
    }
}

// Allocates a record that is in the world's list but in no body's yet. Returns TNI_NONE without
// memory.
static uint32_t force_allocate(tn_world *world, uint32_t end_count) {
    uint32_t count = world->force_list.count;
    uint32_t index = tni_pool_next_index(&world->force_pool);
    if (!tni_pages_reserve(&world->forces, index + 1) ||
        !tni_index_list_reserve(&world->allocator, &world->force_list, count + 1)) {
        return TNI_NONE;
    }
    tni_force_end *ends = tni_alloc_zeroed(&world->allocator, end_count * sizeof *ends);
    uint32_t handle = ends != NULL ? tni_pool_acquire(&world->force_pool) : 0;
    if (handle == 0) {
        tni_free(&world->allocator, ends, end_count * sizeof *ends);
        return TNI_NONE;
    }
    tni_force *force = tni_force_at(world, index);
    force->handle = handle;
    force->ends = ends;
    force->place = count;
    world->force_list.items[count] = index;
    world->force_list.count = count + 1;
    return index;
}

static const tni_force_feature force_feature;

static tn_force_id force_create(tn_world *world, const tni_force *given, const tn_force_base *base,
                                const char *function) {
    if (base == NULL) {
        return force_refuse(world, TN_RESULT_INVALID_ARGUMENT, function, "The definition is null.");
    }
    tni_check check = tni_force_check_base(base);
    check = check.result == TN_RESULT_OK ? tni_force_check_numbers(given) : check;
    if (check.result != TN_RESULT_OK) {
        return force_refuse(world, check.result, function, check.message);
    }
    uint32_t bodies[TN_FORCE_MAX_CONNECTORS];
    if (!force_find_bodies(world, base, function, bodies) ||
        !force_suits(world, given, base, bodies, function)) {
        return force_null;
    }
    if (world->force_pool.live_count == TNI_POOL_MAX_SLOTS) {
        return force_refuse(world, TN_RESULT_TOO_LARGE, function,
                            "There are as many forces as handles can name.");
    }
    uint32_t index = force_allocate(world, base->connector_count);
    if (index == TNI_NONE) {
        return force_refuse(world, TN_RESULT_OUT_OF_MEMORY, function,
                            "There is no memory for another force.");
    }
    world->features.forces = &force_feature;
    force_fill(tni_force_at(world, index), given, base, bodies);
    force_link(world, index);
    tni_joint_plan_drop(world);
    tni_force_wake_bodies(world, index);
    return (tn_force_id){tni_force_at(world, index)->handle};
}

tn_force_id tni_force_create(tn_world *world, const tni_force *given, const tn_force_base *base,
                             const char *function) {
    tn_force_id made = force_null;
    if (tni_world_begin_change(world, function)) {
        made = force_create(world, given, base, function);
    }
    tni_world_end_change(world);
    return made;
}

tn_force_id tn_force_create(tn_world *world, const tn_force_def *def) {
    tni_force given = {.type = TN_FORCE_TYPE_CUSTOM};
    if (def != NULL) {
        given.function = def->function;
        given.user_data = def->function_user_data;
    }
    return tni_force_create(world, &given, def != NULL ? &def->base : NULL, __func__);
}

// ---- destruction -------------------------------------------------------------------------------

void tni_force_free(tn_world *world, tni_force *force) {
    if (force->type == TN_FORCE_TYPE_GOAL) {
        tni_goal_free(force->goal.apart, &world->allocator);
    }
    tni_free(&world->allocator, force->ends, force->end_count * sizeof *force->ends);
}

void tni_force_destroy_at(tn_world *world, uint32_t index) {
    tni_joint_plan_drop(world);
    tni_force_wake_bodies(world, index);
    force_unlink(world, index);
    force_leave_list(world, index);
    tni_force *force = tni_force_at(world, index);
    tni_force_free(world, force);
    tni_pool_release(&world->force_pool, force->handle);
}

static void force_leave_body(tn_world *world, uint32_t body) {
    while (tni_body_at(world, body)->force_head != TNI_NONE) {
        tni_force_destroy_at(world, tni_body_at(world, body)->force_head >> TNI_FORCE_END_BITS);
    }
}

static void force_drop_all(tn_world *world) {
    for (uint32_t i = 0; i < world->force_list.count; ++i) {
        tni_force_free(world, tni_force_at(world, world->force_list.items[i]));
    }
}

static const tni_force_feature force_feature = {.gather = tni_step_gather_forces,
                                                .join = tni_step_join_forces,
                                                .scatter = tni_step_scatter_forces,
                                                .wake_bodies = tni_force_wake_bodies,
                                                .leave_body = force_leave_body,
                                                .destroy = tni_force_destroy_at,
                                                .drop = force_drop_all};

void tn_force_destroy(tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_begin_change(world, __func__)
                         ? tni_world_find_force(world, id, __func__)
                         : TNI_NONE;
    if (index != TNI_NONE) {
        tni_force_destroy_at(world, index);
    }
    tni_world_end_change(world);
}

// ---- finding and changing ----------------------------------------------------------------------

uint32_t tni_world_find_force(const tn_world *world, tn_force_id id, const char *function) {
    return tni_world_find(world, world ? &world->force_pool : NULL, id.value, function,
                          "The handle names no force of this world.");
}

uint32_t tni_world_find_force_of_type(const tn_world *world, tn_force_id id, tn_force_type type,
                                      const char *function) {
    uint32_t index = tni_world_find_force(world, id, function);
    if (index == TNI_NONE || tni_force_at(world, index)->type == type) {
        return index;
    }
    tni_world_report(world, TN_RESULT_WRONG_TYPE, function,
                     "The force is of another type than this function is for.", id.value);
    return TNI_NONE;
}

// Returns the size of a type's numbers in bytes, without padding at their end.
static size_t force_get_size(tn_force_type type) {
    switch (type) {
    case TN_FORCE_TYPE_SPRING:
        return sizeof(tn_force_spring);
    case TN_FORCE_TYPE_AIR:
        return offsetof(tn_force_air, gust_count) + sizeof(uint32_t);
    case TN_FORCE_TYPE_BUOYANCY:
        return sizeof(tn_force_buoyancy);
    case TN_FORCE_TYPE_MAGNET:
        return sizeof(tn_force_magnet);
    case TN_FORCE_TYPE_GOAL:
        return sizeof(tn_force_goal);
    default:
        return sizeof(tn_force_motor);
    }
}

tn_result tni_force_change(tn_world *world, tn_force_id id, const tni_force *changed,
                           const char *function) {
    uint32_t index = tni_world_begin_change(world, function)
                         ? tni_world_find_force_of_type(world, id, changed->type, function)
                         : TNI_NONE;
    if (index != TNI_NONE &&
        tni_world_accepts(world, tni_force_check_numbers(changed), function, id.value)) {
        tni_force *force = tni_force_at(world, index);
        size_t size = force_get_size(changed->type);
        if (!tni_is_same(&force->spring, &changed->spring, size)) { // all types begin there
            memcpy(&force->spring, &changed->spring, size);
            tni_force_wake_bodies(world, index);
        }
    }
    return tni_world_end_change(world);
}

tn_result tn_force_set_enabled(tn_world *world, tn_force_id id, bool is_enabled) {
    uint32_t index = tni_world_begin_change(world, __func__)
                         ? tni_world_find_force(world, id, __func__)
                         : TNI_NONE;
    if (index == TNI_NONE) {
        return tni_world_end_change(world);
    }
    tni_force *force = tni_force_at(world, index);
    force->is_told = false;
    if (force->is_enabled == is_enabled) {
        return tni_world_end_change(world);
    }
    tni_joint_plan_drop(world);
    force->is_enabled = is_enabled;
    tni_force_wake_bodies(world, index);
    return tni_world_end_change(world);
}

bool tn_force_is_enabled(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force(world, id, __func__);
    return index != TNI_NONE && tni_force_at(world, index)->is_enabled;
}

bool tn_force_is_valid(const tn_world *world, tn_force_id id) {
    return world != NULL && tni_pool_find(&world->force_pool, id.value) != TNI_POOL_NONE;
}

tn_force_type tn_force_get_type(const tn_world *world, tn_force_id id) {
    uint32_t index = tni_world_find_force(world, id, __func__);
    return index != TNI_NONE ? tni_force_at(world, index)->type : TN_FORCE_TYPE_CUSTOM;
}

// ---- connectors --------------------------------------------------------------------------------

tni_force_end *tni_force_find_end(const tn_world *world, uint32_t force, uint32_t connector,
                                  const char *function) {
    if (force == TNI_NONE) {
        return NULL;
    }
    const tni_force *record = tni_force_at(world, force);
    if (connector >= record->end_count) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "The force has fewer connectors.", record->handle);
        return NULL;
    }
    return &record->ends[connector];
}

static const tni_force_end *force_read_end(const tn_world *world, tn_force_id id,
                                           uint32_t connector, const char *function) {
    return tni_force_find_end(world, tni_world_find_force(world, id, function), connector,
                              function);
}

tn_connector tn_force_get_connector(const tn_world *world, tn_force_id id, uint32_t connector) {
    tn_connector result = {0};
    const tni_force_end *end = force_read_end(world, id, connector, __func__);
    if (end != NULL) {
        result.body.value = end->body != TNI_NONE ? tni_body_at(world, end->body)->handle : 0;
        result.is_at_center = end->is_at_center;
        result.point = dvec3_to_plain(end->point);
        result.axis = dvec3_to_plain(end->axis);
        result.amount = end->amount;
    }
    return result;
}

tn_result tn_force_set_amount(tn_world *world, tn_force_id id, uint32_t connector, double amount) {
    if (!tni_world_begin_change(world, __func__)) {
        return tni_world_end_change(world);
    }
    uint32_t index = tni_world_find_force(world, id, __func__);
    tni_force_end *end = tni_force_find_end(world, index, connector, __func__);
    if (end == NULL) {
        return tni_world_end_change(world);
    }
    tni_check check = tni_force_check_amount(tni_force_at(world, index)->type, amount);
    if (tni_world_accepts(world, check, __func__, id.value) && end->amount != amount) {
        end->amount = amount;
        tni_force_wake_bodies(world, index);
    }
    return tni_world_end_change(world);
}

tn_vec3 tn_force_get_force(const tn_world *world, tn_force_id id, uint32_t connector) {
    const tni_force_end *end = force_read_end(world, id, connector, __func__);
    return end != NULL ? dvec3_to_plain(end->force) : (tn_vec3){0};
}

tn_vec3 tn_force_get_torque(const tn_world *world, tn_force_id id, uint32_t connector) {
    const tni_force_end *end = force_read_end(world, id, connector, __func__);
    return end != NULL ? dvec3_to_plain(end->torque) : (tn_vec3){0};
}

uint32_t tn_world_count_forces(const tn_world *world) {
    return world != NULL ? world->force_list.count : 0;
}

uint32_t tn_world_get_forces(const tn_world *world, tn_force_id *out_forces, uint32_t capacity) {
    uint32_t count = tn_world_count_forces(world);
    for (uint32_t i = 0; out_forces != NULL && i < count && i < capacity; ++i) {
        out_forces[i].value = tni_force_at(world, world->force_list.items[i])->handle;
    }
    return count;
}
