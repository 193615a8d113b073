// collision/concave/compound_saved.c: a compound as bytes: its children, of hulls the corners and
// the faces, and its tree. Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/compound.h"

#include "collision/hull.h"

// A child takes at least so many bytes: its type, material, pose and one length.
#define COMPOUND_LEAST 35u

// Visits a child of this type, but for its material and what a hull has.
static void compound_visit_child(tni_stream *s, uint8_t *type, tni_geometry *child) {
    stream_u8(s, type);
    stream_vec3(s, &child->position);
    stream_versors(s, &child->rotation);
    switch (*type) {
    case TNI_GEOMETRY_SPHERE:
        stream_f32(s, &child->sphere.radius);
        break;
    case TNI_GEOMETRY_CAPSULE:
        stream_f32(s, &child->capsule.half_length);
        stream_f32(s, &child->capsule.radius);
        break;
    case TNI_GEOMETRY_BOX:
        stream_vec3(s, &child->box.half_extents);
        break;
    default:
        break;
    }
}

// ---- writing ----------------------------------------------------------------------------------

// Writes the number of a face's corners, and the corners from the origin of its first edge on.
static void compound_save_face(tni_stream *s, const tni_hull *hull, uint32_t face) {
    uint16_t first = hull->face_edges[face], edge = first;
    uint8_t count = 0;
    do {
        count += 1;
        edge = hull->half_edges[edge].next;
    } while (edge != first);
    stream_u8(s, &count);
    do {
        uint8_t origin = (uint8_t)hull->half_edges[edge].origin;
        stream_u8(s, &origin);
        edge = hull->half_edges[edge].next;
    } while (edge != first);
}

static void compound_save_hull(tni_stream *s, const tni_hull *hull) {
    uint8_t vertex_count = (uint8_t)hull->vertex_count;
    uint16_t face_count = (uint16_t)hull->face_count;
    stream_u8(s, &vertex_count);
    stream_u16(s, &face_count);
    stream_f32s(s, (float *)hull->vertices, 3 * (size_t)vertex_count);
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        compound_save_face(s, hull, f);
    }
}

void tni_compound_save(tni_stream *stream, const void *object) {
    const tni_compound *compound = object;
    uint32_t count = compound->base.child_count;
    stream_u32(stream, &count);
    for (uint32_t i = 0; i < count; ++i) {
        tni_geometry *child = &compound->children[i];
        uint8_t type = (uint8_t)child->type;
        stream_u16(stream, &compound->materials[i]);
        compound_visit_child(stream, &type, child);
        if (child->type == TNI_GEOMETRY_HULL) {
            compound_save_hull(stream, child->hull.hull);
        }
    }
    tni_box_tree_save(stream, &compound->tree);
}

// ---- reading ----------------------------------------------------------------------------------

// Reads the faces. Returns whether they may be those of a hull.
static bool compound_read_faces(tni_stream *s, tni_hull_faces *faces, uint32_t *corners,
                                uint32_t *counts) {
    uint32_t used = 0, most = 6 * faces->vertex_count - 12;
    for (uint32_t f = 0; f < faces->face_count; ++f) {
        uint8_t count = 0;
        stream_u8(s, &count);
        counts[f] = count;
        if (!tni_stream_expect(s, counts[f] >= 3 && counts[f] <= most - used)) {
            return false;
        }
        for (uint32_t i = 0; i < counts[f]; ++i) {
            uint8_t corner = 0;
            stream_u8(s, &corner);
            tni_stream_expect(s, corner < faces->vertex_count);
            corners[used] = corner;
            used += 1;
        }
    }
    faces->corners = corners;
    faces->corner_counts = counts;
    return !s->is_damaged;
}

static tn_result compound_load_hull(tni_stream *s, tni_allocator *allocator,
                                    const tni_hull **out_hull) {
    vec3s vertices[TNI_HULL_MAX_VERTICES];
    uint32_t corners[TNI_HULL_MAX_CORNERS], counts[TNI_HULL_MAX_CORNERS / 3];
    uint8_t vertex_count = 0;
    uint16_t face_count = 0;
    stream_u8(s, &vertex_count);
    stream_u16(s, &face_count);
    tni_hull_faces faces = {
        .vertices = vertices, .vertex_count = vertex_count, .face_count = face_count};
    bool is_right = faces.vertex_count >= 4 && faces.face_count >= 4 &&
                    faces.face_count <= 2 * faces.vertex_count - 4;
    if (!tni_stream_expect(s, is_right)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    stream_f32s(s, (float *)vertices, 3 * (size_t)faces.vertex_count);
    if (!compound_read_faces(s, &faces, corners, counts)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    tni_hull *hull = NULL;
    tn_result result = tni_hull_from_faces(allocator, &faces, &hull);
    *out_hull = hull;
    return result == TN_RESULT_DEGENERATE_HULL ? TN_RESULT_DAMAGED_DATA : result;
}

static tn_result compound_load_child(tni_stream *s, tni_allocator *allocator, tni_geometry *child) {
    uint8_t type = 0;
    compound_visit_child(s, &type, child);
    bool is_convex = type == TNI_GEOMETRY_SPHERE || type == TNI_GEOMETRY_CAPSULE ||
                     type == TNI_GEOMETRY_BOX || type == TNI_GEOMETRY_HULL;
    if (!is_convex) {
        return TN_RESULT_DAMAGED_DATA;
    }
    child->type = (tni_geometry_type)type;
    return type == TNI_GEOMETRY_HULL ? compound_load_hull(s, allocator, &child->hull.hull)
                                     : TN_RESULT_OK;
}

static tn_result compound_load_children(tni_stream *s, tni_compound *compound) {
    tni_allocator *allocator = &compound->base.allocator;
    for (uint32_t i = 0; i < compound->base.child_count; ++i) {
        stream_u16(s, &compound->materials[i]);
        tn_result result = compound_load_child(s, allocator, &compound->children[i]);
        if (result != TN_RESULT_OK) {
            return result;
        }
    }
    compound->tree.count = compound->base.child_count;
    tn_result result = tni_box_tree_load(s, &compound->tree, allocator, compound->base.child_count);
    bool is_done = result != TN_RESULT_OK || tni_stream_is_done(s);
    return is_done ? result : TN_RESULT_DAMAGED_DATA;
}

tni_concave *tni_compound_load(tni_stream *stream, const tni_allocator *allocator,
                               tn_result *out_result) {
    uint32_t count = 0;
    stream_u32(stream, &count);
    bool is_right =
        count > 0 && count <= TNI_COMPOUND_MOST && tni_stream_has(stream, count, COMPOUND_LEAST);
    *out_result = TN_RESULT_DAMAGED_DATA;
    if (!tni_stream_expect(stream, is_right)) {
        return NULL;
    }
    tni_compound *compound = tni_compound_allocate(allocator, count);
    *out_result =
        compound != NULL ? compound_load_children(stream, compound) : TN_RESULT_OUT_OF_MEMORY;
    if (*out_result != TN_RESULT_OK) {
        tni_concave_release((tni_concave *)compound);
        return NULL;
    }
    tni_box_tree_fit(&compound->tree, tni_compound_get_box, compound);
    tni_compound_finish(compound);
    return &compound->base;
}
