// world/api/hull_api.c: convex hulls as users see them, and the shapes made from them.
//
// A hull belongs to no world, so what is wrong with one is told by the result alone.
// Test: tests/world/api/test_hull_api.c
#include "tenon/hull.h"

#include "world/api/shape_def.h"
#include "world/api/shared_geometry.h"
#include "world/records/convert.h"
#include "world/world.h"

#define HULL_MAX_POINTS 65535u

static const tni_shared_hull *hull_get(const tn_hull *hull) {
    return (const tni_shared_hull *)(const void *)hull;
}

// ---- hulls ------------------------------------------------------------------------------------

tn_hull_def tn_hull_def_default(void) {
    return (tn_hull_def){0};
}

tn_result tni_hull_check_points(const tn_vec3 *points, uint32_t count) {
    if (points == NULL || count < 4) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (count > HULL_MAX_POINTS) {
        return TN_RESULT_TOO_LARGE;
    }
    const double most = (double)TNI_GEOMETRY_FARTHEST;
    bool are_near = true;
    for (uint32_t i = 0; i < count; ++i) {
        tn_vec3 p = points[i];
        if (!convert_is_finite_float(p)) {
            return TN_RESULT_NOT_FINITE;
        }
        are_near = are_near && fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
    }
    return are_near ? TN_RESULT_OK : TN_RESULT_TOO_LARGE;
}

static tn_result hull_check_def(const tn_hull_def *def) {
    return def != NULL && shared_has_memory(def->alloc, def->free)
               ? tni_hull_check_points(def->points, def->point_count)
               : TN_RESULT_INVALID_ARGUMENT;
}

static tni_shared_hull *hull_build(const tn_hull_def *def, tn_result *out_result) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, def->alloc, def->free, def->memory_user_data);
    tni_allocator scratch = allocator;
    size_t size = def->point_count * sizeof(vec3s);
    vec3s *points = tni_alloc(&scratch, size);
    if (points == NULL) {
        *out_result = TN_RESULT_OUT_OF_MEMORY;
        return NULL;
    }
    for (uint32_t i = 0; i < def->point_count; ++i) {
        points[i] = convert_to_float(def->points[i]);
    }
    tni_shared_hull *hull = tni_shared_hull_build(&allocator, points, def->point_count, out_result);
    tni_free(&scratch, points, size);
    return hull;
}

tn_hull *tn_hull_create(const tn_hull_def *def, tn_result *out_result) {
    tni_float_environment host = tni_float_environment_enter();
    tn_result result = hull_check_def(def);
    tni_shared_hull *hull = result == TN_RESULT_OK ? hull_build(def, &result) : NULL;
    tni_float_environment_leave(host);
    if (out_result != NULL) {
        *out_result = result;
    }
    return (tn_hull *)(void *)hull;
}

void tn_hull_retain(tn_hull *hull) {
    tni_shared_retain((tni_shared *)(void *)hull);
}

void tn_hull_release(tn_hull *hull) {
    tni_shared_release((tni_shared *)(void *)hull);
}

static const tni_shared_format hull_format = {TNI_SAVED_HULL, TNI_SHARED_HULL_VERSION,
                                              tni_shared_hull_save, tni_shared_hull_load, NULL};

uint64_t tn_hull_save(const tn_hull *hull, void *out_memory, uint64_t capacity) {
    return tni_shared_save(&hull_format, hull, out_memory, capacity);
}

tn_hull *tn_hull_load(const void *memory, uint64_t size, tn_alloc_fn alloc, tn_free_fn free,
                      void *memory_user_data, tn_result *out_result) {
    tni_shared_bytes bytes = {memory, size, alloc, free, memory_user_data};
    return (tn_hull *)(void *)tni_shared_load(&hull_format, &bytes, out_result);
}

uint32_t tn_hull_get_vertices(const tn_hull *hull, tn_vec3 *out_vertices, uint32_t capacity) {
    return hull ? tni_hull_copy_vertices(hull_get(hull)->hull, out_vertices, capacity) : 0;
}

uint32_t tn_hull_get_triangles(const tn_hull *hull, uint32_t *out_indices, uint32_t capacity) {
    return hull ? tni_hull_copy_triangles(hull_get(hull)->hull, out_indices, capacity) : 0;
}

tn_bounds tn_hull_get_bounds(const tn_hull *hull) {
    if (hull == NULL) {
        return (tn_bounds){0};
    }
    const tni_hull *own = hull_get(hull)->hull;
    return (tn_bounds){convert_from_float(own->lower), convert_from_float(own->upper)};
}

float tn_hull_get_volume(const tn_hull *hull) {
    return hull ? hull_get(hull)->hull->volume : 0.0f;
}

uint64_t tn_hull_get_byte_count(const tn_hull *hull) {
    return shared_get_bytes((const tni_shared *)(const void *)hull);
}

uint32_t tni_hull_copy_vertices(const tni_hull *hull, tn_vec3 *out_vertices, uint32_t capacity) {
    for (uint32_t i = 0; out_vertices && i < hull->vertex_count && i < capacity; ++i) {
        out_vertices[i] = convert_from_float(hull->vertices[i]);
    }
    return hull->vertex_count;
}

// Writes each face as a fan of triangles around the origin of its first edge.
uint32_t tni_hull_copy_triangles(const tni_hull *hull, uint32_t *out_indices, uint32_t capacity) {
    uint32_t count = 0;
    for (uint32_t face = 0; face < hull->face_count; ++face) {
        uint16_t first = hull->face_edges[face];
        uint16_t edge = hull->half_edges[first].next;
        for (uint16_t next = hull->half_edges[edge].next; next != first;
             edge = next, next = hull->half_edges[next].next) {
            uint32_t corners[3] = {hull->half_edges[first].origin, hull->half_edges[edge].origin,
                                   hull->half_edges[next].origin};
            for (int i = 0; i < 3; ++i, ++count) {
                if (out_indices && count < capacity) {
                    out_indices[count] = corners[i];
                }
            }
        }
    }
    return count;
}

// ---- shapes -----------------------------------------------------------------------------------

static tn_shape_id hull_create_shape(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                     tni_shared_hull *hull, const char *function) {
    tni_geometry geometry = {.type = TNI_GEOMETRY_HULL};
    geometry.hull.hull = hull->hull;
    return tni_shape_create(world, body, def, &geometry, hull, NULL, function);
}

tn_shape_id tn_hull_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                 tn_hull *hull) {
    tn_shape_id made = {0};
    if (tni_world_begin_change(world, __func__) &&
        tni_world_accepts(world, hull_check(hull), __func__, body.value)) {
        made = hull_create_shape(world, body, def, (tni_shared_hull *)(void *)hull, __func__);
    }
    tni_world_end_change(world);
    return made;
}

tn_hull *tn_hull_shape_get_hull(const tn_world *world, tn_shape_id id) {
    if (!tni_shape_find_geometry(world, id, TNI_GEOMETRY_HULL, __func__)) {
        return NULL;
    }
    const tni_shape *shape = tni_shape_at(world, id.value & TNI_POOL_INDEX_MASK);
    return (tn_hull *)(void *)shape->hull;
}
