// solver/force.h: the forces of a step. Derivation: solver/force.c.
#ifndef TNI_SOLVER_FORCE_H
#define TNI_SOLVER_FORCE_H

#include "forces/force.h"
#include "solver/solver.h"

// A body that forces act on, or one that stands still beside them.
typedef struct tni_forced_body {
    uint32_t body;          // the solver's index, or TNI_NONE of what stands still
    tni_body_motion motion; // of that; else where the body gets to by the middle of the time
    tni_dvec3 center;       // of mass, in the body's frame
    bool moves;
    bool stops;                        // before every kick: first-order dynamics
    bool is_loose;                     // no joint holds it, and nothing that it may touch is near
    tni_dvec3 acceleration, torque;    // beside those of forces: m/s^2, N·m
    tni_dvec3 held_force, held_torque; // of what is asked once in a step
    tni_dvec3 force, torque_of_forces; // sums of the time
    tni_dvec3 velocity_change, turn_change; // over it, m/s and rad/s
    tni_dvec3 inv_mass;                     // by axis, 0 where locked
    tni_dmat3 inv_inertia;                  // world, 0 where locked
} tni_forced_body;

typedef struct tni_force_actor {
    tni_force *force;
    uint32_t first_end; // in end_bodies
} tni_force_actor;

// A slope in the solve of its time.
typedef struct tni_force_link {
    uint32_t actor, from, to; // ends of the actor; `from` may be TN_FORCE_AGAINST_WORLD
    bool is_angular;
    tni_forced_body *from_body, *to_body; // null: the world
    tni_dvec3 from_arm, to_arm;           // from the centres of mass
    tni_dmat3 gain, answer, inverse;      // G, K and (1 - G K)^-1
    tni_dvec3 push, impulse;
} tni_force_link;

struct tni_forces {
    uint32_t actor_count, body_count, link_count;
    tni_force_actor *actors;
    uint32_t *end_bodies; // by end: of these bodies
    tni_forced_body *bodies;
    tni_force_link *links; // room for all
    bool has_held;         // some are asked once in a step
    bool has_begun;        // and were
};

// Asks all forces for the substep that begins, and writes what comes of them to the bodies' masses,
// which kicks and stages read.
void tni_forces_run(tni_solver *solver);

#endif
