// world/api/force_check.c: every number of a force is looked at.
// Test: tests/forces/test_force_misuse.c
#include "world/api/force_internal.h"
#include "world/records/convert.h"

static tni_check force_check_connector(const tn_connector *connector) {
    double length = dvec3_length(dvec3_from_plain(connector->axis));
    bool is_finite = convert_is_finite(connector->point) && convert_is_finite(connector->axis) &&
                     isfinite(connector->amount) && isfinite(length);
    return tni_check_both(
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE, "A connector's numbers must be finite."),
        tni_check_that(length > 1e-12, TN_RESULT_ZERO_AXIS,
                       "A connector's axis must have a length."));
}

tni_check tni_force_check_base(const tn_force_base *base) {
    if (base->connector_count < 1 || base->connector_count > TN_FORCE_MAX_CONNECTORS) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "A force has from 1 to 16 connectors."};
    }
    tni_check check = {TN_RESULT_OK, ""};
    for (uint32_t i = 0; i < base->connector_count; ++i) {
        check = tni_check_both(check, force_check_connector(&base->connectors[i]));
    }
    return check;
}

tni_check tni_force_check_amount(tn_force_type type, double amount) {
    return tni_check_both(
        tni_check_that(isfinite(amount), TN_RESULT_NOT_FINITE, "The amount must be finite."),
        tni_check_that(type != TN_FORCE_TYPE_AIR || amount >= 0.0, TN_RESULT_INVALID_ARGUMENT,
                       "Areas must not be negative."));
}

// Checks that numbers are finite and none is below zero.
static tni_check force_check_positive(const double *numbers, uint32_t count) {
    bool are_finite = true, are_negative = false;
    for (uint32_t i = 0; i < count; ++i) {
        are_finite = are_finite && isfinite(numbers[i]);
        are_negative = are_negative || numbers[i] < 0.0;
    }
    return tni_check_both(
        tni_check_that(are_finite, TN_RESULT_NOT_FINITE, "A force's numbers must be finite."),
        tni_check_that(!are_negative, TN_RESULT_INVALID_ARGUMENT,
                       "Stiffness, damping, length, density, drag and strength must not be "
                       "negative."));
}

static tni_check force_check_air(const tn_force_air *air) {
    const double numbers[] = {air->density, air->coefficient};
    if (air->gust_count > TN_FORCE_MAX_GUSTS) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "There are at most 8 gusts."};
    }
    bool is_finite = convert_is_finite(air->wind);
    for (uint32_t i = 0; i < air->gust_count; ++i) {
        const tn_gust *gust = &air->gusts[i];
        is_finite = is_finite && convert_is_finite(gust->amplitude) && isfinite(gust->hertz) &&
                    isfinite(gust->phase);
    }
    return tni_check_both(
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE, "The wind must be finite."),
        force_check_positive(numbers, 2));
}

static tni_check force_check_buoyancy(const tn_force_buoyancy *water) {
    const double numbers[] = {water->density, water->linear_drag, water->quadratic_drag};
    double length = dvec3_length(dvec3_from_plain(water->up));
    bool is_finite =
        convert_is_finite(water->current) && isfinite(water->level) && isfinite(length);
    const tni_check checks[] = {
        tni_check_that(is_finite, TN_RESULT_NOT_FINITE, "The water's numbers must be finite."),
        tni_check_that(length > 1e-12, TN_RESULT_ZERO_AXIS, "Up must have a length."),
        force_check_positive(numbers, 3),
    };
    return tni_check_all(checks, sizeof checks);
}

static tni_check force_check_motor(const tn_force_motor *motor) {
    bool are_numbers = isfinite(motor->stall_torque) && !isnan(motor->no_load_speed);
    return tni_check_both(
        tni_check_that(are_numbers, TN_RESULT_NOT_FINITE, "The torque must be finite."),
        tni_check_that(motor->no_load_speed > 0.0, TN_RESULT_INVALID_ARGUMENT,
                       "no_load_speed must be above 0."));
}

static tni_check force_check_magnet(double core) {
    return tni_check_both(
        tni_check_that(isfinite(core), TN_RESULT_NOT_FINITE, "The core must be finite."),
        tni_check_that(core > 0.0, TN_RESULT_INVALID_ARGUMENT, "The core must be above 0."));
}

static tni_check force_check_spring(const tn_force_spring *spring) {
    const double numbers[] = {spring->stiffness, spring->damping, spring->length};
    return force_check_positive(numbers, 3);
}

tni_check tni_force_check_numbers(const tni_force *force) {
    switch (force->type) {
    case TN_FORCE_TYPE_SPRING:
        return force_check_spring(&force->spring);
    case TN_FORCE_TYPE_AIR:
        return force_check_air(&force->air);
    case TN_FORCE_TYPE_BUOYANCY:
        return force_check_buoyancy(&force->buoyancy);
    case TN_FORCE_TYPE_MAGNET:
        return force_check_magnet(force->magnet.core);
    case TN_FORCE_TYPE_MOTOR:
        return force_check_motor(&force->motor);
    case TN_FORCE_TYPE_GOAL:
        return force_check_positive(&force->goal.numbers.strength, 1);
    default:
        return tni_check_that(force->function != NULL, TN_RESULT_INVALID_ARGUMENT,
                              "The callback is null.");
    }
}
