// solver/bodies/integrate.h: functions that move bodies, one at a time or four.
//
// The phases of a substep that follow each other are one pass over the bodies, for every pass
// brings all of them through the caches. Bodies that are all alike go four at a time
// (solver/bodies/integrate_wide.c), and the others one by one (solver/bodies/integrate.c); the bits
// are the same.
#ifndef TNI_SOLVER_BODIES_INTEGRATE_H
#define TNI_SOLVER_BODIES_INTEGRATE_H

#include "core/simd_double.h"
#include "core/wide.h"
#include "solver/solver.h"

// rad: a body that turns farther than this in a step has arms of contacts that follow its rotation
// no further.
#define INTEGRATE_FOLLOWED_TURN 0.5f

// These are bits of tni_batch.
#define BATCH_HAS_MOMENTS 2u // any moments of inertia
#define BATCH_IS_DAMPED   4u

// Four bodies are moved in one of these ways.
typedef enum tni_batch {
    TNI_BATCH_NONE = 0,  // nothing: each is free, a mechanism's, or at rest for good
    TNI_BATCH_ROUND = 1, // rows and gravity, no torque or damping; all moments of inertia are equal
    TNI_BATCH_PLAIN = TNI_BATCH_ROUND | BATCH_HAS_MOMENTS,
    TNI_BATCH_DAMPED = TNI_BATCH_ROUND | BATCH_IS_DAMPED,
    TNI_BATCH_DAMPED_PLAIN = TNI_BATCH_PLAIN | BATCH_IS_DAMPED,
    TNI_BATCH_MIXED = 8, // anything
} tni_batch;

// Finds the kind that one body that rows hold has by itself.
static inline tni_batch integrate_find_kind(const tni_body_mass *mass,
                                            const tni_body_motion *motion) {
    tni_dvec3 v = motion->velocity, w = motion->angular_velocity;
    if (!mass->is_dynamic) {
        bool is_still =
            v.x == 0.0 && v.y == 0.0 && v.z == 0.0 && w.x == 0.0 && w.y == 0.0 && w.z == 0.0;
        return is_still ? TNI_BATCH_NONE : TNI_BATCH_MIXED;
    }
    if (mass->has_torque || mass->stops || mass->locks >= TN_BODY_LOCK_ANGULAR_X) {
        return TNI_BATCH_MIXED;
    }
    uint32_t moments = mass->inertia->is_round ? 0 : BATCH_HAS_MOMENTS;
    uint32_t damping = mass->has_damping ? BATCH_IS_DAMPED : 0;
    return (tni_batch)(TNI_BATCH_ROUND | moments | damping);
}

// Returns a velocity as rows read it; see MATHS_TINY.
static inline tni_f4 integrate_to_float(const tni_dvec3 *v) {
    return f4_flush(f4_from_double3(&v->x), MATHS_TINY);
}

// Shortens the rotation that contacts follow to first order to where first order is good enough.
TNI_KERNEL tni_f4 integrate_follow_turn(tni_f4 turn) {
    float square = f4_dot3(turn, turn);
    if (square > INTEGRATE_FOLLOWED_TURN * INTEGRATE_FOLLOWED_TURN) {
        turn = f4_mul(turn, f4_splat(INTEGRATE_FOLLOWED_TURN / sqrtf(square)));
    }
    return turn;
}

// Makes a pass over some of the batches.
void tni_integrate_range(tni_solver *solver, uint32_t first, uint32_t last, uint32_t phases);

// Stops a body in first-order dynamics, where the velocity from before a kick is gone.
void tni_integrate_stop(tni_body_motion *motion, const tni_body_mass *mass);
// Applies half a substep of gravity, applied force and damping (each half divides by 1 + h/2 c).
void tni_integrate_kick_motion(tni_body_motion *motion, const tni_body_mass *mass,
                               const tni_body_pull *pull, double half);
// Rotates a body over `count` substeps of h.
void tni_integrate_rotate(tni_body_motion *motion, const tni_body_mass *mass, double h,
                          uint32_t count);

// The first makes a pass over batches that are TNI_BATCH_ROUND, TNI_BATCH_DAMPED or
// TNI_BATCH_PLAIN; `phases` are those of tni_integrate_pass. The second takes up to four bodies
// through a substep at constant momentum, with the inertia of the new pose, to which nothing is
// added.
#define INTEGRATE_KERNELS(suffix)                                                                  \
    void tni_integrate_batches##suffix(tni_solver *solver, uint32_t first_batch, uint32_t count,   \
                                       uint32_t phases);                                           \
    void tni_rotate_four##suffix(tni_solver *solver, const tni_batch_bodies *batch, uint32_t count)
INTEGRATE_KERNELS(_baseline);
INTEGRATE_KERNELS(_avx2);

#endif
