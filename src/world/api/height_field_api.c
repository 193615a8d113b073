// world/api/height_field_api.c: height fields as users see them, and the shapes made from them.
// Test: tests/world/api/test_height_field_api.c
#include "collision/concave/height_field.h"

#include "tenon/height_field.h"
#include "world/api/concave_shape.h"
#include "world/api/shape_def.h"
#include "world/records/convert.h"

static const tni_height_field *field_get(const tn_height_field *field) {
    return (const tni_height_field *)(const void *)field;
}

tn_height_field_def tn_height_field_def_default(void) {
    return (tn_height_field_def){.spacing_x = 1.0f, .spacing_z = 1.0f};
}

static tn_result field_check_grid(const tni_height_field_source *grid) {
    if (!isfinite(grid->spacing_x) || !isfinite(grid->spacing_z)) {
        return TN_RESULT_NOT_FINITE;
    }
    // Squares of lengths must not vanish in float.
    if (!(grid->spacing_x > 1e-9f && grid->spacing_z > 1e-9f)) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (grid->columns > TNI_HEIGHT_FIELD_MOST || grid->rows > TNI_HEIGHT_FIELD_MOST ||
        (float)grid->columns * grid->spacing_x > TNI_GEOMETRY_FARTHEST ||
        (float)grid->rows * grid->spacing_z > TNI_GEOMETRY_FARTHEST) {
        return TN_RESULT_TOO_LARGE;
    }
    return tni_concave_check_numbers(grid->heights, (size_t)grid->columns * grid->rows);
}

static tni_height_field_source field_read(const tn_height_field_def *def) {
    return (tni_height_field_source){.heights = def->heights,
                                     .holes = def->holes,
                                     .materials = def->materials,
                                     .spacing_x = def->spacing_x,
                                     .spacing_z = def->spacing_z,
                                     .columns = def->columns,
                                     .rows = def->rows};
}

static tn_result field_check(const tn_height_field_def *def) {
    if (!def || !def->heights || !shared_has_memory(def->alloc, def->free) || def->columns < 2 ||
        def->rows < 2) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    tni_height_field_source source = field_read(def);
    return field_check_grid(&source);
}

tn_height_field *tn_height_field_create(const tn_height_field_def *def, tn_result *out_result) {
    tni_float_environment host = tni_float_environment_enter();
    tn_result result = field_check(def);
    tni_height_field *field = NULL;
    if (result == TN_RESULT_OK) {
        tni_height_field_source source = field_read(def);
        tni_allocator allocator;
        tni_allocator_init(&allocator, def->alloc, def->free, def->memory_user_data);
        field = tni_height_field_make(&allocator, &source);
        result = field ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY;
    }
    tni_float_environment_leave(host);
    if (out_result) {
        *out_result = result;
    }
    return (tn_height_field *)(void *)field;
}

void tn_height_field_retain(tn_height_field *field) {
    tni_shared_retain((tni_shared *)(void *)field);
}

void tn_height_field_release(tn_height_field *field) {
    tni_shared_release((tni_shared *)(void *)field);
}

static bool field_is_sound(const tni_shared *shared) {
    tn_height_field_def def =
        tn_height_field_get_def((const tn_height_field *)(const void *)shared);
    tni_height_field_source source = field_read(&def);
    return field_check_grid(&source) == TN_RESULT_OK;
}

static const tni_shared_format field_format = {TNI_SAVED_HEIGHT_FIELD, TNI_HEIGHT_FIELD_VERSION,
                                               tni_height_field_save, tni_height_field_load,
                                               field_is_sound};

uint64_t tn_height_field_save(const tn_height_field *field, void *out_memory, uint64_t capacity) {
    return tni_shared_save(&field_format, field, out_memory, capacity);
}

tn_height_field *tn_height_field_load(const void *memory, uint64_t size, tn_alloc_fn alloc,
                                      tn_free_fn free, void *memory_user_data,
                                      tn_result *out_result) {
    tni_shared_bytes bytes = {memory, size, alloc, free, memory_user_data};
    return (tn_height_field *)(void *)tni_shared_load(&field_format, &bytes, out_result);
}

float tn_height_field_get_height(const tn_height_field *field, float x, float z) {
    return field && isfinite(x) && isfinite(z) ? tni_height_field_get_height(field_get(field), x, z)
                                               : 0.0f;
}

tn_bounds tn_height_field_get_bounds(const tn_height_field *field) {
    return concave_get_bounds((const tni_concave *)(const void *)field);
}

tn_height_field_def tn_height_field_get_def(const tn_height_field *field) {
    const tni_height_field *own = field_get(field);
    if (!own) {
        return (tn_height_field_def){0};
    }
    const tni_allocator *allocator = &own->base.shared.allocator;
    return (tn_height_field_def){.heights = own->heights,
                                 .holes = own->holes,
                                 .materials = own->materials,
                                 .columns = own->columns,
                                 .rows = own->rows,
                                 .spacing_x = own->spacing_x,
                                 .spacing_z = own->spacing_z,
                                 .alloc = allocator->alloc,
                                 .free = allocator->free,
                                 .memory_user_data = allocator->user_data};
}

uint32_t tn_height_field_get_triangle_count(const tn_height_field *field) {
    return field ? field_get(field)->base.child_count : 0;
}

void tn_height_field_get_triangle(const tn_height_field *field, uint32_t triangle,
                                  tn_vec3 *out_corners) {
    vec3s corners[3];
    bool is_there = field && tni_height_field_get_corners(field_get(field), triangle, corners);
    concave_give_corners(is_there ? corners : NULL, out_corners);
}

uint64_t tn_height_field_get_byte_count(const tn_height_field *field) {
    return shared_get_bytes((const tni_shared *)(const void *)field);
}

tn_shape_id tn_height_field_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                         tn_height_field *field, const tn_material *materials,
                                         uint32_t count) {
    tni_concave_source source = {TNI_GEOMETRY_HEIGHT_FIELD, (tni_concave *)(void *)field, materials,
                                 count};
    return tni_concave_shape_create(world, body, def, &source, __func__);
}

tn_height_field *tn_height_field_shape_get_height_field(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry =
        tni_shape_find_geometry(world, id, TNI_GEOMETRY_HEIGHT_FIELD, __func__);
    return geometry ? (tn_height_field *)(void *)geometry->concave : NULL;
}
