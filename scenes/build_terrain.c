// scenes/build_terrain.c: see build_terrain.h.
#include "scenes/build_terrain.h"

#include <stdlib.h>

build_terrain build_terrain_make(void) {
    return (build_terrain){.material = tn_material_default()};
}

static double terrain_get_place(double from, double to, uint32_t index, uint32_t count) {
    return 0.5 * (from + to) + 0.5 * (to - from) * (2.0 * index / count - 1.0);
}

static void terrain_fill(const build_terrain *terrain, float *positions, uint32_t *indices) {
    uint32_t across = terrain->columns + 1, count = across * (terrain->rows + 1);
    for (uint32_t i = 0; i < count; i++) {
        double x = terrain_get_place(terrain->left, terrain->right, i % across, terrain->columns);
        double z = terrain_get_place(terrain->back, terrain->front, i / across, terrain->rows);
        positions[3 * i] = (float)x;
        positions[3 * i + 1] = (float)terrain->get_height(x, z, terrain->context);
        positions[3 * i + 2] = (float)z;
    }
    for (uint32_t i = 0; i < terrain->columns * terrain->rows; i++) {
        uint32_t a = i / terrain->columns * across + i % terrain->columns;
        uint32_t b = a + 1, c = a + across, d = c + 1;
        const uint32_t corners[6] = {a, c, b, b, c, d};
        for (uint32_t k = 0; k < 6; k++) {
            indices[6 * i + k] = corners[k];
        }
    }
}

static tn_mesh *terrain_make_mesh(const build_terrain *terrain) {
    uint32_t count = (terrain->columns + 1) * (terrain->rows + 1);
    uint32_t triangles = 2 * terrain->columns * terrain->rows;
    float *positions = malloc(3 * count * sizeof *positions);
    uint32_t *indices = malloc(3 * triangles * sizeof *indices);
    tn_mesh *mesh = NULL;
    if (positions != NULL && indices != NULL) {
        terrain_fill(terrain, positions, indices);
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

tn_body_id build_add_terrain(scene_run *run, const build_terrain *terrain) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    tn_body_id ground = build_body(run, &part);
    tn_mesh *mesh = terrain_make_mesh(terrain);
    tn_shape_def def = tn_shape_def_default();
    def.material = terrain->material;
    if (mesh == NULL || tn_mesh_shape_create(run->world, ground, &def, mesh, NULL, 0).value == 0) {
        run->has_failed = true;
    }
    tn_mesh_release(mesh);
    scene_run_name_body(run, ground, "ground");
    return ground;
}
