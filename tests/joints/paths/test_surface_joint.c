// A point that is led on a surface: closed forms on spheres, cylinders, cones and tori, what is
// held from one side only, and definitions that make no sense.
#include "tests/joints/joint_world.h"

#define PI      3.14159265358979323846
#define GRAVITY 9.81

static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 weightless = {0.0, 0.0, 0.0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};

TestSuite(surface_joint, .timeout = 60);

static tn_surface_joint_def make_def(tn_body_id body, tn_surface_shape shape, tn_solver solver) {
    tn_surface_joint_def def = tn_surface_joint_def_default();
    def.base.body_b = body;
    def.base.solver = solver;
    def.shape = shape;
    return def;
}

static void throw_body(tn_world *world, tn_body_id body, double x, double y, double z) {
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {x, y, z}});
}

static tn_vec3 velocity_of(const tn_world *world, tn_body_id body) {
    return tn_body_get_velocity(world, body).linear;
}

static tn_vec3 place_of(const tn_world *world, tn_body_id body) {
    return tn_body_get_pose(world, body).position;
}

// ---- sphere ------------------------------------------------------------------------------------

// At an angle t from the vertical it goes round at w = sqrt(g / (r cos t)).
Test(surface_joint, a_conical_pendulum_goes_round_at_its_speed) {
    const double gaps[] = {2e-4, 1e-11, 2e-4, 1e-11}, strays[] = {2e-3, 5e-5, 2e-3, 5e-5};
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make(gravity, NULL);
        double t = 0.8, r = 1.0, w = sqrt(GRAVITY / (r * cos(t)));
        tn_body_id body = body_make(world, r * sin(t), -r * cos(t), 0, 2, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_SPHERE, solvers[i]);
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        throw_body(world, body, 0.0, 0.0, r * sin(t) * w);
        double angle = 0.0, before = 0.0, stray = 0.0, gap = 0.0;
        for (int k = 0; k < 1200; ++k) {
            run(world, 1.0 / 240.0, 240.0, 4);
            tn_vec3 at = place_of(world, body);
            double now = atan2(at.z, at.x);
            angle += now - before + (now < before - PI ? 2.0 * PI : 0.0);
            before = now;
            stray = fmax(stray, fabs(at.y + r * cos(t)));
            gap = fmax(gap, tn_joint_get_error(world, joint).linear_length);
        }
        cr_assert_float_eq(angle / 5.0 / w, 1.0, strays[i], "solver %d: %g", i,
                           angle / 5.0 / w - 1.0);
        cr_assert(stray < strays[i], "solver %d: %g m", i, stray);
        cr_assert(gap < gaps[i], "solver %d: %g m", i, gap);
        tn_world_destroy(world);
    }
}

// Swung anywhere, it keeps its energy and its angular momentum about the vertical.
Test(surface_joint, a_spherical_pendulum_keeps_energy_and_angular_momentum) {
    const double most[] = {1e-2, 1e-4};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0.8, -0.6, 0, 2, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_SPHERE, solvers[i]);
        tn_surface_joint_create(world, &def);
        throw_body(world, body, 0.3, 0.4, 1.0);
        double spins[2], energies[2];
        for (int k = 0; k < 2; ++k) {
            tn_vec3 p = place_of(world, body);
            tn_vec3 v = velocity_of(world, body);
            spins[k] = p.z * v.x - p.x * v.z;
            energies[k] = 0.5 * (v.x * v.x + v.y * v.y + v.z * v.z) + GRAVITY * (p.y + 1.0);
            run(world, 10.0, 240.0, 4);
        }
        cr_assert_float_eq(spins[1] / spins[0], 1.0, 1e-3, "%g", spins[1] / spins[0] - 1.0);
        cr_assert_float_eq(energies[1] / energies[0], 1.0, most[i], "%g",
                           energies[1] / energies[0] - 1.0);
        tn_world_destroy(world);
    }
}

// At rest at the lowest point it carries the weight.
Test(surface_joint, carries_the_weight) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, -1, 0, 2, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_SPHERE, solvers[i]);
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_joint_get_reaction(world, joint).force.y, 2.0 * GRAVITY, 1e-4);
        double gap = tn_surface_joint_get_distance(world, joint);
        cr_assert(fabs(gap) < (i == 0 ? 1e-4 : 1e-11), "solver %d: %g m", i, gap);
        tn_world_destroy(world);
    }
}

// ---- geodesics ---------------------------------------------------------------------------------

// On a cylinder about x: along x at one speed, round it at another.
Test(surface_joint, a_free_point_on_a_cylinder_goes_along_a_helix) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id body = body_make(world, 0, 0.5, 0, 1, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_CYLINDER, solvers[i]);
        def.radius = 0.5;
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        throw_body(world, body, 1.0, 0.0, 2.0);
        run(world, 3.0, 240.0, 4);
        tn_vec3 p = place_of(world, body);
        double angle = 2.0 / 0.5 * 3.0;
        cr_assert_float_eq(p.x, 3.0, 1e-4);
        cr_assert_float_eq(p.y, 0.5 * cos(angle), i == 0 ? 5e-3 : 5e-4, "%g", p.y);
        cr_assert_float_eq(p.z, 0.5 * sin(angle), i == 0 ? 5e-3 : 5e-4, "%g", p.z);
        cr_assert(tn_joint_get_error(world, joint).linear_length < (i == 0 ? 1e-4 : 1e-11));
        tn_world_destroy(world);
    }
}

// Clairaut: on a surface round about an axis D cos(angle to the parallels) stays, D the distance
// from the axis; at one speed that is the angular momentum about it.
Test(surface_joint, a_free_point_on_a_torus_keeps_clairauts_constant) {
    const double most[] = {5e-3, 1e-4};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id body = body_make(world, 0, 1.4, 0, 1, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_TORUS, solvers[i]);
        def.tube_radius = 0.4;
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        throw_body(world, body, 1.5, 0.0, 1.0);
        double first = 1.4 * 1.0 / hypot(1.5, 1.0), worst = 0.0, least = 1.4, gap = 0.0;
        for (int k = 0; k < 2400; ++k) {
            run(world, 1.0 / 240.0, 240.0, 4);
            tn_vec3 p = place_of(world, body);
            tn_vec3 v = velocity_of(world, body);
            double speed = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
            worst = fmax(worst, fabs((p.y * v.z - p.z * v.y) / speed - first));
            least = fmin(least, hypot(p.y, p.z));
            gap = fmax(gap, tn_joint_get_error(world, joint).linear_length);
        }
        cr_assert(worst < most[i], "solver %d: %g", i, worst);
        cr_assert(least < 0.8, "%g m", least); // it went far
        cr_assert(gap < (i == 0 ? 1e-3 : 1e-9), "solver %d: %g m", i, gap);
        tn_world_destroy(world);
    }
}

// ---- ellipsoid and callback --------------------------------------------------------------------

// In the plane of two equal axes it is a circle; about its lowest point it swings with the radius
// of curvature there, a^2 / c.
static double place_on_x(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.x;
}

Test(surface_joint, a_bead_in_an_ellipsoid_swings_by_its_curvature) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        double x = 0.02, y = -0.5 * sqrt(1.0 - x * x / 2.25);
        tn_body_id body = body_make(world, x, y, 0, 1, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_ELLIPSOID, solvers[i]);
        def.half_axes = (tn_vec3){1.5, 0.5, 1.0};
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        double period = measure_period(world, joint, place_on_x, 20.0, 240.0, 4);
        double exact = 2.0 * PI * sqrt(1.5 * 1.5 / 0.5 / GRAVITY);
        cr_assert_float_eq(period / exact, 1.0, 1e-3, "solver %d: %g", i, period / exact - 1.0);
        tn_world_destroy(world);
    }
}

// A cone that opens upward with 45 degrees, y = sqrt(x^2 + z^2), as y^2 = x^2 + z^2 above 0.
static void cone(tn_vec3 p, tn_surface_value *out, void *context) {
    (void)context;
    out->value = p.x * p.x + p.z * p.z - p.y * p.y;
    out->gradient = (tn_vec3){2.0 * p.x, -2.0 * p.y, 2.0 * p.z};
}

// On a circle at the height y: w^2 y = g.
Test(surface_joint, a_puck_goes_round_in_a_cone_of_ones_own) {
    const double strays[] = {5e-3, 1e-4};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 1, 1, 0, 1, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_IMPLICIT, solvers[i]);
        def.evaluate = cone;
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        throw_body(world, body, 0.0, 0.0, sqrt(GRAVITY));
        double stray = 0.0;
        for (int k = 0; k < 1200; ++k) {
            run(world, 1.0 / 240.0, 240.0, 4);
            stray = fmax(stray, fabs(place_of(world, body).y - 1.0));
        }
        cr_assert(stray < strays[i], "solver %d: %g m", i, stray);
        cr_assert(fabs(tn_surface_joint_get_distance(world, joint)) < (i == 0 ? 1e-4 : 1e-11));
        tn_world_destroy(world);
    }
}

// ---- from one side -----------------------------------------------------------------------------

// Down a ball from its top a point leaves it where cos t = 2 / 3.
Test(surface_joint, a_point_leaves_a_ball_where_it_should) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, sin(0.01), cos(0.01), 0, 1, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_SPHERE, solvers[i]);
        def.side = TN_SURFACE_SIDE_OUTSIDE;
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        double height = 1.0, force = 1.0;
        for (int k = 0; k < 4800 && force > 0.0; ++k) {
            height = place_of(world, body).y;
            run(world, 1.0 / 1200.0, 1200.0, 4);
            force = length_of(tn_joint_get_reaction(world, joint).force);
            cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-4);
        }
        cr_assert_float_eq(height, 2.0 / 3.0, 5e-3, "solver %d: %g m", i, height);
        run(world, 0.5, 240.0, 4);
        cr_assert(tn_surface_joint_get_distance(world, joint) > 0.1);
        cr_assert(tn_joint_get_error(world, joint).linear_length == 0.0);
        tn_world_destroy(world);
    }
}

Test(surface_joint, a_point_falls_into_a_bowl_and_stays) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0.2, 0.5, 0, 1, 0.01);
        tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_SPHERE, solvers[i]);
        def.side = TN_SURFACE_SIDE_INSIDE;
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        double farthest = -1.0, lowest = 0.0;
        for (int k = 0; k < 600; ++k) {
            run(world, 1.0 / 60.0, 60.0, 4);
            farthest = fmax(farthest, tn_surface_joint_get_distance(world, joint));
            lowest = fmin(lowest, place_of(world, body).y);
        }
        cr_assert(farthest < 0.01, "solver %d: %g m", i, farthest);
        cr_assert(lowest < -0.95);
        tn_world_destroy(world);
    }
}

// ---- two bodies, softness ----------------------------------------------------------------------

// A ball that is free to move, and a point on it: momentum stays.
Test(surface_joint, on_a_free_body_keeps_momentum_and_energy) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id ball = body_make(world, 0, 0, 0, 3, 1.0), body = body_make(world, 0, 1, 0, 1, 0.01);
    tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_ELLIPSOID, TN_SOLVER_DIRECT);
    def.base.body_a = ball;
    def.half_axes = (tn_vec3){1.5, 1.0, 0.7};
    tn_joint_id joint = tn_surface_joint_create(world, &def);
    throw_body(world, body, 1.0, 0.0, 2.0);
    double energies[2];
    for (int k = 0; k < 2; ++k) {
        const tn_body_id bodies[2] = {ball, body};
        const double masses[2] = {3, 1}, inertias[2] = {1.0, 0.01};
        tn_vec3 momentum = {0, 0, 0};
        energies[k] = 0.0;
        for (int n = 0; n < 2; ++n) {
            tn_velocity v = tn_body_get_velocity(world, bodies[n]);
            tn_vec3 l = v.linear, w = v.angular;
            energies[k] += 0.5 * masses[n] * (l.x * l.x + l.y * l.y + l.z * l.z) +
                           0.5 * inertias[n] * (w.x * w.x + w.y * w.y + w.z * w.z);
            momentum.x += masses[n] * l.x;
            momentum.z += masses[n] * l.z;
        }
        cr_assert_float_eq(momentum.x, 1.0, 1e-10);
        cr_assert_float_eq(momentum.z, 2.0, 1e-10);
        run(world, 5.0, 240.0, 4);
    }
    cr_assert_float_eq(energies[1] / energies[0], 1.0, 5e-4, "%g", energies[1] / energies[0] - 1.0);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-9);
    tn_world_destroy(world);
}

Test(surface_joint, a_soft_one_gives_way_by_its_frequency) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 0, -1, 0, 2, 0.01);
    tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_SPHERE, TN_SOLVER_AUTO);
    def.base.hertz = 5.0f;
    tn_joint_id joint = tn_surface_joint_create(world, &def);
    run(world, 3.0, 60.0, 4);
    cr_assert_float_eq(tn_surface_joint_get_distance(world, joint), GRAVITY / (100.0 * PI * PI),
                       1e-4);
    tn_world_destroy(world);
}

// In the middle of a sphere no direction is the right one: any will do.
Test(surface_joint, comes_out_of_the_middle) {
    const tn_surface_shape shapes[] = {TN_SURFACE_SHAPE_SPHERE, TN_SURFACE_SHAPE_CYLINDER,
                                       TN_SURFACE_SHAPE_ELLIPSOID, TN_SURFACE_SHAPE_TORUS};
    for (int i = 0; i < 8; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 1, 0.01);
        tn_surface_joint_def def = make_def(body, shapes[i % 4], solvers[i / 4]);
        tn_joint_id joint = tn_surface_joint_create(world, &def);
        run(world, 3.0, 60.0, 4);
        double gap = tn_joint_get_error(world, joint).linear_length;
        bool has_way_out = shapes[i % 4] != TN_SURFACE_SHAPE_ELLIPSOID;
        cr_assert(isfinite(place_of(world, body).y));
        cr_assert(!has_way_out || gap < 0.01, "case %d: %g m", i, gap);
        tn_world_destroy(world);
    }
}

// ---- definitions -------------------------------------------------------------------------------

static void nowhere(tn_vec3 p, tn_surface_value *out, void *context) {
    out->value = *(const bool *)context ? p.y : (double)NAN;
    out->gradient = (tn_vec3){0.0, 1.0, 0.0};
}

Test(surface_joint, a_callback_without_numbers_is_refused_and_later_does_no_harm) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 0.01);
    bool is_good = false;
    tn_surface_joint_def def = make_def(body, TN_SURFACE_SHAPE_IMPLICIT, TN_SOLVER_AUTO);
    def.evaluate = nowhere;
    def.evaluate_user_data = &is_good;
    cr_assert_eq(tn_surface_joint_create(world, &def).value, 0);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_NOT_FINITE);
    is_good = true;
    cr_assert(tn_surface_joint_create(world, &def).value != 0);
    is_good = false;
    throw_body(world, body, 0.0, 1.0, 0.0);
    run(world, 1.0, 60.0, 4);
    cr_assert_eq(reports.count, 61, "%u", reports.count);
    cr_assert_float_eq(place_of(world, body).y, 1.0, 1e-6);
    tn_world_destroy(world);
}

Test(surface_joint, refuses_definitions_that_make_no_sense) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 0.01);
    tn_surface_joint_def good = make_def(body, TN_SURFACE_SHAPE_TORUS, TN_SOLVER_AUTO), bad[7];
    for (int i = 0; i < 7; ++i) {
        bad[i] = good;
    }
    bad[0].shape = (tn_surface_shape)9;
    bad[1].side = (tn_surface_side)-1;
    bad[2].radius = 0.0;
    bad[3].tube_radius = 2.0;
    bad[4].half_axes.y = -1.0;
    bad[5].shape = TN_SURFACE_SHAPE_IMPLICIT;
    bad[6].tube_radius = 0.0;
    for (uint32_t i = 0; i < 7; ++i) {
        cr_assert_eq(tn_surface_joint_create(world, &bad[i]).value, 0, "case %u", i);
        cr_assert(reports.count == i + 1 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    }
    bad[0] = good;
    bad[0].radius = (double)INFINITY;
    cr_assert_eq(tn_surface_joint_create(world, &bad[0]).value, 0);
    cr_assert(reports.count == 8 && reports.last == TN_RESULT_NOT_FINITE);
    tn_joint_id joint = tn_surface_joint_create(world, &good);
    tn_surface_joint_set_radius(world, joint, 0.1);
    tn_surface_joint_set_side(world, joint, (tn_surface_side)3);
    cr_assert(reports.count == 10 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    tn_surface_joint_set_radius(world, joint, (double)NAN);
    cr_assert(reports.count == 11 && reports.last == TN_RESULT_NOT_FINITE);
    tn_surface_joint_set_radius(world, joint, 2.0);
    tn_surface_joint_set_side(world, joint, TN_SURFACE_SIDE_INSIDE);
    tn_surface_joint_def def = tn_surface_joint_get_def(world, joint);
    cr_assert(reports.count == 11 && def.radius == 2.0 && def.side == TN_SURFACE_SIDE_INSIDE);
    tn_world_destroy(world);
}
