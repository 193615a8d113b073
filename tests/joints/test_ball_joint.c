// Ball joints against closed forms: conical pendulum, cone, twist, motor, drive, spring, friction.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};

// A ball of 3 kg·m² held at its centre; the frames are the world's axes.
static tn_joint_id ball_make(tn_world *world, tn_body_id *out_body) {
    *out_body = body_make(world, 0, 0, 0, 2, 3);
    return joint_make(world, TN_JOINT_TYPE_BALL, world_body, *out_body, origin, axis_x);
}

// A bob on a circle: w^2 = g / (l cos a) keeps it at the angle a. The period is measured by x.
static double bob_x(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.x;
}

Test(ball_joint, a_conical_pendulum_keeps_its_circle) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        double angle = 0.6, w = sqrt(9.81 / cos(angle));
        tn_body_id bob = body_make(world, sin(angle), -cos(angle), 0, 1, 1e-5);
        tn_joint_id joint = joint_make(world, TN_JOINT_TYPE_BALL, world_body, bob, origin, axis_x);
        tn_body_set_velocity(world, bob, (tn_velocity){{0.0, 0.0, -w * sin(angle)}, {0.0, w, 0.0}});
        double period = measure_period(world, joint, bob_x, 20.0, test_rates[r], 4);
        cr_assert_float_eq(period / (2.0 * PI / w), 1.0, 2e-4, "%g", period * w / 2.0 / PI);
        cr_assert_float_eq(tn_body_get_pose(world, bob).position.y, -cos(angle), 2e-3);
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-4);
        tn_world_destroy(world);
    }
}

Test(ball_joint, a_cone_stops_the_swing_whichever_way_it_goes) {
    for (int n = 0; n < 8; ++n) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = ball_make(world, &body);
        tn_ball_joint_set_cone_limit(world, joint, (tn_limit){.is_enabled = true, .upper = 0.7f});
        double direction = 2.0 * PI * n / 8.0;
        tn_body_set_angular_velocity(world, body,
                                     (tn_vec3){0.0, 5.0 * cos(direction), 5.0 * sin(direction)});
        double farthest = 0.0;
        for (int i = 0; i < 60; ++i) {
            tn_world_step(world, 1.0 / 60.0, 4);
            farthest = fmax(farthest, tn_ball_joint_get_cone_angle(world, joint));
        }
        cr_assert_float_eq(farthest, 0.7, 1e-4, "%g", farthest);
        cr_assert(tn_joint_get_error(world, joint).angular_length < 1e-4);
        tn_world_destroy(world);
    }
}

Test(ball_joint, twist_stops_at_its_limits) {
    for (int side = -1; side <= 1; side += 2) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id joint = ball_make(world, &body);
        tn_ball_joint_set_twist_limit(
            world, joint, (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f});
        tn_body_set_angular_velocity(world, body, (tn_vec3){side * 6.0, 0.0, 0.0});
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_ball_joint_get_twist(world, joint), 0.5 * side, 1e-4);
        tn_world_destroy(world);
    }
}

// A heavy arm falls on its cone and rests there.
Test(ball_joint, a_cone_carries_a_weight) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id arm = body_make(world, 1, 0, 0, 2, 0.5);
    tn_joint_id joint = joint_make(world, TN_JOINT_TYPE_BALL, world_body, arm, origin, axis_x);
    tn_ball_joint_set_cone_limit(world, joint, (tn_limit){.is_enabled = true, .upper = 0.4f});
    tn_body_set_damping(world, arm, 0.0f, 1.0f);
    run(world, 10.0, 60.0, 4);
    cr_assert_float_eq(tn_ball_joint_get_cone_angle(world, joint), 0.4, 1e-2);
    tn_reaction reaction = tn_joint_get_reaction(world, joint);
    cr_assert_float_eq(reaction.force.y, 19.62, 0.02);
    cr_assert_float_eq(length_of(reaction.torque), 19.62 * cos(0.4), 0.2);
    tn_world_destroy(world);
}

// 6 N·m on 3 kg·m² along (2, 1, 2)/3: 2 rad/s² until (4, 2, 4).
Test(ball_joint, a_motor_turns_about_any_axis_with_a_capped_torque) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = ball_make(world, &body);
    tn_ball_motor motor = tn_ball_joint_get_def(world, joint).motor;
    motor.mode = TN_MOTOR_MODE_SPEED;
    motor.target_velocity = (tn_vec3){4.0, 2.0, 4.0};
    motor.max_torque = 6.0f;
    tn_ball_joint_set_motor(world, joint, motor);
    run(world, 1.0, 60.0, 4);
    tn_vec3 v = tn_ball_joint_get_velocity(world, joint);
    cr_assert_float_eq(length_of(v), 2.0, 1e-2);
    cr_assert_float_eq(v.x, 4.0 / 3.0, 1e-2);
    cr_assert_float_eq((double)tn_joint_get_motor_effort(world, joint), 6.0, 1e-2);
    run(world, 5.0, 60.0, 4);
    v = tn_ball_joint_get_velocity(world, joint);
    cr_assert_float_eq(v.x, 4.0, 1e-4);
    cr_assert_float_eq(v.y, 2.0, 1e-4);
    cr_assert_float_eq(v.z, 4.0, 1e-4);
    tn_world_destroy(world);
}

Test(ball_joint, a_position_motor_settles_at_its_target) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = ball_make(world, &body);
    tn_ball_motor motor = tn_ball_joint_get_def(world, joint).motor;
    motor.mode = TN_MOTOR_MODE_POSITION;
    motor.stiffness = 300.0f;
    motor.damping = 60.0f;
    motor.target_rotation = (tn_quat){0.5, 0.5, -0.5, 0.5};
    tn_ball_joint_set_motor(world, joint, motor);
    run(world, 3.0, 60.0, 4);
    tn_quat q = tn_ball_joint_get_rotation(world, joint);
    double agreement = fabs(q.x * 0.5 + q.y * 0.5 - q.z * 0.5 + q.w * 0.5);
    cr_assert_float_eq(agreement, 1.0, 1e-6);
    tn_world_destroy(world);
}

static double twist(const tn_world *world, tn_joint_id joint) {
    return tn_ball_joint_get_twist(world, joint);
}

Test(ball_joint, a_spring_swings_at_its_frequency_at_any_step_rate) {
    for (int r = 0; r < 2; ++r) {
        for (int mode = TN_SPRING_MODE_FREQUENCY; mode <= TN_SPRING_MODE_STIFFNESS; ++mode) {
            tn_world *world = world_make(none, NULL);
            tn_body_id body;
            tn_joint_id joint = ball_make(world, &body);
            double w = 2.0 * PI * 3.0;
            tn_ball_joint_set_spring(world, joint,
                                     (tn_spring){.mode = (tn_spring_mode)mode,
                                                 .hertz = 3.0f,
                                                 .stiffness = (float)(3.0 * w * w)});
            tn_body_set_angular_velocity(world, body, (tn_vec3){5.0, 0.0, 0.0});
            double period = measure_period(world, joint, twist, 10.0, test_rates[r], 4);
            double h = 0.25 / test_rates[r];
            cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w, h), 1.0, 2e-4);
            tn_world_destroy(world);
        }
    }
}

// 3 N·m on 3 kg·m², spinning at 3 rad/s about a slanted axis: 1 rad/s² straight down to rest.
Test(ball_joint, friction_slows_any_turn_at_a_steady_rate_to_rest) {
    tn_world *world = world_make(none, NULL);
    tn_body_id body;
    tn_joint_id joint = ball_make(world, &body);
    tn_ball_joint_set_friction(world, joint, 3.0f);
    tn_body_set_angular_velocity(world, body, (tn_vec3){2.0, -1.0, 2.0});
    run(world, 1.0, 60.0, 4);
    tn_vec3 v = tn_body_get_angular_velocity(world, body);
    cr_assert_float_eq(length_of(v), 2.0, 1e-2);
    cr_assert_float_eq(v.y / length_of(v), -1.0 / 3.0, 1e-3);
    run(world, 2.5, 60.0, 4);
    cr_assert(length_of(tn_body_get_angular_velocity(world, body)) < 1e-6);
    tn_world_destroy(world);
}
