// Spheres and capsules of affine bodies touch as they are deformed.
#include "affine_world.h"
#include "reduced_contacts.h"

#define GRAVITY 9.81
#define RADIUS  0.25 // m
#define MASS    8.0  // kg
#define YOUNG   2e4  // Pa
#define PI      3.14159265358979323846

static test_reports reports;

TestSuite(affine_rounds, .timeout = 60);

static tn_reduced_id soften(tn_world *world, tn_body_id body) {
    return affine_make(world, body, YOUNG, 0.3, 0.05, TN_AFFINE_KEPT_NOTHING);
}

static tn_reduced_id ball_make(tn_world *world, double x, double y, float friction,
                               float restitution, tn_body_id *out_body) {
    *out_body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_shape_def def = contacts_shape(friction, restitution);
    def.density = (float)(MASS / (4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS));
    cr_assert(tn_sphere_shape_create(world, *out_body, &def, (float)RADIUS).value != 0);
    return soften(world, *out_body);
}

// How far it reaches below its centre: r |A^T y|.
static double reach_down(const tn_world *world, tn_reduced_id id) {
    double u[TN_AFFINE_FREEDOMS];
    tn_reduced_get_coordinates(world, id, u, TN_AFFINE_FREEDOMS);
    return RADIUS * sqrt(u[6] * u[6] + u[7] * u[7] + u[8] * u[8]);
}

// The floor pushes m g at the lowest point. The virial of that is m g r s, and of the stress V
// sigma, so that sigma = -m g r / V but for the second order.
Test(affine_rounds, resting_ball_carries_its_weight_and_is_flattened_by_it) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    tn_body_id ball;
    tn_reduced_id id = ball_make(world, 0.0, 0.3, 0.5f, 0.0f, &ball);
    reduced_run(world, 5.0, 300, 4);
    double load = MASS * GRAVITY / 60.0, volume = 4.0 / 3.0 * PI * RADIUS * RADIUS * RADIUS;
    double strain = MASS * GRAVITY * RADIUS / (volume * YOUNG);
    TEST_NEAR(contacts_impulse(world, ball), load, 1e-5 * load);
    TEST_NEAR(reduced_coordinate(world, id, 7), 1.0 - strain, 0.05 * strain);
    TEST_NEAR(reduced_coordinate(world, id, 3), 1.0 + 0.3 * strain, 0.05 * strain);
    double low = reduced_coordinate(world, id, 1) - reach_down(world, id);
    cr_assert(low > -2e-4 && low < 1e-4, "%g", low); // what rests may sink 1e-4 m
    for (int k = 0; k < 3; ++k) {
        TEST_NEAR(reduced_coordinate(world, id, k == 0 ? 0 : k == 1 ? 2 : 4), 0.0, 1e-6);
    }
    test_world_destroy_quiet(world, &reports);
}

static double whole_energy(const tn_world *world) {
    tn_energy energy = tn_world_get_energy(world);
    return energy.kinetic + energy.elastic;
}

Test(affine_rounds, blows_of_balls_keep_momentum_and_give_no_energy) {
    for (int i = 0; i < 4; ++i) {
        tn_world *world = contacts_world_create(0.0, 0.0, &reports);
        tn_body_id balls[2];
        float e = i % 2 == 0 ? 0.0f : 0.8f;
        double aside = i < 2 ? 0.0 : 0.2;
        tn_reduced_id a = ball_make(world, -0.6, 0.0, 0.3f, e, &balls[0]);
        ball_make(world, 0.1, aside, 0.3f, e, &balls[1]);
        double v[TN_AFFINE_FREEDOMS] = {4.0, 0.0, 0.0};
        tn_reduced_set_speeds(world, a, v, TN_AFFINE_FREEDOMS);
        tn_energy before = tn_world_get_energy(world);
        double most = 0.0;
        for (int k = 0; k < 60; ++k) {
            reduced_run(world, 1.0 / 120.0, 1, 8);
            most = fmax(most, whole_energy(world));
        }
        tn_energy after = tn_world_get_energy(world);
        TEST_NEAR(after.linear_momentum.x, 4.0 * MASS, 1e-4);
        TEST_NEAR(after.linear_momentum.y, 0.0, 1e-4);
        TEST_NEAR(after.angular_momentum.z, before.angular_momentum.z, 0.1);
        cr_assert(tn_body_get_velocity(world, balls[1]).linear.x > 1.0);
        cr_assert(most < 1.002 * before.kinetic, "%d: %g of %g", i, most, before.kinetic);
        TEST_NEAR(contacts_get_work(world), after.kinetic - before.kinetic, 2e-3 * before.kinetic);
        if (i < 2) { // head on: nothing turns, nothing goes aside
            TEST_NEAR(reduced_coordinate(world, a, 1), 0.0, 1e-6);
            TEST_NEAR(reduced_coordinate(world, a, 4), 0.0, 1e-6);
        }
        test_world_destroy_quiet(world, &reports);
    }
}

// As a stiff ball rolls: 5/7 g sin of the slope.
Test(affine_rounds, ball_rolls_down_a_slope) {
    tn_world *world = contacts_world_create(GRAVITY, 0.2, &reports);
    contacts_floor_make(world, 0.8f, 0.0f);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, RADIUS, 0.0);
    tn_shape_def def = contacts_shape(0.8f, 0.0f);
    def.density = 200.0f;
    cr_assert(tn_sphere_shape_create(world, body, &def, (float)RADIUS).value != 0);
    tn_reduced_id id = affine_make(world, body, 1e6, 0.3, 0.01, TN_AFFINE_KEPT_NOTHING);
    reduced_run(world, 0.5, 120, 4);
    double speed = reduced_speed(world, id, 0);
    reduced_run(world, 1.0, 240, 4);
    double exact = 5.0 / 7.0 * GRAVITY * sin(0.2);
    TEST_NEAR(reduced_speed(world, id, 0) - speed, exact, 0.02 * exact);
    test_world_destroy_quiet(world, &reports);
}

// It lies on both ends of its segment.
Test(affine_rounds, capsule_lies_on_two_points) {
    tn_world *world = contacts_world_create(GRAVITY, 0.0, &reports);
    contacts_floor_make(world, 0.5f, 0.0f);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.22, 0.0);
    tn_shape_def def = contacts_shape(0.5f, 0.0f);
    double s = sqrt(0.5);
    def.local_pose.rotation = (tn_quat){0.0, 0.0, s, s}; // y along -x
    def.density = 200.0f;
    cr_assert(tn_capsule_shape_create(world, body, &def, 0.4f, 0.2f).value != 0);
    double mass = tn_body_get_mass(world, body).mass;
    tn_reduced_id id = soften(world, body);
    reduced_run(world, 5.0, 300, 4);
    double load = mass * GRAVITY / 60.0;
    TEST_NEAR(contacts_impulse(world, body), load, 1e-4 * load);
    for (int k = 0; k < 3; ++k) {
        TEST_NEAR(reduced_speed(world, id, k), 0.0, 1e-4);
    }
    TEST_NEAR(reduced_coordinate(world, id, 6), 0.0, 1e-4); // it lies level
    test_world_destroy_quiet(world, &reports);
}

// Twice as high: the point and the normal of x^2 + y^2 / 4 + z^2 = r^2.
Test(affine_rounds, rays_meet_the_deformed_ball) {
    tn_world *world = contacts_world_create(0.0, 0.0, &reports);
    tn_body_id body;
    tn_reduced_id id = ball_make(world, 0.0, 0.0, 0.0f, 0.0f, &body);
    affine_set(world, id, (const double[]){1, 0, 0, 0, 2, 0, 0, 0, 1}, NULL);
    tn_bounds bounds = tn_body_get_bounds(world, body);
    TEST_NEAR(bounds.upper.y, 2.0 * RADIUS, 1e-6);
    for (int i = 0; i <= 10; ++i) {
        double x = 0.09 * RADIUS * i, y = 2.0 * sqrt(RADIUS * RADIUS - x * x);
        tn_ray ray = tn_ray_make((tn_vec3){x, 3.0, 0.0}, (tn_vec3){0.0, -5.0, 0.0});
        tn_ray_hit hit;
        cr_assert(tn_world_cast_ray(world, &ray, &hit));
        TEST_NEAR(hit.point.y, y, 1e-6);
        double length = hypot(x, y / 4.0);
        TEST_NEAR(hit.normal.x, x / length, 1e-6);
        TEST_NEAR(hit.normal.y, y / 4.0 / length, 1e-6);
    }
    test_world_destroy_quiet(world, &reports);
}
