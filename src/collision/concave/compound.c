// collision/concave/compound.c: many convex shapes as one: made, searched, and met by rays.
// Test: tests/world/api/test_compound_api.c
#include "collision/concave/compound.h"

#include <string.h>

#include "collision/hull.h"

tni_bounds tni_compound_get_box(const void *compound, uint32_t child) {
    const tni_compound *own = compound;
    const tni_dpose here = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    return tni_geometry_bounds(&own->children[child], &here);
}

// ---- searches ---------------------------------------------------------------------------------

static void compound_find(const tni_concave *concave, const tni_bounds *bounds,
                          tni_concave_visit_fn visit, void *context) {
    const tni_compound *compound = (const tni_compound *)concave;
    tni_box_tree_find(&compound->tree, bounds, tni_compound_get_box, compound, visit, context);
}

static void compound_find_along(const tni_concave *concave, const tni_ray *ray, tni_dvec3 reach,
                                const double *limit, tni_concave_visit_fn visit, void *context) {
    const tni_compound *compound = (const tni_compound *)concave;
    tni_box_tree_find_along(&compound->tree, ray, reach, limit, tni_compound_get_box, compound,
                            visit, context);
}

static void compound_get_part(const tni_concave *concave, uint32_t child,
                              tni_part_geometry *out_part) {
    out_part->geometry = ((const tni_compound *)concave)->children[child];
}

static uint32_t compound_get_material(const tni_concave *concave, uint32_t child) {
    return ((const tni_compound *)concave)->materials[child];
}

typedef struct compound_cast {
    const tni_compound *compound;
    const tni_ray *ray;
    tni_ray_way way;
    tni_ray_hit *hit;
    bool meets;
} compound_cast;

static bool compound_cast_at_leaf(const uint32_t *children, uint32_t count, void *context) {
    compound_cast *cast = context;
    for (uint32_t i = 0; i < count; ++i) {
        const tni_geometry *child = &cast->compound->children[children[i]];
        tni_dquat turn = dquat_from_float(child->rotation);
        tni_ray local = ray_in_frame(cast->ray, dvec3_from_float(child->position), turn);
        tni_ray_hit hit;
        if (tni_geometry_cast_ray(child, &local, cast->way, &hit) &&
            hit.fraction <= cast->hit->fraction) {
            hit.normal = dquat_rotate(turn, hit.normal);
            *cast->hit = hit;
            cast->meets = true;
        }
    }
    return true;
}

static bool compound_cast_ray(const tni_concave *concave, const tni_ray *ray, tni_ray_way way,
                              tni_ray_hit *out_hit) {
    const tni_compound *compound = (const tni_compound *)concave;
    *out_hit = (tni_ray_hit){.fraction = 1.0};
    compound_cast cast = {compound, ray, way, out_hit, false};
    tni_box_tree_cast_ray(&compound->tree, ray, &out_hit->fraction, compound_cast_at_leaf, &cast);
    return cast.meets;
}

// ---- making it --------------------------------------------------------------------------------

static void compound_destroy(tni_shared *shared) {
    tni_compound *compound = (tni_compound *)shared;
    tni_allocator allocator = shared->allocator; // it lies in what is freed last
    size_t count = compound->base.child_count;
    for (size_t i = 0; i < count && compound->children != NULL; ++i) {
        if (compound->children[i].type == TNI_GEOMETRY_HULL) {
            tni_hull_destroy(&allocator, (tni_hull *)compound->children[i].hull.hull);
        }
    }
    tni_free(&allocator, compound->children, count * sizeof *compound->children);
    tni_free(&allocator, compound->materials, count * sizeof *compound->materials);
    tni_free(&allocator, compound->tree.order, count * sizeof *compound->tree.order);
    tni_box_tree_destroy(&compound->tree, &allocator);
    tni_free(&allocator, compound, sizeof *compound);
}

static const tni_concave_kind compound_kind = {compound_find, compound_find_along,
                                               compound_get_part, compound_cast_ray,
                                               compound_get_material};

// Takes a child over. A hull that is not built yet is null.
static tn_result compound_take(tni_compound *compound, uint32_t index,
                               const tni_compound_child *child) {
    tni_geometry *geometry = &compound->children[index];
    *geometry = child->geometry;
    compound->materials[index] = child->material;
    compound->tree.order[index] = index;
    if (geometry->type != TNI_GEOMETRY_HULL) {
        return TN_RESULT_OK;
    }
    tni_hull *hull = NULL;
    tn_result result =
        tni_hull_build(&compound->base.shared.allocator, child->points, child->point_count, &hull);
    geometry->hull.hull = hull;
    return result;
}

tni_compound *tni_compound_allocate(const tni_allocator *allocator, uint32_t child_count) {
    tni_allocator copy = *allocator;
    tni_compound *compound = tni_alloc_zeroed(&copy, sizeof *compound);
    if (!compound) {
        return NULL;
    }
    compound->base.kind = &compound_kind;
    tni_shared_init(&compound->base.shared, &copy, compound_destroy);
    compound->base.child_count = child_count;
    tni_allocator *own = &compound->base.shared.allocator;
    size_t count = child_count;
    compound->children = tni_alloc_zeroed(own, count * sizeof *compound->children);
    compound->materials = tni_alloc(own, count * sizeof *compound->materials);
    compound->tree.order = tni_alloc(own, count * sizeof *compound->tree.order);
    if (!compound->children || !compound->materials || !compound->tree.order) {
        compound_destroy(&compound->base.shared);
        return NULL;
    }
    return compound;
}

void tni_compound_finish(tni_compound *compound) {
    compound->base.bounds = compound->tree.bounds;
    tni_concave_count_materials(&compound->base, compound->materials, compound->base.child_count);
}

static tn_result compound_fill(tni_compound *compound, tni_compound_child_fn get_child,
                               const void *source) {
    uint32_t count = compound->base.child_count;
    compound->tree.count = count;
    for (uint32_t i = 0; i < count; ++i) {
        tni_compound_child child = get_child(source, i);
        tn_result result = compound_take(compound, i, &child);
        if (result != TN_RESULT_OK) {
            return result;
        }
    }
    tni_box_tree_source tree = {
        .item_end = count, .get_box = tni_compound_get_box, .owner = compound};
    return tni_box_tree_build(&compound->tree, &compound->base.shared.allocator, &tree);
}

tni_compound *tni_compound_make(const tni_allocator *allocator, uint32_t count,
                                tni_compound_child_fn get_child, const void *source,
                                tn_result *out_result) {
    tni_compound *compound = tni_compound_allocate(allocator, count);
    *out_result =
        compound != NULL ? compound_fill(compound, get_child, source) : TN_RESULT_OUT_OF_MEMORY;
    if (*out_result != TN_RESULT_OK) {
        tni_shared_release((tni_shared *)compound);
        return NULL;
    }
    tni_compound_finish(compound);
    return compound;
}
