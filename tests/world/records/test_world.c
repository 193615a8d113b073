// Worlds: made, refused, several at once; settings, enumeration, hash.
#include "tests/world/world_test.h"

TestSuite(world);

static void free_nothing(void *memory, size_t size, void *user_data) {
    (void)memory;
    (void)size;
    (void)user_data;
}

static void finish_nothing(void *task, void *user_data) {
    (void)task;
    (void)user_data;
}

Test(world, a_definition_out_of_range_is_refused_and_told) {
    test_reports reports = {0};
    tn_world_def good = tn_world_def_default();
    good.report = test_note_report;
    good.report_user_data = &reports;
    tn_world_def bad[24];
    tn_result expected[24];
    size_t count = 0;
#define BAD(field, value, result)                                                                  \
    do {                                                                                           \
        bad[count] = good;                                                                         \
        bad[count].field = (value);                                                                \
        expected[count] = (result);                                                                \
        count += 1;                                                                                \
    } while (0)
    BAD(gravity.x, NAN, TN_RESULT_NOT_FINITE);
    BAD(joint_bias.hertz, 0.0f, TN_RESULT_INVALID_ARGUMENT);
    BAD(joint_bias.mode, (tn_bias_mode)5, TN_RESULT_INVALID_ARGUMENT);
    BAD(contact_bias.slop, -1.0f, TN_RESULT_INVALID_ARGUMENT);
    BAD(contact_bias.max_speed, 0.0f, TN_RESULT_INVALID_ARGUMENT);
    BAD(contact_bias.damping_ratio, NAN, TN_RESULT_NOT_FINITE);
    BAD(joint_iterations, 256, TN_RESULT_INVALID_ARGUMENT);
    BAD(contact_iterations, 256, TN_RESULT_INVALID_ARGUMENT);
    BAD(relax_iterations, 256, TN_RESULT_INVALID_ARGUMENT);
    BAD(joint_tolerance, -1e-6, TN_RESULT_INVALID_ARGUMENT);
    BAD(joint_tolerance, (double)INFINITY, TN_RESULT_INVALID_ARGUMENT);
    BAD(joint_tolerance_angular, (double)NAN, TN_RESULT_INVALID_ARGUMENT);
    BAD(restitution_threshold, -1.0f, TN_RESULT_INVALID_ARGUMENT);
    BAD(hit_event_threshold, NAN, TN_RESULT_INVALID_ARGUMENT);
    BAD(contact_margin, -0.1f, TN_RESULT_INVALID_ARGUMENT);
    BAD(sleep_time, INFINITY, TN_RESULT_INVALID_ARGUMENT);
    BAD(sleep_linear_speed, -1.0f, TN_RESULT_INVALID_ARGUMENT);
    BAD(worker_count, 0, TN_RESULT_INVALID_ARGUMENT);
    BAD(worker_count, 65, TN_RESULT_INVALID_ARGUMENT);
    BAD(handle_seed, 1023, TN_RESULT_INVALID_ARGUMENT);
    BAD(free, free_nothing, TN_RESULT_INVALID_ARGUMENT);
    BAD(finish, finish_nothing, TN_RESULT_INVALID_ARGUMENT);
#undef BAD
    for (size_t i = 0; i < count; ++i) {
        tn_result result = TN_RESULT_OK;
        TEST_REPORTS(&reports, cr_assert_null(tn_world_create(&bad[i], &result)), expected[i]);
        cr_assert(result == expected[i], "case %zu", i);
        cr_assert_str_eq(reports.function, "tn_world_create");
    }
    tn_result result = TN_RESULT_COUNT;
    tn_world *world = tn_world_create(&good, &result);
    cr_assert(world && result == TN_RESULT_OK);
    tn_world_destroy(world);
}

Test(world, settings_are_read_as_they_were_set) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    int tag;
    tn_world_set_user_data(world, &tag);
    cr_assert(tn_world_get_user_data(world) == &tag);
    tn_world_set_gravity(world, (tn_vec3){1.0, 2.0, 3.0});
    cr_assert(tn_world_get_gravity(world).z == 3.0);
    tn_bias bias = tn_world_get_joint_bias(world);
    bias.mode = TN_BIAS_MODE_BAUMGARTE;
    bias.max_speed = INFINITY;
    tn_world_set_joint_bias(world, bias);
    cr_assert(tn_world_get_joint_bias(world).mode == TN_BIAS_MODE_BAUMGARTE);
    bias.hertz = 12.0f;
    tn_world_set_contact_bias(world, bias);
    cr_assert(tn_world_get_contact_bias(world).hertz == 12.0f);
    tn_world_set_sleep_allowed(world, false);
    cr_assert(!tn_world_is_sleep_allowed(world));
    tn_world_set_restitution_threshold(world, 0.25f);
    cr_assert(tn_world_get_restitution_threshold(world) == 0.25f);
    test_step(world, 6);
    cr_assert(tn_world_get_step_count(world) == 6);
    TEST_NEAR(tn_world_get_time(world), 0.1, 1e-15);
    cr_assert(reports.count == 0);
    tn_world_destroy(world);
}

Test(world, objects_are_listed_in_a_fixed_order) {
    test_reports reports;
    tn_world *world = test_world_create(&reports);
    tn_body_id made[6], listed[6] = {{0}};
    for (int i = 0; i < 6; ++i) {
        made[i] = test_ball_create(world, i, 0.0, 0.0, 0.6f);
    }
    tn_body_destroy(world, made[2]);
    cr_assert(tn_world_count_bodies(world) == 5);
    cr_assert(tn_world_get_bodies(world, listed, 3) == 5);
    cr_assert(listed[2].value == made[3].value && listed[3].value == 0);
    tn_world_get_bodies(world, listed, 6);
    cr_assert(listed[4].value == made[5].value);
    test_step(world, 1);
    tn_contact_id contacts[8];
    cr_assert(tn_world_get_contacts(world, contacts, 8) == tn_world_count_contacts(world));
    cr_assert(tn_world_count_contacts(world) == 3);
    cr_assert(tn_world_get_joints(world, NULL, 0) == 0);
    tn_world_destroy(world);
}

// ---- several worlds ---------------------------------------------------------------------------

Test(world, handles_of_a_world_with_another_seed_are_refused) {
    test_reports reports = {0};
    tn_world_def def = tn_world_def_default();
    def.report = test_note_report;
    def.report_user_data = &reports;
    tn_world *first = tn_world_create(&def, NULL);
    def.handle_seed = 1022;
    tn_world *second = tn_world_create(&def, NULL);
    tn_body_id mine = test_ball_create(first, 0.0, 0.0, 0.0, 0.5f);
    tn_body_id others = test_ball_create(second, 0.0, 0.0, 0.0, 0.5f);
    cr_assert(tn_body_is_valid(first, mine) && tn_body_is_valid(second, others));
    cr_assert(!tn_body_is_valid(first, others) && !tn_body_is_valid(second, mine));
    TEST_REPORTS(&reports, tn_body_set_gravity_scale(first, others, 0.0f), TN_RESULT_INVALID_ID);
    TEST_REPORTS(&reports, tn_body_destroy(second, mine), TN_RESULT_INVALID_ID);
    cr_assert(tn_world_count_bodies(second) == 1);
    tn_world_destroy(first);
    tn_world_destroy(second);
}

Test(world, two_worlds_know_nothing_of_each_other) {
    test_reports reports[2];
    tn_world *worlds[2] = {test_world_create(&reports[0]), test_world_create(&reports[1])};
    tn_world_set_gravity(worlds[1], (tn_vec3){0});
    tn_body_id a[8], b[4];
    for (int i = 0; i < 8; ++i) {
        a[i] = test_ball_create(worlds[0], 3.0 * i, 0.0, 0.0, 0.5f);
    }
    for (int i = 0; i < 4; ++i) {
        b[i] = test_ball_create(worlds[1], 3.0 * i, 0.0, 0.0, 0.5f);
    }
    // A handle the other world never gave, and one whose body is gone there.
    TEST_REPORTS(&reports[1], tn_body_get_pose(worlds[1], a[7]), TN_RESULT_INVALID_ID);
    tn_body_destroy(worlds[1], b[2]);
    TEST_REPORTS(&reports[1], tn_body_destroy(worlds[1], a[2]), TN_RESULT_INVALID_ID);
    cr_assert(reports[0].count == 0 && tn_world_count_bodies(worlds[0]) == 8);
    for (int i = 0; i < 10; ++i) {
        test_step(worlds[i & 1], 1);
    }
    cr_assert(tn_body_get_pose(worlds[0], a[0]).position.y < 0.0);
    cr_assert(tn_body_get_pose(worlds[1], b[0]).position.y == 0.0);
    tn_world_destroy(worlds[0]);
    test_step(worlds[1], 1);
    cr_assert(tn_body_is_valid(worlds[1], b[0]));
    tn_world_destroy(worlds[1]);
}

Test(world, the_hash_tells_any_difference) {
    test_reports reports;
    tn_world *worlds[2] = {test_world_create(&reports), test_world_create(&reports)};
    tn_body_id bodies[2];
    for (int i = 0; i < 2; ++i) {
        test_floor_create(worlds[i]);
        bodies[i] = test_ball_create(worlds[i], 0.0, 2.0, 0.0, 0.5f);
    }
    for (int i = 0; i < 60; ++i) {
        test_step(worlds[0], 1);
        test_step(worlds[1], 1);
        cr_assert(tn_world_get_hash(worlds[0]) == tn_world_get_hash(worlds[1]));
    }
    tn_velocity velocity = tn_body_get_velocity(worlds[1], bodies[1]);
    velocity.angular.y = 1e-300;
    tn_body_set_velocity(worlds[1], bodies[1], velocity);
    cr_assert(tn_world_get_hash(worlds[0]) != tn_world_get_hash(worlds[1]));
    tn_world_destroy(worlds[0]);
    tn_world_destroy(worlds[1]);
}
