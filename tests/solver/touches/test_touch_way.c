// Touches along the way of their pair: what a link swings past does not push it.
#include "tests/world/joints/swing_test.h"

static test_reports reports;

static double get_change(tn_solver solver, double speed, double clear) {
    tn_vec3 ends[2];
    for (int i = 0; i < 2; ++i) {
        tn_world *world = test_solver_world_create(solver, &reports);
        ends[i] = test_swing_run(world, speed, clear, i == 1);
        test_world_destroy_quiet(world, &reports);
    }
    return hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y);
}

// The straight way of a substep would meet the block, as it did with normals of its beginning.
Test(touch_way, a_ball_on_a_hinge_swings_past_a_block) {
    for (int i = 0; i < 3; ++i) {
        double clear = 0.001 * (1 + 2 * i), change = get_change(TN_SOLVER_DIRECT, 20.0, clear);
        cr_assert(change == 0.0, "%g mm clear: %g m/s", 1e3 * clear, change);
    }
}

// 5 mm too deep it is struck: 20 m/s upward of a corner.
Test(touch_way, a_ball_on_a_hinge_meets_a_block_in_its_way) {
    double change = get_change(TN_SOLVER_DIRECT, 20.0, -0.005);
    cr_assert(change > 1.0, "%g m/s", change);
}

// Two crates on a hinge, solved exactly, slide over level tiles without friction.
Test(touch_way, hinged_crates_slide_over_seams) {
    tn_world *world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
    for (int i = 0; i < 12; ++i) {
        test_box_create(world, TN_BODY_TYPE_STATIC, i, -0.25, 0.0, (tn_vec3){0.5, 0.25, 1.0});
    }
    tn_shape_def shape = tn_shape_def_default();
    shape.material.friction = 0.0f;
    tn_body_id crates[2];
    for (int i = 0; i < 2; ++i) {
        crates[i] = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.2 + 1.2 * i, 0.25, 0.0);
        tn_box_shape_create(world, crates[i], &shape, (tn_vec3){0.25, 0.25, 0.25});
        tn_body_set_velocity(world, crates[i], (tn_velocity){.linear = {4.0, 0.0, 0.0}});
    }
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, crates[0], crates[1], (tn_vec3){0.8, 0.25, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    test_step(world, 120);
    double way = tn_body_get_center(world, crates[0]).x - 0.2;
    cr_assert(fabs(way - 8.0) < 0.008, "%g m in 2 s", way);
    test_world_destroy_quiet(world, &reports);
}
