// world/api/pair_collision.c: forbids two bodies to touch, and allows it again.
// Test: tests/world/api/test_pair_collision.c
#include "world/bodies.h"
#include "world/contacts.h"

static uint64_t pair_key(uint32_t handle_a, uint32_t handle_b) {
    return tni_pair_key(handle_a & TNI_POOL_INDEX_MASK, handle_b & TNI_POOL_INDEX_MASK);
}

static bool pair_is_valid(const tn_world *world, const tni_pair_exception *pair) {
    return tni_pool_find(&world->body_pool, pair->body_a) != TNI_POOL_NONE &&
           tni_pool_find(&world->body_pool, pair->body_b) != TNI_POOL_NONE;
}

bool tni_bodies_are_excepted(const tn_world *world, uint32_t body_a, uint32_t body_b) {
    const tni_pair_exceptions *exceptions = &world->exceptions;
    if (exceptions->count == 0) {
        return false;
    }
    uint32_t place = tni_map_get(&exceptions->places, tni_pair_key(body_a, body_b));
    return place != TNI_NONE && pair_is_valid(world, &exceptions->items[place]);
}

// Takes out the exception at a place: the last one moves into the gap.
static void pair_remove(tn_world *world, uint32_t place) {
    tni_pair_exceptions *exceptions = &world->exceptions;
    const tni_pair_exception *gone = &exceptions->items[place];
    tni_map_remove(&exceptions->places, pair_key(gone->body_a, gone->body_b));
    exceptions->count -= 1;
    tni_pair_exception last = exceptions->items[exceptions->count];
    if (place < exceptions->count) {
        exceptions->items[place] = last;
        tni_map_set(&exceptions->places, pair_key(last.body_a, last.body_b), place); // it is there
    }
}

static void pair_remove_void(tn_world *world) {
    for (uint32_t i = world->exceptions.count; i-- > 0;) {
        if (!pair_is_valid(world, &world->exceptions.items[i])) {
            pair_remove(world, i);
        }
    }
}

// Adds an exception. Returns false without memory.
static bool pair_add(tn_world *world, uint32_t handle_a, uint32_t handle_b) {
    tni_pair_exceptions *exceptions = &world->exceptions;
    uint32_t place = tni_map_get(&exceptions->places, pair_key(handle_a, handle_b));
    if (place == TNI_NONE && exceptions->count == exceptions->capacity) {
        pair_remove_void(world);
    }
    if (place == TNI_NONE) {
        tni_pair_exception *items =
            tni_array_grow(&world->allocator, exceptions->items, exceptions->count,
                           &exceptions->capacity, exceptions->count + 1, sizeof *items);
        if (items == NULL) {
            return false;
        }
        exceptions->items = items;
        place = exceptions->count;
        if (!tni_map_set(&exceptions->places, pair_key(handle_a, handle_b), place)) {
            return false;
        }
        exceptions->count += 1;
    }
    exceptions->items[place] = (tni_pair_exception){handle_a, handle_b};
    return true;
}

// Returns whether both handles name bodies, which differ.
static bool pair_check(const tn_world *world, tn_body_id a, tn_body_id b, const char *function) {
    if (tni_world_find_body(world, a, function) == TNI_NONE ||
        tni_world_find_body(world, b, function) == TNI_NONE) {
        return false;
    }
    return tni_world_accepts(
        world, tni_check_that(a.value != b.value, TN_RESULT_SAME_BODY, "A pair is of two bodies."),
        function, a.value);
}

tn_result tn_world_set_pair_collision(tn_world *world, tn_body_id body_a, tn_body_id body_b,
                                      bool is_allowed) {
    if (!tni_world_begin_change(world, __func__) || !pair_check(world, body_a, body_b, __func__)) {
        return tni_world_end_change(world);
    }
    uint32_t a = body_a.value & TNI_POOL_INDEX_MASK, b = body_b.value & TNI_POOL_INDEX_MASK;
    if (tni_bodies_are_excepted(world, a, b) != is_allowed) {
        return tni_world_end_change(world);
    }
    if (is_allowed) {
        pair_remove(world, tni_map_get(&world->exceptions.places, tni_pair_key(a, b)));
        tni_body_queue_shapes(world, a);
        tni_body_queue_shapes(world, b);
    } else if (pair_add(world, body_a.value, body_b.value)) {
        tni_bodies_destroy_contacts_between(world, a, b);
    } else {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory for another pair.", body_a.value);
        return tni_world_end_change(world);
    }
    tni_body_wake(world, a);
    tni_body_wake(world, b);
    return tni_world_end_change(world);
}

bool tn_world_get_pair_collision(const tn_world *world, tn_body_id body_a, tn_body_id body_b) {
    return world && pair_check(world, body_a, body_b, __func__) &&
           !tni_bodies_are_excepted(world, body_a.value & TNI_POOL_INDEX_MASK,
                                    body_b.value & TNI_POOL_INDEX_MASK);
}
