// The energy ledger of mechanisms: motors are told what they lift, joints do next to nothing, and
// what rests on a mechanism is lifted by its motors, not by its contacts.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
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
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
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

// The motor has done what the energy has gained since the start, the joints nothing.
static void check_work(tn_joint_id hinge, double start, double share) {
    double gained = get_energy() - start, work = tn_joint_get_motor_work(world, hinge);
    cr_assert(fabs(work - gained) < share * gained, "%g of %g J", work, gained);
    double of_joints = tn_world_get_energy(world).joint_work;
    cr_assert(fabs(of_joints) < share * gained, "joints %g J", of_joints);
}

// Turned upward, the weight swings: m g h and its speed is what the motor has done.
Test(mechanism_ledger, a_motor_is_told_what_it_lifts) {
    tn_joint_id hinge = make_arm(
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 1.0f, .max_force = INFINITY});
    double start = get_energy();
    for (int i = 0; i < 90; ++i) {
        test_step(world, 1);
        check_work(hinge, start, 1e-5);
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
        check_work(hinge, start, 1e-4);
    }
    cr_assert(get_energy() - start > 2000.0);
}

static double get_sum(const tn_energy *e) {
    return e->gravity_work + e->motor_work + e->spring_work + e->force_work + e->joint_work +
           e->friction_work + e->impact_work + e->damping_work;
}

// A platform on a slider with a box lying loose on it, lifted ever faster, from step to step by
// 8 mm/s more: of what the motor does a thousandth is lost in these jerks. Faster than 0.5 m/s the
// platform takes a way in a substep that would be deep if the box did not go with it.
Test(mechanism_ledger, a_motor_is_told_what_lies_on_what_it_lifts) {
    tn_body_id platform =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0, (tn_vec3){0.5, 0.05, 0.5});
    test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.25, 0.0, (tn_vec3){0.2, 0.2, 0.2});
    tn_slider_joint_def def = tn_slider_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, platform,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0}));
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .max_force = INFINITY};
    def.motor = motor;
    tn_joint_id slider = tn_slider_joint_create(world, &def);
    tn_energy start = tn_world_get_energy(world);
    for (int i = 0; i < 120; ++i) {
        motor.target_speed = (float)i / 120.0f;
        tn_slider_joint_set_motor(world, slider, motor);
        test_step(world, 1);
        tn_energy e = tn_world_get_energy(world);
        cr_assert(fabs(get_sum(&e) - e.kinetic) < 1e-6 * (1.0 + e.motor_work), "step %d", i);
    }
    tn_energy e = tn_world_get_energy(world);
    double lifted = e.potential - start.potential, gained = lifted + e.kinetic;
    double work = tn_joint_get_motor_work(world, slider);
    cr_assert(lifted > 1500.0);
    cr_assert(fabs(work - gained) < 1e-3 * gained, "%g of %g J", work, gained);
    cr_assert(fabs(e.gravity_work + lifted) < 1e-3 * lifted, "%g of %g J", e.gravity_work, lifted);
    cr_assert(fabs(e.impact_work) < 2e-3 * gained, "%g J", e.impact_work);
    cr_assert(fabs(e.friction_work) < 1e-4 * gained, "%g J", e.friction_work);
    cr_assert(fabs(e.joint_work) < 1e-6 * gained, "%g J", e.joint_work);
}

// A ball falls on a plate that hangs from the world. Returns the largest force in a step; all in
// all the joint takes every N s of gravity.
static double get_blow(uint32_t substeps) {
    teardown();
    setup();
    tn_body_id plate =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0, (tn_vec3){0.5, 0.1, 0.5});
    tn_body_id ball = test_ball_create(world, 0.0, 1.0, 0.0, 0.2f);
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, plate,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0}));
    tn_joint_id joint = tn_fixed_joint_create(world, &def);
    double mass = tn_body_get_mass(world, ball).mass + tn_body_get_mass(world, plate).mass;
    double sum = 0.0, largest = 0.0;
    for (int i = 0; i < 60; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, substeps) == TN_RESULT_OK);
        double force = tn_joint_get_reaction(world, joint).force.y;
        sum += force / 60.0;
        largest = fmax(largest, force);
    }
    cr_assert(fabs(sum - mass * 9.81) < 1e-4 * mass * 9.81, "%g of %g N s", sum, mass * 9.81);
    return largest;
}

// In the step of the blow the joint tells the ball's momentum m v too, as the mean force over that
// step, however many substeps it has.
Test(mechanism_ledger, a_joint_tells_the_blow_it_takes) {
    const double density = 1000.0, volume = 4.0 / 3.0 * 3.14159265 * 0.008;
    double blow = 60.0 * density * volume * sqrt(2.0 * 9.81 * 0.7), weight = 9.81 * 233.51;
    for (uint32_t substeps = 1; substeps <= 16; substeps *= 4) {
        double force = get_blow(substeps);
        cr_assert(force > blow && force < blow + weight, "%g, not %g to %g N", force, blow,
                  blow + weight);
    }
}

// A ball comes onto a plate that a spring holds, at 4 m/s and stays there. The spring is too stiff
// for a substep and takes what momentum the two do not keep, at the mean of the plate's speeds
// before and after: none, and v.
Test(mechanism_ledger, a_stiff_spring_is_told_its_share_of_a_blow) {
    for (double stiffness = 1e7; stiffness < 2e10; stiffness *= 10.0) {
        teardown();
        setup();
        tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        tn_body_id plate =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0, (tn_vec3){0.5, 0.05, 0.5});
        tn_body_id ball = test_ball_create(world, 0.0, 0.26, 0.0, 0.2f);
        tn_body_set_velocity(world, ball, (tn_velocity){.linear = {0.0, -4.0, 0.0}});
        tn_slider_joint_def def = tn_slider_joint_def_default();
        cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, plate,
                                          (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0}));
        def.spring.mode = TN_SPRING_MODE_STIFFNESS;
        def.spring.stiffness = (float)stiffness;
        cr_assert(tn_slider_joint_create(world, &def).value != 0);
        double of_ball = tn_body_get_mass(world, ball).mass;
        double both = of_ball + tn_body_get_mass(world, plate).mass;
        cr_assert(tn_world_step(world, 1.0 / 240.0, 1) == TN_RESULT_OK);
        double v = tn_body_get_velocity(world, plate).linear.y;
        cr_assert(v < -1e-4 && fabs(tn_body_get_velocity(world, ball).linear.y - v) < 1e-6);
        double taken = 4.0 * of_ball + both * v, work = 0.5 * taken * v;
        tn_energy e = tn_world_get_energy(world);
        cr_assert(fabs(e.spring_work - work) < 1e-4 * -work, "%g N/m: %g of %g J", stiffness,
                  e.spring_work, work);
        cr_assert(fabs(e.joint_work) < 1e-4 * -work, "%g N/m: joints %g J", stiffness,
                  e.joint_work);
    }
}
