// collision/hull_saved.c: a hull as bytes: its corners and its faces, from which the same hull is
// made. Test: tests/world/api/test_saved_geometry.c
#include "collision/hull.h"

// ---- writing ----------------------------------------------------------------------------------

static uint32_t saved_count_corners(const tni_hull *hull, uint32_t face) {
    uint16_t first = hull->face_edges[face], edge = first;
    uint32_t count = 0;
    do {
        count += 1;
        edge = hull->half_edges[edge].next;
    } while (edge != first);
    return count;
}

// Writes the number of a face's corners, and the corners from the origin of its first edge on.
static void saved_write_face(tni_stream *s, const tni_hull *hull, uint32_t face) {
    uint8_t count = (uint8_t)saved_count_corners(hull, face);
    stream_u8(s, &count);
    uint16_t edge = hull->face_edges[face];
    for (uint32_t i = 0; i < count; ++i) {
        uint8_t origin = (uint8_t)hull->half_edges[edge].origin;
        stream_u8(s, &origin);
        edge = hull->half_edges[edge].next;
    }
}

void tni_hull_save(tni_stream *stream, const tni_hull *hull) {
    uint8_t vertex_count = (uint8_t)hull->vertex_count;
    uint16_t face_count = (uint16_t)hull->face_count;
    stream_u8(stream, &vertex_count);
    stream_u16(stream, &face_count);
    stream_f32s(stream, (float *)hull->vertices, 3 * (size_t)vertex_count);
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        saved_write_face(stream, hull, f);
    }
}

// ---- reading ----------------------------------------------------------------------------------

static bool saved_read_faces(tni_stream *s, tni_hull_saved *saved) {
    tni_hull_faces *faces = &saved->faces;
    uint32_t used = 0, most = 6 * faces->vertex_count - 12;
    for (uint32_t f = 0; f < faces->face_count; ++f) {
        uint8_t count = 0;
        stream_u8(s, &count);
        saved->corner_counts[f] = count;
        if (!tni_stream_expect(s, count >= 3 && count <= most - used)) {
            return false;
        }
        for (uint32_t i = 0; i < count; ++i) {
            uint8_t corner = 0;
            stream_u8(s, &corner);
            tni_stream_expect(s, corner < faces->vertex_count);
            saved->corners[used] = corner;
            used += 1;
        }
    }
    return !s->is_damaged;
}

bool tni_hull_read(tni_stream *stream, tni_hull_saved *out_saved) {
    uint8_t vertex_count = 0;
    uint16_t face_count = 0;
    stream_u8(stream, &vertex_count);
    stream_u16(stream, &face_count);
    out_saved->faces = (tni_hull_faces){.vertices = out_saved->vertices,
                                        .corners = out_saved->corners,
                                        .corner_counts = out_saved->corner_counts,
                                        .vertex_count = vertex_count,
                                        .face_count = face_count};
    bool is_right = vertex_count >= 4 && face_count >= 4 && face_count <= 2 * vertex_count - 4;
    if (!tni_stream_expect(stream, is_right)) {
        return false;
    }
    stream_f32s(stream, (float *)out_saved->vertices, 3 * (size_t)vertex_count);
    for (uint32_t i = 0; i < vertex_count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            float place = out_saved->vertices[i].raw[axis];
            tni_stream_expect(stream, fabsf(place) <= TNI_GEOMETRY_FARTHEST);
        }
    }
    return saved_read_faces(stream, out_saved);
}

tn_result tni_hull_load(tni_stream *stream, tni_allocator *allocator, tni_hull **out_hull) {
    tni_hull_saved saved;
    if (!tni_hull_read(stream, &saved)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    tn_result result = tni_hull_from_faces(allocator, &saved.faces, out_hull);
    return result == TN_RESULT_DEGENERATE_HULL ? TN_RESULT_DAMAGED_DATA : result;
}

// ---- comparing --------------------------------------------------------------------------------

bool tni_hull_has_faces(const tni_hull *hull, const tni_hull_faces *faces) {
    if (hull->vertex_count != faces->vertex_count || hull->face_count != faces->face_count ||
        memcmp(hull->vertices, faces->vertices, hull->vertex_count * sizeof(vec3s)) != 0) {
        return false;
    }
    const uint32_t *corner = faces->corners;
    bool is_same = true;
    for (uint32_t f = 0; f < hull->face_count && is_same; ++f) {
        uint16_t edge = hull->face_edges[f];
        is_same = saved_count_corners(hull, f) == faces->corner_counts[f];
        for (uint32_t i = 0; i < faces->corner_counts[f]; ++i, ++corner) {
            is_same = is_same && hull->half_edges[edge].origin == *corner;
            edge = hull->half_edges[edge].next;
        }
    }
    return is_same;
}

bool tni_hull_is_same(const tni_hull *a, const tni_hull *b) {
    return a == b ||
           (a->vertex_count == b->vertex_count && a->face_count == b->face_count &&
            a->half_edge_count == b->half_edge_count &&
            memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
            memcmp(a->half_edges, b->half_edges, a->half_edge_count * sizeof *a->half_edges) == 0 &&
            memcmp(a->face_edges, b->face_edges, a->face_count * sizeof *a->face_edges) == 0);
}
