// collision/box_tree_saved.c: a tree of boxes as bytes: the order of its items, and the nodes
// without their boxes, which those of the items give.
//
// What is loaded may be anything: only a tree passes, over items each of which it has once, and no
// deeper than the stack of a search.
// Test: tests/world/api/test_saved_geometry.c
#include "collision/box_tree.h"

void tni_box_tree_save(tni_saver *saver, const tni_box_tree *tree) {
    tni_save_u32(saver, tree->node_count);
    tni_save_u32s(saver, tree->order, tree->count);
    for (uint32_t i = 0; i < tree->node_count; ++i) {
        tni_save_u32(saver, tree->nodes[i].first);
        tni_save_u8(saver, (uint8_t)tree->nodes[i].count);
    }
}

typedef struct tree_place {
    uint32_t node, depth;
} tree_place;

// Goes through the leaves from left to right, which hold the list piece by piece: then no node is
// the child of two, and there is an end.
static bool tree_is_sound(const tni_box_tree *tree) {
    tree_place stack[TNI_BOX_TREE_STACK];
    uint32_t waiting = 0, placed = 0, visited = 0;
    stack[waiting++] = (tree_place){0, 1};
    while (waiting > 0) {
        tree_place at = stack[--waiting];
        const tni_box_node *node = &tree->nodes[at.node];
        visited += 1;
        if (node->count > 0) {
            if (node->first != placed || node->count > TNI_BOX_TREE_LEAF ||
                node->count > tree->count - placed) {
                return false;
            }
            placed += node->count;
            continue;
        }
        bool is_behind = node->first > at.node && node->first < tree->node_count - 1;
        if (!is_behind || at.depth + 1 >= TNI_BOX_TREE_STACK) {
            return false;
        }
        stack[waiting++] = (tree_place){node->first + 1, at.depth + 1};
        stack[waiting++] = (tree_place){node->first, at.depth + 1};
    }
    return placed == tree->count && visited == tree->node_count;
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

tn_result tni_box_tree_load(tni_loader *loader, tni_box_tree *tree, tni_allocator *allocator,
                            uint32_t item_end) {
    uint32_t node_count = tni_load_u32(loader);
    tni_load_u32s(loader, tree->order, tree->count);
    if (!tni_loader_expect(loader, tni_loader_has(loader, node_count, 5) && node_count > 0)) {
        return TN_RESULT_OK;
    }
    uint8_t *seen = tni_alloc_zeroed(allocator, item_end);
    tree->nodes = tni_alloc(allocator, node_count * sizeof *tree->nodes);
    tree->node_count = tree->nodes != NULL ? node_count : 0;
    if (seen != NULL && tree->nodes != NULL) {
        for (uint32_t i = 0; i < node_count; ++i) {
            uint32_t first = tni_load_u32(loader);
            tree->nodes[i] = (tni_box_node){.first = first, .count = tni_load_u8(loader)};
        }
        tni_loader_expect(loader, tree_is_sound(tree) && tree_has_each_once(tree, seen, item_end));
    }
    bool has_memory = seen != NULL && tree->nodes != NULL;
    tni_free(allocator, seen, item_end);
    return has_memory ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY;
}
