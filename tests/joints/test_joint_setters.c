// Every setter of joints: what goes in comes out; it wakes the bodies; what is tuned while it runs
// keeps running.
#include "joint_world.h"

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
    cr_assert(reports.count == 0);
    tn_world_destroy(world);
}

static tn_joint_id make(tn_joint_type type) {
    return joint_make(world, type, body_a, body_b, (tn_vec3){0.5, 0, 0}, (tn_vec3){0, 0, 1});
}

static bool same(float a, float b) {
    return a == b || (isnan(a) && isnan(b));
}

static bool same_limit(tn_limit a, tn_limit b) {
    return a.is_enabled == b.is_enabled && same(a.lower, b.lower) && same(a.upper, b.upper) &&
           same(a.stiffness, b.stiffness) && same(a.damping, b.damping) &&
           same(a.restitution, b.restitution);
}

static bool same_motor(tn_motor a, tn_motor b) {
    return a.mode == b.mode && same(a.target_speed, b.target_speed) &&
           same(a.target_position, b.target_position) && same(a.stiffness, b.stiffness) &&
           same(a.damping, b.damping) && same(a.max_force, b.max_force) && a.drive == b.drive;
}

static bool same_spring(tn_spring a, tn_spring b) {
    return a.mode == b.mode && same(a.hertz, b.hertz) && same(a.damping_ratio, b.damping_ratio) &&
           same(a.stiffness, b.stiffness) && same(a.damping, b.damping) && same(a.rest, b.rest);
}

static const tn_limit limit = {true, 0.25f, 0.75f, 7.0f, 8.0f, 0.5f};
static const tn_motor motor = {TN_MOTOR_MODE_POSITION,    1.0f, 2.0f, 3.0f, 4.0f, 5.0f,
                               TN_DRIVE_MODE_ACCELERATION};
static const tn_spring spring = {TN_SPRING_MODE_FREQUENCY, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f};

#define CHECK_ACTORS(kind)                                                                         \
    do {                                                                                           \
        tn_##kind##_joint_set_limit(world, joint, limit);                                          \
        tn_##kind##_joint_set_motor(world, joint, motor);                                          \
        tn_##kind##_joint_set_spring(world, joint, spring);                                        \
        tn_##kind##_joint_set_friction(world, joint, 6.0f);                                        \
        tn_##kind##_joint_set_viscous_friction(world, joint, 7.0f);                                \
        tn_##kind##_joint_def def = tn_##kind##_joint_get_def(world, joint);                       \
        cr_assert(same_limit(def.limit, limit) && same_motor(def.motor, motor));                   \
        cr_assert(same_spring(def.spring, spring) && def.friction == 6.0f);                        \
        cr_assert(def.viscous_friction == 7.0f);                                                   \
    } while (0)

Test(joint_setters, give_back_limit_motor_spring_and_friction, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_DISTANCE);
    CHECK_ACTORS(distance);
    tn_distance_joint_set_length(world, joint, 2.5f);
    tn_distance_joint_set_rigid(world, joint, false);
    tn_distance_joint_def rod = tn_distance_joint_get_def(world, joint);
    cr_assert(rod.length == 2.5f && !rod.is_rigid);
    joint = make(TN_JOINT_TYPE_HINGE);
    CHECK_ACTORS(hinge);
    joint = make(TN_JOINT_TYPE_SLIDER);
    CHECK_ACTORS(slider);
}

// Nothing else of the motor changes.
static bool has_targets(tn_motor now, float position, float speed) {
    tn_motor right = motor;
    right.target_position = position;
    right.target_speed = speed;
    return same_motor(now, right);
}

Test(joint_setters, change_one_target_of_a_motor, .init = setup, .fini = teardown) {
    tn_joint_id hinge = make(TN_JOINT_TYPE_HINGE), slider = make(TN_JOINT_TYPE_SLIDER);
    tn_joint_id wheel = make(TN_JOINT_TYPE_WHEEL), six = make(TN_JOINT_TYPE_SIX_AXIS);
    tn_six_axis which = TN_SIX_AXIS_ANGULAR_Y;
    tn_hinge_joint_set_motor(world, hinge, motor);
    tn_slider_joint_set_motor(world, slider, motor);
    tn_wheel_joint_set_steering(world, wheel, true, limit, motor);
    tn_wheel_joint_set_spin_motor(world, wheel, motor);
    tn_six_axis_joint_set_axis(world, six, which, (tn_axis){.motor = motor});
    cr_assert(tn_hinge_joint_set_target_position(world, hinge, 0.5f) == TN_RESULT_OK);
    cr_assert(tn_hinge_joint_set_target_speed(world, hinge, 9.0f) == TN_RESULT_OK);
    cr_assert(tn_slider_joint_set_target_position(world, slider, 0.25f) == TN_RESULT_OK);
    cr_assert(tn_slider_joint_set_target_speed(world, slider, 8.0f) == TN_RESULT_OK);
    cr_assert(tn_wheel_joint_set_steering_target(world, wheel, 0.125f) == TN_RESULT_OK);
    cr_assert(tn_wheel_joint_set_spin_target_speed(world, wheel, 7.0f) == TN_RESULT_OK);
    cr_assert(tn_six_axis_joint_set_target_position(world, six, which, 0.75f) == TN_RESULT_OK);
    cr_assert(tn_six_axis_joint_set_target_speed(world, six, which, 6.0f) == TN_RESULT_OK);
    cr_assert(has_targets(tn_hinge_joint_get_def(world, hinge).motor, 0.5f, 9.0f));
    cr_assert(has_targets(tn_slider_joint_get_def(world, slider).motor, 0.25f, 8.0f));
    tn_wheel_joint_def car = tn_wheel_joint_get_def(world, wheel);
    cr_assert(has_targets(car.steering_motor, 0.125f, motor.target_speed));
    cr_assert(has_targets(car.spin_motor, motor.target_position, 7.0f));
    cr_assert(has_targets(tn_six_axis_joint_get_def(world, six).axes[which].motor, 0.75f, 6.0f));
}

static bool same_axis(tn_axis a, tn_axis b) {
    return same_limit(a.limit, b.limit) && same_motor(a.motor, b.motor) &&
           same_spring(a.spring, b.spring) && same(a.friction, b.friction);
}

// Each value gets what is its own.
Test(joint_setters, give_back_what_acts_on_each_of_several_values, .init = setup,
     .fini = teardown) {
    tn_axis one = {limit, motor, spring, 6.0f, 7.5f}, two = one, three = one;
    two.friction = 7.0f;
    three.limit.is_enabled = false;
    tn_joint_id joint = make(TN_JOINT_TYPE_UNIVERSAL);
    tn_universal_joint_set_first(world, joint, one);
    tn_universal_joint_set_second(world, joint, two);
    tn_universal_joint_def cross = tn_universal_joint_get_def(world, joint);
    cr_assert(same_axis(cross.first, one) && same_axis(cross.second, two));
    joint = make(TN_JOINT_TYPE_CYLINDRICAL);
    tn_cylindrical_joint_set_slide(world, joint, two);
    tn_cylindrical_joint_set_turn(world, joint, one);
    tn_cylindrical_joint_def bolt = tn_cylindrical_joint_get_def(world, joint);
    cr_assert(same_axis(bolt.slide, two) && same_axis(bolt.turn, one));
    joint = make(TN_JOINT_TYPE_PLANAR);
    tn_planar_joint_set_y(world, joint, one);
    tn_planar_joint_set_z(world, joint, two);
    tn_planar_joint_set_turn(world, joint, three);
    tn_planar_joint_def puck = tn_planar_joint_get_def(world, joint);
    cr_assert(same_axis(puck.y, one) && same_axis(puck.z, two) && same_axis(puck.turn, three));
}

Test(joint_setters, give_back_what_a_ball_joint_was_told, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_BALL);
    tn_ball_motor ball_motor = {TN_MOTOR_MODE_POSITION,    {1, 2, 3}, {0, 0, 0, 2}, 4, 5, 6,
                                TN_DRIVE_MODE_ACCELERATION};
    tn_limit cone = {true, 0.0f, 0.5f, 9.0f, 10.0f, 0.25f};
    tn_ball_joint_set_cone_limit(world, joint, cone);
    tn_ball_joint_set_twist_limit(world, joint, limit);
    tn_ball_joint_set_motor(world, joint, ball_motor);
    tn_ball_joint_set_spring(world, joint, spring);
    tn_ball_joint_set_friction(world, joint, 7.0f);
    tn_ball_joint_set_viscous_friction(world, joint, 8.0f);
    tn_ball_joint_def def = tn_ball_joint_get_def(world, joint);
    cr_assert(same_limit(def.cone_limit, cone) && same_limit(def.twist_limit, limit));
    cr_assert(memcmp(&def.motor, &ball_motor, sizeof ball_motor) == 0);
    cr_assert(same_spring(def.spring, spring) && def.friction == 7.0f);
    cr_assert(def.viscous_friction == 8.0f);
    tn_ball_joint_set_cone_limit(world, joint, (tn_limit){.is_enabled = false, .upper = 0.5f});
    cr_assert(!tn_ball_joint_get_def(world, joint).cone_limit.is_enabled);
}

Test(joint_setters, give_back_what_a_swing_twist_joint_was_told, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_SWING_TWIST);
    tn_ball_motor ball_motor = {TN_MOTOR_MODE_POSITION, {1, 2, 3}, {0, 0, 0, 2}, 4, 5, 6,
                                TN_DRIVE_MODE_FORCE};
    tn_limit about_y = {true, -0.25f, 0.5f, 9.0f, 10.0f, 0.25f};
    tn_limit about_z = {true, 0.0f, 0.0f, 9.0f, 10.0f, 0.25f};
    tn_swing_twist_joint_set_swing_limits(world, joint, about_y, about_z);
    tn_swing_twist_joint_set_twist_limit(world, joint, limit);
    tn_swing_twist_joint_set_motor(world, joint, ball_motor);
    tn_swing_twist_joint_set_spring(world, joint, spring);
    tn_swing_twist_joint_set_friction(world, joint, 7.0f);
    tn_swing_twist_joint_set_viscous_friction(world, joint, 8.0f);
    tn_swing_twist_joint_def def = tn_swing_twist_joint_get_def(world, joint);
    cr_assert(same_limit(def.swing_limit_y, about_y) && same_limit(def.swing_limit_z, about_z));
    cr_assert(same_limit(def.twist_limit, limit));
    cr_assert(memcmp(&def.motor, &ball_motor, sizeof ball_motor) == 0);
    cr_assert(same_spring(def.spring, spring) && def.friction == 7.0f);
    cr_assert(def.viscous_friction == 8.0f);
}

Test(joint_setters, give_back_what_a_six_axis_joint_was_told, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_SIX_AXIS);
    tn_joint_id other = make(TN_JOINT_TYPE_SIX_AXIS);
    tn_axis axis = {limit, motor, spring, 7.0f, 8.0f};
    tn_round_limit linear = {true, true, true, 0.5f, 1.0f}, angular = {false, true, true, 0, 2};
    tn_six_axis_joint_set_locks(world, joint, TN_SIX_AXIS_LOCK(TN_SIX_AXIS_ANGULAR_Z) | 1u);
    tn_six_axis_joint_set_axis(world, joint, TN_SIX_AXIS_LINEAR_Y, axis);
    tn_six_axis_joint_set_motor(world, joint, TN_SIX_AXIS_ANGULAR_Z, motor);
    tn_six_axis_joint_set_round_limits(world, joint, linear, angular);
    tn_six_axis_joint_def def = tn_six_axis_joint_get_def(world, joint);
    const tn_axis *y = &def.axes[TN_SIX_AXIS_LINEAR_Y];
    cr_assert(same_limit(y->limit, limit) && same_motor(y->motor, motor));
    cr_assert(y->friction == 7.0f && y->viscous_friction == 8.0f);
    cr_assert(same_spring(y->spring, spring));
    cr_assert(same_motor(def.axes[TN_SIX_AXIS_ANGULAR_Z].motor, motor));
    cr_assert(def.locks == 0x21u);
    cr_assert(def.linear_limit.z && def.linear_limit.lower == 0.5f);
    cr_assert(!def.angular_limit.x && def.angular_limit.upper == 2.0f);
    // Each has axes of its own, and a new one does not get those of one that is gone.
    cr_assert(tn_six_axis_joint_get_def(world, other).locks == TN_SIX_AXIS_LOCK_ALL);
    tn_joint_destroy(world, joint);
    joint = make(TN_JOINT_TYPE_SIX_AXIS);
    cr_assert(tn_six_axis_joint_get_def(world, joint).locks == TN_SIX_AXIS_LOCK_ALL);
}

Test(joint_setters, give_back_what_a_wheel_was_told, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_WHEEL);
    tn_motor other = motor;
    other.target_speed = 7.0f;
    tn_limit travel = {.is_enabled = true, .lower = -0.5f, .upper = 0.125f};
    tn_wheel_joint_set_suspension(world, joint, spring);
    tn_wheel_joint_set_suspension_limit(world, joint, travel);
    tn_wheel_joint_set_steering(world, joint, true, limit, motor);
    tn_wheel_joint_set_spin_motor(world, joint, other);
    tn_wheel_joint_def def = tn_wheel_joint_get_def(world, joint);
    cr_assert(same_spring(def.suspension, spring) && same_limit(def.suspension_limit, travel));
    cr_assert(def.has_steering && same_limit(def.steering_limit, limit));
    cr_assert(same_motor(def.steering_motor, motor) && same_motor(def.spin_motor, other));
}

Test(joint_setters, give_back_the_springs_of_a_weld, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_FIXED);
    tn_spring other = {TN_SPRING_MODE_STIFFNESS, 0, 0, 10, 20, 0};
    tn_fixed_joint_set_springs(world, joint, spring, other);
    tn_fixed_joint_def def = tn_fixed_joint_get_def(world, joint);
    cr_assert(same_spring(def.linear_spring, spring) && same_spring(def.angular_spring, other));
}

Test(joint_setters, give_back_what_transmissions_were_told, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_GEAR);
    tn_gear_joint_set_teeth(world, joint, 21, -63);
    tn_gear_joint_def gear = tn_gear_joint_get_def(world, joint);
    cr_assert(gear.teeth_a == 21 && gear.teeth_b == -63);
    cr_assert(tn_gear_joint_get_ratio(world, joint) == -3.0);
    tn_gear_joint_set_ratio(world, joint, 0.75);
    gear = tn_gear_joint_get_def(world, joint);
    cr_assert(gear.ratio == 0.75 && gear.teeth_a == 0 && gear.teeth_b == 0);
    cr_assert(tn_gear_joint_get_ratio(world, joint) == 0.75);
    joint = make(TN_JOINT_TYPE_RACK_PINION);
    tn_rack_pinion_joint_set_radius(world, joint, -0.25);
    cr_assert(tn_rack_pinion_joint_get_def(world, joint).radius == -0.25);
    joint = make(TN_JOINT_TYPE_SCREW);
    tn_screw_joint_set_lead(world, joint, 0.002);
    cr_assert(tn_screw_joint_get_def(world, joint).lead == 0.002);
    joint = make(TN_JOINT_TYPE_PULLEY);
    const tn_vec3 ground_a = {1.0, 2.0, 3.0}, ground_b = {4.0, 5.0, 6.0};
    const tn_limit other = {.is_enabled = false, .lower = 1.0f, .upper = 2.0f};
    tn_pulley_joint_set_rigid(world, joint, false);
    tn_pulley_joint_set_grounds(world, joint, ground_a, ground_b);
    tn_pulley_joint_set_limits(world, joint, limit, other);
    tn_pulley_joint_set_ratio(world, joint, 3.0);
    tn_pulley_joint_set_length(world, joint, 7.0);
    tn_pulley_joint_def pulley = tn_pulley_joint_get_def(world, joint);
    cr_assert(!pulley.is_rigid && pulley.ratio == 3.0 && pulley.length == 7.0);
    cr_assert(pulley.ground_a.x == 1.0 && pulley.ground_b.z == 6.0);
    cr_assert(same_limit(pulley.limit_a, limit) && same_limit(pulley.limit_b, other));
}

Test(joint_setters, give_back_what_a_cam_was_told, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_CAM);
    tn_cam_joint_set_follower(world, joint, TN_CAM_FOLLOWER_FLAT, 0.2);
    tn_cam_joint_set_desmodromic(world, joint, true);
    tn_cam_joint_def cam = tn_cam_joint_get_def(world, joint);
    cr_assert(cam.follower == TN_CAM_FOLLOWER_FLAT && cam.roller_radius == 0.2);
    cr_assert(cam.is_desmodromic && cam.radius_count == 8 && cam.radii[3] == 0.9);
    // What a getter gave makes another one.
    tn_joint_id other = tn_cam_joint_create(world, &cam);
    cr_assert(other.value != 0);
    tn_joint_destroy(world, joint);
    cr_assert(tn_cam_joint_get_def(world, other).radii[7] == 0.9);
    cr_assert_float_eq(tn_cam_joint_get_radius(world, other, 1.0), 0.9, 1e-12);
}

Test(joint_setters, give_back_what_ratchets_and_escapements_were_told, .init = setup,
     .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_RATCHET);
    tn_ratchet_joint_set_engaged(world, joint, false);
    tn_ratchet_joint_set_drag(world, joint, 0.25f);
    tn_ratchet_joint_def ratchet = tn_ratchet_joint_get_def(world, joint);
    cr_assert(!ratchet.is_engaged && ratchet.drag == 0.25f);
    cr_assert(ratchet.teeth == 12 && ratchet.direction == 1);
    joint = make(TN_JOINT_TYPE_ESCAPEMENT);
    tn_escapement_joint_set_angles(world, joint, 0.04, 0.01, 0.02);
    tn_escapement_joint_def escapement = tn_escapement_joint_get_def(world, joint);
    cr_assert(escapement.lift_angle == 0.04 && escapement.lock_angle == 0.01);
    cr_assert(escapement.drop_angle == 0.02 && escapement.teeth == 30);
    // Nothing moved: the tooth touches as before.
    cr_assert_float_eq(tn_escapement_joint_get_gap(world, joint), 0.0, 1e-12);
}

Test(joint_setters, give_back_the_common_part, .init = setup, .fini = teardown) {
    for (int type = 0; type < JOINT_TYPES; ++type) {
        tn_joint_id joint = make((tn_joint_type)type);
        int marker = 0;
        tn_pose frame_a = {{1, 2, 3}, {0.5, 0.5, 0.5, 0.5}};
        tn_pose frame_b = {{4, 5, 6}, {0.6, 0.0, 0.8, 0.0}};
        cr_assert(tn_joint_get_type(world, joint) == (tn_joint_type)type);
        tn_joint_set_frame_a(world, joint, frame_a);
        tn_joint_set_frame_b(world, joint, frame_b);
        tn_joint_set_break_force(world, joint, 10.0f, INFINITY);
        tn_joint_set_break_axes(world, joint, (tn_vec3){1, 2, (double)INFINITY},
                                (tn_vec3){3, 4, 5});
        tn_joint_set_break_time(world, joint, 0.25f);
        tn_joint_set_collision_allowed(world, joint, true);
        tn_joint_set_stiffness(world, joint, 30.0f, 1.5f);
        tn_joint_set_user_data(world, joint, &marker);
        tn_joint_def def = tn_joint_get_def(world, joint);
        cr_assert(memcmp(&def.frame_a, &frame_a, sizeof frame_a) == 0);
        cr_assert(memcmp(&def.frame_b, &frame_b, sizeof frame_b) == 0);
        cr_assert(def.break_force == 10.0f && isinf(def.break_torque));
        cr_assert(def.break_linear.x == 1.0 && def.break_linear.y == 2.0 &&
                  isinf(def.break_linear.z) && def.break_angular.x == 3.0 &&
                  def.break_angular.y == 4.0 && def.break_angular.z == 5.0);
        cr_assert(def.break_time == 0.25f);
        cr_assert(def.is_collision_allowed && def.hertz == 30.0f && def.damping_ratio == 1.5f);
        cr_assert(def.user_data == &marker && tn_joint_get_user_data(world, joint) == &marker);
        cr_assert(def.body_a.value == body_a.value && def.body_b.value == body_b.value);
        tn_joint_destroy(world, joint);
    }
}

Test(joint_setters, normalise_a_frames_quaternion_once_and_for_all, .init = setup,
     .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_FIXED);
    tn_pose frame = {{0, 0, 0}, {1e200, 2e200, -3e200, 4e200}};
    tn_joint_set_frame_a(world, joint, frame);
    tn_pose first = tn_joint_get_def(world, joint).frame_a;
    tn_quat q = first.rotation;
    double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    cr_assert_float_eq(length, 1.0, 1e-15);
    for (int i = 0; i < 100; ++i) {
        tn_joint_set_frame_a(world, joint, tn_joint_get_def(world, joint).frame_a);
    }
    tn_pose last = tn_joint_get_def(world, joint).frame_a;
    cr_assert(memcmp(&first, &last, sizeof first) == 0);
}

Test(joint_setters, wake_both_bodies, .init = setup, .fini = teardown) {
    tn_world_set_sleep_allowed(world, true);
    tn_joint_id joint = make(TN_JOINT_TYPE_HINGE);
    for (int i = 0; i < 6; ++i) {
        tn_body_set_awake(world, body_a, false);
        tn_body_set_awake(world, body_b, false);
        cr_assert(!tn_body_is_awake(world, body_a) && !tn_body_is_awake(world, body_b));
        switch (i) {
        case 0:
            tn_hinge_joint_set_limit(world, joint, limit);
            break;
        case 1:
            tn_hinge_joint_set_motor(world, joint, motor);
            break;
        case 2:
            tn_hinge_joint_set_spring(world, joint, spring);
            break;
        case 3:
            tn_hinge_joint_set_friction(world, joint, 1.0f);
            break;
        case 4:
            tn_joint_set_frame_a(world, joint, tn_joint_get_def(world, joint).frame_b);
            break;
        default:
            tn_joint_destroy(world, joint);
            break;
        }
        cr_assert(tn_body_is_awake(world, body_a) && tn_body_is_awake(world, body_b), "%d", i);
    }
}

// A motor holds a weight level. Switching friction, a spring and a limit on and off beside it must
// not let it drop: the impulses of the rows that stay are kept.
Test(joint_setters, keep_the_impulses_of_rows_that_stay, .init = setup, .fini = teardown) {
    tn_world_set_gravity(world, (tn_vec3){0.0, -9.81, 0.0});
    tn_body_id weight = body_make(world, 1, 0, 0, 10, 0.1);
    tn_joint_id hinge = joint_make(world, TN_JOINT_TYPE_HINGE, world_body, weight,
                                   (tn_vec3){0, 0, 0}, (tn_vec3){0, 0, 1});
    tn_motor hold = {.mode = TN_MOTOR_MODE_SPEED, .max_force = INFINITY};
    tn_hinge_joint_set_motor(world, hinge, hold);
    run(world, 3.0, 60.0, 4);
    for (int i = 0; i < 60; ++i) {
        tn_spring weak = {.mode = i % 5 < 2 ? TN_SPRING_MODE_STIFFNESS : TN_SPRING_MODE_OFF,
                          .stiffness = 0.01f};
        tn_hinge_joint_set_friction(world, hinge, i % 2 == 0 ? 0.01f : 0.0f);
        tn_hinge_joint_set_limit(
            world, hinge, (tn_limit){.is_enabled = i % 3 == 0, .lower = -1.0f, .upper = 1.0f});
        tn_hinge_joint_set_spring(world, hinge, weak);
        hold.target_speed = i % 7 == 0 ? 0.0f : 1e-6f;
        tn_hinge_joint_set_motor(world, hinge, hold);
        run(world, 1.0 / 60.0, 60.0, 4);
        // N·m: 10 kg at 1 m; friction may carry 0.01 of it.
        cr_assert_float_eq((double)tn_joint_get_motor_effort(world, hinge), 98.1, 0.1);
        cr_assert_float_eq(tn_hinge_joint_get_angle(world, hinge), 0.0, 3e-3);
    }
}
