// collision/concave/box_tree.c: a tree over boxes that never change, such as those of a mesh's
// triangles.
//
// A node is split where the surface area heuristic is least: the cost of a child is the area of its
// box times the number of its items. Items are sorted into bins by the middles of their
// boxes, along the axis on which these middles are spread most. Far down the tree, and where all
// middles are in one place, the list is cut in the middle, so that no tree is deeper than the
// stack of a search. A node has two children while the tree is built; then four of these, or of
// theirs, make a quad.
//
// Workers share the work: the nodes of each level at the top, and then the trees under these. What
// becomes of a node depends on its own items alone, and nodes are numbered afterwards, from left to
// right, so that any number of workers makes the same tree.
//
// Source: I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007.
// Test: tests/collision/concave/test_mesh.c
#include "collision/concave/box_tree.h"

#include <string.h>

#define TREE_BINS  16
#define TREE_STACK 64
// Below this depth lists are cut in the middle: 24 + 28 levels are enough for all items.
#define TREE_DEPTH 24
// Progress is reported after this many items.
#define TREE_REPORT 65536u
// The top has this many levels, and cuts nodes of more items than this: trees enough for any number
// of workers, of some hundred microseconds each.
#define TREE_TOP_LEVELS 8
#define TREE_TOP_NODES  ((1u << (TREE_TOP_LEVELS + 1)) - 1)
#define TREE_PIECE      2048u
// Boxes in one piece of a loop.
#define TREE_BOXES 4096u

typedef struct tree_bin {
    tni_bounds bounds;
    uint32_t count;
} tree_bin;

// The children of a node are side by side; a leaf has a count, and its items stand in `order`.
typedef struct tree_node {
    tni_bounds bounds;
    uint32_t first; // child, or place in `order`
    uint32_t count; // of items, or 0
} tree_node;

// A node that is to be made of a part of the list.
typedef struct tree_task {
    uint32_t node, first, count, depth;
} tree_task;

// A node at the top, or the root of a tree under it, whose nodes are made apart: as many places of
// `nodes` as it has items, twice over, are its own.
typedef struct tree_top {
    tree_task task; // its node is the number in the finished tree
    uint32_t child; // the first of two, or 0: a tree
    uint32_t left;  // items of the first child
    uint32_t base;  // of a tree: the number of its first node under the root
    uint32_t node_count;
} tree_top;

typedef struct tree_builder {
    tni_box_tree *tree;
    const tni_box_tree_source *source;
    tni_bounds *boxes; // by item
    tree_node *nodes;  // of the trees under the top, each numbered from 0
    tree_node *whole;  // of the finished tree
    uint32_t whole_count;
    tree_top top[TREE_TOP_NODES];
    uint32_t top_count, level_begin;
    uint32_t trees[TREE_TOP_NODES]; // those of `top` that are trees, from left to right
    uint32_t tree_count, tree_begin;
} tree_builder;

typedef struct tree_split {
    int axis;
    float from, scale; // bin = (middle - from) * scale
    uint32_t bin;      // the first of the right child
} tree_split;

static tni_bounds tree_nothing(void) {
    return (tni_bounds){maths_vec3(FLT_MAX, FLT_MAX, FLT_MAX),
                        maths_vec3(-FLT_MAX, -FLT_MAX, -FLT_MAX)};
}

static void tree_add(tni_bounds *sum, const tni_bounds *bounds) {
    for (int k = 0; k < 3; ++k) {
        sum->lower.raw[k] = maths_min(sum->lower.raw[k], bounds->lower.raw[k]);
        sum->upper.raw[k] = maths_max(sum->upper.raw[k], bounds->upper.raw[k]);
    }
}

static float tree_get_area(const tni_bounds *bounds) {
    vec3s d = glms_vec3_sub(bounds->upper, bounds->lower);
    return d.x * d.y + d.y * d.z + d.z * d.x;
}

static float tree_get_middle(const tni_bounds *box, int axis) {
    return 0.5f * box->lower.raw[axis] + 0.5f * box->upper.raw[axis];
}

static uint32_t tree_get_bin(const tree_split *split, const tni_bounds *box) {
    float place = (tree_get_middle(box, split->axis) - split->from) * split->scale;
    uint32_t bin = place > 0.0f ? (uint32_t)place : 0;
    return bin < TREE_BINS ? bin : TREE_BINS - 1;
}

// Chooses the axis on which the middles are spread most. Returns false if they are in one place.
static bool tree_choose_axis(const tree_builder *builder, const tree_task *task,
                             tree_split *split) {
    tni_bounds spread = tree_nothing();
    for (uint32_t i = 0; i < task->count; ++i) {
        const tni_bounds *box = &builder->boxes[builder->tree->order[task->first + i]];
        for (int k = 0; k < 3; ++k) {
            float middle = tree_get_middle(box, k);
            spread.lower.raw[k] = maths_min(spread.lower.raw[k], middle);
            spread.upper.raw[k] = maths_max(spread.upper.raw[k], middle);
        }
    }
    vec3s size = glms_vec3_sub(spread.upper, spread.lower);
    split->axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    split->from = spread.lower.raw[split->axis];
    split->scale = (float)TREE_BINS / size.raw[split->axis];
    return isfinite(split->scale);
}

// Finds the cut between bins with the least cost.
static bool tree_choose_bin(const tree_builder *builder, const tree_task *task, tree_split *split) {
    tree_bin bins[TREE_BINS];
    for (uint32_t i = 0; i < TREE_BINS; ++i) {
        bins[i] = (tree_bin){tree_nothing(), 0};
    }
    for (uint32_t i = 0; i < task->count; ++i) {
        const tni_bounds *box = &builder->boxes[builder->tree->order[task->first + i]];
        tree_bin *bin = &bins[tree_get_bin(split, box)];
        tree_add(&bin->bounds, box);
        bin->count += 1;
    }
    float right_costs[TREE_BINS];
    tree_bin sum = {tree_nothing(), 0};
    for (uint32_t i = TREE_BINS; i-- > 1;) {
        tree_add(&sum.bounds, &bins[i].bounds);
        sum.count += bins[i].count;
        right_costs[i] = sum.count > 0 ? tree_get_area(&sum.bounds) * (float)sum.count : -1.0f;
    }
    sum = (tree_bin){tree_nothing(), 0};
    float least = INFINITY;
    split->bin = 0;
    for (uint32_t i = 1; i < TREE_BINS; ++i) {
        tree_add(&sum.bounds, &bins[i - 1].bounds);
        sum.count += bins[i - 1].count;
        if (sum.count == 0 || right_costs[i] < 0.0f) {
            continue;
        }
        float cost = tree_get_area(&sum.bounds) * (float)sum.count + right_costs[i];
        split->bin = cost < least ? i : split->bin;
        least = cost < least ? cost : least;
    }
    return split->bin > 0;
}

// Orders a part of the list by the child. Returns how many belong to the left one.
static uint32_t tree_divide(const tree_builder *builder, const tree_task *task) {
    tree_split split;
    if (task->depth >= TREE_DEPTH || !tree_choose_axis(builder, task, &split) ||
        !tree_choose_bin(builder, task, &split)) {
        return task->count / 2;
    }
    uint32_t *list = &builder->tree->order[task->first], left = 0;
    for (uint32_t i = 0; i < task->count; ++i) {
        uint32_t item = list[i];
        if (tree_get_bin(&split, &builder->boxes[item]) < split.bin) {
            list[i] = list[left];
            list[left++] = item;
        }
    }
    return left;
}

// Makes the tree of a part of the list. Returns how many nodes it has.
static uint32_t tree_grow(const tree_builder *builder, const tree_task *root, tree_node *nodes) {
    tree_task stack[TREE_STACK];
    uint32_t waiting = 0, node_count = 1;
    stack[waiting++] = (tree_task){0, root->first, root->count, root->depth};
    while (waiting > 0) {
        tree_task task = stack[--waiting];
        nodes[task.node] = (tree_node){.first = task.first, .count = task.count};
        if (task.count <= TNI_BOX_TREE_LEAF) {
            continue;
        }
        uint32_t left = tree_divide(builder, &task), child = node_count;
        node_count += 2;
        nodes[task.node].first = child;
        nodes[task.node].count = 0;
        stack[waiting++] =
            (tree_task){child + 1, task.first + left, task.count - left, task.depth + 1};
        stack[waiting++] = (tree_task){child, task.first, left, task.depth + 1};
    }
    return node_count;
}

static void tree_fit_node(const tree_builder *builder, uint32_t index) {
    tree_node *node = &builder->whole[index];
    node->bounds = tree_nothing();
    for (uint32_t k = 0; k < node->count; ++k) {
        tree_add(&node->bounds, &builder->boxes[builder->tree->order[node->first + k]]);
    }
    for (uint32_t k = 0; k < 2 && node->count == 0; ++k) {
        tree_add(&node->bounds, &builder->whole[node->first + k].bounds);
    }
}

// ---- loops that workers share -------------------------------------------------------------------

static void tree_get_boxes(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const tree_builder *builder = context;
    (void)worker;
    for (uint32_t i = first; i < last; ++i) {
        uint32_t item = builder->tree->order[i];
        builder->boxes[item] = builder->source->get_box(builder->source->owner, item);
    }
}

static void tree_divide_level(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    tree_builder *builder = context;
    (void)worker;
    for (uint32_t i = first; i < last; ++i) {
        tree_top *top = &builder->top[builder->level_begin + i];
        top->left = top->task.count > TREE_PIECE ? tree_divide(builder, &top->task) : 0;
    }
}

static void tree_grow_trees(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    tree_builder *builder = context;
    (void)worker;
    for (uint32_t i = first; i < last; ++i) {
        tree_top *top = &builder->top[builder->trees[builder->tree_begin + i]];
        tree_node *nodes = &builder->nodes[2 * (size_t)top->task.first];
        top->node_count = tree_grow(builder, &top->task, nodes);
    }
}

static void tree_place_trees(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    const tree_builder *builder = context;
    (void)worker;
    for (uint32_t i = first; i < last; ++i) {
        const tree_top *top = &builder->top[builder->trees[i]];
        const tree_node *nodes = &builder->nodes[2 * (size_t)top->task.first];
        for (uint32_t k = top->node_count; k-- > 0;) {
            uint32_t number = k > 0 ? top->base + k - 1 : top->task.node;
            tree_node node = nodes[k];
            node.first += node.count == 0 ? top->base - 1 : 0;
            builder->whole[number] = node;
            tree_fit_node(builder, number);
        }
    }
}

// ---- all of it ----------------------------------------------------------------------------------

// Cuts the list level by level, until there are trees enough.
static void tree_cut_top(tree_builder *builder) {
    builder->top[0] = (tree_top){.task = {.count = builder->tree->count}};
    builder->top_count = 1;
    builder->level_begin = 0;
    for (uint32_t level = 0; level < TREE_TOP_LEVELS; ++level) {
        uint32_t end = builder->top_count;
        tni_tasks_run(builder->source->tasks, tree_divide_level, end - builder->level_begin, 1,
                      builder);
        for (uint32_t i = builder->level_begin; i < end; ++i) {
            tree_top *top = &builder->top[i];
            uint32_t first = top->task.first, left = top->left, depth = top->task.depth + 1;
            if (left == 0) {
                continue;
            }
            top->child = builder->top_count;
            builder->top_count += 2;
            builder->top[top->child] = (tree_top){.task = {0, first, left, depth}};
            builder->top[top->child + 1] =
                (tree_top){.task = {0, first + left, top->task.count - left, depth}};
        }
        builder->level_begin = end;
    }
}

// Goes over the top from left to right, and calls `visit` with each node of it.
typedef void (*tree_visit_fn)(tree_builder *builder, uint32_t index);
static void tree_walk_top(tree_builder *builder, tree_visit_fn visit) {
    uint32_t stack[TREE_TOP_LEVELS + 2], waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
        uint32_t index = stack[--waiting], child = builder->top[index].child;
        visit(builder, index);
        if (child != 0) {
            stack[waiting++] = child + 1;
            stack[waiting++] = child;
        }
    }
}

static void tree_list(tree_builder *builder, uint32_t index) {
    if (builder->top[index].child == 0) {
        builder->trees[builder->tree_count++] = index;
    }
}

static void tree_number(tree_builder *builder, uint32_t index) {
    tree_top *top = &builder->top[index];
    uint32_t next = builder->whole_count;
    if (top->child == 0) {
        top->base = next;
        builder->whole_count += top->node_count - 1;
        return;
    }
    builder->top[top->child].task.node = next;
    builder->top[top->child + 1].task.node = next + 1;
    builder->whole_count += 2;
}

// Makes the trees under the top, with a report after every few. Returns false if it was cancelled.
static bool tree_grow_all(tree_builder *builder) {
    const tni_box_tree_source *source = builder->source;
    uint32_t placed = 0;
    for (uint32_t begin = 0, end = 0; begin < builder->tree_count; begin = end) {
        uint32_t items = 0;
        bool is_full = false;
        for (; end < builder->tree_count && !is_full; ++end) {
            items += builder->top[builder->trees[end]].task.count;
            is_full = source->progress != NULL && items >= TREE_REPORT;
        }
        builder->tree_begin = begin;
        tni_tasks_run(source->tasks, tree_grow_trees, end - begin, 1, builder);
        placed += items;
        float fraction = (float)placed / (float)builder->tree->count;
        if (source->progress != NULL && !source->progress(fraction, source->user_data)) {
            return false;
        }
    }
    return true;
}

// Numbers all nodes and puts them together.
static bool tree_put_together(tree_builder *builder, tni_allocator *allocator) {
    builder->whole_count = 1;
    tree_walk_top(builder, tree_number);
    builder->whole = tni_alloc(allocator, builder->whole_count * sizeof *builder->whole);
    if (builder->whole == NULL) {
        return false;
    }
    tni_tasks_run(builder->source->tasks, tree_place_trees, builder->tree_count, 1, builder);
    for (uint32_t i = builder->top_count; i-- > 0;) {
        const tree_top *top = &builder->top[i];
        if (top->child != 0) {
            uint32_t first = builder->top[top->child].task.node;
            builder->whole[top->task.node] = (tree_node){.first = first};
            tree_fit_node(builder, top->task.node);
        }
    }
    return true;
}

// ---- quads ------------------------------------------------------------------------------------

// Lists up to four nodes that hold all of a node, in their order: of those with children, the
// largest is replaced by these.
static uint32_t tree_choose_four(const tree_node *nodes, uint32_t root, uint32_t four[4]) {
    uint32_t count = 1;
    four[0] = root;
    while (count < 4) {
        uint32_t at = 4;
        float most = -1.0f;
        for (uint32_t i = 0; i < count; ++i) {
            const tree_node *node = &nodes[four[i]];
            float area = node->count == 0 ? tree_get_area(&node->bounds) : -1.0f;
            at = area > most || (at == 4 && node->count == 0) ? i : at;
            most = maths_max(area, most);
        }
        if (at == 4) {
            break;
        }
        for (uint32_t i = count; i > at + 1; --i) {
            four[i] = four[i - 1];
        }
        four[at + 1] = nodes[four[at]].first + 1;
        four[at] = nodes[four[at]].first;
        count += 1;
    }
    return count;
}

// Each quad takes at least one node that has children, so there is room in the caller's array.
static void tree_fill_quads(const tree_builder *builder) {
    tni_box_tree *tree = builder->tree;
    tree->quads[0].owner = 0; // the node whose quad it is
    tree->quad_count = 1;
    for (uint32_t q = 0; q < tree->quad_count; ++q) {
        tni_quad *quad = &tree->quads[q];
        uint32_t four[4];
        uint32_t count = tree_choose_four(builder->whole, quad->owner, four);
        *quad = (tni_quad){.count = count};
        for (uint32_t i = 0; i < count; ++i) {
            const tree_node *node = &builder->whole[four[i]];
            uint32_t child =
                TNI_BOX_TREE_IS_LEAF | (node->count - 1) << TNI_BOX_TREE_COUNT_SHIFT | node->first;
            if (node->count == 0) {
                child = tree->quad_count++;
                tree->quads[child].owner = four[i];
            }
            tni_quad_set(quad, i, &node->bounds, child);
        }
    }
    tree->bounds = builder->whole[0].bounds;
}

static uint32_t tree_count_inner(const tree_builder *builder) {
    uint32_t count = 1; // the root's quad, which may be a leaf
    for (uint32_t i = 1; i < builder->whole_count; ++i) {
        count += builder->whole[i].count == 0 ? 1 : 0;
    }
    return count;
}

// Makes the quads, in no more memory than they need.
static bool tree_make_quads(const tree_builder *builder, tni_allocator *allocator) {
    tni_box_tree *tree = builder->tree;
    uint32_t most = tree_count_inner(builder);
    tni_quad *all = tni_alloc(allocator, most * sizeof *all), *kept = NULL;
    if (all != NULL) {
        tree->quads = all;
        tree_fill_quads(builder);
        kept = tni_alloc(allocator, tree->quad_count * sizeof *kept);
    }
    if (kept != NULL) {
        memcpy(kept, all, tree->quad_count * sizeof *kept);
    }
    tni_free(allocator, all, most * sizeof *all);
    tree->quads = kept;
    tree->quad_count = kept != NULL ? tree->quad_count : 0;
    return kept != NULL;
}

static tni_bounds tree_get_bounds(const tni_quad *quad) {
    tni_bounds bounds = tree_nothing();
    for (uint32_t i = 0; i < quad->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            bounds.lower.raw[k] = maths_min(bounds.lower.raw[k], quad->corners[k][i]);
            bounds.upper.raw[k] = maths_max(bounds.upper.raw[k], quad->corners[k + 3][i]);
        }
    }
    return bounds;
}

void tni_box_tree_fit(tni_box_tree *tree, tni_box_fn get_box, const void *owner) {
    for (uint32_t q = tree->quad_count; q-- > 0;) {
        tni_quad *quad = &tree->quads[q];
        for (uint32_t i = 0; i < quad->count; ++i) {
            uint32_t child = quad->child[i], first, count = box_tree_get_leaf(child, &first);
            bool is_leaf = (child & TNI_BOX_TREE_IS_LEAF) != 0;
            tni_bounds bounds = is_leaf ? tree_nothing() : tree_get_bounds(&tree->quads[child]);
            for (uint32_t k = 0; is_leaf && k < count; ++k) {
                tni_bounds box = get_box(owner, tree->order[first + k]);
                tree_add(&bounds, &box);
            }
            tni_quad_set(quad, i, &bounds, child);
        }
    }
    tree->bounds = tree_get_bounds(&tree->quads[0]);
}

static tn_result tree_build(tree_builder *builder, tni_allocator *allocator) {
    const tni_box_tree_source *source = builder->source;
    if (builder->boxes == NULL || builder->nodes == NULL) {
        return TN_RESULT_OUT_OF_MEMORY;
    }
    tni_tasks_run(source->tasks, tree_get_boxes, builder->tree->count, TREE_BOXES, builder);
    tree_cut_top(builder);
    tree_walk_top(builder, tree_list);
    if (!tree_grow_all(builder)) {
        return TN_RESULT_CANCELLED;
    }
    bool is_made = tree_put_together(builder, allocator) && tree_make_quads(builder, allocator);
    return is_made ? TN_RESULT_OK : TN_RESULT_OUT_OF_MEMORY;
}

tn_result tni_box_tree_build(tni_box_tree *tree, tni_allocator *allocator,
                             const tni_box_tree_source *source) {
    size_t box_size = source->item_end * sizeof(tni_bounds);
    size_t node_size = 2 * (size_t)tree->count * sizeof(tree_node);
    tree_builder builder = {.tree = tree, .source = source};
    builder.boxes = tni_alloc(allocator, box_size);
    builder.nodes = tni_alloc(allocator, node_size);
    tn_result result = tree_build(&builder, allocator);
    tni_free(allocator, builder.whole, builder.whole_count * sizeof *builder.whole);
    tni_free(allocator, builder.nodes, node_size);
    tni_free(allocator, builder.boxes, box_size);
    return result;
}

void tni_box_tree_destroy(tni_box_tree *tree, tni_allocator *allocator) {
    tni_free(allocator, tree->quads, tree->quad_count * sizeof *tree->quads);
}
