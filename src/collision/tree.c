// collision/tree.c: a dynamic bounding-volume tree, kept good by surface area.
//
// The cost of a tree is the summed surface area of its inner boxes: the chance that a query visits
// them (Goldsmith and Salmon, "Automatic Creation of Object Hierarchies for Ray Tracing", 1987).
// A new leaf goes beside the node where that sum grows least, found by walking down and never
// below a node whose cheapest possible place is already worse (branch and bound, greedy in the
// choice of the child). On the way back up every ancestor whose box changes is refitted and, where
// swapping a child with a grandchild makes a smaller inner box, rotated (Kensler, "Tree Rotations
// for Improving Bounding Volume Hierarchies", 2008). A balance by height was not chosen: it spoils
// the boxes where one huge floor lies under many small bodies. The price is that no height is
// promised, so the query walks by parent links where its stack would run out.
//
// A leaf that moves goes out and in again, unless it still fits well beside its sibling: then its
// ancestors are refitted in place, as far up as boxes change.
// Rays and searches for what is near: tree_quads.c, tree_cast.c. Test: tests/collision/test_tree.c
#include "collision/tree.h"

#include <string.h>

#define TREE_START_CAPACITY 64
// A leaf that moves stays beside its sibling while their box has at most this many times the area
// of the larger one: two equal boxes side by side have 1.7.
#define TREE_STAY 1.8f

static tni_bounds_lanes tree_join(const tni_bounds_lanes *a, const tni_bounds_lanes *b) {
    tni_bounds_lanes u = {f4_min(a->lower, b->lower), f4_max(a->upper, b->upper)};
    return u;
}

static tni_bounds tree_union(const tni_bounds *a, const tni_bounds *b) {
    tni_bounds_lanes lanes_a = bounds_load(a), lanes_b = bounds_load(b);
    tni_bounds_lanes u = tree_join(&lanes_a, &lanes_b);
    float lower[4], upper[4];
    f4_store(lower, u.lower);
    f4_store(upper, u.upper);
    tni_bounds bounds = {maths_vec3(lower[0], lower[1], lower[2]),
                         maths_vec3(upper[0], upper[1], upper[2])};
    return bounds;
}

// Returns half the surface.
static float tree_lanes_area(const tni_bounds_lanes *b) {
    tni_f4 size = f4_sub(b->upper, b->lower);
    return f4_dot3(size, f4_yzx(size));
}

static float tree_area(const tni_bounds *b) {
    tni_bounds_lanes lanes = bounds_load(b);
    return tree_lanes_area(&lanes);
}

static float tree_union_area(const tni_bounds *a, const tni_bounds *b) {
    tni_bounds_lanes lanes_a = bounds_load(a), lanes_b = bounds_load(b);
    tni_bounds_lanes u = tree_join(&lanes_a, &lanes_b);
    return tree_lanes_area(&u);
}

void tni_tree_init(tni_tree *tree, tni_allocator *allocator, tni_latch *renewed) {
    memset(tree, 0, sizeof *tree);
    tree->renewed = renewed;
    tree->allocator = allocator;
    tree->free_list = TNI_NONE;
    tree->root = TNI_NONE;
}

void tni_tree_destroy(tni_tree *tree) {
    tni_tree_free_quads(tree);
    tni_free(tree->allocator, tree->nodes, (size_t)tree->capacity * sizeof *tree->nodes);
    tni_tree_init(tree, tree->allocator, tree->renewed);
}

// ---- nodes ---------------------------------------------------------------------------------

// Makes sure that `needed` nodes exist in all and strings the new ones into the free list.
static bool tree_reserve(tni_tree *tree, uint32_t needed) {
    if (needed <= tree->capacity) {
        return true;
    }
    uint32_t first = tree->capacity;
    uint32_t capacity = tree->capacity;
    uint32_t wanted = needed < TREE_START_CAPACITY ? TREE_START_CAPACITY : needed;
    tni_tree_node *nodes =
        tni_array_grow(tree->allocator, tree->nodes, first, &capacity, wanted, sizeof *tree->nodes);
    if (nodes == NULL) {
        return false;
    }
    tni_tree_free_quads(tree); // they have one mark for each node
    tree->nodes = nodes;
    tree->capacity = capacity;
    for (uint32_t i = capacity; i-- > first;) {
        nodes[i].is_used = 0;
        nodes[i].parent = tree->free_list;
        tree->free_list = i;
    }
    return true;
}

bool tni_tree_reserve(tni_tree *tree, uint32_t leaf_count) {
    return leaf_count < TNI_NONE / 4 && (leaf_count == 0 || tree_reserve(tree, 2 * leaf_count));
}

static uint32_t tree_take_node(tni_tree *tree) {
    uint32_t index = tree->free_list;
    TN_ASSERT(index != TNI_NONE);
    tree->free_list = tree->nodes[index].parent;
    tree->nodes[index].is_used = 1;
    return index;
}

static void tree_give_node(tni_tree *tree, uint32_t index) {
    tni_tree_drop_quad(tree, index);
    tree->nodes[index].is_used = 0;
    tree->nodes[index].parent = tree->free_list;
    tree->free_list = index;
}

// ---- shape of the tree ---------------------------------------------------------------------

// Refits a node whose children changed. Returns whether its box did. The quads of the node and of
// its parent show its children.
static bool tree_refit(tni_tree *tree, uint32_t index) {
    tni_tree_node *node = &tree->nodes[index];
    tni_bounds old = node->bounds;
    tree_mark(tree, index);
    tree_mark(tree, node->parent);
    node->bounds =
        tree_union(&tree->nodes[node->child[0]].bounds, &tree->nodes[node->child[1]].bounds);
    return !(tni_bounds_contain(&old, &node->bounds) && tni_bounds_contain(&node->bounds, &old));
}

// Swaps child `side` of the node with a grandchild on the other side if that shrinks the other
// child's box: the best of up to four swaps. The node's own box stays. Returns whether it swapped.
static bool tree_rotate(tni_tree *tree, uint32_t index) {
    tni_tree_node *nodes = tree->nodes;
    tni_tree_node *node = &nodes[index];
    float best_gain = 0.0f;
    uint32_t best_side = 0, best_grandchild = TNI_NONE;
    for (uint32_t side = 0; side < 2; ++side) {
        const tni_tree_node *lone = &nodes[node->child[side]];
        const tni_tree_node *other = &nodes[node->child[1 - side]];
        if (tree_is_leaf(other)) {
            continue;
        }
        float area = tree_area(&other->bounds);
        for (uint32_t k = 0; k < 2; ++k) {
            const tni_tree_node *kept = &nodes[other->child[1 - k]];
            float gain = area - tree_union_area(&lone->bounds, &kept->bounds);
            if (gain > best_gain) {
                best_gain = gain;
                best_side = side;
                best_grandchild = k;
            }
        }
    }
    if (best_grandchild == TNI_NONE) {
        return false;
    }
    uint32_t lone = node->child[best_side];
    uint32_t other = node->child[1 - best_side];
    uint32_t grandchild = nodes[other].child[best_grandchild];
    node->child[best_side] = grandchild;
    nodes[grandchild].parent = index;
    nodes[other].child[best_grandchild] = lone;
    nodes[lone].parent = other;
    tree_refit(tree, other);
    return true;
}

// Returns the node beside which a leaf of these bounds costs least. `direct` is the area of the new
// parent if the leaf is put here, `inherited` the growth of the ancestors.
static uint32_t tree_find_sibling(const tni_tree *tree, const tni_bounds *bounds) {
    const tni_tree_node *nodes = tree->nodes;
    float leaf_area = tree_area(bounds);
    uint32_t index = tree->root;
    uint32_t best = index;
    float direct = tree_union_area(&nodes[index].bounds, bounds);
    float best_cost = direct;
    float inherited = 0.0f;
    while (!tree_is_leaf(&nodes[index])) {
        inherited += direct - tree_area(&nodes[index].bounds);
        float child_direct[2], bound[2];
        for (uint32_t k = 0; k < 2; ++k) {
            const tni_tree_node *child = &nodes[nodes[index].child[k]];
            child_direct[k] = tree_union_area(&child->bounds, bounds);
            float cost = child_direct[k] + inherited;
            if (cost < best_cost) {
                best_cost = cost;
                best = nodes[index].child[k];
            }
            // The least that any place below this child can cost.
            bound[k] = tree_is_leaf(child)
                           ? FLT_MAX
                           : inherited + leaf_area + (child_direct[k] - tree_area(&child->bounds));
        }
        uint32_t k = bound[1] < bound[0] ? 1 : 0;
        // With equal bounds the leaf lies in both children or they are alike: the search goes where
        // the box that would have to grow is smaller.
        if (!(bound[1] < bound[0]) && !(bound[0] < bound[1]) && child_direct[1] < child_direct[0]) {
            k = 1;
        }
        if (!(bound[k] < best_cost)) {
            break;
        }
        index = nodes[index].child[k];
        direct = child_direct[k];
    }
    return best;
}

static void tree_link(tni_tree *tree, uint32_t leaf) {
    tni_tree_node *nodes = tree->nodes;
    if (tree->root == TNI_NONE) {
        tree->root = leaf;
        nodes[leaf].parent = TNI_NONE;
        return;
    }
    uint32_t sibling = tree_find_sibling(tree, &nodes[leaf].bounds);
    uint32_t old_parent = nodes[sibling].parent;
    uint32_t parent = tree_take_node(tree);
    nodes[parent].parent = old_parent;
    nodes[parent].bounds = nodes[sibling].bounds;
    nodes[parent].child[0] = sibling;
    nodes[parent].child[1] = leaf;
    nodes[sibling].parent = parent;
    nodes[leaf].parent = parent;
    if (old_parent == TNI_NONE) {
        tree->root = parent;
    } else {
        nodes[old_parent].child[nodes[old_parent].child[1] == sibling] = parent;
    }
    // A rotation looks at children and grandchildren: above two nodes that do not change nothing is
    // different.
    uint32_t still = 0;
    for (uint32_t index = parent; index != TNI_NONE && still < 2; index = nodes[index].parent) {
        bool is_same = !tree_refit(tree, index) && index != parent;
        still = !tree_rotate(tree, index) && is_same ? still + 1 : 0;
    }
}

// Refits and rotates from `index` up, as far as boxes change: above, nothing is different.
static void tree_mend(tni_tree *tree, uint32_t index) {
    while (index != TNI_NONE && tree_refit(tree, index)) {
        tree_rotate(tree, index);
        index = tree->nodes[index].parent;
    }
}

static void tree_unlink(tni_tree *tree, uint32_t leaf) {
    tni_tree_node *nodes = tree->nodes;
    if (tree->root == leaf) {
        tree->root = TNI_NONE;
        return;
    }
    uint32_t parent = nodes[leaf].parent;
    uint32_t grandparent = nodes[parent].parent;
    uint32_t sibling = nodes[parent].child[nodes[parent].child[0] == leaf];
    nodes[sibling].parent = grandparent;
    if (grandparent == TNI_NONE) {
        tree->root = sibling;
    } else {
        nodes[grandparent].child[nodes[grandparent].child[1] == parent] = sibling;
    }
    tree_give_node(tree, parent);
    tree_mend(tree, grandparent);
}

// Returns whether a leaf is still well placed beside its sibling with these bounds.
static bool tree_may_stay(const tni_tree *tree, uint32_t leaf, const tni_bounds *bounds) {
    const tni_tree_node *nodes = tree->nodes;
    if (tree->root == leaf) {
        return true;
    }
    const tni_tree_node *parent = &nodes[nodes[leaf].parent];
    const tni_bounds *sibling = &nodes[parent->child[parent->child[0] == leaf]].bounds;
    float larger = maths_max(tree_area(bounds), tree_area(sibling));
    return tree_union_area(bounds, sibling) <= TREE_STAY * larger;
}

// ---- leaves --------------------------------------------------------------------------------

uint32_t tni_tree_insert(tni_tree *tree, tni_bounds bounds, uint32_t value) {
    // A tree of n leaves has n - 1 inner nodes.
    if (tree->leaf_count >= TNI_NONE / 4 || !tree_reserve(tree, 2 * tree->leaf_count + 1)) {
        return TNI_NONE;
    }
    uint32_t leaf = tree_take_node(tree);
    tree->nodes[leaf].bounds = bounds;
    tree->nodes[leaf].child[0] = TNI_NONE;
    tree->nodes[leaf].child[1] = value;
    tree->leaf_count += 1;
    tree_link(tree, leaf);
    return leaf;
}

void tni_tree_remove(tni_tree *tree, uint32_t leaf) {
    TN_ASSERT(leaf < tree->capacity && tree->nodes[leaf].is_used &&
              tree_is_leaf(&tree->nodes[leaf]));
    tree_unlink(tree, leaf);
    tree_give_node(tree, leaf);
    tree->leaf_count -= 1;
}

void tni_tree_move(tni_tree *tree, uint32_t leaf, tni_bounds bounds) {
    TN_ASSERT(leaf < tree->capacity && tree->nodes[leaf].is_used &&
              tree_is_leaf(&tree->nodes[leaf]));
    if (tree_may_stay(tree, leaf, &bounds)) {
        tree->nodes[leaf].bounds = bounds;
        tree_mend(tree, tree->nodes[leaf].parent);
        return;
    }
    // Unlinking frees exactly the inner node that linking takes.
    tree_unlink(tree, leaf);
    tree->nodes[leaf].bounds = bounds;
    tree_link(tree, leaf);
}

tni_bounds tni_tree_bounds(const tni_tree *tree, uint32_t leaf) {
    return tree->nodes[leaf].bounds;
}

uint32_t tni_tree_value(const tni_tree *tree, uint32_t leaf) {
    return tree->nodes[leaf].child[1];
}

// ---- query ---------------------------------------------------------------------------------

// Makes the same query by parent links alone: it needs no stack, for trees too deep for one.
static bool tree_query_linked(const tni_tree *tree, uint32_t root, const tni_bounds *bounds,
                              tni_tree_visit_fn visit, void *context) {
    const tni_tree_node *nodes = tree->nodes;
    uint32_t index = root;
    while (index != TNI_NONE) {
        const tni_tree_node *node = &nodes[index];
        bool overlaps = tni_bounds_overlap(&node->bounds, bounds);
        if (overlaps && !tree_is_leaf(node)) {
            index = node->child[0];
            continue;
        }
        if (overlaps && !visit(node->child[1], context)) {
            return false;
        }
        index = tni_tree_next_after(nodes, index, root);
    }
    return true;
}

void tni_tree_query(const tni_tree *tree, const tni_bounds *bounds, tni_tree_visit_fn visit,
                    void *context) {
    const tni_tree_node *nodes = tree->nodes;
    if (tree->root == TNI_NONE || !tni_bounds_overlap(&nodes[tree->root].bounds, bounds)) {
        return;
    }
    tni_bounds_lanes wanted = bounds_load(bounds);
    uint32_t stack[TNI_TREE_STACK]; // nodes that overlap
    uint32_t count = 0;
    stack[count++] = tree->root;
    while (count > 0) {
        uint32_t index = stack[--count];
        const tni_tree_node *node = &nodes[index];
        if (tree_is_leaf(node)) {
            if (!visit(node->child[1], context)) {
                return;
            }
        } else if (count + 2 <= TNI_TREE_STACK) {
            for (uint32_t k = 2; k-- > 0;) {
                tni_bounds_lanes child = bounds_load(&nodes[node->child[k]].bounds);
                stack[count] = node->child[k];
                count += bounds_overlap(&child, &wanted) ? 1 : 0;
            }
        } else if (!tree_query_linked(tree, index, bounds, visit, context)) {
            return;
        }
    }
}

// ---- for tests -----------------------------------------------------------------------------

// Walks depth-first by parent links, counting the depth on the way.
uint32_t tni_tree_height(const tni_tree *tree) {
    uint32_t height = 0, depth = 0;
    uint32_t index = tree->root;
    while (index != TNI_NONE) {
        if (!tree_is_leaf(&tree->nodes[index])) {
            index = tree->nodes[index].child[0];
            depth += 1;
            height = depth > height ? depth : height;
            continue;
        }
        while (index != tree->root && tree->nodes[tree->nodes[index].parent].child[1] == index) {
            index = tree->nodes[index].parent;
            depth -= 1;
        }
        index = index == tree->root ? TNI_NONE : tree->nodes[tree->nodes[index].parent].child[1];
    }
    return height;
}

static bool tree_node_is_valid(const tni_tree *tree, uint32_t index) {
    const tni_tree_node *node = &tree->nodes[index];
    if (!node->is_used) {
        return false;
    }
    if (tree_is_leaf(node)) {
        return true;
    }
    for (uint32_t k = 0; k < 2; ++k) {
        if (node->child[k] >= tree->capacity || tree->nodes[node->child[k]].parent != index) {
            return false;
        }
    }
    tni_bounds u =
        tree_union(&tree->nodes[node->child[0]].bounds, &tree->nodes[node->child[1]].bounds);
    return tni_bounds_contain(&u, &node->bounds) && tni_bounds_contain(&node->bounds, &u);
}

bool tni_tree_is_valid(const tni_tree *tree) {
    uint32_t used = 0, leaves = 0, free_nodes = 0;
    for (uint32_t i = 0; i < tree->capacity; ++i) {
        used += tree->nodes[i].is_used;
    }
    for (uint32_t i = tree->free_list; i != TNI_NONE; i = tree->nodes[i].parent) {
        if (tree->nodes[i].is_used || ++free_nodes > tree->capacity) {
            return false;
        }
    }
    if (tree->root != TNI_NONE && tree->nodes[tree->root].parent != TNI_NONE) {
        return false;
    }
    uint32_t visited = 0;
    uint32_t index = tree->root;
    while (index != TNI_NONE) {
        if (!tree_node_is_valid(tree, index) || ++visited > used) {
            return false;
        }
        bool is_leaf = tree_is_leaf(&tree->nodes[index]);
        leaves += is_leaf ? 1 : 0;
        index = is_leaf ? tni_tree_next_after(tree->nodes, index, tree->root)
                        : tree->nodes[index].child[0];
    }
    return leaves == tree->leaf_count && visited == used && used + free_nodes == tree->capacity;
}
