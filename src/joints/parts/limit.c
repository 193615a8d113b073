// joints/parts/limit.c: a range for a joint's value, as two one-sided rows.
//
// Symbols: x the value, J its Jacobian, lower and upper the ends of the range, x_c its middle.
//
// Lower:  C = x - lower >= 0,  row J     Upper:  C = upper - x >= 0,  row -J
// The impulse of each is >= 0: lower pushes x up, upper pushes it down. Both are written while the
// limit is enabled, even far from it, so that a fast body stops at the limit and not one substep
// behind it, and so that a row keeps its place.
// Each has the value's Jdot v, so that a taut rope that swings does not give way in each step.
//
// An angle is known modulo 2 pi only. The turn nearest to x_c is taken: a range of less than a full
// turn is then entered at the end that was passed, whichever way the body turned. Targets of motors
// and springs are taken in the same turn, so that none of them pulls through the gap.
//
// Soft: while C < 0 the force is -stiffness C - damping J v, and never less than 0; otherwise there
// is none. The potential is k C^2 / 2 of the violation. Bouncing: a value that arrives at the speed
// u < 0 leaves at -restitution u, by Newton's law of impact.
// Test: tests/joints/test_rows_bounded.c, tests/joints/test_joint_limits.c
#include "joints/parts/limit.h"

// Returns the value in the turn that lies nearest to the middle of the range.
static double limit_nearest_value(const tni_scalar *scalar, const tn_limit *limit) {
    double middle = 0.5 * ((double)limit->lower + (double)limit->upper);
    return middle + tni_scalar_get_difference(scalar, middle);
}

double tni_limit_get_difference(const tni_scalar *scalar, const tn_limit *limit, double target) {
    if (limit == NULL || !limit->is_enabled || !(scalar->period > 0.0)) {
        return tni_scalar_get_difference(scalar, target);
    }
    double middle = 0.5 * ((double)limit->lower + (double)limit->upper);
    double turns = floor((middle - target) / scalar->period + 0.5);
    return limit_nearest_value(scalar, limit) - (target + turns * scalar->period);
}

// Returns C, of which only a share is corrected if the limit is violated.
static double limit_ease(const tni_scalar *scalar, double room) {
    return room < 0.0 ? (1.0 - scalar->ease) * room : room;
}

void tni_limit_soften(const tn_limit *limit, tni_row *row) {
    if (!tni_limit_is_soft(limit)) {
        row->restitution = limit->restitution;
        return;
    }
    row->kind = TNI_ROW_SOFT_LIMIT;
    row->role = TNI_ROLE_SPRING;
    row->velocity_term = 0.0f;
    row->stiffness = limit->stiffness;
    row->damping = limit->damping;
}

static void limit_emit_lower(const tni_scalar *scalar, const tn_limit *limit, double room,
                             tni_row *row) {
    tni_scalar_emit_row(scalar, row, TNI_ROW_LIMIT, TNI_ROLE_JOINT, limit_ease(scalar, room));
    row->velocity_term = (float)scalar->acceleration;
    tni_limit_soften(limit, row);
}

static void limit_emit_upper(const tni_scalar *scalar, const tn_limit *limit, double room,
                             tni_row *row) {
    tni_scalar turned = {.lin_a = tni_scalar_turn(scalar->lin_a),
                         .ang_a = tni_scalar_turn(scalar->ang_a),
                         .lin_b = tni_scalar_turn(scalar->lin_b),
                         .ang_b = tni_scalar_turn(scalar->ang_b),
                         .is_angular = scalar->is_angular};
    tni_scalar_emit_row(&turned, row, TNI_ROW_LIMIT, TNI_ROLE_JOINT, limit_ease(scalar, room));
    row->velocity_term = (float)-scalar->acceleration;
    tni_limit_soften(limit, row);
}

double tni_limit_get_lower_room(const tni_scalar *scalar, const tn_limit *limit) {
    return limit_nearest_value(scalar, limit) - (double)limit->lower;
}

double tni_limit_get_upper_room(const tni_scalar *scalar, const tn_limit *limit) {
    return (double)limit->upper - limit_nearest_value(scalar, limit);
}

void tni_limit_emit_lower(const tni_scalar *scalar, const tn_limit *limit, tni_row *row) {
    limit_emit_lower(scalar, limit, tni_limit_get_lower_room(scalar, limit), row);
}

void tni_limit_emit_upper(const tni_scalar *scalar, const tn_limit *limit, tni_row *row) {
    limit_emit_upper(scalar, limit, tni_limit_get_upper_room(scalar, limit), row);
}

uint32_t tni_limit_emit(const tni_scalar *scalar, const tn_limit *limit, tni_row *rows) {
    if (!limit->is_enabled) {
        return 0;
    }
    double value = limit_nearest_value(scalar, limit);
    limit_emit_lower(scalar, limit, value - (double)limit->lower, &rows[0]);
    limit_emit_upper(scalar, limit, (double)limit->upper - value, &rows[1]);
    return 2;
}

double tni_limit_get_excess(const tni_scalar *scalar, const tn_limit *limit) {
    if (!limit->is_enabled || tni_limit_is_soft(limit)) {
        return 0.0;
    }
    double value = limit_nearest_value(scalar, limit);
    if (value < (double)limit->lower) {
        return value - (double)limit->lower;
    }
    return value > (double)limit->upper ? value - (double)limit->upper : 0.0;
}
