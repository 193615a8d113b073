// Bodies that are given by generalised coordinates, by themselves: against closed forms.
#include "reduced_world.h"

#define PI 3.14159265358979323846

static tn_world *world;
static test_reports reports;

static void setup(void) {
    world = test_solver_world_create(TN_SOLVER_AUTO, &reports);
}

static void teardown(void) {
    test_world_destroy_quiet(world, &reports);
}

TestSuite(reduced, .init = setup, .fini = teardown, .timeout = 60);

// ---- one coordinate -----------------------------------------------------------------------------

// 2 pi sqrt(I / m g l) / agm(1, cos(amplitude / 2))
static double get_period(double ratio, double amplitude) {
    double a = 1.0, b = cos(0.5 * amplitude);
    for (int i = 0; i < 20; ++i) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * PI * sqrt(ratio / REDUCED_GRAVITY) / a;
}

// The mean of the periods between rising passages, and the most that the energy is off.
static double measure_period(double dt, double amplitude, double *out_drift) {
    test_reports noted;
    tn_world *own = test_solver_world_create(TN_SOLVER_AUTO, &noted);
    reduced_arm arm = {.length = 0.8};
    tn_body_id body = reduced_body_make(own, 3.0, 0.5);
    tn_reduced_id id = reduced_arm_make(own, &arm, body, -amplitude, 0.0);
    double energy = reduced_energy(own), first = 0.0, last = 0.0, before = -amplitude;
    int passages = 0;
    *out_drift = 0.0;
    for (int i = 0; passages < 11; ++i) {
        cr_assert(tn_world_step(own, dt, 1) == TN_RESULT_OK);
        double q = reduced_coordinate(own, id, 0);
        if (before < 0.0 && q >= 0.0) {
            last = dt * ((double)i + before / (before - q));
            first = passages == 0 ? last : first;
            passages += 1;
        }
        before = q;
        *out_drift = fmax(*out_drift, fabs(reduced_energy(own) - energy));
    }
    test_world_destroy_quiet(own, &noted);
    return (last - first) / 10.0;
}

// The leapfrog's period is off by (w h)^2 / 24 of itself for small swings, and of second order for
// large ones.
Test(reduced, pendulum_has_the_period_of_the_elliptic_integral) {
    double ratio = (0.5 + 3.0 * 0.64) / (3.0 * 0.8), drift;
    const double amplitudes[] = {0.1, 1.0, 2.0, 2.8};
    for (int i = 0; i < 4; ++i) {
        double exact = get_period(ratio, amplitudes[i]);
        double coarse = measure_period(1.0 / 60.0, amplitudes[i], &drift) / exact - 1.0;
        double fine = measure_period(1.0 / 120.0, amplitudes[i], &drift) / exact - 1.0;
        cr_assert(fabs(coarse) < 3e-3, "%g: %g", amplitudes[i], coarse);
        cr_assert(fabs(coarse / fine - 4.0) < 0.8, "%g: %g, %g", amplitudes[i], coarse, fine);
    }
}

// m g l is 23.5 J.
Test(reduced, pendulum_keeps_its_energy) {
    double coarse, fine;
    measure_period(1.0 / 60.0, 2.5, &coarse);
    measure_period(1.0 / 120.0, 2.5, &fine);
    cr_assert(coarse < 0.1, "%g", coarse);
    cr_assert(fabs(coarse / fine - 4.0) < 0.5, "%g %g", coarse, fine);
}

// Tenon's own hinge, closed exactly, of the same body: both of second order.
Test(reduced, pendulum_swings_as_one_on_a_hinge) {
    reduced_arm arm = {.length = 0.8};
    tn_reduced_id id = reduced_arm_make(world, &arm, reduced_body_make(world, 3.0, 0.5), 1.5, 0.0);
    tn_body_id hung = reduced_body_make(world, 3.0, 0.5);
    tn_pose pose = {{0.8 * sin(1.5), -0.8 * cos(1.5), 0.0}, {0.0, 0.0, sin(0.75), cos(0.75)}};
    tn_body_set_pose(world, hung, pose);
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.base.solver = TN_SOLVER_DIRECT;
    cr_assert(tn_joint_def_set_frames(world, &def.base, (tn_body_id){0}, hung,
                                      (tn_vec3){0.0, 0.0, 0.0}, (tn_vec3){0.0, 0.0, 1.0}));
    tn_joint_id hinge = tn_hinge_joint_create(world, &def);
    reduced_run(world, 3.0, 1800, 4);
    TEST_NEAR(reduced_coordinate(world, id, 0), 1.5 + tn_hinge_joint_get_angle(world, hinge), 1e-4);
    TEST_NEAR(reduced_speed(world, id, 0), tn_hinge_joint_get_speed(world, hinge), 3e-4);
}

Test(reduced, torque_turns_a_flywheel) {
    reduced_arm given = {.length = 0.0, .torque = 3.0}, pushed = {.length = 0.0};
    tn_body_id body = reduced_body_make(world, 1.0, 0.25);
    tn_reduced_id a = reduced_arm_make(world, &given, reduced_body_make(world, 1.0, 0.25), 0, 0);
    tn_reduced_id b = reduced_arm_make(world, &pushed, body, 0.0, 0.0);
    for (int i = 0; i < 120; ++i) {
        tn_body_apply_torque(world, body, (tn_vec3){0.0, 0.0, 3.0});
        test_step(world, 1);
    }
    // w = t T / I, q = t^2 T / (2 I): a kick and a drift of constant acceleration are exact.
    TEST_NEAR(reduced_speed(world, a, 0), 24.0, 1e-10);
    TEST_NEAR(reduced_coordinate(world, a, 0), 24.0, 1e-10);
    TEST_NEAR(reduced_speed(world, b, 0), 24.0, 1e-10);
    TEST_NEAR(tn_body_get_velocity(world, body).angular.z, 24.0, 1e-10);
    tn_energy energy = tn_world_get_energy(world);
    TEST_NEAR(energy.kinetic, 2.0 * 0.5 * 0.25 * 24.0 * 24.0, 1e-8);
    TEST_NEAR(energy.force_work, energy.kinetic, 1e-8);
}

// ---- mass that changes with the coordinates -----------------------------------------------------

static const double arms_time = 2.0;

// Where the second arm is, and the energy gained.
static double swing_arms(int steps, double *out_change) {
    test_reports noted;
    tn_world *own = test_solver_world_create(TN_SOLVER_AUTO, &noted);
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(own, &arms, 1.2, 0.4);
    double energy = reduced_energy(own);
    reduced_run(own, arms_time, steps, 1);
    *out_change = reduced_energy(own) - energy;
    double angle = reduced_coordinate(own, id, 1);
    test_world_destroy_quiet(own, &noted);
    return angle;
}

Test(reduced, double_pendulum_is_of_second_order) {
    double change[2], fine_change, exact = swing_arms(20000, &fine_change);
    double coarse = swing_arms(500, &change[0]) - exact,
           fine = swing_arms(1000, &change[1]) - exact;
    cr_assert(fabs(coarse) < 1e-2 && fabs(coarse / fine - 4.0) < 0.4, "%g %g", coarse, fine);
    cr_assert(fabs(change[0]) < 1e-2 && fabs(change[0] / change[1] - 4.0) < 0.6, "%g %g", change[0],
              change[1]);
}

// The energy swings and does not drift: over 10^5 substeps no more than over 10^3.
Test(reduced, double_pendulum_keeps_its_energy) {
    reduced_arms arms = {.length = 0.7};
    reduced_arms_make(world, &arms, 0.8, -0.6);
    double energy = reduced_energy(world), early = 0.0, late = 0.0;
    for (int i = 0; i < 25000; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 60.0, 4) == TN_RESULT_OK);
        double off = fabs(reduced_energy(world) - energy);
        early = fmax(early, i < 1000 ? off : 0.0);
        late = fmax(late, off);
    }
    cr_assert(late < 2.0 * early, "%g %g", early, late);
    cr_assert(late < 1e-2, "%g", late);
}

// Without gravity T is constant: w = w0 sqrt(M(q0) / M(q)), M = I + m_rod v_rod^2 + I_rod e^2 + m
// v^2 for w = 1.
static double get_crank_mass(double q, double r, double l) {
    double sp = -r / l * sin(q), cp = sqrt(1.0 - sp * sp), e = -r * cos(q) / (l * cp);
    double vx = -r * sin(q) - 0.5 * l * sp * e, vy = 0.5 * r * cos(q);
    double slide = -r * sin(q) - l * sp * e;
    return 0.02 + 0.6 * (vx * vx + vy * vy) + 0.003 * e * e + 0.8 * slide * slide;
}

static double measure_ripple(int steps, double *out_ripple) {
    test_reports noted;
    tn_world *own = test_solver_world_create(TN_SOLVER_AUTO, &noted);
    tn_world_set_gravity(own, (tn_vec3){0.0, 0.0, 0.0});
    reduced_crank crank = {.crank = 0.1, .rod = 0.25};
    tn_reduced_def def = tn_reduced_def_default();
    def.body_count = 3;
    def.bodies[0] = reduced_body_make(own, 5.0, 0.02);
    def.bodies[1] = reduced_body_make(own, 0.6, 0.003);
    def.bodies[2] = reduced_body_make(own, 0.8, 0.001);
    def.function = reduced_crank_function;
    def.function_user_data = &crank;
    def.coordinates[0] = 0.3;
    def.speeds[0] = 20.0;
    tn_reduced_id id = tn_reduced_create(own, &def);
    double worst = 0.0, least = 1e9, most = 0.0, start = get_crank_mass(0.3, 0.1, 0.25);
    for (int i = 0; i < steps; ++i) {
        cr_assert(tn_world_step(own, 1.0 / steps, 1) == TN_RESULT_OK);
        double q = reduced_coordinate(own, id, 0), w = reduced_speed(own, id, 0);
        worst = fmax(worst, fabs(w - 20.0 * sqrt(start / get_crank_mass(q, 0.1, 0.25))));
        least = fmin(least, w);
        most = fmax(most, w);
    }
    *out_ripple = most - least;
    test_world_destroy_quiet(own, &noted);
    return worst;
}

Test(reduced, slider_crank_turns_as_its_energy_says) {
    double ripple, coarse = measure_ripple(1000, &ripple), fine = measure_ripple(2000, &ripple);
    cr_assert(ripple > 2.0, "%g", ripple);
    cr_assert(coarse < 5e-3 && fabs(coarse / fine - 4.0) < 0.5, "%g %g", coarse, fine);
}

// ---- twelve freedoms ----------------------------------------------------------------------------

// Two bodies that fall and turn about fixed axes: no coordinate knows of another.
static void drop(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    for (uint32_t b = 0; b < 2; ++b) {
        const double *q = input->coordinates + 6 * b;
        tn_reduced_motion *motion = &out->bodies[b];
        motion->pose.position = (tn_vec3){q[0], q[1], q[2]};
        motion->pose.rotation.z = sin(0.5 * q[5]);
        motion->pose.rotation.w = cos(0.5 * q[5]);
        motion->linear[6 * b] = motion->angular[6 * b + 3] = (tn_vec3){1.0, 0.0, 0.0};
        motion->linear[6 * b + 1] = motion->angular[6 * b + 4] = (tn_vec3){0.0, 1.0, 0.0};
        motion->linear[6 * b + 2] = motion->angular[6 * b + 5] = (tn_vec3){0.0, 0.0, 1.0};
    }
}

Test(reduced, twelve_freedoms_fall_freely) {
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = 12;
    def.body_count = 2;
    def.bodies[0] = reduced_body_make(world, 2.0, 0.1);
    def.bodies[1] = reduced_body_make(world, 3.0, 0.2);
    def.function = drop;
    def.speeds[0] = 1.5;
    def.speeds[5] = 2.0;
    def.speeds[11] = -3.0;
    tn_reduced_id id = tn_reduced_create(world, &def);
    test_step(world, 60);
    TEST_NEAR(reduced_coordinate(world, id, 0), 1.5, 1e-12);
    TEST_NEAR(reduced_coordinate(world, id, 5), 2.0, 1e-12);
    TEST_NEAR(reduced_coordinate(world, id, 11), -3.0, 1e-12);
    for (uint32_t k = 1; k < 12; k += 6) {
        TEST_NEAR(reduced_coordinate(world, id, k), -0.5 * REDUCED_GRAVITY, 1e-6);
        TEST_NEAR(reduced_speed(world, id, k), -REDUCED_GRAVITY, 1e-6);
    }
    TEST_NEAR(tn_body_get_pose(world, def.bodies[1]).position.y, -0.5 * REDUCED_GRAVITY, 1e-6);
    TEST_NEAR(tn_body_get_velocity(world, def.bodies[0]).angular.z, 2.0, 1e-12);
}

// ---- a centre of mass beside the frame ----------------------------------------------------------

// The same arm with its frame in the pivot and its centre 0.8 m down: the same bits but for
// rounding.
Test(reduced, frame_may_lie_beside_the_centre_of_mass) {
    reduced_arm is_at_center = {.length = 0.8}, at_pivot = {.length = 0.0};
    tn_reduced_id a =
        reduced_arm_make(world, &is_at_center, reduced_body_make(world, 3.0, 0.5), 1.5, 0.7);
    tn_body_id body = reduced_body_make(world, 3.0, 0.5);
    tn_mass mass = tn_body_get_mass(world, body);
    mass.center = (tn_vec3){0.0, -0.8, 0.0};
    tn_body_set_mass(world, body, mass);
    tn_reduced_id b = reduced_arm_make(world, &at_pivot, body, 1.5, 0.7);
    test_step(world, 120);
    TEST_NEAR(reduced_coordinate(world, a, 0), reduced_coordinate(world, b, 0), 1e-9);
    TEST_NEAR(tn_body_get_pose(world, body).position.x, 0.0, 1e-12);
}

// ---- the world around ---------------------------------------------------------------------------

Test(reduced, ledger_has_what_gravity_did) {
    reduced_arm arm = {.length = 0.8};
    reduced_arm_make(world, &arm, reduced_body_make(world, 3.0, 0.5), 1.5, 0.0);
    double start = tn_world_get_energy(world).kinetic;
    test_step(world, 40);
    tn_energy energy = tn_world_get_energy(world);
    cr_assert(energy.kinetic > 1.0);
    TEST_NEAR(energy.gravity_work, energy.kinetic - start, 2e-3 * energy.kinetic);
}

// v = T f / m for coordinates too: with f = -m g l sin q, q' = -T m g l sin q / I.
Test(reduced, first_order_worlds_move_by_the_force) {
    tn_world_set_dynamics(world, TN_DYNAMICS_FIRST_ORDER, 0.5);
    reduced_arm arm = {.length = 0.8};
    tn_reduced_id id = reduced_arm_make(world, &arm, reduced_body_make(world, 3.0, 0.5), 1.5, 0.0);
    reduced_run(world, 1.0, 2000, 1);
    double rate = 0.5 * 3.0 * REDUCED_GRAVITY * 0.8 / (0.5 + 3.0 * 0.64);
    double exact = 2.0 * atan(tan(0.75) * exp(-rate));
    TEST_NEAR(reduced_coordinate(world, id, 0), exact, 1e-3);
}

Test(reduced, what_is_put_to_sleep_in_full_swing_wakes_at_rest) {
    tn_world *own = tn_world_create(NULL, NULL);
    tn_world_set_gravity(own, (tn_vec3){0.0, 0.0, 0.0});
    reduced_arm arm = {.length = 1.0};
    tn_body_id bob = reduced_body_make(own, 1.0, 0.02);
    tn_reduced_id id = reduced_arm_make(own, &arm, bob, 0.3, 2.0);
    reduced_run(own, 0.1, 6, 4);
    cr_assert(fabs(reduced_speed(own, id, 0) - 2.0) < 1e-9);
    tn_body_set_awake(own, bob, false);
    cr_assert(reduced_speed(own, id, 0) == 0.0);
    tn_body_set_awake(own, bob, true);
    double angle = reduced_coordinate(own, id, 0);
    reduced_run(own, 0.1, 6, 4);
    cr_assert(fabs(reduced_coordinate(own, id, 0) - angle) < 1e-12);
    tn_world_destroy(own);
}

Test(reduced, sleeps_with_all_its_bodies_and_wakes_with_them) {
    tn_world_def def = tn_world_def_default();
    test_reports noted;
    tn_world *own = test_def_world_create(def, &noted);
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(own, &arms, 0.0, 0.0);
    test_step(own, 120);
    cr_assert(!tn_body_is_awake(own, arms.first) && !tn_body_is_awake(own, arms.second));
    tn_body_set_awake(own, arms.second, true);
    cr_assert(tn_body_is_awake(own, arms.first));
    tn_body_set_awake(own, arms.first, false);
    cr_assert(!tn_body_is_awake(own, arms.second));
    const double speeds[2] = {1.0, 0.0};
    tn_reduced_set_speeds(own, id, speeds, 2);
    cr_assert(tn_body_is_awake(own, arms.first) && tn_body_is_awake(own, arms.second));
    test_step(own, 10);
    cr_assert(fabs(reduced_coordinate(own, id, 0)) > 0.05);
    test_world_destroy_quiet(own, &noted);
}

// One that stands belongs to the object as much as one that moves.
Test(reduced, bodies_of_one_object_are_one_island) {
    reduced_arms arms = {.length = 0.7};
    reduced_arms_make(world, &arms, 0.3, 0.0);
    reduced_body_make(world, 1.0, 1.0);
    test_step(world, 1);
    cr_assert(tn_world_get_telemetry(world).islands == 2);
}

Test(reduced, stands_still_while_a_body_is_disabled) {
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(world, &arms, 1.0, 0.5);
    test_step(world, 5);
    tn_body_set_enabled(world, arms.second, false);
    double q = reduced_coordinate(world, id, 0), w = reduced_speed(world, id, 0);
    tn_pose pose = tn_body_get_pose(world, arms.first);
    test_step(world, 20);
    cr_assert(reduced_coordinate(world, id, 0) == q && reduced_speed(world, id, 0) == w);
    cr_assert(tn_body_get_pose(world, arms.first).position.x == pose.position.x);
    tn_body_set_enabled(world, arms.second, true);
    test_step(world, 5);
    cr_assert(reduced_coordinate(world, id, 0) != q);
}

Test(reduced, bodies_go_on_when_the_object_is_destroyed) {
    reduced_arm arm = {.length = 1.0};
    tn_body_id body = reduced_body_make(world, 1.0, 0.1);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 0.0, 2.0);
    test_step(world, 1);
    tn_velocity before = tn_body_get_velocity(world, body);
    tn_reduced_destroy(world, id);
    cr_assert(!tn_reduced_is_valid(world, id) && tn_body_get_reduced(world, body).value == 0);
    test_step(world, 30);
    tn_velocity after = tn_body_get_velocity(world, body);
    TEST_NEAR(after.linear.x, before.linear.x, 1e-9);
    TEST_NEAR(after.linear.y, before.linear.y - 0.5 * REDUCED_GRAVITY, 1e-6);
    TEST_NEAR(after.angular.z, before.angular.z, 1e-9);
}

Test(reduced, goes_with_a_body_that_is_destroyed) {
    reduced_arms arms = {.length = 0.7};
    tn_reduced_id id = reduced_arms_make(world, &arms, 1.0, 0.5);
    test_step(world, 3);
    tn_body_destroy(world, arms.second);
    cr_assert(!tn_reduced_is_valid(world, id));
    cr_assert(tn_body_get_reduced(world, arms.first).value == 0);
    test_step(world, 3);
}

Test(reduced, coordinates_are_set_and_read_back) {
    reduced_arm arm = {.length = 1.0};
    tn_body_id body = reduced_body_make(world, 1.0, 0.1);
    tn_reduced_id id = reduced_arm_make(world, &arm, body, 0.0, 0.0);
    const double q = 0.5 * PI, w = 3.0;
    tn_reduced_set_coordinates(world, id, &q, 1);
    tn_reduced_set_speeds(world, id, &w, 1);
    TEST_NEAR(tn_body_get_pose(world, body).position.x, 1.0, 1e-12);
    TEST_NEAR(tn_body_get_velocity(world, body).linear.y, 3.0, 1e-12);
    TEST_NEAR(reduced_coordinate(world, id, 0), q, 0.0);
    TEST_NEAR(reduced_speed(world, id, 0), w, 0.0);
    tn_body_id bodies[2] = {{0}};
    cr_assert(tn_reduced_get_bodies(world, id, bodies, 2) == 1 && bodies[0].value == body.value);
    cr_assert(tn_body_get_reduced(world, body).value == id.value);
    uint64_t hash = tn_world_get_hash(world);
    const double turned = q + 2.0 * PI; // the same pose, but for rounding
    tn_reduced_set_coordinates(world, id, &turned, 1);
    cr_assert(tn_world_get_hash(world) != hash);
}

// ---- two angles --------------------------------------------------------------------------------

// A fork that turns about y, and in it a body about the fork's z.
static void turn_in_fork(const tn_reduced_input *input, tn_reduced_output *out, void *context) {
    (void)context;
    double yaw = input->coordinates[0], pitch = input->coordinates[1];
    double s = sin(yaw), c = cos(yaw), both = input->speeds[0] * input->speeds[1];
    double y = sin(0.5 * yaw), y_w = cos(0.5 * yaw), z = sin(0.5 * pitch), z_w = cos(0.5 * pitch);
    tn_reduced_motion *motion = &out->bodies[0];
    const tn_quat rotation = {y * z, y * z_w, y_w * z, y_w * z_w};
    motion->pose.rotation = rotation;
    motion->angular[0] = (tn_vec3){0.0, 1.0, 0.0};
    motion->angular[1] = (tn_vec3){s, 0.0, c};
    motion->angular_acceleration = (tn_vec3){both * c, 0.0, -both * s};
}

// A brick beside both axes, with three moments: centrifugal and gyroscopic terms do no work, and
// gravity does not turn it about y.
Test(reduced, a_brick_in_a_fork_keeps_its_energy_and_its_turning_about_the_fork) {
    tn_body_def body_def = tn_body_def_default();
    tn_body_id body = tn_body_create(world, &body_def);
    tn_shape_def shape = tn_shape_def_default();
    shape.local_pose.position = (tn_vec3){0.3, -0.5, 0.1};
    shape.local_pose.rotation = (tn_quat){0.2, 0.1, 0.4, 0.8};
    cr_assert(tn_box_shape_create(world, body, &shape, (tn_vec3){0.1, 0.4, 0.2}).value != 0);
    tn_reduced_def def = tn_reduced_def_default();
    def.freedoms = 2;
    def.body_count = 1;
    def.bodies[0] = body;
    def.function = turn_in_fork;
    def.coordinates[1] = 0.8;
    def.speeds[0] = 4.0;
    def.speeds[1] = -2.0;
    cr_assert(tn_reduced_create(world, &def).value != 0);
    tn_energy before = tn_world_get_energy(world);
    double sum = before.kinetic + before.potential, worst = 0.0, worst_turn = 0.0;
    for (int i = 0; i < 480; ++i) {
        cr_assert(tn_world_step(world, 1.0 / 240.0, 4) == TN_RESULT_OK);
        tn_energy now = tn_world_get_energy(world);
        worst = fmax(worst, fabs(now.kinetic + now.potential - sum) / before.kinetic);
        worst_turn = fmax(worst_turn, fabs(now.angular_momentum.y - before.angular_momentum.y) /
                                          fabs(before.angular_momentum.y));
    }
    cr_assert(worst < 1e-4 && worst_turn < 1e-4, "%g of the energy, %g of the turning", worst,
              worst_turn);
}

// exp(-c t), of the coordinate that only turns: the other damping has no part in it.
Test(reduced, angular_damping_slows_down_what_turns_and_linear_damping_does_not) {
    const float dampings[2][2] = {{0.0f, 0.5f}, {3.0f, 0.5f}};
    for (int i = 0; i < 2; ++i) {
        tn_body_id body = reduced_body_make(world, 2.0, 0.3);
        tn_body_set_damping(world, body, dampings[i][0], dampings[i][1]);
        reduced_arm flywheel = {0.0, 5.0 * i, 0.0, 0.0};
        tn_reduced_id id = reduced_arm_make(world, &flywheel, body, 0.0, 8.0);
        for (int k = 0; k < 120; ++k) {
            cr_assert(tn_world_step(world, 1.0 / 120.0, 4) == TN_RESULT_OK);
        }
        double speed = 0.0;
        tn_reduced_get_speeds(world, id, &speed, 1);
        TEST_NEAR(speed, 8.0 * exp(-0.5), 0.005);
    }
}
