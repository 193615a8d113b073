// collision/concave/mesh.h: a triangle mesh with a tree of boxes over its triangles.
#ifndef TNI_COLLISION_CONCAVE_MESH_H
#define TNI_COLLISION_CONCAVE_MESH_H

#include "collision/concave/box_tree.h"
#include "collision/concave/concave.h"

#define TNI_MESH_MAX_TRIANGLES (1u << 28)
#define TNI_MESH_MAX_POINTS    (1u << 30)
typedef struct tni_mesh {
    tni_concave base;
    vec3s *points;
    uint32_t *indices;   // three for each triangle
    uint16_t *materials; // by triangle, or null
    uint8_t *sides;      // by triangle: TNI_TRIANGLE_ACTIVE and TNI_TRIANGLE_TWO_SIDED
    tni_box_tree tree;   // of the triangles that have an area
    uint32_t point_count, triangle_count;
} tni_mesh;

typedef struct tni_mesh_source {
    const float *points; // x, y, z of each
    const uint32_t *indices;
    const uint16_t *materials; // or null
    uint32_t point_count, triangle_count;
    bool is_two_sided;
    const tni_tasks *tasks;   // or null
    tni_progress_fn progress; // or null
    void *user_data;
} tni_mesh_source;

// Builds a mesh with one user. The source must have been checked. Returns null without memory, or
// when it was cancelled, or when no triangle has an area; *out_result says which: OUT_OF_MEMORY,
// CANCELLED, or DEGENERATE_MESH.
tni_mesh *tni_mesh_build(const tni_allocator *allocator, const tni_mesh_source *source,
                         tn_result *out_result);

// The steps of making one. The first returns null without memory, else a mesh with one user and no
// tree, whose arrays but `sides` are not filled in; the last counts materials and triangles.
tni_mesh *tni_mesh_allocate(const tni_allocator *allocator, uint32_t point_count,
                            uint32_t triangle_count, bool has_materials);
bool tni_mesh_has_area(const tni_mesh *mesh, uint32_t triangle);
tni_bounds tni_mesh_get_box(const void *mesh, uint32_t triangle);
void tni_mesh_finish(tni_mesh *mesh);

// Saves a mesh, and loads one with one user. Returns null after DAMAGED_DATA or OUT_OF_MEMORY
// (mesh_saved.c).
#define TNI_MESH_VERSION 1
void tni_mesh_save(tni_stream *stream, const void *mesh);
tni_shared *tni_mesh_load(tni_stream *stream, const tni_allocator *allocator,
                          tn_result *out_result);

// Marks the edges, and measures what they enclose (mesh_edges.c). Returns false without memory.
bool tni_mesh_mark_edges(tni_mesh *mesh, bool is_two_sided);

static inline void mesh_get_corners(const tni_mesh *mesh, uint32_t triangle, vec3s corners[3]) {
    const uint32_t *index = &mesh->indices[3 * (size_t)triangle];
    for (int i = 0; i < 3; ++i) {
        corners[i] = mesh->points[index[i]];
    }
}

#endif
