// Energy and momentum.
#include "tests/world/world_test.h"

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
    def.pose.position = (tn_vec3){1.0, 2.0, 0.0};
    // Turned by 90 degrees about x: the body's z axis, with 1.5 kg m^2, is the world's -y.
    def.pose.rotation.x = def.pose.rotation.w = sqrt(0.5);
    def.velocity.linear = (tn_vec3){3.0, 0.0, 0.0};
    def.velocity.angular = (tn_vec3){0.0, 4.0, 0.0};
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
    def.has_energy_ledger = true;
    tn_world *counted = tn_world_create(&def, NULL);
    test_floor_create(counted);
    for (int i = 0; i < 12; ++i) {
        tn_body_id box = test_box_create(counted, TN_BODY_TYPE_DYNAMIC, 0.2 * (i % 3),
                                         0.6 + 1.1 * i, 0.1 * (i % 2), (tn_vec3){0.5, 0.5, 0.5});
        tn_body_set_damping(counted, box, 0.1f, 0.1f);
        tn_body_set_linear_velocity(counted, box, (tn_vec3){2.0, 0.0, 0.0});
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

// ---- motors -----------------------------------------------------------------------------------

#define MOTOR_COUNT 4

static void make_motors(tn_world *driven, tn_joint_id *out_joints) {
    tn_motor turn = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = 3.0f, .max_force = 900.0f};
    tn_motor hold = {.mode = TN_MOTOR_MODE_POSITION,
                     .target_position = 1.5f,
                     .stiffness = 4000.0f,
                     .damping = 300.0f,
                     .max_force = INFINITY};
    for (int i = 0; i < MOTOR_COUNT; ++i) {
        double x = 10.0 * i;
        tn_body_id arm = test_box_create(driven, TN_BODY_TYPE_DYNAMIC, x + 1.0, 0.0, 0.0,
                                         (tn_vec3){1.0, 0.1, 0.1});
        tn_joint_def base = tn_joint_def_default();
        tn_joint_def_set_frames(driven, &base, (tn_body_id){0}, arm, (tn_vec3){x, 0.0, 0.0},
                                i < 2 ? (tn_vec3){0.0, 0.0, 1.0} : (tn_vec3){0.0, 1.0, 0.0});
        if (i < 2) {
            tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
            hinge.base = base;
            hinge.motor = i == 0 ? turn : hold;
            out_joints[i] = tn_hinge_joint_create(driven, &hinge);
        } else {
            tn_slider_joint_def slider = tn_slider_joint_def_default();
            slider.base = base;
            slider.motor = i == 2 ? turn : hold;
            out_joints[i] = tn_slider_joint_create(driven, &slider);
        }
        cr_assert(out_joints[i].value != 0);
    }
}

Test(energy, the_ledger_has_what_a_body_loses_that_falls_asleep) {
    tn_world_def def = tn_world_def_default();
    def.has_energy_ledger = true;
    def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    tn_world *counted = tn_world_create(&def, NULL);
    tn_body_id ball = test_ball_create(counted, 0.0, 0.0, 0.0, 0.5f);
    tn_body_set_linear_velocity(counted, ball, (tn_vec3){1e-5, 0.0, 0.0});
    double kinetic = tn_body_get_kinetic_energy(counted, ball);
    test_step(counted, 240);
    cr_assert(!tn_body_is_awake(counted, ball) && kinetic > 0.0);
    TEST_NEAR(tn_world_get_energy(counted).damping_work, -kinetic, 1e-9 * kinetic);
    tn_world_destroy(counted);
}

Test(energy, the_work_of_motors_is_the_same_with_and_without_a_ledger) {
    double works[2][MOTOR_COUNT];
    for (int i = 0; i < 2; ++i) {
        tn_world_def def = tn_world_def_default();
        def.has_energy_ledger = i == 0;
        tn_world *driven = tn_world_create(&def, NULL);
        tn_joint_id joints[MOTOR_COUNT];
        make_motors(driven, joints);
        test_step(driven, 180);
        double sum = 0.0;
        for (int j = 0; j < MOTOR_COUNT; ++j) {
            works[i][j] = tn_joint_get_motor_work(driven, joints[j]);
            sum += works[i][j];
        }
        if (i == 0) {
            TEST_NEAR(sum, tn_world_get_energy(driven).motor_work, 1e-9 * fabs(sum));
        }
        tn_world_destroy(driven);
    }
    for (int j = 0; j < MOTOR_COUNT; ++j) {
        cr_assert(fabs(works[0][j]) > 1.0);
        TEST_NEAR(works[1][j], works[0][j], 0.01 * fabs(works[0][j]));
    }
}
