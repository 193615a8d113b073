// world/vehicle/ray_wheel_internal.h: the wheels of a chassis while their forces are found.
#ifndef TNI_WORLD_VEHICLE_RAY_WHEEL_INTERNAL_H
#define TNI_WORLD_VEHICLE_RAY_WHEEL_INTERNAL_H

#include "tenon/ray_wheel.h"
#include "world/world.h"

// The chassis, with the velocity that it will have at the end of the step.
typedef struct tni_chassis {
    tni_dvec3 center, velocity, angular_velocity;
    tni_dvec3 inv_mass; // along the world's axes: 0 where it is locked
    tni_dmat3 inv_inertia;
} tni_chassis;

// A direction in which a wheel pushes, and what an impulse of 1 does there.
typedef struct tni_grip {
    tni_dvec3 direction;
    tni_dvec3 linear, angular; // change of the chassis' velocities
    tni_dvec3 arm_cross;       // r x direction
    double response;           // of the chassis along the direction, 1/kg
    double ground_speed;       // m/s: of the ground along it
    double ground_response;    // 1/kg: of the ground, by its share of a body with several wheels
    double impulse;            // N·s
} tni_grip;

typedef struct tni_rolling {
    bool is_touching;
    tn_shape_id shape;
    tni_dvec3 point, normal, axle; // the axle points left
    double length;                 // m
    // The spring: its compression (m), how fast it is compressed now (m/s), and the cosine of the
    // normal to the suspension, by which the normal's force is larger than the spring's.
    double compression, closing, cosine;
    tni_grip spring, forward, left; // along the normal over the cosine; along and across the wheel
    double spin_free, spin;         // rad/s: with the drive alone, and at the end of the step
} tni_rolling;

// Finds the impulses of all wheels in a step of dt. `wheels` and `rollings` are parallel.
void tni_rollings_solve(const tn_ray_wheel *wheels, tni_rolling *rollings, uint32_t count,
                        tni_chassis *chassis, double dt);

#endif
