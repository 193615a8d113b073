// joints/row.h: the contract between joints and solvers.
//
// A row constrains one scalar between two bodies a and b:
//
//     J = [lin_a, ang_a, lin_b, ang_b]
//     v = [v_a, w_a, v_b, w_b]            world axes, at the centres of mass
//
// J v is the rate of the row's error C. An impulse x changes v by W J^T x, where W holds the
// inverse masses.
//
// A joint emits a block: first its equality rows (kind RIGID, at most 6), which a solver treats as
// one dense system, then its bounded rows. The number, order and kinds of a joint's rows depend
// only on its definition, never on its pose, so that a row's index names it from one substep to the
// next. Equality rows that are a point and turns also have a compact form: joints/pin.h.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes, 1997 (J, W, C and its
// derivatives).
#ifndef TNI_JOINTS_ROW_H
#define TNI_JOINTS_ROW_H

#include "core/base.h"
#include "core/maths.h"

// A planar joint on whose three values everything acts has 3 + 3 * 6.
#define TNI_JOINT_MAX_ROWS          21
#define TNI_JOINT_MAX_EQUALITY_ROWS 6

typedef enum tni_row_kind {
    TNI_ROW_RIGID,     // C = 0, corrected by the world's bias. Equality rows only
    TNI_ROW_LIMIT,     // C >= 0, impulse >= 0. Corrected like RIGID while C < 0
    TNI_ROW_SPEED,     // J v = target_speed with |force| <= max_force: motor, friction (target 0)
    TNI_ROW_SPRING,    // force = -stiffness C - damping (J v - target_speed), at most max_force
    TNI_ROW_FREQUENCY, // the same with stiffness and damping from hertz and damping_ratio:
                       // k = m (2 pi hertz)^2, c = 2 m damping_ratio 2 pi hertz, m the effective
                       // mass of the row while the joint's equality rows hold
    TNI_ROW_ACCELERATION, // the same with k = m stiffness, c = m damping
    TNI_ROW_SOFT_LIMIT,   // as SPRING while C < 0, but force >= 0: it pushes and never pulls
} tni_row_kind;

// Says, for telemetry, to what a row's force and work belong.
typedef enum tni_row_role {
    TNI_ROLE_JOINT, // equality rows and limits
    TNI_ROLE_MOTOR,
    TNI_ROLE_SPRING,
    TNI_ROLE_FRICTION,
} tni_row_role;

typedef struct tni_row {
    union {
        struct {
            vec3s lin_a, ang_a, lin_b, ang_b;
        };
        float jacobian[12]; // the same twelve numbers
    };
    float error;         // C: m or rad
    float velocity_term; // Jdot v: m/s^2 or rad/s^2. RIGID; LIMIT where it matters, else 0
    float target_speed;  // the wanted J v, m/s or rad/s. 0 for RIGID unless C depends on time
    float stiffness; // SPRING, SOFT_LIMIT: N/m or N·m/rad. FREQUENCY: hertz. ACCELERATION: 1/s^2
    float damping; // SPRING, SOFT_LIMIT: N·s/m or N·m·s/rad. FREQUENCY: ratio. ACCELERATION: 1/s
    float restitution; // LIMIT: share of its speed at which a fast value bounces
    float max_force;   // for all kinds but RIGID and LIMIT: N or N·m, may be INFINITY
    uint8_t kind;      // tni_row_kind
    uint8_t role;      // tni_row_role
    uint8_t group;     // 3: this and the next two rows are one vector whose length max_force caps;
                       // 1 for a row of its own, 0 for the second and third row of a group
    bool is_angular;   // C in rad
} tni_row;

// Returns the cap of a row, from the max_force of a definition, in which 0 means none.
static inline float tni_row_get_cap(float max_force) {
    return max_force > 0.0f ? max_force : INFINITY;
}

// Returns whether the row gives a force by C and J v, which a solver takes implicitly.
static inline bool tni_row_is_spring(const tni_row *row) {
    return row->kind == TNI_ROW_SPRING || row->kind == TNI_ROW_FREQUENCY ||
           row->kind == TNI_ROW_ACCELERATION || row->kind == TNI_ROW_SOFT_LIMIT;
}

static inline bool tni_row_is_limit(const tni_row *row) {
    return row->kind == TNI_ROW_LIMIT || row->kind == TNI_ROW_SOFT_LIMIT;
}

// Returns whether the row moves its value by itself: a motor or a spring.
static inline bool tni_row_drives(const tni_row *row) {
    return (row->role == TNI_ROLE_MOTOR || row->role == TNI_ROLE_SPRING) && !tni_row_is_limit(row);
}

// A body as joints see it during a step: its centre of mass, in double. Its pose and its velocities
// take a cache line each, in vectors of four (solver/bodies/integrate_wide.c), of which the unused
// numbers are 0.
typedef struct tni_body_motion {
    tni_dvec3 position; // of the centre of mass, world
    double unused;
    tni_dquat rotation; // body axes to world axes
    tni_dvec3 velocity;
    double unused_too;
    tni_dvec3 angular_velocity;
    double unused_last;
} tni_body_motion;

static inline bool tni_motion_is_still(const tni_body_motion *motion) {
    return dvec3_dot(motion->velocity, motion->velocity) == 0.0 &&
           dvec3_dot(motion->angular_velocity, motion->angular_velocity) == 0.0;
}

// Returns J v.
static inline double tni_row_get_speed(const tni_row *row, const tni_body_motion *a,
                                       const tni_body_motion *b) {
    return dvec3_dot(dvec3_from_float(row->lin_a), a->velocity) +
           dvec3_dot(dvec3_from_float(row->ang_a), a->angular_velocity) +
           dvec3_dot(dvec3_from_float(row->lin_b), b->velocity) +
           dvec3_dot(dvec3_from_float(row->ang_b), b->angular_velocity);
}

// Returns 1 where both rows act on the same value the same way, -1 where they go against each
// other, else 0.
float tni_row_compare(const tni_row *row, const tni_row *other);

#endif
