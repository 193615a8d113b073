// collision/concave/box_tree_saved.c: a tree of boxes as bytes: the order of its items, and the
// quads without their boxes, which those of the items give.
//
// The bytes may be anything: only a tree passes, over items each of which it has once, and no
// deeper than the stack of a search. Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/box_tree.h"

// Visits the quads. Returns whether each has one to four children.
static bool tree_visit_quads(tni_stream *s, const tni_box_tree *tree) {
    bool is_right = true;
    for (uint32_t q = 0; q < tree->quad_count && is_right; ++q) {
        tni_quad *quad = &tree->quads[q];
        uint8_t count = (uint8_t)quad->count;
        stream_u8(s, &count);
        is_right = count >= 1 && count <= 4;
        stream_u32s(s, quad->child, is_right ? count : 0);
        if (s->mode == TNI_STREAM_LOADS) {
            quad->count = count;
        }
    }
    return is_right;
}

void tni_box_tree_save(tni_stream *stream, const tni_box_tree *tree) {
    uint32_t quad_count = tree->quad_count;
    stream_u32(stream, &quad_count);
    stream_u32s(stream, tree->order, tree->count);
    tree_visit_quads(stream, tree);
}

// A child, the quad that has it, and its level.
typedef struct tree_place {
    uint32_t child, parent, level;
} tree_place;

// Goes through the leaves from left to right, which hold the list piece by piece: then no quad is
// the child of two, and there is an end.
static bool tree_is_sound(const tni_box_tree *tree) {
    tree_place stack[TNI_BOX_TREE_STACK];
    uint32_t waiting = 0, placed = 0, visited = 0;
    stack[waiting++] = (tree_place){0, 0, 1};
    while (waiting > 0) {
        tree_place at = stack[--waiting];
        if ((at.child & TNI_BOX_TREE_IS_LEAF) != 0) {
            uint32_t first, count = box_tree_get_leaf(at.child, &first);
            if (first != placed || count > tree->count - placed) {
                return false;
            }
            placed += count;
            continue;
        }
        bool is_behind = visited == 0 || (at.child > at.parent && at.child < tree->quad_count);
        if (!is_behind || at.level > TNI_BOX_TREE_LEVELS) {
            return false;
        }
        const tni_quad *quad = &tree->quads[at.child];
        visited += 1;
        for (uint32_t i = quad->count; i-- > 0;) {
            stack[waiting++] = (tree_place){quad->child[i], at.child, at.level + 1};
        }
    }
    return placed == tree->count && visited == tree->quad_count;
}

static bool tree_has_each_once(const tni_box_tree *tree, uint8_t *seen, uint32_t item_end) {
    bool are_distinct = true;
    for (uint32_t i = 0; i < tree->count && are_distinct; ++i) {
        uint32_t item = tree->order[i];
        are_distinct = item < item_end && seen[item] == 0;
        if (are_distinct) {
            seen[item] = 1;
        }
    }
    return are_distinct;
}

tn_result tni_box_tree_load(tni_stream *stream, tni_box_tree *tree, tni_allocator *allocator,
                            uint32_t item_end) {
    uint32_t quad_count = 0;
    stream_u32(stream, &quad_count);
    stream_u32s(stream, tree->order, tree->count);
    if (!tni_stream_expect(stream, tni_stream_has(stream, quad_count, 5) && quad_count > 0)) {
        return TN_RESULT_OK;
    }
    uint8_t *seen = tni_alloc_zeroed(allocator, item_end);
    tree->quads = tni_alloc_zeroed(allocator, quad_count * sizeof *tree->quads);
    tree->quad_count = tree->quads != NULL ? quad_count : 0;
    if (seen != NULL && tree->quads != NULL) {
        tni_stream_expect(stream, tree_visit_quads(stream, tree) && tree_is_sound(tree) &&
                                      tree_has_each_once(tree, seen, item_end));
    }
    bool has_memory = seen != NULL && tree->quads != NULL;
    tni_free(allocator, seen, item_end);
    return has_memory ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY;
}
