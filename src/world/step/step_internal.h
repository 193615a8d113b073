// world/step/step_internal.h: the types and functions that the files of a step share.
#ifndef TNI_WORLD_STEP_STEP_INTERNAL_H
#define TNI_WORLD_STEP_STEP_INTERNAL_H

#include "solver/solver.h"
#include "solver/step/cluster.h"
#include "world/world.h"

#define TNI_STEP_MAX_SUBSTEPS 64

typedef struct tni_joint_plan tni_joint_plan; // see world/step/joint_plan.h

typedef struct tni_space_order tni_space_order; // see world/step/parts.c
#define TNI_SPACE_KEYS 512u

// Fewer bodies are not worth a second worker.
#define TNI_STEP_MIN_RANGE 96

// The solver indices of the bodies that a contact holds together, both 0 if it does not.
typedef struct tni_touching {
    uint32_t body_a, body_b;
} tni_touching;

typedef struct tni_balance tni_balance; // see world/step/step_balance.c

typedef struct tni_step {
    tni_solver solver;
    tni_inertia infinite_inertia; // of bodies that do not move
    double ease;            // first-order dynamics makes bodies this many times lighter, else 1
    tni_inertia *inertias;  // by solver body, in first-order dynamics
    tni_touching *touching; // one for each contact, for islands
    const struct tni_contact_order *order; // of contacts, or null
    tni_cluster_bodies clusters;           // see world/step/clusters.h
    tni_parts parts;                       // see world/step/parts.c
    tni_space_order *space_order;          // scratch for ordering bodies by their place in space
    bool wants_order;                      // the bodies must be ordered anew
    bool has_new_parts;                    // the parts are of bodies in a new order
    uint32_t parts_across;                 // the world's, which keeps it after the step
    tni_joint_plan *plan;                  // the joints, kept for the next step, or null
    bool has_kept_joints;                  // the plan is that of the last step
    bool drops_plan;                       // something changed at the end of the step
    bool has_broken_span;                  // some function joint broke
    uint32_t joint_body_count;             // number of bodies before contacts add theirs
    uint32_t *body_of;      // the world's index of each solver body; TNI_NONE for the world itself
    uint32_t *island_of;    // solver body -> its root in the union-find
    uint32_t *island_sizes; // by root: its bodies (sleep.c), or those to blame (step_lost.c)
    bool *is_restless;      // by root: the island may not sleep
    bool *is_touched;       // by root: something in it is touched
    bool *is_lost;          // by root: a body of it became non-finite
    uint32_t *balance_of;   // by body: the root of its island, with those that it met in the step
    bool *is_watched;       // by that root: it has joints, and `balances` has its energy
    tni_balance *balances;
    bool has_excess;      // some island had too much energy
    bool has_strained;    // some joint is strained or starts cold
    bool *is_broken;      // by body: it became non-finite
    double *shares;       // by body: the share of its path that it keeps (step_net.c)
    uint32_t *tied;       // by body: scratch of step_net.c
    bool *has_given_mass; // by body: mass and inertia are the user's, not those of the shapes
    uint32_t *broken;     // the world's indices of the bodies that are to blame
    uint32_t broken_count;
    bool has_moves;      // the bodies' move events are written
    bool has_mechanisms; // some awake joint may not be Gauss-Seidel's
} tni_step;

// Fills the solver's arrays from the arena. Functions below that return bool return false without
// memory, unless their comment says otherwise.
bool tni_step_gather(tn_world *world, tni_step *step, double dt, uint32_t substeps);
// Sort the awake joints from heavy to light (world/step/joint_order.c), and make their blocks.
bool tni_step_order_joints(tn_world *world);
bool tni_step_gather_joints(tn_world *world, tni_step *step);
// Puts their impulses into the blocks, once these no longer move.
bool tni_step_start_joints(tn_world *world, tni_step *step);
// Does the same for kept joints.
void tni_step_restart_joints(tn_world *world, tni_step *step);
// Lets TN_SOLVER_AUTO choose for their mechanisms, if its choice is stale.
bool tni_step_choose_solvers(tn_world *world, tni_step *step);
bool tni_step_gather_contacts(tn_world *world, tni_step *step);
// Gathers the joints that are solved exactly, with their bodies. Their blocks go to the end.
bool tni_step_gather_mechanisms(tn_world *world, tni_step *step);
// The first fills in the numbers of a step for kept joints. The second returns whether exact joints
// may be kept: nothing touches them, and no others are among them.
void tni_step_refill_mechanisms(tni_solver *solver);
bool tni_step_may_keep_mechanisms(const tni_solver *solver);
// Adds a body that is not awake once: static, or kinematic at rest. Returns its solver index.
uint32_t tni_step_add_fixed_body(tn_world *world, tni_step *step, uint32_t body);

// Gathers the joints that conjugate gradients solve. Their blocks go to the end, before
// tni_step_gather_mechanisms puts its own behind them; then the second function corrects their
// places.
bool tni_step_gather_gradients(tn_world *world, tni_step *step);
void tni_step_shift_gradients(tni_solver *solver);
// The first begins a step for kept joints. The second returns, after a step, whether they may be
// kept.
void tni_step_restart_gradients(tni_solver *solver);
bool tni_step_may_keep_gradients(const tn_world *world, const tni_solver *solver);

// Returns the island of a joint: that of an end that moves.
static inline uint32_t step_get_island(const tni_step *step, const tni_joint_block *block) {
    bool moves_a = step->solver.bodies.masses[block->body_a].is_dynamic;
    return step->island_of[moves_a ? block->body_a : block->body_b];
}

// Returns the factor from impulses of the last step's substep to those of this one for equal
// forces.
static inline double step_impulse_scale(const tn_world *world, const tni_solver *solver) {
    return world->previous_h > 0.0 ? solver->dh / world->previous_h : 1.0;
}
// The same for contacts, at most this. Their impulses also hold blows, and pushes out of an
// overlap, which are the smaller the longer a substep is: what is wedged in would be thrown out.
#define STEP_CONTACT_IMPULSE_SCALE 2.0
static inline double step_contact_impulse_scale(const tn_world *world, const tni_solver *solver) {
    return maths_min_d(step_impulse_scale(world, solver), STEP_CONTACT_IMPULSE_SCALE);
}
// Returns the softness of a bias over a substep of h, s, in either mode.
tni_softness tni_softness_from_bias(const tn_bias *bias, float h);

// Takes from islands with joints, after the substeps, the energy that nothing gave them.
void tni_step_balance(tn_world *world, tni_step *step, double dt);
size_t tni_step_balance_size(void);
// Scales the impulses of these islands, after the world has them.
void tni_step_balance_impulses(tn_world *world, const tni_step *step);
// Returns whether something unknown leads a joint or stores energy in it: world/step/feeding.c. The
// poses are those of its ends.
bool tni_step_may_feed(const tni_joint *joint, const tni_body_motion *a, const tni_body_motion *b);
// Finds joints that contradict others by their load while open. Errors must be of this step.
void tni_step_find_fights(tn_world *world, tni_step *step, double dt);
// Puts back bodies that went through something, before the energy is balanced.
void tni_step_cast_net(tn_world *world, const tni_step *step, double dt);
// The first resets the motions of islands with a non-finite body to those of the step's start. The
// second clears what their joints, contacts and coordinates remember, once everything is written
// back.
void tni_step_find_lost(tn_world *world, tni_step *step, double dt);
void tni_step_forget_lost(tn_world *world, tni_step *step);
// Writes poses and velocities back to the world. A non-finite body keeps its last pose.
void tni_step_scatter_bodies(tn_world *world, tni_step *step);
// Adds events of joints that reached an end of a limit or left one: world/step/joint_limits.c.
void tni_step_tell_limits(tn_world *world);
// Slows down bodies that are faster than their speed limits: world/api/body_speeds.c.
void tni_step_limit_speeds(tn_world *world);
void tni_step_scatter_contacts(tn_world *world, const tni_step *step);
void tni_step_scatter_joints(tn_world *world, tni_step *step);
// Notes a joint's errors, m and rad, between these bodies of the solver: for the joint, for the
// telemetry, and for sleep.
void tni_step_note_error(tn_world *world, tni_step *step, tni_joint *joint, uint32_t body_a,
                         uint32_t body_b, double linear, double angular);
// Gathers the spans of function joints, once bodies are numbered (world/movers/step_spans.c);
// scatter_spans writes them back.
bool tni_step_gather_spans(tn_world *world, tni_step *step);
// Make an empty span of the joint, and room in it once it has rows and bodies.
bool tni_step_start_span(tn_world *world, tni_solver *solver, uint32_t joint, tni_span *span);
bool tni_step_allocate_span(tn_world *world, tni_span *span);
void tni_step_scatter_spans(tn_world *world, tni_step *step);
// Groups spans that are closed together, once it is known which ones a mechanism solves
// (world/movers/step_closings.c).
bool tni_step_gather_closings(tn_world *world, tni_step *step);
// Count the solver bodies that hold the speeds of reduced objects, gather these once joints have
// numbered the bodies, and join their islands (world/movers/step_reduced.c).
size_t tni_step_count_reduced_slots(const tn_world *world);
bool tni_step_gather_reduced(tn_world *world, tni_step *step);
void tni_step_join_reduced(const tni_solver *solver, uint32_t *parents);
void tni_step_scatter_reduced(tn_world *world, const tni_step *step);
// Marks the joints of rigid bodies that go with reduced ones. Call it before joints are gathered.
bool tni_step_adopt_joints(tn_world *world);
// Counts the awake joints that have reduced bodies or are solved with those that do. The next two
// make and store the span of one.
uint32_t tni_step_count_reduced_joints(const tn_world *world);
bool tni_step_make_joint_span(tn_world *world, tni_solver *solver, uint32_t joint, tni_span *span);
void tni_step_store_joint_span(tn_world *world, tni_step *step, const tni_span *span);
// Returns the object of a body that takes part in the step, or null.
tni_reduced *tni_step_find_object(const tn_world *world, uint32_t body);
// Gather the contacts of reduced bodies while coordinates move these, before all others are listed;
// join their islands; write them back (world/movers/step_span_contacts.c).
bool tni_step_gather_span_contacts(tn_world *world, tni_step *step);
void tni_step_join_span_contacts(const tn_world *world, const tni_solver *solver,
                                 uint32_t *parents);
void tni_step_scatter_span_contacts(tn_world *world, const tni_step *step);
// Returns whether a contact with points is none of these and is not disabled.
bool tni_step_lists_contact(const tn_world *world, const tni_awake_contact *entry);
// Stores which joints the direct solver leaves alone next, and the information about mechanisms.
void tni_step_scatter_mechanisms(tn_world *world, const tni_step *step);
// Stores the time of a mechanism in a small world, which reads the clock twice a step.
void tni_mechanism_note_time(tn_world *world);
void tni_step_scatter_gradients(tn_world *world, const tni_step *step);
// The last two disable and report bodies: runaways, which are too fast for a float, before the step
// begins, so that they do not carry along what they touch; and those that scatter found non-finite.
bool tni_body_is_runaway(const tni_body *body);
void tni_step_quarantine_runaways(tn_world *world);
void tni_step_quarantine(tn_world *world, const tni_step *step);
void tni_step_add_work(tn_world *world, const tni_step *step);
// Destroys the joints that broke: world/step/step_breaking.c.
void tni_step_break_joints(tn_world *world, const tni_step *step);

// Gives the awake bodies keys by their place in space, if parts asked for it: world/step/parts.c.
void tni_step_order_in_space(tn_world *world, const tni_step *step);

// Finds the islands that are solved at once, after bodies have their parts: world/step/stacks.c.
bool tni_step_find_stacks(tn_world *world, tni_step *step);
// Notes which of them could not be solved.
void tni_step_scatter_stacks(tn_world *world, const tni_step *step);
// Find islands by union-find over joints and contacts with points, and put those at rest to sleep.
void tni_step_find_islands(tn_world *world, tni_step *step);
void tni_step_sleep(tn_world *world, tni_step *step, double dt);

// ---- poses to blend (world/step/blend.c) --------------------------------------------------------

// Keeps the poses of the awake bodies before they move, and notes afterwards which of them did.
void tni_step_keep_poses(tn_world *world);
void tni_step_note_moves(tn_world *world);

#endif
