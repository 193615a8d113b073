// world/telemetry.c: the numbers of the last step, with what is counted outside of steps.
// Test: tests/world/test_telemetry.c, test_mechanisms.c
#include "world/world_internal.h"

tn_telemetry tn_world_get_telemetry(const tn_world *world) {
    if (!world) {
        return (tn_telemetry){0};
    }
    tn_telemetry telemetry = world->telemetry;
    telemetry.bytes = world->allocator.bytes;
    telemetry.reports = world->report_count;
    return telemetry;
}

uint32_t tn_world_get_mechanisms(const tn_world *world, tn_mechanism_info *out_mechanisms,
                                 uint32_t capacity) {
    if (!world) {
        return 0;
    }
    uint32_t exact = world->mechanism_count, count = exact + world->gradients_count;
    for (uint32_t i = 0; out_mechanisms && i < count && i < capacity; ++i) {
        out_mechanisms[i] =
            i < exact ? world->mechanisms[i].info : world->gradients_infos[i - exact];
    }
    return count;
}
