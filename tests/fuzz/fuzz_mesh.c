// tests/fuzz/fuzz_mesh.c: meshes of any triangles, met by shapes and queries.
#include "fuzz.h"

#include <math.h>
#include <stddef.h>

#define MESH_MOST_TRIANGLES 200

typedef struct mesh_data {
    float positions[3 * FUZZ_MOST_POINTS];
    uint32_t indices[3 * MESH_MOST_TRIANGLES];
    uint16_t materials[MESH_MOST_TRIANGLES];
    tn_mesh_def def;
    uint32_t calls; // of the progress callback
    uint32_t ends;  // it cancels at this one
} mesh_data;

static bool mesh_progress(float fraction, void *user_data) {
    mesh_data *data = user_data;
    data->calls += 1;
    return fraction >= 0.0f && fraction <= 1.0f && data->calls != data->ends;
}

static uint32_t mesh_get_corner(fuzz *f, uint32_t triangle, uint32_t points, uint32_t kind) {
    if (kind == 0) { // a strip
        return triangle < points ? triangle : fuzz_below(f, points);
    }
    bool is_bad = f->is_hostile && fuzz_chance(f, 300);
    return is_bad ? (fuzz_chance(f, 2) ? UINT32_MAX : points) : fuzz_below(f, points);
}

static void mesh_fill(fuzz *f, mesh_data *data) {
    static tn_vec3 points[FUZZ_MOST_POINTS];
    uint32_t point_count = fuzz_cloud(f, points);
    uint32_t triangle_count = 1 + fuzz_below(f, fuzz_chance(f, 4) ? MESH_MOST_TRIANGLES : 20);
    uint32_t kind = fuzz_below(f, 3);
    for (uint32_t i = 0; i < point_count; ++i) {
        data->positions[3 * i] = (float)points[i].x;
        data->positions[3 * i + 1] = (float)points[i].y;
        data->positions[3 * i + 2] = (float)points[i].z;
    }
    for (uint32_t i = 0; i < 3 * triangle_count; ++i) {
        data->indices[i] =
            mesh_get_corner(f, i / 3 + i % 3, point_count > 0 ? point_count : 1, kind);
    }
    for (uint32_t i = 0; i < triangle_count; ++i) {
        data->materials[i] = (uint16_t)fuzz_below(f, 2);
    }
    tn_mesh_def *def = &data->def;
    *def = tn_mesh_def_default();
    def->positions = data->positions;
    def->indices = data->indices;
    def->materials = fuzz_chance(f, 2) ? data->materials : NULL;
    def->position_count = point_count;
    def->triangle_count = triangle_count;
    def->is_two_sided = fuzz_chance(f, 2);
    def->progress = fuzz_chance(f, 4) ? mesh_progress : NULL;
    def->progress_user_data = data;
    data->calls = 0;
    data->ends = fuzz_below(f, 6);
    def->alloc = fuzz_alloc;
    def->free = fuzz_free;
    def->memory_user_data = f;
}

static void mesh_check(fuzz *f, const tn_mesh *mesh) {
    tn_bounds bounds = tn_mesh_get_bounds(mesh);
    fuzz_expect(f, fuzz_is_finite(bounds.lower) && fuzz_is_finite(bounds.upper),
                "a mesh has no bounds");
    float volume = tn_mesh_get_volume(mesh);
    fuzz_expect(f, volume >= 0.0f, "a mesh has a negative volume");
}

static void mesh_use(fuzz *f, tn_mesh *mesh) {
    tn_world *world = fuzz_world(f);
    tn_shape_def def = tn_shape_def_default();
    const tn_material materials[2] = {def.material, def.material};
    for (uint32_t i = 0; i < 2; ++i) {
        tn_body_type type = (tn_body_type)fuzz_below(f, 3);
        tn_mesh_shape_create(world, fuzz_body(f, world, type), &def, mesh, materials, 2);
        tn_mesh_release(i == 1 ? mesh : NULL);
    }
    for (uint32_t i = 0; i < 3; ++i) {
        fuzz_shape(f, world, fuzz_body(f, world, TN_BODY_TYPE_DYNAMIC));
    }
    fuzz_ask(f, world);
    fuzz_step(f, world, 6);
    fuzz_ask(f, world);
    tn_world_destroy(world);
}

void fuzz_mesh(fuzz *f) {
    static mesh_data data;
    mesh_fill(f, &data);
    tn_result result = TN_RESULT_COUNT;
    tn_mesh *mesh = tn_mesh_create(&data.def, &result);
    fuzz_expect(f, (mesh != NULL) == (result == TN_RESULT_OK), "a mesh has another result");
    if (mesh != NULL) {
        mesh_check(f, mesh);
        mesh_use(f, mesh);
    }
}
