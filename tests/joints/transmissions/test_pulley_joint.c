// Pulleys against closed forms: Atwood's machine, block and tackle, a rope that goes slack, a side
// that swings, limits, and bodies at the wheel's own point.
#include "transmission_world.h"

static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};

typedef struct pulley_pair {
    tn_world *world;
    tn_body_id a, b;
    tn_joint_id joint;
} pulley_pair;

// 3 kg at the left, `mass` at the right, both 3 m below their wheels.
static pulley_pair make_pair(tn_solver solver, double mass, double ratio, bool is_rigid) {
    tn_world_def def = tn_world_def_default();
    def.gravity = gravity;
    def.is_sleep_allowed = false;
    def.solver = solver;
    pulley_pair pair = {.world = tn_world_create(&def, NULL)};
    pair.a = body_make(pair.world, -1, -3, 0, 3.0, 0.012);
    pair.b = body_make(pair.world, 1, -3, 0, mass, 0.008);
    tn_pulley_joint_def pulley = tn_pulley_joint_def_default();
    pulley.base.body_a = pair.a;
    pulley.base.body_b = pair.b;
    pulley.ground_a = (tn_vec3){-1.0, 0.0, 0.0};
    pulley.ground_b = (tn_vec3){1.0, 0.0, 0.0};
    pulley.ratio = ratio;
    pulley.length = 3.0 + 3.0 * ratio;
    pulley.is_rigid = is_rigid;
    pair.joint = tn_pulley_joint_create(pair.world, &pulley);
    cr_assert(pair.joint.value != 0);
    return pair;
}

// a down by x, b up by x / i: (m_a + m_b / i^2) x'' = (m_a - m_b / i) g, the tension m_a (g - x'').
Test(pulley_joint, moves_two_masses_by_its_ratio) {
    for (int s = 0; s < 4; ++s) {
        for (int k = 0; k < 4; ++k) {
            double mass = k % 2 == 0 ? 2.0 : 5.0, ratio = k % 2 == 0 ? 1.0 : 2.0;
            double acceleration = (3.0 - mass / ratio) * 9.81 / (3.0 + mass / (ratio * ratio));
            // Conjugate gradients end before the last digits.
            double share = solvers[s] == TN_SOLVER_CG ? 1e-2 : 1e-4;
            pulley_pair pair = make_pair(solvers[s], mass, ratio, k < 2);
            run(pair.world, 1.0, 60.0, 4);
            double side_a = tn_pulley_joint_get_length_a(pair.world, pair.joint);
            double side_b = tn_pulley_joint_get_length_b(pair.world, pair.joint);
            cr_expect_float_eq(side_a, 3.0 + 0.5 * acceleration, 1e-3, "%d %d: %g", s, k, side_a);
            cr_expect_float_eq(side_b, 3.0 - 0.5 * acceleration / ratio, 1e-3, "%d %d", s, k);
            cr_expect_float_eq(tn_pulley_joint_get_length(pair.world, pair.joint),
                               3.0 + 3.0 * ratio, 5e-4);
            cr_expect_float_eq(tn_pulley_joint_get_rate(pair.world, pair.joint), 0.0, 3.0 * share);
            double pull_wanted = ratio * 3.0 * (9.81 - acceleration);
            double pull = tn_joint_get_reaction(pair.world, pair.joint).force.y;
            cr_expect_float_eq(pull, pull_wanted, share * pull_wanted, "%d %d: %g", s, k, pull);
            tn_world_destroy(pair.world);
        }
    }
}

// The right one is thrown up and falls freely while the rope is slack: the left one does, too, and
// the rope holds no longer than it is.
Test(pulley_joint, goes_slack_as_a_rope_and_not_as_a_rod) {
    for (int s = 0; s < 2; ++s) {
        pulley_pair pair = make_pair(solvers[s], 3.0, 1.0, false);
        tn_body_set_linear_velocity(pair.world, pair.b, (tn_vec3){0.0, 4.0, 0.0});
        run(pair.world, 0.2, 240.0, 4);
        double side_b = tn_pulley_joint_get_length_b(pair.world, pair.joint);
        cr_expect_float_eq(side_b, 3.0 - 4.0 * 0.2 + 0.5 * 9.81 * 0.04, 1e-3, "%d: %g", s, side_b);
        cr_expect_float_eq(tn_pulley_joint_get_length_a(pair.world, pair.joint),
                           3.0 + 0.5 * 9.81 * 0.04, 1e-3);
        cr_expect_eq(tn_joint_get_error(pair.world, pair.joint).linear_length, 0.0);
        run(pair.world, 2.0, 240.0, 4);
        cr_expect(tn_pulley_joint_get_length(pair.world, pair.joint) < 6.0 + 1e-3, "%d", s);
        tn_world_destroy(pair.world);
    }
}

// An Atwood's machine whose one mass swings keeps its energy.
Test(pulley_joint, keeps_the_energy_of_a_side_that_swings) {
    pulley_pair pair = make_pair(TN_SOLVER_DIRECT, 3.5, 1.0, true);
    tn_body_set_linear_velocity(pair.world, pair.a, (tn_vec3){2.5, 0.0, 1.0});
    run(pair.world, 0.05, 240.0, 4);
    tn_energy before = tn_world_get_energy(pair.world);
    double most = 0.0;
    for (int i = 0; i < 960; ++i) {
        tn_world_step(pair.world, 1.0 / 240.0, 4);
        tn_energy now = tn_world_get_energy(pair.world);
        double change = now.kinetic + now.potential - before.kinetic - before.potential;
        most = fmax(most, fabs(change));
    }
    cr_assert(most < 1e-3 * before.kinetic, "%g of %g", most, before.kinetic);
    cr_assert(fabs(tn_pulley_joint_get_length(pair.world, pair.joint) - 6.0) < 1e-9);
    tn_world_destroy(pair.world);
}

// The light one is drawn up to a metre below its wheel and no farther, the heavy one hangs then.
Test(pulley_joint, stops_at_the_limits_of_its_sides) {
    for (int s = 0; s < 2; ++s) {
        for (int k = 0; k < 2; ++k) {
            pulley_pair pair = make_pair(solvers[s], 1.0, 1.0, true);
            tn_limit none = {.is_enabled = false};
            tn_limit limit = {.is_enabled = true, .lower = 1.0f, .upper = 5.0f};
            tn_pulley_joint_set_limits(pair.world, pair.joint, k == 0 ? none : limit,
                                       k == 0 ? limit : none);
            run(pair.world, 4.0, 60.0, 4);
            cr_expect_float_eq(tn_pulley_joint_get_length_a(pair.world, pair.joint), 5.0, 2e-3,
                               "%d %d", s, k);
            cr_expect_float_eq(tn_pulley_joint_get_length_b(pair.world, pair.joint), 1.0, 2e-3,
                               "%d %d", s, k);
            cr_expect(fabs(spin_of(pair.world, pair.a).z) < 1e-6);
            tn_world_destroy(pair.world);
        }
    }
}

Test(pulley_joint, moves_nothing_when_its_ratio_changes) {
    pulley_pair pair = make_pair(TN_SOLVER_DIRECT, 3.0, 1.0, true);
    tn_pulley_joint_set_ratio(pair.world, pair.joint, 2.0);
    cr_assert(tn_joint_get_error(pair.world, pair.joint).linear_length < 1e-12);
    cr_assert_eq(tn_pulley_joint_get_def(pair.world, pair.joint).length, 9.0);
    tn_pulley_joint_set_length(pair.world, pair.joint, 9.5);
    tn_pulley_joint_set_rigid(pair.world, pair.joint, false);
    cr_assert_eq(tn_joint_get_error(pair.world, pair.joint).linear_length, 0.0);
    tn_world_destroy(pair.world);
}

// There the rope has no direction of its own.
Test(pulley_joint, survives_a_body_at_the_point_of_its_wheel) {
    for (int s = 0; s < 4; ++s) {
        for (int k = 0; k < 2; ++k) {
            pulley_pair pair = make_pair(solvers[s], 3.0, 1.0, k == 0);
            tn_pose pose = tn_body_get_pose(pair.world, pair.a);
            pose.position = (tn_vec3){-1.0, 0.0, 0.0};
            tn_body_set_pose(pair.world, pair.a, pose);
            cr_assert_eq(tn_pulley_joint_get_length_a(pair.world, pair.joint), 0.0);
            run(pair.world, 1.0, 60.0, 4);
            tn_vec3 at = tn_body_get_center(pair.world, pair.a);
            cr_expect(isfinite(at.x) && isfinite(at.y) && isfinite(at.z));
            cr_expect(fabs(at.x) + fabs(at.y) + fabs(at.z) < 20.0, "%d %d: %g %g %g", s, k, at.x,
                      at.y, at.z);
            tn_world_destroy(pair.world);
        }
    }
}

// A second pulley over the same wheels, whose rope is as long as `length` and has a ratio of its
// own.
static tn_joint_id add_pulley(const pulley_pair *pair, double length, double ratio) {
    tn_pulley_joint_def def = tn_pulley_joint_get_def(pair->world, pair->joint);
    def.length = length;
    def.ratio = ratio;
    return tn_pulley_joint_create(pair->world, &def);
}

Test(pulley_joint, two_that_cannot_both_be_met_share_the_error) {
    for (int s = 0; s < 4; ++s) {
        pulley_pair pair = make_pair(solvers[s], 3.0, 1.0, true);
        tn_joint_id other = add_pulley(&pair, 5.0, 1.0);
        run(pair.world, 5.0, 60.0, 4);
        double first = tn_joint_get_error(pair.world, pair.joint).linear_length;
        double second = tn_joint_get_error(pair.world, other).linear_length;
        cr_expect_float_eq(first, 0.5, 0.02, "%d: %g", s, first);
        cr_expect_float_eq(second, 0.5, 0.02, "%d: %g", s, second);
        cr_expect(tn_joint_get_redundancy(pair.world, pair.joint).fights, "%d", s);
        cr_expect_lt(tn_body_get_velocity(pair.world, pair.b).linear.y, 1e-3, "%d", s);
        tn_world_destroy(pair.world);
    }
}

// Both can only be met with b in its wheel, from where no way leads on. The exact solver tries for
// a while, and then again once a second.
Test(pulley_joint, two_that_leave_no_way_on_stand_still_and_cost_little) {
    static const tn_solver exact[] = {TN_SOLVER_AUTO, TN_SOLVER_DIRECT};
    for (int s = 0; s < 2; ++s) {
        pulley_pair pair = make_pair(exact[s], 3.0, 1.0, true);
        tn_joint_id other = add_pulley(&pair, 6.0, 2.0);
        uint32_t failures = 0;
        double worst = 0.0;
        for (int i = 0; i < 600; ++i) {
            tn_world_step(pair.world, 1.0 / 60.0, 4);
            tn_mechanism_info info = {.failures = 0};
            tn_world_get_mechanisms(pair.world, &info, 1);
            failures += info.failures;
            worst = fmax(worst, i < 60 ? 0.0 : tn_joint_get_error(pair.world, other).linear_length);
        }
        cr_expect_lt(failures, 4000u, "%d: %u stages failed", s, failures);
        cr_expect_lt(worst, 0.02, "%d: %g m", s, worst);
        tn_world_destroy(pair.world);
    }
}
