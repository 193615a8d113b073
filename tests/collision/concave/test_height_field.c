// A height field against the mesh of the same triangles.
#include "collision/concave/height_field.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "collision/concave/mesh.h"

TestSuite(height_field, .timeout = 60);

#define COLUMNS 17u
#define ROWS    13u
#define CELLS   ((COLUMNS - 1) * (ROWS - 1))

static double next_unit(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

typedef struct twins {
    tni_height_field *field;
    tni_mesh *mesh;               // of the same triangles but those of holes
    uint32_t child_of[2 * CELLS]; // by triangle of the mesh
} twins;

static twins *make_twins(bool has_holes) {
    twins *t = calloc(1, sizeof *t);
    float heights[COLUMNS * ROWS], points[3 * COLUMNS * ROWS];
    uint8_t holes[CELLS];
    uint32_t indices[6 * CELLS], count = 0;
    uint64_t seed = 11;
    for (uint32_t i = 0; i < COLUMNS * ROWS; ++i) {
        heights[i] = (float)next_unit(&seed);
        points[3 * i] = (float)(i % COLUMNS) * 0.5f;
        points[3 * i + 1] = heights[i];
        points[3 * i + 2] = (float)(i / COLUMNS) * 0.75f;
    }
    for (uint32_t cell = 0; cell < CELLS; ++cell) {
        holes[cell] = has_holes && next_unit(&seed) < 0.2 ? 1 : 0;
        uint32_t a = cell / (COLUMNS - 1) * COLUMNS + cell % (COLUMNS - 1), b = a + 1;
        uint32_t c = a + COLUMNS, d = c + 1;
        const uint32_t corners[6] = {a, c, b, b, c, d};
        for (uint32_t which = 0; which < 2 && holes[cell] == 0; ++which) {
            memcpy(indices + 3 * count, corners + 3 * which, 3 * sizeof *indices);
            t->child_of[count++] = 2 * cell + which;
        }
    }
    tni_allocator allocator;
    tni_allocator_init(&allocator, NULL, NULL, NULL);
    tni_height_field_source field = {heights, holes, NULL, 0.5f, 0.75f, COLUMNS, ROWS};
    t->field = tni_height_field_make(&allocator, &field);
    tni_mesh_source mesh = {.points = points,
                            .indices = indices,
                            .point_count = COLUMNS * ROWS,
                            .triangle_count = count};
    tn_result result;
    t->mesh = tni_mesh_build(&allocator, &mesh, &result);
    cr_assert(t->field && t->mesh);
    return t;
}

static void free_twins(twins *t) {
    tni_shared_release(&t->field->base.shared);
    tni_shared_release(&t->mesh->base.shared);
    free(t);
}

Test(height_field, its_triangles_are_those_of_the_mesh) {
    for (int holes = 0; holes <= 1; ++holes) {
        twins *t = make_twins(holes == 1);
        for (uint32_t i = 0; i < t->mesh->triangle_count; ++i) {
            tni_part_geometry p, q;
            t->field->base.kind->get_part(&t->field->base, t->child_of[i], &p);
            t->mesh->base.kind->get_part(&t->mesh->base, i, &q);
            cr_assert(
                memcmp(p.triangle.vertices, q.triangle.vertices, sizeof p.triangle.vertices) == 0);
            cr_assert(memcmp(&p.geometry.position, &q.geometry.position, sizeof(vec3s)) == 0);
            cr_assert(p.triangle.hull.sides == q.triangle.hull.sides, "triangle %u: %u for %u", i,
                      p.triangle.hull.sides, q.triangle.hull.sides);
        }
        free_twins(t);
    }
}

static bool count_visit(uint32_t child, void *context) {
    ((uint8_t *)context)[child] += 1;
    return true;
}

Test(height_field, finds_what_the_mesh_finds) {
    twins *t = make_twins(true);
    uint64_t seed = 5;
    for (int n = 0; n < 500; ++n) {
        tni_bounds box;
        for (int k = 0; k < 3; ++k) {
            double middle = 12.0 * next_unit(&seed) - 2.0, half = 3.0 * next_unit(&seed);
            middle = k == 1 ? 0.5 * middle : middle;
            box.lower.raw[k] = (float)(middle - half);
            box.upper.raw[k] = (float)(middle + half);
        }
        uint8_t of_field[2 * CELLS] = {0}, of_mesh[2 * CELLS] = {0};
        t->field->base.kind->find(&t->field->base, &box, count_visit, of_field);
        t->mesh->base.kind->find(&t->mesh->base, &box, count_visit, of_mesh);
        for (uint32_t i = 0; i < t->mesh->triangle_count; ++i) {
            cr_assert(of_field[t->child_of[i]] >= of_mesh[i], "box %d, triangle %u", n, i);
        }
        for (uint32_t i = 0; i < 2 * CELLS; ++i) {
            cr_assert(of_field[i] <= 1);
        }
    }
    free_twins(t);
}

Test(height_field, finds_on_the_way_of_a_box_what_the_mesh_finds) {
    twins *t = make_twins(true);
    uint64_t seed = 6;
    const double limit = 1.0;
    uint32_t found = 0;
    for (int n = 0; n < 500; ++n) {
        tni_ray ray;
        ray.origin = dvec3_make(12.0 * next_unit(&seed) - 2.0, 4.0 * next_unit(&seed) - 1.0,
                                12.0 * next_unit(&seed) - 2.0);
        ray.translation =
            dvec3_make(n % 5 == 0 ? 0.0 : 300.0 * (next_unit(&seed) - 0.5),
                       2.0 * (next_unit(&seed) - 0.5), 20.0 * (next_unit(&seed) - 0.5));
        tni_dvec3 reach = dvec3_make(next_unit(&seed), 0.3 * next_unit(&seed), next_unit(&seed));
        uint8_t of_field[2 * CELLS] = {0}, of_mesh[2 * CELLS] = {0};
        t->field->base.kind->find_along(&t->field->base, &ray, reach, &limit, count_visit,
                                        of_field);
        t->mesh->base.kind->find_along(&t->mesh->base, &ray, reach, &limit, count_visit, of_mesh);
        for (uint32_t i = 0; i < t->mesh->triangle_count; ++i) {
            cr_assert(of_field[t->child_of[i]] >= of_mesh[i], "way %d, triangle %u", n, i);
            found += of_mesh[i];
        }
    }
    cr_assert(found > 500, "%u found", found);
    free_twins(t);
}

Test(height_field, rays_meet_what_they_meet_in_the_mesh) {
    twins *t = make_twins(true);
    uint64_t seed = 7;
    uint32_t hits = 0;
    for (int n = 0; n < 5000; ++n) {
        tni_ray ray;
        ray.origin = dvec3_make(12.0 * next_unit(&seed) - 2.0, 4.0 * next_unit(&seed) - 1.0,
                                12.0 * next_unit(&seed) - 2.0);
        ray.translation = dvec3_make(10.0 * (next_unit(&seed) - 0.5), -4.0 * next_unit(&seed),
                                     10.0 * (next_unit(&seed) - 0.5));
        ray.translation.x = n % 7 == 0 ? 0.0 : ray.translation.x;
        ray.translation.z = n % 5 == 0 ? 0.0 : ray.translation.z;
        tni_ray_hit p, q;
        bool meets = t->field->base.kind->cast_ray(&t->field->base, &ray, TNI_RAY_ENTERS, &p);
        cr_assert(meets == t->mesh->base.kind->cast_ray(&t->mesh->base, &ray, TNI_RAY_ENTERS, &q),
                  "ray %d", n);
        cr_assert(!meets || (p.fraction == q.fraction && dvec3_dot(p.normal, q.normal) > 0.999999));
        hits += meets;
    }
    cr_assert(hits > 500, "%u rays hit", hits);
    free_twins(t);
}

Test(height_field, tells_its_height) {
    twins *t = make_twins(false);
    uint64_t seed = 9;
    for (int n = 0; n < 1000; ++n) {
        double x = 7.9 * next_unit(&seed) + 0.05, z = 8.9 * next_unit(&seed) + 0.05;
        tni_ray ray = {dvec3_make(x, 2.0, z), dvec3_make(0.0, -3.0, 0.0)};
        tni_ray_hit hit;
        cr_assert(t->mesh->base.kind->cast_ray(&t->mesh->base, &ray, TNI_RAY_ENTERS, &hit));
        double height = (double)tni_height_field_get_height(t->field, (float)x, (float)z);
        cr_assert(fabs(height - (2.0 - 3.0 * hit.fraction)) < 1e-5);
    }
    cr_expect(tni_height_field_get_height(t->field, -0.1f, 1.0f) == 0.0f);
    free_twins(t);
}
