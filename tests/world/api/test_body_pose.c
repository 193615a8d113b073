// Poses, points, velocities and target poses.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
    tn_world_set_gravity(world, (tn_vec3){0});
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(body_pose, .init = setup, .fini = teardown);

// A body with its centre of mass away from its frame, turned, 100 km out.
static tn_body_id make_far_body(void) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){1e5, -2e4, 3e4};
    def.pose.rotation.x = 0.1;
    def.pose.rotation.y = -0.7;
    def.pose.rotation.z = 0.3;
    def.pose.rotation.w = 0.5;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    shape.local_pose.position = (tn_vec3){1.0, 2.0, -0.5};
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.2, 0.4, 0.3});
    return body;
}

Test(body_pose, a_pose_read_and_set_back_is_the_same) {
    tn_body_id body = make_far_body();
    tn_pose first = tn_body_get_pose(world, body);
    for (int i = 0; i < 100; ++i) {
        tn_body_set_pose(world, body, tn_body_get_pose(world, body));
    }
    tn_pose last = tn_body_get_pose(world, body);
    cr_assert(memcmp(&first.rotation, &last.rotation, sizeof first.rotation) == 0);
    // A double's step at 1e5 m is 1.5e-11 m; the sum may fall one step to either side.
    TEST_NEAR(last.position.x, first.position.x, 3e-11);
    TEST_NEAR(last.position.y, first.position.y, 3e-11);
    TEST_NEAR(last.position.z, first.position.z, 3e-11);
    tn_quat q = first.rotation;
    double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    TEST_NEAR(length, 1.0, 1e-15);
}

Test(body_pose, points_go_to_the_world_and_back_100_km_out) {
    tn_body_id body = make_far_body();
    for (int i = 0; i < 50; ++i) {
        tn_vec3 local = {sin(i) * 3.0, cos(2.0 * i) * 2.0, sin(3.0 * i)};
        tn_vec3 point = tn_body_get_world_point(world, body, local);
        tn_vec3 back = tn_body_get_local_point(world, body, point);
        TEST_NEAR(back.x, local.x, 5e-11);
        TEST_NEAR(back.y, local.y, 5e-11);
        TEST_NEAR(back.z, local.z, 5e-11);
        tn_vec3 turned = tn_body_get_world_vector(world, body, local);
        back = tn_body_get_local_vector(world, body, turned);
        TEST_NEAR(back.x, local.x, 1e-14);
        TEST_NEAR(back.z, local.z, 1e-14);
    }
    tn_vec3 origin = tn_body_get_world_point(world, body, (tn_vec3){0});
    TEST_NEAR(origin.x, 1e5, 3e-11);
    tn_mass mass = tn_body_get_mass(world, body);
    tn_vec3 center = tn_body_get_world_point(world, body, mass.center);
    TEST_NEAR(center.y, tn_body_get_center(world, body).y, 3e-11);
}

Test(body_pose, a_point_moves_with_the_turn) {
    tn_body_def def = tn_body_def_default();
    def.velocity.linear = (tn_vec3){1.0, 0.0, 0.0};
    def.velocity.angular = (tn_vec3){0.0, 0.0, 2.0};
    tn_body_id body = tn_body_create(world, &def);
    tn_vec3 v = tn_body_get_point_velocity(world, body, (tn_vec3){0.0, 3.0, 0.0});
    TEST_NEAR(v.x, 1.0 - 6.0, 1e-15);
    TEST_NEAR(v.y, 0.0, 1e-15);
    cr_assert(tn_body_get_linear_velocity(world, body).x == 1.0);
    cr_assert(tn_body_get_angular_velocity(world, body).z == 2.0);
}

Test(body_pose, velocity_set_is_velocity_read) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_velocity v = {{0.1, 0.2, 0.3}, {0.4, 0.5, 0.6}};
    tn_body_set_velocity(world, body, v);
    tn_velocity read = tn_body_get_velocity(world, body);
    cr_assert(memcmp(&v, &read, sizeof v) == 0);
    tn_body_set_linear_velocity(world, body, (tn_vec3){1.0, 2.0, 3.0});
    tn_body_set_angular_velocity(world, body, (tn_vec3){4.0, 5.0, 6.0});
    read = tn_body_get_velocity(world, body);
    cr_assert(read.linear.z == 3.0 && read.angular.y == 5.0);
}

Test(body_pose, a_target_pose_is_reached_in_one_step_and_kept) {
    tn_body_id lift = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 1.0, 2.0, 3.0);
    tn_shape_def shape = tn_shape_def_default();
    shape.local_pose.position.x = 0.5;
    tn_box_shape_create(world, lift, &shape, (tn_vec3){0.5, 0.1, 0.5});
    tn_pose target = {{1.5, 2.25, 2.0}, {0.0, sin(0.3), 0.0, cos(0.3)}};
    tn_body_set_target_pose(world, lift, target, 1.0 / 60.0);
    test_step(world, 1);
    tn_pose pose = tn_body_get_pose(world, lift);
    TEST_NEAR(pose.position.x, target.position.x, 1e-9);
    TEST_NEAR(pose.position.y, target.position.y, 1e-9);
    TEST_NEAR(pose.position.z, target.position.z, 1e-9);
    TEST_NEAR(pose.rotation.x, target.rotation.x, 1e-9);
    TEST_NEAR(pose.rotation.y, target.rotation.y, 1e-9);
    TEST_NEAR(pose.rotation.z, target.rotation.z, 1e-9);
    TEST_NEAR(pose.rotation.w, target.rotation.w, 1e-9);
    test_step(world, 3);
    tn_pose later = tn_body_get_pose(world, lift);
    TEST_NEAR(later.position.x, pose.position.x, 1e-12);
    TEST_NEAR(later.rotation.y, pose.rotation.y, 1e-12);
    cr_assert(tn_body_get_velocity(world, lift).linear.x == 0.0);
}

Test(body_pose, the_bounds_hold_all_shapes) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 5.0, 0.0, 0.0);
    tn_bounds bounds = tn_body_get_bounds(world, body);
    cr_assert(bounds.lower.x == 5.0 && bounds.upper.x == 5.0);
    tn_shape_def def = tn_shape_def_default();
    tn_box_shape_create(world, body, &def, (tn_vec3){1.0, 2.0, 3.0});
    def.local_pose.position.x = 4.0;
    tn_sphere_shape_create(world, body, &def, 0.5f);
    bounds = tn_body_get_bounds(world, body);
    TEST_NEAR(bounds.lower.x, 4.0, 1e-5);
    TEST_NEAR(bounds.upper.x, 9.5, 1e-5);
    TEST_NEAR(bounds.upper.z, 3.0, 1e-5);
    cr_assert(bounds.lower.x <= 4.0 && bounds.upper.x >= 9.5);
}

Test(body_pose, setting_a_pose_keeps_the_velocity_and_moves_the_contacts) {
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    test_step(world, 2);
    cr_assert(tn_world_count_contacts(world) == 1);
    tn_body_set_linear_velocity(world, ball, (tn_vec3){1.0, 0.0, 0.0});
    tn_pose pose = tn_body_get_pose(world, ball);
    pose.position.y = 10.0;
    tn_body_set_pose(world, ball, pose);
    cr_assert(tn_body_get_linear_velocity(world, ball).x == 1.0);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 0);
    cr_assert(tn_world_get_events(world).end_count == 1);
    pose.position.y = 0.5;
    tn_body_set_pose(world, ball, pose);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 1);
    cr_assert(tn_world_get_events(world).begin_count == 1);
}

// Also where it only turns, or only moves.
Test(body_pose, a_body_stops_at_its_target_pose) {
    const tn_pose targets[3] = {{{0.0, 0.0, 0.0}, {0.0, sin(0.2), 0.0, cos(0.2)}},
                                {{0.3, 0.0, -0.1}, {0.0, 0.0, 0.0, 1.0}},
                                {{0.3, 0.1, 0.0}, {sin(0.1), 0.0, 0.0, cos(0.1)}}};
    for (int k = 0; k < 3; ++k) {
        tn_world *own = tn_world_create(NULL, NULL);
        tn_body_id body = test_body_create(own, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0);
        tn_body_set_target_pose(own, body, targets[k], 1.0 / 60.0);
        for (int i = 0; i < 3; ++i) {
            test_step(own, 1);
            tn_pose pose = tn_body_get_pose(own, body);
            TEST_NEAR(pose.rotation.x, targets[k].rotation.x, 1e-9);
            TEST_NEAR(pose.rotation.y, targets[k].rotation.y, 1e-9);
            TEST_NEAR(pose.rotation.z, targets[k].rotation.z, 1e-9);
            TEST_NEAR(pose.rotation.w, targets[k].rotation.w, 1e-9);
            TEST_NEAR(pose.position.x, targets[k].position.x, 1e-9);
            TEST_NEAR(pose.position.y, targets[k].position.y, 1e-9);
        }
        tn_velocity v = tn_body_get_velocity(own, body);
        cr_assert(v.linear.x == 0.0 && v.angular.x == 0.0 && v.angular.y == 0.0, "target %d", k);
        tn_world_destroy(own);
    }
}
