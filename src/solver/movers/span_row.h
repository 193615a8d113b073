// solver/movers/span_row.h: one row of a span: J v, W J^T x, and the numbers that refreshes need.
//
// Derivation: solver/movers/span.c.
#ifndef TNI_SOLVER_MOVERS_SPAN_ROW_H
#define TNI_SOLVER_MOVERS_SPAN_ROW_H

#include <string.h>

#include "core/simd_double.h"
#include "solver/movers/span.h"

// rad per substep: up to this turn the second-order part is foretold in full, at twice this turn
// not at all.
#define SPAN_PREDICTION_TURN 1.0f

static inline float *tni_span_at(const tni_span *span, float *rows, uint32_t row, uint32_t body) {
    return rows + ((size_t)row * span->body_count + body) * 8;
}

// Returns J v.
static inline float tni_span_get_speed(const tni_solver *solver, const tni_span *span,
                                       uint32_t row) {
    tni_f4 sum = f4_splat(0.0f);
    for (uint32_t i = 0; i < span->body_count; ++i) {
        const float *v = solver->bodies.states[span->bodies[i]].numbers;
        const float *j = tni_span_at(span, span->jacobian, row, i);
        sum = f4_add_product(sum, f4_load(j), f4_load(v));
        sum = f4_add_product(sum, f4_load(j + 4), f4_load(v + TNI_STATE_W));
    }
    return f4_sum3(sum);
}

// Applies the impulse x: v += W J^T x.
static inline void tni_span_push(const tni_solver *solver, const tni_span *span, uint32_t row,
                                 float x) {
    tni_f4 factor = f4_splat(x);
    for (uint32_t i = 0; i < span->body_count; ++i) {
        if (span->moves[i]) {
            float *v = solver->bodies.states[span->bodies[i]].numbers;
            const float *w = tni_span_at(span, span->response, row, i);
            f4_store(v, f4_add_product(f4_load(v), factor, f4_load(w)));
            f4_store(v + TNI_STATE_W,
                     f4_add_product(f4_load(v + TNI_STATE_W), factor, f4_load(w + 4)));
        }
    }
}

// Returns J_i W J_k^T.
static inline float tni_span_get_coupling(const tni_span *span, uint32_t i, uint32_t k) {
    const float *j = tni_span_at(span, span->jacobian, i, 0);
    const float *w = tni_span_at(span, span->response, k, 0);
    tni_f4 sum = f4_splat(0.0f);
    for (uint32_t n = 0; n < span->body_count * 8; n += 4) {
        sum = f4_add_product(sum, f4_load(j + n), f4_load(w + n));
    }
    return f4_sum3(sum);
}

// Writes W J^T of one body.
static inline void tni_span_respond_body(const tni_body_state *state, const float *j, float *w) {
    tni_f4 inertia[3]; // columns of I^-1
    f4_load_symmetric(&state->numbers[TNI_STATE_INV_INERTIA], inertia);
    f4_store(w, f4_mul(f4_load3(&state->numbers[TNI_STATE_INV_MASS]), f4_load(j)));
    f4_store(w + 4, f4_mul_columns(inertia, f4_load(j + 4)));
    w[3] = w[7] = 0.0f;
}

static inline void tni_span_respond(const tni_solver *solver, const tni_span *span, uint32_t row,
                                    uint32_t i) {
    const float *j = tni_span_at(span, span->jacobian, row, i);
    float *w = tni_span_at(span, span->response, row, i);
    if (!span->moves[i]) {
        memset(w, 0, 8 * sizeof *w);
        return;
    }
    tni_span_respond_body(&solver->bodies.states[span->bodies[i]], j, w);
}

// Returns how much of Jdot v joins the bias, s, for bodies that turn by at most `speed`, rad/s.
static inline float tni_span_fade_prediction(const tni_solver *solver, float speed) {
    float turn = speed * solver->h * (1.0f / SPAN_PREDICTION_TURN);
    return 0.5f * solver->h * maths_clamp(2.0f - turn, 0.0f, 1.0f);
}

static inline float tni_span_get_prediction(const tni_solver *solver, const tni_span *span) {
    float square = 0.0f;
    for (uint32_t i = 0; i < span->part_count; ++i) {
        const tni_body_state *state = &solver->bodies.states[span->bodies[i]];
        bool is_reduced = span->member_of[i] != TNI_NONE; // its body state has no speed
        vec3s w = is_reduced
                      ? dvec3_to_float(solver->bodies.motions[span->bodies[i]].angular_velocity)
                      : state->w;
        square = maths_max(square, glms_vec3_dot(w, w));
    }
    return tni_span_fade_prediction(solver, sqrtf(square));
}

// Returns one body's part of J v, at the mean of its velocities before and after the phase.
static inline double tni_span_row_get_part(const tni_solver *solver, uint32_t body,
                                           const float *j) {
    const tni_body_motion *before = &solver->ledger.motions_before[body];
    const tni_body_motion *after = &solver->bodies.motions[body];
    tni_dvec3 v = dvec3_add(before->velocity, after->velocity);
    tni_dvec3 w = dvec3_add(before->angular_velocity, after->angular_velocity);
    return 0.5 * dvec3_dot(dvec3_make((double)j[0], (double)j[1], (double)j[2]), v) +
           0.5 * dvec3_dot(dvec3_make((double)j[4], (double)j[5], (double)j[6]), w);
}

// Returns J v of a row over these bodies, at that mean.
static inline double tni_span_row_get_mean_speed(const tni_solver *solver, const uint32_t *bodies,
                                                 uint32_t count, const float *row) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        sum += tni_span_row_get_part(solver, bodies[i], row + (size_t)i * 8);
    }
    return sum;
}

// Takes back what the ledger books as done on kinematic bodies: see solver/step/work.c.
static inline void tni_span_row_take_back(tni_solver *solver, const uint32_t *bodies,
                                          uint32_t count, const float *row, double impulse) {
    for (uint32_t i = 0; i < count && solver->ledger.has_leads; ++i) {
        if (solver->bodies.masses[bodies[i]].is_kinematic) {
            solver->ledger.work.force -=
                impulse * tni_span_row_get_part(solver, bodies[i], row + (size_t)i * 8);
        }
    }
}

static inline double tni_span_get_mean_speed(const tni_solver *solver, const tni_span *span,
                                             uint32_t row) {
    return tni_span_row_get_mean_speed(solver, span->bodies, span->body_count,
                                       tni_span_at(span, span->jacobian, row, 0));
}

#endif
