// tests/joints/driven_value.h: every value of a joint that a motor drives, made and read alike.
#ifndef TESTS_JOINTS_DRIVEN_VALUE_H
#define TESTS_JOINTS_DRIVEN_VALUE_H

#include "joint_world.h"

typedef enum driven_value {
    DRIVEN_DISTANCE,
    DRIVEN_SLIDER,
    DRIVEN_CYLINDRICAL_SLIDE,
    DRIVEN_PLANAR_Y,
    DRIVEN_PLANAR_Z,
    DRIVEN_SIX_AXIS_LENGTH,
    DRIVEN_HINGE, // angles from here on
    DRIVEN_UNIVERSAL_FIRST,
    DRIVEN_UNIVERSAL_SECOND,
    DRIVEN_CYLINDRICAL_TURN,
    DRIVEN_PLANAR_TURN,
    DRIVEN_SIX_AXIS_TURN,
    DRIVEN_STEERING,
    DRIVEN_VALUES,
} driven_value;

static const char *const driven_names[DRIVEN_VALUES] = {
    "distance",    "slider",        "cylindrical slide", "planar y",         "planar z",
    "six axis",    "hinge",         "universal first",   "universal second", "cylindrical turn",
    "planar turn", "six axis turn", "steering"};

static inline bool driven_is_angle(driven_value value) {
    return value >= DRIVEN_HINGE;
}

// The value where the frames agree; a rod has its length.
static inline double driven_get_start(driven_value value) {
    return value == DRIVEN_DISTANCE ? 1.0 : 0.0;
}

typedef struct driven_actors {
    tn_limit limit;
    tn_motor motor;
    tn_spring spring; // not of a wheel
} driven_actors;

static inline tn_body_id driven_add_block(tn_world *world, double x) {
    tn_body_def def = tn_body_def_default();
    def.pose.position.x = x;
    tn_body_id body = tn_body_create(world, &def);
    tn_shape_def shape = tn_shape_def_default();
    tn_box_shape_create(world, body, &shape, (tn_vec3){0.4, 0.2, 0.25});
    return body;
}

static inline tn_axis driven_axis(const driven_actors *actors) {
    return (tn_axis){.limit = actors->limit, .motor = actors->motor, .spring = actors->spring};
}

static inline tn_joint_id driven_make_six_axis(tn_world *world, const tn_joint_def *base,
                                               tn_six_axis which, const driven_actors *actors) {
    tn_six_axis_joint_def def = tn_six_axis_joint_def_default();
    def.locks &= ~TN_SIX_AXIS_LOCK(which);
    def.base = *base;
    def.axes[which] =
        (tn_axis){.limit = actors->limit, .motor = actors->motor, .spring = actors->spring};
    return tn_six_axis_joint_create(world, &def);
}

static inline tn_joint_id driven_make_planar(tn_world *world, const tn_joint_def *base,
                                             driven_value value, const driven_actors *actors) {
    tn_planar_joint_def def = tn_planar_joint_def_default();
    const tn_limit still = {.is_enabled = true};
    def.base = *base;
    def.y.limit = def.z.limit = def.turn.limit = still;
    tn_axis *axis = value == DRIVEN_PLANAR_Y   ? &def.y
                    : value == DRIVEN_PLANAR_Z ? &def.z
                                               : &def.turn;
    *axis = driven_axis(actors);
    return tn_planar_joint_create(world, &def);
}

static inline tn_joint_id driven_make_wheel(tn_world *world, const tn_joint_def *base,
                                            const driven_actors *actors) {
    tn_wheel_joint_def def = tn_wheel_joint_def_default();
    def.base = *base;
    def.has_steering = true;
    def.suspension_limit = (tn_limit){.is_enabled = true};
    def.steering_limit = actors->limit;
    def.steering_motor = actors->motor;
    return tn_wheel_joint_create(world, &def);
}

static inline tn_joint_id driven_make_rod(tn_world *world, const tn_joint_def *base,
                                          const driven_actors *actors) {
    tn_distance_joint_def def = tn_distance_joint_def_default();
    def.base = *base;
    def.base.frame_a.position.x -= 1.0;
    def.is_rigid = false;
    def.limit = actors->limit;
    def.motor = actors->motor;
    def.spring = actors->spring;
    return tn_distance_joint_create(world, &def);
}

// Other values of joints that have several are held still by a limit where they would fall apart.
static inline tn_joint_id driven_make(tn_world *world, driven_value value, tn_joint_def base,
                                      const driven_actors *actors) {
    const tn_axis axis = driven_axis(actors), still = {.limit = {.is_enabled = true}};
    switch (value) {
    case DRIVEN_DISTANCE:
        return driven_make_rod(world, &base, actors);
    case DRIVEN_SLIDER: {
        tn_slider_joint_def def = tn_slider_joint_def_default();
        def.base = base;
        def.limit = actors->limit;
        def.motor = actors->motor;
        def.spring = actors->spring;
        return tn_slider_joint_create(world, &def);
    }
    case DRIVEN_HINGE: {
        tn_hinge_joint_def def = tn_hinge_joint_def_default();
        def.base = base;
        def.limit = actors->limit;
        def.motor = actors->motor;
        def.spring = actors->spring;
        return tn_hinge_joint_create(world, &def);
    }
    case DRIVEN_CYLINDRICAL_SLIDE:
    case DRIVEN_CYLINDRICAL_TURN: {
        tn_cylindrical_joint_def def = tn_cylindrical_joint_def_default();
        def.base = base;
        def.slide = value == DRIVEN_CYLINDRICAL_SLIDE ? axis : still;
        def.turn = value == DRIVEN_CYLINDRICAL_SLIDE ? still : axis;
        return tn_cylindrical_joint_create(world, &def);
    }
    case DRIVEN_UNIVERSAL_FIRST:
    case DRIVEN_UNIVERSAL_SECOND: {
        tn_universal_joint_def def = tn_universal_joint_def_default();
        def.base = base;
        def.first = value == DRIVEN_UNIVERSAL_FIRST ? axis : still;
        def.second = value == DRIVEN_UNIVERSAL_FIRST ? still : axis;
        return tn_universal_joint_create(world, &def);
    }
    case DRIVEN_SIX_AXIS_LENGTH:
        return driven_make_six_axis(world, &base, TN_SIX_AXIS_LINEAR_X, actors);
    case DRIVEN_SIX_AXIS_TURN:
        return driven_make_six_axis(world, &base, TN_SIX_AXIS_ANGULAR_X, actors);
    case DRIVEN_STEERING:
        return driven_make_wheel(world, &base, actors);
    default:
        return driven_make_planar(world, &base, value, actors);
    }
}

static inline double driven_get(const tn_world *world, driven_value value, tn_joint_id joint) {
    switch (value) {
    case DRIVEN_DISTANCE:
        return tn_distance_joint_get_length(world, joint);
    case DRIVEN_SLIDER:
        return tn_slider_joint_get_translation(world, joint);
    case DRIVEN_HINGE:
        return tn_hinge_joint_get_angle(world, joint);
    case DRIVEN_CYLINDRICAL_SLIDE:
        return tn_cylindrical_joint_get_translation(world, joint);
    case DRIVEN_CYLINDRICAL_TURN:
        return tn_cylindrical_joint_get_angle(world, joint);
    case DRIVEN_UNIVERSAL_FIRST:
        return tn_universal_joint_get_first_angle(world, joint);
    case DRIVEN_UNIVERSAL_SECOND:
        return tn_universal_joint_get_second_angle(world, joint);
    case DRIVEN_SIX_AXIS_LENGTH:
        return tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_LINEAR_X);
    case DRIVEN_SIX_AXIS_TURN:
        return tn_six_axis_joint_get_position(world, joint, TN_SIX_AXIS_ANGULAR_X);
    case DRIVEN_STEERING:
        return tn_wheel_joint_get_steering_angle(world, joint);
    case DRIVEN_PLANAR_Y:
        return tn_planar_joint_get_y(world, joint);
    case DRIVEN_PLANAR_Z:
        return tn_planar_joint_get_z(world, joint);
    default:
        return tn_planar_joint_get_angle(world, joint);
    }
}

// N or N·m of the motor.
static inline double driven_get_effort(const tn_world *world, driven_value value,
                                       tn_joint_id joint) {
    switch (value) {
    case DRIVEN_CYLINDRICAL_TURN:
        return (double)tn_cylindrical_joint_get_motor_torque(world, joint);
    case DRIVEN_UNIVERSAL_SECOND:
        return (double)tn_universal_joint_get_second_torque(world, joint);
    case DRIVEN_PLANAR_Z:
        return (double)tn_planar_joint_get_z_force(world, joint);
    case DRIVEN_PLANAR_TURN:
        return (double)tn_planar_joint_get_motor_torque(world, joint);
    default:
        return (double)tn_joint_get_motor_effort(world, joint);
    }
}

#endif
