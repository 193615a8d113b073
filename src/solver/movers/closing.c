// solver/movers/closing.c: joints of bodies that coordinates give, solved together and closed.
//
// Spans that move the same bodies or the same objects (solver/movers/span.h) are a group. One sweep
// over a group's equalities finds impulses that suit each equality by itself. All of them are
// solved at once by
//     K x = -(J v + b),   K = J W J^T,   v += W J^T x
// with J and W of solver/movers/span_joint.c, which are J P and M^-1 for a body that coordinates
// give. This solution comes last in every sweep of joints, so that motors, limits and contacts,
// which are swept, meet joints that hold, and every velocity that bodies drift with obeys the rows.
// The error C that the drift leaves is closed in the same metric, without speed, by one step of
// Newton's method or, from farther off, some with the same J:
//     K y = -C,   q += W J^T y
// K is factored as L D L^T in an envelope: rows in the order of a walk outward through the bodies,
// backwards, each kept from its first number on. A row whose pivot is round-off of its own J W J^T
// repeats other rows: it takes no part, and keeps what the sweeps gave it. Groups share nothing
// that moves, so that a worker can solve each alone.
//
// A sparse factor by blocks as of mechanisms (solver/matrix/block_ldl.h) would serve large nets
// better; its pattern would have to be kept from step to step. Groups that cost too much here are
// swept. Sources: A. Witkin, "Constrained dynamics", SIGGRAPH course notes 1997 (hybrid models: J
// P, W of objects with coordinates of their own); A. George, J. Liu, "Computer solution of large
// sparse positive definite systems", 1981, chapter 4 (envelope, reverse Cuthill-McKee order); E.
// Hairer, C. Lubich, G. Wanner, "Geometric numerical integration", 2006, IV.4 (projection). Test:
// tests/world/movers/test_reduced_closing.c
#include "solver/movers/closing.h"

#include "solver/movers/span_joint.h"
#include "solver/movers/span_row.h"

// A pivot under this share of its row's J W J^T is round-off: J is float.
#define CLOSING_PIVOT_FLOOR 1e-9
// m or rad: from farther off one step of Newton's method leaves more than can be seen: its square
// over a length.
#define CLOSING_NEAR 3e-5
// m or rad: poses that are farther off come back by the rows' bias.
#define CLOSING_FARTHEST 0.1
// The greatest number of steps of Newton's method.
#define CLOSING_MAX_ROUNDS 3
// The fewest groups that make a loop worth a thread.
#define CLOSING_MIN_RANGE 16

static double *closing_at(const tni_closing_node *node, double *numbers, uint32_t row,
                          uint32_t entry) {
    return numbers + 6 * ((size_t)row * node->entry_count + entry);
}

static double closing_dot6(const double *x, const double *y) {
    return (x[0] * y[0] + x[2] * y[2] + x[4] * y[4]) + (x[1] * y[1] + x[3] * y[3] + x[5] * y[5]);
}

// ---- rows --------------------------------------------------------------------------------------

// Writes W J^T of a body.
static void closing_respond_body(const tni_body_state *state, const double *j, double *w) {
    const tni_sym3 *i = &state->inv_inertia;
    w[0] = (double)state->inv_mass.x * j[0];
    w[1] = (double)state->inv_mass.y * j[1];
    w[2] = (double)state->inv_mass.z * j[2];
    w[3] = (double)i->xx * j[3] + (double)i->xy * j[4] + (double)i->xz * j[5];
    w[4] = (double)i->xy * j[3] + (double)i->yy * j[4] + (double)i->yz * j[5];
    w[5] = (double)i->xz * j[3] + (double)i->yz * j[4] + (double)i->zz * j[5];
}

// Writes M^-1 J^T of an object, whose slots are consecutive entries. Returns their number.
static uint32_t closing_respond_object(const tni_closing *closing, const tni_closing_node *node,
                                       uint32_t row, uint32_t entry) {
    const tni_closing_entry *entries = &closing->entries[node->first_entry];
    const tni_reduced *reduced = closing->bodies[entries[entry].body].reduced;
    tni_reduced_multiply(reduced, closing_at(node, node->jacobian, row, entry),
                         closing_at(node, node->response, row, entry));
    return tni_reduced_count_slots(reduced);
}

static void closing_fill_row(const tni_solver *solver, const tni_closing *closing,
                             tni_closing_node *node, uint32_t row) {
    const tni_closing_entry *entries = &closing->entries[node->first_entry];
    if (node->span->is_broken) {
        size_t size = 6 * (size_t)node->entry_count * sizeof(double);
        memset(closing_at(node, node->jacobian, row, 0), 0, size);
        memset(closing_at(node, node->response, row, 0), 0, size);
        return;
    }
    for (uint32_t e = 0; e < node->entry_count; ++e) {
        const float *given = tni_span_at(node->span, node->span->jacobian, row, entries[e].of_span);
        double *j = closing_at(node, node->jacobian, row, e);
        for (uint32_t c = 0; c < 6; ++c) {
            j[c] = (double)given[c < 3 ? c : c + 1];
        }
    }
    for (uint32_t e = 0; e < node->entry_count;) {
        const tni_closing_body *body = &closing->bodies[entries[e].body];
        if (body->reduced != NULL) {
            e += closing_respond_object(closing, node, row, e);
            continue;
        }
        closing_respond_body(&solver->bodies.states[body->body],
                             closing_at(node, node->jacobian, row, e),
                             closing_at(node, node->response, row, e));
        e += 1;
    }
}

// Writes the response for the sweeps.
static void closing_write_response(const tni_closing *closing, const tni_closing_node *node,
                                   uint32_t row) {
    const tni_closing_entry *entries = &closing->entries[node->first_entry];
    for (uint32_t e = 0; e < node->entry_count; ++e) {
        float *out = tni_span_at(node->span, node->span->response, row, entries[e].of_span);
        const double *w = closing_at(node, node->response, row, e);
        for (uint32_t c = 0; c < 6; ++c) {
            out[c < 3 ? c : c + 1] = maths_to_float(w[c]);
        }
    }
}

// ---- matrix ------------------------------------------------------------------------------------

// Adds what one body contributes to the block of two of its nodes.
static void closing_add_pair(const tni_closing *closing, const tni_closing_incidence *late,
                             const tni_closing_incidence *early) {
    const tni_closing_node *q = &closing->nodes[late->node], *p = &closing->nodes[early->node];
    for (uint32_t r = 0; r < q->span->equality_count; ++r) {
        tni_closing_row *row = &closing->rows[q->first_row + r];
        const double *j = closing_at(q, q->jacobian, r, late->entry);
        for (uint32_t s = 0; s < p->span->equality_count; ++s) {
            uint32_t column = p->first_row + s;
            if (column <= q->first_row + r) {
                row->numbers[column - row->first] +=
                    closing_dot6(j, closing_at(p, p->response, s, early->entry));
            }
        }
    }
}

static void closing_fill_matrix(const tni_closing *closing) {
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        tni_closing_row *row = &closing->rows[i];
        memset(row->numbers, 0, (i - row->first + 1) * sizeof *row->numbers);
    }
    for (uint32_t b = 0; b < closing->body_count; ++b) {
        const tni_closing_body *body = &closing->bodies[b];
        for (uint32_t i = body->first; i < body->last; ++i) {
            for (uint32_t k = body->first; k <= i; ++k) {
                closing_add_pair(closing, &closing->incidences[i], &closing->incidences[k]);
            }
        }
    }
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        closing->rows[i].scale = closing->rows[i].numbers[i - closing->rows[i].first];
    }
}

// Returns the sum of products over the columns before `end` that both rows have.
static double closing_sum(const tni_closing_row *a, const tni_closing_row *b, uint32_t end) {
    uint32_t first = a->first > b->first ? a->first : b->first;
    double even = 0.0, odd = 0.0;
    if (first >= end) {
        return 0.0;
    }
    const double *x = a->numbers + (first - a->first), *y = b->numbers + (first - b->first);
    uint32_t count = end - first;
    for (uint32_t m = 0; m + 1 < count; m += 2) {
        even += x[m] * y[m];
        odd += x[m + 1] * y[m + 1];
    }
    return even + odd + (count % 2 == 1 ? x[count - 1] * y[count - 1] : 0.0);
}

// Factors L D L^T in place: L before the diagonal and 1 / D on it, or 0 if a row takes no part.
static void closing_factor(const tni_closing *closing) {
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        tni_closing_row *own = &closing->rows[i];
        double *numbers = own->numbers, pivot = numbers[i - own->first];
        for (uint32_t k = own->first; k < i; ++k) {
            numbers[k - own->first] -= closing_sum(own, &closing->rows[k], k); // L D, for now
        }
        for (uint32_t k = own->first; k < i; ++k) {
            const tni_closing_row *row = &closing->rows[k];
            double scaled = numbers[k - own->first], l = scaled * row->numbers[k - row->first];
            pivot -= scaled * l;
            numbers[k - own->first] = l;
        }
        bool counts = pivot > CLOSING_PIVOT_FLOOR * own->scale && pivot > DBL_MIN;
        numbers[i - own->first] = counts ? 1.0 / pivot : 0.0;
    }
}

static void closing_solve(const tni_closing *closing) {
    tni_closing_row *rows = closing->rows;
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        for (uint32_t k = rows[i].first; k < i; ++k) {
            rows[i].unknown -= rows[i].numbers[k - rows[i].first] * rows[k].unknown;
        }
    }
    for (uint32_t i = closing->row_count; i-- > 0;) {
        rows[i].unknown *= rows[i].numbers[i - rows[i].first];
    }
    for (uint32_t i = closing->row_count; i-- > 0;) {
        for (uint32_t k = rows[i].first; k < i; ++k) {
            rows[k].unknown -= rows[i].numbers[k - rows[i].first] * rows[i].unknown;
        }
    }
}

// ---- sweeps ------------------------------------------------------------------------------------

static void closing_sweep(const tni_solver *solver, const tni_closing *closing, bool use_bias) {
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        tni_closing_row *row = &closing->rows[i];
        const tni_span *span = closing->nodes[row->node].span;
        const tni_span_row *given = &span->rows[row->of_span];
        float bias = use_bias ? given->bias : given->rate;
        row->unknown = -(double)(tni_span_get_speed(solver, span, row->of_span) + bias);
    }
    closing_solve(closing);
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        const tni_closing_row *row = &closing->rows[i];
        tni_span *span = closing->nodes[row->node].span;
        float x = maths_to_float(row->unknown);
        span->rows[row->of_span].state.impulse += x;
        tni_span_push(solver, span, row->of_span, x);
    }
}

// ---- poses -------------------------------------------------------------------------------------

// Moves a body that has rows of its own. Contacts follow the displacement.
static void closing_move_body(tni_solver *solver, uint32_t index, const double *change) {
    tni_body_motion *motion = &solver->bodies.motions[index];
    tni_dvec3 way = dvec3_make(change[0], change[1], change[2]);
    tni_dvec3 turn = dvec3_make(change[3], change[4], change[5]);
    motion->position = dvec3_add(motion->position, way);
    motion->rotation = dquat_normalize(dquat_mul(dquat_cayley(turn), motion->rotation));
    if (solver->contacts.count == 0) {
        return;
    }
    tni_body_delta *delta = &solver->bodies.deltas[index];
    delta->position = glms_vec3_add(delta->position, dvec3_to_float(way));
    delta->rotation = glms_vec3_add(delta->rotation, dvec3_to_float(turn));
}

// Sums W J^T y for one of the group's bodies.
static void closing_sum_change(const tni_closing *closing, const tni_closing_body *body,
                               double *change) {
    memset(change, 0, 6 * sizeof *change);
    for (uint32_t i = body->first; i < body->last; ++i) {
        const tni_closing_incidence *incidence = &closing->incidences[i];
        const tni_closing_node *node = &closing->nodes[incidence->node];
        for (uint32_t r = 0; r < node->span->equality_count; ++r) {
            const double *w = closing_at(node, node->response, r, incidence->entry);
            double y = closing->rows[node->first_row + r].unknown;
            for (uint32_t c = 0; c < 6; ++c) {
                change[c] += y * w[c];
            }
        }
    }
}

static void closing_move(tni_solver *solver, const tni_closing *closing) {
    for (uint32_t b = 0; b < closing->body_count; ++b) {
        const tni_closing_body *body = &closing->bodies[b];
        double change[6];
        closing_sum_change(closing, body, change);
        if (body->reduced == NULL) {
            closing_move_body(solver, body->body, change);
            continue;
        }
        body->reduced->is_shifted = true;
        for (uint32_t c = 0; c < 6 && body->freedom + c < body->reduced->freedoms; ++c) {
            body->reduced->shift[body->freedom + c] = change[c];
        }
    }
}

// Takes out of C what moving the poses has closed, to first order: the whole error, except in rows
// that take no part. The bias is then made from the remaining error.
static void closing_take_errors(const tni_closing *closing) {
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        const tni_closing_row *row = &closing->rows[i];
        const tni_closing_node *node = &closing->nodes[row->node];
        tni_span_row *given = &node->span->rows[row->of_span];
        if (row->numbers[i - row->first] > 0.0) {
            given->bias -= node->span->softness.rate * given->given.error;
            given->given.error = 0.0f;
        }
    }
}

// Returns the greatest error of the rows, leaving out those that take no part.
static double closing_get_error(const tni_closing *closing) {
    double worst = 0.0;
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        const tni_closing_row *row = &closing->rows[i];
        const tni_span *span = closing->nodes[row->node].span;
        double error = fabs((double)span->rows[row->of_span].given.error);
        bool counts = row->numbers[i - row->first] > 0.0;
        worst = counts && error > worst ? error : worst;
    }
    return worst;
}

static void closing_close(tni_solver *solver, tni_closing *closing) {
    double error = closing_get_error(closing);
    if (!closing->is_far) {
        return;
    }
    closing->is_far = error > CLOSING_NEAR && error <= CLOSING_FARTHEST;
    if (error > CLOSING_FARTHEST) {
        return;
    }
    for (uint32_t i = 0; i < closing->row_count; ++i) {
        tni_closing_row *row = &closing->rows[i];
        const tni_span *span = closing->nodes[row->node].span;
        row->unknown = -(double)span->rows[row->of_span].given.error;
    }
    closing_solve(closing);
    closing_move(solver, closing);
    closing_take_errors(closing);
}

// ---- all groups --------------------------------------------------------------------------------

// A task that a loop does for one group.
typedef void closing_task(tni_solver *solver, tni_closing *closing);

typedef struct closing_loop {
    tni_solver *solver;
    closing_task *task;
} closing_loop;

static void closing_run_range(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const closing_loop *loop = context;
    for (uint32_t i = first; i < last; ++i) {
        loop->task(loop->solver, &loop->solver->movers.closings[i]);
    }
}

static void closings_run(tni_solver *solver, closing_task *task) {
    closing_loop loop = {solver, task};
    tni_tasks_run(solver->tasks, closing_run_range, solver->movers.closing_count, CLOSING_MIN_RANGE,
                  &loop);
}

static void closing_refresh(tni_solver *solver, tni_closing *closing) {
    for (uint32_t n = 0; n < closing->node_count; ++n) {
        tni_closing_node *node = &closing->nodes[n];
        for (uint32_t r = 0; r < node->span->equality_count; ++r) {
            closing_fill_row(solver, closing, node, r);
            if (tni_span_is_all_closed(node->span)) {
                closing_write_response(closing, node, r);
            }
        }
    }
    closing_fill_matrix(closing);
    closing_factor(closing);
}

static void closing_sweep_biased(tni_solver *solver, tni_closing *closing) {
    closing_sweep(solver, closing, true);
}

static void closing_sweep_plain(tni_solver *solver, tni_closing *closing) {
    closing_sweep(solver, closing, false);
}

void tni_closings_refresh(tni_solver *solver) {
    closings_run(solver, closing_refresh);
}

void tni_closings_leave(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.closing_count; ++i) {
        tni_closing *closing = &solver->movers.closings[i];
        bool has_broken = false;
        for (uint32_t n = 0; n < closing->node_count; ++n) {
            has_broken = has_broken || closing->nodes[n].span->is_broken;
        }
        if (has_broken) {
            closing_refresh(solver, closing);
        }
    }
}

void tni_closings_sweep_marked(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.closing_count; ++i) {
        const tni_closing *closing = &solver->movers.closings[i];
        if (closing->node_count > 0 && tni_span_is_marked(solver, closing->nodes[0].span)) {
            closing_sweep(solver, closing, false);
        }
    }
}

void tni_closings_sweep(tni_solver *solver, bool use_bias) {
    closings_run(solver, use_bias ? closing_sweep_biased : closing_sweep_plain);
}

// Measures C of joints anew. Functions keep theirs: a second step would call the user again.
static void closing_measure(tni_solver *solver, tni_closing *closing) {
    for (uint32_t n = 0; n < closing->node_count && closing->is_far; ++n) {
        if (closing->nodes[n].span->joint != NULL) {
            tni_span_joint_measure(solver, closing->nodes[n].span);
        }
    }
}

static bool closings_are_far(const tni_solver *solver) {
    bool is_far = false;
    for (uint32_t i = 0; i < solver->movers.closing_count; ++i) {
        is_far = is_far || solver->movers.closings[i].is_far;
    }
    return is_far;
}

void tni_closings_close(tni_solver *solver) {
    if (solver->movers.closing_count == 0) {
        return;
    }
    for (uint32_t i = 0; i < solver->movers.closing_count; ++i) {
        solver->movers.closings[i].is_far = true;
    }
    for (uint32_t round = 0; round < CLOSING_MAX_ROUNDS && closings_are_far(solver); ++round) {
        if (round > 0) {
            closings_run(solver, closing_measure);
        }
        closings_run(solver, closing_close);
        tni_reduced_shift(solver);
    }
}
