// Casts, overlaps and distances of convex shapes, among shapes of all types, against plain search.
#include "query_world.h"

static query_world q;

static void setup(void) {
    query_world_create(&q, 8.0, QUERY_SHAPES, 1);
}

// Hulls that probes are made of.
#define PROBES_MOST_HULLS 4096
static tn_hull *hulls[PROBES_MOST_HULLS];
static uint32_t hull_count;

static void teardown(void) {
    tn_world_destroy(q.world);
    while (hull_count > 0) {
        tn_hull_release(hulls[--hull_count]);
    }
}

TestSuite(query_probes, .init = setup, .fini = teardown, .timeout = 120);

static tn_probe draw_probe(int i) {
    tn_pose pose = {query_draw_vec(&q, 8.0), query_draw_turn(&q)};
    float a = (float)(0.1 + 0.6 * query_draw(&q)), b = (float)(0.1 + 0.6 * query_draw(&q));
    tn_probe probe;
    switch (i % 6) {
    case 0:
        probe = tn_point_probe_make(pose.position);
        break;
    case 1:
        probe = tn_sphere_probe_make(pose.position, a);
        break;
    case 2:
        probe = tn_capsule_probe_make(pose, b, a);
        break;
    case 3:
        probe = tn_box_probe_make(pose, (tn_vec3){(double)a, (double)b, 0.3});
        break;
    case 4:
        cr_assert(hull_count < PROBES_MOST_HULLS);
        hulls[hull_count] = query_make_hull(&q);
        probe = tn_hull_probe_make(pose, hulls[hull_count++]);
        break;
    default:
        probe = tn_shape_probe_make(pose, q.solids[i % QUERY_SHAPES].shape);
        break;
    }
    probe.translation = query_draw_vec(&q, 10.0);
    return probe;
}

static const query_solid *find_solid(tn_shape_id shape) {
    for (uint32_t i = 0; i < q.count; ++i) {
        if (q.solids[i].shape.value == shape.value) {
            return &q.solids[i];
        }
    }
    cr_assert(false, "no such shape");
    return NULL;
}

// Returns the distance of a ball from a solid that is not deformed, by minimising over the surface
// of the ball's centre: plain formulas for round shapes and boxes outside.
static double get_ball_distance(const query_solid *solid, tn_vec3 center, double radius) {
    tn_vec3 at = query_to_local(&q, solid, center), h = solid->half;
    if (solid->type == TN_SHAPE_TYPE_BOX) {
        tn_vec3 out = {fmax(fabs(at.x) - h.x, 0.0), fmax(fabs(at.y) - h.y, 0.0),
                       fmax(fabs(at.z) - h.z, 0.0)};
        double away = query_length(out);
        return (away > 0.0 ? away : query_get_height(&q, solid, center)) - radius;
    }
    return query_get_height(&q, solid, center) - radius;
}

Test(query_probes, a_ball_is_as_far_from_each_shape_as_plain_maths_says) {
    static tn_probe_hit hits[QUERY_SHAPES + 1];
    int checked = 0;
    for (int i = 0; i < 60; ++i) {
        float radius = i % 3 == 0 ? 0.0f : (float)query_draw(&q);
        tn_vec3 center = query_draw_vec(&q, 8.0);
        tn_probe probe = tn_sphere_probe_make(center, radius);
        probe.max_distance = 2.5;
        uint32_t count = tn_world_find_nearest(q.world, &probe, hits, QUERY_SHAPES + 1);
        for (uint32_t k = 0; k < count; ++k) {
            const query_solid *solid = find_solid(hits[k].shape);
            cr_assert(k == 0 || hits[k - 1].distance <= hits[k].distance);
            cr_assert(hits[k].distance <= 2.5);
            if (solid->affine.value != 0 || solid->type == TN_SHAPE_TYPE_HULL) {
                continue;
            }
            double expected = get_ball_distance(solid, center, (double)radius);
            cr_assert(fabs(hits[k].distance - expected) < 1e-5, "probe %d, type %d: %g, not %g", i,
                      (int)solid->type, hits[k].distance, expected);
            checked += 1;
        }
        // None is missing.
        uint32_t expected_count = 0, known = 0;
        for (uint32_t s = 0; s < q.count; ++s) {
            const query_solid *solid = &q.solids[s];
            if (solid->affine.value == 0 && solid->type != TN_SHAPE_TYPE_HULL) {
                expected_count += get_ball_distance(solid, center, (double)radius) <= 2.5 ? 1 : 0;
            }
        }
        for (uint32_t k = 0; k < count; ++k) {
            const query_solid *solid = find_solid(hits[k].shape);
            known += solid->affine.value == 0 && solid->type != TN_SHAPE_TYPE_HULL ? 1 : 0;
        }
        cr_assert(known == expected_count, "probe %d: %u of %u", i, known, expected_count);
    }
    cr_assert(checked > 500, "%d", checked);
}

// The nearest point lies on the surface of its shape, deformed or not, and the line to it is as
// long as the distance; pushed by that, a point probe touches.
Test(query_probes, the_nearest_points_are_on_the_surfaces) {
    static tn_probe_hit hits[64];
    for (int i = 0; i < 200; ++i) {
        tn_vec3 point = query_draw_vec(&q, 8.0);
        tn_probe probe = tn_point_probe_make(point);
        uint32_t count = tn_world_find_nearest(q.world, &probe, hits, 20);
        cr_assert(count == 20);
        for (uint32_t k = 0; k < count; ++k) {
            const query_solid *solid = find_solid(hits[k].shape);
            double off = query_get_height(&q, solid, hits[k].point);
            cr_assert(fabs(off) < 5e-5, "probe %d: %g off type %d", i, off, (int)solid->type);
            tn_vec3 to = query_sub(point, hits[k].point);
            tn_vec3 along = query_scale(hits[k].normal, hits[k].distance);
            cr_assert(query_length(query_sub(to, along)) < 5e-5, "probe %d, type %d", i,
                      (int)solid->type);
            bool is_inside = query_get_height(&q, solid, point) < 0.0;
            cr_assert(is_inside == (hits[k].distance < 0.0) || fabs(hits[k].distance) < 1e-5);
        }
    }
}

// Returns whether the probe overlaps a solid where it has gone by a fraction, as the world says.
static bool overlaps_at(const tn_probe *probe, double fraction, tn_shape_id shape) {
    static tn_probe_hit hits[QUERY_SHAPES + 1];
    tn_probe moved = *probe;
    moved.pose.position =
        query_add(probe->pose.position, query_scale(probe->translation, fraction));
    moved.has_depth = false;
    uint32_t count = tn_world_overlap_probe(q.world, &moved, hits, QUERY_SHAPES + 1);
    for (uint32_t k = 0; k < count; ++k) {
        if (hits[k].shape.value == shape.value) {
            return true;
        }
    }
    return false;
}

// What the probe meets first it does not overlap a hair before that, and does a hair after, as far
// as it goes on into it; and nothing else comes before.
Test(query_probes, a_cast_touches_what_an_overlap_finds_there) {
    static tn_probe_hit hits[QUERY_SHAPES + 1], all[QUERY_SHAPES + 1];
    int met = 0;
    for (int i = 0; i < 300; ++i) {
        tn_probe probe = draw_probe(i);
        double length = query_length(probe.translation);
        tn_probe_hit first;
        bool meets = tn_world_cast_probe(q.world, &probe, &first);
        uint32_t count = tn_world_cast_probe_all(q.world, &probe, all, QUERY_SHAPES + 1);
        uint32_t begins = tn_world_overlap_probe(q.world, &probe, hits, QUERY_SHAPES + 1);
        cr_assert(meets == (count > 0) && count >= begins);
        if (!meets) {
            continue;
        }
        cr_assert(first.shape.value == all[0].shape.value && first.fraction == all[0].fraction);
        for (uint32_t k = 0; k < count; ++k) {
            cr_assert(k == 0 || all[k - 1].fraction <= all[k].fraction);
            cr_assert(fabs(query_length(all[k].normal) - 1.0) < 1e-5);
            if (all[k].fraction == 0.0) {
                continue;
            }
            double cosine = -query_dot(all[k].normal, probe.translation) / length;
            cr_assert(cosine > -1e-3, "probe %d", i);
            if (cosine < 0.2) {
                continue; // it grazes
            }
            // 1e-4 m across the surface.
            double step = 1e-4 / (cosine * length);
            cr_assert(!overlaps_at(&probe, all[k].fraction - step, all[k].shape), "probe %d before",
                      i);
            cr_assert(overlaps_at(&probe, all[k].fraction + step, all[k].shape), "probe %d after",
                      i);
            const query_solid *solid = find_solid(all[k].shape);
            cr_assert(fabs(query_get_height(&q, solid, all[k].point)) < 1e-4, "probe %d", i);
            met += 1;
        }
    }
    cr_assert(met > 300, "%d", met);
}

// A probe that steps along its way overlaps nothing that the cast has not found.
Test(query_probes, a_cast_of_all_misses_nothing) {
    static tn_probe_hit hits[QUERY_SHAPES + 1], all[QUERY_SHAPES + 1];
    for (int i = 0; i < 60; ++i) {
        tn_probe probe = draw_probe(i), moved = probe;
        uint32_t count = tn_world_cast_probe_all(q.world, &probe, all, QUERY_SHAPES + 1);
        for (int k = 0; k <= 40; ++k) {
            moved.pose.position =
                query_add(probe.pose.position, query_scale(probe.translation, (double)k / 40.0));
            uint32_t found = tn_world_overlap_probe(q.world, &moved, hits, QUERY_SHAPES + 1);
            for (uint32_t h = 0; h < found; ++h) {
                bool is_known = hits[h].distance > -2e-5;
                for (uint32_t a = 0; a < count && !is_known; ++a) {
                    is_known = all[a].shape.value == hits[h].shape.value &&
                               all[a].fraction <= (double)k / 40.0 + 1e-5;
                }
                cr_assert(is_known, "probe %d at %d, depth %g", i, k, hits[h].distance);
            }
        }
    }
}

// Moved out along its normal by the depth, the probe is free of the shape; less far, it is not.
Test(query_probes, the_depth_of_an_overlap_is_the_way_out) {
    static tn_probe_hit hits[QUERY_SHAPES + 1];
    int checked = 0;
    for (int i = 0; i < 400; ++i) {
        tn_probe probe = draw_probe(i);
        uint32_t count = tn_world_overlap_probe(q.world, &probe, hits, QUERY_SHAPES + 1);
        for (uint32_t k = 0; k < count; ++k) {
            cr_assert(k == 0 ||
                      (hits[k - 1].shape.value & 0x3fffff) < (hits[k].shape.value & 0x3fffff));
            cr_assert(hits[k].distance <= 0.0);
            tn_probe out = probe;
            out.translation = query_scale(hits[k].normal, 1.0);
            double way = -hits[k].distance;
            cr_assert(!overlaps_at(&out, way + 5e-5, hits[k].shape), "probe %d, depth %g", i, way);
            cr_assert(way < 5e-5 || overlaps_at(&out, way - 5e-5, hits[k].shape),
                      "probe %d, depth %g", i, way);
            checked += 1;
        }
    }
    cr_assert(checked > 100, "%d", checked);
}

Test(query_probes, filters_and_options_hold) {
    static tn_probe_hit hits[QUERY_SHAPES + 1];
    tn_query_filter filter = tn_query_filter_default();
    filter.mask = 0x3;
    int met = 0;
    for (int i = 0; i < 200; ++i) {
        tn_probe probe = draw_probe(i);
        probe.filter = &filter;
        probe.inside = (tn_query_inside)(i % 3);
        uint32_t count = tn_world_cast_probe_all(q.world, &probe, hits, QUERY_SHAPES + 1);
        count += tn_world_find_nearest(q.world, &probe, hits + count, 5);
        for (uint32_t k = 0; k < count; ++k) {
            tn_filter own = tn_shape_get_filter(q.world, hits[k].shape);
            cr_assert((own.category & filter.mask) != 0);
            bool is_nearest = k + 5 >= count;
            cr_assert(is_nearest || i % 3 == 0 || hits[k].distance == 0.0);
        }
        met += count > 5;
    }
    cr_assert(met > 20, "%d", met);
}

Test(query_probes, batches_say_what_single_probes_say_for_any_number_of_workers) {
    enum {
        PROBES = 400,
        CAPACITY = 3
    };
    static tn_probe probes[PROBES];
    static tn_probe_hit casts[PROBES], overlaps[PROBES * CAPACITY], near[PROBES * CAPACITY];
    static uint32_t overlap_counts[PROBES], near_counts[PROBES];
    tn_world_destroy(q.world);
    for (uint32_t workers = 1; workers <= 4; ++workers) {
        query_world_create(&q, 8.0, QUERY_SHAPES, workers);
        for (int i = 0; i < PROBES; ++i) {
            probes[i] = draw_probe(i);
        }
        uint32_t met = tn_world_cast_probes(q.world, probes, PROBES, casts);
        tn_world_overlap_probes(q.world, probes, PROBES, overlaps, CAPACITY, overlap_counts);
        uint32_t found =
            tn_world_find_all_nearest(q.world, probes, PROBES, near, CAPACITY, near_counts);
        cr_assert(found == PROBES && met > 100);
        for (uint32_t i = 0; i < PROBES; ++i) {
            tn_probe_hit hit, list[CAPACITY];
            met -= tn_world_cast_probe(q.world, &probes[i], &hit) ? 1 : 0;
            cr_assert(query_is_same_probe_hit(&hit, &casts[i]), "%u workers, %u", workers, i);
            uint32_t count = tn_world_overlap_probe(q.world, &probes[i], list, CAPACITY);
            cr_assert(count == overlap_counts[i]);
            uint32_t kept = count < CAPACITY ? count : CAPACITY;
            for (uint32_t k = 0; k < kept; ++k) {
                cr_assert(query_is_same_probe_hit(&list[k], &overlaps[i * CAPACITY + k]));
            }
            count = tn_world_find_nearest(q.world, &probes[i], list, CAPACITY);
            cr_assert(count == near_counts[i]);
            for (uint32_t k = 0; k < count; ++k) {
                cr_assert(query_is_same_probe_hit(&list[k], &near[i * CAPACITY + k]));
            }
        }
        cr_assert(met == 0);
        if (workers < 4) {
            tn_world_destroy(q.world);
        }
    }
}

// A probe by numbers, and a shape of the same numbers on a body of its own.
static tn_probe probe_make_like(tn_world *world, int kind, float rounding, tn_shape_id *out_shape) {
    const tn_vec3 axes = {0.4, 0.2, 0.6};
    const tn_pose pose = {{0.0, 0.0, 0.0}, {0.1, 0.2, 0.3, 0.92736185}};
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 50.0 + 5.0 * kind, 0.0);
    tn_shape_def def = tn_shape_def_default();
    def.rounding = rounding;
    tn_probe probe;
    switch (kind) {
    case 0:
        probe = tn_sphere_probe_make(pose.position, 0.3f);
        *out_shape = tn_sphere_shape_create(world, body, &def, 0.3f);
        break;
    case 1:
        probe = tn_capsule_probe_make(pose, 0.5f, 0.2f);
        *out_shape = tn_capsule_shape_create(world, body, &def, 0.5f, 0.2f);
        break;
    case 2:
        probe = tn_box_probe_make(pose, axes);
        *out_shape = tn_box_shape_create(world, body, &def, axes);
        break;
    case 3:
        probe = tn_cylinder_probe_make(pose, 0.5f, 0.2f);
        *out_shape = tn_cylinder_shape_create(world, body, &def, 0.5f, 0.2f);
        break;
    case 4:
        probe = tn_cone_probe_make(pose, 0.5f, 0.4f);
        *out_shape = tn_cone_shape_create(world, body, &def, 0.5f, 0.4f);
        break;
    case 5:
        probe = tn_tapered_cylinder_probe_make(pose, 0.5f, 0.2f, 0.4f);
        *out_shape = tn_tapered_cylinder_shape_create(world, body, &def, 0.5f, 0.2f, 0.4f);
        break;
    case 6:
        probe = tn_tapered_capsule_probe_make(pose, 0.5f, 0.3f, 0.1f);
        *out_shape = tn_tapered_capsule_shape_create(world, body, &def, 0.5f, 0.3f, 0.1f);
        break;
    default:
        probe = tn_ellipsoid_probe_make(pose, axes);
        *out_shape = tn_ellipsoid_shape_create(world, body, &def, axes);
        break;
    }
    probe.rounding = rounding;
    return probe;
}

static void assert_same_answers(const tn_world *world, const tn_probe *a, const tn_probe *b,
                                int kind) {
    tn_probe_hit hits[2][3];
    bool meets = tn_world_cast_probe(world, a, hits[0]);
    cr_assert(meets && tn_world_cast_probe(world, b, hits[1]), "kind %d", kind);
    cr_assert(query_is_same_probe_hit(hits[0], hits[1]), "kind %d: a cast", kind);
    cr_assert(tn_world_find_nearest(world, a, hits[0], 3) == 3);
    cr_assert(tn_world_find_nearest(world, b, hits[1], 3) == 3);
    for (int i = 0; i < 3; ++i) {
        cr_assert(query_is_same_probe_hit(&hits[0][i], &hits[1][i]), "kind %d: near", kind);
    }
    tn_probe there = *a, too = *b;
    there.pose.position.x = too.pose.position.x = 2.5;
    uint32_t count = tn_world_overlap_probe(world, &there, hits[0], 3);
    cr_assert(count > 0 && tn_world_overlap_probe(world, &too, hits[1], 3) == count);
    cr_assert(query_is_same_probe_hit(hits[0], hits[1]), "kind %d: an overlap", kind);
}

Test(query_probes, numbers_ask_as_a_shape_of_these_numbers_does) {
    for (int kind = 0; kind < 8; ++kind) {
        for (int is_round = 0; is_round < 2; ++is_round) {
            tn_world *world = tn_world_create(NULL, NULL);
            tn_shape_id like;
            tn_probe by_numbers = probe_make_like(world, kind, is_round ? 0.15f : 0.0f, &like);
            cr_assert(like.value != 0);
            test_box_create(world, TN_BODY_TYPE_STATIC, 3.0, 0.1, 0.2, (tn_vec3){0.5, 0.5, 0.5});
            test_ball_create(world, -2.0, 0.4, 0.3, 0.5f);
            tn_probe by_shape = tn_shape_probe_make(by_numbers.pose, like);
            by_numbers.translation = by_shape.translation = (tn_vec3){5.0, 0.2, 0.1};
            assert_same_answers(world, &by_numbers, &by_shape, kind);
            tn_world_destroy(world);
        }
    }
}

// Their triangles have no inside, and many children have no one gap.
Test(query_probes, no_shape_of_many_children_asks) {
    tn_world *world = tn_world_create(NULL, NULL);
    tn_body_id body = test_body_create(world, TN_BODY_TYPE_STATIC, 0.0, 0.0, 0.0);
    tn_shape_def def = tn_shape_def_default();
    const float heights[4] = {0.0f, 1.0f, 0.5f, 0.0f};
    tn_height_field_def field_def = tn_height_field_def_default();
    field_def.heights = heights;
    field_def.columns = field_def.rows = 2;
    tn_height_field *field = tn_height_field_create(&field_def, NULL);
    const uint32_t triangle[3] = {0, 1, 2};
    const float corners[9] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f};
    tn_mesh_def mesh_def = tn_mesh_def_default();
    mesh_def.positions = corners;
    mesh_def.indices = triangle;
    mesh_def.position_count = 3;
    mesh_def.triangle_count = 1;
    tn_mesh *mesh = tn_mesh_create(&mesh_def, NULL);
    tn_compound_child child = tn_compound_child_default();
    tn_compound_def compound_def = tn_compound_def_default();
    compound_def.children = &child;
    compound_def.child_count = 1;
    tn_compound *compound = tn_compound_create(&compound_def, NULL);
    const tn_shape_id shapes[3] = {
        tn_height_field_shape_create(world, body, &def, field, NULL, 0),
        tn_mesh_shape_create(world, body, &def, mesh, NULL, 0),
        tn_compound_shape_create(world, body, &def, compound, NULL, 0),
    };
    tn_pose pose = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; ++i) {
        tn_probe probe = tn_shape_probe_make(pose, shapes[i]);
        tn_probe_hit hit;
        cr_assert(tn_shape_is_valid(world, shapes[i]));
        cr_assert(tn_world_overlap_probe(world, &probe, &hit, 1) == 0);
        cr_assert(tn_world_find_nearest(world, &probe, &hit, 1) == 0);
        cr_assert(!tn_world_cast_probe(world, &probe, &hit));
        cr_assert(tn_world_get_telemetry(world).reports == 3u * (uint32_t)(i + 1));
    }
    tn_height_field_release(field);
    tn_mesh_release(mesh);
    tn_compound_release(compound);
    tn_world_destroy(world);
}

Test(query_probes, bad_probes_are_refused) {
    tn_pose pose = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}, turned = pose;
    turned.rotation.w = 0.0;
    tn_probe bad[] = {
        tn_sphere_probe_make((tn_vec3){(double)NAN, 0.0, 0.0}, 1.0f),
        tn_sphere_probe_make((tn_vec3){0.0, 0.0, 0.0}, -1.0f),
        tn_sphere_probe_make((tn_vec3){0.0, 0.0, 0.0}, (float)INFINITY),
        tn_capsule_probe_make(pose, -1.0f, 1.0f),
        tn_capsule_probe_make(pose, (float)NAN, 1.0f),
        tn_box_probe_make(turned, (tn_vec3){1.0, 1.0, 1.0}),
        tn_box_probe_make(pose, (tn_vec3){1.0, -1.0, 1.0}),
        tn_hull_probe_make(pose, NULL),
        tn_cylinder_probe_make(pose, 0.0f, 1.0f),
        tn_cylinder_probe_make(pose, 1.0f, (float)NAN),
        tn_cone_probe_make(pose, 1.0f, 0.0f),
        tn_tapered_cylinder_probe_make(pose, 1.0f, -1.0f, 2.0f),
        tn_tapered_capsule_probe_make(pose, 0.1f, 1.0f, 0.5f),
        tn_ellipsoid_probe_make(pose, (tn_vec3){1.0, 0.0, 1.0}),
        tn_shape_probe_make(pose, (tn_shape_id){77}),
        tn_shape_probe_make(pose, q.solids[q.count - 1].shape), // a half-space
        tn_point_probe_make(pose.position),
        tn_point_probe_make(pose.position),
        tn_point_probe_make(pose.position),
        tn_point_probe_make(pose.position),
        tn_point_probe_make(pose.position),
    };
    bad[16].type = TN_SHAPE_TYPE_HALF_SPACE;
    bad[17].translation.y = (double)INFINITY;
    bad[18].max_distance = -1.0;
    bad[19].inside = (tn_query_inside)-1;
    bad[20].rounding = -0.1f;
    uint64_t reports = tn_world_get_telemetry(q.world).reports;
    tn_probe_hit hit;
    uint32_t counts[2];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        tn_probe two[2] = {tn_point_probe_make(pose.position), bad[i]};
        cr_assert(!tn_world_cast_probe(q.world, &bad[i], &hit) && hit.shape.value == 0);
        cr_assert(tn_world_cast_probe_all(q.world, &bad[i], &hit, 1) == 0);
        cr_assert(tn_world_overlap_probe(q.world, &bad[i], &hit, 1) == 0);
        cr_assert(tn_world_find_nearest(q.world, &bad[i], &hit, 1) == 0);
        cr_assert(tn_world_overlap_probes(q.world, two, 2, NULL, 0, counts) == 0);
        reports += 5;
        cr_assert(tn_world_get_telemetry(q.world).reports == reports, "probe %zu", i);
    }
    tn_probe probe = tn_point_probe_make(pose.position);
    cr_assert(!tn_world_cast_probe(NULL, &probe, &hit));
    cr_assert(!tn_world_cast_probe(q.world, NULL, &hit));
    cr_assert(tn_world_cast_probes(q.world, &probe, 1, NULL) == 0);
    cr_assert(tn_world_overlap_probes(q.world, &probe, 1, &hit, 1, NULL) == 0);
    cr_assert(tn_world_find_all_nearest(q.world, NULL, 1, &hit, 1, counts) == 0);
    cr_assert(tn_world_get_telemetry(q.world).reports == reports + 4);
    cr_assert(tn_world_find_nearest(q.world, &probe, NULL, 3) == 0);
    cr_assert(tn_world_cast_probes(q.world, NULL, 0, NULL) == 0);
    cr_assert(tn_world_get_telemetry(q.world).reports == reports + 4);
}
