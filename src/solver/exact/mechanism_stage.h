// solver/exact/mechanism_stage.h: a stage of a mechanism and its projection.
//
// See solver/exact/midpoint.c, solver/exact/mechanism_project.c, solver/exact/mechanism_carry.c.
#ifndef TNI_SOLVER_EXACT_MECHANISM_STAGE_H
#define TNI_SOLVER_EXACT_MECHANISM_STAGE_H

#include "solver/exact/mechanism.h"

// ---- solver/exact/midpoint.c -------------------------------------------------------------------

// A stage of h has these times: its impulses act for t until the pose at which they stand, and its
// velocities go on for `way` until its end. They are half of h and h; for backward Euler h and h.
typedef struct tni_midpoint_times {
    double t, way;
} tni_midpoint_times;

typedef struct tni_newton {
    tni_midpoint_times times;
    uint32_t iteration, effort;
    uint32_t rounds; // how often it was close, but for its motors and limits
    uint32_t rate;   // of the mechanism's: 1: it began with the projection's factor
    bool closes;     // its rows once more at the end, since no projection does
    double before;   // m: how far the last iteration moved, 0: there is none to compare with
    double way;      // m: of the velocities that the last iteration left, over t
    double strayed;  // m: how far it has moved at most since its rows were made
    bool has_kept;   // the solution of the last iteration, for a secant
} tni_newton;

// These take a stage by the midpoint rule, or by backward Euler: the first sets its momenta and its
// guess, the second runs Newton's method. It returns false if that does not converge: the motions
// are still those at the start.
void tni_midpoint_begin(tni_mechanism *mechanism, double h, bool is_backward, tni_newton *newton);
bool tni_midpoint_converge(tni_mechanism *mechanism, tni_newton *newton);

// ---- solver/exact/mechanism_stage.c ------------------------------------------------------------

// Runs one stage, with its projection or without, all or nothing: where it fails nothing has
// changed except that the joints' impulses are zero.
bool tni_stage_run(tni_mechanism *mechanism, double h, bool is_backward, bool projects);
// True if nothing but its joints and the forces on its bodies moves it.
bool tni_mechanism_is_passive(const tni_mechanism *mechanism);
// Scales the impulses of the stage just done, for another length; a factor of 0 also clears those
// that are not numbers.
void tni_mechanism_scale_impulses(tni_mechanism *mechanism, double factor);
void tni_mechanism_slow_down(tni_mechanism *mechanism, double share);
// Has a mechanism that nothing holds fall on for h as one rigid body that does not turn; one that
// is held stays where it is.
void tni_mechanism_fall_on(tni_mechanism *mechanism, double h);

#endif
