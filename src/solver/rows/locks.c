// solver/rows/locks.c: the inverse of rows whose bodies have locked axes: see solver/rows/locks.h.
#include "solver/rows/locks.h"

#include <string.h>

void tni_body_rows_add_response(const tni_body_rows *rows, const tni_body_state *body, uint32_t n,
                                double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS]) {
    tni_sym3 s = body->inv_inertia;
    const double m[3][3] = {{(double)s.xx, (double)s.xy, (double)s.xz},
                            {(double)s.xy, (double)s.yy, (double)s.yz},
                            {(double)s.xz, (double)s.yz, (double)s.zz}};
    for (uint32_t j = 0; j < n; ++j) {
        const tni_dvec3 *push = &rows->push[j], *turn = &rows->turn[j];
        tni_dvec3 v =
            dvec3_make((double)body->inv_mass.x * push->x, (double)body->inv_mass.y * push->y,
                       (double)body->inv_mass.z * push->z);
        tni_dvec3 w = dvec3_make(m[0][0] * turn->x + m[0][1] * turn->y + m[0][2] * turn->z,
                                 m[1][0] * turn->x + m[1][1] * turn->y + m[1][2] * turn->z,
                                 m[2][0] * turn->x + m[2][1] * turn->y + m[2][2] * turn->z);
        for (uint32_t i = 0; i < n; ++i) {
            k[i][j] += dvec3_dot(rows->push[i], v) + dvec3_dot(rows->turn[i], w);
        }
    }
}

// Clears the rows that are not `done`.
static void locks_clear_others(double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS], uint32_t n,
                               uint32_t done) {
    for (uint32_t i = 0; i < n * n; ++i) {
        bool has = (done >> (i / n) & 1) != 0 && (done >> (i % n) & 1) != 0;
        k[i / n][i % n] = has ? k[i / n][i % n] : 0.0;
    }
}

// Returns the rows that are neither blind nor redundant, as bits. With a ridge no row would count
// as redundant, so there is none here.
static uint32_t locks_find_rows(const tni_locked_rows *rows) {
    double k[DENSE_MAX_ROWS][DENSE_MAX_ROWS];
    uint32_t n = rows->n, seen = 0;
    memcpy(k, rows->k, sizeof k);
    for (uint32_t i = 0; i < n; ++i) {
        bool is_seen = k[i][i] > LOCKS_BLIND * rows->whole[i];
        seen |= (uint32_t)is_seen << i;
    }
    locks_clear_others(k, n, seen);
    return tni_dense_invert_exactly(k, rows->whole, n, LOCKS_LEAST_PIVOT, 0.0);
}

// Sets the biases to K (K + e D)^-1 bias, K that of the rows that are done.
static void locks_fade_biases(tni_locked_rows *rows, uint32_t done) {
    double damped[DENSE_MAX_ROWS][DENSE_MAX_ROWS], x[DENSE_MAX_ROWS] = {0.0};
    uint32_t n = rows->n;
    memcpy(damped, rows->k, sizeof damped);
    for (uint32_t i = 0; i < n; ++i) {
        bool has = (done >> i & 1) != 0;
        damped[i][i] += has ? (double)LOCKS_LEAST_LEFT * rows->whole[i] : 0.0;
    }
    tni_dense_invert_exactly(damped, rows->whole, n, 0.0, 0.0);
    for (uint32_t i = 0; i < n * n; ++i) {
        x[i / n] += damped[i / n][i % n] * rows->bias[i % n];
    }
    for (uint32_t i = 0; i < n; ++i) {
        rows->bias[i] = 0.0;
        for (uint32_t j = 0; j < n; ++j) {
            rows->bias[i] += rows->k[i][j] * x[j];
        }
    }
}

uint32_t tni_locks_invert(tni_locked_rows *rows) {
    uint32_t done = locks_find_rows(rows);
    locks_clear_others(rows->k, rows->n, done);
    locks_fade_biases(rows, done);
    tni_dense_invert_exactly(rows->k, rows->whole, rows->n, LOCKS_LEAST_PIVOT, LOCKS_RIDGE);
    return done;
}
