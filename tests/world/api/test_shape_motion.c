// Ways of bodies on joints, which do not go straight through a step.
#include "tests/world/joints/swing_test.h"

// A third of a radian a step: the straight way goes 5 cm through the block, the circle leaves 1 cm.
Test(shape_motion, a_ball_on_a_swept_hinge_swings_past_a_block) {
    tn_vec3 ends[2];
    for (int i = 0; i < 2; ++i) {
        test_reports reports;
        tn_world *world = test_solver_world_create(TN_SOLVER_PGS, &reports);
        ends[i] = test_swing_run(world, 20.0, 0.01, i == 1);
        test_world_destroy_quiet(world, &reports);
    }
    double change = hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y);
    cr_assert(change == 0.0, "%g m/s", change);
}
