// tests/joints/joint_misuse.h: two bodies in a world that remembers its reports, and numbers that
// every limit, motor and spring refuses.
#ifndef TESTS_JOINTS_JOINT_MISUSE_H
#define TESTS_JOINTS_JOINT_MISUSE_H

#include "joint_world.h"

static tn_world *world;
static test_reports reports;
static tn_body_id body_a, body_b;

static inline void setup(void) {
    tn_vec3 none = {0.0, 0.0, 0.0};
    world = world_make(none, &reports);
    body_a = body_make(world, 0, 0, 0, 1, 1);
    body_b = body_make(world, 1, 0, 0, 1, 1);
}

static inline void teardown(void) {
    tn_world_destroy(world);
}

static inline void expect(tn_result result, const char *function, const char *what) {
    cr_assert(reports.count == 1 && reports.last == result, "%s: %s, %u reports", what,
              tn_result_name(reports.last), reports.count);
    cr_assert_str_eq(reports.function, function, "%s", what);
    reports.count = 0;
}

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline tn_joint_id make(tn_joint_type type) {
    tn_joint_id joint =
        joint_make(world, type, body_a, body_b, (tn_vec3){0.5, 0, 0}, (tn_vec3){1, 0, 0});
    cr_assert(tn_joint_is_valid(world, joint) && reports.count == 0);
    return joint;
}

static const struct {
    tn_limit limit;
    tn_result result;
} limit_cases[] = {
    {{.is_enabled = true, .lower = 1.0f, .upper = 0.5f}, TN_RESULT_INVALID_ARGUMENT},
    {{.is_enabled = true, .lower = NAN, .upper = 0.5f}, TN_RESULT_NOT_FINITE},
    {{.is_enabled = true, .upper = NAN}, TN_RESULT_NOT_FINITE},
    {{.is_enabled = true, .upper = INFINITY}, TN_RESULT_NOT_FINITE},
    {{.is_enabled = false, .lower = 1.0f, .upper = 0.5f}, TN_RESULT_INVALID_ARGUMENT},
    {{.stiffness = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.stiffness = INFINITY}, TN_RESULT_NOT_FINITE},
    {{.damping = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.damping = NAN}, TN_RESULT_NOT_FINITE},
    {{.restitution = -0.1f}, TN_RESULT_INVALID_ARGUMENT},
    {{.restitution = 1.1f}, TN_RESULT_INVALID_ARGUMENT},
    {{.restitution = NAN}, TN_RESULT_NOT_FINITE},
};

static const struct {
    tn_motor motor;
    tn_result result;
} motor_cases[] = {
    {{.mode = TN_MOTOR_MODE_SPEED, .target_speed = NAN}, TN_RESULT_NOT_FINITE},
    {{.mode = TN_MOTOR_MODE_SPEED, .target_speed = INFINITY}, TN_RESULT_NOT_FINITE},
    {{.mode = TN_MOTOR_MODE_SPEED, .max_force = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.mode = TN_MOTOR_MODE_SPEED, .max_force = NAN}, TN_RESULT_NOT_FINITE},
    {{.mode = TN_MOTOR_MODE_POSITION, .stiffness = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.mode = TN_MOTOR_MODE_POSITION, .damping = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.mode = TN_MOTOR_MODE_POSITION, .damping = INFINITY}, TN_RESULT_NOT_FINITE},
    {{.mode = TN_MOTOR_MODE_POSITION, .target_position = NAN}, TN_RESULT_NOT_FINITE},
    {{.mode = (tn_motor_mode)3}, TN_RESULT_INVALID_ARGUMENT},
    {{.drive = (tn_drive_mode)2}, TN_RESULT_INVALID_ARGUMENT},
};

static const struct {
    tn_spring spring;
    tn_result result;
} spring_cases[] = {
    {{.mode = TN_SPRING_MODE_FREQUENCY, .hertz = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.mode = TN_SPRING_MODE_FREQUENCY, .hertz = NAN}, TN_RESULT_NOT_FINITE},
    {{.mode = TN_SPRING_MODE_FREQUENCY, .damping_ratio = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = INFINITY}, TN_RESULT_NOT_FINITE},
    {{.mode = TN_SPRING_MODE_STIFFNESS, .damping = -1.0f}, TN_RESULT_INVALID_ARGUMENT},
    {{.mode = TN_SPRING_MODE_STIFFNESS, .rest = NAN}, TN_RESULT_NOT_FINITE},
    {{.mode = (tn_spring_mode)3}, TN_RESULT_INVALID_ARGUMENT},
};

static const tn_axis beyond_a_turn = {.limit = {.is_enabled = true, .lower = 1.0f, .upper = 7.0f}};

#endif
