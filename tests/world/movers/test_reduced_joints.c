// Joints between bodies that are given by coordinates and others: against closed forms.
#include <stdlib.h>

#include "reduced_world.h"
#include "tests/support/long_test.h"

#define PI 3.14159265358979323846

static tn_world *world;
static test_reports reports;
static const tn_vec3 about_z = {0.0, 0.0, 1.0};
static const tn_body_id ground = {0};

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(reduced_joints, .init = setup, .fini = teardown, .timeout = 60);

static tn_hinge_joint_def hinge_def(tn_body_id a, tn_body_id b, double x, double y) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){x, y, 0.0}, about_z));
    return def;
}

// An arm that hangs from the origin, and under it a body whose centre is half a metre below what
// holds it.
typedef struct hanging {
    reduced_arm arm;
    tn_reduced_id id;
    tn_body_id body, bob;
} hanging;

// The ball joint that is to hold it, so far below the origin.
static tn_ball_joint_def hang(tn_world *own, hanging *it, double depth) {
    it->body = reduced_body_make(own, 1.0, 0.1);
    it->bob = reduced_body_make(own, 2.0, 0.1);
    it->id = reduced_arm_make(own, &it->arm, it->body, 0.0, 0.0);
    tn_body_set_pose(own, it->bob, (tn_pose){{0.0, -depth - 0.5, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(own, &def.base, it->body, it->bob,
                                      (tn_vec3){0.0, -depth, 0.0}, about_z));
    return def;
}

// ---- a hybrid -----------------------------------------------------------------------------------

// The second arm of a double pendulum is a rigid body on a hinge at the end of the first, a reduced
// one. Returns its angle; the reference has coordinates alone.
static double swing_hybrid(tn_solver solver, int steps, double *out_change) {
    test_reports noted;
    tn_world *own = test_solver_world_create(solver, &noted);
    world = own;
    reduced_arm arm = {.length = 0.7};
    tn_body_id first = reduced_body_make(own, 1.0, 0.02),
               second = reduced_body_make(own, 2.0, 0.05);
    reduced_arm_make(own, &arm, first, 0.6, 0.0);
    double x = 0.7 * sin(0.6), y = -0.7 * cos(0.6);
    tn_pose pose = {{x + 0.7 * sin(-0.4), y - 0.7 * cos(-0.4), 0.0},
                    {0.0, 0.0, sin(-0.2), cos(-0.2)}};
    tn_body_set_pose(own, second, pose);
    tn_hinge_joint_def def = hinge_def(first, second, x, y);
    tn_joint_id elbow = tn_hinge_joint_create(own, &def);
    double energy = reduced_energy(own);
    reduced_run(own, 1.0, steps, 1);
    *out_change = fabs(reduced_energy(own) - energy);
    tn_pose end = tn_body_get_pose(own, second);
    double gap = tn_joint_get_error(own, elbow).linear_length;
    cr_assert(gap < (solver == TN_SOLVER_PGS ? 1e-3 : 1e-11), "%g", gap);
    test_world_destroy_quiet(own, &noted);
    return 2.0 * atan2(end.rotation.z, end.rotation.w);
}

static double swing_reference(void) {
    test_reports noted;
    tn_world *own = test_solver_world_create(TN_SOLVER_AUTO, &noted);
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(own, &arms, 0.6, -0.4);
    reduced_run(own, 1.0, 20000, 1);
    double angle = reduced_coordinate(own, id, 1);
    test_world_destroy_quiet(own, &noted);
    return angle;
}

Test(reduced_joints, hybrid_double_pendulum_swings_as_the_whole_one) {
    tn_world *kept = world;
    double reference = swing_reference(), change[3];
    double coarse = swing_hybrid(TN_SOLVER_AUTO, 240, &change[0]) - reference;
    double fine = swing_hybrid(TN_SOLVER_AUTO, 960, &change[1]) - reference;
    cr_assert(fabs(coarse) < 2e-2 && fabs(fine) < 2e-3, "%g %g", coarse, fine);
    cr_assert(change[0] < 5e-2 && change[1] < 5e-3, "%g %g", change[0], change[1]);
    // Such joints are swept, or solved together.
    double angle = swing_hybrid(TN_SOLVER_DIRECT, 240, &change[2]);
    cr_assert(swing_hybrid(TN_SOLVER_CG, 240, &change[2]) == angle);
    double swept = swing_hybrid(TN_SOLVER_PGS, 240, &change[2]) - reference;
    cr_assert(fabs(swept) < 2e-2 && swept != coarse, "%g", swept);
    world = kept;
}

// ---- reactions ----------------------------------------------------------------------------------

// A weight hangs on a rack that a flywheel is turned by: (m + I / r^2) a = m g.
Test(reduced_joints, rack_turns_a_flywheel_as_its_inertia_says) {
    reduced_arm wheel = {.length = 0.0};
    tn_body_id pinion = reduced_body_make(world, 1.0, 0.5);
    tn_reduced_id id = reduced_arm_make(world, &wheel, pinion, 0.0, 0.0);
    tn_body_id rack = reduced_body_make(world, 2.0, 0.1);
    tn_body_set_pose(world, rack, (tn_pose){{0.25, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_slider_joint_def guide = tn_slider_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &guide.base, ground, rack, (tn_vec3){0.25, 0.0, 0.0},
                                      (tn_vec3){0.0, 1.0, 0.0}));
    cr_assert(tn_slider_joint_create(world, &guide).value != 0);
    tn_rack_pinion_joint_def def = tn_rack_pinion_joint_def_default();
    def.base.body_a = pinion;
    def.base.body_b = rack;
    def.radius = 0.25;
    const double s = sqrt(0.5);
    def.base.frame_a = (tn_pose){{0.0, 0.0, 0.0}, {0.0, -s, 0.0, s}}; // x to z
    def.base.frame_b = (tn_pose){{0.0, 0.0, 0.0}, {0.0, 0.0, s, s}};  // x to y
    tn_joint_id mesh = tn_rack_pinion_joint_create(world, &def);
    test_step(world, 60);
    double a = 2.0 * REDUCED_GRAVITY / (2.0 + 0.5 / 0.0625);
    TEST_NEAR(fabs(reduced_speed(world, id, 0)), a / 0.25, 1e-3 * a / 0.25);
    TEST_NEAR(tn_body_get_velocity(world, rack).linear.y, -a, 1e-3 * a);
    // What the rack hangs by.
    TEST_NEAR(fabs(tn_joint_get_reaction(world, mesh).force.y), 2.0 * (REDUCED_GRAVITY - a), 1e-2);
}

Test(reduced_joints, joint_bears_what_hangs_on_it) {
    hanging it = {.arm.length = 0.5};
    tn_ball_joint_def def = hang(world, &it, 1.0);
    tn_joint_id ball = tn_ball_joint_create(world, &def);
    test_step(world, 30);
    tn_reaction reaction = tn_joint_get_reaction(world, ball);
    TEST_NEAR(reaction.force.y, 2.0 * REDUCED_GRAVITY, 1e-3);
    TEST_NEAR(reaction.force.x, 0.0, 1e-4);
    TEST_NEAR(reaction.torque.z, 0.0, 1e-4);
    // As far as a joint that is swept gives way: one on a hinged arm is off by three times as much.
    TEST_NEAR(tn_joint_get_error(world, ball).linear_length, 0.0, 1e-4);
}

// A hinge on the world at the pivot, locked by its limits, bears the arm's moment alone: the
// coordinate bears the rest.
Test(reduced_joints, limits_hold_an_arm_level) {
    reduced_arm arm = {.length = 0.5};
    tn_body_id body = reduced_body_make(world, 2.0, 0.1);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 0.5 * PI, 0.0);
    tn_hinge_joint_def def = hinge_def(ground, body, 0.0, 0.0);
    def.limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = 1.0f};
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);
    test_step(world, 60);
    TEST_NEAR(reduced_coordinate(world, id, 0), 0.5 * PI, 1e-4);
    TEST_NEAR(tn_joint_get_reaction(world, hinge).torque.z, 2.0 * REDUCED_GRAVITY * 0.5, 1e-3);
    TEST_NEAR(tn_joint_get_reaction(world, hinge).force.y, 0.0, 1e-3);
}

// ---- motors, springs, friction ------------------------------------------------------------------

static tn_reduced_id make_flywheel(tn_body_id *out_body) {
    static reduced_arm wheel = {.length = 0.0};
    *out_body = reduced_body_make(world, 1.0, 0.5);
    return reduced_arm_make(world, &wheel, *out_body, 0.0, 0.0);
}

Test(reduced_joints, motor_drives_a_flywheel) {
    tn_body_id body;
    tn_reduced_id id = make_flywheel(&body);
    tn_hinge_joint_def def = hinge_def(ground, body, 0.0, 0.0);
    def.motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 8.0f, .max_force = 3.0f};
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);
    test_step(world, 60);
    TEST_NEAR(reduced_speed(world, id, 0), 6.0, 1e-4); // T t / I
    TEST_NEAR(tn_joint_get_motor_effort(world, hinge), 3.0, 1e-5);
    TEST_NEAR(tn_joint_get_motor_work(world, hinge), 0.25 * 36.0, 1e-3);
    TEST_NEAR(tn_world_get_energy(world).motor_work, 0.25 * 36.0, 1e-3);
    test_step(world, 60);
    TEST_NEAR(reduced_speed(world, id, 0), 8.0, 1e-4);
    TEST_NEAR(tn_hinge_joint_get_speed(world, hinge), 8.0, 1e-4);
    TEST_NEAR(tn_joint_get_motor_effort(world, hinge), 0.0, 1e-4);
}

// By frequency too: the mass is that of the coordinate.
Test(reduced_joints, springs_swing_a_flywheel_at_their_frequency) {
    for (int i = 0; i < 2; ++i) {
        tn_body_id body;
        tn_reduced_id id = make_flywheel(&body);
        tn_hinge_joint_def def = hinge_def(ground, body, 0.0, 0.0);
        double omega = 2.0 * PI * 0.5; // a turn takes two seconds
        def.spring =
            (tn_spring){.mode = i == 0 ? TN_SPRING_MODE_STIFFNESS : TN_SPRING_MODE_FREQUENCY,
                        .hertz = 0.5f,
                        .stiffness = (float)(0.5 * omega * omega)};
        cr_assert(tn_hinge_joint_create(world, &def).value != 0);
        const double speed = 1.0;
        tn_reduced_set_speeds(world, id, &speed, 1);
        test_step(world, 30);
        TEST_NEAR(reduced_coordinate(world, id, 0), 1.0 / omega, 1e-3);
        TEST_NEAR(reduced_speed(world, id, 0), 0.0, 2e-3);
        test_step(world, 90);
        TEST_NEAR(reduced_coordinate(world, id, 0), 0.0, 2e-3);
        TEST_NEAR(reduced_speed(world, id, 0), 1.0, 2e-3);
    }
}

Test(reduced_joints, friction_slows_a_flywheel_down) {
    tn_body_id body;
    tn_reduced_id id = make_flywheel(&body);
    tn_hinge_joint_def def = hinge_def(ground, body, 0.0, 0.0);
    def.friction = 2.0f;
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    const double speed = 6.0;
    tn_reduced_set_speeds(world, id, &speed, 1);
    test_step(world, 60);
    TEST_NEAR(reduced_speed(world, id, 0), 6.0 - 2.0 / 0.5, 1e-3);
    TEST_NEAR(tn_world_get_energy(world).friction_work, 0.25 * (4.0 - 36.0), 1e-2);
    test_step(world, 60);
    TEST_NEAR(reduced_speed(world, id, 0), 0.0, 1e-4);
}

Test(reduced_joints, limit_with_restitution_sends_a_flywheel_back) {
    tn_body_id body;
    tn_reduced_id id = make_flywheel(&body);
    tn_hinge_joint_def def = hinge_def(ground, body, 0.0, 0.0);
    def.limit = (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 1.0f, .restitution = 0.5f};
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    const double speed = 4.0;
    tn_reduced_set_speeds(world, id, &speed, 1);
    test_step(world, 20);
    TEST_NEAR(reduced_speed(world, id, 0), -2.0, 1e-3);
}

// Thrown to and fro between two soft limits, at phases of the substep that are all different.
static double get_most_speed_between(double speed, float stiffness) {
    test_reports noted;
    tn_world *kept = world, *own = test_world_create(&noted);
    world = own;
    tn_body_id body;
    tn_reduced_id id = make_flywheel(&body);
    tn_hinge_joint_def def = hinge_def(ground, body, 0.0, 0.0);
    def.limit =
        (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 1.0f, .stiffness = stiffness};
    cr_assert(tn_hinge_joint_create(own, &def).value != 0);
    tn_reduced_set_speeds(own, id, &speed, 1);
    double most = 0.0;
    for (int i = 0; i < 600; ++i) {
        test_step(own, 1);
        bool is_free = fabs(reduced_coordinate(own, id, 0)) < 1.0;
        most = is_free ? fmax(most, fabs(reduced_speed(own, id, 0))) : most;
    }
    test_world_destroy_quiet(own, &noted);
    world = kept;
    return most;
}

Test(reduced_joints, soft_limits_give_a_flywheel_no_more_than_it_had) {
    static const double speeds[] = {1.3, 4.0, 9.7, 23.0};
    static const float stiffnesses[] = {50.0f, 1e3f, 2e4f, 1e6f};
    for (int i = 0; i < 16; ++i) {
        double speed = speeds[i / 4], most = get_most_speed_between(speed, stiffnesses[i % 4]);
        cr_assert(most < 1.001 * speed, "%g for %g at %g", most, speed, (double)stiffnesses[i % 4]);
    }
}

// A vector of three rows: what it may bear is a length.
Test(reduced_joints, ball_friction_is_capped_by_its_length) {
    tn_body_id body;
    tn_reduced_id id = make_flywheel(&body);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, ground, body, (tn_vec3){0.0, 0.0, 0.0},
                                      (tn_vec3){0.6, 0.0, 0.8}));
    def.friction = 2.0f;
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
    const double speed = 6.0;
    tn_reduced_set_speeds(world, id, &speed, 1);
    test_step(world, 60);
    // Rows come one at a time, so that the vector is not quite along the axis. With a cap for each
    // it would be 0.4.
    double w = reduced_speed(world, id, 0);
    cr_assert(w > 6.0 - 2.0 / 0.5 - 1e-4 && w < 6.0 - 2.0 / 0.5 + 0.05, "%g", w);
}

// ---- soft, breaking, both ends ------------------------------------------------------------------

// A weight on a soft ball joint under a held arm: m g / k with k = m w^2.
Test(reduced_joints, soft_joint_gives_way) {
    reduced_arm arm = {.length = 0.0};
    tn_body_id first = reduced_body_make(world, 1.0, 0.1),
               second = reduced_body_make(world, 2.0, 0.1);
    reduced_arm_make(world, &arm, first, 0.0, 0.0);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, first, second, (tn_vec3){0.0, 0.0, 0.0},
                                      about_z));
    def.base.hertz = 2.0f;
    def.base.damping_ratio = 1.0f;
    cr_assert(tn_ball_joint_create(world, &def).value != 0);
    test_step(world, 240);
    double omega = 2.0 * PI * 2.0;
    TEST_NEAR(tn_body_get_pose(world, second).position.y, -REDUCED_GRAVITY / (omega * omega), 1e-4);
}

Test(reduced_joints, joint_breaks_under_its_load) {
    hanging it = {.arm.length = 0.5};
    tn_ball_joint_def def = hang(world, &it, 0.5);
    def.base.break_force = 25.0f;
    tn_joint_id ball = tn_ball_joint_create(world, &def);
    test_step(world, 20);
    cr_assert(tn_joint_is_valid(world, ball));
    tn_joint_set_break_force(world, ball, 15.0f, INFINITY);
    test_step(world, 1);
    cr_assert(!tn_joint_is_valid(world, ball));
    tn_events events = tn_world_get_events(world);
    cr_assert(events.joint_break_count == 1 &&
              events.joint_breaks[0].cause == TN_BREAK_CAUSE_FORCE);
    TEST_NEAR(events.joint_breaks[0].load, 2.0 * REDUCED_GRAVITY, 1e-2);
}

// Along an axis of frame a, of which x is up here; and only by and by where a time is given.
Test(reduced_joints, joint_breaks_along_an_axis_over_a_time) {
    reduced_arm arm = {.length = 0.5};
    tn_body_id first = reduced_body_make(world, 1.0, 0.1),
               second = reduced_body_make(world, 2.0, 0.1);
    reduced_arm_make(world, &arm, first, 0.0, 0.0);
    tn_body_set_pose(world, second, (tn_pose){{0.0, -1.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, first, second, (tn_vec3){0.0, -0.5, 0.0},
                                      (tn_vec3){0.0, 1.0, 0.0}));
    def.base.break_linear = (tn_vec3){(double)INFINITY, 15.0, 15.0};
    def.base.break_time = 0.5f;
    tn_joint_id weld = tn_fixed_joint_create(world, &def);
    test_step(world, 60);
    cr_assert(tn_joint_is_valid(world, weld));
    // The mean grows as F (1 - e^(-t / 0.5)) from what it is: F (1 - e^-2) = 17 N after a second.
    tn_joint_set_break_axes(world, weld, (tn_vec3){18.5, (double)INFINITY, (double)INFINITY},
                            (tn_vec3){(double)INFINITY, (double)INFINITY, (double)INFINITY});
    int steps = 0;
    for (; tn_joint_is_valid(world, weld) && steps < 100; ++steps) {
        test_step(world, 1);
    }
    // 0.5 ln(19.62 / (19.62 - 18.5)) = 1.432 s, of which 60 steps are gone.
    cr_assert(abs(steps - 26) <= 1, "%d", steps);
    tn_events events = tn_world_get_events(world);
    cr_assert(events.joint_break_count == 1 &&
              events.joint_breaks[0].cause == TN_BREAK_CAUSE_LINEAR_X);
}

// Two flywheels of different objects on one gear: I1 w1 + ratio parts as the gear says.
Test(reduced_joints, gear_ties_two_objects) {
    reduced_arm driven = {.length = 0.0, .torque = 2.0}, other = {.length = 0.0, .y = 1.0};
    tn_body_id a = reduced_body_make(world, 1.0, 0.5), b = reduced_body_make(world, 1.0, 0.125);
    tn_reduced_id first = reduced_arm_make(world, &driven, a, 0.0, 0.0);
    tn_reduced_id second = reduced_arm_make(world, &other, b, 0.0, 0.0);
    tn_gear_joint_def def = tn_gear_joint_def_default();
    const double s = sqrt(0.5);
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a = def.base.frame_b = (tn_pose){{0.0, 0.0, 0.0}, {0.0, -s, 0.0, s}};
    def.ratio = 0.5; // of the angles: b turns twice as fast
    tn_joint_id gear = tn_gear_joint_create(world, &def);
    cr_assert(gear.value != 0);
    test_step(world, 120);
    double w = reduced_speed(world, first, 0), v = reduced_speed(world, second, 0);
    TEST_NEAR(fabs(v / w), 2.0, 1e-3);
    // (I1 + 4 I2) w' = T
    TEST_NEAR(w, 2.0 * 2.0 / (0.5 + 4.0 * 0.125), 1e-2);
}

// Both arms of one object held to each other: what is left is one pendulum of both.
Test(reduced_joints, joint_between_bodies_of_one_object) {
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(world, &arms, 0.5, 0.5);
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, arms.first, arms.second,
                                      (tn_vec3){0.0, 0.0, 0.0}, about_z));
    tn_joint_id weld = tn_fixed_joint_create(world, &def);
    test_step(world, 60);
    TEST_NEAR(reduced_coordinate(world, id, 0), reduced_coordinate(world, id, 1), 1e-3);
    cr_assert(fabs(reduced_coordinate(world, id, 0) - 0.5) > 0.1);
    cr_assert(tn_joint_get_error(world, weld).angular_length < 1e-3);
}

// ---- the world around ---------------------------------------------------------------------------

Test(reduced_joints, sleep_with_what_hangs_on_them) {
    test_reports noted;
    tn_world *own = test_world_create(&noted);
    hanging it = {.arm.length = 0.5};
    tn_ball_joint_def def = hang(own, &it, 0.5);
    cr_assert(tn_ball_joint_create(own, &def).value != 0);
    test_step(own, 120);
    cr_assert(!tn_body_is_awake(own, it.bob) && !tn_body_is_awake(own, it.body));
    tn_body_apply_impulse(own, it.bob, (tn_vec3){2.0, 0.0, 0.0});
    test_step(own, 10);
    cr_assert(tn_body_is_awake(own, it.body) && reduced_coordinate(own, it.id, 0) > 0.01);
    test_world_destroy_quiet(own, &noted);
}

Test(reduced_joints, hold_on_when_the_object_is_destroyed) {
    hanging it = {.arm.length = 0.5};
    tn_ball_joint_def def = hang(world, &it, 0.5);
    tn_joint_id ball = tn_ball_joint_create(world, &def);
    test_step(world, 30);
    tn_reduced_destroy(world, it.id);
    test_step(world, 30);
    cr_assert(tn_joint_is_valid(world, ball));
    // Both fall together: nothing pulls.
    TEST_NEAR(tn_body_get_velocity(world, it.bob).linear.y, -0.5 * REDUCED_GRAVITY, 1e-2);
    TEST_NEAR(tn_body_get_velocity(world, it.body).linear.y, -0.5 * REDUCED_GRAVITY, 1e-2);
    TEST_NEAR(tn_joint_get_reaction(world, ball).force.y, 0.0, 1e-2);
    TEST_NEAR(tn_joint_get_error(world, ball).linear_length, 0.0, 1e-4);
}

// A body that is fixed to an arm sinks with it.
Test(reduced_joints, are_of_first_order_where_the_world_is) {
    tn_world_set_dynamics(world, TN_DYNAMICS_FIRST_ORDER, 0.5);
    reduced_arm arm = {.length = 1.0};
    tn_body_id body = reduced_body_make(world, 1.0, 0.1), bob = reduced_body_make(world, 2.0, 0.1);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 1.5, 0.0);
    tn_pose at_arm = tn_body_get_pose(world, body);
    tn_body_set_pose(world, bob, at_arm);
    tn_fixed_joint_def def = tn_fixed_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, body, bob, at_arm.position, about_z));
    cr_assert(tn_fixed_joint_create(world, &def).value != 0);
    reduced_run(world, 1.0, 2000, 1);
    // One body of 3 kg and 0.2 kg m^2: q' = -T m g l sin q / (I + m l^2).
    double rate = 0.5 * 3.0 * REDUCED_GRAVITY / (0.2 + 3.0);
    TEST_NEAR(reduced_coordinate(world, id, 0), 2.0 * atan(tan(0.75) * exp(-rate)), 2e-3);
}

// Works are counted over a kick and the rows after it, which act together.
Test(reduced_joints, ledger_is_whole) {
    reduced_arm arm = {.length = 0.5, .torque = 1.5};
    tn_body_id first = reduced_body_make(world, 1.0, 0.1),
               second = reduced_body_make(world, 2.0, 0.1);
    reduced_arm_make(world, &arm, first, 0.5 * PI, 0.0);
    tn_body_set_pose(world, second, (tn_pose){{1.5, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_hinge_joint_def def = hinge_def(first, second, 1.0, 0.0);
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        tn_energy now = tn_world_get_energy(world);
        double sum = now.gravity_work + now.force_work + now.joint_work;
        TEST_NEAR(now.kinetic, sum, 1e-3 * fmax(1.0, now.kinetic));
    }
}

// ---- any machine --------------------------------------------------------------------------------

static uint64_t run_crowd(uint32_t workers, bool is_baseline_only) {
    test_reports noted;
    tn_world_def def = tn_world_def_default();
    def.worker_count = workers;
    def.is_baseline_only = is_baseline_only;
    tn_world *own = test_def_world_create(def, &noted);
    tn_world *kept = world;
    world = own;
    static reduced_arm arms[40];
    for (int i = 0; i < 40; ++i) {
        arms[i] = (reduced_arm){.length = 0.5, .x = 3.0 * i};
        tn_body_id before = reduced_body_make(own, 1.0, 0.1);
        reduced_arm_make(own, &arms[i], before, 1.0 + 0.01 * i, 0.0);
        double x = 3.0 * i + 0.5 * sin(1.0 + 0.01 * i), y = -0.5 * cos(1.0 + 0.01 * i);
        for (int k = 0; k < 15; ++k) {
            tn_body_id link = reduced_body_make(own, 0.2, 0.01);
            tn_body_set_pose(own, link, (tn_pose){{x, y - 0.1, 0.0}, {0.0, 0.0, 0.0, 1.0}});
            tn_hinge_joint_def hinge = hinge_def(before, link, x, y);
            cr_assert(tn_hinge_joint_create(own, &hinge).value != 0);
            before = link;
            y -= 0.2;
        }
    }
    test_step(own, 30);
    uint64_t hash = tn_world_get_hash(own);
    test_world_destroy_quiet(own, &noted);
    world = kept;
    return hash;
}

LONG_TEST(reduced_joints, have_the_same_bits_for_any_number_of_workers) {
    uint64_t hash = run_crowd(1, false);
    cr_assert(run_crowd(4, false) == hash);
    cr_assert(run_crowd(1, true) == hash);
}
