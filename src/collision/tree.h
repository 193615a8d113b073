// collision/tree.h: a dynamic bounding-volume tree over boxes.
#ifndef TNI_COLLISION_TREE_H
#define TNI_COLLISION_TREE_H

#include "collision/quad.h"
#include "core/latch.h"
#include "core/stream.h"

// A node is for tree.c and tree_cast.c alone.
typedef struct tni_tree_node {
    tni_bounds bounds;
    uint32_t parent;   // next free node while the node is free
    uint32_t child[2]; // child[0] is TNI_NONE in a leaf, which keeps its value in child[1]
    uint32_t is_used;
} tni_tree_node;

// For each node: its quad, if it is no leaf and has one, and the next node in the list of those
// whose quads are out of date.
typedef struct tni_tree_mark {
    uint32_t quad, next;
} tni_tree_mark;

typedef struct tni_tree {
    tni_allocator *allocator;
    tni_tree_node *nodes;
    uint32_t capacity, free_list, root, leaf_count;
    // For searches along rays and for what is near (collision/tree_quads.c). A quad holds the boxes
    // of a node's grandchildren, or of children that are leaves.
    tni_quad *quads;
    tni_tree_mark *marks; // by node; null: there are no quads
    uint32_t free_quads, changed;
    tni_latch *renewed; // the owner's, which closes it after a renewal: every change opens it
} tni_tree;

// `renewed` may be shared by several trees; it says whether their quads need a renewal.
void tni_tree_init(tni_tree *tree, tni_allocator *allocator, tni_latch *renewed);
void tni_tree_destroy(tni_tree *tree);
// Makes room for so many leaves in all: then inserting them does not fail. Returns false without
// memory.
bool tni_tree_reserve(tni_tree *tree, uint32_t leaf_count);

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

// Prepares the tree for the searches below, which take longer without: after a change, what it
// changed. One thread may call this at a time, and none may search meanwhile. Returns false without
// memory. (collision/tree_quads.c)
bool tni_tree_renew_quads(tni_tree *tree);

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

// A child of a quad that is a leaf has this bit beside its value.
#define TNI_TREE_LEAF 0x80000000u
// The end of the list of changed nodes; one that is not in it has TNI_NONE.
#define TNI_TREE_END (TNI_NONE - 1)

void tni_tree_free_quads(tni_tree *tree);
// A node is given back.
void tni_tree_drop_quad(tni_tree *tree, uint32_t node);

// Notes that the quad of a node is out of date.
static inline void tree_mark(tni_tree *tree, uint32_t node) {
    tni_latch_reopen(tree->renewed);
    if (tree->marks != NULL && node != TNI_NONE && tree->marks[node].next == TNI_NONE) {
        tree->marks[node].next = tree->changed;
        tree->changed = node;
    }
}

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

// Are the quads those of the tree?
static inline bool tree_has_quads(const tni_tree *tree) {
    return tree->marks != NULL && tree->changed == TNI_TREE_END;
}

// ---- as bytes (collision/tree_saved.c) ----------------------------------------------------------

void tni_tree_save(const tni_tree *tree, tni_stream *stream);
// Reads the bytes, asks whether each leaf's value is sound, and makes room for as many leaves.
// Returns false without memory.
bool tni_tree_check_saved(tni_tree *tree, tni_stream *stream, tni_tree_visit_fn is_sound,
                          void *context);
// Makes the tree of bytes that were checked, and calls `place` with each value and its leaf.
void tni_tree_load(tni_tree *tree, tni_stream *stream,
                   void (*place)(uint32_t value, uint32_t leaf, void *context), void *context);

// These return the height of the tree (0 for one leaf), whether its links and boxes are consistent,
// and whether its quads show them: for tests.
uint32_t tni_tree_height(const tni_tree *tree);
bool tni_tree_is_valid(const tni_tree *tree);
bool tni_tree_has_valid_quads(const tni_tree *tree);

#endif
