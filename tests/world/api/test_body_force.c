// Forces and impulses, and what masses and locks make of them.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(body_force, .init = setup, .fini = teardown);

Test(body_force, impulses_change_velocity_by_the_inverse_mass) {
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 1.0, 2.0, 3.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_apply_impulse(world, body, (tn_vec3){2000.0, 0.0, 0.0});
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 2.0, 1e-12);
    // I = 1000 / 6; an arm of 0.5 m along y.
    tn_body_apply_impulse_at(world, body, (tn_vec3){-2000.0, 0.0, 0.0}, (tn_vec3){1.0, 2.5, 3.0});
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 0.0, 1e-12);
    TEST_NEAR(tn_body_get_velocity(world, body).angular.z, 6.0, 1e-9);
    tn_body_apply_angular_impulse(world, body, (tn_vec3){0.0, 0.0, -1000.0});
    TEST_NEAR(tn_body_get_velocity(world, body).angular.z, 0.0, 1e-9);
}

Test(body_force, locked_axes_take_no_impulse) {
    tn_body_id body =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0, (tn_vec3){0.5, 1.0, 2.0});
    tn_body_set_locks(world, body,
                      TN_BODY_LOCK_LINEAR_Y | TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Z);
    tn_body_apply_impulse(world, body, (tn_vec3){8000.0, 8000.0, 8000.0});
    tn_body_apply_angular_impulse(world, body, (tn_vec3){1000.0, 1000.0, 1000.0});
    tn_velocity v = tn_body_get_velocity(world, body);
    cr_assert(v.linear.y == 0.0 && v.angular.x == 0.0 && v.angular.z == 0.0);
    TEST_NEAR(v.linear.x, 1.0, 1e-12);
    TEST_NEAR(v.angular.y, 1000.0 / tn_body_get_mass(world, body).inertia.yy, 1e-12);
}

// With one axis locked, the other two answer through the inverse of their own 2x2 block, not by the
// block of the inverse.

Test(body_force, a_lock_of_a_tilted_body_inverts_the_free_block) {
    tn_body_def def = tn_body_def_default();
    def.has_mass = true;
    def.mass.mass = 1.0;
    def.mass.inertia = (tn_mat3_symmetric){3.0, 4.0, 5.0, 0.7, 0.4, -0.3};
    def.locks = TN_BODY_LOCK_ANGULAR_Z;
    tn_body_id body = tn_body_create(world, &def);
    tn_body_apply_angular_impulse(world, body, (tn_vec3){1.0, 0.0, 0.0});
    tn_velocity v = tn_body_get_velocity(world, body);
    double determinant = 3.0 * 4.0 - 0.7 * 0.7;
    TEST_NEAR(v.angular.x, 4.0 / determinant, 1e-12);
    TEST_NEAR(v.angular.y, -0.7 / determinant, 1e-12);
    cr_assert(v.angular.z == 0.0);
}

Test(body_force, a_locked_body_stays_on_its_plane) {
    tn_body_id body = test_ball_create(world, 0.0, 5.0, 0.0, 0.5f);
    tn_body_set_locks(world, body, TN_BODY_LOCK_LINEAR_Y);
    tn_body_set_linear_velocity(world, body, (tn_vec3){1.0, 0.0, 0.0});
    test_step(world, 60);
    tn_pose pose = tn_body_get_pose(world, body);
    TEST_NEAR(pose.position.y, 5.0, 0.0);
    TEST_NEAR(pose.position.x, 1.0, 1e-9);
}

Test(body_force, forces_act_for_one_step) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.0, 0.0);
    tn_body_apply_force(world, body, (tn_vec3){6.0, 0.0, 0.0});
    tn_body_apply_force_at(world, body, (tn_vec3){0.0, 6.0, 0.0}, (tn_vec3){0.5, 0.0, 0.0});
    tn_body_apply_torque(world, body, (tn_vec3){0.0, 0.0, 3.0});
    test_step(world, 1);
    tn_velocity v = tn_body_get_velocity(world, body);
    TEST_NEAR(v.linear.x, 0.1, 1e-7);
    TEST_NEAR(v.linear.y, 0.1, 1e-7);
    TEST_NEAR(v.angular.z, 6.0 / 60.0 / 0.1, 1e-6);
    test_step(world, 1);
    TEST_NEAR(tn_body_get_velocity(world, body).linear.x, 0.1, 1e-7);
}

Test(body_force, forces_do_not_move_what_is_not_dynamic) {
    tn_body_id lift = test_body_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, 0.0, 0.0);
    tn_body_apply_force(world, lift, (tn_vec3){1e6, 0.0, 0.0});
    tn_body_apply_impulse(world, lift, (tn_vec3){1e6, 0.0, 0.0});
    tn_body_apply_angular_impulse(world, lift, (tn_vec3){1e6, 0.0, 0.0});
    test_step(world, 1);
    cr_assert(tn_body_get_velocity(world, lift).linear.x == 0.0);
    cr_assert(reports.count == 0);
}
