// scenes/pyramid.c: a flat pyramid of unit boxes, or a field of them.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define PYRAMID_GAP 1.0 // m between the bases of neighbours in a line
#define PYRAMID_ROW 2.0 // m from one row of pyramids to the next

static const scene_option pyramid_options[] = {
    {"base", 30, 1, 200, "boxes in the lowest row"},
    {"spacing", 1, 1, 2, "m between the middles of neighbours"},
    {"columns", 1, 1, 50, "pyramids in a line"},
    {"rows", 1, 1, 50, "such lines, one behind the other"},
};

static void pyramid_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static void pyramid_add(scene_run *run, double middle, double z) {
    int base = (int)scene_run_get_value(run, "base");
    double spacing = scene_run_get_value(run, "spacing");
    for (int row = 0; row < base; row++) {
        int count = base - row;
        for (int i = 0; i < count; i++) {
            double x = middle + spacing * (i - 0.5 * (count - 1));
            build_part part = build_part_at(x, row + 0.5, z);
            build_box(run, &part, 1.0, 1.0, 1.0);
        }
    }
}

static bool pyramid_build(scene_run *run) {
    int columns = (int)scene_run_get_value(run, "columns");
    int rows = (int)scene_run_get_value(run, "rows");
    double base = scene_run_get_value(run, "base") * scene_run_get_value(run, "spacing");
    build_ground(run, 0.0);
    for (int row = 0; row < rows; row++) {
        for (int i = 0; i < columns; i++) {
            double x = (base + PYRAMID_GAP) * (i - 0.5 * (columns - 1));
            pyramid_add(run, x, PYRAMID_ROW * (row - 0.5 * (rows - 1)));
        }
    }
    return true;
}

static void pyramid_measure(scene_run *run) {
    figure_add_stability(run, 0.5);
}

const scene scene_pyramid = {
    .name = "pyramid",
    .summary = "a flat pyramid of unit boxes, or a field of them",
    .time = 10.0,
    .options = pyramid_options,
    .option_count = 4,
    .configure = pyramid_configure,
    .build = pyramid_build,
    .measure = pyramid_measure,
};
