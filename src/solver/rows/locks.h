// solver/rows/locks.h: rows of which locked axes of a body leave next to nothing.
//
// A body that may not move along an axis answers a row along it by turning alone, and if its arm
// lies along the row not even in this way; in a nearly blind row the impulse that closes the last
// trace of an error would throw the body about. Rows that locks leave less than a share of their
// response take no part. Rows that are redundant once an axis is locked are found by their pivots,
// the greatest first and in double: in the order of the rows, and in float, round-off passes for a
// pivot after a few of them, and its inverse throws the body.
// Test: tests/world/step/test_locked_joints.c
#ifndef TNI_SOLVER_ROWS_LOCKS_H
#define TNI_SOLVER_ROWS_LOCKS_H

#include "solver/rows/dense.h"
#include "solver/solver.h"

// Locks must leave a row this share: the square of 3e-3, the sine of an arm's angle to the row.
#define LOCKS_LEAST_LEFT 1e-5f
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

// Takes row i out of a matrix of n rows, each `lanes` numbers long, if locks leave next to nothing
// of it. Returns true if so: then its impulse has to go, which would push where the arm turns away
// from the row.
static inline bool tni_locks_drop_row(float *matrix, uint32_t lanes, uint32_t n, uint32_t i,
                                      float whole) {
    bool is_left = matrix[i * lanes + i] > LOCKS_LEAST_LEFT * whole;
    for (uint32_t j = 0; j < n && !is_left; ++j) {
        matrix[i * lanes + j] = matrix[j * lanes + i] = 0.0f;
    }
    return !is_left;
}

// Inverts n rows, each `lanes` numbers long, without the redundant ones, and with a ridge. Returns
// the rows that the inverse has, as bits; the impulses of the others have to go.
static inline uint32_t tni_locks_invert(const float *matrix, float *inverse, uint32_t n,
                                        uint32_t lanes) {
    double m[DENSE_MAX_ROWS][DENSE_MAX_ROWS], without[DENSE_MAX_ROWS][DENSE_MAX_ROWS];
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            m[i][j] = without[i][j] = (double)matrix[i * lanes + j];
        }
    }
    // With a ridge no row would count as redundant, so this is done without.
    uint32_t done = tni_dense_invert_exactly(without, n, LOCKS_LEAST_PIVOT, 0.0);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n && (done >> i & 1) == 0; ++j) {
            m[i][j] = m[j][i] = 0.0;
        }
    }
    tni_dense_invert_exactly(m, n, LOCKS_LEAST_PIVOT, LOCKS_RIDGE);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < lanes; ++j) {
            inverse[i * lanes + j] = j < n ? (float)m[i][j] : 0.0f;
        }
    }
    return done;
}

#endif
