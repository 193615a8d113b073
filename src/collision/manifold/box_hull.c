// collision/manifold/box_hull.c: a box as a hull, without any allocation, for code that treats both
// alike.
//
// Corner bits: 1 for +x, 2 for +y, 4 for +z. Face 2 k looks along minus axis k, face 2 k + 1 along
// plus. Edge 4 k + i runs along axis k; i has bit 1 where the edge lies on the plus side of axis
// k + 1 and bit 2 on the plus side of axis k + 2 (counted round). Half edge 2 e runs toward plus.
// The numbers of corners and edges are those of the box-box test, so that features agree.
// Test: tests/collision/test_hull.c
#include "collision/hull.h"

#include <string.h>

// Each has next, origin, face.
static const tni_half_edge box_hull_half_edges[24] = {
    {18, 0, 2}, {8, 1, 4},  {13, 2, 4}, {20, 3, 3}, {14, 4, 5}, {17, 5, 2}, {23, 6, 3}, {11, 7, 5},
    {2, 0, 4},  {16, 2, 0}, {21, 4, 0}, {4, 6, 5},  {22, 1, 1}, {1, 3, 4},  {7, 5, 5},  {19, 7, 1},
    {10, 0, 0}, {0, 4, 2},  {5, 1, 2},  {12, 5, 1}, {6, 2, 3},  {9, 6, 0},  {15, 3, 1}, {3, 7, 3},
};

static const uint16_t box_hull_face_edges[6] = {16, 12, 0, 20, 8, 4};

static const uint16_t box_hull_vertex_edges[8] = {16, 12, 9, 22, 10, 19, 21, 15};

static float box_hull_min(vec3s v) {
    return maths_min(v.x, maths_min(v.y, v.z));
}

void tni_box_hull_set(tni_box_hull *storage, vec3s half_extents) {
    tni_hull *hull = &storage->hull;
    vec3s h = half_extents;
    memcpy(storage->half_edges, box_hull_half_edges, sizeof storage->half_edges);
    memcpy(storage->face_edges, box_hull_face_edges, sizeof storage->face_edges);
    memcpy(storage->vertex_edges, box_hull_vertex_edges, sizeof storage->vertex_edges);
    for (uint32_t v = 0; v < 8; ++v) {
        storage->vertices[v] = maths_vec3((v & 1) != 0 ? h.x : -h.x, (v & 2) != 0 ? h.y : -h.y,
                                          (v & 4) != 0 ? h.z : -h.z);
        for (uint32_t k = 0; k < 3; ++k) {
            storage->lanes[k][v] = storage->vertices[v].raw[k];
        }
    }
    for (uint32_t k = 0; k < 3; ++k) {
        vec3s axis = maths_vec3(k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f);
        for (uint32_t i = 0; i < 4; ++i) {
            storage->edge_directions[4 * k + i] = axis;
        }
        storage->planes[2 * k].normal = glms_vec3_negate(axis);
        storage->planes[2 * k].offset = h.raw[k];
        storage->planes[2 * k + 1].normal = axis;
        storage->planes[2 * k + 1].offset = h.raw[k];
    }
    memset(hull, 0, sizeof *hull);
    hull->vertex_count = 8;
    hull->half_edge_count = 24;
    hull->face_count = 6;
    hull->vertices = storage->vertices;
    hull->lane_count = 8;
    hull->lanes = storage->lanes[0];
    hull->edge_directions = storage->edge_directions;
    hull->half_edges = storage->half_edges;
    hull->face_edges = storage->face_edges;
    hull->vertex_edges = storage->vertex_edges;
    hull->planes = storage->planes;
    hull->lower = glms_vec3_negate(h);
    hull->upper = h;
    hull->inner_radius = hull->ball_radius = box_hull_min(h);
    hull->volume = 8.0f * h.x * h.y * h.z;
    double xx = (double)h.x * (double)h.x / 3.0, yy = (double)h.y * (double)h.y / 3.0;
    double zz = (double)h.z * (double)h.z / 3.0;
    hull->unit_inertia.m[0][0] = yy + zz;
    hull->unit_inertia.m[1][1] = xx + zz;
    hull->unit_inertia.m[2][2] = xx + yy;
    hull->byte_size = sizeof *storage;
}
