// collision/concave/box_tree_search.c: what a box overlaps in a tree, and what a ray or a box meets
// on its way.
//
// Test: tests/collision/concave/test_mesh.c
#include "collision/concave/box_tree.h"

static const uint32_t *tree_get_items(const tni_box_tree *tree, uint32_t leaf,
                                      uint32_t *out_count) {
    uint32_t first;
    *out_count = box_tree_get_leaf(leaf, &first);
    return &tree->order[first];
}

void tni_box_tree_find(const tni_box_tree *tree, const tni_bounds *bounds, tni_box_fn get_box,
                       const void *owner, tni_box_item_fn visit, void *context) {
    uint32_t stack[TNI_BOX_TREE_STACK], depth = 0;
    tni_quad_near with = quad_near_set(bounds);
    stack[depth++] = 0;
    while (depth > 0) {
        uint32_t child = stack[--depth], count;
        if ((child & TNI_BOX_TREE_IS_LEAF) != 0) {
            const uint32_t *items = tree_get_items(tree, child, &count);
            for (uint32_t i = 0; i < count; ++i) {
                tni_bounds own = get_box(owner, items[i]);
                if (tni_bounds_overlap(&own, bounds) && !visit(items[i], context)) {
                    return;
                }
            }
            continue;
        }
        const tni_quad *quad = &tree->quads[child];
        uint32_t bits = quad_overlap(quad, &with);
        for (uint32_t i = quad->count; i-- > 0;) {
            stack[depth] = quad->child[i];
            depth += bits >> i & 1u;
        }
    }
}

static void tree_cast(const tni_box_tree *tree, const tni_ray *ray, tni_dvec3 reach,
                      const double *limit, tni_box_leaf_fn visit, void *context) {
    tni_quad_ray quad_ray;
    if (!tni_quad_ray_set(&quad_ray, &tree->bounds, ray, reach)) {
        return;
    }
    tni_quad_entry stack[TNI_BOX_TREE_STACK];
    uint32_t depth = 0, count;
    float bound = tni_quad_ray_get_limit(&quad_ray, *limit);
    stack[depth++] = (tni_quad_entry){0, 0.0f};
    while (depth > 0) {
        tni_quad_entry entry = stack[--depth];
        if (!(entry.enter <= bound)) {
            continue;
        }
        if ((entry.child & TNI_BOX_TREE_IS_LEAF) != 0) {
            const uint32_t *items = tree_get_items(tree, entry.child, &count);
            if (!visit(items, count, context)) {
                return;
            }
            bound = tni_quad_ray_get_limit(&quad_ray, *limit);
            continue;
        }
        const tni_quad *quad = &tree->quads[entry.child];
        tni_f4 enters;
        uint32_t bits = quad_enter(quad, &quad_ray, bound, &enters);
        depth += quad_push(quad, bits, enters, &stack[depth]);
    }
}

void tni_box_tree_cast_ray(const tni_box_tree *tree, const tni_ray *ray, const double *limit,
                           tni_box_leaf_fn visit, void *context) {
    tree_cast(tree, ray, dvec3_make(0.0, 0.0, 0.0), limit, visit, context);
}

typedef struct tree_sweep {
    tni_ray_slabs slabs;
    tni_dvec3 reach;
    const double *limit;
    tni_box_fn get_box;
    const void *owner;
    tni_box_item_fn visit;
    void *context;
} tree_sweep;

static bool tree_sweep_leaf(const uint32_t *items, uint32_t count, void *context) {
    const tree_sweep *sweep = context;
    for (uint32_t i = 0; i < count; ++i) {
        tni_bounds own = sweep->get_box(sweep->owner, items[i]);
        tni_bounds wide = tni_bounds_widen(&own, sweep->reach);
        if (tni_bounds_cast_ray(&wide, &sweep->slabs) <= *sweep->limit &&
            !sweep->visit(items[i], sweep->context)) {
            return false;
        }
    }
    return true;
}

void tni_box_tree_find_along(const tni_box_tree *tree, const tni_ray *ray, tni_dvec3 reach,
                             const double *limit, tni_box_fn get_box, const void *owner,
                             tni_box_item_fn visit, void *context) {
    tree_sweep sweep = {tni_ray_get_slabs(ray), reach, limit, get_box, owner, visit, context};
    tree_cast(tree, ray, reach, limit, tree_sweep_leaf, &sweep);
}
