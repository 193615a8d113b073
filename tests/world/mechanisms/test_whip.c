// Tests of solver/joints/joint_foresee.c and world/mechanisms/mechanism_choice.c: motors that go to
// their speed at once and would whip their own limit in the first substep, under AUTO.
#include "tests/world/world_test.h"

typedef struct whip {
    tn_world *world;
    tn_body_id body;
    tn_joint_id joint;
} whip;

// A light bar whose middle is 0.3 m off a planar joint, with a motor of y without a cap. It hangs
// on the world, or on a free body.
static whip whip_make(bool is_hung, float speed, float upper) {
    tn_world_def def = tn_world_def_default();
    def.is_sleep_allowed = false;
    whip made = {.world = tn_world_create(&def, NULL)};
    tn_shape_def shape = tn_shape_def_default();
    tn_body_def body = tn_body_def_default();
    tn_body_id other = {0};
    if (!is_hung) {
        other = tn_body_create(made.world, &body);
        tn_box_shape_create(made.world, other, &shape, (tn_vec3){0.2, 0.1, 0.15});
    }
    body.pose.position.x = 0.3;
    made.body = tn_body_create(made.world, &body);
    tn_box_shape_create(made.world, made.body, &shape, (tn_vec3){0.3, 0.05, 0.05});
    tn_planar_joint_def planar = tn_planar_joint_def_default();
    tn_joint_def_set_frames(made.world, &planar.base, other, made.body, (tn_vec3){0.0, 0.0, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    planar.y.limit = (tn_limit){.is_enabled = true, .lower = -0.4f, .upper = upper};
    planar.y.motor.mode = TN_MOTOR_MODE_SPEED;
    planar.y.motor.target_speed = speed;
    made.joint = tn_planar_joint_create(made.world, &planar);
    return made;
}

// Returns by how far the bar is past its upper end at most.
static double whip_run(const whip *made, int rate, int substeps, double upper) {
    double past = 0.0;
    for (int i = 0; i < rate; ++i) {
        tn_world_step(made->world, 1.0 / rate, (uint32_t)substeps);
        past = fmax(past, tn_planar_joint_get_y(made->world, made->joint) - upper);
    }
    return past;
}

// They were past it by 0.03 to 0.31 m after the first step, of which AUTO learned too late.
Test(whip, a_motor_that_whips_its_limit_in_the_first_step_does_not_pass_it) {
    const int steps[3][2] = {{60, 4}, {240, 4}, {240, 1}};
    for (int i = 0; i < 6; ++i) {
        const int *step = steps[i / 2];
        whip made = whip_make(i % 2 == 0, 200.0f, 0.5f);
        double past = whip_run(&made, step[0], step[1], 0.5);
        cr_expect(past < 1e-3, "case %d: %g m", i, past);
        tn_world_destroy(made.world);
    }
}

// The value goes slowly, and far from its end, until the motor is told its speed.
Test(whip, nor_does_one_that_is_told_its_speed_later) {
    whip made = whip_make(true, 0.01f, 0.5f);
    whip_run(&made, 20, 4, 0.5);
    tn_mechanism_info info = {0};
    cr_assert_eq(tn_world_get_mechanisms(made.world, &info, 1), 1);
    cr_expect_eq(info.method, TN_MECHANISM_METHOD_PGS);
    tn_planar_joint_set_y_target_speed(made.world, made.joint, 200.0f);
    double past = whip_run(&made, 60, 4, 0.5);
    cr_expect(past < 1e-3, "%g m", past);
    tn_world_destroy(made.world);
}

// A block hangs on the world by a hinge, and a drive moves a light bar along it. Returns by how far
// the bar is past an end at most.
static double whip_on_block(const tn_motor *motor, const tn_spring *spring) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_shape_def shape = tn_shape_def_default();
    tn_body_def def = tn_body_def_default();
    tn_body_id block = tn_body_create(world, &def);
    tn_box_shape_create(world, block, &shape, (tn_vec3){0.2, 0.1, 0.15});
    def.pose.position.x = 0.3;
    tn_body_id bar = tn_body_create(world, &def);
    tn_box_shape_create(world, bar, &shape, (tn_vec3){0.3, 0.05, 0.05});
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, block, (tn_vec3){-0.5, 0.0, 0.0},
                            (tn_vec3){0.0, 0.2, 1.0});
    tn_hinge_joint_create(world, &hinge);
    tn_six_axis_joint_def six = tn_six_axis_joint_def_default();
    tn_joint_def_set_frames(world, &six.base, block, bar, (tn_vec3){0.0, 0.0, 0.0},
                            (tn_vec3){0.0, 0.0, 1.0});
    six.locks &= ~TN_SIX_AXIS_LOCK(TN_SIX_AXIS_LINEAR_Y);
    tn_axis *y = &six.axes[TN_SIX_AXIS_LINEAR_Y];
    y->limit = (tn_limit){.is_enabled = true, .lower = -0.4f, .upper = 0.5f};
    y->motor = *motor;
    y->spring = *spring;
    tn_joint_id joint = tn_six_axis_joint_create(world, &six);
    double past = -0.4;
    for (int i = 0; i < 60; ++i) {
        tn_world_step(world, 1.0 / 60.0, 1);
        double now = tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_LINEAR_Y);
        past = fmax(past, fmax(now - 0.5, -0.4 - now));
    }
    tn_world_destroy(world);
    return past;
}

// Both went 3 mm past their end in the second step, and opened the joint by 5 cm in the first.
Test(whip, nor_does_a_stiff_drive_to_a_place_or_a_stiff_spring) {
    const tn_motor off = tn_motor_default(), motor = {.mode = TN_MOTOR_MODE_POSITION,
                                                      .target_position = -3.0f,
                                                      .stiffness = 3e4f,
                                                      .damping = 3e3f};
    const tn_spring none = tn_spring_default(), spring = {.mode = TN_SPRING_MODE_STIFFNESS,
                                                          .rest = -3.0f,
                                                          .stiffness = 3e4f,
                                                          .damping = 3e3f};
    double past = whip_on_block(&motor, &none);
    cr_expect(past > -1e-3 && past < 1e-3, "motor: %g m", past);
    past = whip_on_block(&off, &spring);
    cr_expect(past > -1e-3 && past < 1e-3, "spring: %g m", past);
}

// A motor that is slow enough for sweeps leaves the bar to them, at its end too.
Test(whip, a_slow_motor_stays_with_the_sweeps) {
    whip made = whip_make(true, 1.0f, 0.5f);
    for (int i = 0; i < 60; ++i) {
        test_step(made.world, 1);
        tn_mechanism_info info = {0};
        cr_assert_eq(tn_world_get_mechanisms(made.world, &info, 1), 1);
        cr_expect_eq(info.method, TN_MECHANISM_METHOD_PGS, "step %d", i);
    }
    tn_world_destroy(made.world);
}
