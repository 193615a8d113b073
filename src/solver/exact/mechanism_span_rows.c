// solver/exact/mechanism_span_rows.c: what the rows of a mechanism's spans have beside their
// bodies: E, right sides, impulses, and what is put back where a stage fails.
//
// As of joints: solver/exact/mechanism_stage.c, solver/exact/mechanism_project.c,
// solver/exact/mechanism_run.c. Test: tests/solver/exact/test_mechanism_span.c
#include "solver/exact/mechanism_span.h"

// A limit that takes no part has an E this many times its own response.
#define SPAN_OUT 1e12
// m or another unit of C: a limit passed by less is where it should be.
#define SPAN_PASSED 1e-9

void tni_spanned_soften(tni_mechanism *mechanism, double share) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->softness = (row->is_out ? SPAN_OUT : share) * row->scale;
    }
}

// ---- right sides -------------------------------------------------------------------------------

void tni_spanned_fill_poses(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].unknown = mechanism->spans.rows[r].error;
    }
}

double tni_spanned_get_emitted_error(const tni_mechanism *mechanism) {
    double worst = 0.0;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        const tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        worst = row->is_limit ? worst : fmax(worst, fabs(row->error));
    }
    return worst;
}

void tni_spanned_clear(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].unknown = 0.0;
    }
}

// ---- impulses ----------------------------------------------------------------------------------

void tni_spanned_update(tni_mechanism *mechanism, double times) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].impulse += times * mechanism->spans.rows[r].unknown;
    }
}

void tni_spanned_scale_impulses(tni_mechanism *mechanism, double factor) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        double *impulse = &mechanism->spans.rows[r].impulse;
        *impulse = factor > 0.0 ? factor * *impulse : 0.0;
    }
}

// Returns the work, J, that an impulse x along a row does on bodies that its rows do not move.
static double spans_get_lead(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                             uint32_t r, double x) {
    double work = 0.0;
    for (uint32_t i = 0; i < span->span->body_count; ++i) {
        uint32_t body = span->bodies[i];
        if (body != TNI_NONE && body >= mechanism->moving_count) {
            const tni_body_motion *motion = &mechanism->bodies[body].motion;
            tni_dvec3 v = motion->velocity, w = motion->angular_velocity;
            const double *j = tni_mechanism_span_at(span, r, i);
            const double twist[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
            work += x * tni_mechanism_dot6(j, twist);
        }
    }
    return work;
}

static void spans_note_row(const tni_mechanism *mechanism, const tni_mechanism_span *span,
                           uint32_t r, double x) {
    span->rows[r].sum += x;
    span->rows[r].lead += spans_get_lead(mechanism, span, r, x);
}

void tni_spanned_note(tni_mechanism *mechanism, double share) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            spans_note_row(mechanism, span, r, share * span->rows[r].impulse);
        }
    }
}

void tni_spanned_note_unknowns(tni_mechanism *mechanism) {
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        const tni_mechanism_span *span = &mechanism->spans.spans[s];
        for (uint32_t r = 0; r < span->row_count; ++r) {
            spans_note_row(mechanism, span, r, span->rows[r].unknown);
        }
    }
}

// ---- limits ------------------------------------------------------------------------------------

bool tni_spanned_have_limits(const tni_mechanism *mechanism) {
    bool any = false;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        any |= mechanism->spans.rows[r].is_limit;
    }
    return any;
}

void tni_spanned_meet(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->is_out = row->is_out && !(row->error < -SPAN_PASSED);
    }
}

bool tni_spanned_let_go(tni_mechanism *mechanism) {
    bool changed = false;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        if (row->is_limit && !row->is_out && row->impulse < 0.0) {
            row->impulse = 0.0;
            row->is_out = changed = true;
        }
    }
    return changed;
}

void tni_spanned_leave_limits(tni_mechanism *mechanism) {
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        tni_mechanism_span_row *row = &mechanism->spans.rows[r];
        row->impulse = row->is_limit && row->is_out ? 0.0 : row->impulse;
    }
}

// ---- what is put back --------------------------------------------------------------------------

void tni_spanned_keep_stage(tni_mechanism *mechanism) {
    mechanism->times.before = mechanism->times.now;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum_before = mechanism->spans.rows[r].sum;
        mechanism->spans.rows[r].lead_before = mechanism->spans.rows[r].lead;
    }
}

void tni_spanned_put_stage_back(tni_mechanism *mechanism) {
    mechanism->times.now = mechanism->times.before;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum = mechanism->spans.rows[r].sum_before;
        mechanism->spans.rows[r].lead = mechanism->spans.rows[r].lead_before;
    }
}

void tni_spanned_keep(tni_mechanism *mechanism) {
    mechanism->times.kept = mechanism->times.now;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum_kept = mechanism->spans.rows[r].sum;
        mechanism->spans.rows[r].lead_kept = mechanism->spans.rows[r].lead;
        mechanism->spans.rows[r].impulse_kept = mechanism->spans.rows[r].impulse;
    }
}

void tni_spanned_put_back(tni_mechanism *mechanism, double share) {
    mechanism->times.now = mechanism->times.kept;
    for (uint32_t r = 0; r < mechanism->spans.row_count; ++r) {
        mechanism->spans.rows[r].sum = mechanism->spans.rows[r].sum_kept;
        mechanism->spans.rows[r].lead = mechanism->spans.rows[r].lead_kept;
        mechanism->spans.rows[r].impulse = share * mechanism->spans.rows[r].impulse_kept;
    }
}
