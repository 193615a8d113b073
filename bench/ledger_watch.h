// bench/ledger_watch.h: by how much the works in a scene's energy ledger miss the change of its
// kinetic energy.
#ifndef BENCH_LEDGER_WATCH_H
#define BENCH_LEDGER_WATCH_H

#include "scenes/scene.h"

// What may be missing of the energy that moved.
#define LEDGER_SHARE 1e-3

typedef struct ledger_result {
    double time;     // s that were run
    double missing;  // J: at the end
    double off;      // J: the most that was missing
    double jump;     // J: the most that a step missed
    double when;     // s: the end of that step
    double moved;    // J: the largest of the kinetic energy and of every entry of the ledger
    double share;    // off / moved
    bool is_counted; // no: first-order dynamics, in which the ledger is empty
} ledger_result;

// Returns what the works of a step miss of the change of kinetic energy, J.
double ledger_get_missing(const tn_energy *before, const tn_energy *after);

// Runs the scene in a world made from `def`, with its ledger on. What the scene itself does to its
// bodies between two steps is left out: it has no entry.
ledger_result ledger_watch(const scene *which, const double *values, tn_world_def def,
                           double seconds, double hz, uint32_t substeps);

#endif
