// Numbers of gears, racks, screws, pulleys, cams, ratchets and escapements that are refused:
// reported with their code and the name of the function, and nothing changed.
#include "joint_misuse.h"

static const struct {
    double number;
    tn_result result;
} factor_cases[] = {{0.0, TN_RESULT_INVALID_ARGUMENT},
                    {1e-12, TN_RESULT_INVALID_ARGUMENT},
                    {(double)NAN, TN_RESULT_NOT_FINITE},
                    {(double)INFINITY, TN_RESULT_NOT_FINITE}};

Test(joint_misuse_transmissions, bad_ratios_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id gear = make(TN_JOINT_TYPE_GEAR), rack = make(TN_JOINT_TYPE_RACK_PINION);
    tn_joint_id screw = make(TN_JOINT_TYPE_SCREW), pulley = make(TN_JOINT_TYPE_PULLEY);
    for (size_t i = 0; i < COUNT(factor_cases); ++i) {
        tn_gear_joint_set_ratio(world, gear, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_gear_joint_set_ratio", "ratio");
        tn_rack_pinion_joint_set_radius(world, rack, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_rack_pinion_joint_set_radius", "radius");
        tn_screw_joint_set_lead(world, screw, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_screw_joint_set_lead", "lead");
        tn_pulley_joint_set_ratio(world, pulley, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_pulley_joint_set_ratio", "ratio");
        tn_pulley_joint_set_length(world, pulley, factor_cases[i].number);
        expect(factor_cases[i].result, "tn_pulley_joint_set_length", "length");
    }
    cr_assert(tn_gear_joint_get_ratio(world, gear) == 2.0);
    cr_assert(tn_rack_pinion_joint_get_def(world, rack).radius == 0.5);
    cr_assert(tn_screw_joint_get_def(world, screw).lead == 0.5);
    cr_assert(tn_pulley_joint_get_def(world, pulley).length == 4.0);
}

Test(joint_misuse_transmissions, bad_numbers_of_transmissions_are_refused, .init = setup,
     .fini = teardown) {
    tn_joint_id gear = make(TN_JOINT_TYPE_GEAR), pulley = make(TN_JOINT_TYPE_PULLEY);
    const int32_t teeth[][2] = {{0, 5}, {5, 0}, {1000001, 5}, {5, -1000001}, {INT32_MIN, 1}};
    for (size_t i = 0; i < COUNT(teeth); ++i) {
        tn_gear_joint_set_teeth(world, gear, teeth[i][0], teeth[i][1]);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_gear_joint_set_teeth", "teeth");
    }
    tn_gear_joint_def def = tn_gear_joint_get_def(world, gear);
    def.reference = (tn_gear_reference)3;
    cr_assert(tn_gear_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_gear_joint_create", "no such reference");
    tn_pulley_joint_set_ratio(world, pulley, -1.0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_pulley_joint_set_ratio", "a negative ratio");
    tn_pulley_joint_set_length(world, pulley, -1.0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_pulley_joint_set_length", "a negative length");
    tn_vec3 here = {0.0, 0.0, 0.0}, nowhere = {0.0, (double)NAN, 0.0};
    tn_pulley_joint_set_grounds(world, pulley, nowhere, here);
    expect(TN_RESULT_NOT_FINITE, "tn_pulley_joint_set_grounds", "NaN");
    tn_pulley_joint_set_grounds(world, pulley, here, nowhere);
    expect(TN_RESULT_NOT_FINITE, "tn_pulley_joint_set_grounds", "NaN");
    tn_limit none = {.is_enabled = false};
    for (size_t i = 0; i < COUNT(limit_cases); ++i) {
        tn_pulley_joint_set_limits(world, pulley, limit_cases[i].limit, none);
        expect(limit_cases[i].result, "tn_pulley_joint_set_limits", "limit");
        tn_pulley_joint_set_limits(world, pulley, none, limit_cases[i].limit);
        expect(limit_cases[i].result, "tn_pulley_joint_set_limits", "limit");
    }
    tn_pulley_joint_set_limits(world, pulley, none,
                               (tn_limit){.is_enabled = true, .lower = -0.1f, .upper = 1.0f});
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_pulley_joint_set_limits", "a negative length");
}

// A spline that comes down so fast goes on below 0.
static const double through_the_axis[] = {5.0, 5.0, 5.0, 5.0, 0.02, 0.02, 0.02, 0.02};

Test(joint_misuse_transmissions, bad_cams_are_refused, .init = setup, .fini = teardown) {
    double radii[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    tn_cam_joint_def def = tn_cam_joint_def_default();
    def.base.body_a = body_a;
    def.base.body_b = body_b;
    cr_assert(tn_cam_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_create", "no radii");
    def.radii = radii;
    const uint32_t counts[] = {0, 3, 4097, UINT32_MAX};
    for (size_t i = 0; i < COUNT(counts); ++i) {
        def.radius_count = counts[i];
        cr_assert(tn_cam_joint_create(world, &def).value == 0);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_create", "how many radii");
    }
    def.radius_count = 5;
    const double numbers[] = {0.0, -1.0, (double)NAN, (double)INFINITY};
    for (size_t i = 0; i < COUNT(numbers); ++i) {
        radii[4] = numbers[i];
        cr_assert(tn_cam_joint_create(world, &def).value == 0);
        expect(i < 2 ? TN_RESULT_INVALID_ARGUMENT : TN_RESULT_NOT_FINITE, "tn_cam_joint_create",
               "a radius");
    }
    def.radii = through_the_axis;
    def.radius_count = 8;
    cr_assert(tn_cam_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_create", "a curve through the axis");
    cr_assert(tn_world_count_joints(world) == 0);
}

Test(joint_misuse_transmissions, bad_followers_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id cam = make(TN_JOINT_TYPE_CAM), ball = make(TN_JOINT_TYPE_BALL);
    tn_cam_joint_set_follower(world, cam, TN_CAM_FOLLOWER_ROLLER, -0.1);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_set_follower", "a negative radius");
    tn_cam_joint_set_follower(world, cam, TN_CAM_FOLLOWER_ROLLER, (double)NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_cam_joint_set_follower", "NaN");
    tn_cam_joint_set_follower(world, cam, (tn_cam_follower)2, 0.1);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_cam_joint_set_follower", "no such follower");
    cr_assert(tn_cam_joint_get_def(world, cam).roller_radius == 0.1);
    cr_assert(tn_cam_joint_get_radius(world, cam, (double)INFINITY) == 0.0);
    expect(TN_RESULT_NOT_FINITE, "tn_cam_joint_get_radius", "no angle");
    cr_assert_float_eq(tn_cam_joint_get_radius(world, cam, 1e300), 0.9, 1e-12);
    cr_assert(tn_cam_joint_get_radius(world, ball, 0.0) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_get_radius", "ball");
    cr_assert(tn_cam_joint_get_lift(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_get_lift", "ball");
    tn_cam_joint_set_desmodromic(world, ball, true);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_set_desmodromic", "ball");
    cr_assert(tn_cam_joint_get_def(world, ball).radii == NULL);
    expect(TN_RESULT_WRONG_TYPE, "tn_cam_joint_get_def", "ball");
}

Test(joint_misuse_transmissions, bad_ratchets_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id ratchet = make(TN_JOINT_TYPE_RATCHET), ball = make(TN_JOINT_TYPE_BALL);
    tn_ratchet_joint_def def = tn_ratchet_joint_get_def(world, ratchet);
    const int32_t numbers[][2] = {{0, 1}, {-3, 1}, {1000001, 1}, {12, 0}, {12, 2}, {12, INT32_MIN}};
    for (size_t i = 0; i < COUNT(numbers); ++i) {
        def.teeth = numbers[i][0];
        def.direction = numbers[i][1];
        cr_assert(tn_ratchet_joint_create(world, &def).value == 0);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_ratchet_joint_create", "teeth or direction");
    }
    tn_ratchet_joint_set_drag(world, ratchet, -1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_ratchet_joint_set_drag", "a negative drag");
    tn_ratchet_joint_set_drag(world, ratchet, NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_ratchet_joint_set_drag", "NaN");
    tn_ratchet_joint_set_engaged(world, ball, false);
    expect(TN_RESULT_WRONG_TYPE, "tn_ratchet_joint_set_engaged", "ball");
    cr_assert(tn_ratchet_joint_get_angle(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ratchet_joint_get_angle", "ball");
    cr_assert(tn_ratchet_joint_get_tooth(world, ball) == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ratchet_joint_get_tooth", "ball");
    // y of frame b along the axis: nothing tells the turn.
    def = tn_ratchet_joint_get_def(world, ratchet);
    def.base.frame_a = (tn_pose){.rotation = {0.0, 0.0, sqrt(0.5), sqrt(0.5)}};
    def.base.frame_b = (tn_pose){.rotation = {0.0, 0.0, 0.0, 1.0}};
    cr_assert(tn_ratchet_joint_create(world, &def).value == 0);
    expect(TN_RESULT_ZERO_AXIS, "tn_ratchet_joint_create", "no reference");
}

Test(joint_misuse_transmissions, bad_escapements_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_ESCAPEMENT), ball = make(TN_JOINT_TYPE_BALL);
    const double angles[][3] = {{0.0, 0.01, 0.02},  {-0.1, 0.01, 0.02}, {0.04, 0.0, 0.02},
                                {0.04, -0.1, 0.02}, {3.0, 0.2, 0.02},   {0.04, 0.01, 0.0},
                                {0.04, 0.01, 0.2},  {0.04, 0.01, -0.01}};
    for (size_t i = 0; i < COUNT(angles); ++i) {
        tn_escapement_joint_set_angles(world, joint, angles[i][0], angles[i][1], angles[i][2]);
        expect(TN_RESULT_INVALID_ARGUMENT, "tn_escapement_joint_set_angles", "angles");
    }
    for (int i = 0; i < 3; ++i) {
        double bad[3] = {0.04, 0.01, 0.02};
        bad[i] = (double)NAN;
        tn_escapement_joint_set_angles(world, joint, bad[0], bad[1], bad[2]);
        expect(TN_RESULT_NOT_FINITE, "tn_escapement_joint_set_angles", "NaN");
    }
    tn_escapement_joint_def def = tn_escapement_joint_get_def(world, joint);
    cr_assert(def.lift_angle == 0.035);
    def.teeth = 1;
    cr_assert(tn_escapement_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_escapement_joint_create", "one tooth");
    def.teeth = 30;
    def.direction = 0;
    cr_assert(tn_escapement_joint_create(world, &def).value == 0);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_escapement_joint_create", "no direction");
    def.direction = 1;
    def.base.frame_b = def.base.frame_a = (tn_pose){.rotation = {0.0, 0.0, 0.0, 1.0}};
    cr_assert(tn_escapement_joint_create(world, &def).value == 0);
    expect(TN_RESULT_ZERO_AXIS, "tn_escapement_joint_create", "one behind the other");
    cr_assert(tn_escapement_joint_get_angle(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_escapement_joint_get_angle", "ball");
    cr_assert(tn_escapement_joint_get_gap(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_escapement_joint_get_gap", "ball");
    cr_assert(tn_escapement_joint_get_beats(world, ball) == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_escapement_joint_get_beats", "ball");
}
