// A stage of the midpoint rule: its order, and the way out where it fails.
#include "tests/solver/machine.h"

static tni_dvec3 double_pendulum_end(uint32_t substeps) {
    machine *m = make_double_pendulum();
    machine_run(m, 1.0 / 60.0 / substeps, 60 * substeps);
    tni_dvec3 end = m->bodies[1].motion.position;
    machine_destroy(m);
    return end;
}

Test(midpoint, is_of_second_order_on_a_double_pendulum) {
    tni_dvec3 fine = double_pendulum_end(128);
    double error[3];
    for (int k = 0; k < 3; ++k) {
        error[k] = dvec3_length(dvec3_sub(double_pendulum_end(4u << k), fine));
    }
    for (int k = 0; k < 2; ++k) {
        double order = log2(error[k] / error[k + 1]);
        cr_assert(order > 1.9 && order < 2.2, "errors %g %g %g: order %g", error[0], error[1],
                  error[2], order);
    }
}

// The way out where the midpoint rule fails: it holds the joints, loses energy and never gains any.
Test(midpoint, goes_on_by_backward_euler_without_a_gain) {
    const double masses[3] = {10.0, 1000.0, 10000.0};
    for (int k = 0; k < 3; ++k) {
        machine *m = make_chain(masses[k]);
        double before = machine_energy(m), start = before, gap = 0.0;
        double drop = 9.81 * (10.2 * masses[k] + 100.0);
        for (int i = 0; i < 480; ++i) {
            cr_assert(tni_stage_run(&m->mechanism, 1.0 / 240.0, true, true));
            double now = machine_energy(m);
            cr_assert(now < before + 1e-9 * drop, "%g kg, step %d: %g J", masses[k], i,
                      now - before);
            before = now;
            gap = fmax(gap, machine_gap(m));
        }
        cr_assert(gap < 1e-9, "%g kg: gap %g", masses[k], gap);
        // It has swung through: most of what it had is there still.
        cr_assert(start - before < 0.15 * drop, "%g kg: %g lost", masses[k], start - before);
        cr_assert(m->bodies[20].motion.position.x < 0.0);
        machine_destroy(m);
    }
}
