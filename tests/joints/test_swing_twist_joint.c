// Swing-twist joints: an arm stays in its elliptic cone, the cone never jumps, a round one is a
// ball joint's, a locked swing makes a hinge, weights rest on the cone.
#include "joint_world.h"
#include "swing_within.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};

// A ball of 3 kg·m² held at its centre; the frames are the world's axes.
static tn_joint_id joint_make_ball(tn_world *world, tn_body_id *out_body) {
    *out_body = body_make(world, 0, 0, 0, 2, 3);
    return joint_make(world, TN_JOINT_TYPE_SWING_TWIST, world_body, *out_body, origin, axis_x);
}

// (y / a)^2 + (z / b)^2
static double level_of(const tn_world *world, tn_joint_id joint, double a, double b) {
    tn_swing swing = tn_swing_twist_joint_get_swing(world, joint);
    return swing.y * swing.y / (a * a) + swing.z * swing.z / (b * b);
}

Test(swing_twist_joint, an_elliptic_cone_stops_the_swing_whichever_way_it_goes) {
    const double half_y = 0.4, half_z = 1.1;
    for (int n = 0; n < 32; ++n) {
        tn_world *world = world_make(none, NULL);
        tn_world_set_solver(world, n < 16 ? TN_SOLVER_DIRECT : TN_SOLVER_PGS);
        tn_body_id body;
        tn_joint_id joint = joint_make_ball(world, &body);
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within((float)half_y),
                                              swing_within((float)half_z));
        double direction = 2.0 * PI * n / 16.0;
        tn_body_set_angular_velocity(world, body,
                                     (tn_vec3){0.0, 5.0 * cos(direction), 5.0 * sin(direction)});
        double highest = 0.0, worst = 0.0;
        for (int i = 0; i < 60; ++i) {
            tn_world_step(world, 1.0 / 60.0, 4);
            highest = fmax(highest, level_of(world, joint, half_y, half_z));
            worst = fmax(worst, tn_joint_get_error(world, joint).angular_length);
        }
        // Stopped at the ellipse, and not within it; where it slides along it a substep leads out,
        // and sweeps give way to the blow.
        cr_assert(highest > 0.999, "%d: %g", n, highest);
        cr_assert(worst < (n < 16 ? 2e-3 : 5e-3), "%d: %g rad outside", n, worst);
        tn_world_destroy(world);
    }
}

// (y / end_y)^2 + (z / end_z)^2 with the ends on the side of y and z; an end of 0 is 1e-4 wide.
static double uneven_level_of(tn_swing swing, tn_limit y, tn_limit z) {
    double end_y = fmax(swing.y < 0.0 ? -(double)y.lower : (double)y.upper, 1e-4);
    double end_z = fmax(swing.z < 0.0 ? -(double)z.lower : (double)z.upper, 1e-4);
    return hypot(swing.y / end_y, swing.z / end_z);
}

// Thrown any way at 3 rad/s, and from the middle at 40 rad/s at the nearest end, 0.1 rad from
// there: a substep of 1/240 s takes it farther. (Toward an end that is not the nearest one, what
// turns by a tenth of a radian in a substep passes it, as it does with an even cone: one row bounds
// the swing.)
Test(swing_twist_joint, an_uneven_cone_stops_the_swing_at_each_of_its_ends) {
    const tn_limit about_y = {.is_enabled = true, .lower = -0.1f, .upper = 0.9f};
    const tn_limit limits_z[] = {{.is_enabled = true, .lower = -1.1f, .upper = 0.4f},
                                 {.is_enabled = true, .lower = 0.0f, .upper = 0.4f},
                                 {.is_enabled = true, .lower = -0.3f, .upper = 0.3f}};
    for (int n = 0; n < 3 * 64; ++n) {
        int way = n / 4 % 16;
        bool is_direct = n & 1, is_fast = (n & 2) != 0 && way == 8 && n / 64 != 1;
        tn_limit about_z = limits_z[n / 64];
        tn_world *world = world_make(none, NULL);
        tn_world_set_solver(world, is_direct ? TN_SOLVER_DIRECT : TN_SOLVER_PGS);
        tn_body_id body;
        tn_joint_id joint = joint_make_ball(world, &body);
        tn_swing_twist_joint_set_swing_limits(world, joint, about_y, about_z);
        double direction = 2.0 * PI * way / 16.0, speed = is_fast ? 40.0 : 3.0;
        tn_body_set_angular_velocity(
            world, body, (tn_vec3){0.0, speed * cos(direction), speed * sin(direction)});
        double highest = 0.0, worst = 0.0;
        for (int i = 0; i < 60; ++i) {
            tn_world_step(world, 1.0 / 60.0, 4);
            tn_swing swing = tn_swing_twist_joint_get_swing(world, joint);
            highest = fmax(highest, uneven_level_of(swing, about_y, about_z));
            worst = fmax(worst, tn_joint_get_error(world, joint).angular_length);
        }
        cr_assert(highest > 0.999, "%d: %g", n, highest);
        // Sweeps lead out where the cone is sharp: 3 rad/s are 12 mrad a substep.
        cr_assert(worst < (is_direct ? 2e-3 : 1e-2), "%d: %g rad outside", n, worst);
        tn_world_destroy(world);
    }
}

// One limit alone: the other swing is free up to half a turn.
Test(swing_twist_joint, a_limit_about_one_axis_leaves_the_other_free) {
    for (int k = 0; k < 4; ++k) {
        bool is_about_y = k & 1;
        tn_world *world = world_make(none, NULL);
        tn_world_set_solver(world, k & 2 ? TN_SOLVER_DIRECT : TN_SOLVER_PGS);
        tn_body_id body;
        tn_joint_id joint = joint_make_ball(world, &body);
        tn_limit bound = {.is_enabled = true, .lower = -0.2f, .upper = 0.6f}, off = {.upper = 0.1f};
        tn_swing_twist_joint_set_swing_limits(world, joint, is_about_y ? bound : off,
                                              is_about_y ? off : bound);
        tn_vec3 bounded = {0.0, is_about_y ? -2.0 : 0.0, is_about_y ? 0.0 : -2.0};
        tn_body_set_angular_velocity(world, body, bounded);
        run(world, 1.0, 60.0, 4);
        tn_swing swing = tn_swing_twist_joint_get_swing(world, joint);
        cr_assert_float_eq(is_about_y ? swing.y : swing.z, -0.2, 1e-3);
        tn_vec3 free = {0.0, is_about_y ? 0.0 : 2.0, is_about_y ? 2.0 : 0.0};
        tn_body_set_angular_velocity(world, body, free);
        run(world, 1.0, 60.0, 4);
        swing = tn_swing_twist_joint_get_swing(world, joint);
        cr_assert(fabs(is_about_y ? swing.z : swing.y) > 1.5, "%d: %g %g", k, swing.y, swing.z);
        tn_world_destroy(world);
    }
}

// A limp arm of 2 kg thrown about: as far out as a substep lets it and no farther, twist too.
Test(swing_twist_joint, a_dolls_arm_stays_within_its_limits) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
    for (int s = 0; s < 4; ++s) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id arm = body_make(world, 0.3, 0, 0, 2, 0.06);
        tn_joint_id joint =
            joint_make(world, TN_JOINT_TYPE_SWING_TWIST, world_body, arm, origin, axis_x);
        tn_joint_set_solver(world, joint, solvers[s]);
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(0.9f), swing_within(0.5f));
        tn_swing_twist_joint_set_twist_limit(
            world, joint, (tn_limit){.is_enabled = true, .lower = -0.6f, .upper = 0.3f});
        tn_body_set_angular_velocity(world, arm, (tn_vec3){3.0, 8.0, 4.0});
        double worst = 0.0;
        for (int i = 0; i < 600; ++i) {
            cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
            worst = fmax(worst, tn_joint_get_error(world, joint).angular_length);
        }
        cr_assert(worst < 0.02, "solver %d: %g rad", s, worst);
        cr_assert(tn_joint_get_error(world, joint).angular_length < 1e-3);
        tn_world_destroy(world);
    }
}

// An arm along x falls about z onto its cone: m g r cos(half_z) is the cone's torque.
Test(swing_twist_joint, a_cone_carries_a_weight) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id arm = body_make(world, 1, 0, 0, 2, 0.5);
        tn_joint_id joint =
            joint_make(world, TN_JOINT_TYPE_SWING_TWIST, world_body, arm, origin, axis_x);
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(1.0f), swing_within(0.4f));
        tn_body_set_damping(world, arm, 0.0f, 1.0f);
        run(world, 5.0, test_rates[r], 4);
        tn_swing swing = tn_swing_twist_joint_get_swing(world, joint);
        cr_assert_float_eq(swing.z, -0.4, 1e-3, "%g", swing.z);
        cr_assert(fabs(swing.y) < 1e-3);
        tn_reaction reaction = tn_joint_get_reaction(world, joint);
        cr_assert_float_eq(reaction.force.y, 19.62, 0.02);
        cr_assert_float_eq(reaction.torque.z, 19.62 * cos(0.4), 0.05);
        tn_world_destroy(world);
    }
}

// Moved by hand along great circles through the middle, the error changes no faster than the body
// turns, as far as 150 degrees of swing.
Test(swing_twist_joint, the_error_of_the_cone_never_jumps) {
    const double pairs[4][2] = {{0.3, 1.2}, {1.2, 0.3}, {0.05, 2.5}, {0.7, 0.7}};
    for (int n = 0; n < 4 * 12; ++n) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = joint_make_ball(world, &body);
        const double *half = pairs[n % 4];
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within((float)half[0]),
                                              swing_within((float)half[1]));
        double azimuth = 2.0 * PI * (n / 4) / 12.0, before = 0.0;
        const double step = 0.002;
        for (int i = -1300; i <= 1300; ++i) {
            double angle = step * i;
            tn_pose pose = {.rotation = {0.0, sin(0.5 * angle) * cos(azimuth),
                                         sin(0.5 * angle) * sin(azimuth), cos(0.5 * angle)}};
            tn_body_set_pose(world, body, pose);
            double error = tn_joint_get_error(world, joint).angular_length;
            cr_assert(i == -1300 || fabs(error - before) <= step * 1.0001, "%g to %g at %g", before,
                      error, angle);
            before = error;
        }
        tn_world_destroy(world);
    }
}

// The same arm on a ball joint with a round cone.
Test(swing_twist_joint, a_round_cone_moves_as_a_ball_joints_does) {
    double ends[2][3];
    for (int k = 0; k < 2; ++k) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id arm = body_make(world, 0.5, 0, 0, 2, 0.2);
        tn_joint_type type = k == 0 ? TN_JOINT_TYPE_BALL : TN_JOINT_TYPE_SWING_TWIST;
        tn_joint_id joint = joint_make(world, type, world_body, arm, origin, axis_x);
        tn_limit twist = {.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
        if (k == 0) {
            tn_ball_joint_set_cone_limit(world, joint,
                                         (tn_limit){.is_enabled = true, .upper = 0.7f});
            tn_ball_joint_set_twist_limit(world, joint, twist);
        } else {
            tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(0.7f),
                                                  swing_within(0.7f));
            tn_swing_twist_joint_set_twist_limit(world, joint, twist);
        }
        tn_body_set_angular_velocity(world, arm, (tn_vec3){2.0, 3.0, 1.0});
        run(world, 1.0, 60.0, 4);
        tn_vec3 p = tn_body_get_pose(world, arm).position;
        ends[k][0] = p.x;
        ends[k][1] = p.y;
        ends[k][2] = p.z;
        tn_world_destroy(world);
    }
    for (int i = 0; i < 3; ++i) {
        cr_assert_float_eq(ends[0][i], ends[1][i], 1e-5);
    }
}

// With both half angles 0 only the twist is left: a pendulum about x, of the period of a hinge's.
Test(swing_twist_joint, a_locked_swing_is_a_hinge) {
    for (int k = 0; k < 2; ++k) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id bob = body_make(world, 0, -1, 0, 1, 1e-3);
        tn_joint_id joint =
            joint_make(world, TN_JOINT_TYPE_SWING_TWIST, world_body, bob, origin, axis_x);
        tn_joint_set_solver(world, joint, k == 0 ? TN_SOLVER_PGS : TN_SOLVER_DIRECT);
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(0.0f), swing_within(0.0f));
        double w = sqrt(9.81 / 1.001), amplitude = 0.5;
        tn_body_set_velocity(world, bob,
                             (tn_velocity){{0, 0, -2.0 * w * sin(0.5 * amplitude)},
                                           {2.0 * w * sin(0.5 * amplitude), 0, 0}});
        double period =
            measure_period(world, joint, tn_swing_twist_joint_get_twist, 10.0, 240.0, 4);
        cr_assert_float_eq(period / pendulum_period(w, amplitude), 1.0, 2e-4, "%g", period);
        tn_joint_error error = tn_joint_get_error(world, joint);
        cr_assert(error.angular_length < 1e-6 && error.linear_length < 1e-5);
        tn_world_destroy(world);
    }
}

// Locked about y: pushed askew it swings about z alone, to its half angle.
Test(swing_twist_joint, a_swing_locked_about_one_axis_goes_about_the_other) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    for (int s = 0; s < 3; ++s) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = joint_make_ball(world, &body);
        tn_joint_set_solver(world, joint, solvers[s]);
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(0.0f), swing_within(0.8f));
        tn_body_set_angular_velocity(world, body, (tn_vec3){0.0, 4.0, 3.0});
        run(world, 1.0, 60.0, 4);
        tn_swing swing = tn_swing_twist_joint_get_swing(world, joint);
        cr_assert_float_eq(swing.z, 0.8, 1e-3, "solver %d: %g", s, swing.z);
        cr_assert(fabs(swing.y) < 1e-4, "solver %d: %g", s, swing.y);
        tn_world_destroy(world);
    }
}

Test(swing_twist_joint, tells_swing_and_twist_of_a_turn_put_together_from_them) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = joint_make_ball(world, &body);
    for (int n = 0; n < 200; ++n) {
        double twist = -3.0 + 6.0 * n / 199.0, y = 1.5 * sin(n), z = 1.5 * cos(1.7 * n);
        double angle = sqrt(y * y + z * z), s = sin(0.5 * angle) / angle, c = cos(0.5 * angle);
        double t = sin(0.5 * twist), k = cos(0.5 * twist);
        // swing times twist
        tn_pose pose = {.rotation = {c * t, s * y * k + s * z * t, s * z * k - s * y * t, c * k}};
        tn_body_set_pose(world, body, pose);
        tn_swing swing = tn_swing_twist_joint_get_swing(world, joint);
        cr_assert_float_eq(swing.y, y, 1e-7);
        cr_assert_float_eq(swing.z, z, 1e-7);
        cr_assert_float_eq(tn_swing_twist_joint_get_twist(world, joint), twist, 1e-7);
    }
    tn_world_destroy(world);
}

// 300 N·m/rad on 3 kg·m², strongly damped.
Test(swing_twist_joint, a_position_motor_settles_at_its_target) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = joint_make_ball(world, &body);
    tn_ball_motor motor = tn_swing_twist_joint_get_def(world, joint).motor;
    motor.mode = TN_MOTOR_MODE_POSITION;
    motor.stiffness = 300.0f;
    motor.damping = 60.0f;
    motor.target_rotation = (tn_quat){0.5, 0.5, -0.5, 0.5};
    tn_swing_twist_joint_set_motor(world, joint, motor);
    run(world, 3.0, 60.0, 4);
    tn_quat q = tn_swing_twist_joint_get_rotation(world, joint);
    double agreement = fabs(q.x * 0.5 + q.y * 0.5 - q.z * 0.5 + q.w * 0.5);
    cr_assert_float_eq(agreement, 1.0, 1e-6);
    cr_assert(length_of(tn_swing_twist_joint_get_velocity(world, joint)) < 1e-3);
    tn_world_destroy(world);
}

// 3 kg·m² about the swing's y at 3 rad/s into an ellipse's end, of a spring of 1,200 N·m/rad:
// w = 20 rad/s, v / w = 0.15 rad past it, and all of it comes back. A rigid one throws half back.
Test(swing_twist_joint, a_cone_throws_back_and_gives_way) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int k = 0; k < 4; ++k) {
        bool is_soft = k & 1, is_direct = k & 2;
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = joint_make_ball(world, &body);
        tn_joint_set_solver(world, joint, solvers[is_direct]);
        tn_limit about_y = swing_within(0.4f), about_z = swing_within(1.1f);
        about_y.stiffness = about_z.stiffness = is_soft ? 1200.0f : 0.0f;
        about_y.restitution = about_z.restitution = 0.5f;
        tn_swing_twist_joint_set_swing_limits(world, joint, about_y, about_z);
        tn_body_set_angular_velocity(world, body, (tn_vec3){0.0, 3.0, 0.0});
        double deepest = 0.0, error = 0.0;
        for (int i = 0; i < 84; ++i) {
            tn_world_step(world, 1.0 / 240.0, 4);
            deepest = fmax(deepest, tn_swing_twist_joint_get_swing(world, joint).y - 0.4);
            error = fmax(error, tn_joint_get_error(world, joint).angular_length);
        }
        double speed = tn_body_get_velocity(world, body).angular.y;
        cr_assert_float_eq(deepest, is_soft ? 0.15 : 0.0, 1e-3, "%d: %g", k, deepest);
        cr_assert_float_eq(speed, is_soft ? -3.0 : -1.5, 1e-2, "%d: %g", k, speed);
        cr_assert(error < 1e-3, "a soft cone may be passed: %g rad", error);
        tn_world_destroy(world);
    }
}

// w = w0 e^(-c t / I), about any axis.
Test(swing_twist_joint, viscous_friction_slows_by_an_exponential) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int k = 0; k < 2; ++k) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = joint_make_ball(world, &body);
        tn_joint_set_solver(world, joint, solvers[k]);
        tn_swing_twist_joint_set_viscous_friction(world, joint, 6.0f);
        tn_body_set_angular_velocity(world, body, (tn_vec3){1.0, 2.0, -2.0});
        for (int i = 1; i <= 60; ++i) {
            tn_world_step(world, 1.0 / 60.0, 4);
            tn_velocity v = tn_body_get_velocity(world, body);
            double share = exp(-2.0 * i / 60.0);
            cr_assert_float_eq(v.angular.x, share, 2e-4);
            cr_assert_float_eq(v.angular.y, 2.0 * share, 2e-4);
            cr_assert_float_eq(v.angular.z, -2.0 * share, 2e-4);
        }
        tn_world_destroy(world);
    }
}
