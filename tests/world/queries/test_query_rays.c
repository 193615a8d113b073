// Rays of every kind against plain maths, among shapes of all types.
#include "query_world.h"

static query_world q;

static void setup(void) {
    query_world_create(&q, 8.0, QUERY_SHAPES, 1);
}

static void teardown(void) {
    tn_world_destroy(q.world);
}

TestSuite(query_rays, .init = setup, .fini = teardown, .timeout = 120);

typedef struct expected_hit {
    double fraction;
    uint32_t solid;
    bool is_back;
} expected_hit;

static int compare_expected(const void *a, const void *b) {
    const expected_hit *x = a, *y = b;
    return x->fraction < y->fraction ? -1 : x->fraction > y->fraction ? 1 : 0;
}

static double get_distance(const tn_ray *ray, tn_vec3 p) {
    tn_vec3 t = ray->translation, to = query_sub(p, ray->origin);
    double s = fmin(fmax(query_dot(to, t) / query_dot(t, t), 0.0), 1.0);
    return query_length(query_sub(to, query_scale(t, s)));
}

static uint32_t expect(const tn_ray *ray, expected_hit *out) {
    uint32_t count = 0;
    tn_filter all = {1, UINT64_MAX, 0};
    for (uint32_t i = 0; i < q.count; ++i) {
        tn_filter own = tn_shape_get_filter(q.world, q.solids[i].shape);
        double first, last;
        if (get_distance(ray, tn_body_get_center(q.world, q.solids[i].body)) > 5.0 &&
            i + 1 < q.count) {
            continue;
        }
        bool passes = ray->filter == NULL || (ray->filter->mask & own.category) != 0;
        if (!passes || (all.mask & own.category) == 0 ||
            !query_find_part(&q, &q.solids[i], ray->origin, ray->translation, &first, &last)) {
            continue;
        }
        bool is_inside = first == 0.0;
        if (!is_inside || ray->inside == TN_QUERY_INSIDE_REPORT) {
            out[count++] = (expected_hit){first, i, false};
        }
        bool leaves = last < 1.0 && ray->has_back_faces;
        if (leaves && (!is_inside || ray->inside != TN_QUERY_INSIDE_IGNORE)) {
            out[count++] = (expected_hit){last, i, true};
        }
    }
    qsort(out, count, sizeof *out, compare_expected);
    return count;
}

static tn_ray draw_ray(int i) {
    tn_ray ray = tn_ray_make(query_draw_vec(&q, 8.0), query_draw_vec(&q, 12.0));
    ray.inside = (tn_query_inside)(i % 3);
    ray.has_back_faces = i % 2 == 0;
    return ray;
}

// The hit lies on the surface of its shape, and its normal is that of the surface: the height grows
// along it, and not across it.
static void assert_hit_is_true(const tn_ray_hit *hit, const query_solid *solid, int i) {
    cr_assert(hit->shape.value == solid->shape.value, "ray %d", i);
    cr_assert(fabs(query_length(hit->normal) - 1.0) < 1e-5);
    if (hit->fraction == 0.0) {
        return;
    }
    double here = query_get_height(&q, solid, hit->point);
    // A hull's faces are planes through more than three of its corners, to within its tolerance.
    double most = solid->type == TN_SHAPE_TYPE_HULL ? 3e-5 : 2e-6;
    cr_assert(fabs(here) < most, "ray %d: %g m off the surface", i, here);
    tn_vec3 up = query_add(hit->point, query_scale(hit->normal, 1e-4));
    double rise = query_get_height(&q, solid, up) - here;
    cr_assert(rise > 2e-5, "ray %d: rises by %g", i, rise);
    tn_vec3 aside = query_cross(hit->normal, (tn_vec3){0.3, 0.5, 0.8});
    tn_vec3 beside = query_add(hit->point, query_scale(aside, 1e-4));
    double along = query_get_height(&q, solid, beside) - here;
    cr_assert(fabs(along) < 4e-6 || solid->affine.value != 0 || solid->type == TN_SHAPE_TYPE_HULL,
              "ray %d: %g along type %d", i, along, (int)solid->type);
}

Test(query_rays, find_all_that_plain_maths_finds) {
    static expected_hit expected[2 * QUERY_SHAPES + 2];
    static tn_ray_hit hits[2 * QUERY_SHAPES + 2];
    uint32_t total = 0;
    for (int i = 0; i < 300; ++i) {
        tn_ray ray = draw_ray(i);
        tn_query_filter filter = tn_query_filter_default();
        filter.mask = 0x15;
        ray.filter = i % 4 == 3 ? &filter : NULL;
        uint32_t count = expect(&ray, expected);
        uint32_t found = tn_world_cast_ray_all(q.world, &ray, hits, 2 * QUERY_SHAPES);
        cr_assert(found == count, "ray %d: %u of %u", i, found, count);
        total += count;
        for (uint32_t k = 0; k < count; ++k) {
            cr_assert(fabs(hits[k].fraction - expected[k].fraction) < 1e-6, "ray %d, hit %u", i, k);
            cr_assert(hits[k].is_back == expected[k].is_back);
            assert_hit_is_true(&hits[k], &q.solids[expected[k].solid], i);
        }
        tn_ray_hit first;
        cr_assert(tn_world_cast_ray(q.world, &ray, &first) == (count > 0));
        cr_assert(tn_world_cast_ray_any(q.world, &ray) == (count > 0));
        if (count > 0) {
            cr_assert(query_is_same_ray_hit(&first, &hits[0]), "ray %d", i);
        }
    }
    cr_assert(total > 600, "%u hits", total);
}

Test(query_rays, a_short_list_keeps_the_first_hits) {
    static tn_ray_hit all[64], some[64];
    for (int i = 0; i < 200; ++i) {
        tn_ray ray = draw_ray(i);
        uint32_t count = tn_world_cast_ray_all(q.world, &ray, all, 64);
        cr_assert(count <= 64);
        uint32_t capacity = (uint32_t)i % 5;
        memset(some, 0, sizeof some);
        cr_assert(tn_world_cast_ray_all(q.world, &ray, some, capacity) == count);
        cr_assert(tn_world_cast_ray_all(q.world, &ray, NULL, 64) == count);
        for (uint32_t k = 0; k < 64; ++k) {
            tn_shape_id shape = k < capacity && k < count ? all[k].shape : (tn_shape_id){0};
            cr_assert(some[k].shape.value == shape.value, "ray %d, hit %u", i, k);
        }
    }
}

Test(query_rays, batches_say_what_single_rays_say_for_any_number_of_workers) {
    enum {
        RAYS = 1500,
        CAPACITY = 3
    };
    static tn_ray rays[RAYS];
    static tn_ray_hit hits[RAYS], lists[RAYS * CAPACITY];
    static bool meets[RAYS];
    static uint32_t counts[RAYS];
    for (int i = 0; i < RAYS; ++i) {
        rays[i] = draw_ray(i);
    }
    tn_world_destroy(q.world);
    for (uint32_t workers = 1; workers <= 4; ++workers) {
        query_world_create(&q, 8.0, QUERY_SHAPES, workers);
        uint32_t count = tn_world_cast_rays(q.world, rays, RAYS, hits);
        cr_assert(tn_world_cast_rays_any(q.world, rays, RAYS, meets) == count);
        cr_assert(tn_world_cast_rays_all(q.world, rays, RAYS, lists, CAPACITY, counts) == count);
        for (uint32_t i = 0; i < RAYS; ++i) {
            tn_ray_hit hit, list[CAPACITY] = {0};
            cr_assert(tn_world_cast_ray(q.world, &rays[i], &hit) == meets[i]);
            cr_assert(query_is_same_ray_hit(&hit, &hits[i]), "%u workers, ray %u", workers, i);
            cr_assert(tn_world_cast_ray_all(q.world, &rays[i], list, CAPACITY) == counts[i]);
            uint32_t kept = counts[i] < CAPACITY ? counts[i] : CAPACITY;
            for (uint32_t k = 0; k < kept; ++k) {
                cr_assert(query_is_same_ray_hit(&list[k], &lists[i * CAPACITY + k]));
            }
        }
        if (workers < 4) {
            tn_world_destroy(q.world);
        }
    }
}

// Moves, resizes, hides, retypes or replaces a solid that is no affine body.
static void change_solid(uint32_t i) {
    query_solid *solid = &q.solids[i];
    tn_filter filter = tn_shape_get_filter(q.world, solid->shape);
    tn_pose pose = {query_draw_vec(&q, q.size), query_draw_turn(&q)};
    double size = 0.1 + 0.6 * query_draw(&q);
    switch ((int)(6.0 * query_draw(&q))) {
    case 0:
        filter.category = filter.category == 0x200 ? 1 : 0x200;
        cr_assert(tn_shape_set_filter(q.world, solid->shape, filter) == TN_RESULT_OK);
        break;
    case 1:
        tn_body_destroy(q.world, solid->body);
        query_add_solid(&q, i);
        break;
    case 2:
        cr_assert(tn_body_set_type(q.world, solid->body, (tn_body_type)(i % 3)) == TN_RESULT_OK);
        break;
    case 3:
        if (solid->type == TN_SHAPE_TYPE_SPHERE) {
            solid->half.x = (double)(float)size;
            cr_assert(tn_sphere_shape_set_radius(q.world, solid->shape, (float)size) ==
                      TN_RESULT_OK);
        } else if (solid->type == TN_SHAPE_TYPE_BOX) {
            solid->half = (tn_vec3){size, 0.3, 0.5};
            cr_assert(tn_box_shape_set_half_extents(q.world, solid->shape, solid->half) ==
                      TN_RESULT_OK);
        }
        break;
    default:
        cr_assert(tn_body_set_pose(q.world, solid->body, pose) == TN_RESULT_OK);
        break;
    }
}

static void assert_rays_are_right(uint32_t round) {
    enum {
        RAYS = 300
    };
    static expected_hit expected[2 * QUERY_SHAPES + 2];
    static tn_ray rays[RAYS];
    static tn_ray_hit hits[RAYS];
    tn_query_filter filter = tn_query_filter_default();
    filter.mask = 0x215;
    for (int i = 0; i < RAYS; ++i) {
        rays[i] = draw_ray(i);
        rays[i].filter = i % 4 == 3 ? &filter : NULL;
    }
    tn_world_cast_rays(q.world, rays, RAYS, hits);
    for (uint32_t i = 0; i < RAYS; ++i) {
        tn_ray_hit hit;
        tn_world_cast_ray(q.world, &rays[i], &hit);
        cr_assert(query_is_same_ray_hit(&hit, &hits[i]), "round %u, ray %u", round, i);
        if (i % 60 == round % 60) {
            uint32_t count = expect(&rays[i], expected);
            cr_assert((hit.shape.value != 0) == (count > 0), "round %u, ray %u", round, i);
            cr_assert(count == 0 || fabs(hit.fraction - expected[0].fraction) < 1e-6,
                      "round %u, ray %u: %g, not %g", round, i, hit.fraction, expected[0].fraction);
        }
    }
}

Test(query_rays, stay_right_through_random_changes_for_any_number_of_workers) {
    tn_world_destroy(q.world);
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        query_world_create(&q, 8.0, 400, workers);
        for (uint32_t round = 0; round < 120; ++round) {
            for (uint32_t k = 0; k < round % 12; ++k) {
                uint32_t i = (uint32_t)(400.0 * query_draw(&q));
                if (q.solids[i].affine.value == 0) {
                    change_solid(i);
                }
            }
            if (round % 9 == 8) {
                cr_assert(tn_world_step(q.world, 1.0 / 60.0, 2) == TN_RESULT_OK);
            }
            assert_rays_are_right(round);
        }
        if (workers < 4) {
            tn_world_destroy(q.world);
        }
    }
}

Test(query_rays, of_what_a_ray_begins_inside_each_option_makes_its_own) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id body = test_ball_create(world, 0.0, 0.0, 0.0, 0.5f);
    tn_ray ray = tn_ray_make((tn_vec3){0.1, 0.0, 0.0}, (tn_vec3){2.0, 0.0, 0.0});
    tn_ray_hit hits[3];
    ray.has_back_faces = true;
    cr_assert(tn_world_cast_ray_all(world, &ray, hits, 3) == 2);
    cr_assert(hits[0].fraction == 0.0 && !hits[0].is_back && hits[1].is_back);
    cr_assert(fabs(hits[1].fraction - 0.2) < 1e-7 && fabs(hits[1].normal.x - 1.0) < 1e-7);
    ray.inside = TN_QUERY_INSIDE_PASS;
    cr_assert(tn_world_cast_ray(world, &ray, hits) && hits[0].is_back);
    cr_assert(hits[0].shape.value == test_first_shape(world, body).value);
    ray.inside = TN_QUERY_INSIDE_IGNORE;
    cr_assert(!tn_world_cast_ray(world, &ray, hits) && hits[0].shape.value == 0);
    ray.has_back_faces = false;
    ray.inside = TN_QUERY_INSIDE_PASS;
    cr_assert(!tn_world_cast_ray_any(world, &ray));
    ray.inside = (tn_query_inside)3;
    cr_assert(!tn_world_cast_ray_any(world, &ray));
    cr_assert(tn_world_get_telemetry(world).reports == 1);
    tn_world_destroy(world);
}

// ---- shapes of many children ------------------------------------------------------------------

// Two cubes of 2 m, at the origin and 4 m along x from it.
static tn_shape_id rays_add_cubes(tn_world *world, bool is_mesh) {
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    if (!is_mesh) {
        tn_compound_child cubes[2] = {tn_compound_child_default(), tn_compound_child_default()};
        cubes[0].half_extents = cubes[1].half_extents = (tn_vec3){1.0, 1.0, 1.0};
        cubes[1].local_pose.position.x = 4.0;
        tn_compound_def compound_def = tn_compound_def_default();
        compound_def.children = cubes;
        compound_def.child_count = 2;
        tn_compound *compound = tn_compound_create(&compound_def, NULL);
        tn_shape_id shape = tn_compound_shape_create(world, body, &def, compound, NULL, 0);
        tn_compound_release(compound);
        return shape;
    }
    static const uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                         {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    float positions[48];
    uint32_t indices[72], count = 0;
    for (uint32_t i = 0; i < 16; ++i) {
        positions[3 * i] = (i & 1 ? 1.0f : -1.0f) + (i < 8 ? 0.0f : 4.0f);
        positions[3 * i + 1] = i & 2 ? 1.0f : -1.0f;
        positions[3 * i + 2] = i & 4 ? 1.0f : -1.0f;
    }
    for (uint32_t i = 0; i < 12; ++i) {
        const uint32_t *face = faces[i % 6];
        const uint32_t corners[6] = {face[0], face[1], face[2], face[0], face[2], face[3]};
        for (uint32_t k = 0; k < 6; ++k) {
            indices[count++] = corners[k] + (i < 6 ? 0 : 8);
        }
    }
    tn_mesh_def mesh_def = tn_mesh_def_default();
    mesh_def.positions = positions;
    mesh_def.position_count = 16;
    mesh_def.indices = indices;
    mesh_def.triangle_count = 24;
    tn_mesh *mesh = tn_mesh_create(&mesh_def, NULL);
    tn_shape_id shape = tn_mesh_shape_create(world, body, &def, mesh, NULL, 0);
    tn_mesh_release(mesh);
    return shape;
}

static void expect_hit(const tn_ray_hit *hit, double fraction, bool is_back, const char *what) {
    double outward = is_back ? 1.0 : -1.0;
    cr_expect(fabs(hit->fraction - fraction) < 1e-9 && hit->is_back == is_back, "%s: at %g", what,
              hit->fraction);
    cr_expect(hit->fraction == 0.0 || fabs(hit->normal.x - outward) < 1e-9, "%s: normal %g", what,
              hit->normal.x);
}

Test(query_rays, a_ray_that_begins_inside_leaves_by_the_nearest_back_and_goes_on) {
    for (int is_mesh = 0; is_mesh < 2; ++is_mesh) {
        tn_world *world = tn_world_create(NULL, NULL);
        cr_assert(rays_add_cubes(world, is_mesh != 0).value != 0);
        tn_ray ray = tn_ray_make((tn_vec3){0.0, 0.1, 0.2}, (tn_vec3){10.0, 0.0, 0.0});
        tn_ray_hit hits[4];
        ray.inside = TN_QUERY_INSIDE_PASS;
        cr_assert(tn_world_cast_ray(world, &ray, hits));
        expect_hit(hits, 0.3, false, "the next cube");
        ray.has_back_faces = true;
        cr_assert(tn_world_cast_ray(world, &ray, hits));
        expect_hit(hits, 0.1, true, "the first back");
        cr_assert(tn_world_cast_ray_all(world, &ray, hits, 4) == 2);
        expect_hit(&hits[0], 0.1, true, "the first back of all");
        expect_hit(&hits[1], 0.3, false, "the first front of all");
        ray.origin.x = -3.0;
        cr_assert(tn_world_cast_ray(world, &ray, hits));
        expect_hit(hits, 0.2, false, "from outside");
        cr_assert(tn_world_cast_ray_all(world, &ray, hits, 4) == 2);
        expect_hit(&hits[1], 0.4, true, "where it leaves first");
        ray.origin.x = 4.0; // inside the last one
        cr_assert(tn_world_cast_ray(world, &ray, hits));
        expect_hit(hits, 0.1, true, "the last back");
        ray.inside = TN_QUERY_INSIDE_IGNORE;
        bool is_seen = tn_world_cast_ray(world, &ray, hits);
        cr_expect(is_seen == (is_mesh != 0), "a surface has no inside, a cube has");
        ray.inside = TN_QUERY_INSIDE_REPORT;
        cr_assert(tn_world_cast_ray(world, &ray, hits));
        expect_hit(hits, is_mesh ? 0.1 : 0.0, is_mesh, "reported");
        tn_world_destroy(world);
    }
}

Test(query_rays, bad_calls_are_refused) {
    tn_ray ray = draw_ray(0);
    tn_ray_hit hit;
    bool meets = true;
    uint32_t count = 7;
    uint64_t before = tn_world_get_telemetry(q.world).reports;
    cr_assert(!tn_world_cast_ray_any(NULL, &ray) && !tn_world_cast_ray_any(q.world, NULL));
    cr_assert(tn_world_cast_ray_all(q.world, NULL, &hit, 1) == 0);
    cr_assert(tn_world_cast_rays_any(q.world, &ray, 1, NULL) == 0);
    cr_assert(tn_world_cast_rays_all(q.world, &ray, 1, &hit, 1, NULL) == 0);
    cr_assert(tn_world_get_telemetry(q.world).reports == before + 4);
    ray.origin.y = NAN;
    cr_assert(tn_world_cast_rays_any(q.world, &ray, 1, &meets) == 0 && !meets);
    cr_assert(tn_world_cast_rays_all(q.world, &ray, 1, &hit, 1, &count) == 0 && count == 0);
    cr_assert(tn_world_get_telemetry(q.world).reports == before + 6);
    cr_assert(tn_world_cast_rays_any(q.world, NULL, 0, NULL) == 0);
    cr_assert(tn_world_cast_rays_all(q.world, NULL, 0, NULL, 0, NULL) == 0);
    cr_assert(tn_world_get_telemetry(q.world).reports == before + 6);
}
