// solver/movers/span_breaking.c: spans that break under their load, within the step.
//
// Spans break as swept joints of two bodies do (solver/step/breaking.h), by a mean over break_time
// of what a span gave in a substep of h, which is known after solve B. Its load is x / h of its
// rows,
//   of a function   the greatest of those in N and of those in N·m,
//   of a rope       the greatest tension,
//   of a joint      sum x J on body b, at the origin of frame b, in the axes of frame a,
// and each row of a custom joint by itself. Among the spans of an island that would break, the one
// with the greatest load relative to its strength breaks. The impulse that its rows gave is taken
// off its bodies and objects, v -= W J^T x, by the rows of the poses at the substep's end; its
// group (solver/movers/closing.c), if it has one, is factored anew without its rows. Then all that
// is connected with it is swept again. In the ledger its rows book in solve B what they take back
// of solve A.
//
// Spans that mechanisms solve: solver/exact/mechanism_span_breaking.c. Test:
// tests/world/movers/test_span_breaking.c
#include "solver/movers/closing.h"
#include "solver/movers/span_joint.h"
#include "solver/movers/span_rope.h"
#include "solver/movers/span_row.h"
#include "solver/step/breaking.h"

// ---- loads -------------------------------------------------------------------------------------

static void load_of_joint(const tni_solver *solver, const tni_span *span, double *out) {
    const tni_joint *joint = span->joint->joint;
    const tni_body_motion *a = &solver->bodies.motions[span->joint->ends[0].body];
    const tni_body_motion *b = &solver->bodies.motions[span->joint->ends[1].body];
    bool is_b_world = joint->body_b == TNI_NONE;
    tni_dvec3 force = dvec3_make(0.0, 0.0, 0.0), torque = force;
    for (uint32_t r = 0; r < span->row_count; ++r) {
        const tni_row *row = &span->joint->rows[r];
        double x = (double)tni_row_get_whole_impulse(&span->rows[r].given, &span->rows[r].state);
        force = dvec3_add_scaled(force, x, dvec3_from_float(row->lin_b));
        torque = is_b_world ? dvec3_add_scaled(torque, -x, dvec3_from_float(row->ang_a))
                            : dvec3_add_scaled(torque, x, dvec3_from_float(row->ang_b));
    }
    tni_dvec3 arm = is_b_world ? dquat_rotate(a->rotation, joint->frame_a.position)
                               : dquat_rotate(b->rotation, joint->frame_b.position);
    tni_dquat back = dquat_conjugate(dquat_mul(a->rotation, joint->frame_a.rotation));
    tni_dvec3 f = dquat_rotate(back, force);
    tni_dvec3 t = dquat_rotate(back, dvec3_sub(torque, dvec3_cross(arm, force)));
    const double numbers[TNI_LOAD_NUMBERS] = {f.x, f.y, f.z, t.x, t.y, t.z};
    memcpy(out, numbers, sizeof numbers);
}

// Measures a span's impulses in this substep, N·s and N·m·s: as a whole, and by row.
static void load_measure(const tni_solver *solver, const tni_span *span, double *out,
                         double *out_rows) {
    if (span->rope != NULL) {
        out[0] = tni_span_rope_get_greatest(span);
        return;
    }
    for (uint32_t r = 0; r < span->row_count; ++r) {
        const tni_span_row *row = &span->rows[r];
        double x = (double)tni_row_get_whole_impulse(&row->given, &row->state);
        double *most = &out[row->given.is_angular ? 3 : 0];
        *most = maths_max_d(*most, fabs(x));
        if (r < TN_CUSTOM_MAX_ROWS) {
            out_rows[r] = x;
        }
    }
    if (span->joint != NULL) {
        load_of_joint(solver, span, out);
    }
}

void tni_span_weigh(const tni_solver *solver, const tni_span *span,
                    const double given[TNI_LOAD_NUMBERS], const double rows[TN_CUSTOM_MAX_ROWS]) {
    tni_span_load *load = span->load;
    tni_joint *joint = load->joint;
    double h = (double)solver->h;
    double share = tni_breaking_get_share(h, (double)tni_joint_get_base(joint)->break_time);
    for (uint32_t i = 0; i < TNI_LOAD_NUMBERS; ++i) {
        load->mean[i] = tni_breaking_follow(joint->bearing.mean[i], given[i] / h, share);
    }
    load->excess = tni_breaking_compare(joint, load->mean);
    const tni_row_bearing *own = tni_joint_get_row_bearing(joint);
    for (uint32_t r = 0; own != NULL && r < TN_CUSTOM_MAX_ROWS; ++r) {
        load->rows[r] = tni_breaking_follow(own->mean[r], rows[r] / h, share);
    }
    load->excess = tni_breaking_compare_rows(joint, load->rows, load->excess);
}

static void load_weigh(const tni_solver *solver, const tni_span *span) {
    double given[TNI_LOAD_NUMBERS] = {0.0}, rows[TN_CUSTOM_MAX_ROWS] = {0.0};
    load_measure(solver, span, given, rows);
    tni_span_weigh(solver, span, given, rows);
}

static bool load_is_looked_at(const tni_span *span) {
    return span->load != NULL && tni_span_is_swept(span);
}

// ---- islands -----------------------------------------------------------------------------------

// Returns the solver body of a part, or TNI_NONE if nothing moves it.
static uint32_t span_get_moving(const tni_span *span, uint32_t part) {
    if (span->joint != NULL) {
        return span->joint->ends[part].moves ? span->joint->ends[part].body : TNI_NONE;
    }
    bool moves = span->moves[part] || span->member_of[part] != TNI_NONE;
    return moves ? span->bodies[part] : TNI_NONE;
}

// Returns the root of the span's island: that of the first of its bodies that moves.
static uint32_t span_get_island(const tni_solver *solver, const tni_span *span) {
    uint32_t parts = span->joint != NULL ? 2 : span->part_count;
    for (uint32_t i = 0; i < parts; ++i) {
        uint32_t body = span_get_moving(span, i);
        if (body != TNI_NONE) {
            return solver->bodies.island_of[body];
        }
    }
    return TNI_NONE;
}

bool tni_span_is_marked(const tni_solver *solver, const tni_span *span) {
    uint32_t root = span_get_island(solver, span);
    return root < solver->breaking.body_count && solver->breaking.marks[root];
}

// ---- who breaks --------------------------------------------------------------------------------

static void span_take_back(const tni_solver *solver, tni_span *span) {
    for (uint32_t r = 0; r < span->row_count; ++r) {
        tni_span_row *row = &span->rows[r];
        tni_span_push(solver, span, r, -tni_row_get_whole_impulse(&row->given, &row->state));
        row->state.impulse = 0.0f;
        row->given.kind = TNI_ROW_RIGID; // a broken spring is rigid, and books what it took
    }
}

void tni_span_set_broken(tni_span *span) {
    tni_joint_bearing *bearing = &span->load->joint->bearing;
    bearing->is_broken = span->is_broken = true;
    memcpy(bearing->mean, span->load->mean, sizeof bearing->mean);
}

static void span_leave(tni_solver *solver, tni_span *span) {
    uint32_t root = span_get_island(solver, span);
    if (root < solver->breaking.body_count) {
        solver->breaking.marks[root] = true;
    }
    if (span->rope != NULL) {
        tni_span_rope_leave(solver, span);
    } else {
        span_take_back(solver, span);
    }
    tni_span_set_broken(span);
}

// True if, among the spans of its island that would break, it has the greatest load, or is the
// first with it.
static bool span_is_worst(const tni_solver *solver, uint32_t index) {
    const tni_span *own = &solver->movers.spans[index];
    uint32_t root = span_get_island(solver, own);
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        const tni_span *other = &solver->movers.spans[i];
        bool is_over = i != index && load_is_looked_at(other) && other->load->excess > 0.0;
        bool is_worse = is_over && (other->load->excess > own->load->excess ||
                                    (i < index && other->load->excess == own->load->excess));
        if (is_worse && span_get_island(solver, other) == root) {
            return false;
        }
    }
    return true;
}

bool tni_spans_break(tni_solver *solver) {
    bool are_over = false, has_closing = false;
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        if (load_is_looked_at(&solver->movers.spans[i])) {
            load_weigh(solver, &solver->movers.spans[i]);
            are_over = are_over || solver->movers.spans[i].load->excess > 0.0;
        }
    }
    for (uint32_t i = 0; are_over && i < solver->movers.span_count; ++i) {
        const tni_span *span = &solver->movers.spans[i];
        if (load_is_looked_at(span)) {
            span->load->is_worst = span->load->excess > 0.0 && span_is_worst(solver, i);
        }
    }
    for (uint32_t i = 0; are_over && i < solver->movers.span_count; ++i) {
        tni_span *span = &solver->movers.spans[i];
        if (span->load != NULL && span->load->is_worst) {
            span_leave(solver, span);
            has_closing = has_closing || span->is_closed;
            span->load->is_worst = false;
        }
    }
    if (has_closing) {
        tni_closings_leave(solver);
    }
    return are_over;
}

void tni_span_accept(const tni_span *span) {
    tni_row_bearing *own = tni_joint_get_row_bearing(span->load->joint);
    memcpy(span->load->joint->bearing.mean, span->load->mean, sizeof span->load->mean);
    if (own != NULL) {
        memcpy(own->mean, span->load->rows, sizeof own->mean);
    }
}

void tni_spans_accept(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->movers.span_count; ++i) {
        if (load_is_looked_at(&solver->movers.spans[i])) {
            tni_span_accept(&solver->movers.spans[i]);
        }
    }
}
