// Contacts: who may touch, what a contact tells, what the callbacks may do.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(contact, .init = setup, .fini = teardown);

// Two overlapping balls without gravity; returns the number of their contacts after a step.
static uint32_t count_contacts_of(tn_filter a, tn_filter b) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id balls[2] = {test_ball_create(world, 0.0, 0.0, 0.0, 0.5f),
                           test_ball_create(world, 0.9, 0.0, 0.0, 0.5f)};
    tn_shape_set_filter(world, test_first_shape(world, balls[0]), a);
    tn_shape_set_filter(world, test_first_shape(world, balls[1]), b);
    test_step(world, 1);
    uint32_t count = tn_world_count_contacts(world);
    tn_body_destroy(world, balls[0]);
    tn_body_destroy(world, balls[1]);
    return count;
}

Test(contact, filters_decide_who_may_touch) {
    const uint64_t all = UINT64_MAX;
    typedef struct filter_case {
        tn_filter a, b;
        uint32_t expected;
    } filter_case;
    const filter_case cases[] = {
        {{1, all, 0}, {1, all, 0}, 1}, // defaults
        {{1, 2, 0}, {2, 1, 0}, 1},     // each holds the other's
        {{1, 2, 0}, {2, 2, 0}, 0},     // one side refuses
        {{1, 0, 0}, {1, all, 0}, 0},   // touches nothing
        {{1, all, 3}, {1, 0, 3}, 1},   // a common positive group: always
        {{1, all, -3}, {1, all, -3}, 0},
        {{1, all, 3}, {1, all, -3}, 1}, // different groups have no say
        {{1ull << 63, 1ull << 63, 0}, {1ull << 63, 1ull << 63, 0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        cr_assert(count_contacts_of(cases[i].a, cases[i].b) == cases[i].expected, "case %zu", i);
        cr_assert(count_contacts_of(cases[i].b, cases[i].a) == cases[i].expected, "case %zu", i);
    }
}

Test(contact, a_new_filter_makes_contacts_anew) {
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    test_step(world, 300);
    cr_assert(!tn_body_is_awake(world, ball));
    tn_shape_set_filter(world, test_first_shape(world, ball), (tn_filter){1, 0, 0});
    cr_assert(tn_world_count_contacts(world) == 0 && tn_body_is_awake(world, ball));
    test_step(world, 10);
    cr_assert(tn_body_get_pose(world, ball).position.y < 0.45);
    tn_shape_set_filter(world, test_first_shape(world, ball), (tn_filter){1, UINT64_MAX, 0});
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 1);
}

Test(contact, only_pairs_with_a_dynamic_body_touch) {
    const tn_vec3 h = {0.5, 0.5, 0.5};
    test_floor_create(world);
    test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.4, 0.0, h);
    tn_body_id a = test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.2, 0.4, 0.0, h);
    test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.4, 0.4, 0.0, h);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 0);
    tn_body_set_type(world, a, TN_BODY_TYPE_DYNAMIC);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 3);
    tn_body_set_type(world, a, TN_BODY_TYPE_KINEMATIC);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 0);
}

Test(contact, shapes_of_one_body_and_joined_bodies_do_not_touch) {
    tn_world_set_gravity(world, (tn_vec3){0});
    tn_body_id a = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_shape_def def = tn_shape_def_default();
    tn_sphere_shape_create(world, a, &def, 0.4f);
    tn_body_id b = test_ball_create(world, 0.9, 0.0, 0.0, 0.5f);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 2);
    tn_ball_joint_def joint_def = tn_ball_joint_def_default();
    joint_def.base.body_a = a;
    joint_def.base.body_b = b;
    joint_def.base.frame_a.position.x = 0.45;
    joint_def.base.frame_b.position.x = -0.45;
    tn_joint_id joint = tn_ball_joint_create(world, &joint_def);
    cr_assert(tn_world_count_contacts(world) == 0);
    test_step(world, 5);
    cr_assert(tn_world_count_contacts(world) == 0);
    tn_joint_set_collision_allowed(world, joint, true);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 2);
    tn_joint_set_collision_allowed(world, joint, false);
    cr_assert(tn_world_count_contacts(world) == 0);
    tn_joint_destroy(world, joint);
    test_step(world, 1);
    cr_assert(tn_world_count_contacts(world) == 2);
}

Test(contact, tells_points_normal_and_weight) {
    tn_body_id floor = test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 3.0, 0.5, -2.0, (tn_vec3){0.5, 0.5, 0.5});
    test_step(world, 100);
    tn_contact_id id;
    cr_assert(tn_body_get_contacts(world, box, &id, 1) == 1);
    cr_assert(tn_body_get_contacts(world, floor, NULL, 0) == 1);
    tn_contact contact = tn_contact_get(world, id);
    cr_assert(contact.body_a.value == floor.value && contact.body_b.value == box.value);
    cr_assert(contact.shape_b.value == test_first_shape(world, box).value);
    cr_assert(contact.point_count == 4);
    TEST_NEAR(contact.normal.y, 1.0, 1e-6);
    float impulse = 0.0f;
    for (uint32_t i = 0; i < 4; ++i) {
        TEST_NEAR(fabs(contact.points[i].position.x - 3.0), 0.5, 1e-3);
        TEST_NEAR(fabs(contact.points[i].position.z + 2.0), 0.5, 1e-3);
        TEST_NEAR(contact.points[i].separation, 0.0, 0.01);
        cr_assert(contact.points[i].feature != 0);
        impulse += contact.points[i].normal_impulse;
    }
    // 1000 kg of water on the floor for a sixtieth of a second, at rest to 1 %.
    TEST_NEAR(impulse, 9810.0 / 60.0, 1.7);
}

// Static friction is that of the pair: sqrt(0.9 * 0.4) = 0.6. On a slope of 0.55 it holds.
Test(contact, materials_are_mixed) {
    tn_body_id floor = test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    tn_shape_set_material(
        world, test_first_shape(world, floor),
        (tn_material){.friction = 0.9f, .restitution = 0.1f, .rolling_resistance = 0.02f});
    tn_shape_set_material(world, test_first_shape(world, ball),
                          (tn_material){.friction = 0.4f,
                                        .restitution = 0.7f,
                                        .rolling_resistance = 0.01f,
                                        .twisting_resistance = 0.3f});
    test_step(world, 1);
    tn_contact_id id;
    tn_world_get_contacts(world, &id, 1);
    tn_contact contact = tn_contact_get(world, id);
    TEST_NEAR(contact.friction, 0.6, 1e-6);
    cr_assert(contact.restitution == 0.7f && contact.rolling_resistance == 0.02f &&
              contact.twisting_resistance == 0.3f);
}

// ---- callbacks --------------------------------------------------------------------------------

static bool refuse_all(const tn_world *asking, tn_shape_id a, tn_shape_id b, void *user_data) {
    (void)asking;
    (void)a;
    (void)b;
    *(int *)user_data += 1;
    return false;
}

Test(contact, the_users_filter_may_refuse_a_pair) {
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    int calls = 0;
    tn_world_set_contact_filter(world, refuse_all, &calls);
    test_step(world, 30);
    cr_assert(calls > 0 && tn_world_count_contacts(world) == 0);
    cr_assert(tn_body_get_pose(world, ball).position.y < 0.0);
}

static bool leave_out(const tn_world *asking, const tn_contact *contact,
                      tn_contact_settings *settings, void *user_data) {
    (void)asking;
    (void)settings;
    *(uint32_t *)user_data += contact->point_count;
    return false;
}

static bool make_slippery(const tn_world *asking, const tn_contact *contact,
                          tn_contact_settings *settings, void *user_data) {
    (void)asking;
    (void)contact;
    (void)user_data;
    settings->friction = 0.0f;
    return true;
}

Test(contact, pre_solve_may_leave_a_contact_out_or_change_it) {
    test_floor_create(world);
    tn_body_id box =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_set_linear_velocity(world, box, (tn_vec3){1.0, 0.0, 0.0});
    test_want_pre_solve(world);
    tn_world_set_pre_solve(world, make_slippery, NULL);
    test_step(world, 30);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 1.0, 1e-3);
    tn_world_set_pre_solve(world, NULL, NULL);
    test_step(world, 30);
    TEST_NEAR(tn_body_get_linear_velocity(world, box).x, 0.0, 1e-3);
    uint32_t points = 0;
    tn_world_set_pre_solve(world, leave_out, &points);
    tn_body_set_awake(world, box, true);
    test_step(world, 10);
    cr_assert(points >= 4);
    cr_assert(tn_body_get_pose(world, box).position.y < 0.45);
}

Test(contact, a_destroyed_contact_leaves_a_stale_handle) {
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
    test_step(world, 1);
    tn_contact_id id;
    tn_world_get_contacts(world, &id, 1);
    tn_body_destroy(world, ball);
    TEST_REPORTS(&reports, tn_contact_get(world, id), TN_RESULT_INVALID_ID);
    cr_assert(tn_world_count_contacts(world) == 0);
}
