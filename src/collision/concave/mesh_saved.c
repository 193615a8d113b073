// collision/concave/mesh_saved.c: a triangle mesh as bytes, with its tree and what is known of its
// edges.
//
// Nothing that is loaded is trusted: an index or a tree that would lead a search astray is refused,
// and so is a triangle without an area in the tree, or a mass that no body can have.
// Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/mesh.h"

#define MESH_SIDES (TNI_TRIANGLE_ACTIVE | TNI_TRIANGLE_TWO_SIDED)

static void mesh_save_mass(tni_saver *saver, const tni_mass_properties *mass) {
    tni_save_f64(saver, mass->volume);
    tni_save_f64(saver, mass->center.x);
    tni_save_f64(saver, mass->center.y);
    tni_save_f64(saver, mass->center.z);
    for (int i = 0; i < 9; ++i) {
        tni_save_f64(saver, mass->unit_inertia.m[i / 3][i % 3]);
    }
}

void tni_mesh_save(tni_saver *saver, const void *object) {
    const tni_mesh *mesh = object;
    size_t triangles = mesh->triangle_count;
    tni_save_u32(saver, mesh->point_count);
    tni_save_u32(saver, mesh->triangle_count);
    tni_save_u32(saver, mesh->tree.count);
    tni_save_u8(saver, mesh->materials != NULL);
    tni_save_u8(saver, mesh->base.is_closed);
    mesh_save_mass(saver, &mesh->base.mass);
    tni_save_f32s(saver, (const float *)mesh->points, 3 * (size_t)mesh->point_count);
    tni_save_u32s(saver, mesh->indices, 3 * triangles);
    tni_save_u8s(saver, mesh->sides, triangles);
    tni_save_u16s(saver, mesh->materials, mesh->materials != NULL ? triangles : 0);
    tni_box_tree_save(saver, &mesh->tree);
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

static void mesh_load_mass(tni_loader *loader, tni_mesh *mesh) {
    tni_mass_properties *mass = &mesh->base.mass;
    mass->volume = tni_load_f64(loader);
    mass->center.x = tni_load_f64(loader);
    mass->center.y = tni_load_f64(loader);
    mass->center.z = tni_load_f64(loader);
    for (int i = 0; i < 9; ++i) {
        mass->unit_inertia.m[i / 3][i % 3] = tni_load_f64(loader);
    }
    if (!mesh->base.is_closed) {
        *mass = (tni_mass_properties){0};
    } else {
        tni_loader_expect(loader, mesh_is_mass(mass));
    }
}

static void mesh_load_triangles(tni_loader *loader, tni_mesh *mesh) {
    size_t triangles = mesh->triangle_count;
    tni_load_f32s(loader, (float *)mesh->points, 3 * (size_t)mesh->point_count);
    tni_load_u32s(loader, mesh->indices, 3 * triangles);
    tni_load_u8s(loader, mesh->sides, triangles);
    tni_load_u16s(loader, mesh->materials, mesh->materials != NULL ? triangles : 0);
    bool is_right = true;
    for (size_t i = 0; i < 3 * triangles; ++i) {
        is_right = is_right && mesh->indices[i] < mesh->point_count;
    }
    for (size_t i = 0; i < triangles; ++i) {
        is_right = is_right && (mesh->sides[i] & ~MESH_SIDES) == 0;
    }
    tni_loader_expect(loader, is_right);
}

static tn_result mesh_load_tree(tni_loader *loader, tni_mesh *mesh) {
    tn_result result =
        tni_box_tree_load(loader, &mesh->tree, &mesh->base.allocator, mesh->triangle_count);
    if (result != TN_RESULT_OK) {
        return result;
    }
    bool is_right = tni_loader_is_done(loader);
    for (uint32_t i = 0; is_right && i < mesh->tree.count; ++i) {
        is_right = tni_mesh_has_area(mesh, mesh->tree.order[i]);
    }
    return is_right ? TN_RESULT_OK : TN_RESULT_DAMAGED_DATA;
}

tni_concave *tni_mesh_load(tni_loader *loader, const tni_allocator *allocator,
                           tn_result *out_result) {
    uint32_t points = tni_load_u32(loader), triangles = tni_load_u32(loader);
    uint32_t tree_count = tni_load_u32(loader);
    uint8_t has_materials = tni_load_u8(loader), is_closed = tni_load_u8(loader);
    bool is_right = points <= TNI_MESH_MAX_POINTS && triangles <= TNI_MESH_MAX_TRIANGLES &&
                    points > 0 && tree_count > 0 && tree_count <= triangles && has_materials <= 1 &&
                    is_closed <= 1 &&
                    tni_loader_has(loader, 12 * (uint64_t)points + 12 * (uint64_t)triangles, 1);
    *out_result = TN_RESULT_DAMAGED_DATA;
    if (!tni_loader_expect(loader, is_right)) {
        return NULL;
    }
    tni_mesh *mesh = tni_mesh_allocate(allocator, points, triangles, has_materials == 1);
    if (mesh == NULL) {
        *out_result = TN_RESULT_OUT_OF_MEMORY;
        return NULL;
    }
    mesh->tree.count = tree_count;
    mesh->base.is_closed = is_closed == 1;
    mesh_load_mass(loader, mesh);
    mesh_load_triangles(loader, mesh);
    if (!loader->is_damaged) {
        *out_result = mesh_load_tree(loader, mesh);
    }
    if (*out_result != TN_RESULT_OK) {
        tni_concave_release(&mesh->base);
        return NULL;
    }
    tni_box_tree_fit(&mesh->tree, tni_mesh_get_box, mesh);
    tni_mesh_finish(mesh);
    return &mesh->base;
}
