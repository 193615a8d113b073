// world/api/query.c: finds the first shape on a straight ray, and the shapes in a box.
//
// The trees hold enlarged boxes, which are renewed at the beginning of a step for the motion in it
// (world/collide/broad_phase.c). A shape that a blow threw farther is outside its box until the
// next step: these few strays are found once after a step, and tested one by one. The trees stay as
// they are, so that asking changes no step. Test: tests/world/api/test_query.c
#include <stdlib.h>

#include "core/dmat3.h"
#include "core/latch.h"
#include "solver/movers/affine.h"
#include "world/bodies.h"
#include "world/contacts.h"
#include "world/joints.h"
#include "world/records/convert.h"

// The number of rays in one piece of a loop, which takes some ten microseconds.
#define QUERY_RAYS 16u

// ---- strays -----------------------------------------------------------------------------------

static bool query_is_stray(const tn_world *world, uint32_t index) {
    tni_bounds bounds = tni_shape_get_bounds(world, index);
    return tni_shape_at(world, index)->leaf != TNI_NONE &&
           !tni_bounds_contain(&tni_shape_boxes_at(world, index)->enlarged, &bounds);
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
    return succeeds;
}

// Finds the strays unless they are known; the first thread that asks does it for all. Returns false
// after a report if the world is locked or there is no memory.
static bool query_begin(const tn_world *world, const char *function) {
    if (!world || tni_world_refuses_query(world, function)) {
        return false;
    }
    tn_world *owner = (tn_world *)world;
    if (!tni_latch_begin(&owner->knows_strays)) {
        return true;
    }
    bool succeeds = query_list_strays(owner);
    tni_latch_end(&owner->knows_strays, succeeds);
    if (!succeeds) {
        tni_world_report(world, TN_RESULT_OUT_OF_MEMORY, function,
                         "There is no memory to look for what was thrown out of its box.", 0);
    }
    return succeeds;
}

// ---- filters ----------------------------------------------------------------------------------

tn_query_filter tn_query_filter_default(void) {
    tn_filter filter = tn_shape_def_default().filter;
    return (tn_query_filter){
        .category = filter.category, .mask = filter.mask, .group = filter.group};
}

// The filter of a query, or the default filter if the user gave none.
typedef struct query_filter {
    tn_query_filter own;
    tn_filter bits;
} query_filter;

static query_filter query_read_filter(const tn_query_filter *filter) {
    query_filter read = {.own = filter != NULL ? *filter : tn_query_filter_default()};
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

// Returns whether a shape passes. The callback is asked last, if all else lets the shape pass.
static bool query_passes(const tn_world *world, const query_filter *filter,
                         const tni_shape *shape) {
    return tni_filters_pass(world, &filter->bits, &shape->filter) &&
           (!shape->is_sensor || filter->own.finds_sensors) &&
           (filter->own.ignored_count == 0 ||
            !query_is_ignored(&filter->own, tni_body_at(world, shape->body)->handle));
}

static bool query_accepts(const tn_world *world, const query_filter *filter,
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

static bool query_check_filter(const tn_world *world, const tn_query_filter *filter,
                               const char *function) {
    if (filter == NULL || filter->ignored_count == 0 || filter->ignored != NULL) {
        return true;
    }
    tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                     "A filter counts bodies to ignore, and has none.", 0);
    return false;
}

// ---- one ray ----------------------------------------------------------------------------------

typedef struct query_cast {
    const tn_world *world;
    query_filter filter;
    tni_ray ray;
    uint32_t shape; // hit first so far, or TNI_NONE
    tni_ray_hit hit;
} query_cast;

// Casts the ray in the shape at rest: an affine map p = c + A X takes straight lines to straight
// lines and keeps fractions. A normal returns by the inverse transposed, which is the cofactor
// matrix up to its length and, if the body is inside out, its sign.
static bool query_cast_affine(const tni_reduced *affine, const tni_geometry *geometry,
                              const tni_ray *ray, tni_ray_hit *out_hit) {
    tni_dvec3 center = affine->bodies[0].center;
    tni_dvec3 end = dvec3_add(ray->origin, ray->translation);
    tni_dvec3 from = dvec3_add(tni_affine_find_arm(affine, ray->origin), center);
    tni_dvec3 to = dvec3_add(tni_affine_find_arm(affine, end), center);
    tni_dquat turn = dquat_from_float(geometry->rotation);
    tni_dvec3 position = dvec3_from_float(geometry->position);
    tni_ray local = {dquat_rotate_inverse(turn, dvec3_sub(from, position)),
                     dquat_rotate_inverse(turn, dvec3_sub(to, from))};
    if (!tni_geometry_cast_ray(geometry, &local, out_hit)) {
        return false;
    }
    const tni_dmat3 *a = &affine->affine->gradient;
    tni_dmat3 cofactor = dmat3_cofactor(a);
    tni_dvec3 normal = dmat3_mul_vec(&cofactor, dquat_rotate(turn, out_hit->normal));
    double length = dvec3_length(normal);
    double sign = dmat3_determinant(a) < 0.0 ? -1.0 : 1.0;
    out_hit->normal = length > 0.0 ? dvec3_scale(normal, sign / length) : normal;
    return true;
}

static bool query_cast_shape(const tn_world *world, const tni_shape *shape, const tni_ray *ray,
                             tni_ray_hit *out_hit) {
    const tni_body *body = tni_body_at(world, shape->body);
    const tni_geometry *geometry = &shape->geometry;
    const tni_reduced *affine = tni_body_get_affine(world, body);
    if (affine != NULL) {
        return query_cast_affine(affine, geometry, ray, out_hit);
    }
    tni_dpose pose = tni_body_get_place(body);
    tni_dquat turn = dquat_mul(pose.rotation, dquat_from_float(geometry->rotation));
    tni_dvec3 position =
        dvec3_add(pose.position, dquat_rotate(pose.rotation, dvec3_from_float(geometry->position)));
    tni_ray local = {dquat_rotate_inverse(turn, dvec3_sub(ray->origin, position)),
                     dquat_rotate_inverse(turn, ray->translation)};
    if (!tni_geometry_cast_ray(geometry, &local, out_hit)) {
        return false;
    }
    out_hit->normal = dquat_rotate(turn, out_hit->normal);
    return true;
}

static double query_visit(uint32_t index, double limit, void *context) {
    query_cast *cast = context;
    const tni_shape *shape = tni_shape_at(cast->world, index);
    tni_ray_hit hit;
    if (!query_passes(cast->world, &cast->filter, shape) ||
        !query_cast_shape(cast->world, shape, &cast->ray, &hit)) {
        return limit;
    }
    bool is_first = cast->shape == TNI_NONE || hit.fraction < cast->hit.fraction ||
                    (hit.fraction == cast->hit.fraction && index < cast->shape);
    if (is_first && query_accepts(cast->world, &cast->filter, shape)) {
        cast->shape = index;
        cast->hit = hit;
    }
    return cast->shape != TNI_NONE ? cast->hit.fraction : limit;
}

static void query_visit_all(const tni_index_list *list, query_cast *cast) {
    for (uint32_t i = 0; i < list->count; ++i) {
        query_visit(list->items[i], 1.0, cast);
    }
}

static tn_ray_hit query_describe(const query_cast *cast) {
    tn_ray_hit hit = {0};
    if (cast->shape == TNI_NONE) {
        return hit;
    }
    tni_dvec3 way = cast->ray.translation, normal = cast->hit.normal;
    double length = dvec3_length(way);
    if (cast->hit.fraction == 0.0) {
        normal = length > 0.0 ? dvec3_scale(way, -1.0 / length) : dvec3_make(0.0, 0.0, 0.0);
    }
    hit.shape.value = tni_shape_at(cast->world, cast->shape)->handle;
    hit.point = dvec3_to_plain(dvec3_add_scaled(cast->ray.origin, cast->hit.fraction, way));
    hit.normal = dvec3_to_plain(normal);
    hit.fraction = cast->hit.fraction;
    return hit;
}

static tn_ray_hit query_cast_ray(const tn_world *world, const tn_ray *ray) {
    query_cast cast = {.world = world, .filter = query_read_filter(ray->filter), .shape = TNI_NONE};
    cast.ray.origin = dvec3_from_plain(ray->origin);
    cast.ray.translation = dvec3_from_plain(ray->translation);
    tni_tree_cast_ray(&world->static_tree, &cast.ray, query_visit, &cast);
    tni_tree_cast_ray(&world->moving_tree, &cast.ray, query_visit, &cast);
    query_visit_all(&world->half_spaces, &cast);
    if (cast.filter.own.finds_sensors) {
        tni_tree_cast_ray(&world->sensing.tree, &cast.ray, query_visit, &cast);
        query_visit_all(&world->sensing.planes, &cast);
    }
    query_visit_all(&world->strays, &cast);
    return query_describe(&cast);
}

// ---- rays -------------------------------------------------------------------------------------

tn_ray tn_ray_make(tn_vec3 origin, tn_vec3 translation) {
    tn_ray ray = {origin, translation, NULL};
    return ray;
}

typedef struct query_batch {
    const tn_world *world;
    const tn_ray *rays;
    tn_ray_hit *hits;
} query_batch;

static void query_cast_batch(uint32_t first, uint32_t last, uint32_t worker, void *context) {
    (void)worker;
    const query_batch *batch = context;
    for (uint32_t i = first; i < last; ++i) {
        batch->hits[i] = query_cast_ray(batch->world, &batch->rays[i]);
    }
}

static bool query_check_rays(const tn_world *world, const tn_ray *rays, uint32_t count,
                             const char *function) {
    if (rays == NULL && count > 0) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function, "There is no ray.", 0);
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!convert_is_finite(rays[i].origin) || !convert_is_finite_float(rays[i].translation)) {
            tni_world_report(world, TN_RESULT_NOT_FINITE, function,
                             "A ray's origin and translation must be finite.", 0);
            return false;
        }
        if (!query_check_filter(world, rays[i].filter, function)) {
            return false;
        }
    }
    return true;
}

// Casts a batch of rays. The world's workers help one thread at a time; other threads cast alone.
static void query_run_batch(const tn_world *world, query_batch *batch, uint32_t count) {
    tni_latch *helps = &((tn_world *)world)->helps_query;
    if (count > QUERY_RAYS && tni_latch_try(helps)) {
        tni_tasks_run(&world->tasks, query_cast_batch, count, QUERY_RAYS, batch);
        tni_latch_reopen(helps);
    } else {
        query_cast_batch(0, count, 0, batch);
    }
}

static uint32_t query_cast_rays(const tn_world *world, const tn_ray *rays, uint32_t count,
                                tn_ray_hit *hits, const char *function) {
    for (uint32_t i = 0; i < count; ++i) {
        hits[i] = (tn_ray_hit){0};
    }
    if (!query_begin(world, function) || !query_check_rays(world, rays, count, function)) {
        return 0;
    }
    query_batch batch = {world, rays, hits};
    query_run_batch(world, &batch, count);
    uint32_t hit_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        hit_count += hits[i].shape.value != 0 ? 1 : 0;
    }
    return hit_count;
}

bool tn_world_cast_ray(const tn_world *world, const tn_ray *ray, tn_ray_hit *out_hit) {
    tn_ray_hit hit;
    bool hits = query_cast_rays(world, ray, 1, &hit, __func__) > 0;
    if (out_hit != NULL) {
        *out_hit = hit;
    }
    return hits;
}

uint32_t tn_world_cast_rays(const tn_world *world, const tn_ray *rays, uint32_t count,
                            tn_ray_hit *out_hits) {
    if (world && out_hits == NULL && count > 0) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, __func__,
                         "There is no room for the hits.", 0);
        return 0;
    }
    return query_cast_rays(world, rays, out_hits != NULL ? count : 0, out_hits, __func__);
}

// ---- boxes ------------------------------------------------------------------------------------

typedef struct query_box {
    const tn_world *world;
    query_filter filter;
    tni_bounds bounds;
    tn_shape_id *shapes;
    uint32_t count, capacity; // count: found, even beyond the capacity
} query_box;

static void query_note_shape(query_box *box, const tni_shape *shape) {
    if (!query_passes(box->world, &box->filter, shape) ||
        !query_accepts(box->world, &box->filter, shape)) {
        return;
    }
    if (box->count < box->capacity) {
        box->shapes[box->count].value = shape->handle;
    }
    box->count += 1;
}

// Visits a shape in the tree. A stray found here is skipped, for the list of strays has it.
static bool query_visit_box(uint32_t index, void *context) {
    query_box *box = context;
    tni_bounds bounds = tni_shape_get_bounds(box->world, index);
    if (tni_bounds_overlap(&bounds, &box->bounds) && !query_is_stray(box->world, index)) {
        query_note_shape(box, tni_shape_at(box->world, index));
    }
    return true;
}

static void query_find_planes(query_box *box, const tni_index_list *planes) {
    for (uint32_t i = 0; i < planes->count; ++i) {
        const tni_shape *shape = tni_shape_at(box->world, planes->items[i]);
        tni_plane_place plane = tni_shape_get_plane(box->world, shape);
        if (tni_plane_get_height(&plane, &box->bounds) <= 0.0) {
            query_note_shape(box, shape);
        }
    }
}

static void query_find_in_lists(query_box *box) {
    const tn_world *world = box->world;
    for (uint32_t i = 0; i < world->strays.count; ++i) {
        uint32_t stray = world->strays.items[i];
        tni_bounds bounds = tni_shape_get_bounds(world, stray);
        if (tni_bounds_overlap(&bounds, &box->bounds) && query_is_stray(world, stray)) {
            query_note_shape(box, tni_shape_at(world, stray));
        }
    }
    query_find_planes(box, &world->half_spaces);
    if (box->filter.own.finds_sensors) {
        query_find_planes(box, &world->sensing.planes);
    }
}

static int query_compare_shapes(const void *a, const void *b) {
    uint32_t x = ((const tn_shape_id *)a)->value & TNI_POOL_INDEX_MASK;
    uint32_t y = ((const tn_shape_id *)b)->value & TNI_POOL_INDEX_MASK;
    return x < y ? -1 : x > y ? 1 : 0;
}

static bool query_check_box(const tn_world *world, const tn_bounds *bounds,
                            const tn_query_filter *filter, const char *function) {
    if (!convert_is_finite(bounds->lower) || !convert_is_finite(bounds->upper)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, function, "The box must be finite.", 0);
        return false;
    }
    bool is_box = bounds->lower.x <= bounds->upper.x && bounds->lower.y <= bounds->upper.y &&
                  bounds->lower.z <= bounds->upper.z;
    if (!is_box) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "The lower corner of the box must not be above the upper one.", 0);
        return false;
    }
    return query_check_filter(world, filter, function);
}

uint32_t tn_world_find_shapes(const tn_world *world, tn_bounds bounds,
                              const tn_query_filter *filter, tn_shape_id *out_shapes,
                              uint32_t capacity) {
    if (!query_begin(world, __func__) || !query_check_box(world, &bounds, filter, __func__)) {
        return 0;
    }
    query_box box = {.world = world, .filter = query_read_filter(filter), .shapes = out_shapes};
    box.capacity = out_shapes != NULL ? capacity : 0;
    box.bounds = tni_bounds_round(dvec3_from_plain(bounds.lower), dvec3_from_plain(bounds.upper));
    tni_tree_query(&world->static_tree, &box.bounds, query_visit_box, &box);
    tni_tree_query(&world->moving_tree, &box.bounds, query_visit_box, &box);
    if (box.filter.own.finds_sensors) {
        tni_tree_query(&world->sensing.tree, &box.bounds, query_visit_box, &box);
    }
    query_find_in_lists(&box);
    if (box.count > 1 && box.count <= box.capacity) {
        qsort(out_shapes, box.count, sizeof *out_shapes, query_compare_shapes);
    }
    return box.count;
}
