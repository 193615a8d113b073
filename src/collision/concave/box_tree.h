// collision/concave/box_tree.h: a tree over boxes that never change.
#ifndef TNI_COLLISION_CONCAVE_BOX_TREE_H
#define TNI_COLLISION_CONCAVE_BOX_TREE_H

#include "collision/quad.h"
#include "core/saved.h"
#include "core/tasks.h"

// A leaf of the tree holds at most this many boxes.
#define TNI_BOX_TREE_LEAF 4u
// A tree has at most so many levels, and a search so many places on its stack.
#define TNI_BOX_TREE_LEVELS 52u
#define TNI_BOX_TREE_STACK  160
// A child that is a leaf has this bit, the number of its items less one, and the place of the
// first.
#define TNI_BOX_TREE_IS_LEAF     0x80000000u
#define TNI_BOX_TREE_COUNT_SHIFT 28

// A child of a quad is another quad, or a leaf: its items stand side by side in `order`.
typedef struct tni_box_tree {
    uint32_t *order;            // the items, as the leaves hold them: its owner's memory
    tni_quad *quads;            // the first is the root
    uint32_t count, quad_count; // count: of items
    tni_bounds bounds;
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

// Returns the number of a leaf's items, and the place of the first.
static inline uint32_t box_tree_get_leaf(uint32_t child, uint32_t *out_first) {
    *out_first = child & ((1u << TNI_BOX_TREE_COUNT_SHIFT) - 1);
    return (child >> TNI_BOX_TREE_COUNT_SHIFT & 3u) + 1;
}

// Builds the quads over the items in `order`, at least one and at most 2^28, and puts these into
// the order of the leaves: the same for any number of workers. Returns OK, OUT_OF_MEMORY or
// CANCELLED.
tn_result tni_box_tree_build(tni_box_tree *tree, tni_allocator *allocator,
                             const tni_box_tree_source *source);
// Makes all boxes anew from those of the items. A quad stands behind the one that has it.
void tni_box_tree_fit(tni_box_tree *tree, tni_box_fn get_box, const void *owner);
// Saves a tree but for its boxes, and loads it into an empty one: with `count` items, which are
// less than `item_end`, in `order`, for which there is room. What is not a tree over distinct items
// makes the stream damaged. Returns OK or OUT_OF_MEMORY (box_tree_saved.c).
void tni_box_tree_save(tni_stream *stream, const tni_box_tree *tree);
tn_result tni_box_tree_load(tni_stream *stream, tni_box_tree *tree, tni_allocator *allocator,
                            uint32_t item_end);
void tni_box_tree_destroy(tni_box_tree *tree, tni_allocator *allocator);

// Calls `visit` with each item whose box overlaps the given one, until it returns false. The order
// depends on the tree alone.
typedef bool (*tni_box_item_fn)(uint32_t item, void *context);
void tni_box_tree_find(const tni_box_tree *tree, const tni_bounds *bounds, tni_box_fn get_box,
                       const void *owner, tni_box_item_fn visit, void *context);
// Calls `visit` with each item whose box a box of half the edges `reach` meets along a ray at no
// more than *limit, which `visit` may lower: the nearest of four branches comes first.
void tni_box_tree_find_along(const tni_box_tree *tree, const tni_ray *ray, tni_dvec3 reach,
                             const double *limit, tni_box_fn get_box, const void *owner,
                             tni_box_item_fn visit, void *context);
// Calls `visit` with each leaf that a ray enters at no more than *limit, as above. Boxes are
// widened by some roundings of a float.
typedef bool (*tni_box_leaf_fn)(const uint32_t *items, uint32_t count, void *context);
void tni_box_tree_cast_ray(const tni_box_tree *tree, const tni_ray *ray, const double *limit,
                           tni_box_leaf_fn visit, void *context);

#endif
