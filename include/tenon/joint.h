/// tenon/joint.h: defines what all joints have in common: frames, breaking, reaction, error.
///
/// A joint ties a frame on body a to a frame on body b. A null body is the world, and its frame is
/// then in world coordinates. The axis of a joint is the x axis of its frames: a hinge turns about
/// x, a slider slides along x, a ball joint's cone opens around x and its twist is about x. Values
/// (angle, translation, length) are of b relative to a, and are zero where the frames agree.
/// Limits, motors, springs and friction share the structs below in every joint that has them. A
/// setter that changes a joint wakes both bodies. Errors of setters: INVALID_ID, WRONG_TYPE,
/// NOT_FINITE, INVALID_ARGUMENT (call ignored).
#ifndef TENON_JOINT_H
#define TENON_JOINT_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

typedef enum tn_joint_type {
    TN_JOINT_TYPE_DISTANCE = 0, ///< rod, rope or spring between two points
    TN_JOINT_TYPE_BALL,         ///< a common point
    TN_JOINT_TYPE_HINGE,        ///< a common point and axis
    TN_JOINT_TYPE_SLIDER,       ///< one translation
    TN_JOINT_TYPE_FIXED,        ///< nothing moves
    TN_JOINT_TYPE_UNIVERSAL,    ///< a common point and two turns: a Cardan joint
    TN_JOINT_TYPE_CYLINDRICAL,  ///< a translation and a turn along one axis
    TN_JOINT_TYPE_PLANAR,       ///< two translations in a plane and a turn about its normal
    TN_JOINT_TYPE_SWING_TWIST,  ///< a common point, with separate limits on swing and twist
    TN_JOINT_TYPE_SIX_AXIS,     ///< each of six axes free, locked or limited
    TN_JOINT_TYPE_WHEEL,        ///< suspension, steering and spin
    TN_JOINT_TYPE_GEAR,         ///< the turns of two wheels in a ratio
    TN_JOINT_TYPE_RACK_PINION,  ///< the turn of a wheel and a translation in a ratio
    TN_JOINT_TYPE_SCREW,        ///< a translation in proportion to the turn about its axis
    TN_JOINT_TYPE_PULLEY,       ///< two points on one rope over two fixed points
    TN_JOINT_TYPE_MOUSE,        ///< a soft pull of a point
    TN_JOINT_TYPE_CUSTOM,       ///< rows of the user's own
    TN_JOINT_TYPE_CAM,          ///< a follower on the profile of a disk cam
    TN_JOINT_TYPE_RATCHET,      ///< a turn in one direction, tooth by tooth
    TN_JOINT_TYPE_ESCAPEMENT,   ///< an escape wheel and the anchor that releases it
    TN_JOINT_TYPE_CURVE,        ///< a point on a curve
    TN_JOINT_TYPE_SURFACE,      ///< a point on a surface
    TN_JOINT_TYPE_MOTION_PATH,  ///< a point or a frame led along a path in time
    TN_JOINT_TYPE_FUNCTION,     ///< rows over up to sixteen bodies, composed of functions
    TN_JOINT_TYPE_ROPE,         ///< a rope over sheaves on up to sixteen points of bodies
    TN_JOINT_TYPE_BELT,         ///< a belt or a chain about two pulleys
} tn_joint_type;

/// Keeps the joint's value in a range, rad or m. A limit with a stiffness is soft: beyond its ends
/// a spring pushes the value back and never pulls. A rigid limit may bounce: a value that arrives
/// faster than the world's restitution threshold leaves at `restitution` times its speed. No motor
/// or spring of the same value moves a rigid end. They drive an angle to its target through the
/// range that the limit leaves open.
typedef struct tn_limit {
    bool is_enabled;
    float lower, upper; ///< lower <= upper, finite
    float stiffness;    ///< N·m/rad or N/m, >= 0. 0 (default): rigid
    float damping;      ///< N·m·s/rad or N·s/m, >= 0: beyond the ends of a soft limit. Default 0
    float restitution;  ///< 0 to 1: for a rigid limit. Default 0
} tn_limit;

/// Returns a limit that is off: all zero.
TN_API tn_limit tn_limit_default(void);

typedef enum tn_motor_mode {
    TN_MOTOR_MODE_OFF = 0,
    TN_MOTOR_MODE_SPEED,    ///< holds target_speed with a force of at most max_force
    TN_MOTOR_MODE_POSITION, ///< force = stiffness * (target_position - x) + damping * (target_speed
                            ///< - v)
} tn_motor_mode;

/// Chooses what a POSITION motor's stiffness and damping give.
typedef enum tn_drive_mode {
    TN_DRIVE_MODE_FORCE = 0,    ///< a force or torque
    TN_DRIVE_MODE_ACCELERATION, ///< an acceleration: the force is that times the mass that the
                                ///< joint moves
} tn_drive_mode;

/// A motor along or about the joint's axis. It is solved implicitly, and is stable at any stiffness
/// and step. A motor without a cap moves its bodies whatever blocks them, except limits of
/// joints: it drives them through walls, since contacts give way to a force, and reports no effort
/// for that. With a cap F a body of mass m sinks in by at most F / (5 m f^2) at f substeps per
/// second, and hardly at all under DIRECT; so does a loose body that the motor presses. Give a cap
/// to a motor that may meet an obstacle.
typedef struct tn_motor {
    tn_motor_mode mode;
    float target_speed;    ///< rad/s or m/s
    float target_position; ///< rad or m
    float stiffness;       ///< N·m/rad or N/m, in ACCELERATION 1/s^2; >= 0. POSITION
    float damping;         ///< N·m·s/rad or N·s/m, in ACCELERATION 1/s; >= 0. POSITION
    float max_force;       ///< N·m or N, >= 0. 0 or INFINITY (default): no cap
    tn_drive_mode drive;   ///< default FORCE. POSITION
} tn_motor;
/// Returns a motor that is off, without a cap. A motor that is all zero is the same.
TN_API tn_motor tn_motor_default(void);

typedef enum tn_spring_mode {
    TN_SPRING_MODE_OFF = 0,
    TN_SPRING_MODE_FREQUENCY, ///< hertz and damping_ratio, for the masses that the joint has
    TN_SPRING_MODE_STIFFNESS, ///< stiffness and damping
} tn_spring_mode;

/// Pulls the joint's value to `rest`.
typedef struct tn_spring {
    tn_spring_mode mode;
    float hertz;         ///< Hz, >= 0. FREQUENCY
    float damping_ratio; ///< >= 0. FREQUENCY
    float stiffness;     ///< N·m/rad or N/m, >= 0. STIFFNESS
    float damping;       ///< N·m·s/rad or N·s/m, >= 0. STIFFNESS
    float rest;          ///< rad or m
} tn_spring;
/// Returns a spring that is off: all zero.
TN_API tn_spring tn_spring_default(void);

/// Holds everything that acts on one value of a joint that leaves several free. Units are those of
/// the value, m or rad. Nothing acts if it is all zero.
typedef struct tn_axis {
    tn_limit limit;
    tn_motor motor;
    tn_spring spring;
    float friction;         ///< N or N·m, >= 0. Default 0
    float viscous_friction; ///< N·s/m or N·m·s/rad, >= 0. Default 0
} tn_axis;
/// Returns an axis on which nothing acts.
TN_API tn_axis tn_axis_default(void);

/// The part that the definitions of all joints have in common.
typedef struct tn_joint_def {
    tn_body_id body_a, body_b; ///< null: the world. At least one is dynamic
    tn_pose frame_a, frame_b;  ///< in the body's frame, or in the world if the body is null
    bool is_collision_allowed; ///< may the two bodies touch? Default false
    bool has_limit_events;     ///< reports when a limit is reached or left. Default false
    float break_force;     ///< N: a larger force on body b breaks the joint. Here and below, 0 or
                           ///< INFINITY (default) means that none does
    float break_torque;    ///< N·m: the same for the torque about the origin of frame b
    tn_vec3 break_linear;  ///< N: the same along each axis of frame a
    tn_vec3 break_angular; ///< N·m: the same about each axis of frame a
    float break_time; ///< s, >= 0: time over which the load is averaged. 0 (default): each substep
    float hertz;      ///< Hz: the joint holds as springs of this frequency do. 0 (default): rigid
    float damping_ratio; ///< of those springs. Default 1
    tn_solver solver;    ///< for its rigid rows. Default AUTO: the world's
    void *user_data;
} tn_joint_def;

/// Returns the common defaults: both bodies null, frames at the origin, unbreakable.
TN_API tn_joint_def tn_joint_def_default(void);
/// Sets the bodies and both frames so that the frames agree now, at the world point `anchor`, with
/// x along the world direction `axis` (of any length). Errors: INVALID_ID, NOT_FINITE, ZERO_AXIS,
/// INVALID_ARGUMENT: returns false and leaves `def` unchanged.
TN_API bool tn_joint_def_set_frames(const tn_world *world, tn_joint_def *def, tn_body_id body_a,
                                    tn_body_id body_b, tn_vec3 anchor, tn_vec3 axis);

/// Does the same, with y along the part of `second` that is perpendicular to `axis`. This decides
/// how the frames are turned about their x axis; for a wheel, give up and forward. Errors: also
/// ZERO_AXIS for a `second` that is zero or parallel to `axis`.
TN_API bool tn_joint_def_set_frames_by_axes(const tn_world *world, tn_joint_def *def,
                                            tn_body_id body_a, tn_body_id body_b, tn_vec3 anchor,
                                            tn_vec3 axis, tn_vec3 second);

/// Destroys the joint and wakes both bodies. May be called at any time between steps.
TN_API void tn_joint_destroy(tn_world *world, tn_joint_id joint);
TN_API bool tn_joint_is_valid(const tn_world *world, tn_joint_id joint);
/// Switches a joint off or on, and wakes both bodies. A joint that is off does nothing and keeps
/// its definition, and its bodies may touch as if it were not there. A joint that is switched on
/// again starts as a new one does: a gear meshes and turns are counted as the bodies stand then.
/// Default: on.
TN_API tn_result tn_joint_set_enabled(tn_world *world, tn_joint_id joint, bool is_enabled);
TN_API bool tn_joint_is_enabled(const tn_world *world, tn_joint_id joint);
TN_API tn_joint_type tn_joint_get_type(const tn_world *world, tn_joint_id joint);
/// Returns the common part of the definition as it is now.
TN_API tn_joint_def tn_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Move a frame and wake both bodies. Errors: INVALID_ID, NOT_FINITE, ZERO_AXIS, INVALID_ARGUMENT
/// (call ignored).
TN_API tn_result tn_joint_set_frame_a(tn_world *world, tn_joint_id joint, tn_pose frame);
TN_API tn_result tn_joint_set_frame_b(tn_world *world, tn_joint_id joint, tn_pose frame);
/// Set the loads that break the joint, N and N·m, >= 0; 0 or INFINITY means that none does. They
/// wake its bodies. Errors: INVALID_ID, NOT_FINITE (NaN), INVALID_ARGUMENT (call ignored).
TN_API tn_result tn_joint_set_break_force(tn_world *world, tn_joint_id joint, float force,
                                          float torque);
/// Does the same for the force along and the torque about each axis of frame a.
TN_API tn_result tn_joint_set_break_axes(tn_world *world, tn_joint_id joint, tn_vec3 linear,
                                         tn_vec3 angular);
/// Sets the time, s, over which an exponential mean of the load is taken, >= 0, finite. Wakes both
/// bodies. Errors: INVALID_ID, NOT_FINITE, INVALID_ARGUMENT (call ignored).
TN_API tn_result tn_joint_set_break_time(tn_world *world, tn_joint_id joint, float time);
/// Chooses the solver of the joint's rigid rows. Wakes both bodies. Errors: INVALID_ID,
/// INVALID_ARGUMENT.
TN_API tn_result tn_joint_set_solver(tn_world *world, tn_joint_id joint, tn_solver solver);
TN_API tn_result tn_joint_set_collision_allowed(tn_world *world, tn_joint_id joint,
                                                bool is_allowed);
TN_API tn_result tn_joint_set_limit_events(tn_world *world, tn_joint_id joint, bool has_events);
/// Makes the joint hold as springs of this frequency do, alike at every step rate; 0 Hz makes it
/// rigid.
TN_API tn_result tn_joint_set_stiffness(tn_world *world, tn_joint_id joint, float hertz,
                                        float damping_ratio);
TN_API tn_result tn_joint_set_user_data(tn_world *world, tn_joint_id joint, void *user_data);
TN_API void *tn_joint_get_user_data(const tn_world *world, tn_joint_id joint);

/// The mean force and torque that the joint exerted on body b in the last step, N and N·m, at the
/// origin of frame b, in world axes. Body a felt the opposite. Limits, motor, spring and friction
/// are included.
typedef struct tn_reaction {
    tn_vec3 force, torque;
} tn_reaction;
TN_API tn_reaction tn_joint_get_reaction(const tn_world *world, tn_joint_id joint);

/// Says which ends of its limits a joint is at, by a bit for each limit that is on, in the order of
/// the definition. A hinge or slider has bit 0; a cylindrical joint has slide, then turn; a joint
/// with a cone has the cone, then the twist; a wheel has steering, then suspension; a six-axis
/// joint has its axes, then its round limits. A cone and a round limit have an upper end alone. A
/// value is at an end if it is past it, or within 1 mm or 1 mrad of it.
typedef struct tn_joint_limits {
    uint32_t lower, upper;
} tn_joint_limits;
/// Returns the ends that the joint is at now. Errors: INVALID_ID (returns none).
TN_API tn_joint_limits tn_joint_get_limits(const tn_world *world, tn_joint_id joint);

/// How far the joint is now from satisfying its rows, per axis of frame a, m and rad. A free axis
/// has 0; a limited axis counts the distance past its limit, unless the limit is soft.
typedef struct tn_joint_error {
    tn_vec3 linear, angular;
    double linear_length, angular_length; ///< the lengths of the two vectors
} tn_joint_error;
TN_API tn_joint_error tn_joint_get_error(const tn_world *world, tn_joint_id joint);

/// Says how a joint's rows agreed with those of other joints of its mechanism in the last step: see
/// the manual, "Redundant rows". It is all zero for joints that Gauss-Seidel solves alone.
typedef struct tn_joint_redundancy {
    uint32_t dependent_rows; ///< count of its rows that follow from those of other joints
    bool fights; ///< it cannot be closed together with others: DIRECT found this, or the joint made
                 ///< energy while it was far open, or it stands open and carries far more than
                 ///< there is to carry
    double linear, angular; ///< m and rad by which this leaves it open
} tn_joint_redundancy;
TN_API tn_joint_redundancy tn_joint_get_redundancy(const tn_world *world, tn_joint_id joint);

/// Return the force or torque of the joint's motor in the last step (N or N·m, along or about the
/// axis; for a ball or swing-twist joint the length of the torque), and the work of all its motors
/// since it was made (J). If several values have motors, the effort is that of the first, and the
/// joint's own header has a getter for each; for six-axis, wheel and custom joints it is the sum.
TN_API float tn_joint_get_motor_effort(const tn_world *world, tn_joint_id joint);
TN_API double tn_joint_get_motor_work(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
