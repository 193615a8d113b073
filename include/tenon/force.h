/// tenon/force.h: makes forces between bodies from a callback. tenon/force_kinds.h has ready-made
/// ones, and tenon/goal_force.h forces that minimise an expression.
///
/// A force acts through connectors: points and axes that are fixed to bodies or to the world. In
/// every substep its callback is given where they are and how they move, and says what acts on
/// each. A callback that also gives slopes, which say how its force changes with the motion, may be
/// as stiff as it likes: its change over the substep is included, as in the linearly implicit Euler
/// rule.
///
/// Forces are evaluated in the order of their creation, on the thread that steps the world, for the
/// middle of the substep: where the bodies are after half of it at their first speeds. This is the
/// leapfrog rule, which keeps energy while a substep is short. The bodies of a force sleep
/// together; a force does not wake them, and keeps them awake only with `keeps_awake`. It does
/// nothing while one of its bodies is disabled. The energy ledger counts its work as force_work.
///
/// Thread rule and errors are as in tenon/base.h. Functions that change something refuse to do so
/// inside a callback (WORLD_LOCKED).
#ifndef TENON_FORCE_H
#define TENON_FORCE_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// The limits on the connectors and the slopes of a force.
#define TN_FORCE_MAX_CONNECTORS 16
#define TN_FORCE_MAX_SLOPES     32
/// In a slope: motion relative to the world, not to another connector.
#define TN_FORCE_AGAINST_WORLD 0xffffffffu

/// A force. Null is {0}.
typedef struct tn_force_id {
    uint32_t value;
} tn_force_id;

typedef enum tn_force_type {
    TN_FORCE_TYPE_CUSTOM = 0,
    TN_FORCE_TYPE_SPRING,
    TN_FORCE_TYPE_AIR,
    TN_FORCE_TYPE_BUOYANCY,
    TN_FORCE_TYPE_MAGNET,
    TN_FORCE_TYPE_MOTOR,
    TN_FORCE_TYPE_GOAL, ///< tenon/goal_force.h
} tn_force_type;

/// A point and an axis that are fixed to a body.
typedef struct tn_connector {
    tn_body_id body;   ///< null: the world
    bool is_at_center; ///< the point is the body's centre of mass, wherever that is; not for the
                       ///< world
    tn_vec3 point;     ///< in the body's frame, m
    tn_vec3 axis;      ///< in the body's frame, any length but zero. Default (1, 0, 0)
    /// A number for ready-made forces: area in air, m^2, or moment of a magnet, A·m^2. Finite.
    /// Default 0.
    double amount;
} tn_connector;
TN_API tn_connector tn_connector_default(void);

/// A connector as a callback sees it, in world axes.
typedef struct tn_connector_state {
    tn_vec3 position;         ///< m
    tn_vec3 axis;             ///< of unit length
    tn_vec3 velocity;         ///< of the point, m/s
    tn_vec3 angular_velocity; ///< of the body, rad/s
    double amount;
} tn_connector_state;

typedef struct tn_force_input {
    double time; ///< s, the world's time at the middle of the substep
    double dt;   ///< s, of the substep, or of the step if the force acts once in it
    uint32_t connector_count;
    const tn_connector_state *connectors; ///< in the definition's order
} tn_force_input;

/// Says how the load on connector `to` changes with its motion relative to connector `from`; `from`
/// gets the opposite. Rows are of the force and columns of the motion, in world axes. A force that
/// pulls back has negative numbers.
typedef struct tn_force_slope {
    uint32_t from, to;        ///< connectors of two bodies; `from` may be TN_FORCE_AGAINST_WORLD
    bool is_angular;          ///< torque by angle and angular velocity, in place of force
    double by_position[3][3]; ///< N/m, or N·m/rad
    double by_velocity[3][3]; ///< N·s/m, or N·m·s/rad
} tn_force_slope;

/// The load on the connectors in world axes: a force at the point, N, and a torque in addition,
/// N·m. It is all zero, without slopes, when the callback begins.
typedef struct tn_force_output {
    tn_vec3 force[TN_FORCE_MAX_CONNECTORS];
    tn_vec3 torque[TN_FORCE_MAX_CONNECTORS];
    uint32_t slope_count;
    tn_force_slope slopes[TN_FORCE_MAX_SLOPES];
} tn_force_output;

/// Computes a force. It must give the same result for the same input. A result that is not finite,
/// or has slopes between connectors that do not exist, does nothing in this substep; the world
/// reports NOT_FINITE for it once, until the force is enabled again.
typedef void (*tn_force_fn)(const tn_force_input *input, tn_force_output *out_output,
                            void *user_data);

/// Adds a slope of zeros, for a callback to fill in, and returns it; null if there is no more room.
/// Thread: any.
TN_API tn_force_slope *tn_force_output_add_slope(tn_force_output *output, uint32_t from,
                                                 uint32_t to, bool is_angular);

/// The part that all forces have in common.
typedef struct tn_force_base {
    tn_connector connectors[TN_FORCE_MAX_CONNECTORS];
    uint32_t connector_count; ///< 1 to TN_FORCE_MAX_CONNECTORS
    /// Calls the callback once per step, at its middle, instead of in each substep: cheaper, and
    /// right for what changes slowly. Default false
    bool acts_once_per_step;
    /// Keeps its bodies from sleeping, for a force that moves bodies at rest. Default false
    bool keeps_awake;
    bool is_enabled; ///< default true
} tn_force_base;

typedef struct tn_force_def {
    tn_force_base base;
    tn_force_fn function; ///< not null
    void *function_user_data;
} tn_force_def;

/// Returns a definition without connectors.
TN_API tn_force_def tn_force_def_default(void);
/// Makes a force and wakes its bodies. Errors: INVALID_ARGUMENT, INVALID_ID, NOT_FINITE, ZERO_AXIS,
/// NO_DYNAMIC_BODY, WORLD_LOCKED, OUT_OF_MEMORY, TOO_LARGE: returns null.
TN_API tn_force_id tn_force_create(tn_world *world, const tn_force_def *def);
/// Destroys the force and wakes its bodies. Destroying a body destroys its forces.
TN_API void tn_force_destroy(tn_world *world, tn_force_id force);
TN_API bool tn_force_is_valid(const tn_world *world, tn_force_id force);
TN_API tn_force_type tn_force_get_type(const tn_world *world, tn_force_id force);
/// Switches the force on or off, and wakes the bodies. Wake them yourself after you change what a
/// callback reads.
TN_API tn_result tn_force_set_enabled(tn_world *world, tn_force_id force, bool is_enabled);
TN_API bool tn_force_is_enabled(const tn_world *world, tn_force_id force);
/// Return a connector as it was given, and set its amount, which wakes the bodies. Errors:
/// INVALID_ID, INVALID_ARGUMENT beyond the last one, NOT_FINITE (call ignored).
TN_API tn_connector tn_force_get_connector(const tn_world *world, tn_force_id force,
                                           uint32_t connector);
TN_API tn_result tn_force_set_amount(tn_world *world, tn_force_id force, uint32_t connector,
                                     double amount);
/// Return the force, N, and the torque, N·m, on a connector in the last substep, slopes included,
/// in world axes. Zero if the force did nothing in the last step.
TN_API tn_vec3 tn_force_get_force(const tn_world *world, tn_force_id force, uint32_t connector);
TN_API tn_vec3 tn_force_get_torque(const tn_world *world, tn_force_id force, uint32_t connector);
/// Return how many forces there are; the latter also fills in at most `capacity` handles, in the
/// order of creation.
TN_API uint32_t tn_world_count_forces(const tn_world *world);
TN_API uint32_t tn_world_get_forces(const tn_world *world, tn_force_id *out_forces,
                                    uint32_t capacity);

TN_EXTERN_C_END

#endif
