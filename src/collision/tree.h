// collision/tree.h: a dynamic bounding-volume tree over boxes.
#ifndef TNI_COLLISION_TREE_H
#define TNI_COLLISION_TREE_H

#include "collision/ray.h"

// A node is for tree.c and tree_cast.c alone.
typedef struct tni_tree_node {
    tni_bounds bounds;
    uint32_t parent;   // next free node while the node is free
    uint32_t child[2]; // child[0] is TNI_NONE in a leaf, which keeps its value in child[1]
    uint32_t is_used;
} tni_tree_node;

typedef struct tni_tree {
    tni_allocator *allocator;
    tni_tree_node *nodes;
    uint32_t capacity, free_list, root, leaf_count;
} tni_tree;

void tni_tree_init(tni_tree *tree, tni_allocator *allocator);
void tni_tree_destroy(tni_tree *tree);

// Inserts a leaf with the given box and the caller's value. Returns TNI_NONE when memory cannot be
// had.
uint32_t tni_tree_insert(tni_tree *tree, tni_bounds bounds, uint32_t value);
void tni_tree_remove(tni_tree *tree, uint32_t leaf);
// Takes the leaf out and puts it back with new bounds. It never allocates.
void tni_tree_move(tni_tree *tree, uint32_t leaf, tni_bounds bounds);
// These prefetch a leaf that a caller will move soon; and, once it is here, the nodes around it.
TNI_KERNEL void tni_tree_fetch(const tni_tree *tree, uint32_t leaf) {
    TNI_PREFETCH(&tree->nodes[leaf]);
}
TNI_KERNEL void tni_tree_fetch_around(const tni_tree *tree, uint32_t leaf) {
    uint32_t parent = tree->nodes[leaf].parent;
    TNI_PREFETCH(&tree->nodes[parent < tree->capacity ? parent : leaf]);
}
tni_bounds tni_tree_bounds(const tni_tree *tree, uint32_t leaf);
uint32_t tni_tree_value(const tni_tree *tree, uint32_t leaf);

// Calls `visit` with the value of every leaf whose box overlaps `bounds`, until it returns false.
// It needs no memory, and is safe from several threads while the tree is not changed.
typedef bool (*tni_tree_visit_fn)(uint32_t value, void *context);
void tni_tree_query(const tni_tree *tree, const tni_bounds *bounds, tni_tree_visit_fn visit,
                    void *context);

// Calls `visit` with the value of every leaf whose box a ray enters at no more than the limit,
// which is 1 and then the number that `visit` returned last (below 0 ends the cast): the nearer of
// two branches comes first. Boxes are widened by some roundings of a float, so a leaf that the ray
// misses by as little is visited, too. It needs no memory, and is safe from several threads while
// the tree is not changed. The second does the same for a box of half the edges `reach` whose
// middle goes along the ray, with another first limit. (collision/tree_cast.c)
typedef double (*tni_tree_cast_fn)(uint32_t value, double limit, void *context);
void tni_tree_cast_ray(const tni_tree *tree, const tni_ray *ray, tni_tree_cast_fn visit,
                       void *context);
void tni_tree_cast_box(const tni_tree *tree, const tni_ray *ray, tni_dvec3 reach, double limit,
                       tni_tree_cast_fn visit, void *context);

// Calls `visit` with the value of every leaf whose box is no farther from `bounds` than the limit,
// m: first the given one, then the number that `visit` returned last (below 0 ends the search). The
// nearer of two branches comes first. (collision/tree_cast.c)
void tni_tree_find_near(const tni_tree *tree, const tni_bounds *bounds, double limit,
                        tni_tree_cast_fn visit, void *context);

// ---- shared by tree.c and tree_cast.c ------------------------------------------------------

// A walk has room for so many nodes that wait; where a tree is deeper it goes by parent links.
#define TNI_TREE_STACK 64

static inline bool tree_is_leaf(const tni_tree_node *node) {
    return node->child[0] == TNI_NONE;
}

// Returns the node after the subtree of `index` in a depth-first walk that does not leave `root`.
static inline uint32_t tni_tree_next_after(const tni_tree_node *nodes, uint32_t index,
                                           uint32_t root) {
    while (index != root) {
        uint32_t parent = nodes[index].parent;
        if (nodes[parent].child[0] == index) {
            return nodes[parent].child[1];
        }
        index = parent;
    }
    return TNI_NONE;
}

// These return the height of the tree (0 for one leaf) and whether its links and boxes are
// consistent: for tests.
uint32_t tni_tree_height(const tni_tree *tree);
bool tni_tree_is_valid(const tni_tree *tree);

#endif
