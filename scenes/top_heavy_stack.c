// scenes/top_heavy_stack.c: a stack whose top box outweighs each of the others many times.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

static const scene_option top_heavy_stack_options[] = {
    {"height", 8, 1, 100, "boxes"},
    {"ratio", 10, 1, 10000, "mass of the top box over that of another"},
};

static void top_heavy_stack_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool top_heavy_stack_build(scene_run *run) {
    int height = (int)scene_run_get_value(run, "height");
    double ratio = scene_run_get_value(run, "ratio");
    build_ground(run, 0.0);
    for (int i = 0; i < height; i++) {
        build_part part = build_part_at(0.0, i + 0.5, 0.0);
        part.density *= i == height - 1 ? ratio : 1.0;
        build_box(run, &part, 1.0, 1.0, 1.0);
    }
    return true;
}

static void top_heavy_stack_measure(scene_run *run) {
    figure_add_stability(run, 1.0);
}

const scene scene_top_heavy_stack = {
    .name = "top_heavy_stack",
    .summary = "a stack of boxes with a much heavier one on top",
    .time = 10.0,
    .options = top_heavy_stack_options,
    .option_count = 2,
    .configure = top_heavy_stack_configure,
    .build = top_heavy_stack_build,
    .measure = top_heavy_stack_measure,
};
