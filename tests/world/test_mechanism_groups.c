// What AUTO leaves to Gauss-Seidel for its contacts.
#include "swing_test.h"

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
