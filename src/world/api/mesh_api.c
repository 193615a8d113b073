// world/api/mesh_api.c: triangle meshes as users see them, and the shapes made from them.
//
// A mesh belongs to no world, so what is wrong with one is told by the result alone.
// Test: tests/world/api/test_mesh_api.c
#include "collision/mesh.h"

#include <string.h>

#include "tenon/mesh.h"
#include "world/api/shape_def.h"
#include "world/bodies.h"
#include "world/parts.h"
#include "world/records/convert.h"

// m: coordinates beyond this are refused, so that no product of two overflows.
#define MESH_FARTHEST 1e9f

static const tni_mesh *mesh_get(const tn_mesh *mesh) {
    return (const tni_mesh *)(const void *)mesh;
}

// ---- meshes -----------------------------------------------------------------------------------

tn_mesh_def tn_mesh_def_default(void) {
    return (tn_mesh_def){0};
}

static tn_result mesh_check(const tn_mesh_def *def) {
    if (!def || !def->positions || !def->indices || def->triangle_count == 0 ||
        (def->alloc == NULL) != (def->free == NULL)) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (def->position_count > TNI_MESH_MAX_POINTS || def->triangle_count > TNI_MESH_MAX_TRIANGLES) {
        return TN_RESULT_TOO_LARGE;
    }
    for (size_t i = 0; i < 3 * (size_t)def->position_count; ++i) {
        if (!isfinite(def->positions[i])) {
            return TN_RESULT_NOT_FINITE;
        }
        if (fabsf(def->positions[i]) > MESH_FARTHEST) {
            return TN_RESULT_TOO_LARGE;
        }
    }
    for (size_t i = 0; i < 3 * (size_t)def->triangle_count; ++i) {
        if (def->indices[i] >= def->position_count) {
            return TN_RESULT_INVALID_ARGUMENT;
        }
    }
    return TN_RESULT_OK;
}

tn_mesh *tn_mesh_create(const tn_mesh_def *def, tn_result *out_result) {
    tn_result result = mesh_check(def);
    tni_mesh *mesh = NULL;
    if (result == TN_RESULT_OK) {
        tni_mesh_source source = {.points = def->positions,
                                  .indices = def->indices,
                                  .materials = def->materials,
                                  .point_count = def->position_count,
                                  .triangle_count = def->triangle_count,
                                  .is_two_sided = def->is_two_sided,
                                  .progress = def->progress,
                                  .user_data = def->progress_user_data};
        tni_allocator allocator;
        tni_allocator_init(&allocator, def->alloc, def->free, def->memory_user_data);
        mesh = tni_mesh_build(&allocator, &source, &result);
    }
    if (out_result) {
        *out_result = result;
    }
    return (tn_mesh *)(void *)mesh;
}

void tn_mesh_retain(tn_mesh *mesh) {
    if (mesh) {
        tni_concave_retain((tni_concave *)(void *)mesh);
    }
}

void tn_mesh_release(tn_mesh *mesh) {
    if (mesh) {
        tni_concave_release((tni_concave *)(void *)mesh);
    }
}

uint32_t tn_mesh_get_triangle_count(const tn_mesh *mesh) {
    return mesh ? mesh_get(mesh)->triangle_count : 0;
}

uint32_t tn_mesh_get_position_count(const tn_mesh *mesh) {
    return mesh ? mesh_get(mesh)->point_count : 0;
}

void tn_mesh_get_triangle(const tn_mesh *mesh, uint32_t triangle, tn_vec3 *out_corners) {
    bool is_there = mesh && triangle < mesh_get(mesh)->triangle_count;
    vec3s corners[3] = {maths_vec3_zero(), maths_vec3_zero(), maths_vec3_zero()};
    if (is_there) {
        mesh_get_corners(mesh_get(mesh), triangle, corners);
    }
    for (int i = 0; i < 3 && out_corners; ++i) {
        out_corners[i] = convert_from_float(corners[i]);
    }
}

tn_bounds tn_mesh_get_bounds(const tn_mesh *mesh) {
    if (!mesh) {
        return (tn_bounds){0};
    }
    const tni_bounds *bounds = &mesh_get(mesh)->base.bounds;
    return (tn_bounds){convert_from_float(bounds->lower), convert_from_float(bounds->upper)};
}

uint64_t tn_mesh_get_byte_count(const tn_mesh *mesh) {
    return mesh ? mesh_get(mesh)->base.allocator.bytes : 0;
}

float tn_mesh_get_volume(const tn_mesh *mesh) {
    return mesh ? (float)mesh_get(mesh)->base.mass.volume : 0.0f;
}

// ---- shapes -----------------------------------------------------------------------------------

static tni_check mesh_check_shape(const tn_world *world, const tni_body *body, const tni_mesh *mesh,
                                  const tn_material *materials, uint32_t count) {
    if (!mesh || (count > 0 && !materials)) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "A mesh shape needs a mesh."};
    }
    bool has_mass =
        body->type != TN_BODY_TYPE_DYNAMIC || body->has_given_mass || mesh->base.is_closed;
    bool is_affine = tni_body_get_affine(world, body) != NULL;
    tni_check check = {TN_RESULT_OK, NULL};
    for (uint32_t i = 0; i < count; ++i) {
        check = tni_check_both(check, tni_material_check(&materials[i]));
    }
    const tni_check checks[] = {
        tni_check_that(!body->is_particle && !is_affine, TN_RESULT_WRONG_TYPE,
                       "Particles and affine bodies have no meshes."),
        tni_check_that(count == 0 || mesh->base.material_count <= count, TN_RESULT_INVALID_ARGUMENT,
                       "The mesh names a material that the list does not have."),
        tni_check_that(has_mass, TN_RESULT_INVALID_MASS,
                       "A mesh that is not closed gives a dynamic body no mass: set it first."),
        check,
    };
    return tni_check_all(checks, sizeof checks);
}

// Makes what the shape has beside its record, with a user of the geometry. Returns null without
// memory.
static tni_concave_shape *mesh_make_concave(tn_world *world, tni_concave *geometry,
                                            const tn_material *materials, uint32_t count) {
    tni_concave_shape *concave = tni_alloc_zeroed(&world->allocator, sizeof *concave);
    size_t size = count * sizeof *materials;
    tn_material *copy = size > 0 ? tni_alloc(&world->allocator, size) : NULL;
    if (!concave || (size > 0 && !copy)) {
        tni_free(&world->allocator, copy, size);
        tni_free(&world->allocator, concave, sizeof *concave);
        return NULL;
    }
    if (size > 0) {
        memcpy(copy, materials, size);
    }
    concave->materials = copy;
    concave->material_count = count;
    concave->part_head = TNI_NONE;
    concave->geometry = geometry;
    tni_concave_retain(geometry);
    return concave;
}

tn_shape_id tn_mesh_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                 tn_mesh *mesh, const tn_material *materials, uint32_t count) {
    uint32_t body = tni_world_find_body_to_change(world, id, __func__);
    if (body == TNI_NONE) {
        return (tn_shape_id){0};
    }
    tni_check check =
        mesh_check_shape(world, tni_body_at(world, body), mesh_get(mesh), materials, count);
    if (!tni_world_accepts(world, check, __func__, id.value)) {
        return (tn_shape_id){0};
    }
    tni_geometry geometry = {.type = TNI_GEOMETRY_MESH};
    geometry.concave = &mesh_get(mesh)->base;
    tni_concave_shape *concave =
        mesh_make_concave(world, (tni_concave *)(void *)mesh, materials, count);
    if (!concave) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, __func__,
                         "There is no memory for another shape.", id.value);
        return (tn_shape_id){0};
    }
    world->features.parts = &tni_parts_feature;
    return tni_shape_create(world, id, def, &geometry, TNI_NONE, concave, __func__);
}

tn_mesh *tn_mesh_shape_get_mesh(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry = tni_shape_find_geometry(world, id, TNI_GEOMETRY_MESH, __func__);
    return geometry ? (tn_mesh *)(void *)geometry->concave : NULL;
}
