/// tenon/force.h: forces between bodies, from a callback or ready made (tenon/force_kinds.h), or
/// towards what makes an expression least (tenon/goal_force.h).
///
/// A force acts through connectors: points and axes that are fixed to bodies, or to the world. In
/// every substep its callback is given where they are and how they move and says what acts on each.
/// A callback that also says how its force changes with the motion, by slopes, may be as stiff as
/// it likes: the change over the substep is taken along, as in the linearly implicit Euler rule.
///
/// Forces are asked in the order of their creation, on the thread that steps the world, at the
/// middle of the substep: where the bodies get to in half of it at the speeds they begin it with.
/// That is the leapfrog rule, which neither gains nor loses energy, while a substep is short. The
/// bodies of a force belong together for sleep, and a force neither wakes nor, with `keeps_awake`
/// false, keeps awake. It does nothing while a body of it is disabled. What forces do is force_work
/// of the energy ledger.
///
/// Thread rule and errors as in tenon/base.h: all functions check handles and numbers, and those
/// that change something refuse inside a callback (WORLD_LOCKED).
#ifndef TENON_FORCE_H
#define TENON_FORCE_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// The most connectors and the most slopes of a force.
#define TN_FORCE_MAX_CONNECTORS 16
#define TN_FORCE_MAX_SLOPES     32
/// Of a slope: motion against the world, not against another connector.
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
    tn_body_id body; ///< null: the world
    bool
        is_at_center; ///< the point is the body's centre of mass, wherever that is; not the world's
    tn_vec3 point;    ///< in the body's frame, m
    tn_vec3 axis;     ///< in the body's frame, of any length but zero. Default (1, 0, 0)
    /// What a ready-made force asks of the connector: m^2 of area in air, A·m^2 of a magnet.
    /// Finite. Default 0.
    double amount;
} tn_connector;
TN_API tn_connector tn_connector_default(void);

/// A connector as a callback sees it. World axes.
typedef struct tn_connector_state {
    tn_vec3 position;         ///< m
    tn_vec3 axis;             ///< of unit length
    tn_vec3 velocity;         ///< of the point, m/s
    tn_vec3 angular_velocity; ///< of the body, rad/s
    double amount;
} tn_connector_state;

typedef struct tn_force_input {
    double time; ///< s, of the world, at the middle of the substep
    double dt;   ///< s, of the substep; of the step, where the force is asked once in it
    uint32_t connector_count;
    const tn_connector_state *connectors; ///< in the definition's order
} tn_force_input;

/// How what acts on connector `to` changes with its motion relative to connector `from`; on `from`
/// acts the opposite. Rows are of the force, columns of the motion, world axes. What pulls back has
/// negative numbers.
typedef struct tn_force_slope {
    uint32_t from, to;        ///< connectors of two bodies; `from` may be TN_FORCE_AGAINST_WORLD
    bool is_angular;          ///< torque by angle and angular velocity instead
    double by_position[3][3]; ///< N/m, or N·m/rad
    double by_velocity[3][3]; ///< N·s/m, or N·m·s/rad
} tn_force_slope;

/// What acts on the connectors, world axes: a force at the point, N, and a torque beside it, N·m.
/// All zero when the callback begins, without slopes.
typedef struct tn_force_output {
    tn_vec3 force[TN_FORCE_MAX_CONNECTORS];
    tn_vec3 torque[TN_FORCE_MAX_CONNECTORS];
    uint32_t slope_count;
    tn_force_slope slopes[TN_FORCE_MAX_SLOPES];
} tn_force_output;

/// Must give the same for the same input. What is not finite, or has slopes between connectors that
/// are not there, does nothing in this substep; the world reports NOT_FINITE for it once, until the
/// force is enabled anew.
typedef void (*tn_force_fn)(const tn_force_input *input, tn_force_output *out_output,
                            void *user_data);

/// For callbacks: adds a slope of zeros and gives it to be filled; null when there is no more room.
/// Thread: any.
TN_API tn_force_slope *tn_force_output_add_slope(tn_force_output *output, uint32_t from,
                                                 uint32_t to, bool is_angular);

/// What all forces have in common.
typedef struct tn_force_base {
    tn_connector connectors[TN_FORCE_MAX_CONNECTORS];
    uint32_t connector_count; ///< 1 to TN_FORCE_MAX_CONNECTORS
    /// Asked once in a step, at its middle, instead of in each substep: cheaper, and right for what
    /// changes slowly. Default false
    bool acts_once_per_step;
    /// Its bodies do not sleep: for a force that moves what rests. Default false
    bool keeps_awake;
    bool is_enabled; ///< default true
} tn_force_base;

typedef struct tn_force_def {
    tn_force_base base;
    tn_force_fn function; ///< not null
    void *function_user_data;
} tn_force_def;

/// No connector is there yet.
TN_API tn_force_def tn_force_def_default(void);
/// Makes a force and wakes its bodies. Errors: INVALID_ARGUMENT, INVALID_ID, NOT_FINITE, ZERO_AXIS,
/// NO_DYNAMIC_BODY, WORLD_LOCKED, OUT_OF_MEMORY, TOO_LARGE: returns null.
TN_API tn_force_id tn_force_create(tn_world *world, const tn_force_def *def);
/// Takes it out and wakes its bodies. A body that is destroyed takes its forces with it.
TN_API void tn_force_destroy(tn_world *world, tn_force_id force);
TN_API bool tn_force_is_valid(const tn_world *world, tn_force_id force);
TN_API tn_force_type tn_force_get_type(const tn_world *world, tn_force_id force);
/// Wakes the bodies when it changes. After you changed what a callback goes by, wake them yourself.
TN_API tn_result tn_force_set_enabled(tn_world *world, tn_force_id force, bool is_enabled);
TN_API bool tn_force_is_enabled(const tn_world *world, tn_force_id force);
/// A connector as it was given; the amount may be changed. Wakes the bodies.
/// Errors: INVALID_ID, INVALID_ARGUMENT beyond the last one, NOT_FINITE (call ignored).
TN_API tn_connector tn_force_get_connector(const tn_world *world, tn_force_id force,
                                           uint32_t connector);
TN_API tn_result tn_force_set_amount(tn_world *world, tn_force_id force, uint32_t connector,
                                     double amount);
/// What acted on a connector in the last substep, with what slopes added, N and N·m, world axes.
/// Zero of a force that did nothing in the last step.
TN_API tn_vec3 tn_force_get_force(const tn_world *world, tn_force_id force, uint32_t connector);
TN_API tn_vec3 tn_force_get_torque(const tn_world *world, tn_force_id force, uint32_t connector);
/// How many there are, and their handles in the order of creation: fills at most `capacity`,
/// returns the count.
TN_API uint32_t tn_world_count_forces(const tn_world *world);
TN_API uint32_t tn_world_get_forces(const tn_world *world, tn_force_id *out_forces,
                                    uint32_t capacity);

TN_EXTERN_C_END

#endif
