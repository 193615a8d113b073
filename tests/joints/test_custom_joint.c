// A joint of the user's own is held by every solver as the built-in ones are, whatever its callback
// says, and a callback that says nonsense does no harm.
#include "joint_case.h"
#include "joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 weightless = {0.0, 0.0, 0.0};
static const tn_vec3 gravity = {0.0, -9.81, 0.0};
static const tn_vec3 origin = {0.0, 0.0, 0.0};
static const tn_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const tn_vec3 axis_x = {1.0, 0.0, 0.0};

static tn_vec3 between(const tn_pose *a, const tn_pose *b) {
    return (tn_vec3){b->position.x - a->position.x, b->position.y - a->position.y,
                     b->position.z - a->position.z};
}

static tn_vec3 opposite(tn_vec3 v) {
    return (tn_vec3){-v.x, -v.y, -v.z};
}

// ---- callbacks ---------------------------------------------------------------------------------

// The origins coincide: a ball joint.
static void together(const tn_pose *a, const tn_pose *b, tn_custom_row *rows, void *context) {
    (void)context;
    tn_vec3 d = between(a, b);
    const double errors[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i) {
        rows[i].error = errors[i];
        rows[i].linear_b = units[i];
        rows[i].linear_a = opposite(units[i]);
    }
}

// b is on y = x^2 / 2, z = 0, beside frame a that does not turn.
static void on_parabola(const tn_pose *a, const tn_pose *b, tn_custom_row *rows, void *context) {
    (void)context;
    tn_vec3 d = between(a, b);
    rows[0].error = d.y - 0.5 * d.x * d.x;
    rows[0].linear_b = (tn_vec3){-d.x, 1.0, 0.0};
    rows[0].linear_a = opposite(rows[0].linear_b);
    rows[1].error = d.z;
    rows[1].linear_b = units[2];
    rows[1].linear_a = opposite(units[2]);
}

static void along_x(const tn_pose *a, const tn_pose *b, tn_custom_row *rows, void *context) {
    (void)context;
    rows[0].error = between(a, b).x;
    rows[0].linear_b = units[0];
    rows[0].linear_a = opposite(units[0]);
}

// As long as *context is true, as along_x, and then not a number.
static void along_x_or_nowhere(const tn_pose *a, const tn_pose *b, tn_custom_row *rows,
                               void *context) {
    along_x(a, b, rows, NULL);
    if (!*(const bool *)context) {
        rows[0].error = (double)NAN;
        rows[0].linear_b.y = (double)INFINITY;
    }
}

static tn_custom_joint_def make_def(const tn_world *world, tn_body_id a, tn_body_id b,
                                    tn_custom_joint_fn evaluate, uint32_t rows) {
    tn_custom_joint_def def = tn_custom_joint_def_default();
    set_frames(world, &def.base, a, b, origin, axis_x);
    def.evaluate = evaluate;
    def.row_count = rows;
    return def;
}

// ---- equalities --------------------------------------------------------------------------------

static tn_vec3 swing(tn_solver solver, bool is_custom) {
    tn_world *world = world_make(gravity, NULL);
    tn_body_id body = body_make(world, 1, 0, 0, 2, 0.3);
    tn_joint_id joint;
    if (is_custom) {
        tn_custom_joint_def def = make_def(world, world_body, body, together, 3);
        joint = tn_custom_joint_create(world, &def);
    } else {
        joint = joint_make(world, TN_JOINT_TYPE_BALL, world_body, body, origin, axis_x);
    }
    tn_joint_set_solver(world, joint, solver);
    run(world, 2.0, 60.0, 4);
    double gap = tn_joint_get_error(world, joint).linear_length;
    cr_assert(gap < (solver == TN_SOLVER_DIRECT ? 1e-12 : 2e-3), "%g", gap);
    tn_vec3 end = tn_body_get_pose(world, body).position;
    tn_world_destroy(world);
    return end;
}

Test(custom_joint, a_ball_joint_of_ones_own_swings_as_the_built_in_one, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT, TN_SOLVER_CG};
    const double most[] = {1e-4, 1e-9, 1e-3}; // conjugate gradients leave such rows to sweeps
    for (int i = 0; i < 3; ++i) {
        tn_vec3 own = swing(solvers[i], true), built_in = swing(solvers[i], false);
        double apart = hypot(own.x - built_in.x, own.y - built_in.y);
        cr_assert(apart < most[i], "solver %d: %g m", i, apart);
    }
}

// T = 4 / sqrt(g) times the integral of sqrt(1 + A^2 sin^2 t) over a quarter turn.
static double parabola_period(double amplitude) {
    double sum = 0.0;
    for (int i = 0; i < 2000; ++i) {
        double sine = sin((i + 0.5) * 0.5 * PI / 2000);
        sum += sqrt(1.0 + amplitude * amplitude * sine * sine);
    }
    return 4.0 / sqrt(9.81) * sum * 0.5 * PI / 2000;
}

static double place_on_x(const tn_world *world, tn_joint_id joint) {
    return tn_body_get_pose(world, tn_joint_get_def(world, joint).body_b).position.x;
}

Test(custom_joint, a_bead_swings_on_a_parabola_in_its_exact_time, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    const double gaps[] = {1e-3, 1e-9}, times[] = {5e-3, 2e-4};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id bead = body_make(world, 0, 0, 0, 0.5, 0.01);
        tn_custom_joint_def def = make_def(world, world_body, bead, on_parabola, 2);
        tn_body_set_pose(world, bead, (tn_pose){{-1.0, 0.5, 0.0}, {0, 0, 0, 1}});
        tn_joint_id joint = tn_custom_joint_create(world, &def);
        tn_joint_set_solver(world, joint, solvers[i]);
        double period = measure_period(world, joint, place_on_x, 10.0, 240.0, 4);
        double exact = parabola_period(1.0);
        cr_assert_float_eq(period / exact, 1.0, times[i], "%g, not %g", period, exact);
        cr_assert(tn_joint_get_error(world, joint).linear_length < gaps[i]);
        cr_assert(fabs(tn_custom_joint_get_error(world, joint, 0)) < gaps[i]);
        tn_world_destroy(world);
    }
}

// Differences of the callback's rows against the closed forms of the built-in ball joint.
Test(custom_joint, curvature_and_drift_are_those_of_the_built_in_joint, .timeout = 60) {
    test_random random = {7};
    for (int i = 0; i < CASES; ++i) {
        test_case own = random_case(&random, TN_JOINT_TYPE_BALL, none, none, 0.2), built_in = own;
        joint_set_type(&own.joint, TN_JOINT_TYPE_CUSTOM);
        tni_custom custom = {.def = {.evaluate = together, .row_count = 3}};
        own.joint.def.custom.apart = &custom;
        const double x[3] = {3.0, -2.0, 5.0};
        double terms[2][3], k[2][2][6][6];
        memset(k, 0, sizeof k);
        const test_case *both[2] = {&own, &built_in};
        for (int c = 0; c < 2; ++c) {
            const test_case *test = both[c];
            tni_curvature curvature = {.a = k[c][0], .b = k[c][1]};
            tni_joint_measure_terms(&test->joint, &test->a, &test->b, terms[c]);
            tni_joint_add_curvature(&test->joint, &test->a, &test->b, x, &curvature);
        }
        for (int r = 0; r < 3; ++r) {
            cr_assert_float_eq(terms[0][r], terms[1][r], 1e-6 * (1.0 + fabs(terms[1][r])));
        }
        for (int e = 0; e < 72; ++e) {
            double own_k = ((double *)k[0])[e], built_in_k = ((double *)k[1])[e];
            cr_assert_float_eq(own_k, built_in_k, 1e-6, "%d: %g, not %g", e, own_k, built_in_k);
        }
    }
}

// ---- bounded rows ------------------------------------------------------------------------------

Test(custom_joint, a_limit_keeps_a_body_above_a_curved_floor, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(gravity, NULL);
        tn_body_id bead = body_make(world, 0, 0, 0, 0.5, 0.01);
        tn_custom_joint_def def = make_def(world, world_body, bead, on_parabola, 2);
        def.base.solver = solvers[i];
        def.rows[0].kind = TN_CUSTOM_ROW_LIMIT;
        def.rows[1].kind = TN_CUSTOM_ROW_LIMIT;
        tn_body_set_pose(world, bead, (tn_pose){{-1.0, 1.5, 0.0}, {0, 0, 0, 1}});
        tn_joint_id joint = tn_custom_joint_create(world, &def);
        double lowest = (double)INFINITY;
        for (int k = 0; k < 600; ++k) {
            run(world, 1.0 / 60.0, 60.0, 4);
            lowest = fmin(lowest, tn_custom_joint_get_error(world, joint, 0));
        }
        cr_assert(lowest > -0.01 && lowest < 1e-3, "%g m", lowest);
        cr_assert(tn_custom_joint_get_error(world, joint, 1) > -1e-4);
        tn_world_destroy(world);
    }
}

// 10 N on 5 kg: 2 m/s^2 up to the 3 m/s that are asked for.
Test(custom_joint, a_speed_row_drives_with_the_force_it_may, .timeout = 60) {
    const tn_solver solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
    for (int i = 0; i < 2; ++i) {
        tn_world *world = world_make(weightless, NULL);
        tn_body_id body = body_make(world, 0, 0, 0, 5, 1);
        tn_custom_joint_def def = make_def(world, world_body, body, along_x, 1);
        def.base.solver = solvers[i];
        def.rows[0].kind = TN_CUSTOM_ROW_SPEED;
        def.rows[0].target_speed = 3.0f;
        def.rows[0].max_force = 10.0f;
        tn_joint_id joint = tn_custom_joint_create(world, &def);
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_custom_joint_get_rate(world, joint, 0), 2.0, 1e-4);
        cr_assert_float_eq((double)tn_joint_get_motor_effort(world, joint), 10.0, 1e-3);
        run(world, 1.0, 60.0, 4);
        cr_assert_float_eq(tn_custom_joint_get_rate(world, joint, 0), 3.0, 1e-4);
        cr_assert_float_eq(tn_joint_get_motor_work(world, joint), 0.5 * 5.0 * 9.0, 0.1);
        tn_world_destroy(world);
    }
}

Test(custom_joint, a_spring_row_swings_at_its_frequency, .timeout = 60) {
    tn_world *world = world_make(weightless, NULL);
    tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
    tn_custom_joint_def def = make_def(world, world_body, body, along_x, 1);
    def.rows[0].kind = TN_CUSTOM_ROW_SPRING;
    def.rows[0].stiffness = 200.0f; // 10 rad/s
    tn_joint_id joint = tn_custom_joint_create(world, &def);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {1.0, 0.0, 0.0}});
    double period = measure_period(world, joint, place_on_x, 5.0, 240.0, 4);
    cr_assert_float_eq(period, 0.2 * PI, 1e-3, "%g s", period);
    tn_custom_row_def row = def.rows[0];
    row.damping = 40.0f; // critical
    tn_custom_joint_set_row(world, joint, 0, row);
    run(world, 3.0, 60.0, 4);
    cr_assert(fabs(tn_custom_joint_get_error(world, joint, 0)) < 1e-6);
    tn_world_destroy(world);
}

// ---- misuse ------------------------------------------------------------------------------------

Test(custom_joint, a_callback_without_numbers_is_refused_and_later_does_no_harm, .timeout = 60) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
    bool is_good = false;
    tn_custom_joint_def def = make_def(world, world_body, body, along_x_or_nowhere, 1);
    def.evaluate_user_data = &is_good;
    cr_assert_eq(tn_custom_joint_create(world, &def).value, 0);
    cr_assert(reports.count == 1 && reports.last == TN_RESULT_NOT_FINITE);
    cr_assert_str_eq(reports.function, "tn_custom_joint_create");
    cr_assert_eq(tn_world_count_joints(world), 0);
    is_good = true;
    tn_joint_id joint = tn_custom_joint_create(world, &def);
    tn_body_set_velocity(world, body, (tn_velocity){.linear = {0.0, 1.0, 0.0}});
    is_good = false;
    run(world, 1.0, 60.0, 4);
    cr_assert_eq(reports.count, 61, "%u", reports.count); // once a step
    cr_assert_eq(reports.last, TN_RESULT_NOT_FINITE);
    cr_assert_float_eq(tn_body_get_pose(world, body).position.y, 1.0, 1e-6);
    cr_assert(tn_custom_joint_get_error(world, joint, 0) == 0.0);
    is_good = true;
    run(world, 1.0, 60.0, 4);
    cr_assert_eq(reports.count, 61);
    tn_world_destroy(world);
}

Test(custom_joint, refuses_definitions_that_make_no_sense, .timeout = 60) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
    const tn_custom_joint_def good = make_def(world, world_body, body, along_x, 1);
    tn_custom_joint_def bad[8];
    for (int i = 0; i < 8; ++i) {
        bad[i] = good;
    }
    bad[0].evaluate = NULL;
    bad[1].row_count = 0;
    bad[2].row_count = TN_CUSTOM_MAX_ROWS + 1;
    bad[3].rows[0].kind = (tn_custom_row_kind)7;
    bad[4].row_count = TN_CUSTOM_MAX_EQUALITIES + 1;
    bad[5].row_count = 2; // an equality after a spring
    bad[5].rows[0].kind = TN_CUSTOM_ROW_SPRING;
    bad[6].row_count = 2; // m after rad
    bad[6].rows[0].is_angular = true;
    bad[7].rows[0].stiffness = -1.0f;
    for (uint32_t i = 0; i < 8; ++i) {
        cr_assert_eq(tn_custom_joint_create(world, &bad[i]).value, 0, "case %u", i);
        cr_assert(reports.count == i + 1 && reports.last == TN_RESULT_INVALID_ARGUMENT,
                  "case %u: %s", i, tn_result_name(reports.last));
    }
    tn_custom_joint_def nan = good;
    nan.rows[0].damping = NAN;
    cr_assert_eq(tn_custom_joint_create(world, &nan).value, 0);
    cr_assert(reports.count == 9 && reports.last == TN_RESULT_NOT_FINITE);
    tn_joint_id joint = tn_custom_joint_create(world, &good);
    cr_assert(joint.value != 0);
    tn_custom_row_def row = good.rows[0];
    tn_custom_joint_set_row(world, joint, 1, row);
    row.kind = TN_CUSTOM_ROW_LIMIT;
    tn_custom_joint_set_row(world, joint, 0, row);
    cr_assert(reports.count == 11 && reports.last == TN_RESULT_INVALID_ARGUMENT);
    cr_assert(tn_custom_joint_get_error(world, joint, 5) == 0.0);
    cr_assert(tn_custom_joint_get_def(world, joint).row_count == 1);
    cr_assert_eq(reports.count, 11);
    tn_world_destroy(world);
}

// What the callback of the next test has beside its rows.
typedef struct meddler {
    tn_world *world;
    tn_joint_id joint;
    uint32_t created;
} meddler;

static void meddle(const tn_pose *a, const tn_pose *b, tn_custom_row *rows, void *context) {
    meddler *own = context;
    along_x(a, b, rows, NULL);
    tn_body_def def = tn_body_def_default();
    own->created += tn_body_create(own->world, &def).value != 0;
    own->created += tn_world_step(own->world, 1.0 / 60.0, 4) == TN_RESULT_OK;
    tn_joint_destroy(own->world, own->joint);
}

// The callback runs while a joint is made and when a setter changes it, outside of any step.
Test(custom_joint, a_callback_changes_nothing_while_its_joint_is_made_or_set) {
    test_reports reports;
    tn_world *world = world_make(weightless, &reports);
    tn_body_id body = body_make(world, 0, 0, 0, 2, 1);
    meddler own = {world, {0}, 0};
    tn_custom_joint_def def = make_def(world, world_body, body, meddle, 1);
    def.evaluate_user_data = &own;
    own.joint = tn_custom_joint_create(world, &def);
    cr_assert(own.joint.value != 0);
    tn_joint_set_break_force(world, own.joint, 1e6f, 1e6f);
    cr_assert_eq(own.created, 0u);
    cr_assert_eq(reports.last, TN_RESULT_WORLD_LOCKED);
    cr_assert(tn_joint_is_valid(world, own.joint));
    cr_assert_eq(tn_world_count_bodies(world), 1u);
    cr_assert_eq(tn_world_step(world, 1.0 / 60.0, 4), TN_RESULT_OK); // it is open again
    tn_world_destroy(world);
}
