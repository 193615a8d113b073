/// tenon/tree.h: a dynamic tree of boxes for an application's own objects.
///
/// A tree holds axis-aligned boxes, as leaves with a number of the application's, and finds those
/// that overlap a box, lie on a ray or are near. It knows nothing of a world: use it for sounds,
/// triggers, lights or what else a world has no shape for. Thread: one thread at a time changes a
/// tree; any number may ask a `const tn_tree *` while none does. A null tree returns zero, without
/// a report.
#ifndef TENON_TREE_H
#define TENON_TREE_H

#include "tenon/base.h"

TN_EXTERN_C_BEGIN

/// A tree. It is opaque: tn_tree_create makes it, and whoever made it destroys it.
typedef struct tn_tree tn_tree;

/// Names a leaf. {0} is null. The handle of a removed leaf stays stale for about a million others.
typedef struct tn_leaf_id {
    uint32_t value;
} tn_leaf_id;

/// Defines a tree. Start from tn_tree_def_default().
typedef struct tn_tree_def {
    /// m, >= 0: boxes are kept larger by this on each side, so that a leaf that moves within its
    /// larger box costs nothing. Answers are about the boxes that were given. Default 0
    double margin;
    tn_alloc_fn alloc; ///< null: the C library's allocator
    tn_free_fn free;
    void *memory_user_data;
    tn_report_fn report; ///< null: reports are lost
    void *report_user_data;
} tn_tree_def;

TN_API tn_tree_def tn_tree_def_default(void);
/// Makes an empty tree; a null definition means the default. Errors: INVALID_ARGUMENT and
/// NOT_FINITE (margin; one memory hook without the other), OUT_OF_MEMORY: returns null, and
/// `out_result` (may be null) says why.
TN_API tn_tree *tn_tree_create(const tn_tree_def *def, tn_result *out_result);
/// Frees the tree and its leaves. Errors: WORLD_LOCKED (from its own callback; call ignored).
TN_API void tn_tree_destroy(tn_tree *tree);

/// Adds a leaf. Errors: NOT_FINITE, INVALID_ARGUMENT (lower above upper), WORLD_LOCKED (from the
/// tree's own callback), OUT_OF_MEMORY, TOO_LARGE: returns null.
TN_API tn_leaf_id tn_tree_add(tn_tree *tree, tn_bounds bounds, uint64_t user_number);
/// Gives a leaf another box; and removes it. Moving takes no memory. Errors: INVALID_ID,
/// NOT_FINITE, INVALID_ARGUMENT, WORLD_LOCKED (call ignored).
TN_API tn_result tn_tree_move(tn_tree *tree, tn_leaf_id leaf, tn_bounds bounds);
TN_API tn_result tn_tree_remove(tn_tree *tree, tn_leaf_id leaf);
/// Return a leaf's box and number. Errors: INVALID_ID (returns zero).
TN_API tn_bounds tn_tree_get_bounds(const tn_tree *tree, tn_leaf_id leaf);
TN_API uint64_t tn_tree_get_number(const tn_tree *tree, tn_leaf_id leaf);
/// Returns true if the handle names a leaf of this tree. Never reports.
TN_API bool tn_tree_has_leaf(const tn_tree *tree, tn_leaf_id leaf);
TN_API uint32_t tn_tree_count(const tn_tree *tree);

/// Is called with a leaf that was found. It may ask the tree, and not change it. `value` is 0 in an
/// overlap, the fraction at which a ray enters the box, or the distance of the box, m. It returns
/// the limit for what may follow, in the same measure: `limit` to find all, `value` to find what is
/// nearer, below 0 to end. A NaN or a larger limit than before counts as `limit`.
typedef double (*tn_tree_visit_fn)(const tn_tree *tree, tn_leaf_id leaf, double value, double limit,
                                   void *user_data);

/// Visits the leaves whose boxes overlap `bounds`, touching ones too, in no order. Errors:
/// INVALID_ARGUMENT (lower above upper, no callback), NOT_FINITE: visits none.
TN_API void tn_tree_overlap(const tn_tree *tree, tn_bounds bounds, tn_tree_visit_fn visit,
                            void *user_data);
/// Visits the leaves whose boxes a ray meets, or a box of half the edges `half_extents`, m, whose
/// middle goes along the ray. What is entered sooner tends to come sooner, but not strictly. The
/// limit begins at a fraction of 1. Errors: as above; a negative half extent.
TN_API void tn_tree_cast(const tn_tree *tree, tn_vec3 origin, tn_vec3 translation,
                         tn_vec3 half_extents, tn_tree_visit_fn visit, void *user_data);
/// Visits the leaves whose boxes are no farther than `max_distance`, m, from `bounds`. What is
/// nearer tends to come sooner. Errors: as above; a negative distance (infinity is allowed).
TN_API void tn_tree_find_near(const tn_tree *tree, tn_bounds bounds, double max_distance,
                              tn_tree_visit_fn visit, void *user_data);

TN_EXTERN_C_END

#endif
