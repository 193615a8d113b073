// Pairs of bodies that may not touch, and worlds in which one mask decides.
#include <tenon/sensor.h>

#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(pair_collision, .init = setup, .fini = teardown);

static double height(tn_body_id body) {
    return tn_body_get_pose(world, body).position.y;
}

Test(pair_collision, lets_two_bodies_pass_and_holds_them_again) {
    tn_body_id ground = test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_id other = test_ball_create(world, 5.0, 0.5, 0.0, 0.5f);
    test_step(world, 120);
    cr_assert(!tn_body_is_awake(world, box) && tn_world_count_contacts(world) == 2);
    cr_assert(tn_world_get_pair_collision(world, ground, box));
    cr_assert(tn_world_set_pair_collision(world, box, ground, false) == TN_RESULT_OK);
    cr_assert_not(tn_world_get_pair_collision(world, ground, box));
    cr_assert(tn_body_is_awake(world, box) && tn_world_count_contacts(world) == 1);
    test_step(world, 30);
    cr_assert(tn_world_get_events(world).begin_count == 0);
    cr_assert(height(box) < -0.3 && fabs(height(other) - 0.5) < 1e-3);
    tn_world_set_pair_collision(world, ground, box, true);
    test_step(world, 1);
    cr_assert(tn_world_get_events(world).begin_count == 1);
    test_step(world, 300);
    TEST_NEAR(height(box), 0.5, 2e-3);
    cr_assert(reports.count == 0);
}

Test(pair_collision, ends_with_a_body_and_not_with_a_shape) {
    tn_body_id ground = test_floor_create(world);
    tn_body_id first = test_ball_create(world, 0.0, 0.6, 0.0, 0.5f);
    tn_world_set_pair_collision(world, first, ground, false);
    tn_shape_destroy(world, test_first_shape(world, first));
    tn_shape_def def = tn_shape_def_default();
    tn_sphere_shape_create(world, first, &def, 0.5f);
    test_step(world, 60);
    cr_assert(height(first) < -1.0);
    // Its slot comes back after the pool's quarantine: the new body has nothing of it.
    tn_body_destroy(world, first);
    tn_body_id next = {0};
    for (int i = 0; i < 1100; ++i) {
        next = test_ball_create(world, 0.0, 0.6, 0.0, 0.5f);
        cr_assert(tn_world_get_pair_collision(world, next, ground));
        if ((next.value & 0x3fffff) == (first.value & 0x3fffff)) {
            break;
        }
        tn_body_destroy(world, next);
    }
    cr_assert((next.value & 0x3fffff) == (first.value & 0x3fffff), "the slot came back");
    test_step(world, 60);
    TEST_NEAR(height(next), 0.5, 2e-3);
}

Test(pair_collision, takes_any_number_of_pairs) {
    enum {
        COUNT = 40
    };
    tn_body_id bodies[COUNT];
    for (int i = 0; i < COUNT; ++i) {
        bodies[i] = test_ball_create(world, 3.0 * i, 0.0, 0.0, 0.5f);
    }
    for (int i = 0; i < COUNT; ++i) {
        for (int j = 0; j < i; ++j) {
            tn_world_set_pair_collision(world, bodies[i], bodies[j], (i * j + i) % 3 == 0);
        }
    }
    for (int i = 0; i < COUNT; i += 7) { // make room for others
        tn_body_destroy(world, bodies[i]);
        bodies[i] = test_ball_create(world, 3.0 * i, 0.0, 0.0, 0.5f);
        tn_world_set_pair_collision(world, bodies[i], bodies[(i + 1) % COUNT], false);
    }
    for (int i = 0; i < COUNT; ++i) {
        for (int j = 0; j < i; ++j) {
            bool is_new = i % 7 == 0 || j % 7 == 0;
            bool is_own = (j % 7 == 0 && i == j + 1) || (i % 7 == 0 && j == (i + 1) % COUNT);
            bool may = is_new ? !is_own : (i * j + i) % 3 == 0;
            cr_assert(tn_world_get_pair_collision(world, bodies[j], bodies[i]) == may, "%d %d", i,
                      j);
        }
    }
}

Test(pair_collision, refuses_bad_pairs) {
    tn_body_id a = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f), none = {0};
    TEST_REPORTS(&reports, tn_world_set_pair_collision(world, a, none, false),
                 TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_world_set_pair_collision(world, a, a, false), TN_RESULT_SAME_BODY);
    TEST_REPORTS(&reports, tn_world_get_pair_collision(world, a, a), TN_RESULT_SAME_BODY);
    TEST_REPORTS(&reports, tn_world_get_pair_collision(world, none, a), TN_RESULT_INVALID_ID);
    cr_assert(tn_world_set_pair_collision(NULL, a, a, true) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert_not(tn_world_get_pair_collision(NULL, a, a));
}

// ---- masks ------------------------------------------------------------------------------------

static tn_body_id make_filtered(double y, uint64_t category, uint64_t mask, bool is_sensor) {
    tn_body_type type = is_sensor ? TN_BODY_TYPE_STATIC : TN_BODY_TYPE_DYNAMIC;
    tn_body_id body = test_body_create(world, type, 0.0, y, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.filter = (tn_filter){category, mask, 0};
    def.is_sensor = is_sensor;
    tn_sphere_shape_create(world, body, &def, 0.5f);
    return body;
}

Test(pair_collision, one_mask_suffices_by_choice) {
    for (int choice = 0; choice < 2; ++choice) {
        tn_world_def def = tn_world_def_default();
        def.gravity = (tn_vec3){0};
        def.is_one_mask_enough = choice == 1;
        tn_world_destroy(world);
        world = test_def_world_create(def, &reports);
        make_filtered(0.0, 1, 2, false);
        make_filtered(0.9, 2, 0, false);  // the first one's mask has it; it has no mask
        make_filtered(50.0, 1, 4, false); // neither has the other
        make_filtered(50.9, 2, 8, false);
        tn_body_id watcher = make_filtered(-0.8, 16, 1, true); // a sensor that nobody's mask has
        test_step(world, 1);
        cr_assert(tn_world_count_contacts(world) == (choice == 1 ? 1 : 0));
        tn_shape_id sensor = test_first_shape(world, watcher);
        cr_assert(tn_shape_get_overlaps(world, sensor, NULL, 0) == (choice == 1 ? 1 : 0));
        tn_query_filter filter = tn_query_filter_default();
        filter.category = 2;
        filter.mask = 32;
        tn_ray ray = tn_ray_make((tn_vec3){-5.0, 0.0, 0.0}, (tn_vec3){10.0, 0.0, 0.0});
        ray.filter = &filter;
        cr_assert(tn_world_cast_ray(world, &ray, NULL) == (choice == 1));
    }
}
