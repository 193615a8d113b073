// Planar joints against closed forms: what slides and spins on a slope, on a turntable and on
// springs, and motors, friction and limits of its three values.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
#define SOLVERS 3

TestSuite(planar_joint, .timeout = 60);

// 2 kg, 0.5 kg m², on the plane x = 0 of the world.
static tn_joint_id puck_make(tn_world *world, tn_body_id *out_body) {
    *out_body = body_make(world, 0, 0, 0, 2, 0.5);
    return joint_make(world, TN_JOINT_TYPE_PLANAR, world_body, *out_body, origin,
                      (tn_vec3){1, 0, 0});
}

// 30 degrees: g sin(30) t² / 2 down the slope, what was thrown across keeps its speed, and so does
// the spin; the slope carries m g cos(30).
Test(planar_joint, slides_down_a_slope_and_spins_on) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 2, 0.5);
        tn_vec3 up = {0.5, cos(PI / 6.0), 0.0};
        tn_joint_id puck = joint_make(world, TN_JOINT_TYPE_PLANAR, world_body, body, origin, up);
        tn_joint_set_solver(world, puck, solvers[s]);
        tn_body_set_velocity(world, body,
                             (tn_velocity){{0, 0, 1.5}, {4.0 * up.x, 4.0 * up.y, 0.0}});
        run(world, 1.0, 60.0, 4);
        tn_vec3 p = tn_body_get_pose(world, body).position;
        double down = p.x * up.y - p.y * up.x;
        cr_assert_float_eq(down, 0.25 * 9.81, 1e-4, "solver %d: %g", s, down);
        cr_assert_float_eq(p.z, 1.5, 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_angle(world, puck), 4.0 - 2.0 * PI, 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_angular_speed(world, puck), 4.0, 1e-4);
        tn_reaction reaction = tn_joint_get_reaction(world, puck);
        cr_assert_float_eq(length_of(reaction.force), 2.0 * 9.81 * cos(PI / 6.0), 1e-2);
        tn_joint_error error = tn_joint_get_error(world, puck);
        cr_assert(error.linear_length < 1e-4 && error.angular_length < 1e-5);
        tn_world_destroy(world);
    }
}

// Without friction the turntable takes nothing along: straight on in the world, a spiral for who
// turns with it.
Test(planar_joint, goes_straight_over_a_turntable) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id table = body_make(world, 0, 0, 0, 1, 1), puck;
        tn_body_set_type(world, table, TN_BODY_TYPE_KINEMATIC);
        puck = body_make(world, 0, 0, 0, 2, 0.5);
        tn_joint_id joint =
            joint_make(world, TN_JOINT_TYPE_PLANAR, table, puck, origin, (tn_vec3){1, 0, 0});
        tn_joint_set_solver(world, joint, solvers[s]);
        tn_body_set_velocity(world, table, (tn_velocity){{0, 0, 0}, {2, 0, 0}});
        tn_body_set_velocity(world, puck, (tn_velocity){{0, 0.5, 0}, {0, 0, 0}});
        run(world, 1.0, 60.0, 4);
        tn_vec3 p = tn_body_get_pose(world, puck).position;
        cr_assert(fabs(p.y - 0.5) < 1e-4 && fabs(p.z) < 1e-4 && fabs(p.x) < 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_y(world, joint), 0.5 * cos(2.0), 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_z(world, joint), -0.5 * sin(2.0), 1e-4);
        // d/dt of the same: (v - w x r) seen from the table.
        cr_assert_float_eq(tn_planar_joint_get_y_speed(world, joint),
                           0.5 * cos(2.0) - 2.0 * 0.5 * sin(2.0), 2e-4);
        cr_assert_float_eq(tn_planar_joint_get_z_speed(world, joint),
                           -0.5 * sin(2.0) - 2.0 * 0.5 * cos(2.0), 2e-4);
        cr_assert_float_eq(tn_planar_joint_get_angle(world, joint), -2.0, 1e-4);
        tn_world_destroy(world);
    }
}

// Two equal springs: an ellipse about the middle, y = A cos w t and z = B sin w t, with the
// frequency of the midpoint rule.
Test(planar_joint, two_springs_lead_it_round_an_ellipse) {
    for (int s = 0; s < 2; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id puck = puck_make(world, &body);
        tn_joint_set_solver(world, puck, solvers[s]);
        double w = 2.0 * PI * 0.5, h = 1.0 / 240.0, along = midpoint_frequency(w, h);
        tn_axis axis = tn_planar_joint_get_def(world, puck).y;
        axis.spring =
            (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = (float)(2.0 * w * w)};
        tn_planar_joint_set_y(world, puck, axis);
        tn_planar_joint_set_z(world, puck, axis);
        tn_pose start = tn_body_get_pose(world, body);
        start.position.y = 0.6;
        tn_body_set_pose(world, body, start);
        tn_body_set_velocity(world, body, (tn_velocity){{0, 0, 0.25 * w}, {3, 0, 0}});
        for (int n = 1; n <= 240; ++n) {
            run(world, 1.0 / 60.0, 60.0, 4);
            double t = n / 60.0;
            cr_assert_float_eq(tn_planar_joint_get_y(world, puck), 0.6 * cos(along * t), 2e-3);
            cr_assert_float_eq(tn_planar_joint_get_z(world, puck), 0.25 * sin(along * t), 2e-3);
        }
        cr_assert_float_eq(tn_planar_joint_get_angular_speed(world, puck), 3.0, 1e-4);
        tn_world_destroy(world);
    }
}

// 4 N, 2 N and 1 N·m on 2 kg and 0.5 kg m² for a second: 2 m/s, 1 m/s, 2 rad/s; 4, 1 and 1 J.
Test(planar_joint, has_a_motor_of_its_own_for_each_value) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id puck = puck_make(world, &body);
        tn_joint_set_solver(world, puck, solvers[s]);
        tn_axis axis = tn_planar_joint_get_def(world, puck).y;
        axis.motor =
            (tn_motor){TN_MOTOR_MODE_SPEED, 9.0f, 0.0f, 0.0f, 0.0f, 4.0f, TN_DRIVE_MODE_FORCE};
        tn_planar_joint_set_y(world, puck, axis);
        axis.motor.max_force = 2.0f;
        axis.motor.target_speed = -9.0f;
        tn_planar_joint_set_z(world, puck, axis);
        axis.motor.max_force = 1.0f;
        axis.motor.target_speed = 9.0f;
        tn_planar_joint_set_turn(world, puck, axis);
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_planar_joint_get_y_speed(world, puck), 2.0, 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_z_speed(world, puck), -1.0, 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_angular_speed(world, puck), 2.0, 1e-4);
        cr_assert_float_eq((double)tn_planar_joint_get_y_force(world, puck), 4.0, 1e-4);
        cr_assert_float_eq((double)tn_planar_joint_get_z_force(world, puck), -2.0, 1e-4);
        cr_assert_float_eq((double)tn_planar_joint_get_motor_torque(world, puck), 1.0, 1e-4);
        cr_assert_float_eq(tn_joint_get_motor_work(world, puck), 6.0, 2e-3, "solver %d: %g", s,
                           tn_joint_get_motor_work(world, puck));
        tn_world_destroy(world);
    }
}

// 1 N against 2 kg along y alone: 3 m/s is 2.5 m/s after a second; z and the spin go on.
Test(planar_joint, friction_acts_on_the_value_it_is_given_for) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id puck = puck_make(world, &body);
        tn_joint_set_solver(world, puck, solvers[s]);
        tn_axis axis = tn_planar_joint_get_def(world, puck).y;
        axis.friction = 1.0f;
        tn_planar_joint_set_y(world, puck, axis);
        tn_body_set_velocity(world, body, (tn_velocity){{0, 3, 1}, {2, 0, 0}});
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_planar_joint_get_y_speed(world, puck), 2.5, 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_z_speed(world, puck), 1.0, 1e-5);
        cr_assert_float_eq(tn_planar_joint_get_angular_speed(world, puck), 2.0, 1e-5);
        tn_world_destroy(world);
    }
}

Test(planar_joint, stops_at_the_limits_of_all_three_values) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id puck = puck_make(world, &body);
        tn_joint_set_solver(world, puck, solvers[s]);
        tn_axis axis = tn_planar_joint_get_def(world, puck).y;
        axis.limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
        tn_planar_joint_set_y(world, puck, axis);
        axis.limit = (tn_limit){.is_enabled = true, .lower = -0.25f, .upper = 0.75f};
        tn_planar_joint_set_z(world, puck, axis);
        axis.limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 1.0f};
        tn_planar_joint_set_turn(world, puck, axis);
        tn_body_set_velocity(world, body, (tn_velocity){{0, 2, -1}, {3, 0, 0}});
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_planar_joint_get_y(world, puck), 0.5, 1e-4, "solver %d: %g", s,
                           tn_planar_joint_get_y(world, puck));
        cr_assert_float_eq(tn_planar_joint_get_z(world, puck), -0.25, 1e-4);
        cr_assert_float_eq(tn_planar_joint_get_angle(world, puck), 1.0, 1e-4);
        tn_world_destroy(world);
    }
}
