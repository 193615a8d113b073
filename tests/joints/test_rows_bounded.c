// The rows of limits, motors, springs and friction, and of joints that push in one direction,
// against finite differences: see row_check.h.
#include "joints/parts/angle.h"
#include "joints/transmissions/profile.h"
#include "row_check.h"
#include "swing_within.h"

Test(rows_bounded, of_a_hinges_actors_are_the_derivatives_of_its_angle) {
    test_random random = {7};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = dvec3_make(random_between(&random, -2.5, 2.5), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_HINGE, none, turn, 0.3);
        tn_hinge_joint_def *def = &test.joint.def.hinge;
        def->spring = (tn_spring){.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = 7, .damping = 2};
        def->friction = 3.0f;
        def->motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 4, .max_force = 9};
        def->limit = (tn_limit){.is_enabled = true, .lower = -0.25f, .upper = 0.25f};
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

Test(rows_bounded, of_what_acts_on_a_hinge_say_what_it_is_given) {
    test_random random = {8};
    test_case test = random_case(&random, TN_JOINT_TYPE_HINGE, none, none, 0.3);
    tn_hinge_joint_def *def = &test.joint.def.hinge;
    def->viscous_friction = 5.0f;
    def->motor = (tn_motor){.mode = TN_MOTOR_MODE_POSITION,
                            .stiffness = 6.0f,
                            .damping = 7.0f,
                            .max_force = 8.0f,
                            .drive = TN_DRIVE_MODE_ACCELERATION};
    def->limit = (tn_limit){.is_enabled = true, .restitution = 0.5f};
    emit_case(&test);
    const tni_row *rows = test.rows + 5;
    cr_assert(test.count.rows == 9);
    cr_assert(rows[0].kind == TNI_ROW_SPRING && rows[0].role == TNI_ROLE_FRICTION);
    cr_assert(rows[0].stiffness == 0.0f && rows[0].damping == 5.0f && isinf(rows[0].max_force));
    cr_assert(rows[1].kind == TNI_ROW_ACCELERATION && rows[1].role == TNI_ROLE_MOTOR);
    cr_assert(rows[1].stiffness == 6.0f && rows[1].damping == 7.0f && rows[1].max_force == 8.0f);
    cr_assert(rows[2].kind == TNI_ROW_LIMIT && rows[3].restitution == 0.5f);
    def->limit.stiffness = 9.0f;
    def->limit.damping = 10.0f;
    emit_case(&test);
    for (int i = 2; i < 4; ++i) {
        cr_assert(rows[i].kind == TNI_ROW_SOFT_LIMIT && rows[i].role == TNI_ROLE_SPRING);
        cr_assert(rows[i].stiffness == 9.0f && rows[i].damping == 10.0f);
        cr_assert(rows[i].restitution == 0.0f);
    }
}

// With a spring the angle is measured, without it the axes are enough.
Test(rows_bounded, of_a_hinges_actors_are_the_same_without_its_equalities) {
    test_random random = {9};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = dvec3_make(random_between(&random, -2.5, 2.5), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_HINGE, none, turn, 0.3);
        tn_hinge_joint_def *def = &test.joint.def.hinge;
        def->spring.mode = n % 2 == 0 ? TN_SPRING_MODE_OFF : TN_SPRING_MODE_STIFFNESS;
        def->friction = 3.0f;
        def->motor = (tn_motor){.mode = TN_MOTOR_MODE_SPEED, .target_speed = 4, .max_force = 9};
        emit_case(&test);
        tni_row rows[TNI_JOINT_MAX_ROWS];
        tni_joint_emit_actors(&test.joint, &test.a, &test.b, rows);
        uint32_t first = test.count.equalities;
        cr_assert(test.count.rows == first + 2 + (uint32_t)(n % 2));
        for (uint32_t r = first; r < test.count.rows; ++r) {
            const tni_row *row = &rows[r], *all = &test.rows[r];
            for (int c = 0; c < 12; ++c) {
                cr_assert(row->jacobian[c] == all->jacobian[c], "row %u", r);
            }
            cr_assert(row->kind == all->kind && row->role == all->role);
            cr_assert(row->error == all->error && row->target_speed == all->target_speed);
            cr_assert(row->max_force == all->max_force && row->group == all->group);
        }
    }
}

// All that may act on one value of a joint that has several; `n` tells the rows of one from those
// of another.
static tn_axis full_axis(int n) {
    tn_axis axis = {
        .limit = {.is_enabled = true, .lower = -0.25f, .upper = 0.25f},
        .motor = {.mode = TN_MOTOR_MODE_SPEED, .target_speed = (float)(4 + n), .max_force = 9},
        .spring = {.mode = TN_SPRING_MODE_STIFFNESS, .stiffness = (float)(7 + n), .damping = 2},
        .friction = (float)(3 + n)};
    return axis;
}

// Spring, friction, motor and both ends of the limit, from the row `first` on.
static void check_axis(const test_case *test, uint32_t first, int n, test_scalar scalar, uint32_t i,
                       bool has_velocity_term) {
    const tni_row *rows = &test->rows[first];
    check(test, first, scalar, i, 1.0, 0.0, false);
    check(test, first + 3, scalar, i, 1.0, 0.25, has_velocity_term);
    check(test, first + 4, scalar, i, -1.0, 0.25, has_velocity_term);
    cr_assert(rows[0].kind == TNI_ROW_SPRING && rows[0].stiffness == (float)(7 + n));
    cr_assert(rows[1].role == TNI_ROLE_FRICTION && rows[1].max_force == (float)(3 + n));
    cr_assert(rows[2].role == TNI_ROLE_MOTOR && rows[2].target_speed == (float)(4 + n));
    cr_assert(rows[3].kind == TNI_ROW_LIMIT && rows[4].kind == TNI_ROW_LIMIT);
    for (int k = 0; k < 5; ++k) {
        cr_assert(rows[k].is_angular == (scalar != SCALAR_ALONG) && rows[k].group == 1);
    }
}

Test(rows_bounded, of_a_cylindrical_joints_actors_are_the_derivatives_of_its_two_values) {
    test_random random = {24};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 offset = dvec3_make(random_between(&random, -2.0, 2.0), 0.0, 0.0);
        tni_dvec3 turn = dvec3_make(random_between(&random, -2.5, 2.5), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_CYLINDRICAL, offset, turn, 0.3);
        test.joint.def.cylindrical.slide = full_axis(0);
        test.joint.def.cylindrical.turn = full_axis(1);
        emit_case(&test);
        cr_assert(test.count.rows == 14);
        check_axis(&test, 4, 0, SCALAR_ALONG, 0, true);
        check_axis(&test, 9, 1, SCALAR_TWIST, 0, false);
    }
}

Test(rows_bounded, of_a_universal_joints_actors_are_the_derivatives_of_its_two_angles) {
    test_random random = {25};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn =
            cross_turn(random_between(&random, -2.5, 2.5), random_between(&random, -2.5, 2.5));
        test_case test = random_case(&random, TN_JOINT_TYPE_UNIVERSAL, none, turn, 0.2);
        test.joint.def.universal.first = full_axis(0);
        test.joint.def.universal.second = full_axis(1);
        emit_case(&test);
        cr_assert(test.count.rows == 14);
        check_axis(&test, 4, 0, SCALAR_FIRST, 0, false);
        check_axis(&test, 9, 1, SCALAR_SECOND, 0, false);
    }
}

Test(rows_bounded, of_a_planar_joints_actors_are_the_derivatives_of_its_three_values) {
    test_random random = {26};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 offset =
            dvec3_make(0.0, random_between(&random, -2.0, 2.0), random_between(&random, -2.0, 2.0));
        tni_dvec3 turn = dvec3_make(random_between(&random, -2.5, 2.5), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_PLANAR, offset, turn, 0.3);
        test.joint.def.planar.y = full_axis(0);
        test.joint.def.planar.z = full_axis(1);
        test.joint.def.planar.turn = full_axis(2);
        emit_case(&test);
        cr_assert(test.count.rows == 18);
        check_axis(&test, 3, 0, SCALAR_ALONG, 1, true);
        check_axis(&test, 8, 1, SCALAR_ALONG, 2, true);
        check_axis(&test, 13, 2, SCALAR_TWIST, 0, false);
    }
}

Test(rows_bounded, of_a_ball_joints_cone_and_twist_are_derivatives) {
    test_random random = {8};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn =
            dvec3_make(random_between(&random, -1.0, 1.0), random_between(&random, 0.5, 1.2), 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_BALL, none, turn, 0.2);
        tn_ball_joint_def *def = &test.joint.def.ball;
        def->cone_limit = (tn_limit){.is_enabled = true, .upper = 0.7f};
        def->twist_limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
        emit_case(&test);
        cr_assert(test.count.rows == 6 && test.count.equalities == 3);
        check(&test, 3, SCALAR_SWING, 0, -1.0, (double)0.7f, true);
        check(&test, 4, SCALAR_TWIST, 0, 1.0, 0.5, true);
        check(&test, 5, SCALAR_TWIST, 0, -1.0, 0.5, true);
    }
}

// A cone's row has Jdot v where a short turn would take the bodies to its end.
static bool swing_may_end(const test_case *test, uint32_t row) {
    tni_dvec3 change = dvec3_sub(test->b.angular_velocity, test->a.angular_velocity);
    double pace = 0.5 * dvec3_length(change) - row_speed(&test->rows[row], &test->a, &test->b);
    return (double)test->rows[row].error < 0.03 * fmax(pace, 0.0);
}

Test(rows_bounded, of_a_swing_twist_joints_cone_and_twist_are_derivatives) {
    test_random random = {31};
    for (int n = 0; n < CASES; ++n) {
        // Swings up to 2.1 rad in any direction, within the cone and past it.
        double direction = random_between(&random, 0.0, 6.3), size = random_between(&random, 0, 2);
        tni_dvec3 turn = dvec3_make(random_between(&random, -1.0, 1.0), size * cos(direction),
                                    size * sin(direction));
        test_case test = random_case(&random, TN_JOINT_TYPE_SWING_TWIST, none, turn, 0.1);
        tn_swing_twist_joint_def *def = &test.joint.def.swing_twist;
        float half_y = (float)random_between(&random, 0.2, 2.5);
        float half_z = n % 5 == 0 ? half_y : (float)random_between(&random, 0, 2);
        def->swing_limit_y = swing_within(half_y);
        def->swing_limit_z = swing_within(half_z);
        def->twist_limit = (tn_limit){.is_enabled = true, .lower = -0.5f, .upper = 0.5f};
        emit_case(&test);
        cr_assert(test.count.rows == 6 && test.count.equalities == 3);
        // Where two points of the ellipse are equally near the room has no derivative; a little way
        // from there it bends too sharply for a second difference.
        test_frames f = measure_frames(&test.joint, &test.a, &test.b);
        tni_dvec3 swing = swing_of(&f);
        bool is_y_long = half_y >= half_z;
        double off = fabs(is_y_long ? swing.z : swing.y);
        if (off > 0.01) {
            check(&test, 3, SCALAR_SWING_ROOM, 0, 1.0, 0.0, off > 0.1 && swing_may_end(&test, 3));
        }
        check(&test, 4, SCALAR_TWIST, 0, 1.0, 0.5, true);
        check(&test, 5, SCALAR_TWIST, 0, -1.0, 0.5, true);
        cr_assert(test.rows[3].kind == TNI_ROW_LIMIT && test.rows[3].role == TNI_ROLE_JOINT);
    }
}

Test(rows_bounded, of_a_swing_that_is_locked_about_one_axis_hold_it_and_bound_the_other) {
    test_random random = {32};
    for (int n = 0; n < CASES; ++n) {
        bool is_y_locked = n % 2 == 0;
        double swing = random_between(&random, -2.0, 2.0);
        tni_dvec3 turn = dvec3_make(0.0, is_y_locked ? 0.0 : swing, is_y_locked ? swing : 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_SWING_TWIST, none, turn, 0.2);
        tn_swing_twist_joint_def *def = &test.joint.def.swing_twist;
        def->swing_limit_y = swing_within(is_y_locked ? 0.0f : 0.75f);
        def->swing_limit_z = swing_within(is_y_locked ? 0.75f : 0.0f);
        emit_case(&test);
        cr_assert(test.count.rows == 5 && test.count.equalities == 4);
        for (uint32_t i = 0; i < 3; ++i) {
            check(&test, i, SCALAR_POINT, i, 1.0, 0.0, true);
        }
        check(&test, 3, SCALAR_AXIS, is_y_locked ? 2 : 1, 1.0, 0.0, true);
        test_frames f = measure_frames(&test.joint, &test.a, &test.b);
        uint32_t part = is_y_locked ? 2 : 1;
        double sign = component(swing_of(&f), part) < 0.0 ? 1.0 : -1.0;
        check(&test, 4, SCALAR_SWING_PART, part, sign, 0.75, swing_may_end(&test, 4));
    }
}

Test(rows_bounded, of_a_swing_that_is_locked_about_both_axes_are_those_of_a_hinge) {
    test_random random = {33};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = dvec3_make(random_between(&random, -3.0, 3.0), 0.0, 0.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_SWING_TWIST, none, turn, 0.2);
        tn_swing_twist_joint_def *def = &test.joint.def.swing_twist;
        def->swing_limit_y = def->swing_limit_z = swing_within(0.0f);
        emit_case(&test);
        cr_assert(test.count.rows == 5 && test.count.equalities == 5);
        check(&test, 3, SCALAR_AXIS, 1, 1.0, 0.0, true);
        check(&test, 4, SCALAR_AXIS, 2, 1.0, 0.0, true);
    }
}

// The same cone told to both joints: row for row.
Test(rows_bounded, of_a_round_swing_are_those_of_a_ball_joints_cone) {
    test_random random = {34};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = random_vector(&random, 1.0);
        test_case test = random_case(&random, TN_JOINT_TYPE_SWING_TWIST, none, turn, 0.1);
        tn_swing_twist_joint_def *def = &test.joint.def.swing_twist;
        def->swing_limit_y = def->swing_limit_z = swing_within(0.75f);
        emit_case(&test);
        tni_row own = test.rows[3];
        joint_set_type(&test.joint, TN_JOINT_TYPE_BALL);
        memset(&test.joint.def, 0, sizeof test.joint.def);
        test.joint.def.ball.cone_limit = (tn_limit){.is_enabled = true, .upper = 0.75f};
        emit_case(&test);
        cr_assert_float_eq((double)own.error, (double)test.rows[3].error, 1e-7);
        for (int c = 0; c < 12; ++c) {
            cr_assert_float_eq((double)own.jacobian[c], (double)test.rows[3].jacobian[c], 1e-6);
        }
    }
}

Test(rows_bounded, about_three_axes_carry_the_rotation_vector) {
    test_random random = {9};
    for (int n = 0; n < CASES; ++n) {
        tni_dvec3 turn = random_vector(&random, 1.7);
        test_case test = random_case(&random, TN_JOINT_TYPE_BALL, none, turn, 0.0);
        tn_ball_joint_def *def = &test.joint.def.ball;
        def->spring = (tn_spring){.mode = TN_SPRING_MODE_FREQUENCY, .hertz = 3, .damping_ratio = 1};
        def->friction = 2.0f;
        tni_dvec3 target = random_vector(&random, 1.0);
        tni_dquat target_rotation = rotation_by(target);
        def->motor = (tn_ball_motor){.mode = TN_MOTOR_MODE_POSITION,
                                     .target_velocity = {1.0, 2.0, 3.0},
                                     .target_rotation = {target_rotation.x, target_rotation.y,
                                                         target_rotation.z, target_rotation.w},
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

Test(rows_bounded, of_a_soft_weld_leave_the_equalities) {
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

// ---- cams, ratchets, escapements: one-sided ----------------------------------------------------

// The nth case of them: on a pear's roller or face, between two teeth, on any face of a pallet.
static test_case ticking_case(test_random *random, int n) {
    static double memory[4096];
    const tn_joint_type types[] = {TN_JOINT_TYPE_CAM, TN_JOINT_TYPE_CAM, TN_JOINT_TYPE_RATCHET,
                                   TN_JOINT_TYPE_ESCAPEMENT};
    const tni_dvec3 offsets[] = {{0.1, 1.4, 0.3}, {0.1, 1.4, 0.3}, {0.5, 0.5, 0.5}, {0.0, 1.5, 0}};
    double any = random_between(random, -2.0, 2.0);
    const tni_dvec3 turns[] = {{0.2, 0.3, 1.5}, {0.2, 0.3, 1.5}, {any, 0.0, 0.0}, {MATHS_PI, 0, 0}};
    test_case test = random_case(random, types[n % 4], offsets[n % 4], turns[n % 4], 0.3);
    double radii[12];
    for (int i = 0; i < 12; ++i) {
        radii[i] = 1.0 + 0.2 * cos(2.0 * MATHS_PI * i / 12.0);
    }
    tni_joint_kept_def *def = &test.joint.def;
    if (types[n % 4] == TN_JOINT_TYPE_CAM) {
        def->cam.profile = tni_profile_make(memory, radii, 12);
        def->cam.follower = (tn_cam_follower)(n % 2);
        def->cam.roller_radius = 0.3;
    } else if (types[n % 4] == TN_JOINT_TYPE_RATCHET) {
        def->ratchet = (tn_ratchet_joint_def){.teeth = 7, .direction = n % 8 < 4 ? 1 : -1};
        def->ratchet.is_engaged = true;
    } else {
        def->escapement = (tn_escapement_joint_def){.teeth = 9, .direction = n % 8 < 4 ? 1 : -1};
        def->escapement.lift_angle = 0.4;
        def->escapement.lock_angle = 0.1;
        def->escapement.drop_angle = 0.1;
    }
    tni_joint_mesh(&test.joint, &test.a, &test.b, random_between(random, 0.0, 0.3),
                   TNI_COUNTS_BOTH);
    return test;
}

// C by differences of fourth order against J v, and C'' against Jdot v.
Test(rows_bounded, of_what_ticks_are_the_derivatives_of_their_errors) {
    test_random random = {71};
    const double h = 2e-4;
    for (int n = 0; n < 4 * CASES; ++n) {
        test_case test = ticking_case(&random, n);
        emit_case(&test);
        cr_assert(test.count.rows == 1 && test.count.equalities == 0);
        const tni_row *row = &test.rows[0];
        cr_assert(row->kind == TNI_ROW_LIMIT);
        double c[5];
        for (int k = 0; k < 5; ++k) {
            tni_body_motion a = motion_after(&test.a, (k - 2) * h);
            tni_body_motion b = motion_after(&test.b, (k - 2) * h);
            // The gap of a cam, an escapement's room; a ratchet is at its first tooth.
            uint32_t value = test.joint.type == TN_JOINT_TYPE_RATCHET ? 0 : 1;
            c[k] = tni_joint_measure_value(&test.joint, value, &a, &b).position;
        }
        bool crosses = false; // an edge of a pallet, where the slope jumps
        for (int k = 0; k < 3 && n % 4 == 3; ++k) {
            double bend = c[k + 2] - 2.0 * c[k + 1] + c[k];
            crosses = crosses || fabs(bend) > 1e-5;
        }
        if (crosses) {
            continue;
        }
        double rate = (8.0 * (c[3] - c[1]) - (c[4] - c[0])) / (12.0 * h);
        double bend = (16.0 * (c[3] + c[1]) - c[4] - c[0] - 30.0 * c[2]) / (12.0 * h * h);
        double speed = row_speed(row, &test.a, &test.b);
        cr_assert_float_eq((double)row->error, c[2], 1e-6);
        cr_assert_float_eq(speed, rate, 1e-5 * (1.0 + fabs(rate)), "%d: %g for %g", n, speed, rate);
        cr_assert_float_eq((double)row->velocity_term, bend, 1e-4 * (1.0 + fabs(bend)),
                           "%d: %g for %g", n, (double)row->velocity_term, bend);
    }
}
