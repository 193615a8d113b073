// Tests of world/step/stacks.c: who is solved at once, in which worlds, and that nothing but bodies
// and contacts decides it.
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

static const tn_vec3 half = {0.5, 0.5, 0.5};

// A tower of eight at the origin; more boxes in columns of `height` around it.
static tn_world *make_yard(uint32_t workers, int columns, int height, tn_body_id *top) {
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    test_floor_create(world);
    for (int i = 0; i < 8; ++i) {
        *top = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, i + 0.5, 0.0, half);
    }
    for (int i = 0; i < columns; ++i) {
        for (int k = 0; k < height; ++k) {
            double x = 3.0 + 1.5 * (i % 16), z = 1.5 * (i / 16);
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, x + 0.01 * k, k + 0.5, z, half);
        }
    }
    return world;
}

static double get_sink(const tn_world *world, tn_body_id top) {
    return 7.5 - tn_body_get_center(world, top).y;
}

// Swept towers of eight sink by 2 mm in a second; at once they rest at 2e-5 m a box.
Test(stacks, a_tower_is_solved_at_once_alone_and_beside_many_boxes) {
    static const int columns[] = {0, 40, 300};
    for (int i = 0; i < 3; ++i) {
        tn_body_id top;
        tn_world *world = make_yard(1, columns[i], 2, &top);
        test_step(world, 60);
        cr_assert(get_sink(world, top) < 8.0 * 4e-5, "%d columns: %g m", columns[i],
                  get_sink(world, top));
        tn_world_destroy(world);
    }
}

LONG_TEST(stacks, hashes_are_the_same_for_any_number_of_workers) {
    static const int columns[] = {12, 120};
    for (int i = 0; i < 2; ++i) {
        uint64_t hashes[3];
        for (uint32_t workers = 1; workers <= 3; ++workers) {
            tn_body_id top;
            tn_world *world = make_yard(workers, columns[i], 5, &top);
            test_step(world, 40);
            tn_velocity blow = {.linear = {1.0, 0.0, 0.5}};
            tn_body_set_velocity(world, top, blow);
            test_step(world, 40);
            hashes[workers - 1] = tn_world_get_hash(world);
            tn_world_destroy(world);
        }
        cr_assert(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    }
}

// Islands of one cluster need not follow each other: boxes that are only near tie a cluster, and
// not an island.
Test(stacks, towers_that_are_near_each_other_in_clusters_stand) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&def, NULL);
    test_floor_create(world);
    tn_body_id tops[120];
    for (int k = 0; k < 5; ++k) {
        for (int i = 0; i < 120; ++i) {
            double x = 1.0005 * (i % 2) + 4.0 * (i % 12 / 2), z = 3.0 * (i / 12);
            tops[i] = test_box_create(world, TN_BODY_TYPE_DYNAMIC, x, k + 0.5, z, half);
        }
    }
    test_step(world, 90);
    for (int i = 0; i < 120; ++i) {
        TEST_NEAR(tn_body_get_center(world, tops[i]).y, 4.5, 5e-3);
        cr_assert(tn_body_get_kinetic_energy(world, tops[i]) < 0.05);
    }
    tn_world_destroy(world);
}

Test(stacks, a_stack_takes_no_memory_once_it_is_known) {
    tn_body_id top;
    tn_world *world = make_yard(1, 0, 0, &top);
    test_step(world, 10);
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        cr_assert(tn_world_get_telemetry(world).allocations == 0, "step %d", i);
    }
    tn_world_destroy(world);
}

// From one step to the next a tower is out of reach of the exact solve, being tied to something,
// and back in it. Nothing jumps: 1 mm is what it sinks meanwhile.
Test(stacks, a_tower_may_come_and_go) {
    tn_body_id top;
    tn_world *world = make_yard(1, 0, 0, &top);
    test_step(world, 60);
    tn_body_id weight = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 8.5, 0.0, half);
    tn_body_id bob = test_bead_create(world, 0.0, 10.5, 0.0, false);
    test_bodies_tie(world, weight, bob);
    for (int round = 0; round < 2; ++round) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < 60; ++i) {
            test_step(world, 1);
            double y = tn_body_get_center(world, top).y;
            low = fmin(low, y);
            high = fmax(high, y);
        }
        cr_assert(high < 7.5 + 1e-4 && low > 7.5 - 1e-2, "%g to %g", low, high);
        if (round == 0) {
            tn_body_destroy(world, bob);
            tn_body_destroy(world, weight);
        }
    }
    tn_world_destroy(world);
}

// A joint gives what stands still a place among the bodies of a step, which it has no longer once
// the joint is gone.
Test(stacks, a_tower_stands_alike_on_a_floor_that_a_joint_held_before) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        tn_world *world = tn_world_create(NULL, NULL);
        tn_body_id floor = test_floor_create(world);
        tn_body_id post = test_body_create(world, TN_BODY_TYPE_STATIC, 9.0, 3.0, 0.0);
        tn_body_id bob = test_ball_create(world, 9.0, 4.0, 0.0, 0.2f);
        tn_joint_id joint = test_bodies_tie(world, i == 0 ? post : floor, bob);
        test_step(world, 3);
        tn_joint_destroy(world, joint);
        tn_body_set_pose(world, bob, (tn_pose){{9.0, 4.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        tn_body_set_velocity(world, bob, (tn_velocity){0});
        for (int k = 0; k < 8; ++k) {
            tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, k + 0.5, 0.0, half);
            tn_body_set_velocity(world, box, (tn_velocity){.linear = {0.3 * k, 0.0, 0.1 * k}});
        }
        test_step(world, 40);
        hashes[i] = tn_world_get_hash(world);
        tn_world_destroy(world);
    }
    cr_assert(hashes[0] == hashes[1]);
}

// What stands on a body that drives it is in no cluster. In a large world it is in a part, whose
// rounds solve it: it sinks no more than any other tower of eight, and rides along.
LONG_TEST(stacks, a_tower_rides_a_plate_through_a_world_in_parts) {
    uint64_t hashes[2];
    for (uint32_t workers = 1; workers <= 2; ++workers) {
        tn_world_def def = tn_world_def_default();
        def.is_sleep_allowed = false;
        def.worker_count = workers;
        tn_world *world = tn_world_create(&def, NULL);
        test_floor_create(world);
        for (int i = 0; i < 800; ++i) {
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.0 * (i % 40), 0.5 + i / 40, 0.0, half);
        }
        tn_body_id plate = test_box_create(world, TN_BODY_TYPE_KINEMATIC, 60.0, 0.2, 0.0,
                                           (tn_vec3){2.0, 0.2, 2.0});
        tn_velocity velocity = {.linear = {0.2, 0.0, 0.0}};
        tn_body_set_velocity(world, plate, velocity);
        tn_body_id top = {0};
        for (int i = 0; i < 8; ++i) {
            top = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 60.0, 0.9 + i, 0.0, half);
            tn_body_set_velocity(world, top, velocity);
        }
        test_step(world, 60);
        tn_vec3 p = tn_body_get_center(world, top);
        TEST_NEAR(p.y, 7.9, 8.0 * 4e-5);
        TEST_NEAR(p.x, 60.2, 1e-3);
        hashes[workers - 1] = tn_world_get_hash(world);
        tn_world_destroy(world);
    }
    cr_assert(hashes[0] == hashes[1]);
}
