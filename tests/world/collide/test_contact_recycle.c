// Tests of world/collide/contact_recycle.c: followed manifolds are those that would be made anew.
#include "tests/world/world_test.h"

static tn_world *make_world(void) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static tn_contact get_contact(const tn_world *world, tn_body_id body) {
    tn_contact_id id = {0};
    cr_assert(tn_body_get_contacts(world, body, &id, 1) == 1);
    return tn_contact_get(world, id);
}

static void put(tn_world *world, tn_body_id body, double x, double y, double turn) {
    tn_pose pose = {{x, y, 0.0}, {0.0, 0.0, sin(0.5 * turn), cos(0.5 * turn)}};
    tn_body_set_pose(world, body, pose);
    tn_body_set_velocity(world, body, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
}

// A box is put 10 mm above another and then moved, turned and slid about by the user, in strides
// both below and far above what a manifold is followed through. In a second world it is put there
// at once.
Test(contact_recycle, a_followed_manifold_is_the_one_made_anew, .timeout = 30) {
    const tn_vec3 half = {0.5, 0.5, 0.5}, wide = {2.0, 0.5, 2.0};
    tn_world *world = make_world();
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, wide);
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.01, 0.0, half);
    for (int i = 0; i < 200; ++i) {
        double stride = i < 100 ? 1e-6 : 1e-4;
        double x = stride * i, y = 1.01 + 0.3 * stride * (i % 10), turn = 0.1 * stride * i;
        put(world, box, x, y, turn);
        test_step(world, 1);
        tn_contact got = get_contact(world, box);
        tn_world *fresh = make_world();
        test_box_create(fresh, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, wide);
        tn_body_id other = test_box_create(fresh, TN_BODY_TYPE_DYNAMIC, 0.0, 1.01, 0.0, half);
        put(fresh, other, x, y, turn);
        test_step(fresh, 1);
        tn_contact wanted = get_contact(fresh, other);
        cr_assert(got.point_count == 4 && wanted.point_count == 4);
        for (uint32_t p = 0; p < 4; ++p) {
            cr_assert(got.points[p].feature == wanted.points[p].feature);
            TEST_NEAR(got.points[p].separation, wanted.points[p].separation, 2e-6);
            TEST_NEAR(got.points[p].position.x, wanted.points[p].position.x, 1e-4);
            TEST_NEAR(got.points[p].position.y, wanted.points[p].position.y, 1e-5);
        }
        TEST_NEAR(got.normal.x, wanted.normal.x, 1e-5);
        tn_world_destroy(fresh);
    }
    tn_world_destroy(world);
}

// One box slides over the edge of another so slowly that each step alone would be followed.
Test(contact_recycle, slow_sliding_does_not_add_up) {
    const tn_vec3 half = {0.5, 0.5, 0.5};
    tn_world *world = make_world();
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, half);
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.005, 0.0, half);
    tn_body_set_linear_velocity(world, box, (tn_vec3){0.0015, 0.0, 0.0}); // 25 um per step
    for (int i = 0; i < 600; ++i) {
        test_step(world, 1);
    }
    tn_contact contact = get_contact(world, box);
    double left = 1e9, right = -1e9;
    for (uint32_t p = 0; p < contact.point_count; ++p) {
        left = fmin(left, contact.points[p].position.x);
        right = fmax(right, contact.points[p].position.x);
    }
    TEST_NEAR(left, tn_body_get_center(world, box).x - 0.5, 2e-4);
    TEST_NEAR(right, 0.5, 2e-4);
    tn_world_destroy(world);
}

Test(contact_recycle, a_box_that_comes_faster_is_looked_for_farther) {
    const tn_vec3 half = {0.5, 0.5, 0.5};
    tn_world *world = make_world();
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, half);
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.03, 0.0, half);
    test_step(world, 2);
    cr_assert(tn_world_get_telemetry(world).manifolds == 0);
    // 30 mm away at 6 m/s: it arrives within a third of the step and must not go in.
    tn_body_set_linear_velocity(world, box, (tn_vec3){0.0, -6.0, 0.0});
    test_step(world, 1);
    cr_assert(tn_body_get_center(world, box).y > 0.995);
    cr_assert(tn_world_get_telemetry(world).manifolds == 1);
    tn_world_destroy(world);
}

// Two boxes rest on each other, tilted so little that one edge of the patch lies within the contact
// margin and the other trembles about it: points that go and come back keep their names.
Test(contact_recycle, points_that_were_out_of_reach_come_back) {
    const tn_vec3 half = {0.5, 0.5, 0.5};
    tn_world *world = make_world();
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0, half);
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.015, 0.0, half);
    uint32_t features[4] = {0};
    for (int i = 0; i < 8; ++i) {
        // The right edge is 5 mm higher than the middle, give or take: 20 mm is the margin.
        put(world, box, 0.0, 1.015025 + (i % 2 == 0 ? -1e-5 : 1e-5), 0.01);
        test_step(world, 1);
        tn_contact contact = get_contact(world, box);
        cr_assert(contact.point_count == (i % 2 == 0 ? 4 : 2));
        for (uint32_t p = 0; p < contact.point_count && i % 2 == 0; ++p) {
            cr_assert(i == 0 || contact.points[p].feature == features[p]);
            features[p] = contact.points[p].feature;
        }
    }
    tn_world_destroy(world);
}
