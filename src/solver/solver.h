// solver/solver.h: a step hands these data to the solver; and the phases of a substep.
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

#include "core/inertia.h"
#include "core/memory/arena.h"
#include "core/simd.h"
#include "core/tasks.h"
#include "joints/joint.h"
#include "solver/contacts/contact.h"
#include "solver/exact/mechanism.h"
#include "solver/gradients/gradients.h"
#include "solver/methods/method.h"
#include "solver/step/part.h"
#include "tenon/body.h"
#include "tenon/world.h"

// This is the hot record of a body: 64 bytes, one cache line.
typedef struct tni_body_state {
    union {
        struct {
            vec3s v; // m/s, world axes
            float unused;
            vec3s w;              // rad/s, world axes
            vec3s inv_mass;       // 1/kg per world axis (0 where locked)
            tni_sym3 inv_inertia; // 1/(kg·m²), world axes; where it is round also before START
        };
        float numbers[16]; // for vectors of four: v and a zero, w and the first of inv_mass
    };
} tni_body_state;
#define TNI_STATE_W           4 // in `numbers`
#define TNI_STATE_INV_MASS    7
#define TNI_STATE_INV_INERTIA 10

// This is the displacement since the manifolds were made, by which contacts follow their
// separation.
typedef struct tni_body_delta {
    union {
        struct {
            vec3s position; // m
            float unused;
            vec3s rotation; // rad, rotation vector
            float unused_too;
        };
        float numbers[8]; // for vectors of four
    };
} tni_body_delta;

// These numbers of a body stay the same during the step, and its torque.
typedef struct tni_body_mass {
    const tni_inertia *inertia;
    double inv_mass;
    double gravity_scale;
    tni_dvec3 torque; // applied, world axes, N·m
    uint32_t locks;
    float linear_damping, angular_damping; // 1/s
    bool is_dynamic, is_kinematic, has_torque;
    bool has_damping : 1;
    bool stops : 1; // before every kick: first-order dynamics
} tni_body_mass;

// Returns which of its six freedoms a body does not have: the locked ones, and all turns of a
// particle, which is dynamic with an inverse inertia of 0. Sweeps need not ask: they read the
// inverse.
static inline uint32_t tni_body_mass_get_locks(const tni_body_mass *mass) {
    const uint32_t turns = TN_BODY_LOCK_ANGULAR_X | TN_BODY_LOCK_ANGULAR_Y | TN_BODY_LOCK_ANGULAR_Z;
    return mass->locks | (mass->is_dynamic && !(mass->inertia->inverse > 0.0) ? turns : 0);
}

// A kick adds this to a body, as a vector of four.
typedef struct tni_body_pull {
    tni_dvec3 acceleration; // of gravity and applied force, m/s^2, locked axes 0
    double unused;          // 0
} tni_body_pull;

// Four bodies move together; the number is 0 where there are fewer.
#define INTEGRATE_LANES 4
typedef struct tni_batch_bodies {
    uint32_t body[INTEGRATE_LANES];
} tni_batch_bodies;

// Makes soft-constraint coefficients for one step length. See solver/rows/softness.c.
tni_softness tni_softness_make(float hertz, float damping_ratio, float h);

// ---- joints --------------------------------------------------------------------------------

// The solver keeps this about a row between its phases.
typedef struct tni_row_state {
    float impulse;      // accumulated over the substep, N·s; of a spring row over solve A
    float warm;         // half of the last substep's impulse, for the second kick
    float phase_start;  // impulse at the start of the phase, for the work
    float step_impulse; // over the step
    float share;        // of a spring row: theta, see joint_bounded.c
    // J v of a motor row in the drift, or of a limit that bounces at the end of the last substep.
    float speed;
    float error; // of that limit: C at the last refresh
    // A row that drives may give this impulse over a substep in the direction of the sign; 0 if it
    // may give all: see solver/joints/joint_machine.c.
    float cap;
} tni_row_state;

// Returns the impulse over the substep: a spring's impulse is that of solve A, its share of the
// whole.
static inline float tni_row_get_whole_impulse(const tni_row *row, const tni_row_state *state) {
    return tni_row_is_spring(row) ? state->impulse * maths_inverse_or_zero(state->share)
                                  : state->impulse;
}

// Returns the impulse that a spring adds in the second kick.
static inline float tni_row_get_rest(const tni_row_state *state) {
    float rest = (1.0f - state->share) * maths_inverse_or_zero(state->share);
    return rest * state->impulse;
}

// Returns the impulse that the row added in a phase.
static inline double tni_row_get_phase_impulse(const tni_row *row, const tni_row_state *state,
                                               bool is_first_half) {
    if (is_first_half) {
        return (double)state->impulse;
    }
    return (double)(tni_row_is_spring(row) ? tni_row_get_rest(state)
                                           : state->impulse - state->phase_start);
}

typedef struct tni_bounded_row tni_bounded_row;   // see solver/joints/joint_bounded.h
typedef struct tni_pin_block tni_pin_block;       // see solver/rows/pin.h
typedef struct tni_span tni_span;                 // see solver/movers/span.h
typedef struct tni_span_contact tni_span_contact; // see solver/movers/span_contact.h
typedef struct tni_reduced tni_reduced;           // see solver/movers/reduced.h
typedef struct tni_forces tni_forces;             // see solver/movers/force.h
// See solver/joints/joint_group.h.
typedef struct tni_joint_group tni_joint_group;
typedef struct tni_joint_group_rest tni_joint_group_rest;
typedef struct tni_joint_angles tni_joint_angles;
typedef struct tni_joint_threads tni_joint_threads;
typedef struct tni_joint_turn tni_joint_turn;
typedef struct tni_joint_item tni_joint_item;
typedef struct tni_joint_cell tni_joint_cell;
typedef struct tni_joint_part tni_joint_part;
typedef struct tni_breakable tni_breakable; // see solver/step/breaking.h
typedef struct tni_body_place tni_body_place;
typedef struct tni_stack tni_stack; // see solver/stacks/stack.h

// A sweep runs a block's equalities through the code of its form.
typedef enum tni_joint_form {
    TNI_JOINT_FORM_SPRINGS,   // no equalities
    TNI_JOINT_FORM_POINT,     // pin, no turns
    TNI_JOINT_FORM_UNIVERSAL, // one turn
    TNI_JOINT_FORM_HINGE,     // two turns
    TNI_JOINT_FORM_FRAME,     // three turns
    TNI_JOINT_FORM_ONE,       // one row
    TNI_JOINT_FORM_THREE,     // three rows
    TNI_JOINT_FORM_FOUR,      // two rows, or four
    TNI_JOINT_FORM_SIX,       // five rows, or six
} tni_joint_form;

typedef struct tni_joint_machine tni_joint_machine;

typedef struct tni_joint_block {
    // Every sweep reads these.
    union {
        tni_pin_block *pin; // the equalities: see solver/rows/pin.h
        float *equality;    // or their dense system: see solver/rows/equality.h
    };
    uint32_t body_a, body_b; // solver indices
    tni_softness softness;   // of the joint's bias
    uint8_t form;            // tni_joint_form
    uint8_t ends;            // tni_joint_ends
    bool has_awake_bounded;  // a bounded row that is not dormant
    bool foresees;           // among these is a limit, beside a motor: see joint_foresee.c
    bool bounces;            // one of its rigid limits bounces: see joint_bounce.c
    bool limits_last;        // they come last, beside rows of other values: see joint_limits.c
    uint8_t row_count, equality_count;
    uint8_t point_rows;     // where the equalities are in `pin`, how many are of its point, else 0
    uint8_t turns;          // and how many of turns
    uint8_t lanes;          // 4 or 8: of the equality rows, where they are no pin
    uint32_t first_row;     // in rows and row_states
    uint32_t machine;       // in the solver's, and one more; 0: none: solver/joints/joint_machine.c
    uint32_t first_bounded; // in bounded_rows

    tni_joint_group *group; // whose lane has its impulses and its matrix, or null
    uint32_t lane;
    tni_joint *joint;     // what it remembers is written
    uint32_t world_joint; // the world's index
    bool drives;          // it has a motor, and a machine
    bool is_gradient;     // it belongs to a mechanism of conjugate gradients
    bool may_break;
    bool is_projected; // it belongs to a mechanism, which has the last word on its equalities
    bool is_exact;     // which also takes its step
    double exact_linear_error, exact_angular_error; // m and rad, then
    float max_speed;                                // cap of the bias, m/s or rad/s
    float slop;                                     // error that is left alone, m or rad
    float stiffness_threshold;                      // see solver/bodies/geometric_stiffness.c
    float angular_share; // of the bias of angular rows, faded out for fast rotation
    float limit_room;    // rad: no limit of an angle is nearer; 0 where bounded rows are awake
    float prediction;    // s: h/2, faded out for fast rotation; times Jdot v it joins the bias
    // These are N·s and N·m·s on b about its centre of mass, over the step. If b is the world,
    // whose arms reach from its origin, the torque is the opposite of that on a.
    tni_f4 force, torque;
} tni_joint_block;

// ---- contacts of mechanisms --------------------------------------------------------------------

typedef struct tni_touch tni_touch; // see solver/touches/touch.h

typedef struct tni_touch_set {
    tni_touch *touches;
    uint32_t count;
    bool is_coupled;      // of mechanisms that Gauss-Seidel moves
    bool is_of_spans;     // of solver/movers/span_contact.h: no mechanism is in it
    bool has_wedged;      // some of its touches are those of loose bodies: see tni_touch
    double *loose_shifts; // by body, six each
} tni_touch_set;

// ---- the solver ------------------------------------------------------------------------------

// Rows have done this work since the step began, J, when measured.
typedef struct tni_solver_work {
    double gravity, force, motor, spring, joint, friction, impact, damping;
} tni_solver_work;

// A cluster is small islands that go through all substeps by themselves: solver/step/cluster.c.
typedef struct tni_cluster {
    uint32_t first_batch, batch_count; // of its bodies
    bool turns_inertia;                // as of the solver
    uint32_t first_contact, contact_count;
    uint32_t first_group, group_count; // of contacts
    uint32_t first_stack, stack_count;
    const uint32_t *bodies; // body_count of them, for the ledger
    uint32_t body_count;
    tni_solver_work work; // of the step, if it is measured
} tni_cluster;

// Is called right before and after a cluster's substeps, while its numbers are in the cache: it
// brings its contacts from the world and back.
typedef void tni_cluster_fn(uint32_t cluster, tni_solver *its, void *context);

// The definition of the world asks for these.
typedef struct tni_solver_settings {
    tn_integrator integrator; // of mechanisms
    tn_stabilization stabilization;
    tn_bias joint_bias, contact_bias;
    tni_softness contact_softness, static_softness;
    tni_softness span_softness, span_static_softness; // of contacts that are spans of rows
    tni_softness joint_softness; // of every pin's bias, without conjugate gradients
    uint32_t joint_iterations, contact_iterations, relax_iterations;
    float contact_closed; // m: points that are farther apart are open
    float contact_calm;   // m/s: what a load at rest changes by less in a substep
    float contact_rest;   // m: BAUMGARTE lets points lie this deep; else 0
    float restitution_threshold;
} tni_solver_settings;

// Arrays by body; index 0 is the world.
typedef struct tni_solver_bodies {
    uint32_t count;
    tni_body_state *states;
    tni_body_delta *deltas;
    tni_body_motion *motions;
    tni_body_mass *masses;
    tni_body_pull *pulls;      // by body
    uint8_t *kinds;            // by body: tni_batch, if it is neither free nor a mechanism's
    bool turns_inertia;        // some body's world inertia may change, without joints
    bool *is_free;             // by body: no row holds it and no torque acts; its state is not used
    bool *is_exact;            // by body: a mechanism moves it; its state is not used
    uint32_t held_count;       // of the others, without those in clusters
    const uint32_t *island_of; // by body: the root, its first body
    bool has_stiffened;        // some body has added inertia
    bool was_stiffened;        // or had in this step
    bool *has_added_inertia;   // by body: geometric stiffness beyond its own inertia
    tni_dmat3 *added_inertia;  // kg·m², world axes
} tni_solver_bodies;

// These are batches of the bodies that rows hold and clusters do not have: four bodies each, and a
// tni_batch. See solver/bodies/integrate.h.
typedef struct tni_solver_batches {
    uint32_t count;
    tni_batch_bodies *bodies;
    uint8_t *kinds;
    uint32_t part_count; // of what clusters do not have; 0 where it is one
    // These go by part; behind them come bodies that move and do not give way, which contacts of
    // all parts read.
    uint32_t part_ends[(1 << TNI_PART_MAX_LEVELS) + 1];
} tni_solver_batches;

// These are the joints that are not functions, as blocks of rows.
typedef struct tni_solver_joints {
    // Blocks that are swept come first, then those of conjugate gradients, both counted by
    // `count`; then `exact_count` that mechanisms solve.
    uint32_t swept_count, count, exact_count, row_count, bounded_count;
    bool has_memories; // some of these joints counts whole turns
    bool has_cold;     // some starts every substep without the last one's impulses
    tni_joint_block *blocks;
    tni_row *rows; // those of a pin's equalities are written where work is measured, and not else
    tni_row_state *row_states;
    tni_joint_machine
        *machines; // that have limits and what drives: see solver/joints/joint_machine.h
    uint32_t machine_count;
    float *machine_shares;         // by body: 1 over the number of its machine's joints on it
    tni_bounded_row *bounded_rows; // by block, see first_bounded
    double *motor_work;            // by joint block, whether the rest is measured or not
} tni_solver_joints;

// These are the joints that may break.
typedef struct tni_solver_breaking {
    uint32_t count; // joints that may break, in the order of their blocks
    tni_breakable *breakables;
    bool has_spans; // of some span: solver/movers/span_breaking.c
    uint32_t body_count;
    uint32_t *sets; // scratch: two numbers for each of these bodies
    bool *marks;    // by body that is an island's root: something in it has broken
} tni_solver_breaking;

// These are rows over several bodies, bodies that coordinates move, and forces.
typedef struct tni_solver_movers {
    const struct tni_span_ops
        *span_ops;       // null in a step without what follows: solver/movers/span_ops.h
    uint32_t span_count; // rows over several bodies: solver/movers/span.c
    tni_span *spans;
    uint32_t closing_count; // groups of those with reduced ones: solver/movers/closing.c
    struct tni_closing *closings;
    uint32_t span_contact_count; // contacts with reduced ones: solver/movers/span_contact.c
    tni_span_contact *span_contacts;
    uint32_t reduced_count; // objects that are given by coordinates: solver/movers/reduced.c
    tni_reduced **reduced;
    double time; // s: of the world at the present poses, which their rows may ask for
    tni_forces
        *forces; // callbacks that push bodies in every substep: solver/movers/force.c; or null
    tni_touch_set span_touches; // one for each of span_contacts
} tni_solver_movers;

// These are the blocks in groups of eight, and the others, singles: solver/joints/joint_group.h.
// Groups and singles that are swept come first. Without groups the blocks are swept as they lie.
typedef struct tni_solver_lanes {
    uint32_t group_count, single_count, turn_count;
    tni_joint_group *groups;
    tni_joint_group_rest *rests;
    uint32_t angles_count; // groups with more than points: solver/joints/joint_angles.h
    tni_joint_angles *angles;
    uint32_t threads_count; // groups of threads: solver/joints/joint_threads.h
    tni_joint_threads *threads;
    uint32_t *singles;
    tni_joint_turn *turns;
    uint32_t item_count, loop_count; // the same as items, and the ends of their loops
    tni_joint_item *items;
    uint32_t *loop_ends;
    uint32_t place_count; // bodies of groups; with parts those that do not move, then by part
    uint32_t *place_bodies;
    tni_body_place *places; // by body
    bool has_places;        // they are written
} tni_solver_lanes;

// Parts of joints share no body that moves, and are for workers: solver/joints/joint_part.c.
typedef struct tni_solver_joint_parts {
    uint32_t count; // which share no body that moves; 1 or less: all in one
    uint32_t ends[1 << TNI_PART_MAX_LEVELS]; // in items
    uint8_t *part_of;      // by body, where there are several parts, and else null
    tni_joint_part *parts; // likewise
    tni_joint_item *items; // items, counted from the first of their part
    tni_solver *solvers;   // for a step: by part: solver/step/part_alone.c
    uint32_t batch_ends[1 << TNI_PART_MAX_LEVELS]; // by part, where batches follow them
    bool follow_contacts; // each part of contacts has some parts of joints that follow each other
} tni_solver_joint_parts;

// These mechanisms are solved as a whole.
typedef struct tni_solver_exact {
    uint32_t count;
    tni_mechanism **mechanisms;
    uint32_t *mechanism_of, *local_of; // by body: or TNI_NONE
    // The first has contacts of mechanisms that take their own step, the second of those that are
    // only closed.
    tni_touch_set touch_sets[2];
} tni_solver_exact;

// Conjugate gradients solve these mechanisms.
typedef struct tni_solver_gradients {
    uint32_t count;
    tni_gradients *systems;
    uint32_t *bodies; // by body: which of its mechanism's, from 1 on; 0: it stands still
    uint32_t *owners; // by body: its mechanism, or TNI_NONE
    uint32_t owner_count;
} tni_solver_gradients;

// Clusters are small islands that go by themselves; they have the first contacts, and the solver
// sweeps the others.
typedef struct tni_solver_clusters {
    uint32_t count;
    tni_cluster *clusters;
    tni_cluster_fn *load, *store;
    void *context;
    // Each worker has this room for the contacts and groups of any cluster, so that those of the
    // cluster at work stay in its cache.
    uint32_t most_contacts, most_groups;
    tni_contact_record *records;
    tni_contact_group *groups;
    tni_contact_start *starts; // as of contacts
} tni_solver_clusters;

// These are contacts in groups of eight, by color; stacks; bounces.
typedef struct tni_solver_contacts {
    uint32_t count, own_count; // contacts with static bodies come last
    tni_contact_gate *gates;
    tni_contact_record *records;
    uint32_t group_count;
    tni_contact_group *groups;
    tni_contact_start *starts; // by group, for the ledger: see solver/contacts/contact_work.h
    // A turn of a sweep is some groups for one worker: these say where the groups of each turn end,
    // from the first on; and where the turns of each loop end, loops coming one after the other. No
    // two turns of a loop hold on to a body that moves. With parts the first loop has a turn for
    // each of them, and so has the last: see world/collide/contact_order_cells.h.
    uint32_t *turn_ends;
    uint32_t loop_count;
    uint32_t *loop_ends;
    // These are islands that are solved at once, with the numbers that contacts have here; and the
    // depth at which each contact rests, m, or 0; null where there are none.
    uint32_t stack_count;
    tni_stack *stacks;
    float *depths;
    bool *is_pushed;             // by body: it moves, and a contact with it pushes
    tni_contact_push *pushes;    // by body that contacts move
    tni_sym3 *inertias;          // by body: the inverse inertia that the groups know
    bool *has_new_inertia;       // by body: and that it is another now
    bool kicks_push;             // the last substep's pushes come with the kicks
    uint32_t phase_sweeps;       // over contacts, since the phase began
    tni_contact_follow *follows; // of contacts that are made anew within the step
    uint32_t follow_count;
    bool has_old_gaps;       // of contacts: bodies have moved since their last sweep
    uint32_t bouncing_count; // contacts with restitution, by index
    uint32_t *bouncing;
    float *first_hits; // s into the substep, by body: see impact.c
} tni_solver_contacts;

// The ledger is the account of works.
typedef struct tni_solver_ledger {
    bool measures_work;
    bool has_leads;        // some kinematic body moves: asked where work is measured
    bool has_seen_inertia; // rows may see another inertia than bodies have: see step/work.c
    uint32_t body_count;   // of what it measures, when it does: bodies in no cluster, or in one
    const uint32_t *bodies;
    tni_body_motion *motions_before; // by body: velocities at the start of the phase
    tni_solver_work work;
    double phase_start; // J: the sum of the works when the phase began
    double phase_gross; // J: what joints' impulses would do in it along the speeds of their bodies
} tni_solver_ledger;

struct tni_solver {
    float h, inv_h; // s, length of a substep, and 1/h
    double dh;
    tni_dvec3 gravity; // m/s^2, of the world
    float elapsed;     // s: of the step, at the start of the substep under way; for impacts
    uint32_t substeps;
    const tni_tasks *tasks;
    bool times_stages;    // no: the world is small, and its only mechanism takes all of its time
    bool uses_avx2;       // the inner loops for AVX2, not the others: see core/wide.h
    bool is_part;         // it is one of joint_parts.solvers
    bool has_second_kick; // it came with the drift, before the refresh
    bool is_last_substep; // of the step
    bool is_last_sweep;   // of solve B
    tni_solver_settings settings;
    tni_solver_bodies bodies;
    tni_solver_batches batches;
    tni_solver_joints joints;
    tni_solver_breaking breaking;
    tni_solver_movers movers;
    tni_solver_lanes lanes;
    tni_solver_joint_parts joint_parts;
    tni_solver_exact exact;
    tni_solver_gradients gradients;
    tni_solver_clusters clusters;
    tni_solver_contacts contacts;
    tni_solver_ledger ledger;
};

// Returns v without its components along locked axes; `first_lock` is that of x.
static inline tni_dvec3 tni_body_unlocked(tni_dvec3 v, uint32_t locks, uint32_t first_lock) {
    return dvec3_make((locks & first_lock) != 0 ? 0.0 : v.x,
                      (locks & (first_lock << 1)) != 0 ? 0.0 : v.y,
                      (locks & (first_lock << 2)) != 0 ? 0.0 : v.z);
}

// Returns the share of gravity in a body's acceleration, m/s^2.
static inline tni_dvec3 tni_body_get_gravity(const tni_solver *solver, uint32_t body) {
    const tni_body_mass *mass = &solver->bodies.masses[body];
    return tni_body_unlocked(dvec3_scale(solver->gravity, mass->gravity_scale), mass->locks,
                             TN_BODY_LOCK_LINEAR_X);
}

// Returns what of a body's acceleration applied forces give, m/s^2.
static inline tni_dvec3 tni_body_get_applied(const tni_solver *solver, uint32_t body) {
    return dvec3_sub(solver->bodies.pulls[body].acceleration, tni_body_get_gravity(solver, body));
}

// Runs all substeps.
void tni_solver_run(tni_solver *solver);
// Makes inertia and rows at the poses that a step begins with.
void tni_substep_start_joints(tni_solver *solver);
// Runs the clusters: solver/step/cluster.c; and everything else that rows hold.
void tni_clusters_run(tni_solver *solver);
void tni_solver_run_held(tni_solver *solver);

// The phases go over all blocks or bodies. Those of bodies are in solver/bodies/integrate.c.
// This one takes the free bodies through all substeps. The other phases pass them over.
void tni_integrate_free(tni_solver *solver);
// Plans, once all is gathered, how these bodies are moved, four by four in their order. Returns
// whether the world inertia of one may change.
bool tni_integrate_plan(const tni_solver *solver, const uint32_t *bodies, uint32_t count,
                        tni_batch_bodies *batches, uint8_t *kinds);
static inline uint32_t tni_integrate_count_batches(uint32_t body_count) {
    return (body_count + INTEGRATE_LANES - 1) / INTEGRATE_LANES;
}
// A pass over the others does to each the phases that are asked for, in this order:
typedef enum tni_pass {
    TNI_PASS_COLLECT = 1, // states to double velocities: adds what the solve changed, so that an
                          // untouched body keeps every bit
    TNI_PASS_DRIFT = 2,   // x += h v, and rotation; world inertia and place of joints with it
    TNI_PASS_START = 4,   // world inertia; ends with the velocities in `states`
    TNI_PASS_KICK = 8,    // half a substep of forces and damping; ends with the same
    TNI_PASS_PUSH_A = 16, // and then half of what contacts pushed with in the last substep, before
    TNI_PASS_PUSH_B = 32, // solve A or B
} tni_pass;
void tni_integrate_pass(tni_solver *solver, uint32_t phases);
// These make parts of joints solvers of their own: they say whether parts may be that; get memory
// for them from a step's arena, false when it cannot be had; find what all of them read; take one
// with its joints and bodies, for one thread at a time; and, if no contacts act on them, take each
// through all substeps by itself: solver/step/part_alone.c
bool tni_joint_parts_suit(const tni_solver *solver);
bool tni_joint_parts_make_solvers(tni_solver *solver, tni_arena *arena);
void tni_joint_parts_open(tni_solver *solver);
tni_solver *tni_joint_part_take(const tni_solver *all, uint32_t part);
bool tni_joint_parts_go_alone(const tni_solver *solver);
void tni_joint_parts_run_alone(tni_solver *solver);
// Runs a loop over the batches of bodies, by part if there are parts, else in pieces of
// `min_range`: solver/step/part_loop.c
void tni_parts_run_batches(const tni_solver *solver, tn_task_fn task, uint32_t min_range,
                           void *context);
// Runs a loop over the turns of a sweep in no order, where there are parts: those of a part go to
// one worker.
void tni_parts_run_turns(const tni_solver *solver, tn_task_fn task, void *context);
static inline uint32_t tni_parts_count_turns(const tni_solver *solver) {
    return solver->contacts.loop_ends[solver->contacts.loop_count - 1];
}
// Returns whether nothing but joints and contacts between two bodies acts in its substeps: no rows
// over several bodies, no bodies that are given by coordinates, no forces.
static inline bool tni_solver_has_only_pairs(const tni_solver *solver) {
    return solver->movers.span_count == 0 && solver->movers.reduced_count == 0 &&
           solver->movers.forces == NULL;
}
// These run all substeps of a world whose contacts are in parts, where nothing else acts between
// two sweeps: solver/step/part_rounds.c. Contacts are not prepared before.
bool tni_part_rounds_suit(const tni_solver *solver);
void tni_part_rounds_run(tni_solver *solver);
// Refreshes the world inertia of one body: solver/bodies/world_inertia.c
void tni_body_refresh_inertia(tni_solver *solver, uint32_t body);

// Rotates a body over h: solver/bodies/rotate.c
void tni_rotate_at_constant_velocity(tni_body_motion *motion, double h);
// Rotates at constant momentum, over `count` substeps of h.
void tni_rotate_freely(tni_body_motion *motion, const tni_inertia *inertia, double h,
                       uint32_t count);

// Joints: solver/joints/joint_block.c
// The first returns the bytes that a block's equalities take; the second starts the block in that
// memory, with their impulses.
size_t tni_joint_block_size(const tni_joint_block *block);
void tni_joint_block_start(tni_joint_block *block, void *memory, const float *impulses);
void tni_joint_blocks_refresh(tni_solver *solver);
// Refreshes one that is in no lane.
void tni_joint_block_refresh(tni_solver *solver, tni_joint_block *block);
// Is called before each drift: notes how fast motors go in it.
void tni_joint_blocks_note_drift(tni_solver *solver);
// Is called after each drift, before the refresh: joints that count whole turns note where they
// are.
void tni_joint_blocks_remember(tni_solver *solver);
void tni_joint_blocks_start(tni_solver *solver);
void tni_joint_blocks_warm_start(tni_solver *solver, bool is_first_half);
// Makes one sweep over all that is swept.
void tni_joint_blocks_sweep(tni_solver *solver, bool use_bias);
// Makes one sweep over blocks that lie together.
void tni_joint_blocks_solve(tni_solver *solver, uint32_t first, uint32_t count, bool use_bias);
// Copies the equality rows' impulses into row_states, for the work and the end of the step.
void tni_joint_blocks_sync(tni_solver *solver);
void tni_joint_blocks_stiffen(tni_solver *solver);
// Returns whether the force of every joint can be told from its impulses alone, before the first
// refresh.
bool tni_joint_blocks_know_forces(const tni_solver *solver);
void tni_joint_blocks_store(tni_solver *solver);
// Returns the impulses of the equality rows, in their order; for a joint in lanes those of all
// rows.
void tni_joint_block_get_impulses(const tni_solver *solver, const tni_joint_block *block,
                                  float out_impulses[TNI_JOINT_MAX_ROWS]);
// Makes the next warm start give nothing along its equalities.
void tni_joint_block_forget(tni_solver *solver, const tni_joint_block *block);
// Returns the errors C at the last refresh, of the equality rows and of limits that are passed;
// other rows have zero.
void tni_joint_block_get_errors(const tni_solver *solver, const tni_joint_block *block,
                                float out_errors[TNI_JOINT_MAX_ROWS]);

// Mechanisms: solver/exact/mechanism_run.c
// The ledger: solver/exact/mechanism_work.c. These measure the stage since the start of the
// measure; and everything else, beside which contacts push at once.
void tni_mechanism_start_measure(const tni_solver *solver, tni_mechanism *mechanism);
void tni_mechanism_measure_stage(tni_solver *solver, tni_mechanism *mechanism);
void tni_mechanism_measure_rest(tni_solver *solver, tni_mechanism *mechanism);
void tni_mechanism_measure_leads(tni_solver *solver, const tni_mechanism *mechanism);
void tni_mechanism_measure_winches(tni_solver *solver, const tni_mechanism *mechanism);
// Is called before the first kick of a substep: feeds mechanisms, and lets contacts bounce.
void tni_mechanisms_start(tni_solver *solver);
void tni_mechanisms_run(tni_solver *solver);
// Runs the whole step, where there is nothing but mechanisms that nothing disturbs; else returns
// false.
bool tni_mechanisms_run_alone(tni_solver *solver);
// Brings the bodies that a mechanism hangs on to where they are now, for a mechanism that is ahead
// of them.
void tni_mechanism_follow_hung(const tni_solver *solver, tni_mechanism *mechanism);
// Is called after Gauss-Seidel: settles contacts of mechanisms, and the rows of those that are
// coupled to other things.
void tni_mechanisms_settle(tni_solver *solver);
// Closes the joints of a mechanism that touches very much after a substep, poses only:
// solver/exact/mechanism_alternate.c. Returns false, with nothing changed, where they cannot be
// closed.
bool tni_mechanism_alternate(const tni_solver *solver, tni_mechanism *mechanism);
// These work on contacts of mechanisms: solver/touches/touch.h. For mechanisms that take their own
// step they start the step; feed the stage, and loose bodies before each of their two kicks; let
// impacts bounce; note impulses after each substep, and finish the step.
void tni_touches_start(tni_solver *solver);
// The next stage is `share` of a substep.
void tni_touches_feed(tni_solver *solver, double share);
void tni_touches_feed_loose(tni_solver *solver);
void tni_touches_bounce(tni_solver *solver);
// Is called before the first stage of a step: lets wedged bodies meet what they would meet in it.
void tni_touches_meet(tni_solver *solver);
// Measures the work of the impulses that loose bodies are fed in a kick, at their mean velocities
// over the phase.
void tni_touches_measure_loose(tni_solver *solver);
// Marks the mechanisms that the stage has brought much deeper somewhere. Returns true if there is
// one.
bool tni_touches_find_deep(tni_solver *solver);
// Does the same for all mechanisms beside one wedged body, if one of them is marked.
void tni_touches_spread_deep(tni_solver *solver);
// These scale impulses for stages of another length, of the mechanisms that are active; and back to
// those of a substep.
void tni_touches_cut(tni_solver *solver, uint32_t pieces);
void tni_touches_join(tni_solver *solver);
void tni_touches_note(tni_solver *solver);
void tni_touches_finish(tni_solver *solver);
// Settles poses, then velocities, when the substep is done, for either kind of set.
void tni_touches_settle(tni_solver *solver, tni_touch_set *set);
// Is called once, after the last substep: stores the impulses of their joints in the blocks.
void tni_mechanisms_store(tni_solver *solver);

// These make inertia for links under heavy tension, from the impulse that a joint gave body b:
// solver/bodies/geometric_stiffness.c
// The threshold is the square of the least impulse that can matter, (N·s)^2: its pull on the arm
// reaches a quarter of the body's trace times the onset, for the inertia across an axis is never
// less. It is infinite for a body that does not turn. The first returns a body's threshold at an
// arm of one metre.
float tni_geometric_stiffness_least(const tni_solver *solver, uint32_t body);
float tni_geometric_stiffness_threshold(float least_a, float least_b, const tni_joint *joint);
void tni_geometric_stiffness_clear(tni_solver *solver);
void tni_geometric_stiffness_add(tni_solver *solver, const tni_joint_block *block,
                                 vec3s impulse_on_b);

// These measure the work of each row over one phase (solve A, solve B), from the velocities before
// and after: solver/step/work.c
void tni_work_begin_phase(tni_solver *solver);
void tni_work_end_phase(tni_solver *solver, bool is_first_half);
// Returns the energy, J, of the rotations of all bodies that are not round.
double tni_work_get_spin(const tni_solver *solver);
// Returns the change of a body's energy by the change `turned` of its angular velocity, less the
// work that is booked for the torque, N·m·s, that this took, both at the mean velocity. It is not 0
// if inertia is added to the body's own (solver/bodies/geometric_stiffness.c), or if rows see that
// of another rotation. The second function finds the torque itself.
double tni_work_get_stiffened(const tni_solver *solver, uint32_t body, tni_dvec3 mean,
                              tni_dvec3 turned, tni_dvec3 torque);
double tni_work_find_stiffened(const tni_solver *solver, uint32_t body, tni_dvec3 mean,
                               tni_dvec3 turned);
// Books the work of gravity, force and damping on a body in one kick.
void tni_work_measure_body(tni_solver *solver, uint32_t body, const tni_body_motion *before,
                           const tni_body_motion *after);

#endif
