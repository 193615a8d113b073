// solver/movers/span_ops.c: the table of solver/movers/span_ops.h.
#include "solver/movers/span_ops.h"

#include "solver/exact/mechanism_span.h"
#include "solver/movers/closing.h"
#include "solver/movers/reduced.h"
#include "solver/movers/span.h"
#include "solver/movers/span_contact.h"

static void ops_begin_phase(tni_solver *solver) {
    tni_spans_begin_phase(solver);
    tni_span_contacts_begin_phase(solver);
}

static void ops_end_phase(tni_solver *solver, bool is_first_half) {
    tni_spans_end_phase(solver, is_first_half);
    tni_span_contacts_end_phase(solver, is_first_half);
}

static const tni_mechanism_span_ops ops_in_mechanism = {
    .emit = tni_spanned_emit,
    .measure = tni_spanned_measure,
    .apply_fresh = tni_spanned_apply_fresh,
    .add_curvatures = tni_spanned_add_curvatures,
    .have_rates = tni_spanned_have_rates,
    .store = tni_spanned_store,
};

const tni_span_ops tni_spans_ops = {
    .refresh = tni_spans_refresh,
    .warm_start = tni_spans_warm_start,
    .sweep = tni_spans_sweep,
    .store = tni_spans_store,
    .break_worst = tni_spans_break,
    .accept = tni_spans_accept,
    .sweep_marked = tni_spans_sweep_marked,
    .refresh_closings = tni_closings_refresh,
    .close = tni_closings_close,
    .sweep_closings = tni_closings_sweep,
    .sweep_marked_closings = tni_closings_sweep_marked,
    .start_contacts = tni_span_contacts_start,
    .refresh_contacts = tni_span_contacts_refresh,
    .warm_start_contacts = tni_span_contacts_warm_start,
    .sweep_contacts = tni_span_contacts_sweep,
    .store_contacts = tni_span_contacts_store,
    .finish_contacts = tni_span_contacts_finish,
    .begin_impacts = tni_span_impacts_begin,
    .solve_impacts = tni_span_impacts_solve,
    .start_reduced = tni_reduced_start,
    .kick_reduced = tni_reduced_kick,
    .collect_reduced = tni_reduced_collect,
    .drift_reduced = tni_reduced_drift,
    .begin_phase = ops_begin_phase,
    .end_phase = ops_end_phase,
    .measure_reduced = tni_reduced_measure,
    .in_mechanism = &ops_in_mechanism,
    .weigh_in_mechanisms = tni_mechanism_spans_weigh,
    .break_in_mechanisms = tni_mechanism_spans_break,
    .accept_in_mechanisms = tni_mechanism_spans_accept,
    .end_substep_in_mechanisms = tni_mechanism_spans_end_substep,
};
