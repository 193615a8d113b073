// Tests of solver/impact.c: bounces, blows that travel, and what they keep.
#include "tests/world/world_test.h"

static tn_world *make_world(float gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0f, gravity, 0.0f};
    def.enable_sleep = false;
    def.restitution_threshold = 0.1f;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static tn_body_id add_ball(tn_world *world, double x, double y, float radius, float restitution) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material.restitution = restitution;
    def.material.friction = 0.0f;
    cr_assert(tn_sphere_shape_create(world, body, &def, radius).value != 0);
    return body;
}

static void set_speed(tn_world *world, tn_body_id body, double x, double y) {
    tn_velocity velocity = {{x, y, 0.0}, {0.0, 0.0, 0.0}};
    tn_body_set_velocity(world, body, velocity);
}

// A ball dropped from 1 m above contact comes back to e² of it. The impact is timed inside the
// substep, so that only float round-off of the contact is left.
Test(impact, a_dropped_ball_returns_to_the_square_of_its_restitution) {
    const float restitutions[3] = {1.0f, 0.8f, 0.5f};
    for (int r = 0; r < 3; ++r) {
        for (uint32_t substeps = 1; substeps <= 8; substeps *= 2) {
            tn_world *world = make_world(-9.81f);
            test_floor_create(world);
            tn_body_id ball = add_ball(world, 0.0, 1.25, 0.25f, restitutions[r]);
            double e = (double)restitutions[r], top = 0.0;
            double t_hit = sqrt(2.0 / 9.81), t_top = t_hit + e * t_hit;
            for (int i = 0; i < (int)((t_top + 0.1) * 60.0); ++i) {
                cr_assert(tn_world_step(world, 1.0 / 60.0, substeps) == TN_RESULT_OK);
                double y = tn_body_get_center(world, ball).y - 0.25;
                top = (i + 1) / 60.0 > t_hit + 0.05 ? fmax(top, y) : 0.0;
            }
            // The highest sample may miss the top by half a step: g/2 (1/120)² = 0.34 mm.
            cr_assert(fabs(top - e * e) < 6e-4, "e %g, %u substeps: %g m", e, substeps, top);
            tn_world_destroy(world);
        }
    }
}

Test(impact, two_balls_head_on_exchange_their_velocities) {
    tn_world *world = make_world(0.0f);
    tn_body_id a = add_ball(world, -1.0, 0.0, 0.25f, 1.0f);
    tn_body_id b = add_ball(world, 1.0, 0.0, 0.25f, 1.0f);
    set_speed(world, a, 3.0, 0.0);
    set_speed(world, b, -1.0, 0.0);
    test_step(world, 60);
    TEST_NEAR(tn_body_get_velocity(world, a).linear.x, -1.0, 1e-5);
    TEST_NEAR(tn_body_get_velocity(world, b).linear.x, 3.0, 1e-5);
    tn_world_destroy(world);
}

Test(impact, a_blow_travels_through_a_row_of_touching_balls) {
    tn_world *world = make_world(0.0f);
    tn_body_id balls[5];
    for (int i = 0; i < 5; ++i) {
        balls[i] = add_ball(world, i == 0 ? -2.0 : 0.5 * i, 0.0, 0.25f, 1.0f);
    }
    set_speed(world, balls[0], 4.0, 0.0);
    test_step(world, 60);
    for (int i = 0; i < 5; ++i) {
        TEST_NEAR(tn_body_get_velocity(world, balls[i]).linear.x, i == 4 ? 4.0 : 0.0, 1e-4);
    }
    tn_world_destroy(world);
}

Test(impact, slower_than_the_threshold_does_not_bounce) {
    tn_world *world = make_world(-9.81f);
    tn_world_set_restitution_threshold(world, 2.0f);
    test_floor_create(world);
    tn_body_id ball = add_ball(world, 0.0, 0.3, 0.25f, 1.0f); // hits at 1 m/s
    test_step(world, 30);
    TEST_NEAR(tn_body_get_velocity(world, ball).linear.y, 0.0, 1e-3);
    TEST_NEAR(tn_body_get_center(world, ball).y, 0.25, 1e-3);
    tn_world_destroy(world);
}

Test(impact, a_box_that_lands_flat_bounces_without_turning) {
    tn_world *world = make_world(-9.81f);
    test_floor_create(world);
    tn_body_id box = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.5, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material.restitution = 0.5f;
    tn_box_shape_create(world, box, &def, (tn_vec3){0.5f, 0.5f, 0.5f});
    test_step(world, 40); // hits at 0.4515 s with 4.43 m/s
    tn_velocity velocity = tn_body_get_velocity(world, box);
    double expected = 0.5 * sqrt(2.0 * 9.81) - 9.81 * (40.0 / 60.0 - sqrt(2.0 / 9.81));
    TEST_NEAR(velocity.linear.y, expected, 2e-3);
    TEST_NEAR(velocity.angular.x, 0.0, 1e-2);
    TEST_NEAR(velocity.angular.z, 0.0, 1e-2);
    tn_world_destroy(world);
}
