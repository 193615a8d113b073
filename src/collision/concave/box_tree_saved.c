// collision/concave/box_tree_saved.c: a tree of boxes as bytes: the order of its items, and the
// quads without their boxes, which those of the items give.
//
// The bytes may be anything: only a tree passes, over items each of which it has once, and no
// deeper than the stack of a search. Test: tests/world/api/test_saved_geometry.c
#include "collision/concave/box_tree.h"

void tni_box_tree_save(tni_saver *saver, const tni_box_tree *tree) {
    tni_save_u32(saver, tree->quad_count);
    tni_save_u32s(saver, tree->order, tree->count);
    for (uint32_t q = 0; q < tree->quad_count; ++q) {
        const tni_quad *quad = &tree->quads[q];
        tni_save_u8(saver, (uint8_t)quad->count);
        for (uint32_t i = 0; i < quad->count; ++i) {
            tni_save_u32(saver, quad->child[i]);
        }
    }
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

// Returns whether each quad has one to four children.
static bool tree_load_quads(tni_loader *loader, tni_box_tree *tree) {
    bool is_right = true;
    for (uint32_t q = 0; q < tree->quad_count && is_right; ++q) {
        tni_quad *quad = &tree->quads[q];
        *quad = (tni_quad){.count = tni_load_u8(loader)};
        is_right = quad->count >= 1 && quad->count <= 4;
        for (uint32_t i = 0; i < quad->count && is_right; ++i) {
            quad->child[i] = tni_load_u32(loader);
        }
    }
    return is_right;
}

tn_result tni_box_tree_load(tni_loader *loader, tni_box_tree *tree, tni_allocator *allocator,
                            uint32_t item_end) {
    uint32_t quad_count = tni_load_u32(loader);
    tni_load_u32s(loader, tree->order, tree->count);
    if (!tni_loader_expect(loader, tni_loader_has(loader, quad_count, 5) && quad_count > 0)) {
        return TN_RESULT_OK;
    }
    uint8_t *seen = tni_alloc_zeroed(allocator, item_end);
    tree->quads = tni_alloc(allocator, quad_count * sizeof *tree->quads);
    tree->quad_count = tree->quads != NULL ? quad_count : 0;
    if (seen != NULL && tree->quads != NULL) {
        tni_loader_expect(loader, tree_load_quads(loader, tree) && tree_is_sound(tree) &&
                                      tree_has_each_once(tree, seen, item_end));
    }
    bool has_memory = seen != NULL && tree->quads != NULL;
    tni_free(allocator, seen, item_end);
    return has_memory ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY;
}
