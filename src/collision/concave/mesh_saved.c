// collision/concave/mesh_saved.c: a triangle mesh as bytes, with its tree and what is known of its
// edges.
//
// Nothing that is loaded is trusted: an index or a tree that would lead a search astray is refused,
// and so is a triangle without an area in the tree, or a mass that no body can have.
// Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/mesh.h"

#define MESH_SIDES (TNI_TRIANGLE_ACTIVE | TNI_TRIANGLE_TWO_SIDED)

typedef struct mesh_counts {
    uint32_t points, triangles, tree;
    bool has_materials, is_closed;
} mesh_counts;

static void mesh_visit_counts(tni_stream *s, mesh_counts *counts) {
    stream_u32(s, &counts->points);
    stream_u32(s, &counts->triangles);
    stream_u32(s, &counts->tree);
    stream_bool(s, &counts->has_materials);
    stream_bool(s, &counts->is_closed);
}

static void mesh_visit_mass(tni_stream *s, tni_mass_properties *mass) {
    stream_f64(s, &mass->volume);
    stream_dvec3(s, &mass->center);
    stream_f64s(s, &mass->unit_inertia.m[0][0], 9);
}

static void mesh_visit_triangles(tni_stream *s, const tni_mesh *mesh) {
    size_t triangles = mesh->triangle_count;
    stream_f32s(s, (float *)mesh->points, 3 * (size_t)mesh->point_count);
    stream_u32s(s, mesh->indices, 3 * triangles);
    stream_u8s(s, mesh->sides, triangles);
    stream_u16s(s, mesh->materials, mesh->materials != NULL ? triangles : 0);
}

void tni_mesh_save(tni_stream *stream, const void *object) {
    const tni_mesh *mesh = object;
    mesh_counts counts = {.points = mesh->point_count,
                          .triangles = mesh->triangle_count,
                          .tree = mesh->tree.count,
                          .has_materials = mesh->materials != NULL,
                          .is_closed = mesh->base.is_closed};
    tni_mass_properties mass = mesh->base.mass;
    mesh_visit_counts(stream, &counts);
    mesh_visit_mass(stream, &mass);
    mesh_visit_triangles(stream, mesh);
    tni_box_tree_save(stream, &mesh->tree);
}

// Is it the mass of something: finite, with an inertia that is symmetric and positive definite?
static bool mesh_is_mass(const tni_mass_properties *mass) {
    const double(*m)[3] = mass->unit_inertia.m;
    bool is_finite = isfinite(mass->volume) && isfinite(mass->center.x) &&
                     isfinite(mass->center.y) && isfinite(mass->center.z);
    bool is_symmetric = true;
    for (int i = 0; i < 9; ++i) {
        is_finite = is_finite && isfinite(m[i / 3][i % 3]);
        is_symmetric = is_symmetric && m[i / 3][i % 3] == m[i % 3][i / 3];
    }
    double minor = m[0][0] * m[1][1] - m[0][1] * m[0][1];
    double determinant = m[2][2] * minor - m[0][0] * m[1][2] * m[1][2] -
                         m[1][1] * m[0][2] * m[0][2] + 2.0 * m[0][1] * m[0][2] * m[1][2];
    return is_finite && is_symmetric && mass->volume > 0.0 && m[0][0] > 0.0 && minor > 0.0 &&
           determinant > 0.0;
}

static void mesh_load_mass(tni_stream *stream, tni_mesh *mesh) {
    tni_mass_properties *mass = &mesh->base.mass;
    mesh_visit_mass(stream, mass);
    if (!mesh->base.is_closed) {
        *mass = (tni_mass_properties){0};
    } else {
        tni_stream_expect(stream, mesh_is_mass(mass));
    }
}

static void mesh_load_triangles(tni_stream *stream, tni_mesh *mesh) {
    size_t triangles = mesh->triangle_count;
    mesh_visit_triangles(stream, mesh);
    bool is_right = true;
    for (size_t i = 0; i < 3 * triangles; ++i) {
        is_right = is_right && mesh->indices[i] < mesh->point_count;
    }
    for (size_t i = 0; i < triangles; ++i) {
        is_right = is_right && (mesh->sides[i] & ~MESH_SIDES) == 0;
    }
    tni_stream_expect(stream, is_right);
}

static tn_result mesh_load_tree(tni_stream *stream, tni_mesh *mesh) {
    tn_result result =
        tni_box_tree_load(stream, &mesh->tree, &mesh->base.shared.allocator, mesh->triangle_count);
    if (result != TN_RESULT_OK) {
        return result;
    }
    bool is_right = tni_stream_is_done(stream);
    for (uint32_t i = 0; is_right && i < mesh->tree.count; ++i) {
        is_right = tni_mesh_has_area(mesh, mesh->tree.order[i]);
    }
    return is_right ? TN_RESULT_OK : TN_RESULT_DAMAGED_DATA;
}

tni_shared *tni_mesh_load(tni_stream *stream, const tni_allocator *allocator,
                          tn_result *out_result) {
    mesh_counts counts = {.points = 0};
    mesh_visit_counts(stream, &counts);
    uint64_t least = 12 * ((uint64_t)counts.points + counts.triangles);
    bool is_right = counts.points <= TNI_MESH_MAX_POINTS &&
                    counts.triangles <= TNI_MESH_MAX_TRIANGLES && counts.points > 0 &&
                    counts.tree > 0 && counts.tree <= counts.triangles &&
                    tni_stream_has(stream, least, 1);
    *out_result = TN_RESULT_DAMAGED_DATA;
    if (!tni_stream_expect(stream, is_right)) {
        return NULL;
    }
    tni_mesh *mesh =
        tni_mesh_allocate(allocator, counts.points, counts.triangles, counts.has_materials);
    if (mesh == NULL) {
        *out_result = TN_RESULT_OUT_OF_MEMORY;
        return NULL;
    }
    mesh->tree.count = counts.tree;
    mesh->base.is_closed = counts.is_closed;
    mesh_load_mass(stream, mesh);
    mesh_load_triangles(stream, mesh);
    if (!stream->is_damaged) {
        *out_result = mesh_load_tree(stream, mesh);
    }
    if (*out_result != TN_RESULT_OK) {
        tni_shared_release(&mesh->base.shared);
        return NULL;
    }
    tni_box_tree_fit(&mesh->tree, tni_mesh_get_box, mesh);
    tni_mesh_finish(mesh);
    return &mesh->base.shared;
}
