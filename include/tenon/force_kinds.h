/// tenon/force_kinds.h: ready-made forces: springs, air, water, magnets, motors.
///
/// Each is a callback as in tenon/force.h with a few numbers, which can be changed while it acts:
/// setters wake the bodies. Errors of creation: see tn_force_create, and SAME_BODY for springs,
/// motors and water with two connectors of one body; of setters and getters: INVALID_ID,
/// WRONG_TYPE, NOT_FINITE, INVALID_ARGUMENT for numbers out of range (call ignored, a getter
/// returns zeros). The formulas and where they are from: docs/maths/force.md.
#ifndef TENON_FORCE_KINDS_H
#define TENON_FORCE_KINDS_H

#include "tenon/force.h"

TN_EXTERN_C_BEGIN

// ---- spring ------------------------------------------------------------------------------------

/// A spring with a damper between two connectors, along the line between their points. As stiff as
/// you like.
typedef struct tn_force_spring {
    double stiffness; ///< N/m, >= 0. Default 0
    double damping;   ///< N·s/m, >= 0. Default 0
    double length;    ///< m, >= 0, where it pulls and pushes nothing. Default 0
} tn_force_spring;
typedef struct tn_spring_force_def {
    tn_force_base base; ///< two connectors, of which points are asked
    tn_force_spring spring;
} tn_spring_force_def;
TN_API tn_spring_force_def tn_spring_force_def_default(void);
TN_API tn_force_id tn_spring_force_create(tn_world *world, const tn_spring_force_def *def);
TN_API tn_result tn_spring_force_set(tn_world *world, tn_force_id force, tn_force_spring spring);
TN_API tn_force_spring tn_spring_force_get(const tn_world *world, tn_force_id force);

// ---- air ---------------------------------------------------------------------------------------

#define TN_FORCE_MAX_GUSTS 8

/// A wind that blows to and fro: amplitude sin(2 pi hertz time + phase).
typedef struct tn_gust {
    tn_vec3 amplitude; ///< m/s
    double hertz;      ///< Hz
    double phase;      ///< rad
} tn_gust;

/// Drag, and wind: density / 2 coefficient area |u| u on each connector, u the speed of the air
/// past its point.
typedef struct tn_force_air {
    double density;                    ///< kg/m^3, >= 0. Default 1.2
    double coefficient;                ///< of drag, >= 0. Default 1
    tn_vec3 wind;                      ///< m/s. Default 0
    tn_gust gusts[TN_FORCE_MAX_GUSTS]; ///< join the wind
    uint32_t gust_count;
} tn_force_air;
typedef struct tn_air_force_def {
    tn_force_base base; ///< any number of connectors; their amounts are areas, m^2, >= 0
    tn_force_air air;
} tn_air_force_def;
TN_API tn_air_force_def tn_air_force_def_default(void);
TN_API tn_force_id tn_air_force_create(tn_world *world, const tn_air_force_def *def);
TN_API tn_result tn_air_force_set(tn_world *world, tn_force_id force, tn_force_air air);
TN_API tn_force_air tn_air_force_get(const tn_world *world, tn_force_id force);

// ---- buoyancy ----------------------------------------------------------------------------------

/// Still or flowing water below a plane: it bears the shapes of the connectors' bodies with the
/// weight of what they displace, at the centre of that, and drags them. Spheres, boxes and hulls
/// are cut by the plane exactly, capsules in slices. Shapes that overlap count twice, and
/// half-spaces not at all. The world's gravity is asked for.
typedef struct tn_force_buoyancy {
    double density; ///< of the water, kg/m^3, >= 0. Default 1000
    tn_vec3 up;     ///< out of the water, of any length but zero. Default (0, 1, 0)
    double level;   ///< m: of the surface along `up`, from the world's origin. Default 0
    /// Drag by kg of displaced water and m/s: 1/s, >= 0. Default 0
    double linear_drag;
    /// The same by (m/s)^2: 1/m, >= 0. Default 0
    double quadratic_drag;
    tn_vec3 current; ///< m/s of the water. Default 0
} tn_force_buoyancy;
typedef struct tn_buoyancy_force_def {
    tn_force_base base; ///< connectors of different bodies, not the world; points count as
                        ///< is_at_center
    tn_force_buoyancy buoyancy;
} tn_buoyancy_force_def;
TN_API tn_buoyancy_force_def tn_buoyancy_force_def_default(void);
TN_API tn_force_id tn_buoyancy_force_create(tn_world *world, const tn_buoyancy_force_def *def);
TN_API tn_result tn_buoyancy_force_set(tn_world *world, tn_force_id force,
                                       tn_force_buoyancy buoyancy);
TN_API tn_force_buoyancy tn_buoyancy_force_get(const tn_world *world, tn_force_id force);
/// What is under water of the body of a connector, m^3, where it is now.
TN_API double tn_buoyancy_force_get_volume(const tn_world *world, tn_force_id force,
                                           uint32_t connector);

// ---- magnets -----------------------------------------------------------------------------------

/// Dipoles, each with each: forces and torques of points with a moment. Magnets of one body do
/// nothing to each other.
typedef struct tn_force_magnet {
    double core; ///< m, > 0: nearer than that two act on each other as at that distance. Default
                 ///< 0.001
} tn_force_magnet;
typedef struct tn_magnet_force_def {
    tn_force_base base; ///< two connectors or more; moments are `amount` along the axis, A·m^2
    tn_force_magnet magnet;
} tn_magnet_force_def;
TN_API tn_magnet_force_def tn_magnet_force_def_default(void);
TN_API tn_force_id tn_magnet_force_create(tn_world *world, const tn_magnet_force_def *def);
TN_API tn_result tn_magnet_force_set(tn_world *world, tn_force_id force, tn_force_magnet magnet);
TN_API tn_force_magnet tn_magnet_force_get(const tn_world *world, tn_force_id force);

// ---- motor -------------------------------------------------------------------------------------

/// A torque between two bodies about the axis of the first connector: that of an electric motor,
/// which falls in a line from standstill to the speed without load, and brakes beyond it.
typedef struct tn_force_motor {
    double stall_torque;  ///< N·m, of the second body against the first. Default 0
    double no_load_speed; ///< rad/s, > 0, of a positive torque; of a negative one that of the
                          ///< opposite turn. Infinite (default): the torque is constant
} tn_force_motor;
typedef struct tn_motor_force_def {
    tn_force_base base; ///< two connectors
    tn_force_motor motor;
} tn_motor_force_def;
TN_API tn_motor_force_def tn_motor_force_def_default(void);
TN_API tn_force_id tn_motor_force_create(tn_world *world, const tn_motor_force_def *def);
TN_API tn_result tn_motor_force_set(tn_world *world, tn_force_id force, tn_force_motor motor);
TN_API tn_force_motor tn_motor_force_get(const tn_world *world, tn_force_id force);

TN_EXTERN_C_END

#endif
