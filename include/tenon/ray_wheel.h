/// tenon/ray_wheel.h: wheels that are no bodies: each is a spring on a ray, that carries a chassis
/// and grips the ground.
///
/// A ray goes from the anchor down to where the wheel's rim would be. Where it meets something, the
/// spring and the damper push the chassis off along the ground's normal, and the tyre grips along
/// and across the wheel, with at most `friction` times the load together. What is met feels the
/// opposite forces, if it is dynamic. A tn_ray_wheel is a plain struct: copy it to save it.
///
/// Call tn_ray_wheels_apply once before each tn_world_step, with the same dt. It replaces four
/// bodies and four joints by four rays: use it for many cars, and for those that must not tip over
/// a kerb. Wheels that stand in something, bump into walls or roll over edges want bodies and
/// tenon/wheel_joint.h. Thread: applying changes bodies, so it is one of the calls that one thread
/// at a time may make.
#ifndef TENON_RAY_WHEEL_H
#define TENON_RAY_WHEEL_H

#include "tenon/query.h"

TN_EXTERN_C_BEGIN

/// The most wheels of one call.
#define TN_RAY_WHEEL_MAX 32u

/// A wheel. Start from tn_ray_wheel_make().
typedef struct tn_ray_wheel {
    tn_vec3 anchor;      ///< m, in the chassis' frame: where the ray and the spring begin
    tn_vec3 up, forward; ///< in the chassis' frame, of any length but 0, not parallel. Default y, x
    float radius;        ///< m, > 0. Default 0.35
    float rest_length; ///< m, > 0: from the anchor to the middle of a wheel that hangs: the spring
                       ///< is free there. Default 0.4
    float stiffness;   ///< N/m, >= 0. Default 25000
    float damping;     ///< N·s/m, >= 0. The spring and damper push and never pull. Default 2500
    float friction;    ///< >= 0: the grip in all directions, as a share of the load. Default 1
    float inertia;     ///< kg·m^2, > 0: of the wheel about its axle. Default 1
    bool is_ball; ///< casts a ball of the wheel's radius: it rolls over gaps. Default false: a ray

    float steering;     ///< rad about up, finite: positive to the left
    float drive_torque; ///< N·m, finite: positive forward
    float brake_torque; ///< N·m, >= 0, or infinite: holds the wheel with at most so much

    double spin; ///< rad/s against the chassis, positive forward: what rolls, and is kept from step
                 ///< to step. Set it to give a wheel a speed

    // Written by tn_ray_wheels_apply:
    double angle;                        ///< rad, -pi to pi: the turn of the wheel, to draw it
    tn_shape_id ground;                  ///< what it stands on, or null
    tn_vec3 ground_point, ground_normal; ///< m; of length 1, or 0 in the air
    float length;                        ///< m: from the anchor to the middle of the wheel
    float load;                          ///< N along the ground's normal
    float grip_forward, grip_left;       ///< N on the chassis, along the ground
    bool is_sliding;                     ///< the grip is all that friction gives
} tn_ray_wheel;

/// Returns a wheel with that anchor, in the air, at rest. Thread: any.
TN_API tn_ray_wheel tn_ray_wheel_make(tn_vec3 anchor);
/// Applies the forces of the wheels to the chassis and to what they stand on, for a step of `dt`,
/// s. `filter` says what counts as ground: null is the default; the chassis itself never does.
/// Effect: wakes the chassis and what it stands on. All wheels of a chassis belong in one call.
/// Errors: INVALID_ID, WRONG_TYPE (the chassis is not dynamic, or is a particle, or is moved by
/// coordinates), INVALID_ARGUMENT (no wheels, more than TN_RAY_WHEEL_MAX, a number out of its
/// range), NOT_FINITE, ZERO_AXIS (up, forward), INVALID_TIME_STEP, WORLD_LOCKED, OUT_OF_MEMORY: the
/// call is ignored. A disabled chassis is left alone.
TN_API tn_result tn_ray_wheels_apply(tn_world *world, tn_body_id chassis, tn_ray_wheel *wheels,
                                     uint32_t count, const tn_query_filter *filter, double dt);
/// Returns the pose of the wheel in the world, to draw it: its middle, with x forward, y up and z
/// to the right along the axle, turned by steering and spin. Errors: INVALID_ID, those of the
/// wheel: returns a zero pose.
TN_API tn_pose tn_ray_wheel_get_pose(const tn_world *world, tn_body_id chassis,
                                     const tn_ray_wheel *wheel);

TN_EXTERN_C_END

#endif
