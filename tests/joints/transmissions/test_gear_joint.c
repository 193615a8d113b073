// Gears against closed forms: the ratio of speeds and accelerations, wheels on a carrier, bevel
// gears, and that they stay in phase over any number of turns at any speed.
#include "tests/support/long_test.h"
#include "transmission_world.h"

static const tn_vec3 at_origin = {0.0, 0.0, 0.0};
static const tn_vec3 at_one = {1.0, 0.0, 0.0};

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
#define SOLVERS 4

static tn_world *make_world(tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.gravity = weightless;
    def.is_sleep_allowed = false;
    def.solver = solver;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

typedef struct gear_pair {
    tn_world *world;
    tn_body_id a, b;
    tn_joint_id gear;
} gear_pair;

// Inertias 0.02 and 0.3, a metre apart.
static gear_pair make_pair(tn_solver solver, tn_gear_reference reference, int32_t teeth_a,
                           int32_t teeth_b) {
    gear_pair pair = {.world = make_world(solver)};
    pair.a = wheel_make(pair.world, world_body, at_origin, along_z, 2.0, 0.02);
    pair.b = wheel_make(pair.world, world_body, at_one, along_z, 5.0, 0.3);
    tn_gear_joint_def def =
        gear_def(pair.world, pair.a, at_origin, along_z, pair.b, at_one, along_z);
    def.reference = reference;
    def.teeth_a = teeth_a;
    def.teeth_b = teeth_b;
    pair.gear = tn_gear_joint_create(pair.world, &def);
    cr_assert(pair.gear.value != 0);
    return pair;
}

// A torque of 1.5 N·m on the small one: 1.5 / (0.02 + 0.3 / 9) rad/s^2.
Test(gear_joint, turns_a_heavy_wheel_by_its_ratio) {
    for (int s = 0; s < SOLVERS; ++s) {
        for (int k = 0; k < 4; ++k) {
            tn_gear_reference reference =
                k % 2 == 0 ? TN_GEAR_REFERENCE_CENTERS : TN_GEAR_REFERENCE_WORLD;
            double sign = k < 2 ? 1.0 : -1.0, acceleration = 1.5 / (0.02 + 0.3 / 9.0);
            gear_pair pair = make_pair(solvers[s], reference, 20, k < 2 ? 60 : -60);
            for (int i = 0; i < 120; ++i) {
                tn_body_apply_torque(pair.world, pair.a, (tn_vec3){0.0, 0.0, 1.5});
                tn_world_step(pair.world, 1.0 / 60.0, 4);
            }
            double w_a = spin_of(pair.world, pair.a).z, w_b = spin_of(pair.world, pair.b).z;
            cr_expect_float_eq(w_a, 2.0 * acceleration, 1e-4 * w_a, "%d: %g", s, w_a);
            cr_expect_float_eq(w_a + sign * 3.0 * w_b, 0.0, 1e-4 * w_a);
            cr_expect_float_eq(tn_gear_joint_get_angle_a(pair.world, pair.gear), 2.0 * acceleration,
                               1e-3 * w_a);
            // Sweeps give way a little under load.
            double most = solvers[s] == TN_SOLVER_PGS ? 5e-4 : 1e-5;
            double error = tn_gear_joint_get_phase_error(pair.world, pair.gear);
            cr_expect(fabs(error) < most, "%d: %g rad", s, error);
            cr_expect_float_eq(tn_gear_joint_get_ratio(pair.world, pair.gear), sign * 3.0, 1e-15);
            tn_world_destroy(pair.world);
        }
    }
}

// ---- whole turns -------------------------------------------------------------------------------

static void spin_pair(const gear_pair *pair, double w_a, double w_b) {
    tn_body_set_angular_velocity(pair->world, pair->a, (tn_vec3){0.0, 0.0, w_a});
    tn_body_set_angular_velocity(pair->world, pair->b, (tn_vec3){0.0, 0.0, w_b});
}

// 134 turns in a step, at a speed that a float tells to 0.004 rad/s, which is 1e-4 rad in a step.
// When they stand nothing is left of it.
Test(gear_joint, stays_in_phase_over_a_million_turns) {
    const double fast = 50653.0;
    gear_pair pair = make_pair(TN_SOLVER_PGS, TN_GEAR_REFERENCE_CENTERS, 13, 17);
    spin_pair(&pair, fast, -fast * 13.0 / 17.0);
    for (int i = 0; i < 7500; ++i) {
        tn_world_step(pair.world, 1.0 / 60.0, 1);
    }
    double turns = tn_gear_joint_get_angle_a(pair.world, pair.gear) / (2.0 * PI);
    cr_assert_float_eq(turns, fast * 125.0 / (2.0 * PI), 1.0);
    cr_assert(fabs(tn_gear_joint_get_phase_error(pair.world, pair.gear)) < 1e-3);
    spin_pair(&pair, 0.0, 0.0);
    run(pair.world, 1.0, 60.0, 4);
    cr_assert(fabs(tn_gear_joint_get_phase_error(pair.world, pair.gear)) < 1e-9);
    tn_world_destroy(pair.world);
}

// 10,000 rpm, 0.7 turns in a substep.
Test(gear_joint, stays_in_phase_at_ten_thousand_turns_a_minute) {
    const double fast = 10000.0 / 60.0 * 2.0 * PI;
    for (int s = 0; s < SOLVERS; ++s) {
        gear_pair pair = make_pair(solvers[s], TN_GEAR_REFERENCE_CENTERS, 13, 17);
        spin_pair(&pair, fast, -fast * 13.0 / 17.0);
        run(pair.world, 10.0, 60.0, 4);
        double angle_a = tn_gear_joint_get_angle_a(pair.world, pair.gear);
        double angle_b = tn_gear_joint_get_angle_b(pair.world, pair.gear);
        // The midpoint rule turns hinges by a little less at such a speed.
        cr_expect(fabs(angle_a / (10.0 * fast) - 1.0) < 1e-3, "%d: %g", s, angle_a);
        cr_expect(fabs(angle_a + 17.0 / 13.0 * angle_b) < 1e-5, "%d", s);
        cr_expect(fabs(tn_gear_joint_get_phase_error(pair.world, pair.gear)) < 1e-5, "%d", s);
        tn_world_destroy(pair.world);
    }
}

// Each pair by itself on some worker, and side by side under the direct solver.
LONG_TEST(gear_joint, counts_turns_in_a_crowd_and_on_workers) {
    const double fast = 1000.0;
    const tn_solver some[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int s = 0; s < 2; ++s) {
        uint64_t hashes[2];
        for (uint32_t workers = 0; workers < 2; ++workers) {
            tn_world_def world_def = tn_world_def_default();
            world_def.gravity = weightless;
            world_def.is_sleep_allowed = false;
            world_def.solver = some[s];
            world_def.worker_count = 1 + 3 * workers;
            tn_world *world = tn_world_create(&world_def, NULL);
            tn_joint_id gears[100];
            for (int i = 0; i < 100; ++i) {
                tn_vec3 center = {0.0, 3.0 * i, 0.0}, next = {1.0, 3.0 * i, 0.0};
                tn_body_id a = wheel_make(world, world_body, center, along_z, 2.0, 0.02);
                tn_body_id b = wheel_make(world, world_body, next, along_z, 5.0, 0.3);
                tn_gear_joint_def def = gear_def(world, a, center, along_z, b, next, along_z);
                def.ratio = 0.5;
                gears[i] = tn_gear_joint_create(world, &def);
                tn_body_set_angular_velocity(world, a, (tn_vec3){0.0, 0.0, fast});
                tn_body_set_angular_velocity(world, b, (tn_vec3){0.0, 0.0, (-2 * fast)});
            }
            run(world, 0.5, 240.0, 2);
            for (int i = 0; i < 100; ++i) {
                double angle = tn_gear_joint_get_angle_a(world, gears[i]);
                cr_assert(fabs(angle / (0.5 * fast) - 1.0) < 2e-3, "%d, %d: %g", s, i, angle);
                cr_assert(fabs(tn_gear_joint_get_phase_error(world, gears[i])) < 1e-5);
            }
            hashes[workers] = tn_world_get_hash(world);
            tn_world_destroy(world);
        }
        cr_assert_eq(hashes[0], hashes[1], "%d", s);
    }
}

// Methods that ask about poses between the ends of a substep, or at its end alone. 3.5 rad and 7 in
// each; those at the level of accelerations are for less.
Test(gear_joint, counts_turns_by_every_method) {
    static const struct {
        tn_integrator integrator;
        double turn; // rad in a substep
    } methods[] = {{TN_INTEGRATOR_RATTLE, 3.5},
                   {TN_INTEGRATOR_EULER, 3.5},
                   {TN_INTEGRATOR_PENALTY, 3.5},
                   {TN_INTEGRATOR_RK4, 0.3},
                   {TN_INTEGRATOR_SYMPLECTIC_EULER, 0.1}};
    for (size_t k = 0; k < sizeof methods / sizeof *methods; ++k) {
        tn_world_def world_def = tn_world_def_default();
        world_def.gravity = weightless;
        world_def.is_sleep_allowed = false;
        world_def.solver = TN_SOLVER_DIRECT;
        world_def.research.integrator = methods[k].integrator;
        const double fast = 240.0 * methods[k].turn;
        tn_world *world = tn_world_create(&world_def, NULL);
        tn_body_id a = wheel_make(world, world_body, at_origin, along_z, 2.0, 0.02);
        tn_body_id b = wheel_make(world, world_body, at_one, along_z, 5.0, 0.3);
        tn_gear_joint_def def = gear_def(world, a, at_origin, along_z, b, at_one, along_z);
        def.teeth_a = 40;
        def.teeth_b = 20;
        tn_joint_id gear = tn_gear_joint_create(world, &def);
        tn_body_set_angular_velocity(world, a, (tn_vec3){0.0, 0.0, fast});
        tn_body_set_angular_velocity(world, b, (tn_vec3){0.0, 0.0, (-2.0 * fast)});
        run(world, 1.0, 240.0, 1);
        double angle = tn_gear_joint_get_angle_a(world, gear);
        cr_expect(fabs(angle / fast - 1.0) < 1e-3, "%zu: %g", k, angle / fast);
        double error = tn_gear_joint_get_phase_error(world, gear);
        cr_expect(fabs(error) < 1e-4, "%zu: %g", k, error);
        tn_world_destroy(world);
    }
}

// What they remember is of the world's state.
Test(gear_joint, is_in_the_hash_of_the_world_by_its_turns) {
    gear_pair pair = make_pair(TN_SOLVER_DIRECT, TN_GEAR_REFERENCE_CENTERS, 20, 60);
    uint64_t before = tn_world_get_hash(pair.world);
    tn_pose pose = tn_body_get_pose(pair.world, pair.a);
    tn_pose turned = pose;
    for (int i = 1; i <= 4; ++i) { // by quarters, which end where they began
        turned.rotation.z = sin(0.25 * PI * i);
        turned.rotation.w = cos(0.25 * PI * i);
        tn_body_set_pose(pair.world, pair.a, turned);
    }
    tn_body_set_pose(pair.world, pair.a, pose);
    cr_assert_float_eq(tn_gear_joint_get_angle_a(pair.world, pair.gear), 2.0 * PI, 1e-12);
    cr_assert(tn_world_get_hash(pair.world) != before);
    tn_world_destroy(pair.world);
}

Test(gear_joint, keeps_the_nearest_turn_of_a_wheel_that_is_put_elsewhere) {
    gear_pair pair = make_pair(TN_SOLVER_DIRECT, TN_GEAR_REFERENCE_CENTERS, 20, 60);
    tn_pose pose = tn_body_get_pose(pair.world, pair.a);
    pose.rotation.z = sin(-1.5);
    pose.rotation.w = cos(-1.5);
    tn_body_set_pose(pair.world, pair.a, pose);
    cr_assert_float_eq(tn_gear_joint_get_angle_a(pair.world, pair.gear), -3.0, 1e-12);
    cr_assert_float_eq(tn_gear_joint_get_phase_error(pair.world, pair.gear), -3.0, 1e-12);
    // The next step closes that by both wheels, the lighter one more.
    tn_world_step(pair.world, 1.0 / 60.0, 4);
    cr_assert_float_eq(tn_gear_joint_get_phase_error(pair.world, pair.gear), 0.0, 1e-9);
    tn_world_destroy(pair.world);
}

Test(gear_joint, meshes_as_it_stands_when_its_ratio_changes) {
    gear_pair pair = make_pair(TN_SOLVER_DIRECT, TN_GEAR_REFERENCE_CENTERS, 20, 60);
    spin_pair(&pair, 30.0, -10.0);
    run(pair.world, 1.0, 60.0, 4);
    tn_quat before = tn_body_get_pose(pair.world, pair.a).rotation;
    tn_gear_joint_set_ratio(pair.world, pair.gear, 0.7);
    cr_assert(fabs(tn_gear_joint_get_phase_error(pair.world, pair.gear)) < 1e-9);
    cr_assert_float_eq(tn_gear_joint_get_angle_a(pair.world, pair.gear), 0.0, 1e-12);
    spin_pair(&pair, 0.0, 0.0);
    run(pair.world, 0.1, 60.0, 4);
    tn_quat after = tn_body_get_pose(pair.world, pair.a).rotation;
    cr_assert(fmax(fabs(after.x - before.x), fabs(after.y - before.y)) < 1e-9);
    cr_assert(fmax(fabs(after.z - before.z), fabs(after.w - before.w)) < 1e-9);
    // And so when a frame is turned about its axis.
    tn_pose frame = tn_joint_get_def(pair.world, pair.gear).frame_a;
    tn_pose turned = frame;
    turned.rotation.x = frame.rotation.y;
    turned.rotation.y = -frame.rotation.x;
    turned.rotation.z = frame.rotation.w;
    turned.rotation.w = -frame.rotation.z;
    tn_joint_set_frame_a(pair.world, pair.gear, turned);
    cr_assert(fabs(tn_gear_joint_get_phase_error(pair.world, pair.gear)) < 1e-9);
    // What changes nothing of it starts nothing anew.
    spin_pair(&pair, 7.0, -10.0);
    run(pair.world, 0.5, 60.0, 4);
    double angle = tn_gear_joint_get_angle_a(pair.world, pair.gear);
    cr_assert(fabs(angle) > 1.0);
    tn_joint_set_break_force(pair.world, pair.gear, 1e9f, INFINITY);
    cr_assert_eq(tn_gear_joint_get_angle_a(pair.world, pair.gear), angle);
    tn_world_destroy(pair.world);
}

// ---- on a carrier ------------------------------------------------------------------------------

typedef struct planets {
    tn_world *world;
    tn_body_id carrier, sun, planet;
    double inertia_carrier, inertia_sun, inertia_planet, mass, radius;
} planets;

// A sun about z in the middle and a planet a metre out, about z or, as a bevel gear, along x.
static planets make_planets(tn_solver solver, bool is_free, bool is_bevel, double ratio) {
    planets p = {make_world(solver), {0}, {0}, {0}, 0.5, 0.02, 0.05, 2.0, 1.0};
    tn_vec3 axis = is_bevel ? along_x : along_z;
    p.carrier = body_make(p.world, 0, 0, 0, 3.0, p.inertia_carrier);
    if (!is_free) {
        joint_make(p.world, TN_JOINT_TYPE_HINGE, world_body, p.carrier, at_origin, along_z);
    }
    p.sun = wheel_make(p.world, p.carrier, at_origin, along_z, 1.0, p.inertia_sun);
    p.planet = wheel_make(p.world, p.carrier, at_one, axis, p.mass, p.inertia_planet);
    tn_gear_joint_def def = gear_def(p.world, p.sun, at_origin, along_z, p.planet, at_one, axis);
    def.reference = is_bevel ? TN_GEAR_REFERENCE_AXES : TN_GEAR_REFERENCE_CENTERS;
    def.ratio = ratio;
    cr_assert(tn_gear_joint_create(p.world, &def).value != 0);
    return p;
}

// A torque on the sun: the two freedoms w_s, w_c, with the planet's spin from Willis's equation
// (w_s - w_c) + i s = 0. The planet's whole speed is w_c + s, about one axis or about two.
static void expect_accelerations(planets *p, double ratio, bool is_bevel) {
    const double torque = 0.3, time = 1.0;
    double i_p = p->inertia_planet, out = p->mass * p->radius * p->radius;
    double cross = is_bevel ? -i_p / (ratio * ratio) : -i_p * (1.0 + 1.0 / ratio) / ratio;
    double own =
        is_bevel ? i_p + i_p / (ratio * ratio) : i_p * (1.0 + 1.0 / ratio) * (1.0 + 1.0 / ratio);
    double m_ss = p->inertia_sun + i_p / (ratio * ratio);
    double m_cc = p->inertia_carrier + out + own, det = m_ss * m_cc - cross * cross;
    for (int i = 0; i < 60; ++i) {
        tn_body_apply_torque(p->world, p->sun, (tn_vec3){0.0, 0.0, torque});
        tn_world_step(p->world, time / 60.0, 4);
    }
    double w_s = m_cc / det * torque * time, w_c = -cross / det * torque * time;
    cr_expect_float_eq(spin_of(p->world, p->sun).z, w_s, 1e-3 * fabs(w_s), "ratio %g: %g for %g",
                       ratio, spin_of(p->world, p->sun).z, w_s);
    cr_expect_float_eq(spin_of(p->world, p->carrier).z, w_c, 1e-3 * fabs(w_s),
                       "ratio %g: %g for %g", ratio, spin_of(p->world, p->carrier).z, w_c);
    tn_world_destroy(p->world);
}

Test(gear_joint, of_a_planet_turns_against_its_carrier) {
    const double ratios[] = {2.0, 0.5, -3.0};
    for (int s = 0; s < SOLVERS; ++s) {
        for (int k = 0; k < 3; ++k) {
            planets p = make_planets(solvers[s], false, false, ratios[k]);
            expect_accelerations(&p, ratios[k], false);
        }
    }
}

Test(gear_joint, of_bevel_gears_turns_against_their_carrier) {
    const double ratios[] = {2.0, 0.5, -3.0};
    for (int s = 0; s < SOLVERS; ++s) {
        for (int k = 0; k < 3; ++k) {
            planets p = make_planets(solvers[s], false, true, ratios[k]);
            expect_accelerations(&p, ratios[k], true);
        }
    }
}

// About the origin, for bodies that are round.
static tn_vec3 angular_momentum(const planets *p) {
    const tn_body_id bodies[] = {p->carrier, p->sun, p->planet};
    const double masses[] = {3.0, 1.0, p->mass};
    const double inertias[] = {p->inertia_carrier, p->inertia_sun, p->inertia_planet};
    tn_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        tn_vec3 x = tn_body_get_center(p->world, bodies[i]);
        tn_velocity v = tn_body_get_velocity(p->world, bodies[i]);
        sum.x += masses[i] * (x.y * v.linear.z - x.z * v.linear.y) + inertias[i] * v.angular.x;
        sum.y += masses[i] * (x.z * v.linear.x - x.x * v.linear.z) + inertias[i] * v.angular.y;
        sum.z += masses[i] * (x.x * v.linear.y - x.y * v.linear.x) + inertias[i] * v.angular.z;
    }
    return sum;
}

static double kinetic_energy(const planets *p) {
    return tn_world_get_energy(p->world).kinetic;
}

// Nothing but each other: all of it tumbles, and the joints push inside. The hinges alone lose 1e-5
// of the momentum at this step, with the square of it.
Test(gear_joint, keeps_momentum_and_energy_of_a_free_planetary_gear) {
    for (int k = 0; k < 4; ++k) {
        planets p = make_planets(TN_SOLVER_DIRECT, true, k % 2 == 1, k < 2 ? 2.0 : -0.5);
        tn_body_set_angular_velocity(p.world, p.carrier, (tn_vec3){0.4, 1.5, 2.0});
        tn_body_set_angular_velocity(p.world, p.sun, (tn_vec3){0.4, 1.5, 9.0});
        run(p.world, 0.1, 60.0, 4); // joints and gear have taken the speeds to theirs
        tn_vec3 before = angular_momentum(&p);
        double energy = kinetic_energy(&p);
        run(p.world, 10.0, 60.0, 4);
        tn_vec3 after = angular_momentum(&p);
        double apart =
            fabs(after.x - before.x) + fabs(after.y - before.y) + fabs(after.z - before.z);
        cr_expect(apart < 1e-5 * (fabs(before.x) + fabs(before.y) + fabs(before.z)), "%d: %g", k,
                  apart);
        cr_expect(fabs(kinetic_energy(&p) - energy) < 1e-4 * energy, "%d: %g of %g", k,
                  kinetic_energy(&p) - energy, energy);
        tn_world_destroy(p.world);
    }
}

// ---- where there is nothing to measure against -------------------------------------------------

Test(gear_joint, of_wheels_one_behind_the_other_is_refused_or_held_by_the_world) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    const tn_vec3 behind = {0.0, 0.0, 2.0};
    tn_body_id a = wheel_make(world, world_body, at_origin, along_z, 1.0, 0.1);
    tn_body_id b = wheel_make(world, world_body, behind, along_z, 1.0, 0.1);
    tn_gear_joint_def def = gear_def(world, a, at_origin, along_z, b, behind, along_z);
    cr_assert_eq(tn_gear_joint_create(world, &def).value, 0);
    cr_assert_eq(reports.last, TN_RESULT_ZERO_AXIS);
    def.reference = TN_GEAR_REFERENCE_AXES;
    cr_assert_eq(tn_gear_joint_create(world, &def).value, 0);
    cr_assert_eq(reports.count, 2);
    def.reference = TN_GEAR_REFERENCE_WORLD;
    def.ratio = -2.0;
    cr_assert(tn_gear_joint_create(world, &def).value != 0);
    tn_body_set_angular_velocity(world, a, (tn_vec3){0.0, 0.0, 5.0});
    run(world, 1.0, 60.0, 4);
    // Angular momenta along the row: 0.1 * 5 = 0.1 (w_a + w_b / 2), w_a = 2 w_b.
    cr_assert_float_eq(spin_of(world, a).z, 4.0, 1e-3);
    cr_assert_float_eq(spin_of(world, b).z, 2.0, 1e-3);
    tn_world_destroy(world);
}

// Bodies that come to lie so while they move are left alone meanwhile.
Test(gear_joint, survives_wheels_that_come_to_lie_one_behind_the_other) {
    for (int s = 0; s < SOLVERS; ++s) {
        tn_world *world = make_world(solvers[s]);
        tn_body_id a = body_make(world, 0, 0, 0, 1, 0.1), b = body_make(world, 1, 0, 0, 1, 0.1);
        tn_gear_joint_def def = gear_def(world, a, at_origin, along_z, b, at_one, along_z);
        tn_joint_id gear = tn_gear_joint_create(world, &def);
        tn_body_set_angular_velocity(world, a, (tn_vec3){0.0, 0.0, 5.0});
        tn_body_set_pose(world, b, tn_body_get_pose(world, a));
        cr_assert_eq(tn_gear_joint_get_phase_error(world, gear), 0.0);
        tn_world_step(world, 1.0 / 60.0, 4);
        cr_assert(isfinite(spin_of(world, a).z) && isfinite(spin_of(world, b).z));
        cr_assert(fabs(spin_of(world, a).z) < 100.0);
        tn_world_destroy(world);
    }
}
