// solver/movers/force.h: the forces of a step. Derivation: solver/movers/force.c.
#ifndef TNI_SOLVER_MOVERS_FORCE_H
#define TNI_SOLVER_MOVERS_FORCE_H

#include "forces/force.h"
#include "forces/goal.h"
#include "solver/movers/reduced.h"
#include "solver/solver.h"

// A body that forces act on, or one that stands still beside them.
typedef struct tni_forced_body {
    uint32_t body;              // the solver's index, or TNI_NONE if it stands still
    const tni_reduced *reduced; // whose coordinates move it, or null
    uint32_t member;            // and which of its bodies
    tni_body_motion motion;     // of that; else at the middle of the time
    tni_dvec3 center;           // centre of mass, in the body's frame
    bool moves;
    bool stops;                        // before every kick: first-order dynamics
    bool is_loose;                     // no joint holds it, and nothing that it may touch is near
    tni_dvec3 acceleration, torque;    // without those of forces: m/s^2, N·m
    tni_dvec3 held_force, held_torque; // of forces that are asked once in a step
    tni_dvec3 force, torque_of_forces; // sums of the time
    tni_dvec3 velocity_change, turn_change; // over it, m/s and rad/s
    tni_dvec3 inv_mass;                     // by axis, 0 where locked
    tni_dmat3 inv_inertia;                  // world, 0 where locked
} tni_forced_body;

typedef struct tni_force_actor {
    tni_force *force;
    uint32_t first_end; // in end_bodies
} tni_force_actor;

// A slope while its substep or step is solved.
typedef struct tni_force_link {
    uint32_t actor, from, to; // ends of the actor; `from` may be TN_FORCE_AGAINST_WORLD
    bool is_angular;
    tni_forced_body *from_body, *to_body; // null: the world
    tni_dvec3 from_arm, to_arm;           // from the centres of mass
    tni_dmat3 gain, answer, inverse;      // G, K and (1 - G K)^-1
    tni_dvec3 push, impulse;
} tni_force_link;

// A goal while its substep or step is solved. Symbols: solver/movers/goal.c.
typedef struct tni_goal_link {
    uint32_t actor;
    tni_goal *goal; // whose `impulse` is z
    uint32_t freedom_count;
    bool stops; // its bodies stop before every kick: first-order dynamics
    double time, h, strength;
    double scale;     // s h^2 k: B is this times H
    double stiffener; // and this times the masses
} tni_goal_link;

struct tni_forces {
    // Asks all forces for the substep that begins, and writes their results to the bodies' masses,
    // which kicks and stages read.
    void (*run)(tni_solver *solver);
    uint32_t actor_count, body_count, link_count, goal_count;
    tni_force_actor *actors;
    uint32_t *end_bodies; // by end: index among the bodies
    tni_forced_body *bodies;
    tni_force_link *links; // room for all
    tni_goal_link *goals;  // likewise
    bool has_held;         // some forces are asked once in a step
    bool has_begun;        // and have been asked in this step
    bool has_reduced;      // some body is given by coordinates
};

// Serves as `run` above. Only the code that makes the forces of a step names it.
void tni_forces_run(tni_solver *solver);

static inline tni_forced_body *tni_force_body_of(const tni_forces *forces,
                                                 const tni_force_actor *actor, uint32_t end) {
    return &forces->bodies[forces->end_bodies[actor->first_end + end]];
}
// Books what acted on an end over the whole time, N and N·m.
void tni_force_book(tni_forced_body *body, tni_force_end *end, tni_dvec3 force, tni_dvec3 torque);

// ---- goals: solver/movers/goal.c
// ----------------------------------------------------------------------

// Asks a goal and adds its link. Returns false, and nothing acts, if something is not finite.
bool tni_goal_ask(tni_forces *forces, uint32_t actor, double time, double h);
// Solves a link against all others. Returns whether that changed more than the share `settled`.
bool tni_goal_solve(const tni_forces *forces, const tni_goal_link *link, double settled);
void tni_goal_book(const tni_forces *forces, const tni_goal_link *link);
// Returns a share from 0, explicit, to 1, implicit, by h^2 |W F_x| or h |W F_v|.
double tni_force_get_share(double rise);

#endif
