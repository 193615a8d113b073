// Limits, motors, springs and friction that setters refuse: reported with their code and the name
// of the function, and nothing changed.
#include "joint_misuse.h"
#include "swing_within.h"

// Limit, motor, spring and friction of a joint type: the setter refuses and the definition stays.
#define CHECK_ACTORS(kind)                                                                         \
    do {                                                                                           \
        tn_##kind##_joint_def before = tn_##kind##_joint_get_def(world, joint);                    \
        for (size_t i = 0; i < COUNT(limit_cases); ++i) {                                          \
            tn_##kind##_joint_set_limit(world, joint, limit_cases[i].limit);                       \
            expect(limit_cases[i].result, "tn_" #kind "_joint_set_limit", "limit");                \
        }                                                                                          \
        for (size_t i = 0; i < COUNT(motor_cases); ++i) {                                          \
            tn_##kind##_joint_set_motor(world, joint, motor_cases[i].motor);                       \
            expect(motor_cases[i].result, "tn_" #kind "_joint_set_motor", "motor");                \
        }                                                                                          \
        for (size_t i = 0; i < COUNT(spring_cases); ++i) {                                         \
            tn_##kind##_joint_set_spring(world, joint, spring_cases[i].spring);                    \
            expect(spring_cases[i].result, "tn_" #kind "_joint_set_spring", "spring");             \
        }                                                                                          \
        tn_##kind##_joint_set_friction(world, joint, -1.0f);                                       \
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_" #kind "_joint_set_friction", "friction");         \
        tn_##kind##_joint_set_friction(world, joint, NAN);                                         \
        expect(TN_RESULT_NOT_FINITE, "tn_" #kind "_joint_set_friction", "friction");               \
        tn_##kind##_joint_set_friction(world, joint, INFINITY);                                    \
        expect(TN_RESULT_NOT_FINITE, "tn_" #kind "_joint_set_friction", "friction");               \
        tn_##kind##_joint_set_viscous_friction(world, joint, -1.0f);                               \
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_" #kind "_joint_set_viscous_friction", "viscous");  \
        tn_##kind##_joint_set_viscous_friction(world, joint, INFINITY);                            \
        expect(TN_RESULT_NOT_FINITE, "tn_" #kind "_joint_set_viscous_friction", "viscous");        \
        tn_##kind##_joint_def after = tn_##kind##_joint_get_def(world, joint);                     \
        cr_assert(memcmp(&before.limit, &after.limit, sizeof after.limit) == 0);                   \
        cr_assert(memcmp(&before.motor, &after.motor, sizeof after.motor) == 0);                   \
        cr_assert(memcmp(&before.spring, &after.spring, sizeof after.spring) == 0);                \
        cr_assert(after.friction == 0.0f && after.viscous_friction == 0.0f);                       \
    } while (0)

Test(joint_misuse_actors, bad_numbers_for_limit_motor_spring_and_friction_change_nothing,
     .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_DISTANCE);
    CHECK_ACTORS(distance);
    joint = make(TN_JOINT_TYPE_HINGE);
    CHECK_ACTORS(hinge);
    joint = make(TN_JOINT_TYPE_SLIDER);
    CHECK_ACTORS(slider);
}

// The same of one value of several: `field` of the definition.
#define CHECK_AXIS(kind, field)                                                                    \
    do {                                                                                           \
        const char *setter = "tn_" #kind "_joint_set_" #field;                                     \
        tn_axis before = tn_##kind##_joint_get_def(world, joint).field, bad;                       \
        for (size_t i = 0; i < COUNT(limit_cases); ++i) {                                          \
            bad = before;                                                                          \
            bad.limit = limit_cases[i].limit;                                                      \
            tn_##kind##_joint_set_##field(world, joint, bad);                                      \
            expect(limit_cases[i].result, setter, "limit");                                        \
        }                                                                                          \
        for (size_t i = 0; i < COUNT(motor_cases); ++i) {                                          \
            bad = before;                                                                          \
            bad.motor = motor_cases[i].motor;                                                      \
            tn_##kind##_joint_set_##field(world, joint, bad);                                      \
            expect(motor_cases[i].result, setter, "motor");                                        \
        }                                                                                          \
        for (size_t i = 0; i < COUNT(spring_cases); ++i) {                                         \
            bad = before;                                                                          \
            bad.spring = spring_cases[i].spring;                                                   \
            tn_##kind##_joint_set_##field(world, joint, bad);                                      \
            expect(spring_cases[i].result, setter, "spring");                                      \
        }                                                                                          \
        bad = before;                                                                              \
        bad.friction = -1.0f;                                                                      \
        tn_##kind##_joint_set_##field(world, joint, bad);                                          \
        expect(TN_RESULT_INVALID_ARGUMENT, setter, "friction");                                    \
        tn_axis after = tn_##kind##_joint_get_def(world, joint).field;                             \
        cr_assert(!after.limit.is_enabled && after.limit.upper == before.limit.upper);             \
        cr_assert(after.motor.mode == TN_MOTOR_MODE_OFF && isinf(after.motor.max_force));          \
        cr_assert(after.spring.mode == TN_SPRING_MODE_OFF && after.friction == 0.0f);              \
    } while (0)

Test(joint_misuse_actors, bad_numbers_for_one_of_several_values_change_nothing, .init = setup,
     .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_UNIVERSAL);
    CHECK_AXIS(universal, first);
    CHECK_AXIS(universal, second);
    tn_universal_joint_set_second(world, joint, beyond_a_turn);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_universal_joint_set_second", "beyond a turn");
    joint = make(TN_JOINT_TYPE_CYLINDRICAL);
    CHECK_AXIS(cylindrical, slide);
    CHECK_AXIS(cylindrical, turn);
    tn_cylindrical_joint_set_turn(world, joint, beyond_a_turn);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cylindrical_joint_set_turn", "beyond a turn");
    tn_cylindrical_joint_set_slide(world, joint, beyond_a_turn); // 7 m
    cr_assert(reports.count == 0);
    joint = make(TN_JOINT_TYPE_PLANAR);
    CHECK_AXIS(planar, y);
    CHECK_AXIS(planar, z);
    CHECK_AXIS(planar, turn);
    tn_planar_joint_set_turn(world, joint, beyond_a_turn);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_planar_joint_set_turn", "beyond a turn");
}

Test(joint_misuse_actors, bad_numbers_of_one_type_only_are_refused, .init = setup,
     .fini = teardown) {
    tn_joint_id rod = make(TN_JOINT_TYPE_DISTANCE);
    const float lengths[] = {0.0f, -1.0f, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        tn_distance_joint_set_length(world, rod, lengths[i]);
        expect(i < 2 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE,
               "tn_distance_joint_set_length", "length");
    }
    tn_distance_joint_set_limit(world, rod,
                                (tn_limit){.is_enabled = true, .lower = -0.1f, .upper = 1.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_distance_joint_set_limit", "a negative distance");
    cr_assert(tn_distance_joint_get_def(world, rod).length == 1.0f);

    tn_joint_id hinge = make(TN_JOINT_TYPE_HINGE);
    tn_hinge_joint_set_limit(world, hinge,
                             (tn_limit){.is_enabled = true, .lower = 1.0f, .upper = 7.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_hinge_joint_set_limit", "beyond a turn");

    tn_joint_id ball = make(TN_JOINT_TYPE_BALL);
    const float cones[] = {-0.1f, 3.2f, NAN};
    for (int i = 0; i < 3; ++i) {
        tn_ball_joint_set_cone_limit(world, ball,
                                     (tn_limit){.is_enabled = true, .upper = cones[i]});
        expect(i < 2 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE,
               "tn_ball_joint_set_cone_limit", "cone");
    }
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        tn_ball_joint_set_twist_limit(world, ball, limit_cases[i].limit);
        expect(limit_cases[i].result, "tn_ball_joint_set_twist_limit", "limit");
    }
    tn_ball_joint_set_twist_limit(world, ball,
                                  (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 3.2f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ball_joint_set_twist_limit", "more than half a turn");
    for (size_t i = 0; i < COUNT(spring_cases); ++i) {
        tn_ball_joint_set_spring(world, ball, spring_cases[i].spring);
        expect(spring_cases[i].result, "tn_ball_joint_set_spring", "spring");
    }
    tn_ball_joint_set_friction(world, ball, -1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ball_joint_set_friction", "friction");
    tn_ball_joint_set_viscous_friction(world, ball, NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_ball_joint_set_viscous_friction", "viscous");
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        tn_ball_joint_set_cone_limit(world, ball, limit_cases[i].limit);
        expect(limit_cases[i].result, "tn_ball_joint_set_cone_limit", "limit");
    }
    tn_ball_joint_set_cone_limit(world, ball, (tn_limit){.lower = 0.1f, .upper = 1.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ball_joint_set_cone_limit", "a cone's lower end");
    cr_assert(!tn_ball_joint_get_def(world, ball).cone_limit.is_enabled);

    tn_joint_id fixed = make(TN_JOINT_TYPE_FIXED);
    tn_spring none = {.mode = TN_SPRING_MODE_OFF};
    for (size_t i = 0; i < COUNT(spring_cases); ++i) {
        tn_fixed_joint_set_springs(world, fixed, spring_cases[i].spring, none);
        expect(spring_cases[i].result, "tn_fixed_joint_set_springs", "spring");
        tn_fixed_joint_set_springs(world, fixed, none, spring_cases[i].spring);
        expect(spring_cases[i].result, "tn_fixed_joint_set_springs", "spring");
    }
}

Test(joint_misuse_actors, bad_numbers_for_a_ball_motor_are_refused, .init = setup,
     .fini = teardown) {
    tn_joint_id ball = make(TN_JOINT_TYPE_BALL);
    tn_ball_motor good = tn_ball_joint_get_def(world, ball).motor;
    tn_ball_motor bad = good;
    bad.target_velocity.y = (double)NAN;
    tn_ball_joint_set_motor(world, ball, bad);
    expect(TN_RESULT_NOT_FINITE, "tn_ball_joint_set_motor", "a NaN target");
    bad = good;
    bad.mode = TN_MOTOR_MODE_POSITION;
    bad.target_rotation = (tn_quat){0, 0, 0, 0};
    tn_ball_joint_set_motor(world, ball, bad);
    expect(TN_RESULT_ZERO_AXIS, "tn_ball_joint_set_motor", "a zero quaternion");
    bad = good;
    bad.max_torque = -1.0f;
    tn_ball_joint_set_motor(world, ball, bad);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ball_joint_set_motor", "a negative cap");
    bad = good;
    bad.stiffness = -1.0f;
    tn_ball_joint_set_motor(world, ball, bad);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ball_joint_set_motor", "negative stiffness");
    bad = good;
    bad.drive = (tn_drive_mode)9;
    tn_ball_joint_set_motor(world, ball, bad);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ball_joint_set_motor", "no such drive");
    bad = good;
    bad.mode = (tn_motor_mode)9;
    tn_ball_joint_set_motor(world, ball, bad);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ball_joint_set_motor", "no such mode");
}

Test(joint_misuse_actors, bad_numbers_for_a_swing_twist_joint_are_refused, .init = setup,
     .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_SWING_TWIST);
    tn_swing_twist_joint_def before = tn_swing_twist_joint_get_def(world, joint);
    const float angles[] = {-0.1f, 3.2f, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        tn_result result = i < 2 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE;
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(angles[i]),
                                              swing_within(1.0f));
        expect(result, "tn_swing_twist_joint_set_swing_limits", "y");
        tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(1.0f),
                                              swing_within(angles[i]));
        expect(result, "tn_swing_twist_joint_set_swing_limits", "z");
    }
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        tn_swing_twist_joint_set_swing_limits(world, joint, limit_cases[i].limit,
                                              before.swing_limit_z);
        expect(limit_cases[i].result, "tn_swing_twist_joint_set_swing_limits", "limit");
    }
    tn_limit beyond = {.lower = 0.1f, .upper = 1.0f}, soft = swing_within(1.0f);
    tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(1.0f), beyond);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_swing_twist_joint_set_swing_limits", "0 is not in it");
    soft.stiffness = 100.0f;
    tn_swing_twist_joint_set_swing_limits(world, joint, swing_within(1.0f), soft);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_swing_twist_joint_set_swing_limits", "two softnesses");
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        tn_swing_twist_joint_set_twist_limit(world, joint, limit_cases[i].limit);
        expect(limit_cases[i].result, "tn_swing_twist_joint_set_twist_limit", "limit");
    }
    tn_swing_twist_joint_set_twist_limit(
        world, joint, (tn_limit){.is_enabled = true, .lower = -3.2f, .upper = 0.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_swing_twist_joint_set_twist_limit", "over half a turn");
    for (size_t i = 0; i < COUNT(spring_cases); ++i) {
        tn_swing_twist_joint_set_spring(world, joint, spring_cases[i].spring);
        expect(spring_cases[i].result, "tn_swing_twist_joint_set_spring", "spring");
    }
    tn_ball_motor bad = before.motor;
    bad.max_torque = NAN;
    tn_swing_twist_joint_set_motor(world, joint, bad);
    expect(TN_RESULT_NOT_FINITE, "tn_swing_twist_joint_set_motor", "a NaN cap");
    tn_swing_twist_joint_set_friction(world, joint, -1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_swing_twist_joint_set_friction", "friction");
    tn_swing_twist_joint_set_viscous_friction(world, joint, NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_swing_twist_joint_set_viscous_friction", "viscous");
    tn_swing_twist_joint_def after = tn_swing_twist_joint_get_def(world, joint);
    cr_assert(memcmp(&after.swing_limit_y, &before.swing_limit_y, sizeof(tn_limit)) == 0);
    cr_assert(memcmp(&after.swing_limit_z, &before.swing_limit_z, sizeof(tn_limit)) == 0);
    cr_assert(!after.swing_limit_y.is_enabled && !after.twist_limit.is_enabled);
    cr_assert(after.spring.mode == TN_SPRING_MODE_OFF && after.motor.max_torque == INFINITY);
    cr_assert(after.friction == 0.0f);
    tn_joint_id ball = make(TN_JOINT_TYPE_BALL);
    cr_assert(tn_swing_twist_joint_get_swing(world, ball).y == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_swing_twist_joint_get_swing", "a ball joint");
    tn_swing_twist_joint_set_friction(world, ball, 1.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_swing_twist_joint_set_friction", "a ball joint");
}

static void set_axis_part(tn_joint_id joint, const tn_limit *limit, const tn_spring *spring,
                          const tn_motor *motor) {
    tn_axis axis = tn_six_axis_joint_get_def(world, joint).axes[0];
    axis.limit = limit ? *limit : axis.limit;
    axis.spring = spring ? *spring : axis.spring;
    axis.motor = motor ? *motor : axis.motor;
    tn_six_axis_joint_set_axis(world, joint, TN_SIX_AXIS_LINEAR_X, axis);
}

// Every number is looked at, also of axes that are locked.
Test(joint_misuse_actors, bad_numbers_for_an_axis_of_a_six_axis_joint_are_refused, .init = setup,
     .fini = teardown) {
    const char *function = "tn_six_axis_joint_set_axis";
    tn_joint_id joint = make(TN_JOINT_TYPE_SIX_AXIS);
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        set_axis_part(joint, &limit_cases[i].limit, NULL, NULL);
        expect(limit_cases[i].result, function, "limit");
    }
    for (size_t i = 0; i < COUNT(spring_cases); ++i) {
        set_axis_part(joint, NULL, &spring_cases[i].spring, NULL);
        expect(spring_cases[i].result, function, "spring");
    }
    for (size_t i = 0; i < COUNT(motor_cases); ++i) {
        set_axis_part(joint, NULL, NULL, &motor_cases[i].motor);
        expect(motor_cases[i].result, function, "motor");
        tn_six_axis_joint_set_motor(world, joint, TN_SIX_AXIS_ANGULAR_Z, motor_cases[i].motor);
        expect(motor_cases[i].result, "tn_six_axis_joint_set_motor", "motor");
    }
    tn_six_axis_joint_def def = tn_six_axis_joint_get_def(world, joint);
    cr_assert(def.locks == TN_SIX_AXIS_LOCK_ALL && !def.axes[0].limit.is_enabled);
    tn_axis axis = def.axes[0];
    axis.limit = (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 3.2f};
    tn_six_axis_joint_set_axis(world, joint, TN_SIX_AXIS_ANGULAR_X, axis);
    expect(TN_RESULT_INVALID_ARGUMENT, function, "over half a turn");
    tn_six_axis_joint_set_axis(world, joint, (tn_six_axis)6, def.axes[0]);
    expect(TN_RESULT_INVALID_ARGUMENT, function, "a seventh axis");
    tn_six_axis_joint_set_motor(world, joint, (tn_six_axis)-1, def.axes[0].motor);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_six_axis_joint_set_motor", "axis -1");
    cr_assert(tn_six_axis_joint_get_position(world, joint, (tn_six_axis)6) == 0.0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_six_axis_joint_get_position", "a seventh axis");
    tn_joint_id other = make(TN_JOINT_TYPE_FIXED);
    cr_assert(tn_six_axis_joint_get_speed(world, other, TN_SIX_AXIS_LINEAR_X) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_six_axis_joint_get_speed", "a weld");
}

Test(joint_misuse_actors, bad_round_limits_are_refused, .init = setup, .fini = teardown) {
    const char *function = "tn_six_axis_joint_set_round_limits";
    tn_joint_id joint = make(TN_JOINT_TYPE_SIX_AXIS);
    const tn_round_limit off = {false, false, false, 0.0f, 0.0f};
    const struct {
        tn_round_limit limit;
        tn_result result;
    } cases[] = {{{true, true, false, -0.1f, 1.0f}, TN_RESULT_INVALID_ARGUMENT},
                 {{true, true, false, 2.0f, 1.0f}, TN_RESULT_INVALID_ARGUMENT},
                 {{true, true, true, 0.0f, NAN}, TN_RESULT_NOT_FINITE},
                 {{true, true, true, 0.0f, INFINITY}, TN_RESULT_NOT_FINITE},
                 {{false, false, true, 0.0f, 1.0f}, TN_RESULT_INVALID_ARGUMENT},
                 {{false, false, false, 0.0f, -1.0f}, TN_RESULT_INVALID_ARGUMENT}};
    for (size_t i = 0; i < COUNT(cases); ++i) {
        tn_six_axis_joint_set_round_limits(world, joint, cases[i].limit, off);
        expect(cases[i].result, function, "linear");
        tn_six_axis_joint_set_round_limits(world, joint, off, cases[i].limit);
        expect(cases[i].result, function, "angular");
    }
    tn_round_limit wide = {true, true, false, 0.0f, 3.2f};
    tn_six_axis_joint_set_round_limits(world, joint, off, wide);
    expect(TN_RESULT_INVALID_ARGUMENT, function, "more than half a turn");
    tn_six_axis_joint_set_round_limits(world, joint, wide, off);
    cr_assert(reports.count == 0);
}

// 6 limits of two rows, 4 springs: 16. One more is too many, and leaves the joint as it was.
Test(joint_misuse_actors, a_six_axis_joint_of_more_than_twenty_one_rows_is_refused, .init = setup,
     .fini = teardown) {
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    def.base.body_a = body_a;
    def.base.body_b = body_b;
    def.locks = 0;
    for (int i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
        def.axes[i].limit = (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 1.0f};
        def.axes[i].spring.mode = TN_SPRING_MODE_STIFFNESS;
        def.axes[i].motor.mode = i < 3 ? TN_MOTOR_MODE_SPEED : TN_MOTOR_MODE_OFF;
    }
    tn_joint_id joint = tn_six_axis_joint_create(world, &def);
    cr_assert(joint.value != 0 && reports.count == 0);
    tn_axis axis = def.axes[5];
    axis.motor.mode = TN_MOTOR_MODE_SPEED;
    tn_six_axis_joint_set_axis(world, joint, TN_SIX_AXIS_ANGULAR_Z, axis);
    expect(TN_RESULT_TOO_LARGE, "tn_six_axis_joint_set_axis", "22 rows");
    cr_assert(tn_six_axis_joint_get_def(world, joint).axes[5].motor.mode == TN_MOTOR_MODE_OFF);
    def.axes[5] = axis;
    cr_assert(tn_six_axis_joint_create(world, &def).value == 0);
    expect(TN_RESULT_TOO_LARGE, "tn_six_axis_joint_create", "22 rows");
    cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
}

Test(joint_misuse_actors, bad_numbers_for_a_wheel_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id wheel = make(TN_JOINT_TYPE_WHEEL);
    tn_wheel_joint_def before = tn_wheel_joint_get_def(world, wheel);
    const char *steering = "tn_wheel_joint_set_steering";
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        tn_wheel_joint_set_suspension_limit(world, wheel, limit_cases[i].limit);
        expect(limit_cases[i].result, "tn_wheel_joint_set_suspension_limit", "limit");
        tn_wheel_joint_set_steering(world, wheel, true, limit_cases[i].limit,
                                    before.steering_motor);
        expect(limit_cases[i].result, steering, "limit");
    }
    for (size_t i = 0; i < COUNT(spring_cases); ++i) {
        tn_wheel_joint_set_suspension(world, wheel, spring_cases[i].spring);
        expect(spring_cases[i].result, "tn_wheel_joint_set_suspension", "spring");
    }
    for (size_t i = 0; i < COUNT(motor_cases); ++i) {
        tn_wheel_joint_set_spin_motor(world, wheel, motor_cases[i].motor);
        expect(motor_cases[i].result, "tn_wheel_joint_set_spin_motor", "motor");
        tn_wheel_joint_set_steering(world, wheel, false, before.steering_limit,
                                    motor_cases[i].motor);
        expect(motor_cases[i].result, steering, "motor");
    }
    tn_wheel_joint_set_steering(world, wheel, true,
                                (tn_limit){.is_enabled = true, .lower = -3.2f, .upper = 1.0f},
                                before.steering_motor);
    expect(TN_RESULT_INVALID_ARGUMENT, steering, "over half a turn");
    tn_wheel_joint_def after = tn_wheel_joint_get_def(world, wheel);
    cr_assert(!after.has_steering && !after.suspension_limit.is_enabled);
    cr_assert(after.suspension.mode == TN_SPRING_MODE_OFF);
    cr_assert(after.spin_motor.mode == TN_MOTOR_MODE_OFF);
    tn_joint_id hinge = make(TN_JOINT_TYPE_HINGE);
    cr_assert(tn_wheel_joint_get_spin_speed(world, hinge) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_wheel_joint_get_spin_speed", "a hinge");
}
