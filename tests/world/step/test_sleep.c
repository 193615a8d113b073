// Sleep: what rests leaves the step, and wakes by touch, joint, force and call.
#include "tests/world/world_test.h"

static const tn_vec3 half = {0.5, 0.5, 0.5};

static tn_world *make_resting_stack(test_reports *reports, tn_body_id boxes[3]) {
    tn_world *world = test_world_create(reports);
    test_floor_create(world);
    for (int i = 0; i < 3; ++i) {
        boxes[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5 + i, 0.0, half);
    }
    test_step(world, 120);
    for (int i = 0; i < 3; ++i) {
        cr_assert_not(tn_body_is_awake(world, boxes[i]), "box %d is awake", i);
    }
    return world;
}

Test(sleep, a_resting_stack_leaves_the_step) {
    test_reports reports;
    tn_body_id boxes[3];
    tn_world *world = make_resting_stack(&reports, boxes);
    tn_telemetry telemetry = tn_world_get_telemetry(world);
    cr_assert(telemetry.awake_bodies == 0 && telemetry.contacts == 0 && telemetry.rows == 0);
    uint64_t hash = tn_world_get_hash(world);
    test_step(world, 60);
    cr_assert(tn_world_get_hash(world) == hash);
    cr_assert(tn_world_get_events(world).move_count == 0);
    tn_world_destroy(world);
}

Test(sleep, waking_one_box_wakes_the_stack) {
    for (int way = 0; way < 5; ++way) {
        test_reports reports;
        tn_body_id boxes[3];
        tn_world *world = make_resting_stack(&reports, boxes);
        if (way == 0) {
            tn_body_set_awake(world, boxes[0], true);
        } else if (way == 1) {
            tn_body_apply_force(world, boxes[2], (tn_vec3){10.0, 0.0, 0.0});
        } else if (way == 2) {
            tn_body_apply_impulse(world, boxes[1], (tn_vec3){1.0, 0.0, 0.0});
        } else if (way == 3) {
            tn_ball_joint_def joint = tn_ball_joint_def_default();
            tn_joint_def_set_frames(world, &joint.base, (tn_body_id){0}, boxes[1],
                                    (tn_vec3){0.0, 3.0, 0.0}, (tn_vec3){1.0, 0.0, 0.0});
            cr_assert(tn_ball_joint_create(world, &joint).value != 0);
        } else {
            tn_world_set_gravity(world, (tn_vec3){0.0, -5.0, 0.0});
        }
        for (int i = 0; i < 3; ++i) {
            cr_assert(tn_body_is_awake(world, boxes[i]), "way %d, box %d sleeps", way, i);
        }
        tn_world_destroy(world);
    }
}

Test(sleep, a_falling_box_wakes_what_it_lands_on) {
    test_reports reports;
    tn_body_id boxes[3];
    tn_world *world = make_resting_stack(&reports, boxes);
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 5.0, 0.0, half);
    test_step(world, 10);
    cr_assert_not(tn_body_is_awake(world, boxes[0]));
    bool has_woken = false;
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        has_woken = has_woken || tn_body_is_awake(world, boxes[0]);
    }
    cr_assert(has_woken);
    test_step(world, 180);
    cr_assert_not(tn_body_is_awake(world, boxes[0]));
    tn_world_destroy(world);
}

Test(sleep, destroying_the_support_wakes_what_stood_on_it) {
    test_reports reports;
    tn_body_id boxes[3];
    tn_world *world = make_resting_stack(&reports, boxes);
    tn_body_destroy(world, boxes[0]);
    cr_assert(tn_body_is_awake(world, boxes[1]) && tn_body_is_awake(world, boxes[2]));
    test_step(world, 120);
    TEST_NEAR(tn_body_get_center(world, boxes[1]).y, 0.5, 0.02);
    tn_world_destroy(world);
}

Test(sleep, is_told_once_and_waking_too) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    test_floor_create(world);
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, half);
    int slept = 0, woken = 0;
    for (int i = 0; i < 240; ++i) {
        if (i == 120) {
            tn_body_set_awake(world, box, true);
        }
        test_step(world, 1);
        tn_events events = tn_world_get_events(world);
        for (uint32_t e = 0; e < events.sleep_count; ++e) {
            cr_assert(events.sleeps[e].body.value == box.value);
            woken += events.sleeps[e].is_awake && i >= 120 ? 1 : 0;
            slept += events.sleeps[e].is_awake ? 0 : 1;
        }
    }
    cr_assert(slept == 2 && woken == 1, "%d and %d", slept, woken);
    tn_world_destroy(world);
}

Test(sleep, can_be_forbidden_for_a_body_and_for_the_world) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    test_floor_create(world);
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, half);
    tn_body_set_sleep_allowed(world, box, false);
    test_step(world, 120);
    cr_assert(tn_body_is_awake(world, box));
    tn_body_set_sleep_allowed(world, box, true);
    tn_world_set_sleep_allowed(world, false);
    test_step(world, 120);
    cr_assert(tn_body_is_awake(world, box));
    tn_world_set_sleep_allowed(world, true);
    test_step(world, 120);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_world_destroy(world);
}

Test(sleep, a_box_on_a_moving_platform_stays_awake) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id platform =
        test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.5, 0.0, (tn_vec3){50.0, 0.5, 5.0});
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, half);
    tn_velocity velocity = {{0.03, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    tn_body_set_velocity(world, platform, velocity);
    test_step(world, 300);
    cr_assert(tn_body_is_awake(world, box));
    // Carried along at 0.03 m/s for 5 s, but for the first slip.
    TEST_NEAR(tn_body_get_center(world, box).x, 0.15, 1e-3);
    tn_world_destroy(world);
}

Test(sleep, a_box_deep_in_the_floor_comes_out_before_it_sleeps) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    test_floor_create(world);
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, -1.9, 0.0, half);
    for (int i = 0; i < 600 && tn_body_is_awake(world, box); ++i) {
        test_step(world, 1);
    }
    cr_assert_not(tn_body_is_awake(world, box));
    TEST_NEAR(tn_body_get_center(world, box).y, 0.5, 0.06);
    tn_world_destroy(world);
}

// Slower than what counts as rest, and its middle stands still.
Test(sleep, a_box_on_a_turntable_stays_awake) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id table =
        test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.5, 0.0, (tn_vec3){5.0, 0.5, 5.0});
    tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, half);
    tn_velocity velocity = {{0.0, 0.0, 0.0}, {0.0, 0.02, 0.0}};
    tn_body_set_velocity(world, table, velocity);
    test_step(world, 300);
    cr_assert(tn_body_is_awake(world, box));
    // It goes along, 0.1 rad in 5 s, but for the first slip.
    TEST_NEAR(2.0 * asin(tn_body_get_pose(world, box).rotation.y), 0.1, 1e-3);
    // When the table stands, it may sleep.
    tn_body_set_velocity(world, table, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}});
    test_step(world, 300);
    cr_assert_not(tn_body_is_awake(world, box));
    tn_world_destroy(world);
}
