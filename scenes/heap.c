// scenes/heap.c: thousands of boxes at odd angles, dropped loosely onto the ground.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

static const scene_option heap_options[] = {
    {"count", 5000, 1, 100000, "boxes"},
    {"side", 17, 1, 100, "boxes along each edge of a layer"},
    {"spacing", 2, 1.8, 10, "m between the middles of neighbours"},
};

static void heap_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool heap_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    double spacing = scene_run_get_value(run, "spacing");
    uint32_t seed = 1;
    build_ground(run, 0.0);
    for (int i = 0; i < count; i++) {
        build_part part = build_part_in_layers(i, side, spacing, &seed);
        build_box(run, &part, 1.0, 1.0, 1.0);
    }
    return true;
}

static void heap_measure(scene_run *run) {
    tn_telemetry telemetry = tn_world_get_telemetry(run->world);
    scene_run_add_figure(run, "penetration_end_m", telemetry.deepest_penetration);
    scene_run_add_figure(run, "below_ground", figure_count_below(run, 0.0));
}

const scene scene_heap = {
    .name = "heap",
    .summary = "thousands of boxes at odd angles, dropped loosely",
    .time = 400.0 / 60.0,
    .options = heap_options,
    .option_count = 3,
    .configure = heap_configure,
    .build = heap_build,
    .measure = heap_measure,
};
