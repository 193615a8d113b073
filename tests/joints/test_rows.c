// The equality rows of every joint, and what acts on the axes of a six-axis joint and a wheel,
// against finite differences: see row_check.h.
#include "joints/six_axis.h"
#include "row_check.h"

Test(rows, of_a_distance_joint_are_the_derivatives_of_its_length) {
    test_random random = {1};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 offset = dvec3_make(random_between(&random, 1.0, 3.0), 0.0, 0.0);
        test_case test =
            random_case(&random, TN_JOINT_TYPE_DISTANCE, offset, random_vector(&random, 3.0), 0.3);
        tn_distance_joint_def *def = &test.joint.def.distance;
        def->is_rigid = true;
        def->length = 1.5f;
        def->limit = (tn_limit){.is_enabled = true, .lower = 0.5f, .upper = 0.75f};
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
        test.joint.def.slider.limit = (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 2.0f};
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

Test(rows, of_a_cylindrical_joint_are_the_derivatives_of_offset_and_axes) {
    test_random random = {21};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 offset = dvec3_make(random_between(&random, -5.0, 5.0), 0.0, 0.0);
        tni_dvec3 turn = dvec3_make(random_between(&random, -3.0, 3.0), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_CYLINDRICAL, offset, turn, 0.3);
        emit_case(&test);
        cr_assert(test.count.rows == 4 && test.count.equalities == 4 && test.count.lengths == 2);
        check(&test, 0, SCALAR_ALONG, 1, 1.0, 0.0, true);
        check(&test, 1, SCALAR_ALONG, 2, 1.0, 0.0, true);
        check(&test, 2, SCALAR_AXIS, 1, 1.0, 0.0, true);
        check(&test, 3, SCALAR_AXIS, 2, 1.0, 0.0, true);
    }
}

Test(rows, of_a_universal_joint_are_the_derivatives_of_gap_and_arms) {
    test_random random = {22};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn =
            cross_turn(random_between(&random, -3.0, 3.0), random_between(&random, -3.0, 3.0));
        test_case test = random_case(&random, TN_JOINT_TYPE_UNIVERSAL, none, turn, 0.3);
        emit_case(&test);
        cr_assert(test.count.rows == 4 && test.count.equalities == 4 && test.count.lengths == 3);
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, i, SCALAR_POINT, i, 1.0, 0.0, true);
        }
        check(&test, 3, SCALAR_ARMS, 0, 1.0, 0.0, true);
    }
}

Test(rows, of_a_planar_joint_are_the_derivatives_of_height_and_axes) {
    test_random random = {23};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 offset =
            dvec3_make(0.0, random_between(&random, -5.0, 5.0), random_between(&random, -5.0, 5.0));
        tni_dvec3 turn = dvec3_make(random_between(&random, -3.0, 3.0), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_PLANAR, offset, turn, 0.3);
        emit_case(&test);
        cr_assert(test.count.rows == 3 && test.count.equalities == 3 && test.count.lengths == 1);
        check(&test, 0, SCALAR_ALONG, 0, 1.0, 0.0, true);
        check(&test, 1, SCALAR_AXIS, 1, 1.0, 0.0, true);
        check(&test, 2, SCALAR_AXIS, 2, 1.0, 0.0, true);
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
    const tn_joint_type types[] = {TN_JOINT_TYPE_HINGE,       TN_JOINT_TYPE_SLIDER,
                                   TN_JOINT_TYPE_FIXED,       TN_JOINT_TYPE_UNIVERSAL,
                                   TN_JOINT_TYPE_CYLINDRICAL, TN_JOINT_TYPE_PLANAR};
    const uint32_t firsts[] = {3, 2, 3, 3, 2, 1}, counts[] = {2, 3, 3, 1, 2, 2};
    test_random random = {18};
    for (int n = 0; n < 6 * 10 * CASES; ++n) {
        int k = n % 6;
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

static tni_six_axes six_axes; // of the case in hand

static test_case six_axis_case(test_random *random, tni_dvec3 offset, tni_dvec3 turn, double slip) {
    test_case test = random_case(random, TN_JOINT_TYPE_SIX_AXIS, offset, turn, slip);
    memset(&six_axes, 0, sizeof six_axes);
    test.joint.def.six_axis.apart = &six_axes;
    return test;
}

static void check_locked_turns(const test_case *test, uint32_t row, uint32_t locked) {
    const uint32_t lone[8] = {0, 0, 1, 2, 2, 1, 0, 0}; // locked where one is, else free
    uint32_t i = lone[locked], y = (i + 1) % 3, z = (i + 2) % 3;
    if (locked == 7) {
        for (uint32_t k = 0; k < 3; ++k) {
            check(test, row + k, SCALAR_ORIENTATION, k, 1.0, 0.0, true);
        }
    } else if (locked == 3 || locked == 5 || locked == 6) {
        check(test, row, SCALAR_ACROSS, 3 * y + i, 1.0, 0.0, true);
        check(test, row + 1, SCALAR_ACROSS, 3 * z + i, 1.0, 0.0, true);
    } else if (locked == 1) {
        check(test, row, SCALAR_ORIENTATION, 0, 1.0, 0.0, true);
    } else if (locked != 0) {
        check(test, row, SCALAR_ACROSS, 3 * (locked == 2 ? 2 : 1), 1.0, 0.0, true);
    }
}

// Each of the 64 ways to lock some of six axes.
Test(rows, of_locked_axes_are_the_derivatives_of_what_they_lock) {
    test_random random = {35};
    for (uint32_t n = 0; n < 4 * 64; ++n) {
        uint32_t lengths = n & 7, turns = n >> 3 & 7, row = 0;
        test_case test = six_axis_case(&random, random_vector(&random, 1.0), none, 0.3);
        six_axes.locks = n & TN_SIX_AXIS_LOCK_ALL;
        emit_case(&test);
        for (uint32_t i = 0; i < 3; ++i) {
            if (lengths == 7) {
                check(&test, row++, SCALAR_POINT, i, 1.0, 0.0, true);
            } else if ((lengths >> i & 1) != 0) {
                check(&test, row++, SCALAR_ALONG, i, 1.0, 0.0, true);
            }
        }
        cr_assert(test.count.lengths == row && test.count.rows == test.count.equalities);
        check_locked_turns(&test, row, turns);
    }
}

// A locked twist far off: the row is a unit vector, and C the twist.
Test(rows, of_a_locked_twist_pull_home_from_far_off) {
    test_random random = {36};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = dvec3_make(random_between(&random, 2.2, 3.1), 0.0, 0.0);
        test_case test = six_axis_case(&random, none, turn, 0.1);
        six_axes.locks |= TN_SIX_AXIS_LOCK(TN_SIX_AXIS_ANGULAR_X);
        emit_case(&test);
        double length = (double)glms_vec3_norm(test.rows[0].ang_b);
        cr_assert_float_eq(length, 1.0, 1e-5);
        tni_dvec3 back = dvec3_scale(dvec3_from_float(test.rows[0].ang_b), -1e-3);
        double before = (double)test.rows[0].error;
        test.b.rotation = dquat_mul(rotation_by(back), test.b.rotation);
        emit_case(&test);
        cr_assert_float_eq((double)test.rows[0].error, before - 1e-3, 1e-5);
    }
}

Test(rows, of_six_limited_axes_are_the_derivatives_of_their_values) {
    test_random random = {37};
    for (int n = 0; n < CASES; ++n) {
        // Swings up to 2 rad.
        tni_dvec3 turn = random_vector(&random, 1.1);
        test_case test = six_axis_case(&random, random_vector(&random, 2.0), turn, 0.0);
        for (int i = 0; i < 6; ++i) {
            six_axes.axes[i].limit = (tn_limit){.is_enabled = true, .lower = -0.25f, .upper = 0.5f};
        }
        emit_case(&test);
        cr_assert(test.count.rows == 12 && test.count.equalities == 0);
        const test_scalar scalars[6] = {SCALAR_ALONG, SCALAR_ALONG,      SCALAR_ALONG,
                                        SCALAR_TWIST, SCALAR_SWING_PART, SCALAR_SWING_PART};
        for (uint32_t i = 0; i < 6; ++i) {
            check(&test, 2 * i, scalars[i], i % 3, 1.0, 0.25, i < 3);
            check(&test, 2 * i + 1, scalars[i], i % 3, -1.0, 0.5, i < 3);
        }
    }
}

Test(rows, of_a_lone_free_turn_are_the_derivatives_of_its_angle) {
    test_random random = {38};
    for (int n = 0; n < CASES; ++n) {
        uint32_t lone = (uint32_t)n % 3;
        const tni_dvec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        double angle = random_between(&random, -2.9, 2.9);
        test_case test = six_axis_case(&random, none, dvec3_scale(axes[lone], angle), 0.02);
        for (uint32_t i = 0; i < 3; ++i) {
            six_axes.locks |= i != lone ? TN_SIX_AXIS_LOCK(3 + i) : 0;
        }
        six_axes.axes[3 + lone].limit =
            (tn_limit){.is_enabled = true, .lower = -1.0f, .upper = 1.0f};
        emit_case(&test);
        cr_assert(test.count.rows == 4 && test.count.equalities == 2);
        tni_joint_value value = tni_six_measure_value(&test.joint, &test.a, &test.b, 3 + lone);
        cr_assert_float_eq(value.position, angle, 0.1);
        cr_assert_float_eq((double)test.rows[2].error, value.position + 1.0, 1e-6);
        tni_body_motion a[2] = {motion_after(&test.a, -1e-5), motion_after(&test.a, 1e-5)};
        tni_body_motion b[2] = {motion_after(&test.b, -1e-5), motion_after(&test.b, 1e-5)};
        double rate = (tni_six_measure_value(&test.joint, &a[1], &b[1], 3 + lone).position -
                       tni_six_measure_value(&test.joint, &a[0], &b[0], 3 + lone).position) /
                      2e-5;
        cr_assert_float_eq(value.speed, rate, 1e-6 * (1.0 + fabs(rate)));
        cr_assert_float_eq(row_speed(&test.rows[2], &test.a, &test.b), rate,
                           1e-5 * (1.0 + fabs(rate)));
    }
}

Test(rows, of_round_limits_are_the_derivatives_of_their_lengths) {
    test_random random = {39};
    for (int n = 0; n < 4 * CASES; ++n) {
        // Of a short vector, or a fast one, the direction changes too fast for the differences.
        tni_dvec3 offset = dvec3_add(dvec3_make(0.8, -0.8, 0.8), random_vector(&random, 0.3));
        test_case test = six_axis_case(&random, offset, random_vector(&random, 1.4), 0.0);
        test.a.angular_velocity = dvec3_scale(test.a.angular_velocity, 0.5);
        test.b.angular_velocity = dvec3_scale(test.b.angular_velocity, 0.5);
        const tn_round_limit all = {true, true, true, 0.5f, 1.0f};
        six_axes.linear_limit = six_axes.angular_limit = all;
        if (n % 4 < 3) {
            bool *left_out[3] = {&six_axes.linear_limit.x, &six_axes.linear_limit.y,
                                 &six_axes.linear_limit.z};
            bool *too[3] = {&six_axes.angular_limit.x, &six_axes.angular_limit.y,
                            &six_axes.angular_limit.z};
            *left_out[n % 4] = *too[n % 4] = false;
        }
        six_axes.angular_limit.lower = n % 2 == 0 ? 0.5f : 0.0f;
        emit_case(&test);
        cr_assert(test.count.rows == (n % 2 == 0 ? 4 : 3) && test.count.equalities == 0);
        check(&test, 0, SCALAR_ROUND_LENGTH, 0, 1.0, -0.5, true);
        check(&test, 1, SCALAR_ROUND_LENGTH, 0, -1.0, 1.0, true);
        if (n % 2 == 0) {
            check(&test, 2, SCALAR_ROUND_TURN, 0, 1.0, -0.5, false);
        }
        check(&test, test.count.rows - 1, SCALAR_ROUND_TURN, 0, -1.0, 1.0, false);
    }
}

Test(rows, of_a_wheel_are_the_derivatives_of_travel_axle_and_angles) {
    test_random random = {40};
    for (int n = 0; n < CASES; ++n) {
        bool is_steered = n % 2 == 0;
        tni_dvec3 offset = dvec3_make(random_between(&random, -1.0, 1.0), 0.0, 0.0);
        tni_dvec3 turn = dvec3_make(0.0, 0.0, random_between(&random, -2.8, 2.8));
        test_case test = random_case(&random, TN_JOINT_TYPE_WHEEL, offset, turn, 0.2);
        tn_wheel_joint_def *def = &test.joint.def.wheel;
        def->has_steering = is_steered;
        def->suspension = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 5, .rest = 1};
        def->suspension_limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.25f};
        def->steering_limit = (tn_limit){.is_enabled = true, .lower = -0.75f, .upper = 0.5f};
        def->steering_motor =
            (tn_motor){.mode = TN_MOTOR_MODE_POSITION, .target_position = 0.5f, .stiffness = 3.0f};
        def->spin_motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION, .stiffness = 2.0f};
        emit_case(&test);
        uint32_t row = is_steered ? 3 : 4;
        cr_assert(test.count.equalities == row && test.count.rows == (is_steered ? 10 : 8));
        check(&test, 0, SCALAR_ALONG, 1, 1.0, 0.0, true);
        check(&test, 1, SCALAR_ALONG, 2, 1.0, 0.0, true);
        check(&test, 2, SCALAR_ACROSS, 2, 1.0, 0.0, true);
        if (!is_steered) {
            check(&test, 3, SCALAR_ACROSS, 5, 1.0, 0.0, true);
        }
        check(&test, row++, SCALAR_ALONG, 0, 1.0, -1.0, false);
        check(&test, row++, SCALAR_SPIN, 0, 1.0, 0.0, false);
        if (is_steered) {
            check(&test, row++, SCALAR_STEERING, 0, 1.0, -0.5, false);
            check(&test, row++, SCALAR_STEERING, 0, 1.0, 0.75, false);
            check(&test, row++, SCALAR_STEERING, 0, -1.0, 0.5, false);
        }
        check(&test, row++, SCALAR_ALONG, 0, 1.0, 0.5, true);
        check(&test, row, SCALAR_ALONG, 0, -1.0, 0.25, true);
    }
}
