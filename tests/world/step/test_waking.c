// Setting a value to what it is wakes nobody; setting another wakes what the header says.
#include <string.h>
#include <tenon/area.h>

#include "tests/world/world_test.h"

// A box on the floor with a joint to the world, two forces, asleep; and what is set of it.
typedef struct sleeper {
    tn_world *world;
    tn_body_id floor, body;
    tn_joint_id joint;
    tn_force_id force;
    test_reports reports;
} sleeper;

static sleeper s;

static void setup(void) {
    s.world = test_world_create(&s.reports);
    s.floor = test_floor_create(s.world);
    s.body =
        test_box_create(s.world, TN_BODY_TYPE_DYNAMIC, 0.3, 0.5, 0.7, (tn_vec3){0.5, 0.5, 0.5});
}

static void teardown(void) {
    test_world_destroy_quiet(s.world, &s.reports);
}

static void fall_asleep(void) {
    for (int i = 0; i < 600 && tn_body_is_awake(s.world, s.body); ++i) {
        test_step(s.world, 1);
    }
    cr_assert_not(tn_body_is_awake(s.world, s.body));
}

// `same` leaves the body asleep; `other` wakes it.
#define CHECK(same, other)                                                                         \
    do {                                                                                           \
        fall_asleep();                                                                             \
        same;                                                                                      \
        cr_assert_not(tn_body_is_awake(s.world, s.body), "%s wakes it", #same);                    \
        other;                                                                                     \
        cr_assert(tn_body_is_awake(s.world, s.body), "%s leaves it asleep", #other);               \
    } while (0)

Test(waking, a_body_is_woken_by_other_values_only, .init = setup, .fini = teardown) {
    tn_world *world = s.world;
    tn_body_id body = s.body;
    fall_asleep();
    tn_pose pose = tn_body_get_pose(world, body), other = pose;
    other.position.y += 0.001;
    CHECK(tn_body_set_pose(world, body, pose), tn_body_set_pose(world, body, other));
    tn_velocity zero = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},
                slow = {{0.0, 0.0, 0.0}, {0.0, 1e-4, 0.0}};
    tn_vec3 none = {0.0, 0.0, 0.0}, some = {0.0, 1e-3, 0.0};
    CHECK(tn_body_set_velocity(world, body, zero), tn_body_set_velocity(world, body, slow));
    CHECK(tn_body_set_linear_velocity(world, body, none),
          tn_body_set_linear_velocity(world, body, some));
    CHECK(tn_body_set_angular_velocity(world, body, none),
          tn_body_set_angular_velocity(world, body, some));
    CHECK(tn_body_set_gravity_scale(world, body, 1.0f),
          tn_body_set_gravity_scale(world, body, 1.01f));
    CHECK(tn_body_set_locks(world, body, 0), tn_body_set_locks(world, body, TN_BODY_LOCK_LINEAR_X));
    CHECK(tn_body_set_mass_from_shapes(world, body),
          tn_body_set_mass(world, body, (tn_mass){.mass = 2.0, .inertia = {1, 1, 1, 0, 0, 0}}));
    tn_mass mass = tn_body_get_mass(world, body);
    CHECK(tn_body_set_mass(world, body, mass), tn_body_set_mass_from_shapes(world, body));
    CHECK(tn_body_set_enabled(world, body, true), tn_body_set_sleep_allowed(world, body, false));
    tn_body_set_sleep_allowed(world, body, true);
    CHECK(tn_body_set_type(world, body, TN_BODY_TYPE_DYNAMIC),
          tn_body_set_awake(world, body, true));
    CHECK(tn_body_apply_force(world, body, none), tn_body_apply_force(world, body, some));
    CHECK(tn_body_apply_torque(world, body, none), tn_body_apply_torque(world, body, some));
    CHECK(tn_body_apply_impulse(world, body, none), tn_body_apply_impulse(world, body, some));
    CHECK(tn_body_apply_angular_impulse(world, body, none),
          tn_body_apply_angular_impulse(world, body, some));
    CHECK(tn_world_set_gravity(world, tn_world_get_gravity(world)),
          tn_world_set_gravity(world, (tn_vec3){0.0, -9.0, 0.0}));
}

Test(waking, shapes_wake_by_other_values_only, .init = setup, .fini = teardown) {
    tn_shape_id shape = test_first_shape(s.world, s.body);
    tn_material material = tn_shape_get_material(s.world, shape), rough = material;
    rough.friction = 0.9f;
    CHECK(tn_shape_set_material(s.world, shape, material),
          tn_shape_set_material(s.world, shape, rough));
    tn_filter filter = tn_shape_get_filter(s.world, shape), other = filter;
    other.category = 2;
    CHECK(tn_shape_set_filter(s.world, shape, filter), tn_shape_set_filter(s.world, shape, other));
    CHECK(tn_shape_set_density(s.world, shape, 1000.0f),
          tn_shape_set_density(s.world, shape, 900.0f));
}

Test(waking, a_kinematic_body_that_is_told_where_it_is_wakes_nobody, .init = setup,
     .fini = teardown) {
    tn_body_id slab =
        test_box_create(s.world, TN_BODY_TYPE_KINEMATIC, 5.3, 0.5, 0.7, (tn_vec3){0.5, 0.5, 0.5});
    tn_body_id box =
        test_box_create(s.world, TN_BODY_TYPE_DYNAMIC, 5.3, 1.5, 0.7, (tn_vec3){0.5, 0.5, 0.5});
    tn_pose pose = tn_body_get_pose(s.world, slab);
    for (int i = 0; i < 120; ++i) {
        tn_body_set_target_pose(s.world, slab, pose, 1.0 / 60.0);
        test_step(s.world, 1);
    }
    cr_assert_not(tn_body_is_awake(s.world, box) || tn_body_is_awake(s.world, slab));
    pose.position.y += 1e-4;
    tn_body_set_target_pose(s.world, slab, pose, 1.0 / 60.0);
    cr_assert(tn_body_is_awake(s.world, box) && tn_body_is_awake(s.world, slab));
}

// A weight hangs at rest from a beam that nothing else touches.
Test(waking, what_hangs_from_a_static_body_wakes_when_that_is_moved, .init = setup,
     .fini = teardown) {
    tn_body_id beam = test_body_create(s.world, TN_BODY_TYPE_STATIC, 9.0, 5.0, 0.0);
    tn_body_id weight = test_ball_create(s.world, 9.0, 4.0, 0.0, 0.2f);
    test_bodies_tie(s.world, beam, weight);
    for (int i = 0; i < 600 && tn_body_is_awake(s.world, weight); ++i) {
        test_step(s.world, 1);
    }
    tn_pose pose = tn_body_get_pose(s.world, beam);
    cr_assert_not(tn_body_is_awake(s.world, weight));
    pose.position.x += 0.5;
    tn_body_set_pose(s.world, beam, pose);
    cr_assert(tn_body_is_awake(s.world, weight));
    test_step(s.world, 30);
    cr_assert(tn_body_get_center(s.world, weight).x > 9.1);
}

static void hinge_create(void) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(s.world, &def.base, (tn_body_id){0}, s.body,
                                      (tn_vec3){0.3, 0.5, 0.7}, (tn_vec3){0.3, 1.0, 0.2}));
    s.joint = tn_hinge_joint_create(s.world, &def);
}

// A limit whose padding is full of something else each time.
static tn_limit limit_of(bool enabled, float lower, float upper, int padding) {
    tn_limit limit;
    memset(&limit, padding, sizeof limit);
    limit.is_enabled = enabled;
    limit.lower = lower;
    limit.upper = upper;
    limit.stiffness = limit.damping = limit.restitution = 0.0f;
    return limit;
}

Test(waking, a_game_may_set_a_joint_in_every_frame, .init = setup, .fini = teardown) {
    hinge_create();
    tn_world *world = s.world;
    tn_joint_id joint = s.joint;
    tn_hinge_joint_def def = tn_hinge_joint_get_def(world, joint);
    tn_motor motor = {.mode = TN_MOTOR_MODE_SPEED, .max_force = 1.0f};
    CHECK(tn_hinge_joint_set_motor(world, joint, def.motor),
          tn_hinge_joint_set_motor(world, joint, motor));
    CHECK(tn_hinge_joint_set_motor(world, joint, motor),
          tn_hinge_joint_set_motor(world, joint, def.motor));
    CHECK(tn_hinge_joint_set_limit(world, joint, limit_of(false, 0.0f, 0.0f, 1)),
          tn_hinge_joint_set_limit(world, joint, limit_of(true, -0.5f, 0.5f, 2)));
    CHECK(tn_hinge_joint_set_limit(world, joint, limit_of(true, -0.5f, 0.5f, 3)),
          tn_hinge_joint_set_limit(world, joint, limit_of(true, -0.5f, 0.6f, 2)));
    tn_spring spring = {.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 1.0f, .damping_ratio = 1.0f};
    CHECK(tn_hinge_joint_set_spring(world, joint, def.spring),
          tn_hinge_joint_set_spring(world, joint, spring));
    CHECK(tn_hinge_joint_set_friction(world, joint, 0.0f),
          tn_hinge_joint_set_friction(world, joint, 1.0f));
    CHECK(tn_hinge_joint_set_viscous_friction(world, joint, 0.0f),
          tn_hinge_joint_set_viscous_friction(world, joint, 1.0f));
    tn_pose frame = tn_joint_get_def(world, joint).frame_a, other = frame;
    other.position.y += 1e-4;
    CHECK(tn_joint_set_frame_a(world, joint, frame), tn_joint_set_frame_a(world, joint, other));
    frame = tn_joint_get_def(world, joint).frame_b;
    other = frame;
    other.position.y += 1e-4;
    CHECK(tn_joint_set_frame_b(world, joint, frame), tn_joint_set_frame_b(world, joint, other));
    CHECK(tn_joint_set_break_force(world, joint, INFINITY, INFINITY),
          tn_joint_set_break_force(world, joint, 1e9f, INFINITY));
    tn_vec3 unbroken = {(double)INFINITY, (double)INFINITY, (double)INFINITY},
            firm = {1e9, 1e9, 1e9};
    CHECK(tn_joint_set_break_axes(world, joint, unbroken, unbroken),
          tn_joint_set_break_axes(world, joint, firm, unbroken));
    CHECK(tn_joint_set_break_time(world, joint, 0.0f), tn_joint_set_break_time(world, joint, 1.0f));
    CHECK(tn_joint_set_solver(world, joint, TN_SOLVER_AUTO),
          tn_joint_set_solver(world, joint, TN_SOLVER_PGS));
    CHECK(tn_joint_set_collision_allowed(world, joint, false),
          tn_joint_set_collision_allowed(world, joint, true));
    CHECK(tn_joint_set_stiffness(world, joint, 0.0f, 1.0f),
          tn_joint_set_stiffness(world, joint, 30.0f, 1.0f));
}

// The same turn as a quaternion of the other sign and of another length.
static tn_pose pose_otherwise(tn_pose pose) {
    tn_quat q = pose.rotation;
    pose.rotation = (tn_quat){-3.7 * q.x, -3.7 * q.y, -3.7 * q.z, -3.7 * q.w};
    return pose;
}

Test(waking, what_is_the_same_in_other_words_wakes_nobody, .init = setup, .fini = teardown) {
    hinge_create();
    tn_world *world = s.world;
    tn_joint_id joint = s.joint;
    tn_hinge_joint_def def = tn_hinge_joint_get_def(world, joint);
    tn_motor no_cap = def.motor, capped = def.motor;
    no_cap.max_force = 0.0f;
    no_cap.target_speed = -0.0f;
    capped.max_force = 1.0f;
    CHECK(tn_hinge_joint_set_motor(world, joint, no_cap),
          tn_hinge_joint_set_motor(world, joint, capped));
    CHECK(tn_hinge_joint_set_target_speed(world, joint, -0.0f),
          tn_hinge_joint_set_target_speed(world, joint, 1.0f));
    CHECK(tn_hinge_joint_set_target_position(world, joint, -0.0f),
          tn_hinge_joint_set_target_position(world, joint, 1.0f));
    CHECK(tn_hinge_joint_set_friction(world, joint, -0.0f),
          tn_hinge_joint_set_friction(world, joint, 1.0f));
    CHECK(tn_hinge_joint_set_limit(world, joint, limit_of(false, -0.0f, -0.0f, 1)),
          tn_hinge_joint_set_limit(world, joint, limit_of(false, 0.0f, 1e-6f, 1)));
    tn_pose frame = tn_joint_get_def(world, joint).frame_a, other = frame;
    other.rotation.x += 1e-6;
    CHECK(tn_joint_set_frame_a(world, joint, pose_otherwise(frame)),
          tn_joint_set_frame_a(world, joint, other));
    fall_asleep();
    tn_pose pose = tn_body_get_pose(world, s.body);
    other = pose;
    other.rotation.x += 1e-6;
    CHECK(tn_body_set_pose(world, s.body, pose_otherwise(pose)),
          tn_body_set_pose(world, s.body, other));
    tn_shape_id shape = test_first_shape(world, s.body);
    tn_material material = tn_shape_get_material(world, shape), smooth = material;
    smooth.restitution = smooth.restitution == 0.0f ? -0.0f : smooth.restitution;
    material.restitution = 0.5f;
    CHECK(tn_shape_set_material(world, shape, smooth),
          tn_shape_set_material(world, shape, material));

    tn_joint_destroy(world, joint);
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &ball.base, (tn_body_id){0}, s.body,
                                      (tn_vec3){0.3, 0.5, 0.7}, (tn_vec3){0.0, 1.0, 0.0}));
    ball.motor.target_rotation = (tn_quat){0.6, 0.0, 0.0, 0.8};
    joint = tn_ball_joint_create(world, &ball);
    tn_ball_motor same = ball.motor, turned = ball.motor;
    same.target_rotation = (tn_quat){-1.8, -0.0, 0.0, -2.4};
    same.max_torque = 0.0f;
    turned.target_rotation = (tn_quat){0.6001, 0.0, 0.0, 0.8};
    CHECK(tn_ball_joint_set_motor(world, joint, same),
          tn_ball_joint_set_motor(world, joint, turned));
}

// What has a sign, or a length of zero, is still refused.
Test(waking, no_cap_of_less_than_nothing_is_the_same_as_none, .init = setup) {
    hinge_create();
    tn_motor motor = tn_hinge_joint_get_def(s.world, s.joint).motor;
    motor.max_force = -1.0f;
    cr_assert(tn_hinge_joint_set_motor(s.world, s.joint, motor) == TN_RESULT_INVALID_ARGUMENT);
    motor.max_force = NAN;
    cr_assert(tn_hinge_joint_set_motor(s.world, s.joint, motor) == TN_RESULT_NOT_FINITE);
    tn_pose none = {0};
    cr_assert(tn_joint_set_frame_a(s.world, s.joint, none) == TN_RESULT_ZERO_AXIS);
    tn_world_destroy(s.world);
}

// These copy a struct number by number: the padding between them has other bytes.
static void copy_material(tn_material *to, const tn_material *from) {
    memset(to, 0xA5, sizeof *to);
    to->friction = from->friction;
    to->restitution = from->restitution;
    to->rolling_resistance = from->rolling_resistance;
    to->twisting_resistance = from->twisting_resistance;
    to->static_friction = from->static_friction;
    to->hertz = from->hertz;
    to->damping_ratio = from->damping_ratio;
    to->friction_scale = from->friction_scale;
    to->friction_combine = from->friction_combine;
    to->restitution_combine = from->restitution_combine;
}

static void copy_ball_motor(tn_ball_motor *to, const tn_ball_motor *from) {
    memset(to, 0xA5, sizeof *to);
    to->mode = from->mode;
    to->target_velocity = from->target_velocity;
    to->target_rotation = from->target_rotation;
    to->stiffness = from->stiffness;
    to->damping = from->damping;
    to->max_torque = from->max_torque;
    to->drive = from->drive;
}

static void copy_limit(tn_limit *to, const tn_limit *from) {
    memset(to, 0xA5, sizeof *to);
    to->is_enabled = from->is_enabled;
    to->lower = from->lower;
    to->upper = from->upper;
    to->stiffness = from->stiffness;
    to->damping = from->damping;
    to->restitution = from->restitution;
}

static void copy_area(tn_area *to, const tn_area *from) {
    memset(to, 0xA5, sizeof *to);
    to->gravity_mode = from->gravity_mode;
    to->gravity = from->gravity;
    to->linear_damping = from->linear_damping;
    to->angular_damping = from->angular_damping;
    to->wind = from->wind;
    to->wind_drag = from->wind_drag;
    to->priority = from->priority;
}

Test(waking, what_lies_between_the_numbers_wakes_nobody, .init = setup, .fini = teardown) {
    tn_shape_id shape = test_first_shape(s.world, s.body);
    tn_material material = tn_shape_get_material(s.world, shape), same_material;
    copy_material(&same_material, &material);
    material.friction = 0.9f;
    CHECK(tn_shape_set_material(s.world, shape, same_material),
          tn_shape_set_material(s.world, shape, material));

    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(s.world, &def.base, (tn_body_id){0}, s.body,
                                      (tn_vec3){0.3, 0.5, 0.7}, (tn_vec3){0.0, 1.0, 0.0}));
    def.twist_limit = (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 1.0f};
    tn_joint_id joint = tn_ball_joint_create(s.world, &def);
    tn_ball_motor motor = def.motor, same_motor;
    copy_ball_motor(&same_motor, &motor);
    motor.mode = TN_MOTOR_MODE_SPEED;
    CHECK(tn_ball_joint_set_motor(s.world, joint, same_motor),
          tn_ball_joint_set_motor(s.world, joint, motor));
    motor.mode = TN_MOTOR_MODE_OFF;
    tn_ball_joint_set_motor(s.world, joint, motor);
    tn_limit limit = def.twist_limit, same_limit;
    copy_limit(&same_limit, &limit);
    limit.upper = 0.5f;
    CHECK(tn_ball_joint_set_twist_limit(s.world, joint, same_limit),
          tn_ball_joint_set_twist_limit(s.world, joint, limit));
    tn_joint_destroy(s.world, joint);

    tn_shape_def sensor = tn_shape_def_default();
    sensor.is_sensor = true;
    tn_body_id air = test_body_create(s.world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    shape = tn_box_shape_create(s.world, air, &sensor, (tn_vec3){5.0, 5.0, 5.0});
    tn_area area = tn_area_default(), same_area;
    copy_area(&same_area, &area);
    area.wind_drag = 1e-6f;
    tn_shape_set_area(s.world, shape, &same_area);
    CHECK(tn_shape_set_area(s.world, shape, &same_area), tn_shape_set_area(s.world, shape, &area));
    copy_area(&same_area, &area);
    area.priority = 3;
    CHECK(tn_shape_set_area(s.world, shape, &same_area), tn_shape_set_area(s.world, shape, &area));
}

Test(waking, joints_with_parts_of_their_own_compare_them_too, .init = setup, .fini = teardown) {
    tn_six_axis_joint_def six = tn_six_axis_joint_def_default();
    cr_assert(tn_joint_def_set_frames(s.world, &six.base, (tn_body_id){0}, s.body,
                                      (tn_vec3){0.3, 0.5, 0.7}, (tn_vec3){1.0, 0.0, 0.0}));
    tn_joint_id joint = tn_six_axis_joint_create(s.world, &six);
    tn_axis axis = six.axes[3], other = axis;
    other.friction = 1.0f;
    CHECK(tn_six_axis_joint_set_axis(s.world, joint, 3, axis),
          tn_six_axis_joint_set_axis(s.world, joint, 3, other));
    CHECK(tn_six_axis_joint_set_locks(s.world, joint, six.locks),
          tn_six_axis_joint_set_locks(s.world, joint, 0));
    tn_joint_destroy(s.world, joint);

    tn_rope_joint_def rope = tn_rope_joint_def_default();
    rope.point_count = 2;
    rope.points[0].position = (tn_vec3){0.3, 3.0, 0.7};
    rope.points[1].body = s.body;
    rope.length = 4.0;
    joint = tn_rope_joint_create(s.world, &rope);
    CHECK(tn_rope_joint_set_length(s.world, joint, 4.0),
          tn_rope_joint_set_length(s.world, joint, 3.9));
    CHECK(tn_rope_joint_set_payout(s.world, joint, 0.0f, INFINITY),
          tn_rope_joint_set_payout(s.world, joint, 0.0f, 100.0f));
    CHECK(tn_rope_joint_set_elasticity(s.world, joint, 0.0f, 0.0f),
          tn_rope_joint_set_elasticity(s.world, joint, 1e5f, 0.0f));
}

Test(waking, forces_wake_by_other_values_only, .init = setup, .fini = teardown) {
    tn_spring_force_def def = tn_spring_force_def_default();
    def.base.connector_count = 2;
    def.base.connectors[0] = def.base.connectors[1] = tn_connector_default();
    def.base.connectors[1].body = s.body;
    def.base.connectors[0].point = (tn_vec3){0.3, 3.0, 0.7};
    tn_force_id force = tn_spring_force_create(s.world, &def);
    tn_force_spring spring = {.stiffness = 1.0};
    CHECK(tn_spring_force_set(s.world, force, def.spring),
          tn_spring_force_set(s.world, force, spring));
    CHECK(tn_force_set_amount(s.world, force, 1, 0.0), tn_force_set_amount(s.world, force, 1, 1.0));
    CHECK(tn_force_set_enabled(s.world, force, true), tn_force_set_enabled(s.world, force, false));
}
