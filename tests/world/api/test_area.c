// Areas: gravity, damping and wind of what overlaps them.
#include <stdlib.h>
#include <tenon/area.h>

#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(area, .init = setup, .fini = teardown);

static tn_shape_id add_area(double x, double half, const tn_area *area) {
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_shape_id shape =
        tn_box_shape_create(world, test_body_create(world, TN_BODY_TYPE_STATIC, x, 0.0, 0.0), &def,
                            (tn_vec3){half, half, half});
    cr_assert(tn_shape_set_area(world, shape, area) == TN_RESULT_OK);
    return shape;
}

static tn_vec3 velocity(tn_body_id body) {
    return tn_body_get_linear_velocity(world, body);
}

Test(area, adds_to_gravity_or_replaces_it_in_the_order_of_priorities) {
    tn_area add = tn_area_default(), replace = tn_area_default();
    add.gravity_mode = TN_AREA_GRAVITY_ADD;
    add.gravity = (tn_vec3){1.0, 0.0, 0.0};
    replace.gravity_mode = TN_AREA_GRAVITY_REPLACE;
    replace.gravity = (tn_vec3){0.0, 2.0, 0.0};
    replace.priority = 5;
    // The one that replaces is made first, and acts last.
    tn_shape_id top = add_area(0.0, 20.0, &replace);
    add_area(0.0, 30.0, &add);
    tn_body_id in_both = test_ball_create(world, 0.0, 0.0, 0.0, 0.1f);
    tn_body_id in_one = test_ball_create(world, 25.0, 0.0, 0.0, 0.1f);
    tn_body_id out = test_ball_create(world, 60.0, 0.0, 0.0, 0.1f);
    test_step(world, 1); // they are noticed
    tn_vec3 a = velocity(in_both), b = velocity(in_one), c = velocity(out);
    test_step(world, 60);
    TEST_NEAR(velocity(in_both).y - a.y, 2.0, 1e-5);
    TEST_NEAR(velocity(in_both).x - a.x, 0.0, 1e-9);
    TEST_NEAR(velocity(in_one).x - b.x, 1.0, 1e-5);
    TEST_NEAR(velocity(in_one).y - b.y, -9.81, 1e-5);
    TEST_NEAR(velocity(out).y - c.y, -9.81, 1e-5);
    replace.priority = -5; // now the other one adds to it
    tn_shape_set_area(world, top, &replace);
    a = velocity(in_both);
    test_step(world, 60);
    TEST_NEAR(velocity(in_both).x - a.x, 1.0, 1e-5);
    TEST_NEAR(velocity(in_both).y - a.y, 2.0, 1e-5);
    cr_assert(reports.count == 0);
}

Test(area, acts_once_on_a_body_of_several_shapes_and_by_its_gravity_scale) {
    tn_area add = tn_area_default();
    add.gravity_mode = TN_AREA_GRAVITY_ADD;
    add.gravity = (tn_vec3){3.0, 0.0, 0.0};
    add_area(0.0, 20.0, &add);
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.1f);
    tn_shape_def def = tn_shape_def_default();
    def.local_pose.position.x = 0.5;
    tn_sphere_shape_create(world, body, &def, 0.1f);
    def.is_sensor = true;
    tn_sphere_shape_create(world, body, &def, 0.1f);
    tn_body_set_gravity_scale(world, body, 0.5f);
    test_step(world, 1);
    tn_vec3 v = velocity(body);
    test_step(world, 60);
    TEST_NEAR(velocity(body).x - v.x, 1.5, 1e-5);
    TEST_NEAR(velocity(body).y - v.y, -0.5 * 9.81, 1e-5);
    TEST_NEAR(tn_body_get_angular_velocity(world, body).z, 0.0, 1e-9);
}

Test(area, slows_down_and_blows) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_area slow = tn_area_default(), windy = tn_area_default();
    slow.linear_damping = 2.0f;
    slow.angular_damping = 3.0f;
    windy.wind = (tn_vec3){0.0, 0.0, 8.0};
    windy.wind_drag = 1.5f;
    add_area(0.0, 20.0, &slow);
    add_area(100.0, 40.0, &windy);
    tn_body_id a = test_ball_create(world, 0.0, 0.0, 0.0, 0.1f);
    tn_body_id b = test_ball_create(world, 100.0, 0.0, 0.0, 0.1f);
    test_step(world, 1);
    tn_body_set_velocity(world, a, (tn_velocity){{5.0, 0.0, 0.0}, {0.0, 4.0, 0.0}});
    test_step(world, 60);
    // v' = v / (1 + c dt) in each step.
    TEST_NEAR(velocity(a).x, 5.0 * pow(1.0 + 2.0 / 60.0, -60.0), 1e-5);
    TEST_NEAR(tn_body_get_angular_velocity(world, a).y, 4.0 * pow(1.0 + 3.0 / 60.0, -60.0), 1e-4);
    TEST_NEAR(velocity(b).z, 8.0 * (1.0 - pow(1.0 + 1.5 / 60.0, -60.0)), 1e-4);
    // However strong it is, drag turns nothing around.
    windy.wind_drag = 1e6f;
    tn_shape_id storm = add_area(0.0, 20.0, &windy);
    test_step(world, 5);
    TEST_NEAR(velocity(a).z, 8.0, 1e-3);
    cr_assert(tn_shape_set_area(world, storm, NULL) == TN_RESULT_OK);
    cr_assert_not(tn_shape_get_area(world, storm, NULL));
}

Test(area, wakes_what_it_comes_to_and_what_it_leaves) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_area lift = tn_area_default();
    lift.gravity_mode = TN_AREA_GRAVITY_REPLACE;
    lift.gravity = (tn_vec3){0.0, 1.0, 0.0};
    tn_shape_id shape = add_area(0.0, 3.0, &lift);
    test_step(world, 1);
    cr_assert(tn_body_is_awake(world, box));
    test_step(world, 60);
    cr_assert(tn_body_get_pose(world, box).position.y > 0.9);
    lift.gravity.y = -1.0;
    tn_shape_set_area(world, shape, &lift);
    test_step(world, 300);
    cr_assert_not(tn_body_is_awake(world, box), "it rests on the floor in the area");
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 0.5, 2e-3);
    tn_shape_set_area(world, shape, &lift); // as it is
    cr_assert_not(tn_body_is_awake(world, box));
    lift.gravity.y = 1.0;
    tn_shape_set_area(world, shape, &lift);
    cr_assert(tn_body_is_awake(world, box));
    test_step(world, 30);
    double rises = velocity(box).y;
    tn_shape_destroy(world, shape);
    test_step(world, 6);
    TEST_NEAR(velocity(box).y - rises, -0.1 * 9.81, 1e-4);
    cr_assert(reports.count == 0);
}

// All solvers, and bodies on joints, by coordinates and elastic ones, fall with the area's gravity.
Test(area, holds_for_all_solvers_and_bodies) {
    tn_area sideways = tn_area_default();
    sideways.gravity_mode = TN_AREA_GRAVITY_REPLACE;
    sideways.gravity = (tn_vec3){2.0, 0.0, 0.0};
    add_area(0.0, 100.0, &sideways);
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world_set_solver(world, solver);
        tn_body_id a = test_ball_create(world, 0.0, 0.0, 0.0, 0.3f);
        tn_body_id b = test_ball_create(world, 1.0, 0.0, 0.0, 0.3f);
        test_bodies_tie(world, a, b);
        tn_affine_def def = tn_affine_def_default();
        def.body =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 5.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
        cr_assert(tn_affine_create(world, &def).value != 0);
        test_step(world, 1);
        tn_vec3 u = velocity(a), v = velocity(def.body);
        test_step(world, 60);
        TEST_NEAR(velocity(a).x - u.x, 2.0, 1e-4);
        TEST_NEAR(velocity(a).y - u.y, 0.0, 1e-4);
        TEST_NEAR(velocity(def.body).x - v.x, 2.0, 1e-3);
        tn_body_destroy(world, a);
        tn_body_destroy(world, b);
        tn_body_destroy(world, def.body);
    }
    cr_assert(reports.count == 0, "%s", reports.message);
}

static uint64_t run_crowd(uint32_t workers) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    tn_world_destroy(world);
    world = test_def_world_create(def, &reports);
    test_floor_create(world);
    for (int i = 0; i < 30; ++i) {
        tn_area area = tn_area_default();
        area.gravity_mode = (tn_area_gravity)(i % 3);
        area.gravity = (tn_vec3){0.5 * (i % 5) - 1.0, 0.3 * (i % 7) - 4.0, 0.2 * (i % 4)};
        area.linear_damping = 0.1f * (float)(i % 4);
        area.wind = (tn_vec3){(double)(i % 6) - 3.0, 0.0, 1.0};
        area.wind_drag = 0.2f * (float)(i % 2);
        area.priority = i * 7 % 5;
        add_area(0.7 * i - 10.0, 2.0, &area);
    }
    for (int i = 0; i < 200; ++i) {
        test_ball_create(world, 0.1 * i - 10.0, 0.3 + 0.4 * (i % 8), 0.05 * (i % 9), 0.15f);
    }
    test_step(world, 90);
    return tn_world_get_hash(world);
}

Test(area, acts_alike_for_any_number_of_workers) {
    uint64_t one = run_crowd(1);
    for (uint32_t workers = 2; workers <= 4; ++workers) {
        cr_assert(run_crowd(workers) == one);
    }
}

// ---- bad calls --------------------------------------------------------------------------------

static int memory_left = -1; // allocations, or without end

static void *scarce_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    if (memory_left == 0) {
        return NULL;
    }
    memory_left -= memory_left > 0 ? 1 : 0;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void scarce_free(void *block, size_t size, void *user_data) {
    (void)size;
    (void)user_data;
    free(block);
}

// A step that fails for want of memory, by whatever allocation, does not push twice.
Test(area, pushes_once_after_a_step_without_memory) {
    tn_world_def def = tn_world_def_default();
    def.alloc = scarce_alloc;
    def.free = scarce_free;
    tn_world_destroy(world);
    world = test_def_world_create(def, &reports);
    tn_area add = tn_area_default();
    add.gravity_mode = TN_AREA_GRAVITY_ADD;
    add.gravity = (tn_vec3){6.0, 0.0, 0.0};
    tn_shape_id shape = add_area(0.0, 50.0, &add);
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.1f);
    test_step(world, 1);
    int failures = 0;
    for (int budget = 0; budget < 12; ++budget) {
        for (int i = 0; i < 12; ++i) { // new contacts and pairs want memory
            test_ball_create(world, 2.0 + 0.15 * i, 0.3 * budget, 1.0, 0.1f);
        }
        double before = velocity(body).x;
        memory_left = budget;
        tn_result result = tn_world_step(world, 1.0 / 60.0, 4);
        memory_left = -1;
        failures += result == TN_RESULT_OUT_OF_MEMORY ? 1 : 0;
        if (result != TN_RESULT_OK) {
            cr_assert(velocity(body).x == before);
            test_step(world, 1);
        }
        TEST_NEAR(velocity(body).x - before, 0.1, 1e-6);
    }
    cr_assert(failures > 0);
    memory_left = 0;
    tn_shape_set_area(world, shape, NULL);
    tn_shape_def sensor = tn_shape_def_default();
    sensor.is_sensor = true;
    tn_result result = TN_RESULT_OK;
    for (int i = 0; i < 64 && result == TN_RESULT_OK; ++i) {
        tn_shape_id next = tn_sphere_shape_create(world, body, &sensor, 0.5f);
        memory_left = 0;
        result = tn_shape_set_area(world, next, &add);
        memory_left = -1;
        cr_assert(tn_shape_get_area(world, next, NULL) == (result == TN_RESULT_OK));
    }
    cr_assert(result == TN_RESULT_OUT_OF_MEMORY);
}

Test(area, refuses_bad_numbers) {
    tn_area area = tn_area_default(), got;
    tn_shape_id shape = add_area(0.0, 1.0, &area), none = {0};
    tn_shape_id solid = test_first_shape(world, test_ball_create(world, 9.0, 0.0, 0.0, 0.5f));
    TEST_REPORTS(&reports, tn_shape_set_area(world, none, &area), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_set_area(world, solid, &area), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_shape_get_area(world, none, &got), TN_RESULT_INVALID_ID);
    cr_assert_not(tn_shape_get_area(world, solid, &got));
    area.gravity.x = NAN;
    TEST_REPORTS(&reports, tn_shape_set_area(world, shape, &area), TN_RESULT_NOT_FINITE);
    area = tn_area_default();
    area.wind_drag = -1.0f;
    TEST_REPORTS(&reports, tn_shape_set_area(world, shape, &area), TN_RESULT_INVALID_ARGUMENT);
    area = tn_area_default();
    area.gravity_mode = (tn_area_gravity)7;
    TEST_REPORTS(&reports, tn_shape_set_area(world, shape, &area), TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_shape_get_area(world, shape, &got) && got.gravity_mode == TN_AREA_GRAVITY_NONE);
    area = tn_area_default();
    area.linear_damping = 0.5f;
    tn_shape_set_area(world, shape, &area);
    cr_assert(tn_shape_get_area(world, shape, &got) && got.linear_damping == 0.5f);
}
