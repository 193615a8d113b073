// collision/box_tree.c: a tree over boxes that never change, such as those of a mesh's triangles.
//
// A node is split where the surface area heuristic is least: the cost of a child is the area of its
// box times the number of its items. Items are sorted into bins by the middles of their
// boxes, along the axis on which these middles are spread most. Far down the tree, and where all
// middles are in one place, the list is cut in the middle, so that no tree is deeper than the
// stack of a search.
//
// Source: I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007.
// Test: tests/collision/test_mesh.c
#include "collision/box_tree.h"

#include <string.h>

#define TREE_BINS 16
// Below this depth lists are cut in the middle: 24 + 28 levels are enough for all items.
#define TREE_DEPTH 24
// Progress is reported after this many items.
#define TREE_REPORT 65536u

typedef struct tree_bin {
    tni_bounds bounds;
    uint32_t count;
} tree_bin;

// A node that is to be made of a part of the list.
typedef struct tree_task {
    uint32_t node, first, count, depth;
} tree_task;

typedef struct tree_builder {
    tni_box_tree *tree;
    tni_bounds *boxes; // by item
    tni_progress_fn progress;
    void *user_data;
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

// Returns false if it was cancelled.
static bool tree_grow(const tree_builder *builder) {
    tni_box_tree *tree = builder->tree;
    tree_task stack[TNI_BOX_TREE_STACK];
    uint32_t depth = 0, placed = 0, reported = 0;
    stack[depth++] = (tree_task){0, 0, tree->count, 0};
    tree->node_count = 1;
    while (depth > 0) {
        tree_task task = stack[--depth];
        tree->nodes[task.node] = (tni_box_node){.first = task.first, .count = task.count};
        if (task.count <= TNI_BOX_TREE_LEAF) {
            placed += task.count;
            if (builder->progress != NULL && placed - reported >= TREE_REPORT) {
                reported = placed;
                float fraction = (float)placed / (float)tree->count;
                if (!builder->progress(fraction, builder->user_data)) {
                    return false;
                }
            }
            continue;
        }
        uint32_t left = tree_divide(builder, &task), child = tree->node_count;
        tree->node_count += 2;
        tree->nodes[task.node].first = child;
        tree->nodes[task.node].count = 0;
        stack[depth++] =
            (tree_task){child + 1, task.first + left, task.count - left, task.depth + 1};
        stack[depth++] = (tree_task){child, task.first, left, task.depth + 1};
    }
    return builder->progress == NULL || builder->progress(1.0f, builder->user_data);
}

void tni_box_tree_fit(const tni_box_tree *tree, tni_box_fn get_box, const void *owner) {
    for (uint32_t i = tree->node_count; i-- > 0;) {
        tni_box_node *node = &tree->nodes[i];
        node->bounds = tree_nothing();
        for (uint32_t k = 0; k < node->count; ++k) {
            tni_bounds box = get_box(owner, tree->order[node->first + k]);
            tree_add(&node->bounds, &box);
        }
        for (uint32_t k = 0; k < 2 && node->count == 0; ++k) {
            tree_add(&node->bounds, &tree->nodes[node->first + k].bounds);
        }
    }
}

// Gives back the memory of nodes that were not needed.
static bool tree_trim(tni_box_tree *tree, tni_allocator *allocator, uint32_t capacity) {
    tni_box_node *nodes = tni_alloc(allocator, tree->node_count * sizeof *nodes);
    if (nodes == NULL) {
        return false;
    }
    memcpy(nodes, tree->nodes, tree->node_count * sizeof *nodes);
    tni_free(allocator, tree->nodes, capacity * sizeof *nodes);
    tree->nodes = nodes;
    return true;
}

tn_result tni_box_tree_build(tni_box_tree *tree, tni_allocator *allocator, uint32_t item_end,
                             tni_box_fn get_box, const void *owner, tni_progress_fn progress,
                             void *user_data) {
    uint32_t capacity = 2 * tree->count;
    tree_builder builder = {tree, tni_alloc(allocator, item_end * sizeof(tni_bounds)), progress,
                            user_data};
    tree->nodes = tni_alloc(allocator, capacity * sizeof *tree->nodes);
    tree->node_count = tree->nodes != NULL ? capacity : 0; // as many are freed if this fails
    tn_result result = TN_RESULT_OUT_OF_MEMORY;
    if (builder.boxes != NULL && tree->nodes != NULL) {
        for (uint32_t i = 0; i < tree->count; ++i) {
            builder.boxes[tree->order[i]] = get_box(owner, tree->order[i]);
        }
        bool is_done = tree_grow(&builder);
        result = !is_done                               ? TN_RESULT_CANCELLED
                 : tree_trim(tree, allocator, capacity) ? TN_RESULT_OK
                                                        : TN_RESULT_OUT_OF_MEMORY;
        tree->node_count = result == TN_RESULT_OK ? tree->node_count : capacity;
        if (result == TN_RESULT_OK) {
            tni_box_tree_fit(tree, get_box, owner);
        }
    }
    tni_free(allocator, builder.boxes, item_end * sizeof(tni_bounds));
    return result;
}

void tni_box_tree_destroy(tni_box_tree *tree, tni_allocator *allocator) {
    tni_free(allocator, tree->nodes, tree->node_count * sizeof *tree->nodes);
}

// ---- searches ---------------------------------------------------------------------------------

void tni_box_tree_find(const tni_box_tree *tree, const tni_bounds *bounds, tni_box_leaf_fn visit,
                       void *context) {
    uint32_t stack[TNI_BOX_TREE_STACK], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const tni_box_node *node = &tree->nodes[stack[--depth]];
        if (!tni_bounds_overlap(&node->bounds, bounds)) {
            continue;
        }
        if (node->count == 0) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        } else if (!visit(&tree->order[node->first], node->count, context)) {
            return;
        }
    }
}

// A ray, and the corners of boxes that it comes to first: 0 for the lower, 3 for the upper one.
typedef struct tree_ray {
    tni_ray_slabs slabs;
    int near[3];
    bool is_slanted; // it goes along all axes
} tree_ray;

typedef struct tree_branch {
    double enter;
    uint32_t node;
} tree_branch;

static tree_ray tree_get_ray(const tni_ray *ray) {
    tree_ray out = {.slabs = tni_ray_get_slabs(ray), .is_slanted = true};
    for (int k = 0; k < 3; ++k) {
        out.near[k] = out.slabs.inverse[k] < 0.0 ? 3 : 0;
        out.is_slanted = out.is_slanted && !out.slabs.is_across[k];
    }
    return out;
}

// Does what tni_bounds_cast_ray() does, without a branch for a ray that goes along all axes.
TNI_KERNEL double tree_enter(const tree_ray *ray, const tni_bounds *bounds) {
    if (!ray->is_slanted) {
        return tni_bounds_cast_ray(bounds, &ray->slabs);
    }
    const float *numbers = (const float *)bounds; // six in a row
    double enter = 0.0, leave = 1.0;
    for (int k = 0; k < 3; ++k) {
        double from = ray->slabs.origin[k], inverse = ray->slabs.inverse[k];
        double near = ((double)numbers[k + ray->near[k]] - from) * inverse;
        double far = ((double)numbers[k + 3 - ray->near[k]] - from) * inverse;
        enter = near > enter ? near : enter;
        leave = far < leave ? far : leave;
    }
    return enter <= leave ? enter : (double)INFINITY;
}

void tni_box_tree_cast_ray(const tni_box_tree *tree, const tni_ray *ray, const double *limit,
                           tni_box_leaf_fn visit, void *context) {
    tree_ray way = tree_get_ray(ray);
    tree_branch stack[TNI_BOX_TREE_STACK];
    uint32_t depth = 0;
    stack[depth++] = (tree_branch){tree_enter(&way, &tree->nodes[0].bounds), 0};
    while (depth > 0) {
        tree_branch branch = stack[--depth];
        if (!(branch.enter <= *limit)) {
            continue;
        }
        const tni_box_node *node = &tree->nodes[branch.node];
        if (node->count > 0) {
            if (!visit(&tree->order[node->first], node->count, context)) {
                return;
            }
            continue;
        }
        tree_branch near = {tree_enter(&way, &tree->nodes[node->first].bounds), node->first};
        tree_branch far = {tree_enter(&way, &tree->nodes[near.node + 1].bounds), near.node + 1};
        bool is_swapped = far.enter < near.enter;
        stack[depth++] = is_swapped ? near : far;
        stack[depth++] = is_swapped ? far : near;
    }
}
