// scenes/tower.c: unit boxes one on another, the hardest simple stack for an iterative solver.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

static const scene_option tower_options[] = {
    {"height", 30, 1, 200, "boxes"},
};

static void tower_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool tower_build(scene_run *run) {
    int height = (int)scene_run_get_value(run, "height");
    build_ground(run, 0.0);
    for (int i = 0; i < height; i++) {
        build_part part = build_part_at(0.0, i + 0.5, 0.0);
        build_box(run, &part, 1.0, 1.0, 1.0);
    }
    return true;
}

static void tower_measure(scene_run *run) {
    figure_add_stability(run, 1.0);
}

const scene scene_tower = {
    .name = "tower",
    .summary = "unit boxes one on another",
    .time = 20.0,
    .options = tower_options,
    .option_count = 1,
    .configure = tower_configure,
    .build = tower_build,
    .measure = tower_measure,
};
