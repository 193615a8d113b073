// The rows of joints that lead a point along something, against finite differences of their errors,
// off the way for the first derivatives and on it for the second, which are those of the way
// itself.
#include "joints/paths/curve.h"
#include "tests/joints/joint_case.h"

#define STEP  2e-4
#define KINDS 8

TestSuite(path_rows, .timeout = 60);

static tni_allocator allocator;

// An uneven surface: x^2 + 2 y^2 + 3 z^2 + x y + sin z = 4.
static void uneven(tn_vec3 p, tn_surface_value *out, void *context) {
    out->value = p.x * p.x + 2.0 * p.y * p.y + 3.0 * p.z * p.z + p.x * p.y + sin(p.z) - 4.0;
    out->gradient = (tn_vec3){2.0 * p.x + p.y, 4.0 * p.y + p.x, 6.0 * p.z + cos(p.z)};
    out->has_second = context != NULL;
    out->xx = 2.0;
    out->yy = 4.0;
    out->zz = 6.0 - sin(p.z);
    out->xy = 1.0;
}

// ---- cases -------------------------------------------------------------------------------------

typedef struct path_case {
    tni_joint joint;
    tni_body_motion a, b;
    tni_curve *curve;
} path_case;

// 0 an open curve, 1 a closed one, then the surfaces, the last with and without second derivatives.
static void make_kind(test_random *random, uint32_t kind, path_case *test) {
    tn_vec3 points[9];
    for (int i = 0; i < 9; ++i) {
        double angle = 2.0 * MATHS_PI * (i + random_between(random, -0.3, 0.3)) / 9;
        points[i] = (tn_vec3){2.0 * cos(angle), 2.0 * sin(angle), 0.5 * sin(2.0 * angle)};
    }
    test->joint = zero_joint(kind < 2 ? TN_JOINT_TYPE_CURVE : TN_JOINT_TYPE_SURFACE);
    if (kind < 2) {
        tn_curve_joint_def def = {.points = points, .point_count = 9, .is_closed = kind == 1};
        test->curve = tni_curve_make(&allocator, &def);
        test->joint.def.curve.apart = test->curve;
        return;
    }
    tn_surface_joint_def *def = &test->joint.def.surface;
    def->shape = (tn_surface_shape)(kind - 2 < 4 ? kind - 2 : TN_SURFACE_SHAPE_IMPLICIT);
    def->radius = 1.5;
    def->tube_radius = 0.5;
    def->half_axes = (tn_vec3){1.0, 1.5, 2.0};
    def->evaluate = uneven;
    def->evaluate_user_data = kind == KINDS - 1 ? def : NULL;
}

static tni_dvec3 local_of(const path_case *test) {
    tni_dpose frame_a = tni_joint_world_frame(&test->joint.frame_a, &test->a);
    tni_dpose frame_b = tni_joint_world_frame(&test->joint.frame_b, &test->b);
    tni_dvec3 d = dvec3_sub(frame_b.position, frame_a.position);
    return dquat_rotate_inverse(frame_a.rotation, d);
}

static void place(path_case *test, tni_dvec3 at, tni_dvec3 turn) {
    place_frame(&test->joint, &test->a, &test->b, at, turn);
    tni_joint_mesh(&test->joint, &test->a, &test->b, 0.0, TNI_COUNTS_BOTH);
}

// On the way, by going down the error along its gradient, and then off it by `slip`.
static path_case make_case(test_random *random, uint32_t kind, double slip) {
    path_case test = {.curve = NULL};
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    make_kind(random, kind, &test);
    random_frames(random, &test.joint);
    test.a = random_motion(random);
    test.b = random_motion(random);
    tni_dvec3 turn = random_vector(random, 2.0), at = random_vector(random, 1.0);
    at.x += at.x < 0.0 ? -0.7 : 0.7;
    at.y += at.y < 0.0 ? -0.7 : 0.7;
    for (int i = 0; i < 60; ++i) {
        place(&test, at, turn);
        tn_joint_error error = tni_joint_measure_error(&test.joint, &test.a, &test.b);
        at = dvec3_sub(at, dvec3_make(error.linear.x, error.linear.y, error.linear.z));
    }
    place(&test, at, turn);
    cr_assert(tni_joint_measure_error(&test.joint, &test.a, &test.b).linear_length < 1e-9);
    place(&test, dvec3_add(local_of(&test), random_vector(random, slip)), turn);
    return test;
}

static void forget(path_case *test) {
    if (test->curve != NULL) {
        tni_curve_forget(&allocator, test->curve);
    }
}

static void measure(const path_case *test, double t, double *errors) {
    tni_body_motion a = motion_after(&test->a, t), b = motion_after(&test->b, t);
    tni_joint_measure_exact(&test->joint, &a, &b, errors);
}

// At its nodes a curve's frame begins to turn at another rate, so that there are no second
// differences across them.
static bool passes_a_node(const path_case *test) {
    double ways[2];
    for (int k = 0; k < 2 && test->curve != NULL; ++k) {
        double t = (2 * k - 1) * STEP;
        tni_body_motion a = motion_after(&test->a, t), b = motion_after(&test->b, t);
        ways[k] = tni_joint_measure_value(&test->joint, 0, &a, &b).position;
    }
    for (uint32_t i = 0; test->curve != NULL && i < test->curve->node_count; ++i) {
        double way = test->curve->nodes[i].way;
        if ((ways[0] <= way) != (ways[1] <= way)) {
            return true;
        }
    }
    return false;
}

// ---- rows --------------------------------------------------------------------------------------

Test(path_rows, are_the_derivatives_of_their_errors_off_the_way_too) {
    test_random random = {21};
    for (uint32_t n = 0; n < KINDS * CASES; ++n) {
        path_case test = make_case(&random, n % KINDS, 0.1);
        uint32_t count = tni_joint_count_rows(&test.joint).equalities;
        tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
        double before[TNI_JOINT_MAX_EQUALITY_ROWS], after[TNI_JOINT_MAX_EQUALITY_ROWS];
        tni_joint_emit_exact(&test.joint, &test.a, &test.b, rows);
        measure(&test, -STEP, before);
        measure(&test, STEP, after);
        cr_assert_eq(count, n % KINDS < 2 ? 2 : 1);
        for (uint32_t i = 0; i < count; ++i) {
            double rate = (after[i] - before[i]) / (2.0 * STEP);
            double speed = dvec3_dot(rows[i].lin_a, test.a.velocity) +
                           dvec3_dot(rows[i].ang_a, test.a.angular_velocity) +
                           dvec3_dot(rows[i].lin_b, test.b.velocity) +
                           dvec3_dot(rows[i].ang_b, test.b.angular_velocity);
            cr_assert_float_eq(speed, rate, 2e-4 * (1.0 + fabs(rate)), "kind %u: %g for %g",
                               n % KINDS, speed, rate);
        }
        forget(&test);
    }
}

Test(path_rows, have_the_second_derivatives_of_the_way) {
    test_random random = {22};
    for (uint32_t n = 0; n < KINDS * CASES; ++n) {
        path_case test = make_case(&random, n % KINDS, 0.0);
        uint32_t count = tni_joint_count_rows(&test.joint).equalities;
        double terms[TNI_JOINT_MAX_EQUALITY_ROWS], errors[3][TNI_JOINT_MAX_EQUALITY_ROWS];
        tni_joint_measure_terms(&test.joint, &test.a, &test.b, terms);
        for (int k = 0; k < 3; ++k) {
            measure(&test, (k - 1) * STEP, errors[k]);
        }
        for (uint32_t i = 0; i < count && !passes_a_node(&test); ++i) {
            double bend = (errors[2][i] - 2.0 * errors[1][i] + errors[0][i]) / (STEP * STEP);
            cr_assert_float_eq(terms[i], bend, 2e-3 * (1.0 + fabs(bend)), "kind %u: %g for %g",
                               n % KINDS, terms[i], bend);
        }
        forget(&test);
    }
}

static double form_of(double k[6][6], const tni_body_motion *motion) {
    const double d[6] = {motion->velocity.x,         motion->velocity.y,
                         motion->velocity.z,         motion->angular_velocity.x,
                         motion->angular_velocity.y, motion->angular_velocity.z};
    double sum = 0.0;
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) {
            cr_assert(fabs(k[i][j] - k[j][i]) < 1e-12);
            sum += d[i] * k[i][j] * d[j];
        }
    }
    return sum;
}

// Each body's own block of K: what its motion alone does.
Test(path_rows, have_the_curvature_of_the_way) {
    test_random random = {23};
    for (uint32_t n = 0; n < 2 * KINDS * CASES; ++n) {
        path_case test = make_case(&random, n % KINDS, 0.0);
        bool is_of_a = n / KINDS % 2 == 0;
        uint32_t count = tni_joint_count_rows(&test.joint).equalities;
        const double x[2] = {1.0, count > 1 ? -0.6 : 0.0};
        double of_a[6][6] = {{0.0}}, of_b[6][6] = {{0.0}}, sums[3];
        tni_curvature curvature = {.a = of_a, .b = of_b};
        tni_joint_add_curvature(&test.joint, &test.a, &test.b, x, &curvature);
        tni_body_motion *still = is_of_a ? &test.b : &test.a;
        still->velocity = still->angular_velocity = dvec3_make(0.0, 0.0, 0.0);
        for (int k = 0; k < 3; ++k) {
            double errors[TNI_JOINT_MAX_EQUALITY_ROWS] = {0.0};
            measure(&test, (k - 1) * STEP, errors);
            sums[k] = x[0] * errors[0] + x[1] * errors[1];
        }
        double bend = -(sums[2] - 2.0 * sums[1] + sums[0]) / (STEP * STEP);
        double form = is_of_a ? form_of(of_a, &test.a) : form_of(of_b, &test.b);
        cr_assert(curvature.a_has_linear && curvature.b_has_linear);
        if (!passes_a_node(&test)) {
            cr_assert_float_eq(form, bend, 2e-3 * (1.0 + fabs(bend)), "kind %u: %g for %g",
                               n % KINDS, form, bend);
        }
        forget(&test);
    }
}

Test(path_rows, are_the_same_in_single_precision) {
    test_random random = {24};
    for (uint32_t n = 0; n < KINDS * CASES; ++n) {
        path_case test = make_case(&random, n % KINDS, 0.1);
        tni_row_count count = tni_joint_count_rows(&test.joint);
        tni_row rows[TNI_JOINT_MAX_ROWS];
        tni_exact_row exact[TNI_JOINT_MAX_EQUALITY_ROWS];
        double terms[TNI_JOINT_MAX_EQUALITY_ROWS];
        tni_joint_emit(&test.joint, &test.a, &test.b, rows);
        tni_joint_emit_exact(&test.joint, &test.a, &test.b, exact);
        tni_joint_measure_terms(&test.joint, &test.a, &test.b, terms);
        for (uint32_t i = 0; i < count.equalities; ++i) {
            for (uint32_t c = 0; c < 12; ++c) {
                cr_assert_float_eq((double)rows[i].jacobian[c], exact[i].jacobian[c], 1e-5);
            }
            cr_assert_float_eq((double)rows[i].error, exact[i].error, 1e-6);
            cr_assert_float_eq((double)rows[i].velocity_term, terms[i],
                               1e-5 * (1.0 + fabs(terms[i])));
        }
        forget(&test);
    }
}

// An open curve's ends: the rows of both limits are those of the way along it.
Test(path_rows, of_a_curves_ends_are_the_derivatives_of_the_way) {
    test_random random = {25};
    for (uint32_t n = 0; n < CASES; ++n) {
        path_case test = make_case(&random, 0, 0.0);
        tni_row rows[TNI_JOINT_MAX_ROWS];
        cr_assert_eq(tni_joint_count_rows(&test.joint).rows, 4);
        tni_joint_emit(&test.joint, &test.a, &test.b, rows);
        double ways[3];
        for (int k = 0; k < 3; ++k) {
            tni_body_motion a = motion_after(&test.a, (k - 1) * STEP);
            tni_body_motion b = motion_after(&test.b, (k - 1) * STEP);
            ways[k] = tni_joint_measure_value(&test.joint, 0, &a, &b).position;
        }
        double rate = (ways[2] - ways[0]) / (2.0 * STEP);
        double bend = (ways[2] - 2.0 * ways[1] + ways[0]) / (STEP * STEP);
        double length = test.curve->length;
        cr_assert_float_eq((double)rows[2].error, ways[1], 1e-5);
        cr_assert_float_eq((double)rows[3].error, length - ways[1], 1e-5);
        cr_assert_float_eq(row_speed(&rows[2], &test.a, &test.b), rate, 1e-4 * (1.0 + fabs(rate)));
        cr_assert_float_eq(row_speed(&rows[3], &test.a, &test.b), -rate, 1e-4 * (1.0 + fabs(rate)));
        cr_assert_float_eq((double)rows[2].velocity_term, bend, 1e-2 * (1.0 + fabs(bend)));
        double speed = tni_joint_measure_value(&test.joint, 0, &test.a, &test.b).speed;
        cr_assert_float_eq(speed, rate, 1e-4 * (1.0 + fabs(rate)));
        forget(&test);
    }
}
