// A body that is led along a path in time: closed forms of what that takes and does, how near to
// the path it stays, time that is stopped and set, and definitions that make no sense.
#include "joints/paths/motion_path.h"
#include "tests/joints/joint_case.h"
#include "tests/joints/joint_world.h"

#define PI      3.14159265358979323846
#define GRAVITY 9.81

static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 weightless = {0.0, 0.0, 0.0};
static const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG, TN_SOLVER_AUTO};

TestSuite(motion_path_joint, .timeout = 60);

// ---- paths -------------------------------------------------------------------------------------

// Round a circle of 1 m about z with w = context rad/s, from x; the frame turns with it.
static void circle(double time, tn_motion_path_state *out, void *context) {
    double w = *(const double *)context, c = cos(w * time), s = sin(w * time);
    out->position = (tn_vec3){c, s, 0.0};
    out->velocity = (tn_vec3){-w * s, w * c, 0.0};
    out->acceleration = (tn_vec3){-w * w * c, -w * w * s, 0.0};
    out->rotation.z = sin(0.5 * w * time);
    out->rotation.w = cos(0.5 * w * time);
    out->angular_velocity = (tn_vec3){0.0, 0.0, w};
}

// y = h sin(w t), context h and w.
static void shake(double time, tn_motion_path_state *out, void *context) {
    const double *numbers = context, h = numbers[0], w = numbers[1];
    out->position.y = h * sin(w * time);
    out->velocity.y = h * w * cos(w * time);
    out->acceleration.y = -h * w * w * sin(w * time);
}

static tn_motion_path_joint_def make_def(tn_body_id body, tn_motion_path_joint_fn evaluate,
                                         void *context, tn_solver solver) {
    tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
    def.base.body_b = body;
    def.base.solver = solver;
    def.evaluate = evaluate;
    def.evaluate_user_data = context;
    return def;
}

static void start_on(tn_world *world, tn_body_id body, double x, double y) {
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {x, y, 0.0}});
}

// ---- rows --------------------------------------------------------------------------------------

#define STEP 1e-4

// A path that moves and turns all ways, as a spin about a fixed axis of a frame that is turned.
static void wild(double time, tn_motion_path_state *out, void *context) {
    (void)context;
    double angle = 0.3 * time * time + 0.5 * time, rate = 0.6 * time + 0.5;
    tni_dvec3 axis = dvec3_make(0.6, 0.0, 0.8);
    tni_dquat q = rotation_by(dvec3_scale(axis, angle));
    out->position = (tn_vec3){sin(time), cos(2.0 * time), time * time};
    out->velocity = (tn_vec3){cos(time), -2.0 * sin(2.0 * time), 2.0 * time};
    out->acceleration = (tn_vec3){-sin(time), -4.0 * cos(2.0 * time), 2.0};
    out->rotation.x = q.x;
    out->rotation.y = q.y;
    out->rotation.z = q.z;
    out->rotation.w = q.w;
    out->angular_velocity = (tn_vec3){axis.x * rate, 0.0, axis.z * rate};
    out->angular_acceleration = (tn_vec3){axis.x * 0.6, 0.0, axis.z * 0.6};
}

static void measure_after(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, double t, double speed, double *errors) {
    tni_joint later = *joint;
    tni_body_motion a_at = motion_after(a, t), b_at = motion_after(b, t);
    later.memory.turns[0].rest += speed * t;
    tni_joint_measure_exact(&later, &a_at, &b_at, errors);
}

Test(motion_path_joint, rows_are_the_derivatives_of_their_errors_in_time) {
    test_random random = {31};
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    for (int n = 0; n < CASES; ++n) {
        double speed = random_between(&random, -2.0, 2.0);
        tn_motion_path_joint_def def = {.evaluate = wild, .leads_rotation = true, .speed = speed};
        tni_joint joint = zero_joint(TN_JOINT_TYPE_MOTION_PATH);
        joint.def.motion_path.apart = tni_motion_path_make(&allocator, &def);
        joint.memory.turns[0].rest = random_between(&random, -1.0, 1.0);
        random_frames(&random, &joint);
        tni_body_motion a = random_motion(&random), b = random_motion(&random);
        place_frame(&joint, &a, &b, random_vector(&random, 1.0), random_vector(&random, 0.5));
        tni_exact_row rows[6];
        tni_row floats[6];
        double rates[6], terms[6], errors[3][6];
        tni_joint_emit(&joint, &a, &b, floats);
        tni_joint_emit_exact(&joint, &a, &b, rows);
        tni_joint_measure_rates(&joint, &a, &b, rates);
        tni_joint_measure_terms(&joint, &a, &b, terms);
        for (int k = 0; k < 3; ++k) {
            measure_after(&joint, &a, &b, (k - 1) * STEP, speed, errors[k]);
        }
        for (int i = 0; i < 6; ++i) {
            double speed_of_row = dvec3_dot(rows[i].lin_a, a.velocity) +
                                  dvec3_dot(rows[i].ang_a, a.angular_velocity) +
                                  dvec3_dot(rows[i].lin_b, b.velocity) +
                                  dvec3_dot(rows[i].ang_b, b.angular_velocity);
            double rate = (errors[2][i] - errors[0][i]) / (2.0 * STEP);
            double bend = (errors[2][i] - 2.0 * errors[1][i] + errors[0][i]) / (STEP * STEP);
            cr_assert_float_eq(speed_of_row + rates[i], rate, 1e-5 * (1.0 + fabs(rate)),
                               "row %d: %g for %g", i, speed_of_row + rates[i], rate);
            cr_assert_float_eq(terms[i], bend, 1e-4 * (1.0 + fabs(bend)), "row %d: %g for %g", i,
                               terms[i], bend);
            cr_assert_float_eq((double)floats[i].target_speed, -rates[i], 1e-5);
            cr_assert_float_eq((double)floats[i].error, rows[i].error, 1e-5);
        }
        tni_motion_path_forget(&allocator, joint.def.motion_path.apart);
    }
}

// ---- what it takes -----------------------------------------------------------------------------

// m r w^2 toward the middle, at the path's speed.
Test(motion_path_joint, round_a_circle_takes_the_centripetal_force) {
    const double gaps[] = {1e-3, 1e-9, 1e-3, 1e-9}, shares[] = {2e-2, 2e-3, 2e-2, 2e-3};
    for (int i = 0; i < 4; ++i) {
        tn_world *world = world_make(weightless, NULL);
        double w = 5.0;
        tn_body_id body = body_make(world, 1, 0, 0, 2, 0.1);
        tn_motion_path_joint_def def = make_def(body, circle, &w, solvers[i]);
        tn_joint_id joint = tn_motion_path_joint_create(world, &def);
        start_on(world, body, 0.0, w);
        double gap = 0.0;
        for (int k = 0; k < 120; ++k) {
            run(world, 1.0 / 60.0, 60.0, 4);
            gap = fmax(gap, tn_joint_get_error(world, joint).linear_length);
        }
        tn_vec3 p = tn_body_get_pose(world, body).position;
        cr_assert_float_eq(p.x, cos(w * 2.0), gaps[i], "solver %d: %g", i, p.x);
        cr_assert_float_eq(p.y, sin(w * 2.0), gaps[i], "solver %d: %g", i, p.y);
        cr_assert(gap < gaps[i], "solver %d: %g m", i, gap);
        double force = length_of(tn_joint_get_reaction(world, joint).force);
        cr_assert_float_eq(force, 2.0 * w * w, shares[i] * 50.0, "solver %d: %g N", i, force);
        cr_assert_float_eq(tn_motion_path_joint_get_time(world, joint), 2.0, 1e-9);
        tn_velocity v = tn_body_get_velocity(world, body);
        cr_assert_float_eq(v.linear.x, -w * sin(w * 2.0), 20.0 * gaps[i] + 1e-9, "solver %d", i);
        tn_world_destroy(world);
    }
}

// The whole frame: it turns with the path, and needs no torque for it.
Test(motion_path_joint, leads_a_whole_body) {
    const double gaps[] = {1e-3, 1e-9};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        double w = 3.0;
        tn_body_id body = body_make(world, 1, 0, 0, 2, 0.1);
        tn_motion_path_joint_def def = make_def(body, circle, &w, solvers[i]);
        def.leads_rotation = true;
        tn_joint_id joint = tn_motion_path_joint_create(world, &def);
        run(world, 2.0, 60.0, 4);
        tn_joint_error error = tn_joint_get_error(world, joint);
        tn_pose pose = tn_body_get_pose(world, body);
        double half = 0.5 * w * 2.0;
        cr_assert(error.linear_length < gaps[i] && error.angular_length < gaps[i],
                  "solver %d: %g m, %g rad", i, error.linear_length, error.angular_length);
        cr_assert_float_eq(fabs(pose.rotation.z * sin(half) + pose.rotation.w * cos(half)), 1.0,
                           gaps[i]);
        cr_assert_float_eq(tn_body_get_velocity(world, body).angular.z, w, 10.0 * gaps[i]);
        tn_world_destroy(world);
    }
}

// A pendulum upside down, whose pivot is shaken: Kapitza. It stands where (h w)^2 > 2 g l, and
// falls where it is not shaken so hard.
static double stand(tn_solver solver, double h, double w) {
    tn_world *world = world_make(gravity, NULL);
    const double numbers[2] = {h, w};
    tn_body_id pivot = body_make(world, 0, 0, 0, 1, 0.1);
    tn_body_id bob = body_make(world, 0.1, 1, 0, 1, 1e-3);
    tn_motion_path_joint_def def = make_def(pivot, shake, (void *)numbers, solver);
    tn_motion_path_joint_create(world, &def);
    tn_joint_id arm =
        joint_make(world, TN_JOINT_TYPE_HINGE, pivot, bob, (tn_vec3){0, 0, 0}, (tn_vec3){0, 0, 1});
    tn_joint_set_solver(world, arm, solver);
    double lowest = 1.0;
    for (int k = 0; k < 2400; ++k) {
        run(world, 1.0 / 480.0, 480.0, 4);
        double y = tn_body_get_pose(world, bob).position.y;
        lowest = fmin(lowest, y - tn_body_get_pose(world, pivot).position.y);
    }
    tn_world_destroy(world);
    return lowest;
}

Test(motion_path_joint, a_pendulum_stands_on_a_pivot_that_is_shaken) {
    for (int i = 0; i < 2; ++i) {
        double stands = stand(solvers[i], 0.1, 100.0), falls = stand(solvers[i], 0.1, 30.0);
        cr_assert(stands > 0.9, "solver %d: %g m", i, stands);
        cr_assert(falls < -0.9, "solver %d: %g m", i, falls);
    }
}

// What the path adds to a body's energy is in the ledger, as work of joints.
Test(motion_path_joint, does_work_that_the_ledger_knows) {
    for (int i = 0; i < 2; ++i) {
        tn_world_def world_def = tn_world_def_default();
        world_def.gravity = gravity;
        world_def.is_sleep_allowed = false;
        world_def.has_energy_ledger = true;
        tn_world *world = tn_world_create(&world_def, NULL);
        const tn_vec3 points[2] = {{0, 0, 0}, {0, 3, 0}};
        const double times[2] = {0.0, 1.0};
        tn_body_id body = body_make(world, 0, 0, 0, 2, 0.1);
        tn_motion_path_joint_def def = tn_motion_path_joint_def_default();
        def.base.body_b = body;
        def.base.solver = solvers[i];
        def.points = points;
        def.times = times;
        def.point_count = 2;
        tn_motion_path_joint_create(world, &def);
        run(world, 2.0, 60.0, 4);
        double work = tn_world_get_energy(world).joint_work;
        cr_assert_float_eq(tn_body_get_pose(world, body).position.y, 3.0, 1e-3);
        cr_assert_float_eq(work, 2.0 * GRAVITY * 3.0, 0.3, "solver %d: %g J", i, work);
        tn_world_destroy(world);
    }
}

// ---- points at times ---------------------------------------------------------------------------

static const double key_times[5] = {1.0, 1.5, 2.5, 3.0, 4.0};
static const tn_vec3 key_points[5] = {{0, 0, 0}, {1, 1, 0}, {2, 0, 1}, {1, -1, 0}, {0, 0, 0}};

static tn_motion_path_joint_def key_def(tn_body_id body, tn_solver solver) {
    tn_motion_path_joint_def def = make_def(body, NULL, NULL, solver);
    def.times = key_times;
    def.points = key_points;
    def.point_count = 5;
    def.start_time = 1.0;
    return def;
}

Test(motion_path_joint, passes_its_points_in_time) {
    for (int i = 0; i < 4; ++i) {
        for (int loops = 0; loops < 2; ++loops) {
            tn_world *world = world_make(gravity, NULL);
            tn_body_id body = body_make(world, 0, 0, 0, 2, 0.1);
            tn_motion_path_joint_def def = key_def(body, solvers[i]);
            def.is_looped = loops == 1;
            tn_joint_id joint = tn_motion_path_joint_create(world, &def);
            double gap = 0.0;
            for (int k = 1; k <= 360; ++k) {
                run(world, 1.0 / 60.0, 60.0, 4);
                if (k == 30 || k == 90 || k == 120 || (k == 210 && loops == 1)) {
                    tn_vec3 p = tn_body_get_pose(world, body).position;
                    const tn_vec3 *key = &key_points[k == 90 ? 2 : (k == 120 ? 3 : 1)];
                    double apart = fmax(fabs(p.x - key->x), fabs(p.y - key->y));
                    gap = fmax(gap, fmax(apart, fabs(p.z - key->z)));
                }
            }
            cr_assert(gap < (i % 2 == 0 ? 2e-3 : 1e-9), "solver %d: %g m", i, gap);
            double speed = fabs(tn_body_get_velocity(world, body).linear.x);
            cr_assert(loops == 1 || speed < 1e-2, "solver %d: %g m/s", i, speed);
            cr_assert_float_eq(tn_motion_path_joint_get_time(world, joint), 7.0, 1e-9);
            tn_world_destroy(world);
        }
    }
}

Test(motion_path_joint, stops_goes_back_and_is_set_in_time) {
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 2, 0.1);
        tn_motion_path_joint_def def = key_def(body, solvers[i]);
        tn_joint_id joint = tn_motion_path_joint_create(world, &def);
        run(world, 0.5, 60.0, 4);
        tn_motion_path_joint_set_speed(world, joint, 0.0);
        run(world, 1.0, 60.0, 4);
        tn_vec3 p = tn_body_get_pose(world, body).position;
        cr_assert_float_eq(p.x, 1.0, 1e-3);
        cr_assert_float_eq(tn_motion_path_joint_get_time(world, joint), 1.5, 1e-9);
        tn_motion_path_joint_set_speed(world, joint, -1.0);
        run(world, 0.5, 60.0, 4);
        cr_assert_float_eq(tn_body_get_pose(world, body).position.x, 0.0, 1e-3);
        tn_motion_path_joint_set_speed(world, joint, 0.0);
        tn_motion_path_joint_set_time(world, joint, 2.5);
        cr_assert(tn_motion_path_joint_get_time(world, joint) == 2.5);
        run(world, 3.0, 60.0, 4);
        cr_assert_float_eq(tn_body_get_pose(world, body).position.x, 2.0, 1e-3);
        tn_world_destroy(world);
    }
}

// At rest between its points a body does not fall asleep: it has to go on.
Test(motion_path_joint, does_not_sleep_while_time_goes_by) {
    tn_world_def world_def = tn_world_def_default();
    tn_world *world = tn_world_create(&world_def, NULL);
    const tn_vec3 points[3] = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}};
    const double times[3] = {0.0, 5.0, 6.0};
    tn_body_id body = body_make(world, 0, 0, 0, 2, 0.1);
    tn_motion_path_joint_def def = key_def(body, TN_SOLVER_AUTO);
    def.points = points;
    def.times = times;
    def.point_count = 3;
    def.start_time = -4.0;
    tn_joint_id joint = tn_motion_path_joint_create(world, &def);
    run(world, 11.0, 60.0, 4);
    cr_assert_float_eq(tn_body_get_pose(world, body).position.x, 1.0, 1e-3);
    tn_motion_path_joint_set_speed(world, joint, 0.0);
    run(world, 3.0, 60.0, 4);
    cr_assert(!tn_body_is_awake(world, body));
    tn_world_destroy(world);
}

Test(motion_path_joint, a_soft_one_follows_softly) {
    tn_world *world = world_make(gravity, NULL);
    const double numbers[2] = {0.0, 1.0};
    tn_body_id body = body_make(world, 0, 0, 0, 2, 0.1);
    tn_motion_path_joint_def def = make_def(body, shake, (void *)numbers, TN_SOLVER_AUTO);
    def.base.hertz = 5.0f;
    tn_motion_path_joint_create(world, &def);
    run(world, 3.0, 60.0, 4);
    cr_assert_float_eq(tn_body_get_pose(world, body).position.y, -GRAVITY / (100.0 * PI * PI),
                       1e-4);
    tn_world_destroy(world);
}

// The same bits for any number of workers.
static uint64_t hash_with(uint32_t workers) {
    tn_world_def world_def = tn_world_def_default();
    world_def.worker_count = workers;
    tn_world *world = tn_world_create(&world_def, NULL);
    double w = 2.0;
    for (int i = 0; i < 8; ++i) {
        tn_body_id body = body_make(world, 1, 0, i, 2, 0.1);
        tn_motion_path_joint_def def = make_def(body, circle, &w, solvers[i % 4]);
        def.base.frame_a.position.z = i;
        def.leads_rotation = i % 3 == 0;
        tn_motion_path_joint_create(world, &def);
        tn_motion_path_joint_def keys = key_def(body_make(world, 5, 0, i, 1, 0.1), solvers[i % 4]);
        tn_motion_path_joint_create(world, &keys);
    }
    run(world, 1.0, 60.0, 4);
    uint64_t hash = tn_world_get_hash(world);
    tn_world_destroy(world);
    return hash;
}

Test(motion_path_joint, gives_the_same_bits_for_any_number_of_workers) {
    cr_assert_eq(hash_with(1), hash_with(2));
    cr_assert_eq(hash_with(1), hash_with(4));
}

// ---- definitions -------------------------------------------------------------------------------

static void lost(double time, tn_motion_path_state *out, void *context) {
    out->position.x = *(const bool *)context ? time : (double)NAN;
    out->velocity.x = 1.0;
}

Test(motion_path_joint, a_callback_without_numbers_is_refused_and_later_does_no_harm) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 0.01);
    bool is_good = false;
    tn_motion_path_joint_def def = make_def(body, lost, &is_good, TN_SOLVER_AUTO);
    cr_assert_eq(tn_motion_path_joint_create(world, &def).value, 0);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_NOT_FINITE);
    is_good = true;
    cr_assert(tn_motion_path_joint_create(world, &def).value != 0);
    is_good = false;
    start_on(world, body, 0.0, 1.0);
    run(world, 1.0, 60.0, 4);
    cr_assert_eq(reports.count, 61, "%u", reports.count);
    cr_assert_float_eq(tn_body_get_pose(world, body).position.y, 1.0, 1e-6);
    tn_world_destroy(world);
}

static void refuse(tn_world *world, const test_reports *reports,
                   const tn_motion_path_joint_def *def, tn_result result) {
    uint32_t count = reports->count;
    cr_assert_eq(tn_motion_path_joint_create(world, def).value, 0);
    cr_assert(reports->count == count + 1 && reports->last == result, "%s, not %s",
              tn_result_name(reports->last), tn_result_name(result));
}

Test(motion_path_joint, refuses_definitions_that_make_no_sense) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 1, 0.01);
    tn_motion_path_joint_def good = key_def(body, TN_SOLVER_AUTO), def = good;
    double times[5] = {0, 1, 1, 2, 3};
    tn_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {1, (double)NAN, 0}, {0, 1, 0}, {0, 0, 1}};
    def.times = times;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.points = points;
    refuse(world, &reports, &def, TN_RESULT_NOT_FINITE);
    points[2].y = 0.0;
    def.is_looped = true; // it does not end where it begins
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.point_count = 1;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def.point_count = TN_MOTION_PATH_MAX_POINTS + 1;
    refuse(world, &reports, &def, TN_RESULT_TOO_LARGE);
    def = good;
    def.times = NULL;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.leads_rotation = true;
    refuse(world, &reports, &def, TN_RESULT_INVALID_ARGUMENT);
    def = good;
    def.speed = (double)INFINITY;
    refuse(world, &reports, &def, TN_RESULT_NOT_FINITE);
    tn_joint_id joint = tn_motion_path_joint_create(world, &good);
    uint32_t count = reports.count;
    tn_motion_path_joint_set_time(world, joint, (double)NAN);
    tn_motion_path_joint_set_speed(world, joint, (double)NAN);
    cr_assert(reports.count == count + 2 && reports.last == TN_RESULT_NOT_FINITE);
    tn_motion_path_joint_def own = tn_motion_path_joint_get_def(world, joint);
    cr_assert(own.speed == 1.0 && own.points != key_points && own.points[2].z == 1.0);
    cr_assert(own.times[4] == 4.0 && own.point_count == 5);
    tn_joint_id fixed = joint_make(world, TN_JOINT_TYPE_FIXED, world_body, body, (tn_vec3){0, 0, 0},
                                   (tn_vec3){1, 0, 0});
    cr_assert(tn_motion_path_joint_get_time(world, fixed) == 0.0);
    cr_assert(reports.last == TN_RESULT_WRONG_TYPE);
    tn_world_destroy(world);
}

// The world may sleep, as it does by default, and looks in each step for what is led.
Test(motion_path_joint, breaks_in_a_world_that_may_sleep) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_def body_def = tn_body_def_default();
    tn_body_id body = tn_body_create(world, &body_def);
    double w = 1.0;
    tn_motion_path_joint_def def = make_def(body, circle, &w, TN_SOLVER_AUTO);
    def.base.break_force = 1.0f; // its weight is 9.8 N
    tn_joint_id joint = tn_motion_path_joint_create(world, &def);
    uint32_t breaks = 0;
    for (int i = 0; i < 60; ++i) {
        cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK);
        breaks += tn_world_get_events(world).joint_break_count;
    }
    cr_assert_eq(breaks, 1u);
    cr_assert_not(tn_joint_is_valid(world, joint));
    tn_world_destroy(world);
}

// ---- while it is asked --------------------------------------------------------------------------

// Tries to change the world that asks it.
static tn_world *asked_world;
static uint32_t asked, granted;

static void meddle(double time, tn_motion_path_state *out, void *context) {
    circle(time, out, context);
    asked += asked_world != NULL;
    if (asked_world != NULL && tn_world_set_gravity(asked_world, weightless) == TN_RESULT_OK) {
        granted += 1;
    }
}

// Enabling asked the path as if nothing did: it could destroy the world that it is asked from.
Test(motion_path_joint, a_path_may_change_nothing_while_its_joint_is_enabled) {
    static double w = 1.0;
    tn_world *world = world_make(weightless, NULL);
    tn_body_id body = body_make(world, 1, 0, 0, 1, 0.1);
    tn_motion_path_joint_def def = make_def(body, meddle, &w, TN_SOLVER_AUTO);
    def.leads_rotation = true;
    tn_joint_id joint = tn_motion_path_joint_create(world, &def);
    asked_world = world;
    tn_joint_set_enabled(world, joint, false);
    tn_joint_set_enabled(world, joint, true);
    cr_assert(asked > 0);
    cr_assert(granted == 0, "%u of %u times", granted, asked);
    asked_world = NULL;
    tn_world_destroy(world);
}
