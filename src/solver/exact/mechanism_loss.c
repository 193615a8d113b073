// solver/exact/mechanism_loss.c: a joint of a mechanism that breaks in the middle of a step.
//
// Its pattern stands until the end of the step, and the joint with it: J = 0, C = 0 and E = 1 say
// that its impulse is nothing, and tie nothing to anything. Therefore a step that is under way asks
// for no memory. joints/joint.c gives empty rows for a joint that is broken. Data that depends on
// the form of its rows, or on stages in which it held, is forgotten.
// Test: tests/joints/test_breaking.c
#include "solver/exact/mechanism_span.h"

#include <string.h>

static void loss_clear_rows(tni_mechanism_joint *joint) {
    size_t numbers = joint->all_count * sizeof(double);
    memset(joint->impulse, 0, numbers);
    memset(joint->impulse_kept, 0, numbers);
    memset(joint->lead, 0, numbers);
    for (uint32_t k = 0; k < TNI_MECHANISM_RISES; ++k) {
        memset(joint->given[k], 0, numbers);
    }
    memset(joint->rows, 0, joint->all_count * sizeof *joint->rows);
    memset(joint->rest, 0, sizeof joint->rest);
    memset(joint->fault, 0, sizeof joint->fault);
    for (uint32_t r = joint->equality_count; r < joint->row_count; ++r) {
        joint->actors[r].is_out = true;
        joint->actors[r].arrival = 0.0;
    }
}

static void loss_forget(tni_mechanism *mechanism) {
    tni_mechanism_lay_out(mechanism);
    mechanism->matrix.has_factor = mechanism->matrix.has_scales = mechanism->matrix.is_factored =
        false;
    mechanism->traits.is_prescribed = mechanism->stage.is_open = false;
    mechanism->carry.lead_step = mechanism->carry.rise_step = 0.0;
    mechanism->carry.rise_count = 0;
    mechanism->matrix.rates[0].stages = mechanism->matrix.rates[1].stages = 0;
}

void tni_mechanism_lose_joint(tni_mechanism *mechanism, tni_mechanism_joint *joint) {
    joint->is_broken = true;
    joint->is_pin = joint->is_slide = false;
    loss_clear_rows(joint);
    loss_forget(mechanism);
}

// Takes a span that has broken out: its rows are emitted as zero.
void tni_mechanism_lose_span(tni_mechanism *mechanism, tni_mechanism_span *span) {
    for (uint32_t r = 0; r < span->row_count; ++r) {
        tni_mechanism_span_row *row = &span->rows[r];
        row->impulse = row->impulse_kept = row->rest = row->passed = 0.0;
        row->is_limit = row->is_out = false;
    }
    loss_forget(mechanism);
}
