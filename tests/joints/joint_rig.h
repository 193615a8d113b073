// tests/joints/joint_rig.h: one body on one joint of any type with one freedom along or about z,
// for what acts on the free value of a joint.
#ifndef TESTS_JOINTS_JOINT_RIG_H
#define TESTS_JOINTS_JOINT_RIG_H

#include "joint_world.h"

typedef struct joint_rig {
    tn_world *world;
    tn_body_id body;
    tn_joint_id joint;
    tn_joint_type type;
} joint_rig;

static const tn_joint_type rig_types[] = {TN_JOINT_TYPE_HINGE, TN_JOINT_TYPE_SLIDER,
                                          TN_JOINT_TYPE_DISTANCE, TN_JOINT_TYPE_BALL};
#define RIG_TYPES 4

static const tn_solver rig_solvers[] = {TN_SOLVER_PGS, TN_SOLVER_DIRECT};
#define RIG_SOLVERS 2

static inline bool rig_turns(tn_joint_type type) {
    return type == TN_JOINT_TYPE_HINGE || type == TN_JOINT_TYPE_BALL;
}

// A body of `mass` kg and as many kg·m², at the anchor; of a distance joint 1 m from it along z.
static inline joint_rig rig_make_with(tn_joint_type type, tn_solver solver, double mass,
                                      tn_vec3 gravity, bool has_ledger) {
    tn_world_def def = tn_world_def_default();
    def.gravity = gravity;
    def.solver = solver;
    def.is_sleep_allowed = false;
    def.has_energy_ledger = has_ledger;
    joint_rig rig = {.world = tn_world_create(&def, NULL), .type = type};
    double z = type == TN_JOINT_TYPE_DISTANCE ? 1.0 : 0.0;
    rig.body = body_make(rig.world, 0, 0, z, mass, mass);
    tn_vec3 anchor = {0.0, 0.0, 0.0};
    tn_vec3 axis = {0.0, 0.0, 1.0};
    if (type != TN_JOINT_TYPE_DISTANCE) {
        rig.joint = joint_make(rig.world, type, world_body, rig.body, anchor, axis);
        return rig;
    }
    tn_distance_joint_def rope = tn_distance_joint_def_default();
    rope.is_rigid = false;
    rope.base.body_b = rig.body;
    rig.joint = tn_distance_joint_create(rig.world, &rope);
    cr_assert(rig.joint.value != 0);
    return rig;
}

// Without a ledger.
static inline joint_rig rig_make(tn_joint_type type, tn_solver solver, double mass,
                                 tn_vec3 gravity) {
    return rig_make_with(type, solver, mass, gravity, false);
}

static inline void rig_destroy(const joint_rig *rig) {
    tn_world_destroy(rig->world);
}

// Along or about z.
static inline void rig_push_off(const joint_rig *rig, double speed) {
    tn_velocity velocity = {.linear = {0.0, 0.0, rig_turns(rig->type) ? 0.0 : speed},
                            .angular = {0.0, 0.0, rig_turns(rig->type) ? speed : 0.0}};
    tn_body_set_velocity(rig->world, rig->body, velocity);
}

static inline double rig_get_speed(const joint_rig *rig) {
    tn_velocity velocity = tn_body_get_velocity(rig->world, rig->body);
    return rig_turns(rig->type) ? velocity.angular.z : velocity.linear.z;
}

// 0 at the start.
static inline double rig_get_value(const joint_rig *rig) {
    switch (rig->type) {
    case TN_JOINT_TYPE_HINGE:
        return tn_hinge_joint_get_angle(rig->world, rig->joint);
    case TN_JOINT_TYPE_SLIDER:
        return tn_slider_joint_get_translation(rig->world, rig->joint);
    case TN_JOINT_TYPE_DISTANCE:
        return tn_distance_joint_get_length(rig->world, rig->joint) - 1.0;
    default:
        return tn_ball_joint_get_twist(rig->world, rig->joint);
    }
}

static inline void rig_set_friction(const joint_rig *rig, float friction, float viscous_friction) {
    switch (rig->type) {
    case TN_JOINT_TYPE_HINGE:
        tn_hinge_joint_set_friction(rig->world, rig->joint, friction);
        tn_hinge_joint_set_viscous_friction(rig->world, rig->joint, viscous_friction);
        break;
    case TN_JOINT_TYPE_SLIDER:
        tn_slider_joint_set_friction(rig->world, rig->joint, friction);
        tn_slider_joint_set_viscous_friction(rig->world, rig->joint, viscous_friction);
        break;
    case TN_JOINT_TYPE_DISTANCE:
        tn_distance_joint_set_friction(rig->world, rig->joint, friction);
        tn_distance_joint_set_viscous_friction(rig->world, rig->joint, viscous_friction);
        break;
    default:
        tn_ball_joint_set_friction(rig->world, rig->joint, friction);
        tn_ball_joint_set_viscous_friction(rig->world, rig->joint, viscous_friction);
        break;
    }
}

// Of a target value from 0; a ball joint turns there about z.
static inline void rig_set_motor(const joint_rig *rig, tn_motor motor) {
    float half = 0.5f * motor.target_position;
    switch (rig->type) {
    case TN_JOINT_TYPE_HINGE:
        tn_hinge_joint_set_motor(rig->world, rig->joint, motor);
        break;
    case TN_JOINT_TYPE_SLIDER:
        tn_slider_joint_set_motor(rig->world, rig->joint, motor);
        break;
    case TN_JOINT_TYPE_DISTANCE:
        motor.target_position += 1.0f;
        tn_distance_joint_set_motor(rig->world, rig->joint, motor);
        break;
    default:
        // Its x axis is the world's z.
        tn_ball_joint_set_motor(
            rig->world, rig->joint,
            (tn_ball_motor){.mode = motor.mode,
                            .target_velocity = {(double)motor.target_speed, 0, 0},
                            .target_rotation = {(double)sinf(half), 0, 0, (double)cosf(half)},
                            .stiffness = motor.stiffness,
                            .damping = motor.damping,
                            .max_torque = motor.max_force,
                            .drive = motor.drive});
        break;
    }
}

// Of a distance joint about 1 m; of a ball joint the twist.
static inline void rig_set_limit(const joint_rig *rig, tn_limit limit) {
    switch (rig->type) {
    case TN_JOINT_TYPE_HINGE:
        tn_hinge_joint_set_limit(rig->world, rig->joint, limit);
        break;
    case TN_JOINT_TYPE_SLIDER:
        tn_slider_joint_set_limit(rig->world, rig->joint, limit);
        break;
    case TN_JOINT_TYPE_DISTANCE:
        limit.lower += 1.0f;
        limit.upper += 1.0f;
        tn_distance_joint_set_limit(rig->world, rig->joint, limit);
        break;
    default:
        tn_ball_joint_set_twist_limit(rig->world, rig->joint, limit);
        break;
    }
}

#endif
