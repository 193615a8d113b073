// joints/parts/limit.c: a range for a joint's value, as two one-sided rows.
//
// Symbols: x the value, J its Jacobian, lower and upper the ends of the range, x_c its middle.
//
// Lower:  C = x - lower >= 0,  row J     Upper:  C = upper - x >= 0,  row -J
// The impulse of each is >= 0: lower pushes x up, upper pushes it down. Both are emitted while the
// limit is enabled, also where they do not touch, so that a fast body stops at the limit and not
// one substep behind it, and so that a row keeps its place.
// Jdot v of the value goes into both, so that a taut rope that swings does not give way each step.
//
// An angle is known modulo 2 pi only. The turn nearest to x_c is taken: a range of less than a full
// turn is then entered from the end that was passed, whichever way the body turned.
// Test: tests/joints/test_rows.c
#include "joints/parts/limit.h"

uint32_t tni_limit_count_rows(const tn_limit *limit) {
    return limit->enabled ? 2 : 0;
}

// The value's turn that lies nearest to the middle of the range.
static double limit_nearest_value(const tni_scalar *scalar, const tn_limit *limit) {
    double middle = 0.5 * ((double)limit->lower + (double)limit->upper);
    return middle + tni_scalar_get_difference(scalar, middle);
}

uint32_t tni_limit_emit(const tni_scalar *scalar, const tn_limit *limit, tni_row *rows) {
    if (!limit->enabled) {
        return 0;
    }
    double value = limit_nearest_value(scalar, limit);
    tni_scalar_emit_row(scalar, &rows[0], TNI_ROW_LIMIT, TNI_ROLE_JOINT,
                        value - (double)limit->lower);
    tni_scalar_emit_row(scalar, &rows[1], TNI_ROW_LIMIT, TNI_ROLE_JOINT,
                        (double)limit->upper - value);
    rows[0].velocity_term = (float)scalar->acceleration;
    rows[1].velocity_term = (float)-scalar->acceleration;
    rows[1].lin_a = glms_vec3_negate(rows[1].lin_a);
    rows[1].ang_a = glms_vec3_negate(rows[1].ang_a);
    rows[1].lin_b = glms_vec3_negate(rows[1].lin_b);
    rows[1].ang_b = glms_vec3_negate(rows[1].ang_b);
    return 2;
}

double tni_limit_get_excess(const tni_scalar *scalar, const tn_limit *limit) {
    if (!limit->enabled) {
        return 0.0;
    }
    double value = limit_nearest_value(scalar, limit);
    if (value < (double)limit->lower) {
        return value - (double)limit->lower;
    }
    return value > (double)limit->upper ? value - (double)limit->upper : 0.0;
}
