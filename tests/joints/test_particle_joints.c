// Joints of particles: against closed forms and what is kept, by every solver; and what is refused.
#include "joint_world.h"
#include "scenes/scene.h"
#include "tests/support/long_test.h"

#define GRAVITY 9.81

static const tn_solver solvers[] = {TN_SOLVER_AUTO, TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
#define SOLVERS (sizeof solvers / sizeof solvers[0])

static test_reports reports;

static tn_world *make_world(tn_solver solver, double gravity) {
    tn_world *world = world_make((tn_vec3){0.0, -gravity, 0.0}, &reports);
    tn_world_set_solver(world, solver);
    return world;
}

static void drop_world(tn_world *world) {
    cr_assert(reports.count == 0, "%s: %s", reports.function, tn_result_name(reports.last));
    tn_world_destroy(world);
}

static tn_body_id make_particle(tn_world *world, tn_vec3 at, double mass) {
    tn_body_def def = tn_body_def_default();
    def.is_particle = true;
    def.pose.position = at;
    def.has_mass = true;
    def.mass.mass = mass;
    tn_body_id body = tn_body_create(world, &def);
    cr_assert(body.value != 0);
    return body;
}

static tn_joint_id make_rod(tn_world *world, tn_body_id a, tn_body_id b, double length) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.length = (float)length;
    tn_joint_id joint = tn_distance_joint_create(world, &def);
    cr_assert(joint.value != 0);
    return joint;
}

static double distance(tn_vec3 a, tn_vec3 b) {
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return sqrt(x * x + y * y + z * z);
}

TestSuite(particle_joints, .timeout = 60);

// ---- closed forms -------------------------------------------------------------------------------

static tn_body_id bob;
static double get_bob_x(const tn_world *world, tn_joint_id joint) {
    (void)joint;
    return tn_body_get_center(world, bob).x;
}

Test(particle_joints, a_particle_on_a_rod_is_a_mathematical_pendulum) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        tn_world *world = make_world(solvers[i], GRAVITY);
        bob = make_particle(world, (tn_vec3){sin(1.0), -cos(1.0), 0.0}, 2.0);
        tn_joint_id rod = make_rod(world, world_body, bob, 1.0);
        double period = measure_period(world, rod, get_bob_x, 10.0, 240.0, 4);
        double exact = pendulum_period(sqrt(GRAVITY), 1.0);
        cr_assert_float_eq(period, exact, 2e-4 * exact, "%d: %g, not %g", (int)i, period, exact);
        cr_assert_float_eq(tn_body_get_center(world, bob).z, 0.0, 1e-12);
        drop_world(world);
    }
}

// Its pull at the lowest point is m g (3 - 2 cos 1).
Test(particle_joints, a_rod_tells_the_pull_of_a_particle) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        tn_world *world = make_world(solvers[i], GRAVITY);
        bob = make_particle(world, (tn_vec3){sin(1.0), -cos(1.0), 0.0}, 2.0);
        tn_joint_id rod = make_rod(world, world_body, bob, 1.0);
        double most = 0.0;
        for (int step = 0; step < 240; ++step) {
            run(world, 1.0 / 240.0, 240.0, 4);
            most = fmax(most, length_of(tn_joint_get_reaction(world, rod).force));
        }
        double exact = 2.0 * GRAVITY * (3.0 - 2.0 * cos(1.0));
        cr_assert_float_eq(most, exact, 2e-3 * exact, "%d: %g, not %g", (int)i, most, exact);
        drop_world(world);
    }
}

static tn_body_id ends[2];
static double get_stretch(const tn_world *world, tn_joint_id joint) {
    return tn_distance_joint_get_length(world, joint) - 1.0;
}

// Two of 1 and 3 kg on 300 N/m swing against each other at sqrt(k / 0.75 kg).
Test(particle_joints, two_particles_swing_on_a_spring) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        tn_world *world = make_world(solvers[i], 0.0);
        ends[0] = make_particle(world, (tn_vec3){0.0, 0.0, 0.0}, 1.0);
        ends[1] = make_particle(world, (tn_vec3){1.1, 0.0, 0.0}, 3.0);
        tn_distance_joint_def def = tn_distance_joint_def_default();
        def.base.body_a = ends[0];
        def.base.body_b = ends[1];
        def.is_rigid = false;
        def.spring =
            (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 300.0f, .rest = 1.0f};
        tn_joint_id spring = tn_distance_joint_create(world, &def);
        double period = measure_period(world, spring, get_stretch, 4.0, 240.0, 4);
        double exact = 2.0 * 3.14159265358979 / midpoint_frequency(20.0, 1.0 / 960.0);
        cr_assert_float_eq(period, exact, 1e-4 * exact, "%d: %g, not %g", (int)i, period, exact);
        tn_vec3 p = tn_world_get_energy(world).linear_momentum;
        cr_assert_float_eq(p.x, 0.0, 1e-5); // of impulses in float
        drop_world(world);
    }
}

// The polygon of a hanging rope: scenes/bead_rope.c has the closed form.
static double get_figure(const scene_run *run, const char *name) {
    for (uint32_t i = 0; i < run->figure_count; ++i) {
        if (strcmp(run->figures[i].name, name) == 0) {
            return run->figures[i].value;
        }
    }
    cr_assert(false, "no figure %s", name);
    return 0.0;
}

static void hang_rope(tn_solver solver, double beads, double tolerance) {
    const scene *rope = scene_find("bead_rope");
    const scene_choice choices[] = {{"count", beads}, {"damping", 5.0}};
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(rope, choices, 2, values));
    tn_world_def def = tn_world_def_default();
    def.solver = solver;
    scene_run *run = scene_run_create(rope, values, &def);
    cr_assert_not_null(run);
    for (int i = 0; i < 600; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, 4) == TN_RESULT_OK);
    }
    scene_run_measure(run);
    double sag = get_figure(run, "sag_m"), exact = get_figure(run, "sag_exact_m");
    cr_assert_float_eq(sag, exact, tolerance, "%g beads: %g m, not %g", beads, sag, exact);
    scene_run_destroy(run);
}

Test(particle_joints, a_rope_of_beads_hangs_as_the_funicular_polygon) {
    hang_rope(TN_SOLVER_DIRECT, 1, 1e-9); // two rods: a triangle
    hang_rope(TN_SOLVER_DIRECT, 2, 1e-9);
    hang_rope(TN_SOLVER_DIRECT, 25, 1e-6);
    hang_rope(TN_SOLVER_AUTO, 100, 1e-4);
}

static double fall_in_a_rope(uint32_t substeps) {
    const scene *item = scene_find("bead_rope");
    tn_world_def def = tn_world_def_default();
    def.solver = TN_SOLVER_DIRECT;
    scene_choice choice = {"count", 300};
    double values[SCENE_MAX_OPTIONS];
    cr_assert(scene_get_values(item, &choice, 1, values));
    scene_run *run = scene_run_create(item, values, &def);
    for (int i = 0; i < 18; ++i) {
        cr_assert(scene_run_step(run, 1.0 / 60.0, substeps) == TN_RESULT_OK);
    }
    double kinetic = tn_world_get_energy(run->world).kinetic;
    scene_run_destroy(run);
    return kinetic;
}

// 1.4374 and 1.4655 J. A step that is hard to solve is damped: with 4 substeps there were 1.36 J.
Test(particle_joints, a_falling_rope_of_beads_keeps_its_energy_in_long_steps) {
    double fine = fall_in_a_rope(16), coarse = fall_in_a_rope(4);
    cr_assert(fabs(coarse - fine) < 0.03 * fine, "%g, not %g", coarse, fine);
}

// ---- every joint of points ----------------------------------------------------------------------

static tn_body_id make_ball(tn_world *world, tn_vec3 at, double mass) {
    return body_make(world, at.x, at.y, at.z, mass, 0.01 * mass);
}

static tn_joint_id lead_along_curve(tn_world *world, const tn_joint_def *base) {
    static const tn_vec3 points[] = {
        {-1.0, 1.0, 0.0}, {0.0, 0.2, 0.3}, {1.0, 0.0, 0.0}, {3.0, 2.0, 0.0}};
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.base = *base;
    def.points = points;
    def.point_count = 4;
    return tn_curve_joint_create(world, &def);
}

static tn_joint_id lead_along_path(tn_world *world, const tn_joint_def *base) {
    static const double times[] = {0.0, 0.5, 1.0, 2.0};
    static const tn_vec3 points[] = {
        {1.0, 0.0, 0.0}, {1.5, 0.5, 0.0}, {1.0, 1.0, 1.0}, {0.0, 1.0, 0.0}};
    tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
    def.base = *base;
    def.times = times;
    def.points = points;
    def.point_count = 4;
    return tn_motion_path_joint_create(world, &def);
}

// Of the world with a body whose centre is at (1, 0, 0).
static tn_joint_id hold_point(tn_world *world, tn_joint_type type, tn_body_id body) {
    tn_joint_def base = tn_joint_def_default();
    base.body_b = body;
    switch (type) {
    case TN_JOINT_TYPE_BALL: {
        tn_ball_joint_def def = tn_ball_joint_def_default();
        def.base = base;
        def.base.frame_a.position.x = 1.01;
        return tn_ball_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_MOUSE: {
        tn_mouse_joint_def def = tn_mouse_joint_def_default();
        def.base.body_b = body;
        return tn_mouse_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_SURFACE: {
        tn_surface_joint_def def = tn_surface_joint_def_default();
        def.base = base;
        return tn_surface_joint_create(world, &def);
    }
    case TN_JOINT_TYPE_CURVE:
        return lead_along_curve(world, &base);
    case TN_JOINT_TYPE_MOTION_PATH:
        return lead_along_path(world, &base);
    default:
        return make_rod(world, world_body, body, 1.0);
    }
}

// As a ball that is held at its centre, which then does not turn either.
Test(particle_joints, hold_a_particle_as_the_middle_of_a_ball) {
    const tn_joint_type types[] = {TN_JOINT_TYPE_DISTANCE, TN_JOINT_TYPE_BALL,
                                   TN_JOINT_TYPE_MOUSE,    TN_JOINT_TYPE_SURFACE,
                                   TN_JOINT_TYPE_CURVE,    TN_JOINT_TYPE_MOTION_PATH};
    const tn_vec3 start = {1.0, 0.0, 0.0};
    for (size_t i = 0; i < SOLVERS * (sizeof types / sizeof types[0]); ++i) {
        tn_joint_type type = types[i / SOLVERS];
        tn_world *world = make_world(solvers[i % SOLVERS], GRAVITY);
        tn_body_id bead = make_particle(world, start, 2.0), ball = make_ball(world, start, 2.0);
        tn_joint_id of_bead = hold_point(world, type, bead),
                    of_ball = hold_point(world, type, ball);
        cr_assert(of_bead.value != 0 && of_ball.value != 0, "%d", (int)type);
        run(world, 0.8, 60.0, 4);
        double apart = distance(tn_body_get_center(world, bead), tn_body_get_center(world, ball));
        cr_assert(apart < 1e-5, "joint %d, solver %d: %g m", (int)type, (int)(i % SOLVERS), apart);
        double pull = length_of(tn_joint_get_reaction(world, of_bead).force);
        double other = length_of(tn_joint_get_reaction(world, of_ball).force);
        cr_assert_float_eq(pull, other, 1e-3 * fmax(other, 1.0), "%d: %g, %g N", (int)type, pull,
                           other);
        drop_world(world);
    }
}

// ---- what is kept -------------------------------------------------------------------------------

#define SIDE 8

// A square of rods, or of springs, with every knot at a velocity of its own.
static void make_net(tn_world *world, bool is_crossed, tn_body_id knots[SIDE][SIDE]) {
    uint32_t seed = 1;
    for (int i = 0; i < SIDE; ++i) {
        for (int k = 0; k < SIDE; ++k) {
            knots[i][k] = make_particle(world, (tn_vec3){0.1 * i, 0.1 * k, 0.0}, 0.1 + 0.01 * i);
            tn_velocity v = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
            double *numbers[3] = {&v.linear.x, &v.linear.y, &v.linear.z};
            for (int c = 0; c < 3; ++c) {
                seed = seed * 1664525u + 1013904223u;
                *numbers[c] = (double)(seed >> 8) / 16777216.0 - 0.5;
            }
            tn_body_set_velocity(world, knots[i][k], v);
            if (i > 0) {
                make_rod(world, knots[i - 1][k], knots[i][k], 0.1);
            }
            if (k > 0) {
                make_rod(world, knots[i][k - 1], knots[i][k], 0.1);
            }
            if (i > 0 && k > 0 && is_crossed) {
                make_rod(world, knots[i - 1][k - 1], knots[i][k], 0.1 * sqrt(2.0));
                make_rod(world, knots[i - 1][k], knots[i][k - 1], 0.1 * sqrt(2.0));
            }
        }
    }
}

Test(particle_joints, a_net_keeps_its_momenta) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        tn_world *world = make_world(solvers[i], 0.0);
        tn_body_id knots[SIDE][SIDE];
        make_net(world, false, knots);
        tn_energy before = tn_world_get_energy(world);
        run(world, 1.0, 60.0, 4);
        tn_energy after = tn_world_get_energy(world);
        // Of impulses in float; the direct solver ends where it is close enough, in double.
        bool is_exact = solvers[i] == TN_SOLVER_DIRECT;
        double tolerance = is_exact ? 1e-8 : 1e-5;
        tn_vec3 p = before.linear_momentum, q = after.linear_momentum;
        double off = fmax(fabs(q.x - p.x), fmax(fabs(q.y - p.y), fabs(q.z - p.z)));
        cr_assert(off < tolerance, "%d: %g kg m/s", (int)i, off);
        drop_world(world);
    }
}

// A bead at the corner of a box, both thrown: the box turns about a centre that is not its own. The
// bead adds no moment but that of its place.
Test(particle_joints, a_particle_on_a_spinning_body_keeps_momentum_and_energy) {
    tn_world *world = make_world(TN_SOLVER_DIRECT, 0.0);
    tn_body_id box = body_make(world, 0.0, 0.0, 0.0, 2.0, 0.5);
    tn_vec3 corner = {0.4, 0.3, 0.0};
    tn_body_id bead = make_particle(world, corner, 1.0);
    tn_ball_joint_def def = tn_ball_joint_def_default();
    set_frames(world, &def.base, box, bead, corner, (tn_vec3){1.0, 0.0, 0.0});
    tn_joint_id joint = tn_ball_joint_create(world, &def);
    cr_assert(joint.value != 0);
    tn_velocity spin = {{0.0, 0.0, 0.0}, {0.0, 0.0, 3.0}};
    tn_body_set_velocity(world, box, spin);
    tn_body_set_velocity(world, bead, (tn_velocity){.linear = {-0.9, 1.2, 0.0}});
    tn_energy before = tn_world_get_energy(world);
    run(world, 10.0, 240.0, 4);
    tn_energy after = tn_world_get_energy(world);
    cr_assert_float_eq(after.linear_momentum.x, before.linear_momentum.x, 1e-10);
    cr_assert_float_eq(after.linear_momentum.y, before.linear_momentum.y, 1e-10);
    cr_assert_float_eq(after.angular_momentum.z, before.angular_momentum.z, 1e-8);
    cr_assert_float_eq(after.kinetic, before.kinetic, 1e-8);
    cr_assert_float_eq(tn_joint_get_error(world, joint).linear_length, 0.0, 1e-9);
    // Free of forces a rigid whole keeps its rate about its own z axis.
    cr_assert_float_eq(tn_body_get_velocity(world, box).angular.z, 3.0, 1e-8);
    drop_world(world);
}

// ---- ropes over sheaves, functions, callbacks ---------------------------------------------------

static tn_rope_joint_def make_rope_def(tn_body_id left, tn_body_id right) {
    tn_rope_joint_def def = tn_rope_joint_def_default();
    def.points[0].body = left;
    def.points[1].position = (tn_vec3){0.0, 10.0, 0.0}; // a sheave of the world
    def.points[2].body = right;
    def.point_count = 3;
    return def;
}

// Atwood: a = g (m2 - m1) / (m2 + m1), and both sides pull with 2 g m1 m2 / (m1 + m2).
Test(particle_joints, two_particles_on_a_rope_are_atwoods_machine) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        tn_world *world = make_world(solvers[i], GRAVITY);
        ends[0] = make_particle(world, (tn_vec3){-0.001, 0.0, 0.0}, 1.0);
        ends[1] = make_particle(world, (tn_vec3){0.001, 0.0, 0.0}, 3.0);
        tn_rope_joint_def def = make_rope_def(ends[0], ends[1]);
        def.points[2].position.y = 1e-9; // as rounding leaves it
        tn_joint_id rope = tn_rope_joint_create(world, &def);
        cr_assert(rope.value != 0);
        run(world, 1.0, 60.0, 4);
        double fall = -tn_body_get_velocity(world, ends[1]).linear.y;
        cr_assert_float_eq(fall, 0.5 * GRAVITY, 1e-3, "%d: %g m/s", (int)i, fall);
        for (uint32_t k = 0; k < 2; ++k) {
            double pull = (double)tn_rope_joint_get_tension(world, rope, k);
            cr_assert_float_eq(pull, 1.5 * GRAVITY, 1e-3, "%d: %g N", (int)i, pull);
        }
        drop_world(world);
    }
}

// It is a lever that nothing turns: what is pulled is the centre.
static void pull_along_x(const tn_pose *a, const tn_pose *b, tn_custom_row *rows, void *context) {
    rows[0].error = b->position.x - a->position.x;
    rows[0].linear_b.x = 1.0;
    rows[0].linear_a.x = -1.0;
    rows[0].angular_b.z = *(const double *)context;
}

static tn_vec3 pull_particle(tn_solver solver, double lever) {
    tn_world *world = make_world(solver, GRAVITY);
    tn_body_id bead = make_particle(world, (tn_vec3){0.3, 0.0, 0.0}, 2.0);
    tn_custom_joint_def def = tn_custom_joint_def_default();
    def.base.body_b = bead;
    def.evaluate = pull_along_x;
    def.evaluate_user_data = &lever;
    def.row_count = 1;
    def.rows[0].kind = TN_CUSTOM_ROW_SPRING;
    def.rows[0].stiffness = 50.0f;
    cr_assert(tn_custom_joint_create(world, &def).value != 0);
    run(world, 1.0, 60.0, 4);
    tn_vec3 at = tn_body_get_center(world, bead);
    tn_vec3 w = tn_body_get_velocity(world, bead).angular;
    cr_assert(w.x == 0.0 && w.y == 0.0 && w.z == 0.0);
    drop_world(world);
    return at;
}

Test(particle_joints, what_a_callback_says_of_its_turning_does_nothing) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        tn_vec3 with = pull_particle(solvers[i], 0.7), without = pull_particle(solvers[i], 0.0);
        cr_assert(with.x == without.x && with.y == without.y && with.z == without.z, "%d: %g, %g",
                  (int)i, with.x, without.x);
        cr_assert(without.x < 0.2 && without.y < -4.0);
    }
}

// ---- more rows than freedom ---------------------------------------------------------------------

#define ROUND 12
#define HIGH  4

// A tube of rods, closed around, both diagonals in every mesh: 4 rods a knot for its 3 freedoms.
static uint32_t make_tube(tn_world *world, tn_body_id knots[HIGH][ROUND]) {
    uint32_t rods = 0;
    for (int i = 0; i < HIGH; ++i) {
        for (int k = 0; k < ROUND; ++k) {
            double angle = 2.0 * 3.14159265358979 * k / ROUND;
            knots[i][k] = make_particle(world, (tn_vec3){cos(angle), -0.5 * i, sin(angle)}, 0.1);
        }
    }
    for (int i = 0; i < HIGH; ++i) {
        for (int k = 0; k < ROUND; ++k) {
            const int to[4][2] = {{i, k + 1}, {i + 1, k}, {i + 1, k + 1}, {i + 1, k - 1}};
            for (int t = 0; t < 4; ++t) {
                if (to[t][0] < HIGH) {
                    tn_body_id other = knots[to[t][0]][(to[t][1] + ROUND) % ROUND];
                    make_rod(world, knots[i][k], other,
                             distance(tn_body_get_center(world, knots[i][k]),
                                      tn_body_get_center(world, other)));
                    rods += 1;
                }
            }
        }
    }
    return rods;
}

static void hang_tube(tn_solver solver, double tolerance) {
    tn_world *world = make_world(solver, GRAVITY);
    tn_body_id knots[HIGH][ROUND];
    uint32_t rods = make_tube(world, knots);
    for (int k = 0; k < ROUND; k += 4) {
        tn_body_set_type(world, knots[0][k], TN_BODY_TYPE_STATIC);
    }
    cr_assert(rods > 3 * (HIGH * ROUND - 3), "%u rods", rods);
    double worst = 0.0;
    for (int i = 0; i < 120; ++i) {
        run(world, 1.0 / 60.0, 60.0, 4);
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
    }
    cr_assert(worst < tolerance, "%g m", worst);
    // It is stiff: it hangs where it was.
    for (int k = 0; k < ROUND; ++k) {
        tn_vec3 at = tn_body_get_center(world, knots[HIGH - 1][k]);
        cr_assert_float_eq(at.y, -0.5 * (HIGH - 1), 50.0 * tolerance, "%g", at.y);
    }
    drop_world(world);
}

Test(particle_joints, conjugate_gradients_hold_a_net_with_more_rows_than_freedoms) {
    hang_tube(TN_SOLVER_CG, 1e-3);
}

Test(particle_joints, the_direct_solver_holds_a_net_with_more_rows_than_freedoms) {
    hang_tube(TN_SOLVER_DIRECT, 1e-6);
}

// ---- on a rail ----------------------------------------------------------------------------------

#define RAIL_POINTS 96

// The uppermost ring of a tube, every knot of it, on a rail that is a circle.
static void put_on_rail(tn_world *world, tn_body_id knots[HIGH][ROUND]) {
    tn_vec3 points[RAIL_POINTS];
    for (int i = 0; i < RAIL_POINTS; ++i) {
        double angle = 2.0 * 3.14159265358979 * i / RAIL_POINTS;
        points[i] = (tn_vec3){cos(angle), 0.0, sin(angle)};
    }
    tn_curve_joint_def def = tn_curve_joint_def_default();
    def.points = points;
    def.point_count = RAIL_POINTS;
    def.is_closed = true;
    for (int k = 0; k < ROUND; ++k) {
        def.base.body_b = knots[0][k];
        cr_assert(tn_curve_joint_create(world, &def).value != 0);
    }
}

// Of all knots about the axis of the tube, of 0.1 kg each.
static double get_spin(const tn_world *world, tn_body_id knots[HIGH][ROUND]) {
    double sum = 0.0;
    for (int i = 0; i < HIGH * ROUND; ++i) {
        tn_body_id knot = knots[i / ROUND][i % ROUND];
        tn_vec3 at = tn_body_get_center(world, knot);
        tn_vec3 v = tn_body_get_velocity(world, knot).linear;
        sum += 0.1 * (at.x * v.z - at.z * v.x);
    }
    return sum;
}

// It has more than twice as many rows as it has freedoms, turns on its rail and keeps its spin:
// the rail, without friction, pushes to its axis and upward only.
Test(particle_joints, conjugate_gradients_turn_a_tube_of_rods_on_a_rail) {
    tn_world *world = make_world(TN_SOLVER_CG, GRAVITY);
    tn_body_id knots[HIGH][ROUND];
    uint32_t rows = make_tube(world, knots) + 2 * ROUND;
    put_on_rail(world, knots);
    cr_assert(rows > 3 * HIGH * ROUND, "%u rows", rows);
    for (int i = 0; i < HIGH * ROUND; ++i) {
        tn_body_id knot = knots[i / ROUND][i % ROUND];
        tn_vec3 at = tn_body_get_center(world, knot);
        tn_body_set_velocity(world, knot, (tn_velocity){.linear = {-at.z, 0.0, at.x}});
    }
    double spin = get_spin(world, knots), worst = 0.0;
    for (int i = 0; i < 240; ++i) {
        run(world, 1.0 / 60.0, 60.0, 4);
        worst = fmax(worst, tn_world_get_telemetry(world).worst_joint_linear);
    }
    tn_mechanism_info info;
    cr_assert(tn_world_get_mechanisms(world, &info, 1) == 1);
    cr_assert(info.method == TN_MECHANISM_METHOD_CG && info.failures == 0 && info.rows == rows);
    cr_assert(worst < 1e-3, "%g m", worst);
    cr_assert_float_eq(get_spin(world, knots), spin, 1e-3 * spin, "%g of %g",
                       get_spin(world, knots), spin);
    for (int k = 0; k < ROUND; ++k) {
        tn_vec3 at = tn_body_get_center(world, knots[HIGH - 1][k]);
        cr_assert_float_eq(at.y, -0.5 * (HIGH - 1), 1e-2, "%g", at.y);
    }
    drop_world(world);
}

// A flat net with both diagonals has more rods than freedoms in its plane.
LONG_TEST(particle_joints, a_crossed_net_that_is_thrown_holds) {
    for (size_t i = 0; i < SOLVERS; ++i) {
        tn_world *world = make_world(solvers[i], 0.0);
        tn_body_id knots[SIDE][SIDE];
        make_net(world, true, knots);
        run(world, 2.0, 60.0, 4);
        double worst = tn_world_get_telemetry(world).worst_joint_linear;
        cr_assert(worst < 2e-3, "%d: %g m", (int)i, worst);
        drop_world(world);
    }
}

// ---- refused ------------------------------------------------------------------------------------

static uint32_t expect_refusal(tn_joint_id joint, uint32_t before, tn_result result) {
    cr_assert(joint.value == 0 && reports.count == before + 1 && reports.last == result, "%s",
              tn_result_name(reports.last));
    return reports.count;
}

Test(particle_joints, what_turns_has_nothing_to_hold) {
    tn_world *world = make_world(TN_SOLVER_AUTO, GRAVITY);
    tn_vec3 at = {1.0, 0.0, 0.0};
    tn_body_id bead = make_particle(world, at, 1.0),
               box = body_make(world, 0.0, 0.0, 0.0, 1.0, 0.1);
    uint32_t count = 0;
    for (int type = TN_JOINT_TYPE_BALL; type <= TN_JOINT_TYPE_SCREW; ++type) {
        if (type == TN_JOINT_TYPE_BALL) {
            continue;
        }
        tn_vec3 axis = {1.0, 0.0, 0.0};
        count = expect_refusal(joint_make(world, (tn_joint_type)type, box, bead, at, axis), count,
                               TN_RESULT_WRONG_TYPE);
        count = expect_refusal(joint_make(world, (tn_joint_type)type, bead, box, at, axis), count,
                               TN_RESULT_WRONG_TYPE);
    }
    tn_surface_joint_def surface = tn_surface_joint_def_default();
    surface.base.body_a = bead;
    surface.base.body_b = box;
    expect_refusal(tn_surface_joint_create(world, &surface), count, TN_RESULT_WRONG_TYPE);
    cr_assert(tn_world_count_joints(world) == 0);
    tn_world_destroy(world);
}

Test(particle_joints, a_ball_joint_on_a_particle_stays_free) {
    tn_world *world = make_world(TN_SOLVER_AUTO, GRAVITY);
    tn_vec3 at = {1.0, 0.0, 0.0};
    tn_body_id bead = make_particle(world, at, 1.0);
    tn_joint_id joint =
        joint_make(world, TN_JOINT_TYPE_BALL, world_body, bead, at, (tn_vec3){1.0, 0.0, 0.0});
    cr_assert(joint.value != 0 && reports.count == 0);
    tn_ball_joint_set_cone_limit(world, joint, (tn_limit){.is_enabled = true, .upper = 0.5f});
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_WRONG_TYPE);
    tn_ball_joint_set_friction(world, joint, 1.0f);
    cr_assert(reports.count == 2 && reports.last == TN_RESULT_WRONG_TYPE);
    tn_ball_joint_set_twist_limit(world, joint, (tn_limit){.is_enabled = true});
    cr_assert(reports.count == 3 && reports.last == TN_RESULT_WRONG_TYPE);
    cr_assert(!tn_ball_joint_get_def(world, joint).cone_limit.is_enabled);
    tn_pose beside = {{0.1, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    tn_joint_set_frame_b(world, joint, beside);
    cr_assert(reports.count == 4 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    tn_joint_set_frame_a(world, joint, beside); // of the world
    cr_assert(reports.count == 4);
    tn_world_destroy(world);
}

Test(particle_joints, a_point_beside_a_particle_is_refused) {
    tn_world *world = make_world(TN_SOLVER_AUTO, GRAVITY);
    tn_body_id bead = make_particle(world, (tn_vec3){1.0, 0.0, 0.0}, 1.0);
    tn_body_id ball = make_ball(world, (tn_vec3){-1.0, 0.0, 0.0}, 1.0);
    tn_rope_joint_def rope = make_rope_def(ball, bead);
    rope.points[2].position.z = 1e-3;
    uint32_t count =
        expect_refusal(tn_rope_joint_create(world, &rope), 0, TN_RESULT_INVALID_ARGUMENT);
    rope = make_rope_def(ball, bead);
    rope.points[0].position.z = 1e-3; // of the ball
    cr_assert(tn_rope_joint_create(world, &rope).value != 0);
    tn_function_joint_def def = tn_function_joint_def_default();
    def.bodies[0] = ball;
    def.bodies[1] = bead;
    def.body_count = 2;
    def.row_count = 1;
    for (int k = 0; k < 2; ++k) {
        tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
        tn_node a = tn_graph_add_point(graph, 0, (tn_vec3){0.0, k == 1 ? 1e-3 : 0.0, 0.0});
        tn_node b = tn_graph_add_point(graph, 1, (tn_vec3){0.0, k == 0 ? 1e-3 : 0.0, 0.0});
        def.graph = graph;
        def.nodes[0] = tn_graph_add_component(graph, tn_graph_add_difference(graph, b, a), 1);
        tn_joint_id joint = tn_function_joint_create(world, &def);
        if (k == 0) {
            count = expect_refusal(joint, count, TN_RESULT_INVALID_ARGUMENT);
        }
        cr_assert((joint.value != 0) == (k == 1));
        tn_graph_destroy(graph);
    }
    cr_assert(reports.count == count && tn_world_count_joints(world) == 2);
    tn_world_destroy(world);
}

Test(particle_joints, an_anchor_beside_a_particle_is_refused) {
    tn_world *world = make_world(TN_SOLVER_AUTO, GRAVITY);
    tn_body_id bead = make_particle(world, (tn_vec3){1.0, 0.0, 0.0}, 1.0);
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base.body_b = bead;
    def.base.frame_b.position.y = 1e-3;
    expect_refusal(tn_distance_joint_create(world, &def), 0, TN_RESULT_INVALID_ARGUMENT);
    def.base.frame_b.position.y = 1e-9; // as rounding leaves it
    tn_joint_id joint = tn_distance_joint_create(world, &def);
    cr_assert(joint.value != 0);
    run(world, 1.0, 60.0, 4);
    tn_vec3 w = tn_body_get_velocity(world, bead).angular;
    cr_assert(w.x == 0.0 && w.y == 0.0 && w.z == 0.0);
    cr_assert_float_eq(tn_distance_joint_get_length(world, joint),
                       distance(tn_body_get_center(world, bead), (tn_vec3){0.0, 0.0, 0.0}), 1e-12);
    tn_world_destroy(world);
}
