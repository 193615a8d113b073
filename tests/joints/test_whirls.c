// Limits of turns under sweeps, while bodies whirl along them: the ends lie across a way that
// bends. See Jdot v in joints/parts/axis.c and joints/parts/swing.c.
#include "joint_world.h"

#define WHIRL_MOST 72  // from 65 on ball joints go in lanes
#define WHIRL_ARM  0.5 // m
#define WHIRL_END  0.5 // rad
#define WHIRL_PACE 2.5 // m/s
// rad. One that takes the way as straight is passed by 2 and 3 mrad.
#define WHIRL_PASSED 1e-3

static tn_limit whirl_range(float end) {
    return (tn_limit){.is_enabled = true, .lower = -end, .upper = end};
}

// At the end of its cone, and as fast across.
static tn_body_id whirl_make_body(tn_world *world, double y) {
    const tn_vec3 arm = {WHIRL_ARM * cos(WHIRL_END), WHIRL_ARM * sin(WHIRL_END), 0.0};
    const double square = WHIRL_ARM * WHIRL_ARM;
    tn_body_id body = body_make(world, arm.x, y + arm.y, 0.0, 1.0, 0.02);
    tn_velocity velocity = {
        .linear = {0.0, 0.0, WHIRL_PACE},
        .angular = {arm.y * WHIRL_PACE / square, -arm.x * WHIRL_PACE / square, 0.0}};
    cr_assert(tn_body_set_velocity(world, body, velocity) == TN_RESULT_OK);
    return body;
}

static tn_joint_def whirl_make_base(tn_world *world, double y) {
    tn_joint_def base = tn_joint_def_default();
    base.body_b = whirl_make_body(world, y);
    base.frame_a.position = (tn_vec3){0.0, y, 0.0};
    base.frame_b.position =
        (tn_vec3){-WHIRL_ARM * cos(WHIRL_END), -WHIRL_ARM * sin(WHIRL_END), 0.0};
    base.frame_b.rotation = (tn_quat){0.0, 0.0, sin(0.5 * WHIRL_END), cos(0.5 * WHIRL_END)};
    return base;
}

static tn_joint_id whirl_make_ball(tn_world *world, double y) {
    tn_ball_joint_def def = tn_ball_joint_def_default();
    def.base = whirl_make_base(world, y);
    def.cone_limit = (tn_limit){.is_enabled = true, .upper = (float)WHIRL_END};
    def.twist_limit = whirl_range(0.05f);
    return tn_ball_joint_create(world, &def);
}

static tn_joint_id whirl_make_swing_twist(tn_world *world, double y) {
    tn_swing_twist_joint_def def = tn_swing_twist_joint_def_default();
    def.base = whirl_make_base(world, y);
    def.swing_limit_y = whirl_range(0.8f);
    def.swing_limit_z = whirl_range((float)WHIRL_END);
    def.twist_limit = whirl_range(0.05f);
    return tn_swing_twist_joint_create(world, &def);
}

// Returns how far the limits are passed within a second, rad.
static double whirl_measure(tn_joint_id (*make)(tn_world *world, double y), int count) {
    tn_world *world = world_make((tn_vec3){0.0, 0.0, 0.0}, NULL);
    cr_assert(tn_world_set_solver(world, TN_SOLVER_PGS) == TN_RESULT_OK);
    tn_joint_id joint = {0};
    for (int i = 0; i < count; ++i) {
        joint = make(world, 10.0 * i);
        cr_assert(joint.value != 0);
    }
    double most = 0.0;
    for (int s = 0; s < 60; ++s) {
        tn_world_step(world, 1.0 / 60.0, 4);
        double passed = tn_joint_get_error(world, joint).angular_length;
        most = passed < most ? most : passed;
    }
    tn_world_destroy(world);
    return most;
}

Test(whirls, a_body_that_whirls_along_its_cone_stays_inside) {
    double one = whirl_measure(whirl_make_ball, 1),
           many = whirl_measure(whirl_make_ball, WHIRL_MOST);
    cr_assert(one < WHIRL_PASSED && many < WHIRL_PASSED, "%g and %g", one, many);
}

Test(whirls, a_body_that_whirls_along_an_elliptic_cone_stays_inside) {
    double passed = whirl_measure(whirl_make_swing_twist, 1);
    cr_assert(passed < WHIRL_PASSED, "%g", passed);
}
