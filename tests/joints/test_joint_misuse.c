// Wrong worlds, handles, types, frames and times of a call on a joint: refused, reported with their
// code and the name of the function, and nothing changed. Wrong definitions are in
// test_joint_misuse_create.c, wrong numbers in test_joint_misuse_actors.c and
// test_joint_misuse_transmissions.c.
#include "joint_misuse.h"

Test(joint_misuse, a_null_world_is_no_crash) {
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    tn_joint_id joint = {1};
    cr_assert(tn_hinge_joint_create(NULL, &def).value == 0);
    tn_hinge_joint_set_friction(NULL, joint, 1.0f);
    tn_joint_destroy(NULL, joint);
    cr_assert(!tn_joint_is_valid(NULL, joint));
    cr_assert(tn_hinge_joint_get_angle(NULL, joint) == 0.0);
    cr_assert(tn_joint_get_user_data(NULL, joint) == NULL);
    cr_assert(tn_joint_get_reaction(NULL, joint).force.x == 0.0);
    cr_assert(tn_joint_get_error(NULL, joint).linear_length == 0.0);
    cr_assert(!tn_joint_def_set_frames(NULL, &def.base, world_body, world_body, (tn_vec3){0, 0, 0},
                                       (tn_vec3){1, 0, 0}));
}

// ---- frames and strengths ---------------------------------------------------------------------

Test(joint_misuse, bad_frames_and_strengths_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id joint = make(TN_JOINT_TYPE_FIXED);
    tn_pose frame = tn_joint_get_def(world, joint).frame_a;
    tn_pose bad = frame;
    bad.position.x = (double)NAN;
    tn_joint_set_frame_a(world, joint, bad);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_frame_a", "NaN");
    bad.rotation = (tn_quat){0};
    bad.position.x = 0.0;
    tn_joint_set_frame_b(world, joint, bad);
    expect(TN_RESULT_ZERO_AXIS, "tn_joint_set_frame_b", "a zero quaternion");
    tn_joint_set_break_force(world, joint, -1.0f, 1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_break_force", "negative");
    tn_joint_set_break_force(world, joint, 1.0f, NAN);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_break_force", "NaN");
    tn_vec3 fine = {1.0, (double)INFINITY, 1.0}, negative = {1.0, -1.0, 1.0},
            none = {1.0, 1.0, (double)NAN};
    tn_joint_set_break_axes(world, joint, fine, negative);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_break_axes", "negative");
    tn_joint_set_break_axes(world, joint, none, fine);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_break_axes", "NaN");
    tn_joint_set_break_time(world, joint, -1.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_break_time", "negative");
    tn_joint_set_break_time(world, joint, INFINITY);
    expect(TN_RESULT_NOT_FINITE, "tn_joint_set_break_time", "infinite");
    tn_joint_set_stiffness(world, joint, -1.0f, 0.0f);
    expect(TN_RESULT_INVALID_ARGUMENT, "tn_joint_set_stiffness", "negative");
    tn_pose after = tn_joint_get_def(world, joint).frame_a;
    cr_assert(memcmp(&after, &frame, sizeof frame) == 0);
}

Test(joint_misuse, frames_need_bodies_a_point_and_an_axis, .init = setup, .fini = teardown) {
    const char *function = "tn_joint_def_set_frames";
    tn_joint_def def = tn_joint_def_default(), before = def;
    tn_vec3 origin = {0, 0, 0}, nowhere = {(double)NAN, 0, 0};
    tn_vec3 x = {1, 0, 0}, zero = {0, 0, 0}, nan = {0, (double)NAN, 0};
    tn_body_id stale = {0x7fc00000u};
    cr_assert(!tn_joint_def_set_frames(world, NULL, body_a, body_b, origin, x));
    expect(TN_RESULT_INVALID_ARGUMENT, function, "null");
    cr_assert(!tn_joint_def_set_frames(world, &def, stale, body_b, origin, x));
    expect(TN_RESULT_INVALID_ID, function, "stale");
    cr_assert(!tn_joint_def_set_frames(world, &def, body_a, body_b, nowhere, x));
    expect(TN_RESULT_NOT_FINITE, function, "NaN point");
    cr_assert(!tn_joint_def_set_frames(world, &def, body_a, body_b, origin, nan));
    expect(TN_RESULT_NOT_FINITE, function, "NaN axis");
    cr_assert(!tn_joint_def_set_frames(world, &def, body_a, body_b, origin, zero));
    expect(TN_RESULT_ZERO_AXIS, function, "zero axis");
    cr_assert(memcmp(&def, &before, sizeof def) == 0);
}

// ---- handles ----------------------------------------------------------------------------------

Test(joint_misuse, a_stale_handle_does_nothing_and_returns_zero, .init = setup, .fini = teardown) {
    tn_joint_id stale = make(TN_JOINT_TYPE_HINGE);
    tn_joint_destroy(world, stale);
    cr_assert(reports.count == 0 && !tn_joint_is_valid(world, stale) && reports.count == 0);
    tn_joint_destroy(world, stale);
    expect(TN_RESULT_INVALID_ID, "tn_joint_destroy", "destroyed twice");
    tn_joint_id null_joint = {0};
    const tn_joint_id handles[] = {stale, null_joint, {0xffffffffu}};
    for (int i = 0; i < 3; ++i) {
        cr_assert(!tn_joint_is_valid(world, handles[i]));
        cr_assert(tn_hinge_joint_get_angle(world, handles[i]) == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_hinge_joint_get_angle", "stale");
        tn_hinge_joint_set_friction(world, handles[i], 1.0f);
        expect(TN_RESULT_INVALID_ID, "tn_hinge_joint_set_friction", "stale");
        tn_joint_set_user_data(world, handles[i], NULL);
        expect(TN_RESULT_INVALID_ID, "tn_joint_set_user_data", "stale");
        cr_assert(tn_joint_get_def(world, handles[i]).body_a.value == 0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_def", "stale");
        cr_assert(tn_joint_get_error(world, handles[i]).linear_length == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_error", "stale");
        cr_assert(tn_joint_get_reaction(world, handles[i]).force.x == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_reaction", "stale");
        cr_assert(tn_joint_get_motor_effort(world, handles[i]) == 0.0f);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_motor_effort", "stale");
        cr_assert(tn_joint_get_motor_work(world, handles[i]) == 0.0);
        expect(TN_RESULT_INVALID_ID, "tn_joint_get_motor_work", "stale");
    }
}

Test(joint_misuse, a_joint_of_another_type_is_refused, .init = setup, .fini = teardown) {
    tn_joint_id hinge = make(TN_JOINT_TYPE_HINGE), ball = make(TN_JOINT_TYPE_BALL);
    cr_assert(tn_slider_joint_get_translation(world, hinge) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_slider_joint_get_translation", "hinge");
    cr_assert(tn_distance_joint_get_length(world, hinge) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_distance_joint_get_length", "hinge");
    cr_assert(tn_ball_joint_get_cone_angle(world, hinge) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ball_joint_get_cone_angle", "hinge");
    cr_assert(tn_ball_joint_get_rotation(world, hinge).w == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ball_joint_get_rotation", "hinge");
    cr_assert(tn_ball_joint_get_velocity(world, hinge).x == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_ball_joint_get_velocity", "hinge");
    cr_assert(tn_hinge_joint_get_def(world, ball).base.body_a.value == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_hinge_joint_get_def", "ball");
    tn_fixed_joint_set_springs(world, ball, (tn_spring){0}, (tn_spring){0});
    expect(TN_RESULT_WRONG_TYPE, "tn_fixed_joint_set_springs", "ball");
    tn_slider_joint_set_friction(world, ball, 1.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_slider_joint_set_friction", "ball");
    cr_assert(tn_gear_joint_get_ratio(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_gear_joint_get_ratio", "ball");
    cr_assert(tn_gear_joint_get_angle_a(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_gear_joint_get_angle_a", "ball");
    cr_assert(tn_gear_joint_get_phase_error(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_gear_joint_get_phase_error", "ball");
    cr_assert(tn_rack_pinion_joint_get_travel(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_rack_pinion_joint_get_travel", "ball");
    tn_screw_joint_set_lead(world, ball, 1.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_screw_joint_set_lead", "ball");
    cr_assert(tn_pulley_joint_get_length_a(world, ball) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_pulley_joint_get_length_a", "ball");
}

Test(joint_misuse, values_of_another_type_are_refused, .init = setup, .fini = teardown) {
    tn_joint_id universal = make(TN_JOINT_TYPE_UNIVERSAL), planar = make(TN_JOINT_TYPE_PLANAR);
    cr_assert(tn_universal_joint_get_second_angle(world, planar) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_get_second_angle", "planar");
    cr_assert(tn_universal_joint_get_first_torque(world, planar) == 0.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_get_first_torque", "planar");
    cr_assert(tn_universal_joint_get_def(world, planar).base.body_a.value == 0);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_get_def", "planar");
    tn_universal_joint_set_first(world, planar, beyond_a_turn);
    expect(TN_RESULT_WRONG_TYPE, "tn_universal_joint_set_first", "planar");
    cr_assert(tn_cylindrical_joint_get_angular_speed(world, planar) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_cylindrical_joint_get_angular_speed", "planar");
    cr_assert(tn_cylindrical_joint_get_motor_force(world, planar) == 0.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_cylindrical_joint_get_motor_force", "planar");
    tn_cylindrical_joint_set_slide(world, planar, beyond_a_turn);
    expect(TN_RESULT_WRONG_TYPE, "tn_cylindrical_joint_set_slide", "planar");
    cr_assert(tn_planar_joint_get_z_speed(world, universal) == 0.0);
    expect(TN_RESULT_WRONG_TYPE, "tn_planar_joint_get_z_speed", "universal");
    cr_assert(tn_planar_joint_get_motor_torque(world, universal) == 0.0f);
    expect(TN_RESULT_WRONG_TYPE, "tn_planar_joint_get_motor_torque", "universal");
    tn_planar_joint_set_z(world, universal, beyond_a_turn);
    expect(TN_RESULT_WRONG_TYPE, "tn_planar_joint_set_z", "universal");
    tn_joint_destroy(world, planar);
    cr_assert(tn_planar_joint_get_y(world, planar) == 0.0);
    expect(TN_RESULT_INVALID_ID, "tn_planar_joint_get_y", "stale");
}

// ---- a locked world ---------------------------------------------------------------------------

static tn_joint_id locked_joint;
static test_reports locked_reports;

// The report hook is a callback: the world is locked while it runs.
static void change_from_inside(const tn_report *report, void *user_data) {
    (void)report, (void)user_data;
    tn_hinge_joint_def def = tn_hinge_joint_def_default();
    def.base.body_a = body_a;
    def.base.body_b = body_b;
    cr_assert(tn_hinge_joint_create(world, &def).value == 0);
    tn_joint_destroy(world, locked_joint);
    tn_hinge_joint_set_friction(world, locked_joint, 5.0f);
    tn_joint_set_user_data(world, locked_joint, &locked_reports);
    cr_assert(tn_hinge_joint_get_angle(world, locked_joint) == 0.0);
}

Test(joint_misuse, a_callback_cannot_change_joints) {
    tn_world_def def = tn_world_def_default();
    def.report = change_from_inside;
    world = tn_world_create(&def, NULL);
    body_a = body_make(world, 0, 0, 0, 1, 1);
    body_b = body_make(world, 1, 0, 0, 1, 1);
    locked_joint = joint_make(world, TN_JOINT_TYPE_HINGE, body_a, body_b, (tn_vec3){0, 0, 0},
                              (tn_vec3){1, 0, 0});
    uint64_t before = tn_world_get_telemetry(world).reports;
    tn_hinge_joint_set_friction(world, locked_joint, -1.0f);
    cr_assert(tn_world_get_telemetry(world).reports == before + 5);
    cr_assert(tn_joint_is_valid(world, locked_joint));
    cr_assert(tn_world_count_joints(world) == 1);
    cr_assert(tn_hinge_joint_get_def(world, locked_joint).friction == 0.0f);
    cr_assert(tn_joint_get_user_data(world, locked_joint) == NULL);
    tn_world_destroy(world);
}
