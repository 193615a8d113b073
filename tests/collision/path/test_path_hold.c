// Planes that hold without following the pair: not those of what turns far.
#include "tests/world/world_test.h"

// A kinematic blade turns by 2 rad a step about its middle. Where the step begins, the place of it
// that is the nearest to a free rod hardly moves; at the end of the arc it strikes, at 48 m/s.
Test(path_hold, a_driven_blade_strikes_a_free_rod_on_its_arc) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    for (int i = 0; i < 4; ++i) {
        double turn = -1.6 + 0.3 * i, x = 10.0 * i, half = 0.5 * turn;
        tn_body_def def = tn_body_def_default();
        def.type = TN_BODY_TYPE_KINEMATIC;
        def.pose.position.x = x;
        def.pose.rotation.z = sin(half);
        def.pose.rotation.w = cos(half);
        def.velocity.angular.z = 120.0;
        tn_body_id blade = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        tn_box_shape_create(world, blade, &shape, (tn_vec3){0.5, 0.02, 0.05});
        tn_body_id rod = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x + 0.4, 0.0, 0.0);
        tn_box_shape_create(world, rod, &shape, (tn_vec3){0.01, 0.01, 0.3});
        test_step(world, 1);
        double speed = tn_body_get_velocity(world, rod).linear.y;
        cr_assert(speed > 24.0, "%g rad before: %g m/s", -turn, speed);
    }
    test_world_destroy_quiet(world, &reports);
}
