// solver/movers/rope_tension.h: the tensions of one rope, its bodies' velocities given.
//
// Derivation: solver/movers/rope_tension.c.
#ifndef TNI_SOLVER_MOVERS_ROPE_TENSION_H
#define TNI_SOLVER_MOVERS_ROPE_TENSION_H

#include "joints/functions/rope_joint.h"

// The conditions that a rope meets: see solver/movers/rope_tension.c. Only the numbers of the first
// `count` pieces are used.
typedef struct tni_rope_system {
    uint32_t count;
    double give[TNI_ROPE_MAX_PIECES][TNI_ROPE_MAX_PIECES]; // K + Gamma, symmetric
    double wanted[TNI_ROPE_MAX_PIECES]; // F: what the tensions take from the pieces up to each one
    double ratio[TNI_ROPE_MAX_PIECES];  // of sheaves, >= 1
    double most;                        // N·s, of the last piece
    bool may_push;
} tni_rope_system;

// Finds the tensions, N·s, and what each sheave and the last point do, beginning from what `holds`
// says. Returns false if the rope is slack: then all tensions are zero.
bool tni_rope_system_solve(const tni_rope_system *system, uint8_t *holds, double *out_tensions);

#endif
