// Every wrong call on a joint: refused, reported with its code and the name of the function, and
// nothing changed.
#include <stdlib.h>

#include "joint_world.h"
#include "swing_within.h"

static tn_world *world;
static test_reports reports;
static tn_body_id body_a, body_b;

static void setup(void) {
    tn_vec3 none = {0.0, 0.0, 0.0};
    world = world_make(none, &reports);
    body_a = body_make(world, 0, 0, 0, 1, 1);
    body_b = body_make(world, 1, 0, 0, 1, 1);
}

static void teardown(void) {
    tn_world_destroy(world);
}

static void expect(tn_result result, const char *function, const char *what) {
    cr_assert(reports.count == 1 && reports.last == result, "%s: %s, %u reports", what,
              tn_result_name(reports.last), reports.count);
    cr_assert_str_eq(reports.function, function, "%s", what);
    reports.count = 0;
}

// ---- creation ---------------------------------------------------------------------------------

typedef void (*spoil_fn)(tn_joint_def *base);

static void null_quaternion(tn_joint_def *d) {
    d->frame_a.rotation = (tn_quat){0};
}
static void nan_quaternion(tn_joint_def *d) {
    d->frame_b.rotation.z = (double)NAN;
}
static void infinite_position(tn_joint_def *d) {
    d->frame_a.position.y = (double)INFINITY;
}
static void nan_break_force(tn_joint_def *d) {
    d->break_force = NAN;
}
static void negative_break_force(tn_joint_def *d) {
    d->break_force = -1.0f;
}
static void nan_break_linear(tn_joint_def *d) {
    d->break_linear.z = NAN;
}
static void negative_break_linear(tn_joint_def *d) {
    d->break_linear.y = -1.0;
}
static void nan_break_angular(tn_joint_def *d) {
    d->break_angular.x = NAN;
}
static void negative_break_angular(tn_joint_def *d) {
    d->break_angular.z = -1.0;
}
static void infinite_break_time(tn_joint_def *d) {
    d->break_time = INFINITY;
}
static void negative_break_time(tn_joint_def *d) {
    d->break_time = -0.1f;
}
static void negative_break_torque(tn_joint_def *d) {
    d->break_torque = -1.0f;
}
static void negative_hertz(tn_joint_def *d) {
    d->hertz = -1.0f;
}
static void infinite_hertz(tn_joint_def *d) {
    d->hertz = INFINITY;
}
static void nan_damping_ratio(tn_joint_def *d) {
    d->damping_ratio = NAN;
}
static void same_body(tn_joint_def *d) {
    d->body_b = d->body_a;
}
static void world_twice(tn_joint_def *d) {
    d->body_a = d->body_b = world_body;
}
static void stale_body(tn_joint_def *d) {
    d->body_a.value = 0x7fc00000u;
}

static const struct {
    spoil_fn spoil;
    tn_result result;
    const char *what;
} base_cases[] = {
    {null_quaternion, TN_RESULT_ZERO_AXIS, "a zero quaternion"},
    {nan_quaternion, TN_RESULT_NOT_FINITE, "a NaN in a quaternion"},
    {infinite_position, TN_RESULT_NOT_FINITE, "an infinite position"},
    {nan_break_force, TN_RESULT_NOT_FINITE, "a NaN break force"},
    {negative_break_force, TN_RESULT_INVALID_ARGUMENT, "a negative break force"},
    {negative_break_torque, TN_RESULT_INVALID_ARGUMENT, "a negative break torque"},
    {nan_break_linear, TN_RESULT_NOT_FINITE, "a NaN break force along an axis"},
    {negative_break_linear, TN_RESULT_INVALID_ARGUMENT, "a negative break force along an axis"},
    {nan_break_angular, TN_RESULT_NOT_FINITE, "a NaN break torque about an axis"},
    {negative_break_angular, TN_RESULT_INVALID_ARGUMENT, "a negative break torque about an axis"},
    {infinite_break_time, TN_RESULT_NOT_FINITE, "an infinite break time"},
    {negative_break_time, TN_RESULT_INVALID_ARGUMENT, "a negative break time"},
    {negative_hertz, TN_RESULT_INVALID_ARGUMENT, "negative hertz"},
    {infinite_hertz, TN_RESULT_NOT_FINITE, "infinite hertz"},
    {nan_damping_ratio, TN_RESULT_NOT_FINITE, "a NaN damping ratio"},
    {same_body, TN_RESULT_SAME_BODY, "a body with itself"},
    {world_twice, TN_RESULT_NO_DYNAMIC_BODY, "the world with itself"},
    {stale_body, TN_RESULT_INVALID_ID, "a handle that was never issued"},
};

static const char *const create_names[] = {
    [TN_JOINT_TYPE_DISTANCE] = "tn_distance_joint_create",
    [TN_JOINT_TYPE_BALL] = "tn_ball_joint_create",
    [TN_JOINT_TYPE_HINGE] = "tn_hinge_joint_create",
    [TN_JOINT_TYPE_SLIDER] = "tn_slider_joint_create",
    [TN_JOINT_TYPE_FIXED] = "tn_fixed_joint_create",
    [TN_JOINT_TYPE_UNIVERSAL] = "tn_universal_joint_create",
    [TN_JOINT_TYPE_CYLINDRICAL] = "tn_cylindrical_joint_create",
    [TN_JOINT_TYPE_PLANAR] = "tn_planar_joint_create",
    [TN_JOINT_TYPE_SWING_TWIST] = "tn_swing_twist_joint_create",
    [TN_JOINT_TYPE_SIX_AXIS] = "tn_six_axis_joint_create",
    [TN_JOINT_TYPE_WHEEL] = "tn_wheel_joint_create",
    [TN_JOINT_TYPE_GEAR] = "tn_gear_joint_create",
    [TN_JOINT_TYPE_RACK_PINION] = "tn_rack_pinion_joint_create",
    [TN_JOINT_TYPE_SCREW] = "tn_screw_joint_create",
    [TN_JOINT_TYPE_PULLEY] = "tn_pulley_joint_create",
    [TN_JOINT_TYPE_MOUSE] = "tn_mouse_joint_create",
    [TN_JOINT_TYPE_CUSTOM] = "tn_custom_joint_create",
    [TN_JOINT_TYPE_CAM] = "tn_cam_joint_create",
    [TN_JOINT_TYPE_RATCHET] = "tn_ratchet_joint_create",
    [TN_JOINT_TYPE_ESCAPEMENT] = "tn_escapement_joint_create",
};
#define TYPES ((int)(sizeof create_names / sizeof create_names[0]))

static void evaluate_nothing(const tn_pose *frame_a, const tn_pose *frame_b, tn_custom_row *rows,
                             void *context) {
    (void)frame_a, (void)frame_b, (void)context, (void)rows;
}

static const double round_radii[] = {1.0, 1.0, 1.0, 1.0};

static tn_joint_id create_with(tn_joint_type type, const tn_joint_def *base) {
    switch (type) {
    case TN_JOINT_TYPE_DISTANCE: {
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base = *base;
        return tn_distance_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_BALL: {
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base = *base;
        return tn_ball_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_HINGE: {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.base = *base;
        return tn_hinge_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SLIDER: {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.base = *base;
        return tn_slider_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_UNIVERSAL: {
        tn_universal_joint_def def = tn_universal_joint_def_default();
        def.base = *base;
        return tn_universal_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_CYLINDRICAL: {
        tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
        def.base = *base;
        return tn_cylindrical_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_PLANAR: {
        tn_planar_joint_def def = tn_planar_joint_def_default();
        def.base = *base;
        return tn_planar_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SWING_TWIST: {
        tn_swing_twist_joint_def def = tn_swing_twist_joint_def_default();
        def.base = *base;
        return tn_swing_twist_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SIX_AXIS: {
        tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
        def.base = *base;
        return tn_six_axis_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_WHEEL: {
        tn_wheel_joint_def def = tn_wheel_joint_def_default();
        def.base = *base;
        return tn_wheel_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_GEAR: {
        tn_gear_joint_def def = tn_gear_joint_def_default();
        def.base = *base;
        return tn_gear_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_RACK_PINION: {
        tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
        def.base = *base;
        return tn_rack_pinion_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SCREW: {
        tn_screw_joint_def def = tn_screw_joint_def_default();
        def.base = *base;
        return tn_screw_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_PULLEY: {
        tn_pulley_joint_def def = tn_pulley_joint_def_default();
        def.base = *base;
        return tn_pulley_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_MOUSE: {
        tn_mouse_joint_def def = tn_mouse_joint_def_default();
        float hertz = def.base.hertz;
        def.base = *base;
        def.base.hertz = base->hertz == 0.0f ? hertz : base->hertz;
        return tn_mouse_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_CUSTOM: {
        tn_custom_joint_def def = tn_custom_joint_def_default();
        def.base = *base;
        def.evaluate = evaluate_nothing;
        def.row_count = 1;
        return tn_custom_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_CAM: {
        tn_cam_joint_def def = tn_cam_joint_def_default();
        def.base = *base;
        def.radii = round_radii;
        def.radius_count = 4;
        return tn_cam_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_RATCHET: {
        tn_ratchet_joint_def def = tn_ratchet_joint_def_default();
        def.base = *base;
        return tn_ratchet_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_ESCAPEMENT: {
        tn_escapement_joint_def def = tn_escapement_joint_def_default();
        def.base = *base;
        return tn_escapement_joint_create(world, &def);
    }
    default: {
        tn_fixed_joint_def def = tn_fixed_joint_def_default();
        def.base = *base;
        return tn_fixed_joint_create(world, &def);
    }
    }
}

Test(joint_misuse, a_bad_common_part_makes_no_joint_of_any_type, .init = setup, .fini = teardown) {
    for (int type = 0; type < TYPES; ++type) {
        for (size_t i = 0; i < sizeof base_cases / sizeof base_cases[0]; ++i) {
            tn_joint_def base = tn_joint_def_default();
            base.body_a = body_a;
            base.body_b = body_b;
            base_cases[i].spoil(&base);
            cr_assert(create_with((tn_joint_type)type, &base).value == 0);
            expect(base_cases[i].result, create_names[type], base_cases[i].what);
        }
    }
    cr_assert(tn_world_count_joints(world) == 0);
}

Test(joint_misuse, a_joint_needs_a_dynamic_body, .init = setup, .fini = teardown) {
    tn_joint_def base = tn_joint_def_default();
    base.body_a = static_body_make(world, 0, 0, 0);
    base.body_b = static_body_make(world, 1, 0, 0);
    for (int type = 0; type < TYPES; ++type) {
        cr_assert(create_with((tn_joint_type)type, &base).value == 0);
        expect(TN_RESULT_NO_DYNAMIC_BODY, create_names[type], "two static bodies");
    }
    base.body_b = world_body;
    cr_assert(create_with(TN_JOINT_TYPE_BALL, &base).value == 0);
    expect(TN_RESULT_NO_DYNAMIC_BODY, create_names[1], "a static body and the world");
    base.body_b = body_a;
    tn_body_destroy(world, body_a);
    cr_assert(create_with(TN_JOINT_TYPE_BALL, &base).value == 0);
    expect(TN_RESULT_INVALID_ID, create_names[1], "a body that is gone");
}

Test(joint_misuse, a_null_definition_is_refused, .init = setup, .fini = teardown) {
    cr_assert(tn_distance_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[0], "null");
    cr_assert(tn_ball_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[1], "null");
    cr_assert(tn_hinge_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[2], "null");
    cr_assert(tn_slider_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[3], "null");
    cr_assert(tn_fixed_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_FIXED], "null");
    cr_assert(tn_universal_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_UNIVERSAL], "null");
    cr_assert(tn_cylindrical_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_CYLINDRICAL], "null");
    cr_assert(tn_planar_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_PLANAR], "null");
    cr_assert(tn_swing_twist_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_SWING_TWIST], "null");
    cr_assert(tn_six_axis_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_SIX_AXIS], "null");
    cr_assert(tn_wheel_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_WHEEL], "null");
    cr_assert(tn_gear_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_GEAR], "null");
    cr_assert(tn_rack_pinion_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_RACK_PINION], "null");
    cr_assert(tn_screw_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_SCREW], "null");
    cr_assert(tn_pulley_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_PULLEY], "null");
    cr_assert(tn_cam_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_CAM], "null");
    cr_assert(tn_ratchet_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_RATCHET], "null");
    cr_assert(tn_escapement_joint_create(world, NULL).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, create_names[TN_JOINT_TYPE_ESCAPEMENT], "null");
}

Test(joint_misuse, a_null_world_is_no_crash) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_joint_id joint = {1};
    cr_assert(tn_hinge_joint_create(NULL, &def).value == 0);
    tn_hinge_joint_set_friction(NULL, joint, 1.0f);
    tn_joint_destroy(NULL, joint);
    cr_assert(!tn_joint_is_valid(NULL, joint));
    cr_assert(tn_hinge_joint_get_angle(NULL, joint) == 0.0);
    cr_assert(tn_joint_get_user_data(NULL, joint) == NULL);
    cr_assert(tn_joint_get_reaction(NULL, joint).force.x == 0.0);
    cr_assert(tn_joint_get_error(NULL, joint).linear_length == 0.0);
    cr_assert(!tn_joint_def_set_frames(NULL, &def.base, world_body, world_body, (tn_vec3){0, 0, 0},
                                       (tn_vec3){1, 0, 0}));
}

// ---- the parts that definitions share ---------------------------------------------------------

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

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static tn_joint_id make(tn_joint_type type) {
    tn_joint_id joint =
        joint_make(world, type, body_a, body_b, (tn_vec3){0.5, 0, 0}, (tn_vec3){1, 0, 0});
    cr_assert(tn_joint_is_valid(world, joint) && reports.count == 0);
    return joint;
}

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

Test(joint_misuse, bad_numbers_for_limit_motor_spring_and_friction_change_nothing, .init = setup,
     .fini = teardown) {
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

static const tn_axis beyond_a_turn = {.limit = {.is_enabled = true, .lower = 1.0f, .upper = 7.0f}};

Test(joint_misuse, bad_numbers_for_one_of_several_values_change_nothing, .init = setup,
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

Test(joint_misuse, bad_numbers_of_one_type_only_are_refused, .init = setup, .fini = teardown) {
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

static const struct {
    double number;
    tn_result result;
} factor_cases[] = {{0.0, TN_RESULT_INVALID_ARGUMENT},
                    {1e-12, TN_RESULT_INVALID_ARGUMENT},
                    {(double)NAN, TN_RESULT_NOT_FINITE},
                    {(double)INFINITY, TN_RESULT_NOT_FINITE}};

Test(joint_misuse, bad_ratios_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id gear = make(TN_JOINT_TYPE_GEAR), rack = make(TN_JOINT_TYPE_RACK_PINION);
    tn_joint_id screw = make(TN_JOINT_TYPE_SCREW), pulley = make(TN_JOINT_TYPE_PULLEY);
    for (size_t i = 0; i < COUNT(factor_cases); ++i) {
        tn_gear_joint_set_ratio(world, gear, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_gear_joint_set_ratio", "ratio");
        tn_rack_pinion_joint_set_radius(world, rack, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_rack_pinion_joint_set_radius", "radius");
        tn_screw_joint_set_lead(world, screw, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_screw_joint_set_lead", "lead");
        tn_pulley_joint_set_ratio(world, pulley, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_pulley_joint_set_ratio", "ratio");
        tn_pulley_joint_set_length(world, pulley, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_pulley_joint_set_length", "length");
    }
    cr_assert(tn_gear_joint_get_ratio(world, gear) == 2.0);
    cr_assert(tn_rack_pinion_joint_get_def(world, rack).radius == 0.5);
    cr_assert(tn_screw_joint_get_def(world, screw).lead == 0.5);
    cr_assert(tn_pulley_joint_get_def(world, pulley).length == 4.0);
}

Test(joint_misuse, bad_numbers_of_transmissions_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id gear = make(TN_JOINT_TYPE_GEAR), pulley = make(TN_JOINT_TYPE_PULLEY);
    const int32_t teeth[][2] = {{0, 5}, {5, 0}, {1000001, 5}, {5, -1000001}, {INT32_MIN, 1}};
    for (size_t i = 0; i < COUNT(teeth); ++i) {
        tn_gear_joint_set_teeth(world, gear, teeth[i][0], teeth[i][1]);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_gear_joint_set_teeth", "teeth");
    }
    tn_gear_joint_def def = tn_gear_joint_get_def(world, gear);
    def.reference = (tn_gear_reference)3;
    cr_assert(tn_gear_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_gear_joint_create", "no such reference");
    tn_pulley_joint_set_ratio(world, pulley, -1.0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_pulley_joint_set_ratio", "a negative ratio");
    tn_pulley_joint_set_length(world, pulley, -1.0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_pulley_joint_set_length", "a negative length");
    tn_vec3 here = {0.0, 0.0, 0.0}, nowhere = {0.0, (double)NAN, 0.0};
    tn_pulley_joint_set_grounds(world, pulley, nowhere, here);
    expect(TN_RESULT_NOT_FINITE, "tn_pulley_joint_set_grounds", "NaN");
    tn_pulley_joint_set_grounds(world, pulley, here, nowhere);
    expect(TN_RESULT_NOT_FINITE, "tn_pulley_joint_set_grounds", "NaN");
    tn_limit none = {.is_enabled = false};
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        tn_pulley_joint_set_limits(world, pulley, limit_cases[i].limit, none);
        expect(limit_cases[i].result, "tn_pulley_joint_set_limits", "limit");
        tn_pulley_joint_set_limits(world, pulley, none, limit_cases[i].limit);
        expect(limit_cases[i].result, "tn_pulley_joint_set_limits", "limit");
    }
    tn_pulley_joint_set_limits(world, pulley, none,
                               (tn_limit){.is_enabled = true, .lower = -0.1f, .upper = 1.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_pulley_joint_set_limits", "a negative length");
}

// A spline that comes down so fast goes on below 0.
static const double through_the_axis[] = {5.0, 5.0, 5.0, 5.0, 0.02, 0.02, 0.02, 0.02};

Test(joint_misuse, bad_cams_are_refused, .init = setup, .fini = teardown) {
    double radii[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    tn_cam_joint_def def = tn_cam_joint_def_default();
    def.base.body_a = body_a;
    def.base.body_b = body_b;
    cr_assert(tn_cam_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_create", "no radii");
    def.radii = radii;
    const uint32_t counts[] = {0, 3, 4097, UINT32_MAX};
    for (size_t i = 0; i < COUNT(counts); ++i) {
        def.radius_count = counts[i];
        cr_assert(tn_cam_joint_create(world, &def).value == 0);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_create", "how many radii");
    }
    def.radius_count = 5;
    const double numbers[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < COUNT(numbers); ++i) {
        radii[4] = numbers[i];
        cr_assert(tn_cam_joint_create(world, &def).value == 0);
        expect(i < 2 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE, "tn_cam_joint_create",
               "a radius");
    }
    def.radii = through_the_axis;
    def.radius_count = 8;
    cr_assert(tn_cam_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_create", "a curve through the axis");
    cr_assert(tn_world_count_joints(world) == 0);
}

Test(joint_misuse, bad_followers_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id cam = make(TN_JOINT_TYPE_CAM), ball = make(TN_JOINT_TYPE_BALL);
    tn_cam_joint_set_follower(world, cam, TN_CAM_FOLLOWER_ROLLER, -0.1);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_set_follower", "a negative radius");
    tn_cam_joint_set_follower(world, cam, TN_CAM_FOLLOWER_ROLLER, (double)NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_cam_joint_set_follower", "NaN");
    tn_cam_joint_set_follower(world, cam, (tn_cam_follower)2, 0.1);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_set_follower", "no such follower");
    cr_assert(tn_cam_joint_get_def(world, cam).roller_radius == 0.1);
    cr_assert(tn_cam_joint_get_radius(world, cam, (double)INFINITY) == 0.0);
    expect(TN_RESULT_NOT_FINITE, "tn_cam_joint_get_radius", "no angle");
    cr_assert_float_eq(tn_cam_joint_get_radius(world, cam, 1e300), 0.9, 1e-12);
    cr_assert(tn_cam_joint_get_radius(world, ball, 0.0) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_get_radius", "ball");
    cr_assert(tn_cam_joint_get_lift(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_get_lift", "ball");
    tn_cam_joint_set_desmodromic(world, ball, true);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_set_desmodromic", "ball");
    cr_assert(tn_cam_joint_get_def(world, ball).radii == NULL);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_get_def", "ball");
}

Test(joint_misuse, bad_ratchets_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id ratchet = make(TN_JOINT_TYPE_RATCHET), ball = make(TN_JOINT_TYPE_BALL);
    tn_ratchet_joint_def def = tn_ratchet_joint_get_def(world, ratchet);
    const int32_t numbers[][2] = {{0, 1}, {-3, 1}, {1000001, 1}, {12, 0}, {12, 2}, {12, INT32_MIN}};
    for (size_t i = 0; i < COUNT(numbers); ++i) {
        def.teeth = numbers[i][0];
        def.direction = numbers[i][1];
        cr_assert(tn_ratchet_joint_create(world, &def).value == 0);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_ratchet_joint_create", "teeth or direction");
    }
    tn_ratchet_joint_set_drag(world, ratchet, -1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ratchet_joint_set_drag", "a negative drag");
    tn_ratchet_joint_set_drag(world, ratchet, NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_ratchet_joint_set_drag", "NaN");
    tn_ratchet_joint_set_engaged(world, ball, false);
    expect(TN_RESULT_WRONG_TYPE, "tn_ratchet_joint_set_engaged", "ball");
    cr_assert(tn_ratchet_joint_get_angle(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ratchet_joint_get_angle", "ball");
    cr_assert(tn_ratchet_joint_get_tooth(world, ball) == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ratchet_joint_get_tooth", "ball");
    // y of frame b along the axis: nothing tells the turn.
    def = tn_ratchet_joint_get_def(world, ratchet);
    def.base.frame_a = (tn_pose){.rotation = {0.0, 0.0, sqrt(0.5), sqrt(0.5)}};
    def.base.frame_b = (tn_pose){.rotation = {0.0, 0.0, 0.0, 1.0}};
    cr_assert(tn_ratchet_joint_create(world, &def).value == 0);
    expect(TN_RESULT_ZERO_AXIS, "tn_ratchet_joint_create", "no reference");
}

Test(joint_misuse, bad_escapements_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_ESCAPEMENT), ball = make(TN_JOINT_TYPE_BALL);
    const double angles[][3] = {{0.0, 0.01, 0.02},  {-0.1, 0.01, 0.02}, {0.04, 0.0, 0.02},
                                {0.04, -0.1, 0.02}, {3.0, 0.2, 0.02},   {0.04, 0.01, 0.0},
                                {0.04, 0.01, 0.2},  {0.04, 0.01, -0.01}};
    for (size_t i = 0; i < COUNT(angles); ++i) {
        tn_escapement_joint_set_angles(world, joint, angles[i][0], angles[i][1], angles[i][2]);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_escapement_joint_set_angles", "angles");
    }
    for (int i = 0; i < 3; ++i) {
        double bad[3] = {0.04, 0.01, 0.02};
        bad[i] = (double)NAN;
        tn_escapement_joint_set_angles(world, joint, bad[0], bad[1], bad[2]);
        expect(TN_RESULT_NOT_FINITE, "tn_escapement_joint_set_angles", "NaN");
    }
    tn_escapement_joint_def def = tn_escapement_joint_get_def(world, joint);
    cr_assert(def.lift_angle == 0.035);
    def.teeth = 1;
    cr_assert(tn_escapement_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_escapement_joint_create", "one tooth");
    def.teeth = 30;
    def.direction = 0;
    cr_assert(tn_escapement_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_escapement_joint_create", "no direction");
    def.direction = 1;
    def.base.frame_b = def.base.frame_a = (tn_pose){.rotation = {0.0, 0.0, 0.0, 1.0}};
    cr_assert(tn_escapement_joint_create(world, &def).value == 0);
    expect(TN_RESULT_ZERO_AXIS, "tn_escapement_joint_create", "one behind the other");
    cr_assert(tn_escapement_joint_get_angle(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_escapement_joint_get_angle", "ball");
    cr_assert(tn_escapement_joint_get_gap(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_escapement_joint_get_gap", "ball");
    cr_assert(tn_escapement_joint_get_beats(world, ball) == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_escapement_joint_get_beats", "ball");
}

Test(joint_misuse, bad_numbers_for_a_ball_motor_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id ball = make(TN_JOINT_TYPE_BALL);
    tn_ball_motor good = tn_ball_joint_get_def(world, ball).motor;
    tn_ball_motor bad = good;
    bad.target_velocity.y = NAN;
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

Test(joint_misuse, bad_numbers_for_a_swing_twist_joint_are_refused, .init = setup,
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
Test(joint_misuse, bad_numbers_for_an_axis_of_a_six_axis_joint_are_refused, .init = setup,
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

Test(joint_misuse, bad_round_limits_are_refused, .init = setup, .fini = teardown) {
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
Test(joint_misuse, a_six_axis_joint_of_more_than_twenty_one_rows_is_refused, .init = setup,
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

Test(joint_misuse, bad_numbers_for_a_wheel_are_refused, .init = setup, .fini = teardown) {
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

Test(joint_misuse, bad_frames_and_strengths_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_FIXED);
    tn_pose frame = tn_joint_get_def(world, joint).frame_a;
    tn_pose bad = frame;
    bad.position.x = (double)NAN;
    tn_joint_set_frame_a(world, joint, bad);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_frame_a", "NaN");
    bad.rotation = (tn_quat){0};
    bad.position.x = 0.0;
    tn_joint_set_frame_b(world, joint, bad);
    expect(TN_RESULT_ZERO_AXIS, "tn_joint_set_frame_b", "a zero quaternion");
    tn_joint_set_break_force(world, joint, -1.0f, 1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_break_force", "negative");
    tn_joint_set_break_force(world, joint, 1.0f, NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_break_force", "NaN");
    tn_vec3 fine = {1.0, (double)INFINITY, 1.0}, negative = {1.0, -1.0, 1.0},
            none = {1.0, 1.0, NAN};
    tn_joint_set_break_axes(world, joint, fine, negative);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_break_axes", "negative");
    tn_joint_set_break_axes(world, joint, none, fine);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_break_axes", "NaN");
    tn_joint_set_break_time(world, joint, -1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_break_time", "negative");
    tn_joint_set_break_time(world, joint, INFINITY);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_break_time", "infinite");
    tn_joint_set_stiffness(world, joint, -1.0f, 0.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_stiffness", "negative");
    tn_pose after = tn_joint_get_def(world, joint).frame_a;
    cr_assert(memcmp(&after, &frame, sizeof frame) == 0);
}

Test(joint_misuse, frames_need_bodies_a_point_and_an_axis, .init = setup, .fini = teardown) {
    const char *function = "tn_joint_def_set_frames";
    tn_joint_def def = tn_joint_def_default(), before = def;
    tn_vec3 origin = {0, 0, 0}, nowhere = {(double)NAN, 0, 0};
    tn_vec3 x = {1, 0, 0}, zero = {0, 0, 0}, nan = {0, (double)NAN, 0};
    tn_body_id stale = {0x7fc00000u};
    cr_assert(!tn_joint_def_set_frames(world, NULL, body_a, body_b, origin, x));
    expect(TN_RESULT_INVALID_ARGUMENT, function, "null");
    cr_assert(!tn_joint_def_set_frames(world, &def, stale, body_b, origin, x));
    expect(TN_RESULT_INVALID_ID, function, "stale");
    cr_assert(!tn_joint_def_set_frames(world, &def, body_a, body_b, nowhere, x));
    expect(TN_RESULT_NOT_FINITE, function, "NaN point");
    cr_assert(!tn_joint_def_set_frames(world, &def, body_a, body_b, origin, nan));
    expect(TN_RESULT_NOT_FINITE, function, "NaN axis");
    cr_assert(!tn_joint_def_set_frames(world, &def, body_a, body_b, origin, zero));
    expect(TN_RESULT_ZERO_AXIS, function, "zero axis");
    cr_assert(memcmp(&def, &before, sizeof def) == 0);
}

// ---- handles ----------------------------------------------------------------------------------

Test(joint_misuse, a_stale_handle_does_nothing_and_returns_zero, .init = setup, .fini = teardown) {
    tn_joint_id stale = make(TN_JOINT_TYPE_HINGE);
    tn_joint_destroy(world, stale);
    cr_assert(reports.count == 0 && !tn_joint_is_valid(world, stale) && reports.count == 0);
    tn_joint_destroy(world, stale);
    expect(TN_RESULT_INVALID_ID, "tn_joint_destroy", "destroyed twice");
    tn_joint_id null_joint = {0};
    const tn_joint_id handles[] = {stale, null_joint, {0xffffffffu}};
    for (int i = 0; i < 3; ++i) {
        cr_assert(!tn_joint_is_valid(world, handles[i]));
        cr_assert(tn_hinge_joint_get_angle(world, handles[i]) == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_hinge_joint_get_angle", "stale");
        tn_hinge_joint_set_friction(world, handles[i], 1.0f);
        expect(TN_RESULT_INVALID_ID, "tn_hinge_joint_set_friction", "stale");
        tn_joint_set_user_data(world, handles[i], NULL);
        expect(TN_RESULT_INVALID_ID, "tn_joint_set_user_data", "stale");
        cr_assert(tn_joint_get_def(world, handles[i]).body_a.value == 0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_def", "stale");
        cr_assert(tn_joint_get_error(world, handles[i]).linear_length == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_error", "stale");
        cr_assert(tn_joint_get_reaction(world, handles[i]).force.x == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_reaction", "stale");
        cr_assert(tn_joint_get_motor_effort(world, handles[i]) == 0.0f);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_motor_effort", "stale");
        cr_assert(tn_joint_get_motor_work(world, handles[i]) == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_motor_work", "stale");
    }
}

Test(joint_misuse, a_joint_of_another_type_is_refused, .init = setup, .fini = teardown) {
    tn_joint_id hinge = make(TN_JOINT_TYPE_HINGE), ball = make(TN_JOINT_TYPE_BALL);
    cr_assert(tn_slider_joint_get_translation(world, hinge) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_slider_joint_get_translation", "hinge");
    cr_assert(tn_distance_joint_get_length(world, hinge) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_distance_joint_get_length", "hinge");
    cr_assert(tn_ball_joint_get_cone_angle(world, hinge) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ball_joint_get_cone_angle", "hinge");
    cr_assert(tn_ball_joint_get_rotation(world, hinge).w == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ball_joint_get_rotation", "hinge");
    cr_assert(tn_ball_joint_get_velocity(world, hinge).x == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ball_joint_get_velocity", "hinge");
    cr_assert(tn_hinge_joint_get_def(world, ball).base.body_a.value == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_hinge_joint_get_def", "ball");
    tn_fixed_joint_set_springs(world, ball, (tn_spring){0}, (tn_spring){0});
    expect(TN_RESULT_WRONG_TYPE, "tn_fixed_joint_set_springs", "ball");
    tn_slider_joint_set_friction(world, ball, 1.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_slider_joint_set_friction", "ball");
    cr_assert(tn_gear_joint_get_ratio(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_gear_joint_get_ratio", "ball");
    cr_assert(tn_gear_joint_get_angle_a(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_gear_joint_get_angle_a", "ball");
    cr_assert(tn_gear_joint_get_phase_error(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_gear_joint_get_phase_error", "ball");
    cr_assert(tn_rack_pinion_joint_get_travel(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_rack_pinion_joint_get_travel", "ball");
    tn_screw_joint_set_lead(world, ball, 1.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_screw_joint_set_lead", "ball");
    cr_assert(tn_pulley_joint_get_length_a(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_pulley_joint_get_length_a", "ball");
}

Test(joint_misuse, values_of_another_type_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id universal = make(TN_JOINT_TYPE_UNIVERSAL), planar = make(TN_JOINT_TYPE_PLANAR);
    cr_assert(tn_universal_joint_get_second_angle(world, planar) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_get_second_angle", "planar");
    cr_assert(tn_universal_joint_get_first_torque(world, planar) == 0.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_get_first_torque", "planar");
    cr_assert(tn_universal_joint_get_def(world, planar).base.body_a.value == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_get_def", "planar");
    tn_universal_joint_set_first(world, planar, beyond_a_turn);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_set_first", "planar");
    cr_assert(tn_cylindrical_joint_get_angular_speed(world, planar) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_cylindrical_joint_get_angular_speed", "planar");
    cr_assert(tn_cylindrical_joint_get_motor_force(world, planar) == 0.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_cylindrical_joint_get_motor_force", "planar");
    tn_cylindrical_joint_set_slide(world, planar, beyond_a_turn);
    expect(TN_RESULT_WRONG_TYPE, "tn_cylindrical_joint_set_slide", "planar");
    cr_assert(tn_planar_joint_get_z_speed(world, universal) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_planar_joint_get_z_speed", "universal");
    cr_assert(tn_planar_joint_get_motor_torque(world, universal) == 0.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_planar_joint_get_motor_torque", "universal");
    tn_planar_joint_set_z(world, universal, beyond_a_turn);
    expect(TN_RESULT_WRONG_TYPE, "tn_planar_joint_set_z", "universal");
    tn_joint_destroy(world, planar);
    cr_assert(tn_planar_joint_get_y(world, planar) == 0.0);
    expect(TN_RESULT_INVALID_ID, "tn_planar_joint_get_y", "stale");
}

// ---- a locked world ---------------------------------------------------------------------------

static tn_joint_id locked_joint;
static test_reports locked_reports;

// The report hook is a callback: the world is locked while it runs.
static void change_from_inside(const tn_report *report, void *user_data) {
    (void)report, (void)user_data;
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.base.body_a = body_a;
    def.base.body_b = body_b;
    cr_assert(tn_hinge_joint_create(world, &def).value == 0);
    tn_joint_destroy(world, locked_joint);
    tn_hinge_joint_set_friction(world, locked_joint, 5.0f);
    tn_joint_set_user_data(world, locked_joint, &locked_reports);
    cr_assert(tn_hinge_joint_get_angle(world, locked_joint) == 0.0);
}

Test(joint_misuse, a_callback_cannot_change_joints) {
    tn_world_def def = tn_world_def_default();
    def.report = change_from_inside;
    world = tn_world_create(&def, NULL);
    body_a = body_make(world, 0, 0, 0, 1, 1);
    body_b = body_make(world, 1, 0, 0, 1, 1);
    locked_joint = joint_make(world, TN_JOINT_TYPE_HINGE, body_a, body_b, (tn_vec3){0, 0, 0},
                              (tn_vec3){1, 0, 0});
    uint64_t before = tn_world_get_telemetry(world).reports;
    tn_hinge_joint_set_friction(world, locked_joint, -1.0f);
    cr_assert(tn_world_get_telemetry(world).reports == before + 5);
    cr_assert(tn_joint_is_valid(world, locked_joint));
    cr_assert(tn_world_count_joints(world) == 1);
    cr_assert(tn_hinge_joint_get_def(world, locked_joint).friction == 0.0f);
    cr_assert(tn_joint_get_user_data(world, locked_joint) == NULL);
    tn_world_destroy(world);
}

// ---- no memory --------------------------------------------------------------------------------

static int allocations_left;

static void *failing_alloc(size_t size, size_t alignment, void *user_data) {
    (void)user_data;
    if (allocations_left-- <= 0) {
        return NULL;
    }
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void failing_free(void *memory, size_t size, void *user_data) {
    (void)size, (void)user_data;
    free(memory);
}

Test(joint_misuse, without_memory_no_joint_is_made_and_the_world_stays_whole) {
    tn_world_def def = tn_world_def_default();
    def.alloc = failing_alloc;
    def.free = failing_free;
    def.report = remember_report;
    def.report_user_data = &reports;
    allocations_left = 1000000;
    world = tn_world_create(&def, NULL);
    body_a = body_make(world, 0, 0, 0, 1, 1);
    body_b = body_make(world, 1, 0, 0, 1, 1);
    uint32_t made = 0, refused = 0;
    for (int i = 0; i < 400; ++i) {
        // Each joint is tried with no allocation, with one, with two, until it can be made.
        tn_joint_id joint = {0};
        for (int allowed = 0; joint.value == 0; ++allowed) {
            reports.count = 0;
            allocations_left = allowed;
            joint = joint_make(world, (tn_joint_type)(i % TYPES), body_a, body_b,
                               (tn_vec3){0.5, 0, 0}, (tn_vec3){0, 0, 1});
            if (joint.value == 0) {
                cr_assert(reports.count == 1 && reports.last == TN_RESULT_OUT_OF_MEMORY);
                cr_assert(tn_world_count_joints(world) == made);
                refused += 1;
            }
            cr_assert(allowed < 10);
        }
        made += 1;
    }
    cr_assert(made == 400 && refused >= 3);
    allocations_left = 1000000;
    cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
    tn_world_destroy(world);
}

// A refused creation may have moved the records of joints, which a step keeps pointers to from one
// step to the next.
Test(joint_misuse, a_joint_refused_late_leaves_the_next_step_as_it_was) {
    for (int count = 1; count <= 24; ++count) {
        world = tn_world_create(NULL, NULL);
        tn_body_id last = {0};
        for (int i = 0; i < count; ++i) {
            tn_body_id next = body_make(world, i, 0, 0, 1, 1);
            joint_make(world, TN_JOINT_TYPE_SLIDER, last, next, (tn_vec3){i - 0.5, 0, 0},
                       (tn_vec3){0, 1, 0});
            last = next;
        }
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK);
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK);
        tn_belt_joint_def def = tn_belt_joint_def_default();
        def.base.body_b = last;
        def.base.frame_a.position = tn_body_get_pose(world, last).position; // centres coincide
        cr_assert_eq(tn_belt_joint_create(world, &def).value, 0u);
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK);
        cr_assert_eq(tn_world_count_joints(world), (uint32_t)count);
        tn_world_destroy(world);
    }
}
