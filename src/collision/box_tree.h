// collision/box_tree.h: a tree over boxes that never change.
#ifndef TNI_COLLISION_BOX_TREE_H
#define TNI_COLLISION_BOX_TREE_H

#include "collision/ray.h"
#include "core/saved.h"
#include "core/tasks.h"

// A leaf of the tree holds at most this many boxes.
#define TNI_BOX_TREE_LEAF 4u
// The stack of a search; no tree is deeper.
#define TNI_BOX_TREE_STACK 64

// The children of a node are side by side; a leaf has a count, and its items stand in `order`.
typedef struct tni_box_node {
    tni_bounds bounds;
    uint32_t first; // child, or place in `order`
    uint32_t count; // of items, or 0
} tni_box_node;

typedef struct tni_box_tree {
    uint32_t *order; // the items, as the leaves hold them: its owner's memory
    tni_box_node *nodes;
    uint32_t count, node_count; // of items, and of nodes
} tni_box_tree;

// Is told how much is done, and returns false to cancel.
typedef bool (*tni_progress_fn)(float fraction, void *user_data);

// Returns the box of an item.
typedef tni_bounds (*tni_box_fn)(const void *owner, uint32_t item);

typedef struct tni_box_tree_source {
    uint32_t item_end; // items are less
    tni_box_fn get_box;
    const void *owner;
    const tni_tasks *tasks;   // or null: the caller does it alone
    tni_progress_fn progress; // or null. The caller's thread calls it
    void *user_data;
} tni_box_tree_source;

// Builds the nodes over the items in `order`, at least one, and puts these into the order of the
// leaves: the same for any number of workers. Returns OK, OUT_OF_MEMORY or CANCELLED.
tn_result tni_box_tree_build(tni_box_tree *tree, tni_allocator *allocator,
                             const tni_box_tree_source *source);
// Gives each node the box of what is under it. A child stands behind its parent.
void tni_box_tree_fit(const tni_box_tree *tree, tni_box_fn get_box, const void *owner);
// Saves a tree but for its boxes, and loads it into an empty one: with `count` items, which are
// less than `item_end`, in `order`, for which there is room. What is not a tree over distinct items
// makes the loader damaged. Returns OK or OUT_OF_MEMORY (box_tree_saved.c).
void tni_box_tree_save(tni_saver *saver, const tni_box_tree *tree);
tn_result tni_box_tree_load(tni_loader *loader, tni_box_tree *tree, tni_allocator *allocator,
                            uint32_t item_end);
void tni_box_tree_destroy(tni_box_tree *tree, tni_allocator *allocator);

// Calls `visit` with each leaf that overlaps the box, until it returns false.
typedef bool (*tni_box_leaf_fn)(const uint32_t *items, uint32_t count, void *context);
void tni_box_tree_find(const tni_box_tree *tree, const tni_bounds *bounds, tni_box_leaf_fn visit,
                       void *context);
// Calls `visit` with each leaf that a ray enters at no more than *limit, which `visit` may lower:
// the nearer of two branches comes first.
void tni_box_tree_cast_ray(const tni_box_tree *tree, const tni_ray *ray, const double *limit,
                           tni_box_leaf_fn visit, void *context);

#endif
