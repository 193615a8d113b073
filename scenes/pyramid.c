// scenes/pyramid.c: a flat pyramid of unit boxes.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

static const scene_option pyramid_options[] = {
    {"base", 30, 1, 200, "boxes in the lowest row"},
    {"spacing", 1, 1, 2, "m between the middles of neighbours"},
};

static void pyramid_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->enable_sleep = false;
}

static bool pyramid_build(scene_run *run) {
    int base = (int)scene_run_get_value(run, "base");
    double spacing = scene_run_get_value(run, "spacing");
    build_ground(run, 0.0);
    for (int row = 0; row < base; row++) {
        int count = base - row;
        for (int i = 0; i < count; i++) {
            double x = spacing * (i - 0.5 * (count - 1));
            build_part part = build_part_at(x, row + 0.5, 0.0);
            build_box(run, &part, 1.0, 1.0, 1.0);
        }
    }
    return true;
}

static void pyramid_measure(scene_run *run) {
    figure_add_stability(run, 0.5);
}

const scene scene_pyramid = {
    .name = "pyramid",
    .summary = "a flat pyramid of unit boxes",
    .time = 10.0,
    .options = pyramid_options,
    .option_count = 2,
    .configure = pyramid_configure,
    .build = pyramid_build,
    .measure = pyramid_measure,
};
