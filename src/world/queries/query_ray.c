// world/queries/query_ray.c: rays through the world: the first shape, any, or all of them.
//
// Test: tests/world/queries/test_query.c, test_query_rays.c
#include "world/queries/query_internal.h"
#include "world/records/convert.h"

// The number of rays in one piece of a loop, which takes some ten microseconds.
#define RAYS_PIECE 16u
// Takes the smallest double to a length whose square is a double.
#define RAY_ENLARGEMENT 0x1p600

typedef struct ray_found {
    double fraction;
    uint32_t shape;
    bool is_back;
    tni_dvec3 normal;
} ray_found;

// A cast keeps the first hit, or, if it has a list, adds all hits to that.
typedef struct ray_cast {
    const tn_world *world;
    const tn_ray *given;
    tni_query_filter filter;
    tni_ray ray;
    bool takes_any;
    tni_query_list *list;  // of tn_ray_hit, or null
    ray_found first;       // its shape is TNI_NONE: none so far
    ray_found entry, exit; // of the shape that is visited; their shape is TNI_NONE: none
} ray_cast;

tn_ray tn_ray_make(tn_vec3 origin, tn_vec3 translation) {
    tn_ray ray = {.origin = origin, .translation = translation};
    return ray;
}

// Compares two hits by their places on the ray, and by index where these are equal.
static int ray_compare_found(const ray_found *x, const ray_found *y) {
    if (x->fraction != y->fraction) {
        return x->fraction < y->fraction ? -1 : 1;
    }
    return x->shape < y->shape ? -1 : x->shape > y->shape ? 1 : 0;
}

// ---- one shape --------------------------------------------------------------------------------

static void ray_meet(const tni_query_piece *piece, ray_cast *cast) {
    bool is_concave = tni_geometry_is_concave(piece->geometry->type);
    tni_ray_hit hit;
    bool meets = tni_query_cast_piece(piece, &cast->ray, TNI_RAY_ENTERS, &hit), enters = meets;
    bool begins_inside = meets && hit.fraction == 0.0;
    if (begins_inside && cast->given->inside == TN_QUERY_INSIDE_IGNORE) {
        return;
    }
    if (begins_inside && cast->given->inside == TN_QUERY_INSIDE_PASS) {
        enters = is_concave && tni_query_cast_piece(piece, &cast->ray, TNI_RAY_ENTERS_ANEW, &hit);
    }
    if (enters) {
        cast->entry = (ray_found){hit.fraction, piece->shape, false, hit.normal};
    }
    // A ray leaves a convex piece only after it has entered it.
    bool may_leave = is_concave || (meets && (cast->list != NULL || begins_inside));
    if (cast->given->has_back_faces && may_leave &&
        tni_query_cast_piece(piece, &cast->ray, TNI_RAY_LEAVES, &hit)) {
        // At a corner or an edge the two places differ by round-off.
        bool is_graze = enters && !is_concave && hit.fraction < cast->entry.fraction;
        double fraction = is_graze ? cast->entry.fraction : hit.fraction;
        cast->exit = (ray_found){fraction, piece->shape, true, hit.normal};
    }
}

// Returns the unit vector against the ray, or zero if the ray has no length.
static tni_dvec3 ray_get_back(tni_dvec3 way) {
    double length = dvec3_length(way);
    if (length == 0.0) { // the square of a length below 1e-162 m is 0
        way = dvec3_scale(way, RAY_ENLARGEMENT);
        length = dvec3_length(way);
    }
    return length > 0.0 ? dvec3_scale(way, -1.0 / length) : dvec3_make(0.0, 0.0, 0.0);
}

static tn_ray_hit ray_describe(const ray_cast *cast, const ray_found *found) {
    tn_ray_hit hit = {0};
    if (found->shape == TNI_NONE) {
        return hit;
    }
    tni_dvec3 way = cast->ray.translation, normal = found->normal;
    // Far away, where the ray's place is less exact than the shape is large, there is no normal.
    double square = dvec3_dot(normal, normal);
    if (found->fraction == 0.0 || !(square > 0.9 && square < 1.1)) {
        normal = ray_get_back(way);
    }
    hit.shape.value = tni_shape_at(cast->world, found->shape)->handle;
    hit.point = dvec3_to_plain(dvec3_add_scaled(cast->ray.origin, found->fraction, way));
    hit.normal = dvec3_to_plain(normal);
    hit.fraction = found->fraction;
    hit.is_back = found->is_back;
    return hit;
}

static void ray_add(ray_cast *cast, const ray_found *found) {
    if (found->shape != TNI_NONE) {
        tn_ray_hit hit = ray_describe(cast, found);
        tni_query_list_add(cast->list, &hit);
    }
}

static double ray_visit(uint32_t index, double limit, void *context) {
    ray_cast *cast = context;
    const tni_shape *shape = tni_shape_at(cast->world, index);
    if (!tni_query_passes(cast->world, &cast->filter, shape)) {
        return limit;
    }
    cast->entry.shape = cast->exit.shape = TNI_NONE;
    tni_query_piece whole = tni_query_get_whole(cast->world, index);
    ray_meet(&whole, cast);
    const ray_found *found = &cast->entry;
    if (cast->exit.shape != TNI_NONE &&
        (found->shape == TNI_NONE || ray_compare_found(&cast->exit, found) < 0)) {
        found = &cast->exit;
    }
    bool is_first =
        found->shape != TNI_NONE && (cast->list != NULL || cast->first.shape == TNI_NONE ||
                                     ray_compare_found(found, &cast->first) < 0);
    if (!is_first || !tni_query_accepts(cast->world, &cast->filter, shape)) {
        return limit;
    }
    if (cast->list != NULL) {
        ray_add(cast, &cast->entry);
        ray_add(cast, &cast->exit);
        return limit;
    }
    cast->first = *found;
    return cast->takes_any ? -1.0 : found->fraction;
}

static void ray_run(const tn_world *world, const tn_ray *ray, ray_cast *cast) {
    cast->world = world;
    cast->given = ray;
    cast->filter = tni_query_read_filter(ray->filter);
    cast->ray.origin = dvec3_from_plain(ray->origin);
    cast->ray.translation = dvec3_from_plain(ray->translation);
    cast->first.shape = TNI_NONE;
    tni_query_visit_along(world, &cast->filter, &cast->ray, dvec3_make(0.0, 0.0, 0.0), ray_visit,
                          cast);
}

// ---- kinds of casts ---------------------------------------------------------------------------

static tn_ray_hit ray_cast_first(const tn_world *world, const tn_ray *ray) {
    ray_cast cast = {0};
    ray_run(world, ray, &cast);
    return ray_describe(&cast, &cast.first);
}

static bool ray_cast_any(const tn_world *world, const tn_ray *ray) {
    ray_cast cast = {.takes_any = true};
    ray_run(world, ray, &cast);
    return cast.first.shape != TNI_NONE;
}

static int ray_compare_hits(const void *a, const void *b) {
    const tn_ray_hit *x = a, *y = b;
    ray_found first = {.fraction = x->fraction, .shape = x->shape.value & TNI_POOL_INDEX_MASK};
    ray_found second = {.fraction = y->fraction, .shape = y->shape.value & TNI_POOL_INDEX_MASK};
    int order = ray_compare_found(&first, &second);
    return order != 0 ? order : (int)x->is_back - (int)y->is_back;
}

static uint32_t ray_cast_all(const tn_world *world, const tn_ray *ray, tn_ray_hit *hits,
                             uint32_t capacity) {
    tni_query_list list = {.items = (char *)hits, .size = sizeof *hits, .capacity = capacity};
    list.compare = ray_compare_hits;
    ray_cast cast = {.list = &list};
    ray_run(world, ray, &cast);
    return tni_query_list_sort(&list);
}

// ---- checks -----------------------------------------------------------------------------------

static bool ray_check(const tn_world *world, const tn_ray *ray, const char *function) {
    if (!convert_is_finite(ray->origin) || !convert_is_finite_float(ray->translation)) {
        tni_world_report(world, TN_RESULT_NOT_FINITE, function,
                         "A ray's origin and translation must be finite.", 0);
        return false;
    }
    if ((uint32_t)ray->inside > TN_QUERY_INSIDE_IGNORE) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         "A ray's `inside` must be REPORT, PASS or IGNORE.", 0);
        return false;
    }
    return tni_query_check_filter(world, ray->filter, function);
}

// Begins a query with rays, whose results go to `out`. Returns false after a report.
static bool ray_begin(const tn_world *world, const tn_ray *rays, uint32_t count, const void *out,
                      const char *function) {
    if (!tni_query_begin(world, function)) {
        return false;
    }
    if ((rays == NULL || out == NULL) && count > 0) {
        tni_world_report(world, TN_RESULT_INVALID_ARGUMENT, function,
                         rays == NULL ? "There is no ray." : "There is no room for the hits.", 0);
        return false;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!ray_check(world, &rays[i], function)) {
            return false;
        }
    }
    return true;
}

// ---- one ray ----------------------------------------------------------------------------------

bool tn_world_cast_ray(const tn_world *world, const tn_ray *ray, tn_ray_hit *out_hit) {
    tni_float_environment host = tni_float_environment_enter();
    tn_ray_hit hit = {0};
    if (ray_begin(world, ray, 1, &hit, __func__)) {
        hit = ray_cast_first(world, ray);
    }
    tni_float_environment_leave(host);
    if (out_hit != NULL) {
        *out_hit = hit;
    }
    return hit.shape.value != 0;
}

bool tn_world_cast_ray_any(const tn_world *world, const tn_ray *ray) {
    tni_float_environment host = tni_float_environment_enter();
    bool meets = ray_begin(world, ray, 1, world, __func__) && ray_cast_any(world, ray);
    tni_float_environment_leave(host);
    return meets;
}

uint32_t tn_world_cast_ray_all(const tn_world *world, const tn_ray *ray, tn_ray_hit *out_hits,
                               uint32_t capacity) {
    tni_float_environment host = tni_float_environment_enter();
    uint32_t count = 0;
    if (ray_begin(world, ray, 1, world, __func__)) {
        count = ray_cast_all(world, ray, out_hits, out_hits != NULL ? capacity : 0);
    }
    tni_float_environment_leave(host);
    return count;
}

// ---- many rays --------------------------------------------------------------------------------

// A batch has the arrays of its question alone: `meets`, `counts` with or without hits, or hits.
typedef struct ray_batch {
    const tn_world *world;
    const tn_ray *rays;
    tn_ray_hit *hits;
    uint32_t capacity; // of the hits of one ray
    bool *meets;
    uint32_t *counts;
} ray_batch;

static void ray_answer(const void *context, uint32_t i) {
    const ray_batch *batch = context;
    const tn_ray *ray = &batch->rays[i];
    if (batch->meets != NULL) {
        batch->meets[i] = ray_cast_any(batch->world, ray);
    } else if (batch->counts != NULL) {
        tn_ray_hit *hits = batch->hits != NULL ? &batch->hits[(size_t)i * batch->capacity] : NULL;
        batch->counts[i] = ray_cast_all(batch->world, ray, hits, batch->capacity);
    } else {
        batch->hits[i] = ray_cast_first(batch->world, ray);
    }
}

static void ray_get_line(const void *context, uint32_t i, tni_dvec3 out_ends[2]) {
    const tn_ray *ray = &((const ray_batch *)context)->rays[i];
    out_ends[0] = dvec3_from_plain(ray->origin);
    out_ends[1] = dvec3_add(out_ends[0], dvec3_from_plain(ray->translation));
}

static void ray_clear_answers(const ray_batch *batch, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        if (batch->meets != NULL) {
            batch->meets[i] = false;
        } else if (batch->counts != NULL) {
            batch->counts[i] = 0;
        } else if (batch->hits != NULL) {
            batch->hits[i] = (tn_ray_hit){0};
        }
    }
}

// Casts the rays. `out` is the array that must be there. Returns how many met a shape.
static uint32_t ray_run_batch(const ray_batch *batch, uint32_t count, const void *out,
                              const char *function) {
    if (out != NULL) {
        ray_clear_answers(batch, count);
    }
    tni_float_environment host = tni_float_environment_enter();
    bool may_ask = ray_begin(batch->world, batch->rays, count, out, function);
    if (may_ask) {
        tni_query_batch queries = {ray_answer, ray_get_line, batch, count, RAYS_PIECE};
        tni_query_run_batch(batch->world, &queries);
    }
    tni_float_environment_leave(host);
    if (!may_ask) {
        return 0;
    }
    uint32_t met_count = 0;
    for (uint32_t i = 0; i < count; ++i) {
        bool meets = batch->meets != NULL    ? batch->meets[i]
                     : batch->counts != NULL ? batch->counts[i] > 0
                                             : batch->hits[i].shape.value != 0;
        met_count += meets ? 1 : 0;
    }
    return met_count;
}

uint32_t tn_world_cast_rays(const tn_world *world, const tn_ray *rays, uint32_t count,
                            tn_ray_hit *out_hits) {
    ray_batch batch = {.world = world, .rays = rays, .hits = out_hits};
    return ray_run_batch(&batch, count, out_hits, __func__);
}

uint32_t tn_world_cast_rays_any(const tn_world *world, const tn_ray *rays, uint32_t count,
                                bool *out_meets) {
    ray_batch batch = {.world = world, .rays = rays, .meets = out_meets};
    return ray_run_batch(&batch, count, out_meets, __func__);
}

uint32_t tn_world_cast_rays_all(const tn_world *world, const tn_ray *rays, uint32_t count,
                                tn_ray_hit *out_hits, uint32_t capacity, uint32_t *out_counts) {
    ray_batch batch = {.world = world, .rays = rays, .hits = out_hits, .counts = out_counts};
    batch.capacity = out_hits != NULL ? capacity : 0;
    return ray_run_batch(&batch, count, out_counts, __func__);
}
