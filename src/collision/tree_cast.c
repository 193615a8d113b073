// collision/tree_cast.c: rays, swept boxes and searches for what is near, in a tree of boxes.
//
// Four boxes are tested at once (quad.h), two levels of the tree at a time, and the nearest of them
// is entered first. Test: tests/collision/test_tree.c
#include "collision/tree.h"

static float cast_get_square(double limit) {
    return limit < 0.0 ? -1.0f : maths_to_float(limit * limit * (1.0 + QUAD_SLACK));
}

// A search is a ray or a distance. `limit` is that of the last visit, `bound` the same for boxes.
typedef struct cast_search {
    const tni_tree *tree;
    const tni_quad_ray *ray; // null: a distance
    tni_quad_near from;
    double limit;
    float bound;
    tni_tree_cast_fn visit;
    void *context;
} cast_search;

TNI_KERNEL uint32_t cast_test(const cast_search *search, const tni_quad *quad, tni_f4 *out_enter) {
    return search->ray != NULL ? quad_enter(quad, search->ray, search->bound, out_enter)
                               : quad_measure(quad, &search->from, search->bound, out_enter);
}

static void cast_visit(cast_search *search, uint32_t value) {
    search->limit = search->visit(value, search->limit, search->context);
    search->bound = search->ray != NULL ? tni_quad_ray_get_limit(search->ray, search->limit)
                                        : cast_get_square(search->limit);
}

// Goes through a subtree by parent links: it needs no stack and no quads, for trees too deep for
// the one, or a tree without the others.
static void cast_walk_linked(cast_search *search, uint32_t root) {
    const tni_tree_node *nodes = search->tree->nodes;
    uint32_t index = root;
    while (index != TNI_NONE) {
        const tni_tree_node *node = &nodes[index];
        tni_quad quad = {.count = 1};
        tni_f4 enter;
        tni_quad_set(&quad, 0, &node->bounds, 0);
        bool enters = cast_test(search, &quad, &enter) != 0;
        if (enters && !tree_is_leaf(node)) {
            index = node->child[0];
            continue;
        }
        if (enters) {
            cast_visit(search, node->child[1]);
        }
        index = tni_tree_next_after(nodes, index, root);
    }
}

TNI_KERNEL void cast_walk(cast_search *search) {
    const tni_tree *tree = search->tree;
    tni_quad_entry stack[TNI_TREE_STACK];
    uint32_t count = 0;
    stack[count++] = (tni_quad_entry){tree->marks[tree->root].quad, 0.0f};
    while (count > 0) {
        tni_quad_entry entry = stack[--count];
        if (!(entry.enter <= search->bound)) {
            continue;
        }
        if ((entry.child & TNI_TREE_LEAF) != 0) {
            cast_visit(search, entry.child & ~TNI_TREE_LEAF);
            continue;
        }
        const tni_quad *quad = &tree->quads[entry.child];
        if (count + 4 > TNI_TREE_STACK) {
            cast_walk_linked(search, quad->owner);
            continue;
        }
        tni_f4 enters;
        uint32_t bits = cast_test(search, quad, &enters);
        count += quad_push(quad, bits, enters, &stack[count]);
    }
}

static void cast_run(cast_search *search) {
    const tni_tree *tree = search->tree;
    if (tree_is_leaf(&tree->nodes[tree->root]) || !tree_has_quads(tree)) {
        cast_walk_linked(search, tree->root);
    } else {
        cast_walk(search);
    }
}

void tni_tree_cast_box(const tni_tree *tree, const tni_ray *ray, tni_dvec3 reach, double limit,
                       tni_tree_cast_fn visit, void *context) {
    tni_quad_ray quad_ray;
    if (tree->root == TNI_NONE ||
        !tni_quad_ray_set(&quad_ray, &tree->nodes[tree->root].bounds, ray, reach)) {
        return;
    }
    cast_search search = {.tree = tree, .ray = &quad_ray, .limit = limit, .visit = visit};
    search.bound = tni_quad_ray_get_limit(&quad_ray, limit);
    search.context = context;
    cast_run(&search);
}

void tni_tree_cast_ray(const tni_tree *tree, const tni_ray *ray, tni_tree_cast_fn visit,
                       void *context) {
    tni_tree_cast_box(tree, ray, dvec3_make(0.0, 0.0, 0.0), 1.0, visit, context);
}

void tni_tree_find_near(const tni_tree *tree, const tni_bounds *bounds, double limit,
                        tni_tree_cast_fn visit, void *context) {
    if (tree->root == TNI_NONE) {
        return;
    }
    cast_search search = {.tree = tree, .from = quad_near_set(bounds), .limit = limit};
    search.bound = cast_get_square(limit);
    search.visit = visit;
    search.context = context;
    cast_run(&search);
}
