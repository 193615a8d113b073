// The pre-solve callback: who is asked, and what it may change.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(pre_solve, .init = setup, .fini = teardown);

static bool count_calls(const tn_world *asking, const tn_contact *contact,
                        tn_contact_settings *settings, void *user_data) {
    (void)asking;
    (void)contact;
    (void)settings;
    *(uint32_t *)user_data += 1;
    return true;
}

Test(pre_solve, is_asked_about_shapes_that_want_it) {
    uint32_t calls = 0;
    tn_shape_id plane = test_first_shape(world, test_floor_create(world));
    tn_shape_id balls[3];
    for (int i = 0; i < 3; ++i) {
        balls[i] = test_first_shape(world, test_ball_create(world, 2.0 * i, 0.5, 0.0, 0.5f));
    }
    tn_world_set_pre_solve(world, count_calls, &calls);
    test_step(world, 1);
    cr_assert(calls == 0 && !tn_shape_has_pre_solve(world, balls[1]));
    cr_assert(tn_shape_set_pre_solve(world, balls[1], true) == TN_RESULT_OK);
    test_step(world, 1);
    cr_assert(calls == 1 && tn_shape_has_pre_solve(world, balls[1]));
    tn_shape_set_pre_solve(world, plane, true);
    test_step(world, 1);
    cr_assert(calls == 4, "either shape of a contact");
    tn_shape_set_pre_solve(world, plane, false);
    tn_shape_set_pre_solve(world, balls[1], false);
    test_step(world, 1);
    cr_assert(calls == 4);
    TEST_REPORTS(&reports, tn_shape_set_pre_solve(world, (tn_shape_id){0}, true),
                 TN_RESULT_INVALID_ID);
}

// ---- a platform -------------------------------------------------------------------------------

static bool one_way(const tn_world *asking, const tn_contact *contact,
                    tn_contact_settings *settings, void *user_data) {
    (void)settings;
    const tn_body_id *platform = user_data;
    bool is_a = contact->body_a.value == platform->value;
    tn_body_id other = is_a ? contact->body_b : contact->body_a;
    tn_vec3 up = contact->normal;
    bool rises = tn_body_get_linear_velocity(asking, other).y > 0.1;
    return !rises && (is_a ? up.y : -up.y) > 0.5;
}

Test(pre_solve, makes_a_platform_that_is_jumped_through_from_below) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world_set_solver(world, solver);
        tn_body_id platform =
            test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 2.0, 0.0, (tn_vec3){2.0, 0.05, 2.0});
        tn_shape_set_pre_solve(world, test_first_shape(world, platform), true);
        tn_world_set_pre_solve(world, one_way, &platform);
        // Two boxes on a rigid joint, which DIRECT and CG solve their own way.
        tn_body_id a = test_box_create(world, TN_BODY_TYPE_DYNAMIC, -0.3, 0.5, 0.0,
                                       (tn_vec3){0.25, 0.25, 0.25});
        tn_body_id b = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.3, 0.5, 0.0,
                                       (tn_vec3){0.25, 0.25, 0.25});
        tn_fixed_joint_def joint = tn_fixed_joint_def_default();
        tn_joint_def_set_frames(world, &joint.base, a, b, (tn_vec3){0.0, 0.5, 0.0},
                                (tn_vec3){1.0, 0.0, 0.0});
        tn_fixed_joint_create(world, &joint);
        tn_body_set_linear_velocity(world, a, (tn_vec3){0.0, 8.0, 0.0});
        tn_body_set_linear_velocity(world, b, (tn_vec3){0.0, 8.0, 0.0});
        double most = 0.0;
        for (int step = 0; step < 150; ++step) {
            test_step(world, 1);
            most = fmax(most, tn_body_get_pose(world, a).position.y);
        }
        TEST_NEAR(most, 0.5 + 64.0 / 2.0 / 9.81, 0.05); // nothing held it
        TEST_NEAR(tn_body_get_pose(world, a).position.y, 2.3, 2e-3);
        TEST_NEAR(tn_body_get_pose(world, b).position.y, 2.3, 2e-3);
        tn_body_destroy(world, a);
        tn_body_destroy(world, b);
        tn_body_destroy(world, platform);
    }
    cr_assert(reports.count == 0);
}

// ---- normal, points, speed --------------------------------------------------------------------

static bool drive(const tn_world *asking, const tn_contact *contact, tn_contact_settings *settings,
                  void *user_data) {
    const double *speed = user_data;
    bool is_a = tn_body_get_type(asking, contact->body_a) == TN_BODY_TYPE_STATIC;
    settings->target_velocity.x = is_a ? *speed : -*speed; // of b past a
    return true;
}

Test(pre_solve, drives_friction_at_a_speed) {
    for (tn_solver solver = TN_SOLVER_AUTO; solver <= TN_SOLVER_CG; ++solver) {
        tn_world_set_solver(world, solver);
        tn_body_id ground = test_floor_create(world);
        tn_body_id box =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
        double speed = 0.8;
        test_want_pre_solve(world);
        tn_world_set_pre_solve(world, drive, &speed);
        test_step(world, 60);
        TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.8, 1e-5);
        tn_world_set_pre_solve(world, NULL, NULL); // for one step only
        test_step(world, 60);
        TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.0, 1e-5);
        tn_body_destroy(world, ground);
        tn_body_destroy(world, box);
    }
}

static bool tilt(const tn_world *asking, const tn_contact *contact, tn_contact_settings *settings,
                 void *user_data) {
    const tn_body_id *ball = user_data;
    tn_vec3 at = tn_body_get_center(asking, *ball);
    double along = 0.5 * sqrt(0.5);
    bool is_a = tn_body_get_type(asking, contact->body_a) == TN_BODY_TYPE_STATIC;
    double sign = is_a ? 1.0 : -1.0;
    settings->normal = (tn_vec3){sign * 3.0, sign * 3.0, 0.0}; // its length does not count
    settings->points[0].position = (tn_vec3){at.x - along, at.y - along, at.z};
    settings->friction = 0.0f;
    settings->restitution = 1.0f;
    return true;
}

// A ball that falls onto a plane with a normal of 45 degrees flies off level.
Test(pre_solve, turns_a_normal) {
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 1.5, 0.0, 0.5f);
    test_want_pre_solve(world);
    tn_world_set_pre_solve(world, tilt, &ball);
    for (int step = 0; step < 60 && tn_body_get_linear_velocity(world, ball).x == 0.0; ++step) {
        test_step(world, 1);
    }
    tn_vec3 v = tn_body_get_linear_velocity(world, ball);
    TEST_NEAR(v.x, sqrt(2.0 * 9.81 * 1.0), 0.02);
    cr_assert(v.y < 0.0 && v.y > -9.81 / 60.0, "%g", v.y); // it falls for the rest of the step
    cr_assert(reports.count == 0);
}

static bool keep_left(const tn_world *asking, const tn_contact *contact,
                      tn_contact_settings *settings, void *user_data) {
    (void)asking;
    (void)user_data;
    settings->friction = 2.0f;
    settings->point_count = 0;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        if (contact->points[p].position.x < 0.0) {
            settings->points[settings->point_count++] = contact->points[p];
        }
    }
    return true;
}

Test(pre_solve, leaves_points_out) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_want_pre_solve(world);
    tn_world_set_pre_solve(world, keep_left, NULL);
    test_step(world, 20);
    // It falls over its left edge, with the energy that its middle has lost.
    tn_quat q = tn_body_get_pose(world, box).rotation;
    double angle = -2.0 * atan2(q.z, q.w), rest = 0.25 * M_PI;
    double lost = sqrt(0.5) * (sin(rest) - sin(rest - angle));
    cr_assert(angle > 0.3);
    TEST_NEAR(tn_body_get_angular_velocity(world, box).z, -sqrt(3.0 * 9.81 * lost), 0.05);
    cr_assert(reports.count == 0);
}

static bool lift(const tn_world *asking, const tn_contact *contact, tn_contact_settings *settings,
                 void *user_data) {
    (void)asking;
    const float *height = user_data;
    for (uint32_t p = 0; p < contact->point_count; ++p) {
        settings->points[p].separation -= *height;
    }
    return true;
}

Test(pre_solve, moves_a_surface_by_its_gap) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    float height = 0.01f;
    test_want_pre_solve(world);
    tn_world_set_sleep_allowed(world, false);
    tn_world_set_pre_solve(world, lift, &height);
    test_step(world, 240);
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 0.51, 1e-3);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).y, 0.0, 1e-3);
}

// ---- refusals ---------------------------------------------------------------------------------

static bool spoil(const tn_world *asking, const tn_contact *contact, tn_contact_settings *settings,
                  void *user_data) {
    (void)asking;
    (void)contact;
    switch (*(int *)user_data) {
    case 0:
        settings->normal.y = NAN;
        break;
    case 1:
        settings->normal = (tn_vec3){0};
        break;
    case 2:
        settings->point_count = TN_CONTACT_MAX_POINTS + 1;
        break;
    case 3:
        settings->points[1] = settings->points[0];
        break;
    case 4:
        settings->points[0].feature += 77;
        break;
    case 5:
        settings->points[0].separation = INFINITY;
        break;
    case 6:
        settings->points[0].position.x = 1e300;
        break;
    default:
        settings->target_velocity.z = -(double)INFINITY;
        break;
    }
    settings->friction = 0.0f; // refused with the rest
    return true;
}

Test(pre_solve, refuses_what_is_no_normal_no_point_and_no_speed) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    test_want_pre_solve(world);
    tn_world_set_sleep_allowed(world, false);
    for (int fault = 0; fault < 8; ++fault) {
        tn_world_set_pre_solve(world, spoil, &fault);
        TEST_REPORTS(&reports, test_step(world, 1), TN_RESULT_INVALID_ARGUMENT);
        tn_contact_id id;
        cr_assert(tn_body_get_contacts(world, box, &id, 1) == 1);
        TEST_NEAR(tn_contact_get(world, id).friction, 0.6, 1e-6);
    }
    TEST_NEAR(tn_body_get_pose(world, box).position.y, 0.5, 1e-4);
}
