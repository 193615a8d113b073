// Tests of world/step/step_balance.c: what a solver cannot hold comes to rest and says so.
#include "tests/support/long_test.h"
#include <math.h>

#include "scene_test.h"

TestSuite(bursts, .timeout = 60);

// Eight tonnes on a crane of 40 kg: the position motors have no cap, so that an open joint would
// let them feed it without end. The load falls by what it hangs above the ground at most.
static double get_crane_gap(tn_solver solver, double rate) {
    scene_run *run = scene_run_create(scene_find("crane"), NULL, NULL);
    cr_assert_not_null(run);
    tn_world_set_solver(run->world, solver);
    double gap = 0.0;
    for (int k = 0; k < (int)(12.0 * rate); ++k) {
        cr_assert(scene_run_step(run, 1.0 / rate, 4) == TN_RESULT_OK);
        gap = fmax(gap, tn_world_get_telemetry(run->world).worst_joint_linear);
    }
    double kinetic = tn_world_get_energy(run->world).kinetic;
    cr_assert(kinetic < 1e4, "solver %d, %g Hz: %g J", (int)solver, rate, kinetic);
    scene_run_destroy(run);
    return gap;
}

// How far a link of 40 kg under 8 t flies before it comes back is chance: at one rate in twelve a
// hundred metres.
LONG_TEST(bursts, a_crane_that_sweeps_cannot_hold_comes_to_rest) {
    static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_CG};
    for (int i = 0; i < 2; ++i) {
        uint32_t far_open = 0;
        for (double rate = 56.0; rate < 65.0; rate += 1.0) {
            double gap = get_crane_gap(solvers[i], rate);
            far_open += gap < 20.0 ? 0 : 1;
            cr_assert(gap < 200.0, "solver %d, %g Hz: open by %g m", (int)solvers[i], rate, gap);
        }
        cr_assert(far_open <= 3, "solver %d: %u of 9 open by 20 m", (int)solvers[i], far_open);
    }
}

// Returns the most by which the energy, less what motors gave, rises over that at the start; in a
// scene that loses some, over its lowest value so far. It is a share of the energy in the scene.
static double get_gain(const char *name, tn_solver solver, bool loses) {
    const scene *found = scene_find(name);
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(found, NULL, 0, values));
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    scene_run *run = scene_run_create(found, values, &def);
    cr_assert_not_null(run);
    tn_world_set_solver(run->world, solver);
    tn_energy energy = tn_world_get_energy(run->world);
    double rise = 0.0, given = 0.0, motors = 0.0, lowest = energy.kinetic + energy.potential;
    double scale = fabs(lowest);
    for (int i = 0; i < 600; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
        energy = tn_world_get_energy(run->world);
        given += fmax(energy.motor_work - motors, 0.0);
        motors = energy.motor_work;
        double now = energy.kinetic + energy.potential + energy.elastic - given;
        lowest = loses ? fmin(lowest, now) : lowest;
        rise = fmax(rise, now - lowest);
        scale = fmax(scale, energy.kinetic);
    }
    scene_run_destroy(run);
    return rise / scale;
}

// Over 10 s the slider-crank gained 3.8 % of its energy, and the double pendulum 0.5 %. The crane's
// motors hold 8 t with links of 40 kg, and what they give is known to a twentieth.
Test(bursts, conjugate_gradients_gain_nothing) {
    static const char *const names[] = {"coaster", "double_pendulum", "slider_crank", "crane"};
    for (int i = 0; i < 4; ++i) {
        double gain = get_gain(names[i], TN_SOLVER_CG, i == 3);
        cr_expect(gain < (i == 3 ? 0.01 : 0.005), "%s gains %g", names[i], gain);
    }
}
