/// tenon/force_kinds.h: makes ready-made forces: springs, air, water, magnets, motors.
///
/// Each is a force as in tenon/force.h with a few numbers, which may change while it acts: setters
/// wake the bodies. Errors of creation: see tn_force_create, and SAME_BODY for springs, motors and
/// water with two connectors of one body. Errors of setters and getters: INVALID_ID, WRONG_TYPE,
/// NOT_FINITE, INVALID_ARGUMENT for numbers out of range (call ignored; a getter returns zeros).
/// docs/maths/force.md has the formulas and their sources.
#ifndef TENON_FORCE_KINDS_H
#define TENON_FORCE_KINDS_H

#include "tenon/force.h"

TN_EXTERN_C_BEGIN

// ---- spring ------------------------------------------------------------------------------------

/// A spring with a damper along the line between the points of two connectors. It may be as stiff
/// as you like.
typedef struct tn_force_spring {
    double stiffness; ///< N/m, >= 0. Default 0
    double damping;   ///< N·s/m, >= 0. Default 0
    double length;    ///< m, >= 0: length without force. Default 0
} tn_force_spring;
typedef struct tn_spring_force_def {
    tn_force_base base; ///< two connectors, of which the points count
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

/// Drag and wind: a force density / 2 coefficient area |u| u on each connector, where u is the
/// velocity of the air relative to its point.
typedef struct tn_force_air {
    double density;                    ///< kg/m^3, >= 0. Default 1.2
    double coefficient;                ///< drag coefficient, >= 0. Default 1
    tn_vec3 wind;                      ///< m/s. Default 0
    tn_gust gusts[TN_FORCE_MAX_GUSTS]; ///< added to the wind
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

/// Still or flowing water below a plane. It lifts the shapes of the connectors' bodies with the
/// weight of the water that they displace, at the centre of that water, and drags them. The plane
/// cuts spheres, boxes, hulls and closed meshes exactly, and capsules in slices. Overlapping shapes
/// and children of compounds count twice, half-spaces and open surfaces not at all. The weight
/// comes from the world's gravity.
typedef struct tn_force_buoyancy {
    double density; ///< of the water, kg/m^3, >= 0. Default 1000
    tn_vec3 up;     ///< out of the water, any length but zero. Default (0, 1, 0)
    double level;   ///< m: the surface's distance along `up` from the world's origin. Default 0
    /// Drag per kg of displaced water and per m/s, 1/s, >= 0. Default 0
    double linear_drag;
    /// Drag per kg and per (m/s)^2, 1/m, >= 0. Default 0
    double quadratic_drag;
    tn_vec3 current; ///< velocity of the water, m/s. Default 0
} tn_force_buoyancy;
typedef struct tn_buoyancy_force_def {
    /// Its connectors are of different bodies, not the world, and act as if is_at_center were set.
    tn_force_base base;
    tn_force_buoyancy buoyancy;
} tn_buoyancy_force_def;
TN_API tn_buoyancy_force_def tn_buoyancy_force_def_default(void);
TN_API tn_force_id tn_buoyancy_force_create(tn_world *world, const tn_buoyancy_force_def *def);
TN_API tn_result tn_buoyancy_force_set(tn_world *world, tn_force_id force,
                                       tn_force_buoyancy buoyancy);
TN_API tn_force_buoyancy tn_buoyancy_force_get(const tn_world *world, tn_force_id force);
/// Returns the volume of the connector's body that is under water now, m^3.
TN_API double tn_buoyancy_force_get_volume(const tn_world *world, tn_force_id force,
                                           uint32_t connector);

// ---- magnets -----------------------------------------------------------------------------------

/// Dipoles that exert forces and torques on each other. Each is a point with a moment. Magnets of
/// one body do nothing to each other.
typedef struct tn_force_magnet {
    double core; ///< m, > 0: magnets that are nearer act as at this distance. Default 0.001
} tn_force_magnet;
typedef struct tn_magnet_force_def {
    tn_force_base base; ///< two connectors or more; a moment is `amount` along the axis, A·m^2
    tn_force_magnet magnet;
} tn_magnet_force_def;
TN_API tn_magnet_force_def tn_magnet_force_def_default(void);
TN_API tn_force_id tn_magnet_force_create(tn_world *world, const tn_magnet_force_def *def);
TN_API tn_result tn_magnet_force_set(tn_world *world, tn_force_id force, tn_force_magnet magnet);
TN_API tn_force_magnet tn_magnet_force_get(const tn_world *world, tn_force_id force);

// ---- motor -------------------------------------------------------------------------------------

/// A torque between two bodies about the axis of the first connector, as an electric motor's: it
/// falls linearly from standstill to the no-load speed, and brakes beyond that.
typedef struct tn_force_motor {
    double stall_torque;  ///< N·m, on the second body against the first. Default 0
    double no_load_speed; ///< rad/s, > 0, in the direction of the torque. Infinite (default): the
                          ///< torque is constant
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
