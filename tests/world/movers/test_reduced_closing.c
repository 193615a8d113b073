// Joints of bodies that coordinates give, solved together: what Gauss-Seidel cannot hold.
#include <stdlib.h>

#include "affine_world.h"
#include "tests/support/long_test.h"

static test_reports reports;
static const tn_body_id ground = {0};

TestSuite(reduced_closing, .timeout = 60);

static tn_world *make_world(tn_solver solver) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    def.solver = solver;
    return test_def_world_create(def, &reports);
}

#define LINKS 12
#define SIDE  0.25 // m

typedef struct chain {
    tn_body_id links[LINKS];
    tn_joint_id joints[LINKS];
    tn_reduced_id last;
} chain;

// Boxes of 1 kg side by side on balls, the last of them `heavy`; the first hangs on the world.
static void make_chain(tn_world *world, chain *it, double heavy) {
    for (int i = 0; i < LINKS; ++i) {
        it->links[i] = affine_box_make(world, i + 1 < LINKS ? 1.0 : heavy, SIDE, 0.1, 0.1);
        tn_pose pose = {{SIDE * (i + 0.5), 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
        tn_body_set_pose(world, it->links[i], pose);
        it->last = affine_make(world, it->links[i], 1e8, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
        it->joints[i] =
            affine_hang(world, i > 0 ? it->links[i - 1] : ground, it->links[i], SIDE * i, 0.0, 0.0);
    }
}

static double get_gap(const tn_world *world, const tn_joint_id *joints, int count) {
    double worst = 0.0;
    for (int i = 0; i < count; ++i) {
        double gap = tn_joint_get_error(world, joints[i]).linear_length;
        worst = gap > worst ? gap : worst;
    }
    return worst;
}

static double swing_chain(tn_solver solver, double heavy, int steps) {
    tn_world *world = make_world(solver);
    chain it;
    double worst = 0.0;
    make_chain(world, &it, heavy);
    for (int i = 0; i < steps; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        double gap = get_gap(world, it.joints, LINKS);
        worst = gap > worst ? gap : worst;
        tn_vec3 end = tn_body_get_pose(world, it.links[0]).position;
        cr_assert(isfinite(end.x + end.y + gap), "step %d", i);
    }
    test_world_destroy_quiet(world, &reports);
    return worst;
}

LONG_TEST(reduced_closing, soft_chain_with_a_heavy_end_stays_whole) {
    const double weights[] = {1.0, 100.0, 1000.0};
    for (int k = 0; k < 3; ++k) {
        double gap = swing_chain(TN_SOLVER_AUTO, weights[k], 180);
        double swept = swing_chain(TN_SOLVER_PGS, weights[k], 180);
        cr_assert(gap < 1e-10, "%g kg: %g m", weights[k], gap);
        cr_assert(swept > 1e-4, "%g kg: %g m", weights[k], swept);
    }
}

// Two hinges between the same bodies say five things twice.
Test(reduced_closing, what_joints_say_twice_is_held_once) {
    tn_world *world = make_world(TN_SOLVER_DIRECT);
    chain it;
    make_chain(world, &it, 10.0);
    tn_joint_id twice[LINKS];
    for (int i = 0; i < LINKS; ++i) {
        twice[i] =
            affine_hang(world, i > 0 ? it.links[i - 1] : ground, it.links[i], SIDE * i, 0.0, 0.0);
    }
    for (int i = 0; i < 120; ++i) {
        tn_world_step(world, 1.0 / 60.0, 4);
        cr_assert(get_gap(world, it.joints, LINKS) < 1e-7);
        cr_assert(get_gap(world, twice, LINKS) < 1e-7);
    }
    test_world_destroy_quiet(world, &reports);
}

// What holds the chain bears all of it, however heavy its end.
Test(reduced_closing, heavy_end_that_hangs_is_borne_by_every_joint) {
    tn_world *world = make_world(TN_SOLVER_AUTO);
    tn_joint_id joints[LINKS];
    tn_body_id before = ground;
    for (int i = 0; i < LINKS; ++i) {
        double mass = i + 1 < LINKS ? 1.0 : 1000.0;
        tn_body_id link = affine_box_make(world, mass, 0.1, SIDE, 0.1);
        tn_body_set_pose(world, link, (tn_pose){{0.0, -SIDE * (i + 0.5), 0.0}, {0, 0, 0, 1.0}});
        affine_make(world, link, 1e9, 0.3, 0.01, TN_AFFINE_KEPT_NOTHING);
        joints[i] = affine_hang(world, before, link, 0.0, -SIDE * i, 0.0);
        before = link;
    }
    test_step(world, 240);
    for (int i = 0; i < LINKS; ++i) {
        double weight = 9.81 * (1000.0 + LINKS - 1 - i);
        double borne = fabs(tn_joint_get_reaction(world, joints[i]).force.y);
        TEST_NEAR(borne, weight, 1e-3 * weight);
    }
    test_world_destroy_quiet(world, &reports);
}

// Nothing from outside: the chain's momentum is what it began with.
Test(reduced_closing, momentum_stays) {
    tn_world *world = make_world(TN_SOLVER_AUTO);
    chain it;
    const double kick[TN_AFFINE_FREEDOMS] = {0.0, 3.0, 1.0};
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
    make_chain(world, &it, 1.0);
    tn_joint_destroy(world, it.joints[0]);
    tn_reduced_set_speeds(world, it.last, kick, TN_AFFINE_FREEDOMS);
    test_step(world, 120);
    double sum[3] = {0.0};
    for (int i = 0; i < LINKS; ++i) {
        tn_velocity v = tn_body_get_velocity(world, it.links[i]);
        sum[0] += v.linear.x;
        sum[1] += v.linear.y;
        sum[2] += v.linear.z;
    }
    TEST_NEAR(sum[0], 0.0, 1e-5);
    TEST_NEAR(sum[1], 3.0, 1e-5);
    TEST_NEAR(sum[2], 1.0, 1e-5);
    cr_assert(get_gap(world, it.joints + 1, LINKS - 1) < 1e-7);
    test_world_destroy_quiet(world, &reports);
}

// ---- rigid bodies on them ----------------------------------------------------------------------

// Rigid links under a soft box, the last of them heavy, from horizontal. Returns the worst gap; the
// soft box goes after half the steps where `ends`.
static double swing_rigid_links(tn_solver solver, int count, int steps, bool ends) {
    tn_world *world = make_world(solver);
    tn_joint_id *joints = malloc((size_t)count * sizeof *joints);
    cr_assert(joints != NULL);
    tn_body_id before = affine_box_make(world, 1.0, SIDE, 0.1, 0.1);
    tn_body_set_pose(world, before, (tn_pose){{0.5 * SIDE, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}});
    tn_reduced_id soft = affine_make(world, before, 1e8, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    affine_hang(world, ground, before, 0.0, 0.0, 0.0);
    for (int i = 0; i < count; ++i) {
        tn_body_id link = affine_box_make(world, i + 1 < count ? 1.0 : 100.0, SIDE, 0.1, 0.1);
        tn_body_set_pose(world, link, (tn_pose){{SIDE * (i + 1.5), 0.0, 0.0}, {0, 0, 0, 1.0}});
        joints[i] = affine_hang(world, before, link, SIDE * (i + 1), 0.0, 0.0);
        before = link;
    }
    double worst = 0.0;
    for (int i = 0; i < steps; ++i) {
        if (ends && i == steps / 2) {
            tn_reduced_destroy(world, soft);
        }
        tn_world_step(world, 1.0 / 60.0, 4);
        double gap = get_gap(world, joints, count);
        worst = gap > worst ? gap : worst;
    }
    free(joints);
    test_world_destroy_quiet(world, &reports);
    return worst;
}

Test(reduced_closing, rigid_links_on_a_soft_body_hold_with_it) {
    double gap = swing_rigid_links(TN_SOLVER_AUTO, 12, 120, false);
    double swept = swing_rigid_links(TN_SOLVER_PGS, 12, 120, false);
    cr_assert(gap < 1e-7, "%g", gap);
    cr_assert(swept > 1e-3, "%g", swept);
}

// A rigid body's moment of momentum about a point.
static void get_moment(const tn_world *world, tn_body_id body, tn_vec3 about, double out[3]) {
    tn_mass mass = tn_body_get_mass(world, body);
    tn_velocity v = tn_body_get_velocity(world, body);
    tn_vec3 p = tn_body_get_center(world, body);
    const double i[3] = {mass.inertia.xx, mass.inertia.yy, mass.inertia.zz};
    const double r[3] = {p.x - about.x, p.y - about.y, p.z - about.z};
    const double u[3] = {v.linear.x, v.linear.y, v.linear.z};
    for (int k = 0; k < 3; ++k) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        out[k] = mass.mass * (r[m] * u[n] - r[n] * u[m]);
    }
    for (int k = 0; k < 3; ++k) {
        tn_vec3 a = tn_body_get_world_vector(world, body, (tn_vec3){k == 0, k == 1, k == 2});
        double spin = i[k] * (a.x * v.angular.x + a.y * v.angular.y + a.z * v.angular.z);
        out[0] += spin * a.x;
        out[1] += spin * a.y;
        out[2] += spin * a.z;
    }
}

// A slab hangs aslant by a point of a soft body that is too heavy to be moved. A blow turns it by
// its moment about the point, whatever its axis: what the joint gives has no moment there.
Test(reduced_closing, a_blow_turns_a_slab_that_hangs_aslant_by_its_moment) {
    const tn_vec3 blows[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; ++k) {
        tn_world *world = make_world(TN_SOLVER_AUTO);
        tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
        tn_body_id hub = affine_box_make(world, 1e7, 1.0, 1.0, 1.0);
        affine_make(world, hub, 1e10, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
        tn_body_id slab = affine_box_make(world, 1.0, 0.9, 0.1, 0.4);
        tn_pose pose = {{0.8, 0.6, 0.4}, {0.3, 0.5, -0.1, sqrt(1.0 - 0.35)}};
        tn_body_set_pose(world, slab, pose);
        tn_vec3 point = {0.5, 0.5, 0.5};
        tn_joint_id joint = affine_hang(world, hub, slab, point.x, point.y, point.z);
        tn_body_apply_impulse(world, slab, blows[k]);
        cr_assert(tn_world_step(world, 1e-3, 1) == TN_RESULT_OK);
        const double p[3] = {blows[k].x, blows[k].y, blows[k].z};
        const double r[3] = {0.3, 0.1, -0.1};
        double moment[3];
        get_moment(world, slab, point, moment);
        for (int c = 0; c < 3; ++c) {
            double wanted = r[(c + 1) % 3] * p[(c + 2) % 3] - r[(c + 2) % 3] * p[(c + 1) % 3];
            TEST_NEAR(moment[c], wanted, 1e-4);
        }
        cr_assert(get_gap(world, &joint, 1) < 1e-7);
        test_world_destroy_quiet(world, &reports);
    }
}

Test(reduced_closing, rigid_links_go_on_when_the_soft_body_is_rigid) {
    double gap = swing_rigid_links(TN_SOLVER_AUTO, 12, 120, true);
    cr_assert(gap < 1e-8, "%g", gap);
}

// Of more than 64 the mechanism is closed by itself, and the joint to the soft body is swept.
Test(reduced_closing, long_rigid_chain_is_left_to_its_mechanism) {
    double gap = swing_rigid_links(TN_SOLVER_AUTO, 80, 60, false);
    cr_assert(isfinite(gap) && gap > 1e-10 && gap < 0.1, "%g", gap);
}

// A hub of so many that all of them together would cost too much is left to the sweeps.
LONG_TEST(reduced_closing, hub_of_hundreds_is_swept) {
    enum {
        ARMS = 400
    };
    tn_world *world = make_world(TN_SOLVER_AUTO);
    tn_body_id hub = affine_box_make(world, 100.0, 1.0, 1.0, 1.0);
    affine_make(world, hub, 1e7, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
    tn_joint_id *joints = malloc(ARMS * sizeof *joints);
    cr_assert(joints != NULL);
    for (int i = 0; i < ARMS; ++i) {
        double x = -0.5 + i / 400.0;
        tn_body_id arm = affine_box_make(world, 0.1, 0.1, 0.2, 0.1);
        tn_body_set_pose(world, arm, (tn_pose){{x, -0.6, 0.0}, {0.0, 0.0, 0.0, 1.0}});
        affine_make(world, arm, 1e7, 0.3, 0.0, TN_AFFINE_KEPT_NOTHING);
        joints[i] = affine_hang(world, hub, arm, x, -0.5, 0.0);
    }
    test_step(world, 30);
    cr_assert(get_gap(world, joints, ARMS) < 1e-2);
    free(joints);
    test_world_destroy_quiet(world, &reports);
}
