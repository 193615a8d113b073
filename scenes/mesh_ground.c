// scenes/mesh_ground.c: balls, boxes and capsules fall on a hilly ground of triangles.
#include "scenes/build.h"
#include "scenes/figure.h"
#include "scenes/portable.h"
#include "scenes/registry.h"

#include <math.h>
#include <stdlib.h>

#define GROUND_HALF 6.0 // m: half of its edge
#define GROUND_BODY 0.3 // m: half of the size of a body

static const scene_option ground_options[] = {
    {"count", 30, 1, 1000, "bodies"},
    {"cuts", 24, 2, 500, "squares along an edge, of two triangles each"},
    {"hills", 0.5, 0, 2, "m, how high the hills are"},
};

// A valley with hills.
static double ground_get_height(double x, double z, double hills) {
    return hills * portable_sin(1.1 * x) * portable_cos(1.3 * z) + 0.05 * (x * x + z * z);
}

static tn_mesh *ground_make_mesh(uint32_t cuts, double hills) {
    uint32_t across = cuts + 1, count = across * across, triangles = 2 * cuts * cuts;
    float *positions = malloc(3 * count * sizeof *positions);
    uint32_t *indices = malloc(3 * triangles * sizeof *indices);
    tn_mesh *mesh = NULL;
    for (uint32_t i = 0; i < count && positions != NULL; i++) {
        double x = GROUND_HALF * (2.0 * (i % across) / cuts - 1.0);
        double z = GROUND_HALF * (2.0 * (i / across) / cuts - 1.0);
        positions[3 * i] = (float)x;
        positions[3 * i + 1] = (float)ground_get_height(x, z, hills);
        positions[3 * i + 2] = (float)z;
    }
    for (uint32_t i = 0; i < cuts * cuts && indices != NULL; i++) {
        uint32_t a = i / cuts * across + i % cuts, b = a + 1, c = a + across, d = c + 1;
        const uint32_t corners[6] = {a, c, b, b, c, d};
        for (uint32_t k = 0; k < 6; k++) {
            indices[6 * i + k] = corners[k];
        }
    }
    if (positions != NULL && indices != NULL) {
        tn_mesh_def def = tn_mesh_def_default();
        def.positions = positions;
        def.position_count = count;
        def.indices = indices;
        def.triangle_count = triangles;
        mesh = tn_mesh_create(&def, NULL);
    }
    free(positions);
    free(indices);
    return mesh;
}

static bool ground_build(scene_run *run) {
    double hills = scene_run_get_value(run, "hills");
    tn_mesh *mesh = ground_make_mesh((uint32_t)scene_run_get_value(run, "cuts"), hills);
    if (mesh == NULL) {
        return false;
    }
    tn_body_def body_def = tn_body_def_default();
    body_def.type = TN_BODY_TYPE_STATIC;
    tn_body_id ground = tn_body_create(run->world, &body_def);
    tn_shape_def def = tn_shape_def_default();
    tn_mesh_shape_create(run->world, ground, &def, mesh, NULL, 0);
    tn_mesh_release(mesh);
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
