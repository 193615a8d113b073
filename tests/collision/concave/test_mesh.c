// A mesh's tree against all of its triangles, its edges, and its mass.
#include "collision/concave/mesh.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

TestSuite(mesh_tree, .timeout = 60);

static double next_unit(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static tni_mesh *build(const float *points, uint32_t point_count, const uint32_t *indices,
                       uint32_t triangle_count, bool is_two_sided) {
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_mesh_source source = {.points = points,
                              .indices = indices,
                              .point_count = point_count,
                              .triangle_count = triangle_count,
                              .is_two_sided = is_two_sided};
    tn_result result;
    tni_mesh *mesh = tni_mesh_build(&allocator, &source, &result);
    cr_assert_not_null(mesh, "%s", tn_result_name(result));
    return mesh;
}

// Triangles of up to 1 m, anywhere in 10 m.
static tni_mesh *build_soup(uint32_t count, uint64_t seed, bool is_two_sided) {
    float *points = malloc(9 * count * sizeof *points);
    uint32_t *indices = malloc(3 * count * sizeof *indices);
    for (uint32_t i = 0; i < count; ++i) {
        double middle[3] = {10.0 * next_unit(&seed), 10.0 * next_unit(&seed),
                            10.0 * next_unit(&seed)};
        for (uint32_t k = 0; k < 9; ++k) {
            points[9 * i + k] = (float)(middle[k % 3] + next_unit(&seed) - 0.5);
        }
        for (uint32_t k = 0; k < 3; ++k) {
            indices[3 * i + k] = 3 * i + k;
        }
    }
    tni_mesh *mesh = build(points, 3 * count, indices, count, is_two_sided);
    free(points);
    free(indices);
    return mesh;
}

// ---- searches ---------------------------------------------------------------------------------

static bool count_visit(uint32_t child, void *context) {
    uint8_t *counts = context;
    counts[child] += 1;
    return true;
}

Test(mesh_tree, finds_each_triangle_of_a_box_once) {
    tni_mesh *mesh = build_soup(3000, 1, false);
    uint8_t *counts = malloc(3000);
    uint64_t seed = 5;
    for (int n = 0; n < 200; ++n) {
        tni_bounds box;
        for (int k = 0; k < 3; ++k) {
            double middle = 10.0 * next_unit(&seed), half = 2.0 * next_unit(&seed);
            box.lower.raw[k] = (float)(middle - half);
            box.upper.raw[k] = (float)(middle + half);
        }
        memset(counts, 0, 3000);
        mesh->base.kind->find(&mesh->base, &box, count_visit, counts);
        for (uint32_t i = 0; i < 3000; ++i) {
            tni_bounds own = tni_mesh_get_box(mesh, i);
            cr_assert(counts[i] == (tni_bounds_overlap(&own, &box) ? 1 : 0), "triangle %u", i);
        }
    }
    free(counts);
    tni_shared_release(&mesh->base.shared);
}

static tni_dvec3 draw(uint64_t *seed, double from, double size) {
    double x = from + size * next_unit(seed), y = from + size * next_unit(seed);
    return dvec3_make(x, y, from + size * next_unit(seed));
}

Test(mesh_tree, finds_each_triangle_that_a_box_meets_on_its_way) {
    tni_mesh *mesh = build_soup(3000, 1, false);
    uint8_t *counts = malloc(3000);
    uint64_t seed = 6;
    uint32_t found = 0;
    for (int n = 0; n < 300; ++n) {
        tni_ray ray = {draw(&seed, 0.0, 10.0), draw(&seed, -8.0, 16.0)};
        tni_dvec3 reach = draw(&seed, 0.0, 1.0);
        ray.translation.y = n % 3 == 0 ? 0.0 : ray.translation.y;
        tni_ray_slabs slabs = tni_ray_get_slabs(&ray);
        double limit = n % 4 == 0 ? 0.3 : 1.0;
        memset(counts, 0, 3000);
        mesh->base.kind->find_along(&mesh->base, &ray, reach, &limit, count_visit, counts);
        for (uint32_t i = 0; i < 3000; ++i) {
            tni_bounds own = tni_mesh_get_box(mesh, i), wide = tni_bounds_widen(&own, reach);
            bool meets = tni_bounds_cast_ray(&wide, &slabs) <= limit;
            cr_assert(counts[i] == (meets ? 1 : 0), "way %d, triangle %u", n, i);
            found += counts[i];
        }
    }
    cr_assert(found > 3000, "%u found", found);
    free(counts);
    tni_shared_release(&mesh->base.shared);
}

// The nearest triangle by the plane and the three sides, one after the other.
static double find_nearest(const tni_mesh *mesh, const tni_ray *ray, bool both) {
    double nearest = INFINITY;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        vec3s p[3];
        mesh_get_corners(mesh, i, p);
        tni_dvec3 a = dvec3_from_float(p[0]), n = tni_triangle_get_area(p);
        double towards = dvec3_dot(n, ray->translation);
        double s = dvec3_dot(n, dvec3_sub(a, ray->origin)) / towards;
        tni_dvec3 at = dvec3_add_scaled(ray->origin, s, ray->translation);
        bool is_in = s >= 0.0 && s <= 1.0 && (both || towards < 0.0);
        for (int k = 0; k < 3; ++k) {
            tni_dvec3 from = dvec3_from_float(p[k]), to = dvec3_from_float(p[(k + 1) % 3]);
            tni_dvec3 side = dvec3_cross(dvec3_sub(to, from), dvec3_sub(at, from));
            is_in = is_in && dvec3_dot(n, side) >= 0.0;
        }
        nearest = is_in && s < nearest ? s : nearest;
    }
    return nearest;
}

Test(mesh_tree, rays_meet_the_nearest_triangle) {
    for (int both = 0; both <= 1; ++both) {
        tni_mesh *mesh = build_soup(500, 2, both == 1);
        uint64_t seed = 7;
        uint32_t hits = 0;
        for (int n = 0; n < 2000; ++n) {
            tni_ray ray;
            double *numbers[2] = {&ray.origin.x, &ray.translation.x};
            for (int k = 0; k < 6; ++k) {
                numbers[k / 3][k % 3] =
                    k < 3 ? 10.0 * next_unit(&seed) : 16.0 * (next_unit(&seed) - 0.5);
            }
            tni_ray_hit hit;
            double nearest = find_nearest(mesh, &ray, both == 1);
            bool meets = mesh->base.kind->cast_ray(&mesh->base, &ray, TNI_RAY_ENTERS, &hit);
            cr_assert(meets == isfinite(nearest), "ray %d", n);
            cr_assert(!meets || fabs(hit.fraction - nearest) < 1e-12, "ray %d", n);
            cr_assert(!meets || dvec3_dot(hit.normal, ray.translation) < 0.0);
            hits += meets;
        }
        cr_assert(hits > 100, "%u rays hit", hits);
        tni_shared_release(&mesh->base.shared);
    }
}

Test(mesh_tree, triangles_in_one_place_make_a_tree) {
    enum {
        COUNT = 5000
    };
    float *points = malloc(9 * sizeof *points);
    uint32_t *indices = malloc(3 * COUNT * sizeof *indices);
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(points, corners, sizeof corners);
    for (uint32_t i = 0; i < 3 * COUNT; ++i) {
        indices[i] = i % 3;
    }
    tni_mesh *mesh = build(points, 3, indices, COUNT, false);
    uint8_t *counts = calloc(1, COUNT);
    tni_bounds everywhere = tni_bounds_everywhere();
    mesh->base.kind->find(&mesh->base, &everywhere, count_visit, counts);
    for (uint32_t i = 0; i < COUNT; ++i) {
        cr_assert(counts[i] == 1);
    }
    free(points);
    free(indices);
    free(counts);
    tni_shared_release(&mesh->base.shared);
}

Test(mesh_tree, takes_little_memory) {
    tni_mesh *mesh = build_soup(20000, 3, false);
    double each =
        (double)(mesh->tree.quad_count * sizeof *mesh->tree.quads + mesh->tree.count * 4) / 20000;
    cr_expect(each < 44.0, "%g bytes for each triangle", each);
    tni_shared_release(&mesh->base.shared);
}

// ---- edges ------------------------------------------------------------------------------------

// Two triangles that share an edge at an angle: up for a ridge.
static uint32_t count_active(double angle, bool is_two_sided) {
    float s = (float)sin(angle), c = (float)cos(angle);
    const float points[12] = {0, 0, 0, 0, 0, 1, 1, 0, 0, -c, -s, 1};
    const uint32_t indices[6] = {0, 1, 2, 1, 0, 3};
    tni_mesh *mesh = build(points, 4, indices, 2, is_two_sided);
    uint32_t shared = (mesh->sides[0] & 1u) + (mesh->sides[1] & 1u);
    cr_assert((mesh->sides[0] & 6u) == 6 && (mesh->sides[1] & 6u) == 6, "the rim is active");
    tni_shared_release(&mesh->base.shared);
    return shared;
}

Test(mesh_tree, a_ridge_is_active_and_a_valley_is_not) {
    cr_expect(count_active(0.0, false) == 0, "flat");
    cr_expect(count_active(0.05, false) == 0, "a ridge of 3 degrees");
    cr_expect(count_active(0.2, false) == 2, "a ridge");
    cr_expect(count_active(-0.2, false) == 0, "a valley");
    cr_expect(count_active(-1.2, false) == 0, "a deep valley");
    cr_expect(count_active(-0.2, true) == 2, "a ridge from the other side");
    cr_expect(count_active(3.14159265, false) == 2, "back to back");
}

Test(mesh_tree, corners_at_one_place_are_one) {
    // Each triangle has points of its own; -0 is 0.
    const float points[18] = {0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, -0.0f, 0, -0.0f, -1, 0, 1};
    const uint32_t indices[6] = {0, 1, 2, 3, 4, 5};
    tni_mesh *mesh = build(points, 6, indices, 2, false);
    cr_expect(mesh->sides[0] == 6 && mesh->sides[1] == 6, "%u %u", mesh->sides[0], mesh->sides[1]);
    tni_shared_release(&mesh->base.shared);
}

Test(mesh_tree, a_fin_of_three_triangles_is_active) {
    const float points[15] = {0, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0, 0, 0, 1, 0};
    const uint32_t indices[9] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    tni_mesh *mesh = build(points, 5, indices, 3, false);
    for (uint32_t i = 0; i < 3; ++i) {
        cr_expect((mesh->sides[i] & 7u) == 7);
    }
    tni_shared_release(&mesh->base.shared);
}

// ---- mass -------------------------------------------------------------------------------------

Test(mesh_tree, a_closed_box_has_its_mass) {
    float points[24];
    const vec3s h = {{0.5f, 1.0f, 1.5f}};
    for (uint32_t v = 0; v < 8; ++v) {
        points[3 * v] = 100.0f + ((v & 1) != 0 ? h.x : -h.x);
        points[3 * v + 1] = (v & 2) != 0 ? h.y : -h.y;
        points[3 * v + 2] = (v & 4) != 0 ? h.z : -h.z;
    }
    const uint32_t indices[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                  2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    tni_mesh *mesh = build(points, 8, indices, 12, false);
    tni_geometry box = {.type = TNI_GEOMETRY_BOX, .box = {h}};
    box.position = maths_vec3(100.0f, 0.0f, 0.0f);
    box.rotation = maths_quat_identity();
    tni_mass_properties want = tni_geometry_mass_properties(&box);
    const tni_mass_properties *own = &mesh->base.mass;
    cr_assert(mesh->base.is_closed);
    cr_expect(fabs(own->volume - want.volume) < 1e-9 && fabs(own->center.x - 100.0) < 1e-9);
    for (int i = 0; i < 9; ++i) {
        cr_expect(fabs(own->unit_inertia.m[i / 3][i % 3] - want.unit_inertia.m[i / 3][i % 3]) <
                  1e-9);
    }
    for (uint32_t i = 0; i < 12; ++i) { // the diagonals are flat, the edges of the box are not
        uint32_t sides = mesh->sides[i];
        cr_expect((sides & 1) + (sides >> 1 & 1) + (sides >> 2 & 1) == 2);
    }
    tni_shared_release(&mesh->base.shared);
    mesh = build(points, 8, indices, 11, false);
    cr_expect(!mesh->base.is_closed && mesh->base.mass.volume == 0.0);
    tni_shared_release(&mesh->base.shared);
}
