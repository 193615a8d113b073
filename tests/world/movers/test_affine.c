// Affine bodies against closed forms of elasticity and of rigid bodies.
#include "affine_world.h"
#include "tests/support/long_test.h"

#define MASS  2.0 // kg, of a cube
#define SIDE  0.5 // m
#define MU    (1e4 / 2.6)
#define YOUNG 1e4 // Pa
#define NU    0.3

static tn_world *world;
static test_reports reports;
static const tn_body_id ground = {0};

static tn_world *make_world(bool has_gravity) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    if (!has_gravity) {
        def.gravity = (tn_vec3){0.0, 0.0, 0.0};
    }
    return test_def_world_create(def, &reports);
}

static void setup(void) {
    world = make_world(false);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(affine, .init = setup, .fini = teardown, .timeout = 60);

static tn_reduced_id make_cube(double viscosity) {
    return affine_make(world, affine_box_make(world, MASS, SIDE, SIDE, SIDE), YOUNG, NU, viscosity,
                       TN_AFFINE_KEPT_NOTHING);
}

// ---- free vibration -----------------------------------------------------------------------------

// At (1 + e m) for a symmetric m the strain is e m: e stays e_0 cos(n theta) with the trapezoidal
// rule's tan(theta / 2) = h omega / 2.
static void vibrate(const double *mode, double omega, int steps) {
    tn_reduced_id id = make_cube(0.0);
    double a[9], h = 1.0 / 240.0, size = 1e-3;
    for (int k = 0; k < 9; ++k) {
        a[k] = (k % 4 == 0 ? 1.0 : 0.0) + size * mode[k];
    }
    affine_set(world, id, a, NULL);
    reduced_run(world, steps * h, steps, 1);
    double cosine = cos(steps * 2.0 * atan(0.5 * h * omega));
    for (uint32_t k = 0; k < 9; ++k) {
        double strain = reduced_coordinate(world, id, 3 + k) - (k % 4 == 0 ? 1.0 : 0.0);
        TEST_NEAR(strain, size * mode[k] * cosine, 1e-12);
    }
}

Test(affine, vibrates_at_the_frequencies_of_its_modes) {
    double s = MASS * SIDE * SIDE / 12.0, v = SIDE * SIDE * SIDE;
    double lambda = YOUNG * NU / ((1.0 + NU) * (1.0 - 2.0 * NU));
    const double shear[9] = {0, 1, 0, 1, 0, 0, 0, 0, 0}, stretch[9] = {1, 0, 0, 0, -1, 0, 0, 0, 0};
    const double swell[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    vibrate(shear, sqrt(2.0 * v * MU / s), 1000);
    vibrate(stretch, sqrt(2.0 * v * MU / s), 1000);
    vibrate(swell, sqrt(v * (2.0 * MU + 3.0 * lambda) / s), 1000);
}

// e'' = -omega^2 (e + tau e'): an amplitude of exp(-omega^2 tau t / 2).
Test(affine, viscosity_takes_the_vibration_down) {
    double s = MASS * SIDE * SIDE / 12.0, omega2 = 2.0 * SIDE * SIDE * SIDE * MU / s;
    double tau = 1e-3, rate = 0.5 * omega2 * tau, omega = sqrt(omega2 - rate * rate);
    const double a[9] = {1, 1e-3, 0, 1e-3, 1, 0, 0, 0, 1};
    tn_reduced_id id = make_cube(tau);
    affine_set(world, id, a, NULL);
    tn_energy before = tn_world_get_energy(world);
    reduced_run(world, 0.05, 100, 50);
    double t = 0.05;
    double expected = 1e-3 * exp(-rate * t) * (cos(omega * t) + rate / omega * sin(omega * t));
    TEST_NEAR(reduced_coordinate(world, id, 4), expected, 1e-7);
    tn_energy after = tn_world_get_energy(world);
    // The ledger: what springs gave and damping took is what is there as motion.
    TEST_NEAR(after.kinetic - before.kinetic, after.spring_work + after.damping_work,
              1e-3 * before.elastic);
    TEST_NEAR(after.spring_work, before.elastic - after.elastic, 1e-3 * before.elastic);
    cr_assert(after.damping_work < -0.1 * before.elastic);
}

// ---- damping ------------------------------------------------------------------------------------

// Each half kick divides by 1 + h/2 c: what is left of exp(-c t) after n substeps.
static double left_by(double c, int n, double h) {
    return pow(1.0 + 0.5 * h * c, -2.0 * n);
}

// Both momenta go by it alone, however the body is strained on its way, and as a rigid body's.
Test(affine, damping_takes_the_momenta_of_a_rigid_body) {
    const tn_affine_kept kept[] = {TN_AFFINE_KEPT_NOTHING, TN_AFFINE_KEPT_VOLUME};
    tn_body_id free = reduced_body_make(world, MASS, 0.1);
    tn_body_set_linear_velocity(world, free, (tn_vec3){1.5, -0.5, 0.25});
    tn_body_set_damping(world, free, 0.5f, 2.0f);
    tn_body_id bodies[2];
    tn_reduced_id ids[2];
    const double speeds[TN_AFFINE_FREEDOMS] = {1.5, -0.5, 0.25, 1, -6, 2, 5, 1, -3, 0, 4, -2};
    for (int i = 0; i < 2; ++i) {
        bodies[i] = affine_box_make(world, MASS, 0.4, 0.6, 0.3);
        tn_body_set_damping(world, bodies[i], 0.5f, 2.0f);
        ids[i] = affine_make(world, bodies[i], YOUNG, NU, 0.0, kept[i]);
        tn_reduced_set_speeds(world, ids[i], speeds, TN_AFFINE_FREEDOMS);
    }
    tn_vec3 before[2];
    for (int i = 0; i < 2; ++i) {
        before[i] = tn_body_get_angular_momentum(world, bodies[i]);
    }
    reduced_run(world, 1.0, 60, 4);
    double linear = left_by(0.5, 240, 1.0 / 240.0), angular = left_by(2.0, 240, 1.0 / 240.0);
    TEST_NEAR(linear, exp(-0.5), 1e-3);
    TEST_NEAR(angular, exp(-2.0), 1e-3);
    tn_velocity of_free = tn_body_get_velocity(world, free);
    for (int i = 0; i < 2; ++i) {
        tn_vec3 after = tn_body_get_angular_momentum(world, bodies[i]);
        TEST_NEAR(reduced_speed(world, ids[i], 0), 1.5 * linear, 1e-12);
        TEST_NEAR(reduced_speed(world, ids[i], 1), of_free.linear.y, 1e-12);
        TEST_NEAR(reduced_speed(world, ids[i], 2), of_free.linear.z, 1e-12);
        TEST_NEAR(after.x, before[i].x * angular, 1e-12);
        TEST_NEAR(after.y, before[i].y * angular, 1e-12);
        TEST_NEAR(after.z, before[i].z * angular, 1e-12);
    }
    TEST_NEAR(affine_determinant(world, ids[1]), 1.0, 1e-12);
}

// Without a stiffness straining goes as turning does, and the works are what the motion lost.
Test(affine, damping_slows_straining_as_turning) {
    tn_body_id body = affine_box_make(world, MASS, 0.4, 0.6, 0.3);
    tn_reduced_id id = affine_make(world, body, 0.0, 0.0, 0.0, TN_AFFINE_KEPT_NOTHING);
    const double speeds[TN_AFFINE_FREEDOMS] = {1.5, -0.5, 0.25, 1, -6, 2, 5, 1, -3, 0, 4, -2};
    tn_reduced_set_speeds(world, id, speeds, TN_AFFINE_FREEDOMS);
    tn_body_set_damping(world, body, 0.5f, 2.0f);
    tn_energy before = tn_world_get_energy(world);
    reduced_run(world, 1.0, 60, 4);
    double h = 1.0 / 240.0;
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        double left = left_by(k < 3 ? 0.5 : 2.0, 240, h);
        TEST_NEAR(reduced_speed(world, id, k), speeds[k] * left, 1e-12);
    }
    tn_energy after = tn_world_get_energy(world);
    TEST_NEAR(after.damping_work, after.kinetic - before.kinetic, 1e-12 * before.kinetic);
    tn_body_set_damping(world, body, 1e12f, 1e12f); // however strong it is
    test_step(world, 1);
    for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
        TEST_NEAR(reduced_speed(world, id, k), 0.0, 1e-12);
    }
}

// e'' = -omega^2 e - c e': an amplitude of exp(-c t / 2). The works make up what there is of
// motion, at any stiffness, with viscosity beside.
Test(affine, damping_takes_a_vibration_down_and_the_ledger_closes) {
    double s = MASS * SIDE * SIDE / 12.0, omega2 = 2.0 * SIDE * SIDE * SIDE * MU / s, c = 8.0;
    double omega = sqrt(omega2 - 0.25 * c * c), t = 0.05;
    const double a[9] = {1, 1e-3, 0, 1e-3, 1, 0, 0, 0, 1};
    tn_reduced_id id = make_cube(0.0);
    tn_body_id body;
    tn_reduced_get_bodies(world, id, &body, 1);
    tn_body_set_damping(world, body, 0.0f, (float)c);
    affine_set(world, id, a, NULL);
    tn_energy before = tn_world_get_energy(world);
    reduced_run(world, t, 100, 50);
    double sway = cos(omega * t) + 0.5 * c / omega * sin(omega * t);
    TEST_NEAR(reduced_coordinate(world, id, 4), 1e-3 * exp(-0.5 * c * t) * sway, 1e-7);
    tn_energy after = tn_world_get_energy(world);
    TEST_NEAR(after.spring_work, before.elastic - after.elastic, 1e-3 * before.elastic);
    cr_assert(after.damping_work < -0.1 * before.elastic);
    for (double young = 1e3; young < 2e9; young *= 1e3) {
        const double wild[9] = {1.1, 0.2, 0, -0.1, 0.8, 0.3, 0, 0.1, 1.1};
        const double rate[9] = {3, -8, 2, 9, 1, -5, 0, 4, -2};
        tn_affine_set_material(world, id, young, NU, 1e-3);
        affine_set(world, id, wild, rate);
        before = tn_world_get_energy(world);
        reduced_run(world, 1.0, 60, 4);
        after = tn_world_get_energy(world);
        double works = after.spring_work + after.damping_work;
        works -= before.spring_work + before.damping_work;
        TEST_NEAR(after.kinetic - before.kinetic, works, 1e-9 * (before.kinetic + before.elastic));
        cr_assert(after.damping_work < before.damping_work);
    }
}

// ---- turning ------------------------------------------------------------------------------------

// diag(u, u, p) that spins about z: s w^2 u = V (2 mu (u - 1) + lambda (2 u + p - 3)), and nothing
// along z.
Test(affine, spinning_cube_stays_as_wide_as_its_spin_asks) {
    double s = MASS * SIDE * SIDE / 12.0, v = SIDE * SIDE * SIDE, w = 30.0;
    double lambda = YOUNG * NU / ((1.0 + NU) * (1.0 - 2.0 * NU));
    double along = -2.0 * lambda / (2.0 * MU + lambda); // p - 1 by u - 1
    double k = v * (2.0 * MU + lambda * (2.0 + along)), e = s * w * w / (k - s * w * w);
    double u = 1.0 + e, p = 1.0 + along * e;
    const double a[9] = {u, 0, 0, 0, u, 0, 0, 0, p}, rate[9] = {0, -w * u, 0, w * u, 0, 0, 0, 0, 0};
    tn_reduced_id id = make_cube(0.0);
    affine_set(world, id, a, rate);
    tn_energy before = tn_world_get_energy(world);
    TEST_NEAR(before.angular_momentum.z, 2.0 * s * w * u * u, 1e-12);
    cr_assert(e > 0.01, "%g", e);
    for (int i = 0; i < 20; ++i) {
        reduced_run(world, 0.1, 12, 50);
        double c[TN_AFFINE_FREEDOMS];
        tn_reduced_get_coordinates(world, id, c, TN_AFFINE_FREEDOMS);
        TEST_NEAR(sqrt(c[3] * c[3] + c[6] * c[6]), u, 0.02 * e);
        TEST_NEAR(c[11], p, 0.02 * e);
    }
    tn_energy after = tn_world_get_energy(world);
    TEST_NEAR(after.angular_momentum.z, before.angular_momentum.z, 1e-11);
    TEST_NEAR(after.kinetic + after.elastic, before.kinetic + before.elastic,
              1e-4 * before.kinetic);
}

LONG_TEST(affine, wild_motion_keeps_momentum_and_energy) {
    const double a[9] = {1.3, 0.2, 0, -0.1, 0.8, 0.3, 0, 0.1, 1.1};
    const double rate[9] = {3, -8, 2, 9, 1, -5, 0, 4, -2};
    tn_reduced_id id = make_cube(0.0);
    affine_set(world, id, a, rate);
    tn_energy before = tn_world_get_energy(world);
    double whole = before.kinetic + before.elastic, most = 0.0;
    for (int i = 0; i < 100; ++i) {
        reduced_run(world, 0.1, 20, 50);
        tn_energy now = tn_world_get_energy(world);
        most = fmax(most, fabs(now.kinetic + now.elastic - whole));
        TEST_NEAR(now.angular_momentum.x, before.angular_momentum.x, 1e-10);
        TEST_NEAR(now.angular_momentum.y, before.angular_momentum.y, 1e-10);
        TEST_NEAR(now.angular_momentum.z, before.angular_momentum.z, 1e-10);
    }
    cr_assert(most < 1e-3 * whole, "%g of %g", most, whole);
}

// ---- statics ------------------------------------------------------------------------------------

// Hanging by its top a rod bears m g at the top and nothing below: half of that on the whole.
Test(affine, hanging_rod_stretches_and_thins) {
    tn_world *own = make_world(true);
    tn_body_id body = affine_box_make(own, 1.0, 0.1, 1.0, 0.1);
    tn_reduced_id id = affine_make(own, body, 1e5, 0.3, 0.02, TN_AFFINE_KEPT_NOTHING);
    tn_joint_id joint = affine_hang(own, ground, body, 0.0, 0.5, 0.0);
    reduced_run(own, 3.0, 360, 8);
    double strain = 0.5 * REDUCED_GRAVITY / (0.01 * 1e5);
    TEST_NEAR(reduced_coordinate(own, id, 7) - 1.0, strain, 1e-3 * strain);
    TEST_NEAR(reduced_coordinate(own, id, 3) - 1.0, -0.3 * strain, 1e-3 * strain);
    TEST_NEAR(reduced_coordinate(own, id, 11) - 1.0, -0.3 * strain, 1e-3 * strain);
    TEST_NEAR(fabs(tn_joint_get_reaction(own, joint).force.y), REDUCED_GRAVITY, 1e-3);
    cr_assert(tn_joint_get_error(own, joint).linear_length < 1e-5);
    tn_vec3 top = tn_affine_get_point(own, id, (tn_vec3){0.0, 0.5, 0.0});
    TEST_NEAR(top.y, 0.5, 1e-5);
    TEST_NEAR(top.y - reduced_coordinate(own, id, 1), 0.5 + 0.5 * strain, 1e-3 * strain);
    test_world_destroy_quiet(own, &reports);
}

// A weight on the rod's end adds all of its own.
Test(affine, rod_is_stretched_by_what_hangs_on_it) {
    tn_world *own = make_world(true);
    tn_body_id body = affine_box_make(own, 1.0, 0.1, 1.0, 0.1);
    tn_body_id bob = reduced_body_make(own, 4.0, 0.1);
    tn_body_set_pose(own, bob, (tn_pose){{0.0, -0.5, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_reduced_id id = affine_make(own, body, 1e5, 0.3, 0.02, TN_AFFINE_KEPT_NOTHING);
    affine_hang(own, ground, body, 0.0, 0.5, 0.0);
    affine_hang(own, body, bob, 0.0, -0.5, 0.0);
    reduced_run(own, 3.0, 360, 8);
    double strain = 4.5 * REDUCED_GRAVITY / (0.01 * 1e5);
    TEST_NEAR(reduced_coordinate(own, id, 7) - 1.0, strain, 1e-3 * strain);
    TEST_NEAR(reduced_coordinate(own, id, 3) - 1.0, -0.3 * strain, 1e-3 * strain);
    // Both joints together give way by less than a tenth of a millimetre.
    TEST_NEAR(tn_body_get_pose(own, bob).position.y, -0.5 - strain, 1e-4);
    test_world_destroy_quiet(own, &reports);
}

// ---- joints -------------------------------------------------------------------------------------

// Whatever the body does, its point stays on the joint; where rows took another point or its wrong
// acceleration, the gap would be of first order in the step.
Test(affine, joint_holds_a_point_of_the_material) {
    tn_world *own = make_world(true);
    tn_body_id body = affine_box_make(own, 1.0, 0.4, 0.6, 0.3);
    tn_reduced_id id = affine_make(own, body, 3e3, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    const double a[9] = {1.2, 0.2, 0, -0.1, 0.8, 0.1, 0, 0.1, 1.1};
    affine_set(own, id, a, NULL);
    tn_vec3 corner = {0.2, 0.3, 0.15}, held = tn_affine_get_point(own, id, corner);
    tn_joint_id joint = affine_hang(own, ground, body, held.x, held.y, held.z);
    double most = 0.0, whole = reduced_energy(own), change = 0.0;
    for (int i = 0; i < 200; ++i) {
        reduced_run(own, 0.01, 1, 60);
        tn_vec3 now = tn_affine_get_point(own, id, corner);
        most = fmax(most, hypot(hypot(now.x - held.x, now.y - held.y), now.z - held.z));
        change = fmax(change, fabs(reduced_energy(own) - whole));
    }
    TEST_NEAR(tn_joint_get_error(own, joint).linear_length, 0.0, 1e-4);
    cr_assert(most < 1e-4, "%g", most);
    cr_assert(change < 2e-2, "%g of %g", change, whole);
    test_world_destroy_quiet(own, &reports);
}

Test(affine, two_joined_bodies_keep_their_momentum) {
    tn_body_id a = affine_box_make(world, 1.0, 0.4, 0.6, 0.3);
    tn_reduced_id first = affine_make(world, a, 3e3, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    tn_body_id b = affine_box_make(world, 2.0, 0.4, 0.6, 0.3);
    tn_body_set_pose(world, b, (tn_pose){{0.0, -0.6, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    affine_make(world, b, 3e3, 0.3, 0.0, TN_AFFINE_KEPT_VOLUME);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, (tn_vec3){0.0, -0.3, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    tn_joint_id joint = tn_hinge_joint_create(world, &def);
    double speeds[TN_AFFINE_FREEDOMS] = {1, 0, 0.5, 1, -3, 0, 4, 0.5, 0, 0, 0, -1};
    tn_reduced_set_speeds(world, first, speeds, TN_AFFINE_FREEDOMS);
    tn_energy before = tn_world_get_energy(world);
    reduced_run(world, 2.0, 200, 8);
    tn_energy after = tn_world_get_energy(world);
    TEST_NEAR(after.linear_momentum.x, before.linear_momentum.x, 1e-4);
    TEST_NEAR(after.linear_momentum.z, before.linear_momentum.z, 1e-4);
    TEST_NEAR(after.angular_momentum.z, before.angular_momentum.z, 5e-3);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-3);
}

// ---- limits of the stiffness --------------------------------------------------------------------

static tn_pose swing(double modulus) {
    tn_world *own = make_world(true);
    tn_body_id body = affine_box_make(own, 1.0, 0.2, 0.6, 0.3);
    if (modulus > 0.0) {
        affine_make(own, body, modulus, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    }
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(own, &def.base, ground, body, (tn_vec3){0.1, 0.3, 0.0},
                                      (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(own, &def).value != 0);
    reduced_run(own, 1.0, 60, 40);
    tn_pose pose = tn_body_get_pose(own, body);
    test_world_destroy_quiet(own, &reports);
    return pose;
}

Test(affine, stiff_body_swings_as_a_rigid_one) {
    tn_pose rigid = swing(0.0);
    const double moduli[] = {1e9, 1e12, 1e18};
    for (int i = 0; i < 3; ++i) {
        tn_pose stiff = swing(moduli[i]);
        TEST_NEAR(stiff.position.x, rigid.position.x, 2e-4);
        TEST_NEAR(stiff.position.y, rigid.position.y, 2e-4);
        TEST_NEAR(stiff.rotation.z, rigid.rotation.z, 1e-3);
    }
}

Test(affine, volume_is_kept_to_round_off) {
    tn_world *own = make_world(true);
    const double moduli[] = {0.0, 1e3, 1e9};
    tn_reduced_id ids[3];
    for (int i = 0; i < 3; ++i) {
        tn_body_id body = affine_box_make(own, 1.0, 0.4, 0.6, 0.3);
        ids[i] = affine_make(own, body, moduli[i], 0.3, 0.0, TN_AFFINE_KEPT_VOLUME);
        const double rate[9] = {3, -4, 2, 5, 1, -2, 0, 2, -2};
        const double a[9] = {1.3, 0.2, 0, -0.1, 0.8, 0.3, 0, 0.1, 1.1};
        affine_set(own, ids[i], a, rate);
        TEST_NEAR(affine_determinant(own, ids[i]), 1.0, 1e-13);
        if (moduli[i] > 0.0) {
            tn_vec3 p = tn_affine_get_point(own, ids[i], (tn_vec3){0.1, 0.3, 0.0});
            affine_hang(own, ground, body, p.x, p.y, p.z);
        }
    }
    for (int i = 0; i < 100; ++i) {
        reduced_run(own, 0.01, 1, 10);
        for (int k = 0; k < 3; ++k) {
            TEST_NEAR(affine_determinant(own, ids[k]), 1.0, 1e-11);
        }
    }
    test_world_destroy_quiet(own, &reports);
}

// ---- inside out ---------------------------------------------------------------------------------

Test(affine, body_that_is_inside_out_or_crushed_goes_on) {
    const double places[][9] = {{1, 0, 0, 0, 1, 0, 0, 0, -0.3},
                                {1, 0, 0, 0, 1, 0, 0, 0, -1},
                                {0, 0, 0, 0, 0, 0, 0, 0, 0},
                                {1, 0, 0, 0, 0, 0, 0, 0, 0}};
    for (int i = 0; i < 4; ++i) {
        tn_reduced_id id = make_cube(1e-3);
        affine_set(world, id, places[i], NULL);
        reduced_run(world, 1.0, 60, 8);
        for (uint32_t k = 0; k < TN_AFFINE_FREEDOMS; ++k) {
            cr_assert(fabs(reduced_coordinate(world, id, k)) < 10.0);
        }
    }
    // The first, which is nearest to its rest, came back.
    tn_reduced_id id = make_cube(1e-2);
    affine_set(world, id, places[0], NULL);
    reduced_run(world, 2.0, 120, 8);
    TEST_NEAR(affine_determinant(world, id), 1.0, 1e-3);
}

Test(affine, what_is_set_free_goes_on_as_a_rigid_body) {
    tn_reduced_id id = make_cube(0.0);
    const double a[9] = {1.1, 0, 0, 0, 1, 0, 0, 0, 1}, rate[9] = {0, -2.2, 0, 2.2, 0, 0, 0, 0, 0};
    affine_set(world, id, a, rate);
    tn_body_id body;
    cr_assert(tn_reduced_get_bodies(world, id, &body, 1) == 1);
    double spin = tn_body_get_velocity(world, body).angular.z;
    cr_assert(spin > 1.9 && spin < 2.3, "%g", spin);
    tn_reduced_destroy(world, id);
    cr_assert(!tn_affine_is_valid(world, id));
    reduced_run(world, 0.5, 30, 2);
    TEST_NEAR(tn_body_get_velocity(world, body).angular.z, spin, 1e-6);
}
