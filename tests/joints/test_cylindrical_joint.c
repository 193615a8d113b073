// Cylindrical joints against closed forms: free fall and free spin at once, side loads, motors,
// springs and limits of both values, each by itself.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0}, axis_y = {0.0, 1.0, 0.0};

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
#define SOLVERS 3

TestSuite(cylindrical_joint, .timeout = 60);

static double translation(const tn_world *world, tn_joint_id joint) {
    return tn_cylindrical_joint_get_translation(world, joint);
}

static double angle(const tn_world *world, tn_joint_id joint) {
    return tn_cylindrical_joint_get_angle(world, joint);
}

// 2 kg, 0.5 kg m² about each axis.
static tn_joint_id bolt_make(tn_world *world, tn_vec3 axis, tn_body_id *out_body) {
    *out_body = body_make(world, 0, 0, 0, 2, 0.5);
    return joint_make(world, TN_JOINT_TYPE_CYLINDRICAL, world_body, *out_body, origin, axis);
}

// Half of the substep's speed is all that symplectic Euler and the midpoint rule may be apart.
Test(cylindrical_joint, falls_along_its_axis_and_spins_on) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body;
        tn_joint_id bolt = bolt_make(world, axis_y, &body);
        tn_joint_set_solver(world, bolt, solvers[s]);
        tn_body_set_velocity(world, body, (tn_velocity){{0, 0, 0}, {0, 3, 0}});
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(translation(world, bolt), -0.5 * 9.81, 1e-4, "solver %d: %g", s,
                           translation(world, bolt));
        cr_assert_float_eq(tn_cylindrical_joint_get_speed(world, bolt), -9.81, 1e-4);
        cr_assert_float_eq(angle(world, bolt), 3.0, 1e-5);
        cr_assert_float_eq(tn_cylindrical_joint_get_angular_speed(world, bolt), 3.0, 1e-5);
        tn_world_destroy(world);
    }
}

// The weight hangs on a level axis 0.5 m out: force m g, torque m g 0.5 about the anchor. Along and
// about the axis nothing acts.
Test(cylindrical_joint, carries_what_is_across_and_leaves_both_motions_alone) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0.5, 0, 0, 2, 0.5);
        tn_joint_id bolt =
            joint_make(world, TN_JOINT_TYPE_CYLINDRICAL, world_body, body, origin, axis_x);
        tn_joint_set_solver(world, bolt, solvers[s]);
        tn_body_set_velocity(world, body, (tn_velocity){{0.25, 0, 0}, {2, 0, 0}});
        run(world, 2.0, 60.0, 4);
        cr_assert_float_eq(translation(world, bolt), 0.5, 1e-4);
        cr_assert_float_eq(angle(world, bolt), 4.0 - 2.0 * PI, 1e-4);
        tn_reaction reaction = tn_joint_get_reaction(world, bolt);
        cr_assert_float_eq(reaction.force.y, 19.62, 1e-2);
        cr_assert_float_eq(reaction.torque.z, 9.81, 2e-2, "solver %d: %g", s, reaction.torque.z);
        cr_assert(fabs(reaction.force.x) < 1e-3 && fabs(reaction.torque.x) < 1e-3);
        tn_joint_error error = tn_joint_get_error(world, bolt);
        cr_assert(error.linear_length < 1e-3 && error.angular_length < 1e-3);
        tn_world_destroy(world);
    }
}

// 4 N on 2 kg and 1 N·m on 0.5 kg m²: 2 m/s² and 2 rad/s², work of 4 J and 1 J.
Test(cylindrical_joint, has_a_motor_of_its_own_for_each_value) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id bolt = bolt_make(world, axis_x, &body);
        tn_joint_set_solver(world, bolt, solvers[s]);
        tn_axis slide = tn_cylindrical_joint_get_def(world, bolt).slide, turn = slide;
        slide.motor =
            (tn_motor){TN_MOTOR_MODE_SPEED, -9.0f, 0.0f, 0.0f, 0.0f, 4.0f, TN_DRIVE_MODE_FORCE};
        turn.motor =
            (tn_motor){TN_MOTOR_MODE_SPEED, 2.0f, 0.0f, 0.0f, 0.0f, 1.0f, TN_DRIVE_MODE_FORCE};
        tn_cylindrical_joint_set_turn(world, bolt, turn);
        run(world, 0.5, 60.0, 4);
        // The turn alone has one: its force is in its own place.
        cr_assert_float_eq((double)tn_cylindrical_joint_get_motor_torque(world, bolt), 1.0, 1e-4);
        cr_assert(tn_cylindrical_joint_get_motor_force(world, bolt) == 0.0f);
        tn_cylindrical_joint_set_slide(world, bolt, slide);
        run(world, 0.25, 60.0, 4);
        cr_assert_float_eq((double)tn_cylindrical_joint_get_motor_torque(world, bolt), 1.0, 1e-4);
        cr_assert_float_eq((double)tn_cylindrical_joint_get_motor_force(world, bolt), -4.0, 1e-4);
        cr_assert(tn_joint_get_motor_effort(world, bolt) ==
                  tn_cylindrical_joint_get_motor_force(world, bolt));
        run(world, 0.75, 60.0, 4);
        cr_assert_float_eq(tn_cylindrical_joint_get_speed(world, bolt), -2.0, 1e-4);
        // It holds its speed now, and needs nothing for it.
        cr_assert_float_eq(tn_cylindrical_joint_get_angular_speed(world, bolt), 2.0, 1e-4);
        cr_assert_float_eq((double)tn_cylindrical_joint_get_motor_torque(world, bolt), 0.0, 1e-4);
        cr_assert_float_eq(tn_joint_get_motor_work(world, bolt), 4.0 + 1.0, 2e-3, "solver %d: %g",
                           s, tn_joint_get_motor_work(world, bolt));
        tn_world_destroy(world);
    }
}

// A spring along and another about the axis: neither knows of the other.
Test(cylindrical_joint, swings_along_and_about_its_axis_at_two_frequencies) {
    double w[2] = {2.0 * PI * 3.0, 2.0 * PI * 1.25};
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id bolt = bolt_make(world, axis_x, &body);
    tn_axis slide = tn_cylindrical_joint_get_def(world, bolt).slide, turn = slide;
    slide.spring =
        (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = (float)(2.0 * w[0] * w[0])};
    turn.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 1.25f};
    tn_cylindrical_joint_set_slide(world, bolt, slide);
    tn_cylindrical_joint_set_turn(world, bolt, turn);
    tn_body_set_velocity(world, body, (tn_velocity){{1, 0, 0}, {4, 0, 0}});
    double h = 1.0 / 240.0;
    double period = measure_period(world, bolt, translation, 5.0, 60.0, 4);
    cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w[0], h), 1.0, 5e-4);
    period = measure_period(world, bolt, angle, 5.0, 60.0, 4);
    cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w[1], h), 1.0, 5e-4);
    tn_world_destroy(world);
}

Test(cylindrical_joint, stops_at_the_limits_of_each_value_by_itself) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id bolt = bolt_make(world, axis_x, &body);
        tn_joint_set_solver(world, bolt, solvers[s]);
        tn_axis slide = tn_cylindrical_joint_get_def(world, bolt).slide, turn = slide;
        slide.limit = (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 0.5f};
        turn.limit = (tn_limit){.is_enabled = true, .lower = -0.75f, .upper = 1.0f};
        tn_cylindrical_joint_set_slide(world, bolt, slide);
        tn_cylindrical_joint_set_turn(world, bolt, turn);
        tn_body_set_velocity(world, body, (tn_velocity){{2, 0, 0}, {-0.5, 0, 0}});
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(translation(world, bolt), 0.5, 1e-4, "solver %d: %g", s,
                           translation(world, bolt));
        cr_assert_float_eq(tn_cylindrical_joint_get_angular_speed(world, bolt), -0.5, 1e-4);
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(angle(world, bolt), -0.75, 1e-4);
        cr_assert(fabs(tn_cylindrical_joint_get_speed(world, bolt)) < 1e-4);
        cr_assert(fabs(tn_cylindrical_joint_get_angular_speed(world, bolt)) < 1e-4);
        tn_world_destroy(world);
    }
}

// A slider and a hinge in a row, with a light body between, move the same: each has its own half of
// what a cylindrical joint leaves free.
Test(cylindrical_joint, moves_as_a_slider_and_a_hinge_in_a_row) {
    double ways[2], turns[2];
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_vec3 slope = {cos(0.4), -sin(0.4), 0.0};
        tn_body_id body = body_make(world, 0, -0.3, 0.2, 2, 0.5);
        if (i == 0) {
            joint_make(world, TN_JOINT_TYPE_CYLINDRICAL, world_body, body, origin, slope);
        } else {
            tn_body_id between = body_make(world, 0, 0, 0, 1e-6, 1e-6);
            joint_make(world, TN_JOINT_TYPE_SLIDER, world_body, between, origin, slope);
            joint_make(world, TN_JOINT_TYPE_HINGE, between, body, origin, slope);
        }
        tn_world_set_solver(world, TN_SOLVER_DIRECT);
        run(world, 1.5, 240.0, 4);
        tn_vec3 p = tn_body_get_pose(world, body).position;
        ways[i] = p.x * slope.x + p.y * slope.y;
        turns[i] = p.z;
        tn_world_destroy(world);
    }
    cr_assert_float_eq(ways[0], ways[1], 1e-5, "%g and %g", ways[0], ways[1]);
    cr_assert_float_eq(turns[0], turns[1], 1e-4, "%g and %g", turns[0], turns[1]);
}
