// A belt turns two pulleys by their radii, slips where its pretension does not hold; a chain stays
// in phase.
#include "tests/support/long_test.h"
#include "transmission_world.h"

#include <float.h>

static const tn_vec3 at_origin = {0.0, 0.0, 0.0}, at_one = {1.0, 0.0, 0.0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
#define SOLVERS 3

typedef struct belt_pair {
    tn_world *world;
    tn_body_id a, b;
    tn_joint_id belt;
} belt_pair;

static tn_belt_joint_def belt_def(const tn_world *world, tn_body_id a, tn_vec3 center_a,
                                  tn_body_id b, tn_vec3 center_b) {
    tn_belt_joint_def def = tn_belt_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a = wheel_frame(world, a, center_a, along_z);
    def.base.frame_b = wheel_frame(world, b, center_b, along_z);
    def.radius_a = 0.1;
    def.radius_b = 0.3;
    return def;
}

// Inertias 0.02 and 0.3, a metre apart, without a belt yet.
static belt_pair pair_make(tn_solver solver, bool has_ledger) {
    tn_world_def def = tn_world_def_default();
    def.gravity = weightless;
    def.is_sleep_allowed = false;
    def.solver = solver;
    def.has_energy_ledger = has_ledger;
    belt_pair pair = {.world = tn_world_create(&def, NULL)};
    pair.a = wheel_make(pair.world, world_body, at_origin, along_z, 2.0, 0.02);
    pair.b = wheel_make(pair.world, world_body, at_one, along_z, 5.0, 0.3);
    return pair;
}

static void pair_drive(const belt_pair *pair, double torque, int steps) {
    for (int i = 0; i < steps; ++i) {
        tn_body_apply_torque(pair->world, pair->a, (tn_vec3){0.0, 0.0, torque});
        cr_assert_eq(tn_world_step(pair->world, 1.0 / 60.0, 4), TN_RESULT_OK);
    }
}

static void pair_spin(const belt_pair *pair, double w_a, double w_b) {
    tn_body_set_angular_velocity(pair->world, pair->a, (tn_vec3){0.0, 0.0, w_a});
    tn_body_set_angular_velocity(pair->world, pair->b, (tn_vec3){0.0, 0.0, w_b});
}

// A torque of 1.5 N·m on the small one: 1.5 / (0.02 + 0.3 / 9) rad/s^2; and the force that turns
// the other one, I_b w_b' / r_b.
Test(belt_joint, turns_a_heavy_pulley_by_its_radii, .timeout = 60) {
    for (int s = 0; s < SOLVERS; ++s) {
        for (int k = 0; k < 4; ++k) {
            belt_pair pair = pair_make(solvers[s], false);
            tn_belt_joint_def def = belt_def(pair.world, pair.a, at_origin, pair.b, at_one);
            def.is_crossed = k % 2 == 1;
            def.pretension = k < 2 ? INFINITY : 1000.0f;
            pair.belt = tn_belt_joint_create(pair.world, &def);
            pair_drive(&pair, 1.5, 60);
            double acceleration = 1.5 / (0.02 + 0.3 / 9.0), sign = def.is_crossed ? -1.0 : 1.0;
            double w_a = spin_of(pair.world, pair.a).z, w_b = spin_of(pair.world, pair.b).z;
            cr_expect_float_eq(w_a, acceleration, 2e-4 * w_a, "%d %d: %g", s, k, w_a);
            cr_expect_float_eq(w_a, sign * 3.0 * w_b, 2e-4 * w_a, "%d %d: %g", s, k, w_b);
            double force = 0.3 * sign * acceleration / 3.0 / 0.3;
            double told = (double)tn_belt_joint_get_force(pair.world, pair.belt);
            cr_expect_float_eq(told, force, 1e-3 * fabs(force), "%d %d: %g N", s, k, told);
            cr_expect_float_eq(tn_belt_joint_get_ratio(pair.world, pair.belt), sign / 3.0, 1e-15);
            cr_expect(fabs(tn_belt_joint_get_slip(pair.world, pair.belt)) < 2e-4, "%d %d", s, k);
            tn_world_destroy(pair.world);
        }
    }
}

// 134 turns in a step, as the gear's test: when they stand nothing is left of it.
Test(belt_joint, keeps_a_chain_in_phase_over_a_million_turns, .timeout = 60) {
    const double fast = 50653.0;
    belt_pair pair = pair_make(TN_SOLVER_PGS, false);
    tn_belt_joint_def def = belt_def(pair.world, pair.a, at_origin, pair.b, at_one);
    def.teeth_a = 13;
    def.teeth_b = 17;
    pair.belt = tn_belt_joint_create(pair.world, &def);
    pair_spin(&pair, fast, fast * 13.0 / 17.0);
    for (int i = 0; i < 7500; ++i) {
        tn_world_step(pair.world, 1.0 / 60.0, 1);
    }
    double turns = tn_belt_joint_get_angle_a(pair.world, pair.belt) / (2.0 * PI);
    cr_assert_float_eq(turns, fast * 125.0 / (2.0 * PI), 1.0);
    cr_assert_eq(tn_belt_joint_get_ratio(pair.world, pair.belt), 13.0 / 17.0);
    cr_assert(fabs(tn_belt_joint_get_slip(pair.world, pair.belt)) < 1e-4);
    pair_spin(&pair, 0.0, 0.0);
    run(pair.world, 1.0, 60.0, 4);
    cr_assert(fabs(tn_belt_joint_get_slip(pair.world, pair.belt)) < 1e-9);
    double angle_a = tn_belt_joint_get_angle_a(pair.world, pair.belt);
    double angle_b = tn_belt_joint_get_angle_b(pair.world, pair.belt);
    cr_assert(fabs(13.0 * angle_a - 17.0 * angle_b) < 1e-7, "%g", 13.0 * angle_a - 17.0 * angle_b);
    tn_world_destroy(pair.world);
}

// F = 2 T0 (q - 1) / (q + 1) with q over the smaller wrap: what a torque has beyond r_a F is its
// own pulley's.
Test(belt_joint, slips_where_its_pretension_does_not_hold, .timeout = 60) {
    for (int s = 0; s < SOLVERS; ++s) {
        belt_pair pair = pair_make(solvers[s], true);
        tn_belt_joint_def def = belt_def(pair.world, pair.a, at_origin, pair.b, at_one);
        def.friction = 0.4f;
        def.pretension = 20.0f;
        pair.belt = tn_belt_joint_create(pair.world, &def);
        double q = exp((double)0.4f * (PI - 2.0 * asin(0.2)));
        double force = 40.0 * (q - 1.0) / (q + 1.0);
        double told = tn_belt_joint_get_slip_force(pair.world, pair.belt);
        cr_assert_float_eq(told, force, 1e-6 * force, "%g N, not %g", told, force);
        pair_drive(&pair, 6.0, 60);
        double a_a = (6.0 - 0.1 * force) / 0.02, a_b = 0.3 * force / 0.3;
        double w_a = spin_of(pair.world, pair.a).z, w_b = spin_of(pair.world, pair.b).z;
        cr_assert_float_eq(w_a, a_a, 1e-3 * a_a, "%d: %g, not %g", s, w_a, a_a);
        cr_assert_float_eq(w_b, a_b, 1e-3 * a_b, "%d: %g, not %g", s, w_b, a_b);
        told = (double)tn_belt_joint_get_force(pair.world, pair.belt);
        cr_assert_float_eq(told, force, 1e-3 * force, "%d: %g N", s, told);
        double slip = 0.1 * (0.5 * a_a) - 0.3 * (0.5 * a_b);
        told = tn_belt_joint_get_slip(pair.world, pair.belt);
        cr_assert_float_eq(told, slip, 1e-2 * slip, "%d: %g m, not %g", s, told, slip);
        double speed = tn_belt_joint_get_slip_speed(pair.world, pair.belt);
        cr_assert_float_eq(speed, 0.1 * w_a - 0.3 * w_b, 1e-6 * speed);
        double heat = tn_world_get_energy(pair.world).friction_work;
        cr_assert_float_eq(heat, -force * slip, 1e-2 * force * slip, "%d: %g J", s, heat);
        // Braked to what it holds, it takes along again.
        pair_drive(&pair, -6.0, 60);
        cr_assert(tn_joint_get_error(pair.world, pair.belt).angular_length == 0.0);
        tn_world_destroy(pair.world);
    }
}

// More pretension, by a tensioner, and what slipped drives again.
Test(belt_joint, holds_when_it_is_tightened, .timeout = 60) {
    belt_pair pair = pair_make(TN_SOLVER_AUTO, false);
    tn_belt_joint_def def = belt_def(pair.world, pair.a, at_origin, pair.b, at_one);
    def.pretension = 2.0f;
    pair.belt = tn_belt_joint_create(pair.world, &def);
    pair_drive(&pair, 2.0, 60);
    double slipped = tn_belt_joint_get_slip(pair.world, pair.belt);
    cr_assert(slipped > 1.0, "%g m", slipped);
    tn_belt_joint_set_grip(pair.world, pair.belt, 0.3f, 500.0f);
    run(pair.world, 1.0, 60.0, 4);
    double still = tn_belt_joint_get_slip(pair.world, pair.belt);
    pair_drive(&pair, 2.0, 60);
    double w_a = spin_of(pair.world, pair.a).z, w_b = spin_of(pair.world, pair.b).z;
    cr_assert_float_eq(w_a, 3.0 * w_b, 1e-4 * w_a);
    cr_assert(still > slipped);
    cr_assert_float_eq(tn_belt_joint_get_slip(pair.world, pair.belt), still, 1e-3);
    tn_belt_joint_set_grip(pair.world, pair.belt, 0.3f, INFINITY);
    // What it does not slip from now on it keeps to, as it stands.
    cr_assert_float_eq(tn_belt_joint_get_slip(pair.world, pair.belt), still, 1e-3);
    tn_world_destroy(pair.world);
}

// Wraps and length against the drawing: tangents and arcs.
Test(belt_joint, tells_its_wraps_and_its_length) {
    for (int crossed = 0; crossed < 2; ++crossed) {
        belt_pair pair = pair_make(TN_SOLVER_AUTO, false);
        tn_belt_joint_def def = belt_def(pair.world, pair.a, at_origin, pair.b, at_one);
        def.is_crossed = crossed == 1;
        pair.belt = tn_belt_joint_create(pair.world, &def);
        double s = asin(crossed ? 0.4 : -0.2);
        double wrap_a = PI + 2.0 * s, wrap_b = crossed ? PI + 2.0 * s : PI - 2.0 * s;
        double length = 2.0 * cos(s) + 0.1 * wrap_a + 0.3 * wrap_b;
        cr_assert_float_eq(tn_belt_joint_get_wrap_a(pair.world, pair.belt), wrap_a, 1e-12);
        cr_assert_float_eq(tn_belt_joint_get_wrap_b(pair.world, pair.belt), wrap_b, 1e-12);
        cr_assert_float_eq(tn_belt_joint_get_length(pair.world, pair.belt), length, 1e-12);
        cr_assert(isinf(tn_belt_joint_get_slip_force(pair.world, pair.belt)));
        tn_world_destroy(pair.world);
    }
}

// Two pulleys on a frame that floats in space: what the strands give the frame is in it, so that
// momentum and its moment stay, slipping or not.
Test(belt_joint, keeps_momentum_and_its_moment, .timeout = 60) {
    for (int k = 0; k < 4; ++k) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id frame = body_make(world, 0.5, 0, 0, 3.0, 1.0);
        tn_body_id a = wheel_make(world, frame, at_origin, along_z, 2.0, 0.02);
        tn_body_id b = wheel_make(world, frame, at_one, along_z, 5.0, 0.3);
        tn_belt_joint_def def = belt_def(world, a, at_origin, b, at_one);
        def.is_crossed = k % 2 == 1;
        def.pretension = k < 2 ? INFINITY : 5.0f;
        tn_belt_joint_create(world, &def);
        tn_body_set_angular_velocity(world, a, (tn_vec3){0.0, 0.0, 30.0});
        tn_energy before = tn_world_get_energy(world);
        run(world, 2.0, 60.0, 4);
        tn_energy after = tn_world_get_energy(world);
        cr_assert(fabs(after.angular_momentum.z - before.angular_momentum.z) < 2e-3, "%d: %g, %g",
                  k, before.angular_momentum.z, after.angular_momentum.z);
        cr_assert(hypot(after.linear_momentum.x, after.linear_momentum.y) < 1e-3);
        double w_a = spin_of(world, a).z, w_b = spin_of(world, b).z, u = spin_of(world, frame).z;
        double sign = def.is_crossed ? -1.0 : 1.0;
        cr_assert_float_eq(w_a - u, sign * 3.0 * (w_b - u), 2e-2, "%d: %g, %g, %g", k, w_a, w_b, u);
        tn_world_destroy(world);
    }
}

// With hertz it is a spring between the pulleys. Its stiffness is by the masses that the row moves,
// those that the hinges hold too: 1/m = 80 + 4 (1/2 + 1/5), of which the pulleys' turns are 80.
Test(belt_joint, stretches_at_its_frequency, .timeout = 60) {
    belt_pair pair = pair_make(TN_SOLVER_AUTO, false);
    tn_belt_joint_def def = belt_def(pair.world, pair.a, at_origin, pair.b, at_one);
    def.base.hertz = 2.0f;
    def.base.damping_ratio = 0.0f;
    pair.belt = tn_belt_joint_create(pair.world, &def);
    // No turn of both together: I_a w_a + I_b w_b / 3 = 0.
    pair_spin(&pair, 3.0, -3.0 * 0.02 * 3.0 / 0.3);
    double period = measure_period(pair.world, pair.belt, tn_belt_joint_get_slip, 6.0, 240.0, 4);
    double expected = 0.5 * sqrt(82.8 / 80.0);
    cr_assert_float_eq(period, expected, 1e-4, "%g s, not %g", period, expected);
    tn_world_destroy(pair.world);
}

LONG_TEST(belt_joint, goes_alike_on_any_number_of_workers, .timeout = 60) {
    uint64_t hashes[2];
    for (uint32_t workers = 0; workers < 2; ++workers) {
        tn_world_def world_def = tn_world_def_default();
        world_def.gravity = weightless;
        world_def.worker_count = 1 + 3 * workers;
        tn_world *world = tn_world_create(&world_def, NULL);
        for (int i = 0; i < 60; ++i) {
            tn_vec3 center = {0.0, 3.0 * i, 0.0}, next = {1.0, 3.0 * i, 0.0};
            tn_body_id a = wheel_make(world, world_body, center, along_z, 2.0, 0.02);
            tn_body_id b = wheel_make(world, world_body, next, along_z, 5.0, 0.3);
            tn_belt_joint_def def = belt_def(world, a, center, b, next);
            def.pretension = i % 3 == 0 ? INFINITY : 2.0f * (float)i;
            def.teeth_a = i % 3 == 1 ? 11 : 0;
            def.teeth_b = i % 3 == 1 ? 23 : 0;
            cr_assert(tn_belt_joint_create(world, &def).value != 0);
            tn_body_set_angular_velocity(world, a, (tn_vec3){0.0, 0.0, 100.0});
        }
        run(world, 2.0, 60.0, 4);
        hashes[workers] = tn_world_get_hash(world);
        tn_world_destroy(world);
    }
    cr_assert_eq(hashes[0], hashes[1]);
}

// ---- what it is told ---------------------------------------------------------------------------

Test(belt_joint, tells_what_it_was_told) {
    belt_pair pair = pair_make(TN_SOLVER_AUTO, false);
    tn_belt_joint_def def = belt_def(pair.world, pair.a, at_origin, pair.b, at_one);
    tn_joint_id belt = tn_belt_joint_create(pair.world, &def);
    cr_assert_eq(tn_joint_get_type(pair.world, belt), TN_JOINT_TYPE_BELT);
    tn_belt_joint_set_teeth(pair.world, belt, 20, 50);
    tn_belt_joint_set_crossed(pair.world, belt, true);
    tn_belt_joint_set_grip(pair.world, belt, 0.5f, 70.0f);
    def = tn_belt_joint_get_def(pair.world, belt);
    cr_assert(def.teeth_a == 20 && def.teeth_b == 50 && def.is_crossed);
    cr_assert(def.friction == 0.5f && def.pretension == 70.0f);
    cr_assert_eq(tn_belt_joint_get_ratio(pair.world, belt), -0.4);
    tn_belt_joint_set_radii(pair.world, belt, 0.2, 0.25);
    def = tn_belt_joint_get_def(pair.world, belt);
    cr_assert(def.radius_a == 0.2 && def.radius_b == 0.25 && def.teeth_a == 0 && def.teeth_b == 0);
    cr_assert(fabs(tn_belt_joint_get_ratio(pair.world, belt) + 0.8) < 1e-15);
    tn_world_destroy(pair.world);
}

static void expect(tn_world *world, test_reports *reports, const tn_belt_joint_def *def,
                   tn_result result) {
    uint32_t before = reports->count;
    cr_assert_eq(tn_belt_joint_create(world, def).value, 0u);
    cr_assert_eq(reports->count, before + 1);
    cr_assert_eq(reports->last, result, "%d", (int)reports->last);
}

Test(belt_joint, refuses_what_is_no_belt) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, 1, 0, 0, 1, 1);
    tn_belt_joint_def good = belt_def(world, a, at_origin, b, at_one), def;
    expect(world, &reports, NULL, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.radius_a = 0.0;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.radius_b = -1.0;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.radius_b = (double)NAN;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.teeth_a = 5;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.teeth_a = def.teeth_b = -5;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.teeth_a = 5, def.teeth_b = 1000001;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.friction = -0.1f;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.friction = INFINITY;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.pretension = NAN;
    expect(world, &reports, &def, TN_RESULT_NOT_FINITE);
    def = good, def.pretension = -1.0f;
    expect(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good, def.base.body_b = a;
    expect(world, &reports, &def, TN_RESULT_SAME_BODY);
    def = good, def.base.frame_b.position.x = -1.0;
    expect(world, &reports, &def, TN_RESULT_ZERO_AXIS);
    tn_joint_id belt = tn_belt_joint_create(world, &good);
    uint32_t before = reports.count;
    tn_belt_joint_set_radii(world, belt, 0.0, 1.0);
    tn_belt_joint_set_radii(world, belt, 1.0, (double)INFINITY);
    tn_belt_joint_set_teeth(world, belt, 3, 0);
    tn_belt_joint_set_grip(world, belt, -1.0f, 1.0f);
    tn_belt_joint_set_grip(world, belt, 1.0f, NAN);
    cr_assert_eq(reports.count, before + 5);
    def = tn_belt_joint_get_def(world, belt);
    cr_assert(def.radius_a == 0.1 && def.teeth_a == 0 && def.friction == 0.3f);
    cr_assert(isinf(def.pretension));
    tn_joint_destroy(world, belt);
    cr_assert_eq(tn_belt_joint_get_length(world, belt), 0.0);
    cr_assert_eq(reports.last, TN_RESULT_INVALID_ID);
    tn_world_destroy(world);
}

// Pulleys inside each other, far apart, with the least friction there is: numbers all the same.
Test(belt_joint, stays_finite_however_its_pulleys_stand, .timeout = 60) {
    for (int i = 0; i < 60; ++i) {
        tn_world *world = world_make((tn_vec3){0.0, -9.81, 0.0}, NULL);
        double x = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 0.2 : 1e3;
        tn_vec3 center = {x, 0, 0};
        tn_body_id a = body_make(world, 0, 0, 0, 1, 1), b = body_make(world, x, 0, 0, 100, 1);
        tn_belt_joint_def def = belt_def(world, a, at_origin, b, center);
        def.is_crossed = i % 2 == 1;
        def.friction = i % 5 == 0 ? FLT_MIN : 0.1f * (float)i;
        def.pretension = i % 4 == 0 ? INFINITY : 100.0f * (float)i;
        def.radius_a = 0.01 * (i + 1);
        tn_joint_id belt = tn_belt_joint_create(world, &def);
        cr_assert(belt.value != 0);
        tn_body_set_velocity(world, a,
                             (tn_velocity){.linear = {1, 2, 3}, .angular = {50, -20, 90}});
        run(world, 1.0, 60.0, 4);
        tn_vec3 p = tn_body_get_pose(world, a).position, r = tn_body_get_pose(world, b).position;
        cr_assert(isfinite(p.x + p.y + p.z + r.x + r.y + r.z), "%d", i);
        cr_assert(isfinite(tn_belt_joint_get_length(world, belt)));
        tn_world_destroy(world);
    }
}
