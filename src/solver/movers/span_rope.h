// solver/movers/span_rope.h: a rope as a span: one row for each piece, and tensions that fit
// together.
//
// Derivation: solver/movers/span_rope.c.
#ifndef TNI_SOLVER_MOVERS_SPAN_ROPE_H
#define TNI_SOLVER_MOVERS_SPAN_ROPE_H

#include "solver/movers/rope_tension.h"
#include "solver/movers/span.h"

// The numbers of the pieces; a sum covers the pieces up to each one.
typedef struct tni_span_rope {
    tni_rope *own;
    double time;                                        // s: of the last refresh
    bool is_spring;                                     // the rope stretches
    bool is_open;                                       // the rope was slack at the last refresh
    bool is_taut;                                       // the last sweep found tension
    double hertz, damping_ratio;                        // of the joint
    double k[TNI_ROPE_MAX_PIECES][TNI_ROPE_MAX_PIECES]; // J W J^T
    double k_sum;                                       // of all pieces as one
    double terms[TNI_ROPE_MAX_PIECES];                  // what coordinates add to each C'', m/s^2
    double ratios[TNI_ROPE_MAX_PIECES];
    double errors[TNI_ROPE_MAX_PIECES];   // m: sums of the pieces beyond their rope
    double drifts[TNI_ROPE_MAX_PIECES];   // m/s: sums of C's second-order parts
    double softness[TNI_ROPE_MAX_PIECES]; // Gamma in solve A, 1/kg
    double rate;                          // 1/s, at which solve A removes errors
    double firmness;                      // 1/kg: see ROPE_KEEP in solver/movers/span_rope.c
    double share;                         // theta of a spring, else 1
    double paid;                          // m let out in this substep
    bool has_begun;                       // the step's first refresh is done
    double energy_before;                 // J: elastic, at the start of the step
    double warm[TNI_ROPE_MAX_PIECES], phase_start[TNI_ROPE_MAX_PIECES]; // N·s
    double step_impulses[TNI_ROPE_MAX_PIECES], motor_work;              // N·s, J
} tni_span_rope;

// Returns the elastic energy at the last refresh, J.
double tni_span_rope_get_energy(const tni_solver *solver, const tni_span *span);
// These do for ropes what the functions of solver/movers/span.h do for spans.
void tni_span_rope_refresh(tni_solver *solver, tni_span *span);
void tni_span_rope_warm_start(const tni_solver *solver, tni_span *span, bool is_first_half);
void tni_span_rope_sweep(const tni_solver *solver, tni_span *span, bool use_bias);
// Return the greatest tension of this substep, N·s, and take all tension off the bodies.
double tni_span_rope_get_greatest(const tni_span *span);
void tni_span_rope_leave(const tni_solver *solver, tni_span *span);
void tni_span_rope_store(const tni_solver *solver, tni_span *span);
void tni_span_rope_begin_phase(tni_span *span);
void tni_span_rope_end_phase(tni_solver *solver, const tni_span *span, bool is_first_half);

#endif
