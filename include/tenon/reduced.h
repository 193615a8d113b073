/// tenon/reduced.h: bodies that are given by generalised coordinates.
///
/// A reduced object is a set of bodies whose poses follow from a few coordinates u: a pendulum arm
/// from its angle, the crank, rod and slider of an engine from the crank's. A callback says where
/// the bodies are for given u, and how they move with u'. Lagrange's equations with the bodies'
/// masses then say how u moves; what the callback promises is kept exactly, by no joint. Any joint
/// may tie such a body to others: it acts on u through the callback's columns.
///
/// The bodies are ordinary ones, made before, and are read as such: pose, velocity, energy, mass,
/// applied forces, drawing, events, sleep. Their pose and velocity cannot be set, nor an impulse
/// given to them (WRONG_TYPE): the coordinates say all that. Their shapes touch others as any do,
/// those of one object not each other unless that is asked for; contacts act on the coordinates.
/// So do forces (tenon/force.h) and the bodies' damping. Locks are refused. Joints and contacts
/// with a reduced body are solved by projected Gauss-Seidel, whatever the world's solver is.
///
/// Thread rule and errors as in tenon/base.h.
#ifndef TENON_REDUCED_H
#define TENON_REDUCED_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// The most coordinates and the most bodies of one object.
#define TN_REDUCED_MAX_FREEDOMS 12
#define TN_REDUCED_MAX_BODIES   16

/// A reduced object. Null is {0}.
typedef struct tn_reduced_id {
    uint32_t value;
} tn_reduced_id;

typedef struct tn_reduced_input {
    uint32_t freedoms, body_count;
    const double *coordinates; ///< u, one for each freedom: m, rad or what the callback takes it as
    const double *speeds;      ///< u'
} tn_reduced_input;

/// Where one body is, and how it moves with the coordinates. World axes.
typedef struct tn_reduced_motion {
    tn_pose pose; ///< of the body's frame
    /// By freedom: the velocity of the frame's origin, and the angular velocity, while that
    /// coordinate has the speed 1 and the others none. m/s and rad/s by u'
    tn_vec3 linear[TN_REDUCED_MAX_FREEDOMS], angular[TN_REDUCED_MAX_FREEDOMS];
    /// Of the frame's origin and of turning while the speeds stay what they are: what the columns
    /// change by with u, times u'. m/s^2 and rad/s^2
    tn_vec3 acceleration, angular_acceleration;
} tn_reduced_motion;

/// All zero when the callback begins, with poses that are the identity.
typedef struct tn_reduced_output {
    tn_reduced_motion *bodies; ///< body_count of them, in the definition's order
    /// By freedom: a generalised force beside gravity and what is applied to the bodies: force
    /// times u' is its power. N, N·m and so on
    double *forces;
} tn_reduced_output;

/// Must give the same for the same input, with the same bits on every machine where hashes count.
/// It is asked several times in each substep, on the thread that steps the world, and may call no
/// function that changes the world. Where it gives what is not finite the object stands still for
/// the rest of the step, and the world reports NOT_FINITE once, until coordinates are set.
typedef void (*tn_reduced_fn)(const tn_reduced_input *input, tn_reduced_output *out_output,
                              void *user_data);

typedef struct tn_reduced_def {
    uint32_t freedoms;                           ///< 1 to TN_REDUCED_MAX_FREEDOMS
    uint32_t body_count;                         ///< 1 to TN_REDUCED_MAX_BODIES
    tn_body_id bodies[TN_REDUCED_MAX_BODIES];    ///< dynamic, each in one object only
    tn_reduced_fn function;                      ///< not null
    void *function_user_data;                    ///< of the caller, for the callback
    double coordinates[TN_REDUCED_MAX_FREEDOMS]; ///< u at the start. Finite. Default 0
    double speeds[TN_REDUCED_MAX_FREEDOMS];      ///< u' at the start. Finite. Default 0
    bool is_collision_allowed; ///< may its own bodies touch each other? Default false
} tn_reduced_def;

/// One freedom; no body is there yet.
TN_API tn_reduced_def tn_reduced_def_default(void);
/// Makes the object, puts its bodies where the callback says and wakes them.
/// Errors: INVALID_ARGUMENT (also for a body with locks), INVALID_ID, NOT_FINITE (also of what the
/// callback gives, ZERO_AXIS for its quaternions), WRONG_TYPE for a body that is not dynamic, or is
/// a particle; INVALID_MASS where some coordinate moves no mass, WORLD_LOCKED, OUT_OF_MEMORY,
/// TOO_LARGE: returns null.
TN_API tn_reduced_id tn_reduced_create(tn_world *world, const tn_reduced_def *def);
/// Sets its bodies free: they go on as ordinary ones with the velocities they have. A body that is
/// destroyed takes its object with it. Errors: INVALID_ID, WORLD_LOCKED (call ignored).
TN_API void tn_reduced_destroy(tn_world *world, tn_reduced_id reduced);
TN_API bool tn_reduced_is_valid(const tn_world *world, tn_reduced_id reduced);
/// Writes up to `capacity` numbers; returns how many there are. `out_numbers` may be null.
TN_API uint32_t tn_reduced_get_coordinates(const tn_world *world, tn_reduced_id reduced,
                                           double *out_numbers, uint32_t capacity);
TN_API uint32_t tn_reduced_get_speeds(const tn_world *world, tn_reduced_id reduced,
                                      double *out_numbers, uint32_t capacity);
/// All of them: `count` must be the object's freedoms. Moves the bodies and wakes them.
/// Errors: INVALID_ID, INVALID_ARGUMENT, NOT_FINITE and ZERO_AXIS also of what the callback gives
/// (call ignored).
TN_API tn_result tn_reduced_set_coordinates(tn_world *world, tn_reduced_id reduced,
                                            const double *numbers, uint32_t count);
TN_API tn_result tn_reduced_set_speeds(tn_world *world, tn_reduced_id reduced,
                                       const double *numbers, uint32_t count);
/// Fills in the bodies, up to `capacity`; returns how many there are.
TN_API uint32_t tn_reduced_get_bodies(const tn_world *world, tn_reduced_id reduced,
                                      tn_body_id *out_bodies, uint32_t capacity);
/// The object that a body belongs to, or null.
TN_API tn_reduced_id tn_body_get_reduced(const tn_world *world, tn_body_id body);

TN_EXTERN_C_END

#endif
