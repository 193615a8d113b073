// world/queries/query.c: what all queries begin with: strays, filters, and the walk through the
// trees.
//
// The trees hold enlarged boxes, which are renewed at the beginning of a step for the motion in it
// (world/collide/broad_phase.c). A shape that a blow threw farther is outside its box until the
// next step: these few strays are found once after a step, and tested one by one. The trees stay as
// they are, so that asking changes no step. A listed stray is skipped where a tree has it. Test:
// tests/world/queries/test_query.c
#include <stdlib.h>

#include "core/latch.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/queries/query_internal.h"

// ---- strays -----------------------------------------------------------------------------------

static bool query_is_stray(const tn_world *world, uint32_t index) {
    tni_bounds bounds = tni_shape_get_bounds(world, index);
    return tni_shape_at(world, index)->leaf != TNI_NONE &&
           !tni_bounds_contain(&tni_shape_boxes_at(world, index)->enlarged, &bounds);
}

static int query_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static bool query_list_strays(tn_world *world) {
    bool succeeds = true;
    world->strays.count = 0;
    for (uint32_t i = 0; i < world->awake_bodies.count && succeeds; ++i) {
        const tni_body *body = tni_body_at(world, world->awake_bodies.items[i]);
        for (uint32_t s = body->shape_head; s != TNI_NONE; s = tni_shape_at(world, s)->next) {
            succeeds = succeeds && (!query_is_stray(world, s) ||
                                    tni_index_list_add(&world->allocator, &world->strays, s));
        }
    }
    if (world->strays.count > 1) {
        qsort(world->strays.items, world->strays.count, sizeof(uint32_t), query_compare);
    }
    return succeeds;
}

// Returns whether the list of strays has the shape, which then counts as out of its tree.
static bool query_is_listed(const tn_world *world, uint32_t index) {
    const tni_index_list *strays = &world->strays;
    return strays->count > 0 &&
           bsearch(&index, strays->items, strays->count, sizeof(uint32_t), query_compare) != NULL;
}

static bool query_find_strays(tn_world *world) {
    if (!tni_latch_begin(&world->knows_strays)) {
        return true;
    }
    bool succeeds = query_list_strays(world);
    tni_latch_end(&world->knows_strays, succeeds);
    return succeeds;
}

// Without memory the trees are searched more slowly, until the next change.
static void query_prepare_trees(tn_world *world) {
    tni_tree_renew_quads(&world->static_tree);
    tni_tree_renew_quads(&world->moving_tree);
    tni_tree_renew_quads(&world->sensing.tree);
}

bool tni_query_begin(const tn_world *world, const char *function) {
    if (!world || tni_world_refuses_query(world, function)) {
        return false;
    }
    tn_world *owner = (tn_world *)world;
    if (!query_find_strays(owner)) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, function,
                         "There is no memory to look for what was thrown out of its box.", 0);
        return false;
    }
    // Only then, so that no two threads use the allocator at once.
    if (tni_latch_begin(&owner->knows_boxes)) {
        query_prepare_trees(owner);
        tni_latch_end(&owner->knows_boxes, true);
    }
    return true;
}

// ---- filters ----------------------------------------------------------------------------------

tn_query_filter tn_query_filter_default(void) {
    tn_filter filter = tn_shape_def_default().filter;
    return (tn_query_filter){
        .category = filter.category, .mask = filter.mask, .group = filter.group};
}

tni_query_filter tni_query_read_filter(const tn_query_filter *filter) {
    tni_query_filter read = {.own = filter != NULL ? *filter : tn_query_filter_default()};
    read.bits = (tn_filter){read.own.category, read.own.mask, read.own.group};
    return read;
}

static bool query_is_ignored(const tn_query_filter *filter, uint32_t body) {
    for (uint32_t i = 0; i < filter->ignored_count; ++i) {
        if (filter->ignored[i].value == body) {
            return true;
        }
    }
    return false;
}

bool tni_query_passes(const tn_world *world, const tni_query_filter *filter,
                      const tni_shape *shape) {
    return tni_filters_pass(world, &filter->bits, &shape->filter) &&
           (!shape->is_sensor || filter->own.finds_sensors) &&
           (filter->own.ignored_count == 0 ||
            !query_is_ignored(&filter->own, tni_body_at(world, shape->body)->handle));
}

bool tni_query_accepts(const tn_world *world, const tni_query_filter *filter,
                       const tni_shape *shape) {
    if (filter->own.accept == NULL) {
        return true;
    }
    tni_counter *asked = &((tn_world *)world)->asked;
    tni_counter_raise(asked);
    bool accepts = filter->own.accept(world, (tn_shape_id){shape->handle}, filter->own.user_data);
    tni_counter_lower(asked);
    return accepts;
}

bool tni_query_check_filter(const tn_world *world, const tn_query_filter *filter,
                            const char *function) {
    if (filter == NULL || filter->ignored_count == 0 || filter->ignored != NULL) {
        return true;
    }
    tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                     "A filter counts bodies to ignore, and has none.", 0);
    return false;
}

// ---- the walk ---------------------------------------------------------------------------------

typedef struct query_walk {
    const tn_world *world;
    const tni_bounds *bounds;
    tni_query_shape_fn *visit;
    void *context;
} query_walk;

// Visits a shape in the tree, unless the list of strays has it.
static bool query_walk_leaf(uint32_t index, void *context) {
    const query_walk *walk = context;
    if (!query_is_listed(walk->world, index)) {
        walk->visit(index, walk->context);
    }
    return true;
}

static void query_walk_planes(const query_walk *walk, const tni_index_list *planes) {
    for (uint32_t i = 0; i < planes->count; ++i) {
        const tni_shape *shape = tni_shape_at(walk->world, planes->items[i]);
        tni_plane_place plane = tni_shape_get_plane(walk->world, shape);
        if (tni_plane_get_height(&plane, walk->bounds) <= 0.0) {
            walk->visit(planes->items[i], walk->context);
        }
    }
}

void tni_query_visit_shapes(const tn_world *world, const tni_query_filter *filter,
                            const tni_bounds *bounds, tni_query_shape_fn *visit, void *context) {
    query_walk walk = {world, bounds, visit, context};
    tni_tree_query(&world->static_tree, bounds, query_walk_leaf, &walk);
    tni_tree_query(&world->moving_tree, bounds, query_walk_leaf, &walk);
    if (filter->own.finds_sensors) {
        tni_tree_query(&world->sensing.tree, bounds, query_walk_leaf, &walk);
        query_walk_planes(&walk, &world->sensing.planes);
    }
    for (uint32_t i = 0; i < world->strays.count; ++i) {
        uint32_t stray = world->strays.items[i];
        tni_bounds own = tni_shape_get_bounds(world, stray);
        if (tni_bounds_overlap(&own, bounds)) {
            visit(stray, context);
        }
    }
    query_walk_planes(&walk, &world->half_spaces);
}

// Notes the limit between the visits of one tree and those of the next.
typedef struct query_way {
    const tn_world *world;
    const tni_query_filter *filter;
    tni_tree_cast_fn visit;
    void *context;
    double limit;
} query_way;

static double query_way_visit(query_way *way, uint32_t index) {
    way->limit = way->visit(index, way->limit, way->context);
    return way->limit;
}

static double query_way_leaf(uint32_t index, double limit, void *context) {
    query_way *way = context;
    return query_is_listed(way->world, index) ? limit : query_way_visit(way, index);
}

static void query_visit_list(query_way *way, const tni_index_list *list) {
    for (uint32_t i = 0; i < list->count && way->limit >= 0.0; ++i) {
        query_way_visit(way, list->items[i]);
    }
}

static double query_visit_lists(query_way *way) {
    query_visit_list(way, &way->world->half_spaces);
    if (way->filter->own.finds_sensors) {
        query_visit_list(way, &way->world->sensing.planes);
    }
    query_visit_list(way, &way->world->strays);
    return way->limit;
}

// The trees that a query looks into.
static uint32_t query_get_trees(const tn_world *world, const tni_query_filter *filter,
                                const tni_tree *trees[3]) {
    trees[0] = &world->static_tree;
    trees[1] = &world->moving_tree;
    trees[2] = &world->sensing.tree;
    return filter->own.finds_sensors ? 3 : 2;
}

double tni_query_visit_along(const tn_world *world, const tni_query_filter *filter,
                             const tni_ray *ray, tni_dvec3 reach, tni_tree_cast_fn visit,
                             void *context) {
    query_way way = {world, filter, visit, context, 1.0};
    const tni_tree *trees[3];
    uint32_t count = query_get_trees(world, filter, trees);
    for (uint32_t i = 0; i < count && way.limit >= 0.0; ++i) {
        tni_tree_cast_box(trees[i], ray, reach, way.limit, query_way_leaf, &way);
    }
    return query_visit_lists(&way);
}

double tni_query_visit_near(const tn_world *world, const tni_query_filter *filter,
                            const tni_bounds *bounds, double limit, tni_tree_cast_fn visit,
                            void *context) {
    query_way way = {world, filter, visit, context, limit};
    const tni_tree *trees[3];
    uint32_t count = query_get_trees(world, filter, trees);
    for (uint32_t i = 0; i < count && way.limit >= 0.0; ++i) {
        tni_tree_find_near(trees[i], bounds, way.limit, query_way_leaf, &way);
    }
    return query_visit_lists(&way);
}
