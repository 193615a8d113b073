// scenes/build_terrain.c: see build_terrain.h.
#include "scenes/build_terrain.h"
#include "scenes/portable.h"

#include <stdlib.h>

build_terrain build_terrain_make(void) {
    return (build_terrain){.material = tn_material_default()};
}

build_terrain build_terrain_make_square(double half, uint32_t count) {
    build_terrain terrain = build_terrain_make();
    terrain.left = terrain.back = -half;
    terrain.right = terrain.front = half;
    terrain.columns = terrain.rows = count;
    return terrain;
}

double build_hills_get_height(double x, double z, const void *hills) {
    const build_hills *own = hills;
    return own->height * portable_sin(own->wave_x * x) * portable_cos(own->wave_z * z) +
           own->valley * (x * x + z * z);
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

static tn_shape_id terrain_add_mesh(scene_run *run, tn_body_id ground, const build_terrain *terrain,
                                    const tn_shape_def *def) {
    tn_mesh *mesh = terrain_make_mesh(terrain);
    tn_shape_id shape = {0};
    if (mesh != NULL) {
        shape = tn_mesh_shape_create(run->world, ground, def, mesh, NULL, 0);
    }
    tn_mesh_release(mesh);
    return shape;
}

static tn_height_field *terrain_make_field(const build_terrain *terrain) {
    tn_height_field_def def = tn_height_field_def_default();
    def.columns = terrain->columns + 1;
    def.rows = terrain->rows + 1;
    def.spacing_x = (float)((terrain->right - terrain->left) / terrain->columns);
    def.spacing_z = (float)((terrain->front - terrain->back) / terrain->rows);
    float *heights = malloc((size_t)def.columns * def.rows * sizeof *heights);
    tn_height_field *field = NULL;
    if (heights != NULL) {
        for (uint32_t i = 0; i < def.columns * def.rows; i++) {
            double x = terrain->left + (double)def.spacing_x * (i % def.columns);
            double z = terrain->back + (double)def.spacing_z * (i / def.columns);
            heights[i] = (float)terrain->get_height(x, z, terrain->context);
        }
        def.heights = heights;
        field = tn_height_field_create(&def, NULL);
    }
    free(heights);
    return field;
}

static tn_shape_id terrain_add_field(scene_run *run, tn_body_id ground,
                                     const build_terrain *terrain, tn_shape_def def) {
    tn_height_field *field = terrain_make_field(terrain);
    tn_shape_id shape = {0};
    if (field != NULL) {
        def.local_pose.position = build_point(terrain->left, 0.0, terrain->back);
        shape = tn_height_field_shape_create(run->world, ground, &def, field, NULL, 0);
    }
    tn_height_field_release(field);
    return shape;
}

tn_body_id build_add_terrain(scene_run *run, const build_terrain *terrain) {
    build_part part = build_part_at(0.0, 0.0, 0.0);
    part.type = TN_BODY_TYPE_STATIC;
    tn_body_id ground = build_body(run, &part);
    tn_shape_def def = tn_shape_def_default();
    def.material = terrain->material;
    tn_shape_id shape = terrain->is_field ? terrain_add_field(run, ground, terrain, def)
                                          : terrain_add_mesh(run, ground, terrain, &def);
    run->has_failed = run->has_failed || shape.value == 0;
    scene_run_name_body(run, ground, "ground");
    return ground;
}
