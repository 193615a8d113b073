// The integrators that are there to be compared, through the public interface: each against what
// its equations come to on paper, its order of accuracy, and what it keeps.
#include "method_world.h"

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
            tn_vec3 at = tn_body_get_center(world, bead);
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
        tn_vec3 v = tn_body_get_velocity(world, bead).linear;
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
// Where the mobile's last body is after a third of a second.
static tn_vec3 run_mobile(choice asked, double rate) {
    tn_world *world = make_world(asked, GRAVITY);
    tn_body_id last = make_mobile(world);
    run(world, 1.0 / 3.0, rate);
    cr_assert(get_info(world).refusals == 0 && reports == 0);
    tn_vec3 at = tn_body_get_center(world, last);
    tn_world_destroy(world);
    return at;
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
    tn_vec3 exact = run_mobile(fine, 3840.0);
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
    tn_vec3 start = tn_body_get_center(world, last);
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
        tn_body_id a = make_body(world, (tn_vec3){0.0, 0.0, 0.0}, slender_inertia);
        tn_body_id b = make_body(world, (tn_vec3){1.0, 0.0, 0.0}, slender_inertia);
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        finish_joint(world, &def.base, a, b, (tn_vec3){0.5, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0});
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
