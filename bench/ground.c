// bench/ground.c: distances of points from a ground of triangles, by a grid in the x-z plane.

#include "bench/ground.h"

#include "bench/space.h"

#include <stdlib.h>

#define GROUND_MOST_CELLS 1024 // along an edge of the grid
#define GROUND_EDGE       1e-9 // of a triangle's area: points on an edge belong to both sides

typedef struct ground_plane {
    tn_vec3 corners[3]; // of a triangle; of a half-space the first is a point of it
    tn_vec3 normal;
} ground_plane;

struct ground_finder {
    const bench_model *model;
    ground_plane *half_spaces, *triangles;
    uint32_t half_space_count, triangle_count;
    double lowest; // m: of all corners of triangles
    // Triangles by the cells that their bounds touch: those of cell c are from starts[c] on.
    double left, back, width, depth; // m: where the grid begins, and the size of a cell
    uint32_t columns, rows;
    uint32_t *starts, *members;
};

// ---- the grid ---------------------------------------------------------------------------------

static uint32_t ground_get_place(double distance, double size, uint32_t count) {
    double place = distance / size;
    return place <= 0.0 ? 0 : place >= count - 1 ? count - 1 : (uint32_t)place;
}

typedef struct ground_range {
    uint32_t first_column, last_column, first_row, last_row;
} ground_range;

static ground_range ground_get_range(const ground_finder *finder, const ground_plane *triangle) {
    const tn_vec3 *c = triangle->corners;
    double left = fmin(c[0].x, fmin(c[1].x, c[2].x)), right = fmax(c[0].x, fmax(c[1].x, c[2].x));
    double back = fmin(c[0].z, fmin(c[1].z, c[2].z)), front = fmax(c[0].z, fmax(c[1].z, c[2].z));
    return (ground_range){ground_get_place(left - finder->left, finder->width, finder->columns),
                          ground_get_place(right - finder->left, finder->width, finder->columns),
                          ground_get_place(back - finder->back, finder->depth, finder->rows),
                          ground_get_place(front - finder->back, finder->depth, finder->rows)};
}

static void ground_measure(ground_finder *finder) {
    double left = HUGE_VAL, right = -HUGE_VAL, back = HUGE_VAL, front = -HUGE_VAL;
    finder->lowest = HUGE_VAL;
    for (uint32_t i = 0; i < 3 * finder->triangle_count; ++i) {
        tn_vec3 corner = finder->triangles[i / 3].corners[i % 3];
        left = fmin(left, corner.x);
        right = fmax(right, corner.x);
        back = fmin(back, corner.z);
        front = fmax(front, corner.z);
        finder->lowest = fmin(finder->lowest, corner.y);
    }
    double side = ceil(sqrt((double)finder->triangle_count));
    uint32_t count = side > GROUND_MOST_CELLS ? GROUND_MOST_CELLS : (uint32_t)fmax(side, 1.0);
    finder->columns = finder->rows = count;
    finder->left = left;
    finder->back = back;
    finder->width = (right - left) / count;
    finder->depth = (front - back) / count;
}

// Counts the members of each cell, or writes them; `counts` ends with those of all cells.
static void ground_fill(const ground_finder *finder, uint32_t *counts, uint32_t *members) {
    for (uint32_t i = 0; i < finder->triangle_count; ++i) {
        ground_range range = ground_get_range(finder, &finder->triangles[i]);
        for (uint32_t row = range.first_row; row <= range.last_row; ++row) {
            for (uint32_t k = range.first_column; k <= range.last_column; ++k) {
                uint32_t cell = row * finder->columns + k;
                if (members != NULL) {
                    members[finder->starts[cell] + counts[cell]] = i;
                }
                counts[cell] += 1;
            }
        }
    }
}

static bool ground_make_grid(ground_finder *finder) {
    if (finder->triangle_count == 0) {
        return true;
    }
    ground_measure(finder);
    size_t cells = (size_t)finder->columns * finder->rows;
    uint32_t *counts = calloc(cells, sizeof *counts);
    finder->starts = calloc(cells + 1, sizeof *finder->starts);
    if (counts != NULL && finder->starts != NULL) {
        ground_fill(finder, counts, NULL);
        for (size_t i = 0; i < cells; ++i) {
            finder->starts[i + 1] = finder->starts[i] + counts[i];
            counts[i] = 0;
        }
        finder->members = calloc((size_t)finder->starts[cells] + 1, sizeof *finder->members);
        if (finder->members != NULL) {
            ground_fill(finder, counts, finder->members);
        }
    }
    free(counts);
    return finder->members != NULL;
}

// ---- its planes -------------------------------------------------------------------------------

static void ground_add_triangles(ground_finder *finder, const model_shape *shape,
                                 const tn_pose *pose) {
    for (uint32_t i = 0; i + 2 < shape->index_count; i += 3) {
        ground_plane *plane = &finder->triangles[finder->triangle_count];
        for (uint32_t k = 0; k < 3; ++k) {
            tn_vec3 vertex = shape->vertices[shape->triangles[i + k]];
            plane->corners[k] = space_transform_point(pose, vertex);
        }
        tn_vec3 normal = space_cross(space_subtract(plane->corners[1], plane->corners[0]),
                                     space_subtract(plane->corners[2], plane->corners[0]));
        double length = space_length(normal);
        if (length > 0.0) {
            plane->normal = space_scale(normal, 1.0 / length);
            finder->triangle_count += 1;
        }
    }
}

static bool ground_is_part(const ground_finder *finder, const model_shape *shape) {
    return finder->model->bodies[shape->body].type == TN_BODY_TYPE_STATIC && !shape->is_sensor &&
           (shape->type == TN_SHAPE_TYPE_HALF_SPACE || shape->type == TN_SHAPE_TYPE_MESH ||
            shape->type == TN_SHAPE_TYPE_HEIGHT_FIELD);
}

static bool ground_read(ground_finder *finder) {
    const bench_model *model = finder->model;
    size_t triangles = 0;
    for (uint32_t i = 0; i < model->shape_count; ++i) {
        triangles +=
            ground_is_part(finder, &model->shapes[i]) ? model->shapes[i].index_count / 3 : 0;
    }
    finder->half_spaces = calloc((size_t)model->shape_count + 1, sizeof(ground_plane));
    finder->triangles = calloc(triangles + 1, sizeof(ground_plane));
    if (finder->half_spaces == NULL || finder->triangles == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < model->shape_count; ++i) {
        const model_shape *shape = &model->shapes[i];
        if (!ground_is_part(finder, shape)) {
            continue;
        }
        tn_pose pose = space_compose(&model->bodies[shape->body].pose, &shape->local_pose);
        if (shape->type == TN_SHAPE_TYPE_HALF_SPACE) {
            ground_plane *plane = &finder->half_spaces[finder->half_space_count++];
            plane->corners[0] = pose.position;
            plane->normal = space_rotate(pose.rotation, space_vector(0.0, 1.0, 0.0));
        } else {
            ground_add_triangles(finder, shape, &pose);
        }
    }
    return true;
}

ground_finder *ground_finder_create(const bench_model *model) {
    ground_finder *finder = calloc(1, sizeof(*finder));
    if (finder == NULL) {
        return NULL;
    }
    finder->model = model;
    if (!ground_read(finder) || !ground_make_grid(finder)) {
        ground_finder_destroy(finder);
        return NULL;
    }
    return finder;
}

void ground_finder_destroy(ground_finder *finder) {
    if (finder != NULL) {
        free(finder->half_spaces);
        free(finder->triangles);
        free(finder->starts);
        free(finder->members);
        free(finder);
    }
}

// ---- distances --------------------------------------------------------------------------------

// Twice the area of a triangle in the x-z plane.
static double ground_get_area(tn_vec3 a, tn_vec3 b, tn_vec3 c) {
    return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

static bool ground_is_under(const ground_plane *triangle, tn_vec3 point) {
    const tn_vec3 *c = triangle->corners;
    double least = -GROUND_EDGE * ground_get_area(c[0], c[1], c[2]);
    return ground_get_area(c[0], c[1], point) >= least &&
           ground_get_area(c[1], c[2], point) >= least &&
           ground_get_area(c[2], c[0], point) >= least;
}

static double ground_get_height(const ground_plane *plane, tn_vec3 point) {
    return space_dot(plane->normal, space_subtract(point, plane->corners[0]));
}

// m, < 0 below the ground; HUGE_VAL beside it.
static double ground_get_distance(const ground_finder *finder, tn_vec3 point) {
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < finder->half_space_count; ++i) {
        least = fmin(least, ground_get_height(&finder->half_spaces[i], point));
    }
    if (finder->triangle_count > 0 && isfinite(point.x) && isfinite(point.z)) {
        uint32_t column = ground_get_place(point.x - finder->left, finder->width, finder->columns);
        uint32_t row = ground_get_place(point.z - finder->back, finder->depth, finder->rows);
        uint32_t cell = row * finder->columns + column;
        for (uint32_t i = finder->starts[cell]; i < finder->starts[cell + 1]; ++i) {
            const ground_plane *triangle = &finder->triangles[finder->members[i]];
            if (ground_is_under(triangle, point)) {
                least = fmin(least, ground_get_height(triangle, point));
            }
        }
    }
    return least;
}

// The points whose balls of a radius span a shape: corners, or ends. How many there are.
static uint32_t ground_get_point_count(const model_shape *shape) {
    switch (shape->type) {
    case TN_SHAPE_TYPE_SPHERE:
        return 1;
    case TN_SHAPE_TYPE_CAPSULE:
        return 2;
    case TN_SHAPE_TYPE_BOX:
        return 8;
    case TN_SHAPE_TYPE_HULL:
        return shape->vertex_count;
    default:
        return 0;
    }
}

static tn_vec3 ground_get_point(const model_shape *shape, uint32_t index) {
    switch (shape->type) {
    case TN_SHAPE_TYPE_CAPSULE:
        return space_vector(0.0, (index == 0 ? 1.0 : -1.0) * (double)shape->half_length, 0.0);
    case TN_SHAPE_TYPE_BOX: {
        tn_vec3 half = shape->half_extents;
        return space_vector(index & 1 ? half.x : -half.x, index & 2 ? half.y : -half.y,
                            index & 4 ? half.z : -half.z);
    }
    case TN_SHAPE_TYPE_HULL:
        return shape->vertices[index];
    default:
        return space_vector(0.0, 0.0, 0.0);
    }
}

double ground_finder_find_deepest(const ground_finder *finder, const model_state *states) {
    const bench_model *model = finder->model;
    double deepest = 0.0;
    for (uint32_t i = 0; i < model->shape_count; ++i) {
        const model_shape *shape = &model->shapes[i];
        if (model->bodies[shape->body].type != TN_BODY_TYPE_DYNAMIC || shape->is_sensor) {
            continue;
        }
        tn_pose pose = space_compose(&states[shape->body].pose, &shape->local_pose);
        uint32_t count = ground_get_point_count(shape);
        for (uint32_t k = 0; k < count; ++k) {
            tn_vec3 point = space_transform_point(&pose, ground_get_point(shape, k));
            deepest = fmax(deepest, (double)shape->radius - ground_get_distance(finder, point));
        }
    }
    return deepest;
}

uint32_t ground_finder_count_lost(const ground_finder *finder, const model_state *states) {
    const bench_model *model = finder->model;
    uint32_t count = 0;
    for (uint32_t i = 0; i < model->body_count; ++i) {
        if (model->bodies[i].type != TN_BODY_TYPE_DYNAMIC) {
            continue;
        }
        tn_vec3 center = space_transform_point(&states[i].pose, model->bodies[i].mass.center);
        double distance = ground_get_distance(finder, center);
        bool is_beside = finder->triangle_count > 0 && distance == HUGE_VAL;
        count += distance < 0.0 || (is_beside && !(center.y > finder->lowest));
    }
    return count;
}
