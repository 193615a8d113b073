// joints/parts/limit.h: a range for a joint's value.
#ifndef TNI_JOINTS_PARTS_LIMIT_H
#define TNI_JOINTS_PARTS_LIMIT_H

#include "joints/parts/scalar.h"

static inline uint32_t tni_limit_count_rows(const tn_limit *limit) {
    return limit->is_enabled ? 2 : 0;
}

static inline bool tni_limit_is_soft(const tn_limit *limit) {
    return limit->stiffness > 0.0f;
}

// Nothing softens it, and nothing bounces off it.
static inline bool tni_limit_is_hard(const tn_limit *limit) {
    return !limit->is_enabled || (!tni_limit_is_soft(limit) && !(limit->restitution > 0.0f));
}

static inline const tn_limit *tni_limit_or_null(const tn_limit *limit) {
    return limit->is_enabled ? limit : NULL;
}

// Lower and upper row, where the limit is enabled. Returns how many.
uint32_t tni_limit_emit(const tni_scalar *scalar, const tn_limit *limit, tni_row *rows);
void tni_limit_emit_lower(const tni_scalar *scalar, const tn_limit *limit, tni_row *row);
void tni_limit_emit_upper(const tni_scalar *scalar, const tn_limit *limit, tni_row *row);
// Makes the row of a limit soft, or lets it bounce, as `limit` says.
void tni_limit_soften(const tn_limit *limit, tni_row *row);
// value - target by the way that the limit leaves open: of an angle both are taken in the turn that
// lies nearest to the middle of the range. Without a limit (null or not enabled) the shortest way.
double tni_limit_get_difference(const tni_scalar *scalar, const tn_limit *limit, double target);
// The error of those rows.
double tni_limit_get_lower_room(const tni_scalar *scalar, const tn_limit *limit);
double tni_limit_get_upper_room(const tni_scalar *scalar, const tn_limit *limit);
// How far the value is past the limit: negative below lower, positive above upper, 0 within. A soft
// limit may be passed: 0.
double tni_limit_get_excess(const tni_scalar *scalar, const tn_limit *limit);

#endif
