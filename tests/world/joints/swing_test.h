// tests/world/joints/swing_test.h: what swings about the origin, and what stands in its way.
#ifndef TEST_SWING_TEST_H
#define TEST_SWING_TEST_H

#include "tests/world/world_test.h"

// A ball of 0.1 m on a hinge at the origin, 1 m below it and 1 rad before its lowest point, at
// `speed`, m/s.
static inline tn_body_id test_swing_create(tn_world *world, double speed) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){-sin(1.0), -cos(1.0), 0.0};
    def.velocity.angular.z = speed;
    def.velocity.linear = (tn_vec3){speed * cos(1.0), -speed * sin(1.0), 0.0};
    tn_body_id bob = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_sphere_shape_create(world, bob, &shape, 0.1f);
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, bob, (tn_vec3){0},
                            (tn_vec3){0.0, 0.0, 1.0});
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    return bob;
}

// The velocity of such a ball after 0.7 s, when it has swung past a block `clear` below its lowest
// point, or past none.
static inline tn_vec3 test_swing_run(tn_world *world, double speed, double clear, bool has_block) {
    tn_body_id bob = test_swing_create(world, speed);
    if (has_block) {
        test_box_create(world, TN_BODY_TYPE_STATIC, 0.0, -1.35 - clear, 0.0,
                        (tn_vec3){0.15, 0.25, 1.0});
    }
    test_step(world, 42);
    return tn_body_get_velocity(world, bob).linear;
}

// A blade of 0.5 m on a hinge at the origin, about which it turns by 120 rad/s, from the angle
// `turn`.
static inline tn_body_id test_blade_create(tn_world *world, double turn) {
    tn_body_def def = tn_body_def_default();
    def.pose.position = (tn_vec3){0.25 * cos(turn), 0.25 * sin(turn), 0.0};
    def.pose.rotation.z = sin(0.5 * turn);
    def.pose.rotation.w = cos(0.5 * turn);
    def.velocity.angular.z = 120.0;
    def.velocity.linear = (tn_vec3){-30.0 * sin(turn), 30.0 * cos(turn), 0.0};
    tn_body_id blade = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, blade, &shape, (tn_vec3){0.25, 0.02, 0.05});
    tn_hinge_joint_def hinge = tn_hinge_joint_def_default();
    tn_joint_def_set_frames(world, &hinge.base, (tn_body_id){0}, blade, (tn_vec3){0},
                            (tn_vec3){0.0, 0.0, 1.0});
    cr_assert(tn_hinge_joint_create(world, &hinge).value != 0);
    return blade;
}

// A chain of eight links of 0.25 m with a ball of 10 kg at its end, that swings about the origin
// like one bar, from the angle `turn`. Returns the ball.
static inline tn_body_id test_flail_create(tn_world *world, double speed, double turn) {
    tn_body_id before = {0};
    double length = 2.25, spin = speed / length;
    for (int i = 0; i < 9; ++i) {
        double radius = i == 8 ? length : 0.25 * i + 0.125, half = 0.5 * (turn - 0.5 * 3.14159265);
        tn_body_def def = tn_body_def_default();
        def.pose.position = (tn_vec3){radius * cos(turn), radius * sin(turn), 0.0};
        def.pose.rotation.z = sin(half);
        def.pose.rotation.w = cos(half);
        def.velocity.angular.z = spin;
        def.velocity.linear = (tn_vec3){-radius * spin * sin(turn), radius * spin * cos(turn), 0.0};
        tn_body_id body = tn_body_create(world, &def);
        tn_shape_def shape = tn_shape_def_default();
        shape.density = i == 8 ? 707.0f : 7800.0f;
        if (i == 8) {
            tn_sphere_shape_create(world, body, &shape, 0.15f);
        } else {
            tn_capsule_shape_create(world, body, &shape, 0.1f, 0.02f);
        }
        tn_ball_joint_def joint = tn_ball_joint_def_default();
        tn_vec3 anchor = {0.25 * i * cos(turn), 0.25 * i * sin(turn), 0.0};
        tn_joint_def_set_frames(world, &joint.base, before, body, anchor, (tn_vec3){0.0, 0.0, 1.0});
        cr_assert(tn_ball_joint_create(world, &joint).value != 0);
        before = body;
    }
    return before;
}

#endif
