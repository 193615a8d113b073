// solver/movers/reduced.h: bodies that are given by generalised coordinates. Derivation:
// solver/movers/reduced.c.
#ifndef TNI_SOLVER_MOVERS_REDUCED_H
#define TNI_SOLVER_MOVERS_REDUCED_H

#include "core/inertia.h"
#include "tenon/reduced.h"

struct tni_solver;
typedef struct tni_affine tni_affine; // see solver/movers/affine.h

// Speeds that one solver body holds in place of its six.
#define TNI_REDUCED_SLOT      6u
#define TNI_REDUCED_MAX_SLOTS ((TN_REDUCED_MAX_FREEDOMS + TNI_REDUCED_SLOT - 1u) / TNI_REDUCED_SLOT)

typedef struct tni_reduced_body {
    uint32_t world_body; // the world's index
    uint32_t body;       // the solver's, during a step
    // The mass, taken from the body; during a step it is the solver's.
    double mass;                            // kg
    const tni_inertia *inertia;             // kg·m²
    tni_dvec3 center;                       // in the body's frame, m
    double linear_damping, angular_damping; // 1/s, set during a step
    // The state last asked for, of the centre of mass, world axes.
    tni_dvec3 position;
    tni_dquat rotation;
    tni_dmat3 world_inertia;
    tni_dvec3 linear[TN_REDUCED_MAX_FREEDOMS], angular[TN_REDUCED_MAX_FREEDOMS]; // P
    tni_dvec3 drift, angular_drift;                                              // P' u'
} tni_reduced_body;

typedef struct tni_reduced {
    uint32_t handle;
    uint32_t place; // in the world's list by creation
    uint32_t freedoms, body_count;
    tni_reduced_body *bodies;
    tni_affine *affine;     // of an affine body: solver/movers/affine.h. Else null
    tn_reduced_fn function; // null of an affine body
    void *user_data;
    tn_reduced_output output; // what the callback writes
    double coordinates[TN_REDUCED_MAX_FREEDOMS], speeds[TN_REDUCED_MAX_FREEDOMS];
    double start_coordinates[TN_REDUCED_MAX_FREEDOMS], start_speeds[TN_REDUCED_MAX_FREEDOMS];
    double speeds_before[TN_REDUCED_MAX_FREEDOMS]; // of an affine body, the last kick
    double drift_from[TN_REDUCED_MAX_FREEDOMS];    // coordinates before the last drift
    double inverse[TN_REDUCED_MAX_FREEDOMS * TN_REDUCED_MAX_FREEDOMS]; // M^-1
    // By freedom: the momentum that damping took in the last kick, or for an affine body the speed.
    double drag[TN_REDUCED_MAX_FREEDOMS];
    double kick[TN_REDUCED_MAX_FREEDOMS];  // what all other forces gave in it, if work is measured
    double shift[TN_REDUCED_MAX_FREEDOMS]; // of coordinates, to close its joints
    // During a step: solver bodies whose velocities are the speeds, six each.
    uint32_t first_slot;
    bool is_collision_allowed; // its own bodies may touch each other
    bool has_damping;          // of some body
    bool stops;                // before every kick: first-order dynamics
    bool is_shifted;           // `shift` is not zero
    bool is_sound;             // the callback has given finite numbers so far
    bool is_active;            // it takes part in the step
    bool is_told;              // that it did not, lately
    double way_kept; // of the last drift, above 1: all of it. See solver/movers/span_contact_net.c
} tni_reduced;

static inline uint32_t tni_reduced_count_slots(const tni_reduced *reduced) {
    return (reduced->freedoms + TNI_REDUCED_SLOT - 1u) / TNI_REDUCED_SLOT;
}
// Returns where a freedom stands among the eight numbers of a row or a body: see
// solver/movers/span.h.
static inline uint32_t tni_reduced_get_lane(uint32_t freedom) {
    uint32_t lane = freedom % TNI_REDUCED_SLOT;
    return lane < 3 ? lane : lane + 1;
}
// The same among those of all its slots, eight each.
static inline uint32_t tni_reduced_get_place(uint32_t freedom) {
    return freedom / TNI_REDUCED_SLOT * 8 + tni_reduced_get_lane(freedom);
}
// Returns which of its bodies has this index in the world; 0 if none has.
static inline uint32_t tni_reduced_find_member(const tni_reduced *reduced, uint32_t world_body) {
    uint32_t member = 0;
    for (uint32_t b = 0; b < reduced->body_count; ++b) {
        member = reduced->bodies[b].world_body == world_body ? b : member;
    }
    return member;
}

// Returns the sum of columns, each times its speed: for linear columns a velocity.
static inline tni_dvec3 tni_reduced_sum(const tni_dvec3 *columns, const double *speeds,
                                        uint32_t count) {
    tni_dvec3 sum = dvec3_make(0.0, 0.0, 0.0);
    for (uint32_t k = 0; k < count; ++k) {
        sum = dvec3_add_scaled(sum, speeds[k], columns[k]);
    }
    return sum;
}

// Asks the callback for a state. If this does not return OK only the output has changed.
tn_result tni_reduced_ask(tni_reduced *reduced, const double *coordinates, const double *speeds);
// Finds a member's pose after dt at these speeds. Returns false if the callback has no numbers.
bool tni_reduced_look_ahead(tni_reduced *reduced, uint32_t member, const double *speeds, double dt,
                            tni_dpose *out_pose);
// Moves the object to these coordinates, at its present speeds. Returns false, with nothing done,
// if the callback has no numbers.
bool tni_reduced_go(struct tni_solver *solver, tni_reduced *reduced, const double *coordinates);
// Inverts a symmetric matrix in place. Returns false, with the matrix spoilt, if some pivot is
// round-off of the given diagonal.
bool tni_reduced_invert(double *m, uint32_t n, const double *diagonal);
// Finds M^-1 of the state last asked for, for substeps of h. Returns false, without an inverse, if
// some freedom moves no mass.
bool tni_reduced_begin(tni_reduced *reduced, double h);
// Finds M^-1 J^T of a row over the object's slots, by place.
void tni_reduced_respond(const tni_reduced *reduced, const float *j, float *w);
// Multiplies numbers by freedom by M^-1.
void tni_reduced_multiply(const tni_reduced *reduced, const double *numbers, double *out_answers);
// Returns the velocity with the object's speeds.
tni_dvec3 tni_reduced_get_velocity(const tni_reduced *reduced, const tni_dvec3 *columns);

// ---- phases of a substep, over all objects ------------------------------------------------------

// Sets the poses, masses and velocities that a step begins with.
void tni_reduced_start(struct tni_solver *solver);
// Applies half a substep of gravity, applied forces, the callback's forces and those of turning.
void tni_reduced_kick(struct tni_solver *solver);
// Collects the speeds that the rows changed.
void tni_reduced_collect(struct tni_solver *solver);
void tni_reduced_drift(struct tni_solver *solver);
// Shifts the objects to close their joints, without speed: see solver/movers/closing.c.
void tni_reduced_shift(struct tni_solver *solver);
// Measures the work of the kicks, at the end of each phase: see solver/step/work.c.
void tni_reduced_measure(struct tni_solver *solver);

#endif
