// The rows of every joint against finite differences of the error they are the rows of. The errors
// are written down here a second time, from the definitions and in double, so that a slip in the
// emitters cannot hide.
#include <criterion/criterion.h>

#include "joint_motion.h"
#include "joints/parts/angle.h"
#include "joints/parts/axis.h"

#define CASES 200
// s: step of the differences. The second difference then errs by h^2 C'''' / 12 (about 1e-5) and by
// rounding, 1e-15 / h^2.
#define DIFFERENCE_STEP 2e-4

// ---- the errors, written a second time --------------------------------------------------------

typedef struct test_frames {
    tni_dvec3 d;
    tni_dvec3 a[3], b[3]; // axes
    tni_dquat q;          // frame b in frame a
} test_frames;

static test_frames measure_frames(const tni_joint *joint, const tni_body_motion *a,
                                  const tni_body_motion *b) {
    static const tni_dvec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tni_dpose frame_a = tni_joint_world_frame(&joint->frame_a, a);
    tni_dpose frame_b = tni_joint_world_frame(&joint->frame_b, b);
    test_frames frames;
    frames.d = dvec3_sub(frame_b.position, frame_a.position);
    for (int i = 0; i < 3; ++i) {
        frames.a[i] = dquat_rotate(frame_a.rotation, units[i]);
        frames.b[i] = dquat_rotate(frame_b.rotation, units[i]);
    }
    frames.q = dquat_mul(dquat_conjugate(frame_a.rotation), frame_b.rotation);
    if (frames.q.w < 0.0) {
        frames.q = dquat_make(-frames.q.x, -frames.q.y, -frames.q.z, -frames.q.w);
    }
    return frames;
}

// The turn of frame b about x_a, by swinging x_b back onto x_a along the great circle.
static double twist_of(const test_frames *f) {
    tni_dvec3 axis = dvec3_cross(f->b[0], f->a[0]);
    double sine = dvec3_length(axis), cosine = dvec3_dot(f->a[0], f->b[0]);
    tni_dvec3 y = f->b[1];
    if (sine > 1e-12) {
        tni_dvec3 swing = dvec3_scale(axis, atan2(sine, cosine) / sine);
        y = dquat_rotate(rotation_by(swing), y);
    }
    return atan2(dvec3_dot(y, f->a[2]), dvec3_dot(y, f->a[1]));
}

static double component(tni_dvec3 v, uint32_t i) {
    return i == 0 ? v.x : (i == 1 ? v.y : v.z);
}

// Which scalar a row is about.
typedef enum test_scalar {
    SCALAR_POINT,       // d along world axis i
    SCALAR_ALONG,       // d along axis i of frame a
    SCALAR_AXIS,        // axis i of frame a with x_b
    SCALAR_ORIENTATION, // 2 vec q, component i
    SCALAR_LENGTH,
    SCALAR_TWIST,
    SCALAR_SWING,
} test_scalar;

static double measure_scalar(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b, test_scalar scalar, uint32_t i) {
    test_frames f = measure_frames(joint, a, b);
    switch (scalar) {
    case SCALAR_POINT:
        return component(f.d, i);
    case SCALAR_ALONG:
        return dvec3_dot(f.a[i], f.d);
    case SCALAR_AXIS:
        return dvec3_dot(f.a[i], f.b[0]);
    case SCALAR_ORIENTATION:
        return 2.0 * component(dvec3_make(f.q.x, f.q.y, f.q.z), i);
    case SCALAR_LENGTH:
        return dvec3_length(f.d);
    case SCALAR_TWIST:
        return twist_of(&f);
    default:
        return atan2(dvec3_length(dvec3_cross(f.a[0], f.b[0])), dvec3_dot(f.a[0], f.b[0]));
    }
}

// C = sign * scalar + constant.
static void check_row(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b,
                      const tni_row *row, test_scalar scalar, uint32_t i, double sign,
                      double constant, bool has_velocity_term) {
    double c[3];
    for (int k = 0; k < 3; ++k) {
        double t = (k - 1) * DIFFERENCE_STEP;
        tni_body_motion a_at = motion_after(a, t), b_at = motion_after(b, t);
        c[k] = sign * measure_scalar(joint, &a_at, &b_at, scalar, i) + constant;
    }
    double rate = (c[2] - c[0]) / (2.0 * DIFFERENCE_STEP);
    double acceleration = (c[2] - 2.0 * c[1] + c[0]) / (DIFFERENCE_STEP * DIFFERENCE_STEP);
    // Floats of numbers up to 10 (rates) and 100 (accelerations), and the differences' own error.
    cr_assert_float_eq((double)row->error, c[1], 2e-6, "error, scalar %d.%u: %g for %g",
                       (int)scalar, i, (double)row->error, c[1]);
    double speed = row_speed(row, a, b);
    cr_assert_float_eq(speed, rate, 2e-5 * (1.0 + fabs(rate)), "J v, scalar %d.%u: %g for %g",
                       (int)scalar, i, speed, rate);
    if (has_velocity_term) {
        cr_assert_float_eq((double)row->velocity_term, acceleration,
                           2e-4 * (1.0 + fabs(acceleration)), "Jdot v, scalar %d.%u: %g for %g",
                           (int)scalar, i, (double)row->velocity_term, acceleration);
    }
}

// ---- a joint and a motion a little off from where the joint wants it --------------------------

typedef struct test_case {
    tni_joint joint;
    tni_body_motion a, b;
    tni_row rows[TNI_JOINT_MAX_ROWS + 1];
    tni_row_count count;
} test_case;

// Off by up to `slip` m and rad, apart from the free offset and turn.
static test_case random_case(test_random *random, tn_joint_type type, tni_dvec3 free_offset,
                             tni_dvec3 free_turn, double slip) {
    test_case test;
    test.joint = zero_joint(type);
    random_frames(random, &test.joint);
    test.a = random_motion(random);
    test.b = random_motion(random);
    place_frame(&test.joint, &test.a, &test.b, dvec3_add(free_offset, random_vector(random, slip)),
                dvec3_add(free_turn, random_vector(random, slip)));
    return test;
}

static void emit_case(test_case *test) {
    memset(test->rows, 0x5a, sizeof test->rows);
    test->count = tni_joint_count_rows(&test->joint);
    cr_assert(test->count.rows <= TNI_JOINT_MAX_ROWS);
    cr_assert(test->count.equalities <= TNI_JOINT_MAX_EQUALITY_ROWS);
    tni_joint_emit(&test->joint, &test->a, &test->b, test->rows);
}

static void check(const test_case *test, uint32_t row, test_scalar scalar, uint32_t i, double sign,
                  double constant, bool has_velocity_term) {
    check_row(&test->joint, &test->a, &test->b, &test->rows[row], scalar, i, sign, constant,
              has_velocity_term);
}

static const tni_dvec3 none = {0.0, 0.0, 0.0};

// ---- equality rows ----------------------------------------------------------------------------

Test(rows, of_a_distance_joint_are_the_derivatives_of_its_length) {
    test_random random = {1};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 offset = dvec3_make(random_between(&random, 1.0, 3.0), 0.0, 0.0);
        test_case test =
            random_case(&random, TN_JOINT_TYPE_DISTANCE, offset, random_vector(&random, 3.0), 0.3);
        tn_distance_joint_def *def = &test.joint.def.distance;
        def->is_rigid = true;
        def->length = 1.5f;
        def->limit = (tn_limit){.enabled = true, .lower = 0.5f, .upper = 0.75f};
        emit_case(&test);
        cr_assert(test.count.rows == 3 && test.count.equalities == 1);
        check(&test, 0, SCALAR_LENGTH, 0, 1.0, -1.5, true);
        check(&test, 1, SCALAR_LENGTH, 0, 1.0, -0.5, true);
        // The length is above `upper`, where the row of the limit is exact too.
        check(&test, 2, SCALAR_LENGTH, 0, -1.0, 0.75, true);
    }
}

Test(rows, of_a_ball_joint_are_the_derivatives_of_the_gap) {
    test_random random = {2};
    for (int n = 0; n < CASES; ++n) {
        test_case test =
            random_case(&random, TN_JOINT_TYPE_BALL, none, random_vector(&random, 1.5), 0.3);
        emit_case(&test);
        cr_assert(test.count.rows == 3 && test.count.equalities == 3);
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, i, SCALAR_POINT, i, 1.0, 0.0, true);
        }
    }
}

Test(rows, of_a_hinge_are_the_derivatives_of_gap_and_axes) {
    test_random random = {3};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = dvec3_make(random_between(&random, -3.0, 3.0), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_HINGE, none, turn, 0.3);
        emit_case(&test);
        cr_assert(test.count.rows == 5 && test.count.equalities == 5);
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, i, SCALAR_POINT, i, 1.0, 0.0, true);
        }
        check(&test, 3, SCALAR_AXIS, 1, 1.0, 0.0, true);
        check(&test, 4, SCALAR_AXIS, 2, 1.0, 0.0, true);
    }
}

Test(rows, of_a_slider_are_the_derivatives_of_offset_and_turn) {
    test_random random = {4};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 offset = dvec3_make(random_between(&random, -5.0, 5.0), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_SLIDER, offset, none, 0.3);
        test.joint.def.slider.limit = (tn_limit){.enabled = true, .lower = -1.0f, .upper = 2.0f};
        emit_case(&test);
        cr_assert(test.count.rows == 7 && test.count.equalities == 5);
        check(&test, 0, SCALAR_ALONG, 1, 1.0, 0.0, true);
        check(&test, 1, SCALAR_ALONG, 2, 1.0, 0.0, true);
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, 2 + i, SCALAR_ORIENTATION, i, 1.0, 0.0, true);
        }
        check(&test, 5, SCALAR_ALONG, 0, 1.0, 1.0, true);
        check(&test, 6, SCALAR_ALONG, 0, -1.0, 2.0, true);
    }
}

Test(rows, of_a_fixed_joint_are_the_derivatives_of_gap_and_turn) {
    test_random random = {5};
    for (int n = 0; n < CASES; ++n) {
        test_case test = random_case(&random, TN_JOINT_TYPE_FIXED, none, none, 0.3);
        emit_case(&test);
        cr_assert(test.count.rows == 6 && test.count.equalities == 6);
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, i, SCALAR_POINT, i, 1.0, 0.0, true);
            check(&test, 3 + i, SCALAR_ORIENTATION, i, 1.0, 0.0, true);
        }
    }
}

Test(rows, of_an_orientation_stay_exact_at_large_errors) {
    test_random random = {6};
    for (int n = 0; n < CASES; ++n) {
        // Up to 1.9 rad: the rows change their form at 2.1.
        test_case test = random_case(&random, TN_JOINT_TYPE_FIXED, none, none, 1.1);
        emit_case(&test);
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, 3 + i, SCALAR_ORIENTATION, i, 1.0, 0.0, true);
        }
    }
}

// Wherever the frames start, one small correction of every row by its own error brings them nearer.
Test(rows, of_frames_far_apart_pull_the_shortest_way_home) {
    const tn_joint_type types[] = {TN_JOINT_TYPE_HINGE, TN_JOINT_TYPE_SLIDER, TN_JOINT_TYPE_FIXED};
    const uint32_t firsts[] = {3, 2, 3}, counts[] = {2, 3, 3};
    test_random random = {18};
    for (int n = 0; n < 3 * 10 * CASES; ++n) {
        int k = n % 3;
        test_case test = random_case(&random, types[k], none, none, 0.0);
        test.b.rotation = random_rotation(&random);
        emit_case(&test);
        tni_dvec3 turn = {0.0, 0.0, 0.0};
        for (uint32_t i = 0; i < counts[k]; ++i) {
            const tni_row *row = &test.rows[firsts[k] + i];
            turn = dvec3_add_scaled(turn, -1e-3 * (double)row->error, dvec3_from_float(row->ang_b));
            cr_assert(glms_vec3_norm(row->ang_b) <= 1.001f);
        }
        tn_joint_error before = tni_joint_measure_error(&test.joint, &test.a, &test.b);
        test.b.rotation = dquat_mul(rotation_by(turn), test.b.rotation);
        tn_joint_error after = tni_joint_measure_error(&test.joint, &test.a, &test.b);
        cr_assert(after.angular_length < before.angular_length, "type %d: %g after %g rad",
                  (int)types[k], after.angular_length, before.angular_length);
    }
}

// ---- bounded rows -----------------------------------------------------------------------------

Test(rows, of_a_hinges_actors_are_the_derivatives_of_its_angle) {
    test_random random = {7};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = dvec3_make(random_between(&random, -2.5, 2.5), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_HINGE, none, turn, 0.3);
        tn_hinge_joint_def *def = &test.joint.def.hinge;
        def->spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 7, .damping = 2};
        def->friction = 3.0f;
        def->motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 4, .max_force = 9};
        def->limit = (tn_limit){.enabled = true, .lower = -0.25f, .upper = 0.25f};
        emit_case(&test);
        cr_assert(test.count.rows == 10);
        check(&test, 5, SCALAR_TWIST, 0, 1.0, 0.0, false);
        check(&test, 8, SCALAR_TWIST, 0, 1.0, 0.25, false);
        check(&test, 9, SCALAR_TWIST, 0, -1.0, 0.25, false);
        const tni_row *rows = test.rows;
        cr_assert(rows[5].kind == TNI_ROW_SPRING && rows[5].role == TNI_ROLE_SPRING);
        cr_assert(rows[5].stiffness == 7.0f && rows[5].damping == 2.0f);
        cr_assert(isinf(rows[5].max_force));
        cr_assert(rows[6].kind == TNI_ROW_SPEED && rows[6].role == TNI_ROLE_FRICTION);
        cr_assert(rows[6].max_force == 3.0f && rows[6].target_speed == 0.0f);
        cr_assert(rows[7].kind == TNI_ROW_SPEED && rows[7].role == TNI_ROLE_MOTOR);
        cr_assert(rows[7].max_force == 9.0f && rows[7].target_speed == 4.0f);
        cr_assert(rows[8].kind == TNI_ROW_LIMIT && rows[9].kind == TNI_ROW_LIMIT);
        for (int i = 5; i < 10; ++i) {
            cr_assert(rows[i].is_angular && rows[i].group == 1);
        }
    }
}

Test(rows, of_a_ball_joints_cone_and_twist_are_derivatives) {
    test_random random = {8};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn =
            dvec3_make(random_between(&random, -1.0, 1.0), random_between(&random, 0.5, 1.2), 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_BALL, none, turn, 0.2);
        tn_ball_joint_def *def = &test.joint.def.ball;
        def->enable_cone = true;
        def->cone_angle = 0.7f;
        def->twist_limit = (tn_limit){.enabled = true, .lower = -0.5f, .upper = 0.5f};
        emit_case(&test);
        cr_assert(test.count.rows == 6 && test.count.equalities == 3);
        check(&test, 3, SCALAR_SWING, 0, -1.0, (double)0.7f, false);
        check(&test, 4, SCALAR_TWIST, 0, 1.0, 0.5, false);
        check(&test, 5, SCALAR_TWIST, 0, -1.0, 0.5, false);
    }
}

Test(rows, about_three_axes_carry_the_rotation_vector) {
    test_random random = {9};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = random_vector(&random, 1.7);
        test_case test = random_case(&random, TN_JOINT_TYPE_BALL, none, turn, 0.0);
        tn_ball_joint_def *def = &test.joint.def.ball;
        def->spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 3, .damping_ratio = 1};
        def->friction = 2.0f;
        tni_dvec3 target = random_vector(&random, 1.0);
        tni_dquat target_rotation = rotation_by(target);
        def->motor =
            (tn_ball_motor){.mode = TN_MOTOR_MODE_POSITION,
                            .target_velocity = {1.0f, 2.0f, 3.0f},
                            .target_rotation = {(float)target_rotation.x, (float)target_rotation.y,
                                                (float)target_rotation.z, (float)target_rotation.w},
                            .stiffness = 50.0f,
                            .damping = 5.0f,
                            .max_torque = 11.0f};
        emit_case(&test);
        cr_assert(test.count.rows == 12 && test.count.equalities == 3);
        test_frames f = measure_frames(&test.joint, &test.a, &test.b);
        tni_dvec3 relative = dvec3_sub(test.b.angular_velocity, test.a.angular_velocity);
        for (uint32_t i = 0; i < 3; ++i) {
            const tni_row *spring = &test.rows[3 + i], *friction = &test.rows[6 + i];
            const tni_row *motor = &test.rows[9 + i];
            cr_assert_float_eq((double)spring->error, component(turn, i), 1e-6);
            cr_assert(spring->kind == TNI_ROW_FREQUENCY && spring->role == TNI_ROLE_SPRING);
            cr_assert(spring->stiffness == 3.0f && spring->damping == 1.0f);
            cr_assert(friction->kind == TNI_ROW_SPEED && friction->role == TNI_ROLE_FRICTION);
            cr_assert(friction->max_force == 2.0f && friction->target_speed == 0.0f);
            cr_assert(motor->kind == TNI_ROW_SPRING && motor->role == TNI_ROLE_MOTOR);
            cr_assert(motor->max_force == 11.0f && motor->target_speed == (float)(i + 1));
            // The motor's error turns the target into q.
            tni_dvec3 error = dvec3_make((double)test.rows[9].error, (double)test.rows[10].error,
                                         (double)test.rows[11].error);
            tni_dquat reached = dquat_mul(rotation_by(error), target_rotation);
            double agreement =
                fabs(reached.x * f.q.x + reached.y * f.q.y + reached.z * f.q.z + reached.w * f.q.w);
            cr_assert_float_eq(agreement, 1.0, 1e-6);
            for (int g = 3; g < 12; g += 3) {
                cr_assert_float_eq(row_speed(&test.rows[g + (int)i], &test.a, &test.b),
                                   dvec3_dot(f.a[i], relative), 1e-5);
                cr_assert(test.rows[g + (int)i].group == (i == 0 ? 3 : 0));
            }
        }
    }
}

Test(rows, of_a_soft_weld_leave_the_equalities) {
    test_random random = {10};
    for (int n = 0; n < CASES; ++n) {
        int kind = n % 3;
        tni_dvec3 turn = random_vector(&random, 0.5);
        test_case test =
            random_case(&random, TN_JOINT_TYPE_FIXED, random_vector(&random, 0.5), turn, 0.0);
        tn_spring spring = {.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 6, .damping = 4};
        if (kind != 1) {
            test.joint.def.fixed.linear_spring = spring;
        }
        if (kind != 0) {
            test.joint.def.fixed.angular_spring = spring;
        }
        emit_case(&test);
        cr_assert(test.count.rows == 6 && test.count.equalities == (kind == 2 ? 0 : 3));
        uint32_t linear = kind == 0 ? 3 : (kind == 1 ? 0 : 0), angular = 3 - linear;
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, linear + i, SCALAR_POINT, i, 1.0, 0.0, kind == 1);
            const tni_row *row = &test.rows[angular + i];
            if (kind == 0) {
                check(&test, angular + i, SCALAR_ORIENTATION, i, 1.0, 0.0, true);
            } else {
                cr_assert_float_eq((double)row->error, component(turn, i), 1e-6);
            }
            uint32_t soft = kind == 0 ? linear : angular;
            cr_assert(test.rows[soft + i].kind == TNI_ROW_SPRING);
            cr_assert(test.rows[soft + i].stiffness == 6.0f);
            cr_assert(test.rows[soft + i].group == (i == 0 ? 3 : 0));
        }
    }
}

// ---- how many ---------------------------------------------------------------------------------

// Writes the joint's rows into a filled array and looks where the filling begins again.
static uint32_t count_written(const tni_joint *joint, const tni_body_motion *a,
                              const tni_body_motion *b) {
    tni_row rows[TNI_JOINT_MAX_ROWS + 1];
    memset(rows, 0x5a, sizeof rows);
    tni_joint_emit(joint, a, b, rows);
    uint32_t count = TNI_JOINT_MAX_ROWS + 1;
    tni_row untouched;
    memset(&untouched, 0x5a, sizeof untouched);
    while (count > 0 && memcmp(&rows[count - 1], &untouched, sizeof untouched) == 0) {
        count -= 1;
    }
    return count;
}

static void check_count(const tni_joint *joint, const tni_body_motion *a,
                        const tni_body_motion *b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_row_count count = tni_joint_count_rows(joint);
    cr_assert(count_written(joint, a, b) == count.rows);
    tni_joint_emit(joint, a, b, rows);
    for (uint32_t i = 0; i < count.rows; ++i) {
        cr_assert((rows[i].kind == TNI_ROW_RIGID) == (i < count.equalities));
    }
}

// The same joint with a stiffness of its own has springs in place of its equalities.
static void check_soft_count(const tni_joint *joint, const tni_body_motion *a,
                             const tni_body_motion *b) {
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_joint soft = *joint;
    soft.def.base.hertz = 3.0f;
    soft.def.base.damping_ratio = 0.5f;
    tni_row_count count = tni_joint_count_rows(joint), soft_count = tni_joint_count_rows(&soft);
    cr_assert(soft_count.rows == count.rows && soft_count.equalities == 0);
    tni_joint_emit(&soft, a, b, rows);
    for (uint32_t i = 0; i < count.equalities; ++i) {
        cr_assert(rows[i].kind == TNI_ROW_FREQUENCY && rows[i].role == TNI_ROLE_JOINT);
        cr_assert(rows[i].stiffness == 3.0f && rows[i].damping == 0.5f && rows[i].group == 1);
        cr_assert(isinf(rows[i].max_force));
    }
}

Test(rows, are_as_many_as_counted_for_every_choice_of_options) {
    test_random random = {11};
    tni_body_motion a = random_motion(&random), b = random_motion(&random);
    for (int bits = 0; bits < 256; ++bits) {
        tn_motor motor = {.mode = (tn_motor_mode)(bits % 3)};
        tn_spring spring = {.mode = (tn_spring_mode)(bits / 3 % 3)};
        tn_limit limit = {.enabled = bits & 64};
        float friction = bits & 128 ? 1.0f : 0.0f;
        tni_joint joint = zero_joint(TN_JOINT_TYPE_DISTANCE);
        joint.def.distance = (tn_distance_joint_def){.is_rigid = bits & 32,
                                                     .length = 1.0f,
                                                     .motor = motor,
                                                     .spring = spring,
                                                     .limit = limit,
                                                     .friction = friction};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_HINGE);
        joint.def.hinge = (tn_hinge_joint_def){
            .motor = motor, .spring = spring, .limit = limit, .friction = friction};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_SLIDER);
        joint.def.slider = (tn_slider_joint_def){
            .motor = motor, .spring = spring, .limit = limit, .friction = friction};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_BALL);
        joint.def.ball = (tn_ball_joint_def){.motor.mode = motor.mode,
                                             .enable_cone = bits & 32,
                                             .twist_limit = limit,
                                             .spring = spring,
                                             .friction = friction};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_FIXED);
        joint.def.fixed.linear_spring = spring;
        joint.def.fixed.angular_spring.mode = (tn_spring_mode)(bits % 3);
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
    }
}

// ---- far from the origin ----------------------------------------------------------------------

// 100 km out a double is spaced 1.5e-11 m, so that rows differ by less than a float's rounding.
Test(rows, are_the_same_100_km_from_the_origin) {
    test_random random = {12};
    for (int n = 0; n < 5 * CASES; ++n) {
        tn_joint_type type = (tn_joint_type)(n % 5);
        test_case near_case = random_case(&random, type, dvec3_make(0.5, 0.0, 0.0), none, 0.1);
        test_case far_case = near_case;
        tni_dvec3 away = dvec3_make(1e5, -1e5, 1e5);
        far_case.a.position = dvec3_add(far_case.a.position, away);
        far_case.b.position = dvec3_add(far_case.b.position, away);
        near_case.joint.def.distance.is_rigid = far_case.joint.def.distance.is_rigid = true;
        emit_case(&near_case);
        emit_case(&far_case);
        for (uint32_t i = 0; i < near_case.count.rows; ++i) {
            const tni_row *p = &near_case.rows[i], *q = &far_case.rows[i];
            cr_assert_float_eq((double)p->error, (double)q->error, 1e-7);
            cr_assert_float_eq((double)p->velocity_term, (double)q->velocity_term, 1e-4);
            for (int k = 0; k < 3; ++k) {
                cr_assert_float_eq((double)p->ang_a.raw[k], (double)q->ang_a.raw[k], 1e-6);
                cr_assert_float_eq((double)p->ang_b.raw[k], (double)q->ang_b.raw[k], 1e-6);
                cr_assert_float_eq((double)p->lin_b.raw[k], (double)q->lin_b.raw[k], 1e-6);
            }
        }
    }
}

// ---- degenerate cases -------------------------------------------------------------------------

static bool row_is_finite(const tni_row *row) {
    return maths_vec3_is_finite(row->lin_a) && maths_vec3_is_finite(row->ang_a) &&
           maths_vec3_is_finite(row->lin_b) && maths_vec3_is_finite(row->ang_b) &&
           isfinite(row->error) && isfinite(row->velocity_term) && isfinite(row->target_speed) &&
           isfinite(row->stiffness) && isfinite(row->damping) && !isnan(row->max_force);
}

static void check_all_finite(test_case *test) {
    emit_case(test);
    for (uint32_t i = 0; i < test->count.rows; ++i) {
        cr_assert(row_is_finite(&test->rows[i]), "row %u", i);
    }
    tn_joint_error error = tni_joint_measure_error(&test->joint, &test->a, &test->b);
    cr_assert(isfinite(error.linear_length) && isfinite(error.angular_length));
    tni_joint_value value = tni_joint_measure_value(&test->joint, &test->a, &test->b);
    cr_assert(isfinite(value.position) && isfinite(value.speed));
    tni_body_mobility fixed = {.inv_mass = maths_vec3_zero()};
    cr_assert(isfinite(
        tni_joint_measure_elastic_energy(&test->joint, &test->a, &test->b, &fixed, &fixed)));
}

Test(rows, of_coincident_points_point_along_the_worlds_x) {
    test_random random = {13};
    test_case test = random_case(&random, TN_JOINT_TYPE_DISTANCE, none, none, 0.0);
    test.joint.frame_a.position = none;
    test.joint.frame_b.position = none;
    test.b.position = test.a.position;
    tn_distance_joint_def *def = &test.joint.def.distance;
    def->is_rigid = true;
    def->length = 1.0f;
    def->limit = (tn_limit){.enabled = true, .lower = 0.0f, .upper = 2.0f};
    def->spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 1.0f};
    check_all_finite(&test);
    cr_assert(test.rows[0].lin_b.x == 1.0f && test.rows[0].error == -1.0f);
}

Test(rows, of_aligned_and_opposite_axes_are_finite) {
    test_random random = {14};
    const tni_dvec3 turns[] = {{0, 0, 0},        {0, MATHS_PI, 0}, {0, 0, MATHS_PI},
                               {MATHS_PI, 0, 0}, {0, 1e-10, 0},    {0, MATHS_PI - 1e-10, 0}};
    for (int n = 0; n < 6 * 20; ++n) {
        for (int type = 0; type < 5; ++type) {
            test_case test = random_case(&random, (tn_joint_type)type, none, turns[n % 6], 0.0);
            tn_limit limit = {.enabled = true, .lower = -0.5f, .upper = 0.5f};
            tn_spring spring = {.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 1.0f};
            tn_motor motor = {.mode = TN_MOTOR_MODE_POSITION, .stiffness = 1.0f};
            if (type == TN_JOINT_TYPE_BALL) {
                test.joint.def.ball = (tn_ball_joint_def){.enable_cone = true,
                                                          .cone_angle = 0.5f,
                                                          .twist_limit = limit,
                                                          .spring = spring,
                                                          .friction = 1.0f,
                                                          .motor.mode = TN_MOTOR_MODE_POSITION};
            } else if (type == TN_JOINT_TYPE_HINGE) {
                test.joint.def.hinge = (tn_hinge_joint_def){
                    .limit = limit, .spring = spring, .motor = motor, .friction = 1.0f};
            }
            check_all_finite(&test);
        }
    }
}

// ---- values -----------------------------------------------------------------------------------

static double angle_error(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, double truth) {
    double difference = tni_joint_measure_value(joint, a, b).position - truth;
    return fabs(difference);
}

// With and without swing, over the whole turn.
Test(value, of_a_twist_is_the_same_from_axes_and_from_the_rotation) {
    test_random random = {77};
    for (int i = 0; i < CASES; ++i) {
        tni_dquat a = random_rotation(&random), q = random_rotation(&random);
        tni_axes frame_a = tni_axes_from_rotation(a);
        tni_axes frame_b = tni_axes_from_rotation(dquat_mul(a, q));
        double twist = tni_angle_get_twist(tni_angle_get_relative(a, dquat_mul(a, q)));
        // Rounding grows where x_b is nearly opposite to x_a and the twist loses its meaning.
        double tolerance = 1e-14 / (1e-6 + 1.0 + dvec3_dot(frame_a.x, frame_b.x));
        cr_assert_float_eq(tni_axis_measure_twist(&frame_a, &frame_b), twist, tolerance);
    }
}

Test(value, of_a_hinge_is_its_angle_from_minus_pi_to_pi) {
    test_random random = {15};
    for (int n = 0; n <= 1000; ++n) {
        double angle = -3.14159 + 6.28318 * n / 1000.0;
        test_case test =
            random_case(&random, TN_JOINT_TYPE_HINGE, none, dvec3_make(angle, 0, 0), 0.0);
        cr_assert(angle_error(&test.joint, &test.a, &test.b, angle) < 1e-12);
        tni_joint_value value = tni_joint_measure_value(&test.joint, &test.a, &test.b);
        cr_assert(value.position > -MATHS_PI && value.position <= MATHS_PI);
    }
    tni_joint joint = zero_joint(TN_JOINT_TYPE_HINGE);
    tni_body_motion a = {.rotation = {0, 0, 0, 1}}, b = {.rotation = {-1, 0, 0, 0}};
    cr_assert(tni_joint_measure_value(&joint, &a, &b).position == MATHS_PI);
    b.rotation = dquat_make(1, 0, 0, -0.0);
    cr_assert(tni_joint_measure_value(&joint, &a, &b).position == MATHS_PI);
}

Test(value, has_the_rate_of_finite_differences) {
    test_random random = {16};
    const tn_joint_type types[] = {TN_JOINT_TYPE_DISTANCE, TN_JOINT_TYPE_BALL, TN_JOINT_TYPE_HINGE,
                                   TN_JOINT_TYPE_SLIDER};
    const test_scalar scalars[] = {SCALAR_LENGTH, SCALAR_TWIST, SCALAR_TWIST, SCALAR_ALONG};
    for (int n = 0; n < 4 * CASES; ++n) {
        test_case test = random_case(&random, types[n % 4], dvec3_make(1.0, 0.0, 0.0),
                                     dvec3_make(random_between(&random, -2.0, 2.0), 0, 0), 0.3);
        tni_body_motion a = motion_after(&test.a, 1e-5), b = motion_after(&test.b, 1e-5);
        tni_body_motion a0 = motion_after(&test.a, -1e-5), b0 = motion_after(&test.b, -1e-5);
        double rate = (measure_scalar(&test.joint, &a, &b, scalars[n % 4], 0) -
                       measure_scalar(&test.joint, &a0, &b0, scalars[n % 4], 0)) /
                      2e-5;
        tni_joint_value value = tni_joint_measure_value(&test.joint, &test.a, &test.b);
        cr_assert_float_eq(value.position,
                           measure_scalar(&test.joint, &test.a, &test.b, scalars[n % 4], 0), 1e-12);
        cr_assert_float_eq(value.speed, rate, 1e-7 * (1.0 + fabs(rate)));
    }
}

// A range that lies across the half turn: 3.3 rad is inside, and reads as -2.98.
Test(limit, of_a_hinge_works_across_the_half_turn) {
    tni_joint joint = zero_joint(TN_JOINT_TYPE_HINGE);
    joint.def.hinge.limit = (tn_limit){.enabled = true, .lower = 2.5f, .upper = 4.0f};
    const double angles[] = {2.0, 2.5, 3.0, 3.3, 4.0, 4.5, 0.2, -0.2};
    for (int n = 0; n < 8; ++n) {
        tni_body_motion a = {.rotation = {0, 0, 0, 1}}, b = a;
        b.rotation = rotation_by(dvec3_make(angles[n], 0, 0));
        double nearest = angles[n] < 3.25 - MATHS_PI ? angles[n] + 2.0 * MATHS_PI : angles[n];
        tni_row rows[TNI_JOINT_MAX_ROWS];
        tni_joint_emit(&joint, &a, &b, rows);
        cr_assert_float_eq((double)rows[5].error, nearest - 2.5, 1e-6);
        cr_assert_float_eq((double)rows[6].error, 4.0 - nearest, 1e-6);
        double excess = nearest < 2.5 ? nearest - 2.5 : (nearest > 4.0 ? nearest - 4.0 : 0.0);
        tn_joint_error error = tni_joint_measure_error(&joint, &a, &b);
        cr_assert_float_eq(error.angular.x, excess, 1e-6);
    }
}

Test(motor, of_a_hinge_takes_the_shorter_way_to_its_target) {
    tni_joint joint = zero_joint(TN_JOINT_TYPE_HINGE);
    joint.def.hinge.motor =
        (tn_motor){.mode = TN_MOTOR_MODE_POSITION, .target_position = 3.0f, .stiffness = 1.0f};
    tni_body_motion a = {.rotation = {0, 0, 0, 1}}, b = a;
    b.rotation = rotation_by(dvec3_make(-3.0, 0, 0));
    tni_row rows[TNI_JOINT_MAX_ROWS];
    tni_joint_emit(&joint, &a, &b, rows);
    cr_assert_float_eq((double)rows[5].error, 2.0 * MATHS_PI - 6.0, 1e-6);
}

Test(error, is_told_per_axis_of_frame_a) {
    test_random random = {17};
    tni_dvec3 offset = {0.01, -0.02, 0.03}, turn = {0.001, 0.02, -0.03};
    for (int n = 0; n < CASES; ++n) {
        test_case fixed = random_case(&random, TN_JOINT_TYPE_FIXED, offset, turn, 0.0);
        tn_joint_error error = tni_joint_measure_error(&fixed.joint, &fixed.a, &fixed.b);
        cr_assert_float_eq(error.linear.x, 0.01, 1e-12);
        cr_assert_float_eq(error.linear.y, -0.02, 1e-12);
        cr_assert_float_eq(error.linear.z, 0.03, 1e-12);
        cr_assert_float_eq(error.angular.x, 0.001, 1e-12);
        cr_assert_float_eq(error.angular.y, 0.02, 1e-12);
        cr_assert_float_eq(error.angular.z, -0.03, 1e-12);
        cr_assert_float_eq(error.linear_length, sqrt(0.0014), 1e-12);

        test_case slider = random_case(&random, TN_JOINT_TYPE_SLIDER, offset, turn, 0.0);
        error = tni_joint_measure_error(&slider.joint, &slider.a, &slider.b);
        cr_assert_float_eq(error.linear.x, 0.0, 1e-12);
        cr_assert_float_eq(error.linear.y, -0.02, 1e-12);
        slider.joint.def.slider.limit = (tn_limit){.enabled = true, .lower = -0.25f, .upper = 0.0f};
        error = tni_joint_measure_error(&slider.joint, &slider.a, &slider.b);
        cr_assert_float_eq(error.linear.x, 0.01, 1e-12);

        tni_dvec3 tilt = {0.0, 0.02, -0.03};
        test_case hinge = random_case(&random, TN_JOINT_TYPE_HINGE, offset, tilt, 0.0);
        error = tni_joint_measure_error(&hinge.joint, &hinge.a, &hinge.b);
        cr_assert_float_eq(error.linear_length, sqrt(0.0014), 1e-12);
        cr_assert_float_eq(error.angular.x, 0.0, 1e-12);
        cr_assert_float_eq(error.angular_length, sqrt(0.0013), 1e-12);
    }
}

Test(energy, of_springs_is_half_k_x_squared) {
    tni_body_mobility fixed = {.inv_mass = maths_vec3_zero()};
    tni_body_mobility of_b = {.inv_mass = maths_vec3(0.5f, 0.5f, 0.5f),
                              .inv_inertia = {4, 4, 4, 0, 0, 0}};
    tni_joint joint = zero_joint(TN_JOINT_TYPE_DISTANCE);
    joint.def.distance = (tn_distance_joint_def){
        .length = 1.0f,
        .spring = {.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 100.0f, .rest = 1.0f}};
    tni_body_motion a = {.rotation = {0, 0, 0, 1}}, b = a;
    b.position = dvec3_make(0.0, 1.5, 0.0);
    double energy = tni_joint_measure_elastic_energy(&joint, &a, &b, &fixed, &of_b);
    cr_assert_float_eq(energy, 12.5, 1e-5);
    // 2 kg at 3 Hz.
    joint.def.distance.spring =
        (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 3.0f, .rest = 1.0f};
    energy = tni_joint_measure_elastic_energy(&joint, &a, &b, &fixed, &of_b);
    cr_assert_float_eq(energy, 0.25 * 36.0 * MATHS_PI * MATHS_PI, 1e-4);
    joint = zero_joint(TN_JOINT_TYPE_BALL);
    joint.def.ball.spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 8.0f};
    b.rotation = rotation_by(dvec3_make(0.3, 0.4, 0.0));
    energy = tni_joint_measure_elastic_energy(&joint, &a, &b, &fixed, &of_b);
    cr_assert_float_eq(energy, 1.0, 1e-5);
}
