// tests/fuzz/fuzz_hull.c: hulls of any points: closed, convex, and around all of them.
#include "fuzz.h"

#include <math.h>
#include <string.h>

#define HULL_MOST      255
#define HULL_MOST_TRIS (3 * 2 * HULL_MOST)
// Points stand out of a hull by at most this share of its size.
#define HULL_NEAR 2e-4

static tn_vec3 hull_sub(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static double hull_dot(tn_vec3 a, tn_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static tn_vec3 hull_cross(tn_vec3 a, tn_vec3 b) {
    return (tn_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Every edge runs once each way.
static void hull_check_closed(fuzz *f, const uint32_t *triangles, uint32_t count) {
    static uint8_t runs[HULL_MOST][HULL_MOST];
    memset(runs, 0, sizeof runs);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t from = triangles[i], to = triangles[i % 3 == 2 ? i - 2 : i + 1];
        fuzz_expect(f, from != to && runs[from][to] == 0, "an edge of a hull runs twice one way");
        runs[from][to] = 1;
    }
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t from = triangles[i], to = triangles[i % 3 == 2 ? i - 2 : i + 1];
        fuzz_expect(f, runs[to][from] == 1, "a hull is open");
    }
}

// Nothing stands out of a triangle that is thick enough to have a plane.
static void hull_check_convex(fuzz *f, const tn_vec3 *corners, uint32_t corner_count,
                              const uint32_t *triangles, uint32_t count, double size) {
    for (uint32_t i = 0; i < count; i += 3) {
        tn_vec3 a = corners[triangles[i]];
        tn_vec3 p = hull_sub(corners[triangles[i + 1]], a);
        tn_vec3 q = hull_sub(corners[triangles[i + 2]], a), n = hull_cross(p, q);
        double length = sqrt(hull_dot(n, n));
        if (length < 0.03 * size * size) {
            continue;
        }
        for (uint32_t k = 0; k < corner_count; ++k) {
            double out = hull_dot(n, hull_sub(corners[k], a)) / length;
            fuzz_expect(f, out < HULL_NEAR * 10.0 * size, "a corner stands out of a hull");
        }
    }
}

static double hull_get_size(const tn_vec3 *points, uint32_t count) {
    double size = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        tn_vec3 d = hull_sub(points[i], points[0]);
        size = fmax(size, fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))));
    }
    return size;
}

static void hull_check_holds(fuzz *f, const tn_world *world, const tn_vec3 *points,
                             uint32_t count) {
    double size = hull_get_size(points, count), far = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        far = fmax(far, fmax(fabs(points[i].x), fmax(fabs(points[i].y), fabs(points[i].z))));
    }
    for (uint32_t i = 0; i < count; i += 1 + count / 16) {
        tn_probe probe = tn_point_probe_make(points[i]);
        tn_probe_hit hit = {0};
        bool is_found = tn_world_find_nearest(world, &probe, &hit, 1) == 1;
        fuzz_expect(f, is_found, "a hull is nowhere");
        fuzz_expect(f, hit.distance <= HULL_NEAR * size + 1e-6 * far, "a hull leaves a point out");
    }
}

static void hull_check(fuzz *f, tn_world *world, tn_hull *hull, const tn_vec3 *points,
                       uint32_t count) {
    static tn_vec3 corners[HULL_MOST];
    static uint32_t triangles[HULL_MOST_TRIS];
    uint32_t corner_count = tn_hull_get_vertices(hull, corners, HULL_MOST);
    uint32_t index_count = tn_hull_get_triangles(hull, triangles, HULL_MOST_TRIS);
    fuzz_expect(f, corner_count >= 4 && corner_count <= HULL_MOST, "a hull has too many corners");
    fuzz_expect(f, index_count == 6 * corner_count - 12, "a hull has too many triangles");
    for (uint32_t i = 0; i < index_count && !f->is_wrong; ++i) {
        fuzz_expect(f, triangles[i] < corner_count, "a hull has a corner that is none");
    }
    if (!f->is_wrong) {
        hull_check_closed(f, triangles, index_count);
        hull_check_convex(f, corners, corner_count, triangles, index_count,
                          hull_get_size(corners, corner_count));
    }
    tn_shape_def def = tn_shape_def_default();
    tn_body_def body = tn_body_def_default();
    tn_body_id still = tn_body_create(world, &body);
    if (tn_hull_shape_create(world, still, &def, hull).value == 0) {
        return;
    }
    tn_mass mass = tn_body_get_mass(world, still);
    fuzz_expect(f, mass.mass >= 0.0 && fuzz_is_finite(mass.center) && isfinite(mass.inertia.xx),
                "a hull has no mass");
    uint32_t failure_share = f->failure_share;
    f->failure_share = 0;
    hull_check_holds(f, world, points, count);
    f->failure_share = failure_share;
    fuzz_ask(f, world);
    fuzz_shape(f, world, fuzz_body(f, world, TN_BODY_TYPE_STATIC));
    fuzz_step(f, world, 2);
}

void fuzz_hull(fuzz *f) {
    static tn_vec3 points[FUZZ_MOST_POINTS];
    tn_world *world = fuzz_world(f);
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t count = fuzz_cloud(f, points);
        tn_result result = TN_RESULT_COUNT;
        tn_hull *hull = fuzz_make_hull(f, points, count, &result);
        fuzz_expect(f, (hull != NULL) == (result == TN_RESULT_OK), "a hull has another result");
        bool is_known = result == TN_RESULT_OK || result == TN_RESULT_DEGENERATE_HULL ||
                        result == TN_RESULT_NOT_FINITE || result == TN_RESULT_INVALID_ARGUMENT ||
                        result == TN_RESULT_TOO_LARGE || result == TN_RESULT_OUT_OF_MEMORY;
        fuzz_expect(f, is_known, "a hull is refused by another's result");
        if (hull != NULL) {
            hull_check(f, world, hull, points, count);
        }
        tn_hull_release(hull);
    }
    tn_world_destroy(world);
}
