// solver/equality.h: the equality rows of one joint as a dense system in lanes.
//
// With K = J W J^T, an update is  x = -mass_scale K^-1 (J v + bias) - impulse_scale X,  v += W J^T
// x, X the accumulated impulse. Everything a sweep needs lies in one run of floats, L lanes (4 for
// up to four rows, else 8) and n rows:
//     J^T      12 x L   [lin_a, ang_a, lin_b, ang_b] of row i in lane i: J v is 12 products of
//     lanes K^-1      L x L bias, X, half of the last X: L each W J^T    n x 12   row by row: v +=
//     x_i (W J^T)_i runs along the velocities
// Functions take L as a parameter that is a constant where they are called, so that the compiler
// unrolls and vectorises them.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997; layout:
// docs/architecture.md. Test: tests/solver/test_joint_block.c
#ifndef TNI_SOLVER_EQUALITY_H
#define TNI_SOLVER_EQUALITY_H

#include "solver/dense.h"
#include "solver/solver.h"

static inline uint32_t tni_equality_lanes(uint32_t rows) {
    return rows <= 4 ? 4 : 8;
}

// Floats that n rows take.
static inline uint32_t tni_equality_size(uint32_t rows) {
    uint32_t lanes = tni_equality_lanes(rows);
    return rows == 0 ? 0 : (12 + lanes + 3) * lanes + lanes * 12;
}

static inline float *tni_equality_inverse(float *data, uint32_t lanes) {
    return data + 12 * lanes;
}

static inline float *tni_equality_bias(float *data, uint32_t lanes) {
    return data + (12 + lanes) * lanes;
}

static inline float *tni_equality_impulse(float *data, uint32_t lanes) {
    return data + (13 + lanes) * lanes;
}

static inline float *tni_equality_warm(float *data, uint32_t lanes) {
    return data + (14 + lanes) * lanes;
}

static inline float *tni_equality_response(float *data, uint32_t lanes) {
    return data + (15 + lanes) * lanes;
}

// From the rows at the present pose: J^T, W J^T and K^-1.
static inline void tni_equality_refresh(float *data, uint32_t lanes, const tni_row *rows,
                                        uint32_t n, const tni_body_state *a,
                                        const tni_body_state *b) {
    float *response = tni_equality_response(data, lanes);
    for (uint32_t i = 0; i < n; ++i) {
        const tni_row *row = &rows[i];
        vec3s spin_a = sym3_mul(a->inv_inertia, row->ang_a);
        vec3s spin_b = sym3_mul(b->inv_inertia, row->ang_b);
        float *w = response + i * 12;
        for (uint32_t c = 0; c < 3; ++c) {
            data[c * lanes + i] = row->lin_a.raw[c];
            data[(3 + c) * lanes + i] = row->ang_a.raw[c];
            data[(6 + c) * lanes + i] = row->lin_b.raw[c];
            data[(9 + c) * lanes + i] = row->ang_b.raw[c];
            w[c] = a->inv_mass.raw[c] * row->lin_a.raw[c];
            w[3 + c] = spin_a.raw[c];
            w[6 + c] = b->inv_mass.raw[c] * row->lin_b.raw[c];
            w[9 + c] = spin_b.raw[c];
        }
    }
    float k[64];
    for (uint32_t i = 0; i < n; ++i) {
        float sum[8] = {0};
        for (uint32_t c = 0; c < 12; ++c) {
            for (uint32_t j = 0; j < lanes; ++j) {
                sum[j] += response[i * 12 + c] * data[c * lanes + j];
            }
        }
        for (uint32_t j = 0; j < lanes; ++j) {
            k[i * lanes + j] = sum[j];
        }
    }
    tni_dense_invert(k, tni_equality_inverse(data, lanes), n, lanes);
}

// v += W J^T x
static inline void tni_equality_apply(float *data, uint32_t lanes, uint32_t n, const float *x,
                                      tni_body_state *a, tni_body_state *b) {
    const float *response = tni_equality_response(data, lanes);
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t c = 0; c < 6; ++c) {
            a->velocity[c] += x[i] * response[i * 12 + c];
        }
        for (uint32_t c = 0; c < 6; ++c) {
            b->velocity[c] += x[i] * response[i * 12 + 6 + c];
        }
    }
}

// x = K^-1 r for one right side, n rows.
static inline void tni_equality_solve_system(float *data, uint32_t lanes, uint32_t n,
                                             const float *r, float *x) {
    const float *inverse = tni_equality_inverse(data, lanes);
    for (uint32_t j = 0; j < lanes; ++j) {
        x[j] = 0.0f;
    }
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < lanes; ++j) {
            x[j] += inverse[i * lanes + j] * r[i];
        }
    }
}

static inline void tni_equality_solve(float *data, uint32_t lanes, uint32_t n, tni_softness soft,
                                      bool use_bias, tni_body_state *a, tni_body_state *b) {
    const float *bias = tni_equality_bias(data, lanes);
    float *impulse = tni_equality_impulse(data, lanes);
    float r[8], x[8];
    for (uint32_t j = 0; j < lanes; ++j) {
        r[j] = use_bias ? bias[j] : 0.0f;
    }
    for (uint32_t c = 0; c < 6; ++c) {
        for (uint32_t j = 0; j < lanes; ++j) {
            r[j] += data[c * lanes + j] * a->velocity[c];
        }
    }
    for (uint32_t c = 0; c < 6; ++c) {
        for (uint32_t j = 0; j < lanes; ++j) {
            r[j] += data[(6 + c) * lanes + j] * b->velocity[c];
        }
    }
    tni_equality_solve_system(data, lanes, n, r, x);
    float mass_scale = use_bias ? soft.mass_scale : 1.0f;
    float impulse_scale = use_bias ? soft.impulse_scale : 0.0f;
    for (uint32_t j = 0; j < lanes; ++j) {
        x[j] = -mass_scale * x[j] - impulse_scale * impulse[j];
        impulse[j] += x[j];
    }
    tni_equality_apply(data, lanes, n, x, a, b);
}

// Half of the last substep's impulse at the first kick, the other half at the second.
static inline void tni_equality_warm_start(float *data, uint32_t lanes, uint32_t n,
                                           bool is_first_half, tni_body_state *a,
                                           tni_body_state *b) {
    float *impulse = tni_equality_impulse(data, lanes), *warm = tni_equality_warm(data, lanes);
    for (uint32_t j = 0; j < lanes; ++j) {
        warm[j] = is_first_half ? 0.5f * impulse[j] : warm[j];
        impulse[j] = is_first_half ? warm[j] : impulse[j] + warm[j];
    }
    tni_equality_apply(data, lanes, n, warm, a, b);
}

#endif
