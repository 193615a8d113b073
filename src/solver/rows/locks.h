// solver/rows/locks.h: rows of which locked axes of a body leave next to nothing.
//
// A body that may not move along an axis answers a row along it by turning alone, and if its arm
// lies along the row not even in this way. A nearly blind row still stops the body, but the impulse
// that closes the last trace of its error would throw it about. So each such row has the share
//     K (K + e D)^-1 bias,   D = diag(what the row's response is without locks)
// of its bias (Levenberg's damping), which is all of it where locks leave the rows more than a
// share e of their response, and nothing in a blind row. Rows that are redundant once an axis is
// locked are found by their pivots, the greatest share of D first and in double: in the order of
// the rows, and in float, round-off passes for a pivot after a few of them, and its inverse throws
// the body. Source: J. Nocedal, S. Wright, "Numerical optimization", 2nd ed. 2006, 10.3
// (Levenberg-Marquardt). Test: tests/world/step/test_locked_joints.c
#ifndef TNI_SOLVER_ROWS_LOCKS_H
#define TNI_SOLVER_ROWS_LOCKS_H

#include "solver/rows/dense.h"
#include "solver/solver.h"

// Locks must leave a row this share to close its errors, and to bear a bounded row: the square of
// 3e-3, the sine of an arm's angle to the row.
#define LOCKS_LEAST_LEFT 1e-5f
// A row of which they leave less than this share is blind: the square of 1e-4.
#define LOCKS_BLIND 1e-8
// A pivot under this share of its row's own response shows that the row is redundant.
#define LOCKS_LEAST_PIVOT 1e-4
// The share of its diagonal that each pivot grows by, as of a pin: with less, the errors of floats
// become as large as the inverse, and sweeps diverge.
#define LOCKS_RIDGE 2e-6

static inline bool locks_take_some(float x, float y, float z) {
    bool has_none = x == 0.0f || y == 0.0f || z == 0.0f;
    return has_none && !(x == 0.0f && y == 0.0f && z == 0.0f);
}

static inline bool locks_take_all(float x, float y, float z) {
    return x == 0.0f && y == 0.0f && z == 0.0f;
}

// Is some axis locked? A body whose turns are all locked counts as a particle, whose rows are
// independent.
static inline bool tni_state_is_locked(const tni_body_state *body) {
    const tni_sym3 *w = &body->inv_inertia;
    bool turns = !locks_take_all(w->xx, w->yy, w->zz);
    return locks_take_some(body->inv_mass.x, body->inv_mass.y, body->inv_mass.z) ||
           locks_take_some(w->xx, w->yy, w->zz) ||
           (turns && locks_take_all(body->inv_mass.x, body->inv_mass.y, body->inv_mass.z));
}

// A body moves and turns by this at most under a unit force or torque along any axis.
typedef struct tni_ease {
    float shift, turn; // 1/kg, 1/(kg·m²)
} tni_ease;

static inline tni_ease tni_state_get_ease(const tni_body_state *body) {
    const tni_sym3 *w = &body->inv_inertia;
    tni_ease ease = {maths_max(maths_max(body->inv_mass.x, body->inv_mass.y), body->inv_mass.z),
                     maths_max(maths_max(w->xx, w->yy), w->zz)};
    return ease;
}

// Returns about the response of a row without locks, summed over its two ends.
static inline float tni_row_get_whole(const tni_row *row, const tni_body_state *a,
                                      const tni_body_state *b) {
    tni_ease of_a = tni_state_get_ease(a), of_b = tni_state_get_ease(b);
    return of_a.shift * glms_vec3_norm2(row->lin_a) + of_a.turn * glms_vec3_norm2(row->ang_a) +
           of_b.shift * glms_vec3_norm2(row->lin_b) + of_b.turn * glms_vec3_norm2(row->ang_b);
}

// These are the rows of one body: along which they push, and about which they turn.
typedef struct tni_body_rows {
    tni_dvec3 push[DENSE_MAX_ROWS], turn[DENSE_MAX_ROWS];
} tni_body_rows;

// Adds J W J^T of one body.
void tni_body_rows_add_response(const tni_body_rows *rows, const tni_body_state *body, uint32_t n,
                                double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS]);

typedef struct tni_locked_rows {
    double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS]; // J W J^T
    double whole[DENSE_MAX_ROWS];             // about what its diagonal is without locks
    double bias[DENSE_MAX_ROWS];
    uint32_t n;
} tni_locked_rows;

// Inverts k in place, without blind and redundant rows, and with a ridge; and takes from the biases
// what rows cannot close without a throw. Returns the rows that the inverse has, as bits; the
// impulses of the others have to go, which would push where the arm turns away from the row.
uint32_t tni_locks_invert(tni_locked_rows *rows);

#endif
