// Telemetry: what a step cost.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(telemetry, .init = setup, .fini = teardown);

Test(telemetry, a_step_after_warm_up_allocates_nothing) {
    test_floor_create(world);
    for (int i = 0; i < 60; ++i) {
        tn_vec3 half = {0.4, 0.4, 0.4};
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3 * (i % 4), 0.5 + i, 0.2 * (i % 3), half);
    }
    // Until all have landed, new contacts may ask for room.
    test_step(world, 400);
    uint64_t bytes = tn_world_get_telemetry(world).bytes;
    for (int i = 0; i < 200; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).allocations == 0, "step %d", i);
    }
    cr_assert(tn_world_get_telemetry(world).bytes == bytes);
    cr_assert(tn_world_get_telemetry(world).step_ms > 0.0);
}

Test(telemetry, stages_add_up_to_the_step_and_in_a_small_world_the_solve_is_all_of_it) {
    test_floor_create(world);
    test_ball_create(world, 0.0, 0.4, 0.0, 0.5f);
    test_step(world, 1);
    tn_telemetry small = tn_world_get_telemetry(world);
    cr_assert(small.step_ms > 0.0 && small.solve_ms == small.step_ms);
    cr_assert(small.pairs_ms == 0.0 && small.manifolds_ms == 0.0 && small.islands_ms == 0.0);
    cr_assert(small.finish_ms == 0.0);
    for (int i = 1; i < 40; ++i) {
        test_ball_create(world, 2.0 * i, 0.4, 0.0, 0.5f);
    }
    test_step(world, 1);
    tn_telemetry large = tn_world_get_telemetry(world);
    cr_assert(large.pairs_ms > 0.0 && large.manifolds_ms > 0.0 && large.islands_ms > 0.0);
    cr_assert(large.solve_ms > 0.0 && large.finish_ms > 0.0);
    double sum = large.pairs_ms + large.manifolds_ms + large.islands_ms + large.solve_ms;
    cr_assert_float_eq(sum + large.finish_ms, large.step_ms, 1e-6);
}

Test(telemetry, counts_what_took_part) {
    test_floor_create(world);
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_ball_create(world, 5.0, 0.5, 0.0, 0.5f);
    test_ball_create(world, 9.0, 5.0, 0.0, 0.5f);
    test_step(world, 1);
    tn_telemetry telemetry = tn_world_get_telemetry(world);
    cr_assert(telemetry.awake_bodies == 3 && telemetry.contacts == 2);
    cr_assert(telemetry.manifolds == 2 && telemetry.points == 5 && telemetry.substeps == 4);
    cr_assert(telemetry.joints == 0 && telemetry.worst_linear_joint.value == 0);
    cr_assert(telemetry.bytes > 0 && telemetry.reports == 0);
    cr_assert(telemetry.peak_bytes >= telemetry.bytes);
    test_step(world, 300);
    cr_assert(tn_world_get_telemetry(world).bytes > 0);
    tn_world_set_gravity(world, (tn_vec3){NAN, 0.0, 0.0});
    cr_assert(tn_world_get_telemetry(world).reports == 1);
}

Test(telemetry, a_world_tells_its_vector_unit_and_does_with_less_when_asked) {
    tn_world_def def = tn_world_def_default();
    tn_world *wide = tn_world_create(&def, NULL);
    def.is_baseline_only = true;
    tn_world *baseline = tn_world_create(&def, NULL);
    const char *unit = tn_world_get_vector_unit(wide), *least = tn_world_get_vector_unit(baseline);
    cr_assert(strcmp(unit, least) == 0 || strcmp(unit, "AVX2") == 0, "%s, %s", unit, least);
    cr_assert(strcmp(tn_world_get_vector_unit(NULL), "none") == 0);
#if defined(__x86_64__) && !defined(__AVX2__)
    cr_assert(strcmp(least, "SSE2") == 0, "%s", least);
#endif
    tn_world_destroy(wide);
    tn_world_destroy(baseline);
}
