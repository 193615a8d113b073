// Mechanisms that are built wrong or stand badly: joints that say the same, that contradict each
// other, that lie on each other, masses a million apart, bodies that hardly resist a turn, poses
// without a direction to go. Nothing explodes, and the world says whose fault it is.
#include "tests/world/world_test.h"

static tn_world *world;

static void setup(void) {
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    def.is_sleep_allowed = false;
    world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
}

static void teardown(void) {
    tn_world_destroy(world);
}

TestSuite(mechanism_faults, .init = setup, .fini = teardown);

// A rod of 1 m along x with its middle at x, y.
static tn_body_id make_rod(double x, double y, double mass, double thin) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_DYNAMIC;
    def.pose.position = (tn_vec3){x, y, 0.0};
    tn_body_id body = tn_body_create(world, &def);
    tn_mass given = {.mass = mass};
    given.inertia.xx = thin * mass;
    given.inertia.yy = given.inertia.zz = mass / 12.0;
    tn_body_set_mass(world, body, given);
    return body;
}

// Between a point of a's frame and one of b's.
static tn_joint_id make_ball(tn_body_id a, tn_vec3 of_a, tn_body_id b, tn_vec3 of_b) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a.position = of_a;
    def.base.frame_b.position = of_b;
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

static tn_vec3 at(double x, double y) {
    return (tn_vec3){x, y, 0.0};
}

static const tn_body_id ground;

static tn_mechanism_info get_info(void) {
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    return info;
}

static void assert_calm(const char *name, double most_energy) {
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(isfinite(energy.kinetic) && energy.kinetic < most_energy, "%s: %g J", name,
              energy.kinetic);
}

// ---- contradictions ----------------------------------------------------------------------------

Test(mechanism_faults, joints_that_fight_settle_at_the_least_squares_and_are_named) {
    // A rod of 1 m between points 1.01 m apart: half of what is missing at either end. A pendulum
    // hangs on it that has no part in this.
    tn_body_id rod = make_rod(0.0, 0.0, 2.0, 0.01), bob = make_rod(0.5, 0.0, 1.0, 0.01);
    tn_joint_id left = make_ball(ground, at(-0.505, 0.0), rod, at(-0.5, 0.0));
    tn_joint_id right = make_ball(ground, at(0.505, 0.0), rod, at(0.5, 0.0));
    tn_joint_id hanging = make_ball(rod, at(0.0, 0.0), bob, at(-0.5, 0.0));
    for (int i = 0; i < 120; ++i) {
        test_step(world, 1);
        const tn_joint_id fighting[2] = {left, right};
        for (int k = 0; k < 2; ++k) {
            tn_joint_error error = tn_joint_get_error(world, fighting[k]);
            cr_assert(fabs(error.linear.x - (k == 0 ? 0.005 : -0.005)) < 1e-6, "step %d: %g", i,
                      error.linear.x);
            cr_assert(fabs(error.linear.y) < 1e-6 && fabs(error.linear.z) < 1e-6);
            tn_joint_redundancy redundancy = tn_joint_get_redundancy(world, fighting[k]);
            cr_assert(redundancy.fights && fabs(redundancy.linear - 0.005) < 1e-6);
        }
        cr_assert(!tn_joint_get_redundancy(world, hanging).fights);
        cr_assert(tn_joint_get_error(world, hanging).linear_length < 1e-9);
        tn_mechanism_info info = get_info();
        cr_assert(info.fighting_joints == 2 && info.failures == 0, "step %d", i);
        cr_assert(info.fighting_joint.value == left.value ||
                  info.fighting_joint.value == right.value);
    }
    // The rod is held, the bob has swung: no more than its fall gave it.
    assert_calm("rod", 1.0 * 9.81 * 0.5 + 0.01);
    // Let go at one end, the other closes, and nobody fights any more.
    tn_joint_destroy(world, right);
    test_step(world, 1);
    cr_assert(tn_joint_get_error(world, left).linear_length < 1e-9);
    cr_assert(get_info().fighting_joints == 0 && get_info().fighting_joint.value == 0);
    cr_assert(!tn_joint_get_redundancy(world, left).fights);
}

Test(mechanism_faults, a_heavy_and_a_light_body_share_a_contradiction_by_their_masses) {
    // Two joints between the same two free bodies want distances 2 mm apart: each gives half.
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    tn_body_id a = make_rod(0.0, 0.0, 1.0, 0.01), b = make_rod(1.0, 0.0, 1e6, 0.01);
    make_ball(a, at(0.5, 0.0), b, at(-0.5, 0.0));
    make_ball(a, at(0.502, 0.0), b, at(-0.5, 0.0));
    test_step(world, 30);
    // The light one moved by 1 mm, the heavy one by a millionth of that.
    cr_assert(fabs(tn_body_get_pose(world, a).position.x + 0.001) < 1e-6);
    cr_assert(fabs(tn_body_get_pose(world, b).position.x - 1.0) < 1e-8);
    cr_assert(get_info().fighting_joints == 2);
    assert_calm("two joints", 1e-9);
}

// ---- redundancy --------------------------------------------------------------------------------

Test(mechanism_faults, joints_that_say_the_same_are_named) {
    // A door on three balls in a line: the second takes two rows of nine, the third all three.
    tn_body_id door = make_rod(0.0, 0.0, 5.0, 0.05);
    tn_joint_id joints[3];
    for (int k = 0; k < 3; ++k) {
        joints[k] = make_ball(ground, at(-0.5, 0.3 * k), door, at(-0.5, 0.3 * k));
    }
    tn_body_set_velocity(world, door, (tn_velocity){.angular = {0.0, 1.0, 0.0}});
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        uint32_t dependent = 0;
        for (int k = 0; k < 3; ++k) {
            dependent += tn_joint_get_redundancy(world, joints[k]).dependent_rows;
            cr_assert(tn_joint_get_error(world, joints[k]).linear_length < 1e-9);
        }
        tn_mechanism_info info = get_info();
        cr_assert(dependent == 4 && info.dependent_rows == 4, "step %d: %u", i, dependent);
        cr_assert(info.fighting_joints == 0);
    }
    // Without two of them nothing is said twice. What Gauss-Seidel has is not looked at.
    tn_joint_destroy(world, joints[1]);
    tn_joint_destroy(world, joints[2]);
    test_step(world, 1);
    cr_assert(tn_joint_get_redundancy(world, joints[0]).dependent_rows == 0);
    joints[1] = make_ball(ground, at(-0.5, 0.0), door, at(-0.5, 0.0));
    test_step(world, 1);
    cr_assert(tn_joint_get_redundancy(world, joints[0]).dependent_rows +
                  tn_joint_get_redundancy(world, joints[1]).dependent_rows ==
              3);
    tn_world_set_solver(world, TN_SOLVER_PGS);
    test_step(world, 1);
    cr_assert(tn_joint_get_redundancy(world, joints[1]).dependent_rows == 0);
}

Test(mechanism_faults, redundancy_is_asked_of_joints_that_are_there) {
    test_reports reports;
    teardown();
    world = test_world_create(&reports);
    TEST_REPORTS(&reports, tn_joint_get_redundancy(world, (tn_joint_id){0}), TN_RESULT_INVALID_ID);
    tn_joint_redundancy none = tn_joint_get_redundancy(world, (tn_joint_id){12345});
    cr_assert(none.dependent_rows == 0 && !none.fights && none.linear == 0.0);
}

// ---- degenerate mechanisms ---------------------------------------------------------------------

// Two rods end to end between points as far apart as they are long: the middle can only go across,
// and no row says a word against it at first.
Test(mechanism_faults, a_stretched_loop_holds) {
    tn_body_id a = make_rod(0.5, 0.0, 1.0, 0.01), b = make_rod(1.5, 0.0, 1.0, 0.01);
    tn_joint_id joints[3] = {make_ball(ground, at(0.0, 0.0), a, at(-0.5, 0.0)),
                             make_ball(a, at(0.5, 0.0), b, at(-0.5, 0.0)),
                             make_ball(b, at(0.5, 0.0), ground, at(2.0, 0.0))};
    for (int i = 0; i < 240; ++i) {
        test_step(world, 1);
        assert_calm("stretched", 20.0);
        for (int k = 0; k < 3; ++k) {
            double gap = tn_joint_get_error(world, joints[k]).linear_length;
            cr_assert(gap < 1e-3, "step %d: %g m", i, gap);
        }
    }
}

Test(mechanism_faults, a_million_to_one_swings_closed) {
    const double masses[2][3] = {{1.0, 1e-3, 1e3}, {1e3, 1.0, 1e-3}};
    for (int k = 0; k < 2; ++k) {
        tn_body_id before = ground;
        for (int i = 0; i < 3; ++i) {
            tn_body_id rod = make_rod(0.5 + i, 0.0, masses[k][i], 0.01);
            make_ball(before, at(i == 0 ? 0.0 : 0.5, 0.0), rod, at(-0.5, 0.0));
            before = rod;
        }
        for (int i = 0; i < 300; ++i) {
            test_step(world, 1);
            tn_mechanism_info info = get_info();
            cr_assert(info.failures == 0 && info.worst_joint_linear < 1e-6, "%d, step %d: %g m", k,
                      i, info.worst_joint_linear);
        }
        tn_energy energy = tn_world_get_energy(world);
        cr_assert(energy.kinetic + energy.potential < 1.0, "%g", energy.kinetic + energy.potential);
        teardown();
        setup();
    }
}

// Bodies that hardly resist a turn, about one axis or all.
Test(mechanism_faults, bodies_almost_without_inertia_swing_closed) {
    const double thin[3] = {1e-6, 1e-9, 1e-12};
    for (int k = 0; k < 3; ++k) {
        tn_body_id before = ground;
        for (int i = 0; i < 4; ++i) {
            tn_body_id rod = make_rod(0.5 + i, 0.0, 1.0, thin[k]);
            make_ball(before, at(i == 0 ? 0.0 : 0.5, 0.0), rod, at(-0.5, 0.0));
            before = rod;
        }
        for (int i = 0; i < 300; ++i) {
            test_step(world, 1);
            cr_assert(get_info().worst_joint_linear < 1e-6, "%g, step %d", thin[k], i);
            assert_calm("thin", 200.0);
        }
        teardown();
        setup();
    }
}

Test(mechanism_faults, coincident_joints_and_bodies_hold) {
    // Three bodies in the same place, tied to each other and to the world at the same point.
    tn_body_id bodies[3];
    for (int i = 0; i < 3; ++i) {
        bodies[i] = make_rod(0.5, 0.0, 1.0, 0.01);
        make_ball(ground, at(0.0, 0.0), bodies[i], at(-0.5, 0.0));
        make_ball(ground, at(0.0, 0.0), bodies[i], at(-0.5, 0.0));
    }
    make_ball(bodies[0], at(-0.5, 0.0), bodies[1], at(-0.5, 0.0));
    make_ball(bodies[1], at(-0.5, 0.0), bodies[2], at(-0.5, 0.0));
    // And anchored in their own middles.
    make_ball(bodies[0], at(0.0, 0.0), bodies[2], at(0.0, 0.0));
    for (int i = 0; i < 300; ++i) {
        test_step(world, 1);
        tn_mechanism_info info = get_info();
        cr_assert(info.worst_joint_linear < 1e-9 && info.failures == 0, "step %d: %g", i,
                  info.worst_joint_linear);
        assert_calm("coincident", 3.0 * 9.81 * 0.5 * 1.01);
    }
}

// ---- a large loop ------------------------------------------------------------------------------

Test(mechanism_faults, a_loop_of_a_thousand_links_falls_closed) {
    const int count = 1000;
    const double turn = 2.0 * 3.14159265358979323846 / count, radius = 0.5 / sin(0.5 * turn);
    tn_body_id first = ground, before = ground;
    for (int i = 0; i < count; ++i) {
        // The middle of a chord of 1 m and its direction.
        double angle = turn * (i + 0.5), middle = radius * cos(0.5 * turn);
        tn_body_id rod = make_rod(0.0, 0.0, 1.0, 0.01);
        double along = 0.5 * (angle + 0.5 * 3.14159265358979323846);
        tn_body_set_pose(world, rod,
                         (tn_pose){.position = {middle * cos(angle), middle * sin(angle), 0.0},
                                   .rotation = {0.0, 0.0, sin(along), cos(along)}});
        if (i == 0) {
            first = rod;
            make_ball(ground, at(middle * cos(angle), middle * sin(angle)), rod, at(0.0, 0.0));
        } else {
            make_ball(before, at(0.5, 0.0), rod, at(-0.5, 0.0));
        }
        before = rod;
    }
    make_ball(before, at(0.5, 0.0), first, at(-0.5, 0.0));
    double start = tn_world_get_energy(world).potential;
    for (int i = 0; i < 60; ++i) {
        test_step(world, 1);
        tn_mechanism_info info = get_info();
        cr_assert(info.joints == 1001 && info.worst_joint_linear < 1e-9 && info.failures == 0,
                  "step %d: %g m", i, info.worst_joint_linear);
        // Twice the doubles of a chain, two blocks a link, and not of the loop's square.
        cr_assert(info.fill < 30 * 1001, "%u", info.fill);
    }
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(fabs(energy.kinetic + energy.potential - start) < 1e-6 * energy.kinetic);
}
