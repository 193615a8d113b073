// Touches whose shapes would go through each other in a substep: nothing does, and joints stay
// closed.
#include "tests/world/joints/swing_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(touch_net, .init = setup, .fini = teardown);

// A blade of 0.5 m at 120 rad/s, half a radian a substep, and a rod of 1 cm across its way, which
// lies between the poses of two substeps.
Test(touch_net, a_blade_stops_at_a_thin_rod) {
    tn_body_id blade = test_blade_create(world, -2.4);
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.4, 0.0, 0.0, (tn_vec3){0.005, 0.005, 0.3});
    for (int i = 0; i < 6; ++i) {
        test_step(world, 1);
        tn_vec3 tip = tn_body_get_world_vector(world, blade, (tn_vec3){1.0, 0.0, 0.0});
        double angle = atan2(tip.y, tip.x);
        cr_assert(angle < 0.05, "step %d: at %g rad", i, angle);
        cr_assert(tn_world_get_telemetry(world).worst_joint_linear < 1e-6);
    }
}

// 1.5 rad a step: the straight way from where a step begins does not come near the wall.
Test(touch_net, a_flail_does_not_pass_a_wall_of_5_cm) {
    test_box_create(world, TN_BODY_TYPE_STATIC, -0.175, 2.25, 0.0, (tn_vec3){0.025, 1.0, 1.0});
    tn_body_id head = test_flail_create(world, 200.0, -1.217);
    double before = 1.0;
    for (int i = 0; i < 20; ++i) {
        test_step(world, 1);
        tn_vec3 at = tn_body_get_center(world, head);
        double gap = tn_world_get_telemetry(world).worst_joint_linear;
        cr_assert(!(before > -0.175 && at.x <= -0.175 && at.y > 1.25), "step %d: through", i);
        cr_assert(gap < 1e-6, "step %d: %g m open", i, gap);
        before = at.x;
    }
}
