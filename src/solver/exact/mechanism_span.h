// solver/exact/mechanism_span.h: rows over several bodies, or of the time, in a mechanism.
//
// Derivation: solver/exact/mechanism_span.c; what they are to the matrix:
// solver/exact/mechanism_border.c.
#ifndef TNI_SOLVER_EXACT_MECHANISM_SPAN_H
#define TNI_SOLVER_EXACT_MECHANISM_SPAN_H

#include "solver/exact/mechanism.h"
#include "solver/movers/span.h"
#include "solver/movers/span_rope.h"
#include "solver/step/breaking.h"

// A row is an equality, or a limit: C >= 0, impulse >= 0.
struct tni_mechanism_span_row {
    double error, rate;           // C, and dC/dt while bodies stand, where J is
    double measured;              // C less its rest, at the poses last asked for
    double rest;                  // C* that other rows leave open: solver/exact/mechanism_close.c
    double scale, softness;       // its own J W J^T, and E
    double impulse, impulse_kept; // over half a substep; as of joints
    double sum, sum_before, sum_kept;    // of the step; as of joints
    double lead, lead_before, lead_kept; // J: of these impulses on bodies that are led
    double unknown;                      // right side, then the solution
    bool is_limit, is_out;               // of limits: it does not push
    double passed; // and how far it is passed where a stage begins, not above 0
};

struct tni_mechanism_span {
    tni_span *span; // of the solver: its function, its bodies' centres
    uint32_t row_count;
    uint32_t bodies[TN_GRAPH_MAX_BODIES]; // of the mechanism, or TNI_NONE: the world
    tni_mechanism_span_row *rows;
    double *jacobian;      // by row and body, six numbers: of the factor
    tni_rope_shape *shape; // of a rope, as it was last evaluated; else null
};

static inline double *tni_mechanism_span_at(const tni_mechanism_span *span, uint32_t row,
                                            uint32_t body) {
    return span->jacobian + 6 * ((size_t)row * span->span->body_count + body);
}

// Counts the doubles that a curvature takes: its numbers by the coordinates, and those of the
// graph.
static inline size_t tni_mechanism_span_count_room(const tni_span *span) {
    if (span->rope != NULL) {
        return 0;
    }
    return (size_t)36 * span->body_count * span->body_count + span->function->graph->number_count;
}

// ---- solver/exact/mechanism_span.c: what asks functions and ropes
// --------------------------------

typedef enum tni_mechanism_pose {
    TNI_MECHANISM_START,
    TNI_MECHANISM_MIDDLE,
    TNI_MECHANISM_END,
} tni_mechanism_pose;

// Only files that make spans name the table of these: see solver/movers/span_ops.h.
typedef struct tni_mechanism_span_ops {
    // Evaluates J, C and dC/dt at the middle poses.
    void (*emit)(tni_mechanism *mechanism);
    // Measures C of each row at these poses and their time, less its rest.
    void (*measure)(const tni_mechanism *mechanism, tni_mechanism_pose pose);
    // These add J^T l to the bodies' impulses, by the rows of the present middle poses; and K.
    void (*apply_fresh)(tni_mechanism *mechanism);
    void (*add_curvatures)(tni_mechanism *mechanism, double half);
    // Does some row depend on the time?
    bool (*have_rates)(const tni_mechanism *mechanism);
    // Is called after a step: stores impulses in the solver's spans, and C at the last poses.
    void (*store)(tni_mechanism *mechanism);
} tni_mechanism_span_ops;

void tni_spanned_emit(tni_mechanism *mechanism);
void tni_spanned_measure(const tni_mechanism *mechanism, tni_mechanism_pose pose);
void tni_spanned_apply_fresh(tni_mechanism *mechanism);
void tni_spanned_add_curvatures(tni_mechanism *mechanism, double half);
bool tni_spanned_have_rates(const tni_mechanism *mechanism);
void tni_spanned_store(tni_mechanism *mechanism);

// A mechanism without spans needs none of these calls.
static inline void tni_mechanism_spans_emit(tni_mechanism *mechanism) {
    if (mechanism->spans.count > 0) {
        mechanism->spans.ops->emit(mechanism);
    }
}
static inline void tni_mechanism_spans_apply_fresh(tni_mechanism *mechanism) {
    if (mechanism->spans.count > 0) {
        mechanism->spans.ops->apply_fresh(mechanism);
    }
}
static inline void tni_mechanism_spans_add_curvatures(tni_mechanism *mechanism, double half) {
    if (mechanism->spans.count > 0) {
        mechanism->spans.ops->add_curvatures(mechanism, half);
    }
}
static inline bool tni_mechanism_spans_have_rates(const tni_mechanism *mechanism) {
    return mechanism->spans.count > 0 && mechanism->spans.ops->have_rates(mechanism);
}
static inline void tni_mechanism_spans_store(tni_mechanism *mechanism) {
    if (mechanism->spans.count > 0) {
        mechanism->spans.ops->store(mechanism);
    }
}

// ---- solver/exact/mechanism_span_rows.c: rows, once their functions are asked
// --------------------

// Returns J v.
double tni_mechanism_span_get_speed(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                                    uint32_t row, tni_mechanism_pose pose);
const tni_body_motion *tni_mechanism_span_get_motion(const tni_mechanism *mechanism, uint32_t body,
                                                     tni_mechanism_pose pose);
// Adds x J^T to the impulses of a body.
void tni_mechanism_span_push(tni_mechanism *mechanism, uint32_t body, const double j[6], double x);
// These set scales, while system_inertia holds the inverse; and set E of each row to a share of its
// scale.
void tni_mechanism_spans_scale(tni_mechanism *mechanism);
void tni_mechanism_spans_soften(tni_mechanism *mechanism, double share);
// Is called before a stage: finds which limits it leaves to its projection.
void tni_mechanism_spans_begin(tni_mechanism *mechanism);
// Adds J^T l to the bodies' impulses, by the rows of the factor.
void tni_mechanism_spans_apply(tni_mechanism *mechanism);
// These fill in right sides: C at the end poses over h and E l; C as it was emitted; C at the start
// poses; J v and dC/dt, for an open limit plus the speed that closes it in 1 / inv_h; zero.
void tni_mechanism_spans_fill_ends(tni_mechanism *mechanism, double inv_h);
void tni_mechanism_spans_fill_poses(tni_mechanism *mechanism);
void tni_mechanism_spans_fill_rest(tni_mechanism *mechanism);
void tni_mechanism_spans_fill_speeds(tni_mechanism *mechanism, double inv_h);
void tni_mechanism_spans_clear(tni_mechanism *mechanism);
// These change impulses: they add `times` the solution to them; scale them by a factor; and add
// them to their sums over the step, those of the stage or of the solution.
void tni_mechanism_spans_update(tni_mechanism *mechanism, double times);
void tni_mechanism_spans_scale_impulses(tni_mechanism *mechanism, double factor);
void tni_mechanism_spans_note(tni_mechanism *mechanism, double share);
void tni_mechanism_spans_note_unknowns(tni_mechanism *mechanism);
// These let go of limits that would pull; let those that were passed take part in the projection;
// and change those that come to push there, or would pull. They return true where the equations
// changed.
bool tni_mechanism_spans_let_go(tni_mechanism *mechanism);
void tni_mechanism_spans_meet(tni_mechanism *mechanism);
bool tni_mechanism_spans_change_limits(tni_mechanism *mechanism, double inv_h);
// Is called after a projection: a limit that went out gives nothing to the next stage.
void tni_mechanism_spans_leave_limits(tni_mechanism *mechanism);
// Sets the limits of a mechanism that is swept and projected as the sweeps left them; or none
// pushes.
void tni_mechanism_spans_set_limits(tni_mechanism *mechanism);
// Has some span a limit?
bool tni_mechanism_spans_have_limits(const tni_mechanism *mechanism);
// These return the worst error of an equality as it was emitted, and at the present poses, with its
// rest in it.
double tni_mechanism_spans_get_emitted_error(const tni_mechanism *mechanism);
double tni_mechanism_spans_get_error(const tni_mechanism *mechanism);
// Notes the errors that stay open as each row's rest.
void tni_mechanism_spans_note_rests(tni_mechanism *mechanism);
// These keep the state before a stage that may fail, and before a substep that may be taken again;
// and put it back.
void tni_mechanism_spans_keep_stage(tni_mechanism *mechanism);
void tni_mechanism_spans_put_stage_back(tni_mechanism *mechanism);
void tni_mechanism_spans_keep(tni_mechanism *mechanism);
void tni_mechanism_spans_put_back(tni_mechanism *mechanism, double share);

// ---- solver/exact/mechanism_span_breaking.c -----------------------------------------------------

// These do for all mechanisms what those of solver/step/breaking.h do: weigh what spans bear, and
// return true where some would break; break the worst of each; accept the means; and end a substep.
bool tni_mechanism_spans_weigh(tni_solver *solver, tni_look look);
void tni_mechanism_spans_break(tni_solver *solver, tni_look look);
void tni_mechanism_spans_accept(tni_solver *solver);
void tni_mechanism_spans_end_substep(tni_solver *solver);
// Is called before a step, for a span that may break: recalls the load after the last look of the
// step before.
void tni_mechanism_spans_recall(const tni_span *span);
// solver/exact/mechanism_loss.c
void tni_mechanism_lose_span(tni_mechanism *mechanism, tni_mechanism_span *span);

// ---- solver/exact/mechanism_span_rope.c ---------------------------------------------------------

// A rope is one row: these find C at poses and time, dC/dt, J of a body, and K of all its bodies.
void tni_mechanism_rope_measure(const tni_mechanism_span *span, const tni_graph_body *bodies);
double tni_mechanism_rope_get_error(const tni_mechanism_span *span, double time);
double tni_mechanism_rope_get_rate(const tni_mechanism_span *span, double time);
void tni_mechanism_rope_get_gradient(const tni_mechanism_span *span, uint32_t body, double out[6]);
void tni_mechanism_rope_add_curvature(tni_mechanism *mechanism, const tni_mechanism_span *span,
                                      double x);
// Is called after a step, at the last poses: stores what the rope remembers and reports.
void tni_mechanism_rope_store(const tni_mechanism *mechanism, const tni_mechanism_span *span);

// ---- solver/exact/mechanism_border.c ------------------------------------------------------------

// Counts the doubles that the border of a mechanism takes.
size_t tni_mechanism_border_count(const tni_mechanism *mechanism);
// Is called after the joints' matrix was factored: factors what the spans' rows make of it. Right
// sides stay. Returns false where it is not sound.
bool tni_mechanism_border_factor(tni_mechanism *mechanism);
// Is called after a solve with the joints' matrix: finds the spans' unknowns, and corrects the
// others by them.
void tni_mechanism_border_correct(tni_mechanism *mechanism);

#endif
