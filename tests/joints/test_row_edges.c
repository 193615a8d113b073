// The rows of every joint where nothing is as usual: all choices of options, far from the origin,
// points and axes that coincide.
#include "joint_case.h"
#include "swing_within.h"

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
        cr_assert(i >= count.equalities || rows[i].is_angular == (i >= count.lengths));
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
    cr_assert(soft_count.rows == count.rows && soft_count.equalities == 0 &&
              soft_count.lengths == 0);
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
    for (int bits = 0; bits < 512; ++bits) {
        tn_motor motor = {.mode = (tn_motor_mode)(bits % 3)};
        tn_spring spring = {.mode = (tn_spring_mode)(bits / 3 % 3)};
        tn_limit limit = {.is_enabled = bits & 64};
        float friction = bits & 128 ? 1.0f : 0.0f, viscous = bits & 256 ? 1.0f : 0.0f;
        tni_joint joint = zero_joint(TN_JOINT_TYPE_DISTANCE);
        joint.def.distance = (tn_distance_joint_def){.is_rigid = bits & 32,
                                                     .length = 1.0f,
                                                     .motor = motor,
                                                     .spring = spring,
                                                     .limit = limit,
                                                     .friction = friction,
                                                     .viscous_friction = viscous};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_HINGE);
        joint.def.hinge = (tn_hinge_joint_def){.motor = motor,
                                               .spring = spring,
                                               .limit = limit,
                                               .friction = friction,
                                               .viscous_friction = viscous};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_SLIDER);
        joint.def.slider = (tn_slider_joint_def){.motor = motor,
                                                 .spring = spring,
                                                 .limit = limit,
                                                 .friction = friction,
                                                 .viscous_friction = viscous};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_BALL);
        joint.def.ball = (tn_ball_joint_def){.motor.mode = motor.mode,
                                             .cone_limit = {.is_enabled = bits & 32},
                                             .twist_limit = limit,
                                             .spring = spring,
                                             .friction = friction,
                                             .viscous_friction = viscous};
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_FIXED);
        joint.def.fixed.linear_spring = spring;
        joint.def.fixed.angular_spring.mode = (tn_spring_mode)(bits % 3);
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        const tn_axis axes[2] = {
            {.motor = motor, .spring = spring, .limit = limit, .friction = friction},
            {.motor.mode = (tn_motor_mode)(bits / 9 % 3), .limit.is_enabled = bits & 32}};
        joint = zero_joint(TN_JOINT_TYPE_UNIVERSAL);
        joint.def.universal.first = axes[0];
        joint.def.universal.second = axes[1];
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_CYLINDRICAL);
        joint.def.cylindrical.slide = axes[1];
        joint.def.cylindrical.turn = axes[0];
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
        joint = zero_joint(TN_JOINT_TYPE_PLANAR);
        joint.def.planar.y = axes[0];
        joint.def.planar.z = axes[1];
        joint.def.planar.turn = axes[0];
        check_count(&joint, &a, &b);
        check_soft_count(&joint, &a, &b);
    }
}

// ---- far from the origin ----------------------------------------------------------------------

// 100 km out a double is spaced 1.5e-11 m, so that rows differ by less than a float's rounding.
Test(rows, are_the_same_100_km_from_the_origin) {
    test_random random = {12};
    for (int n = 0; n < 8 * CASES; ++n) {
        tn_joint_type type = (tn_joint_type)(n % 8);
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
    tni_joint_value value = tni_joint_measure_value(&test->joint, 0, &test->a, &test->b);
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
    def->limit = (tn_limit){.is_enabled = true, .lower = 0.0f, .upper = 2.0f};
    def->spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 1.0f};
    check_all_finite(&test);
    cr_assert(test.rows[0].lin_b.x == 1.0f && test.rows[0].error == -1.0f);
}

Test(rows, of_aligned_and_opposite_axes_are_finite) {
    test_random random = {14};
    const tni_dvec3 turns[] = {{0, 0, 0},        {0, MATHS_PI, 0}, {0, 0, MATHS_PI},
                               {MATHS_PI, 0, 0}, {0, 1e-10, 0},    {0, MATHS_PI - 1e-10, 0}};
    for (int n = 0; n < 6 * 20; ++n) {
        for (int type = 0; type < 8; ++type) {
            test_case test = random_case(&random, (tn_joint_type)type, none, turns[n % 6], 0.0);
            tn_limit limit = {.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
            tn_spring spring = {.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 1.0f};
            tn_motor motor = {.mode = TN_MOTOR_MODE_POSITION, .stiffness = 1.0f};
            if (type == TN_JOINT_TYPE_BALL) {
                test.joint.def.ball =
                    (tn_ball_joint_def){.cone_limit = {.is_enabled = true, .upper = 0.5f},
                                        .twist_limit = limit,
                                        .spring = spring,
                                        .friction = 1.0f,
                                        .motor.mode = TN_MOTOR_MODE_POSITION};
            } else if (type == TN_JOINT_TYPE_HINGE) {
                test.joint.def.hinge = (tn_hinge_joint_def){
                    .limit = limit, .spring = spring, .motor = motor, .friction = 1.0f};
            }
            tn_axis axis = {.limit = limit, .spring = spring, .motor = motor, .friction = 1.0f};
            if (type == TN_JOINT_TYPE_UNIVERSAL) {
                test.joint.def.universal.first = test.joint.def.universal.second = axis;
            } else if (type == TN_JOINT_TYPE_CYLINDRICAL) {
                test.joint.def.cylindrical.slide = test.joint.def.cylindrical.turn = axis;
            } else if (type == TN_JOINT_TYPE_PLANAR) {
                test.joint.def.planar.y = test.joint.def.planar.turn = axis;
            }
            check_all_finite(&test);
        }
    }
}

// Where swings have no direction, lengths are zero and an axle lies along its suspension.
Test(rows, of_swings_and_axles_without_direction_are_finite) {
    test_random random = {15};
    const tni_dvec3 turns[] = {{0, 0, 0},           {0, MATHS_PI, 0}, {0, 0, MATHS_PI},
                               {MATHS_PI, 0, 0},    {0, 1e-10, 0},    {0, MATHS_PI - 1e-10, 0},
                               {0, MATHS_PI / 2, 0}};
    const tn_limit limit = {.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
    const tn_round_limit round = {true, true, true, 0.25f, 0.5f};
    static tni_six_axes six_axes;
    for (uint32_t n = 0; n < 7 * 64; ++n) {
        tni_dvec3 turn = turns[n % 7];
        test_case test = random_case(&random, TN_JOINT_TYPE_SWING_TWIST, none, turn, 0.0);
        test.joint.def.swing_twist.swing_limit_y = swing_within(n & 1 ? 0.5f : 0.0f);
        test.joint.def.swing_twist.swing_limit_z = swing_within(n & 2 ? 0.25f : 0.0f);
        test.joint.def.swing_twist.swing_limit_z.lower *= n & 4 ? 0.0f : 1.0f;
        test.joint.def.swing_twist.twist_limit = limit;
        check_all_finite(&test);
        test = random_case(&random, TN_JOINT_TYPE_WHEEL, none, turn, 0.0);
        test.joint.def.wheel.has_steering = n % 2 == 0;
        test.joint.def.wheel.steering_limit = test.joint.def.wheel.suspension_limit = limit;
        test.joint.def.wheel.spin_motor.mode = TN_MOTOR_MODE_POSITION;
        check_all_finite(&test);
        test = random_case(&random, TN_JOINT_TYPE_SIX_AXIS, none, turn, 0.0);
        test.joint.def.six_axis.apart = &six_axes;
        six_axes.locks = n & TN_SIX_AXIS_LOCK_ALL;
        for (int i = 0; i < TN_SIX_AXIS_COUNT; ++i) {
            six_axes.axes[i].limit = limit;
        }
        six_axes.linear_limit = six_axes.angular_limit = round;
        six_axes.linear_limit.x = six_axes.angular_limit.y = n % 3 == 0;
        check_all_finite(&test);
    }
}
