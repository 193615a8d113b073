// tests/joints/transmissions/transmission_world.h: wheels on hinges and the joints that couple
// them.
#ifndef TESTS_JOINTS_TRANSMISSIONS_TRANSMISSION_WORLD_H
#define TESTS_JOINTS_TRANSMISSIONS_TRANSMISSION_WORLD_H

#include "tests/joints/joint_world.h"

#define PI 3.14159265358979323846

static const tn_vec3 weightless = {0.0, 0.0, 0.0};
static const tn_vec3 along_x = {1.0, 0.0, 0.0};
static const tn_vec3 along_y = {0.0, 1.0, 0.0};
static const tn_vec3 along_z = {0.0, 0.0, 1.0};

// A body on a hinge of the world, or of a carrier.
static inline tn_body_id wheel_make(tn_world *world, tn_body_id carrier, tn_vec3 center,
                                    tn_vec3 axis, double mass, double inertia) {
    tn_body_id wheel = body_make(world, center.x, center.y, center.z, mass, inertia);
    joint_make(world, TN_JOINT_TYPE_HINGE, carrier, wheel, center, axis);
    return wheel;
}

// The frame of a body that has not turned, at its origin, with x along an axis.
static inline tn_pose wheel_frame(const tn_world *world, tn_body_id body, tn_vec3 center,
                                  tn_vec3 axis) {
    tn_joint_def def = tn_joint_def_default();
    set_frames(world, &def, body, world_body, center, axis);
    return def.frame_a;
}

static inline tn_gear_joint_def gear_def(const tn_world *world, tn_body_id a, tn_vec3 center_a,
                                         tn_vec3 axis_a, tn_body_id b, tn_vec3 center_b,
                                         tn_vec3 axis_b) {
    tn_gear_joint_def def = tn_gear_joint_def_default();
    def.base.body_a = a;
    def.base.body_b = b;
    def.base.frame_a = wheel_frame(world, a, center_a, axis_a);
    def.base.frame_b = wheel_frame(world, b, center_b, axis_b);
    return def;
}

static inline tn_vec3 spin_of(const tn_world *world, tn_body_id body) {
    return tn_body_get_velocity(world, body).angular;
}

#endif
