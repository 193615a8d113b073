// collision/concave/height_field.c: a ground given by heights over a grid: searched, and met by
// rays.
//
// There is no tree: a box covers a rectangle of cells, and a ray goes from cell to cell (J.
// Amanatides and A. Woo, "A fast voxel traversal algorithm for ray tracing", Eurographics 1987).
// An edge is active or not (triangle.h): the heights tell it when a triangle is needed.
// Test: tests/collision/concave/test_height_field.c
#include "collision/concave/height_field.h"

#include <string.h>

// A box that moves is looked for in pieces of its way, so many cells longer than the box, and at
// most so many pieces.
#define FIELD_PIECE       4.0
#define FIELD_MOST_PIECES 1e4

typedef struct field_cell {
    int64_t i, j;
} field_cell;

static vec3s field_get_sample(const tni_height_field *field, int64_t i, int64_t j) {
    float height = field->heights[(size_t)j * field->columns + (size_t)i];
    return maths_vec3((float)i * field->spacing_x, height, (float)j * field->spacing_z);
}

static size_t field_get_index(const tni_height_field *field, field_cell cell) {
    return (size_t)cell.j * (field->columns - 1) + (size_t)cell.i;
}

static field_cell field_get_cell(const tni_height_field *field, uint32_t child) {
    uint32_t index = child / 2, across = field->columns - 1;
    return (field_cell){index % across, index / across};
}

// Has the grid a cell there, which is no hole?
static bool field_has_cell(const tni_height_field *field, field_cell cell) {
    bool is_inside = cell.i >= 0 && cell.j >= 0 && cell.i + 1 < (int64_t)field->columns &&
                     cell.j + 1 < (int64_t)field->rows;
    return is_inside && (field->holes == NULL || field->holes[field_get_index(field, cell)] == 0);
}

// Gets the corners of a triangle of a cell, counter-clockwise from above.
static void field_get_corners(const tni_height_field *field, field_cell cell, uint32_t which,
                              vec3s corners[3]) {
    corners[which == 0 ? 0 : 2] =
        field_get_sample(field, cell.i + (which == 0 ? 0 : 1), cell.j + (which == 0 ? 0 : 1));
    corners[1] = field_get_sample(field, cell.i, cell.j + 1);
    corners[which == 0 ? 2 : 0] = field_get_sample(field, cell.i + 1, cell.j);
}

bool tni_height_field_get_corners(const tni_height_field *field, uint32_t triangle,
                                  vec3s corners[3]) {
    if (triangle >= field->base.child_count) {
        return false;
    }
    field_cell cell = field_get_cell(field, triangle);
    field_get_corners(field, cell, triangle & 1, corners);
    return field_has_cell(field, cell);
}

// ---- parts ------------------------------------------------------------------------------------

// Across the edges of the first triangle of a cell lie these second ones, and across those of the
// second triangle the first ones: by edge, the place of the cell.
static const int8_t field_neighbours[2][3][2] = {{{-1, 0}, {0, 0}, {0, -1}},
                                                 {{0, 0}, {0, 1}, {1, 0}}};

// Returns the corner of a neighbour that is not on the common edge: the first of a first triangle
// lies opposite to its diagonal, and so on.
static uint32_t field_get_far_corner(uint32_t which, uint32_t edge) {
    static const uint8_t far_corners[2][3] = {{1, 0, 0}, {0, 1, 2}};
    static const uint8_t of_diagonal[2] = {2, 0};
    bool is_diagonal = edge == (which == 0 ? 1u : 0u);
    return is_diagonal ? of_diagonal[which] : far_corners[which][edge];
}

static bool field_is_active(const tni_height_field *field, field_cell cell, uint32_t which,
                            uint32_t edge) {
    field_cell other = {cell.i + field_neighbours[which][edge][0],
                        cell.j + field_neighbours[which][edge][1]};
    if (!field_has_cell(field, other)) {
        return true;
    }
    vec3s own[3], corners[3];
    field_get_corners(field, cell, which, own);
    field_get_corners(field, other, 1 - which, corners);
    vec3s far_corner = corners[field_get_far_corner(which, edge)];
    tni_dvec3 to = dvec3_sub(dvec3_from_float(far_corner), dvec3_from_float(own[edge]));
    return tni_triangles_stand_out(tni_triangle_get_area(own), tni_triangle_get_area(corners), to,
                                   false);
}

static void field_get_part(const tni_concave *concave, uint32_t child,
                           tni_part_geometry *out_part) {
    const tni_height_field *field = (const tni_height_field *)concave;
    field_cell cell = field_get_cell(field, child);
    uint32_t sides = 0;
    for (uint32_t edge = 0; edge < 3; ++edge) {
        sides |= field_is_active(field, cell, child & 1, edge) ? 1u << edge : 0;
    }
    vec3s corners[3];
    field_get_corners(field, cell, child & 1, corners);
    tni_part_geometry_set(out_part, corners, sides);
}

static uint32_t field_get_material(const tni_concave *concave, uint32_t child) {
    const tni_height_field *field = (const tni_height_field *)concave;
    return field->materials != NULL ? field->materials[child / 2] : 0;
}

// ---- searches ---------------------------------------------------------------------------------

// Returns the first and the last cell of a range along an axis: there is none if the first is
// greater.
static void field_get_range(float lower, float upper, float spacing, uint32_t samples,
                            int64_t *out_first, int64_t *out_last) {
    double most = (double)samples - 2.0;
    double first = floor((double)lower / (double)spacing);
    double last = floor((double)upper / (double)spacing);
    *out_first = (int64_t)maths_min_d(maths_max_d(first, 0.0), most + 1.0);
    *out_last = (int64_t)maths_max_d(maths_min_d(last, most), -1.0);
}

static bool field_meets_height(const vec3s corners[3], const tni_bounds *bounds) {
    float lower = maths_min(corners[0].y, maths_min(corners[1].y, corners[2].y));
    float upper = maths_max(corners[0].y, maths_max(corners[1].y, corners[2].y));
    return lower <= bounds->upper.y && upper >= bounds->lower.y;
}

static void field_find(const tni_concave *concave, const tni_bounds *bounds,
                       tni_concave_visit_fn visit, void *context) {
    const tni_height_field *field = (const tni_height_field *)concave;
    int64_t first_i, last_i, first_j, last_j;
    field_get_range(bounds->lower.x, bounds->upper.x, field->spacing_x, field->columns, &first_i,
                    &last_i);
    field_get_range(bounds->lower.z, bounds->upper.z, field->spacing_z, field->rows, &first_j,
                    &last_j);
    for (int64_t j = first_j; j <= last_j; ++j) {
        for (int64_t i = first_i; i <= last_i; ++i) {
            field_cell cell = {i, j};
            for (uint32_t which = 0; which < 2 && field_has_cell(field, cell); ++which) {
                vec3s corners[3];
                field_get_corners(field, cell, which, corners);
                uint32_t child = 2 * (uint32_t)field_get_index(field, cell) + which;
                if (field_meets_height(corners, bounds) && !visit(child, context)) {
                    return;
                }
            }
        }
    }
}

// Looks at a piece of the way after the other, each about as long as the box and some cells.
static void field_find_along(const tni_concave *concave, const tni_ray *ray, tni_dvec3 reach,
                             const double *limit, tni_concave_visit_fn visit, void *context) {
    const tni_height_field *field = (const tni_height_field *)concave;
    tni_bounds wide = tni_bounds_widen(&concave->bounds, reach);
    tni_ray_slabs slabs = tni_ray_get_slabs(ray);
    double enter = tni_bounds_cast_ray(&wide, &slabs);
    double x = fabs(ray->translation.x) / (2.0 * reach.x + FIELD_PIECE * (double)field->spacing_x);
    double z = fabs(ray->translation.z) / (2.0 * reach.z + FIELD_PIECE * (double)field->spacing_z);
    double piece = 1.0 / maths_min_d(maths_max_d(maths_max_d(x, z), 1.0), FIELD_MOST_PIECES);
    double s = enter;
    for (uint32_t i = 1; s <= maths_min_d(*limit, 1.0); ++i) {
        tni_dvec3 from = dvec3_add_scaled(ray->origin, s, ray->translation);
        tni_dvec3 to = dvec3_add_scaled(ray->origin, maths_min_d(s + piece, 1.0), ray->translation);
        tni_dvec3 lower = dvec3_make(maths_min_d(from.x, to.x), maths_min_d(from.y, to.y),
                                     maths_min_d(from.z, to.z));
        tni_dvec3 upper = dvec3_make(maths_max_d(from.x, to.x), maths_max_d(from.y, to.y),
                                     maths_max_d(from.z, to.z));
        tni_bounds way = tni_bounds_round(dvec3_sub(lower, reach), dvec3_add(upper, reach));
        field_find(concave, &way, visit, context);
        s = enter + i * piece;
    }
}

// ---- rays -------------------------------------------------------------------------------------

// A ray on its way along one axis of the grid.
typedef struct field_walk {
    int64_t cell, step, end;
    double next, stride; // fractions: at which it leaves the cell, and of one cell
} field_walk;

static field_walk field_start(double from, double way, double spacing, uint32_t samples,
                              double enter) {
    field_walk walk = {.next = (double)INFINITY, .stride = (double)INFINITY};
    double at = (from + enter * way) / spacing, most = (double)samples - 2.0;
    walk.cell = (int64_t)maths_min_d(maths_max_d(floor(at), 0.0), most);
    walk.step = way > 0.0 ? 1 : -1;
    walk.end = way > 0.0 ? (int64_t)samples - 1 : -1;
    if (way != 0.0) {
        double border = (double)(walk.cell + (way > 0.0 ? 1 : 0)) * spacing;
        walk.next = (border - from) / way;
        walk.stride = fabs(spacing / way);
    }
    return walk;
}

static bool field_meet_cell(const tni_height_field *field, field_cell cell, const tni_ray *ray,
                            tni_ray_way way, tni_ray_hit *hit) {
    bool meets = false;
    for (uint32_t which = 0; which < 2 && field_has_cell(field, cell); ++which) {
        vec3s corners[3];
        field_get_corners(field, cell, which, corners);
        meets = tni_triangle_cast_ray(corners, false, ray, way, hit) || meets;
    }
    return meets;
}

static bool field_cast_ray(const tni_concave *concave, const tni_ray *ray, tni_ray_way way,
                           tni_ray_hit *out_hit) {
    const tni_height_field *field = (const tni_height_field *)concave;
    tni_ray_slabs slabs = tni_ray_get_slabs(ray);
    double enter = tni_bounds_cast_ray(&concave->bounds, &slabs);
    *out_hit = (tni_ray_hit){.fraction = 1.0};
    if (!(enter <= 1.0)) {
        return false;
    }
    field_walk x = field_start(ray->origin.x, ray->translation.x, (double)field->spacing_x,
                               field->columns, enter);
    field_walk z = field_start(ray->origin.z, ray->translation.z, (double)field->spacing_z,
                               field->rows, enter);
    while (x.cell != x.end && z.cell != z.end) {
        if (field_meet_cell(field, (field_cell){x.cell, z.cell}, ray, way, out_hit)) {
            return true;
        }
        field_walk *next = x.next <= z.next ? &x : &z;
        if (!(next->next <= 1.0)) {
            break;
        }
        next->cell += next->step;
        next->next += next->stride;
    }
    return false;
}

// ---- making it --------------------------------------------------------------------------------

static size_t field_count_cells(const tni_height_field *field) {
    return (size_t)(field->columns - 1) * (field->rows - 1);
}

static void field_destroy(tni_shared *shared) {
    tni_height_field *field = (tni_height_field *)shared;
    tni_allocator allocator = shared->allocator; // it lies in what is freed last
    size_t cells = field_count_cells(field);
    size_t samples = (size_t)field->columns * field->rows;
    tni_free(&allocator, field->heights, samples * sizeof *field->heights);
    tni_free(&allocator, field->holes, cells * sizeof *field->holes);
    tni_free(&allocator, field->materials, cells * sizeof *field->materials);
    tni_free(&allocator, field, sizeof *field);
}

static const tni_concave_kind field_kind = {field_find, field_find_along, field_get_part,
                                            field_cast_ray, field_get_material};

void tni_height_field_finish(tni_height_field *field) {
    field->base.child_count = 2 * (uint32_t)field_count_cells(field);
    float lower = FLT_MAX, upper = -FLT_MAX;
    for (size_t i = 0; i < (size_t)field->columns * field->rows; ++i) {
        lower = maths_min(lower, field->heights[i]);
        upper = maths_max(upper, field->heights[i]);
    }
    field->base.bounds.lower = maths_vec3(0.0f, lower, 0.0f);
    field->base.bounds.upper = maths_vec3((float)(field->columns - 1) * field->spacing_x, upper,
                                          (float)(field->rows - 1) * field->spacing_z);
    tni_concave_count_materials(&field->base, field->materials, field_count_cells(field));
}

tni_height_field *tni_height_field_allocate(const tni_allocator *allocator,
                                            const tni_height_field_grid *grid) {
    tni_allocator copy = *allocator;
    tni_height_field *field = tni_alloc_zeroed(&copy, sizeof *field);
    if (!field) {
        return NULL;
    }
    field->base.kind = &field_kind;
    tni_shared_init(&field->base.shared, &copy, field_destroy);
    field->spacing_x = grid->spacing_x;
    field->spacing_z = grid->spacing_z;
    field->columns = grid->columns;
    field->rows = grid->rows;
    tni_allocator *own = &field->base.shared.allocator;
    size_t cells = field_count_cells(field);
    size_t samples = (size_t)field->columns * field->rows;
    field->heights = tni_alloc(own, samples * sizeof *field->heights);
    field->holes = grid->has_holes ? tni_alloc(own, cells * sizeof *field->holes) : NULL;
    field->materials =
        grid->has_materials ? tni_alloc(own, cells * sizeof *field->materials) : NULL;
    if (!field->heights || (grid->has_holes && !field->holes) ||
        (grid->has_materials && !field->materials)) {
        field_destroy(&field->base.shared);
        return NULL;
    }
    return field;
}

tni_height_field *tni_height_field_make(const tni_allocator *allocator,
                                        const tni_height_field_source *source) {
    tni_height_field_grid grid = {source->spacing_x,     source->spacing_z,
                                  source->columns,       source->rows,
                                  source->holes != NULL, source->materials != NULL};
    tni_height_field *field = tni_height_field_allocate(allocator, &grid);
    if (!field) {
        return NULL;
    }
    size_t cells = field_count_cells(field);
    size_t samples = (size_t)field->columns * field->rows;
    memcpy(field->heights, source->heights, samples * sizeof *field->heights);
    if (source->holes != NULL) {
        memcpy(field->holes, source->holes, cells * sizeof *field->holes);
    }
    if (source->materials != NULL) {
        memcpy(field->materials, source->materials, cells * sizeof *field->materials);
    }
    tni_height_field_finish(field);
    return field;
}

float tni_height_field_get_height(const tni_height_field *field, float x, float z) {
    float u = x / field->spacing_x, v = z / field->spacing_z;
    float columns = (float)(field->columns - 1), rows = (float)(field->rows - 1);
    if (!(u >= 0.0f && v >= 0.0f && u <= columns && v <= rows)) {
        return 0.0f;
    }
    field_cell cell = {(int64_t)maths_min(u, columns - 1.0f), (int64_t)maths_min(v, rows - 1.0f)};
    u -= (float)cell.i;
    v -= (float)cell.j;
    uint32_t which = u + v <= 1.0f ? 0 : 1;
    vec3s p[3];
    field_get_corners(field, cell, which, p);
    return which == 0 ? p[0].y + u * (p[2].y - p[0].y) + v * (p[1].y - p[0].y)
                      : p[2].y + (1.0f - u) * (p[1].y - p[2].y) + (1.0f - v) * (p[0].y - p[2].y);
}
