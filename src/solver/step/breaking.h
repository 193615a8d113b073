// solver/step/breaking.h: joints that break under their load, within the step.
//
// The impulse that a joint gives body b in a substep of h counts. Over h it is a force and a torque
// w, at the origin of frame b, in the axes of frame a. Its mean m over the joint's break_time t
// follows it as a filter of first order does,
//     m <- m + s (w - m),     s = 1 - e^(-h/t),
// e^-x as 1 / (1 + x + x^2/2 + x^3/6), which is 0 where t is. A joint whose m is more than it bears
// would break. Among joints that would break, and hang together by bodies that move, the one with
// the greatest load for what it bears does break: all that it gave in the substep is taken back,
// and the others are solved again without it. So what they have to bear after it is found in the
// same substep, and the blow does not travel on through what broke. That repeats until nothing
// breaks, so often at most; what is left waits for the next substep. At the end of the step the
// world takes the joints out that broke.
//
// Rows of the user's own (custom and function joints) may break it too: what counts of each is its
// impulse, in the same manner.
//
// In mechanisms that happens before a stage is accepted: the stage is taken again. Impulses that
// contacts give right after the stage are included in a first look, before they stand, and count
// with the next stage. Joints that are swept are looked at after solve B: solve A is soft and
// carries two thirds of a blow along a chain, beside what pulls errors together, which solve B
// takes back; only both together are a load. Bodies have moved by then; what the joint gave goes
// off their velocities, and what stays of it is h times that in their places.
//
// Spans that are swept break in the same manner: solver/movers/span_breaking.c; those of
// mechanisms as the joints of these: solver/exact/mechanism_span_breaking.c.
//
// A load that is not averaged over a time is of one substep, and only that of the step's last is
// kept. In those before it a joint whose impulses are too small for all it bears is passed over.
//
// Worlds without joints that may break ask for their number, and nothing else. When the world has
// breakable joints, nothing is swept in parts of its own: there it would have to be looked at in
// each. Test: tests/solver/step/test_breaking.c, tests/joints/test_breaking.c
#ifndef TNI_SOLVER_STEP_BREAKING_H
#define TNI_SOLVER_STEP_BREAKING_H

#include "solver/solver.h"

// Looks of a substep after which joints may break.
#define TNI_BREAKING_MOST_ROUNDS 16

// Sweeps after each round, as solve A has them over few joints: a joint that breaks leaves its load
// to others.
#define TNI_BREAKING_SWEEPS 4

// Impulses on body a and b, and turns about their centres.
typedef struct tni_joint_push {
    tni_dvec3 linear_a, angular_a, linear_b, angular_b;
} tni_joint_push;

// The load of its rows, if they are the user's own and may break it: N·s or N·m·s, N or N·m.
typedef struct tni_row_load {
    double given[TN_CUSTOM_MAX_ROWS], mean[TN_CUSTOM_MAX_ROWS]; // as below
    double before[TN_CUSTOM_MAX_ROWS]; // in a mechanism: in the step before this substep
} tni_row_load;

// A joint that may break.
struct tni_breakable {
    uint32_t block;
    tni_mechanism *mechanism; // that has it, or null
    tni_mechanism_joint *exact;
    tni_mechanism_sums before; // of that one, in the step before this substep
    // N·s, N·m·s: in this substep until the last look, world axes.
    double given[TNI_LOAD_NUMBERS];
    double mean[TNI_LOAD_NUMBERS]; // N, N·m: with that, not accepted yet
    tni_row_load *rows;            // or null
    tni_joint_push taken;          // of solve A, where solve B takes it back: for the ledger
    bool has_taken;
    double excess; // of a load over what the joint bears; 0: it bears it
    bool is_far;   // by far, and what the load is was not asked
};

// Notes them, once the mechanisms are there too; no more bodies than these have joints. False when
// memory cannot be had.
bool tni_breaking_make(tni_solver *solver, uint32_t body_count, tni_arena *arena);

// 1 - e^(-h/t).
double tni_breaking_get_share(double h, double t);
// The mean with one more load; without a time to average over that load alone, to the last bit.
static inline double tni_breaking_follow(double mean, double load, double share) {
    return share < 1.0 ? mean + share * (load - mean) : load;
}
// Notes in the joint's bearing which part of the mean is the most for what the joint bears, and
// returns by how much; 0 if it bears all.
double tni_breaking_compare(tni_joint *joint, const double mean[TNI_LOAD_NUMBERS]);
// The same of rows of the user's own, where it is more than `most`, which is so of another cause.
double tni_breaking_compare_rows(tni_joint *joint, const double *mean, double most);

// Which joints are looked at: those that are swept, after solve B; those that mechanisms step,
// after their stages; and these, when contacts have pushed at once.
typedef enum tni_look {
    TNI_LOOK_SWEPT,
    TNI_LOOK_STAGE,
    TNI_LOOK_BLOW,
} tni_look;
// Weighs what they bear; true if some would break.
bool tni_breaking_weigh(tni_solver *solver, tni_look look);
// Chooses among those the ones that do. A mechanism that has lost one has to take its stage again.
void tni_breaking_break(tni_solver *solver, tni_look look);
// Is there anything that may break?
static inline bool tni_breaking_has_any(const tni_solver *solver) {
    return solver->breaking.count > 0 || solver->breaking.has_spans;
}
// Does both; true if some broke.
bool tni_breaking_look(tni_solver *solver, tni_look look);
// Nothing breaks any more.
void tni_breaking_accept(tni_solver *solver, tni_look look);
// Ends the substep, before what joints did is stored.
void tni_breaking_end_substep(tni_solver *solver);

// Marks what hangs together with a block that breaks; and some sweeps of solve B over all that is
// marked since the last time: solver/step/breaking_sweep.c.
void tni_breaking_mark(const tni_solver *solver, const tni_joint_block *block);
void tni_breaking_sweep(tni_solver *solver);

// A swept joint out of the sweeps, and what it has done in the substep off its bodies:
// solver/joints/joint_leave.c.
void tni_joint_block_leave(tni_solver *solver, uint32_t index);
// Measures what its rows have done to body a and b in the substep; and, if work is measured, the
// part of solve A.
tni_joint_push tni_joint_block_get_push(const tni_solver *solver, const tni_joint_block *block);
void tni_joint_block_get_row_impulses(const tni_solver *solver, const tni_joint_block *block,
                                      float impulses[TNI_JOINT_MAX_ROWS]);
tni_joint_push tni_joint_block_get_first_push(const tni_solver *solver,
                                              const tni_joint_block *block);

#endif
