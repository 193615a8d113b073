// What a joint tells of itself: value and rate, error per axis, elastic energy; and the errors of
// limits and motors across the half turn.
#include "joint_case.h"
#include "joints/parts/angle.h"
#include "joints/parts/axis.h"
#include "joints/transmissions/profile.h"

static double angle_error(const tni_joint *joint, const tni_body_motion *a,
                          const tni_body_motion *b, double truth) {
    double difference = tni_joint_measure_value(joint, 0, a, b).position - truth;
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
        tni_joint_value value = tni_joint_measure_value(&test.joint, 0, &test.a, &test.b);
        cr_assert(value.position > -MATHS_PI && value.position <= MATHS_PI);
    }
    tni_joint joint = zero_joint(TN_JOINT_TYPE_HINGE);
    tni_body_motion a = {.rotation = {0, 0, 0, 1}}, b = {.rotation = {-1, 0, 0, 0}};
    cr_assert(tni_joint_measure_value(&joint, 0, &a, &b).position == MATHS_PI);
    b.rotation = dquat_make(1, 0, 0, -0.0);
    cr_assert(tni_joint_measure_value(&joint, 0, &a, &b).position == MATHS_PI);
}

Test(value, has_the_rate_of_finite_differences) {
    test_random random = {16};
    const tn_joint_type types[] = {TN_JOINT_TYPE_DISTANCE,    TN_JOINT_TYPE_BALL,
                                   TN_JOINT_TYPE_HINGE,       TN_JOINT_TYPE_SLIDER,
                                   TN_JOINT_TYPE_SWING_TWIST, TN_JOINT_TYPE_WHEEL};
    const test_scalar scalars[] = {SCALAR_LENGTH, SCALAR_TWIST, SCALAR_TWIST,
                                   SCALAR_ALONG,  SCALAR_TWIST, SCALAR_ALONG};
    for (int n = 0; n < 6 * CASES; ++n) {
        test_case test = random_case(&random, types[n % 6], dvec3_make(1.0, 0.0, 0.0),
                                     dvec3_make(random_between(&random, -2.0, 2.0), 0, 0), 0.3);
        tni_body_motion a = motion_after(&test.a, 1e-5), b = motion_after(&test.b, 1e-5);
        tni_body_motion a0 = motion_after(&test.a, -1e-5), b0 = motion_after(&test.b, -1e-5);
        double rate = (measure_scalar(&test.joint, &a, &b, scalars[n % 6], 0) -
                       measure_scalar(&test.joint, &a0, &b0, scalars[n % 6], 0)) /
                      2e-5;
        tni_joint_value value = tni_joint_measure_value(&test.joint, 0, &test.a, &test.b);
        cr_assert_float_eq(value.position,
                           measure_scalar(&test.joint, &test.a, &test.b, scalars[n % 6], 0), 1e-12);
        cr_assert_float_eq(value.speed, rate, 1e-7 * (1.0 + fabs(rate)));
    }
}

// With slip, so that the rates are those of what the getters return also where the joint is off.
Test(value, of_several_in_one_joint_each_have_their_rate) {
    static const struct {
        tn_joint_type type;
        uint32_t index;
        test_scalar scalar;
        uint32_t component;
    } values[] = {{TN_JOINT_TYPE_CYLINDRICAL, 0, SCALAR_ALONG, 0},
                  {TN_JOINT_TYPE_CYLINDRICAL, 1, SCALAR_TWIST, 0},
                  {TN_JOINT_TYPE_UNIVERSAL, 0, SCALAR_FIRST, 0},
                  {TN_JOINT_TYPE_UNIVERSAL, 1, SCALAR_SECOND, 0},
                  {TN_JOINT_TYPE_PLANAR, 0, SCALAR_ALONG, 1},
                  {TN_JOINT_TYPE_PLANAR, 1, SCALAR_ALONG, 2},
                  {TN_JOINT_TYPE_PLANAR, 2, SCALAR_TWIST, 0}};
    test_random random = {19};
    for (int n = 0; n < 7 * CASES; ++n) {
        int k = n % 7;
        test_case test = random_case(&random, values[k].type, dvec3_make(1.0, -0.5, 0.7),
                                     random_vector(&random, 0.5), 0.3);
        double c[3];
        for (int i = 0; i < 3; ++i) {
            tni_body_motion a = motion_after(&test.a, (i - 1) * 1e-5);
            tni_body_motion b = motion_after(&test.b, (i - 1) * 1e-5);
            c[i] = measure_scalar(&test.joint, &a, &b, values[k].scalar, values[k].component);
        }
        tni_joint_value value =
            tni_joint_measure_value(&test.joint, values[k].index, &test.a, &test.b);
        double rate = (c[2] - c[0]) / 2e-5;
        cr_assert_float_eq(value.position, c[1], 1e-12);
        cr_assert_float_eq(value.speed, rate, 1e-7 * (1.0 + fabs(rate)), "%d: %g for %g", k,
                           value.speed, rate);
    }
}

// A range that lies across the half turn: 3.3 rad is inside, and reads as -2.98.
// A gear's value is its error, a rack's and a screw's the travel, a pulley's the length.
Test(value, of_transmissions_has_the_rate_of_finite_differences) {
    test_random random = {61};
    const tn_joint_type types[] = {TN_JOINT_TYPE_GEAR, TN_JOINT_TYPE_RACK_PINION,
                                   TN_JOINT_TYPE_SCREW, TN_JOINT_TYPE_PULLEY, TN_JOINT_TYPE_BELT};
    for (int n = 0; n < 5 * CASES; ++n) {
        test_case test = random_case(&random, types[n % 5], dvec3_make(0.3, 1.5, 0.0),
                                     dvec3_make(0.4, 0.0, 1.0), 0.3);
        switch (n % 5) {
        case 4:
            test.joint.def.belt.radius_a = 0.2;
            test.joint.def.belt.radius_b = random_between(&random, 0.1, 0.5);
            test.joint.def.belt.pretension = n % 2 == 0 ? INFINITY : 10.0f;
            break;
        case 0:
            test.joint.def.gear.ratio = random_between(&random, -2.0, -0.5);
            break;
        case 1:
            test.joint.def.rack_pinion.radius = random_between(&random, 0.5, 2.0);
            break;
        case 2:
            test.joint.def.screw.lead = random_between(&random, 0.5, 2.0);
            break;
        default:
            test.joint.def.pulley.ratio = random_between(&random, 0.5, 2.0);
            test.joint.def.pulley.ground_a = (tn_vec3){3.0, 4.0, 3.0};
            break;
        }
        tni_joint_mesh(&test.joint, &test.a, &test.b, 0.0, TNI_COUNTS_BOTH);
        tni_body_motion a = motion_after(&test.a, 1e-6), b = motion_after(&test.b, 1e-6);
        tni_body_motion a0 = motion_after(&test.a, -1e-6), b0 = motion_after(&test.b, -1e-6);
        double rate = (tni_joint_measure_value(&test.joint, 0, &a, &b).position -
                       tni_joint_measure_value(&test.joint, 0, &a0, &b0).position) /
                      2e-6;
        double speed = tni_joint_measure_value(&test.joint, 0, &test.a, &test.b).speed;
        cr_assert_float_eq(speed, rate, 1e-6 * (1.0 + fabs(rate)), "type %d: %g for %g", n % 5,
                           speed, rate);
    }
}

// Of a cam the lift, then the gap.
Test(value, of_a_cam_has_the_rate_of_finite_differences) {
    test_random random = {67};
    static double memory[4096];
    double radii[12];
    for (int i = 0; i < 12; ++i) {
        radii[i] = 1.0 + 0.2 * cos(2.0 * MATHS_PI * i / 12.0);
    }
    tni_profile *profile = tni_profile_make(memory, radii, 12);
    for (int n = 0; n < 4 * CASES; ++n) {
        test_case test = random_case(&random, TN_JOINT_TYPE_CAM, dvec3_make(0.0, 1.4, 0.3),
                                     dvec3_make(0.2, 0.3, 1.5), 0.2);
        test.joint.def.cam.profile = profile;
        test.joint.def.cam.follower = (tn_cam_follower)(n % 2);
        test.joint.def.cam.roller_radius = 0.3;
        uint32_t index = (uint32_t)(n / 2) % 2;
        tni_body_motion a = motion_after(&test.a, 1e-6), b = motion_after(&test.b, 1e-6);
        tni_body_motion a0 = motion_after(&test.a, -1e-6), b0 = motion_after(&test.b, -1e-6);
        double rate = (tni_joint_measure_value(&test.joint, index, &a, &b).position -
                       tni_joint_measure_value(&test.joint, index, &a0, &b0).position) /
                      2e-6;
        double speed = tni_joint_measure_value(&test.joint, index, &test.a, &test.b).speed;
        cr_assert_float_eq(speed, rate, 1e-6 * (1.0 + fabs(rate)), "%d: %g for %g", n, speed, rate);
    }
}

// Of a ratchet its angle; of an escapement the anchor's angle, then the gap.
Test(value, of_ratchets_and_escapements_has_the_rate_of_finite_differences) {
    test_random random = {73};
    for (int n = 0; n < 3 * CASES; ++n) {
        bool is_ratchet = n % 3 == 0;
        tn_joint_type type = is_ratchet ? TN_JOINT_TYPE_RATCHET : TN_JOINT_TYPE_ESCAPEMENT;
        test_case test = random_case(&random, type, dvec3_make(0.0, 1.5, 0.0),
                                     dvec3_make(is_ratchet ? 1.0 : MATHS_PI, 0.0, 0.0), 0.2);
        if (is_ratchet) {
            test.joint.def.ratchet = (tn_ratchet_joint_def){.teeth = 7, .direction = -1};
        } else {
            test.joint.def.escapement = (tn_escapement_joint_def){.teeth = 9, .direction = -1};
            test.joint.def.escapement.lift_angle = 2.0; // one face
            test.joint.def.escapement.lock_angle = 0.1;
            test.joint.def.escapement.drop_angle = 0.1;
        }
        tni_joint_mesh(&test.joint, &test.a, &test.b, 0.0, TNI_COUNTS_BOTH);
        uint32_t index = n % 3 == 2 ? 1 : 0;
        tni_body_motion a = motion_after(&test.a, 1e-6), b = motion_after(&test.b, 1e-6);
        tni_body_motion a0 = motion_after(&test.a, -1e-6), b0 = motion_after(&test.b, -1e-6);
        double rate = (tni_joint_measure_value(&test.joint, index, &a, &b).position -
                       tni_joint_measure_value(&test.joint, index, &a0, &b0).position) /
                      2e-6;
        double speed = tni_joint_measure_value(&test.joint, index, &test.a, &test.b).speed;
        cr_assert_float_eq(speed, rate, 1e-6 * (1.0 + fabs(rate)), "%d: %g for %g", n, speed, rate);
    }
}

Test(limit, of_a_hinge_works_across_the_half_turn) {
    tni_joint joint = zero_joint(TN_JOINT_TYPE_HINGE);
    joint.def.hinge.limit = (tn_limit){.is_enabled = true, .lower = 2.5f, .upper = 4.0f};
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
        slider.joint.def.slider.limit =
            (tn_limit){.is_enabled = true, .lower = -0.25f, .upper = 0.0f};
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

// Free values have none; the arms of a cross are off by the turn about x.
Test(error, leaves_out_what_is_free_and_counts_what_is_past_a_limit) {
    test_random random = {20};
    tni_dvec3 offset = {0.01, -0.02, 0.03}, tilt = {0.0, 0.02, -0.03}, roll = {0.04, 0.0, 0.0};
    tn_limit limit = {.is_enabled = true, .lower = -0.25f, .upper = 0.0f};
    for (int n = 0; n < CASES; ++n) {
        test_case bolt = random_case(&random, TN_JOINT_TYPE_CYLINDRICAL, offset, tilt, 0.0);
        tn_joint_error error = tni_joint_measure_error(&bolt.joint, &bolt.a, &bolt.b);
        cr_assert_float_eq(error.linear_length, sqrt(0.0013), 1e-12);
        cr_assert_float_eq(error.angular_length, sqrt(0.0013), 1e-12);
        bolt.joint.def.cylindrical.slide.limit = limit;
        error = tni_joint_measure_error(&bolt.joint, &bolt.a, &bolt.b);
        cr_assert_float_eq(error.linear.x, 0.01, 1e-12);

        test_case puck = random_case(&random, TN_JOINT_TYPE_PLANAR, offset, tilt, 0.0);
        error = tni_joint_measure_error(&puck.joint, &puck.a, &puck.b);
        cr_assert_float_eq(error.linear_length, 0.01, 1e-12);
        cr_assert_float_eq(error.angular_length, sqrt(0.0013), 1e-12);
        puck.joint.def.planar.z.limit = limit;
        error = tni_joint_measure_error(&puck.joint, &puck.a, &puck.b);
        cr_assert_float_eq(error.linear.z, 0.03, 1e-12);
        cr_assert_float_eq(error.linear.y, 0.0, 1e-12);

        test_case cross = random_case(&random, TN_JOINT_TYPE_UNIVERSAL, offset, roll, 0.0);
        error = tni_joint_measure_error(&cross.joint, &cross.a, &cross.b);
        cr_assert_float_eq(error.linear_length, sqrt(0.0014), 1e-12);
        cr_assert_float_eq(error.angular.x, 0.04, 1e-12);
        cr_assert_float_eq(error.angular_length, 0.04, 1e-12);
        tni_dvec3 bend = {0.0, 0.05, 0.0};
        cross = random_case(&random, TN_JOINT_TYPE_UNIVERSAL, none, bend, 0.0);
        cross.joint.def.universal.first.limit = limit;
        error = tni_joint_measure_error(&cross.joint, &cross.a, &cross.b);
        cr_assert_float_eq(error.angular.y, 0.05, 1e-12);
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
