// joints/parts/plain_rows.h: equality rows of joints that are no pin, as float rows.
#ifndef TNI_JOINTS_PARTS_PLAIN_ROWS_H
#define TNI_JOINTS_PARTS_PLAIN_ROWS_H

#include "core/simd_double.h"
#include "joints/exact_row.h"
#include "joints/parts/row_clear.h"
#include "joints/pin.h"

// A RIGID row with Jdot v.
static inline void tni_plain_row_emit(const tni_exact_row *exact, double term, bool is_angular,
                                      tni_row *row) {
    tni_row_clear(row, TNI_ROW_RIGID, TNI_ROLE_JOINT, is_angular);
    f4_store3(row->lin_a.raw, tni_pin_vector(exact->lin_a));
    f4_store3(row->ang_a.raw, tni_pin_vector(exact->ang_a));
    f4_store3(row->lin_b.raw, tni_pin_vector(exact->lin_b));
    f4_store3(row->ang_b.raw, tni_pin_vector(exact->ang_b));
    row->error = (float)exact->error;
    row->velocity_term = (float)term;
}

#endif
