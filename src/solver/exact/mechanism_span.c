// solver/exact/mechanism_span.c: rows over several bodies, or of the time, in the stage and
// projection of a mechanism.
//
// A row constrains one number C of up to sixteen bodies and of the time t. Its function gives C,
// J = dC/dq of each body, and with the bodies' velocities v the whole C', so that C changes by C_t
// = C' - J v with the time alone. In solver/exact/midpoint.c it is a row like those of joints,
//     momenta    + J(q_m, t_m)^T l       rows   C(q_1, t_1) = 0
// with times that go with the poses: t_m halfway, t_1 at the end. The projection closes C at t_1
// and asks for J v + C_t = 0. K = -sum l d2C/dq2 by the function's own second derivatives
// (joints/functions/graph_curvature.c), of which the diagonal blocks are kept, as of joints
// (joints/exact_row.h). If a row is not finite, all rows of its span are zero: J = 0, C = 0.
//
// Limits are those of solver/exact/mechanism_actor.c: one that pushes is closed at the end of the
// stage like an equality and lets go where it would pull, the projection finds which come to push.
// One that was passed, by what the projection did not foresee, is put back by this, without speed:
// a stage that closed it would throw it back with twice the speed that this takes. A rope that does
// not stretch, over sheaves without friction, is one of these rows:
// solver/exact/mechanism_span_rope.c.
//
// Sources: A. Shabana, "Dynamics of multibody systems", 2005, section 3.4 (driving constraints); M.
// Tournier et al., "Stable constrained dynamics", SIGGRAPH 2015 (geometric stiffness).
// Test: tests/solver/exact/test_mechanism_span.c
#include "solver/exact/mechanism_span.h"

#include <string.h>

static double span_get_time(const tni_mechanism *mechanism, tni_mechanism_pose pose) {
    return pose == TNI_MECHANISM_START    ? mechanism->times.now
           : pose == TNI_MECHANISM_MIDDLE ? mechanism->times.middle
                                          : mechanism->times.end;
}

static void span_find_bodies(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                             tni_mechanism_pose pose, tni_graph_body *bodies) {
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        bodies[i] = (tni_graph_body){
            .motion = tni_mechanism_span_get_motion(mechanism, span->bodies[i], pose),
            .center = span->span->centers[i]};
    }
}

// Evaluates all numbers of its function, without gradients where only C is asked for.
static void span_evaluate(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                          tni_mechanism_pose pose, bool has_gradients) {
    const tni_function *function = span->span->function;
    tni_graph_values values = function->values;
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES];
    span_find_bodies(mechanism, span, pose, bodies);
    if (span->shape != NULL) {
        tni_mechanism_rope_measure(span, bodies);
        return;
    }
    values.gradients = has_gradients ? values.gradients : NULL;
    tni_graph_evaluate(function->graph, bodies, span_get_time(mechanism, pose), &values);
}

static const tni_graph_value *span_get_value(const tni_mechanism_span *span, uint32_t row) {
    const tni_function *function = span->span->function;
    return &function->values.numbers[function->numbers[row]];
}

// Returns C at a time, of the poses last evaluated.
static double span_get_error(const tni_mechanism_span *span, uint32_t row, double time) {
    return span->shape != NULL ? tni_mechanism_rope_get_error(span, time)
                               : span_get_value(span, row)->value;
}

static void span_get_gradient(const tni_mechanism_span *span, uint32_t row, uint32_t i,
                              double out[6]) {
    const tni_function *function = span->span->function;
    memset(out, 0, 6 * sizeof *out);
    if (span->shape != NULL) {
        tni_mechanism_rope_get_gradient(span, i, out);
        return;
    }
    const double *g =
        tni_graph_get_gradient(function->graph, &function->values, function->numbers[row], i);
    if (g != NULL) {
        memcpy(out, g, 6 * sizeof *out);
    }
}

// Copies J of a body in a row as it was last evaluated, without its locked axes.
static void span_take_gradient(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                               uint32_t row, uint32_t i, double out[6]) {
    uint32_t body = span->bodies[i];
    span_get_gradient(span, row, i, out);
    uint32_t locks = body != TNI_NONE ? tni_mechanism_get_locks(mechanism, body) : 0;
    for (uint32_t c = 0; c < 6; ++c) {
        bool is_locked = (locks & (TN_BODY_LOCK_LINEAR_X << c)) != 0;
        out[c] = body == TNI_NONE || is_locked ? 0.0 : out[c];
    }
}

// ---- rows --------------------------------------------------------------------------------------

static void span_emit_row(const tni_mechanism *mechanism, tni_mechanism_span *span, uint32_t r) {
    tni_mechanism_span_row *row = &span->rows[r];
    row->error = span_get_error(span, r, mechanism->times.middle);
    double sum = fabs(row->error);
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        double *j = tni_mechanism_span_at(span, r, i);
        span_take_gradient(mechanism, span, r, i, j);
        for (uint32_t c = 0; c < 6; ++c) {
            sum += fabs(j[c]);
        }
    }
    row->error -= row->rest;
    row->rate = 0.0;
    if (span->shape != NULL) {
        row->rate = tni_mechanism_rope_get_rate(span, mechanism->times.middle);
    } else if (span->span->function->has_time) {
        double first = span_get_value(span, r)->first;
        row->rate = first - tni_mechanism_span_get_speed(mechanism, span, r, TNI_MECHANISM_MIDDLE);
    }
    span->span->is_sound = span->span->is_sound && isfinite(sum + fabs(row->rate));
}

static void span_silence(tni_mechanism_span *span) {
    size_t numbers = (size_t)6 * span->row_count * span->span->body_count;
    memset(span->jacobian, 0, numbers * sizeof *span->jacobian);
    for (uint32_t r = 0; r < span->row_count; ++r) {
        span->rows[r].error = span->rows[r].rate = 0.0;
    }
}

void tni_spanned_emit(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, TNI_MECHANISM_MIDDLE, true);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            span_emit_row(mechanism, span, r);
        }
        if (!span->span->is_sound || span->span->is_broken) {
            span_silence(span);
        }
    }
}

// ---- forces ------------------------------------------------------------------------------------

void tni_spanned_apply_fresh(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, TNI_MECHANISM_MIDDLE, true);
        for (uint32_t r = 0; r < span->row_count && span->span->is_sound; ++r) {
            for (uint32_t i = 0; i < span->span->body_count; ++i) {
                double j[6];
                span_take_gradient(mechanism, span, r, i, j);
                tni_mechanism_span_push(mechanism, span->bodies[i], j, span->rows[r].impulse);
            }
        }
    }
}

// Adds the block of one body of the span.
static void span_add_block(tni_mechanism_body *body, const double *curvature, uint32_t body_count,
                           uint32_t i) {
    for (uint32_t c = 0; c < 6; ++c) {
        const double *row = curvature + (size_t)(6 * i + c) * 6 * body_count + 6 * i;
        for (uint32_t d = 0; d < 6; ++d) {
            body->block.curvature[c][d] -= row[d];
            body->block.has_linear_curvature |= (c < 3 || d < 3) && row[d] != 0.0;
        }
    }
    body->block.has_curvature = true;
}

// Adds -x d2C/dq2 of all rows together, as the graph was last evaluated, at the middle poses.
static void span_add_curvature(tni_mechanism *mechanism, const tni_mechanism_span *span,
                               double half) {
    const tni_function *function = span->span->function;
    uint32_t count = span->span->body_count;
    double *curvature = mechanism->spans.room, *weights = curvature + (size_t)36 * count * count;
    tni_graph_body bodies[TN_GRAPH_MAX_BODIES] = {{.motion = NULL}};
    span_find_bodies(mechanism, span, TNI_MECHANISM_MIDDLE, bodies);
    memset(weights, 0, function->graph->number_count * sizeof *weights);
    for (uint32_t r = 0; r < span->row_count; ++r) {
        weights[function->numbers[r]] += half * span->rows[r].impulse;
    }
    tni_graph_find_curvature(function->graph, bodies, count, &function->values, weights, curvature);
    for (uint32_t i = 0; i < count; ++i) {
        if (span->bodies[i] < mechanism->moving_count) {
            span_add_block(&mechanism->bodies[span->bodies[i]], curvature, count, i);
        }
    }
}

// A rope has one row.
void tni_spanned_add_curvatures(tni_mechanism *mechanism, double half) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        double pull = 0.0;
        for (uint32_t r = 0; r < span->row_count && span->span->is_sound; ++r) {
            pull = maths_max_d(pull, fabs(span->rows[r].impulse));
        }
        if (pull > 0.0 && span->shape != NULL) {
            tni_mechanism_rope_add_curvature(mechanism, span, half * span->rows[0].impulse);
        } else if (pull > 0.0) {
            span_add_curvature(mechanism, span, half);
        }
    }
}

// ---- C -----------------------------------------------------------------------------------------

// Returns C, or zero where that is no number.
static double span_read_error(const tni_mechanism_span *span, uint32_t r, double time) {
    double error = span_get_error(span, r, time) - span->rows[r].rest;
    span->span->is_sound = span->span->is_sound && isfinite(error);
    return span->span->is_sound && !span->span->is_broken ? error : 0.0;
}

void tni_spanned_measure(const tni_mechanism *mechanism, tni_mechanism_pose pose) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, pose, false);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            span->rows[r].measured = span_read_error(span, r, span_get_time(mechanism, pose));
        }
    }
}

bool tni_spanned_have_rates(const tni_mechanism *mechanism) {
    bool any = false;
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        any |=
            span->span->function->has_time ||
            (span->shape != NULL && tni_mechanism_rope_get_rate(span, mechanism->times.now) != 0.0);
    }
    return any;
}

// ---- the end of the step -----------------------------------------------------------------------

void tni_spanned_store(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, TNI_MECHANISM_START, false);
        if (span->shape != NULL) {
            tni_mechanism_rope_store(mechanism, span);
            continue;
        }
        for (uint32_t r = 0; r < span->row_count && !mechanism->traits.is_coupled; ++r) {
            tni_row_state *state = &span->span->rows[r].state;
            state->impulse = maths_to_float(2.0 * span->rows[r].impulse);
            state->step_impulse = maths_to_float(span->rows[r].sum);
        }
    }
}
