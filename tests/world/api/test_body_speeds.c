// Speed limits: a body leaves no step faster, what it loses is booked, and nothing else is touched.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

static double speed_of(tn_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

// v = g t up to 5 m/s, which are reached after 0.51 s; from there y falls by 5 m/s and what a step
// adds before it is cut, at most g h more.
Test(body_speeds, a_body_falls_no_faster_than_its_limit, .init = setup, .fini = teardown) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 100.0, 0.0);
    tn_body_id free = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 5.0, 100.0, 0.0);
    cr_assert(isinf(tn_body_get_max_linear_speed(world, body)));
    cr_assert(tn_body_set_max_speeds(world, body, 5.0f, 0.0f) == TN_RESULT_OK);
    cr_assert(tn_body_get_max_linear_speed(world, body) == 5.0f);
    cr_assert(isinf(tn_body_get_max_angular_speed(world, body)));
    for (int i = 1; i <= 120; ++i) {
        test_step(world, 1);
        double fall = 9.81 * i / 60.0;
        TEST_NEAR(speed_of(tn_body_get_velocity(world, body).linear), fmin(5.0, fall), 1e-6);
        TEST_NEAR(speed_of(tn_body_get_velocity(world, free).linear), fall, 1e-5);
    }
    double fallen = 100.0 - tn_body_get_center(world, body).y;
    double straight = 5.0 * 5.0 / (2.0 * 9.81) + 5.0 * (2.0 - 5.0 / 9.81);
    cr_assert(fallen > straight - 0.01 && fallen < straight + 0.5 * 9.81 / 60.0 * 2.0);
}

// Directions stay; a spin and a flight have a limit each; 0 and INFINITY are none.
Test(body_speeds, a_thrown_body_keeps_its_direction, .init = setup, .fini = teardown) {
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_def def = tn_body_def_default();
    def.velocity = (tn_velocity){{30.0, -40.0, 0.0}, {0.0, 6.0, 8.0}};
    def.max_linear_speed = 10.0f;
    def.max_angular_speed = 5.0f;
    tn_body_id body = tn_body_create(world, &def);
    test_step(world, 1);
    tn_velocity v = tn_body_get_velocity(world, body);
    TEST_NEAR(v.linear.x, 6.0, 1e-9);
    TEST_NEAR(v.linear.y, -8.0, 1e-9);
    TEST_NEAR(v.angular.y, 3.0, 1e-6);
    TEST_NEAR(v.angular.z, 4.0, 1e-6);
    tn_body_set_max_speeds(world, body, INFINITY, 0.0f);
    tn_body_set_velocity(world, body, def.velocity);
    test_step(world, 1);
    v = tn_body_get_velocity(world, body);
    TEST_NEAR(v.linear.x, 30.0, 1e-9);
    TEST_NEAR(v.angular.z, 8.0, 1e-6);
}

// A limited bob on a rod: it swings, slower, the rod holds, and the ledger closes.
Test(body_speeds, a_joint_holds_a_body_that_is_slowed_down, .init = setup, .fini = teardown) {
    tn_body_id bob = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 2.0, 0.0, 0.0);
    tn_body_set_max_speeds(world, bob, 3.0f, 2.0f);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, bob, (tn_vec3){0.0, 0.0, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    tn_joint_id joint = tn_hinge_joint_create(world, &def);
    tn_energy before = tn_world_get_energy(world);
    double fastest = 0.0;
    for (int i = 0; i < 600; ++i) {
        test_step(world, 1);
        fastest = fmax(fastest, speed_of(tn_body_get_velocity(world, bob).linear));
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-3);
    }
    cr_assert(fastest > 2.9 && fastest <= 3.0 + 1e-9, "%g", fastest);
    tn_energy after = tn_world_get_energy(world);
    cr_assert(after.damping_work < -1.0, "%g", after.damping_work);
    double change = after.kinetic + after.potential - before.kinetic - before.potential;
    TEST_NEAR(change, after.damping_work + after.joint_work, 0.02 * fabs(change) + 0.02);
}

Test(body_speeds, bad_limits_are_refused) {
    world = test_world_create(&reports);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    TEST_REPORTS(&reports, tn_body_set_max_speeds(world, body, NAN, 1.0f), TN_RESULT_NOT_FINITE);
    TEST_REPORTS(&reports, tn_body_set_max_speeds(world, body, 1.0f, -1.0f),
                 TN_RESULT_INVALID_ARGUMENT);
    tn_body_def def = tn_body_def_default();
    def.max_angular_speed = -1.0f;
    TEST_REPORTS(&reports, tn_body_create(world, &def), TN_RESULT_INVALID_ARGUMENT);
    cr_assert(isinf(tn_body_get_max_linear_speed(world, body)));
    tn_world_destroy(world);
}
