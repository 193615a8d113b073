// world/movers/reduced.c: creates, reads, changes and destroys reduced objects.
//
// The solver works with the record itself (solver/movers/reduced.h). Its bodies are ordinary ones
// with their own mass, whose `reduced` names the object. A call that would move such a body other
// than by the coordinates is refused.
// Test: tests/world/movers/test_reduced_misuse.c
#include <string.h>

#include "core/same.h"
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/records/convert.h"

static const tn_reduced_id reduced_null = {0};

tn_reduced_def tn_reduced_def_default(void) {
    tn_reduced_def def = {.freedoms = 1};
    return def;
}

// ---- checks ------------------------------------------------------------------------------------

static bool reduced_refuse(const tn_world *world, tn_result result, const char *function,
                           const char *message, uint32_t id) {
    tni_world_report(world, result, function, message, id);
    return false;
}

bool tni_body_is_led(const tn_world *world, uint32_t body, const char *function) {
    const tni_body *record = tni_body_at(world, body);
    return record->reduced != TNI_NONE &&
           !reduced_refuse(world, TN_RESULT_WRONG_TYPE, function,
                           "The coordinates of a reduced body say where it is and how it moves.",
                           record->handle);
}

static bool reduced_suits(const tn_world *world, const tni_body *body, const char *function) {
    if (body->type != TN_BODY_TYPE_DYNAMIC || body->is_particle) {
        return reduced_refuse(world, TN_RESULT_WRONG_TYPE, function,
                              "A reduced body must be dynamic, and no particle.", body->handle);
    }
    if (body->reduced != TNI_NONE) {
        return reduced_refuse(world, TN_RESULT_INVALID_ARGUMENT, function,
                              "The body belongs to another reduced object.", body->handle);
    }
    return body->locks == 0 || reduced_refuse(world, TN_RESULT_INVALID_ARGUMENT, function,
                                              "A reduced body has no locks.", body->handle);
}

static bool reduced_find_bodies(const tn_world *world, const tn_reduced_def *def,
                                const char *function, uint32_t *out_bodies) {
    for (uint32_t i = 0; i < def->body_count; ++i) {
        out_bodies[i] = tni_world_find_body(world, def->bodies[i], function);
        if (out_bodies[i] == TNI_NONE ||
            !reduced_suits(world, tni_body_at(world, out_bodies[i]), function)) {
            return false;
        }
        for (uint32_t k = 0; k < i; ++k) {
            if (out_bodies[k] == out_bodies[i]) {
                return reduced_refuse(world, TN_RESULT_SAME_BODY, function,
                                      "A body is named twice.", def->bodies[i].value);
            }
        }
    }
    return true;
}

static bool reduced_are_finite(const double *numbers, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        sum += fabs(numbers[i]);
    }
    return isfinite(sum);
}

static bool reduced_check(const tn_world *world, const tn_reduced_def *def, const char *function) {
    if (def->freedoms < 1 || def->freedoms > TN_REDUCED_MAX_FREEDOMS || def->body_count < 1 ||
        def->body_count > TN_REDUCED_MAX_BODIES) {
        return reduced_refuse(world, TN_RESULT_INVALID_ARGUMENT, function,
                              "An object has 1 to 12 freedoms and 1 to 16 bodies.", 0);
    }
    return (reduced_are_finite(def->coordinates, def->freedoms) &&
            reduced_are_finite(def->speeds, def->freedoms)) ||
           reduced_refuse(world, TN_RESULT_NOT_FINITE, function,
                          "Coordinates and speeds must be finite.", 0);
}

// ---- the record --------------------------------------------------------------------------------

void tni_reduced_free(tn_world *world, tni_reduced *reduced) {
    tni_free(&world->allocator, reduced->bodies, reduced->body_count * sizeof *reduced->bodies);
    tni_free(&world->allocator, reduced->output.bodies,
             reduced->body_count * sizeof *reduced->output.bodies);
    tni_free(&world->allocator, reduced->output.forces,
             reduced->freedoms * sizeof *reduced->output.forces);
    tni_free(&world->allocator, reduced->affine, sizeof *reduced->affine);
}

// Fills the record. Returns false without memory, and then owns nothing.
static bool reduced_fill(tn_world *world, const tn_reduced_def *def, const tn_affine_def *affine,
                         const uint32_t *bodies, tni_reduced *reduced) {
    tni_allocator *allocator = &world->allocator;
    memset(reduced, 0, sizeof *reduced);
    reduced->freedoms = def->freedoms;
    reduced->body_count = def->body_count;
    reduced->function = def->function;
    reduced->user_data = def->function_user_data;
    reduced->is_collision_allowed = def->is_collision_allowed;
    memcpy(reduced->coordinates, def->coordinates, def->freedoms * sizeof *def->coordinates);
    memcpy(reduced->speeds, def->speeds, def->freedoms * sizeof *def->speeds);
    reduced->bodies = tni_alloc_zeroed(allocator, def->body_count * sizeof *reduced->bodies);
    reduced->output.bodies =
        tni_alloc_zeroed(allocator, def->body_count * sizeof *reduced->output.bodies);
    reduced->output.forces =
        tni_alloc_zeroed(allocator, def->freedoms * sizeof *reduced->output.forces);
    reduced->affine = affine != NULL ? tni_alloc_zeroed(allocator, sizeof *reduced->affine) : NULL;
    if (reduced->bodies == NULL || reduced->output.bodies == NULL ||
        reduced->output.forces == NULL || (affine != NULL && reduced->affine == NULL)) {
        tni_reduced_free(world, reduced);
        return false;
    }
    if (affine != NULL) {
        reduced->affine->material = *affine;
    }
    for (uint32_t i = 0; i < def->body_count; ++i) {
        reduced->bodies[i].world_body = bodies[i];
        reduced->bodies[i].rotation = tni_body_at(world, bodies[i])->rotation;
    }
    return true;
}

void tni_reduced_read_masses(const tn_world *world, tni_reduced *reduced) {
    for (uint32_t i = 0; i < reduced->body_count; ++i) {
        tni_reduced_body *own = &reduced->bodies[i];
        const tni_body *body = tni_body_at(world, own->world_body);
        own->mass = body->mass;
        own->inertia = &body->principal;
        own->center = body->local_center;
    }
}

// Calls the callback, which may not change the world. Returns false after a report.
static bool reduced_ask(tn_world *world, tni_reduced *reduced, const double *coordinates,
                        const double *speeds, const char *function) {
    tni_reduced_read_masses(world, reduced);
    tni_world_begin_callback(world);
    tn_result result = tni_reduced_ask(reduced, coordinates, speeds);
    tni_world_end_callback(world);
    return result == TN_RESULT_OK ||
           reduced_refuse(world, result, function,
                          "The callback of a reduced object gives numbers that are not finite, or "
                          "a quaternion without a length.",
                          reduced->handle);
}

// Writes to the bodies the poses and velocities that the callback gave.
static void reduced_write(tn_world *world, const tni_reduced *reduced) {
    for (uint32_t i = 0; i < reduced->body_count; ++i) {
        const tni_reduced_body *own = &reduced->bodies[i];
        tni_body *body = tni_body_at(world, own->world_body);
        bool is_placed = !tni_is_same(&body->position, &own->position, sizeof body->position) ||
                         !tni_is_same(&body->rotation, &own->rotation, sizeof body->rotation);
        body->position = own->position;
        body->rotation = own->rotation;
        body->velocity = tni_reduced_get_velocity(reduced, own->linear);
        body->angular_velocity = tni_reduced_get_velocity(reduced, own->angular);
        tni_body_remember_turns(world, own->world_body);
        if (is_placed) {
            tni_blend_place(world, own->world_body);
        }
        tni_body_update_bounds(world, own->world_body, 0.0);
    }
}

void tni_reduced_wake(tn_world *world, const tni_reduced *reduced) {
    for (uint32_t i = 0; i < reduced->body_count; ++i) {
        tni_body_wake_neighbours(world, reduced->bodies[i].world_body);
    }
}

// ---- contacts between its own bodies -----------------------------------------------------------

bool tni_bodies_are_of_one_without_contact(const tn_world *world, uint32_t body_a,
                                           uint32_t body_b) {
    uint32_t object = tni_body_at(world, body_a)->reduced;
    return object != TNI_NONE && object == tni_body_at(world, body_b)->reduced &&
           !tni_reduced_at(world, object)->is_collision_allowed;
}

static void reduced_forbid_contacts(tn_world *world, const tni_reduced *reduced) {
    for (uint32_t i = 0; i < reduced->body_count && !reduced->is_collision_allowed; ++i) {
        for (uint32_t k = 0; k < i; ++k) {
            tni_bodies_destroy_contacts_between(world, reduced->bodies[i].world_body,
                                                reduced->bodies[k].world_body);
        }
    }
}

static void reduced_allow_contacts(tn_world *world, const tni_reduced *reduced) {
    for (uint32_t i = 0; i < reduced->body_count && !reduced->is_collision_allowed; ++i) {
        tni_body_queue_shapes(world, reduced->bodies[i].world_body);
    }
}

// ---- creation and destruction ------------------------------------------------------------------

static uint32_t reduced_reserve(tn_world *world, const char *function) {
    uint32_t index = tni_pool_next_index(&world->reduced_pool);
    if (index >= TNI_POOL_MAX_SLOTS) {
        reduced_refuse(world, TN_RESULT_TOO_LARGE, function,
                       "There are as many reduced objects as handles can name.", 0);
        return 0;
    }
    bool has_room = tni_pages_reserve(&world->reduced, index + 1) &&
                    tni_index_list_reserve(&world->allocator, &world->reduced_list,
                                           world->reduced_list.count + 1);
    uint32_t handle = has_room ? tni_pool_acquire(&world->reduced_pool) : 0;
    if (handle == 0) {
        reduced_refuse(world, TN_RESULT_OUT_OF_MEMORY, function,
                       "There is no memory for another reduced object.", 0);
    }
    return handle;
}

static tn_reduced_id reduced_insert(tn_world *world, const tni_reduced *made, uint32_t handle) {
    uint32_t index = handle & TNI_POOL_INDEX_MASK;
    tni_reduced *reduced = tni_reduced_at(world, index);
    *reduced = *made;
    reduced->handle = handle;
    reduced->place = world->reduced_list.count;
    world->reduced_list.items[world->reduced_list.count++] = index;
    tni_joint_plan_drop(world);
    world->is_choice_stale = true;
    tni_reduced_wake(world, reduced);
    for (uint32_t i = 0; i < reduced->body_count; ++i) {
        tni_body_at(world, reduced->bodies[i].world_body)->reduced = index;
    }
    reduced_forbid_contacts(world, reduced);
    reduced_write(world, reduced);
    return (tn_reduced_id){handle};
}

tn_reduced_id tni_reduced_create(tn_world *world, const tn_reduced_def *def,
                                 const tn_affine_def *affine, const char *function) {
    uint32_t bodies[TN_REDUCED_MAX_BODIES];
    if (!reduced_check(world, def, function) ||
        !reduced_find_bodies(world, def, function, bodies)) {
        return reduced_null;
    }
    tni_reduced made;
    if (!reduced_fill(world, def, affine, bodies, &made)) {
        reduced_refuse(world, TN_RESULT_OUT_OF_MEMORY, function,
                       "There is no memory for another reduced object.", 0);
        return reduced_null;
    }
    bool is_sound = reduced_ask(world, &made, made.coordinates, made.speeds, function);
    if (is_sound && !tni_reduced_begin(&made, 0.0)) {
        is_sound = reduced_refuse(world, TN_RESULT_INVALID_MASS, function,
                                  "A coordinate moves no mass, or two move the same.", 0);
    }
    uint32_t handle = is_sound ? reduced_reserve(world, function) : 0;
    if (handle == 0) {
        tni_reduced_free(world, &made);
        return reduced_null;
    }
    world->features.spans = &tni_spans_feature;
    return reduced_insert(world, &made, handle);
}

static tn_reduced_id reduced_create(tn_world *world, const tn_reduced_def *def,
                                    const char *function) {
    if (def == NULL || def->function == NULL) {
        reduced_refuse(world, TN_RESULT_INVALID_ARGUMENT, function,
                       "The definition, or its callback, is null.", 0);
        return reduced_null;
    }
    return tni_reduced_create(world, def, NULL, function);
}

tn_reduced_id tn_reduced_create(tn_world *world, const tn_reduced_def *def) {
    tn_reduced_id made = reduced_null;
    if (tni_world_begin_change(world, __func__)) {
        made = reduced_create(world, def, __func__);
    }
    tni_world_end_change(world);
    return made;
}

// Takes an object out of the list. Later ones move up, which keeps the order of creation.
static void reduced_leave_list(tn_world *world, uint32_t place) {
    tni_index_list *list = &world->reduced_list;
    list->count -= 1;
    for (uint32_t i = place; i < list->count; ++i) {
        list->items[i] = list->items[i + 1];
        tni_reduced_at(world, list->items[i])->place = i;
    }
}

void tni_reduced_destroy_at(tn_world *world, uint32_t index) {
    tni_reduced *reduced = tni_reduced_at(world, index);
    tni_joint_plan_drop(world);
    world->is_choice_stale = true;
    tni_reduced_wake(world, reduced);
    for (uint32_t i = 0; i < reduced->body_count; ++i) {
        tni_body_at(world, reduced->bodies[i].world_body)->reduced = TNI_NONE;
    }
    reduced_allow_contacts(world, reduced);
    if (reduced->affine != NULL) {
        tni_body_drop_deformed(world, reduced->bodies[0].world_body);
        tni_body_renew_shapes(world, reduced->bodies[0].world_body);
        tni_body_update_functions(world, reduced->bodies[0].world_body);
    }
    reduced_leave_list(world, reduced->place);
    tni_reduced_free(world, reduced);
    tni_pool_release(&world->reduced_pool, reduced->handle);
}

void tni_world_drop_reduced(tn_world *world) {
    for (uint32_t i = 0; i < world->reduced_list.count; ++i) {
        tni_reduced_free(world, tni_reduced_at(world, world->reduced_list.items[i]));
    }
}

uint32_t tni_world_find_reduced(const tn_world *world, tn_reduced_id id, const char *function) {
    return tni_world_find(world, world ? &world->reduced_pool : NULL, id.value, function,
                          "The handle names no reduced object of this world.");
}

void tn_reduced_destroy(tn_world *world, tn_reduced_id id) {
    uint32_t index = tni_world_begin_change(world, __func__)
                         ? tni_world_find_reduced(world, id, __func__)
                         : (uint32_t)TNI_NONE;
    if (index != TNI_NONE) {
        tni_reduced_destroy_at(world, index);
    }
    tni_world_end_change(world);
}

bool tn_reduced_is_valid(const tn_world *world, tn_reduced_id id) {
    return world != NULL && tni_pool_find(&world->reduced_pool, id.value) != TNI_POOL_NONE;
}

// ---- coordinates and speeds --------------------------------------------------------------------

static uint32_t reduced_copy(const tni_reduced *reduced, const double *numbers, double *out_numbers,
                             uint32_t capacity) {
    for (uint32_t i = 0; out_numbers != NULL && i < reduced->freedoms && i < capacity; ++i) {
        out_numbers[i] = numbers[i];
    }
    return reduced->freedoms;
}

uint32_t tn_reduced_get_coordinates(const tn_world *world, tn_reduced_id id, double *out_numbers,
                                    uint32_t capacity) {
    uint32_t index = tni_world_find_reduced(world, id, __func__);
    return index == TNI_NONE
               ? 0
               : reduced_copy(tni_reduced_at(world, index),
                              tni_reduced_at(world, index)->coordinates, out_numbers, capacity);
}

uint32_t tn_reduced_get_speeds(const tn_world *world, tn_reduced_id id, double *out_numbers,
                               uint32_t capacity) {
    uint32_t index = tni_world_find_reduced(world, id, __func__);
    return index == TNI_NONE
               ? 0
               : reduced_copy(tni_reduced_at(world, index), tni_reduced_at(world, index)->speeds,
                              out_numbers, capacity);
}

// Returns the object, or null after a report.
static tni_reduced *reduced_begin_change(tn_world *world, tn_reduced_id id, const double *numbers,
                                         uint32_t count, const char *function) {
    uint32_t index = tni_world_begin_change(world, function)
                         ? tni_world_find_reduced(world, id, function)
                         : (uint32_t)TNI_NONE;
    if (index == TNI_NONE) {
        return NULL;
    }
    tni_reduced *reduced = tni_reduced_at(world, index);
    if (numbers == NULL || count != reduced->freedoms) {
        reduced_refuse(world, TN_RESULT_INVALID_ARGUMENT, function,
                       "There must be one number for each freedom.", id.value);
        return NULL;
    }
    if (!reduced_are_finite(numbers, count)) {
        reduced_refuse(world, TN_RESULT_NOT_FINITE, function, "The numbers must be finite.",
                       id.value);
        return NULL;
    }
    return reduced;
}

static void reduced_commit(tn_world *world, tni_reduced *reduced, const double *numbers,
                           double *out_numbers) {
    if (tni_is_same(out_numbers, numbers, reduced->freedoms * sizeof *numbers)) {
        return;
    }
    memcpy(out_numbers, numbers, reduced->freedoms * sizeof *numbers);
    reduced->is_told = false;
    if (reduced->affine != NULL) {
        tni_reduced_begin(reduced, 0.0);
        tni_affine_keep_rate(NULL, reduced, reduced->speeds);
    }
    tni_reduced_wake(world, reduced);
    reduced_write(world, reduced);
}

tn_result tn_reduced_set_coordinates(tn_world *world, tn_reduced_id id, const double *numbers,
                                     uint32_t count) {
    tni_reduced *reduced = reduced_begin_change(world, id, numbers, count, __func__);
    double own[TN_REDUCED_MAX_FREEDOMS];
    if (reduced == NULL) {
        return tni_world_end_change(world);
    }
    memcpy(own, numbers, count * sizeof *own);
    if (reduced->affine != NULL && !tni_affine_fit(reduced, own)) {
        reduced_refuse(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                       "A body that keeps its volume, or an area, is not inside out or flat.",
                       id.value);
    } else if (reduced_ask(world, reduced, own, reduced->speeds, __func__)) {
        reduced_commit(world, reduced, own, reduced->coordinates);
    }
    return tni_world_end_change(world);
}

tn_result tn_reduced_set_speeds(tn_world *world, tn_reduced_id id, const double *numbers,
                                uint32_t count) {
    tni_reduced *reduced = reduced_begin_change(world, id, numbers, count, __func__);
    if (reduced != NULL && reduced_ask(world, reduced, reduced->coordinates, numbers, __func__)) {
        reduced_commit(world, reduced, numbers, reduced->speeds);
    }
    return tni_world_end_change(world);
}

// ---- bodies ------------------------------------------------------------------------------------

uint32_t tn_reduced_get_bodies(const tn_world *world, tn_reduced_id id, tn_body_id *out_bodies,
                               uint32_t capacity) {
    uint32_t index = tni_world_find_reduced(world, id, __func__);
    if (index == TNI_NONE) {
        return 0;
    }
    const tni_reduced *reduced = tni_reduced_at(world, index);
    for (uint32_t i = 0; out_bodies != NULL && i < reduced->body_count && i < capacity; ++i) {
        out_bodies[i].value = tni_body_at(world, reduced->bodies[i].world_body)->handle;
    }
    return reduced->body_count;
}

tn_reduced_id tn_body_get_reduced(const tn_world *world, tn_body_id id) {
    uint32_t index = tni_world_find_body(world, id, __func__);
    uint32_t object = index != TNI_NONE ? tni_body_at(world, index)->reduced : TNI_NONE;
    return object != TNI_NONE ? (tn_reduced_id){tni_reduced_at(world, object)->handle}
                              : reduced_null;
}
