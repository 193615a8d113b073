// world/api/mesh_api.c: triangle meshes as users see them, and the shapes made from them.
//
// A mesh belongs to no world, so what is wrong with one is told by the result alone.
// Test: tests/world/api/test_mesh_api.c
#include "collision/concave/mesh.h"

#include "tenon/mesh.h"
#include "world/api/concave_shape.h"
#include "world/api/shape_def.h"
#include "world/records/convert.h"

static const tni_mesh *mesh_get(const tn_mesh *mesh) {
    return (const tni_mesh *)(const void *)mesh;
}

// ---- meshes -----------------------------------------------------------------------------------

tn_mesh_def tn_mesh_def_default(void) {
    return (tn_mesh_def){.worker_count = 1};
}

#define MESH_MOST_WORKERS 64u

static tn_result mesh_check(const tn_mesh_def *def) {
    if (!def || !def->positions || !def->indices || def->triangle_count == 0 ||
        !shared_has_memory(def->alloc, def->free) || !def->enqueue != !def->finish ||
        def->worker_count > MESH_MOST_WORKERS) {
        return TN_RESULT_INVALID_ARGUMENT;
    }
    if (def->position_count > TNI_MESH_MAX_POINTS || def->triangle_count > TNI_MESH_MAX_TRIANGLES) {
        return TN_RESULT_TOO_LARGE;
    }
    tn_result result = tni_concave_check_numbers(def->positions, 3 * (size_t)def->position_count);
    if (result != TN_RESULT_OK) {
        return result;
    }
    for (size_t i = 0; i < 3 * (size_t)def->triangle_count; ++i) {
        if (def->indices[i] >= def->position_count) {
            return TN_RESULT_INVALID_ARGUMENT;
        }
    }
    return TN_RESULT_OK;
}

// Without threads or memory for them the caller does it alone.
static tni_mesh *mesh_build(const tn_mesh_def *def, tn_result *out_result) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, def->alloc, def->free, def->memory_user_data);
    tni_allocator of_workers = allocator;
    tni_tasks tasks = {
        .enqueue = def->enqueue, .finish = def->finish, .user_data = def->task_user_data};
    if (def->enqueue == NULL) {
        tasks.workers = tni_workers_create(&of_workers, def->worker_count);
    }
    tni_mesh_source source = {.points = def->positions,
                              .indices = def->indices,
                              .materials = def->materials,
                              .point_count = def->position_count,
                              .triangle_count = def->triangle_count,
                              .is_two_sided = def->is_two_sided,
                              .tasks = &tasks,
                              .progress = def->progress,
                              .user_data = def->progress_user_data};
    tni_mesh *mesh = tni_mesh_build(&allocator, &source, out_result);
    tni_workers_destroy(&of_workers, tasks.workers);
    return mesh;
}

tn_mesh *tn_mesh_create(const tn_mesh_def *def, tn_result *out_result) {
    tni_float_environment host = tni_float_environment_enter();
    tn_result result = mesh_check(def);
    tni_mesh *mesh = result == TN_RESULT_OK ? mesh_build(def, &result) : NULL;
    tni_float_environment_leave(host);
    if (out_result) {
        *out_result = result;
    }
    return (tn_mesh *)(void *)mesh;
}

void tn_mesh_retain(tn_mesh *mesh) {
    tni_shared_retain((tni_shared *)(void *)mesh);
}

void tn_mesh_release(tn_mesh *mesh) {
    tni_shared_release((tni_shared *)(void *)mesh);
}

static bool mesh_is_sound(const tni_shared *shared) {
    const tni_mesh *mesh = (const tni_mesh *)shared;
    return tni_concave_check_numbers((const float *)mesh->points, 3 * (size_t)mesh->point_count) ==
           TN_RESULT_OK;
}

static const tni_shared_format mesh_format = {TNI_SAVED_MESH, TNI_MESH_VERSION, tni_mesh_save,
                                              tni_mesh_load, mesh_is_sound};

uint64_t tn_mesh_save(const tn_mesh *mesh, void *out_memory, uint64_t capacity) {
    return tni_shared_save(&mesh_format, mesh, out_memory, capacity);
}

tn_mesh *tn_mesh_load(const void *memory, uint64_t size, tn_alloc_fn alloc, tn_free_fn free,
                      void *memory_user_data, tn_result *out_result) {
    tni_shared_bytes bytes = {memory, size, alloc, free, memory_user_data};
    return (tn_mesh *)(void *)tni_shared_load(&mesh_format, &bytes, out_result);
}

uint32_t tn_mesh_get_triangle_count(const tn_mesh *mesh) {
    return mesh ? mesh_get(mesh)->triangle_count : 0;
}

uint32_t tn_mesh_get_position_count(const tn_mesh *mesh) {
    return mesh ? mesh_get(mesh)->point_count : 0;
}

void tn_mesh_get_triangle(const tn_mesh *mesh, uint32_t triangle, tn_vec3 *out_corners) {
    bool is_there = mesh && triangle < mesh_get(mesh)->triangle_count;
    vec3s corners[3];
    if (is_there) {
        mesh_get_corners(mesh_get(mesh), triangle, corners);
    }
    concave_give_corners(is_there ? corners : NULL, out_corners);
}

tn_bounds tn_mesh_get_bounds(const tn_mesh *mesh) {
    return concave_get_bounds((const tni_concave *)(const void *)mesh);
}

uint64_t tn_mesh_get_byte_count(const tn_mesh *mesh) {
    return shared_get_bytes((const tni_shared *)(const void *)mesh);
}

float tn_mesh_get_volume(const tn_mesh *mesh) {
    return mesh ? (float)mesh_get(mesh)->base.mass.volume : 0.0f;
}

// ---- shapes -----------------------------------------------------------------------------------

tn_shape_id tn_mesh_shape_create(tn_world *world, tn_body_id body, const tn_shape_def *def,
                                 tn_mesh *mesh, const tn_material *materials, uint32_t count) {
    tni_concave_source source = {TNI_GEOMETRY_MESH, (tni_concave *)(void *)mesh, materials, count};
    return tni_concave_shape_create(world, body, def, &source, __func__);
}

tn_mesh *tn_mesh_shape_get_mesh(const tn_world *world, tn_shape_id id) {
    const tni_geometry *geometry = tni_shape_find_geometry(world, id, TNI_GEOMETRY_MESH, __func__);
    return geometry ? (tn_mesh *)(void *)geometry->concave : NULL;
}
