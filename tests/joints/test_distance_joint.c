// Rods, ropes and springs against closed forms.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};

// Horizontal place of the pendulum's bob: its one body.
static double bob_x(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.x;
}

// Tolerance: the kick-drift-kick step is off by (w h)^2 / 24 = 7e-6 at 60 Hz x 4, and the rod,
// whose rows are soft by default, hangs 4e-5 longer, which makes the period 2e-5 longer.
Test(distance_joint, a_rod_swings_with_the_period_of_a_pendulum) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = body_make(world, sin(0.5), -cos(0.5), 0, 1, 1e-4);
        tn_joint_id rod = tn_distance_joint_create(world, &def);
        double period = measure_period(world, rod, bob_x, 20.0, test_rates[r], 4);
        double truth = pendulum_period(sqrt(9.81), 0.5);
        cr_assert_float_eq(period / truth, 1.0, 6e-5, "%g Hz: %g", test_rates[r], period);
        cr_assert(tn_joint_get_error(world, rod).linear_length < 1e-4);
        cr_assert_float_eq(tn_distance_joint_get_length(world, rod), 1.0, 1e-4);
        tn_world_destroy(world);
    }
}

static double stretch(const tn_world *world, tn_joint_id joint) {
    return tn_distance_joint_get_length(world, joint) - 1.0;
}

// The midpoint rule's own frequency is the truth for the solver; it differs from the exact one by
// (w h)^2 / 12: 1.4e-3 for 5 Hz at 60 Hz x 4, 9e-5 at 240 Hz x 4.
Test(distance_joint, a_spring_swings_at_its_frequency_at_any_step_rate) {
    for (int r = 0; r < 2; ++r) {
        for (int mode = TN_SPRING_MODE_FREQUENCY; mode <= TN_SPRING_MODE_STIFFNESS; ++mode) {
            const double hertz[] = {1.0, 5.0};
            for (int f = 0; f < 2; ++f) {
                double w = 2.0 * PI * hertz[f];
                tn_world *world = world_make(none, NULL);
                tn_distance_joint_def def = tn_distance_joint_def_default();
                // 2 kg against 6 kg: 1.5 kg between them.
                def.base.body_a = body_make(world, 0, 0, 0, 6, 1);
                def.base.body_b = body_make(world, 1.1, 0, 0, 2, 1);
                def.is_rigid = false;
                def.spring = (tn_spring){.mode = (tn_spring_mode)mode,
                                         .hertz = (float)hertz[f],
                                         .stiffness = (float)(1.5 * w * w),
                                         .rest = 1.0f};
                tn_joint_id spring = tn_distance_joint_create(world, &def);
                double period = measure_period(world, spring, stretch, 10.0, test_rates[r], 4);
                double measured = 2.0 * PI / period;
                double h = 0.25 / test_rates[r];
                cr_assert_float_eq(measured / midpoint_frequency(w, h), 1.0, 2e-4,
                                   "%g Hz at %g: %g", hertz[f], test_rates[r], measured / w);
                // No energy is lost in ten seconds: amplitude 0.1 m still.
                tn_energy energy = tn_world_get_energy(world);
                cr_assert_float_eq((energy.kinetic + energy.elastic) / (0.5 * 1.5 * w * w * 0.01),
                                   1.0, 1e-3);
                tn_world_destroy(world);
            }
        }
    }
}

// x = e^(-z w t) (cos w' t + z w / w' sin w' t), w' = w sqrt(1 - z^2). Tolerance: second order in
// h.
Test(distance_joint, a_damped_spring_follows_its_closed_form) {
    const float ratios[] = {0.1f, 0.5f, 0.9f};
    for (int i = 0; i < 3; ++i) {
        for (int r = 0; r < 2; ++r) {
            tn_world *world = world_make(none, NULL);
            tn_distance_joint_def def = tn_distance_joint_def_default();
            def.base.body_b = body_make(world, 1.1, 0, 0, 2, 1);
            def.is_rigid = false;
            def.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY,
                                     .hertz = 2.0f,
                                     .damping_ratio = ratios[i],
                                     .rest = 1.0f};
            tn_joint_id spring = tn_distance_joint_create(world, &def);
            double w = 4.0 * PI, z = (double)ratios[i], w_d = w * sqrt(1.0 - z * z);
            double tolerance = 0.1 * 20.0 / (test_rates[r] * test_rates[r]) + 1e-6;
            for (int n = 1; n <= (int)test_rates[r]; ++n) {
                tn_world_step(world, 1.0 / test_rates[r], 4);
                double t = n / test_rates[r];
                double x = 0.1 * exp(-z * w * t) * (cos(w_d * t) + z * w / w_d * sin(w_d * t));
                cr_assert_float_eq(stretch(world, spring), x, tolerance, "ratio %g, t %g: %g", z, t,
                                   stretch(world, spring) - x);
            }
            tn_world_destroy(world);
        }
    }
}

// A spring far too stiff for the step is damped, never unstable.
Test(distance_joint, a_spring_of_any_stiffness_is_stable) {
    for (double stiffness = 1e3; stiffness < 1e13; stiffness *= 100.0) {
        tn_world *world = world_make(gravity, NULL);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = body_make(world, 0, -1.01, 0, 1, 0.1);
        def.is_rigid = false;
        def.spring = (tn_spring){
            .mode = TN_SPRING_MODE_STIFFNESS, .stiffness = (float)stiffness, .rest = 1.0f};
        tn_joint_id spring = tn_distance_joint_create(world, &def);
        run(world, 5.0, 60.0, 4);
        cr_assert(fabs(stretch(world, spring)) < 0.011 + 2.0 * 9.81 / stiffness, "%g: %g",
                  stiffness, stretch(world, spring));
        tn_world_destroy(world);
    }
}

static tn_joint_id rope_make(tn_world *world, tn_body_id body, float lower, float upper) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = body;
    def.is_rigid = false;
    def.limit = (tn_limit){.is_enabled = true, .lower = lower, .upper = upper};
    return tn_distance_joint_create(world, &def);
}

Test(distance_joint, a_slack_rope_does_nothing_and_a_taut_one_holds) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id bob = body_make(world, 0, 0, 0, 2, 0.1);
    tn_joint_id rope = rope_make(world, bob, 0.0f, 2.0f);
    // Free fall for 0.5 s: 1.22625 m.
    run(world, 0.5, 60.0, 4);
    cr_assert_float_eq(tn_body_get_pose(world, bob).position.y, -1.22625, 1e-4);
    cr_assert(length_of(tn_joint_get_reaction(world, rope).force) == 0.0);
    cr_assert(tn_joint_get_error(world, rope).linear_length == 0.0);
    run(world, 3.0, 60.0, 4);
    cr_assert_float_eq(tn_distance_joint_get_length(world, rope), 2.0, 1e-3);
    cr_assert_float_eq(tn_joint_get_reaction(world, rope).force.y, 2.0 * 9.81, 1e-2);
    tn_world_destroy(world);
}

// A rope never pushes: thrown at its support the bob passes it.
Test(distance_joint, a_rope_never_pushes) {
    tn_world *world = world_make(none, NULL);
    tn_body_id bob = body_make(world, 1.9, 0, 0, 1, 0.1);
    tn_joint_id rope = rope_make(world, bob, 0.0f, 2.0f);
    tn_body_set_linear_velocity(world, bob, (tn_vec3){-2.0, 0.0, 0.0});
    run(world, 1.5, 60.0, 4);
    cr_assert_float_eq(tn_body_get_pose(world, bob).position.x, -1.1, 1e-5);
    cr_assert(tn_joint_is_valid(world, rope));
    tn_world_destroy(world);
}

// Through the very point it hangs from, and on a line that misses it by a hair.
Test(distance_joint, a_slack_rope_lets_its_end_pass_close_by_its_anchor) {
    const double misses[] = {0.0, 1e-12, 1e-6, 1e-3};
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make(none, NULL);
        tn_body_id bob = body_make(world, 0.5, misses[i], 0, 1, 0.1);
        rope_make(world, bob, 0.0f, 2.0f);
        tn_body_set_linear_velocity(world, bob, (tn_vec3){-1.0, 0.0, 0.0});
        run(world, 1.0, 60.0, 4);
        tn_pose pose = tn_body_get_pose(world, bob);
        cr_assert_float_eq(pose.position.x, -0.5, 1e-5);
        cr_assert_float_eq(pose.position.y, misses[i], 1e-6);
        tn_world_destroy(world);
    }
}

Test(distance_joint, a_swinging_rope_is_a_pendulum) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id bob = body_make(world, sin(0.5), -cos(0.5), 0, 1, 1e-4);
    tn_joint_id rope = rope_make(world, bob, 0.0f, 1.0f);
    double period = measure_period(world, rope, bob_x, 10.0, 60.0, 4);
    // Taut all the time, with the give of soft rows: 1e-4 m.
    cr_assert_float_eq(period / pendulum_period(sqrt(9.81), 0.5), 1.0, 3e-4, "%g", period);
    cr_assert(tn_joint_get_error(world, rope).linear_length < 1e-3);
    tn_world_destroy(world);
}

Test(distance_joint, a_strut_keeps_its_least_length) {
    tn_world *world = world_make(none, NULL);
    tn_body_id bob = body_make(world, 2, 0, 0, 1, 0.1);
    tn_joint_id strut = rope_make(world, bob, 1.0f, 3.0f);
    tn_body_set_linear_velocity(world, bob, (tn_vec3){-3.0, 0.0, 0.0});
    double least = 10.0;
    for (int i = 0; i < 60; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        least = fmin(least, tn_distance_joint_get_length(world, strut));
    }
    cr_assert_float_eq(least, 1.0, 1e-4);
    cr_assert(fabs(tn_distance_joint_get_rate(world, strut)) < 1e-3);
    tn_world_destroy(world);
}

// A cylinder that lengthens: a = F / m until it moves at its speed.
Test(distance_joint, a_motor_along_the_line_pushes_with_its_force) {
    tn_world *world = world_make(none, NULL);
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = body_make(world, 1, 0, 0, 2, 1);
    def.is_rigid = false;
    def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 3.0f, .max_force = 4.0f};
    tn_joint_id joint = tn_distance_joint_create(world, &def);
    run(world, 1.0, 60.0, 4);
    cr_assert_float_eq(tn_distance_joint_get_rate(world, joint), 2.0, 1e-4);
    cr_assert_float_eq((double)tn_joint_get_motor_effort(world, joint), 4.0, 1e-4);
    run(world, 1.0, 60.0, 4);
    cr_assert_float_eq(tn_distance_joint_get_rate(world, joint), 3.0, 1e-5);
    tn_distance_joint_set_motor(world, joint, (tn_motor){.mode = TN_MOTOR_MODE_OFF});
    tn_distance_joint_set_friction(world, joint, 4.0f);
    run(world, 1.0, 60.0, 4);
    cr_assert_float_eq(tn_distance_joint_get_rate(world, joint), 1.0, 1e-4);
    run(world, 1.0, 60.0, 4);
    cr_assert(fabs(tn_distance_joint_get_rate(world, joint)) < 1e-6);
    tn_world_destroy(world);
}

Test(distance_joint, a_rod_let_go_at_its_own_anchor_finds_its_length) {
    tn_world *world = world_make(none, NULL);
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = body_make(world, 0, 0, 0, 1, 0.1);
    tn_joint_id rod = tn_distance_joint_create(world, &def);
    run(world, 2.0, 60.0, 4);
    tn_pose pose = tn_body_get_pose(world, def.base.body_b);
    cr_assert(isfinite(pose.position.x));
    cr_assert_float_eq(tn_distance_joint_get_length(world, rod), 1.0, 1e-3);
    tn_world_destroy(world);
}
