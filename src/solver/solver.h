// solver/solver.h: what a step hands to the solver, and the phases of a substep.
//
// The world gathers the awake bodies into dense arrays (index 0 is the world itself: infinite mass,
// at rest), its joints and contacts into blocks; the solver moves the bodies through `substeps`
// substeps; the world writes the result back. Nothing here knows a handle.
//
// A substep of length h is kick, drift, kick, as in the leapfrog and RATTLE integrators, so that it
// is of second order where the rows are smooth:
//     kick     v += h/2 a, and half of the accumulated impulses (warm start)
//     solve A  with bias: the velocity that carries the error C to where it should be after h
//     drift    x += h v; rotation turned at constant angular momentum
//     refresh  world inertia and the rows of joints at the new pose
//     kick     v += h/2 a, and the other half of the accumulated impulses
//     solve B  without bias (relax): J v = 0 at the new pose, so that bias leaves no energy behind
// A body that no row holds goes through all its kicks and drifts before the others.
// Sources: H. Andersen, "RATTLE", J. Comput. Phys. 52, 1983; E. Hairer, C. Lubich, G. Wanner,
// "Geometric numerical integration", 2006, VII.1.4; soft bias and relaxing: E. Catto, "Solver2D",
// 2024.
#ifndef TNI_SOLVER_SOLVER_H
#define TNI_SOLVER_SOLVER_H

#include "core/arena.h"
#include "core/inertia.h"
#include "joints/joint.h"
#include "tenon/body.h"
#include "tenon/world.h"

// The hot record of a body: 64 bytes, one cache line.
typedef struct tni_body_state {
    union {
        struct {
            vec3s v; // m/s, world axes
            float unused;
            vec3s w;              // rad/s, world axes
            vec3s inv_mass;       // 1/kg per world axis (0 where locked)
            tni_sym3 inv_inertia; // 1/(kg·m²), world axes
        };
        float numbers[16]; // for vectors of four: v and a zero, w and the first of inv_mass
    };
} tni_body_state;
#define TNI_STATE_W        4 // in `numbers`
#define TNI_STATE_INV_MASS 7

// Displacement since the manifolds were made: what contacts need to follow their separation.
typedef struct tni_body_delta {
    vec3s position; // m
    vec3s rotation; // rad, rotation vector
} tni_body_delta;

// What stays the same for a body during the step, and its acceleration.
typedef struct tni_body_mass {
    tni_inertia inertia;
    double inv_mass;
    tni_dvec3 gravity;      // m/s^2, with the body's scale, locked axes 0
    tni_dvec3 acceleration; // of gravity and applied force, m/s^2
    tni_dvec3 torque;       // applied, world axes, N·m
    uint32_t locks;
    float linear_damping, angular_damping; // 1/s
    bool is_dynamic;
    bool has_torque, has_damping;
} tni_body_mass;

// Soft-constraint coefficients for one step length. See solver/softness.c.
typedef struct tni_softness {
    float rate; // 1/s
    float mass_scale, impulse_scale;
} tni_softness;
tni_softness tni_softness_make(float hertz, float damping_ratio, float h);

// ---- joints --------------------------------------------------------------------------------

// What the solver keeps about a row between its phases.
typedef struct tni_row_state {
    float impulse;      // accumulated over the substep, N·s; of a spring row over solve A
    float warm;         // half of the last substep's impulse, for the second kick
    float phase_start;  // impulse at the start of the phase, for the work
    float step_impulse; // over the step
    float share;        // of a spring row: theta, see joint_bounded.c
    float speed;        // of a motor row: J v at the end of the last substep
} tni_row_state;

typedef struct tni_bounded_row tni_bounded_row; // see solver/joint_bounded.h
typedef struct tni_pin_block tni_pin_block;     // see solver/pin.h

typedef struct tni_joint_block {
    // What every sweep reads.
    union {
        tni_pin_block *pin; // the equalities: see solver/pin.h
        float *equality;    // or their dense system: see solver/equality.h
    };
    uint32_t body_a, body_b; // solver indices
    tni_softness softness;   // of the joint's bias
    uint8_t form;            // which code they run through: see solver/joint_block.c
    bool has_awake_bounded;  // a bounded row that is not dormant
    uint8_t row_count, equality_count;
    uint8_t point_rows;     // where the equalities are in `pin`, how many are of its point, else 0
    uint8_t turns;          // and how many of turns
    uint8_t lanes;          // 4 or 8: of the equality rows, where they are no pin
    uint32_t first_row;     // in rows and row_states
    uint32_t first_bounded; // in bounded_rows

    const tni_joint *joint;
    float max_speed;           // cap of the bias, m/s or rad/s
    float slop;                // error that is left alone, m or rad
    float stiffness_threshold; // see solver/geometric_stiffness.c
    float angular_share;       // of the bias of angular rows, faded out for fast rotation
    float prediction; // s: h/2, faded out for fast rotation; times Jdot v it joins the bias
    // N·s and N·m·s on each body about its centre of mass, over the step; that on a is -force.
    vec3s force, torque_a, torque_b;
} tni_joint_block;

// ---- contacts ------------------------------------------------------------------------------

// The points of a manifold lie side by side, one lane each, so that the loops over them vectorise.
// Unused lanes have no mass and no impulse.
#define TNI_LANES TN_CONTACT_MAX_POINTS

typedef struct tni_contact_block {
    // What every sweep reads: seven cache lines. Row i: J = [-n, -turn_a_i, n, turn_b_i], turn =
    // r_i x n.
    float turn_a[3][TNI_LANES], turn_b[3][TNI_LANES];
    float inverse[TNI_LANES][TNI_LANES]; // of K = J W J^T, slightly regularised, kg
    float normal_mass[TNI_LANES];        // kg
    float separation[TNI_LANES];         // m, at the start of the step
    float impulse[TNI_LANES];            // N·s, over the substep
    float warm[TNI_LANES];               // half of the last substep's impulse
    vec3s normal, tangent[2];
    vec3s r_a, r_b;          // from the centres of mass to the middle of the points, world axes
    uint32_t body_a, body_b; // solver indices
    uint16_t point_count;
    bool is_static; // one body has infinite mass: stiffer, solved last
    bool has_rolling;
    float friction;
    float twist_radius;    // m: twisting is bounded by this times the normal impulse
    float tangent_mass[3]; // inverse of the 2x2 matrix: 00, 01, 11
    float twist_mass;
    float tangent_impulse[2], twist_impulse;
    float tangent_warm[2], twist_warm; // halves of the last substep's

    // What only a contact reads whose points do not all push.
    float response[TNI_LANES][TNI_LANES]; // K, 1/kg

    // What only a rolling contact reads.
    float rolling_resistance; // m
    vec3s rolling_impulse, rolling_warm;
    tni_sym3 rolling_mass;
} tni_contact_block;

// What only the start and the end of a step, impacts and the work read, apart so that the sweeps
// do not drag it through the cache. One for each block.
typedef struct tni_contact_record {
    uint32_t contact; // the world's index, to write back
    float restitution;
    float patch_radius;                       // m: mean distance of the points from their middle
    vec3s arm_a[TNI_LANES], arm_b[TNI_LANES]; // r: from the centres of mass to the points
    float step_impulse[TNI_LANES];            // N·s, over the step
    float approach_speed[TNI_LANES];          // m/s, J v at the start of the step
    float step_tangent_impulse[2];
    // For the work: impulses at the start of the phase, and those of impacts in it.
    float phase_start[TNI_LANES], phase_impact[TNI_LANES];
    float tangent_phase_start[2], tangent_phase_impact[2], twist_phase_start;
    vec3s rolling_phase_start;
} tni_contact_record;

// ---- the solver ------------------------------------------------------------------------------

// Work done by rows since the step began, J, when measured.
typedef struct tni_solver_work {
    double gravity, force, motor, spring, joint, friction, impact, damping;
} tni_solver_work;

typedef struct tni_solver {
    float h, inv_h; // s, length of a substep, and 1/h
    double dh;
    uint32_t substeps;

    uint32_t body_count;
    tni_body_state *states;
    tni_body_delta *deltas;
    tni_body_motion *motions;
    tni_body_mass *masses;
    bool *is_free;       // by body: no row holds it and no torque acts; its state is not used
    uint32_t held_count; // of the others

    uint32_t joint_count, row_count;
    tni_joint_block *joints;
    tni_row *rows; // those of a pin's equalities are written where work is measured, and not else
    tni_row_state *row_states;
    tni_bounded_row *bounded_rows; // by block, see first_bounded

    uint32_t contact_count; // contacts with static bodies come last
    tni_contact_block *contacts;
    tni_contact_record *contact_records;
    uint32_t bouncing_count; // contacts with restitution, by index
    uint32_t *bouncing;

    tn_bias joint_bias, contact_bias;
    tni_softness contact_softness, static_softness;
    uint32_t joint_iterations, contact_iterations, relax_iterations;
    float restitution_threshold;

    bool has_turning; // some body turned so far in the last substep that its contacts need new
                      // masses
    bool *is_turning; // by body

    bool has_stiffened;       // some body has added inertia
    bool *has_added_inertia;  // by body: geometric stiffness beyond its own inertia
    tni_dmat3 *added_inertia; // kg·m², world axes

    bool measures_work;
    tni_body_motion
        *motions_before; // velocities at the start of the substep, when work is measured
    tni_solver_work work;
    double *motor_work; // by joint block, whether the rest is measured or not
} tni_solver;

// Runs all substeps.
void tni_solver_run(tni_solver *solver);

// Phases, each over all blocks or bodies. Bodies: solver/integrate.c
// The free bodies through all substeps. The other phases pass them over.
void tni_integrate_free(tni_solver *solver);
// The world inertias and velocities of the others, at the start.
void tni_integrate_start(tni_solver *solver);
// Half a substep of forces and damping; ends with the velocities in `states`.
void tni_integrate_kick(tni_solver *solver);
void tni_integrate_drift(tni_solver *solver);
void tni_integrate_refresh_inertia(tni_solver *solver, uint32_t body);
// States to double velocities: adds what the solve changed, so that an untouched body keeps every
// bit.
void tni_integrate_collect(tni_solver *solver);

// A body's rotation over h: solver/rotate.c
void tni_rotate_at_constant_velocity(tni_body_motion *motion, double h);
// At constant momentum, over `count` substeps of h.
void tni_rotate_freely(tni_body_motion *motion, const tni_inertia *inertia, double h,
                       uint32_t count);

// Joints: solver/joint_block.c
// Bytes that a block's equalities take; and the block in that memory, with their impulses.
size_t tni_joint_block_size(const tni_joint_block *block);
void tni_joint_block_start(tni_joint_block *block, void *memory, const float *impulses);
void tni_joint_blocks_refresh(tni_solver *solver);
void tni_joint_blocks_start(tni_solver *solver);
void tni_joint_blocks_warm_start(tni_solver *solver, bool is_first_half);
void tni_joint_blocks_solve(tni_solver *solver, bool use_bias);
// Copies the equality rows' impulses into row_states, for the work and the end of the step.
void tni_joint_blocks_sync(tni_solver *solver);
void tni_joint_blocks_stiffen(tni_solver *solver);
void tni_joint_blocks_store(tni_solver *solver);
// The errors C of the equality rows at the last refresh, written in vectors of four.
void tni_joint_block_get_errors(const tni_solver *solver, const tni_joint_block *block,
                                float out_errors[TNI_JOINT_MAX_EQUALITY_ROWS + 2]);

// Inertia for links under heavy tension, from the impulse a joint gave body b:
// solver/geometric_stiffness.c
// The threshold is the square of the least impulse that can matter, (N·s)^2.
float tni_geometric_stiffness_threshold(const tni_solver *solver, const tni_joint_block *block);
void tni_geometric_stiffness_clear(tni_solver *solver);
void tni_geometric_stiffness_add(tni_solver *solver, const tni_joint_block *block,
                                 vec3s impulse_on_b);

// Contacts: solver/contact_block.c, solver/impact.c
void tni_contact_blocks_prepare(tni_solver *solver);
// New masses for the contacts of bodies that turn fast.
void tni_contact_blocks_refresh(tni_solver *solver);
void tni_contact_blocks_warm_start(tni_solver *solver, bool is_first_half);
void tni_contact_blocks_solve(tni_solver *solver, bool use_bias);
void tni_contact_blocks_store(tni_solver *solver);
void tni_impact_solve(tni_solver *solver);
// The separations of the points after the displacement since the manifold was made, m.
void tni_contact_separations(const tni_solver *solver, const tni_contact_block *block,
                             float out_separations[TNI_LANES]);

// Work of each row over one phase (solve A, solve B), from the velocities before and after:
// solver/work.c
void tni_work_begin_phase(tni_solver *solver);
void tni_work_end_phase(tni_solver *solver, bool is_first_half);
// Of gravity, force and damping in one kick.
void tni_work_measure_body(tni_solver *solver, uint32_t body, const tni_body_motion *before,
                           const tni_body_motion *after);

#endif
