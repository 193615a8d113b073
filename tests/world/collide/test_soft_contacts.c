// Soft surfaces: springs of a given frequency and damping.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(soft_contacts, .init = setup, .fini = teardown);

static tn_shape_id add_mattress(float hertz, float damping_ratio) {
    tn_shape_id shape = test_first_shape(world, test_floor_create(world));
    tn_material material = tn_material_default();
    material.hertz = hertz;
    material.damping_ratio = damping_ratio;
    cr_assert(tn_shape_set_material(world, shape, material) == TN_RESULT_OK);
    return shape;
}

static double get_sink(double hertz) {
    double w = 2.0 * M_PI * hertz;
    return 9.81 / (w * w);
}

static double height(tn_body_id body) {
    return tn_body_get_pose(world, body).position.y;
}

Test(soft_contacts, sink_by_the_weight_over_the_stiffness) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        const float hertz[] = {1.0f, 2.0f, 5.0f, 10.0f};
        for (int i = 0; i < 4; ++i) {
            tn_world_set_solver(world, solver);
            tn_shape_id floor_shape = add_mattress(hertz[i], 1.0f);
            tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
            tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 3.0, 0.5, 0.0,
                                             (tn_vec3){0.5, 0.5, 0.5});
            test_step(world, 300);
            double sink = get_sink((double)hertz[i]);
            TEST_NEAR(height(ball), 0.5 - sink, 1e-3 * sink);
            TEST_NEAR(height(box), 0.5 - sink, 3e-3 * sink);
            cr_assert_not(tn_body_is_awake(world, box), "it sleeps, deep as it lies");
            tn_body_destroy(world, ball);
            tn_body_destroy(world, box);
            tn_body_destroy(world, tn_shape_get_body(world, floor_shape));
        }
    }
    cr_assert(reports.count == 0);
}

// Returns how often per second a body passes its height of rest upward.
static double count_rate(tn_body_id body, double rest, int steps) {
    double first = -1.0, last = -1.0, before = height(body) - rest;
    int count = 0;
    for (int step = 1; step <= steps; ++step) {
        test_step(world, 1);
        double now = height(body) - rest;
        if (before < 0.0 && now >= 0.0) {
            last = step - now / (now - before);
            first = first < 0.0 ? last : first;
            count += 1;
        }
        before = now;
    }
    return count > 1 ? 60.0 * (count - 1) / (last - first) : 0.0;
}

Test(soft_contacts, swing_at_their_frequency) {
    tn_world_set_sleep_allowed(world, false);
    const float hertz[] = {1.0f, 2.0f, 4.0f};
    for (int i = 0; i < 3; ++i) {
        tn_shape_id floor_shape = add_mattress(hertz[i], 0.0f);
        tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
        double rate = count_rate(ball, 0.5 - get_sink((double)hertz[i]), 300);
        TEST_NEAR(rate, (double)hertz[i], 5e-3 * (double)hertz[i]);
        tn_body_destroy(world, ball);
        tn_body_destroy(world, tn_shape_get_body(world, floor_shape));
    }
}

// With mass m each, two balls in free space feel m/2: they swing against each other at the
// frequency, and the middle stays.
Test(soft_contacts, push_two_bodies_apart_by_their_common_mass) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id balls[2];
    tn_material soft = tn_material_default();
    soft.hertz = 2.0f;
    for (int i = 0; i < 2; ++i) {
        balls[i] = test_ball_create(world, 0.9 * i, 0.0, 0.0, 0.5f);
        tn_shape_set_material(world, test_first_shape(world, balls[i]), soft);
    }
    // From the depth of 0.1 m at rest they leave with w times the depth, after a quarter of a
    // swing.
    test_step(world, 20);
    double v = tn_body_get_linear_velocity(world, balls[1]).x;
    double u = tn_body_get_linear_velocity(world, balls[0]).x;
    TEST_NEAR(v + u, 0.0, 1e-6);
    TEST_NEAR(v - u, 2.0 * M_PI * 2.0 * 0.1, 0.05);
}

// It throws back what falls on it, less what the damping takes, and takes the energy book along.
Test(soft_contacts, throw_back_what_falls) {
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    tn_world_destroy(world);
    world = test_def_world_create(def, &reports);
    add_mattress(2.0f, 0.0f);
    tn_body_id ball = test_ball_create(world, 0.0, 1.5, 0.0, 0.5f);
    double most = 0.0, least = 9.0;
    for (int step = 0; step < 110; ++step) {
        test_step(world, 1);
        least = fmin(least, height(ball));
        most = step > 60 ? fmax(most, height(ball)) : most;
    }
    // m g (1 + d) = m w^2 d^2 / 2
    double w2 = 9.81 / get_sink(2.0), d = (9.81 + sqrt(9.81 * 9.81 + 2.0 * w2 * 9.81)) / w2;
    TEST_NEAR(0.5 - least, d, 0.03 * d); // steps pass the lowest place, and implicit Euler damps
    cr_assert(most > 1.35 && most < 1.51, "%g", most);
    tn_energy energy = tn_world_get_energy(world);
    double sum = energy.gravity_work + energy.force_work + energy.friction_work +
                 energy.impact_work + energy.damping_work;
    TEST_NEAR(sum, energy.kinetic, 2e-3 * 9.81 * tn_body_get_mass(world, ball).mass);
}

Test(soft_contacts, take_the_softer_of_two_and_mix_with_rigid_ones) {
    tn_shape_id floor_shape = add_mattress(5.0f, 1.0f);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_material softer = tn_material_default();
    softer.hertz = 2.0f;
    softer.damping_ratio = 1.0f;
    tn_shape_set_material(world, test_first_shape(world, ball), softer);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 5.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_id top =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 5.0, 1.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 300);
    TEST_NEAR(height(ball), 0.5 - get_sink(2.0), 1e-3 * get_sink(2.0));
    // The lower box bears both: it sinks by twice as much, and the upper one stands on it rigidly.
    TEST_NEAR(height(box), 0.5 - 2.0 * get_sink(5.0), 0.02 * get_sink(5.0));
    TEST_NEAR(height(top) - height(box), 1.0, 5e-4);
    // Rigid again, it comes up.
    tn_shape_set_material(world, floor_shape, tn_material_default());
    test_step(world, 300);
    TEST_NEAR(height(box), 0.5, 1e-3);
}

Test(soft_contacts, stay_sound_at_any_number) {
    const float hertz[] = {1e-3f, 0.1f, 100.0f, 1e6f, 1e30f},
                ratios[] = {0.0f, 1e-6f, 50.0f, 1e30f};
    for (int i = 0; i < 5; ++i) {
        for (int k = 0; k < 4; ++k) {
            tn_shape_id floor_shape = add_mattress(hertz[i], ratios[k]);
            tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.0, 0.0,
                                             (tn_vec3){0.5, 0.5, 0.5});
            test_step(world, 60);
            double y = height(box);
            cr_assert(isfinite(y) && y < 1.01 && y > -6.0, "%g, %g: %g", (double)hertz[i],
                      (double)ratios[k], y);
            tn_body_destroy(world, box);
            tn_body_destroy(world, tn_shape_get_body(world, floor_shape));
        }
    }
    cr_assert(reports.count == 0);
    tn_shape_id shape = add_mattress(2.0f, 0.5f);
    tn_material bad = tn_shape_get_material(world, shape);
    cr_assert(bad.hertz == 2.0f && bad.damping_ratio == 0.5f);
    bad.hertz = -1.0f;
    TEST_REPORTS(&reports, tn_shape_set_material(world, shape, bad), TN_RESULT_INVALID_ARGUMENT);
    bad.hertz = NAN;
    TEST_REPORTS(&reports, tn_shape_set_material(world, shape, bad), TN_RESULT_NOT_FINITE);
}
