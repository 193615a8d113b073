// solver/exact/mechanism_span_breaking.c: spans of mechanisms that break, within the step.
//
// Spans break as the joints of mechanisms do (solver/step/breaking.h): before a stage is accepted,
// and when contacts have given at once after it, the worst span of a mechanism that bears too much
// is lost, and the stage or the blow is taken again without it. A row gave its sum of the step less
// that of the last look; what comes after the last look of a step counts in the next one. A span
// that is lost has J = 0 and C = 0, as one that gives no numbers has: it ties nothing to anything.
// Loads and means are those of solver/movers/span_breaking.c. Test:
// tests/world/movers/test_span_breaking.c
#include "solver/exact/mechanism_span.h"
#include "solver/step/breaking.h"

// Returns where the impulse after the last look of a step is kept: for a rope's one row, or for a
// function's.
static double *span_get_since(const tni_span *span, uint32_t row) {
    return span->rope != NULL ? &span->load->joint->bearing.since[0]
                              : &span->function->bearing.since[row];
}

void tni_mechanism_spans_recall(const tni_span *span) {
    for (uint32_t r = 0; r < (span->rope != NULL ? 1 : span->row_count); ++r) {
        span->load->looked[r] = -*span_get_since(span, r);
    }
}

static void span_weigh(const tni_solver *solver, const tni_mechanism_span *own, tni_look look) {
    const tni_span *span = own->span;
    const double *from = look == TNI_LOOK_BLOW ? span->load->before : span->load->looked;
    double given[TNI_LOAD_NUMBERS] = {0.0}, rows[TN_CUSTOM_MAX_ROWS] = {0.0};
    bool has_more = look != TNI_LOOK_BLOW;
    for (uint32_t r = 0; r < own->row_count; ++r) {
        double *most = &given[span->rope == NULL && span->rows[r].given.is_angular ? 3 : 0];
        rows[r] = own->rows[r].sum - from[r];
        *most = maths_max_d(*most, fabs(rows[r]));
        has_more = has_more || own->rows[r].sum != span->load->looked[r];
    }
    span->load->excess = 0.0;
    if (has_more) {
        tni_span_weigh(solver, span, given, rows);
    }
}

static bool span_is_looked_at(const tni_mechanism *mechanism, const tni_mechanism_span *own) {
    return !mechanism->traits.is_coupled && own->span->load != NULL && !own->span->is_broken;
}

bool tni_mechanism_spans_weigh(tni_solver *solver, tni_look look) {
    bool are_over = false;
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[i];
        for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
            if (span_is_looked_at(mechanism, &mechanism->spans.spans[s])) {
                span_weigh(solver, &mechanism->spans.spans[s], look);
                are_over = are_over || mechanism->spans.spans[s].span->load->excess > 0.0;
            }
        }
    }
    return are_over;
}

// Returns the span with the greatest load relative to what it bears, the first if several have it;
// or null.
static tni_mechanism_span *span_find_worst(const tni_mechanism *mechanism) {
    tni_mechanism_span *worst = NULL;
    double most = 0.0;
    for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
        tni_mechanism_span *own = &mechanism->spans.spans[s];
        if (span_is_looked_at(mechanism, own) && own->span->load->excess > most) {
            most = own->span->load->excess;
            worst = own;
        }
    }
    return worst;
}

void tni_mechanism_spans_break(tni_solver *solver, tni_look look) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        tni_mechanism *mechanism = solver->exact.mechanisms[i];
        tni_mechanism_span *own = span_find_worst(mechanism);
        if (own != NULL) {
            tni_span_set_broken(own->span);
            tni_mechanism_lose_span(mechanism, own);
            mechanism->stage.has_lost = mechanism->stage.has_lost || look == TNI_LOOK_STAGE;
        }
    }
}

void tni_mechanism_spans_accept(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[i];
        for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
            const tni_mechanism_span *own = &mechanism->spans.spans[s];
            if (!span_is_looked_at(mechanism, own)) {
                continue;
            }
            tni_span_accept(own->span);
            for (uint32_t r = 0; r < own->row_count; ++r) {
                own->span->load->looked[r] = own->rows[r].sum;
            }
        }
    }
}

void tni_mechanism_spans_end_substep(tni_solver *solver) {
    for (uint32_t i = 0; i < solver->exact.count; ++i) {
        const tni_mechanism *mechanism = solver->exact.mechanisms[i];
        for (uint32_t s = 0; s < mechanism->spans.count; ++s) {
            const tni_mechanism_span *own = &mechanism->spans.spans[s];
            for (uint32_t r = 0; r < own->row_count && span_is_looked_at(mechanism, own); ++r) {
                own->span->load->before[r] = own->rows[r].sum;
                *span_get_since(own->span, r) = own->rows[r].sum - own->span->load->looked[r];
            }
        }
    }
}
