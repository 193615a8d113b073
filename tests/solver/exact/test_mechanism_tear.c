// Hubs in several pieces: legs between a body and its crank, many joints on one body.
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

// A body on ball joints to the world, all over it.
static machine *make_crowd(uint32_t joints) {
    machine *m = machine_create();
    tni_dvec3 inertia = dvec3_make(0.3, 0.2, 0.4);
    uint32_t body = machine_add_body(m, 5.0, inertia, dvec3_make(0.0, 0.0, 0.0));
    for (uint32_t i = 0; i < joints; ++i) {
        tni_dvec3 point = dvec3_make(0.1 * (i % 7), 0.2 * (i % 5), 0.05 * i);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, WORLD, body, point, upright);
    }
    machine_finish(m);
    return m;
}

static void expect_solution(machine *m, uint32_t copies, double tolerance) {
    cr_assert(m->mechanism.copy_count == copies, "%u copies", m->mechanism.copy_count);
    cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.0));
    solve_numbered(m);
    double fault = get_fault_of_solution(m);
    cr_assert(fault < tolerance, "%g", fault);
    machine_destroy(m);
}

// The crank holds fewer joints than the body: it goes in pieces of two joints.
Test(mechanism_tear, solves_through_hubs_that_are_torn) {
    expect_solution(make_legs(5), 0, 1e-13);
    expect_solution(make_legs(20), 11, 1e-12);
    expect_solution(make_crowd(80), 40, 1e-11);
}

// Copies of two hubs with joints between these, which is one edge for two bodies.
Test(mechanism_tear, solves_through_two_hubs_that_are_torn) {
    machine *m = machine_create();
    tni_dvec3 inertia = dvec3_make(0.3, 0.2, 0.4);
    uint32_t a = machine_add_body(m, 5.0, inertia, dvec3_make(0.0, 0.0, 0.0));
    uint32_t b = machine_add_body(m, 2.0, inertia, dvec3_make(0.0, 1.0, 0.0));
    for (uint32_t i = 0; i < 20; ++i) {
        double x = 0.1 * (i % 6), z = 0.05 * i;
        machine_add_joint(m, TN_JOINT_TYPE_BALL, WORLD, a, dvec3_make(x, 0.0, z), upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, WORLD, b, dvec3_make(x, 1.0, z), upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, a, b, dvec3_make(x, 0.5, z), upright);
    }
    machine_finish(m);
    expect_solution(m, 40, 1e-11);
}

Test(mechanism_tear, pays_for_legs_between_hubs_by_their_number) {
    uint32_t fill[2];
    for (uint32_t k = 0; k < 2; ++k) {
        machine *m = make_legs(16 + 7 * k);
        fill[k] = m->mechanism.matrix.pattern.value_count;
        machine_destroy(m);
    }
    // Seven legs more than sixteen.
    cr_assert(fill[1] < 1.5 * fill[0], "%u and %u", fill[0], fill[1]);
}

Test(mechanism_tear, pays_for_joints_on_one_body_by_their_number) {
    uint32_t fill[2];
    for (uint32_t k = 0; k < 2; ++k) {
        machine *m = make_crowd(40 + 40 * k);
        fill[k] = m->mechanism.matrix.pattern.value_count;
        machine_destroy(m);
    }
    cr_assert(fill[1] < 2.1 * fill[0], "%u and %u", fill[0], fill[1]);
}
