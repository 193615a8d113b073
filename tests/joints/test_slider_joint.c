// Sliders against closed forms: free fall along the axis, spring, motor, drive, friction, limits,
// and the side load that a slider carries.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};

static double translation(const tn_world *world, tn_joint_id joint) {
    return tn_slider_joint_get_translation(world, joint);
}

static tn_joint_id carriage_make(tn_world *world, tn_body_id *out_body) {
    *out_body = body_make(world, 0, 0, 0, 2, 0.5);
    return joint_make(world, TN_JOINT_TYPE_SLIDER, world_body, *out_body, origin, axis_x);
}

// On a slope of 30 degrees: x = g sin(30) t^2 / 2, without turning.
Test(slider_joint, slides_down_a_slope_without_turning) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 2, 0.5);
        tn_vec3 slope = {cos(PI / 6.0), -sin(PI / 6.0), 0.0};
        tn_joint_id slider =
            joint_make(world, TN_JOINT_TYPE_SLIDER, world_body, body, origin, slope);
        run(world, 2.0, test_rates[r], 4);
        cr_assert_float_eq(tn_slider_joint_get_translation(world, slider), 9.81, 1e-3);
        cr_assert_float_eq(tn_slider_joint_get_speed(world, slider), 9.81, 1e-3);
        tn_joint_error error = tn_joint_get_error(world, slider);
        cr_assert(error.linear_length < 1e-4 && error.angular_length < 1e-6);
        // The slope carries m g cos(30).
        tn_reaction reaction = tn_joint_get_reaction(world, slider);
        cr_assert_float_eq(length_of(reaction.force), 2.0 * 9.81 * cos(PI / 6.0), 1e-2);
        tn_world_destroy(world);
    }
}

// The load's lever grows as it slides out: torque m g x about the anchor of b is zero, but body a
// carries it. Here body a is heavy and held, and the reaction is told at the anchor of b.
Test(slider_joint, carries_a_load_far_out_on_its_axis) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id base = body_make(world, 0, 0, 0, 100, 50);
    tn_body_id load = body_make(world, 0, 0, 0, 1, 0.1);
    tn_joint_id weld = joint_make(world, TN_JOINT_TYPE_FIXED, world_body, base, origin, axis_x);
    tn_joint_id slider = joint_make(world, TN_JOINT_TYPE_SLIDER, base, load, origin, axis_x);
    tn_body_set_linear_velocity(world, load, (tn_vec3){1.0, 0.0, 0.0});
    run(world, 3.0, 240.0, 4);
    tn_joint_error error = tn_joint_get_error(world, slider);
    cr_assert_float_eq(tn_slider_joint_get_translation(world, slider), 3.0, 1e-2);
    cr_assert(error.linear_length < 1e-3 && error.angular_length < 1e-3);
    // At the origin of the weld's frame b: m g x about z, and both weights.
    tn_reaction reaction = tn_joint_get_reaction(world, weld);
    cr_assert_float_eq(reaction.force.y, 101.0 * 9.81, 5.0);
    cr_assert_float_eq(reaction.torque.z, 9.81 * 3.0, 1.0);
    tn_world_destroy(world);
}

Test(slider_joint, a_spring_swings_at_its_frequency_at_any_step_rate) {
    for (int r = 0; r < 2; ++r) {
        for (int mode = TN_SPRING_MODE_FREQUENCY; mode <= TN_SPRING_MODE_STIFFNESS; ++mode) {
            tn_world *world = world_make(none, NULL);
            tn_body_id body;
            tn_joint_id slider = carriage_make(world, &body);
            double w = 2.0 * PI * 3.0;
            tn_slider_joint_set_spring(world, slider,
                                       (tn_spring){.mode = (tn_spring_mode)mode,
                                                   .hertz = 3.0f,
                                                   .stiffness = (float)(2.0 * w * w)});
            tn_body_set_linear_velocity(world, body, (tn_vec3){1.0, 0.0, 0.0});
            double period = measure_period(world, slider, translation, 10.0, test_rates[r], 4);
            double h = 0.25 / test_rates[r];
            cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w, h), 1.0, 2e-4);
            tn_world_destroy(world);
        }
    }
}

// 4 N on 2 kg: 2 m/s² until 3 m/s; then friction of 4 N: as fast to rest.
Test(slider_joint, motor_and_friction_push_with_their_force) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id slider = carriage_make(world, &body);
        tn_slider_joint_set_motor(
            world, slider,
            (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = -3.0f, .max_force = 4.0f});
        run(world, 1.0, test_rates[r], 4);
        cr_assert_float_eq(tn_slider_joint_get_speed(world, slider), -2.0, 1e-4);
        cr_assert_float_eq((double)tn_joint_get_motor_effort(world, slider), -4.0, 1e-4);
        run(world, 2.0, test_rates[r], 4);
        cr_assert_float_eq(tn_slider_joint_get_speed(world, slider), -3.0, 1e-5);
        tn_slider_joint_set_motor(world, slider, (tn_motor){.mode = TN_MOTOR_MODE_OFF});
        tn_slider_joint_set_friction(world, slider, 4.0f);
        run(world, 1.0, test_rates[r], 4);
        cr_assert_float_eq(tn_slider_joint_get_speed(world, slider), -1.0, 1e-3);
        run(world, 1.0, test_rates[r], 4);
        cr_assert(fabs(tn_slider_joint_get_speed(world, slider)) < 1e-6);
        tn_world_destroy(world);
    }
}

// Critically damped at 10 rad/s.
Test(slider_joint, a_position_motor_is_a_damped_drive) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id slider = carriage_make(world, &body);
        tn_slider_joint_set_motor(world, slider,
                                  (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                                             .target_position = 5.0f,
                                             .stiffness = 200.0f,
                                             .damping = 40.0f,
                                             .max_force = INFINITY});
        for (int n = 1; n <= (int)test_rates[r]; ++n) {
            tn_world_step(world, 1.0 / test_rates[r], 4);
            double t = n / test_rates[r], truth = 5.0 * (1.0 - (1.0 + 10.0 * t) * exp(-10.0 * t));
            cr_assert_float_eq(tn_slider_joint_get_translation(world, slider), truth,
                               100.0 / (test_rates[r] * test_rates[r]) + 1e-5);
        }
        tn_world_destroy(world);
    }
}

Test(slider_joint, stops_at_its_limits) {
    for (int side = -1; side <= 1; side += 2) {
        tn_world *world = world_make(none, NULL);
        tn_body_id body;
        tn_joint_id slider = carriage_make(world, &body);
        tn_slider_joint_set_limit(world, slider,
                                  (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f});
        tn_body_set_linear_velocity(world, body, (tn_vec3){side * 30.0, 0.0, 0.0});
        double farthest = 0.0;
        for (int n = 0; n < 60; ++n) {
            tn_world_step(world, 1.0 / 60.0, 4);
            farthest = fmax(farthest, side * tn_slider_joint_get_translation(world, slider));
        }
        cr_assert_float_eq(farthest, 0.5, 1e-5);
        cr_assert(fabs(tn_slider_joint_get_speed(world, slider)) < 1e-4);
        tn_world_destroy(world);
    }
}
