// solver/exact/mechanism_span_rope.c: a rope that does not stretch, over sheaves without friction,
// as one row of a mechanism.
//
// Symbols as in joints/functions/rope_joint.c: pieces g_i with directions n_i from p_i to p_{i+1},
// arms r. With no friction all pieces pull with one tension, so that the rope is one number,
//
//     C = l(t) - sum_i g_i >= 0     l(t) = l_0 + u (t - t_0), u the speed of the winch
//     J = -dg_i/dq:  on the body of p_i  lin += n_i, ang += r_i x n_i,  of p_{i+1} the opposite
//
// whose impulse is the tension's; a rigid one, which pushes too, is C = 0. K = -x d2C/dq2 = x sum_i
// d2g_i/dq2: of the body of one end, with G = [1, -[r]x] and a = +n at p_{i+1}, -n at p_i,
//
//     d2g/dq2 = G^T (1 - n n^T) G / g  and of turns alone  (r a^T + a r^T) / 2 - (r . a) 1
//
// Rope that passes a sheave does so without leaving a mark: the marks are where the sheaves are.
// Sources: those of joints/functions/rope_joint.c and joints/functions/graph_curvature.c.
// Test: tests/solver/exact/test_mechanism_span_rope.c
#include "solver/exact/mechanism_span.h"

#include <string.h>

// m: a shorter piece has no measurable curvature across.
#define ROPE_SHORT 1e-6

static const tni_rope *rope_of(const tni_mechanism_span *span) {
    return span->span->rope->own;
}

// Returns l(t).
static double rope_get_length(const tni_mechanism_span *span, double time) {
    const tni_rope *rope = rope_of(span);
    double paid = (time - span->span->rope->time) * (double)rope->settings.payout_speed;
    return maths_max_d(rope->marks[rope->piece_count - 1] + paid, 0.0);
}

void tni_mechanism_rope_measure(const tni_mechanism_span *span, const tni_graph_body *bodies) {
    tni_rope_measure(rope_of(span), bodies, span->shape);
}

double tni_mechanism_rope_get_error(const tni_mechanism_span *span, double time) {
    return rope_get_length(span, time) - tni_rope_get_extent(rope_of(span), span->shape);
}

double tni_mechanism_rope_get_rate(const tni_mechanism_span *span, double time) {
    return rope_get_length(span, time) > 0.0 ? (double)rope_of(span)->settings.payout_speed : 0.0;
}

void tni_mechanism_rope_get_gradient(const tni_mechanism_span *span, uint32_t body, double out[6]) {
    const tni_rope *rope = rope_of(span);
    tni_dvec3 lin = dvec3_make(0.0, 0.0, 0.0), ang = lin;
    for (uint32_t k = 0; k <= rope->piece_count; ++k) {
        if (rope->slots[k] != body) {
            continue;
        }
        tni_dvec3 pull = dvec3_make(0.0, 0.0, 0.0);
        pull = k < rope->piece_count ? dvec3_add(pull, span->shape->directions[k]) : pull;
        pull = k > 0 ? dvec3_sub(pull, span->shape->directions[k - 1]) : pull;
        lin = dvec3_add(lin, pull);
        ang = dvec3_add(ang, dvec3_cross(span->shape->arms[k], pull));
    }
    tni_mechanism_store6(out, lin, ang);
}

// ---- K -----------------------------------------------------------------------------------------

// Returns how the point moves with coordinate c of its body.
static tni_dvec3 rope_get_column(tni_dvec3 arm, uint32_t c) {
    tni_dvec3 axis =
        dvec3_make(c % 3 == 0 ? 1.0 : 0.0, c % 3 == 1 ? 1.0 : 0.0, c % 3 == 2 ? 1.0 : 0.0);
    return c < 3 ? axis : dvec3_cross(axis, arm);
}

// Adds x d2g/dq2 of the body at one end of a piece; `pull` is a.
static void rope_add_end(tni_mechanism_body *body, tni_dvec3 arm, tni_dvec3 pull, double length,
                         double x) {
    double across = length > ROPE_SHORT ? x / length : 0.0;
    const double r[3] = {arm.x, arm.y, arm.z}, a[3] = {pull.x, pull.y, pull.z};
    for (uint32_t i = 0; i < 6; ++i) {
        tni_dvec3 p = rope_get_column(arm, i);
        for (uint32_t j = 0; j < 6; ++j) {
            tni_dvec3 q = rope_get_column(arm, j);
            double bend = dvec3_dot(p, q) - dvec3_dot(p, pull) * dvec3_dot(q, pull);
            body->block.curvature[i][j] += across * bend;
        }
    }
    for (uint32_t i = 0; i < 3; ++i) {
        for (uint32_t j = 0; j < 3; ++j) {
            double along = i == j ? dvec3_dot(arm, pull) : 0.0;
            body->block.curvature[3 + i][3 + j] += x * (0.5 * (r[i] * a[j] + a[i] * r[j]) - along);
        }
    }
    body->block.has_curvature = body->block.has_linear_curvature = true;
}

void tni_mechanism_rope_add_curvature(tni_mechanism *mechanism, const tni_mechanism_span *span,
                                      double x) {
    const tni_rope *rope = rope_of(span);
    for (uint32_t i = 0; i < rope->piece_count; ++i) {
        for (uint32_t end = 0; end < 2; ++end) {
            uint32_t body = span->bodies[rope->slots[i + end]];
            if (body < mechanism->moving_count) {
                tni_dvec3 pull = dvec3_scale(span->shape->directions[i], end == 0 ? -1.0 : 1.0);
                rope_add_end(&mechanism->bodies[body], span->shape->arms[i + end], pull,
                             span->shape->lengths[i], x);
            }
        }
    }
}

// ---- the end of the step -----------------------------------------------------------------------

static void rope_note(const tni_mechanism *mechanism, const tni_mechanism_span *span) {
    tni_span_rope *rope = span->span->rope;
    tni_rope *own = rope->own;
    const tni_mechanism_span_row *row = span->rows;
    double length = rope_get_length(span, mechanism->times.now), extent = 0.0;
    for (uint32_t i = 0; i < own->piece_count; ++i) {
        bool is_last = i + 1 == own->piece_count;
        extent += span->shape->lengths[i];
        own->marks[i] = is_last ? length : extent;
        own->holds[i] = is_last ? TNI_ROPE_STUCK : TNI_ROPE_BACK;
        own->tensions[i] = 2.0 * row->impulse;
        rope->step_impulses[i] = row->sum;
    }
    rope->motor_work = -row->sum * (double)own->settings.payout_speed;
}

void tni_mechanism_rope_store(const tni_mechanism *mechanism, const tni_mechanism_span *span) {
    tni_span_rope *rope = span->span->rope;
    uint32_t last = rope->own->piece_count - 1;
    if (!isfinite(tni_mechanism_rope_get_error(span, mechanism->times.now))) {
        span->span->is_sound = false;
        return;
    }
    rope->errors[last] = -tni_mechanism_rope_get_error(span, mechanism->times.now);
    if (!mechanism->traits.is_coupled) {
        rope_note(mechanism, span);
    }
}
