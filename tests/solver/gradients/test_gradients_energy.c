// Chains that whirl fast under conjugate gradients: they lose, and gain nothing.
#include "tests/world/world_test.h"

static test_reports reports;

// Links of 0.25 m, each 5 kg a metre, in a row from the origin, and a heavy one at the end, which
// turn about the origin like one bar.
static tn_world *make_chain(int links, double turn_speed, bool is_hung) {
    tn_world *world = test_solver_world_create(TN_SOLVER_CG, &reports);
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_id before = {0};
    for (int i = 0; i <= links; ++i) {
        double x = 0.25 * i + 0.125;
        tn_body_id body = test_rod_create(world, x, 0.0, i == links ? 10.0 : 1.25, 0.25);
        tn_body_set_velocity(
            world, body,
            (tn_velocity){.linear = {0.0, turn_speed * x, 0.0}, .angular = {0.0, 0.0, turn_speed}});
        if (is_hung || i > 0) {
            tn_ball_joint_def def = tn_ball_joint_def_default();
            tn_vec3 anchor = {0.25 * i, 0.0, 0.0};
            cr_assert(tn_joint_def_set_frames(world, &def.base, before, body, anchor,
                                              (tn_vec3){0.0, 0.0, 1.0}));
            cr_assert(tn_ball_joint_create(world, &def).value != 0);
        }
        before = body;
    }
    return world;
}

static double get_most_energy(tn_world *world, int steps, uint32_t substeps) {
    double most = 0.0;
    for (int i = 0; i < steps; ++i) {
        tn_world_step(world, 1.0 / 60.0, substeps);
        most = fmax(most, tn_world_get_energy(world).kinetic);
    }
    return most;
}

Test(gradients_energy, whirling_chains_gain_none) {
    static const double speeds[] = {25.0, 70.0, 150.0};
    static const int links[] = {1, 4, 8};
    for (int i = 0; i < 3 * 3 * 2; ++i) {
        tn_world *world = make_chain(links[i % 3], speeds[i / 3 % 3], true);
        double start = tn_world_get_energy(world).kinetic;
        double most = get_most_energy(world, 30, i / 9 == 0 ? 4 : 1);
        cr_assert(most < 1.0001 * start, "%d links, %g rad/s: %g of %g J", links[i % 3],
                  speeds[i / 3 % 3], most, start);
        test_world_destroy_quiet(world, &reports);
    }
}

Test(gradients_energy, a_free_chain_flies_on_and_the_ledger_closes) {
    tn_world *world = make_chain(4, 50.0, false);
    double start = tn_world_get_energy(world).kinetic;
    tn_vec3 before = tn_world_get_energy(world).linear_momentum;
    double most = get_most_energy(world, 30, 4);
    tn_vec3 after = tn_world_get_energy(world).linear_momentum;
    cr_assert(most < 1.0001 * start, "%g of %g J", most, start);
    cr_assert(fabs(after.y / before.y - 1.0) < 1e-5, "%g of %g", after.y, before.y);
    tn_energy energy = tn_world_get_energy(world);
    // The balance takes what the solver gains, and no more: 6e-4 are lost in half a second.
    cr_assert(energy.kinetic > 0.999 * start, "%g of %g J", energy.kinetic, start);
    cr_assert(fabs(energy.kinetic - start - energy.joint_work) < 1e-4 * start, "%g J from %g, %g",
              energy.kinetic, start, energy.joint_work);
    test_world_destroy_quiet(world, &reports);
}
