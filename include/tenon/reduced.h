/// tenon/reduced.h: moves bodies by generalised coordinates.
///
/// A reduced object is a set of bodies whose poses follow from a few coordinates u: a pendulum's
/// arm from its angle, the crank, rod and slider of an engine from the crank's. A callback says
/// where the bodies are for given u, and how they move with u'. Lagrange's equations with the
/// bodies' masses then move u, so that the bodies keep to the callback exactly, without joints. Any
/// joint may tie one of these bodies to others: it acts on u through the callback's columns.
///
/// The bodies are ordinary ones, made before, and can be read: pose, velocity, energy, mass,
/// applied forces, drawing, events, sleep. Poses, velocities and impulses cannot be given to them
/// (WRONG_TYPE), since the coordinates decide these. Their shapes touch others as any do, but those
/// of one object touch each other only if is_collision_allowed. Contacts, forces (tenon/force.h)
/// and damping act on the coordinates. Locks are refused. Projected Gauss-Seidel solves joints and
/// contacts with a reduced body, whatever the world's solver is.
///
/// Thread rule and errors are as in tenon/base.h.
#ifndef TENON_REDUCED_H
#define TENON_REDUCED_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// The limits on the coordinates and the bodies of one object.
#define TN_REDUCED_MAX_FREEDOMS 12
#define TN_REDUCED_MAX_BODIES   16

/// A reduced object. Null is {0}.
typedef struct tn_reduced_id {
    uint32_t value;
} tn_reduced_id;

typedef struct tn_reduced_input {
    uint32_t freedoms, body_count;
    const double *coordinates; ///< u, one for each freedom: m, rad or any unit of the callback
    const double *speeds;      ///< u'
} tn_reduced_input;

/// Says where one body is, and how it moves with the coordinates, in world axes.
typedef struct tn_reduced_motion {
    tn_pose pose; ///< of the body's frame
    /// For each freedom, the velocity of the frame's origin and the angular velocity while that
    /// coordinate has the speed 1 and the others 0, m/s and rad/s per u'
    tn_vec3 linear[TN_REDUCED_MAX_FREEDOMS], angular[TN_REDUCED_MAX_FREEDOMS];
    /// The accelerations of the frame's origin and of turning at constant u', m/s^2 and rad/s^2:
    /// the change of the columns with u, times u'
    tn_vec3 acceleration, angular_acceleration;
} tn_reduced_motion;

/// The result of the callback. It is all zero when the callback begins, with identity poses.
typedef struct tn_reduced_output {
    tn_reduced_motion *bodies; ///< body_count of them, in the definition's order
    /// For each freedom, a generalised force beside gravity and the forces on the bodies; force
    /// times u' is its power. N, N·m and so on
    double *forces;
} tn_reduced_output;

/// Computes the motion of the bodies. It must give the same result for the same input, and the same
/// bits on every machine if hashes are compared. The thread that steps the world calls it several
/// times in each substep. It must not change the world. If its result is not finite, the object
/// stands still for the rest of the step, and the world reports NOT_FINITE once, until coordinates
/// are set.
typedef void (*tn_reduced_fn)(const tn_reduced_input *input, tn_reduced_output *out_output,
                              void *user_data);

typedef struct tn_reduced_def {
    uint32_t freedoms;                           ///< 1 to TN_REDUCED_MAX_FREEDOMS
    uint32_t body_count;                         ///< 1 to TN_REDUCED_MAX_BODIES
    tn_body_id bodies[TN_REDUCED_MAX_BODIES];    ///< dynamic, each in one object only
    tn_reduced_fn function;                      ///< not null
    void *function_user_data;                    ///< passed to `function`; not owned
    double coordinates[TN_REDUCED_MAX_FREEDOMS]; ///< u at the start. Finite. Default 0
    double speeds[TN_REDUCED_MAX_FREEDOMS];      ///< u' at the start. Finite. Default 0
    bool is_collision_allowed; ///< its own bodies may touch each other. Default false
} tn_reduced_def;

/// Returns a definition with one freedom and no bodies.
TN_API tn_reduced_def tn_reduced_def_default(void);
/// Makes the object, puts its bodies where the callback says, and wakes them. Errors:
/// INVALID_ARGUMENT (also for a body with locks), INVALID_ID, NOT_FINITE (also for the callback's
/// result, and ZERO_AXIS for its quaternions), WRONG_TYPE for a body that is not dynamic or is a
/// particle, INVALID_MASS if a coordinate moves no mass, WORLD_LOCKED, OUT_OF_MEMORY, TOO_LARGE:
/// returns null.
TN_API tn_reduced_id tn_reduced_create(tn_world *world, const tn_reduced_def *def);
/// Frees its bodies, which go on as ordinary ones with the velocities they have. Destroying a body
/// destroys its object. Errors: INVALID_ID, WORLD_LOCKED (call ignored).
TN_API void tn_reduced_destroy(tn_world *world, tn_reduced_id reduced);
TN_API bool tn_reduced_is_valid(const tn_world *world, tn_reduced_id reduced);
/// Write up to `capacity` numbers and return how many there are. `out_numbers` may be null.
TN_API uint32_t tn_reduced_get_coordinates(const tn_world *world, tn_reduced_id reduced,
                                           double *out_numbers, uint32_t capacity);
TN_API uint32_t tn_reduced_get_speeds(const tn_world *world, tn_reduced_id reduced,
                                      double *out_numbers, uint32_t capacity);
/// Set all coordinates or speeds; `count` is the number of the object's freedoms. They move the
/// bodies and wake them. Errors: INVALID_ID, INVALID_ARGUMENT, NOT_FINITE and ZERO_AXIS also for
/// the callback's result (call ignored).
TN_API tn_result tn_reduced_set_coordinates(tn_world *world, tn_reduced_id reduced,
                                            const double *numbers, uint32_t count);
TN_API tn_result tn_reduced_set_speeds(tn_world *world, tn_reduced_id reduced,
                                       const double *numbers, uint32_t count);
/// Fills in at most `capacity` bodies, and returns how many there are.
TN_API uint32_t tn_reduced_get_bodies(const tn_world *world, tn_reduced_id reduced,
                                      tn_body_id *out_bodies, uint32_t capacity);
/// Returns the object that a body belongs to, or null.
TN_API tn_reduced_id tn_body_get_reduced(const tn_world *world, tn_body_id body);

TN_EXTERN_C_END

#endif
