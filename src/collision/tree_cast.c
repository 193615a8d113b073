// collision/tree_cast.c: rays, swept boxes and searches for what is near, in a tree of boxes.
//
// Both children of a node are tested at once, in float. On the ray p = o + u d, with the larger of
// |d_i| equal to 1 and u in metres along that axis, a box lies between u = (lower - o) / d and
// (upper - o) / d on each axis (Kay and Kajiya, "Ray Tracing Complex Scenes", 1986). The ray's
// origin is first moved to where it enters the root's box, in double, so that floats hold it as
// exactly as they hold the boxes. What rounding may still lose is added to every box: e on each
// side, by two origins o + e and o - e, and some parts in 2^23 of u. So a box is never missed, and
// one that the ray misses by a hair may be visited: shapes themselves are tested in double.
// A box that is swept along the ray widens all boxes by half of its edges, which is the same sum.
// An axis along which the ray hardly goes has 1 / d = 1e37: finite, so that no 0 is multiplied by
// an infinity, and so large that only boxes beside the ray are cut.
// Test: tests/collision/test_tree.c
#include "collision/tree.h"

// 1 / d is at most this.
#define CAST_MOST_INVERSE 1e37
// The least by which boxes are widened, m: smaller numbers are rounded to zero.
#define CAST_LEAST_MARGIN 1e-14
// Roundings of a float at the origin, and of a double at the ray's own ends.
#define CAST_FLOAT_ROUNDING  2.4e-7
#define CAST_DOUBLE_ROUNDING 1e-15
// What a product of three rounded factors may lose, and more.
#define CAST_SLACK 1e-6

typedef struct cast_slabs {
    tni_f4 before_lower, before_upper; // origins from which lower and upper corners are seen
    tni_f4 inverse;
    double first, scale; // the fraction at which u begins, and u per fraction
} cast_slabs;

// A node that waits, and the u at which the ray enters its box, or the square of its distance.
typedef struct cast_entry {
    uint32_t node;
    float enter;
} cast_entry;

// ---- the ray ----------------------------------------------------------------------------------

static double cast_get_largest(tni_dvec3 v) {
    return maths_max_d(fabs(v.x), maths_max_d(fabs(v.y), fabs(v.z)));
}

static double cast_invert(double way, double scale) {
    double inverse = fabs(way) * CAST_MOST_INVERSE > scale ? scale / way : CAST_MOST_INVERSE;
    return inverse > CAST_MOST_INVERSE ? CAST_MOST_INVERSE : inverse;
}

static tni_f4 cast_load(double x, double y, double z) {
    return f4_make(maths_to_float(x), maths_to_float(y), maths_to_float(z), 0.0f);
}

// Returns false when the ray misses the root's box.
static bool cast_begin(const tni_bounds *root, const tni_ray *ray, tni_dvec3 reach,
                       cast_slabs *out_slabs) {
    tni_dvec3 o = ray->origin, t = ray->translation;
    tni_bounds wide = tni_bounds_round(dvec3_sub(dvec3_from_float(root->lower), reach),
                                       dvec3_add(dvec3_from_float(root->upper), reach));
    tni_ray_slabs slabs = tni_ray_get_slabs(ray);
    double first = tni_bounds_cast_ray(&wide, &slabs);
    if (!(first <= 1.0)) {
        return false;
    }
    tni_dvec3 from = dvec3_add_scaled(o, first, t);
    double scale = cast_get_largest(t);
    double margin = CAST_LEAST_MARGIN + CAST_FLOAT_ROUNDING * cast_get_largest(from) +
                    CAST_FLOAT_ROUNDING * cast_get_largest(reach) +
                    CAST_DOUBLE_ROUNDING * (cast_get_largest(o) + scale);
    tni_dvec3 around = dvec3_add(reach, dvec3_make(margin, margin, margin));
    tni_dvec3 above = dvec3_add(from, around), below = dvec3_sub(from, around);
    out_slabs->before_lower = cast_load(above.x, above.y, above.z);
    out_slabs->before_upper = cast_load(below.x, below.y, below.z);
    out_slabs->inverse =
        cast_load(cast_invert(t.x, scale), cast_invert(t.y, scale), cast_invert(t.z, scale));
    out_slabs->first = first;
    out_slabs->scale = scale;
    return true;
}

// Returns the greatest u that a limit in fractions allows.
static float cast_get_limit(const cast_slabs *slabs, double limit) {
    double rounding = CAST_DOUBLE_ROUNDING * 4.0;
    return maths_to_float(slabs->scale * ((limit - slabs->first) * (1.0 + CAST_SLACK) + rounding));
}

// Returns in the first two lanes the largest of three lanes of a and of b.
TNI_KERNEL tni_f4 cast_get_most(tni_f4 a, tni_f4 b) {
    tni_f4 xy = f4_zip_low(a, b);
    return f4_max(f4_max(xy, f4_swap_outer(xy)), f4_zip_high(a, b));
}
TNI_KERNEL tni_f4 cast_get_least(tni_f4 a, tni_f4 b) {
    tni_f4 xy = f4_zip_low(a, b);
    return f4_min(f4_min(xy, f4_swap_outer(xy)), f4_zip_high(a, b));
}

// Finds where the ray enters two boxes, in the first two lanes. Returns a bit for each that it
// enters before the limit.
TNI_KERNEL uint32_t cast_enter(const cast_slabs *slabs, const tni_bounds *a, const tni_bounds *b,
                               float limit, tni_f4 *out_enter) {
    tni_bounds_lanes box_a = bounds_load(a), box_b = bounds_load(b);
    tni_f4 lower_a = f4_mul(f4_sub(box_a.lower, slabs->before_lower), slabs->inverse);
    tni_f4 upper_a = f4_mul(f4_sub(box_a.upper, slabs->before_upper), slabs->inverse);
    tni_f4 lower_b = f4_mul(f4_sub(box_b.lower, slabs->before_lower), slabs->inverse);
    tni_f4 upper_b = f4_mul(f4_sub(box_b.upper, slabs->before_upper), slabs->inverse);
    tni_f4 enter = cast_get_most(f4_min(lower_a, upper_a), f4_min(lower_b, upper_b));
    tni_f4 leave = cast_get_least(f4_max(lower_a, upper_a), f4_max(lower_b, upper_b));
    leave = f4_mul(leave, f4_splat((float)(1.0 + CAST_SLACK)));
    *out_enter = f4_max(enter, f4_zero());
    return m4_bits(f4_at_most(*out_enter, f4_min(leave, f4_splat(limit)))) & 3u;
}

// ---- what is near -----------------------------------------------------------------------------

// Finds the squares of the distances of two boxes from a third, in the first two lanes, somewhat
// too small. Returns a bit for each within the limit, which is a square, too.
TNI_KERNEL uint32_t cast_measure(const tni_bounds_lanes *from, const tni_bounds *a,
                                 const tni_bounds *b, float limit, tni_f4 *out_squares) {
    tni_bounds_lanes box_a = bounds_load(a), box_b = bounds_load(b);
    tni_f4 gap_a = f4_max(f4_sub(box_a.lower, from->upper), f4_sub(from->lower, box_a.upper));
    tni_f4 gap_b = f4_max(f4_sub(box_b.lower, from->upper), f4_sub(from->lower, box_b.upper));
    gap_a = f4_max(gap_a, f4_zero());
    gap_b = f4_max(gap_b, f4_zero());
    gap_a = f4_mul(gap_a, gap_a);
    gap_b = f4_mul(gap_b, gap_b);
    tni_f4 xy = f4_zip_low(gap_a, gap_b);
    tni_f4 sum = f4_add(f4_add(xy, f4_swap_outer(xy)), f4_zip_high(gap_a, gap_b));
    *out_squares = f4_mul(sum, f4_splat((float)(1.0 - CAST_SLACK)));
    return m4_bits(f4_at_most(*out_squares, f4_splat(limit))) & 3u;
}

static float cast_get_square(double limit) {
    return limit < 0.0 ? -1.0f : maths_to_float(limit * limit * (1.0 + CAST_SLACK));
}

// ---- the walk ---------------------------------------------------------------------------------

// A search is a ray or a distance. `limit` is that of the last visit, `bound` the same for boxes.
typedef struct cast_search {
    const tni_tree_node *nodes;
    const cast_slabs *slabs; // null: a distance
    tni_bounds_lanes from;
    double limit;
    float bound;
    tni_tree_cast_fn visit;
    void *context;
} cast_search;

TNI_KERNEL uint32_t cast_test(const cast_search *search, const tni_bounds *a, const tni_bounds *b,
                              tni_f4 *out_enter) {
    return search->slabs != NULL ? cast_enter(search->slabs, a, b, search->bound, out_enter)
                                 : cast_measure(&search->from, a, b, search->bound, out_enter);
}

static void cast_visit(cast_search *search, uint32_t value) {
    search->limit = search->visit(value, search->limit, search->context);
    search->bound = search->slabs != NULL ? cast_get_limit(search->slabs, search->limit)
                                          : cast_get_square(search->limit);
}

// Goes through a subtree by parent links: it needs no stack, for trees too deep for one.
static void cast_walk_linked(cast_search *search, uint32_t root) {
    const tni_tree_node *nodes = search->nodes;
    uint32_t index = root;
    while (index != TNI_NONE) {
        const tni_tree_node *node = &nodes[index];
        tni_f4 enter;
        bool enters = cast_test(search, &node->bounds, &node->bounds, &enter) != 0;
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

// Tests the children of a node. Returns the nearer one that is entered, or TNI_NONE, and puts the
// other one on the stack.
TNI_KERNEL uint32_t cast_descend(const cast_search *search, const tni_tree_node *node,
                                 cast_entry *stack, uint32_t *count) {
    const uint32_t *child = node->child;
    tni_f4 enters;
    uint32_t bits = cast_test(search, &search->nodes[child[0]].bounds,
                              &search->nodes[child[1]].bounds, &enters);
    if (bits != 3u) {
        return bits == 0 ? TNI_NONE : child[bits >> 1];
    }
    float first = f4_first(enters), second = f4_lane(enters, 1);
    uint32_t nearer = first <= second ? 0 : 1;
    stack[*count] = (cast_entry){child[1 - nearer], nearer == 0 ? second : first};
    *count += 1;
    return child[nearer];
}

TNI_KERNEL void cast_walk(cast_search *search, uint32_t root) {
    cast_entry stack[TNI_TREE_STACK];
    uint32_t count = 0, index = root;
    for (;;) {
        while (index != TNI_NONE) {
            const tni_tree_node *node = &search->nodes[index];
            if (tree_is_leaf(node)) {
                cast_visit(search, node->child[1]);
                index = TNI_NONE;
            } else if (count < TNI_TREE_STACK) {
                index = cast_descend(search, node, stack, &count);
            } else {
                cast_walk_linked(search, index);
                index = TNI_NONE;
            }
        }
        do {
            if (count == 0) {
                return;
            }
            count -= 1;
        } while (!(stack[count].enter <= search->bound));
        index = stack[count].node;
    }
}

void tni_tree_cast_box(const tni_tree *tree, const tni_ray *ray, tni_dvec3 reach, double limit,
                       tni_tree_cast_fn visit, void *context) {
    cast_slabs slabs;
    if (tree->root == TNI_NONE ||
        !cast_begin(&tree->nodes[tree->root].bounds, ray, reach, &slabs)) {
        return;
    }
    cast_search search = {.nodes = tree->nodes, .slabs = &slabs, .limit = limit, .visit = visit};
    search.bound = cast_get_limit(&slabs, limit);
    search.context = context;
    cast_walk(&search, tree->root);
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
    cast_search search = {.nodes = tree->nodes, .from = bounds_load(bounds), .limit = limit};
    search.bound = cast_get_square(limit);
    search.visit = visit;
    search.context = context;
    const tni_bounds *root = &tree->nodes[tree->root].bounds;
    tni_f4 squares;
    if (cast_measure(&search.from, root, root, search.bound, &squares) != 0) {
        cast_walk(&search, tree->root);
    }
}
