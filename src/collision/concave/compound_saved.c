// collision/concave/compound_saved.c: a compound as bytes: its children, of hulls the corners and
// the faces, and its tree. Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/compound.h"

#include "collision/hull.h"

// A child takes at least so many bytes: its type, material, pose and one length.
#define COMPOUND_LEAST 35u

// ---- writing ----------------------------------------------------------------------------------

static void compound_save_hull(tni_saver *saver, const tni_hull *hull) {
    tni_save_u8(saver, (uint8_t)hull->vertex_count);
    tni_save_u16(saver, (uint16_t)hull->face_count);
    tni_save_f32s(saver, (const float *)hull->vertices, 3 * (size_t)hull->vertex_count);
    for (uint32_t f = 0; f < hull->face_count; ++f) {
        uint16_t first = hull->face_edges[f], edge = first;
        uint8_t count = 0;
        do {
            count += 1;
            edge = hull->half_edges[edge].next;
        } while (edge != first);
        tni_save_u8(saver, count);
        do {
            tni_save_u8(saver, (uint8_t)hull->half_edges[edge].origin);
            edge = hull->half_edges[edge].next;
        } while (edge != first);
    }
}

static void compound_save_child(tni_saver *saver, const tni_geometry *child) {
    const float capsule[2] = {child->capsule.half_length, child->capsule.radius};
    tni_save_u8(saver, (uint8_t)child->type);
    tni_save_f32s(saver, child->position.raw, 3);
    tni_save_f32s(saver, child->rotation.raw, 4);
    switch (child->type) {
    case TNI_GEOMETRY_SPHERE:
        tni_save_f32s(saver, &child->sphere.radius, 1);
        break;
    case TNI_GEOMETRY_CAPSULE:
        tni_save_f32s(saver, capsule, 2);
        break;
    case TNI_GEOMETRY_BOX:
        tni_save_f32s(saver, child->box.half_extents.raw, 3);
        break;
    default:
        compound_save_hull(saver, child->hull.hull);
        break;
    }
}

void tni_compound_save(tni_saver *saver, const void *object) {
    const tni_compound *compound = object;
    tni_save_u32(saver, compound->base.child_count);
    for (uint32_t i = 0; i < compound->base.child_count; ++i) {
        tni_save_u16(saver, compound->materials[i]);
        compound_save_child(saver, &compound->children[i]);
    }
    tni_box_tree_save(saver, &compound->tree);
}

// ---- reading ----------------------------------------------------------------------------------

// Reads the faces. Returns whether they may be those of a hull.
static bool compound_read_faces(tni_loader *loader, tni_hull_faces *faces, uint32_t *corners,
                                uint32_t *counts) {
    uint32_t used = 0, most = 6 * faces->vertex_count - 12;
    for (uint32_t f = 0; f < faces->face_count; ++f) {
        counts[f] = tni_load_u8(loader);
        if (!tni_loader_expect(loader, counts[f] >= 3 && counts[f] <= most - used)) {
            return false;
        }
        for (uint32_t i = 0; i < counts[f]; ++i) {
            corners[used] = tni_load_u8(loader);
            tni_loader_expect(loader, corners[used] < faces->vertex_count);
            used += 1;
        }
    }
    faces->corners = corners;
    faces->corner_counts = counts;
    return !loader->is_damaged;
}

static tn_result compound_load_hull(tni_loader *loader, tni_allocator *allocator,
                                    const tni_hull **out_hull) {
    vec3s vertices[TNI_HULL_MAX_VERTICES];
    uint32_t corners[TNI_HULL_MAX_CORNERS], counts[TNI_HULL_MAX_CORNERS / 3];
    tni_hull_faces faces = {.vertices = vertices, .vertex_count = tni_load_u8(loader)};
    faces.face_count = tni_load_u16(loader);
    bool is_right = faces.vertex_count >= 4 && faces.face_count >= 4 &&
                    faces.face_count <= 2 * faces.vertex_count - 4;
    if (!tni_loader_expect(loader, is_right)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    tni_load_f32s(loader, (float *)vertices, 3 * (size_t)faces.vertex_count);
    if (!compound_read_faces(loader, &faces, corners, counts)) {
        return TN_RESULT_DAMAGED_DATA;
    }
    tni_hull *hull = NULL;
    tn_result result = tni_hull_from_faces(allocator, &faces, &hull);
    *out_hull = hull;
    return result == TN_RESULT_DEGENERATE_HULL ? TN_RESULT_DAMAGED_DATA : result;
}

static tn_result compound_load_child(tni_loader *loader, tni_allocator *allocator,
                                     tni_geometry *child) {
    uint8_t type = tni_load_u8(loader);
    float capsule[2] = {0.0f, 0.0f};
    tni_load_f32s(loader, child->position.raw, 3);
    tni_load_f32s(loader, child->rotation.raw, 4);
    switch (type) {
    case TNI_GEOMETRY_SPHERE:
        tni_load_f32s(loader, &child->sphere.radius, 1);
        break;
    case TNI_GEOMETRY_CAPSULE:
        tni_load_f32s(loader, capsule, 2);
        child->capsule.half_length = capsule[0];
        child->capsule.radius = capsule[1];
        break;
    case TNI_GEOMETRY_BOX:
        tni_load_f32s(loader, child->box.half_extents.raw, 3);
        break;
    case TNI_GEOMETRY_HULL:
        break;
    default:
        return TN_RESULT_DAMAGED_DATA;
    }
    child->type = (tni_geometry_type)type;
    return type == TNI_GEOMETRY_HULL ? compound_load_hull(loader, allocator, &child->hull.hull)
                                     : TN_RESULT_OK;
}

static tn_result compound_load_children(tni_loader *loader, tni_compound *compound) {
    tni_allocator *allocator = &compound->base.allocator;
    for (uint32_t i = 0; i < compound->base.child_count; ++i) {
        compound->materials[i] = tni_load_u16(loader);
        tn_result result = compound_load_child(loader, allocator, &compound->children[i]);
        if (result != TN_RESULT_OK) {
            return result;
        }
    }
    compound->tree.count = compound->base.child_count;
    tn_result result =
        tni_box_tree_load(loader, &compound->tree, allocator, compound->base.child_count);
    bool is_done = result != TN_RESULT_OK || tni_loader_is_done(loader);
    return is_done ? result : TN_RESULT_DAMAGED_DATA;
}

tni_concave *tni_compound_load(tni_loader *loader, const tni_allocator *allocator,
                               tn_result *out_result) {
    uint32_t count = tni_load_u32(loader);
    bool is_right =
        count > 0 && count <= TNI_COMPOUND_MOST && tni_loader_has(loader, count, COMPOUND_LEAST);
    *out_result = TN_RESULT_DAMAGED_DATA;
    if (!tni_loader_expect(loader, is_right)) {
        return NULL;
    }
    tni_compound *compound = tni_compound_allocate(allocator, count);
    *out_result =
        compound != NULL ? compound_load_children(loader, compound) : TN_RESULT_OUT_OF_MEMORY;
    if (*out_result != TN_RESULT_OK) {
        tni_concave_release((tni_concave *)compound);
        return NULL;
    }
    tni_box_tree_fit(&compound->tree, tni_compound_get_box, compound);
    tni_compound_finish(compound);
    return &compound->base;
}
