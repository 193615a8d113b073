// Scene shake_table: a block slides as Coulomb's law has it.
#include <math.h>

#include "scene_test.h"
#include "tests/support/long_test.h"

TestSuite(shake_table, .timeout = 60);

// How far a block is from its place after 5 s on a table that goes A sin(4 pi t), A growing to its
// size in the first second, m. The table's speed in each instant is reached as far as friction
// allows.
static double slide_on_table(double amplitude) {
    double w = 4.0 * 3.14159265358979323846, dt = 1e-4, v = 0.0, before = 0.0, slid = 0.0;
    double most = 0.6 * 9.81 * dt;
    for (int i = 1; i <= 50000; ++i) {
        double t = i * dt, size = amplitude * fmin(1.0, t), rate = t < 1.0 ? amplitude : 0.0;
        double table = size * w * cos(w * t) + rate * sin(w * t), old = v - before;
        v += fmax(-most, fmin(most, table - v));
        slid += 0.5 * (old + v - table) * dt;
        before = table;
    }
    return fabs(slid);
}

// Friction is exceeded by 7, 34 and 61 % at most, and not at all by 0.03 m. Each half period slides
// it back as far as the other one slid it on, but for how it began: 0, 0, 6.3 and 20.7 mm are left.
LONG_TEST(shake_table, a_block_slides_as_far_as_friction_lets_it) {
    static const double amplitudes[] = {0.03, 0.04, 0.05, 0.06};
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT,
                                        TN_SOLVER_CG};
    for (int i = 0; i < 16; ++i) {
        scene_choice choices[4] = {
            {"amplitude", amplitudes[i % 4]}, {"blocks", 1.0}, {"hertz", 2.0}};
        double values[SCENE_MAX_OPTIONS];
        const scene *found = scene_find("shake_table");
        cr_assert(scene_get_values(found, choices, 3, values));
        scene_run *run = scene_run_create(found, values, NULL);
        cr_assert_not_null(run);
        tn_world_set_solver(run->world, solvers[i / 4]);
        for (int k = 0; k < 300; ++k) {
            cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
        }
        scene_run_measure(run);
        double slid = get_figure(run, "slid_m"), want = slide_on_table(amplitudes[i % 4]);
        cr_assert(fabs(slid - want) < 5e-4, "%g m, solver %d: %g m for %g", amplitudes[i % 4],
                  (int)solvers[i / 4], slid, want);
        scene_run_destroy(run);
    }
}
