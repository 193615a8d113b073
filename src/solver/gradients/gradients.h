// solver/gradients/gradients.h: the joints of a mechanism solved together by conjugate gradients.
//
// See solver/gradients/conjugate_gradients.c for the method where all rows are equalities, and
// solver/gradients/nonsmooth_gradients.c where some are bounded. A mechanism here is a run of the
// solver's joint blocks, with work vectors beside them; it takes the place of the sweeps over these
// blocks in solve A, and nothing else of the substep changes.
#ifndef TNI_SOLVER_GRADIENTS_GRADIENTS_H
#define TNI_SOLVER_GRADIENTS_GRADIENTS_H

#include "core/simd.h"
#include "tenon/base.h"

typedef struct tni_solver tni_solver;

// A joint feeds its error back at this rate, and gives way by these shares: see
// solver/rows/softness.c.
typedef struct tni_softness {
    float rate; // 1/s
    float mass_scale, impulse_scale;
} tni_softness;

// This is a change of a body's velocity, or a force and a torque; three numbers and a zero each.
typedef struct tni_gradient_motion {
    float v[4], w[4];
} tni_gradient_motion;
#define TNI_MOTION_FLOATS 8

// The report counts the events of a step, over its substeps.
typedef struct tni_gradients_report {
    uint32_t iterations, failures; // failures: solves left to Gauss-Seidel
    double residual;               // the worst a solve ended with, relative to its right side
} tni_gradients_report;

typedef struct tni_gradient_lanes tni_gradient_lanes; // see solver/gradients/gradient_lanes.h

#define TNI_GRADIENT_VECTORS 7

// A mechanism is like this in the step under way.
typedef struct tni_gradients_state {
    bool is_wide;     // some block has turns: its vectors have two parts
    bool is_swept;    // preconditioned by symmetric Gauss-Seidel, else by block Jacobi
    bool is_coupled;  // joints of Gauss-Seidel, or contacts of spans, hold its bodies too
    bool is_opposed;  // and one of these fights it, or is far open
    bool is_strutted; // or is open
    bool is_struck;   // what moves and is not its own is near
    bool is_pressed;  // its bodies push each other: soft for this step and some more
    bool is_left;     // to Gauss-Seidel for the rest of the step
    bool is_strained; // its joints contradict each other: soft for this step and some more
    bool is_waiting;  // so it was before
    bool is_soft;     // as soft as under sweeps
    bool is_watched;  // nothing but joints does work on it: see solver/gradients/gradients_energy.c
    bool is_hung;     // on what does not move; where it is watched
    double gain;      // J: what joints added in the substep; where it is watched
} tni_gradients_state;

// A solve sweeps bounded rows with these: where their states are, D, d, p.
typedef struct tni_gradients_bounded {
    uint32_t *rows;
    float *weights, *step, *search;
    uint32_t swept_count;
} tni_gradients_bounded;

typedef struct tni_gradients {
    uint32_t first, count; // blocks of the solver
    uint32_t body_count;   // that move
    uint32_t *bodies;      // of the solver
    uint32_t equality_count, bounded_count, freedom_count;
    tni_softness softness, sweep_softness; // of rigid joints: here, and in sweeps
    uint32_t most_iterations;
    float tolerance;   // of the residual, relative to the right side
    double right_side; // b.D^-1 b of the last solve A
    // These go by block.
    tni_f4 *step, *search, *weighted; // where rows are bounded: d, p, D
    // These go by body of the mechanism, one of `bodies` after another from 1 on; 0 stands for all
    // bodies that stand still. They are W J^T or J^T of the vectors; `change` is zero between
    // solves.
    tni_gradient_motion *change, *along;
    float *weights;  // 1/m by axis and a zero, xx, yy, zz of 1/I and a zero
    float *products; // four zeros, xy, yz, xz and a zero; four zeros, xz, xy, yz and a zero
    bool has_products;
    // These are the joints in groups of eight, and the vectors of an iteration: see
    // solver/gradients/gradient_lanes.h.
    tni_gradient_lanes *lanes;
    uint32_t lanes_count, grouped_count; // grouped: in solver/joints/joint_group.h
    bool has_lanes;                      // the groups have the rows as they are
    bool is_far; // in these some error is more than TNI_GRADIENTS_FARTHEST, or no number
    float *lane_vectors[TNI_GRADIENT_VECTORS];
    tni_gradients_report report;
    double solve_ms; // of the step: for telemetry only
    tni_gradients_state state;
    tni_gradients_bounded bounded;
} tni_gradients;

// Runs one round of solve A or B of all mechanisms. Those that are coupled to other things come
// again in the rounds after the first. See solver/gradients/gradients_run.c.
void tni_gradients_run(tni_solver *solver, bool use_bias, bool is_first_round);
// Makes a mechanism as soft as Gauss-Seidel's for the rest of the step, and counts it as a failure.
void tni_gradients_soften(tni_solver *solver, tni_gradients *gradients);
// Runs solve B of one mechanism.
void tni_gradients_relax(tni_solver *solver, tni_gradients *gradients);
// Leaves the mechanism that has this block of the solver, if there is one, to sweeps until the end
// of the step: it has lost a joint.
void tni_gradients_leave(tni_solver *solver, uint32_t block);
// m or rad: joints that are farther apart than this are left to Gauss-Seidel, which gives way,
// until it has brought them together.
#define TNI_GRADIENTS_FARTHEST 0.1f
// Do its joints carry each other instead of a load? It is asked after solve A, with the impulses of
// the blocks, to which the solution is added here (`adds_found`) or has been added.
bool tni_gradients_are_strained(const tni_solver *solver, const tni_gradients *gradients,
                                bool adds_found);
// Solves one mechanism whose rows are all equalities; returns false where it went wrong: then
// nothing changed.
bool tni_gradients_solve_equalities(const tni_solver *solver, tni_gradients *gradients,
                                    bool use_bias);
// Solves one mechanism, some of whose rows are bounded; returns false where it went wrong.
bool tni_gradients_solve_bounded(tni_solver *solver, tni_gradients *gradients, bool use_bias);

// These come before and after solves A and B: with them fast turning mechanisms gain no energy. See
// solver/gradients/gradients_energy.c.
void tni_gradients_begin_phase(tni_solver *solver, bool is_first_half);
void tni_gradients_end_phase(tni_solver *solver, bool is_first_half);

// Returns b.D^-1 b of solve A.
double tni_gradients_get_right_side(const tni_solver *solver, tni_gradients *gradients);
void tni_gradients_clear(const tni_gradients *gradients, tni_gradient_motion *motions);
// A square of impulses and speeds (about J) below this shows that all is at rest to round-off;
// smaller squares become denormal.
#define TNI_GRADIENTS_NOTHING 1e-25

#endif
