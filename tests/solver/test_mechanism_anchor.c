// Bodies that a hinge or a slider holds to what does not move.
#include "tests/solver/machine.h"

enum {
    CRANK,
    ROD,
    PISTON
};

// A crank on the world, its hinge with a motor or without, a rod, and a piston that slides in the
// world, which is body a of both or body b. The rod's far end is a ball.
static machine *make_slider_crank(bool is_world_first, bool has_motor) {
    machine *m = machine_create();
    machine_add_body(m, 5.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.02, 0.05, 0.01));
    machine_add_body(m, 2.0, dvec3_make(0.01, 0.1, 0.12), dvec3_make(0.2, 0.1, 0.0));
    machine_add_body(m, 1.0, dvec3_make(0.02, 0.03, 0.01), dvec3_make(0.5, 0.02, 0.0));
    tni_dquat turned = dquat_normalize((tni_dquat){0.1, 0.2, -0.3, 0.9});
    tni_joint *bearing =
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, is_world_first ? WORLD : CRANK,
                          is_world_first ? CRANK : WORLD, dvec3_make(0.0, 0.0, 0.1), turned);
    bearing->def.hinge = tn_hinge_joint_def_default();
    bearing->def.hinge.motor.mode = has_motor ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
    bearing->def.hinge.motor.max_force = INFINITY;
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, CRANK, ROD, dvec3_make(0.05, 0.2, 0.0), upright);
    machine_add_joint(m, TN_JOINT_TYPE_BALL, ROD, PISTON, dvec3_make(0.4, 0.0, 0.0), upright);
    machine_add_joint(m, TN_JOINT_TYPE_SLIDER, is_world_first ? WORLD : PISTON,
                      is_world_first ? PISTON : WORLD, dvec3_make(0.5, 0.0, 0.0), turned);
    machine_finish(m);
    return m;
}

Test(mechanism_anchor, solves_for_anchored_bodies_with_all_their_rows) {
    for (uint32_t kind = 0; kind < 4; ++kind) {
        machine *m = make_slider_crank((kind & 1) != 0, (kind & 2) != 0);
        cr_assert(m->bodies[CRANK].anchor >> 1 == 0 && m->bodies[PISTON].anchor >> 1 == 3);
        cr_assert(m->bodies[ROD].anchor == TNI_NONE && m->joints[0].is_anchor);
        cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.0));
        cr_assert(m->joints[0].softness[0] == 0.0 && m->joints[1].softness[0] > 0.0);
        solve_numbered(m);
        double fault = get_fault_of_solution(m);
        cr_assert(fault < 1e-13, "%u: %g", kind, fault);
        machine_destroy(m);
    }
}

// The same for a body alone, whose rows are all its anchor's.
Test(mechanism_anchor, solves_for_an_anchored_body_alone) {
    machine *m = machine_create();
    machine_add_body(m, 3.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.2, 0.5, 0.1));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, 0, WORLD, dvec3_make(0.0, 0.0, 0.0), upright);
    machine_finish(m);
    cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.0));
    solve_numbered(m);
    double fault = get_fault_of_solution(m);
    cr_assert(fault < 1e-13, "%g", fault);
    machine_destroy(m);
}

// Two hinges share what they carry, as no anchor would.
Test(mechanism_anchor, two_hinges_of_a_door_are_no_anchors) {
    machine *m = machine_create();
    machine_add_body(m, 3.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.5, 1.0, 0.0));
    for (uint32_t i = 0; i < 2; ++i) {
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, 0, dvec3_make(0.0, 0.5 + i, 0.0), upright);
    }
    machine_finish(m);
    cr_assert(m->bodies[0].anchor == TNI_NONE && m->bodies[0].end_count == 2);
    machine_destroy(m);
}
