// collision/tree_quads.c: the boxes of a dynamic tree in quads, for searches that ask many nodes.
//
// The quad of a node holds the boxes of its grandchildren, or of its children where these are
// leaves. A search goes from quad to quad, two levels at a time. The quads are made by the first
// search, in one block of memory; later a change of the tree only lists the nodes whose quads are
// out of date, and the next search makes these anew. So a world that is never asked has none, and
// one that is asked after each step pays for what moved. A copy of the whole tree for searches was
// not chosen: it would be made anew after each change, even for one ray. Test:
// tests/collision/test_tree.c
#include "collision/tree.h"

// Returns the number of quads for which there is room: as many as nodes that are no leaves.
static size_t quads_count_room(const tni_tree *tree) {
    return tree->capacity / 2 + 1;
}

void tni_tree_free_quads(tni_tree *tree) {
    tni_free(tree->allocator, tree->quads, quads_count_room(tree) * sizeof *tree->quads);
    tni_free(tree->allocator, tree->marks, tree->capacity * sizeof *tree->marks);
    tree->quads = NULL;
    tree->marks = NULL;
    tni_latch_reopen(tree->renewed);
}

static void quads_give(tni_tree *tree, uint32_t quad) {
    tree->quads[quad].owner = tree->free_quads;
    tree->free_quads = quad;
}

void tni_tree_drop_quad(tni_tree *tree, uint32_t node) {
    if (tree->marks != NULL && tree->marks[node].quad != TNI_NONE) {
        quads_give(tree, tree->marks[node].quad);
        tree->marks[node].quad = TNI_NONE;
    }
}

// ---- making them --------------------------------------------------------------------------------

static bool quads_reserve(tni_tree *tree) {
    size_t room = quads_count_room(tree);
    tree->quads = tni_alloc(tree->allocator, room * sizeof *tree->quads);
    tree->marks = tni_alloc(tree->allocator, tree->capacity * sizeof *tree->marks);
    if (tree->quads == NULL || tree->marks == NULL) {
        tni_tree_free_quads(tree);
        return false;
    }
    tree->free_quads = TNI_NONE;
    for (uint32_t i = (uint32_t)room; i-- > 0;) {
        quads_give(tree, i);
    }
    for (uint32_t i = 0; i < tree->capacity; ++i) {
        tree->marks[i] = (tni_tree_mark){TNI_NONE, TNI_NONE};
    }
    return true;
}

// Gives a quad to a node that is no leaf, and has none.
static void quads_take(tni_tree *tree, uint32_t node) {
    if (tree->nodes[node].is_used && !tree_is_leaf(&tree->nodes[node]) &&
        tree->marks[node].quad == TNI_NONE) {
        uint32_t quad = tree->free_quads;
        tree->free_quads = tree->quads[quad].owner;
        tree->quads[quad].owner = node;
        tree->marks[node].quad = quad;
    }
}

// Lists all nodes, and numbers the quads as a search goes through them.
static void quads_list_all(tni_tree *tree) {
    tree->changed = TNI_TREE_END;
    uint32_t node = tree->root;
    while (node != TNI_NONE) {
        bool is_leaf = tree_is_leaf(&tree->nodes[node]);
        if (!is_leaf) {
            quads_take(tree, node);
            tree->marks[node].next = tree->changed;
            tree->changed = node;
        }
        node = is_leaf ? tni_tree_next_after(tree->nodes, node, tree->root)
                       : tree->nodes[node].child[0];
    }
}

static void quads_add(const tni_tree *tree, tni_quad *quad, uint32_t node) {
    const tni_tree_node *shown = &tree->nodes[node];
    uint32_t child = tree_is_leaf(shown) ? TNI_TREE_LEAF | shown->child[1] : tree->marks[node].quad;
    tni_quad_set(quad, quad->count++, &shown->bounds, child);
}

static void quads_fill(tni_tree *tree, uint32_t node) {
    tni_quad *quad = &tree->quads[tree->marks[node].quad];
    quad->count = 0;
    for (uint32_t k = 0; k < 2; ++k) {
        uint32_t child = tree->nodes[node].child[k];
        if (tree_is_leaf(&tree->nodes[child])) {
            quads_add(tree, quad, child);
        } else {
            quads_add(tree, quad, tree->nodes[child].child[0]);
            quads_add(tree, quad, tree->nodes[child].child[1]);
        }
    }
    for (uint32_t lane = quad->count; lane < 4; ++lane) {
        tni_quad_set(quad, lane, &tree->nodes[node].bounds, TNI_NONE);
    }
}

bool tni_tree_renew_quads(tni_tree *tree) {
    if (tree->marks == NULL) {
        if (tree->capacity == 0) {
            return true;
        }
        if (!quads_reserve(tree)) {
            return false;
        }
        quads_list_all(tree);
    }
    for (uint32_t i = tree->changed; i != TNI_TREE_END; i = tree->marks[i].next) {
        quads_take(tree, i);
    }
    while (tree->changed != TNI_TREE_END) {
        uint32_t node = tree->changed;
        tree->changed = tree->marks[node].next;
        tree->marks[node].next = TNI_NONE;
        if (tree->marks[node].quad != TNI_NONE) {
            quads_fill(tree, node);
        }
    }
    return true;
}

// ---- for tests ----------------------------------------------------------------------------------

// Returns whether one lane shows a node as it is.
static bool quads_shows(const tni_tree *tree, const tni_quad *quad, uint32_t node) {
    tni_quad own = {.count = 0};
    bool is_shown = false;
    quads_add(tree, &own, node);
    for (uint32_t lane = 0; lane < quad->count; ++lane) {
        bool is_same = quad->child[lane] == own.child[0];
        for (int k = 0; k < 6; ++k) {
            is_same = is_same && !(quad->corners[k][lane] < own.corners[k][0]) &&
                      !(quad->corners[k][lane] > own.corners[k][0]);
        }
        is_shown = is_shown || is_same;
    }
    return is_shown;
}

bool tni_tree_has_valid_quads(const tni_tree *tree) {
    if (!tree_has_quads(tree)) {
        return tree->capacity == 0;
    }
    bool is_valid = true;
    for (uint32_t node = 0; node < tree->capacity; ++node) {
        const tni_tree_node *own = &tree->nodes[node];
        if (!own->is_used || tree_is_leaf(own)) {
            continue;
        }
        const tni_quad *quad = &tree->quads[tree->marks[node].quad];
        is_valid = is_valid && quad->owner == node;
        for (uint32_t k = 0; k < 2; ++k) {
            const tni_tree_node *child = &tree->nodes[own->child[k]];
            for (uint32_t i = 0; i < 2; ++i) {
                is_valid =
                    is_valid &&
                    quads_shows(tree, quad, tree_is_leaf(child) ? own->child[k] : child->child[i]);
            }
        }
    }
    return is_valid;
}
