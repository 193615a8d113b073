// Hubs in several pieces: legs between a body and its crank.
#include "tests/solver/machine.h"

// A body and a crank on it, with legs of two bars between them: the body holds two points of each
// leg and the crank one.
static machine *make_legs(uint32_t legs) {
    machine *m = machine_create();
    tni_dvec3 inertia = dvec3_make(0.3, 0.2, 0.4), bar = dvec3_make(0.01, 0.1, 0.1);
    uint32_t body = machine_add_body(m, 5.0, inertia, dvec3_make(0.0, 0.0, 0.0));
    uint32_t crank = machine_add_body(m, 2.0, inertia, dvec3_make(0.2, 0.1, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, body, crank, dvec3_make(0.1, 0.1, 0.0), upright);
    for (uint32_t i = 0; i < legs; ++i) {
        double z = 0.3 * i, y = 0.1 * (i % 3);
        uint32_t upper = machine_add_body(m, 1.0, bar, dvec3_make(0.5, y, z));
        uint32_t lower = machine_add_body(m, 0.5, bar, dvec3_make(0.6, y - 0.4, z));
        machine_add_joint(m, TN_JOINT_TYPE_BALL, body, upper, dvec3_make(0.2, y, z), upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, crank, upper, dvec3_make(0.4, y + 0.1, z),
                          upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, upper, lower, dvec3_make(0.8, y - 0.1, z),
                          upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, lower, body, dvec3_make(0.3, y - 0.5, z), upright);
    }
    machine_finish(m);
    return m;
}

Test(mechanism_tear, solves_through_hubs_that_are_torn) {
    machine *m = make_legs(5);
    tni_mechanism *mechanism = &m->mechanism;
    cr_assert(mechanism->hub_count == 2 && mechanism->copy_count == 5, "%u copies",
              mechanism->copy_count);
    cr_assert(tni_mechanism_project_begin(mechanism, 0.0));
    solve_numbered(m);
    double fault = get_fault_of_solution(m);
    cr_assert(fault < 1e-13, "%g", fault);
    machine_destroy(m);
}

Test(mechanism_tear, pays_for_legs_between_hubs_by_their_number) {
    uint32_t fill[2];
    for (uint32_t k = 0; k < 2; ++k) {
        machine *m = make_legs(6 + 6 * k);
        fill[k] = m->mechanism.pattern.value_count;
        machine_destroy(m);
    }
    // Six more legs: what the first six took, and the ties' triangle.
    cr_assert(fill[1] < 3 * fill[0], "%u and %u", fill[0], fill[1]);
}
