// world/api/concave_shape.c: shapes made from geometry that is many children.
// Test: tests/world/api/test_mesh_api.c
#include "world/api/concave_shape.h"

#include <string.h>

#include "world/api/shape_def.h"
#include "world/bodies.h"
#include "world/joints.h"
#include "world/parts.h"

tn_result tni_concave_check_numbers(const float *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!isfinite(numbers[i])) {
            return TN_RESULT_NOT_FINITE;
        }
        if (fabsf(numbers[i]) > TNI_GEOMETRY_FARTHEST) {
            return TN_RESULT_TOO_LARGE;
        }
    }
    return TN_RESULT_OK;
}

static tni_check concave_check(const tn_world *world, const tni_body *body,
                               const tni_concave *geometry, const tn_material *materials,
                               uint32_t count) {
    if (!geometry || (count > 0 && !materials)) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "There is no geometry for the shape."};
    }
    bool has_mass =
        body->type != TN_BODY_TYPE_DYNAMIC || body->has_given_mass || geometry->is_closed;
    bool is_affine = tni_body_get_affine(world, body) != NULL;
    tni_check check = {TN_RESULT_OK, NULL};
    for (uint32_t i = 0; i < count; ++i) {
        check = tni_check_both(check, tni_material_check(&materials[i]));
    }
    const tni_check checks[] = {
        tni_check_that(!body->is_particle && !is_affine, TN_RESULT_WRONG_TYPE,
                       "Particles and affine bodies have no meshes or height fields."),
        tni_check_that(count == 0 || geometry->material_count <= count, TN_RESULT_INVALID_ARGUMENT,
                       "The geometry names a material that the list does not have."),
        tni_check_that(has_mass, TN_RESULT_INVALID_MASS,
                       "What is not closed gives a dynamic body no mass: set it first."),
        check,
    };
    return tni_check_all(checks, sizeof checks);
}

// Makes what the shape has beside its record, with a user of the geometry. Returns null without
// memory.
static tni_concave_shape *concave_make(tn_world *world, tni_concave *geometry,
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
    tni_shared_retain(&geometry->shared);
    return concave;
}

static tn_shape_id concave_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                  const tni_concave_source *source, const char *function) {
    uint32_t body = tni_world_find_body(world, id, function);
    if (body == TNI_NONE) {
        return (tn_shape_id){0};
    }
    tni_check check = concave_check(world, tni_body_at(world, body), source->geometry,
                                    source->materials, source->material_count);
    if (!tni_world_accepts(world, check, function, id.value)) {
        return (tn_shape_id){0};
    }
    tni_geometry geometry = {.type = source->type};
    geometry.concave = source->geometry;
    tni_concave_shape *concave =
        concave_make(world, source->geometry, source->materials, source->material_count);
    if (!concave) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, function,
                         "There is no memory for another shape.", id.value);
        return (tn_shape_id){0};
    }
    world->features.parts = &tni_parts_feature;
    return tni_shape_create(world, id, def, &geometry, NULL, concave, function);
}

tn_shape_id tni_concave_shape_create(tn_world *world, tn_body_id id, const tn_shape_def *def,
                                     const tni_concave_source *source, const char *function) {
    tn_shape_id made = {0};
    if (tni_world_begin_change(world, function)) {
        made = concave_create(world, id, def, source, function);
    }
    tni_world_end_change(world);
    return made;
}
