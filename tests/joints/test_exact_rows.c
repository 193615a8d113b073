// The equality rows in double and their curvature, against the float rows and against finite
// differences of the errors.
#include <criterion/criterion.h>

#include "joint_motion.h"
#include "joints/functions/function_joint.h"
#include "joints/six_axis.h"
#include "joints/transmissions/profile.h"
#include "swing_within.h"

#define CASES 200
// Step of the differences. A second difference errs by its square times the fourth derivative and
// by rounding, 1e-16 / step^2.
#define STEP 3e-4

static const tn_joint_type types[] = {
    TN_JOINT_TYPE_DISTANCE,    TN_JOINT_TYPE_BALL,     TN_JOINT_TYPE_HINGE,
    TN_JOINT_TYPE_SLIDER,      TN_JOINT_TYPE_FIXED,    TN_JOINT_TYPE_UNIVERSAL,
    TN_JOINT_TYPE_CYLINDRICAL, TN_JOINT_TYPE_PLANAR,   TN_JOINT_TYPE_SWING_TWIST,
    TN_JOINT_TYPE_SWING_TWIST, TN_JOINT_TYPE_SIX_AXIS, TN_JOINT_TYPE_SIX_AXIS,
    TN_JOINT_TYPE_SIX_AXIS,    TN_JOINT_TYPE_WHEEL,    TN_JOINT_TYPE_GEAR,
    TN_JOINT_TYPE_GEAR,        TN_JOINT_TYPE_GEAR,     TN_JOINT_TYPE_RACK_PINION,
    TN_JOINT_TYPE_SCREW,       TN_JOINT_TYPE_PULLEY,   TN_JOINT_TYPE_CAM,
    TN_JOINT_TYPE_CAM,         TN_JOINT_TYPE_BELT,     TN_JOINT_TYPE_BELT,
    TN_JOINT_TYPE_FUNCTION};
#define TYPES ((uint32_t)(sizeof types / sizeof types[0]))

// Of the case in hand.
static tni_six_axes six_axes;
static double cam_memory[4096];
static tni_function function;
static double function_memory[4096];

typedef struct exact_case {
    tni_joint joint;
    tni_body_motion a, b;
    uint32_t count;
} exact_case;

// Some axes locked, at least one; the others are anywhere, but for a swing of more than 2 rad.
static void unlock_some(test_random *random, tni_dvec3 *offset, tni_dvec3 *turn) {
    memset(&six_axes, 0, sizeof six_axes);
    uint32_t locked = (uint32_t)random_between(random, 1.0, 64.0);
    double free[6];
    six_axes.locks = locked & TN_SIX_AXIS_LOCK_ALL;
    for (uint32_t i = 0; i < 6; ++i) {
        free[i] = tni_six_is_locked(&six_axes, i) ? 0.0 : random_between(random, -1.4, 1.4);
    }
    *offset = dvec3_add(*offset, dvec3_make(free[0], free[1], free[2]));
    // Where one turn is locked, turns about the others in turn would not keep it.
    bool is_alone = tni_six_find_locks(&six_axes).turns >= 2;
    *turn = is_alone ? dvec3_add(*turn, dvec3_make(free[3], free[4], free[5])) : *turn;
}

static bool transmits(tn_joint_type type) {
    return type == TN_JOINT_TYPE_GEAR || type == TN_JOINT_TYPE_RACK_PINION ||
           type == TN_JOINT_TYPE_PULLEY || type == TN_JOINT_TYPE_BELT;
}

// A pear, with a roller about it, or a face across it and askew.
static void set_cam(test_random *random, uint32_t t, exact_case *test) {
    double radii[24];
    for (int i = 0; i < 24; ++i) {
        double angle = 2.0 * MATHS_PI * i / 24.0;
        radii[i] = 1.0 + 0.2 * cos(angle) + 0.02 * sin(2.0 * angle);
    }
    cr_assert(tni_profile_get_size(24) <= sizeof cam_memory);
    test->joint.def.cam.profile = tni_profile_make(cam_memory, radii, 24);
    test->joint.def.cam.is_desmodromic = true;
    test->joint.def.cam.follower = (tn_cam_follower)(t % 2);
    test->joint.def.cam.roller_radius = 0.3;
    double toward = random_between(random, -3.0, 3.0);
    tni_dvec3 offset = dvec3_make(0.0, 1.5 * cos(toward), 1.5 * sin(toward));
    place_frame(&test->joint, &test->a, &test->b, dvec3_add(offset, random_vector(random, 0.2)),
                dvec3_make(0.2, 0.3, random_between(random, 1.0, 2.0)));
}

// A distance and an angle of both bodies, beside a point of the world.
static tn_graph *make_graph(void) {
    tn_graph *graph = tn_graph_create(NULL, NULL, NULL);
    tn_node p = tn_graph_add_point(graph, 0, (tn_vec3){0.5, -0.2, 0.1});
    tn_node q = tn_graph_add_point(graph, 2, (tn_vec3){-0.3, 0.4, 0.2});
    tn_node fixed = tn_graph_add_point(graph, 1, (tn_vec3){4.0, 5.0, 3.0});
    tn_node d = tn_graph_add_direction(graph, 0, (tn_vec3){0.6, 0.8, 0.0});
    tn_node e = tn_graph_add_direction(graph, 2, (tn_vec3){0.0, 0.6, 0.8});
    tn_node ways = tn_graph_add_distance(graph, p, fixed);
    ways = tn_graph_add_sum(graph, ways, tn_graph_add_distance(graph, q, fixed));
    function.numbers[0] = graph->nodes[ways.value - 1].first;
    tn_node angle = tn_graph_add_dot(graph, d, e);
    tn_node product = tn_graph_add_product(graph, angle, tn_graph_add_distance(graph, p, q));
    function.numbers[1] = graph->nodes[product.value - 1].first;
    cr_assert_eq(tn_graph_get_result(graph), TN_RESULT_OK);
    return graph;
}

static void set_function(exact_case *test) {
    if (function.graph == NULL) {
        function.graph = make_graph();
        size_t of_values = tni_graph_values_size(function.graph);
        function.body_count = 3;
        function.row_count = function.equality_count = 2;
        function.values = tni_graph_values_make(function.graph, function_memory);
        function.adjoints = function_memory + of_values / sizeof(double);
        function.curvature = function.adjoints + function.graph->number_count;
        cr_assert(function.curvature + 18 * 18 <= function_memory + 4096);
    }
    test->joint.body_a = 0;
    test->joint.body_b = 1;
    function.bodies[0] = test->joint.body_a;
    function.bodies[1] = TNI_NONE;
    function.bodies[2] = test->joint.body_b;
    test->joint.def.function.apart = &function;
}

// Their numbers; those with a memory mesh where they are, and are off by something.
static void set_transmission(test_random *random, uint32_t t, exact_case *test) {
    tni_joint_kept_def *def = &test->joint.def;
    double factor = random_between(random, 0.5, 2.0);
    switch (types[t]) {
    case TN_JOINT_TYPE_GEAR:
        def->gear.reference = (tn_gear_reference)(t % 3);
        def->gear.ratio = t % 2 == 0 ? factor : -factor;
        // Axes that are not parallel.
        if (def->gear.reference == TN_GEAR_REFERENCE_AXES) {
            place_frame(&test->joint, &test->a, &test->b, random_vector(random, 1.0),
                        dvec3_make(0.3, 1.0, 0.4));
        }
        break;
    case TN_JOINT_TYPE_RACK_PINION:
        def->rack_pinion.radius = factor;
        place_frame(&test->joint, &test->a, &test->b, random_vector(random, 1.0),
                    dvec3_make(0.3, 1.0, 0.4));
        break;
    case TN_JOINT_TYPE_SCREW:
        def->screw.lead = factor;
        break;
    case TN_JOINT_TYPE_BELT:
        def->belt.radius_a = 0.3;
        def->belt.radius_b = 0.3 * factor;
        def->belt.is_crossed = t % 2 == 0;
        def->belt.pretension = INFINITY;
        break;
    case TN_JOINT_TYPE_CAM:
        set_cam(random, t, test);
        return;
    case TN_JOINT_TYPE_PULLEY:
        def->pulley.is_rigid = true;
        def->pulley.ratio = factor;
        def->pulley.length = 12.0;
        def->pulley.ground_a = (tn_vec3){3.0, 4.0, 3.0};
        def->pulley.ground_b = (tn_vec3){-4.0, 3.0, 3.0};
        break;
    default:
        return;
    }
    tni_joint_mesh(&test->joint, &test->a, &test->b, random_between(random, -0.5, 0.5),
                   TNI_COUNTS_BOTH);
}

// A joint somewhat off from where it wants to be, with its free direction anywhere.
static exact_case make_case(test_random *random, uint32_t t) {
    tn_joint_type type = types[t];
    exact_case test = {.joint = zero_joint(type)};
    test.joint.def.distance.is_rigid = type == TN_JOINT_TYPE_DISTANCE;
    test.joint.def.distance.length =
        type == TN_JOINT_TYPE_DISTANCE ? 1.5f : test.joint.def.distance.length;
    if (type == TN_JOINT_TYPE_SWING_TWIST) { // each swing free or locked
        float half_y = random_between(random, 0.0, 1.0) < 0.5 ? 1.0f : 0.0f;
        float half_z = random_between(random, 0.0, 1.0) < 0.5 ? 1.0f : 0.0f;
        test.joint.def.swing_twist.swing_limit_y = swing_within(half_y);
        test.joint.def.swing_twist.swing_limit_z = swing_within(half_z);
    }
    random_frames(random, &test.joint);
    test.a = random_motion(random);
    test.b = random_motion(random);
    bool slides = type == TN_JOINT_TYPE_SLIDER || type == TN_JOINT_TYPE_DISTANCE ||
                  type == TN_JOINT_TYPE_CYLINDRICAL;
    bool turns = type == TN_JOINT_TYPE_HINGE || type == TN_JOINT_TYPE_CYLINDRICAL ||
                 type == TN_JOINT_TYPE_PLANAR;
    tni_dvec3 offset = random_vector(random, 0.2), turn = random_vector(random, 0.2);
    offset.x += slides ? random_between(random, 1.0, 2.0) : 0.0;
    turn.x += turns ? random_between(random, -3.0, 3.0) : 0.0;
    offset.y += type == TN_JOINT_TYPE_PLANAR ? random_between(random, 1.0, 2.0) : 0.0;
    turn.y += type == TN_JOINT_TYPE_UNIVERSAL ? random_between(random, -2.0, 2.0) : 0.0;
    if (type == TN_JOINT_TYPE_SIX_AXIS) {
        test.joint.def.six_axis.apart = &six_axes;
        unlock_some(random, &offset, &turn);
    }
    if (type == TN_JOINT_TYPE_WHEEL) { // steered or not, up or down
        test.joint.def.wheel.has_steering = random_between(random, 0.0, 1.0) < 0.5;
        offset.x += random_between(random, -0.5, 0.5);
        turn.z += random_between(random, -3.0, 3.0);
    }
    offset.y += type == TN_JOINT_TYPE_GEAR || type == TN_JOINT_TYPE_BELT ? 1.5 : 0.0;
    turn = transmits(type) ? random_vector(random, 1.0) : turn;
    place_frame(&test.joint, &test.a, &test.b, offset, turn);
    set_transmission(random, t, &test);
    if (type == TN_JOINT_TYPE_FUNCTION) {
        set_function(&test);
    }
    test.count = tni_joint_count_rows(&test.joint).equalities;
    return test;
}

static void assert_same(tni_dvec3 exact, vec3s single) {
    cr_assert(fabs(exact.x - (double)single.x) < 1e-6);
    cr_assert(fabs(exact.y - (double)single.y) < 1e-6);
    cr_assert(fabs(exact.z - (double)single.z) < 1e-6);
}

Test(exact_rows, are_the_float_rows_in_double) {
    test_random random = {7};
    for (int n = 0; n < CASES; ++n) {
        for (uint32_t t = 0; t < TYPES; ++t) {
            exact_case test = make_case(&random, t);
            tni_row rows[TNI_JOINT_MAX_ROWS];
            tni_exact_row exact[TNI_JOINT_MAX_EQUALITY_ROWS];
            tni_joint_emit(&test.joint, &test.a, &test.b, rows);
            tni_joint_emit_exact(&test.joint, &test.a, &test.b, exact);
            cr_assert(test.count > 0);
            for (uint32_t i = 0; i < test.count; ++i) {
                assert_same(exact[i].lin_a, rows[i].lin_a);
                assert_same(exact[i].ang_a, rows[i].ang_a);
                assert_same(exact[i].lin_b, rows[i].lin_b);
                assert_same(exact[i].ang_b, rows[i].ang_b);
                cr_assert(fabs(exact[i].error - (double)rows[i].error) < 1e-6);
            }
        }
    }
}

// sum of x_i C_i at a pose.
static double weighted_error(const exact_case *test, const tni_body_motion *a,
                             const tni_body_motion *b, const double *x) {
    tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
    double errors[TNI_JOINT_MAX_EQUALITY_ROWS];
    tni_joint_emit_exact(&test->joint, a, b, rows);
    tni_joint_measure_exact(&test->joint, a, b, errors);
    double sum = 0.0;
    for (uint32_t i = 0; i < test->count; ++i) {
        cr_assert(rows[i].error == errors[i]);
        sum += x[i] * rows[i].error;
    }
    return sum;
}

// Central differences of fourth order: a gear whose reference is nearly along its axis turns fast.
static double first_difference(const double c[5]) {
    return (8.0 * (c[3] - c[1]) - (c[4] - c[0])) / (12.0 * STEP);
}

static double second_difference(const double c[5]) {
    return (16.0 * (c[3] + c[1]) - (c[4] + c[0]) - 30.0 * c[2]) / (12.0 * STEP * STEP);
}

Test(exact_rows, have_the_second_derivative_of_their_errors_along_a_motion) {
    test_random random = {13};
    for (int n = 0; n < CASES; ++n) {
        for (uint32_t t = 0; t < TYPES; ++t) {
            exact_case test = make_case(&random, t);
            double terms[TNI_JOINT_MAX_EQUALITY_ROWS], errors[5][TNI_JOINT_MAX_EQUALITY_ROWS];
            tni_joint_measure_terms(&test.joint, &test.a, &test.b, terms);
            for (int k = 0; k < 5; ++k) {
                tni_body_motion a = motion_after(&test.a, (k - 2) * STEP);
                tni_body_motion b = motion_after(&test.b, (k - 2) * STEP);
                tni_joint_measure_exact(&test.joint, &a, &b, errors[k]);
            }
            for (uint32_t i = 0; i < test.count; ++i) {
                const double c[5] = {errors[0][i], errors[1][i], errors[2][i], errors[3][i],
                                     errors[4][i]};
                double bend = second_difference(c);
                cr_assert(fabs(bend - terms[i]) < 1e-4 * (1.0 + fabs(terms[i])),
                          "type %u, row %u: %g for %g", t, i, terms[i], bend);
            }
        }
    }
}

// x . C after both bodies moved for a time with their velocities, -2 to 2 steps.
static void sample_errors(const exact_case *test, const tni_body_motion *a,
                          const tni_body_motion *b, const double *x, double out[5]) {
    for (int k = 0; k < 5; ++k) {
        tni_body_motion a_at = motion_after(a, (k - 2) * STEP);
        tni_body_motion b_at = motion_after(b, (k - 2) * STEP);
        out[k] = weighted_error(test, &a_at, &b_at, x);
    }
}

static double quadratic_form(double k[6][6], const tni_body_motion *motion) {
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

Test(exact_rows, have_the_first_and_second_derivatives_of_their_errors) {
    test_random random = {11};
    for (int n = 0; n < CASES; ++n) {
        for (uint32_t t = 0; t < TYPES; ++t) {
            exact_case test = make_case(&random, t);
            double x[TNI_JOINT_MAX_EQUALITY_ROWS], c[5];
            for (uint32_t i = 0; i < test.count; ++i) {
                x[i] = random_between(&random, -1.0, 1.0);
            }
            tni_exact_row rows[TNI_JOINT_MAX_EQUALITY_ROWS];
            double of_a[6][6] = {{0.0}}, of_b[6][6] = {{0.0}};
            tni_curvature curvature = {.a = of_a, .b = of_b};
            tni_joint_emit_exact(&test.joint, &test.a, &test.b, rows);
            tni_joint_add_curvature(&test.joint, &test.a, &test.b, x, &curvature);
            // First derivatives with both bodies moving.
            sample_errors(&test, &test.a, &test.b, x, c);
            double speed = 0.0;
            for (uint32_t i = 0; i < test.count; ++i) {
                speed += x[i] * (dvec3_dot(rows[i].lin_a, test.a.velocity) +
                                 dvec3_dot(rows[i].ang_a, test.a.angular_velocity) +
                                 dvec3_dot(rows[i].lin_b, test.b.velocity) +
                                 dvec3_dot(rows[i].ang_b, test.b.angular_velocity));
            }
            double rate = first_difference(c);
            cr_assert(fabs(rate - speed) < 1e-4, "type %u: %g for %g", t, speed, rate);
            // Second derivatives of each body alone: its own block of K.
            tni_body_motion still = test.a;
            still.velocity = still.angular_velocity = dvec3_make(0.0, 0.0, 0.0);
            sample_errors(&test, &still, &test.b, x, c);
            double bend = -second_difference(c);
            double form = quadratic_form(of_b, &test.b);
            cr_assert(fabs(bend - form) < 1e-4 * (1.0 + fabs(form)), "type %u, b: %g for %g", t,
                      form, bend);
            still = test.b;
            still.velocity = still.angular_velocity = dvec3_make(0.0, 0.0, 0.0);
            sample_errors(&test, &test.a, &still, x, c);
            bend = -second_difference(c);
            form = quadratic_form(of_a, &test.a);
            cr_assert(fabs(bend - form) < 1e-4 * (1.0 + fabs(form)), "type %u, a: %g for %g", t,
                      form, bend);
        }
    }
}

// The sways of a rod that pulls hold the blocks between its bodies, too.
Test(exact_rows, sways_are_the_whole_curvature_of_a_rod) {
    test_random random = {12};
    for (int n = 0; n < CASES; ++n) {
        exact_case test = make_case(&random, 0); // a rod
        double x[TNI_JOINT_MAX_EQUALITY_ROWS] = {-random_between(&random, 0.1, 1.0)}, c[5];
        double of_a[6][6] = {{0.0}}, of_b[6][6] = {{0.0}};
        tni_exact_row sways[TNI_MOST_SWAYS];
        tni_curvature curvature = {.a = of_a, .b = of_b, .sways = sways};
        tni_joint_add_curvature(&test.joint, &test.a, &test.b, x, &curvature);
        cr_assert(curvature.sway_count == TNI_MOST_SWAYS);
        double form = quadratic_form(of_a, &test.a) + quadratic_form(of_b, &test.b);
        for (uint32_t i = 0; i < TNI_MOST_SWAYS; ++i) {
            double speed = dvec3_dot(sways[i].lin_a, test.a.velocity) +
                           dvec3_dot(sways[i].ang_a, test.a.angular_velocity) +
                           dvec3_dot(sways[i].lin_b, test.b.velocity) +
                           dvec3_dot(sways[i].ang_b, test.b.angular_velocity);
            form += speed * speed;
        }
        sample_errors(&test, &test.a, &test.b, x, c);
        double bend = -second_difference(c);
        cr_assert(fabs(bend - form) < 1e-4 * (1.0 + fabs(form)), "%g for %g", form, bend);
        // One that pushes has none.
        x[0] = -x[0];
        curvature.sway_count = 0;
        tni_joint_add_curvature(&test.joint, &test.a, &test.b, x, &curvature);
        cr_assert(curvature.sway_count == 0 && curvature.a_has_linear);
    }
}
