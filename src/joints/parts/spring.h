// joints/parts/spring.h: a spring with a damper on a joint's value.
#ifndef TNI_JOINTS_PARTS_SPRING_H
#define TNI_JOINTS_PARTS_SPRING_H

#include "joints/parts/point.h"
#include "joints/parts/scalar.h"

static inline uint32_t tni_spring_count_rows(const tn_spring *spring) {
    return spring->mode == TN_SPRING_MODE_OFF ? 0 : 1;
}

// Writes the spring's row. `limit` is that of the same value, or null.
uint32_t tni_spring_emit(const tni_scalar *scalar, const tn_spring *spring, const tn_limit *limit,
                         tni_row *rows);
// Makes a spring of three rows that were written for another use; they become one group.
void tni_spring_soften(const tn_spring *spring, tni_row *rows);

// Writes the three rows of a point as a spring.
void tni_point_emit_soft(const tni_point *point, const tn_spring *spring, tni_row *rows);

#endif
