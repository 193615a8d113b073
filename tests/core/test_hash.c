// The hash of bytes, and the map against a model that is too simple to be wrong.
#include <criterion/criterion.h>

#include "core/hash.h"
#include "tests/support/budget.h"

static tni_allocator allocator;
static tni_map map;

static void setup(void) {
    test_budget = INT32_MAX;
    tni_allocator_init(&allocator, test_alloc, test_free, NULL);
    tni_map_init(&map, &allocator);
}

static void teardown(void) {
    tni_map_destroy(&map);
    cr_assert_eq(allocator.bytes, 0);
}

TestSuite(map, .init = setup, .fini = teardown);

Test(hash, matches_the_published_values_of_fnv_1a) {
    cr_assert_eq(tni_hash_bytes(TNI_HASH_SEED, "", 0), 0xcbf29ce484222325ull);
    cr_assert_eq(tni_hash_bytes(TNI_HASH_SEED, "a", 1), 0xaf63dc4c8601ec8cull);
    cr_assert_eq(tni_hash_bytes(TNI_HASH_SEED, "foobar", 6), 0x85944171f73967e8ull);
}

Test(hash, of_two_pieces_is_that_of_the_whole) {
    uint64_t pieces = tni_hash_bytes(tni_hash_bytes(TNI_HASH_SEED, "foo", 3), "bar", 3);
    cr_assert_eq(pieces, tni_hash_bytes(TNI_HASH_SEED, "foobar", 6));
}

static uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 33);
}

// `key_of` makes the i-th of 600 keys; the model is an array of their values.
static void compare_with_model(uint64_t (*key_of)(uint32_t)) {
    enum {
        KEYS = 600,
        STEPS = 60000
    };
    uint32_t model[KEYS];
    uint32_t model_count = 0;
    for (uint32_t i = 0; i < KEYS; ++i) {
        model[i] = TNI_NONE;
    }
    uint64_t random = 42;
    for (uint32_t step = 0; step < STEPS; ++step) {
        uint32_t i = next_random(&random) % KEYS;
        // Phases of growing and of shrinking.
        bool grows = next_random(&random) % 100 < ((step / 5000) % 2 == 0 ? 70u : 30u);
        if (grows) {
            model_count += model[i] == TNI_NONE;
            model[i] = step;
            cr_assert(tni_map_set(&map, key_of(i), step));
        } else {
            model_count -= model[i] != TNI_NONE;
            model[i] = TNI_NONE;
            tni_map_remove(&map, key_of(i));
        }
        cr_assert_eq(map.count, model_count);
        if (step % 100 == 0) {
            for (uint32_t k = 0; k < KEYS; ++k) {
                cr_assert_eq(tni_map_get(&map, key_of(k)), model[k]);
                cr_assert_eq(tni_map_has(&map, key_of(k)), model[k] != TNI_NONE);
            }
        }
    }
}

static uint64_t consecutive_key(uint32_t i) {
    return i + 1;
}

static uint64_t pair_key(uint32_t i) {
    return (uint64_t)(i / 20 + 1) << 32 | (i % 20);
}

static uint64_t scattered_key(uint32_t i) {
    return (i + 1) * 0x9e3779b97f4a7c15ull;
}

Test(map, agrees_with_a_model_on_consecutive_keys) {
    compare_with_model(consecutive_key);
}

Test(map, agrees_with_a_model_on_pairs_of_indices) {
    compare_with_model(pair_key);
}

Test(map, agrees_with_a_model_on_scattered_keys) {
    compare_with_model(scattered_key);
}

Test(map, an_empty_map_has_no_key) {
    cr_assert_eq(tni_map_get(&map, 1), TNI_NONE);
    cr_assert_eq(tni_map_get(&map, 0), TNI_NONE);
    cr_assert(!tni_map_has(&map, 1) && !tni_map_has(&map, 0));
    tni_map_remove(&map, 1);
    cr_assert(tni_map_set(&map, 5, 6));
    tni_map_remove(&map, 0);
    tni_map_remove(&map, 7);
    cr_assert_eq(tni_map_get(&map, 0), TNI_NONE);
    cr_assert_eq(map.count, 1);
}

Test(map, setting_again_overwrites) {
    cr_assert(tni_map_set(&map, 9, 1));
    cr_assert(tni_map_set(&map, 9, 2));
    cr_assert_eq(tni_map_get(&map, 9), 2);
    cr_assert_eq(map.count, 1);
}

Test(map, reserved_room_needs_no_memory) {
    for (uint32_t room = 1; room < 3000; room = room * 2 + 1) {
        cr_assert(tni_map_reserve(&map, room));
        uint64_t before = allocator.allocations;
        for (uint32_t i = 0; i < room; ++i) {
            cr_assert(tni_map_set(&map, i + 1, i));
        }
        cr_assert_eq(allocator.allocations, before);
    }
    cr_assert_not(tni_map_reserve(&map, UINT32_MAX));
}

Test(map, coming_and_going_for_long_does_not_grow_it) {
    for (uint32_t i = 0; i < 200000; ++i) {
        cr_assert(tni_map_set(&map, i + 1, i));
        if (i >= 10) {
            tni_map_remove(&map, i - 9);
        }
    }
    cr_assert_eq(map.count, 10);
    cr_assert_eq(map.capacity, 16);
}

Test(map, without_memory_keeps_what_it_has) {
    // The first of the two arrays can be had, the second not, and neither.
    for (int budget = 0; budget < 2; ++budget) {
        test_budget = budget;
        cr_assert_not(tni_map_set(&map, 1, 1));
        cr_assert_eq(map.count, 0);
        cr_assert_eq(allocator.bytes, 0);
    }
    test_budget = 2;
    uint32_t count = 0;
    while (tni_map_set(&map, count + 1, count)) {
        count += 1;
    }
    cr_assert_eq(count, 12); // three quarters of 16
    test_budget = 1;
    cr_assert_not(tni_map_set(&map, count + 1, count));
    // An existing key needs no room.
    cr_assert(tni_map_set(&map, 1, 77));
    cr_assert_eq(tni_map_get(&map, 1), 77);
    for (uint32_t i = 1; i < count; ++i) {
        cr_assert_eq(tni_map_get(&map, i + 1), i);
    }
    test_budget = INT32_MAX;
    cr_assert(tni_map_set(&map, count + 1, count));
    cr_assert_eq(tni_map_get(&map, count + 1), count);
}
