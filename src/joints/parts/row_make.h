// joints/parts/row_make.h: an empty row to fill in.
#ifndef TNI_JOINTS_PARTS_ROW_MAKE_H
#define TNI_JOINTS_PARTS_ROW_MAKE_H

#include "joints/row.h"

// All numbers zero, no cap on the force, a group of its own.
static inline tni_row tni_row_make(tni_row_kind kind, tni_row_role role, bool is_angular) {
    return (tni_row){.max_force = INFINITY,
                     .kind = (uint8_t)kind,
                     .role = (uint8_t)role,
                     .group = 1,
                     .is_angular = is_angular};
}

#endif
