// Energy and momentum.
#include "world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(energy, .init = setup, .fini = teardown);

Test(energy, energy_and_momentum_are_those_of_the_textbook) {
    tn_body_def def = tn_body_def_default();
    def.has_mass = true;
    def.mass.mass = 2.0;
    def.mass.inertia = (tn_mat3_symmetric){1.0, 1.0, 1.5, 0.0, 0.0, 0.0};
    def.pose.position = (tn_position){1.0, 2.0, 0.0};
    // Turned by 90 degrees about x: the body's z axis, with 1.5 kg m^2, is the world's -y.
    def.pose.rotation[0] = def.pose.rotation[3] = sqrt(0.5);
    def.velocity.linear = (tn_dvec3){3.0, 0.0, 0.0};
    def.velocity.angular = (tn_dvec3){0.0, 4.0, 0.0};
    def.gravity_scale = 0.5f;
    tn_body_id body = tn_body_create(world, &def);
    TEST_NEAR(tn_body_get_kinetic_energy(world, body), 0.5 * 2.0 * 9.0 + 0.5 * 1.5 * 16.0, 1e-12);
    TEST_NEAR(tn_body_get_angular_momentum(world, body).y, 6.0, 1e-12);
    cr_assert(tn_body_get_linear_momentum(world, body).x == 6.0);
    test_ball_create(world, 0.0, 100.0, 0.0, 0.5f);
    tn_energy energy = tn_world_get_energy(world);
    TEST_NEAR(energy.kinetic, 21.0, 1e-12);
    double ball = 1000.0 * 3.14159265358979 / 6.0;
    TEST_NEAR(energy.potential, 9.81 * (2.0 * 0.5 * 2.0 + ball * 100.0), 0.05);
    TEST_NEAR(energy.linear_momentum.x, 6.0, 1e-12);
    TEST_NEAR(energy.angular_momentum.y, 6.0, 1e-12);
    TEST_NEAR(energy.angular_momentum.z, -12.0, 1e-12);
}

// A pile that falls, slides and comes to rest: all the work in the ledger adds up to the change of
// kinetic energy.
Test(energy, the_ledger_adds_up) {
    tn_world_def def = tn_world_def_default();
    def.enable_energy_ledger = true;
    tn_world *counted = tn_world_create(&def, NULL);
    test_floor_create(counted);
    for (int i = 0; i < 12; ++i) {
        tn_body_id box = test_box_create(counted, TN_BODY_TYPE_DYNAMIC, 0.2 * (i % 3),
                                         0.6 + 1.1 * i, 0.1 * (i % 2), (tn_vec3){0.5f, 0.5f, 0.5f});
        tn_body_set_damping(counted, box, 0.1f, 0.1f);
        tn_body_set_linear_velocity(counted, box, (tn_vec3){2.0f, 0.0f, 0.0f});
    }
    tn_energy first = tn_world_get_energy(counted);
    double turned_over = 0.0;
    for (int i = 0; i < 240; ++i) {
        cr_assert(tn_world_step(counted, 1.0 / 60.0, 4) == TN_RESULT_OK);
        tn_energy e = tn_world_get_energy(counted);
        double sum = e.gravity_work + e.motor_work + e.spring_work + e.force_work + e.joint_work +
                     e.friction_work + e.impact_work + e.damping_work;
        turned_over = fmax(turned_over, fabs(e.gravity_work));
        // Impulses are floats: a part in 1e5 of what was turned over.
        TEST_NEAR(e.kinetic - first.kinetic, sum, 1e-4 * turned_over + 1.0);
    }
    tn_world_destroy(counted);
}
