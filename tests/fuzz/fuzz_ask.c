// tests/fuzz/fuzz_ask.c: asks a world by every query, and checks what every answer must keep to.
#include "fuzz.h"

#include <math.h>
#include <string.h>

#define ASK_ROOM  8
#define ASK_BATCH 4

// Answers are as exact as this share of the lengths that take part.
#define ASK_NEAR 1e-3
// And as this share of how far a shape is from its own frame.
#define ASK_FAR 1e-5

static double ask_get_length(tn_vec3 v) {
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static bool ask_is_unit(tn_vec3 n) {
    return fabs(ask_get_length(n) - 1.0) < 1e-5;
}

static bool ask_is_zero(tn_vec3 n) {
    return n.x == 0.0 && n.y == 0.0 && n.z == 0.0;
}

static uint32_t ask_at_most(uint32_t count, uint32_t most) {
    return count < most ? count : most;
}

// ---- rays ---------------------------------------------------------------------------------------

static tn_ray ask_ray(fuzz *f, const tn_query_filter *filter) {
    tn_vec3 origin = fuzz_vector(f), along = fuzz_vector(f);
    double stretch = fuzz_chance(f, 4) ? fuzz_spread(f, 1e-4, 1e4) : 2.0;
    along = (tn_vec3){stretch * along.x, stretch * along.y, stretch * along.z};
    if (fuzz_chance(f, 3)) { // toward the middle of things
        along = (tn_vec3){-2.0 * origin.x, -2.0 * origin.y, -2.0 * origin.z};
    }
    if (fuzz_chance(f, 10)) {
        along = (tn_vec3){0};
    }
    tn_ray ray = tn_ray_make(origin, along);
    ray.inside = (tn_query_inside)fuzz_below(f, 3);
    ray.has_back_faces = fuzz_chance(f, 3);
    ray.filter = filter;
    return ray;
}

static void ask_check_ray_hit(fuzz *f, const tn_world *world, const tn_ray *ray,
                              const tn_ray_hit *hit) {
    fuzz_expect(f, tn_shape_is_valid(world, hit->shape), "a ray meets no shape");
    fuzz_expect(f, hit->fraction >= 0.0 && hit->fraction <= 1.0,
                "a ray's fraction is out of range");
    bool is_point = ask_is_zero(ray->translation) && ask_is_zero(hit->normal);
    fuzz_expect(f, is_point || ask_is_unit(hit->normal), "a ray's normal is not of length 1");
    double off[3] = {hit->point.x - ray->origin.x - hit->fraction * ray->translation.x,
                     hit->point.y - ray->origin.y - hit->fraction * ray->translation.y,
                     hit->point.z - ray->origin.z - hit->fraction * ray->translation.z};
    double size = ask_get_length(ray->origin) + ask_get_length(ray->translation);
    bool is_on = fabs(off[0]) + fabs(off[1]) + fabs(off[2]) <= 1e-6 * size;
    fuzz_expect(f, is_on || size > 1e100, "a ray meets something beside it");
}

static bool ask_is_same_ray_hit(const tn_ray_hit *a, const tn_ray_hit *b) {
    return a->shape.value == b->shape.value && a->fraction == b->fraction &&
           a->normal.x == b->normal.x && a->normal.y == b->normal.y && a->normal.z == b->normal.z &&
           a->is_back == b->is_back;
}

static void ask_by_ray(fuzz *f, const tn_world *world, const tn_ray *ray, tn_ray_hit *out_hit) {
    bool meets = tn_world_cast_ray(world, ray, out_hit);
    fuzz_expect(f, tn_world_cast_ray_any(world, ray) == meets, "any ray is not the first one");
    tn_ray_hit hits[ASK_ROOM];
    uint32_t count = tn_world_cast_ray_all(world, ray, hits, ASK_ROOM);
    fuzz_expect(f, (count > 0) == meets, "all hits of a ray are not its first");
    for (uint32_t i = 0; i < count && i < ASK_ROOM; ++i) {
        ask_check_ray_hit(f, world, ray, &hits[i]);
        bool is_sorted = i == 0 || hits[i - 1].fraction <= hits[i].fraction;
        fuzz_expect(f, is_sorted, "hits of a ray are not sorted");
    }
    if (meets) {
        ask_check_ray_hit(f, world, ray, out_hit);
        bool is_same = ask_is_same_ray_hit(out_hit, &hits[0]);
        // (On a ray of 1e20 m everything is near.)
        fuzz_expect(f, is_same || f->is_hostile, "the first hit is another one");
    }
}

static void ask_by_rays(fuzz *f, const tn_world *world, const tn_query_filter *filter) {
    tn_ray rays[ASK_BATCH];
    tn_ray_hit hits[ASK_BATCH], batch[ASK_BATCH], all[ASK_BATCH * ASK_ROOM];
    bool meets[ASK_BATCH], is_sound = true;
    uint32_t counts[ASK_BATCH];
    for (uint32_t i = 0; i < ASK_BATCH; ++i) {
        rays[i] = ask_ray(f, filter);
        is_sound =
            is_sound && fuzz_is_finite(rays[i].origin) && fuzz_is_finite(rays[i].translation);
        ask_by_ray(f, world, &rays[i], &hits[i]);
    }
    uint32_t found = tn_world_cast_rays(world, rays, ASK_BATCH, batch);
    uint32_t any = tn_world_cast_rays_any(world, rays, ASK_BATCH, meets);
    uint32_t many = tn_world_cast_rays_all(world, rays, ASK_BATCH, all, ASK_ROOM, counts);
    fuzz_expect(f, found == any && any == many, "batches of rays do not agree");
    for (uint32_t i = 0; i < ASK_BATCH && is_sound && found > 0; ++i) {
        fuzz_expect(f, ask_is_same_ray_hit(&hits[i], &batch[i]), "a batch has another hit");
        bool has = hits[i].shape.value != 0;
        fuzz_expect(f, meets[i] == has && (counts[i] > 0) == has, "a batch has other rays");
    }
}

// ---- probes -------------------------------------------------------------------------------------

static tn_probe ask_probe(fuzz *f, tn_world *world, const tn_query_filter *filter) {
    tn_pose pose = fuzz_pose(f);
    tn_probe probe;
    tn_shape_id shapes[8];
    tn_body_id bodies[8];
    uint32_t count = ask_at_most(tn_world_get_bodies(world, bodies, 8), 8), shape_count = 0;
    switch (fuzz_below(f, 8)) {
    case 0:
        probe = fuzz_chance(f, 2) ? tn_point_probe_make(pose.position)
                                  : tn_sphere_probe_make(pose.position, (float)fuzz_length(f));
        break;
    case 1: {
        float half_length = (float)fuzz_length(f);
        probe = tn_capsule_probe_make(pose, half_length, (float)fuzz_length(f));
        break;
    }
    case 2:
        probe = tn_box_probe_make(pose, fuzz_lengths(f));
        break;
    case 3: {
        float half_length = (float)fuzz_length(f), bottom = (float)fuzz_length(f);
        probe = fuzz_chance(f, 2)
                    ? tn_tapered_cylinder_probe_make(pose, half_length, bottom, 0.5f * bottom)
                    : tn_tapered_capsule_probe_make(pose, half_length, bottom, 0.9f * bottom);
        break;
    }
    case 4:
        probe = tn_ellipsoid_probe_make(pose, fuzz_lengths(f));
        break;
    default:
        if (count > 0) {
            shape_count =
                ask_at_most(tn_body_get_shapes(world, bodies[fuzz_below(f, count)], shapes, 8), 8);
        }
        probe = shape_count > 0 ? tn_shape_probe_make(pose, shapes[fuzz_below(f, shape_count)])
                                : tn_point_probe_make(pose.position);
        break;
    }
    probe.rounding = fuzz_chance(f, 4) ? (float)fuzz_length(f) : 0.0f;
    probe.translation = fuzz_chance(f, 8) ? (tn_vec3){0} : fuzz_vector(f);
    probe.inside = (tn_query_inside)fuzz_below(f, 3);
    probe.has_depth = !fuzz_chance(f, 4);
    probe.max_distance = fuzz_chance(f, 2) ? (double)INFINITY : 5.0 * fabs(fuzz_number(f));
    probe.filter = filter;
    return probe;
}

static void ask_check_probe_hit(fuzz *f, const tn_world *world, const tn_probe_hit *hit) {
    fuzz_expect(f, tn_shape_is_valid(world, hit->shape), "a probe finds no shape");
    fuzz_expect(f, hit->fraction >= 0.0 && hit->fraction <= 1.0,
                "a probe's fraction is out of range");
    fuzz_expect(f, fuzz_is_finite(hit->point) && !isnan(hit->distance),
                "a probe finds a place that is none");
    fuzz_expect(f, ask_is_unit(hit->normal), "a probe's normal is not of length 1");
}

// A hostile seed may have shapes at 1e30 m, where an answer is no number.
static void ask_expect(fuzz *f, bool is_right, const char *what) {
    fuzz_expect(f, is_right || f->is_hostile, what);
}

static bool ask_is_same_probe_hit(const tn_probe_hit *a, const tn_probe_hit *b) {
    return a->shape.value == b->shape.value && a->fraction == b->fraction &&
           a->distance == b->distance && a->normal.x == b->normal.x && a->point.x == b->point.x;
}

// Where a cast touches, the shape that it touches is at no distance.
static void ask_check_touch(fuzz *f, const tn_world *world, const tn_probe *probe,
                            const tn_probe_hit *hit) {
    if (f->is_hostile || hit->fraction == 0.0) {
        return;
    }
    tn_probe there = *probe;
    there.pose.position.x += hit->fraction * probe->translation.x;
    there.pose.position.y += hit->fraction * probe->translation.y;
    there.pose.position.z += hit->fraction * probe->translation.z;
    there.max_distance = (double)INFINITY;
    tn_vec3 c = there.pose.position, p = hit->point;
    double far = ask_get_length((tn_vec3){p.x - c.x, p.y - c.y, p.z - c.z});
    double most = ASK_NEAR * 10.0 * f->scale + ASK_FAR * far;
    tn_probe_hit hits[32];
    uint32_t count = tn_world_find_nearest(world, &there, hits, 32);
    for (uint32_t i = 0; i < count; ++i) {
        if (hits[i].shape.value == hit->shape.value) {
            ask_expect(f, hits[i].distance < most, "a cast ends too early");
        }
    }
}

static void ask_by_cast(fuzz *f, const tn_world *world, const tn_probe *probe,
                        tn_probe_hit *out_hit) {
    tn_probe_hit hits[ASK_ROOM];
    bool meets = tn_world_cast_probe(world, probe, out_hit);
    uint32_t count = tn_world_cast_probe_all(world, probe, hits, ASK_ROOM);
    ask_expect(f, (count > 0) == meets, "all hits of a cast are not its first");
    for (uint32_t i = 0; i < count && i < ASK_ROOM; ++i) {
        ask_check_probe_hit(f, world, &hits[i]);
        bool is_sorted = i == 0 || hits[i - 1].fraction <= hits[i].fraction;
        ask_expect(f, is_sorted, "hits of a cast are not sorted");
    }
    if (meets) {
        ask_check_probe_hit(f, world, out_hit);
        ask_expect(f, ask_is_same_probe_hit(out_hit, &hits[0]), "a cast's first hit is another");
        ask_check_touch(f, world, probe, out_hit);
    }
}

static void ask_by_overlap(fuzz *f, const tn_world *world, const tn_probe *probe) {
    tn_probe_hit hits[ASK_ROOM];
    tn_probe with = *probe, without = *probe;
    with.has_depth = true;
    without.has_depth = false;
    uint32_t count = tn_world_overlap_probe(world, &with, hits, ASK_ROOM), deep = 0;
    for (uint32_t i = 0; i < count && i < ASK_ROOM; ++i) {
        ask_check_probe_hit(f, world, &hits[i]);
        ask_expect(f, hits[i].distance <= 0.0, "what overlaps is apart");
        deep += hits[i].distance < -ASK_NEAR * f->scale ? 1 : 0;
    }
    count = tn_world_overlap_probe(world, &without, hits, ASK_ROOM);
    for (uint32_t i = 0; i < count && i < ASK_ROOM; ++i) {
        ask_expect(f, tn_shape_is_valid(world, hits[i].shape), "an overlap is with no shape");
    }
    ask_expect(f, count >= deep || f->is_hostile, "what is deep does not overlap");
}

static uint32_t ask_by_distance(fuzz *f, const tn_world *world, const tn_probe *probe,
                                tn_probe_hit *hits) {
    uint32_t count = tn_world_find_nearest(world, probe, hits, ASK_ROOM);
    ask_expect(f, count <= ASK_ROOM, "more shapes are near than there is room for");
    for (uint32_t i = 0; i < count; ++i) {
        ask_check_probe_hit(f, world, &hits[i]);
        ask_expect(f, hits[i].distance <= probe->max_distance, "what is near is too far");
        bool is_sorted = i == 0 || hits[i - 1].distance <= hits[i].distance;
        ask_expect(f, is_sorted, "what is near is not sorted");
    }
    return count;
}

static void ask_by_probes(fuzz *f, tn_world *world, const tn_query_filter *filter) {
    tn_probe probes[ASK_BATCH];
    tn_probe_hit hits[ASK_BATCH], batch[ASK_BATCH], near[ASK_BATCH][ASK_ROOM];
    tn_probe_hit all[ASK_BATCH * ASK_ROOM];
    uint32_t near_counts[ASK_BATCH], counts[ASK_BATCH];
    for (uint32_t i = 0; i < ASK_BATCH; ++i) {
        probes[i] = ask_probe(f, world, filter);
        memset(&hits[i], 0, sizeof hits[i]);
        ask_by_cast(f, world, &probes[i], &hits[i]);
        ask_by_overlap(f, world, &probes[i]);
        near_counts[i] = ask_by_distance(f, world, &probes[i], near[i]);
    }
    uint32_t found = tn_world_cast_probes(world, probes, ASK_BATCH, batch);
    for (uint32_t i = 0; i < ASK_BATCH && found > 0; ++i) {
        ask_expect(f, ask_is_same_probe_hit(&hits[i], &batch[i]), "a batch has another cast");
    }
    tn_world_overlap_probes(world, probes, ASK_BATCH, all, ASK_ROOM, counts);
    found = tn_world_find_all_nearest(world, probes, ASK_BATCH, all, ASK_ROOM, counts);
    for (uint32_t i = 0; i < ASK_BATCH && found > 0; ++i) {
        ask_expect(f, counts[i] == near_counts[i], "a batch has other shapes near");
        for (uint32_t k = 0; k < near_counts[i] && counts[i] == near_counts[i]; ++k) {
            ask_expect(f, ask_is_same_probe_hit(&near[i][k], &all[i * ASK_ROOM + k]),
                       "a batch has others near");
        }
    }
}

// ---- boxes, and all of it -----------------------------------------------------------------------

static void ask_by_box(fuzz *f, const tn_world *world, const tn_query_filter *filter) {
    tn_bounds bounds = {fuzz_vector(f), fuzz_vector(f)};
    if (fuzz_chance(f, 4)) {
        bounds.lower = (tn_vec3){-1e30, -1e30, -1e30};
        bounds.upper = (tn_vec3){1e30, 1e30, 1e30};
    }
    tn_shape_id shapes[ASK_ROOM];
    uint32_t count = tn_world_find_shapes(world, bounds, filter, shapes, ASK_ROOM);
    for (uint32_t i = 0; i < count && i < ASK_ROOM; ++i) {
        fuzz_expect(f, tn_shape_is_valid(world, shapes[i]), "a box holds no shape");
        tn_bounds own = tn_shape_get_bounds(world, shapes[i]);
        bool is_there = own.lower.x <= bounds.upper.x && own.upper.x >= bounds.lower.x &&
                        own.lower.y <= bounds.upper.y && own.upper.y >= bounds.lower.y &&
                        own.lower.z <= bounds.upper.z && own.upper.z >= bounds.lower.z;
        fuzz_expect(f, is_there, "a box holds what is outside");
    }
}

void fuzz_ask(fuzz *f, tn_world *world) {
    tn_query_filter filter = tn_query_filter_default();
    tn_body_id ignored[2];
    uint32_t count = tn_world_get_bodies(world, ignored, 2);
    filter.ignored = ignored;
    filter.ignored_count = fuzz_chance(f, 2) && count > 1 ? 1 : 0;
    uint32_t failure_share = f->failure_share;
    f->failure_share = 0;
    ask_by_rays(f, world, fuzz_chance(f, 2) ? &filter : NULL);
    ask_by_probes(f, world, fuzz_chance(f, 2) ? &filter : NULL);
    ask_by_box(f, world, fuzz_chance(f, 2) ? &filter : NULL);
    f->failure_share = failure_share;
}
