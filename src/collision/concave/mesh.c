// collision/concave/mesh.c: a triangle mesh: made, searched, and met by rays.
//
// All that a mesh knows is computed when it is made: a tree of boxes (box_tree.c), the edges at
// which something may be met (mesh_edges.c), and the mass of a closed mesh.
// Test: tests/collision/concave/test_mesh.c
#include "collision/concave/mesh.h"

#include <string.h>

// A triangle whose area is less than this share of the square of its longest edge is left out.
#define MESH_FLAT 1e-6

// ---- searches ---------------------------------------------------------------------------------

tni_bounds tni_mesh_get_box(const void *mesh, uint32_t triangle) {
    vec3s p[3];
    mesh_get_corners(mesh, triangle, p);
    tni_bounds bounds;
    for (int k = 0; k < 3; ++k) {
        bounds.lower.raw[k] = maths_min(p[0].raw[k], maths_min(p[1].raw[k], p[2].raw[k]));
        bounds.upper.raw[k] = maths_max(p[0].raw[k], maths_max(p[1].raw[k], p[2].raw[k]));
    }
    return bounds;
}

static void mesh_find(const tni_concave *concave, const tni_bounds *bounds,
                      tni_concave_visit_fn visit, void *context) {
    const tni_mesh *mesh = (const tni_mesh *)concave;
    tni_box_tree_find(&mesh->tree, bounds, tni_mesh_get_box, mesh, visit, context);
}

static void mesh_find_along(const tni_concave *concave, const tni_ray *ray, tni_dvec3 reach,
                            const double *limit, tni_concave_visit_fn visit, void *context) {
    const tni_mesh *mesh = (const tni_mesh *)concave;
    tni_box_tree_find_along(&mesh->tree, ray, reach, limit, tni_mesh_get_box, mesh, visit, context);
}

static void mesh_get_part(const tni_concave *concave, uint32_t child, tni_part_geometry *out_part) {
    const tni_mesh *mesh = (const tni_mesh *)concave;
    vec3s corners[3];
    mesh_get_corners(mesh, child, corners);
    tni_part_geometry_set(out_part, corners, mesh->sides[child]);
}

static uint32_t mesh_get_material(const tni_concave *concave, uint32_t child) {
    const tni_mesh *mesh = (const tni_mesh *)concave;
    return mesh->materials != NULL ? mesh->materials[child] : 0;
}

// ---- rays -------------------------------------------------------------------------------------

typedef struct mesh_cast {
    const tni_mesh *mesh;
    const tni_ray *ray;
    tni_ray_way way;
    tni_ray_hit *hit;
    bool meets;
} mesh_cast;

static bool mesh_cast_at_leaf(const uint32_t *triangles, uint32_t count, void *context) {
    mesh_cast *cast = context;
    for (uint32_t i = 0; i < count; ++i) {
        vec3s corners[3];
        mesh_get_corners(cast->mesh, triangles[i], corners);
        bool is_two_sided = (cast->mesh->sides[triangles[i]] & TNI_TRIANGLE_TWO_SIDED) != 0;
        cast->meets =
            tni_triangle_cast_ray(corners, is_two_sided, cast->ray, cast->way, cast->hit) ||
            cast->meets;
    }
    return true;
}

static bool mesh_cast_ray(const tni_concave *concave, const tni_ray *ray, tni_ray_way way,
                          tni_ray_hit *out_hit) {
    const tni_mesh *mesh = (const tni_mesh *)concave;
    *out_hit = (tni_ray_hit){.fraction = 1.0};
    mesh_cast cast = {mesh, ray, way, out_hit, false};
    tni_box_tree_cast_ray(&mesh->tree, ray, &out_hit->fraction, mesh_cast_at_leaf, &cast);
    return cast.meets;
}

// ---- making it --------------------------------------------------------------------------------

static void mesh_destroy(tni_shared *shared) {
    tni_mesh *mesh = (tni_mesh *)shared;
    tni_allocator allocator = shared->allocator; // it lies in what is freed last
    size_t triangles = mesh->triangle_count;
    tni_free(&allocator, mesh->points, mesh->point_count * sizeof *mesh->points);
    tni_free(&allocator, mesh->indices, 3 * triangles * sizeof *mesh->indices);
    tni_free(&allocator, mesh->materials, triangles * sizeof *mesh->materials);
    tni_free(&allocator, mesh->sides, triangles * sizeof *mesh->sides);
    tni_free(&allocator, mesh->tree.order, triangles * sizeof *mesh->tree.order);
    tni_box_tree_destroy(&mesh->tree, &allocator);
    tni_free(&allocator, mesh, sizeof *mesh);
}

static const tni_concave_kind mesh_kind = {mesh_find, mesh_find_along, mesh_get_part, mesh_cast_ray,
                                           mesh_get_material};

tni_mesh *tni_mesh_allocate(const tni_allocator *allocator, uint32_t point_count,
                            uint32_t triangle_count, bool has_materials) {
    tni_allocator copy = *allocator;
    tni_mesh *mesh = tni_alloc_zeroed(&copy, sizeof *mesh);
    if (!mesh) {
        return NULL;
    }
    mesh->base.kind = &mesh_kind;
    tni_shared_init(&mesh->base.shared, &copy, mesh_destroy);
    tni_allocator *own = &mesh->base.shared.allocator;
    size_t triangles = triangle_count;
    mesh->point_count = point_count;
    mesh->triangle_count = triangle_count;
    mesh->points = tni_alloc(own, point_count * sizeof *mesh->points);
    mesh->indices = tni_alloc(own, 3 * triangles * sizeof *mesh->indices);
    mesh->sides = tni_alloc_zeroed(own, triangles * sizeof *mesh->sides);
    mesh->tree.order = tni_alloc(own, triangles * sizeof *mesh->tree.order);
    mesh->materials = has_materials ? tni_alloc(own, triangles * sizeof *mesh->materials) : NULL;
    if (!mesh->points || !mesh->indices || !mesh->sides || !mesh->tree.order ||
        (has_materials && !mesh->materials)) {
        mesh_destroy(&mesh->base.shared);
        return NULL;
    }
    return mesh;
}

void tni_mesh_finish(tni_mesh *mesh) {
    mesh->base.child_count = mesh->tree.count;
    mesh->base.bounds = mesh->tree.bounds;
    tni_concave_count_materials(&mesh->base, mesh->materials, mesh->triangle_count);
}

bool tni_mesh_has_area(const tni_mesh *mesh, uint32_t triangle) {
    vec3s corners[3];
    mesh_get_corners(mesh, triangle, corners);
    double area = dvec3_length(tni_triangle_get_area(corners)), longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        tni_dvec3 edge =
            dvec3_sub(dvec3_from_float(corners[(k + 1) % 3]), dvec3_from_float(corners[k]));
        longest = maths_max_d(longest, dvec3_dot(edge, edge));
    }
    return area > MESH_FLAT * longest && isfinite(area) && area > (double)FLT_MIN;
}

// Copies the source, and lists the triangles that have an area.
static void mesh_take(tni_mesh *mesh, const tni_mesh_source *source) {
    size_t triangles = source->triangle_count;
    for (uint32_t i = 0; i < mesh->point_count; ++i) {
        const float *p = &source->points[3 * (size_t)i];
        mesh->points[i] = maths_vec3(p[0], p[1], p[2]);
    }
    memcpy(mesh->indices, source->indices, 3 * triangles * sizeof *mesh->indices);
    if (source->materials != NULL) {
        memcpy(mesh->materials, source->materials, triangles * sizeof *mesh->materials);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        if (tni_mesh_has_area(mesh, i)) {
            mesh->tree.order[mesh->tree.count++] = i;
        }
    }
}

static tn_result mesh_fill(tni_mesh *mesh, const tni_mesh_source *source) {
    mesh_take(mesh, source);
    if (mesh->tree.count == 0) {
        return TN_RESULT_DEGENERATE_MESH;
    }
    if (!tni_mesh_mark_edges(mesh, source->is_two_sided)) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    tni_box_tree_source tree = {.item_end = mesh->triangle_count,
                                .get_box = tni_mesh_get_box,
                                .owner = mesh,
                                .tasks = source->tasks,
                                .progress = source->progress,
                                .user_data = source->user_data};
    return tni_box_tree_build(&mesh->tree, &mesh->base.shared.allocator, &tree);
}

tni_mesh *tni_mesh_build(const tni_allocator *allocator, const tni_mesh_source *source,
                         tn_result *out_result) {
    tni_mesh *mesh = tni_mesh_allocate(allocator, source->point_count, source->triangle_count,
                                       source->materials != NULL);
    *out_result = mesh != NULL ? mesh_fill(mesh, source) : TN_RESULT_OUT_OF_MEMORY;
    if (*out_result != TN_RESULT_OK) {
        tni_shared_release((tni_shared *)mesh);
        return NULL;
    }
    tni_mesh_finish(mesh);
    return mesh;
}
