// solver/exact/mechanism_span.c: rows over several bodies, or of the time, in the stage and
// projection of a mechanism.
//
// A row constrains one number C of up to sixteen bodies and of the time t. Its function gives C,
// J = dC/dq of each body, and with the bodies' velocities v the whole C', so that C changes by C_t
// = C' - J v with the time alone. In solver/exact/midpoint.c it is a row like those of joints,
//     momenta    + J(q_m, t_m)^T l       rows   C(q_1, t_1) = 0
// with times that go with the poses: t_m halfway, t_1 at the end. The projection closes C at t_1
// and asks for J v + C_t = 0. K = -sum l d2C/dq2 by the function's own second derivatives
// (joints/graph_curvature.c), of which the diagonal blocks are kept, as of joints
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

// m/s and so on: a speed into a limit that is round-off.
#define SPAN_TINY_SPEED 1e-12

typedef enum span_pose {
    SPAN_START,
    SPAN_MIDDLE,
    SPAN_END,
} span_pose;

static const tni_body_motion *span_get_motion(const tni_mechanism *mechanism, uint32_t body,
                                              span_pose pose) {
    static const tni_body_motion at_rest = {.rotation = {0.0, 0.0, 0.0, 1.0}};
    if (body == TNI_NONE) {
        return &at_rest;
    }
    const tni_mechanism_body *record = &mechanism->bodies[body];
    return pose == SPAN_START ? &record->motion : pose == SPAN_END ? &record->end : &record->middle;
}

static double span_get_time(const tni_mechanism *mechanism, span_pose pose) {
    return pose == SPAN_START    ? mechanism->times.now
           : pose == SPAN_MIDDLE ? mechanism->times.middle
                                 : mechanism->times.end;
}

static void span_find_bodies(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                             span_pose pose, tni_graph_body *bodies) {
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        bodies[i] = (tni_graph_body){.motion = span_get_motion(mechanism, span->bodies[i], pose),
                                     .center = span->span->centers[i]};
    }
}

// Evaluates all numbers of its function, without gradients where only C is asked for.
static void span_evaluate(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                          span_pose pose, bool has_gradients) {
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

static double span_dot_motion(const double j[6], const tni_body_motion *motion) {
    return dvec3_dot(dvec3_make(j[0], j[1], j[2]), motion->velocity) +
           dvec3_dot(dvec3_make(j[3], j[4], j[5]), motion->angular_velocity);
}

// Returns J v.
static double span_get_speed(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                             uint32_t row, span_pose pose) {
    double speed = 0.0;
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        speed += span_dot_motion(tni_mechanism_span_at(span, row, i),
                                 span_get_motion(mechanism, span->bodies[i], pose));
    }
    return speed;
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
        row->rate = first - span_get_speed(mechanism, span, r, SPAN_MIDDLE);
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
        span_evaluate(mechanism, span, SPAN_MIDDLE, true);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            span_emit_row(mechanism, span, r);
        }
        if (!span->span->is_sound || span->span->is_broken) {
            span_silence(span);
        }
    }
}

void tni_spanned_scale(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            double scale = 0.0;
            for (uint32_t i = 0; i < span->span->body_count; ++i) {
                if (span->bodies[i] >= mechanism->moving_count) {
                    continue; // it does not move, or is the world
                }
                const tni_mechanism_body *body = &mechanism->bodies[span->bodies[i]];
                const double *j = tni_mechanism_span_at(span, r, i);
                tni_dvec3 lin = dvec3_make(j[0], j[1], j[2]), ang = dvec3_make(j[3], j[4], j[5]);
                scale += body->inv_mass * dvec3_dot(lin, lin) +
                         dvec3_dot(ang, dmat3_mul_vec(&body->block.inertia, ang));
            }
            span->rows[r].scale = scale > DBL_MIN ? scale : 1.0;
        }
    }
}

// ---- forces ------------------------------------------------------------------------------------

static void span_push(tni_mechanism *mechanism, uint32_t index, const double j[6], double x) {
    if (index < mechanism->moving_count) {
        tni_mechanism_body *body = &mechanism->bodies[index];
        body->linear = dvec3_add_scaled(body->linear, x, dvec3_make(j[0], j[1], j[2]));
        body->angular = dvec3_add_scaled(body->angular, x, dvec3_make(j[3], j[4], j[5]));
    }
}

void tni_spanned_apply(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            for (uint32_t i = 0; i < span->span->body_count; ++i) {
                span_push(mechanism, span->bodies[i], tni_mechanism_span_at(span, r, i),
                          span->rows[r].impulse);
            }
        }
    }
}

void tni_spanned_apply_fresh(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, SPAN_MIDDLE, true);
        for (uint32_t r = 0; r < span->row_count && span->span->is_sound; ++r) {
            for (uint32_t i = 0; i < span->span->body_count; ++i) {
                double j[6];
                span_take_gradient(mechanism, span, r, i, j);
                span_push(mechanism, span->bodies[i], j, span->rows[r].impulse);
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
    span_find_bodies(mechanism, span, SPAN_MIDDLE, bodies);
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
            pull = fmax(pull, fabs(span->rows[r].impulse));
        }
        if (pull > 0.0 && span->shape != NULL) {
            tni_mechanism_rope_add_curvature(mechanism, span, half * span->rows[0].impulse);
        } else if (pull > 0.0) {
            span_add_curvature(mechanism, span, half);
        }
    }
}

// ---- right sides -------------------------------------------------------------------------------

// Returns C, or zero where that is no number.
static double span_read_error(const tni_mechanism_span *span, uint32_t r, double time) {
    double error = span_get_error(span, r, time) - span->rows[r].rest;
    span->span->is_sound = span->span->is_sound && isfinite(error);
    return span->span->is_sound && !span->span->is_broken ? error : 0.0;
}

void tni_spanned_begin(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, SPAN_START, false);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            double error = span_read_error(span, r, mechanism->times.now);
            span->rows[r].passed = span->rows[r].is_limit ? fmin(error, 0.0) : 0.0;
        }
    }
}

void tni_spanned_fill_ends(tni_mechanism *mechanism, double inv_h) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, SPAN_END, false);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            tni_mechanism_span_row *row = &span->rows[r];
            double error = span_read_error(span, r, mechanism->times.end) - row->passed;
            row->unknown = row->is_out ? 0.0 : error * inv_h + row->softness * row->impulse;
        }
    }
}

void tni_spanned_fill_rest(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, SPAN_START, false);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            double error = span_read_error(span, r, mechanism->times.now);
            bool rests = span->rows[r].is_limit && (span->rows[r].is_out || error > 0.0);
            span->rows[r].unknown = rests ? 0.0 : error;
        }
    }
}

void tni_spanned_fill_speeds(tni_mechanism *mechanism, double inv_h) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            tni_mechanism_span_row *row = &span->rows[r];
            row->unknown = span_get_speed(mechanism, span, r, SPAN_START) + row->rate;
            row->unknown += row->is_limit && row->error > 0.0 ? row->error * inv_h : 0.0;
        }
    }
}

// ---- errors ------------------------------------------------------------------------------------

double tni_spanned_get_error(const tni_mechanism *mechanism) {
    double worst = 0.0;
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, SPAN_START, false);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            const tni_mechanism_span_row *row = &span->rows[r];
            double error = span_read_error(span, r, mechanism->times.now) + row->rest;
            worst = row->is_limit ? worst : fmax(worst, fabs(error));
        }
    }
    return worst;
}

void tni_spanned_note_rests(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, SPAN_START, false);
        for (uint32_t r = 0; r < span->row_count; ++r) {
            double error = span_read_error(span, r, mechanism->times.now);
            span->rows[r].rest += span->rows[r].is_limit ? 0.0 : error;
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

// ---- limits ------------------------------------------------------------------------------------

// Returns J v with the changes in place, and C_t.
static double span_get_new_speed(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                                 uint32_t r) {
    double speed = span_get_speed(mechanism, span, r, SPAN_START) + span->rows[r].rate;
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        if (span->bodies[i] < mechanism->moving_count) {
            speed += tni_mechanism_dot6(tni_mechanism_span_at(span, r, i),
                                        mechanism->bodies[span->bodies[i]].change);
        }
    }
    return speed;
}

bool tni_spanned_change_limits(tni_mechanism *mechanism, double inv_h) {
    bool changed = false;
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            tni_mechanism_span_row *row = &span->rows[r];
            double open = row->error > 0.0 ? row->error * inv_h : 0.0;
            bool passes = span_get_new_speed(mechanism, span, r) + open < -SPAN_TINY_SPEED;
            bool pulls = 2.0 * row->impulse + row->unknown < 0.0;
            if (row->is_limit && (row->is_out ? passes : pulls)) {
                row->is_out = !row->is_out;
                changed = true;
            }
        }
    }
    return changed;
}

void tni_spanned_set_limits(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            float x = span->shape != NULL ? maths_to_float(span->span->rope->own->tensions[0])
                                          : span->span->rows[r].state.impulse;
            span->rows[r].is_out =
                span->rows[r].is_limit && (mechanism->traits.alternates || !(x > 0.0f));
        }
    }
}

// ---- the end of the step -----------------------------------------------------------------------

void tni_spanned_store(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        span_evaluate(mechanism, span, SPAN_START, false);
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
