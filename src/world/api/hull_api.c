// world/api/hull_api.c: convex hulls: built once, shared by shapes, freed with the last user.
//
// The user counts as one user. Once given back, a hull can be read through its handle as long as
// shapes use it, but no new shapes are made from it.
// Test: tests/world/api/test_hull_api.c
#include "world/api/shape_def.h"
#include "world/bodies.h"
#include "world/records/convert.h"

#define HULL_MAX_POINTS 65535u

static uint32_t hull_find(const tn_world *world, tn_hull_id id, const char *function) {
    return tni_world_find(world, world ? &world->hull_pool : NULL, id.value, function,
                          "The handle names no hull of this world.");
}

uint32_t tni_world_find_owned_hull(const tn_world *world, tn_hull_id id, const char *function) {
    uint32_t index = hull_find(world, id, function);
    if (index != TNI_NONE && world->hulls[index].is_given_back) {
        tni_world_report(world, TN_RESULT_INVALID_ID, function,
                         "The hull was given back with tn_hull_destroy.", id.value);
        return TNI_NONE;
    }
    return index;
}

void tni_hull_release(tn_world *world, uint32_t index) {
    tni_hull_record *record = &world->hulls[index];
    record->user_count -= 1;
    if (record->user_count == 0) {
        tni_hull_destroy(&world->allocator, record->hull);
        record->hull = NULL;
        tni_pool_release(&world->hull_pool, record->handle);
    }
}

static tni_check hull_check_points(const tn_world *world, const tn_vec3 *points, uint32_t count) {
    if (!points || count < 4) {
        return (tni_check){TN_RESULT_INVALID_ARGUMENT, "A hull needs at least four points."};
    }
    bool are_few = count <= HULL_MAX_POINTS, are_finite = true;
    for (uint32_t i = 0; i < count && are_few; ++i) {
        are_finite = are_finite && convert_is_finite_float(points[i]);
    }
    bool is_full = tni_pool_next_index(&world->hull_pool) >= TNI_POOL_MAX_SLOTS;
    const tni_check checks[] = {
        tni_check_that(are_few, TN_RESULT_TOO_LARGE, "A hull is built from at most 65535 points."),
        tni_check_that(are_finite, TN_RESULT_NOT_FINITE, "The points of a hull must be finite."),
        tni_check_that(!is_full, TN_RESULT_TOO_LARGE, "A world holds 4194304 hulls."),
    };
    return tni_check_all(checks, sizeof checks);
}

static const char *hull_build_message(tn_result result) {
    switch (result) {
    case TN_RESULT_DEGENERATE_HULL:
        return "The points lie in one plane, line or point: a hull needs volume.";
    case TN_RESULT_TOO_LARGE:
        return "The hull has more than 255 corners.";
    default:
        return tn_result_text(result);
    }
}

static tn_result hull_build(tn_world *world, const tn_vec3 *points, uint32_t count,
                            tni_hull **out_hull) {
    size_t size = count * sizeof(vec3s);
    vec3s *copy = tni_alloc(&world->allocator, size);
    if (!copy) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    for (uint32_t i = 0; i < count; ++i) {
        copy[i] = convert_to_float(points[i]);
    }
    tn_result result = tni_hull_build(&world->allocator, copy, count, out_hull);
    tni_free(&world->allocator, copy, size);
    return result;
}

// Takes the hull over. Returns its handle, or 0 when memory cannot be had.
static uint32_t hull_add(tn_world *world, tni_hull *hull) {
    uint32_t index = tni_pool_next_index(&world->hull_pool);
    tni_hull_record *hulls =
        tni_array_grow(&world->allocator, world->hulls, world->hull_pool.slot_count,
                       &world->hull_capacity, index + 1, sizeof *hulls);
    if (!hulls) {
        return 0;
    }
    world->hulls = hulls;
    uint32_t handle = tni_pool_acquire(&world->hull_pool);
    if (handle != 0) {
        world->hulls[index] = (tni_hull_record){handle, hull, 1, false};
    }
    return handle;
}

static tn_hull_id hull_refuse(const tn_world *world, tn_result result, const char *message,
                              tn_result *out_result) {
    tni_world_report(world, result, "tn_hull_create", message, 0);
    if (out_result) {
        *out_result = result;
    }
    return (tn_hull_id){0};
}

static tn_hull_id hull_create(tn_world *world, const tn_vec3 *points, uint32_t count,
                              tn_result *out_result) {
    tni_check check = hull_check_points(world, points, count);
    if (check.result != TN_RESULT_OK) {
        return hull_refuse(world, check.result, check.message, out_result);
    }
    tni_hull *hull = NULL;
    tn_result result = hull_build(world, points, count, &hull);
    if (result != TN_RESULT_OK) {
        return hull_refuse(world, result, hull_build_message(result), out_result);
    }
    uint32_t handle = hull_add(world, hull);
    if (handle == 0) {
        tni_hull_destroy(&world->allocator, hull);
        return hull_refuse(world, TN_RESULT_OUT_OF_MEMORY, "There is no memory for another hull.",
                           out_result);
    }
    if (out_result) {
        *out_result = TN_RESULT_OK;
    }
    return (tn_hull_id){handle};
}

tn_hull_id tn_hull_create(tn_world *world, const tn_vec3 *points, uint32_t count,
                          tn_result *out_result) {
    tn_hull_id made = {0};
    if (tni_world_begin_change(world, __func__)) {
        made = hull_create(world, points, count, out_result);
    } else if (out_result) {
        *out_result = world ? TN_RESULT_WORLD_LOCKED : TN_RESULT_INVALID_ARGUMENT;
    }
    tni_world_end_change(world);
    return made;
}

static void hull_give_back(tn_world *world, tn_hull_id id, const char *function) {
    uint32_t index = tni_world_find_owned_hull(world, id, function);
    if (index == TNI_NONE) {
        return;
    }
    world->hulls[index].is_given_back = true;
    tni_hull_release(world, index);
}

void tn_hull_destroy(tn_world *world, tn_hull_id id) {
    if (tni_world_begin_change(world, __func__)) {
        hull_give_back(world, id, __func__);
    }
    tni_world_end_change(world);
}

uint32_t tn_hull_get_vertices(const tn_world *world, tn_hull_id id, tn_vec3 *out_vertices,
                              uint32_t capacity) {
    uint32_t index = hull_find(world, id, __func__);
    if (index == TNI_NONE) {
        return 0;
    }
    return tni_hull_copy_vertices(world->hulls[index].hull, out_vertices, capacity);
}

uint32_t tn_hull_get_triangles(const tn_world *world, tn_hull_id id, uint32_t *out_indices,
                               uint32_t capacity) {
    uint32_t index = hull_find(world, id, __func__);
    if (index == TNI_NONE) {
        return 0;
    }
    return tni_hull_copy_triangles(world->hulls[index].hull, out_indices, capacity);
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
