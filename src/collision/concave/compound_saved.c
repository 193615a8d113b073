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
            tni_hull_save(stream, child->hull.hull);
        }
    }
    tni_box_tree_save(stream, &compound->tree);
}

// ---- reading ----------------------------------------------------------------------------------

static tn_result compound_load_child(tni_stream *s, tni_allocator *allocator, tni_geometry *child) {
    uint8_t type = 0;
    compound_visit_child(s, &type, child);
    bool is_convex = type == TNI_GEOMETRY_SPHERE || type == TNI_GEOMETRY_CAPSULE ||
                     type == TNI_GEOMETRY_BOX || type == TNI_GEOMETRY_HULL;
    if (!is_convex) {
        return TN_RESULT_DAMAGED_DATA;
    }
    child->type = (tni_geometry_type)type;
    if (type != TNI_GEOMETRY_HULL) {
        return TN_RESULT_OK;
    }
    tni_hull *hull = NULL;
    tn_result result = tni_hull_load(s, allocator, &hull);
    child->hull.hull = hull;
    return result;
}

static tn_result compound_load_children(tni_stream *s, tni_compound *compound) {
    tni_allocator *allocator = &compound->base.shared.allocator;
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

tni_shared *tni_compound_load(tni_stream *stream, const tni_allocator *allocator,
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
        tni_shared_release((tni_shared *)compound);
        return NULL;
    }
    tni_box_tree_fit(&compound->tree, tni_compound_get_box, compound);
    tni_compound_finish(compound);
    return &compound->base.shared;
}
