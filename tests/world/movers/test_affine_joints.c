// Joints on affine bodies: the ledger, loads, what is kept under them, workers.
#include "affine_world.h"
#include "tests/support/long_test.h"

static test_reports reports;
static const tn_body_id ground = {0};

TestSuite(affine_joints, .timeout = 60);

static tn_world *make_world(uint32_t workers, bool is_baseline_only) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.has_energy_ledger = true;
    def.worker_count = workers;
    def.is_baseline_only = is_baseline_only;
    return test_def_world_create(def, &reports);
}

static void tie(tn_world *world, tn_body_id a, tn_body_id b, tn_vec3 at) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    cr_assert(tn_joint_def_set_frames(world, &def.base, a, b, at, (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
}

// Boxes in a row along x, from the origin, each on a hinge; they swing down and stretch.
static void make_chain(tn_world *world, int count, double z, double viscosity,
                       tn_affine_kept last) {
    tn_body_id before = ground;
    for (int i = 0; i < count; ++i) {
        tn_body_id box = affine_box_make(world, 1.0, 0.5, 0.3, 0.3);
        tn_pose pose = {{0.5 * i + 0.25, 0.0, z}, {0.0, 0.0, 0.0, 1.0}};
        tn_body_set_pose(world, box, pose);
        affine_make(world, box, 3e3, 0.3, viscosity,
                    i + 1 == count ? last : TN_AFFINE_KEPT_NOTHING);
        tie(world, before, box, (tn_vec3){0.5 * i, 0.0, z});
        before = box;
    }
}

static double sum_works(const tn_energy *energy) {
    return energy->gravity_work + energy->force_work + energy->motor_work + energy->spring_work +
           energy->joint_work + energy->friction_work + energy->impact_work + energy->damping_work;
}

// What the stiffness in the mass of an impulse takes is far more than what springs store: without
// it spring_work is some 300 J, of 10 in the strains.
Test(affine_joints, ledger_is_whole) {
    const tn_affine_kept kept[] = {TN_AFFINE_KEPT_NOTHING, TN_AFFINE_KEPT_VOLUME,
                                   TN_AFFINE_KEPT_AREA};
    for (int k = 0; k < 3; ++k) {
        tn_world *world = make_world(1, false);
        make_chain(world, 4, 0.0, 0.0, kept[k]);
        double most = 0.0;
        for (int i = 0; i < 120; ++i) {
            reduced_run(world, 1.0 / 60.0, 1, 8);
            tn_energy now = tn_world_get_energy(world);
            most = fmax(most, now.elastic);
            TEST_NEAR(now.kinetic, sum_works(&now), 1e-3 * fmax(1.0, now.kinetic));
            TEST_NEAR(now.spring_work, -now.elastic, 0.03 * fmax(1.0, most));
            TEST_NEAR(now.damping_work, 0.0, 0.0);
        }
        cr_assert(most > 5.0, "%g", most);
        test_world_destroy_quiet(world, &reports);
    }
}

Test(affine_joints, ledger_has_what_viscosity_took) {
    tn_world *world = make_world(1, false);
    make_chain(world, 3, 0.0, 0.02, TN_AFFINE_KEPT_VOLUME);
    double whole = reduced_energy(world);
    reduced_run(world, 3.0, 180, 16);
    tn_energy now = tn_world_get_energy(world);
    TEST_NEAR(now.kinetic, sum_works(&now), 1e-3 * fmax(1.0, now.kinetic));
    TEST_NEAR(now.spring_work, -now.elastic, 0.02 * fabs(now.damping_work));
    TEST_NEAR(now.damping_work, reduced_energy(world) - whole, 0.02 * fabs(now.damping_work));
    cr_assert(now.damping_work < -5.0, "%g", now.damping_work);
    test_world_destroy_quiet(world, &reports);
}

// A rod of its own weight strains by m g / (2 k section): k is E of a free one, 3 mu where the
// volume stays, 4 mu where the section along it does.
static double hang_rod(tn_affine_kept kept, double *out_across) {
    tn_world *world = make_world(1, false);
    tn_body_id body = affine_box_make(world, 1.0, 0.1, 1.0, 0.1);
    tn_reduced_id id = affine_make(world, body, 1e5, 0.3, 0.02, kept);
    affine_hang(world, ground, body, 0.0, 0.5, 0.0);
    reduced_run(world, 3.0, 360, 8);
    double strain = reduced_coordinate(world, id, 7) - 1.0;
    out_across[0] = (reduced_coordinate(world, id, 3) - 1.0) / strain;
    out_across[1] = (reduced_coordinate(world, id, 11) - 1.0) / strain;
    test_world_destroy_quiet(world, &reports);
    return strain;
}

Test(affine_joints, what_is_kept_is_kept_under_load) {
    double across[2], load = 0.5 * REDUCED_GRAVITY / 0.01, mu = 1e5 / 2.6;
    double strain = hang_rod(TN_AFFINE_KEPT_VOLUME, across);
    // To first order in a strain of 4e-3.
    TEST_NEAR(strain, load / (3.0 * mu), 0.01 * strain);
    TEST_NEAR(across[0], -0.5, 0.01);
    TEST_NEAR(across[1], -0.5, 0.01);
    strain = hang_rod(TN_AFFINE_KEPT_AREA, across);
    TEST_NEAR(strain, load / (4.0 * mu), 0.01 * strain);
    TEST_NEAR(across[0], -1.0, 0.01);
    TEST_NEAR(across[1], 0.0, 0.01);
}

// On a spring a soft body hangs where a rigid one would, and its own top is where the spring ends.
Test(affine_joints, spring_bears_a_soft_body) {
    tn_world *world = make_world(1, false);
    tn_body_id body = affine_box_make(world, 2.0, 0.3, 0.4, 0.3);
    tn_reduced_id id = affine_make(world, body, 1e4, 0.3, 0.02, TN_AFFINE_KEPT_NOTHING);
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = body;
    def.base.frame_a.position = (tn_vec3){0.0, 1.2, 0.0};
    def.base.frame_b.position = (tn_vec3){0.0, 0.2, 0.0};
    def.is_rigid = false;
    def.spring = (tn_spring){
        .mode = TN_SPRING_MODE_STIFFNESS, .rest = 1.0f, .stiffness = 200.0f, .damping = 20.0f};
    cr_assert(tn_distance_joint_create(world, &def).value != 0);
    reduced_run(world, 6.0, 360, 8);
    tn_vec3 top = tn_affine_get_point(world, id, (tn_vec3){0.0, 0.2, 0.0});
    TEST_NEAR(top.y, 0.2 - 2.0 * REDUCED_GRAVITY / 200.0, 1e-4);
    TEST_NEAR(reduced_coordinate(world, id, 7) - 1.0, REDUCED_GRAVITY / (0.09 * 1e4), 1e-4);
    test_world_destroy_quiet(world, &reports);
}

// A force on the body pushes its centre: it falls as m g + F says, unstrained.
Test(affine_joints, applied_force_moves_the_centre) {
    tn_world *world = make_world(1, false);
    tn_body_id body = affine_box_make(world, 2.0, 0.3, 0.4, 0.3);
    tn_reduced_id id = affine_make(world, body, 1e3, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    for (int i = 0; i < 60; ++i) {
        tn_body_apply_force(world, body, (tn_vec3){3.0, 0.0, 0.0});
        reduced_run(world, 1.0 / 60.0, 1, 4);
    }
    TEST_NEAR(reduced_coordinate(world, id, 0), 0.5 * 3.0 / 2.0, 1e-6);
    TEST_NEAR(reduced_coordinate(world, id, 1), -0.5 * REDUCED_GRAVITY, 1e-6);
    TEST_NEAR(tn_affine_get_elastic_energy(world, id), 0.0, 1e-12);
    test_world_destroy_quiet(world, &reports);
}

static uint64_t run_crowd(uint32_t workers, bool is_baseline_only) {
    tn_world *world = make_world(workers, is_baseline_only);
    for (int i = 0; i < 40; ++i) {
        make_chain(world, 4, 2.0 * i, 0.001 * i, (tn_affine_kept)(i % 3));
    }
    test_step(world, 20);
    uint64_t hash = tn_world_get_hash(world);
    test_world_destroy_quiet(world, &reports);
    return hash;
}

LONG_TEST(affine_joints, bits_are_the_same_for_any_number_of_workers) {
    uint64_t hash = run_crowd(1, false);
    cr_assert(run_crowd(4, false) == hash);
    cr_assert(run_crowd(1, true) == hash);
}

Test(affine_joints, bounds_are_those_of_the_deformed_body) {
    tn_world *world = make_world(1, false);
    tn_body_id body = affine_box_make(world, 2.0, 0.2, 0.4, 0.6);
    tn_reduced_id id = affine_make(world, body, 1e3, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    const double a[9] = {1.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.5};
    affine_set(world, id, a, NULL);
    tn_bounds bounds = tn_body_get_bounds(world, body);
    TEST_NEAR(bounds.upper.x, 1.5 * 0.1 + 0.5 * 0.2, 1e-6);
    TEST_NEAR(bounds.upper.y, 0.2, 1e-6);
    TEST_NEAR(bounds.lower.z, -0.5 * 0.3, 1e-6);
    test_world_destroy_quiet(world, &reports);
}
