// Definitions made by hand: one that is all zero works or is refused with a sentence, and nested
// structs have defaults of their own.
#include "tests/world/world_test.h"

static tn_world *world;
static tn_body_id body;
static test_reports reports;

static void setup(void) {
    world = test_world_create(&reports);
    body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 1.0, 0.0);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(defaults, .init = setup, .fini = teardown);

static void check_refused(uint32_t handle, const char *name) {
    cr_assert(handle == 0 && reports.count == 1, "%s: %u reports", name, reports.count);
    cr_assert(strlen(reports.message) > 10, "%s: '%s'", name, reports.message);
    reports.count = 0;
}

// The sentence also says where to start.
static void check_led(uint32_t handle, const char *name) {
    cr_assert(strstr(reports.message, "default"), "%s: '%s'", name, reports.message);
    check_refused(handle, name);
}

// Made or refused; what is made carries the body for two seconds.
static void check_works(tn_joint_id joint, const char *name) {
    if (joint.value == 0) {
        check_refused(0, name);
        return;
    }
    for (int i = 0; i < 120; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
    }
    cr_assert(reports.count == 0, "%s: %s", name, reports.message);
    cr_assert(tn_joint_is_valid(world, joint), "%s broke", name);
    cr_assert(isfinite(tn_body_get_pose(world, body).position.y), "%s", name);
    tn_joint_destroy(world, joint);
}

#define EACH_JOINT(visit)                                                                          \
    visit(distance) visit(ball) visit(hinge) visit(slider) visit(fixed) visit(universal)           \
        visit(cylindrical) visit(planar) visit(swing_twist) visit(six_axis) visit(wheel)           \
            visit(gear) visit(rack_pinion) visit(screw) visit(pulley) visit(mouse) visit(custom)   \
                visit(cam) visit(ratchet) visit(escapement) visit(curve) visit(surface)            \
                    visit(motion_path) visit(function) visit(belt)

#define ZERO_JOINT(kind)                                                                           \
    tn_##kind##_joint_def of_##kind = {0};                                                         \
    check_refused(tn_##kind##_joint_create(world, &of_##kind).value, #kind);

Test(defaults, a_joint_that_is_all_zero_is_refused_with_a_sentence) {
    EACH_JOINT(ZERO_JOINT)
    tn_rope_joint_def rope = {0};
    check_refused(tn_rope_joint_create(world, &rope).value, "rope");
}

#define FRAMED_JOINT(kind)                                                                         \
    tn_##kind##_joint_def of_##kind = {0};                                                         \
    cr_assert(tn_joint_def_set_frames(world, &of_##kind.base, (tn_body_id){0}, body,               \
                                      (tn_vec3){0.0, 2.0, 0.0}, (tn_vec3){0.0, 1.0, 0.0}));        \
    check_works(tn_##kind##_joint_create(world, &of_##kind), #kind);

Test(defaults, a_joint_that_has_only_frames_bears_or_is_refused){EACH_JOINT(FRAMED_JOINT)}

Test(defaults, what_else_is_all_zero_is_refused_with_a_sentence_or_works) {
    tn_body_def of_body = {0};
    check_refused(tn_body_create(world, &of_body).value, "body");
    tn_shape_def of_shape = {0};
    check_refused(tn_sphere_shape_create(world, body, &of_shape, 0.5f).value, "sphere");
    tn_reduced_def of_reduced = {0};
    check_refused(tn_reduced_create(world, &of_reduced).value, "reduced");
    tn_affine_def of_affine = {0};
    check_refused(tn_affine_create(world, &of_affine).value, "affine");
    tn_force_def of_force = {0};
    check_refused(tn_force_create(world, &of_force).value, "force");
    tn_goal_force_def of_goal = {0};
    check_refused(tn_goal_force_create(world, &of_goal).value, "goal");
    tn_result result = TN_RESULT_OK;
    tn_world_def of_world = {0};
    tn_world *other = tn_world_create(&of_world, &result);
    cr_assert((other == NULL) == (result != TN_RESULT_OK));
    tn_world_destroy(other);
}

Test(defaults, the_sentence_about_a_zero_says_where_to_start) {
    tn_body_def of_body = {0};
    check_led(tn_body_create(world, &of_body).value, "body");
    tn_shape_def of_shape = {0};
    check_led(tn_sphere_shape_create(world, body, &of_shape, 0.5f).value, "sphere");
    tn_hinge_joint_def of_hinge = {0};
    check_led(tn_hinge_joint_create(world, &of_hinge).value, "hinge");
}

Test(defaults, a_cap_of_zero_breaks_nothing) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, body, (tn_vec3){0.0, 2.0, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    tn_joint_id joint = tn_hinge_joint_create(world, &def);
    cr_assert(tn_joint_set_break_force(world, joint, 0.0f, 0.0f) == TN_RESULT_OK);
    tn_vec3 none = {0.0, 0.0, 0.0};
    cr_assert(tn_joint_set_break_axes(world, joint, none, none) == TN_RESULT_OK);
    tn_joint_def now = tn_joint_get_def(world, joint);
    cr_assert(isinf(now.break_force) && isinf(now.break_torque) && isinf(now.break_angular.y));
    test_step(world, 60);
    cr_assert(tn_joint_is_valid(world, joint));
}

static bool is_same(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

Test(defaults, nested_structs_are_as_in_the_definitions) {
    tn_shape_def shape = tn_shape_def_default();
    tn_material material = tn_material_default();
    tn_filter filter = tn_filter_default();
    cr_assert(material.friction == 0.6f && shape.material.friction == 0.6f);
    cr_assert(is_same(&material, &shape.material, sizeof material));
    cr_assert(filter.category == 1 && filter.mask == UINT64_MAX && filter.group == 0);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_limit limit = tn_limit_default();
    tn_motor motor = tn_motor_default();
    tn_spring spring = tn_spring_default();
    cr_assert(is_same(&limit, &hinge.limit, sizeof limit) && !limit.is_enabled);
    cr_assert(is_same(&motor, &hinge.motor, sizeof motor) && isinf(motor.max_force));
    cr_assert(is_same(&spring, &hinge.spring, sizeof spring));
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    tn_ball_motor of_ball = tn_ball_motor_default();
    cr_assert(is_same(&of_ball, &ball.motor, sizeof of_ball) && of_ball.target_rotation.w == 1.0);
    tn_universal_joint_def universal = tn_universal_joint_def_default();
    tn_axis axis = tn_axis_default();
    cr_assert(is_same(&axis, &universal.first, sizeof axis) && isinf(axis.motor.max_force));
    tn_research research = tn_world_def_default().research;
    tn_stabilization stabilization = tn_stabilization_default();
    tn_cg cg = tn_cg_default();
    cr_assert(is_same(&stabilization, &research.stabilization, sizeof stabilization));
    cr_assert(is_same(&cg, &research.cg, sizeof cg) && cg.tolerance == 1e-2f);
    cr_assert(stabilization.beta == 0.2 && stabilization.stiffness == 100.0);
}

// Turned frames: x along the axis, y along what the second is across it, z to the right of both.
Test(defaults, frames_have_both_their_axes) {
    const tn_vec3 axes[][2] = {{{1, 0, 0}, {0, 1, 0}},  {{0, 2, 0}, {3, 0, 0}},
                               {{0, 0, -1}, {0, 5, 1}}, {{-1, 0, 0}, {0, -1, 0}},
                               {{-1, 0, 0}, {0, 1, 0}}, {{1, 0, 0}, {0, -1, 0}},
                               {{1, 2, 3}, {-2, 1, 7}}, {{0, -1, 0}, {0, 0.5, -1}}};
    tn_body_def def = tn_body_def_default();
    def.pose = (tn_pose){{3.0, 2.0, 1.0}, {0.5, -0.5, 0.5, 0.5}};
    tn_body_id turned = tn_body_create(world, &def);
    for (size_t i = 0; i < sizeof axes / sizeof *axes; ++i) {
        tn_fixed_joint_def fixed = tn_fixed_joint_def_default();
        tn_vec3 x = axes[i][0], y = axes[i][1], at = {1.0, -2.0, 0.5};
        cr_assert(
            tn_joint_def_set_frames_by_axes(world, &fixed.base, (tn_body_id){0}, turned, at, x, y));
        tn_quat q = fixed.base.frame_a.rotation;
        tn_vec3 own_x = {1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z),
                         2.0 * (q.x * q.z - q.w * q.y)};
        tn_vec3 own_y = {2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z),
                         2.0 * (q.y * q.z + q.w * q.x)};
        double length = sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
        double along = (x.x * y.x + x.y * y.y + x.z * y.z) / (length * length);
        tn_vec3 across = {y.x - along * x.x, y.y - along * x.y, y.z - along * x.z};
        double reach = sqrt(across.x * across.x + across.y * across.y + across.z * across.z);
        TEST_NEAR(own_x.x * x.x + own_x.y * x.y + own_x.z * x.z, length, 1e-14);
        TEST_NEAR(own_y.x * across.x + own_y.y * across.y + own_y.z * across.z, reach, 1e-14);
        tn_joint_id joint = tn_fixed_joint_create(world, &fixed);
        cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-14);
        cr_assert(tn_joint_get_error(world, joint).angular_length < 1e-14);
        tn_joint_destroy(world, joint);
    }
    tn_fixed_joint_def fixed = tn_fixed_joint_def_default();
    tn_vec3 origin = {0, 0, 0}, x = {1, 0, 0}, nan = {(double)NAN, 0, 0}, along = {-4, 1e-9, 0};
    const tn_vec3 bad[] = {origin, nan, along};
    for (int i = 0; i < 3; ++i) {
        cr_assert(!tn_joint_def_set_frames_by_axes(world, &fixed.base, (tn_body_id){0}, turned,
                                                   origin, x, bad[i]));
        cr_assert(reports.last == (i == 1 ? TN_RESULT_NOT_FINITE : TN_RESULT_ZERO_AXIS));
    }
    cr_assert(fixed.base.body_b.value == 0 && reports.count == 3);
}
