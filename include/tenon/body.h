/// tenon/body.h: rigid bodies.
///
/// A body's frame is where its definition put it; its centre of mass may lie elsewhere in it. Poses
/// are those of the frame, and velocities those of the centre of mass, unless a name says
/// otherwise.
///
/// A particle is a body that is a point: it has a mass, a place and a velocity, and does not turn.
/// Beads of a rope and knots of a net are particles. A particle may be of any type, and its shapes
/// are spheres around its centre. Joints act at its centre; joints that turn a body refuse it.
#ifndef TENON_BODY_H
#define TENON_BODY_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

typedef enum tn_body_type {
    TN_BODY_TYPE_STATIC = 0, ///< never moves
    TN_BODY_TYPE_KINEMATIC,  ///< moves as it is told, pushes others, is pushed by none
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

/// The axes of the world that a body may not move along or turn about. The bits can be combined.
typedef enum tn_body_lock {
    TN_BODY_LOCK_NONE = 0,
    TN_BODY_LOCK_LINEAR_X = 1,
    TN_BODY_LOCK_LINEAR_Y = 2,
    TN_BODY_LOCK_LINEAR_Z = 4,
    TN_BODY_LOCK_ANGULAR_X = 8,
    TN_BODY_LOCK_ANGULAR_Y = 16,
    TN_BODY_LOCK_ANGULAR_Z = 32,
} tn_body_lock;

/// Defines a body. Start from tn_body_def_default().
typedef struct tn_body_def {
    tn_body_type type; ///< default DYNAMIC
    bool is_particle; ///< a point that does not turn: no inertia, no angular velocity. Stays so for
                      ///< the body's life. Default false
    tn_pose pose;     ///< default the origin, without rotation. The quaternion is normalised
    tn_velocity velocity;
    bool has_mass; ///< true: `mass` is used; false (default): the mass comes from the shapes
    tn_mass mass;
    float linear_damping;  ///< 1/s, >= 0: rate at which the speed decays. Default 0
    float angular_damping; ///< 1/s, >= 0. Default 0
    float gravity_scale;   ///< default 1
    float
        max_linear_speed; ///< m/s, >= 0: see tn_body_set_max_speeds. 0 or INFINITY: none (default)
    float max_angular_speed; ///< rad/s, likewise
    uint32_t locks;          ///< tn_body_lock bits. Default none
    bool is_sleep_allowed;   ///< default true
    bool is_awake;           ///< default true
    bool is_enabled;         ///< default true; see tn_body_set_enabled
    void *user_data;
} tn_body_def;

TN_API tn_body_def tn_body_def_default(void);

/// Makes a body. A dynamic body without a mass and without shapes weighs 1 kg and has the inertia
/// of a solid ball of radius 0.5 m; a particle weighs 1 kg. A particle's `mass.inertia` is
/// ignored, and its `mass.center` must be 0. Errors: WORLD_LOCKED, INVALID_ARGUMENT (also for a
/// particle's angular velocity), NOT_FINITE, ZERO_AXIS (quaternion), INVALID_MASS, INVALID_INERTIA,
/// OUT_OF_MEMORY, TOO_LARGE: returns null.
TN_API tn_body_id tn_body_create(tn_world *world, const tn_body_def *def);
/// Destroys the body with its shapes, contacts, joints and forces, and wakes what touched it.
TN_API void tn_body_destroy(tn_world *world, tn_body_id body);
/// Returns true if the handle names a body of this world that still exists. Never reports.
TN_API bool tn_body_is_valid(const tn_world *world, tn_body_id body);

/// Returns whether the body is a point that does not turn.
TN_API bool tn_body_is_particle(const tn_world *world, tn_body_id body);
TN_API tn_body_type tn_body_get_type(const tn_world *world, tn_body_id body);
/// Changes the type; a static body has no velocity. Wakes the body and what it touches. Errors:
/// INVALID_MASS for a dynamic body whose mesh, not closed, would give it no mass.
TN_API tn_result tn_body_set_type(tn_world *world, tn_body_id body, tn_body_type type);

/// Return and set the pose of the body's frame. Setting moves the body at once, keeps its velocity
/// and wakes it.
TN_API tn_pose tn_body_get_pose(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_pose(tn_world *world, tn_body_id body, tn_pose pose);
/// Returns the centre of mass in the world, m.
TN_API tn_vec3 tn_body_get_center(const tn_world *world, tn_body_id body);
/// Return where a point of the body's frame is in the world, and the reverse, m.
TN_API tn_vec3 tn_body_get_world_point(const tn_world *world, tn_body_id body, tn_vec3 local_point);
TN_API tn_vec3 tn_body_get_local_point(const tn_world *world, tn_body_id body, tn_vec3 point);
/// Return a direction of body axes in world axes, and the reverse.
TN_API tn_vec3 tn_body_get_world_vector(const tn_world *world, tn_body_id body,
                                        tn_vec3 local_vector);
TN_API tn_vec3 tn_body_get_local_vector(const tn_world *world, tn_body_id body, tn_vec3 vector);

/// Return and set velocities, m/s and rad/s in world axes. Setting wakes the body. WRONG_TYPE
/// refuses it for a static body, for a reduced body (tenon/reduced.h), and for a particle that is
/// to turn.
TN_API tn_velocity tn_body_get_velocity(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_velocity(tn_world *world, tn_body_id body, tn_velocity velocity);
TN_API tn_vec3 tn_body_get_linear_velocity(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_linear_velocity(tn_world *world, tn_body_id body, tn_vec3 velocity);
TN_API tn_vec3 tn_body_get_angular_velocity(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_angular_velocity(tn_world *world, tn_body_id body, tn_vec3 velocity);
/// Returns the velocity of the point of the body that is at `point` now, m/s in world axes.
TN_API tn_vec3 tn_body_get_point_velocity(const tn_world *world, tn_body_id body, tn_vec3 point);

/// Gives a kinematic body the velocity that takes it to `pose` in `dt` seconds (the next step), so
/// that it pushes and carries others. After that step it stops unless it is told again. A particle
/// does not turn. Errors: WRONG_TYPE, INVALID_TIME_STEP, NOT_FINITE, ZERO_AXIS.
TN_API tn_result tn_body_set_target_pose(tn_world *world, tn_body_id body, tn_pose pose, double dt);

/// Apply a force (N), at the centre or at a world point, or a torque (N·m) during the next step, or
/// an impulse (N·s, N·m·s) at once. They wake the body. Bodies that are not dynamic or are disabled
/// ignore them. On a particle forces act at its centre wherever their point is, and torques do
/// nothing.
TN_API tn_result tn_body_apply_force(tn_world *world, tn_body_id body, tn_vec3 force);
TN_API tn_result tn_body_apply_force_at(tn_world *world, tn_body_id body, tn_vec3 force,
                                        tn_vec3 point);
TN_API tn_result tn_body_apply_torque(tn_world *world, tn_body_id body, tn_vec3 torque);
TN_API tn_result tn_body_apply_impulse(tn_world *world, tn_body_id body, tn_vec3 impulse);
TN_API tn_result tn_body_apply_impulse_at(tn_world *world, tn_body_id body, tn_vec3 impulse,
                                          tn_vec3 point);
TN_API tn_result tn_body_apply_angular_impulse(tn_world *world, tn_body_id body, tn_vec3 impulse);

/// Return and set the mass. A mass that is set no longer follows the shapes, until
/// tn_body_set_mass_from_shapes is called. Errors: INVALID_MASS, INVALID_INERTIA, NOT_FINITE (call
/// ignored).
TN_API tn_mass tn_body_get_mass(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_mass(tn_world *world, tn_body_id body, tn_mass mass);
TN_API tn_result tn_body_set_mass_from_shapes(tn_world *world, tn_body_id body);

/// Set and return members of tn_body_def, with the units and ranges given there.
TN_API tn_result tn_body_set_damping(tn_world *world, tn_body_id body, float linear, float angular);
TN_API float tn_body_get_linear_damping(const tn_world *world, tn_body_id body);
TN_API float tn_body_get_angular_damping(const tn_world *world, tn_body_id body);
/// Sets the highest speeds with which a dynamic body leaves a step, m/s and rad/s, >= 0; 0 or
/// INFINITY means no bound. A faster body is slowed down at the end of the step, and the ledger
/// counts the energy as damped. Within a step it may be faster, and its joints close again in the
/// next one. Reduced bodies are not slowed down. Errors: INVALID_ID, NOT_FINITE (NaN),
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

/// Enables or disables the body. A disabled one keeps its pose and joints, but takes no part.
TN_API tn_result tn_body_set_enabled(tn_world *world, tn_body_id body, bool is_enabled);
TN_API bool tn_body_is_enabled(const tn_world *world, tn_body_id body);
/// Wakes the body with all that it is tied to or rests on, or puts them to sleep. In every header,
/// a setter that is said to wake a body wakes it only when it changes something: setting the value
/// that is there already wakes nothing, and neither does a force or an impulse of 0.
TN_API tn_result tn_body_set_awake(tn_world *world, tn_body_id body, bool is_awake);
TN_API bool tn_body_is_awake(const tn_world *world, tn_body_id body);
TN_API tn_result tn_body_set_sleep_allowed(tn_world *world, tn_body_id body, bool is_allowed);
TN_API bool tn_body_is_sleep_allowed(const tn_world *world, tn_body_id body);

/// Return the kinetic energy (J), the linear momentum (kg·m/s) and the angular momentum about the
/// centre of mass (kg·m²/s).
TN_API double tn_body_get_kinetic_energy(const tn_world *world, tn_body_id body);
TN_API tn_vec3 tn_body_get_linear_momentum(const tn_world *world, tn_body_id body);
TN_API tn_vec3 tn_body_get_angular_momentum(const tn_world *world, tn_body_id body);

/// Fill in at most `capacity` handles of what the body has, and return how many there are.
TN_API uint32_t tn_body_get_shapes(const tn_world *world, tn_body_id body, tn_shape_id *out_shapes,
                                   uint32_t capacity);
TN_API uint32_t tn_body_get_joints(const tn_world *world, tn_body_id body, tn_joint_id *out_joints,
                                   uint32_t capacity);
TN_API uint32_t tn_body_get_contacts(const tn_world *world, tn_body_id body,
                                     tn_contact_id *out_contacts, uint32_t capacity);
/// Returns the box around all its shapes, or around its centre if it has none.
TN_API tn_bounds tn_body_get_bounds(const tn_world *world, tn_body_id body);

TN_EXTERN_C_END

#endif
