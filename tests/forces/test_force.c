// Forces: how their substep is taken, and what they are in the world.
#include "force_world.h"

TestSuite(force, .timeout = 60);

// ---- the rule of a substep ---------------------------------------------------------------------

// What a spring from the world's origin to a body on the x axis does in the variables of
// solver/movers/force.c, by the rule written out: y = x + h/2 v.
typedef struct rule {
    double y, v;
} rule;

static rule rule_step(rule at, double k, double c, double m, double h) {
    double stiff = h * h * k / m, damp = h * c / m;
    // A spring without a length pulls in all three directions.
    double s = fmin(fmax((sqrt(3.0) * stiff - 0.25) / 0.75, 0.0), 1.0);
    double b = fmin(fmax((damp - 0.25) / 0.75, 0.5), 1.0);
    double dv = -(h / m) * (k * at.y + c * at.v + s * h * k * at.v) / (1.0 + s * stiff + b * damp);
    at.v += dv;
    at.y += h * at.v;
    return at;
}

static void expect_rule(double k, double c, double m, double hz, double accuracy) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id body = body_make(world, 1.0, 0.0, 0.0, m, m);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {0.25, 0.0, 0.0}});
    tn_connector ends[2] = {connector_at(world_body, 0, 0, 0), connector_at(body, 0, 0, 0)};
    spring_make(world, ends[0], ends[1], k, c, 0.0);
    double h = 1.0 / hz;
    rule at = {1.0 + 0.5 * h * 0.25, 0.25};
    for (int i = 0; i < 100; ++i) {
        cr_assert(tn_world_step(world, h, 1) == TN_RESULT_OK);
        at = rule_step(at, k, c, m, h);
        tn_vec3 v = velocity_of(world, body);
        double y = center_of(world, body).x + 0.5 * h * v.x;
        cr_assert(fabs(y - at.y) < accuracy && fabs(v.x - at.v) < accuracy * hz,
                  "%g N/m, step %d: %g m and %g m/s, not %g and %g", k, i, y, v.x, at.y, at.v);
    }
    tn_world_destroy(world);
}

// 1e8 N/m on 1 kg at 60 Hz: h^2 k / m is 28000.
Test(force, a_stiff_spring_decays_as_the_linearly_implicit_euler_rule_says) {
    expect_rule(1e8, 0.0, 1.0, 60.0, 1e-11);
    expect_rule(1e8, 1e5, 1.0, 60.0, 1e-11);
    expect_rule(1e4, 300.0, 1.0, 60.0, 1e-12);
}

Test(force, a_spring_that_is_stiff_in_part_is_implicit_in_part) {
    expect_rule(1200.0, 70.0, 1.0, 60.0, 1e-12);
}

Test(force, a_soft_spring_is_leapfrog) {
    expect_rule(100.0, 0.0, 1.0, 60.0, 1e-12);
    expect_rule(100.0, 5.0, 2.0, 60.0, 1e-12);
}

// Leapfrog's period: sin(w' h / 2) = w h / 2.
Test(force, a_soft_spring_swings_for_minutes_without_a_loss) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id body = body_make(world, 0.3, 0.0, 0.0, 2.0, 1.0);
    spring_make(world, connector_at(world_body, 0, 0, 0), connector_at(body, 0, 0, 0), 50.0, 0.0,
                0.0);
    double w = 5.0, h = 1.0 / 60.0, last = 0.3, rate = 2.0 * asin(0.5 * w * h) / h;
    for (int i = 1; i <= 12000; ++i) {
        cr_assert(tn_world_step(world, h, 1) == TN_RESULT_OK);
        last = center_of(world, body).x;
        // x is that of the cosine between two middles.
        cr_assert(fabs(last - 0.3 * cos(rate * h * i)) < 1e-9, "step %d: %.12f", i, last);
    }
    tn_world_destroy(world);
}

// Two springs of 1e8 N/m hold 1 kg between them, and one 1 kg the next: solved in one step each by
// itself they would drive each other up.
Test(force, stiff_springs_that_share_bodies_do_not_burst) {
    tn_world *world = world_make(force_gravity, NULL);
    tn_body_id bodies[3];
    tn_connector before = connector_at(world_body, 0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        bodies[i] = body_make(world, 1.0 + i, 0.1 * i, 0.0, 1.0, 0.1);
        tn_connector at = connector_at(bodies[i], 0.0, 0.0, 0.0);
        spring_make(world, before, at, 1e8, 0.0, 1.0);
        before = at;
    }
    spring_make(world, before, connector_at(world_body, 4.0, 0.0, 0.0), 1e8, 0.0, 1.0);
    for (int i = 0; i < 600; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 1) == TN_RESULT_OK);
        for (int k = 0; k < 3; ++k) {
            cr_assert(length_of((tn_vec3){velocity_of(world, bodies[k]).x,
                                          velocity_of(world, bodies[k]).y, 0.0}) < 30.0);
        }
    }
    tn_world_destroy(world);
}

// A wheel on a free axis and a damper of torque, 1e6 times too stiff for the substep.
static void brake(const tn_force_input *input, tn_force_output *out, void *context) {
    double c = *(const double *)context;
    tn_vec3 w = input->connectors[0].angular_velocity;
    out->torque[0] = (tn_vec3){-c * w.x, -c * w.y, -c * w.z};
    tn_force_slope *slope = tn_force_output_add_slope(out, TN_FORCE_AGAINST_WORLD, 0, true);
    for (int i = 0; i < 3; ++i) {
        slope->by_velocity[i][i] = -c;
    }
}

Test(force, turns_are_implicit_too) {
    double c = 6e7;
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id body = body_make(world, 0.0, 0.0, 0.0, 1.0, 1.0);
    tn_body_set_velocity(world, body, (tn_velocity){.angular = {3.0, -2.0, 1.0}});
    tn_force_def def = tn_force_def_default();
    def.base.connectors[0].body = body;
    def.base.connector_count = 1;
    def.function = brake;
    def.function_user_data = &c;
    cr_assert(tn_force_create(world, &def).value != 0);
    run(world, 1.0 / 60.0, 60.0, 1);
    tn_vec3 w = tn_body_get_velocity(world, body).angular;
    cr_assert(fabs(w.x) + fabs(w.y) + fabs(w.z) < 1e-5, "%g %g %g", w.x, w.y, w.z);
    tn_world_destroy(world);
}

// ---- momenta, energy ---------------------------------------------------------------------------

Test(force, between_two_free_bodies_momenta_stay) {
    tn_world *world = world_make(force_no_gravity, NULL);
    tn_body_id a = body_make(world, 0.0, 0.0, 0.0, 2.0, 0.3);
    tn_body_id b = body_make(world, 1.0, 0.5, 0.2, 1.0, 0.2);
    tn_body_set_velocity(world, a, (tn_velocity){{0.2, 0.1, -0.3}, {1.0, 2.0, -1.0}});
    spring_make(world, connector_at(a, 0.1, 0.2, 0.0), connector_at(b, 0.0, -0.2, 0.1), 80.0, 1.0,
                0.8);
    tn_energy before = tn_world_get_energy(world);
    run(world, 5.0, 60.0, 4);
    tn_energy after = tn_world_get_energy(world);
    cr_assert(fabs(after.linear_momentum.x - before.linear_momentum.x) < 1e-12);
    cr_assert(fabs(after.linear_momentum.y - before.linear_momentum.y) < 1e-12);
    cr_assert(fabs(after.linear_momentum.z - before.linear_momentum.z) < 1e-12);
    // Torques go through the float inverse inertia, and arms are those of the middle of a substep.
    cr_assert(fabs(after.angular_momentum.x - before.angular_momentum.x) < 2e-3);
    cr_assert(fabs(after.angular_momentum.y - before.angular_momentum.y) < 2e-3);
    cr_assert(fabs(after.angular_momentum.z - before.angular_momentum.z) < 2e-3, "%g",
              after.angular_momentum.z - before.angular_momentum.z);
    tn_world_destroy(world);
}

Test(force, work_is_in_the_ledger_and_it_closes) {
    tn_world_def settings = tn_world_def_default();
    settings.has_energy_ledger = true;
    settings.is_sleep_allowed = false;
    tn_world *world = tn_world_create(&settings, NULL);
    tn_body_id body = body_make(world, 0.5, 0.0, 0.0, 2.0, 1.0);
    spring_make(world, connector_at(world_body, 0, 0, 0), connector_at(body, 0.1, 0, 0), 2e3, 10.0,
                0.3);
    air_make(world, connector_at(body, 0, 0, 0), 2.0, (tn_vec3){5.0, 0.0, 1.0});
    run(world, 0.1, 60.0, 4);
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(fabs(energy.gravity_work + energy.force_work - energy.kinetic) <
                  1e-6 * (1.0 + fabs(energy.force_work)),
              "%g + %g, %g", energy.gravity_work, energy.force_work, energy.kinetic);
    cr_assert(fabs(energy.force_work) > 1.0, "%g", energy.force_work);
    tn_world_destroy(world);
}
