// See solver/mechanism_coast.c.
#include "tests/solver/machine.h"

#include "solver/mechanism_stage.h"

// Two rods swing out from level. The method is of first order and damps.
Test(mechanism_coast, swings_with_closed_joints_and_gains_no_energy) {
    machine *m = machine_create();
    tni_dvec3 inertia = dvec3_make(0.01, 0.1, 0.1);
    uint32_t a = machine_add_body(m, 1.0, inertia, dvec3_make(0.5, 0.0, 0.0));
    uint32_t b = machine_add_body(m, 1.0, inertia, dvec3_make(1.5, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_BALL, WORLD, a, dvec3_make(0.0, 0.0, 0.0), upright);
    machine_add_joint(m, TN_JOINT_TYPE_BALL, a, b, dvec3_make(1.0, 0.0, 0.0), upright);
    machine_finish(m);
    double before = machine_energy(m), start = before;
    for (int i = 0; i < 480; ++i) {
        cr_assert(tni_mechanism_coast(&m->mechanism, 1.0 / 240.0));
        double now = machine_energy(m);
        cr_assert(now < before + 1e-9, "%d: %g J more", i, now - before);
        cr_assert(machine_gap(m) < 1e-5, "%d: %g m", i, machine_gap(m));
        before = now;
    }
    cr_assert(start - before < 5.0, "%g J lost", start - before);
    machine_destroy(m);
}
