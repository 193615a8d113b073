// Bodies made, destroyed, changed in type, disabled, put to sleep.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(body, .init = setup, .fini = teardown);

static double height(tn_body_id body) {
    return tn_body_get_pose(world, body).position.y;
}

Test(body, is_what_its_definition_says) {
    tn_body_def def = tn_body_def_default();
    int tag;
    def.type = TN_BODY_TYPE_KINEMATIC;
    def.linear_damping = 0.25f;
    def.angular_damping = 0.5f;
    def.gravity_scale = 2.0f;
    def.locks = TN_BODY_LOCK_ANGULAR_Y;
    def.is_sleep_allowed = false;
    def.user_data = &tag;
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(tn_body_get_type(world, body) == TN_BODY_TYPE_KINEMATIC);
    cr_assert(tn_body_get_linear_damping(world, body) == 0.25f);
    cr_assert(tn_body_get_angular_damping(world, body) == 0.5f);
    cr_assert(tn_body_get_gravity_scale(world, body) == 2.0f);
    cr_assert(tn_body_get_locks(world, body) == TN_BODY_LOCK_ANGULAR_Y);
    cr_assert(!tn_body_is_sleep_allowed(world, body) && tn_body_is_awake(world, body));
    cr_assert(tn_body_is_enabled(world, body) && tn_body_get_user_data(world, body) == &tag);
    tn_body_set_damping(world, body, 1.0f, 2.0f);
    tn_body_set_gravity_scale(world, body, -1.0f);
    tn_body_set_locks(world, body, 0);
    tn_body_set_sleep_allowed(world, body, true);
    tn_body_set_user_data(world, body, NULL);
    cr_assert(tn_body_get_linear_damping(world, body) == 1.0f);
    cr_assert(tn_body_get_angular_damping(world, body) == 2.0f);
    cr_assert(tn_body_get_gravity_scale(world, body) == -1.0f);
    cr_assert(tn_body_get_locks(world, body) == 0 && tn_body_is_sleep_allowed(world, body));
    cr_assert_null(tn_body_get_user_data(world, body));
}

Test(body, a_destroyed_body_takes_everything_with_it) {
    tn_body_id floor = test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_body_id other = test_ball_create(world, 0.0, 1.5, 0.0, 0.5f);
    tn_shape_id shape = test_first_shape(world, ball);
    tn_distance_joint_def joint_def = tn_distance_joint_def_default();
    joint_def.base.body_a = ball;
    joint_def.base.body_b = other;
    joint_def.base.is_collision_allowed = true;
    tn_joint_id joint = tn_distance_joint_create(world, &joint_def);
    cr_assert(joint.value != 0);
    test_step(world, 2);
    cr_assert(tn_world_count_contacts(world) == 2);
    cr_assert(tn_body_get_joints(world, ball, NULL, 0) == 1);
    tn_body_destroy(world, ball);
    cr_assert(!tn_shape_is_valid(world, shape) && !tn_joint_is_valid(world, joint));
    cr_assert(tn_world_count_contacts(world) == 0 && tn_world_count_joints(world) == 0);
    cr_assert(tn_body_get_contacts(world, floor, NULL, 0) == 0);
    cr_assert(tn_body_get_joints(world, other, NULL, 0) == 0);
    cr_assert(tn_world_count_bodies(world) == 2);
    test_step(world, 10);
    cr_assert(height(other) < 1.45);
    cr_assert(reports.count == 0);
}

Test(body, lists_fill_no_more_than_asked) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    for (int i = 0; i < 5; ++i) {
        tn_sphere_shape_create(world, body, &def, 1.0f);
    }
    tn_shape_id shapes[5] = {{0}, {0}, {0}, {0}, {77}};
    cr_assert(tn_body_get_shapes(world, body, shapes, 4) == 5);
    cr_assert(shapes[4].value == 77);
    for (int i = 0; i < 4; ++i) {
        cr_assert(tn_shape_get_body(world, shapes[i]).value == body.value);
        for (int j = 0; j < i; ++j) {
            cr_assert(shapes[i].value != shapes[j].value);
        }
    }
    cr_assert(tn_body_get_shapes(world, body, NULL, 100) == 5);
}

// ---- disabled ---------------------------------------------------------------------------------

Test(body, a_disabled_body_takes_no_part) {
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_body_id top = test_ball_create(world, 0.0, 1.5, 0.0, 0.5f);
    test_step(world, 2);
    tn_body_set_enabled(world, ball, false);
    double before = height(ball);
    cr_assert(!tn_body_is_enabled(world, ball) && !tn_body_is_awake(world, ball));
    cr_assert(tn_body_get_contacts(world, ball, NULL, 0) == 0);
    test_step(world, 60);
    cr_assert(height(ball) == before);
    cr_assert(height(top) < 0.6, "the upper ball falls through the disabled one: %g", height(top));
    tn_body_set_awake(world, ball, true);
    cr_assert(!tn_body_is_awake(world, ball));
    // Out of the other's way, then back into the world: it falls again.
    tn_pose pose = tn_body_get_pose(world, ball);
    pose.position.y = 3.0;
    tn_body_set_pose(world, ball, pose);
    test_step(world, 5);
    cr_assert(height(ball) == 3.0);
    tn_body_set_enabled(world, ball, true);
    cr_assert(tn_body_is_awake(world, ball));
    test_step(world, 20);
    cr_assert(height(ball) < 2.6);
    test_step(world, 200);
    cr_assert(height(ball) > 0.4);
    cr_assert(reports.count == 0);
}

Test(body, may_be_made_disabled_or_asleep) {
    tn_body_def def = tn_body_def_default();
    def.is_enabled = false;
    tn_body_id disabled = tn_body_create(world, &def);
    def.is_enabled = true;
    def.is_awake = false;
    def.pose.position.y = 5.0;
    tn_body_id asleep = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_sphere_shape_create(world, disabled, &shape, 1.0f);
    test_step(world, 10);
    cr_assert(height(disabled) == 0.0 && height(asleep) == 5.0);
    tn_body_set_awake(world, asleep, true);
    tn_body_set_enabled(world, disabled, true);
    test_step(world, 10);
    cr_assert(height(disabled) < 0.0 && height(asleep) < 5.0);
}

// ---- type -------------------------------------------------------------------------------------

Test(body, a_static_body_made_dynamic_falls_and_back_stays) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 2.0, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_id ball = test_ball_create(world, 0.0, 3.0, 0.0, 0.5f);
    test_step(world, 10);
    TEST_NEAR(height(box), 2.0, 0.0);
    cr_assert(tn_body_get_contacts(world, box, NULL, 0) == 1);
    tn_body_set_type(world, box, TN_BODY_TYPE_DYNAMIC);
    test_step(world, 10);
    cr_assert(height(box) < 1.95);
    tn_body_set_type(world, box, TN_BODY_TYPE_STATIC);
    double stays = height(box);
    cr_assert(tn_body_get_velocity(world, box).linear.y == 0.0);
    test_step(world, 120);
    TEST_NEAR(height(box), stays, 0.0);
    TEST_NEAR(height(ball), stays + 1.0, 0.02);
    tn_body_set_type(world, box, TN_BODY_TYPE_KINEMATIC);
    test_step(world, 30);
    TEST_NEAR(height(box), stays, 0.0);
    tn_body_set_linear_velocity(world, box, (tn_vec3){0.0, 0.5, 0.0});
    test_step(world, 60);
    TEST_NEAR(height(box), stays + 0.5, 1e-6);
    TEST_NEAR(height(ball), stays + 1.5, 0.03);
    cr_assert(reports.count == 0);
}

Test(body, a_type_change_while_asleep_wakes_what_rests_on_it) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_id top =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 400);
    cr_assert(!tn_body_is_awake(world, box) && !tn_body_is_awake(world, top));
    tn_body_set_type(world, box, TN_BODY_TYPE_STATIC);
    cr_assert(tn_body_is_awake(world, top));
    test_step(world, 400);
    cr_assert(!tn_body_is_awake(world, top));
    tn_body_destroy(world, box);
    test_step(world, 100);
    TEST_NEAR(height(top), 0.5, 0.02);
}

// ---- sleep ------------------------------------------------------------------------------------

Test(body, what_rests_on_a_sleeper_sleeps_and_wakes_with_it) {
    test_floor_create(world);
    tn_body_id low = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_body_id high = test_ball_create(world, 0.0, 1.5, 0.0, 0.5f);
    test_step(world, 2);
    tn_body_set_awake(world, low, false);
    cr_assert(!tn_body_is_awake(world, low) && !tn_body_is_awake(world, high));
    double before = height(high);
    test_step(world, 10);
    cr_assert(height(high) == before);
    tn_body_apply_impulse(world, high, (tn_vec3){100.0, 0.0, 0.0});
    cr_assert(tn_body_is_awake(world, low) && tn_body_is_awake(world, high));
}

Test(body, a_body_that_may_not_sleep_stays_awake) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_set_sleep_allowed(world, box, false);
    test_step(world, 300);
    cr_assert(tn_body_is_awake(world, box));
    tn_body_set_sleep_allowed(world, box, true);
    test_step(world, 300);
    cr_assert(!tn_body_is_awake(world, box));
    tn_world_set_sleep_allowed(world, false);
    cr_assert(tn_body_is_awake(world, box));
    test_step(world, 300);
    cr_assert(tn_body_is_awake(world, box));
}

Test(body, a_falling_body_wakes_what_it_lands_on) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 300);
    cr_assert(!tn_body_is_awake(world, box));
    tn_body_id ball = test_ball_create(world, 0.0, 3.0, 0.0, 0.5f);
    test_step(world, 20);
    cr_assert(!tn_body_is_awake(world, box));
    test_step(world, 30);
    cr_assert(tn_body_is_awake(world, box));
    cr_assert(height(ball) > 1.4);
}

Test(body, a_wall_moved_onto_a_sleeper_wakes_it) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_id wall =
        test_box_create(world, TN_BODY_TYPE_STATIC, 5.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 300);
    cr_assert(!tn_body_is_awake(world, box));
    tn_pose pose = tn_body_get_pose(world, wall);
    pose.position.x = 0.9;
    tn_body_set_pose(world, wall, pose);
    cr_assert(tn_body_is_awake(world, box));
    test_step(world, 120);
    TEST_NEAR(tn_body_get_pose(world, box).position.x, -0.1, 0.02);
}

// ---- many -------------------------------------------------------------------------------------

Test(body, a_million_bodies_come_and_go, .timeout = 60) {
    const uint32_t count = 1000000;
    tn_body_def def = tn_body_def_default();
    def.is_awake = false;
    tn_body_id first = tn_body_create(world, &def), last = first;
    for (uint32_t i = 1; i < count; ++i) {
        def.pose.position.x = (double)i;
        last = tn_body_create(world, &def);
    }
    cr_assert(tn_world_count_bodies(world) == count);
    cr_assert(tn_body_get_pose(world, last).position.x == (double)(count - 1));
    test_step(world, 1);
    tn_body_destroy(world, first);
    cr_assert(tn_world_count_bodies(world) == count - 1);
    cr_assert(reports.count == 0);
}
