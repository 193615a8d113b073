/// tenon/body.h: rigid bodies.
///
/// A body's frame is where its definition put it; its centre of mass may lie elsewhere in it. Poses
/// are those of the frame, velocities those of the centre of mass, unless a name says otherwise.
///
/// A particle is a body that is a point: it has a mass, a place and a velocity, and does not turn.
/// Beads of a rope, knots of a net. It may be of any type, and bear a sphere around it or none.
/// Joints on it act at its centre; those that turn have nothing to act on and are refused.
#ifndef TENON_BODY_H
#define TENON_BODY_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

typedef enum tn_body_type {
    TN_BODY_TYPE_STATIC = 0, ///< never moves
    TN_BODY_TYPE_KINEMATIC,  ///< moves as told, pushes others, is pushed by none
    TN_BODY_TYPE_DYNAMIC,    ///< moves by forces
} tn_body_type;

/// Velocities of the centre of mass and of rotation, world axes. m/s, rad/s.
typedef struct tn_velocity {
    tn_vec3 linear, angular;
} tn_velocity;

/// Mass (kg), centre of mass (m, body frame) and inertia about it (kg·m², body axes).
typedef struct tn_mass {
    double mass;
    tn_vec3 center;
    tn_mat3_symmetric inertia;
} tn_mass;

/// Axes of the world a body may not move along or turn about. Bits, to be or-ed.
typedef enum tn_body_lock {
    TN_BODY_LOCK_NONE = 0,
    TN_BODY_LOCK_LINEAR_X = 1,
    TN_BODY_LOCK_LINEAR_Y = 2,
    TN_BODY_LOCK_LINEAR_Z = 4,
    TN_BODY_LOCK_ANGULAR_X = 8,
    TN_BODY_LOCK_ANGULAR_Y = 16,
    TN_BODY_LOCK_ANGULAR_Z = 32,
} tn_body_lock;

/// What a body is made from. Start from tn_body_def_default().
typedef struct tn_body_def {
    tn_body_type type; ///< default DYNAMIC
    bool is_particle;  ///< a point that does not turn: no inertia, no angular velocity. Default
                       ///< false; it stays so as long as the body lives
    tn_pose pose;      ///< default the origin, unturned. The quaternion is normalised
    tn_velocity velocity;
    bool has_mass; ///< true: `mass` is used; false: mass comes from the shapes (default)
    tn_mass mass;
    float linear_damping;  ///< 1/s, >= 0: share of speed lost per second. Default 0
    float angular_damping; ///< 1/s, >= 0. Default 0
    float gravity_scale;   ///< default 1
    float
        max_linear_speed; ///< m/s, >= 0: see tn_body_set_max_speeds. 0 or INFINITY: none (default)
    float max_angular_speed; ///< rad/s, likewise
    uint32_t locks;          ///< tn_body_lock bits. Default none
    bool is_sleep_allowed;   ///< default true
    bool is_awake;           ///< default true
    bool is_enabled;         ///< default true; a disabled body takes no part in anything
    void *user_data;
} tn_body_def;

TN_API tn_body_def tn_body_def_default(void);

/// Makes a body. A dynamic body without mass and without shapes yet weighs 1 kg with the inertia of
/// a solid ball of radius 0.5 m; a particle 1 kg. A particle's `mass.inertia` is not looked at and
/// `mass.center` is 0. Errors: WORLD_LOCKED, INVALID_ARGUMENT (also a particle's angular velocity),
/// NOT_FINITE, ZERO_AXIS (quaternion), INVALID_MASS, INVALID_INERTIA, OUT_OF_MEMORY, TOO_LARGE:
/// returns null.
TN_API tn_body_id tn_body_create(tn_world *world, const tn_body_def *def);
/// Destroys the body with its shapes, contacts and joints; wakes what touched it.
TN_API void tn_body_destroy(tn_world *world, tn_body_id body);
/// True if the handle names a body of this world that still exists. Never reports.
TN_API bool tn_body_is_valid(const tn_world *world, tn_body_id body);

/// Is it a point that does not turn?
TN_API bool tn_body_is_particle(const tn_world *world, tn_body_id body);
TN_API tn_body_type tn_body_get_type(const tn_world *world, tn_body_id body);
/// Changes the type; velocities of a static body become zero. Wakes the body and what it touches.
TN_API tn_result tn_body_set_type(tn_world *world, tn_body_id body, tn_body_type type);

/// Pose of the body's frame. Setting moves the body at once, keeps its velocity, wakes it.
TN_API tn_pose tn_body_get_pose(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_pose(tn_world *world, tn_body_id body, tn_pose pose);
/// The centre of mass in the world.
TN_API tn_vec3 tn_body_get_center(const tn_world *world, tn_body_id body);
/// Where a point given in the body's frame is in the world, and back.
TN_API tn_vec3 tn_body_get_world_point(const tn_world *world, tn_body_id body, tn_vec3 local_point);
TN_API tn_vec3 tn_body_get_local_point(const tn_world *world, tn_body_id body, tn_vec3 point);
/// A direction given in body axes, in world axes, and back.
TN_API tn_vec3 tn_body_get_world_vector(const tn_world *world, tn_body_id body,
                                        tn_vec3 local_vector);
TN_API tn_vec3 tn_body_get_local_vector(const tn_world *world, tn_body_id body, tn_vec3 vector);

/// Velocities. Setting wakes the body; on a static body it is refused (WRONG_TYPE), and so is an
/// angular velocity other than 0 on a particle, and any on a reduced body (tenon/reduced.h).
TN_API tn_velocity tn_body_get_velocity(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_velocity(tn_world *world, tn_body_id body, tn_velocity velocity);
TN_API tn_vec3 tn_body_get_linear_velocity(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_linear_velocity(tn_world *world, tn_body_id body, tn_vec3 velocity);
TN_API tn_vec3 tn_body_get_angular_velocity(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_angular_velocity(tn_world *world, tn_body_id body, tn_vec3 velocity);
/// Velocity of the point of the body that is at `point` now. m/s, world axes.
TN_API tn_vec3 tn_body_get_point_velocity(const tn_world *world, tn_body_id body, tn_vec3 point);

/// Moves a kinematic body so that after `dt` seconds (the next step) it is at `pose`: sets its
/// velocity, which pushes and carries others truly. After that step it stops unless told again. A
/// particle goes there without the turn.
TN_API tn_result tn_body_set_target_pose(tn_world *world, tn_body_id body, tn_pose pose, double dt);

/// Force (N) at a world point or at the centre, torque (N·m): act during the next step.
/// Impulses (N·s, N·m·s) change the velocity at once. Wake the body. Ignored by non-dynamic bodies;
/// on a particle forces act at its centre wherever their point is, and torques do nothing.
TN_API tn_result tn_body_apply_force(tn_world *world, tn_body_id body, tn_vec3 force);
TN_API tn_result tn_body_apply_force_at(tn_world *world, tn_body_id body, tn_vec3 force,
                                        tn_vec3 point);
TN_API tn_result tn_body_apply_torque(tn_world *world, tn_body_id body, tn_vec3 torque);
TN_API tn_result tn_body_apply_impulse(tn_world *world, tn_body_id body, tn_vec3 impulse);
TN_API tn_result tn_body_apply_impulse_at(tn_world *world, tn_body_id body, tn_vec3 impulse,
                                          tn_vec3 point);
TN_API tn_result tn_body_apply_angular_impulse(tn_world *world, tn_body_id body, tn_vec3 impulse);

/// Mass. Setting takes the mass out of the shapes' hands; `tn_body_set_mass_from_shapes` gives it
/// back. Errors: INVALID_MASS, INVALID_INERTIA (call ignored).
TN_API tn_mass tn_body_get_mass(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_mass(tn_world *world, tn_body_id body, tn_mass mass);
TN_API tn_result tn_body_set_mass_from_shapes(tn_world *world, tn_body_id body);

TN_API tn_result tn_body_set_damping(tn_world *world, tn_body_id body, float linear, float angular);
TN_API float tn_body_get_linear_damping(const tn_world *world, tn_body_id body);
TN_API float tn_body_get_angular_damping(const tn_world *world, tn_body_id body);
/// The speeds that a dynamic body leaves a step with at most: what is faster is slowed down, and in
/// a ledger of energy counts as damped. m/s, rad/s, >= 0; 0 or INFINITY: any. Within a step it may
/// be faster, and joints of a body that is slowed down are closed again in the next one. Bodies
/// given by coordinates are not slowed down. Errors: INVALID_ID, NOT_FINITE (NaN),
/// INVALID_ARGUMENT.
TN_API tn_result tn_body_set_max_speeds(tn_world *world, tn_body_id body, float linear,
                                        float angular);
TN_API float tn_body_get_max_linear_speed(const tn_world *world, tn_body_id body);
TN_API float tn_body_get_max_angular_speed(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_gravity_scale(tn_world *world, tn_body_id body, float scale);
TN_API float tn_body_get_gravity_scale(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_locks(tn_world *world, tn_body_id body, uint32_t locks);
TN_API uint32_t tn_body_get_locks(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_user_data(tn_world *world, tn_body_id body, void *user_data);
TN_API void *tn_body_get_user_data(const tn_world *world, tn_body_id body);

/// A disabled body keeps its pose and joints but is neither moved nor touched.
TN_API tn_result tn_body_set_enabled(tn_world *world, tn_body_id body, bool is_enabled);
TN_API bool tn_body_is_enabled(const tn_world *world, tn_body_id body);
/// Waking wakes all that the body is tied to or rests on; putting to sleep does the same in
/// reverse. A setter wakes what it is said to wake only when it changes something: here and in
/// every other header a value that is set to what it is wakes nobody, and no more does a force or
/// an impulse of 0.
TN_API tn_result tn_body_set_awake(tn_world *world, tn_body_id body, bool is_awake);
TN_API bool tn_body_is_awake(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_sleep_allowed(tn_world *world, tn_body_id body, bool is_allowed);
TN_API bool tn_body_is_sleep_allowed(const tn_world *world, tn_body_id body);

/// Kinetic energy (J), linear (kg·m/s) and angular momentum about the centre of mass (kg·m²/s).
TN_API double tn_body_get_kinetic_energy(const tn_world *world, tn_body_id body);
TN_API tn_vec3 tn_body_get_linear_momentum(const tn_world *world, tn_body_id body);
TN_API tn_vec3 tn_body_get_angular_momentum(const tn_world *world, tn_body_id body);

/// What is attached: fills at most `capacity`, returns the count.
TN_API uint32_t tn_body_get_shapes(const tn_world *world, tn_body_id body, tn_shape_id *out_shapes,
                                   uint32_t capacity);
TN_API uint32_t tn_body_get_joints(const tn_world *world, tn_body_id body, tn_joint_id *out_joints,
                                   uint32_t capacity);
TN_API uint32_t tn_body_get_contacts(const tn_world *world, tn_body_id body,
                                     tn_contact_id *out_contacts, uint32_t capacity);
/// The box around all its shapes. Of a body without shapes: its centre.
TN_API tn_bounds tn_body_get_bounds(const tn_world *world, tn_body_id body);

TN_EXTERN_C_END

#endif
