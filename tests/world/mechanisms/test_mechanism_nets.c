// Nets under the direct solver: a curtain hung by its corners, whose top row is straight and taut.
// No finite force holds a load across such a row, and rows that nearly depend on each other must
// neither throw the curtain nor hold it up.
#include "scenes/scene.h"
#include "tests/support/long_test.h"
#include "tests/world/world_test.h"

#define MAX_SIDE 8

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(mechanism_nets, .init = setup, .fini = teardown);

// In a plane 20 degrees off the vertical; the upper corners are fixed.
static void make_curtain(int side) {
    const double down[2] = {0.5 * 0.9397, 0.5 * 0.3420};
    tn_body_id balls[MAX_SIDE][MAX_SIDE];
    for (int i = 0; i < side; ++i) {
        for (int k = 0; k < side; ++k) {
            bool is_fixed = i == 0 && (k == 0 || k == side - 1);
            balls[i][k] = test_bead_create(world, 0.5 * k, -down[0] * i, down[1] * i, is_fixed);
            if (k > 0) {
                test_bodies_tie(world, balls[i][k - 1], balls[i][k]);
            }
            if (i > 0) {
                test_bodies_tie(world, balls[i - 1][k], balls[i][k]);
            }
        }
    }
}

// Swings freely for `time`, and says how much kinetic energy it had at most.
static double swing(int side, int rate, int substeps, int time) {
    make_curtain(side);
    double start = tn_world_get_energy(world).potential, most = 0.0, gained = 0.0;
    for (int i = 0; i < rate * time; ++i) {
        tn_mechanism_info info;
        cr_assert(tn_world_step(world, 1.0 / rate, (uint32_t)substeps) == TN_RESULT_OK);
        cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
        cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.failures == 0, "step %d", i);
        cr_assert(info.worst_joint_linear < 1e-6, "step %d: %g", i, info.worst_joint_linear);
        cr_assert(info.iterations < 100 * (uint32_t)substeps, "step %d: %u", i, info.iterations);
        tn_energy energy = tn_world_get_energy(world);
        most = fmax(most, energy.kinetic);
        gained = fmax(gained, energy.kinetic + energy.potential - start);
    }
    cr_assert(gained < 0.01 * most, "%g J of %g", gained, most);
    return most;
}

LONG_TEST(mechanism_nets, a_taut_curtain_swings_by_its_corners) {
    // The rate and the substeps.
    const int cases[][2] = {{60, 4}, {100, 2}, {30, 8}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
        // As one plate it would reach 892 J at the bottom; it bends.
        double most = swing(6, cases[c][0], cases[c][1], 4);
        cr_assert(most > 600.0 && most < 892.0, "case %zu: %g J", c, most);
        teardown();
        setup();
    }
    cr_assert(swing(8, 60, 4, 1) > 1000.0);
}

// Ropes that a ball falls into go to sweeps because of their contacts alone, and back: their joints
// are asked for in every step.
Test(mechanism_nets, a_net_of_ropes_catches_a_ball, .timeout = 60) {
    const scene *net = scene_find("net");
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    scene_run *run = scene_run_create(net, NULL, &def);
    cr_assert_not_null(run);
    double worst = 0.0;
    int direct = 0;
    for (int i = 0; i < 120; ++i) {
        tn_mechanism_info info;
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
        worst = fmax(worst, tn_world_get_telemetry(run->world).worst_joint_linear);
        direct += tn_world_get_mechanisms(run->world, &info, 1) > 0 ? 1 : 0;
    }
    cr_assert(worst < 0.05, "%g m", worst);
    cr_assert(direct > 0 && direct < 120, "%d steps", direct);
    cr_assert(tn_world_get_energy(run->world).kinetic < 20.0);
    scene_run_destroy(run);
}
