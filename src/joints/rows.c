// joints/rows.c: see joints/rows.h.
#include "joints/rows.h"

void tni_rows_add_made(tni_rows *out, const tni_exact_row *row, double term, bool is_angular) {
    uint32_t r = tni_rows_add(out, 1);
    out->turns |= is_angular ? 1u << r : 0u;
    if (out->exact != NULL) {
        out->exact[r] = *row;
    }
    tni_rows_set_error(out, r, row->error);
    tni_rows_set_term(out, r, term);
}

// The numbers of a row that follow its Jacobian are written once, without clearing them before.
static void rows_round_one(const tni_exact_row *exact, double term, double rate, bool is_angular,
                           tni_row *row) {
    for (int c = 0; c < 12; c += 4) {
        tni_d2 low = d2_load(exact->jacobian + c), high = d2_load(exact->jacobian + c + 2);
        f4_store(row->jacobian + c, tni_pin_flush(f4_from_d2(low, high)));
    }
    row->error = (float)exact->error;
    row->velocity_term = (float)term;
    row->target_speed = (float)-rate;
    row->stiffness = row->damping = row->restitution = 0.0f;
    row->max_force = INFINITY;
    row->kind = TNI_ROW_RIGID;
    row->role = TNI_ROLE_JOINT;
    row->group = 1;
    row->is_angular = is_angular;
}

void tni_rows_round(const tni_rows *rows, tni_row *out_rows) {
    for (uint32_t r = 0; r < rows->count; ++r) {
        rows_round_one(&rows->exact[r], rows->terms != NULL ? rows->terms[r] : 0.0,
                       rows->rates != NULL ? rows->rates[r] : 0.0, (rows->turns >> r & 1u) != 0,
                       &out_rows[r]);
    }
}

tni_rows tni_rows_of_one(const tni_rows *out, tni_lone_row *lone) {
    return (tni_rows){.ends = {out->ends[0], out->ends[1]},
                      .exact = &lone->exact,
                      .terms = out->is_still ? NULL : &lone->term};
}

void tni_rows_bound(const tni_rows *lone, double sign, tni_row_kind kind, tni_row *row) {
    tni_rows_round(lone, row);
    float factor = (float)sign;
    for (int c = 0; c < 12; ++c) {
        row->jacobian[c] *= factor;
    }
    row->error *= factor;
    row->velocity_term *= factor;
    row->kind = (uint8_t)kind;
}

float tni_row_compare(const tni_row *row, const tni_row *other) {
    bool is_same = true, is_turned = true;
    for (uint32_t i = 0; i < 12 && (is_same || is_turned); ++i) {
        is_same = is_same && row->jacobian[i] == other->jacobian[i];
        is_turned = is_turned && row->jacobian[i] == -other->jacobian[i];
    }
    return is_same ? 1.0f : is_turned ? -1.0f : 0.0f;
}
