// Definitions that make no joint: refused, reported with their code and the name of the function,
// and nothing made; likewise without memory.
#include <stdlib.h>

#include "joint_misuse.h"

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
    d->break_linear.z = (double)NAN;
}
static void negative_break_linear(tn_joint_def *d) {
    d->break_linear.y = -1.0;
}
static void nan_break_angular(tn_joint_def *d) {
    d->break_angular.x = (double)NAN;
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

Test(joint_misuse_create, a_bad_common_part_makes_no_joint_of_any_type, .init = setup,
     .fini = teardown) {
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

Test(joint_misuse_create, a_joint_needs_a_dynamic_body, .init = setup, .fini = teardown) {
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

Test(joint_misuse_create, a_null_definition_is_refused, .init = setup, .fini = teardown) {
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

Test(joint_misuse_create, without_memory_no_joint_is_made_and_the_world_stays_whole) {
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
Test(joint_misuse_create, a_joint_refused_late_leaves_the_next_step_as_it_was) {
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
