// What setters return: OK, or the result that they also report.
#include "tests/world/world_test.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(setter_results, .init = setup, .fini = teardown);

typedef struct setter_things {
    tn_body_id body;
    tn_shape_id shape;
    tn_joint_id hinge, slider;
    tn_force_id spring;
} setter_things;

static setter_things make_things(void) {
    setter_things all = {.body = test_ball_create(world, 0.0, 1.0, 0.0, 0.5f)};
    all.shape = test_first_shape(world, all.body);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    hinge.base.body_b = all.body;
    all.hinge = tn_hinge_joint_create(world, &hinge);
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    slider.base.body_b = all.body;
    all.slider = tn_slider_joint_create(world, &slider);
    return all;
}

// Every kind of thing that can be set, with a number or without.
static tn_result set(tn_world *of, const setter_things *all, int which, float x) {
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = x};
    tn_material material = tn_shape_def_default().material;
    material.friction = x;
    switch (which) {
    case 0:
        return tn_hinge_joint_set_motor(of, all->hinge, motor);
    case 1:
        return tn_slider_joint_set_friction(of, all->slider, x);
    case 2:
        return tn_joint_set_break_force(of, all->hinge, x, x);
    case 3:
        return tn_shape_set_material(of, all->shape, material);
    case 4:
        return tn_shape_set_density(of, all->shape, x);
    case 5:
        return tn_body_set_linear_velocity(of, all->body, (tn_vec3){(double)x, 0.0, 0.0});
    case 6:
        return tn_body_apply_impulse(of, all->body, (tn_vec3){(double)x, 0.0, 0.0});
    default:
        return tn_world_set_gravity(of, (tn_vec3){0.0, (double)x, 0.0});
    }
}

#define SETTERS 8

Test(setter_results, a_setter_returns_what_it_reports_and_ok_else) {
    setter_things all = make_things();
    for (int i = 0; i < SETTERS; ++i) {
        uint32_t count = reports.count;
        cr_assert(set(world, &all, i, 0.5f) == TN_RESULT_OK && reports.count == count, "%d", i);
        tn_result result = set(world, &all, i, NAN);
        cr_assert(result == TN_RESULT_NOT_FINITE && reports.last == result, "%d: %s", i,
                  tn_result_name(result));
        cr_assert(set(world, &all, i, 0.25f) == TN_RESULT_OK, "%d: after a refusal", i);
        cr_assert(set(NULL, &all, i, 0.5f) == TN_RESULT_INVALID_ARGUMENT, "%d: no world", i);
    }
}

Test(setter_results, a_stale_handle_and_a_wrong_type_are_told_apart) {
    setter_things all = make_things(), crossed = all;
    crossed.hinge = all.slider;
    crossed.slider = all.hinge;
    cr_assert(set(world, &crossed, 0, 0.5f) == TN_RESULT_WRONG_TYPE);
    cr_assert(set(world, &crossed, 1, 0.5f) == TN_RESULT_WRONG_TYPE);
    tn_body_destroy(world, all.body); // and with it the shape and the joints
    for (int i = 0; i < SETTERS - 1; ++i) {
        cr_assert(set(world, &all, i, 0.5f) == TN_RESULT_INVALID_ID, "%d", i);
    }
}

typedef struct setter_question {
    setter_things all;
    tn_result results[SETTERS];
} setter_question;

static bool set_inside(const tn_world *asked, tn_shape_id a, tn_shape_id b, void *user_data) {
    (void)asked, (void)a, (void)b;
    setter_question *question = user_data;
    for (int i = 0; i < SETTERS; ++i) {
        question->results[i] = set(world, &question->all, i, 0.5f);
    }
    return true;
}

Test(setter_results, in_a_callback_every_setter_says_that_the_world_is_locked) {
    setter_question question = {.all = make_things()};
    test_ball_create(world, 0.4, 1.0, 0.0, 0.5f);
    tn_world_set_contact_filter(world, set_inside, &question);
    tn_world_step(world, 1.0 / 60.0, 4);
    for (int i = 0; i < SETTERS; ++i) {
        cr_assert(question.results[i] == TN_RESULT_WORLD_LOCKED, "%d", i);
    }
}
