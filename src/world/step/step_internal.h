// world/step/step_internal.h: what the files of a step share.
#ifndef TNI_WORLD_STEP_STEP_INTERNAL_H
#define TNI_WORLD_STEP_STEP_INTERNAL_H

#include "solver/solver.h"
#include "solver/step/cluster.h"
#include "world/world_internal.h"

#define TNI_STEP_MAX_SUBSTEPS 64

typedef struct tni_joint_plan tni_joint_plan; // see world/step/joint_plan.h

typedef struct tni_space_order tni_space_order; // see world/step/parts.c
#define TNI_SPACE_KEYS 512u

// Bodies: fewer are not worth a second worker.
#define TNI_STEP_MIN_RANGE 96

// Bodies that a contact holds together: solver indices, both 0 where it does not.
typedef struct tni_touching {
    uint32_t body_a, body_b;
} tni_touching;

typedef struct tni_balance tni_balance; // see world/step/step_balance.c

typedef struct tni_step {
    tni_solver solver;
    tni_inertia infinite_inertia; // of what does not move
    double ease;                  // how many times lighter first-order dynamics makes bodies, or 1
    tni_inertia *inertias;        // by body, then
    tni_touching *touching;       // what contacts say of islands, one for each
    const struct tni_contact_order *order; // of contacts, where there are some
    tni_cluster_bodies clusters;           // see world/step/clusters.h
    tni_parts parts;                       // see world/step/parts.h
    tni_space_order *space_order;          // what it takes to ask where in space bodies are
    bool wants_order;                      // and that it is to be done
    bool has_new_parts;                    // of bodies in a new order
    tni_joint_plan *plan;                  // the joints, kept for the next step, or null
    bool has_kept_joints;                  // and they are kept from the last one
    bool drops_plan;                       // something changed while the step's end looked at them
    bool has_broken_span;                  // some function joint bore more than it may
    uint32_t joint_body_count;             // of the solver's bodies, before contacts bring theirs
    uint32_t *body_of;      // the world's index of each solver body; TNI_NONE for the world itself
    uint32_t *island_of;    // solver body -> its root in the union-find
    uint32_t *island_sizes; // by root: its bodies (world/step/sleep.c), or those that lost it
    bool *is_restless;      // by root: the island may not sleep
    bool *is_touched;       // by root: something in it is touched
    bool *is_lost;          // by root: a body of it became non-finite
    bool *is_watched;       // by root: it has joints, and `balances` tells of its energy
    tni_balance *balances;
    bool has_excess;      // some island had too much
    bool has_strained;    // some joint is far open and made energy, or starts cold
    bool *is_broken;      // by body: it became non-finite
    double *shares;       // by body: of its way, that it keeps (world/step/step_net.c)
    uint32_t *tied;       // by body: scratch of the same
    bool *has_given_mass; // by body: mass and inertia are the user's, not those of the shapes
    uint32_t *broken;     // the world's indices of those that are to blame
    uint32_t broken_count;
    bool has_moves;      // the bodies' moves are written, as events
    bool has_mechanisms; // some awake joint may be more than Gauss-Seidel's
} tni_step;

// Fills the solver's arrays from the arena. False when memory cannot be had.
bool tni_step_gather(tn_world *world, tni_step *step, double dt, uint32_t substeps);
// The list of awake joints from heavy to light (world/step/joint_order.c), then their blocks.
bool tni_step_order_joints(tn_world *world);
bool tni_step_gather_joints(tn_world *world, tni_step *step);
// Their impulses into the blocks, once these stay where they are.
bool tni_step_start_joints(tn_world *world, tni_step *step);
// The same of joints that are kept.
void tni_step_restart_joints(tn_world *world, tni_step *step);
// What TN_SOLVER_AUTO chooses for their mechanisms, where that is not known any more.
bool tni_step_choose_solvers(tn_world *world, tni_step *step);
bool tni_step_gather_contacts(tn_world *world, tni_step *step);
// The joints that are solved exactly, with their bodies; their blocks go to the end.
bool tni_step_gather_mechanisms(tn_world *world, tni_step *step);
// Of joints that are kept: the numbers of a step; and whether, after one, they may be. Nothing
// touched anything then.
void tni_step_refill_mechanisms(tni_solver *solver);
bool tni_step_may_keep_mechanisms(const tni_solver *solver);
// Adds a body that is not awake (static, or a kinematic one at rest) once; returns its solver
// index.
uint32_t tni_step_add_fixed_body(tn_world *world, tni_step *step, uint32_t body);

// The joints that are solved by conjugate gradients: their blocks go to the end, before those of
// tni_step_gather_mechanisms come behind them; after that their places must be shifted.
bool tni_step_gather_gradients(tn_world *world, tni_step *step);
void tni_step_shift_gradients(tni_solver *solver);
// Of joints that are kept: the begin of a step; and whether, after one, they may be.
void tni_step_restart_gradients(tni_solver *solver);
bool tni_step_may_keep_gradients(const tn_world *world, const tni_solver *solver);

// The island that a joint belongs to: that of an end that moves.
static inline uint32_t step_get_island(const tni_step *step, const tni_joint_block *block) {
    bool moves_a = step->solver.bodies.masses[block->body_a].is_dynamic;
    return step->island_of[moves_a ? block->body_a : block->body_b];
}

// What impulses of the last step's substep are scaled by to be this one's, so that forces carry
// over.
static inline double step_impulse_scale(const tn_world *world, const tni_solver *solver) {
    return world->previous_h > 0.0 ? solver->dh / world->previous_h : 1.0;
}
// For contacts, whose impulses hold blows and pushes out of an overlap too: those of a substep more
// than so many times shorter are no measure of a load, and none are carried over.
#define STEP_CONTACT_IMPULSE_SCALE 16.0
static inline double step_contact_impulse_scale(const tn_world *world, const tni_solver *solver) {
    double scale = step_impulse_scale(world, solver);
    return scale <= STEP_CONTACT_IMPULSE_SCALE ? scale : 0.0;
}
// The softness of a bias over a substep of h, whichever its mode.
tni_softness tni_softness_from_bias(const tn_bias *bias, float h);

// After the substeps: takes from islands with joints the energy that nothing gave them.
void tni_step_balance(tn_world *world, tni_step *step, double dt);
size_t tni_step_balance_size(void);
// After their impulses are the world's: scales those of these islands.
void tni_step_balance_impulses(tn_world *world, const tni_step *step);
// Joints that contradict others, by what they bear while they stand open; errors are of this step.
void tni_step_find_fights(tn_world *world, tni_step *step, double dt);
// After that: puts back bodies that went through something.
void tni_step_cast_net(tn_world *world, const tni_step *step, double dt);
// Islands with a body that is not finite: their motions are those of the step's start again; and,
// once all is written back, what their joints, contacts and coordinates remember is gone.
void tni_step_find_lost(tn_world *world, tni_step *step, double dt);
void tni_step_forget_lost(tn_world *world, tni_step *step);
// Back to the world: poses and velocities (a non-finite body keeps its last pose), impulses.
void tni_step_scatter_bodies(tn_world *world, tni_step *step);
// Events of joints that came to an end of a limit or left one: world/step/joint_limits.c.
void tni_step_tell_limits(tn_world *world);
// Slows down what is faster than it may leave a step: world/api/body_speeds.c.
void tni_step_limit_speeds(tn_world *world);
void tni_step_scatter_contacts(tn_world *world, const tni_step *step);
void tni_step_scatter_joints(tn_world *world, tni_step *step);
// What a joint between these bodies of the solver is off by, m and rad: for itself, for the
// telemetry, and for who may sleep.
void tni_step_note_error(tn_world *world, tni_step *step, tni_joint *joint, uint32_t body_a,
                         uint32_t body_b, double linear, double angular);
// Function joints: their spans, once bodies are numbered, and back (world/movers/step_spans.c).
// False when memory cannot be had.
bool tni_step_gather_spans(tn_world *world, tni_step *step);
// A span of the joint, with nothing but that; and room for its rows, once it has rows and bodies.
bool tni_step_start_span(tn_world *world, tni_solver *solver, uint32_t joint, tni_span *span);
bool tni_step_allocate_span(tn_world *world, tni_span *span);
void tni_step_scatter_spans(tn_world *world, tni_step *step);
// Groups of these that are closed together, once it is known which a mechanism solves
// (world/movers/step_closings.c). False when memory cannot be had.
bool tni_step_gather_closings(tn_world *world, tni_step *step);
// Bodies that are given by coordinates: room for their speeds, objects once joints have numbered
// the bodies, and what hangs together (world/movers/step_reduced.c). Gather and make are false when
// memory cannot be had.
size_t tni_step_count_reduced_slots(const tn_world *world);
bool tni_step_gather_reduced(tn_world *world, tni_step *step);
void tni_step_join_reduced(const tni_solver *solver, uint32_t *parents);
void tni_step_scatter_reduced(tn_world *world, const tni_step *step);
// Before joints are gathered: those between rigid bodies that go with joints of reduced ones. False
// when memory cannot be had.
bool tni_step_adopt_joints(tn_world *world);
// How many awake joints have such bodies, or go with them; the span of one, and back.
uint32_t tni_step_count_reduced_joints(const tn_world *world);
bool tni_step_make_joint_span(tn_world *world, tni_solver *solver, uint32_t joint, tni_span *span);
void tni_step_store_joint_span(tn_world *world, tni_step *step, const tni_span *span);
// The object of a body that takes part in the step, or null.
tni_reduced *tni_step_find_object(const tn_world *world, uint32_t body);
// Contacts with such bodies while these move by their coordinates, made before all others are
// listed; what they say of islands, and back (world/movers/step_span_contacts.c). Gather is false
// when memory cannot be had.
bool tni_step_gather_span_contacts(tn_world *world, tni_step *step);
void tni_step_join_span_contacts(const tn_world *world, const tni_solver *solver,
                                 uint32_t *parents);
void tni_step_scatter_span_contacts(tn_world *world, const tni_step *step);
// Of a contact with points: is it none of these, and has nobody disabled it?
bool tni_step_lists_contact(const tn_world *world, const tni_awake_contact *entry);
// Which joints the direct solver leaves alone in the next steps, and what the mechanisms tell of
// this one.
void tni_step_scatter_mechanisms(tn_world *world, const tni_step *step);
// Of a small world, whose clock is read before and after the step alone.
void tni_mechanism_note_time(tn_world *world);
void tni_step_scatter_gradients(tn_world *world, const tni_step *step);
// Disables and reports the bodies that are too fast for a float before the step begins, so that
// they do not carry what they touch along; and those that scatter found non-finite.
bool tni_body_is_runaway(const tni_body *body);
void tni_step_quarantine_runaways(tn_world *world);
void tni_step_quarantine(tn_world *world, const tni_step *step);
void tni_step_add_work(tn_world *world, const tni_step *step);
// Takes out the joints that broke: world/step/step_breaking.c
void tni_step_break_joints(tn_world *world, const tni_step *step);

// Gives the awake bodies keys by their place in space, if parts ask for it: world/step/parts.c.
void tni_step_order_in_space(tn_world *world, const tni_step *step);

// Finds the islands that are solved at once, once bodies have their parts: world/step/stacks.c.
// False when memory cannot be had.
bool tni_step_find_stacks(tn_world *world, tni_step *step);
// Notes which of them could not be.
void tni_step_scatter_stacks(tn_world *world, const tni_step *step);
// Islands by union-find over joints and contacts with points; then sleep of those at rest.
void tni_step_find_islands(tn_world *world, tni_step *step);
void tni_step_sleep(tn_world *world, tni_step *step, double dt);

#endif
