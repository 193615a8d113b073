// forces/slope.c: the slopes by which callbacks say how their forces change.
// Test: tests/forces/test_force.c
#include "forces/force.h"

#include <string.h>

tn_force_slope *tn_force_output_add_slope(tn_force_output *output, uint32_t from, uint32_t to,
                                          bool is_angular) {
    if (output == NULL || output->slope_count >= TN_FORCE_MAX_SLOPES) {
        return NULL;
    }
    tn_force_slope *slope = &output->slopes[output->slope_count++];
    memset(slope, 0, sizeof *slope);
    slope->from = from;
    slope->to = to;
    slope->is_angular = is_angular;
    return slope;
}

uint32_t tni_force_count_slopes(const tni_force *force) {
    switch (force->type) {
    case TN_FORCE_TYPE_SPRING:
    case TN_FORCE_TYPE_MOTOR:
        return 1;
    case TN_FORCE_TYPE_AIR:
        return force->end_count;
    case TN_FORCE_TYPE_BUOYANCY:
        return 2 * force->end_count;
    case TN_FORCE_TYPE_MAGNET:
    case TN_FORCE_TYPE_GOAL:
        return 0;
    default:
        return TN_FORCE_MAX_SLOPES;
    }
}
