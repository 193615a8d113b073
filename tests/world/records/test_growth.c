// How often a world asks its allocator for memory: never while nothing new comes, and seldom while
// it grows.
#include "tests/support/long_test.h"
#include <limits.h>

#include "scenes/scene.h"
#include "tests/support/budget.h"
#include "tests/world/world_test.h"

TestSuite(growth, .timeout = 60);

// A world's definition whose allocations are counted.
static tn_world_def counting_def(void) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.alloc = test_alloc;
    def.free = test_free;
    test_budget = INT_MAX;
    return def;
}

static uint32_t get_count(void) {
    return (uint32_t)(INT_MAX - test_budget);
}

// Allocations in the last of the steps of a scene of so many.
static uint32_t count_at_the_end(const char *name, double number, uint32_t steps, uint32_t last,
                                 uint32_t workers) {
    tn_world_def def = counting_def();
    def.worker_count = workers;
    const scene *chosen = scene_find(name);
    double values[SCENE_MAX_OPTIONS];
    scene_choice choice = {"count", number};
    cr_assert(scene_get_values(chosen, &choice, 1, values));
    scene_run *run = scene_run_create(chosen, values, &def);
    cr_assert_not_null(run);
    uint32_t before = 0;
    for (uint32_t i = 0; i < steps; ++i) {
        before = i == steps - last ? get_count() : before;
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    uint32_t made = get_count() - before;
    cr_assert(before > 0);
    scene_run_destroy(run);
    return made;
}

LONG_TEST(growth, ragdolls_that_have_come_down_allocate_nothing) {
    for (uint32_t workers = 1; workers <= 2; ++workers) {
        uint32_t made = count_at_the_end("ragdolls", 20, 600, 240, workers);
        cr_assert(made == 0, "%u", made);
    }
}

LONG_TEST(growth, a_heap_that_has_come_down_allocates_nothing) {
    uint32_t made = count_at_the_end("heap", 300, 600, 240, 1);
    cr_assert(made == 0, "%u", made);
}

// Boxes onto a floor, ten in a step, up to that many.
static void add_boxes(tn_world *world, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; ++i) {
        double x = 1.5 * (i % 64), z = 1.5 * (i / 64);
        tn_vec3 half = {0.5, 0.5, 0.5};
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, x, 0.5, z, half);
        if (i % 10 == 9) {
            test_step(world, 1);
        }
    }
}

// As many times for the next thousand as for the last five hundred: every array grows by a share of
// what it has.
LONG_TEST(growth, a_world_that_doubles_asks_for_memory_as_often_as_when_it_was_half_as_large) {
    tn_world_def def = counting_def();
    test_reports reports;
    tn_world *world = test_def_world_create(def, &reports);
    test_floor_create(world);
    add_boxes(world, 0, 500);
    for (uint32_t boxes = 500; boxes < 4000; boxes *= 2) {
        uint32_t before = get_count();
        add_boxes(world, boxes, 2 * boxes);
        uint32_t made = get_count() - before;
        cr_assert(made < 75, "%u from %u boxes on", made, boxes);
    }
    cr_assert(tn_world_count_contacts(world) >= 4000);
    test_world_destroy_quiet(world, &reports);
}
