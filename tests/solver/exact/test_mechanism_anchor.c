// Bodies that a hinge or a slider holds to what does not move.
#include "tests/solver/machine.h"

enum {
    CRANK,
    ROD,
    PISTON,
    STRUT
};

// Kinds of slider-cranks, as bits.
enum {
    WORLD_FIRST = 1, // the world is body a of bearing and guide, not body b
    MOTOR = 2,       // at the bearing
    PIN_MOTOR = 4,   // between crank and rod
    STRUTTED = 8,    // a strut between ball joints from crank to piston
    ALL_KINDS = 16
};

static void set_motor(tni_joint *hinge, bool has_motor) {
    hinge->def.hinge = tn_hinge_joint_def_default();
    hinge->def.hinge.motor.mode = has_motor ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
    hinge->def.hinge.motor.max_force = INFINITY;
}

// A crank on the world, a rod on it, and a piston that slides in the world. The rod's far end is a
// ball.
static machine *make_slider_crank(uint32_t kind) {
    bool is_world_first = (kind & WORLD_FIRST) != 0;
    machine *m = machine_create();
    machine_add_body(m, 5.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.02, 0.05, 0.01));
    machine_add_body(m, 2.0, dvec3_make(0.01, 0.1, 0.12), dvec3_make(0.2, 0.1, 0.0));
    machine_add_body(m, 1.0, dvec3_make(0.02, 0.03, 0.01), dvec3_make(0.5, 0.02, 0.0));
    tni_dquat turned = dquat_normalize((tni_dquat){0.1, 0.2, -0.3, 0.9});
    tni_joint *bearing =
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, is_world_first ? WORLD : CRANK,
                          is_world_first ? CRANK : WORLD, dvec3_make(0.0, 0.0, 0.1), turned);
    set_motor(bearing, (kind & MOTOR) != 0);
    tni_joint *pin =
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, is_world_first ? ROD : CRANK,
                          is_world_first ? CRANK : ROD, dvec3_make(0.05, 0.2, 0.0), upright);
    set_motor(pin, (kind & PIN_MOTOR) != 0);
    machine_add_joint(m, TN_JOINT_TYPE_BALL, ROD, PISTON, dvec3_make(0.4, 0.0, 0.0), upright);
    machine_add_joint(m, TN_JOINT_TYPE_SLIDER, is_world_first ? WORLD : PISTON,
                      is_world_first ? PISTON : WORLD, dvec3_make(0.5, 0.0, 0.0), turned);
    if ((kind & STRUTTED) != 0) {
        machine_add_body(m, 0.5, dvec3_make(0.01, 0.02, 0.03), dvec3_make(0.3, 0.1, 0.1));
        machine_add_joint(m, TN_JOINT_TYPE_BALL, CRANK, STRUT, dvec3_make(0.1, 0.1, 0.1), upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, STRUT, PISTON, dvec3_make(0.5, 0.1, 0.1), upright);
    }
    machine_finish(m);
    return m;
}

Test(mechanism_anchor, solves_for_anchored_bodies_with_all_their_rows) {
    for (uint32_t kind = 0; kind < ALL_KINDS; ++kind) {
        machine *m = make_slider_crank(kind);
        cr_assert(m->bodies[CRANK].place.anchor >> 1 == 0 &&
                  m->bodies[PISTON].place.anchor >> 1 == 3);
        cr_assert(m->bodies[ROD].place.anchor >> 1 == 1 && m->bodies[ROD].place.carrier == CRANK);
        cr_assert(m->joints[0].is_anchor && m->joints[1].is_anchor && !m->joints[2].is_anchor);
        cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.0));
        cr_assert(m->joints[1].softness[0] == 0.0 && m->joints[2].softness[0] > 0.0);
        solve_numbered(m);
        double fault = get_fault_of_solution(m);
        cr_assert(fault < 1e-13, "%u: %g", kind, fault);
        machine_destroy(m);
    }
}

static void check_solution(machine *m) {
    cr_assert(tni_mechanism_project_begin(&m->mechanism, 0.0));
    solve_numbered(m);
    double fault = get_fault_of_solution(m);
    cr_assert(fault < 1e-13, "%g", fault);
}

// The same for a body alone, whose rows are all its anchor's.
Test(mechanism_anchor, solves_for_an_anchored_body_alone) {
    machine *m = machine_create();
    machine_add_body(m, 3.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.2, 0.5, 0.1));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, 0, WORLD, dvec3_make(0.0, 0.0, 0.0), upright);
    machine_finish(m);
    check_solution(m);
    machine_destroy(m);
}

// A crankshaft with four rods on it would be a hub but for its bearing.
Test(mechanism_anchor, solves_for_all_that_rides_on_a_crankshaft) {
    machine *m = machine_create();
    machine_add_body(m, 5.0, dvec3_make(0.3, 0.2, 0.4), dvec3_make(0.0, 0.0, 0.0));
    machine_add_joint(m, TN_JOINT_TYPE_HINGE, WORLD, 0, dvec3_make(0.0, 0.0, 0.0), upright);
    for (uint32_t i = 0; i < 4; ++i) {
        double z = 0.2 * i, way = i % 2 == 0 ? 1.0 : -1.0;
        uint32_t rod =
            machine_add_body(m, 2.0, dvec3_make(0.01, 0.1, 0.12), dvec3_make(0.2, 0.1 * way, z));
        uint32_t piston =
            machine_add_body(m, 1.0, dvec3_make(0.02, 0.03, 0.01), dvec3_make(0.4, 0.0, z));
        machine_add_joint(m, TN_JOINT_TYPE_HINGE, 0, rod, dvec3_make(0.0, 0.1 * way, z), upright);
        machine_add_joint(m, TN_JOINT_TYPE_BALL, rod, piston, dvec3_make(0.4, 0.0, z), upright);
        machine_add_joint(m, TN_JOINT_TYPE_SLIDER, WORLD, piston, dvec3_make(0.4, 0.0, z), upright);
    }
    machine_finish(m);
    cr_assert(m->mechanism.hub_count == 0 && m->bodies[0].place.anchor == 1);
    for (uint32_t i = 0; i < 4; ++i) {
        cr_assert(m->bodies[1 + 2 * i].place.carrier == 0 &&
                  m->bodies[1 + 2 * i].place.own_count == 1);
    }
    check_solution(m);
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
    cr_assert(m->bodies[0].place.anchor == TNI_NONE && m->bodies[0].place.end_count == 2);
    machine_destroy(m);
}
