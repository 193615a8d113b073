// collision/mesh_tree.c: the tree of boxes over the triangles of a mesh.
//
// A node is split where the surface area heuristic is least: the cost of a child is the area of its
// box times the number of its triangles. Triangles are sorted into bins by the middles of their
// boxes, along the axis on which these middles are spread most. Far down the tree, and where all
// middles are in one place, the list is cut in the middle, so that no tree is deeper than the
// stack of a search.
//
// Source: I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007.
// Test: tests/collision/test_mesh.c
#include "collision/mesh.h"

#include <string.h>

#define TREE_BINS 16
// Below this depth lists are cut in the middle: 24 + 28 levels are enough for all triangles.
#define TREE_DEPTH 24
#define TREE_STACK 64
// Progress is reported after this many triangles.
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
    tni_mesh *mesh;
    tni_bounds *boxes; // by triangle
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
        const tni_bounds *box = &builder->boxes[builder->mesh->order[task->first + i]];
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
        const tni_bounds *box = &builder->boxes[builder->mesh->order[task->first + i]];
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
    uint32_t *list = &builder->mesh->order[task->first], left = 0;
    for (uint32_t i = 0; i < task->count; ++i) {
        uint32_t triangle = list[i];
        if (tree_get_bin(&split, &builder->boxes[triangle]) < split.bin) {
            list[i] = list[left];
            list[left++] = triangle;
        }
    }
    return left;
}

static void tree_set_node(const tree_builder *builder, const tree_task *task) {
    tni_mesh_node *node = &builder->mesh->nodes[task->node];
    *node = (tni_mesh_node){tree_nothing(), task->first, task->count};
    for (uint32_t i = 0; i < task->count; ++i) {
        tree_add(&node->bounds, &builder->boxes[builder->mesh->order[task->first + i]]);
    }
}

// Returns false if it was cancelled.
static bool tree_grow(const tree_builder *builder, const tni_mesh_source *source) {
    tni_mesh *mesh = builder->mesh;
    tree_task stack[TREE_STACK];
    uint32_t depth = 0, placed = 0, reported = 0;
    stack[depth++] = (tree_task){0, 0, mesh->order_count, 0};
    mesh->node_count = 1;
    while (depth > 0) {
        tree_task task = stack[--depth];
        tree_set_node(builder, &task);
        if (task.count <= TNI_MESH_LEAF) {
            placed += task.count;
            if (source->progress != NULL && placed - reported >= TREE_REPORT) {
                reported = placed;
                float fraction = (float)placed / (float)mesh->order_count;
                if (!source->progress(fraction, source->user_data)) {
                    return false;
                }
            }
            continue;
        }
        uint32_t left = tree_divide(builder, &task), child = mesh->node_count;
        mesh->node_count += 2;
        mesh->nodes[task.node].first = child;
        mesh->nodes[task.node].count = 0;
        stack[depth++] =
            (tree_task){child + 1, task.first + left, task.count - left, task.depth + 1};
        stack[depth++] = (tree_task){child, task.first, left, task.depth + 1};
    }
    return source->progress == NULL || source->progress(1.0f, source->user_data);
}

// Gives back the memory of nodes that were not needed.
static bool tree_trim(tni_mesh *mesh, uint32_t capacity) {
    tni_allocator *allocator = &mesh->base.allocator;
    tni_mesh_node *nodes = tni_alloc(allocator, mesh->node_count * sizeof *nodes);
    if (nodes == NULL) {
        return false;
    }
    memcpy(nodes, mesh->nodes, mesh->node_count * sizeof *nodes);
    tni_free(allocator, mesh->nodes, capacity * sizeof *nodes);
    mesh->nodes = nodes;
    return true;
}

tn_result tni_mesh_build_tree(tni_mesh *mesh, const tni_mesh_source *source) {
    tni_allocator *allocator = &mesh->base.allocator;
    uint32_t count = mesh->triangle_count, capacity = 2 * mesh->order_count;
    tree_builder builder = {mesh, tni_alloc(allocator, count * sizeof(tni_bounds))};
    mesh->nodes = tni_alloc(allocator, capacity * sizeof *mesh->nodes);
    mesh->node_count = capacity; // as many are freed if this fails
    tn_result result = TN_RESULT_OUT_OF_MEMORY;
    if (builder.boxes != NULL && mesh->nodes != NULL) {
        for (uint32_t i = 0; i < mesh->order_count; ++i) {
            builder.boxes[mesh->order[i]] = tni_mesh_get_bounds(mesh, mesh->order[i]);
        }
        bool is_done = tree_grow(&builder, source);
        result = !is_done                    ? TN_RESULT_CANCELLED
                 : tree_trim(mesh, capacity) ? TN_RESULT_OK
                                             : TN_RESULT_OUT_OF_MEMORY;
        mesh->node_count = result == TN_RESULT_OK ? mesh->node_count : capacity;
    }
    tni_free(allocator, builder.boxes, count * sizeof(tni_bounds));
    return result;
}
