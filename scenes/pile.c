// scenes/pile.c: thousands of unit boxes in a tight grid that settles under its own weight.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

static const scene_option pile_options[] = {
    {"count", 5000, 1, 100000, "boxes"},
    {"side", 17, 1, 100, "boxes along each edge of a layer"},
    {"gap", 0.02, 0, 1, "m between neighbours and between layers"},
};

static void pile_configure(const double *values, tn_world_def *def) {
    (void)values;
    def->is_sleep_allowed = false;
}

static bool pile_build(scene_run *run) {
    int count = (int)scene_run_get_value(run, "count");
    int side = (int)scene_run_get_value(run, "side");
    double pitch = 1.0 + scene_run_get_value(run, "gap");
    build_ground(run, 0.0);
    for (int i = 0; i < count; i++) {
        double x = pitch * (i % side - 0.5 * (side - 1));
        double z = pitch * (i / side % side - 0.5 * (side - 1));
        double y = 0.5 + pitch * (i / (side * side));
        build_part part = build_part_at(x, y, z);
        build_box(run, &part, 1.0, 1.0, 1.0);
    }
    return true;
}

static void pile_measure(scene_run *run) {
    figure_add_stability(run, 1.0);
    scene_run_add_figure(run, "penetration_end_m",
                         tn_world_get_telemetry(run->world).deepest_penetration);
}

const scene scene_pile = {
    .name = "pile",
    .summary = "thousands of unit boxes in a tight grid",
    .time = 5.0,
    .options = pile_options,
    .option_count = 3,
    .configure = pile_configure,
    .build = pile_build,
    .measure = pile_measure,
};
