// Sleep: nothing that is driven or speeds up falls asleep, however slow it is; what rests does.
#include "tests/world/world_test.h"

static tn_world *world_of(float gravity, test_reports *reports) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0, (double)-gravity, 0.0};
    return test_def_world_create(def, reports);
}

// Does the body fall asleep within so many seconds? The world goes.
static bool falls_asleep(tn_world *world, const test_reports *reports, tn_body_id body, int rate,
                         double seconds) {
    bool sleeps = false;
    for (int i = 0; i < (int)(seconds * rate) && !sleeps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / rate, 4) == TN_RESULT_OK);
        sleeps = !tn_body_is_awake(world, body);
    }
    test_world_destroy_quiet(world, reports);
    return sleeps;
}

static const int rates[] = {30, 60, 240};

// 1 mm/s^2 is 0.5 mm/s after the sleep time, a hundredth of the sleep speed.
Test(sleep_motion, what_falls_in_weak_gravity_stays_awake) {
    const float gravities[] = {0.001f, 0.01f, 0.05f, 9.81f};
    const float radii[] = {0.0005f, 0.2f, 25.0f};
    test_reports reports;
    for (int k = 0; k < 4 * 3 * 3; ++k) {
        tn_world *world = world_of(gravities[k % 4], &reports);
        tn_body_id ball = test_ball_create(world, 0.0, 0.0, 0.0, radii[k / 4 % 3]);
        cr_assert_not(falls_asleep(world, &reports, ball, rates[k / 12], 3.0), "%d", k);
    }
}

// Of 1, 10 and 50 m, with 10 mm of amplitude: at most 31 mm/s, below the sleep speed all the time.
Test(sleep_motion, a_slow_pendulum_swings_through) {
    const double lengths[] = {1.0, 10.0, 50.0}, amplitude = 0.01;
    for (int k = 0; k < 9; ++k) {
        test_reports reports;
        tn_world *world = world_of(9.81f, &reports);
        double length = lengths[k % 3];
        double height = sqrt(length * length - amplitude * amplitude);
        tn_body_id bob = test_ball_create(world, amplitude, -height, 0.0, 0.2f);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_b = bob;
        def.length = (float)length;
        tn_distance_joint_create(world, &def);
        double least = amplitude;
        int steps = (int)(8.0 * rates[k / 3]); // of 50 m half a period takes 7.1 s
        for (int i = 0; i < steps; ++i) {
            tn_world_step(world, 1.0 / rates[k / 3], 4);
            least = fmin(least, tn_body_get_center(world, bob).x);
        }
        cr_assert(least < -0.98 * amplitude, "%d: it came to %g m", k, least);
        test_world_destroy_quiet(world, &reports);
    }
}

static tn_body_id pendulum_create(tn_world *world, double length, double angle) {
    tn_body_id bob = test_ball_create(world, length * sin(angle), -length * cos(angle), 0.0, 0.2f);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.base.body_b = bob;
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, bob,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    return bob;
}

// On an asteroid, and of 10 km on Earth: it turns round at 1 mm/s^2 and less.
Test(sleep_motion, a_pendulum_turns_round_however_slowly) {
    static const struct {
        float gravity;
        double length, angle;
    } cases[] = {{1e-3f, 1.0, 1.0}, {1e-3f, 1.0, 0.02}, {1e-6f, 1.0, 1.0}, {9.81f, 1e4, 1e-4}};
    static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS};
    for (int k = 0; k < 8; ++k) {
        test_reports reports;
        tn_world *world = world_of(cases[k % 4].gravity, &reports);
        tn_world_set_solver(world, solvers[k / 4]);
        tn_body_id bob = pendulum_create(world, cases[k % 4].length, cases[k % 4].angle);
        cr_assert_not(falls_asleep(world, &reports, bob, 60, 110.0), "%d", k);
    }
}

// A beam on a pivot half a millimetre above its centre, which swings for 50 s.
Test(sleep_motion, a_balanced_beam_turns_round) {
    test_reports reports;
    tn_world *world = world_of(9.81f, &reports);
    tn_body_id beam =
        test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, -5e-4, 0.0, (tn_vec3){1.0, 0.05, 0.05});
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.base.body_b = beam;
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, beam,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    tn_hinge_joint_create(world, &def);
    tn_body_set_velocity(world, beam, (tn_velocity){{1e-6, 0.0, 0.0}, {0.0, 0.0, 0.002}});
    cr_assert_not(falls_asleep(world, &reports, beam, 60, 100.0));
}

static tn_body_id slider_create(tn_world *world, tn_motor motor, tn_spring spring, double start) {
    tn_body_id ball = test_ball_create(world, start, 0.0, 0.0, 0.1f);
    tn_slider_joint_def def = tn_slider_joint_def_default();
    def.base.body_b = ball;
    def.motor = motor;
    def.spring = spring;
    cr_assert(tn_slider_joint_create(world, &def).value != 0);
    return ball;
}

Test(sleep_motion, a_slow_spring_swings_through) {
    for (int k = 0; k < 3; ++k) {
        test_reports reports;
        tn_world *world = world_of(0.0f, &reports);
        tn_slider_joint_def none = tn_slider_joint_def_default();
        tn_spring spring = {.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 0.1f};
        tn_body_id ball = slider_create(world, none.motor, spring, 0.05);
        cr_assert_not(falls_asleep(world, &reports, ball, rates[k], 12.0), "%d Hz", rates[k]);
    }
}

static tn_body_id hand_create(tn_world *world, float speed, float max_torque, tn_limit limit) {
    tn_body_id hand = test_ball_create(world, 0.0, 0.0, 0.0, 0.2f);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, hand,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    def.motor.mode = TN_MOTOR_MODE_SPEED;
    def.motor.target_speed = speed;
    def.motor.max_force = max_torque;
    def.limit = limit;
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    return hand;
}

Test(sleep_motion, what_a_slow_motor_turns_or_slides_stays_awake) {
    const float speeds[] = {0.02f, 1e-3f, 1e-5f};
    for (int k = 0; k < 9; ++k) {
        test_reports reports;
        tn_world *world = world_of(9.81f, &reports);
        tn_body_id hand = hand_create(world, speeds[k % 3], INFINITY, (tn_limit){false});
        cr_assert_not(falls_asleep(world, &reports, hand, rates[k / 3], 3.0), "%d", k);
        world = world_of(9.81f, &reports);
        tn_motor motor = tn_slider_joint_def_default().motor;
        motor.mode = TN_MOTOR_MODE_SPEED;
        motor.target_speed = speeds[k % 3];
        tn_body_id ball = slider_create(world, motor, (tn_spring){0}, 0.0);
        cr_assert_not(falls_asleep(world, &reports, ball, rates[k / 3], 3.0), "%d", k);
    }
}

Test(sleep_motion, a_motor_that_stands_at_a_limit_may_sleep) {
    for (int k = 0; k < 3; ++k) {
        test_reports reports;
        tn_world *world = world_of(9.81f, &reports);
        tn_limit limit = {.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
        tn_body_id hand = hand_create(world, 1.0f, 10.0f, limit);
        cr_assert(falls_asleep(world, &reports, hand, rates[k], 3.0), "%d Hz", rates[k]);
    }
}

// It speeds up by 5/7 g sin(0.003), 0.021 m/s^2.
Test(sleep_motion, a_ball_that_begins_to_roll_down_a_slight_slope_stays_awake) {
    const float radii[] = {0.005f, 0.2f, 2.0f};
    for (int k = 0; k < 9; ++k) {
        test_reports reports;
        float r = radii[k % 3];
        tn_world *world = world_of(9.81f, &reports);
        tn_body_def slope = tn_body_def_default();
        slope.type = TN_BODY_TYPE_STATIC;
        slope.pose.rotation.z = sin(0.0015);
        slope.pose.rotation.w = cos(0.0015);
        tn_shape_def def = tn_shape_def_default();
        tn_half_space_shape_create(world, tn_body_create(world, &slope), &def);
        tn_body_id ball = test_ball_create(world, 0.0, (double)r, 0.0, r);
        cr_assert_not(falls_asleep(world, &reports, ball, rates[k / 3], 2.0), "%d", k);
    }
}

// Nothing slows it down; still it is slow enough, and goes on as it does.
Test(sleep_motion, a_ball_that_rolls_evenly_and_slowly_falls_asleep) {
    test_reports reports;
    tn_world *world = world_of(9.81f, &reports);
    test_floor_create(world);
    tn_body_id ball = test_ball_create(world, 0.0, 0.3, 0.0, 0.3f);
    tn_body_set_velocity(world, ball, (tn_velocity){{0.01, 0.0, 0.0}, {0.0, 0.0, -0.01 / 0.3}});
    cr_assert(falls_asleep(world, &reports, ball, 60, 1.0));
}

// In any gravity, and in none; and a ball on the same floor, tilted, rolls.
Test(sleep_motion, a_pile_rests_in_weak_gravity_and_a_ball_rolls) {
    const float gravities[] = {1.6f, 1e-2f, 1e-3f, 1e-5f, 0.0f};
    for (int k = 0; k < 5; ++k) {
        test_reports reports;
        tn_world *world = world_of(gravities[k], &reports);
        test_floor_create(world);
        tn_body_id box = {0};
        for (int i = 0; i < 4; ++i) {
            box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5 + i, 0.0,
                                  (tn_vec3){0.5, 0.5, 0.5});
        }
        cr_assert(falls_asleep(world, &reports, box, 60, 0.6), "%g", (double)gravities[k]);
        world = world_of(gravities[k], &reports);
        tn_world_set_gravity(world,
                             (tn_vec3){0.1 * (double)gravities[k], -(double)gravities[k], 0.0});
        test_floor_create(world);
        tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
        bool sleeps = falls_asleep(world, &reports, ball, 60, 3.0);
        cr_assert(sleeps == (gravities[k] == 0.0f), "%g", (double)gravities[k]);
    }
}

// As soon as the sleep time is over.
Test(sleep_motion, what_rests_falls_asleep_at_once_at_any_size_and_rate) {
    const float sizes[] = {0.0005f, 0.05f, 0.5f, 25.0f}, gravities[] = {1.6f, 9.81f, 100.0f};
    for (int k = 0; k < 4 * 3 * 3; ++k) {
        test_reports reports;
        float h = sizes[k % 4];
        tn_world *world = world_of(gravities[k / 4 % 3], &reports);
        test_floor_create(world);
        tn_body_id box = test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, (double)h, 0.0,
                                         (tn_vec3){(double)h, (double)h, (double)h});
        cr_assert(falls_asleep(world, &reports, box, rates[k / 12], 0.6), "%d", k);
    }
    test_reports reports;
    tn_world *world = world_of(9.81f, &reports);
    tn_body_id bob = test_ball_create(world, 0.0, -1.0, 0.0, 0.2f);
    tn_body_id anchor = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, -1.0, 0.0);
    test_bodies_tie(world, anchor, bob);
    cr_assert(falls_asleep(world, &reports, bob, 60, 0.6), "it hangs");
}

// The middle of the box stays where it is, and at the sides nothing slides.
Test(sleep_motion, a_box_at_the_middle_of_a_table_that_turns_slowly_stays_awake) {
    const double speeds[] = {0.02, 1e-3, 1e-6};
    for (int k = 0; k < 6; ++k) {
        test_reports reports;
        tn_world *world = world_of(9.81f, &reports);
        tn_body_id table = test_box_create(world, TN_BODY_TYPE_KINEMATIC, 0.0, -0.5, 0.0,
                                           (tn_vec3){5.0, 0.5, 5.0});
        tn_body_id box =
            test_box_create(world, TN_BODY_TYPE_DYNAMIC, 0.0, 0.5, 0.0, (tn_vec3){0.5, 0.5, 0.5});
        tn_velocity velocity = {{0.0, 0.0, 0.0}, {0.0, speeds[k % 3], 0.0}};
        if (k >= 3) {
            velocity = (tn_velocity){{speeds[k % 3], 0.0, 0.0}, {0.0, 0.0, 0.0}};
        }
        tn_body_set_velocity(world, table, velocity);
        cr_assert_not(falls_asleep(world, &reports, box, 60, 2.0), "%d", k);
    }
}

// Both sides of each edge: in the air 1/2,000 of the speeds counts, on a floor without friction,
// where a spin about the normal goes on, the speeds themselves.
Test(sleep_motion, what_spins_or_drifts_evenly_sleeps_below_its_speed_alone) {
    static const struct {
        bool lies, spins;
        double speed;
        bool sleeps;
    } cases[] = {
        {false, true, 3e-5, false}, {false, true, 2e-5, true}, {false, false, 3e-5, false},
        {false, false, 2e-5, true}, {true, true, 0.07, false}, {true, true, 0.03, true},
        {true, false, 0.07, false}, {true, false, 0.03, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        test_reports reports;
        tn_world *world = world_of(cases[i].lies ? 9.81f : 0.0f, &reports);
        tn_body_id ball = test_ball_create(world, 0.0, 0.5, 0.0, 0.5f);
        if (cases[i].lies) {
            tn_body_id floor = test_floor_create(world);
            tn_material material = tn_shape_get_material(world, test_first_shape(world, ball));
            material.friction = 0.0f;
            tn_shape_set_material(world, test_first_shape(world, ball), material);
            tn_shape_set_material(world, test_first_shape(world, floor), material);
        }
        double v = cases[i].spins ? 0.0 : cases[i].speed, w = cases[i].spins ? cases[i].speed : 0.0;
        tn_body_set_velocity(world, ball, (tn_velocity){{v, 0.0, 0.0}, {0.0, w, 0.0}});
        bool sleeps = falls_asleep(world, &reports, ball, 60, 3.0);
        cr_assert(sleeps == cases[i].sleeps, "case %zu", i);
    }
}
