// Hinges against closed forms: pendulum, torsion spring, motor, drive, friction, limit.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_z = {0.0, 0.0, 1.0};

static double hinge_angle(const tn_world *world, tn_joint_id joint) {
    return tn_hinge_joint_get_angle(world, joint);
}

// A wheel of 3 kg·m² about the world's z axis.
static tn_joint_id wheel_make(tn_world *world, tn_body_id *out_body) {
    *out_body = body_make(world, 0, 0, 0, 2, 3);
    return joint_make(world, TN_JOINT_TYPE_HINGE, world_body, *out_body, origin, axis_z);
}

// Tolerance: as for the rod, see test_distance_joint.c.
Test(hinge_joint, a_body_on_a_hinge_is_a_physical_pendulum) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, -1, 0, 2, 0.3);
        tn_joint_id hinge =
            joint_make(world, TN_JOINT_TYPE_HINGE, world_body, body, origin, axis_z);
        tn_pose pose = {{sin(0.5), -cos(0.5), 0}, {0, 0, sin(0.25), cos(0.25)}};
        tn_body_set_pose(world, body, pose);
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 0.5, 1e-12);
        double period = measure_period(world, hinge, hinge_angle, 20.0, test_rates[r], 4);
        double truth = pendulum_period(sqrt(2.0 * 9.81 / 2.3), 0.5);
        cr_assert_float_eq(period / truth, 1.0, 6e-5, "%g Hz: %g", test_rates[r], period);
        tn_energy energy = tn_world_get_energy(world);
        cr_assert_float_eq(energy.kinetic + energy.potential, -2.0 * 9.81 * cos(0.5), 5e-3);
        tn_joint_error error = tn_joint_get_error(world, hinge);
        cr_assert(error.linear_length < 1e-4 && error.angular_length < 1e-5);
        tn_world_destroy(world);
    }
}

Test(hinge_joint, a_torsion_spring_swings_at_its_frequency_at_any_step_rate) {
    for (int r = 0; r < 2; ++r) {
        for (int mode = TN_SPRING_MODE_FREQUENCY; mode <= TN_SPRING_MODE_STIFFNESS; ++mode) {
            tn_world *world = world_make(none, NULL);
            tn_body_id wheel;
            tn_joint_id hinge = wheel_make(world, &wheel);
            double w = 2.0 * PI * 3.0;
            tn_hinge_joint_set_spring(world, hinge,
                                      (tn_spring){.mode = (tn_spring_mode)mode,
                                                  .hertz = 3.0f,
                                                  .stiffness = (float)(3.0 * w * w)});
            tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, 2.0});
            double period = measure_period(world, hinge, hinge_angle, 10.0, test_rates[r], 4);
            double h = 0.25 / test_rates[r];
            cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w, h), 1.0, 2e-4);
            tn_world_destroy(world);
        }
    }
}

// 6 N·m on 3 kg·m²: 2 rad/s² until 10 rad/s. Tolerance: round-off of 960 float additions.
Test(hinge_joint, a_motor_speeds_up_with_its_torque_and_stops_at_its_speed) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id hinge = wheel_make(world, &wheel);
        tn_hinge_joint_set_motor(
            world, hinge,
            (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 10.0f, .max_force = 6.0f});
        run(world, 1.0, test_rates[r], 4);
        cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 2.0, 2e-4);
        cr_assert_float_eq((double)tn_joint_get_motor_effort(world, hinge), 6.0, 1e-4);
        run(world, 5.0, test_rates[r], 4);
        cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 10.0, 1e-5);
        cr_assert(fabs((double)tn_joint_get_motor_effort(world, hinge)) < 1e-2);
        tn_world_destroy(world);
    }
}

// 3 N·m on 3 kg·m²: 1 rad/s² until rest, and no further.
Test(hinge_joint, friction_slows_at_a_steady_rate_to_rest) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id hinge = wheel_make(world, &wheel);
        tn_hinge_joint_set_friction(world, hinge, 3.0f);
        tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, 4.0});
        run(world, 3.0, test_rates[r], 4);
        cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 1.0, 1e-3);
        run(world, 1.5, test_rates[r], 4);
        cr_assert(fabs(tn_hinge_joint_get_speed(world, hinge)) < 1e-6);
        // Below the friction a torque does not move it.
        double angle = tn_hinge_joint_get_angle(world, hinge);
        for (int i = 0; i < 60; ++i) {
            tn_body_apply_torque(world, wheel, (tn_vec3){0.0, 0.0, 2.9});
            tn_world_step(world, 1.0 / test_rates[r], 4);
        }
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), angle, 1e-6);
        tn_world_destroy(world);
    }
}

// Critically damped at 10 rad/s: 1 - (1 + w t) e^(-w t). Tolerance: second order in h.
Test(hinge_joint, a_position_motor_is_a_damped_drive) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(none, NULL);
        tn_body_id wheel;
        tn_joint_id hinge = wheel_make(world, &wheel);
        tn_hinge_joint_set_motor(world, hinge,
                                 (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                            .target_position = 1.0f,
                                            .stiffness = 300.0f,
                                            .damping = 60.0f,
                                            .max_force = INFINITY});
        for (int n = 1; n <= (int)test_rates[r]; ++n) {
            tn_world_step(world, 1.0 / test_rates[r], 4);
            double t = n / test_rates[r], truth = 1.0 - (1.0 + 10.0 * t) * exp(-10.0 * t);
            cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), truth,
                               20.0 / (test_rates[r] * test_rates[r]) + 1e-6);
        }
        run(world, 3.0, test_rates[r], 4);
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 1.0, 1e-6);
        tn_world_destroy(world);
    }
}

Test(hinge_joint, a_stiff_drive_is_stable_and_a_capped_one_keeps_its_cap) {
    tn_world *world = world_make(none, NULL);
    tn_body_id wheel;
    tn_joint_id hinge = wheel_make(world, &wheel);
    tn_motor motor = {.mode = TN_MOTOR_MODE_POSITION,
                      .target_position = 2.0f,
                      .stiffness = 1e9f,
                      .damping = 1e7f,
                      .max_force = 6.0f};
    tn_hinge_joint_set_motor(world, hinge, motor);
    run(world, 1.0, 60.0, 4);
    // Full torque all the way: 2 rad/s² for a second.
    cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 2.0, 1e-3);
    cr_assert_float_eq(fabs((double)tn_joint_get_motor_effort(world, hinge)), 6.0, 1e-3);
    motor.max_force = INFINITY;
    tn_hinge_joint_set_motor(world, hinge, motor);
    run(world, 1.0, 60.0, 4);
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 2.0, 1e-5);
    tn_world_destroy(world);
}

Test(hinge_joint, stops_at_its_limits) {
    for (int r = 0; r < 2; ++r) {
        for (int side = -1; side <= 1; side += 2) {
            tn_world *world = world_make(none, NULL);
            tn_body_id wheel;
            tn_joint_id hinge = wheel_make(world, &wheel);
            tn_hinge_joint_set_limit(world, hinge,
                                     (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f});
            tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, 20.0 * side});
            double farthest = 0.0;
            for (int n = 0; n < (int)test_rates[r]; ++n) {
                tn_world_step(world, 1.0 / test_rates[r], 4);
                farthest = fmax(farthest, side * tn_hinge_joint_get_angle(world, hinge));
            }
            cr_assert_float_eq(farthest, 0.5, 1e-5);
            cr_assert(fabs(tn_hinge_joint_get_speed(world, hinge)) < 1e-4);
            tn_world_destroy(world);
        }
    }
}

// A range across the half turn, where the angle jumps by 2 pi.
Test(hinge_joint, stops_at_a_limit_beyond_the_half_turn) {
    tn_world *world = world_make(none, NULL);
    tn_body_id wheel;
    tn_joint_id hinge = wheel_make(world, &wheel);
    tn_hinge_joint_set_limit(world, hinge,
                             (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 4.0f});
    tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, 5.0});
    run(world, 2.0, 60.0, 4);
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 4.0 - 2.0 * PI, 1e-4);
    tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, -5.0});
    run(world, 2.0, 60.0, 4);
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), -0.5, 1e-4);
    tn_world_destroy(world);
}

// A wheel at 10,000 rpm, two thirds of a turn per substep, keeps its axis and its speed.
Test(hinge_joint, a_fast_wheel_turns_true) {
    const float speeds[] = {500.0f, 1047.0f, 1300.0f};
    for (int i = 0; i < 3; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id wheel;
        tn_joint_id hinge = wheel_make(world, &wheel);
        tn_body_set_angular_velocity(world, wheel, (tn_vec3){0.0, 0.0, (double)speeds[i]});
        run(world, 10.0, 60.0, 4);
        cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), (double)speeds[i], 0.01);
        tn_joint_error error = tn_joint_get_error(world, hinge);
        cr_assert(error.linear_length < 1e-4 && error.angular_length < 1e-6, "%g %g",
                  error.linear_length, error.angular_length);
        tn_world_destroy(world);
    }
}

// ---- far from the centre of mass --------------------------------------------------------------
//
// A motor, limit or spring of a hinge acts against the inertia about the hinge, here 100 times that
// about the centre of mass. Rows solved one by one would need hundreds of sweeps to find that out.

static tn_joint_id arm_make(tn_world *world, tn_body_id *out_arm) {
    *out_arm = body_make(world, 1, 0, 0, 10, 0.1);
    return joint_make(world, TN_JOINT_TYPE_HINGE, world_body, *out_arm, origin, axis_z);
}

Test(hinge_joint, a_motor_holds_a_long_arm_level) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id arm;
        tn_joint_id hinge = arm_make(world, &arm);
        tn_hinge_joint_set_motor(world, hinge,
                                 (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .max_force = INFINITY});
        for (int i = 0; i < (int)test_rates[r]; ++i) {
            tn_world_step(world, 1.0 / test_rates[r], 4);
            cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 0.0, 1e-5);
        }
        cr_assert_float_eq((double)tn_joint_get_motor_effort(world, hinge), 98.1, 1.0);
        tn_world_destroy(world);
    }
}

// 30.3 N·m on 10.1 kg·m²: 3 rad/s².
Test(hinge_joint, a_capped_motor_swings_a_long_arm_by_its_inertia_about_the_hinge) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(none, NULL);
        tn_body_id arm;
        tn_joint_id hinge = arm_make(world, &arm);
        tn_hinge_joint_set_motor(
            world, hinge,
            (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 100.0f, .max_force = 30.3f});
        run(world, 1.0, test_rates[r], 4);
        cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 3.0, 1e-2);
        // The pin is soft under the pull of the turning arm: m w^2 r is 90 N.
        cr_assert(tn_joint_get_error(world, hinge).linear_length < 5e-3);
        tn_world_destroy(world);
    }
}

// What is open at the start of a step is closed without speed.
Test(hinge_joint, a_capped_motor_keeps_its_cap_where_an_exact_pin_was_open) {
    tn_world *world = world_make(none, NULL);
    tn_world_set_solver(world, TN_SOLVER_DIRECT);
    tn_body_id arm;
    tn_joint_id hinge = arm_make(world, &arm);
    tn_pose pose = tn_body_get_pose(world, arm);
    pose.position.x += 1e-3;
    tn_body_set_pose(world, arm, pose);
    tn_hinge_joint_set_motor(
        world, hinge,
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 100.0f, .max_force = 30.3f});
    run(world, 1.0, 60, 4);
    cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 3.0, 1e-3);
    cr_assert_float_eq((double)tn_joint_get_motor_effort(world, hinge), 30.3, 1e-3);
    tn_world_destroy(world);
}

Test(hinge_joint, a_long_arm_rests_on_its_limit) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id arm;
        tn_joint_id hinge = arm_make(world, &arm);
        tn_hinge_joint_set_limit(world, hinge,
                                 (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 1.0f});
        run(world, 4.0, test_rates[r], 4);
        // The limit and the pin are both soft under the load: 3 mm at a metre.
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), -0.5, 5e-3);
        cr_assert_float_eq(tn_joint_get_reaction(world, hinge).torque.z, 98.1 * cos(0.5), 0.5);
        tn_world_destroy(world);
    }
}

// Tolerance: the pin is a soft spring in series, as stiff as the substep allows: 60 Hz at 60 Hz x 4
// for the 0.1 kg·m² that turn about the centre, and 16 times that at 240 Hz x 4.
Test(hinge_joint, a_spring_by_frequency_swings_a_long_arm_at_that_frequency) {
    for (int r = 0; r < 2; ++r) {
        for (int mode = TN_SPRING_MODE_FREQUENCY; mode <= TN_SPRING_MODE_STIFFNESS; ++mode) {
            tn_world *world = world_make(none, NULL);
            tn_body_id arm;
            tn_joint_id hinge = arm_make(world, &arm);
            double w = 2.0 * PI * 2.0;
            tn_hinge_joint_set_spring(world, hinge,
                                      (tn_spring){.mode = (tn_spring_mode)mode,
                                                  .hertz = 2.0f,
                                                  .stiffness = (float)(10.1 * w * w)});
            tn_body_set_velocity(world, arm, (tn_velocity){{0, 1, 0}, {0, 0, 1}});
            double period = measure_period(world, hinge, hinge_angle, 10.0, test_rates[r], 4);
            cr_assert_float_eq(2.0 * PI / period / w, 1.0, r == 0 ? 5e-2 : 5e-3,
                               "mode %d, %g Hz: %g", mode, test_rates[r], 2.0 * PI / period / w);
            tn_world_destroy(world);
        }
    }
}
