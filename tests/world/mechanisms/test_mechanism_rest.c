// Bodies that joints hold still.
#include "tests/world/world_test.h"

// What is held still has no energy; the round-off of its pose times its weight is no gain of that.
Test(mechanism_rest, takes_a_step_in_whole_stages) {
    test_reports reports;
    tn_world *world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.3, 0.0, 0.0);
    tn_mass mass = {.mass = 2.0};
    mass.inertia.xx = mass.inertia.yy = mass.inertia.zz = 0.2;
    tn_body_set_mass(world, body, mass);
    for (uint32_t i = 0; i < 3; ++i) {
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base.body_b = body;
        def.base.frame_a.position = (tn_vec3){0.1 * i, 0.1 + 0.3 * (i % 2), 0.2};
        def.base.frame_b.position = (tn_vec3){0.1 * i - 0.3, 0.1 + 0.3 * (i % 2), 0.2};
        tn_ball_joint_create(world, &def);
    }
    for (uint32_t i = 0; i < 30; ++i) {
        test_step(world, 1);
        tn_mechanism_info info;
        cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
        cr_assert(info.splits == 0 && info.stages == 4, "step %u: %u stages", i, info.stages);
    }
    test_world_destroy_quiet(world, &reports);
}
