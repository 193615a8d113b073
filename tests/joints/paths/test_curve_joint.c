// A point that is led along a curve: closed forms of beads on circles and cycloids, what acts along
// the way, its ends, rounds, and definitions that make no sense.
#include <stdlib.h>

#include "tests/joints/joint_world.h"

#define PI      3.14159265358979323846
#define GRAVITY 9.81

static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 weightless = {0.0, 0.0, 0.0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};

TestSuite(curve_joint, .timeout = 60);

// ---- curves ------------------------------------------------------------------------------------

#define CIRCLE_POINTS 128

// Of radius 1 about the origin in the plane of x and y, from its lowest point counter-clockwise.
static const tn_vec3 *make_circle(void) {
    static tn_vec3 points[CIRCLE_POINTS];
    for (int i = 0; i < CIRCLE_POINTS; ++i) {
        double angle = 2.0 * PI * i / CIRCLE_POINTS;
        points[i] = (tn_vec3){sin(angle), -cos(angle), 0.0};
    }
    return points;
}

static tn_curve_joint_def circle_def(tn_body_id bead) {
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = bead;
    def.points = make_circle();
    def.point_count = CIRCLE_POINTS;
    def.is_closed = true;
    return def;
}

static void throw_body(tn_world *world, tn_body_id body, double x) {
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {x, 0.0, 0.0}});
}

static double energy_of(const tn_world *world, tn_body_id body, double mass) {
    tn_velocity v = tn_body_get_velocity(world, body);
    double square = v.linear.x * v.linear.x + v.linear.y * v.linear.y + v.linear.z * v.linear.z;
    return mass * (0.5 * square + GRAVITY * tn_body_get_pose(world, body).position.y);
}

// ---- circle ------------------------------------------------------------------------------------

static double height_angle(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.x;
}

Test(curve_joint, a_bead_on_a_circle_swings_as_a_pendulum) {
    const double gaps[] = {2e-4, 1e-12, 2e-4, 1e-12}, times[] = {5e-4, 1e-4, 5e-4, 1e-4};
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id bead = body_make(world, sin(1.0), -cos(1.0), 0, 2, 0.01);
        tn_curve_joint_def def = circle_def(bead);
        def.base.solver = solvers[i];
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        double period = measure_period(world, joint, height_angle, 10.0, 240.0, 4);
        double exact = pendulum_period(sqrt(GRAVITY), 1.0);
        double gap = tn_joint_get_error(world, joint).linear_length;
        cr_assert_float_eq(period / exact, 1.0, times[i], "solver %d: %g", i, period / exact - 1.0);
        cr_assert(gap < gaps[i], "solver %d: %g m", i, gap);
        tn_world_destroy(world);
    }
}

// At the lowest point of a swing let go at the height of the middle: m g + 2 m g.
Test(curve_joint, carries_the_weight_and_the_centripetal_force) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id bead = body_make(world, 0, -1, 0, 2, 0.01);
        tn_curve_joint_def def = circle_def(bead);
        def.base.solver = solvers[i];
        throw_body(world, bead, sqrt(2.0 * GRAVITY));
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        run(world, 1.0 / 960.0, 960.0, 4);
        tn_vec3 force = tn_joint_get_reaction(world, joint).force;
        cr_assert_float_eq(force.y, 3.0 * 2.0 * GRAVITY, 0.05, "%g N", force.y);
        tn_world_destroy(world);
    }
}

Test(curve_joint, counts_the_rounds_of_a_closed_curve) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id bead = body_make(world, 0, -1, 0, 2, 0.01);
        tn_curve_joint_def def = circle_def(bead);
        def.base.solver = solvers[i];
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        double length = tn_curve_joint_get_length(world, joint);
        cr_assert_float_eq(length, 2.0 * PI, 1e-6);
        cr_assert_float_eq(tn_curve_joint_get_way(world, joint), 0.0, 1e-12);
        throw_body(world, bead, 4.0);
        run(world, 10.0, 60.0, 4);
        cr_assert_float_eq(tn_curve_joint_get_way(world, joint), 40.0, i == 0 ? 0.2 : 0.01, "%g m",
                           tn_curve_joint_get_way(world, joint));
        cr_assert_float_eq(tn_curve_joint_get_speed(world, joint), 4.0, i == 0 ? 0.02 : 1e-3);
        throw_body(world, bead, 0.0);
        tn_body_set_pose(world, bead, (tn_pose){{-1.0, 0.0, 0.0}, {0, 0, 0, 1}});
        double way = tn_curve_joint_get_way(world, joint);
        cr_assert_float_eq(way - length * floor(way / length), 0.75 * length, 1e-4);
        tn_world_destroy(world);
    }
}

// ---- cycloid -----------------------------------------------------------------------------------

#define CYCLOID_POINTS 513

// x = r (t + sin t), y = -r (1 + cos t), lowest at t = 0; the points lie closer toward its ends.
static const tn_vec3 *make_cycloid(double r) {
    static tn_vec3 points[CYCLOID_POINTS];
    for (int i = 0; i < CYCLOID_POINTS; ++i) {
        double t = 3.0 * sin(0.5 * PI * (2.0 * i / (CYCLOID_POINTS - 1) - 1.0));
        points[i] = (tn_vec3){r * (t + sin(t)), -r * (1.0 + cos(t)), 0.0};
    }
    return points;
}

static double place_on_x(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.x;
}

// Huygens: 4 pi sqrt(r / g), from wherever it is let go.
Test(curve_joint, a_bead_on_a_cycloid_takes_the_same_time_from_everywhere) {
    const double starts[] = {0.3, 1.5, 2.5}, r = 0.5;
    for (int i = 0; i < 3; ++i) {
        tn_world *world = world_make(gravity, NULL);
        double t = starts[i];
        tn_body_id bead = body_make(world, r * (t + sin(t)), -r * (1.0 + cos(t)), 0, 1, 0.01);
        tn_curve_joint_def def = tn_curve_joint_def_default();
        def.base.body_b = bead;
        def.base.solver = TN_SOLVER_DIRECT;
        def.points = make_cycloid(r);
        def.point_count = CYCLOID_POINTS;
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        double period = measure_period(world, joint, place_on_x, 10.0, 240.0, 4);
        double exact = 4.0 * PI * sqrt(r / GRAVITY);
        cr_assert_float_eq(period / exact, 1.0, 1e-4, "from %g: %g", t, period / exact - 1.0);
        tn_world_destroy(world);
    }
}

// The time from rest at the first point to the last one.
static double slide_down(const tn_vec3 *points, uint32_t count, double start_y) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id bead = body_make(world, points[0].x, start_y, 0, 1, 0.01);
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = bead;
    def.base.solver = TN_SOLVER_DIRECT;
    def.points = points;
    def.point_count = count;
    tn_joint_id joint = tn_curve_joint_create(world, &def);
    double length = tn_curve_joint_get_length(world, joint), before = 0.0, now = 0.0;
    int step = 0;
    for (; step < 2400 && now < length - 0.02; ++step) {
        before = now;
        cr_assert(tn_world_step(world, 1.0 / 1200.0, 4) == TN_RESULT_OK);
        now = tn_curve_joint_get_way(world, joint);
    }
    double speed = (now - before) * 1200.0;
    double time = step / 1200.0 + (length - now) / speed;
    tn_world_destroy(world);
    return time;
}

// From the cusp to the lowest point: pi sqrt(r / g) down the cycloid; down the straight line, on
// which it falls 2 r over a length of sqrt(pi^2 + 4) r, sqrt((pi^2 + 4) r / g).
Test(curve_joint, a_bead_is_soonest_down_a_cycloid) {
    const double r = 0.5;
    static tn_vec3 cycloid[257];
    for (int i = 0; i < 257; ++i) {
        double t = PI * i / 256.0;
        cycloid[i] = (tn_vec3){r * (t - sin(t)), -r * (1.0 - cos(t)), 0.0};
    }
    const tn_vec3 line[2] = {{0, 0, 0}, {r * PI, -2.0 * r, 0.0}};
    double along_line = sqrt((PI * PI + 4.0) * r / GRAVITY);
    double along_cycloid = PI * sqrt(r / GRAVITY);
    double by_cycloid = slide_down(cycloid, 257, 0.0), by_line = slide_down(line, 2, 0.0);
    cr_assert_float_eq(by_line / along_line, 1.0, 2e-3, "%g, not %g", by_line, along_line);
    cr_assert_float_eq(by_cycloid / along_cycloid, 1.0, 5e-3, "%g, not %g", by_cycloid,
                       along_cycloid);
    cr_assert(by_cycloid < by_line);
}

// ---- in space ----------------------------------------------------------------------------------

#define TRACK_POINTS 24

static const tn_vec3 *make_track(void) {
    static tn_vec3 points[TRACK_POINTS];
    for (int i = 0; i < TRACK_POINTS; ++i) {
        double t = 2.0 * PI * i / TRACK_POINTS;
        points[i] = (tn_vec3){6.0 * sin(t), 2.0 * cos(3.0 * t), 3.0 * sin(2.0 * t)};
    }
    return points;
}

static tn_curve_joint_def track_def(tn_body_id car, tn_solver solver) {
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = car;
    def.base.solver = solver;
    def.points = make_track();
    def.point_count = TRACK_POINTS;
    def.is_closed = true;
    return def;
}

// It crosses its own plan, climbs and dives; 60 m/s^2 in the turns.
Test(curve_joint, a_roller_coaster_keeps_its_energy) {
    const double most_lost[] = {0.02, 5e-3};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id car = body_make(world, 0, 2, 0, 2, 0.1);
        tn_curve_joint_def def = track_def(car, solvers[i]);
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        throw_body(world, car, 3.0);
        run(world, 1.0 / 240.0, 240.0, 4);
        double start = energy_of(world, car, 2.0), scale = 2.0 * GRAVITY * 4.0, lost = 0.0;
        double gap = 0.0;
        for (int k = 0; k < 2400; ++k) {
            run(world, 1.0 / 240.0, 240.0, 4);
            lost = fmax(lost, fabs(energy_of(world, car, 2.0) - start) / scale);
            gap = fmax(gap, tn_joint_get_error(world, joint).linear_length);
        }
        cr_assert(lost < most_lost[i], "solver %d: %g", i, lost);
        cr_assert(gap < (i == 0 ? 2e-3 : 1e-9), "solver %d: %g m", i, gap);
        cr_assert(tn_curve_joint_get_way(world, joint) >
                  tn_curve_joint_get_length(world, joint)); // more than a round
        tn_world_destroy(world);
    }
}

Test(curve_joint, a_speed_motor_holds_its_speed_round_a_closed_track) {
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id car = body_make(world, 0, 2, 0, 2, 0.1);
        tn_curve_joint_def def = track_def(car, solvers[i]);
        def.motor.mode = TN_MOTOR_MODE_SPEED;
        def.motor.target_speed = 5.0f;
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        run(world, 0.5, 60.0, 4);
        double way = tn_curve_joint_get_way(world, joint), worst = 0.0;
        for (int k = 0; k < 600; ++k) {
            run(world, 1.0 / 60.0, 60.0, 4);
            worst = fmax(worst, fabs(tn_curve_joint_get_speed(world, joint) - 5.0));
        }
        way = tn_curve_joint_get_way(world, joint) - way;
        cr_assert(worst < 0.02, "solver %d: %g m/s", i, worst);
        cr_assert_float_eq(way, 50.0, 0.1, "solver %d: %g m", i, way);
        tn_world_destroy(world);
    }
}

// Two moving bodies: a ring that is free to move, and a bead on it. What they do together keeps
// momentum, angular momentum about the middle of mass and energy.
Test(curve_joint, a_bead_on_a_free_ring_keeps_momentum_and_energy) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id ring = body_make(world, 0, 0, 0, 3, 1.5), bead = body_make(world, 0, -1, 0, 1, 0.01);
    tn_curve_joint_def def = circle_def(bead);
    def.base.body_a = ring;
    def.base.solver = TN_SOLVER_DIRECT;
    tn_joint_id joint = tn_curve_joint_create(world, &def);
    tn_body_set_velocity(world, ring, (tn_velocity){{0.0, 0.0, 0.0}, {0.0, 0.3, 0.1}});
    throw_body(world, bead, 2.0);
    run(world, 1.0 / 240.0, 240.0, 4);
    double energies[2];
    tn_vec3 momenta[2], spins[2];
    for (int k = 0; k < 2; ++k) {
        const tn_body_id bodies[2] = {ring, bead};
        const double masses[2] = {3, 1}, inertias[2] = {1.5, 0.01};
        energies[k] = 0.0;
        momenta[k] = spins[k] = (tn_vec3){0, 0, 0};
        for (int n = 0; n < 2; ++n) {
            tn_velocity v = tn_body_get_velocity(world, bodies[n]);
            tn_vec3 p = tn_body_get_pose(world, bodies[n]).position;
            tn_vec3 l = v.linear, w = v.angular;
            energies[k] += 0.5 * masses[n] * (l.x * l.x + l.y * l.y + l.z * l.z) +
                           0.5 * inertias[n] * (w.x * w.x + w.y * w.y + w.z * w.z);
            momenta[k].x += masses[n] * l.x;
            momenta[k].y += masses[n] * l.y;
            spins[k].x += inertias[n] * w.x + masses[n] * (p.y * l.z - p.z * l.y);
            spins[k].z += inertias[n] * w.z + masses[n] * (p.x * l.y - p.y * l.x);
        }
        if (k == 0) {
            run(world, 5.0, 240.0, 4);
        }
    }
    cr_assert_float_eq(energies[1] / energies[0], 1.0, 2e-4, "%g", energies[1] / energies[0] - 1.0);
    cr_assert_float_eq(momenta[1].x, momenta[0].x, 1e-10);
    cr_assert_float_eq(momenta[1].y, momenta[0].y, 1e-10);
    cr_assert_float_eq(spins[1].x, spins[0].x, 1e-3 * fabs(spins[0].z));
    cr_assert_float_eq(spins[1].z, spins[0].z, 1e-3 * fabs(spins[0].z));
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-10);
    tn_world_destroy(world);
}

// ---- what acts along the way -------------------------------------------------------------------

static const tn_vec3 bent[4] = {{0, 0, 0}, {1, 0.5, 0}, {2, 0, 0.5}, {3, 0, 0}};

static tn_curve_joint_def bent_def(tn_body_id bead, tn_solver solver) {
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = bead;
    def.base.solver = solver;
    def.points = bent;
    def.point_count = 4;
    return def;
}

Test(curve_joint, ends_where_its_points_end) {
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id bead = body_make(world, 0, 0, 0, 1, 0.01);
        tn_curve_joint_def def = bent_def(bead, solvers[i]);
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        throw_body(world, bead, 4.0);
        run(world, 3.0, 60.0, 4);
        tn_vec3 at = tn_body_get_pose(world, bead).position;
        cr_assert_float_eq(at.x, 3.0, 2e-3, "solver %d: %g", i, at.x);
        cr_assert(fabs(tn_curve_joint_get_speed(world, joint)) < 1e-3);
        cr_assert_float_eq(tn_curve_joint_get_way(world, joint),
                           tn_curve_joint_get_length(world, joint), 2e-3);
        tn_world_destroy(world);
    }
}

Test(curve_joint, bounces_off_its_ends_when_told_to) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id bead = body_make(world, 0, 0, 0, 1, 0.01);
        tn_curve_joint_def def = bent_def(bead, solvers[i]);
        def.limit.restitution = 0.5f;
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        throw_body(world, bead, 4.0);
        run(world, 1.0 / 240.0, 240.0, 4);
        double speed = tn_curve_joint_get_speed(world, joint), after = speed;
        for (int k = 0; k < 480 && after > 0.0; ++k) {
            run(world, 1.0 / 240.0, 240.0, 4);
            after = tn_curve_joint_get_speed(world, joint);
        }
        cr_assert_float_eq(after / speed, -0.5, 0.01, "solver %d: %g", i, after / speed);
        tn_world_destroy(world);
    }
}

Test(curve_joint, a_limit_bounds_the_way) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id bead = body_make(world, 0, 0, 0, 1, 0.01);
    tn_curve_joint_def def = bent_def(bead, TN_SOLVER_DIRECT);
    tn_joint_id joint = tn_curve_joint_create(world, &def);
    tn_curve_joint_set_limit(world, joint, (tn_limit){.is_enabled = true, .upper = 1.5f});
    throw_body(world, bead, 4.0);
    run(world, 2.0, 60.0, 4);
    cr_assert_float_eq(tn_curve_joint_get_way(world, joint), 1.5, 1e-3);
    tn_world_destroy(world);
}

// On a closed curve a target may be rounds away.
Test(curve_joint, a_position_motor_goes_rounds_to_its_target) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id bead = body_make(world, 0, -1, 0, 2, 0.01);
        tn_curve_joint_def def = circle_def(bead);
        def.base.solver = solvers[i];
        def.motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                               .target_position = -15.0f,
                               .stiffness = 50.0f,
                               .damping = 20.0f,
                               .max_force = 40.0f};
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        run(world, 10.0, 60.0, 4);
        cr_assert_float_eq(tn_curve_joint_get_way(world, joint), -15.0, 1e-3, "solver %d: %g m", i,
                           tn_curve_joint_get_way(world, joint));
        tn_world_destroy(world);
    }
}

// sqrt(k / m) = 10 rad/s.
static double way_off_middle(const tn_world *world, tn_joint_id joint) {
    return tn_curve_joint_get_way(world, joint) - 1.5;
}

Test(curve_joint, a_spring_swings_along_the_way) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id bead = body_make(world, 1.0, 0.5, 0, 2, 0.01);
        tn_curve_joint_def def = bent_def(bead, solvers[i]);
        def.spring =
            (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 200.0f, .rest = 1.5f};
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        double period = measure_period(world, joint, way_off_middle, 5.0, 240.0, 4);
        cr_assert_float_eq(period, 0.2 * PI, 2e-3, "solver %d: %g s", i, period);
        tn_world_destroy(world);
    }
}

// 4 N on 2 kg stop 6 m/s in 3 s, on a curve as on a line; viscous friction takes e^(-c t / m).
Test(curve_joint, friction_stops_along_the_way) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id bead = body_make(world, 0, -1, 0, 2, 0.01);
        tn_curve_joint_def def = circle_def(bead);
        def.base.solver = solvers[i];
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        tn_curve_joint_set_friction(world, joint, 4.0f);
        throw_body(world, bead, 6.0);
        run(world, 1.0, 240.0, 4);
        cr_assert_float_eq(tn_curve_joint_get_speed(world, joint), 4.0, 0.01);
        run(world, 2.5, 240.0, 4);
        cr_assert(fabs(tn_curve_joint_get_speed(world, joint)) < 1e-4);
        tn_curve_joint_set_friction(world, joint, 0.0f);
        tn_curve_joint_set_viscous_friction(world, joint, 2.0f);
        tn_body_set_pose(world, bead, (tn_pose){{0.0, -1.0, 0.0}, {0, 0, 0, 1}});
        throw_body(world, bead, 6.0);
        run(world, 1.0, 240.0, 4);
        cr_assert_float_eq(tn_curve_joint_get_speed(world, joint), 6.0 * exp(-1.0), 0.01);
        tn_world_destroy(world);
    }
}

// m g / k under its weight, with k = m (2 pi f)^2.
Test(curve_joint, a_soft_one_gives_way_by_its_frequency) {
    const tn_vec3 level[2] = {{-1, 0, 0}, {1, 0, 0}};
    tn_world *world = world_make(gravity, NULL);
    tn_body_id bead = body_make(world, 0, 0, 0, 2, 0.01);
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = bead;
    def.base.hertz = 5.0f;
    def.points = level;
    def.point_count = 2;
    tn_joint_id joint = tn_curve_joint_create(world, &def);
    run(world, 3.0, 60.0, 4);
    double sag = GRAVITY / (100.0 * PI * PI);
    cr_assert_float_eq(tn_body_get_pose(world, bead).position.y, -sag, 1e-4);
    cr_assert_float_eq(tn_joint_get_error(world, joint).linear_length, sag, 1e-4);
    tn_world_destroy(world);
}

// ---- crossings ---------------------------------------------------------------------------------

// A figure of eight, at speed through the crossing: first the one branch, then the other.
Test(curve_joint, goes_straight_on_where_the_curve_crosses_itself) {
    static tn_vec3 points[64];
    for (int i = 0; i < 64; ++i) {
        double t = 2.0 * PI * (i + 0.5) / 64;
        points[i] = (tn_vec3){2.0 * sin(t), sin(2.0 * t), 0.0};
    }
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id bead = body_make(world, points[0].x, points[0].y, 0, 1, 0.01);
        tn_curve_joint_def def = tn_curve_joint_def_default();
        def.base.body_b = bead;
        def.base.solver = solvers[i];
        def.points = points;
        def.point_count = 64;
        def.is_closed = true;
        def.motor.mode = TN_MOTOR_MODE_SPEED;
        def.motor.target_speed = 6.0f;
        tn_joint_id joint = tn_curve_joint_create(world, &def);
        double length = tn_curve_joint_get_length(world, joint), right = 0.0, left = 0.0;
        run(world, 0.2, 60.0, 4);
        double start = tn_curve_joint_get_way(world, joint);
        for (int k = 0; k < 600; ++k) {
            run(world, 1.0 / 60.0, 60.0, 4);
            double x = tn_body_get_pose(world, bead).position.x;
            right = fmax(right, x);
            left = fmin(left, x);
        }
        cr_assert(right > 1.95 && left < -1.95);
        double way = tn_curve_joint_get_way(world, joint) - start;
        cr_assert_float_eq(way, 60.0, 0.2, "solver %d: %g m of %g", i, way, length);
        tn_world_destroy(world);
    }
}

// ---- definitions -------------------------------------------------------------------------------

Test(curve_joint, has_a_copy_of_its_points) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id bead = body_make(world, 0, 0, 0, 1, 0.01);
    tn_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}};
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = bead;
    def.points = points;
    def.point_count = 3;
    tn_joint_id joint = tn_curve_joint_create(world, &def);
    memset(points, 0, sizeof points);
    tn_curve_joint_set_friction(world, joint, 1.0f);
    tn_curve_joint_def own = tn_curve_joint_get_def(world, joint);
    cr_assert(own.points != points && own.point_count == 3 && !own.is_closed);
    cr_assert(own.points[1].x == 1.0 && own.points[2].y == 1.0 && own.friction == 1.0f);
    tn_joint_id other = tn_curve_joint_create(world, &own);
    cr_assert(other.value != 0);
    cr_assert(tn_curve_joint_get_length(world, other) == tn_curve_joint_get_length(world, joint));
    tn_world_destroy(world);
}

static void refuse(tn_world *world, const test_reports *reports, const tn_curve_joint_def *def,
                   tn_result result) {
    uint32_t count = reports->count;
    cr_assert_eq(tn_curve_joint_create(world, def).value, 0);
    cr_assert(reports->count == count + 1 && reports->last == result, "%s, not %s",
              tn_result_name(reports->last), tn_result_name(result));
    cr_assert_str_eq(reports->function, "tn_curve_joint_create");
}

Test(curve_joint, refuses_points_that_make_no_curve) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id bead = body_make(world, 0, 0, 0, 1, 0.01);
    tn_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}};
    tn_curve_joint_def good = tn_curve_joint_def_default(), def;
    good.base.body_b = bead;
    good.points = points;
    good.point_count = 3;
    def = good;
    def.points = NULL;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.point_count = 1;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def.point_count = 2;
    def.is_closed = true;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.point_count = TN_CURVE_MAX_POINTS + 1;
    refuse(world, &reports, &def, TN_RESULT_TOO_LARGE);
    points[1] = points[0];
    refuse(world, &reports, &good, TN_RESULT_INVALID_ARGUMENT);
    points[1] = (tn_vec3){1.0, (double)NAN, 0.0};
    refuse(world, &reports, &good, TN_RESULT_NOT_FINITE);
    points[1] = (tn_vec3){1e300, 0.0, 0.0};
    refuse(world, &reports, &good, TN_RESULT_NOT_FINITE);
    points[1] = (tn_vec3){2.0, 1.0, 0.0}; // there and back
    points[2] = points[0];
    refuse(world, &reports, &good, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    points[2] = (tn_vec3){0.0, 3.0, 0.0};
    def.friction = -1.0f;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.motor.target_speed = NAN;
    refuse(world, &reports, &def, TN_RESULT_NOT_FINITE);
    cr_assert_eq(tn_world_count_joints(world), 0);
    cr_assert(tn_curve_joint_create(world, &good).value != 0);
    tn_world_destroy(world);
}

// The most points there may be, on a helix, and a bead that runs down all of it.
Test(curve_joint, takes_thousands_of_points) {
    tn_vec3 *points = calloc(TN_CURVE_MAX_POINTS, sizeof *points);
    for (int i = 0; i < TN_CURVE_MAX_POINTS; ++i) {
        double t = 0.05 * i;
        points[i] = (tn_vec3){cos(t), -0.01 * t, sin(t)};
    }
    tn_world *world = world_make(gravity, NULL);
    tn_body_id bead = body_make(world, 1, 0, 0, 1, 0.01);
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base.body_b = bead;
    def.base.solver = TN_SOLVER_DIRECT;
    def.points = points;
    def.point_count = TN_CURVE_MAX_POINTS;
    tn_joint_id joint = tn_curve_joint_create(world, &def);
    free(points);
    run(world, 4.0, 60.0, 4);
    double slope = 0.01 / sqrt(1.0001), way = 0.5 * GRAVITY * slope * 16.0;
    cr_assert_float_eq(tn_curve_joint_get_way(world, joint), way, 1e-3 * way);
    cr_assert(tn_joint_get_error(world, joint).linear_length < 1e-11);
    tn_world_destroy(world);
}
