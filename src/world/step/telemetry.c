// world/step/telemetry.c: reports the numbers of the last step and those counted outside steps.
// Test: tests/world/step/test_telemetry.c, test_mechanisms.c
#include "core/cpu.h"
#include "world/world.h"

tn_telemetry tn_world_get_telemetry(const tn_world *world) {
    if (!world) {
        return (tn_telemetry){0};
    }
    tn_telemetry telemetry = world->telemetry;
    telemetry.bytes = world->allocator.bytes;
    telemetry.peak_bytes = world->allocator.peak_bytes;
    telemetry.reports = tni_counter_read(&world->report_count);
    return telemetry;
}

const char *tn_world_get_vector_unit(const tn_world *world) {
    return world ? tni_cpu_get_unit(world->uses_avx2) : "none";
}

uint32_t tn_world_get_mechanisms(const tn_world *world, tn_mechanism_info *out_mechanisms,
                                 uint32_t capacity) {
    if (!world) {
        return 0;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < world->mechanism_count; ++i, ++count) {
        if (out_mechanisms && count < capacity) {
            out_mechanisms[count] = world->mechanisms[i].info;
        }
    }
    for (uint32_t i = 0; i < world->gradients_count; ++i, ++count) {
        if (out_mechanisms && count < capacity) {
            out_mechanisms[count] = world->gradients_infos[i];
        }
    }
    for (uint32_t i = 0; i < world->told_choice_count; ++i) {
        if (!world->choices[i].is_seen) {
            continue;
        }
        if (out_mechanisms && count < capacity) {
            out_mechanisms[count] = world->choices[i].info;
        }
        ++count;
    }
    return count;
}
