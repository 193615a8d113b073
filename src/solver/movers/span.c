// solver/movers/span.c: rows over several bodies at once, under projected Gauss-Seidel.
//
// A row of a span constrains one number C of n bodies and of the time t:
//
//     C' = sum_i J_i v_i + C_t        v_i = [v, w] of body i,  C_t = dC/dt while bodies stand
//     C'' = J v' + s s: its part at zero acceleration
//
// joints/functions/graph_value.c gives C, J, C_t and s. An impulse x changes v_i by W_i J_i^T x,
// W_i the inverse masses of body i. With K = sum_i J_i W_i J_i^T the equalities are one dense
// system and go through the phases of solver.h like those of any joint:
//
//     solve A   J v + C_t + h/2 s + rate C = 0, soft      solve B   J v + C_t = 0
//
// The equalities of a span that a mechanism solves (solver/exact/mechanism_span.c) are left alone
// here.
//
// The other rows come one at a time after them, by the rules of solver/rows/drive.c with
// C_t added to J v; the next sweep repairs what they do to the equalities. Spans are swept after
// all joints, one after the other. Ropes are spans with rows of their own:
// solver/movers/span_rope.c; joints with bodies that are given by coordinates too:
// solver/movers/span_joint.c. Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes
// 1997 (rows, J W J^T, dC/dt of what moves by itself); E. Catto, "Iterative dynamics with temporal
// coherence", 2005 (accumulated impulses). Test: tests/joints/functions/test_function_joint.c
#include "solver/movers/span.h"

#include "solver/movers/affine.h"
#include "solver/movers/span_joint.h"
#include "solver/movers/span_reduced.h"
#include "solver/movers/span_rope.h"
#include "solver/movers/span_row.h"
#include "solver/rows/dense.h"

#define SPAN_LANES     8u
#define SPAN_MIN_RANGE 16u // the fewest spans that make a loop worth a thread

// ---- refresh -----------------------------------------------------------------------------------

// Sets J of one row and sums J v. Returns a sum that is a number if all of J are numbers.
static double span_set_jacobian(const tni_solver *solver, const tni_span *span, uint32_t row,
                                double *out_moved) {
    const tni_function *function = span->function;
    double sum = 0.0, moved = 0.0;
    for (uint32_t i = 0; i < span->part_count; ++i) {
        const double *g =
            tni_graph_get_gradient(function->graph, &function->values, function->numbers[row], i);
        float *j = tni_span_at(span, span->jacobian, row, i);
        memset(j, 0, 8 * sizeof *j);
        g = span->affine[i] == NULL ? g : NULL;
        const tni_body_motion *motion = &solver->bodies.motions[span->bodies[i]];
        const double v[6] = {motion->velocity.x,         motion->velocity.y,
                             motion->velocity.z,         motion->angular_velocity.x,
                             motion->angular_velocity.y, motion->angular_velocity.z};
        for (uint32_t c = 0; c < 6 && g != NULL; ++c) {
            j[c < 3 ? c : c + 1] = maths_to_float(g[c]);
            sum += fabs(g[c]);
            moved += g[c] * v[c];
        }
    }
    *out_moved = moved;
    return sum;
}

// Sets the row by the freedoms of affine bodies, adds its J v, and returns such a sum.
static double span_set_affine_rows(const tni_span *span, uint32_t row, tni_affine_row *rows,
                                   double *moved) {
    const tni_function *function = span->function;
    double sum = 0.0;
    bool has_adjoints = false;
    for (uint32_t i = 0; i < span->part_count; ++i) {
        if (span->affine[i] == NULL || span->member_of[i] == TNI_NONE) {
            continue;
        }
        if (!has_adjoints) {
            tni_graph_find_adjoints(function->graph, &function->values, function->numbers[row],
                                    function->adjoints);
            has_adjoints = true;
        }
        tni_graph_get_affine_gradient(function->graph, i, span->centers[i], function->adjoints,
                                      rows[i].numbers);
        for (uint32_t k = 0; k < TNI_GRAPH_AFFINE_NUMBERS; ++k) {
            sum += fabs(rows[i].numbers[k]);
            *moved += rows[i].numbers[k] * span->affine[i]->speeds[k];
        }
    }
    return sum;
}

// A row that is not finite does nothing.
static void span_set_row(const tni_solver *solver, tni_span *span, uint32_t row) {
    const tni_function *function = span->function;
    const tni_graph_value *value = &function->values.numbers[function->numbers[row]];
    tni_span_row *out = &span->rows[row];
    tni_affine_row affine[TN_GRAPH_MAX_BODIES];
    double moved = 0.0, sum = span_set_jacobian(solver, span, row, &moved);
    sum += span_set_affine_rows(span, row, affine, &moved);
    sum += fabs(value->value) + fabs(value->first) + fabs(value->second);
    bool is_sound = sum < (double)FLT_MAX; // false for a NaN
    if (!is_sound) {
        span->is_sound = false;
        memset(tni_span_at(span, span->jacobian, row, 0), 0,
               span->body_count * 8 * sizeof *span->jacobian);
        memset(affine, 0, sizeof affine);
    }
    out->given.error = is_sound ? maths_to_float(value->value) : 0.0f;
    out->given.velocity_term = is_sound ? maths_to_float(value->second) : 0.0f;
    out->rate = is_sound ? maths_to_float(value->first - moved) : 0.0f;
    if (span->object_count > 0) {
        out->given.velocity_term += maths_to_float(tni_span_project(span, row, affine));
    }
    for (uint32_t i = 0; i < span->part_count; ++i) {
        tni_span_respond(solver, span, row, i);
    }
}

static void span_set_equalities(const tni_span *span, float *inverse) {
    float k[SPAN_LANES * SPAN_LANES] = {0.0f};
    for (uint32_t i = 0; i < span->equality_count; ++i) {
        for (uint32_t j = 0; j <= i; ++j) {
            k[i * SPAN_LANES + j] = k[j * SPAN_LANES + i] = tni_span_get_coupling(span, i, j);
        }
    }
    tni_dense_invert(k, inverse, span->equality_count, SPAN_LANES);
}

// Makes the drives of a bounded row.
static void span_set_bounded(const tni_solver *solver, tni_span *span, uint32_t r, float drift) {
    tni_span_row *row = &span->rows[r];
    bool is_soft = row->given.kind == TNI_ROW_SOFT_LIMIT;
    tni_drive_setting setting = {.solver = solver,
                                 .softness = span->softness,
                                 .max_speed = solver->settings.joint_bias.max_speed,
                                 .speed = is_soft ? tni_span_get_speed(solver, span, r) : 0.0f,
                                 .rate = row->rate,
                                 .drift = drift};
    float taken = span->joint != NULL ? tni_span_joint_answer(span, r) : 0.0f;
    tni_drive_set_response(&setting, tni_span_get_coupling(span, r, r), taken);
    row->share = tni_drive_make(&setting, &row->given, row->drive);
}

void tni_span_look(const tni_solver *solver, const tni_span *span, tni_span_view *out_view) {
    for (uint32_t i = 0; i < span->part_count; ++i) {
        const tni_reduced *affine = span->affine[i];
        out_view->bodies[i] = (tni_graph_body){.motion = &solver->bodies.motions[span->bodies[i]],
                                               .center = span->centers[i]};
        if (affine != NULL) {
            out_view->affine[i] = tni_affine_get_motion(affine, span->member_of[i] != TNI_NONE);
            out_view->bodies[i].affine = &out_view->affine[i];
        }
    }
}

static float span_evaluate(tni_solver *solver, tni_span *span) {
    tni_span_view view;
    tni_span_look(solver, span, &view);
    tni_graph_evaluate(span->function->graph, view.bodies, solver->movers.time,
                       &span->function->values);
    for (uint32_t r = 0; r < span->row_count; ++r) {
        span_set_row(solver, span, r);
    }
    return tni_span_get_prediction(solver, span);
}

static void span_refresh(tni_solver *solver, tni_span *span) {
    float prediction =
        span->joint != NULL ? tni_span_joint_evaluate(solver, span) : span_evaluate(solver, span);
    if (span->equality_count > 0 && !tni_span_is_all_closed(span)) {
        span_set_equalities(span, span->inverse);
    }
    for (uint32_t r = 0; r < span->row_count; ++r) {
        tni_span_row *row = &span->rows[r];
        float drift = prediction * row->given.velocity_term;
        if (r < span->equality_count) {
            row->bias = span->softness.rate * row->given.error + row->rate + drift;
            continue;
        }
        span_set_bounded(solver, span, r, drift);
        if (span->joint != NULL) {
            tni_span_joint_bounce(solver, span, r);
        }
    }
}

// Joints write only to their own span, so they are refreshed on workers.
static void span_refresh_joints(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    tni_solver *solver = context;
    for (uint32_t i = first; i < last; ++i) {
        if (solver->movers.spans[i].joint != NULL && tni_span_is_swept(&solver->movers.spans[i])) {
            span_refresh(solver, &solver->movers.spans[i]);
        }
    }
}

void tni_spans_refresh(tni_solver *solver) {
    tni_tasks_run(solver->tasks, span_refresh_joints, solver->movers.span_count, SPAN_MIN_RANGE,
                  solver);
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        tni_span *span = &solver->movers.spans[i];
        if (!tni_span_is_swept(span) || span->joint != NULL) {
            continue;
        }
        if (span->rope != NULL) {
            tni_span_rope_refresh(solver, span);
        } else {
            span_refresh(solver, span);
        }
    }
}

// ---- warm start --------------------------------------------------------------------------------

static void span_warm_start(const tni_solver *solver, tni_span *span, bool is_first_half) {
    for (uint32_t r = 0; r < span->row_count; ++r) {
        tni_span_row *row = &span->rows[r];
        bool is_spring = tni_row_is_spring(&row->given);
        tni_span_push(solver, span, r,
                      tni_drive_warm(&row->state, is_spring, row->share, is_first_half));
    }
}

void tni_spans_warm_start(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        tni_span *span = &solver->movers.spans[i];
        if (!tni_span_is_swept(span)) {
            continue;
        }
        if (span->rope != NULL) {
            tni_span_rope_warm_start(solver, span, is_first_half);
        } else {
            span_warm_start(solver, span, is_first_half);
        }
    }
}

// ---- sweeps ------------------------------------------------------------------------------------

static void span_solve_equalities(const tni_solver *solver, tni_span *span, bool use_bias) {
    uint32_t n = span->equality_count;
    float missing[SPAN_LANES], impulse[SPAN_LANES];
    for (uint32_t r = 0; r < n; ++r) {
        const tni_span_row *row = &span->rows[r];
        missing[r] = tni_span_get_speed(solver, span, r) + (use_bias ? row->bias : row->rate);
    }
    float scale = use_bias ? span->softness.mass_scale : 1.0f;
    float fade = use_bias ? span->softness.impulse_scale : 0.0f;
    for (uint32_t r = 0; r < n; ++r) {
        float x = 0.0f;
        for (uint32_t k = 0; k < n; ++k) {
            x += span->inverse[r * SPAN_LANES + k] * missing[k];
        }
        impulse[r] = -scale * x - fade * span->rows[r].state.impulse;
    }
    for (uint32_t r = 0; r < n; ++r) {
        span->rows[r].state.impulse += impulse[r];
        tni_span_push(solver, span, r, impulse[r]);
    }
}

static void span_apply(const tni_solver *solver, tni_span *span, uint32_t r, float x,
                       bool use_bias) {
    float change = x - span->rows[r].state.impulse;
    span->rows[r].state.impulse = x;
    tni_span_push(solver, span, r, change);
    if (span->joint != NULL) {
        tni_span_joint_take_back(solver, span, r, change, use_bias);
    }
}

static void span_solve_bounded(const tni_solver *solver, tni_span *span, uint32_t r,
                               bool use_bias) {
    const tni_span_row *row = &span->rows[r];
    float speed = tni_span_get_speed(solver, span, r);
    float x = tni_drive_get_impulse(&row->drive[use_bias], row->state.impulse, speed);
    span_apply(solver, span, r, x, use_bias);
}

// Caps the length of the vector that three rows are.
static void span_cap_group(const tni_solver *solver, tni_span *span, uint32_t first,
                           bool use_bias) {
    const tni_span_row *rows = &span->rows[first];
    vec3s x = maths_vec3(rows[0].state.impulse, rows[1].state.impulse, rows[2].state.impulse);
    float cap = rows[0].drive[use_bias].upper, length = glms_vec3_norm(x);
    for (uint32_t i = 0; i < 3 && length > cap; ++i) {
        span_apply(solver, span, first + i, cap / length * x.raw[i], use_bias);
    }
}

static void span_sweep(const tni_solver *solver, tni_span *span, bool use_bias) {
    if (span->equality_count > 0 && !span->is_closed) {
        span_solve_equalities(solver, span, use_bias);
    }
    for (uint32_t r = span->equality_count; r < span->row_count; ++r) {
        if (!use_bias && tni_row_is_spring(&span->rows[r].given)) {
            continue;
        }
        span_solve_bounded(solver, span, r, use_bias);
        if (r >= 2 && span->rows[r - 2].given.group == 3) {
            span_cap_group(solver, span, r - 2, use_bias);
        }
    }
}

static void span_sweep_any(tni_solver *solver, tni_span *span, bool use_bias) {
    if (span->rope != NULL) {
        tni_span_rope_sweep(solver, span, use_bias);
    } else {
        span_sweep(solver, span, use_bias);
    }
}

void tni_spans_sweep(tni_solver *solver, bool use_bias) {
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        if (tni_span_is_swept(&solver->movers.spans[i])) {
            span_sweep_any(solver, &solver->movers.spans[i], use_bias);
        }
    }
}

void tni_spans_sweep_marked(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        tni_span *span = &solver->movers.spans[i];
        if (tni_span_is_swept(span) && tni_span_is_marked(solver, span)) {
            span_sweep_any(solver, span, false);
        }
    }
}

// ---- what they did -----------------------------------------------------------------------------

static void span_store(tni_span *span) {
    for (uint32_t r = 0; r < span->row_count; ++r) {
        tni_row_state *state = &span->rows[r].state;
        state->step_impulse += tni_row_get_whole_impulse(&span->rows[r].given, state);
    }
}

void tni_spans_store(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        tni_span *span = &solver->movers.spans[i];
        if (!tni_span_is_swept(span)) {
            continue;
        }
        if (span->rope != NULL) {
            tni_span_rope_store(solver, span);
        } else {
            span_store(span);
        }
        if (span->joint != NULL) {
            tni_span_joint_store(solver, span);
        }
    }
}

void tni_spans_begin_phase(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        tni_span *span = &solver->movers.spans[i];
        if (span->is_exact) {
            continue;
        }
        if (span->rope != NULL) {
            tni_span_rope_begin_phase(span);
        }
        for (uint32_t r = 0; r < span->row_count && span->rope == NULL; ++r) {
            tni_row_state *state = &span->rows[r].state;
            state->phase_start = state->impulse;
        }
    }
}

static void span_end_phase(tni_solver *solver, const tni_span *span, bool is_first_half) {
    for (uint32_t r = 0; r < span->row_count; ++r) {
        const tni_span_row *row = &span->rows[r];
        double x = tni_row_get_phase_impulse(&row->given, &row->state, is_first_half);
        double work = x * tni_span_get_mean_speed(solver, span, r);
        tni_span_row_take_back(solver, span->bodies, span->body_count,
                               tni_span_at(span, span->jacobian, r, 0), x);
        double *booked = row->given.role == TNI_ROLE_MOTOR      ? &solver->ledger.work.motor
                         : row->given.role == TNI_ROLE_SPRING   ? &solver->ledger.work.spring
                         : row->given.role == TNI_ROLE_FRICTION ? &solver->ledger.work.friction
                                                                : &solver->ledger.work.joint;
        *booked += work;
    }
}

void tni_spans_end_phase(tni_solver *solver, bool is_first_half) {
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        const tni_span *span = &solver->movers.spans[i];
        if (span->is_exact) {
            continue;
        }
        if (span->rope != NULL) {
            tni_span_rope_end_phase(solver, span, is_first_half);
        } else {
            span_end_phase(solver, span, is_first_half);
        }
    }
}
