// world/telemetry.c: the numbers of the last step, with what is counted outside of steps.
// Test: tests/world/test_telemetry.c
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
