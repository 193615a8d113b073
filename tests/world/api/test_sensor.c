// Shapes that become sensors and cease to be, queries that find them, and bad calls.
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

TestSuite(sensor, .init = setup, .fini = teardown);

Test(sensor, has_no_mass) {
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    double mass = tn_body_get_mass(world, body).mass;
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    def.local_pose.position.x = 3.0;
    tn_shape_id sensor = tn_sphere_shape_create(world, body, &def, 2.0f);
    cr_assert(tn_shape_is_sensor(world, sensor));
    cr_assert(tn_body_get_mass(world, body).mass == mass);
    cr_assert(tn_body_get_center(world, body).x == 0.0);
    tn_shape_set_density(world, sensor, 50.0f);
    cr_assert(tn_body_get_mass(world, body).mass == mass &&
              tn_shape_get_density(world, sensor) == 50.0f);
    cr_assert(tn_shape_set_sensor(world, sensor, false) == TN_RESULT_OK);
    TEST_NEAR(tn_body_get_mass(world, body).mass, mass + 50.0 * 4.0 / 3.0 * 3.14159265 * 8.0, 1e-3);
    tn_shape_set_sensor(world, sensor, true);
    cr_assert(tn_body_get_mass(world, body).mass == mass);
}

Test(sensor, that_a_floor_becomes_lets_fall_what_lay_on_it) {
    tn_body_id ground = test_floor_create(world);
    tn_shape_id plane = test_first_shape(world, ground);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_shape_set_sensor(world, plane, true);
    cr_assert(tn_body_is_awake(world, box) && tn_world_count_contacts(world) == 0);
    test_step(world, 1);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.end_count == 1 && events.sensor_begin_count == 1);
    test_step(world, 30);
    cr_assert(tn_body_get_pose(world, box).position.y < -0.5);
    cr_assert(tn_shape_get_overlaps(world, plane, NULL, 0) == 1);
    // A floor again: the box comes up, and the overlap is over.
    tn_shape_set_sensor(world, plane, false);
    test_step(world, 1);
    events = tn_world_get_events(world);
    cr_assert(events.sensor_end_count == 1 && events.begin_count == 1);
}

Test(sensor, is_found_by_queries_only_by_choice) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 5.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_shape_id ball = tn_sphere_shape_create(world, body, &def, 1.0f);
    tn_body_id under = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, -8.0, 0.0);
    tn_shape_id plane = tn_half_space_shape_create(world, under, &def);
    tn_query_filter filter = tn_query_filter_default();
    tn_ray ray = tn_ray_make((tn_vec3){0}, (tn_vec3){10.0, 0.0, 0.0});
    tn_ray down = tn_ray_make((tn_vec3){0}, (tn_vec3){0.0, -10.0, 0.0});
    tn_bounds bounds = {{-10.0, -10.0, -10.0}, {10.0, 10.0, 10.0}};
    tn_shape_id found[4];
    tn_ray_hit hit;
    cr_assert_not(tn_world_cast_ray(world, &ray, &hit));
    cr_assert_not(tn_world_cast_ray(world, &down, &hit));
    cr_assert(tn_world_find_shapes(world, bounds, NULL, found, 4) == 0);
    filter.finds_sensors = true;
    ray.filter = down.filter = &filter;
    cr_assert(tn_world_cast_ray(world, &ray, &hit) && hit.shape.value == ball.value);
    TEST_NEAR(hit.fraction, 0.4, 1e-6);
    cr_assert(tn_world_cast_ray(world, &down, &hit) && hit.shape.value == plane.value);
    cr_assert(tn_world_find_shapes(world, bounds, &filter, found, 4) == 2);
    cr_assert(reports.count == 0);
}

Test(sensor, of_a_thrown_body_is_found_where_it_is) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.1f);
    tn_shape_def def = tn_shape_def_default();
    def.is_sensor = true;
    tn_shape_id sensor = tn_sphere_shape_create(world, ball, &def, 0.5f);
    tn_body_set_linear_velocity(world, ball, (tn_vec3){100.0, 0.0, 0.0});
    tn_query_filter filter = tn_query_filter_default();
    filter.finds_sensors = true;
    for (int step = 0; step < 10; ++step) {
        test_step(world, 1);
        double x = tn_body_get_pose(world, ball).position.x;
        tn_ray ray = tn_ray_make((tn_vec3){x, 5.0, 0.0}, (tn_vec3){0.0, -5.0, 0.0});
        tn_ray_hit hit;
        ray.filter = &filter;
        cr_assert(tn_world_cast_ray(world, &ray, &hit) && hit.shape.value == sensor.value);
        TEST_NEAR(hit.point.y, 0.5, 1e-6);
    }
}

Test(sensor, refuses_bad_calls) {
    tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_shape_id shape = test_first_shape(world, ball), none = {0};
    TEST_REPORTS(&reports, tn_shape_get_overlaps(world, shape, NULL, 0), TN_RESULT_WRONG_TYPE);
    TEST_REPORTS(&reports, tn_shape_get_overlaps(world, none, NULL, 0), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_set_sensor(world, none, true), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_is_sensor(world, none), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_set_detects_sensors(world, none, true), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_shape_get_detects_sensors(world, none), TN_RESULT_INVALID_ID);
    cr_assert(tn_shape_set_sensor(NULL, shape, true) == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_shape_get_overlaps(NULL, shape, NULL, 5) == 0);
}
