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

// Returns whether the limit is rigid and does not bounce, or is off.
static inline bool tni_limit_is_hard(const tn_limit *limit) {
    return !limit->is_enabled || (!tni_limit_is_soft(limit) && !(limit->restitution > 0.0f));
}

static inline const tn_limit *tni_limit_or_null(const tn_limit *limit) {
    return limit->is_enabled ? limit : NULL;
}

// Writes the lower and the upper row if the limit is enabled. Returns how many.
uint32_t tni_limit_emit(const tni_scalar *scalar, const tn_limit *limit, tni_row *rows);
void tni_limit_emit_lower(const tni_scalar *scalar, const tn_limit *limit, tni_row *row);
void tni_limit_emit_upper(const tni_scalar *scalar, const tn_limit *limit, tni_row *row);
// Makes the row of a limit soft, or lets it bounce, as `limit` says.
void tni_limit_soften(const tn_limit *limit, tni_row *row);
// Returns value - target through the range that the limit leaves open: for an angle both are taken
// in the turn nearest to the middle of the range. Without a limit (null or off) it is the shortest
// difference.
double tni_limit_get_difference(const tni_scalar *scalar, const tn_limit *limit, double target);
// Return the errors of those rows.
double tni_limit_get_lower_room(const tni_scalar *scalar, const tn_limit *limit);
double tni_limit_get_upper_room(const tni_scalar *scalar, const tn_limit *limit);
// Returns how far the value is past the limit: negative below lower, positive above upper, 0
// within. It is 0 for a soft limit, which may be passed.
double tni_limit_get_excess(const tni_scalar *scalar, const tn_limit *limit);

#endif
