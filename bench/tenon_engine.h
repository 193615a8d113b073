// bench/tenon_engine.h: what only tenon can tell about its run.
#ifndef BENCH_TENON_ENGINE_H
#define BENCH_TENON_ENGINE_H

#include "bench/cases.h"
#include "scenes/scene.h"

typedef struct tenon_report {
    uint64_t hash;
    uint64_t allocations; // since the world was made
    uint64_t peak_bytes;
    tn_telemetry telemetry; // of the last step
} tenon_report;

// The case's scene with its options, sleep as the case says. Null when there is no such scene or
// option.
scene_run *tenon_engine_create_run(const bench_case *item, tn_world_def *def);
// Of a world made by an engine that is tenon.
tn_telemetry tenon_engine_get_telemetry(const void *engine_world);
tenon_report tenon_engine_get_report(const void *engine_world);

#endif
