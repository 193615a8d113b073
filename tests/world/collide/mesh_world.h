// tests/world/collide/mesh_world.h: grounds of triangles, and what stands on them.
#ifndef TESTS_WORLD_MESH_WORLD_H
#define TESTS_WORLD_MESH_WORLD_H

#include <stdlib.h>

#include "tests/world/collide/contact_world.h"

// The height of a ground at a place, m.
typedef double (*mesh_height_fn)(double x, double z);

static inline double mesh_flat(double x, double z) {
    (void)x;
    (void)z;
    return 0.0;
}

// Bumps of 0.2 m.
static inline double mesh_bumpy(double x, double z) {
    return 0.2 * sin(1.3 * x) * cos(1.7 * z);
}

// A ground of columns x rows squares, two triangles each, with its first corner at (x, z).
typedef struct mesh_ground {
    uint32_t columns, rows;
    double size, x, z;
    mesh_height_fn height;
    bool is_two_sided;
} mesh_ground;

static inline tn_mesh *mesh_ground_create(const mesh_ground *ground) {
    uint32_t across = ground->columns + 1, count = across * (ground->rows + 1);
    uint32_t triangles = 2 * ground->columns * ground->rows;
    float *positions = malloc(3 * count * sizeof *positions);
    uint32_t *indices = malloc(3 * triangles * sizeof *indices), *next = indices;
    for (uint32_t i = 0; i < count; ++i) {
        double x = ground->x + ground->size * (i % across);
        double z = ground->z + ground->size * (i / across);
        positions[3 * i] = (float)x;
        positions[3 * i + 1] = (float)ground->height(x, z);
        positions[3 * i + 2] = (float)z;
    }
    for (uint32_t j = 0; j < ground->rows; ++j) {
        for (uint32_t i = 0; i < ground->columns; ++i) {
            uint32_t a = j * across + i, b = a + 1, c = a + across, d = c + 1;
            const uint32_t corners[6] = {a, c, b, b, c, d};
            memcpy(next, corners, sizeof corners);
            next += 6;
        }
    }
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = positions;
    def.position_count = count;
    def.indices = indices;
    def.triangle_count = triangles;
    def.is_two_sided = ground->is_two_sided;
    tn_result result;
    tn_mesh *mesh = tn_mesh_create(&def, &result);
    free(positions);
    free(indices);
    cr_assert_not_null(mesh, "%s", tn_result_name(result));
    return mesh;
}

// Makes a body of that type with the ground for its shape, which is its only user.
static inline tn_body_id mesh_body_create(tn_world *world, tn_body_type type,
                                          const mesh_ground *ground, tn_material material) {
    tn_mesh *mesh = mesh_ground_create(ground);
    tn_body_id body = test_body_create(world, type, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.material = material;
    cr_assert(tn_mesh_shape_create(world, body, &def, mesh, NULL, 0).value != 0);
    tn_mesh_release(mesh);
    return body;
}

// Makes a mesh of a closed box, with squares of 2 triangles, `cuts` squares along each edge.
static inline tn_mesh *mesh_box_create(tn_vec3 half, uint32_t cuts) {
    uint32_t across = cuts + 1, count = 6 * across * across, triangles = 12 * cuts * cuts;
    float *positions = malloc(3 * count * sizeof *positions), *place = positions;
    uint32_t *indices = malloc(3 * triangles * sizeof *indices), *next = indices;
    const double h[3] = {half.x, half.y, half.z};
    for (uint32_t side = 0; side < 6; ++side) {
        uint32_t k = side / 2, u = (k + 1) % 3, v = (k + 2) % 3, first = side * across * across;
        double sign = side % 2 == 0 ? 1.0 : -1.0;
        for (uint32_t i = 0; i < across * across; ++i, place += 3) {
            place[k] = (float)(sign * h[k]);
            place[u] = (float)(h[u] * (2.0 * (i % across) / cuts - 1.0));
            place[v] = (float)(sign * h[v] * (2.0 * (i / across) / cuts - 1.0));
        }
        for (uint32_t i = 0; i < cuts * cuts; ++i, next += 6) {
            uint32_t a = first + i / cuts * across + i % cuts, b = a + 1, c = a + across, d = c + 1;
            const uint32_t corners[6] = {a, b, c, c, b, d};
            memcpy(next, corners, sizeof corners);
        }
    }
    tn_mesh_def def = tn_mesh_def_default();
    def.positions = positions;
    def.position_count = count;
    def.indices = indices;
    def.triangle_count = triangles;
    tn_mesh *mesh = tn_mesh_create(&def, NULL);
    free(positions);
    free(indices);
    cr_assert_not_null(mesh);
    return mesh;
}

#endif
