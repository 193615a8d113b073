// A mouse joint draws a point to its target like a spring that knows no mass, and gives up where it
// would have to pull too hard.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};
static const tn_vec3 axis_z = {0.0, 0.0, 1.0};

// Critically damped: d(t) = d_0 (1 + w t) exp(-w t), for any mass.
Test(mouse_joint, light_and_heavy_bodies_follow_alike, .timeout = 60) {
    const double masses[] = {0.01, 1.0, 1e4}, w = 2.0 * PI * 5.0;
    for (int i = 0; i < 3; ++i) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, masses[i], masses[i]);
        tn_joint_id mouse =
            joint_make(world, TN_JOINT_TYPE_MOUSE, world_body, body, origin, axis_x);
        tn_mouse_joint_set_target(world, mouse, (tn_vec3){0.3, -0.4, 1.2});
        for (int k = 1; k <= 48; ++k) {
            run(world, 1.0 / 240.0, 240.0, 16);
            double t = k / 240.0, expected = 1.3 * (1.0 + w * t) * exp(-w * t);
            double distance = tn_mouse_joint_get_distance(world, mouse);
            cr_assert_float_eq(distance, expected, 0.01, "%g kg at %g s: %g, not %g", masses[i], t,
                               distance, expected);
        }
        tn_world_destroy(world);
    }
}

// A hanging body's centre is below the hand, so that the spring bears m g with k = m w^2.
Test(mouse_joint, holds_a_hanging_body_lower_by_g_over_w_squared, .timeout = 60) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 0, -0.5, 0, 3, 0.1);
    tn_joint_id mouse = joint_make(world, TN_JOINT_TYPE_MOUSE, world_body, body, origin, axis_x);
    run(world, 4.0, 60.0, 4);
    double w = 2.0 * PI * 5.0, sag = tn_mouse_joint_get_distance(world, mouse);
    cr_assert_float_eq(sag, 9.81 / (w * w), 1e-5, "%g", sag);
    cr_assert_float_eq(tn_joint_get_reaction(world, mouse).force.y, 3.0 * 9.81, 1e-3);
    cr_assert_float_eq((double)tn_joint_get_motor_effort(world, mouse), 3.0 * 9.81, 1e-3);
    cr_assert(tn_world_get_energy(world).elastic == 0.0);
    tn_joint_error error = tn_joint_get_error(world, mouse);
    cr_assert(error.linear_length == 0.0 && error.angular_length == 0.0);
    tn_world_destroy(world);
}

// 10 N do not carry 2 kg: it falls at g - 5 m/s^2.
Test(mouse_joint, pulls_no_harder_than_it_may, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_AUTO};
    for (int i = 0; i < 3; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
        tn_joint_id mouse =
            joint_make(world, TN_JOINT_TYPE_MOUSE, world_body, body, origin, axis_x);
        tn_joint_set_solver(world, mouse, solvers[i]);
        tn_mouse_joint_set_max_force(world, mouse, 10.0f);
        tn_mouse_joint_set_target(world, mouse, (tn_vec3){0, 100, 0});
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_body_get_velocity(world, body).linear.y, -4.81, 1e-3);
        // 100 m off, in float: 1.2e-4 of the force.
        cr_assert_float_eq(length_of(tn_joint_get_reaction(world, mouse).force), 10.0, 2e-3);
        tn_world_destroy(world);
    }
}

// A trapdoor of 4 kg, its handle a metre from the hinge, drawn up: it comes to where the pull's
// lever bears its weight. The hinge, solved exactly, holds meanwhile.
Test(mouse_joint, draws_a_machine_and_leaves_its_joints_whole, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    const double most[] = {1e-3, 1e-9}; // 0.7 mm with Gauss-Seidel
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id door = body_make(world, 0.5, 0, 0, 4, 0.2);
        tn_joint_id hinge =
            joint_make(world, TN_JOINT_TYPE_HINGE, world_body, door, origin, axis_z);
        tn_joint_set_solver(world, hinge, solvers[i]);
        tn_joint_id mouse =
            joint_make(world, TN_JOINT_TYPE_MOUSE, world_body, door, (tn_vec3){1, 0, 0}, axis_x);
        tn_mouse_joint_set_max_force(world, mouse, 400.0f);
        tn_mouse_joint_set_target(world, mouse, (tn_vec3){0.0, 1.2, 0.0});
        double gap = 0.0;
        for (int k = 0; k < 300; ++k) {
            run(world, 1.0 / 60.0, 60.0, 4);
            gap = fmax(gap, tn_joint_get_error(world, hinge).linear_length);
            cr_assert(length_of(tn_joint_get_reaction(world, mouse).force) < 400.0 * 1.001);
        }
        double angle = tn_hinge_joint_get_angle(world, hinge);
        cr_assert(gap < most[i], "%g m", gap);
        cr_assert(angle > 1.4 && angle < 0.5 * PI + 0.01, "%g rad", angle);
        tn_world_destroy(world);
    }
}

Test(mouse_joint, a_target_on_a_body_goes_with_it, .timeout = 60) {
    tn_world *world = world_make(none, NULL);
    tn_body_id hand = static_body_make(world, 1, 2, 3);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_joint_id mouse = joint_make(world, TN_JOINT_TYPE_MOUSE, hand, body, origin, axis_x);
    tn_mouse_joint_set_target(world, mouse, (tn_vec3){1, 2, 4});
    tn_pose pose = {{5, 2, 3}, {0, sqrt(0.5), 0, sqrt(0.5)}};
    tn_body_set_pose(world, hand, pose);
    tn_vec3 target = tn_mouse_joint_get_target(world, mouse);
    cr_assert_float_eq(target.x, 6.0, 1e-12); // a metre along z has turned to x
    cr_assert_float_eq(target.z, 3.0, 1e-12);
    run(world, 2.0, 60.0, 4);
    cr_assert(tn_mouse_joint_get_distance(world, mouse) < 1e-5);
    tn_world_destroy(world);
}

Test(mouse_joint, a_new_target_wakes_a_sleeping_body, .timeout = 60) {
    tn_world_def def = tn_world_def_default();
    def.gravity = none;
    tn_world *world = tn_world_create(&def, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_joint_id mouse = joint_make(world, TN_JOINT_TYPE_MOUSE, world_body, body, origin, axis_x);
    run(world, 3.0, 60.0, 4);
    cr_assert_not(tn_body_is_awake(world, body));
    tn_mouse_joint_set_target(world, mouse, (tn_vec3){0, 1, 0});
    cr_assert(tn_body_is_awake(world, body));
    run(world, 2.0, 60.0, 4);
    cr_assert_float_eq(tn_body_get_pose(world, body).position.y, 1.0, 1e-3);
    tn_world_destroy(world);
}

Test(mouse_joint, refuses_what_makes_no_sense, .timeout = 60) {
    test_reports reports;
    tn_world *world = world_make(none, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_mouse_joint_def def = tn_mouse_joint_def_default();
    def.base.body_b = body;
    def.base.hertz = 0.0f;
    cr_assert_eq(tn_mouse_joint_create(world, &def).value, 0);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    def.base.hertz = 5.0f;
    def.max_force = NAN;
    cr_assert_eq(tn_mouse_joint_create(world, &def).value, 0);
    cr_assert(reports.count == 2 && reports.last == TN_RESULT_NOT_FINITE);
    def.max_force = 5.0f;
    tn_joint_id mouse = tn_mouse_joint_create(world, &def);
    tn_mouse_joint_set_max_force(world, mouse, -1.0f);
    cr_assert(reports.count == 3 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    tn_mouse_joint_set_target(world, mouse, (tn_vec3){0, (double)NAN, 0});
    cr_assert(reports.count == 4 && reports.last == TN_RESULT_NOT_FINITE);
    cr_assert_str_eq(reports.function, "tn_mouse_joint_set_target");
    tn_joint_set_stiffness(world, mouse, 0.0f, 1.0f);
    cr_assert(reports.count == 5 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_mouse_joint_get_def(world, mouse).max_force == 5.0f);
    cr_assert(tn_mouse_joint_get_target(world, mouse).y == 0.0);
    cr_assert(tn_joint_get_type(world, mouse) == TN_JOINT_TYPE_MOUSE);
    tn_joint_destroy(world, mouse);
    tn_mouse_joint_set_target(world, mouse, origin);
    cr_assert(reports.count == 6 && reports.last == TN_RESULT_INVALID_ID);
    tn_world_destroy(world);
}
