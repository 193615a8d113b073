// Welds: rigid ones carry force and torque, springy ones swing at their frequency.
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 none = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};

// m g and, about the anchor a metre away, m g times a metre.
Test(fixed_joint, carries_a_weight_at_the_end_of_an_arm) {
    for (int r = 0; r < 2; ++r) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id arm = body_make(world, 1, 0, 0, 5, 2);
        tn_joint_id weld = joint_make(world, TN_JOINT_TYPE_FIXED, world_body, arm, origin, axis_x);
        run(world, 3.0, test_rates[r], 4);
        tn_reaction reaction = tn_joint_get_reaction(world, weld);
        cr_assert_float_eq(reaction.force.y, 49.05, 1e-2);
        cr_assert_float_eq(reaction.torque.z, 49.05, 1e-2);
        cr_assert(fabs(reaction.force.x) < 1e-2);
        tn_joint_error error = tn_joint_get_error(world, weld);
        cr_assert(error.linear_length < 2e-4 && error.angular_length < 2e-4);
        tn_world_destroy(world);
    }
}

// Two halves of a tumbling body: together they turn as one, and their momenta stay.
Test(fixed_joint, two_welded_bodies_turn_as_one) {
    tn_world *world = world_make(none, NULL);
    tn_body_id a = body_make(world, -0.5, 0, 0, 1, 0.2), b = body_make(world, 0.5, 0, 0, 1, 0.2);
    tn_joint_id weld = joint_make(world, TN_JOINT_TYPE_FIXED, a, b, origin, axis_x);
    tn_body_set_velocity(world, a, (tn_velocity){{0, -1.5, 0.5}, {0, 1, 3}});
    tn_body_set_velocity(world, b, (tn_velocity){{0, 1.5, -0.5}, {0, 1, 3}});
    tn_energy before = tn_world_get_energy(world);
    for (int i = 0; i < 600; ++i) {
        run(world, 1.0 / 60.0, 60.0, 4);
        tn_joint_error error = tn_joint_get_error(world, weld);
        cr_assert(error.linear_length < 1e-3 && error.angular_length < 1e-3);
    }
    tn_energy after = tn_world_get_energy(world);
    cr_assert_float_eq(after.kinetic / before.kinetic, 1.0, 1e-3);
    cr_assert_float_eq(after.angular_momentum.z, before.angular_momentum.z, 1e-3);
    cr_assert_float_eq(after.angular_momentum.y, before.angular_momentum.y, 1e-3);
    tn_world_destroy(world);
}

static double sideways(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.y;
}

static double turned(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).rotation.y;
}

Test(fixed_joint, springy_halves_swing_at_their_frequencies) {
    double w = 2.0 * PI * 3.0;
    for (int r = 0; r < 2; ++r) {
        for (int mode = TN_SPRING_MODE_FREQUENCY; mode <= TN_SPRING_MODE_STIFFNESS; ++mode) {
            for (int half = 0; half < 2; ++half) {
                tn_world *world = world_make(none, NULL);
                tn_fixed_joint_def def = tn_fixed_joint_def_default();
                def.base.body_b = body_make(world, 0, 0, 0, 2, 3);
                tn_spring spring = {.mode = (tn_spring_mode)mode,
                                    .hertz = 3.0f,
                                    .stiffness = (float)((half == 0 ? 2.0 : 3.0) * w * w)};
                if (half == 0) {
                    def.linear_spring = spring;
                } else {
                    def.angular_spring = spring;
                }
                tn_joint_id weld = tn_fixed_joint_create(world, &def);
                tn_body_set_velocity(world, def.base.body_b,
                                     half == 0 ? (tn_velocity){{0, 1, 0}, {0, 0, 0}}
                                               : (tn_velocity){{0, 0, 0}, {0, 1, 0}});
                double period = measure_period(world, weld, half == 0 ? sideways : turned, 10.0,
                                               test_rates[r], 4);
                double h = 0.25 / test_rates[r];
                cr_assert_float_eq(2.0 * PI / period / midpoint_frequency(w, h), 1.0, 2e-4);
                cr_assert(tn_joint_get_error(world, weld).linear_length < 1e-6);
                cr_assert(tn_joint_get_error(world, weld).angular_length < 1e-6);
                tn_world_destroy(world);
            }
        }
    }
}

// g / w^2 of sag.
Test(fixed_joint, a_soft_weld_sags_by_what_its_frequency_says) {
    tn_world *world = world_make(gravity, NULL);
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    def.base.body_b = body_make(world, 0, 0, 0, 7, 3);
    def.linear_spring =
        (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 2.0f, .damping_ratio = 1.0f};
    tn_fixed_joint_create(world, &def);
    run(world, 5.0, 60.0, 4);
    double w = 4.0 * PI;
    cr_assert_float_eq(tn_body_get_pose(world, def.base.body_b).position.y, -9.81 / (w * w), 1e-5);
    tn_world_destroy(world);
}
