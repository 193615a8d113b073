// Joints in the world: frames, lists, waking, contacts between joined bodies, coming and going.
#include "joint_world.h"

static tn_world *world;
static test_reports reports;

static void setup(void) {
    tn_vec3 none = {0.0, 0.0, 0.0};
    world = world_make(none, &reports);
}

static void teardown(void) {
    tn_world_destroy(world);
}

static tn_body_id turned_body(double x, double y, double z, double center_x) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, y, z};
    def.pose.rotation.x = 0.5;
    def.pose.rotation.y = -0.5;
    def.pose.rotation.z = 0.5;
    def.pose.rotation.w = 0.5;
    def.has_mass = true;
    def.mass.mass = 2.0;
    def.mass.center.x = center_x;
    def.mass.inertia.xx = def.mass.inertia.yy = def.mass.inertia.zz = 1.0;
    return tn_body_create(world, &def);
}

Test(joint_world, frames_set_at_a_point_agree_whatever_the_bodies_poses, .init = setup,
     .fini = teardown) {
    const tn_vec3 axes[] = {{1, 0, 0},      {-1, 0, 0},    {0, 1, 0},        {0, -1, 0},
                            {0, 0, 5},      {1, 1, 1},     {-1, 1e-9, 0},    {-3, 2, 1},
                            {1e-200, 0, 0}, {0, 1e200, 0}, {-1, 1e-5, -1e-5}};
    for (size_t i = 0; i < sizeof axes / sizeof axes[0]; ++i) {
        tn_body_id a = turned_body(3, 1, -2, 0.3), b = turned_body(-1, 4, 2, -0.2);
        tn_joint_id joint =
            joint_make(world, TN_JOINT_TYPE_FIXED, a, b, (tn_vec3){1e5, 2, 1}, axes[i]);
        tn_joint_error error = tn_joint_get_error(world, joint);
        // m at 100 km: doubles are 1.5e-11 apart, and a quaternion's error has a lever of 1e5.
        cr_assert(error.linear_length < 1e-9, "axis %zu: %g m", i, error.linear_length);
        cr_assert(error.angular_length < 1e-14, "axis %zu: %g rad", i, error.angular_length);
        // x of the frame is the axis asked for.
        tn_pose frame = tn_joint_get_def(world, joint).frame_a;
        tn_quat q = frame.rotation;
        tn_vec3 local = {1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.z * q.w),
                         2.0 * (q.x * q.z - q.y * q.w)};
        tn_vec3 x = tn_body_get_world_vector(world, a, local);
        double largest = fmax(fabs(axes[i].x), fmax(fabs(axes[i].y), fabs(axes[i].z)));
        tn_vec3 d = {axes[i].x / largest, axes[i].y / largest, axes[i].z / largest};
        double length = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        cr_assert_float_eq((x.x * d.x + x.y * d.y + x.z * d.z) / length, 1.0, 1e-12);
    }
    cr_assert(reports.count == 0);
}

Test(joint_world, frames_follow_a_new_centre_of_mass, .init = setup, .fini = teardown) {
    tn_body_id a = turned_body(0, 0, 0, 0.0), b = turned_body(1, 0, 0, 0.0);
    tn_joint_id joint =
        joint_make(world, TN_JOINT_TYPE_FIXED, a, b, (tn_vec3){0.5, 1, 0}, (tn_vec3){0, 1, 0});
    tn_mass mass = tn_body_get_mass(world, b);
    mass.center = (tn_vec3){0.5, -0.25, 0.125};
    tn_body_set_mass(world, b, mass);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-14);
    tn_body_set_type(world, b, TN_BODY_TYPE_STATIC);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-14);
    run(world, 0.1, 60, 4);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-6);
    tn_body_set_type(world, b, TN_BODY_TYPE_DYNAMIC);
    run(world, 0.1, 60, 4);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-6);
}

Test(joint_world, values_are_zero_where_the_frames_agree, .init = setup, .fini = teardown) {
    tn_body_id a = turned_body(0, 0, 0, 0.1), b = turned_body(1, 0, 0, 0.2);
    tn_vec3 at = {0.5, 0, 0};
    tn_vec3 axis = {0, 0.6, 0.8};
    tn_joint_id hinge = joint_make(world, TN_JOINT_TYPE_HINGE, a, b, at, axis);
    tn_joint_id slider = joint_make(world, TN_JOINT_TYPE_SLIDER, a, b, at, axis);
    tn_joint_id ball = joint_make(world, TN_JOINT_TYPE_BALL, a, b, at, axis);
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 0.0, 1e-14);
    cr_assert_float_eq(tn_slider_joint_get_translation(world, slider), 0.0, 1e-14);
    cr_assert_float_eq(tn_ball_joint_get_twist(world, ball), 0.0, 1e-14);
    cr_assert_float_eq(tn_ball_joint_get_cone_angle(world, ball), 0.0, 1e-14);
    cr_assert_float_eq(tn_ball_joint_get_rotation(world, ball).w, 1.0, 1e-7);
}

// b turns by 0.5 rad about z and is pushed along it; signs are those of b relative to a.
Test(joint_world, values_and_rates_are_of_b_relative_to_a, .init = setup, .fini = teardown) {
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 0, 0, 0, 1, 1);
    tn_vec3 at = {0, 0, 0};
    tn_vec3 z = {0, 0, 1};
    tn_joint_id hinge = joint_make(world, TN_JOINT_TYPE_HINGE, a, b, at, z);
    tn_joint_id slider = joint_make(world, TN_JOINT_TYPE_SLIDER, a, b, at, z);
    tn_joint_id ball = joint_make(world, TN_JOINT_TYPE_BALL, a, b, at, z);
    tn_joint_id rod = joint_make(world, TN_JOINT_TYPE_DISTANCE, a, b, at, z);
    tn_pose pose = {{0, 0, 0.25}, {0, 0, sin(0.25), cos(0.25)}};
    tn_body_set_pose(world, b, pose);
    tn_body_set_velocity(world, b, (tn_velocity){{0, 0, 2.0}, {0, 0, 3.0}});
    tn_body_set_velocity(world, a, (tn_velocity){{0, 0, -1.0}, {0, 0, -0.5}});
    cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 0.5, 1e-14);
    cr_assert_float_eq(tn_hinge_joint_get_speed(world, hinge), 3.5, 1e-14);
    cr_assert_float_eq(tn_slider_joint_get_translation(world, slider), 0.25, 1e-14);
    cr_assert_float_eq(tn_slider_joint_get_speed(world, slider), 3.0, 1e-14);
    cr_assert_float_eq(tn_ball_joint_get_twist(world, ball), 0.5, 1e-14);
    // In the axes of frame a, whose x is the world's z.
    cr_assert_float_eq(tn_ball_joint_get_velocity(world, ball).x, 3.5, 1e-6);
    tn_quat q = tn_ball_joint_get_rotation(world, ball);
    cr_assert_float_eq(q.x, sin(0.25), 1e-7);
    cr_assert_float_eq(q.w, cos(0.25), 1e-7);
    // The rod's frame b is a metre up.
    cr_assert_float_eq(tn_distance_joint_get_length(world, rod), 1.25, 1e-14);
    cr_assert_float_eq(tn_distance_joint_get_rate(world, rod), 3.0, 1e-14);
}

Test(joint_world, bodies_list_their_joints, .init = setup, .fini = teardown) {
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 1, 0, 0, 1, 1);
    tn_body_id c = body_make(world, 2, 0, 0, 1, 1);
    tn_vec3 at = {0, 0, 0};
    tn_vec3 x = {1, 0, 0};
    tn_joint_id ab = joint_make(world, TN_JOINT_TYPE_HINGE, a, b, at, x);
    tn_joint_id bc = joint_make(world, TN_JOINT_TYPE_BALL, b, c, at, x);
    tn_joint_id cw = joint_make(world, TN_JOINT_TYPE_BALL, c, world_body, at, x);
    tn_joint_id joints[4];
    cr_assert(tn_body_get_joints(world, a, joints, 4) == 1 && joints[0].value == ab.value);
    cr_assert(tn_body_get_joints(world, b, joints, 4) == 2);
    cr_assert(tn_body_get_joints(world, c, joints, 4) == 2);
    cr_assert(tn_world_count_joints(world) == 3);
    tn_body_destroy(world, b);
    cr_assert(!tn_joint_is_valid(world, ab) && !tn_joint_is_valid(world, bc));
    cr_assert(tn_joint_is_valid(world, cw) && tn_world_count_joints(world) == 1);
    cr_assert(tn_body_get_joints(world, a, joints, 4) == 0);
    cr_assert(tn_body_get_joints(world, c, joints, 4) == 1 && joints[0].value == cw.value);
}

// ---- coming and going -------------------------------------------------------------------------

static uint32_t random_state = 12345;
static uint32_t next_random(uint32_t below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % below;
}

// A crowd of bodies and joints of all types, each step some joints gone and some new, in any order,
// while bodies fall asleep, wake, are disabled and destroyed.
Test(joint_world, joints_come_and_go_in_any_order_while_it_runs, .init = setup, .fini = teardown) {
    enum {
        BODIES = 20,
        JOINTS = 40
    };
    tn_world_set_sleep_allowed(world, true);
    tn_world_set_gravity(world, (tn_vec3){0, -1, 0});
    tn_body_id bodies[BODIES];
    tn_joint_id joints[JOINTS] = {{0}};
    for (int i = 0; i < BODIES; ++i) {
        bodies[i] = i % 7 == 6 ? static_body_make(world, i, 0, 0)
                               : body_make(world, i, 0, 0, 1 + i % 3, 0.2);
    }
    for (int step = 0; step < 600; ++step) {
        for (int k = 0; k < 3; ++k) {
            uint32_t slot = next_random(JOINTS);
            if (tn_joint_is_valid(world, joints[slot])) {
                tn_joint_destroy(world, joints[slot]);
                joints[slot].value = 0;
            } else {
                uint32_t i = next_random(BODIES), j = next_random(BODIES);
                if (i == j || (i % 7 == 6 && j % 7 == 6)) {
                    continue;
                }
                tn_pose pose = tn_body_get_pose(world, bodies[i]);
                joints[slot] =
                    joint_make(world, (tn_joint_type)next_random(5), bodies[i],
                               next_random(4) == 0 && i % 7 != 6 ? world_body : bodies[j],
                               pose.position, (tn_vec3){0, 0, 1});
                cr_assert(joints[slot].value != 0);
            }
        }
        uint32_t i = next_random(BODIES);
        switch (next_random(8)) {
        case 0:
            tn_body_set_enabled(world, bodies[i], !tn_body_is_enabled(world, bodies[i]));
            break;
        case 1:
            tn_body_set_awake(world, bodies[i], next_random(2) == 0);
            break;
        case 2:
            tn_body_destroy(world, bodies[i]);
            bodies[i] =
                i % 7 == 6 ? static_body_make(world, i, 0, 0) : body_make(world, i, 0, 0, 1, 0.2);
            break;
        default:
            break;
        }
        cr_assert(tn_world_step(world, 1.0 / 60.0, 2) == TN_RESULT_OK);
        for (int n = 0; n < BODIES; ++n) {
            tn_pose pose = tn_body_get_pose(world, bodies[n]);
            cr_assert(isfinite(pose.position.x) && isfinite(pose.rotation.x));
        }
    }
    uint32_t count = 0;
    for (int k = 0; k < JOINTS; ++k) {
        count += tn_joint_is_valid(world, joints[k]);
        if (tn_joint_is_valid(world, joints[k])) {
            tn_joint_destroy(world, joints[k]);
        }
    }
    cr_assert(count > 0 && tn_world_count_joints(world) == 0);
    cr_assert(reports.count == 0, "%s in %s", tn_result_name(reports.last), reports.function);
}

// The first step after a joint came or went is as smooth as any: nothing jumps.
Test(joint_world, removing_a_joint_lets_go_without_a_jerk, .init = setup, .fini = teardown) {
    tn_world_set_gravity(world, (tn_vec3){0, -10, 0});
    for (int type = 1; type < JOINT_TYPES; ++type) {
        tn_body_id b = body_make(world, 0, -1, 0, 1, 0.1);
        tn_joint_id joint = joint_make(world, (tn_joint_type)type, world_body, b,
                                       (tn_vec3){0, 0, 0}, carrying_axis((tn_joint_type)type));
        run(world, 1.0, 60, 4);
        tn_joint_destroy(world, joint);
        run(world, 1.0, 60, 4);
        tn_velocity v = tn_body_get_velocity(world, b);
        cr_assert_float_eq(v.linear.y, -10.0, 1e-3, "type %d: %g", type, v.linear.y);
        cr_assert_float_eq(v.linear.x, 0.0, 1e-4);
        cr_assert_float_eq(v.angular.z, 0.0, 1e-4);
    }
}

// ---- sleep ------------------------------------------------------------------------------------

Test(joint_world, a_joint_sleeps_with_its_bodies, .init = setup, .fini = teardown) {
    tn_world_set_sleep_allowed(world, true);
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 1, 0, 0, 1, 1);
    tn_joint_id joint =
        joint_make(world, TN_JOINT_TYPE_HINGE, a, b, (tn_vec3){0.5, 0, 0}, (tn_vec3){0, 0, 1});
    run(world, 2.0, 60, 4);
    cr_assert(!tn_body_is_awake(world, a) && !tn_body_is_awake(world, b));
    cr_assert(tn_world_get_telemetry(world).joints == 0);
    tn_body_apply_impulse(world, a, (tn_vec3){0, 1, 0});
    cr_assert(tn_body_is_awake(world, a) && tn_body_is_awake(world, b));
    run(world, 1.0 / 60.0, 60, 4);
    cr_assert(tn_world_get_telemetry(world).joints == 1);
    tn_joint_destroy(world, joint);
    run(world, 1.0 / 60.0, 60, 4);
    cr_assert(tn_world_get_telemetry(world).joints == 0);
}

// Gauss-Seidel's bias closes a joint without speed.
static void soften_bias(float hertz) {
    tn_bias bias = tn_world_get_joint_bias(world);
    bias.hertz = hertz;
    tn_world_set_solver(world, TN_SOLVER_PGS);
    tn_world_set_joint_bias(world, bias);
}

Test(joint_world, a_joint_that_is_closing_does_not_sleep, .init = setup, .fini = teardown) {
    tn_world_set_sleep_allowed(world, true);
    soften_bias(1.0f);
    for (int is_angular = 0; is_angular < 2; ++is_angular) {
        tn_body_id body = body_make(world, 10.0 * is_angular, 0, 0, 1, 1);
        tn_fixed_joint_def def = tn_fixed_joint_def_default();
        tn_vec3 anchor = {10.0 * is_angular, 0, 0};
        set_frames(world, &def.base, body, world_body, anchor, (tn_vec3){1, 0, 0});
        tn_fixed_joint_create(world, &def);
        tn_pose pose = tn_body_get_pose(world, body);
        if (is_angular) {
            pose.rotation.x = sin(0.4), pose.rotation.w = cos(0.4);
        } else {
            pose.position.y += 0.8;
        }
        tn_body_set_pose(world, body, pose);
        run(world, 2.0, 60, 4);
        cr_assert(tn_body_is_awake(world, body));
        run(world, 100.0, 60, 4);
        pose = tn_body_get_pose(world, body);
        cr_assert_float_eq(pose.position.y, 0.0, 0.011);
        cr_assert_float_eq(pose.rotation.x, 0.0, 0.011);
        cr_assert(!tn_body_is_awake(world, body));
    }
}

Test(joint_world, a_joint_that_sags_for_good_sleeps, .init = setup, .fini = teardown) {
    tn_world_set_sleep_allowed(world, true);
    tn_world_set_gravity(world, (tn_vec3){0, -9.81, 0});
    tn_body_id body = body_make(world, 0, 0, 0, 1, 1);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    set_frames(world, &def.base, body, world_body, (tn_vec3){0, 0, 0}, (tn_vec3){1, 0, 0});
    soften_bias(1.0f);
    tn_ball_joint_create(world, &def);
    tn_pose pose = tn_body_get_pose(world, body);
    pose.position.y = -0.3;
    tn_body_set_pose(world, body, pose);
    run(world, 50.0, 60, 4); // it sinks on, with a time constant of 6.7 s
    cr_assert_float_eq(tn_body_get_pose(world, body).position.y, -0.123, 0.02);
    cr_assert(!tn_body_is_awake(world, body));
}

Test(joint_world, a_new_joint_wakes_both_bodies, .init = setup, .fini = teardown) {
    tn_world_set_sleep_allowed(world, true);
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 1, 0, 0, 1, 1);
    run(world, 2.0, 60, 4);
    cr_assert(!tn_body_is_awake(world, a) && !tn_body_is_awake(world, b));
    joint_make(world, TN_JOINT_TYPE_BALL, a, b, (tn_vec3){0, 0, 0}, (tn_vec3){1, 0, 0});
    cr_assert(tn_body_is_awake(world, a) && tn_body_is_awake(world, b));
    run(world, 1.0 / 60.0, 60, 4);
    cr_assert(tn_world_get_telemetry(world).joints == 1);
}

Test(joint_world, a_joint_of_a_disabled_body_rests_until_it_is_enabled, .init = setup,
     .fini = teardown) {
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = static_body_make(world, 0, 0, 0);
    tn_body_set_velocity(world, a, (tn_velocity){{1, 0, 0}, {0, 0, 0}});
    tn_body_set_enabled(world, b, false);
    joint_make(world, TN_JOINT_TYPE_SLIDER, b, a, (tn_vec3){0, 0, 0}, (tn_vec3){0, 1, 0});
    run(world, 0.5, 60, 4);
    cr_assert(tn_world_get_telemetry(world).joints == 0);
    cr_assert_float_eq(tn_body_get_pose(world, a).position.x, 0.5, 1e-6);
    tn_body_set_enabled(world, b, true);
    run(world, 2.0, 60, 4);
    cr_assert(tn_world_get_telemetry(world).joints == 1);
    cr_assert_float_eq(tn_body_get_pose(world, a).position.x, 0.0, 1e-3);
}

// ---- contacts between joined bodies -----------------------------------------------------------

static tn_body_id box_make(double x) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){x, 0, 0};
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.5, 0.5, 0.5});
    return body;
}

Test(joint_world, joined_bodies_touch_only_when_they_may, .init = setup, .fini = teardown) {
    tn_body_id a = box_make(0.0), b = box_make(0.9);
    run(world, 1.0 / 60.0, 60, 1);
    cr_assert(tn_world_count_contacts(world) == 1);
    tn_joint_id joint =
        joint_make(world, TN_JOINT_TYPE_HINGE, a, b, (tn_vec3){0.45, 0, 0}, (tn_vec3){0, 0, 1});
    cr_assert(tn_world_count_contacts(world) == 0);
    run(world, 0.1, 60, 1);
    cr_assert(tn_world_count_contacts(world) == 0);
    tn_joint_set_collision_allowed(world, joint, true);
    run(world, 1.0 / 60.0, 60, 1);
    cr_assert(tn_world_count_contacts(world) == 1);
    tn_joint_set_collision_allowed(world, joint, false);
    cr_assert(tn_world_count_contacts(world) == 0);
    // A second joint that allows contact does not overrule the first.
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    ball.base = tn_joint_get_def(world, joint);
    ball.base.is_collision_allowed = true;
    tn_joint_id second = tn_ball_joint_create(world, &ball);
    run(world, 1.0 / 60.0, 60, 1);
    cr_assert(tn_world_count_contacts(world) == 0);
    tn_joint_destroy(world, joint);
    run(world, 1.0 / 60.0, 60, 1);
    cr_assert(tn_world_count_contacts(world) == 1);
    tn_joint_destroy(world, second);
    run(world, 1.0 / 60.0, 60, 1);
    cr_assert(tn_world_count_contacts(world) == 1);
}
