// scenes/mesh_ground.c: balls, boxes and capsules fall on a hilly ground of triangles.
#include "scenes/build_terrain.h"
#include "scenes/figure.h"
#include "scenes/registry.h"

#define GROUND_HALF 6.0 // m: half of its edge
#define GROUND_BODY 0.3 // m: half of the size of a body

static const scene_option ground_options[] = {
    {"count", 30, 1, 1000, "bodies"},
    {"cuts", 24, 2, 500, "squares along an edge, of two triangles each"},
    {"hills", 0.5, 0, 2, "m, how high the hills are"},
};

static bool ground_build(scene_run *run) {
    build_hills hills = {scene_run_get_value(run, "hills"), 1.1, 1.3, 0.05};
    build_terrain terrain =
        build_terrain_make_square(GROUND_HALF, (uint32_t)scene_run_get_value(run, "cuts"));
    terrain.get_height = build_hills_get_height;
    terrain.context = &hills;
    build_add_terrain(run, &terrain);
    int count = (int)scene_run_get_value(run, "count");
    for (int i = 0; i < count; i++) {
        build_part part = build_part_at(1.3 * (i % 5) - 2.6, 3.0 + 0.9 * (i / 25) + 0.1 * (i % 3),
                                        1.2 * (i / 5 % 5) - 2.4);
        part.mass = 5.0;
        if (i % 3 == 0) {
            build_sphere(run, &part, GROUND_BODY);
        } else if (i % 3 == 1) {
            build_box(run, &part, 2.0 * GROUND_BODY, GROUND_BODY, 1.6 * GROUND_BODY);
        } else {
            build_capsule(run, &part, GROUND_BODY, 0.6 * GROUND_BODY);
        }
    }
    return true;
}

// How many bodies are below the ground.
static void ground_measure(scene_run *run) {
    tn_telemetry telemetry = tn_world_get_telemetry(run->world);
    scene_run_add_figure(run, "penetration_end_m", telemetry.deepest_penetration);
    scene_run_add_figure(run, "below_ground", figure_count_below(run, -0.6));
}

const scene scene_mesh_ground = {
    .name = "mesh_ground",
    .summary = "balls, boxes and capsules on a ground of triangles",
    .time = 6.0,
    .options = ground_options,
    .option_count = 3,
    .build = ground_build,
    .measure = ground_measure,
};
