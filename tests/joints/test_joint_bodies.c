// Joints of bodies that are kinematic, become static, or sleep when the joint is told to work.
#include "joint_world.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    tn_vec3 none = {0.0, 0.0, 0.0};
    world = world_make(none, &reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

Test(joint_bodies, a_kinematic_body_carries_what_is_joined_to_it, .init = setup, .fini = teardown) {
    for (int type = 1; type < JOINT_TYPES; ++type) {
        tn_body_id platform = body_make(world, 0, 0, 0, 1, 1);
        tn_body_set_type(world, platform, TN_BODY_TYPE_KINEMATIC);
        tn_body_id load = body_make(world, 1, 0, 0, 5, 1);
        tn_joint_id joint = joint_make(world, (tn_joint_type)type, platform, load,
                                       (tn_vec3){0.5, 0, 0}, (tn_vec3){1, 0, 0});
        tn_body_set_velocity(world, platform, (tn_velocity){{0, 2, 0}, {0, 0, 0}});
        run(world, 2.0, 60, 4);
        cr_assert_float_eq(tn_body_get_pose(world, platform).position.y, 4.0, 1e-6);
        cr_assert_float_eq(tn_joint_get_error(world, joint).linear_length, 0.0, 1e-3);
        tn_body_destroy(world, platform);
        tn_body_destroy(world, load);
    }
    cr_assert(tn_world_count_joints(world) == 0 && reports.count == 0);
}

// A joint may outlive the last dynamic body it ties: it then rests, and works again later.
Test(joint_bodies, a_joint_between_bodies_that_became_static_rests, .init = setup,
     .fini = teardown) {
    tn_world_set_gravity(world, (tn_vec3){0, -10, 0});
    tn_body_id a = static_body_make(world, 0, 0, 0), b = body_make(world, 0, -1, 0, 1, 0.1);
    tn_joint_id joint =
        joint_make(world, TN_JOINT_TYPE_BALL, a, b, (tn_vec3){0, 0, 0}, (tn_vec3){1, 0, 0});
    tn_body_set_type(world, b, TN_BODY_TYPE_STATIC);
    run(world, 0.5, 60, 4);
    cr_assert(tn_world_get_telemetry(world).joints == 0 && tn_joint_is_valid(world, joint));
    tn_body_set_type(world, b, TN_BODY_TYPE_DYNAMIC);
    run(world, 1.0, 60, 4);
    cr_assert(tn_world_get_telemetry(world).joints == 1);
    cr_assert_float_eq(tn_joint_get_reaction(world, joint).force.y, 10.0, 1e-3);
    tn_body_set_type(world, a, TN_BODY_TYPE_DYNAMIC);
    run(world, 1.0, 60, 4);
    cr_assert_float_eq(tn_body_get_velocity(world, a).linear.y, -10.0, 1e-2);
    cr_assert(reports.count == 0);
}

// Two that fall asleep are woken by the one that is set to work.
Test(joint_bodies, a_setter_of_a_motor_starts_a_sleeping_machine, .init = setup, .fini = teardown) {
    tn_world_set_sleep_allowed(world, true);
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 1, 0, 0, 1, 1);
    tn_joint_id hinge =
        joint_make(world, TN_JOINT_TYPE_HINGE, a, b, (tn_vec3){0.5, 0, 0}, (tn_vec3){0, 0, 1});
    run(world, 2.0, 60, 4);
    cr_assert(!tn_body_is_awake(world, a));
    tn_hinge_joint_set_motor(
        world, hinge,
        (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 2.0f, .max_force = INFINITY});
    run(world, 1.0, 60, 4);
    cr_assert(tn_body_is_awake(world, a) && tn_body_is_awake(world, b));
    cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 2.0, 1e-3);
}
