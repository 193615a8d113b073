/// tenon/joint.h: what all joints have in common: frames, breaking, reaction, error.
///
/// A joint ties a frame on body a to a frame on body b. A null body is the world, and its frame is
/// then in world coordinates. The axis of a joint is the x axis of its frames: a hinge turns about
/// x, a slider slides along x, a ball joint's cone opens around x and its twist is about x. Values
/// (angle, translation, length) are of b relative to a and zero where the frames agree. Limits,
/// motors, springs and friction share the structs below in every joint that has them.
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
    TN_JOINT_TYPE_PLANAR,       ///< two translations in a plane and a turn about what stands on it
    TN_JOINT_TYPE_SWING_TWIST,  ///< a common point, swing and twist bounded apart
    TN_JOINT_TYPE_SIX_AXIS,     ///< each of six axes free, locked or limited
    TN_JOINT_TYPE_WHEEL,        ///< suspension, steering and spin
    TN_JOINT_TYPE_GEAR,         ///< turns of two wheels in a ratio
    TN_JOINT_TYPE_RACK_PINION,  ///< a wheel's turn and a translation in a ratio
    TN_JOINT_TYPE_SCREW,        ///< one translation with the turn about it
    TN_JOINT_TYPE_PULLEY,       ///< two points on one rope over two fixed points
    TN_JOINT_TYPE_MOUSE,        ///< a soft pull of a point
    TN_JOINT_TYPE_CUSTOM,       ///< rows of the user's own
    TN_JOINT_TYPE_CAM,          ///< a follower on the profile of a disk cam
    TN_JOINT_TYPE_RATCHET,      ///< a turn that goes one way, tooth by tooth
    TN_JOINT_TYPE_ESCAPEMENT,   ///< an escape wheel and the anchor that lets it go
    TN_JOINT_TYPE_CURVE,        ///< a point on a curve
    TN_JOINT_TYPE_SURFACE,      ///< a point on a surface
    TN_JOINT_TYPE_MOTION_PATH,  ///< a point or a frame led along a path in time
    TN_JOINT_TYPE_FUNCTION,     ///< rows over up to sixteen bodies, composed of functions
    TN_JOINT_TYPE_ROPE,         ///< a rope over sheaves on up to sixteen points of bodies
    TN_JOINT_TYPE_BELT,         ///< a belt or a chain about two pulleys
} tn_joint_type;

/// A range that the joint's value stays in. rad or m. With a stiffness it is soft: beyond its ends
/// a spring pushes the value back and never pulls. A rigid one may bounce: what arrives faster than
/// the world's restitution threshold leaves at `restitution` times its speed. No motor or spring of
/// the same value moves a rigid end. Their target angles are reached by the way that it leaves
/// open.
typedef struct tn_limit {
    bool is_enabled;
    float lower, upper; ///< lower <= upper, finite
    float stiffness;    ///< N·m/rad or N/m, >= 0. 0 (default): rigid
    float damping;     ///< N·m·s/rad or N·s/m, >= 0, beyond the ends. Of a soft limit. Default 0
    float restitution; ///< 0 to 1. Of a rigid limit. Default 0
} tn_limit;

/// Off: all zero.
TN_API tn_limit tn_limit_default(void);

typedef enum tn_motor_mode {
    TN_MOTOR_MODE_OFF = 0,
    TN_MOTOR_MODE_SPEED,    ///< holds target_speed as long as max_force allows
    TN_MOTOR_MODE_POSITION, ///< force = stiffness * (target_position - x) + damping * (target_speed
                            ///< - v)
} tn_motor_mode;

/// What a POSITION motor's stiffness and damping are of.
typedef enum tn_drive_mode {
    TN_DRIVE_MODE_FORCE = 0,    ///< of a force or torque
    TN_DRIVE_MODE_ACCELERATION, ///< of an acceleration: times the mass that the joint moves
} tn_drive_mode;

/// A motor along or about the joint's axis. Solved implicitly: stable at any stiffness and step.
/// Without a cap it moves its bodies whatever stands in the way, but for limits of joints: it
/// drives them through walls and reports no effort for that, since contacts give way to a force.
/// With a cap F a body of mass m sinks in by at most F / (5 m f^2), f the substeps per second, and
/// under DIRECT by next to nothing; so does a loose body that it presses. Give a cap to what may
/// meet an obstacle.
typedef struct tn_motor {
    tn_motor_mode mode;
    float target_speed;    ///< rad/s or m/s
    float target_position; ///< rad or m
    float stiffness;       ///< N·m/rad or N/m; of an acceleration 1/s^2. >= 0. POSITION
    float damping;         ///< N·m·s/rad or N·s/m; of an acceleration 1/s. >= 0. POSITION
    float max_force;       ///< N·m or N, >= 0. 0 or INFINITY (default): no cap
    tn_drive_mode drive;   ///< default FORCE. POSITION
} tn_motor;
/// Off, without a cap. One that is all zero does the same.
TN_API tn_motor tn_motor_default(void);

typedef enum tn_spring_mode {
    TN_SPRING_MODE_OFF = 0,
    TN_SPRING_MODE_FREQUENCY, ///< hertz and damping_ratio, for the masses the joint has
    TN_SPRING_MODE_STIFFNESS, ///< stiffness and damping
} tn_spring_mode;

/// A spring that pulls the joint's value to `rest`.
typedef struct tn_spring {
    tn_spring_mode mode;
    float hertz;         ///< Hz, >= 0. FREQUENCY
    float damping_ratio; ///< >= 0. FREQUENCY
    float stiffness;     ///< N·m/rad or N/m, >= 0. STIFFNESS
    float damping;       ///< N·m·s/rad or N·s/m, >= 0. STIFFNESS
    float rest;          ///< rad or m
} tn_spring;
/// Off: all zero.
TN_API tn_spring tn_spring_default(void);

/// All that acts on one value of a joint that leaves several free. Units: those of the value, m or
/// rad. All zero: nothing acts.
typedef struct tn_axis {
    tn_limit limit;
    tn_motor motor;
    tn_spring spring;
    float friction;         ///< N or N·m, >= 0. Default 0
    float viscous_friction; ///< N·s/m or N·m·s/rad, >= 0. Default 0
} tn_axis;
/// Nothing acts. One that is all zero does the same.
TN_API tn_axis tn_axis_default(void);

/// The common part of every joint's definition.
typedef struct tn_joint_def {
    tn_body_id body_a, body_b; ///< null: the world. At least one must be dynamic
    tn_pose frame_a, frame_b;  ///< in the body's frame; of the world: in world coordinates
    bool is_collision_allowed; ///< may the two bodies touch? Default false
    bool has_limit_events;     ///< tell when a limit is reached or left. Default false
    float break_force;         ///< N: a larger force on body b breaks the joint. 0 or INFINITY
                               ///< (default), here and below: none does
    float break_torque;        ///< N·m, at the origin of frame b
    tn_vec3 break_linear;      ///< N, the same along each axis of frame a
    tn_vec3 break_angular;     ///< N·m, about each of them
    float break_time;    ///< s, >= 0: over which the load is averaged. Default 0: each substep's
    float hertz;         ///< Hz: the joint holds as springs of this frequency. 0 (default): rigid
    float damping_ratio; ///< of the same. Default 1
    tn_solver solver;    ///< of its rigid rows. Default AUTO: as the world says
    void *user_data;
} tn_joint_def;

/// Common defaults: both bodies null, frames at the origin, unbreakable.
TN_API tn_joint_def tn_joint_def_default(void);
/// Sets bodies and both frames so that they agree now, at a world point, with x along the world
/// direction `axis` (any length). Errors: INVALID_ID, NOT_FINITE, ZERO_AXIS: returns false, `def`
/// unchanged.
TN_API bool tn_joint_def_set_frames(const tn_world *world, tn_joint_def *def, tn_body_id body_a,
                                    tn_body_id body_b, tn_vec3 anchor, tn_vec3 axis);

/// The same with y along the part of `second` that is across `axis`: it says how the frames are
/// turned about their x axis. Of a wheel: up and forward. Errors: also ZERO_AXIS where both axes
/// are along one line.
TN_API bool tn_joint_def_set_frames_by_axes(const tn_world *world, tn_joint_def *def,
                                            tn_body_id body_a, tn_body_id body_b, tn_vec3 anchor,
                                            tn_vec3 axis, tn_vec3 second);

/// Takes the joint out; wakes both bodies. May be called at any time between steps.
TN_API void tn_joint_destroy(tn_world *world, tn_joint_id joint);
TN_API bool tn_joint_is_valid(const tn_world *world, tn_joint_id joint);
/// Switches a joint off and on: a disabled one does nothing and keeps its definition. Its bodies
/// may touch as if it were not there. Enabled again it starts as a new one does: a gear meshes and
/// turns are counted as the bodies stand then. Wakes both bodies. Default: enabled.
TN_API tn_result tn_joint_set_enabled(tn_world *world, tn_joint_id joint, bool is_enabled);
TN_API bool tn_joint_is_enabled(const tn_world *world, tn_joint_id joint);
TN_API tn_joint_type tn_joint_get_type(const tn_world *world, tn_joint_id joint);
/// The common part as it is now.
TN_API tn_joint_def tn_joint_get_def(const tn_world *world, tn_joint_id joint);
/// Moves a frame. Errors: NOT_FINITE, ZERO_AXIS. Wakes both bodies.
TN_API tn_result tn_joint_set_frame_a(tn_world *world, tn_joint_id joint, tn_pose frame);
TN_API tn_result tn_joint_set_frame_b(tn_world *world, tn_joint_id joint, tn_pose frame);
/// Set the load at which the joint breaks: N, N·m, >= 0; 0 or INFINITY: it never does. Both wake
/// its bodies. Errors: INVALID_ID, NOT_FINITE (NaN), INVALID_ARGUMENT (call ignored).
TN_API tn_result tn_joint_set_break_force(tn_world *world, tn_joint_id joint, float force,
                                          float torque);
/// The same along and about each axis of frame a.
TN_API tn_result tn_joint_set_break_axes(tn_world *world, tn_joint_id joint, tn_vec3 linear,
                                         tn_vec3 angular);
/// s, >= 0, finite: the load that counts is an exponential mean over this time. Wakes both bodies.
/// Errors: INVALID_ID, NOT_FINITE, INVALID_ARGUMENT (call ignored).
TN_API tn_result tn_joint_set_break_time(tn_world *world, tn_joint_id joint, float time);
/// Errors: INVALID_ARGUMENT. Wakes both bodies.
TN_API tn_result tn_joint_set_solver(tn_world *world, tn_joint_id joint, tn_solver solver);
TN_API tn_result tn_joint_set_collision_allowed(tn_world *world, tn_joint_id joint,
                                                bool is_allowed);
TN_API tn_result tn_joint_set_limit_events(tn_world *world, tn_joint_id joint, bool has_events);
/// The joint holds as springs of this frequency, the same at every step rate; 0 Hz: rigidly.
TN_API tn_result tn_joint_set_stiffness(tn_world *world, tn_joint_id joint, float hertz,
                                        float damping_ratio);
TN_API tn_result tn_joint_set_user_data(tn_world *world, tn_joint_id joint, void *user_data);
TN_API void *tn_joint_get_user_data(const tn_world *world, tn_joint_id joint);

/// What the joint did to body b in the last step (mean over it), at the origin of frame b, in world
/// axes. Body a felt the opposite. N and N·m. Includes limits, motor, spring and friction.
typedef struct tn_reaction {
    tn_vec3 force, torque;
} tn_reaction;
TN_API tn_reaction tn_joint_get_reaction(const tn_world *world, tn_joint_id joint);

/// Which ends of its limits a joint is at, a bit for each limit that is on, in the order of the
/// definition: bit 0 of a hinge or slider; slide, then turn of a cylindrical joint; of a joint with
/// a cone that first, then the twist; of a wheel steering, then suspension; the axes of a six-axis
/// joint, then its round limits. A cone and a round limit have an upper end alone. At an end is
/// what is within 1 mm or 1 mrad of it, or past it.
typedef struct tn_joint_limits {
    uint32_t lower, upper;
} tn_joint_limits;
/// As the bodies stand now. Errors: INVALID_ID: none.
TN_API tn_joint_limits tn_joint_get_limits(const tn_world *world, tn_joint_id joint);

/// How far the joint is from what it should be, now: per axis of frame a. m and rad. Free axes are
/// 0; a limited axis counts what it is past the limit, unless that is soft.
typedef struct tn_joint_error {
    tn_vec3 linear, angular;
    double linear_length, angular_length; ///< the lengths of the two
} tn_joint_error;
TN_API tn_joint_error tn_joint_get_error(const tn_world *world, tn_joint_id joint);

/// What the last step of a mechanism found out about a joint beside the others: see the manual,
/// "Redundant rows". All zero for joints that Gauss-Seidel has to itself.
typedef struct tn_joint_redundancy {
    uint32_t dependent_rows; ///< of its rows, that say what other joints' say: they could go
    bool fights;             ///< it cannot be closed together with others: found by DIRECT, or
                             ///< because it made energy while it was far open, or stands open and
                             ///< bears far more than there is to carry
    double linear, angular;  ///< m and rad that it is left open by for that
} tn_joint_redundancy;
TN_API tn_joint_redundancy tn_joint_get_redundancy(const tn_world *world, tn_joint_id joint);

/// Force or torque of the joint's motor in the last step (N or N·m, along or about the axis; of a
/// ball joint or a swing-twist joint the length of the torque), and the work that all the joint's
/// motors did since it was made (J). Where each of several values has a motor the force or torque
/// is that of the first one, and the joint's own header has a getter for each; of six-axis, wheel
/// and custom joints it is the sum.
TN_API float tn_joint_get_motor_effort(const tn_world *world, tn_joint_id joint);
TN_API double tn_joint_get_motor_work(const tn_world *world, tn_joint_id joint);

TN_EXTERN_C_END

#endif
