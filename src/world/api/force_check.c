// world/api/force_check.c: every number of a force is looked at.
// Test: tests/forces/test_force_misuse.c
#include "world/api/force_internal.h"
#include "world/records/convert.h"

static const tni_force_check force_is_right = {TN_RESULT_OK, ""};

static tni_force_check force_fault(tn_result result, const char *message) {
    return (tni_force_check){result, message};
}

static tni_force_check force_check_connector(const tn_connector *connector) {
    double length = dvec3_length(dvec3_from_plain(connector->axis));
    if (!convert_is_finite(connector->point) || !convert_is_finite(connector->axis) ||
        !isfinite(connector->amount) || !isfinite(length)) {
        return force_fault(TN_RESULT_NOT_FINITE, "A connector's numbers must be finite.");
    }
    if (!(length > 1e-12)) {
        return force_fault(TN_RESULT_ZERO_AXIS, "A connector's axis must have a length.");
    }
    return force_is_right;
}

tni_force_check tni_force_check_base(const tn_force_base *base) {
    if (base->connector_count < 1 || base->connector_count > TN_FORCE_MAX_CONNECTORS) {
        return force_fault(TN_RESULT_INVALID_ARGUMENT, "A force has from 1 to 16 connectors.");
    }
    for (uint32_t i = 0; i < base->connector_count; ++i) {
        tni_force_check check = force_check_connector(&base->connectors[i]);
        if (check.result != TN_RESULT_OK) {
            return check;
        }
    }
    return force_is_right;
}

tni_force_check tni_force_check_amount(tn_force_type type, double amount) {
    if (!isfinite(amount)) {
        return force_fault(TN_RESULT_NOT_FINITE, "The amount must be finite.");
    }
    if (type == TN_FORCE_TYPE_AIR && amount < 0.0) {
        return force_fault(TN_RESULT_INVALID_ARGUMENT, "Areas must not be negative.");
    }
    return force_is_right;
}

// Finite, and none below zero.
static tni_force_check force_check_positive(const double *numbers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (!isfinite(numbers[i])) {
            return force_fault(TN_RESULT_NOT_FINITE, "A force's numbers must be finite.");
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (numbers[i] < 0.0) {
            return force_fault(TN_RESULT_INVALID_ARGUMENT,
                               "Stiffness, damping, length, density, drag and strength must "
                               "not be negative.");
        }
    }
    return force_is_right;
}

static tni_force_check force_check_air(const tn_force_air *air) {
    const double numbers[] = {air->density, air->coefficient};
    if (air->gust_count > TN_FORCE_MAX_GUSTS) {
        return force_fault(TN_RESULT_INVALID_ARGUMENT, "There are at most 8 gusts.");
    }
    bool is_finite = convert_is_finite(air->wind);
    for (uint32_t i = 0; i < air->gust_count; ++i) {
        const tn_gust *gust = &air->gusts[i];
        is_finite = is_finite && convert_is_finite(gust->amplitude) && isfinite(gust->hertz) &&
                    isfinite(gust->phase);
    }
    return is_finite ? force_check_positive(numbers, 2)
                     : force_fault(TN_RESULT_NOT_FINITE, "The wind must be finite.");
}

static tni_force_check force_check_buoyancy(const tn_force_buoyancy *water) {
    const double numbers[] = {water->density, water->linear_drag, water->quadratic_drag};
    double length = dvec3_length(dvec3_from_plain(water->up));
    if (!convert_is_finite(water->current) || !isfinite(water->level) || !isfinite(length)) {
        return force_fault(TN_RESULT_NOT_FINITE, "The water's numbers must be finite.");
    }
    if (!(length > 1e-12)) {
        return force_fault(TN_RESULT_ZERO_AXIS, "Up must have a length.");
    }
    return force_check_positive(numbers, 3);
}

static tni_force_check force_check_motor(const tn_force_motor *motor) {
    if (!isfinite(motor->stall_torque) || isnan(motor->no_load_speed)) {
        return force_fault(TN_RESULT_NOT_FINITE, "The torque must be finite.");
    }
    if (!(motor->no_load_speed > 0.0)) {
        return force_fault(TN_RESULT_INVALID_ARGUMENT, "no_load_speed must be above 0.");
    }
    return force_is_right;
}

tni_force_check tni_force_check_numbers(const tni_force *force) {
    const tn_force_spring *spring = &force->spring;
    switch (force->type) {
    case TN_FORCE_TYPE_SPRING: {
        const double numbers[] = {spring->stiffness, spring->damping, spring->length};
        return force_check_positive(numbers, 3);
    }
    case TN_FORCE_TYPE_AIR:
        return force_check_air(&force->air);
    case TN_FORCE_TYPE_BUOYANCY:
        return force_check_buoyancy(&force->buoyancy);
    case TN_FORCE_TYPE_MAGNET:
        if (!isfinite(force->magnet.core)) {
            return force_fault(TN_RESULT_NOT_FINITE, "The core must be finite.");
        }
        return force->magnet.core > 0.0
                   ? force_is_right
                   : force_fault(TN_RESULT_INVALID_ARGUMENT, "The core must be above 0.");
    case TN_FORCE_TYPE_MOTOR:
        return force_check_motor(&force->motor);
    case TN_FORCE_TYPE_GOAL:
        return force_check_positive(&force->goal.numbers.strength, 1);
    default:
        return force->function != NULL
                   ? force_is_right
                   : force_fault(TN_RESULT_INVALID_ARGUMENT, "The callback is null.");
    }
}
