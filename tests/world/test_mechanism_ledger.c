// The energy ledger of mechanisms: motors are told what they lift, and joints do next to nothing.
#include "world_test.h"

static tn_world *world;

static void setup(void) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    def.enable_sleep = false;
    def.enable_energy_ledger = true;
    world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(mechanism_ledger, .init = setup, .fini = teardown);

static tn_body_id make_weight(double x, double y, double mass) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, y, 0.0);
    tn_mass given = {.mass = mass};
    given.inertia.xx = given.inertia.yy = given.inertia.zz = 0.02 * mass;
    tn_body_set_mass(world, body, given);
    return body;
}

static tn_hinge_joint_def get_hinge(tn_body_id a, tn_body_id b, double x, double y) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_position){x, y, 0.0},
                                      (tn_dvec3){0.0, 0.0, 1.0}));
    return def;
}

// An arm of 1 kg and 1 m, level, with 200 kg on a rod of half a metre at its end. Returns its
// hinge.
static tn_joint_id make_arm(tn_motor motor) {
    tn_body_id arm = make_weight(0.5, 0.0, 1.0), weight = make_weight(1.0, -0.5, 200.0);
    tn_hinge_joint_def def = get_hinge((tn_body_id){0}, arm, 0.0, 0.0);
    def.motor = motor;
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);
    def = get_hinge(arm, weight, 1.0, 0.0);
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    return hinge;
}

static double get_energy(void) {
    tn_energy e = tn_world_get_energy(world);
    return e.kinetic + e.potential;
}

// Turned upward, the weight swings: m g h and its speed is what the motor has done.
Test(mechanism_ledger, a_motor_is_told_what_it_lifts) {
    tn_joint_id hinge = make_arm(
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = INFINITY});
    double start = get_energy();
    for (int i = 0; i < 90; ++i) {
        test_step(world, 1);
        double gained = get_energy() - start, work = tn_joint_get_motor_work(world, hinge);
        cr_assert(fabs(work - gained) < 1e-5 * gained, "%g of %g J", work, gained);
        double of_joints = tn_world_get_energy(world).joint_work;
        cr_assert(fabs(of_joints) < 1e-5 * gained, "joints %g J", of_joints);
    }
    cr_assert(get_energy() - start > 2000.0);
}

// A hydraulic drive, stiffer than a substep resolves, whose command jumps from step to step: it
// jerks the weight, so that it puts in and takes out much more than is left in the end.
Test(mechanism_ledger, a_stiff_drive_is_told_what_it_lifts) {
    tn_motor motor = {
        .mode = TN_MOTOR_MODE_POSITION, .stiffness = 1e10f, .damping = 1e8f, .max_force = INFINITY};
    tn_joint_id hinge = make_arm(motor);
    double start = get_energy();
    for (int i = 0; i < 90; ++i) {
        motor.target_position = (float)(i + 1) / 60.0f;
        tn_hinge_joint_set_motor(world, hinge, motor);
        test_step(world, 1);
        double gained = get_energy() - start, work = tn_joint_get_motor_work(world, hinge);
        cr_assert(fabs(work - gained) < 1e-4 * gained, "%g of %g J", work, gained);
        double of_joints = tn_world_get_energy(world).joint_work;
        cr_assert(fabs(of_joints) < 1e-4 * gained, "joints %g J", of_joints);
    }
    cr_assert(get_energy() - start > 2000.0);
}
