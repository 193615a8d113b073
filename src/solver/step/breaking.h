// solver/step/breaking.h: joints that break under their load, within the step.
//
// The impulse that a joint gives body b in a substep of h counts. Over h it is a force and a torque
// w, at the origin of frame b, in the axes of frame a. Its mean m over the joint's break_time t
// follows it as a filter of first order does,
//     m <- m + s (w - m),     s = 1 - e^(-h/t),
// e^-x as 1 / (1 + x + x^2/2 + x^3/6), which is 0 where t is. A joint whose m is more than it bears
// would break. Among joints that would break, and hang together by bodies that move, the one with
// the greatest load for what it bears does break: all its impulses of the substep are taken back,
// and the other joints are solved again without it. So the loads that they have to bear after it
// are found in the same substep, and the blow does not travel on through the broken joint. That
// repeats until nothing breaks, up to a bound; further joints wait for the next substep. At the end
// of the step the world takes the broken joints out.
//
// Rows of the user's own (custom and function joints) may break it too: each row's impulse counts
// in the same manner.
//
// In mechanisms that happens before a stage is accepted: the stage is taken again. Impulses that
// contacts give right after the stage are included in a first look, before they stand, and count
// with the next stage. Joints that are swept are looked at after solve B: solve A is soft and
// carries two thirds of a blow along a chain, beside the impulses that correct errors, which solve
// B takes back; only both together are a load. Bodies have moved by then; the joint's impulses are
// taken off their velocities, and h times that change stays in their places.
//
// Spans that are swept break in the same manner: solver/movers/span_breaking.c; those of mechanisms
// break as the joints of these: solver/exact/mechanism_span_breaking.c.
//
// A load that is not averaged over a time is of one substep, and only that of the step's last
// substep is kept. In those before it a joint whose impulses are too small to break it is passed
// over.
//
// Worlds without joints that may break read their number, and nothing else. When the world has
// breakable joints, nothing is swept in parts of its own, for each part would have to look at them.
// Test: tests/solver/step/test_breaking.c, tests/joints/test_breaking.c
#ifndef TNI_SOLVER_STEP_BREAKING_H
#define TNI_SOLVER_STEP_BREAKING_H

#include "solver/solver.h"

// A substep has this many looks at most after which joints may break.
#define TNI_BREAKING_MOST_ROUNDS 16

// Each round is followed by this many sweeps, as solve A has them over few joints: a joint that
// breaks leaves its load to others.
#define TNI_BREAKING_SWEEPS 4

// A joint gives these impulses on body a and b, and turns about their centres.
typedef struct tni_joint_push {
    tni_dvec3 linear_a, angular_a, linear_b, angular_b;
} tni_joint_push;

// The rows of a joint have these loads, if they are the user's own and may break it: N·s or N·m·s,
// N or N·m.
typedef struct tni_row_load {
    double given[TN_CUSTOM_MAX_ROWS], mean[TN_CUSTOM_MAX_ROWS]; // as below
    double before[TN_CUSTOM_MAX_ROWS]; // in a mechanism: in the step before this substep
} tni_row_load;

// This is a joint that may break.
struct tni_breakable {
    uint32_t block;
    tni_mechanism *mechanism; // that has it, or null
    tni_mechanism_joint *exact;
    tni_mechanism_sums before; // of that one, in the step before this substep
    // N·s, N·m·s: these were given in this substep until the last look, in world axes.
    double given[TNI_LOAD_NUMBERS];
    double mean[TNI_LOAD_NUMBERS]; // N, N·m: with that, not accepted yet
    tni_row_load *rows;            // or null
    tni_joint_push taken;          // of solve A, where solve B takes it back: for the ledger
    bool has_taken;
    double excess; // of a load over what the joint bears; 0: it bears it
    bool is_far;   // by far, and what the load is was not asked
};

// Notes the joints that may break, once the mechanisms are there too; no more than body_count
// bodies have joints. Returns false when memory cannot be had.
bool tni_breaking_make(tni_solver *solver, uint32_t body_count, tni_arena *arena);

// Returns 1 - e^(-h/t).
double tni_breaking_get_share(double h, double t);
// Returns the mean with one more load; without a time to average over it is that load alone, to the
// last bit.
static inline double tni_breaking_follow(double mean, double load, double share) {
    return share < 1.0 ? mean + share * (load - mean) : load;
}
// Notes in the joint's bearing which part of the mean is the largest relative to what the joint
// bears of it, and returns that ratio; 0 if it bears all.
double tni_breaking_compare(tni_joint *joint, const double mean[TNI_LOAD_NUMBERS]);
// Does the same for rows of the user's own, if their ratio is more than `most`, which is that of
// another cause.
double tni_breaking_compare_rows(tni_joint *joint, const double *mean, double most);

// A look is at these joints: those that are swept, after solve B; those that mechanisms step, after
// their stages; and those of mechanisms again, when contacts have pushed at once.
typedef enum tni_look {
    TNI_LOOK_SWEPT,
    TNI_LOOK_STAGE,
    TNI_LOOK_BLOW,
} tni_look;
// Weighs what joints bear; returns true if some would break.
bool tni_breaking_weigh(tni_solver *solver, tni_look look);
// Chooses which of these break. A mechanism that has lost a joint has to take its stage again.
void tni_breaking_break(tni_solver *solver, tni_look look);
// Is there anything that may break?
static inline bool tni_breaking_has_any(const tni_solver *solver) {
    return solver->breaking.count > 0 || solver->breaking.has_spans;
}
// Does both; returns true if some broke.
bool tni_breaking_look(tni_solver *solver, tni_look look);
// Accepts the means: nothing breaks any more.
void tni_breaking_accept(tni_solver *solver, tni_look look);
// Ends the substep, before the joints' impulses are stored.
void tni_breaking_end_substep(tni_solver *solver);

// The first marks all that hangs together with a block that breaks; the second makes some sweeps of
// solve B over all that was marked since the last time: solver/step/breaking_sweep.c.
void tni_breaking_mark(const tni_solver *solver, const tni_joint_block *block);
void tni_breaking_sweep(tni_solver *solver);

// Takes a swept joint out of the sweeps, and its impulses of the substep off its bodies:
// solver/joints/joint_leave.c.
void tni_joint_block_leave(tni_solver *solver, uint32_t index);
// These measure the impulses of its rows on body a and b in the substep; the same row by row; and,
// if work is measured, the part of solve A.
tni_joint_push tni_joint_block_get_push(const tni_solver *solver, const tni_joint_block *block);
void tni_joint_block_get_row_impulses(const tni_solver *solver, const tni_joint_block *block,
                                      float impulses[TNI_JOINT_MAX_ROWS]);
tni_joint_push tni_joint_block_get_first_push(const tni_solver *solver,
                                              const tni_joint_block *block);

#endif
