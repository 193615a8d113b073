// solver/rows/equality.h: the equality rows of one joint as a dense system in lanes.
//
// It is for joints whose equalities are no pin (solver/rows/pin.h): rods, welds with a soft point,
// wheels and others.
//
// With K = J W J^T, an update is  x = -mass_scale K^-1 (J v + bias) - impulse_scale X,
// v += W J^T x, X the accumulated impulse. Everything a sweep needs lies in one run of floats, with
// L lanes (4 for up to four rows, else 8) and n rows. In this order:
//
//     J^T, 12 x L: [lin_a, ang_a, lin_b, ang_b] of row i in lane i; J v is 12 products of lanes
//
//     K^-1, L x L
//
//     bias, X, half of the last X, what J v + bias is without the bias (-J v wanted), L each
//
//     W J^T, n x 16, row by row as velocities stand in a body's state: v += x_i (W J^T)_i
//
// Functions take L and n as parameters that are constants where they are called, so that the
// compiler unrolls them and keeps what they work on in registers.
// Source: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997; layout:
// docs/architecture.md.
// Test: tests/solver/joints/test_joint_block.c
#ifndef TNI_SOLVER_ROWS_EQUALITY_H
#define TNI_SOLVER_ROWS_EQUALITY_H

#include "core/simd.h"
#include "solver/rows/dense.h"
#include "solver/rows/locks.h"
#include "solver/rows/velocities.h"

// N·s or N·m·s: an impulse below this becomes zero. One that fades away would otherwise become a
// denormal number, which is slow: see MATHS_TINY.
#define EQUALITY_TINY_IMPULSE 1e-20f

static inline uint32_t tni_equality_lanes(uint32_t rows) {
    return rows <= 4 ? 4 : 8;
}

// Returns the floats that n rows take.
static inline uint32_t tni_equality_size(uint32_t rows) {
    uint32_t lanes = tni_equality_lanes(rows);
    return rows == 0 ? 0 : (12 + lanes + 4) * lanes + lanes * 16;
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

// Returns the drift, which is zero for joints that do not depend on time.
static inline float *tni_equality_drift(float *data, uint32_t lanes) {
    return data + (15 + lanes) * lanes;
}

static inline float *tni_equality_response(float *data, uint32_t lanes) {
    return data + (16 + lanes) * lanes;
}

// Adds to each lane a sum over a row of the transposed Jacobian: sum += J^T[first ..]^T v.
TNI_KERNEL void equality_add_products(const float *data, uint32_t lanes, uint32_t first,
                                      const float *v, uint32_t count, tni_f4 *sum) {
    for (uint32_t c = 0; c < count; ++c) {
        tni_f4 factor = f4_splat(v[c]);
        for (uint32_t k = 0; k < lanes / 4; ++k) {
            sum[k] = f4_add_product(sum[k], f4_load(data + (first + c) * lanes + 4 * k), factor);
        }
    }
}

// Turns the twelve numbers of J of up to four rows to lanes: out[c] holds number c of every row.
TNI_KERNEL void equality_gather_rows(const tni_row *rows, uint32_t count, tni_f4 out[12]) {
    tni_f4 part[3][4];
    for (uint32_t i = 0; i < 4; ++i) {
        for (uint32_t p = 0; p < 3; ++p) {
            part[p][i] = i < count ? f4_load(rows[i].jacobian + 4 * p) : f4_splat(0.0f);
        }
    }
    for (uint32_t p = 0; p < 3; ++p) {
        f4_transpose(&part[p][0], &part[p][1], &part[p][2], &part[p][3]);
        for (uint32_t i = 0; i < 4; ++i) {
            out[4 * p + i] = part[p][i];
        }
    }
}

// Finds W J^T of one body, in lanes: six numbers from six, each three with a zero behind them, as
// the velocities stand in a body's state.
TNI_KERNEL void equality_weigh(const tni_body_state *body, const tni_f4 j[6], tni_f4 w[8]) {
    tni_sym3 m = body->inv_inertia;
    const float inertia[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    for (uint32_t c = 0; c < 3; ++c) {
        w[c] = f4_mul(f4_splat(body->inv_mass.raw[c]), j[c]);
        tni_f4 spin = f4_mul(f4_splat(inertia[c][0]), j[3]);
        spin = f4_add_product(spin, f4_splat(inertia[c][1]), j[4]);
        w[4 + c] = f4_add_product(spin, f4_splat(inertia[c][2]), j[5]);
    }
    w[3] = w[7] = f4_splat(0.0f);
}

// Turns lanes back to rows: eight numbers of each of up to four rows.
TNI_KERNEL void equality_scatter_rows(float *response, uint32_t count, tni_f4 w[8]) {
    f4_transpose(&w[0], &w[1], &w[2], &w[3]);
    f4_transpose(&w[4], &w[5], &w[6], &w[7]);
    for (uint32_t i = 0; i < count; ++i) {
        f4_store(response + i * 16, w[i]);
        f4_store(response + i * 16 + 4, w[4 + i]);
    }
}

// Makes J^T, W J^T and K^-1 from the rows at the present pose.
TNI_KERNEL void tni_equality_refresh(float *data, uint32_t lanes, const tni_row *rows, uint32_t n,
                                     const tni_body_state *a, const tni_body_state *b) {
    float *response = tni_equality_response(data, lanes);
    for (uint32_t first = 0; first < lanes; first += 4) {
        uint32_t count = n < first + 4 ? n - first : 4;
        tni_f4 j[12], w[8];
        equality_gather_rows(rows + first, count, j);
        for (uint32_t c = 0; c < 12; ++c) {
            f4_store(data + c * lanes + first, j[c]);
        }
        equality_weigh(a, j, w);
        equality_scatter_rows(response + first * 16, count, w);
        equality_weigh(b, j + 6, w);
        equality_scatter_rows(response + first * 16 + 8, count, w);
    }
    float k[64] = {0.0f};
    for (uint32_t i = 0; i < n; ++i) {
        tni_f4 sum[2] = {f4_splat(0.0f), f4_splat(0.0f)};
        for (uint32_t part = 0; part < 4; ++part) {
            equality_add_products(data, lanes, 3 * part, response + i * 16 + 4 * part, 3, sum);
        }
        for (uint32_t j = 0; j < lanes / 4; ++j) {
            f4_store(k + i * lanes + 4 * j, sum[j]);
        }
    }
    float *inverse = tni_equality_inverse(data, lanes);
    if (n != 3 || !tni_dense_invert_three(k, inverse, lanes)) {
        tni_dense_invert(k, inverse, n, lanes);
    }
}

// Returns the number of a row, in all lanes.
TNI_KERNEL tni_f4 equality_splat(const tni_f4 x[2], uint32_t row) {
    return f4_splat_lane(x[row / 4], row % 4);
}

// Adds v += W J^T x.
TNI_KERNEL void tni_equality_add(const float *data, uint32_t lanes, uint32_t n, const tni_f4 x[2],
                                 tni_velocities *v) {
    const float *response = data + (16 + lanes) * lanes;
    for (uint32_t i = 0; i < n; ++i) {
        tni_f4 factor = equality_splat(x, i);
        v->v_a = f4_add_product(v->v_a, factor, f4_load(response + i * 16));
        v->w_a = f4_add_product(v->w_a, factor, f4_load(response + i * 16 + 4));
        v->v_b = f4_add_product(v->v_b, factor, f4_load(response + i * 16 + 8));
        v->w_b = f4_add_product(v->w_b, factor, f4_load(response + i * 16 + 12));
    }
}

// Sets x = K^-1 r for one right side, n rows.
TNI_KERNEL void tni_equality_invert(const float *data, uint32_t lanes, uint32_t n,
                                    const tni_f4 r[2], tni_f4 x[2]) {
    const float *inverse = data + 12 * lanes;
    for (uint32_t k = 0; k < lanes / 4; ++k) {
        x[k] = f4_mul(f4_load(inverse + 4 * k), equality_splat(r, 0));
        for (uint32_t i = 1; i < n; ++i) {
            x[k] = f4_add_product(x[k], f4_load(inverse + i * lanes + 4 * k), equality_splat(r, i));
        }
    }
}

// Adds each lane's product of J with three numbers, whose part of J^T begins at `first`.
TNI_KERNEL void equality_add_speed(const float *data, uint32_t lanes, uint32_t first, tni_f4 v,
                                   tni_f4 sum[2]) {
    for (uint32_t c = 0; c < 3; ++c) {
        tni_f4 factor = f4_splat_lane(v, c);
        for (uint32_t k = 0; k < lanes / 4; ++k) {
            sum[k] = f4_add_product(sum[k], f4_load(data + (first + c) * lanes + 4 * k), factor);
        }
    }
}

// Adds speed += J v.
TNI_KERNEL void tni_equality_add_speed(const float *data, uint32_t lanes, const tni_velocities *v,
                                       tni_f4 speed[2]) {
    tni_f4 of_b[2] = {f4_splat(0.0f), f4_splat(0.0f)};
    // These are two sums that do not wait for each other.
    equality_add_speed(data, lanes, 0, v->v_a, speed);
    equality_add_speed(data, lanes, 3, v->w_a, speed);
    equality_add_speed(data, lanes, 6, v->v_b, of_b);
    equality_add_speed(data, lanes, 9, v->w_b, of_b);
    for (uint32_t k = 0; k < lanes / 4; ++k) {
        speed[k] = f4_add(speed[k], of_b[k]);
    }
}

TNI_KERNEL void tni_equality_solve(float *data, uint32_t lanes, uint32_t n, tni_softness soft,
                                   bool use_bias, tni_joint_ends ends, tni_body_state *a,
                                   tni_body_state *b) {
    const float *bias = use_bias ? tni_equality_bias(data, lanes) : tni_equality_drift(data, lanes);
    float *impulse = tni_equality_impulse(data, lanes);
    tni_velocities v = tni_velocities_load(a, b);
    tni_f4 r[2], x[2];
    for (uint32_t k = 0; k < lanes / 4; ++k) {
        r[k] = f4_load(bias + 4 * k);
    }
    tni_equality_add_speed(data, lanes, &v, r);
    tni_equality_invert(data, lanes, n, r, x);
    for (uint32_t k = 0; k < lanes / 4; ++k) {
        tni_f4 old = f4_load(impulse + 4 * k);
        if (use_bias) {
            tni_f4 scaled = f4_mul(f4_splat(soft.mass_scale), x[k]);
            x[k] = f4_add_product(scaled, f4_splat(soft.impulse_scale), old);
        }
        f4_store(impulse + 4 * k, f4_sub(old, x[k]));
        x[k] = f4_sub(f4_splat(0.0f), x[k]);
    }
    tni_equality_add(data, lanes, n, x, &v);
    tni_velocities_store(ends, &v, a, b);
}

// Applies half of the last substep's impulse at the first kick, the other half at the second.
TNI_KERNEL void tni_equality_warm_start(float *data, uint32_t lanes, uint32_t n, bool is_first_half,
                                        tni_joint_ends ends, tni_body_state *a, tni_body_state *b) {
    float *impulse = tni_equality_impulse(data, lanes), *warm = tni_equality_warm(data, lanes);
    tni_f4 half[2];
    for (uint32_t k = 0; k < lanes / 4; ++k) {
        tni_f4 old = f4_load(impulse + 4 * k);
        if (is_first_half) {
            half[k] = f4_flush(f4_mul(f4_splat(0.5f), old), EQUALITY_TINY_IMPULSE);
            f4_store(warm + 4 * k, half[k]);
            f4_store(impulse + 4 * k, half[k]);
        } else {
            half[k] = f4_load(warm + 4 * k);
            f4_store(impulse + 4 * k, f4_add(old, half[k]));
        }
    }
    tni_velocities v = tni_velocities_load(a, b);
    tni_equality_add(data, lanes, n, half, &v);
    tni_velocities_store(ends, &v, a, b);
}

#endif
