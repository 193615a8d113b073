// The integrators that are there to be compared, through the public interface: each against what
// its equations come to on paper, its order of accuracy, and where it gives way to the midpoint
// step.
#include <criterion/criterion.h>
#include <math.h>
#include <tenon/tenon.h>

#define GRAVITY 9.81

static const tn_integrator all_integrators[] = {
    TN_INTEGRATOR_EULER,          TN_INTEGRATOR_RATTLE,           TN_INTEGRATOR_RK4,
    TN_INTEGRATOR_EXPLICIT_EULER, TN_INTEGRATOR_SYMPLECTIC_EULER, TN_INTEGRATOR_PENALTY,
};
#define INTEGRATORS (sizeof all_integrators / sizeof all_integrators[0])

typedef struct choice {
    tn_integrator integrator;
    tn_stabilization_mode mode;
} choice;

static uint32_t reports;

static void note_report(const tn_report *report, void *user_data) {
    (void)report;
    (void)user_data;
    reports += 1;
}

static tn_world *make_world(choice asked, double gravity) {
    tn_world_def def = tn_world_def_default();
    def.gravity = (tn_vec3){0.0f, (float)-gravity, 0.0f};
    def.solver = TN_SOLVER_DIRECT;
    def.integrator = asked.integrator;
    def.stabilization.mode = asked.mode;
    def.enable_sleep = false;
    def.report = note_report;
    reports = 0;
    tn_world *world = tn_world_create(&def, NULL);
    cr_assert_not_null(world);
    return world;
}

static tn_body_id make_body(tn_world *world, tn_position at, tn_mat3_symmetric inertia) {
    tn_body_def def = tn_body_def_default();
    def.type = TN_BODY_TYPE_DYNAMIC;
    def.pose.position = at;
    tn_body_id body = tn_body_create(world, &def);
    tn_body_set_mass(world, body, (tn_mass){.mass = 1.0, .inertia = inertia});
    return body;
}

static const tn_mat3_symmetric round_inertia = {.xx = 0.1, .yy = 0.1, .zz = 0.1};

// On a rod of 1 m about the origin, hanging.
static tn_body_id make_bead(tn_world *world, double distance, double speed) {
    tn_body_id bead = make_body(world, (tn_position){0.0, -distance, 0.0}, round_inertia);
    tn_body_set_velocity(world, bead, (tn_velocity){.linear = {speed, 0.0, 0.0}});
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = bead;
    def.is_rigid = true;
    def.length = 1.0f;
    cr_assert(tn_distance_joint_create(world, &def).value != 0);
    return bead;
}

static void run(tn_world *world, double seconds, double rate) {
    int steps = (int)(seconds * rate + 0.5);
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(world, 1.0 / rate, 1) == TN_RESULT_OK);
    }
}

static tn_mechanism_info get_info(const tn_world *world) {
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    return info;
}

static double get_radius(tn_world *world, tn_body_id bead) {
    tn_position at = tn_body_get_center(world, bead);
    return sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
}

// ---- the equations on paper --------------------------------------------------------------------

// A particle of the plane under Witkin's equation 11 with C = |x| - 1: J = n = x / |x|,
// Jdot v = (v.v - (n.v)^2) / |x|.
typedef struct particle {
    double x, y, u, v;
} particle;

static particle get_rate(particle p, double ks, double kd) {
    double r = sqrt(p.x * p.x + p.y * p.y), nx = p.x / r, ny = p.y / r;
    double along = nx * p.u + ny * p.v;
    double wanted = (p.u * p.u + p.v * p.v - along * along) / r - GRAVITY * ny;
    double force = -(wanted + ks * (r - 1.0) + kd * along);
    return (particle){p.u, p.v, force * nx, force * ny - GRAVITY};
}

static particle add(particle p, double h, particle rate) {
    return (particle){p.x + h * rate.x, p.y + h * rate.y, p.u + h * rate.u, p.v + h * rate.v};
}

static particle move(particle p, tn_integrator integrator, double h, double ks, double kd) {
    particle a = get_rate(p, ks, kd);
    if (integrator == TN_INTEGRATOR_EXPLICIT_EULER) {
        return add(p, h, a);
    }
    if (integrator == TN_INTEGRATOR_SYMPLECTIC_EULER) {
        p.u += h * a.u;
        p.v += h * a.v;
        return add(p, h, (particle){p.u, p.v, 0.0, 0.0});
    }
    particle b = get_rate(add(p, 0.5 * h, a), ks, kd);
    particle c = get_rate(add(p, 0.5 * h, b), ks, kd);
    particle d = get_rate(add(p, h, c), ks, kd);
    return add(add(add(add(p, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d);
}

Test(method, accelerations_are_those_of_witkins_equation) {
    static const tn_integrator integrators[] = {TN_INTEGRATOR_EXPLICIT_EULER,
                                                TN_INTEGRATOR_SYMPLECTIC_EULER, TN_INTEGRATOR_RK4};
    const double h = 1.0 / 60.0;
    for (int i = 0; i < 6; ++i) {
        bool feeds_back = i % 2 == 1;
        choice chosen = {integrators[i / 2],
                         feeds_back ? TN_STABILIZATION_MODE_FEEDBACK : TN_STABILIZATION_MODE_NONE};
        tn_world *world = make_world(chosen, (double)(float)GRAVITY);
        tn_body_id bead = make_bead(world, 1.0, 7.0);
        particle p = {0.0, -1.0, 7.0, 0.0};
        double worst = 0.0;
        for (int step = 0; step < 60; ++step) {
            tn_world_step(world, h, 1);
            p = move(p, chosen.integrator, h, feeds_back ? 100.0 : 0.0, feeds_back ? 20.0 : 0.0);
            tn_position at = tn_body_get_center(world, bead);
            worst = fmax(worst, hypot(at.x - p.x, at.y - p.y));
        }
        // Gravity is a float in the world: 4e-8 of it.
        cr_expect(worst < 1e-6, "%d: %g m apart", i, worst);
        cr_expect(get_info(world).refusals == 0);
        tn_world_destroy(world);
    }
}

// C'' = -100 C - 20 C' is damped critically: C = C_0 (1 + 10 t) e^(-10 t).
Test(method, feedback_closes_a_joint_as_a_critically_damped_spring) {
    tn_world *world = make_world((choice){TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_FEEDBACK}, 0.0);
    tn_body_id bead = make_bead(world, 1.01, 0.0);
    for (int i = 1; i <= 10; ++i) {
        run(world, 0.05, 240.0);
        double t = 0.05 * i, exact = 0.01 * (1.0 + 10.0 * t) * exp(-10.0 * t);
        double error = get_radius(world, bead) - 1.0 - exact;
        cr_expect(fabs(error) < 1e-8, "at %g s: %g", t, error);
    }
    tn_world_destroy(world);
}

// Each substep takes the share beta.
Test(method, baumgarte_removes_its_share_of_the_error) {
    tn_world *world =
        make_world((choice){TN_INTEGRATOR_EULER, TN_STABILIZATION_MODE_FEEDBACK}, 0.0);
    tn_body_id bead = make_bead(world, 1.01, 0.0);
    double error = 0.01;
    for (int i = 0; i < 20; ++i) {
        run(world, 1.0 / 60.0, 60.0);
        error *= 0.8;
        cr_expect(fabs(get_radius(world, bead) - 1.0 - error) < 1e-9);
    }
    tn_world_destroy(world);
}

// Poses are moved without speed: a bead out of place at rest is at rest in its place.
Test(method, projection_closes_a_joint_without_speed) {
    static const choice methods[] = {
        {TN_INTEGRATOR_EULER, TN_STABILIZATION_MODE_PROJECT_BEFORE},
        {TN_INTEGRATOR_EULER, TN_STABILIZATION_MODE_PROJECT_AFTER},
        {TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_PROJECT_BEFORE},
        {TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_PROJECT_AFTER},
    };
    for (int i = 0; i < 4; ++i) {
        tn_world *world = make_world(methods[i], 0.0);
        tn_body_id bead = make_bead(world, 1.01, 0.0);
        run(world, 1.0 / 60.0, 60.0);
        tn_dvec3 v = tn_body_get_velocity(world, bead).linear;
        cr_expect(fabs(get_radius(world, bead) - 1.0) < 1e-12, "%d", i);
        cr_expect(fabs(v.x) + fabs(v.y) + fabs(v.z) < 1e-12, "%d", i);
        tn_world_destroy(world);
    }
}

// A step along the tangent leaves a circle by sqrt(1 + (h v)^2) - 1.
Test(method, a_step_of_velocities_leaves_the_circle_by_the_tangent) {
    tn_world *world =
        make_world((choice){TN_INTEGRATOR_EULER, TN_STABILIZATION_MODE_PROJECT_BEFORE}, 0.0);
    tn_body_id bead = make_bead(world, 1.0, 7.0);
    double tangent = sqrt(1.0 + 49.0 / 3600.0) - 1.0;
    for (int i = 0; i < 10; ++i) {
        run(world, 1.0 / 60.0, 60.0);
        double gap = get_radius(world, bead) - 1.0;
        // The projection takes a little of the speed before each step.
        cr_expect(gap <= tangent + 1e-12 && gap > 0.7 * tangent, "%g of %g", gap, tangent);
    }
    tn_world_destroy(world);
}

// Under its weight a spring of omega gives way by g / omega^2.
Test(method, penalty_sags_by_its_stiffness) {
    tn_world *world = make_world((choice){TN_INTEGRATOR_PENALTY, TN_STABILIZATION_MODE_AUTO},
                                 (double)(float)GRAVITY);
    tn_body_id bead = make_bead(world, 1.0, 0.0);
    run(world, 20.0, 60.0);
    double omega = 2.0 * 3.14159265358979 * 6.0;
    double sag = get_radius(world, bead) - 1.0;
    cr_expect(fabs(sag - GRAVITY / (omega * omega)) < 1e-6, "%g", sag);
    tn_world_destroy(world);
}

// ---- order of accuracy -------------------------------------------------------------------------

static const tn_mat3_symmetric slender_inertia = {.xx = 0.02, .yy = 0.03, .zz = 0.045};

static void finish_joint(tn_world *world, tn_joint_def *base, tn_body_id a, tn_body_id b,
                         tn_position at, tn_dvec3 axis) {
    cr_assert(tn_joint_def_set_frames(world, base, a, b, at, axis));
}

// Bodies in space with a joint of every kind between them, none of them round, thrown about.
static tn_body_id make_mobile(tn_world *world) {
    tn_body_id none = {0}, bodies[5];
    // The last two are a metre apart to the last digit: a rod's length is a float.
    for (int i = 0; i < 5; ++i) {
        double k = i < 4 ? i : 3;
        bodies[i] =
            make_body(world, (tn_position){0.5 + i, 0.1 * k, 0.05 * k * k}, slender_inertia);
    }
    tn_ball_joint_def ball = tn_ball_joint_def_default();
    finish_joint(world, &ball.base, none, bodies[0], (tn_position){0.0, 0.0, 0.0},
                 (tn_dvec3){1.0, 0.0, 0.0});
    tn_ball_joint_create(world, &ball);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    finish_joint(world, &hinge.base, bodies[0], bodies[1], (tn_position){1.0, 0.05, 0.0},
                 (tn_dvec3){0.6, 0.0, 0.8});
    tn_hinge_joint_create(world, &hinge);
    tn_slider_joint_def slider = tn_slider_joint_def_default();
    finish_joint(world, &slider.base, bodies[1], bodies[2], (tn_position){2.0, 0.1, 0.1},
                 (tn_dvec3){0.0, 0.8, 0.6});
    tn_slider_joint_create(world, &slider);
    tn_fixed_joint_def fixed = tn_fixed_joint_def_default();
    finish_joint(world, &fixed.base, bodies[2], bodies[3], (tn_position){3.0, 0.2, 0.3},
                 (tn_dvec3){1.0, 0.0, 0.0});
    tn_fixed_joint_create(world, &fixed);
    tn_distance_joint_def rod = tn_distance_joint_def_default();
    rod.base.body_a = bodies[3];
    rod.base.body_b = bodies[4];
    rod.is_rigid = true;
    rod.length = 1.0f;
    tn_distance_joint_create(world, &rod);
    return bodies[4];
}

// Where the mobile's last body is after a third of a second.
static tn_position run_mobile(choice asked, double rate) {
    tn_world *world = make_world(asked, GRAVITY);
    tn_body_id last = make_mobile(world);
    run(world, 1.0 / 3.0, rate);
    cr_assert(get_info(world).refusals == 0 && reports == 0);
    tn_position at = tn_body_get_center(world, last);
    tn_world_destroy(world);
    return at;
}

static double get_distance(tn_position a, tn_position b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

Test(method, each_has_its_order_on_joints_of_every_kind) {
    static const struct {
        choice method;
        double order;
    } expected[] = {
        {{TN_INTEGRATOR_EULER, TN_STABILIZATION_MODE_NONE}, 1.0},
        {{TN_INTEGRATOR_EULER, TN_STABILIZATION_MODE_PROJECT_BEFORE}, 1.0},
        {{TN_INTEGRATOR_EULER, TN_STABILIZATION_MODE_PROJECT_AFTER}, 1.0},
        {{TN_INTEGRATOR_EXPLICIT_EULER, TN_STABILIZATION_MODE_NONE}, 1.0},
        {{TN_INTEGRATOR_SYMPLECTIC_EULER, TN_STABILIZATION_MODE_NONE}, 1.0},
        {{TN_INTEGRATOR_RATTLE, TN_STABILIZATION_MODE_AUTO}, 2.0},
        {{TN_INTEGRATOR_MIDPOINT, TN_STABILIZATION_MODE_AUTO}, 2.0},
        {{TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_NONE}, 4.0},
        {{TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_FEEDBACK}, 4.0},
        {{TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_PROJECT_AFTER}, 4.0},
    };
    choice fine = {TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_PROJECT_AFTER};
    tn_position exact = run_mobile(fine, 3840.0);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        double rate = expected[i].order < 1.5 ? 480.0 : 60.0;
        double coarse = get_distance(run_mobile(expected[i].method, rate), exact);
        double half = get_distance(run_mobile(expected[i].method, 2.0 * rate), exact);
        double order = log2(coarse / half);
        cr_expect(fabs(order - expected[i].order) < 0.25, "%zu: order %.2f (%g, %g)", i, order,
                  coarse, half);
    }
}

// ---- what they keep ----------------------------------------------------------------------------

// RATTLE is its own mirror image in time: turned round it comes back, whatever the step.
Test(method, rattle_runs_backward_to_where_it_began) {
    tn_world *world =
        make_world((choice){TN_INTEGRATOR_RATTLE, TN_STABILIZATION_MODE_AUTO}, GRAVITY);
    tn_body_id last = make_mobile(world);
    tn_position start = tn_body_get_center(world, last);
    run(world, 1.0, 120.0);
    cr_expect(get_distance(start, tn_body_get_center(world, last)) > 0.5);
    tn_body_id bodies[8];
    uint32_t count = tn_world_get_bodies(world, bodies, 8);
    for (uint32_t i = 0; i < count; ++i) {
        tn_velocity v = tn_body_get_velocity(world, bodies[i]);
        tn_body_set_velocity(world, bodies[i],
                             (tn_velocity){{-v.linear.x, -v.linear.y, -v.linear.z},
                                           {-v.angular.x, -v.angular.y, -v.angular.z}});
    }
    run(world, 1.0, 120.0);
    double off = get_distance(start, tn_body_get_center(world, last));
    cr_expect(off < 1e-7, "%g m", off);
    tn_world_destroy(world);
}

// Nothing outside acts: what the joints do between the bodies leaves momentum. Spin stays as well
// as the gap does, for a pair of forces is one only while the joint is closed; RATTLE's stays.
Test(method, all_keep_momentum) {
    static const double spins[INTEGRATORS] = {1e-5, 1e-12, 1e-6, 0.02, 0.02, 2e-4};
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_world *world = make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, 0.0);
        tn_body_id a = make_body(world, (tn_position){0.0, 0.0, 0.0}, slender_inertia);
        tn_body_id b = make_body(world, (tn_position){1.0, 0.0, 0.0}, slender_inertia);
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        finish_joint(world, &def.base, a, b, (tn_position){0.5, 0.0, 0.0},
                     (tn_dvec3){0.0, 0.0, 1.0});
        tn_hinge_joint_create(world, &def);
        tn_body_set_velocity(world, a, (tn_velocity){{1.0, -0.5, 0.0}, {0.0, 0.0, 1.0}});
        tn_body_set_velocity(world, b, (tn_velocity){{1.0, 0.5, 0.0}, {0.0, 0.0, -1.0}});
        tn_energy before = tn_world_get_energy(world);
        run(world, 1.0, 240.0);
        tn_energy after = tn_world_get_energy(world);
        cr_expect(fabs(after.linear_momentum.x - before.linear_momentum.x) < 1e-9, "%zu", i);
        cr_expect(fabs(after.linear_momentum.y - before.linear_momentum.y) < 1e-9, "%zu", i);
        double spin = after.angular_momentum.z - before.angular_momentum.z;
        cr_expect(fabs(spin) < spins[i], "%zu: %g", i, spin);
        cr_expect(reports == 0 && get_info(world).refusals == 0);
        tn_world_destroy(world);
    }
}

// ---- what goes with them -----------------------------------------------------------------------

Test(method, a_hanging_weight_pulls_with_its_weight) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_world *world =
            make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
        make_bead(world, 1.0, 0.0);
        run(world, 20.0, 60.0);
        tn_joint_id joint;
        tn_world_get_joints(world, &joint, 1);
        tn_vec3 force = tn_joint_get_reaction(world, joint).force;
        cr_expect(fabs(fabs((double)force.y) - GRAVITY) < 1e-4, "%zu: %g N", i, (double)force.y);
        tn_world_destroy(world);
    }
}

// A pendulum on a platform that moves evenly is the pendulum at rest, seen from a train.
Test(method, a_moving_platform_changes_nothing) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_position ends[2];
        for (int moves = 0; moves < 2; ++moves) {
            double speed = moves ? 3.0 : 0.0;
            tn_world *world =
                make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
            tn_body_def def = tn_body_def_default();
            def.type = TN_BODY_TYPE_KINEMATIC;
            def.velocity.linear.x = speed;
            tn_body_id platform = tn_body_create(world, &def);
            tn_body_id rod = make_body(world, (tn_position){0.6, -0.8, 0.0}, slender_inertia);
            tn_body_set_velocity(world, rod, (tn_velocity){.linear = {speed, 0.0, 0.0}});
            tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
            finish_joint(world, &hinge.base, platform, rod, (tn_position){0.0, 0.0, 0.0},
                         (tn_dvec3){0.0, 0.0, 1.0});
            tn_hinge_joint_create(world, &hinge);
            run(world, 1.0, 240.0);
            ends[moves] = tn_body_get_center(world, rod);
            ends[moves].x -= speed;
            cr_expect(get_info(world).refusals == 0);
            tn_world_destroy(world);
        }
        cr_expect(get_distance(ends[0], ends[1]) < 1e-9, "%zu: %g", i,
                  get_distance(ends[0], ends[1]));
    }
}

// Round a circle without gravity: nothing but the damping takes the speed.
Test(method, damping_slows_as_it_should) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        bool is_first_order =
            all_integrators[i] != TN_INTEGRATOR_RATTLE && all_integrators[i] != TN_INTEGRATOR_RK4;
        tn_world *world = make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, 0.0);
        tn_body_id bead = make_bead(world, 1.0, 1.0);
        tn_body_set_damping(world, bead, 0.5f, 0.0f);
        run(world, 2.0, 240.0);
        tn_dvec3 v = tn_body_get_velocity(world, bead).linear;
        double speed = hypot(v.x, v.y);
        cr_expect(fabs(speed - exp(-1.0)) < (is_first_order ? 3e-3 : 1e-5), "%zu: %g", i, speed);
        tn_world_destroy(world);
    }
}

// A force on the centre of mass is gravity by another name; so is a body that may not leave its
// plane to one that does not.
Test(method, forces_and_locks_do_what_they_should) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_position ends[3];
        for (int k = 0; k < 3; ++k) {
            tn_world *world = make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO},
                                         k == 1 ? 0.0 : GRAVITY);
            tn_body_id rod = make_body(world, (tn_position){0.6, -0.8, 0.0}, slender_inertia);
            tn_ball_joint_def ball = tn_ball_joint_def_default();
            finish_joint(world, &ball.base, (tn_body_id){0}, rod, (tn_position){0.0, 0.0, 0.0},
                         (tn_dvec3){0.0, 0.0, 1.0});
            tn_ball_joint_create(world, &ball);
            if (k == 2) {
                tn_body_set_locks(world, rod,
                                  TN_BODY_LOCK_LINEAR_Z | TN_BODY_LOCK_ANGULAR_X |
                                      TN_BODY_LOCK_ANGULAR_Y);
            }
            for (int step = 0; step < 120; ++step) {
                if (k == 1) {
                    tn_vec3 weight = {0.0f, -(float)GRAVITY, 0.0f};
                    tn_body_apply_force(world, rod, weight);
                }
                tn_body_apply_torque(world, rod, (tn_vec3){0.0f, 0.0f, 2.0f});
                run(world, 1.0 / 120.0, 120.0);
            }
            ends[k] = tn_body_get_center(world, rod);
            cr_expect(get_info(world).refusals == 0 && reports == 0);
            tn_world_destroy(world);
        }
        cr_expect(get_distance(ends[0], ends[1]) < 1e-9, "%zu: %g", i,
                  get_distance(ends[0], ends[1]));
        cr_expect(get_distance(ends[0], ends[2]) < 1e-6, "%zu: %g", i,
                  get_distance(ends[0], ends[2]));
    }
}

Test(method, twice_comes_to_the_same_bits) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        uint64_t hashes[2];
        for (int k = 0; k < 2; ++k) {
            tn_world *world =
                make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
            make_mobile(world);
            run(world, 0.5, 120.0);
            hashes[k] = tn_world_get_hash(world);
            tn_world_destroy(world);
        }
        cr_expect(hashes[0] == hashes[1], "%zu", i);
    }
}

// A plane pendulum on one hinge or on two in a line, which have five rows too many. Not for
// penalty: springs beside each other are stiffer.
Test(method, redundant_rows_change_nothing) {
    for (size_t i = 0; all_integrators[i] != TN_INTEGRATOR_PENALTY; ++i) {
        tn_position ends[2];
        for (int more = 0; more < 2; ++more) {
            tn_world *world =
                make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
            tn_body_id rod = make_body(world, (tn_position){0.6, -0.8, 0.0}, slender_inertia);
            for (int k = 0; k <= more; ++k) {
                tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
                finish_joint(world, &hinge.base, (tn_body_id){0}, rod,
                             (tn_position){0.0, 0.0, 0.5 * k}, (tn_dvec3){0.0, 0.0, 1.0});
                tn_hinge_joint_create(world, &hinge);
            }
            run(world, 2.0, 240.0);
            tn_mechanism_info info = get_info(world);
            cr_expect(info.refusals == 0);
            cr_expect(info.dependent_rows == (more ? 5 : 0), "%zu: %u", i, info.dependent_rows);
            ends[more] = tn_body_get_center(world, rod);
            tn_world_destroy(world);
        }
        cr_expect(get_distance(ends[0], ends[1]) < 1e-6, "%zu: %g", i,
                  get_distance(ends[0], ends[1]));
    }
}

// ---- where they do not apply -------------------------------------------------------------------

// A door with stops. Without: a plain pendulum.
static uint64_t run_door(tn_integrator integrator, bool has_stops, tn_mechanism_info *out_info) {
    tn_world *world = make_world((choice){integrator, TN_STABILIZATION_MODE_AUTO}, GRAVITY);
    tn_body_id rod = make_body(world, (tn_position){0.5, 0.0, 0.0}, slender_inertia);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    finish_joint(world, &def.base, (tn_body_id){0}, rod, (tn_position){0.0, 0.0, 0.0},
                 (tn_dvec3){0.0, 0.0, 1.0});
    def.limit = (tn_limit){.enabled = has_stops, .lower = -3.0f, .upper = 3.0f};
    tn_hinge_joint_create(world, &def);
    run(world, 0.25, 60.0);
    *out_info = get_info(world);
    uint64_t hash = tn_world_get_hash(world);
    cr_expect(reports == 0);
    tn_world_destroy(world);
    return hash;
}

Test(method, limits_are_left_to_the_midpoint_step) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_mechanism_info info;
        uint64_t hash = run_door(all_integrators[i], true, &info);
        cr_expect(info.refusals == 1 && info.integrator == TN_INTEGRATOR_MIDPOINT, "%zu", i);
        cr_expect(hash == run_door(TN_INTEGRATOR_AUTO, true, &info), "%zu", i);
        cr_expect(info.refusals == 0 && info.integrator == TN_INTEGRATOR_MIDPOINT, "%zu", i);
        hash = run_door(all_integrators[i], false, &info);
        cr_expect(info.refusals == 0 && info.integrator == all_integrators[i], "%zu", i);
        cr_expect(hash != run_door(TN_INTEGRATOR_AUTO, false, &info), "%zu", i);
    }
}

Test(method, contacts_are_left_to_the_midpoint_step) {
    for (size_t i = 0; i < INTEGRATORS; ++i) {
        tn_world *world =
            make_world((choice){all_integrators[i], TN_STABILIZATION_MODE_AUTO}, GRAVITY);
        tn_body_id bead = make_bead(world, 1.0, 2.0);
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_position){0.6, -0.8, 0.0};
        tn_body_id post = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        tn_sphere_shape_create(world, post, &shape, 0.1f);
        tn_sphere_shape_create(world, bead, &shape, 0.1f);
        bool was_taken = false, was_refused = false;
        for (int k = 0; k < 60; ++k) {
            run(world, 1.0 / 60.0, 60.0);
            bool is_refused = get_info(world).refusals > 0;
            was_taken = was_taken || !is_refused;
            was_refused = was_refused || is_refused;
        }
        // Free at first, then against the post, which holds it off.
        cr_expect(was_taken && was_refused, "%zu", i);
        tn_position at = tn_body_get_center(world, bead);
        cr_expect(hypot(at.x - 0.6, at.y + 0.8) > 0.19, "%zu", i);
        cr_expect(reports == 0);
        tn_world_destroy(world);
    }
}

// A soft joint is no equality; one that asks for Gauss-Seidel takes what it hangs on with it.
Test(method, other_joints_beside_rigid_ones_are_refused) {
    for (int i = 0; i < 2; ++i) {
        bool is_soft = i == 0;
        tn_world *world =
            make_world((choice){TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_AUTO}, GRAVITY);
        tn_body_id bead = make_bead(world, 1.0, 0.0);
        tn_body_id weight = make_body(world, (tn_position){0.0, -2.0, 0.0}, round_inertia);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_a = bead;
        def.base.body_b = weight;
        tn_joint_id joint = tn_distance_joint_create(world, &def);
        if (is_soft) {
            tn_joint_set_stiffness(world, joint, 5.0f, 1.0f);
        } else {
            tn_joint_set_solver(world, joint, TN_SOLVER_PGS);
        }
        run(world, 0.5, 60.0);
        tn_mechanism_info info = get_info(world);
        cr_expect(info.refusals == 1 && reports == 0);
        cr_expect(info.method ==
                  (is_soft ? TN_MECHANISM_METHOD_DIRECT : TN_MECHANISM_METHOD_PGS_CLOSED));
        cr_expect(info.integrator == (is_soft ? TN_INTEGRATOR_MIDPOINT : TN_INTEGRATOR_AUTO));
        tn_world_destroy(world);
    }
}

// The integrators are the direct solver's: Gauss-Seidel goes on as ever.
Test(method, gauss_seidel_is_not_concerned) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; ++i) {
        tn_world *world = make_world(
            (choice){i ? TN_INTEGRATOR_RK4 : TN_INTEGRATOR_AUTO, TN_STABILIZATION_MODE_AUTO},
            GRAVITY);
        tn_world_set_solver(world, TN_SOLVER_PGS);
        make_mobile(world);
        run(world, 0.5, 60.0);
        hashes[i] = tn_world_get_hash(world);
        tn_world_destroy(world);
    }
    cr_expect(hashes[0] == hashes[1]);
}

static bool is_same(tn_stabilization a, tn_stabilization b) {
    return a.mode == b.mode && a.beta == b.beta && a.stiffness == b.stiffness &&
           a.damping == b.damping && a.penalty_hertz == b.penalty_hertz &&
           a.penalty_damping_ratio == b.penalty_damping_ratio;
}

Test(method, wrong_settings_are_reported_and_change_nothing) {
    tn_world *world =
        make_world((choice){TN_INTEGRATOR_RK4, TN_STABILIZATION_MODE_FEEDBACK}, GRAVITY);
    tn_stabilization good = tn_world_get_stabilization(world);
    tn_world_set_integrator(world, (tn_integrator)(TN_INTEGRATOR_PENALTY + 1));
    cr_expect(reports == 1 && tn_world_get_integrator(world) == TN_INTEGRATOR_RK4);
    tn_stabilization bad[7];
    for (int i = 0; i < 7; ++i) {
        bad[i] = good;
    }
    bad[0].mode = (tn_stabilization_mode)(TN_STABILIZATION_MODE_PROJECT_AFTER + 1);
    bad[1].beta = 1.5;
    bad[2].beta = -0.1;
    bad[3].stiffness = -1.0;
    bad[4].damping = (double)NAN;
    bad[5].penalty_hertz = (double)INFINITY;
    bad[6].penalty_damping_ratio = -1.0;
    for (uint32_t i = 0; i < 7; ++i) {
        tn_world_set_stabilization(world, bad[i]);
        cr_expect(reports == 2 + i, "%u", i);
        tn_stabilization now = tn_world_get_stabilization(world);
        cr_expect(is_same(now, good), "%u", i);
        tn_world_def def = tn_world_def_default();
        def.report = note_report;
        def.stabilization = bad[i];
        uint32_t before = reports;
        tn_result result = TN_RESULT_OK;
        cr_expect_null(tn_world_create(&def, &result));
        cr_expect(result != TN_RESULT_OK && reports == before + 1, "%u", i);
        reports = before;
    }
    tn_world_destroy(world);
    cr_expect(tn_world_get_integrator(NULL) == TN_INTEGRATOR_AUTO);
}
