// collision/mesh.h: a triangle mesh with a tree of boxes over its triangles.
#ifndef TNI_COLLISION_MESH_H
#define TNI_COLLISION_MESH_H

#include "collision/concave.h"

#define TNI_MESH_MAX_TRIANGLES (1u << 28)
#define TNI_MESH_MAX_POINTS    (1u << 30)
// A leaf of the tree holds at most this many triangles.
#define TNI_MESH_LEAF 4u

// The children of a node are side by side; a leaf has a count, and its triangles stand in `order`.
typedef struct tni_mesh_node {
    tni_bounds bounds;
    uint32_t first; // child, or place in `order`
    uint32_t count; // of triangles, or 0
} tni_mesh_node;

typedef struct tni_mesh {
    tni_concave base;
    vec3s *points;
    uint32_t *indices;   // three for each triangle
    uint16_t *materials; // by triangle, or null
    uint8_t *sides;      // by triangle: TNI_TRIANGLE_ACTIVE and TNI_TRIANGLE_TWO_SIDED
    uint32_t *order;     // the triangles that have an area, as the leaves hold them
    tni_mesh_node *nodes;
    uint32_t point_count, triangle_count, order_count, node_count;
} tni_mesh;

// Is told how much is done, and returns false to cancel.
typedef bool (*tni_mesh_progress_fn)(float fraction, void *user_data);

typedef struct tni_mesh_source {
    const float *points; // x, y, z of each
    const uint32_t *indices;
    const uint16_t *materials; // or null
    uint32_t point_count, triangle_count;
    bool is_two_sided;
    tni_mesh_progress_fn progress; // or null
    void *user_data;
} tni_mesh_source;

// Builds a mesh with one user. The source must have been checked. Returns null without memory, or
// when it was cancelled, or when no triangle has an area; *out_result says which: OUT_OF_MEMORY,
// CANCELLED, or DEGENERATE_MESH.
tni_mesh *tni_mesh_build(const tni_allocator *allocator, const tni_mesh_source *source,
                         tn_result *out_result);

// These fill parts of a mesh (mesh_tree.c, mesh_edges.c). The first returns OK, OUT_OF_MEMORY or
// CANCELLED, the second false without memory.
tn_result tni_mesh_build_tree(tni_mesh *mesh, const tni_mesh_source *source);
bool tni_mesh_mark_edges(tni_mesh *mesh, bool is_two_sided);

static inline void mesh_get_corners(const tni_mesh *mesh, uint32_t triangle, vec3s corners[3]) {
    const uint32_t *index = &mesh->indices[3 * (size_t)triangle];
    for (int i = 0; i < 3; ++i) {
        corners[i] = mesh->points[index[i]];
    }
}

tni_bounds tni_mesh_get_bounds(const tni_mesh *mesh, uint32_t triangle);
#endif
