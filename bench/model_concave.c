// bench/model_concave.c: reads a mesh triangle by triangle and joins the corners that are at the
// same place; a height field has its samples as vertices already.

#include "bench/model_concave.h"

#include <stdlib.h>
#include <string.h>

typedef struct concave_corner {
    tn_vec3 place;
    uint32_t index; // of the triangles
} concave_corner;

static bool concave_allocate(model_shape *shape, uint32_t vertices, uint32_t indices) {
    shape->vertices = calloc((size_t)vertices + 1, sizeof(tn_vec3));
    shape->triangles = calloc((size_t)indices + 1, sizeof(uint32_t));
    return shape->vertices != NULL && shape->triangles != NULL;
}

static int concave_compare(double a, double b) {
    return (a > b) - (a < b);
}

static int concave_compare_places(tn_vec3 a, tn_vec3 b) {
    int by_x = concave_compare(a.x, b.x), by_y = concave_compare(a.y, b.y);
    return by_x != 0 ? by_x : by_y != 0 ? by_y : concave_compare(a.z, b.z);
}

static int concave_compare_corners(const void *a, const void *b) {
    const concave_corner *left = a, *right = b;
    int order = concave_compare_places(left->place, right->place);
    return order != 0 ? order : (left->index > right->index) - (left->index < right->index);
}

static void concave_join_corners(concave_corner *corners, model_shape *shape) {
    qsort(corners, shape->index_count, sizeof *corners, concave_compare_corners);
    for (uint32_t i = 0; i < shape->index_count; ++i) {
        tn_vec3 place = corners[i].place;
        if (i == 0 || concave_compare_places(corners[i - 1].place, place) != 0) {
            shape->vertices[shape->vertex_count++] = place;
        }
        shape->triangles[corners[i].index] = shape->vertex_count - 1;
    }
}

bool model_read_mesh(const tn_mesh *mesh, model_shape *shape) {
    uint32_t count = tn_mesh_get_triangle_count(mesh);
    concave_corner *corners = calloc(3 * (size_t)count + 1, sizeof *corners);
    bool has_memory = corners != NULL && concave_allocate(shape, 3 * count, 3 * count);
    for (uint32_t i = 0; has_memory && i < count; ++i) {
        tn_vec3 places[3];
        tn_mesh_get_triangle(mesh, i, places);
        for (uint32_t k = 0; k < 3; ++k) {
            corners[3 * i + k] = (concave_corner){places[k], 3 * i + k};
        }
    }
    if (has_memory) {
        shape->index_count = 3 * count;
        concave_join_corners(corners, shape);
    }
    free(corners);
    return has_memory;
}

static void concave_add_cell(model_shape *shape, uint32_t cell) {
    uint32_t across = shape->columns - 1;
    uint32_t a = cell / across * shape->columns + cell % across, b = a + 1;
    uint32_t c = a + shape->columns, d = c + 1;
    const uint32_t corners[6] = {a, c, b, b, c, d};
    memcpy(&shape->triangles[shape->index_count], corners, sizeof corners);
    shape->index_count += 6;
}

bool model_read_height_field(const tn_height_field *field, model_shape *shape) {
    tn_height_field_def def = tn_height_field_get_def(field);
    uint32_t cells = (def.columns - 1) * (def.rows - 1);
    if (!concave_allocate(shape, def.columns * def.rows, 6 * cells)) {
        return false;
    }
    shape->columns = def.columns;
    shape->rows = def.rows;
    shape->spacing_x = (double)def.spacing_x;
    shape->spacing_z = (double)def.spacing_z;
    shape->vertex_count = def.columns * def.rows;
    for (uint32_t i = 0; i < shape->vertex_count; ++i) {
        shape->vertices[i] = (tn_vec3){shape->spacing_x * (i % def.columns), (double)def.heights[i],
                                       shape->spacing_z * (i / def.columns)};
    }
    for (uint32_t cell = 0; cell < cells; ++cell) {
        if (def.holes == NULL || def.holes[cell] == 0) {
            concave_add_cell(shape, cell);
        }
    }
    return true;
}
