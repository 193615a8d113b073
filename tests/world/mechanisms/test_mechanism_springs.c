// Springs by frequency and soft joints in mechanisms of the direct solver: closed forms.
#include "tests/world/world_test.h"

#define PI 3.14159265358979

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_DIRECT, &reports);
    tn_world_set_gravity(world, (tn_vec3){0.0, 0.0, 0.0});
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(mechanism_springs, .init = setup, .fini = teardown);

static tn_body_id make_ball(double x, double mass) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_DYNAMIC, x, 0.0, 0.0);
    tn_mass own = {.mass = mass};
    own.inertia.xx = own.inertia.yy = own.inertia.zz = 0.1 * mass;
    tn_body_set_mass(world, body, own);
    return body;
}

static void check_direct(uint32_t joints) {
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.method == TN_MECHANISM_METHOD_DIRECT && info.joints == joints);
    cr_assert(info.failures == 0 && info.worst_joint_linear < 1e-9);
}

// Two bodies on a spring of 2 Hz, whatever their masses: x = A cos(w t), and with damping ratio z
// x = A exp(-z w t) (cos(w_d t) + z w / w_d sin(w_d t)), w_d = w sqrt(1 - z^2).
Test(mechanism_springs, swing_at_their_frequency_and_decay_with_their_ratio) {
    const float ratios[2] = {0.0f, 0.1f};
    for (int k = 0; k < 2; ++k) {
        tn_body_id a = make_ball(0.0, 1.0), b = make_ball(2.0, 50.0);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.is_rigid = false;
        def.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY,
                                 .hertz = 2.0f,
                                 .damping_ratio = ratios[k],
                                 .rest = 1.9f};
        def.base.body_a = a;
        def.base.body_b = b;
        tn_joint_id joint = tn_distance_joint_create(world, &def);
        cr_assert(joint.value != 0);
        double w = 4.0 * PI, z = (double)ratios[k], wd = w * sqrt(1.0 - z * z), worst = 0.0;
        for (int i = 1; i <= 60; ++i) {
            test_step(world, 1);
            check_direct(1);
            double t = i / 60.0;
            double expected = 0.1 * exp(-z * w * t) * (cos(wd * t) + z * w / wd * sin(wd * t));
            double length =
                tn_body_get_pose(world, b).position.x - tn_body_get_pose(world, a).position.x;
            worst = fmax(worst, fabs(length - 1.9 - expected));
        }
        // The midpoint rule is late by w^3 h^2 t / 12: 0.3 % of a radian in two periods.
        cr_assert(worst < 0.004 * 0.1, "%g", worst);
        tn_joint_destroy(world, joint);
        tn_body_destroy(world, a);
        tn_body_destroy(world, b);
    }
}

// A door on a hinge with a spring about its axis: the frequency is that of the door on its hinge,
// not of its bare inertia.
Test(mechanism_springs, know_the_mass_that_their_joint_leaves_them) {
    tn_body_id door = make_ball(1.0, 3.0); // 0.3 kg m^2 about its centre, 3.3 about the hinge
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 1.0f};
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, door,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    cr_assert(tn_hinge_joint_create(world, &def).value != 0);
    tn_body_set_velocity(world, door,
                         (tn_velocity){.linear = {0.0, 0.5, 0.0}, .angular = {0.0, 0.0, 0.5}});
    double worst = 0.0;
    for (int i = 1; i <= 90; ++i) {
        test_step(world, 1);
        check_direct(1);
        tn_vec3 at = tn_body_get_pose(world, door).position;
        double expected = 0.5 / (2.0 * PI) * sin(2.0 * PI * i / 60.0);
        worst = fmax(worst, fabs(atan2(at.y, at.x) - expected));
    }
    cr_assert(worst < 0.002 * 0.08, "%g", worst);
}

// A chain with a soft joint in its middle stays one mechanism: the rigid ones hold.
Test(mechanism_springs, soft_joints_leave_the_rigid_ones_beside_them_exact) {
    tn_body_id before = {0};
    tn_world_set_gravity(world, (tn_vec3){0.0, -9.81, 0.0});
    for (int i = 0; i < 6; ++i) {
        tn_body_id link = make_ball(0.5 + i, i == 5 ? 1000.0 : 1.0);
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base.hertz = i == 3 ? 5.0f : 0.0f;
        def.base.damping_ratio = 0.5f;
        cr_assert(tn_joint_def_set_frames(world, &def.base, before, link,
                                          (tn_vec3){(double)i, 0.0, 0.0},
                                          (tn_vec3){1.0, 0.0, 0.0}));
        cr_assert(tn_ball_joint_create(world, &def).value != 0);
        before = link;
    }
    tn_energy start = tn_world_get_energy(world);
    for (int i = 0; i < 300; ++i) {
        test_step(world, 1);
        check_direct(6);
    }
    tn_energy end = tn_world_get_energy(world);
    cr_assert(end.kinetic + end.potential < start.kinetic + start.potential);
}
