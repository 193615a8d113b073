// collision/tree_saved.c: a dynamic tree as bytes: its nodes in a depth-first walk, each a box and
// a value, TNI_NONE for an inner node.
//
// The structure of a tree follows from its history, and what a search visits first follows from the
// structure: so it is saved. The numbers of the nodes do not matter.
// Test: tests/collision/test_tree.c
#include "collision/tree.h"

typedef struct saved_node {
    uint32_t value;
    tni_bounds bounds;
} saved_node;

TNI_KERNEL void saved_visit_node(tni_stream *s, void *record) {
    saved_node *node = record;
    stream_u32(s, &node->value);
    stream_vec3(s, &node->bounds.lower);
    stream_vec3(s, &node->bounds.upper);
}

void tni_tree_save(const tni_tree *tree, tni_stream *stream) {
    uint32_t count = tree->leaf_count;
    stream_u32(stream, &count);
    for (uint32_t i = tree->root; i != TNI_NONE;) {
        const tni_tree_node *node = &tree->nodes[i];
        bool is_leaf = tree_is_leaf(node);
        saved_node saved = {is_leaf ? node->child[1] : TNI_NONE, node->bounds};
        tni_stream_record(stream, &saved, saved_visit_node);
        i = is_leaf ? tni_tree_next_after(tree->nodes, i, tree->root) : node->child[0];
    }
}

bool tni_tree_check_saved(tni_tree *tree, tni_stream *stream, tni_tree_visit_fn is_sound,
                          void *context) {
    uint32_t leaf_count = 0, leaves = 0, open = 0;
    stream_u32(stream, &leaf_count);
    if (!tni_stream_expect(stream, tni_stream_has(stream, leaf_count, 28))) {
        return true;
    }
    open = leaf_count > 0 ? 1 : 0; // subtrees that are still to come
    while (open > 0 && !stream->is_damaged) {
        saved_node node = {.value = 0};
        tni_stream_record(stream, &node, saved_visit_node);
        bool is_leaf = node.value != TNI_NONE;
        open += is_leaf ? UINT32_MAX : 1;
        leaves += is_leaf ? 1 : 0;
        tni_stream_expect(stream, leaves + open <= leaf_count &&
                                      (!is_leaf || is_sound(node.value, context)));
    }
    tni_stream_expect(stream, leaves == leaf_count);
    return stream->is_damaged || tni_tree_reserve(tree, leaf_count);
}

// Takes all nodes out, and strings them into the free list in their order.
static void saved_empty(tni_tree *tree) {
    tni_tree_free_quads(tree);
    tni_latch_reopen(tree->renewed);
    tree->root = tree->free_list = TNI_NONE;
    tree->leaf_count = 0;
    for (uint32_t i = tree->capacity; i-- > 0;) {
        tree->nodes[i].is_used = 0;
        tree->nodes[i].parent = tree->free_list;
        tree->free_list = i;
    }
}

void tni_tree_load(tni_tree *tree, tni_stream *stream,
                   void (*place)(uint32_t value, uint32_t leaf, void *context), void *context) {
    uint32_t leaf_count = 0;
    stream_u32(stream, &leaf_count);
    saved_empty(tree);
    tree->leaf_count = leaf_count;
    uint32_t parent = TNI_NONE, side = 0;
    for (uint32_t n = 0; leaf_count > 0 && n < 2 * leaf_count - 1; ++n) {
        uint32_t index = tree->free_list;
        saved_node saved = {.value = 0};
        tni_tree_node *node = &tree->nodes[index];
        tree->free_list = node->parent;
        tni_stream_record(stream, &saved, saved_visit_node);
        *node = (tni_tree_node){
            .bounds = saved.bounds, .parent = parent, .child = {TNI_NONE, TNI_NONE}, .is_used = 1};
        if (parent != TNI_NONE) {
            tree->nodes[parent].child[side] = index;
        } else {
            tree->root = index;
        }
        if (saved.value == TNI_NONE) {
            parent = index;
            side = 0;
            continue;
        }
        node->child[1] = saved.value;
        place(saved.value, index, context);
        for (uint32_t at = index; parent != TNI_NONE && tree->nodes[parent].child[1] == at;) {
            at = parent;
            parent = tree->nodes[at].parent;
        }
        side = 1;
    }
}
