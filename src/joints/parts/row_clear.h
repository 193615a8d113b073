// joints/parts/row_clear.h: an empty row to fill in.
#ifndef TNI_JOINTS_PARTS_ROW_CLEAR_H
#define TNI_JOINTS_PARTS_ROW_CLEAR_H

#include <string.h>

#include "joints/row.h"

// Sets all numbers to zero, no cap on the force, a group of its own. It writes in place: a row that
// is returned by value is built on the stack and copied, which takes twice as long.
static inline void tni_row_clear(tni_row *row, tni_row_kind kind, tni_row_role role,
                                 bool is_angular) {
    memset(row, 0, sizeof *row);
    row->max_force = INFINITY;
    row->kind = (uint8_t)kind;
    row->role = (uint8_t)role;
    row->group = 1;
    row->is_angular = is_angular;
}

#endif
