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
    .scale = tni_spanned_scale,
    .soften = tni_spanned_soften,
    .begin = tni_spanned_begin,
    .apply = tni_spanned_apply,
    .apply_fresh = tni_spanned_apply_fresh,
    .add_curvatures = tni_spanned_add_curvatures,
    .fill_ends = tni_spanned_fill_ends,
    .fill_poses = tni_spanned_fill_poses,
    .fill_rest = tni_spanned_fill_rest,
    .fill_speeds = tni_spanned_fill_speeds,
    .clear = tni_spanned_clear,
    .update = tni_spanned_update,
    .scale_impulses = tni_spanned_scale_impulses,
    .note = tni_spanned_note,
    .note_unknowns = tni_spanned_note_unknowns,
    .let_go = tni_spanned_let_go,
    .meet = tni_spanned_meet,
    .change_limits = tni_spanned_change_limits,
    .leave_limits = tni_spanned_leave_limits,
    .set_limits = tni_spanned_set_limits,
    .have_limits = tni_spanned_have_limits,
    .get_emitted_error = tni_spanned_get_emitted_error,
    .get_error = tni_spanned_get_error,
    .note_rests = tni_spanned_note_rests,
    .keep_stage = tni_spanned_keep_stage,
    .put_stage_back = tni_spanned_put_stage_back,
    .keep = tni_spanned_keep,
    .put_back = tni_spanned_put_back,
    .have_rates = tni_spanned_have_rates,
    .store = tni_spanned_store,
    .factor_border = tni_mechanism_border_factor,
    .correct_border = tni_mechanism_border_correct,
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
