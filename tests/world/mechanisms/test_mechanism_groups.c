// What AUTO leaves to Gauss-Seidel for its contacts.
#include <string.h>

#include "scenes/scene.h"
#include "tests/support/long_test.h"
#include "tests/world/joints/swing_test.h"

// The links of a flail at 100 m/s are looked for in each other's way, and are not there.
Test(mechanism_groups, links_that_pass_each_other_are_no_reason_to_leave_a_mechanism) {
    test_reports reports;
    tn_world *world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    test_flail_create(world, 100.0, 0.0);
    for (int i = 0; i < 10; ++i) {
        test_step(world, 1);
        tn_mechanism_info info;
        cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
        cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT, "step %d: %d", i, info.method);
        cr_assert(info.worst_joint_linear < 1e-9);
    }
    test_world_destroy_quiet(world, &reports);
}

// Two chains with a weight at either end lie on a wheel, which their friction turns. Sweeps let
// them open under the load: they slip, and the weights fall a quarter of the way.
LONG_TEST(mechanism_loads, holds_a_loaded_rope_on_its_wheel, .timeout = 60) {
    scene_run *run = scene_run_create(scene_find("atwood"), NULL, NULL);
    cr_assert_not_null(run);
    for (int i = 0; i < 84; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    scene_run_measure(run);
    double fallen = 0.0, exact = 1.0;
    for (uint32_t i = 0; i < run->figure_count; ++i) {
        fallen =
            strcmp(run->figures[i].name, "left_fallen_m") == 0 ? run->figures[i].value : fallen;
        exact = strcmp(run->figures[i].name, "exact_m") == 0 ? run->figures[i].value : exact;
    }
    cr_assert(fabs(fallen - exact) < 0.03 * exact, "%g m for %g", fallen, exact);
    scene_run_destroy(run);
}
