// scenes/resting.c: boxes that lie on the ground in columns apart from each other: nothing moves.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#include <math.h>

#define RESTING_SPACING 1.5 // m between the middles of columns

static const scene_option resting_options[] = {
    {"count", 1000, 1, 100000, "boxes"},
    {"height", 1, 1, 20, "boxes in a column"},
};

static bool resting_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int height = (int)scene_run_get_value(run, "height");
    int side = (int)ceil(sqrt(ceil((double)count / height)));
    build_ground(run, 0.0);
    for (int i = 0; i < count; i++) {
        int column = i / height;
        double x = RESTING_SPACING * (column % side - 0.5 * (side - 1));
        double z = RESTING_SPACING * (column / side - 0.5 * (side - 1));
        build_part part = build_part_at(x, i % height + 0.5, z);
        build_box(run, &part, 1.0, 1.0, 1.0);
    }
    return true;
}

static void resting_measure(scene_run *run) {
    figure_add_stability(run, 0.01);
    scene_run_add_figure(run, "awake", tn_world_get_telemetry(run->world).awake_bodies);
}

const scene scene_resting = {
    .name = "resting",
    .summary = "boxes that lie on the ground, apart from each other",
    .time = 5.0,
    .options = resting_options,
    .option_count = 2,
    .build = resting_build,
    .measure = resting_measure,
};
