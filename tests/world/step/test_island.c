// Islands: bodies that touch or are tied; the floor ties nothing together.
#include "tests/world/world_test.h"

static const tn_vec3 half = {0.5, 0.5, 0.5};

static uint32_t count_islands(tn_world *world) {
    test_step(world, 2);
    return tn_world_get_telemetry(world).islands;
}

Test(island, two_stacks_on_one_floor_are_two_islands) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    test_floor_create(world);
    for (int i = 0; i < 3; ++i) {
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5 + i, 0.0, half);
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 5.0, 0.5 + i, 0.0, half);
    }
    cr_assert(count_islands(world) == 2);
    tn_world_destroy(world);
}

Test(island, a_joint_makes_one_of_two_and_its_end_two_again) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id a = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_body_id b = test_ball_create(world, 3.0, 0.0, 0.0, 0.5f);
    cr_assert(count_islands(world) == 2);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){1.5, 0.0, 0.0},
                            (tn_vec3){1.0, 0.0, 0.0});
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    cr_assert(count_islands(world) == 1);
    tn_joint_destroy(world, joint);
    cr_assert(count_islands(world) == 2);
    tn_world_destroy(world);
}

Test(island, joints_to_the_world_tie_nothing_together) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    for (int i = 0; i < 4; ++i) {
        tn_body_id body = test_ball_create(world, 3.0 * i, 0.0, 0.0, 0.5f);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, body,
                                (tn_vec3){3.0 * i, 1.0, 0.0}, (tn_vec3){1.0, 0.0, 0.0});
        cr_assert(tn_ball_joint_create(world, &def).value != 0);
    }
    cr_assert(count_islands(world) == 4);
    tn_world_destroy(world);
}

Test(island, two_that_touch_nothing_else_are_one_island) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_body_id other = test_ball_create(world, 0.999, 0.0, 0.0, 0.5f);
    cr_assert(count_islands(world) == 1);
    tn_body_set_pose(world, other, (tn_pose){{3.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    cr_assert(count_islands(world) == 2);
    tn_world_destroy(world);
}
